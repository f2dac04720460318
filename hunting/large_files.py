"""Write large and false files, give each to a command, and say what it took, as rows of Markdown.

    python -m hunting.large_files [--only WORDS]      from the folder of the project, with tests on the path

Each command runs in a process of its own. Seconds are those of the processor, memory is the kernel's peak. Exit code 1 if
one takes more than is promised of any text, ends in a traceback, or accepts what has to be rejected.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hunting.costly import PROMISED_MEMORY, PROMISED_SECONDS

READ, REJECTED, EITHER = (0,), (2, 3), (0, 1, 2, 3)
"""Exit codes that are allowed: an answer, a rejection, or whichever of them."""

MEGABYTE = 1_000_000
FILE = "FILE"
"""The word of a command in whose place the path stands."""

PEAK = Path(__file__).parents[1] / "tests" / "peak.py"


@dataclass(frozen=True, slots=True)
class Case:
    """A file, what is asked of it, and how that may end."""

    says: str
    name: str
    write: Callable[[Path], None]
    words: tuple[str, ...]
    codes: tuple[int, ...] = REJECTED


def write_bits(path: Path, rows: int = 10**7) -> None:
    """Rows of three binary columns."""
    source = np.random.default_rng(0)
    with path.open("wb") as file:
        file.write(b"X1,X2,X3\n")
        line = np.frombuffer(b"0,0,0\n", dtype=np.uint8)
        for _ in range(10):
            block = np.tile(line, (rows // 10, 1))
            block[:, ::2] += source.integers(0, 2, (rows // 10, 3), dtype=np.uint8)
            file.write(block.tobytes())


def write_different_rows(path: Path) -> None:
    """Rows that are all different."""
    with path.open("w", encoding="utf-8") as file:
        file.write("X1,X2,X3\n")
        for start in range(0, 4_000_000, 100_000):
            file.write("".join(f"{row},{row % 7},{row % 3}\n" for row in range(start, start + 100_000)))


def write_columns(path: Path, columns: int = 10**5, rows: int = 20, name: str = "X") -> None:
    """Few rows of many binary columns."""
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(f"{name}{column}" for column in range(1, columns + 1)) + "\n")
        for row in range(rows):
            file.write(",".join("01"[(row * column >> 2) & 1] for column in range(1, columns + 1)) + "\n")


def write_names_alike(path: Path) -> None:
    """Names that are written alike in the notation."""
    names = ["X1", "X2", "X3", *(f"x {'.' * (k % 7)}{'_' * (k % 11)}{k}" for k in range(10**5))]
    path.write_text(
        ",".join(names)
        + "\n"
        + "\n".join(",".join("01"[(r >> k % 3) & 1] for k in range(len(names))) for r in range(20)),
        encoding="utf-8",
    )


def write_long_labels(path: Path) -> None:
    """Two labels that are as long as is read."""
    path.write_text(
        "X1,X2,X3\n" + "".join(f"{'ab'[row % 2] * 10**5},{row // 2 % 2},{row // 4 % 2}\n" for row in range(16)),
        encoding="utf-8",
    )


def repeat(begin: str, part: str, size: int, end: str = "") -> Callable[[Path], None]:
    """What writes a text: a beginning, a part so often that there are so many bytes, an end."""

    def write(path: Path) -> None:
        pack = gzip.compress if path.suffix == ".gz" else bytes  # packed files may be joined
        run = part * max(1, min(size, MEGABYTE) // len(part))
        packed = pack(run.encode())
        with path.open("wb") as file:
            file.write(pack(begin.encode()))
            for _ in range(size // len(run)):
                file.write(packed)
            file.write(pack(end.encode()))

    return write


def number_parts(begin: str, part: str, count: int, end: str = "") -> Callable[[Path], None]:
    """What writes a text of parts, with a number in place of `#`."""

    def write(path: Path) -> None:
        with path.open("w", encoding="utf-8") as file:
            file.write(begin)
            for start in range(0, count, 10_000):
                file.write(
                    "".join(part.replace("#", str(number)) for number in range(start, min(count, start + 10_000)))
                )
            file.write(end)

    return write


def write_parquet(path: Path, table: Callable[[], dict[str, object]], **options: object) -> None:
    """A Parquet file, by pyarrow."""
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.table(table()), path, **options)


def encode_number(number: int) -> bytes:
    """A whole number as Thrift has it: twice, in groups of seven bits."""
    rest, found = 2 * number, list[int]()
    while rest > 127:
        found.append(rest & 127 | 128)
        rest >>= 7
    return bytes([*found, rest])


def change_footer(path: Path, change: Callable[[bytes], bytes]) -> None:
    """Let the end of a Parquet file, which says what is in it, say something else."""
    data = path.read_bytes()
    size = int.from_bytes(data[-8:-4], "little")
    footer = change(data[-8 - size : -8])
    path.write_bytes(data[: -8 - size] + footer + len(footer).to_bytes(4, "little") + b"PAR1")


def write_false_rows(says: int, rows: int = 12_345_678) -> Callable[[Path], None]:
    """What writes Parquet whose end says another number of rows."""

    def write(path: Path) -> None:
        write_parquet(path, lambda: {f"X{k}": np.arange(rows) // k % 2 for k in (1, 2, 3)})
        known = path.stat().st_size
        change_footer(path, lambda footer: footer.replace(encode_number(rows), encode_number(says), 1))
        assert known != 0

    return write


def write_false_parts(path: Path) -> None:
    """Parquet of which each part says fewer rows than its columns have."""
    write_parquet(path, lambda: {f"X{k}": np.arange(700_000) // k % 2 for k in (1, 2, 3)}, row_group_size=100_000)
    here, lie = b"\x16" + encode_number(100_000), b"\x16" + encode_number(50_000)

    def change(footer: bytes) -> bytes:
        pieces = footer.split(here)
        each = (len(pieces) - 1) // 7
        told = [lie if place % each == each - 1 else here for place in range(len(pieces) - 1)]
        return b"".join(piece + word for piece, word in zip(pieces, [*told, b""], strict=True)).replace(
            encode_number(700_000), encode_number(350_000)
        )

    change_footer(path, change)


def write_store(path: Path, rows: int = 10**6, letters: int = 0) -> None:
    """The store of a sweep, with the row of one model that was refused so often; with a value of so many letters."""
    import sqlite3
    from contextlib import closing

    from algdim.sweeping.store import Store
    from algdim.sweeping.tasks import REFUSED, Settings, make_row

    with Store(path, Settings()) as store:
        store.add([{**make_row("2:2,2", Settings(), REFUSED, "too large"), "number": 1}])
    with closing(sqlite3.connect(path)) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(results)")]
        own = {"number": "n", "hash": "printf('%064x', n)"}
        chosen = ", ".join(own.get(column, f'"{column}"') for column in columns)
        connection.execute(
            f"WITH RECURSIVE counter(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counter WHERE n < {rows}) "
            f"INSERT INTO results SELECT {chosen} FROM results, counter"
        )
        if letters:
            connection.execute("UPDATE results SET model = ? WHERE number = 1", ("x" * letters,))
        connection.commit()


def write_cut_store(path: Path) -> None:
    """A store without its second half."""
    write_store(path, 1000)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def write_sparse_store(path: Path) -> None:
    """A store that seems to have 10 GB."""
    write_store(path, 1000)
    os.truncate(path, 10**10)


def write_store_of_tables(path: Path) -> None:
    """A store with 20,000 tables beside its own."""
    import sqlite3
    from contextlib import closing

    write_store(path, 1000)
    with closing(sqlite3.connect(path)) as connection:
        for number in range(20_000):
            connection.execute(f"CREATE TABLE t{number} (a, b, c)")
        connection.commit()


FIT, DIM = ("fit", FILE, "2:2,2,2"), ("dim", FILE)
COUNTS = "X1,X2,X3,count\n0,0,0,#\n0,1,1,3\n1,0,1,4\n1,1,0,5\n"


def write_count(count: str) -> Callable[[Path], None]:
    """What writes a frequency table with this count."""
    return lambda path: [path.write_text(COUNTS.replace("#", count), encoding="utf-8"), None][1]


def write_names(name: str) -> Callable[[Path], None]:
    """What writes data whose first variable has this name."""
    return lambda path: [path.write_text(f"{name},X2,X3\n" + "0,0,0\n1,1,1\n" * 10, encoding="utf-8"), None][1]


def write_text_pages(path: Path, different: int, rows: int) -> None:
    """Parquet with so many different texts of a megabyte."""
    texts = [f"{number:04d}" + "x" * MEGABYTE for number in range(different)]
    write_parquet(path, lambda: {"X1": [texts[row % different] for row in range(rows)]}, compression="zstd")


def write_one_text(path: Path) -> None:
    """Parquet with a text of a megabyte in all of a million rows: small in the file."""
    import pyarrow as pa

    same = pa.DictionaryArray.from_arrays(np.zeros(10**6, dtype=np.int32), ["x" * MEGABYTE])
    write_parquet(path, lambda: {f"X{k}": same for k in (1, 2, 3)}, compression="zstd")


def write_lists(path: Path) -> None:
    """Parquet with a list of so many entries in a cell."""
    write_parquet(path, lambda: {"X1": [np.zeros(10**8, dtype=np.int8)], "X2": [0], "X3": [1]}, compression="zstd")


def write_cut_parquet(path: Path) -> None:
    """Parquet without its second half."""
    write_bits_as_parquet(path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def write_bits_as_parquet(path: Path) -> None:
    """Parquet of three binary columns."""
    write_parquet(path, lambda: {f"X{k}": np.arange(10**6) // k % 2 for k in (1, 2, 3)})


def write_long_end(path: Path) -> None:
    """Parquet whose end says that it has 2 GB."""
    write_bits_as_parquet(path)
    data = path.read_bytes()
    path.write_bytes(data[:-8] + (2**31 - 1).to_bytes(4, "little") + b"PAR1")


MANY = 100 * MEGABYTE
SELECT = ("select", FILE, "--classes", "1..2")
VERIFY = ("verify", FILE)
QUERY = ("query", FILE)
LAVAAN, DAGITTY = ("dim", FILE, "--format", "lavaan"), ("dim", FILE, "--format", "dagitty")
CASES = (
    Case("CSV, 10^7 rows of three binary columns", "a.csv", write_bits, SELECT, READ),
    Case("CSV, 4,000,000 rows that are all different", "a.csv", write_different_rows, FIT),
    Case("CSV, 10^5 columns, 20 rows", "a.csv", write_columns, FIT, EITHER),
    Case("the same with names that look alike in the notation", "a.csv", write_names_alike, FIT, EITHER),
    Case("CSV with 3·10^7 columns", "a.csv", repeat("X1", ",", 30 * MEGABYTE, "\n" + "0,1,0\n"), FIT),
    Case("CSV with a cell of a megabyte", "a.csv", repeat("X1,X2,X3\n0,1,0\n1,0,", "x", MEGABYTE, "\n"), FIT),
    Case("the same, quoted", "a.csv", repeat('X1,X2,X3\n0,1,0\n1,0,"', "x", MEGABYTE, '"\n'), FIT),
    Case("CSV with a name of a megabyte", "a.csv", write_names("x" * MEGABYTE), FIT),
    Case("CSV with two labels of 10^5 letters", "a.csv", write_long_labels, FIT, READ),
    Case("packed CSV that unpacks to 6 GB", "a.csv.gz", repeat("X1,X2,X3\n", "0,1,1\n1,0,1\n", 6000 * MEGABYTE), FIT),
    *(Case(f"a count of {count}", "a.csv", write_count(count), FIT) for count in ("nan", "inf", "1e308", "-1")),
    Case("Parquet: a text of a megabyte in 10^6 rows", "a.parquet", write_one_text, FIT),
    Case(
        "Parquet: 1,500 different texts of a megabyte",
        "a.parquet",
        lambda path: write_text_pages(path, 1500, 1500),
        FIT,
    ),
    Case("Parquet with a list of 10^8 entries in a cell", "a.parquet", write_lists, FIT),
    *(
        Case(f"Parquet that says {says} rows and has 12,345,678", "a.parquet", write_false_rows(says), FIT)
        for says in (3, 30_000_000, 10**12, 2**62)
    ),
    Case("Parquet whose parts say fewer rows than their columns have", "a.parquet", write_false_parts, FIT),
    Case("Parquet that is cut", "a.parquet", write_cut_parquet, FIT),
    Case("Parquet whose end says that it has 2 GB", "a.parquet", write_long_end, FIT),
    Case("store with 10^6 rows", "a.sqlite", write_store, (*QUERY, "--count"), READ),
    Case("the same", "a.sqlite", write_store, QUERY, EITHER),
    Case("the same", "a.sqlite", write_store, (*QUERY, "--sort", "model", "--limit", "3"), READ),
    Case("store with a value of 100 MB", "a.sqlite", lambda path: write_store(path, 1000, MANY), QUERY, EITHER),
    Case("store that is cut", "a.sqlite", write_cut_store, QUERY, EITHER),
    Case("store that is sparse, 10 GB", "a.sqlite", write_sparse_store, QUERY, EITHER),
    Case("store with 20,000 tables", "a.sqlite", write_store_of_tables, QUERY, EITHER),
    Case("JSON of 100 MB", "a.json", repeat('{"a": [', "1,", MANY, "1]}"), DIM),
    Case("packed JSON that unpacks to 1 GB", "a.json.gz", repeat('{"a": [', "1,", 1000 * MEGABYTE, "1]}"), DIM),
    Case("TOML of 100 MB", "a.toml", repeat("", "a.b.c = 1\n", MANY), DIM),
    Case("R script of 100 MB", "a.R", repeat("", "x <- poLCA(cbind(a,b)~1, d, nclass=2)\n", MANY), DIM),
    Case("lavaan of 100 MB", "a.lav", repeat("", "f =~ x1 + x2\n", MANY), LAVAAN),
    Case("BIF of 100 MB", "a.bif", repeat("", "variable x { type discrete [2] {a, b}; }\n", MANY), DIM),
    Case("XMLBIF of 100 MB", "a.xml", repeat("<BIF><NETWORK>", "<VARIABLE><NAME>x</NAME></VARIABLE>\n", MANY), DIM),
    Case(
        "certificate of 100 MB",
        "a.json",
        repeat('{"format": "algdim-certificate", "a": [', "1,", MANY, "1]}"),
        VERIFY,
        (1, 2, 3),
    ),
    Case(
        "parameters of 100 MB",
        "a.json",
        repeat('{"parameters": {"a": [', "1,", MANY, "1]}}"),
        ("dim", "2:2,2", "--at", FILE),
    ),
    Case("JSON of 60 MB: a long text", "a.json", repeat('{"variables": "', "x", 60 * MEGABYTE, '"}'), DIM),
    Case("JSON of 60 MB: a long number", "a.json", repeat('{"variables": ', "7", 60 * MEGABYTE, "}"), DIM),
    Case(
        "JSON with 700,000 variables",
        "a.json",
        number_parts('{"variables": [{"name": "X"}', ', {"name": "V#"}', 700_000, "]}"),
        DIM,
    ),
    Case("TOML with 3,500,000 numbers", "a.toml", repeat("a = [", "1,", 7 * MEGABYTE, "1]"), DIM),
    Case("R script of 60 MB", "a.R", repeat("", "x <- poLCA(cbind(a,b)~1, d, nclass=2)\n", 60 * MEGABYTE), DIM),
    Case("lavaan of 60 MB", "a.lav", repeat("", "f =~ x1 + x2\n", 60 * MEGABYTE), LAVAAN),
    Case("dagitty of 60 MB", "a.txt", repeat("dag {", " a -> b ", 60 * MEGABYTE, "}"), DAGITTY),
    Case("lavaan with 120,000 items", "a.lav", number_parts("f =~ x", " + x#", 120_000, "\n"), LAVAAN),
    Case(
        "BIF of 50 MB",
        "a.bif",
        number_parts("network a {}\n", "variable x# { type discrete [2] {a, b}; }\n", 1_150_000),
        DIM,
    ),
    Case(
        "XMLBIF of 50 MB",
        "a.xml",
        repeat("<BIF><NETWORK>", "<VARIABLE><NAME>x</NAME></VARIABLE>\n", 50 * MEGABYTE, "</NETWORK></BIF>"),
        DIM,
    ),
    Case("Newick of 2 MB", "a.nwk", number_parts("(a", ",L#", 250_000, ");"), DIM),
    Case(
        "formulas of 2 MB",
        "a.m2",
        repeat("R = QQ[a]; f = {a", ",a", 2 * MEGABYTE, "}"),
        ("dim", FILE, "--format", "macaulay2"),
    ),
    Case(
        "a formula of 375,000 terms",
        "a.m2",
        repeat("R = QQ[a]; f = {a", "+a", 750_000, "}"),
        ("dim", FILE, "--format", "macaulay2"),
        EITHER,
    ),
    Case(
        "claims, 5,000,000 rows",
        "a.csv",
        repeat("model,dimension\n", "2:2,2,3\n", 40 * MEGABYTE),
        ("check", FILE),
        (1, 2, 3),
    ),
    Case(
        "certificate of 4 MB with 1,900,000 numbers",
        "a.json",
        repeat('{"format": "algdim-certificate", "a": [', "1,", 3_800_000, "1]}"),
        VERIFY,
        (1, 2, 3),
    ),
)


def run(words: list[str]) -> tuple[int, float, int, str]:
    """Exit code, seconds, peak and last words of a command in a process of its own."""
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, str(PEAK), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    assert process.stdout is not None
    with process.stdout as stream:
        said = stream.read()
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0  # it was waited for
    found = re.fullmatch(r"(.*)\nexit (\d+), peak (\d+)\n", said, re.DOTALL)
    seconds = used.ru_utime + used.ru_stime
    if found is None:
        return 70, seconds, used.ru_maxrss << 10, said
    return int(found[2]), seconds, int(found[3]), found[1]


def measure(cases: list[Case], folder: Path) -> Iterator[tuple[bool, str]]:
    """For each case whether it ended as it may, and its row."""
    for case in cases:
        path = folder / case.name
        case.write(path)
        words = [str(path) if word == FILE else word for word in case.words]
        code, seconds, peak, said = run(words)
        size = path.stat().st_size
        path.unlink()
        ended = "read" if code in (0, 1) else "rejected" if code in (2, 3) else "an error"
        is_good = code in case.codes and seconds <= PROMISED_SECONDS and peak <= PROMISED_MEMORY
        last = " ".join(said.split())[-120:].replace("|", "\\|")
        asked = " ".join(word for word in case.words if word != FILE)
        row = f"| {case.says} | {size / MEGABYTE:.1f} MB | `{asked}` | {ended} | {seconds:.1f} s, {peak / MEGABYTE:.0f} MB | {last} |"
        yield is_good, row


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Write large and false files, and say what commands take of them.")
    parser.add_argument("--only", default="", help="cases whose description has these words")
    given = parser.parse_args()
    cases = [case for case in CASES if given.only in case.says]
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for is_good, row in measure(cases, Path(folder)):
            print(row if is_good else f"FAULT {row}", flush=True)
            faults += not is_good
    print(f"{len(cases)} files, {faults} faults")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
