"""The measurement of large and false files: what it writes is what it says, and a command that accepts it is a fault."""

import pytest

from hunting import large_files
from hunting.large_files import FIT, READ, REJECTED, Case, measure, repeat, run


def test_a_file_that_should_be_rejected_and_is_read_is_a_fault(tmp_path):
    """And one the other way round; both have their row."""
    rows = repeat("X1,X2,X3\n0,0,0\n1,1,1\n", "0,1,1\n", 10)
    cases = [Case(f"short {codes}", "a.csv", rows, FIT, codes) for codes in (READ, REJECTED)]
    found = list(measure(cases, tmp_path))

    assert [True, False] == [is_good for is_good, _ in found]
    assert found[0][1].startswith("| short (0,) | 0.0 MB | `fit 2:2,2,2` | read | ")
    assert [] == list(tmp_path.iterdir())


def test_an_end_that_is_none_of_a_command_is_told():
    """Also the death of its process."""
    code, seconds, peak, said = run(["dim", "2:2,2"])
    assert (0, True, True) == (code, 0 < seconds < 60, 10**7 < peak < 10**9)
    assert "dimension" in said
    assert 70 == run(["studio", "no question"])[0]


@pytest.mark.parametrize(("number", "written"), [(0, b"\x00"), (63, b"\x7e"), (64, b"\x80\x01"), (700, b"\xf8\x0a")])
def test_numbers_are_written_as_thrift_has_them(number, written):
    """Twice the number, in groups of seven bits, the last one first."""
    assert written == large_files.encode_number(number)


def test_rows_and_stores_have_the_size_that_is_said(tmp_path):
    """Small ones of their kind."""
    large_files.write_bits(tmp_path / "a.csv", 1000)
    lines = (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()
    assert (1001, {"0", "1", ","}) == (len(lines), set("".join(lines[1:])))

    large_files.write_columns(tmp_path / "b.csv", 50, 3)
    assert [49] * 4 == [line.count(",") for line in (tmp_path / "b.csv").read_text(encoding="utf-8").splitlines()]

    large_files.write_store(tmp_path / "a.sqlite", 40)
    code, _, _, said = run(["query", str(tmp_path / "a.sqlite"), "--count"])
    assert (0, "40") == (code, said.strip())


def test_packed_files_unpack(tmp_path):
    """Their parts are packed one by one."""
    import gzip

    repeat("a\n", "b\n", 3_000_000, "c\n")(tmp_path / "a.csv.gz")
    text = gzip.decompress((tmp_path / "a.csv.gz").read_bytes())
    assert (text[:2], text[-2:], len(text)) == (b"a\n", b"c\n", 3_000_004)
