"""Data for a model: what is read, how states and columns are matched, and what is refused."""

import sys
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import algdim
from algdim import InputError, LimitError, fit
from algdim.fitting import samples, tabulardata
from algdim.fitting.samples import read_sample
from algdim.readers.identifiers import make_notation_names

PAIR = algdim.model("2:2,3")


def test_patterns_are_sorted_and_counted():
    """Equal rows are one pattern; the states are the sorted labels."""
    found = read_sample({"X1": ["yes", "no", "yes"], "X2": ["b", "a", "b"]}, PAIR)

    assert [[0, 0], [1, 1]] == found.patterns.tolist()
    assert [1, 2] == found.counts.tolist()
    assert (("no", "yes"), ("a", "b", None)) == found.states
    assert ("X2: no row shows the state 2",) == found.notes
    assert 3 == found.size


def test_numbers_of_states_are_states():
    """If all labels are 0 … r − 1 they are the numbers themselves; other numbers are sorted as numbers."""
    assert ("0", None, "2") == read_sample({"X1": [0, 1], "X2": [0, 2]}, PAIR).states[1]
    assert ("9", "10", None) == read_sample({"X1": [0, 1], "X2": [10, 9]}, PAIR).states[1]


def test_files_and_objects_agree(tmp_path):
    """A CSV file, a frequency table, a dictionary and an array say the same."""
    file = tmp_path / "data.csv"
    file.write_text("X1,X2\n0,2\n1,1\n0,2\n", encoding="utf-8")
    table = tmp_path / "counts.csv"
    table.write_text("count;X2;X1\n2;2;0\n1;1;1\n0;0;0\n", encoding="utf-8-sig")
    samples = [
        read_sample(file, PAIR),
        read_sample(str(table), PAIR),
        read_sample({"X2": [2.0, 1, 2], "X1": [False, True, False]}, PAIR),
        read_sample(np.array([[0, 2], [1, 1], [0, 2]]), PAIR),
    ]
    for sample in samples:
        assert [[0, 2], [1, 1]] == sample.patterns.tolist()
        assert [2, 1] == sample.counts.tolist()


def test_columns_by_position():
    """If no name matches and the count is right, columns are taken in order, with a note."""
    found = read_sample({"b": [0, 1], "a": [2, 1]}, PAIR)

    assert [[0, 2], [1, 1]] == found.patterns.tolist()
    assert "b as X1, a as X2" in found.notes[0]


def test_columns_that_are_not_used():
    """Columns beside those of the model are left out, with a note."""
    found = read_sample({"id": [7, 8], "X2": [2, 1], "X1": [0, 1]}, PAIR)

    assert [[0, 2], [1, 1]] == found.patterns.tolist()
    assert "not used: the column id" in found.notes


def test_names_that_the_notation_has_not():
    """A variable is named as its column looks in the notation, as in models read from files; exact names come first."""
    model = algdim.model("H -> how_old, yes; hidden H; states yes=3")

    assert [[0, 2]] == read_sample({"how old": [0], "yes": [2]}, model).patterns.tolist()
    assert [[1, 2]] == read_sample({"how old": [0], "how_old": [1], "yes": [2]}, model).patterns.tolist()


def test_a_name_does_not_depend_on_the_columns_beside_it():
    """A model of one of two columns with Chinese names is matched with this one, not with the first."""
    data = {"性别": ["0", "0", "1"], "年龄": ["a", "b", "c"]}
    name = make_notation_names(["年龄"])["年龄"]
    found = read_sample(data, algdim.model(f"H -> {name}; hidden H; states {name}=3"))

    assert (("a", "b", "c"),) == found.states
    assert f"names of columns: {name} is 年龄" in found.notes


def test_columns_that_look_the_same():
    """Of columns that look the same a model has all, or those that are chosen; else it is refused."""
    data = {"2nd item": ["0", "1", "1"], "2nd-item": ["a", "b", "a"], "x": ["0", "0", "1"]}

    assert (("0", "1"), ("a", "b")) == read_sample(data, algdim.model("H -> _2nd_item, _2nd_item_1; hidden H")).states
    del data["x"]
    with pytest.raises(InputError, match="the columns 2nd item, 2nd-item look the same in the notation, and the"):
        read_sample(data, algdim.model("H -> _2nd_item; hidden H"))
    del data["2nd item"]
    assert (("a", "b"),) == read_sample(data, algdim.model("H -> _2nd_item; hidden H")).states


def test_missing_entries():
    """Allowed only when it is said."""
    found = read_sample({"X1": [0, None], "X2": ["", "1"]}, PAIR, missing=True)

    assert [[-1, 1], [0, -1]] == found.patterns.tolist()
    assert found.has_missing
    assert 2 == found.to_dict()["missing"]


def test_states_of_other_data():
    """A label is coded as in the data of the fit, and one that was not there is refused by row and column."""
    states = {"X1": ("no", "yes"), "X2": ("a", "b", "c")}

    assert [[1, 2]] == read_sample({"X1": ["yes"], "X2": ["c"]}, PAIR, states=states).patterns.tolist()
    with pytest.raises(InputError, match=r"row 2, column X2: 'd' was not among the states .*\(a, b, c\)"):
        read_sample({"X1": ["yes", "no"], "X2": ["c", "d"]}, PAIR, states=states)


def test_states_of_other_data_are_as_many_as_the_model_has():
    """The states of a fit of another model are refused, not cut."""
    with pytest.raises(InputError, match="X1: the fit has the 3 states a, b, c; the model has 2"):
        read_sample({"X1": ["a"], "X2": ["c"]}, PAIR, states={"X1": ("a", "b", "c")})


NAMED = replace(PAIR, variables=(*PAIR.variables[:2], replace(PAIR.variables[2], labels=("low", "mid", "high"))))


def test_states_that_the_model_names():
    """Labels are the states that the model's file names, in its order, whichever the data show; so are numbers."""
    found = read_sample({"X1": ["no", "yes"], "X2": ["low", "high"]}, NAMED)

    assert [[0, 0], [1, 2]] == found.patterns.tolist()
    assert ("low", "mid", "high") == found.states[1]
    assert ("X2: no row shows the state mid",) == found.notes
    assert [[0, 1], [1, 2]] == read_sample({"X1": [0, 1], "X2": [1, 2]}, NAMED).patterns.tolist()
    states = {"X2": ("high", "low", "mid")}
    assert [[0, 0]] == read_sample({"X1": [0], "X2": ["high"]}, NAMED, states=states).patterns.tolist()


def test_labels_that_the_model_does_not_name():
    """One of several is a slip and refused; if none is known they are taken in sorted order, with a note."""
    with pytest.raises(InputError, match=r"row 2, column X2: 'middle' is not among the states .*\(low, mid, high\)"):
        read_sample({"X1": [0, 1], "X2": ["low", "middle"]}, NAMED)
    found = read_sample({"X1": [0, 1], "X2": ["b", "a"]}, NAMED)
    assert ("a", "b", None) == found.states[1]
    assert "X2: the labels a, b are none of the model's low, mid, high; they are taken in sorted order" in found.notes


BAD = [
    ("X1,X2\n0,\n", "row 2, column X2 is empty"),
    ("X1,X2\n0,NaN\n", "row 2, column X2 is empty"),
    ("X1,X2,count\n0,0,-1\n", "row 2, column count: the count -1 is not allowed"),
    ("X1,X2,count\n0,0,many\n", "many is not a count"),
    ("X1,X2,count\n0,0,inf\n", "inf is not allowed"),
    ("X1,X2,count\n0,0,\n", "an empty entry is not a count; a number from 0"),
    ("X1,X2,count\n0,0,0\n", "all counts are 0"),
    ("X1,X2,Freq\n0,0,7\n", "the column Freq: .* call it count"),
    ("X1,X2,weights\n0,0,7\n", "the column weights: .* call it count"),
    ("X1,Y\n0,0\n", "there is no column X2"),
    ("a,b,c\n0,0,0\n", "3 columns .*more than the 2 that the model observes"),
    ("a\n0\n", "1 column .*fewer than the 2"),
    ("X1,X2\n0,0\n1,1\n2,2\n", "column X1 has the 3 labels 0, 1, 2; the model has 2 states"),
    ("X1,X2\n0,0,0\n", "line 2: 3 entries"),
    ("X1,X1\n0,0\n", "names 'X1' twice"),
    ("0,1\n1,0\n", "the first line holds numbers"),
    ("X1,\n1,0\n", "column 2 has no name"),
    ("X1,X2\n", "there are no rows"),
    ("", "is empty"),
    ('X1,X2\n"0,1\n', "not valid CSV"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_files_are_refused(tmp_path, text, message):
    """The message says the place and what is wrong."""
    file = tmp_path / "data.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_sample(file, PAIR)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"X1", "bytes is not read as data"),
        (3, "int is not read as data"),
        ([0, 1], "1 dimensions"),
        ({"X1": [0], "X2": [0, 1]}, "2 entries and column X1 has 1"),
        ({"X1": [0], "X2": [object()]}, "row 1: .* is not a category"),
        ({"X1": [0], "X2": [[1]]}, "is not a category"),
        ({"X1": "01", "X2": [0, 1]}, "is not a column"),
        ({}, "have no columns"),
        ("missing.csv", "no such file"),
        ("data.xls", "end in"),
    ],
)
def test_bad_objects_are_refused(data, message):
    """The message says what was given."""
    with pytest.raises(InputError, match=message):
        read_sample(data, PAIR)


def test_bytes_that_are_no_text(tmp_path):
    """Not UTF-8: refused with the place."""
    file = tmp_path / "data.csv"
    file.write_bytes(b"X1,X2\n\xff,0\n")
    with pytest.raises(InputError, match="is not UTF-8: byte"):
        read_sample(file, PAIR)


def test_what_is_conditioned_on_is_never_missing():
    """A conditional model needs its conditions."""
    with pytest.raises(InputError, match="conditioned on"):
        read_sample({"A": [None], "B": [0]}, algdim.model("A -> B; given A"), missing=True)


@pytest.mark.parametrize("model", ["states X=2, Y=2", "latent-profile: H -> X, Y; hidden H; states X=2"])
def test_labels_do_not_write_to_the_terminal(model):
    """A label and a column's name may have control characters, and are printed without them."""
    found = fit({"\x1b[2J": ["a\x1b[31m", "b\r"], "B": [0, 1]}, model, starts=1, iterations=2)

    assert "a\\x1b[31m" in str(found)
    assert "\\x1b[2J" in str(found)
    assert all(sign.isprintable() or sign == "\n" for sign in str(found))


@pytest.fixture(params=["pyarrow", "polars"])
def parquet(request, monkeypatch):
    """One library that reads Parquet, the other one not installed; and what writes a file."""
    written, pa = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
    pytest.importorskip(request.param)
    if request.param == "polars":
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    return lambda path, columns: written.write_table(pa.table(columns), path)


def test_a_parquet_file_is_not_taken_for_a_pattern(parquet, tmp_path):
    """Only the file of that name is read, whatever signs and folders it has."""
    folder = tmp_path / "X3=1"
    folder.mkdir()
    for name in ("a.parquet", "ab.parquet", "a*.parquet"):
        parquet(folder / name, {"X1": [0, 1], "X2": [1, 1]})

    assert 2 == read_sample(folder / "a*.parquet", PAIR).size


def test_a_parquet_file_with_too_many_entries_is_refused(parquet, tmp_path, monkeypatch):
    """Before they are unpacked: a file of a few bytes may have any number."""
    monkeypatch.setattr(tabulardata, "MOST_ENTRIES", 1000)
    monkeypatch.setattr(tabulardata, "read_named_columns", None)
    parquet(tmp_path / "zeros.parquet", {"X1": np.zeros(501, np.int8), "X2": np.zeros(501, np.int8)})
    with pytest.raises(LimitError, match="1002 entries; at most 1000 are read"):
        read_sample(tmp_path / "zeros.parquet", PAIR)


def test_what_is_no_parquet_file(parquet, tmp_path):
    """Bytes that are something else."""
    file = tmp_path / "data.parquet"
    file.write_bytes(b"PAR1 and no more")
    with pytest.raises(InputError, match="not a Parquet file that can be read"):
        read_sample(file, PAIR)


def test_rows_are_counted_as_rows(monkeypatch):
    """As one number each, or as rows where the numbers would be too long."""
    draw = np.random.default_rng(3)
    for width, states in ((1, 2), (3, 4), (5, 9), (30, 9)):  # 10^30 is no number of 64 bits
        codes, counts = draw.integers(-1, states, (60, width)), draw.integers(0, 3, 60).astype(float)
        totals = Counter()
        for row, count in zip(codes.tolist(), counts, strict=True):
            totals[tuple(row)] += count
        expected = sorted((row, count) for row, count in totals.items() if count)

        patterns, weights = samples.count_distinct_rows(codes, counts)

        assert expected == list(zip(map(tuple, patterns.tolist()), weights, strict=True))


def test_a_label_is_kept_once(monkeypatch):
    """However many rows have it; labels that are all different are forgotten."""
    monkeypatch.setattr(tabulardata, "MOST_REMEMBERED", 3)
    text = "A,B\n" + "".join(f"n{row},{'yes' * 50}\n" for row in range(20))
    first, second = tabulardata.read_csv(text, "data.csv").columns

    assert [f"n{row}" for row in range(20)] == first
    assert 1 == len({id(label) for label in second})


def test_a_line_with_too_many_columns_is_refused(monkeypatch):
    """Before it is taken apart."""
    monkeypatch.setattr(tabulardata, "MOST_COLUMNS", 10)
    monkeypatch.setattr(tabulardata.csv, "reader", None)
    with pytest.raises(LimitError, match="12 columns; at most 10 are read"):
        tabulardata.read_csv("," * 11 + "\n1\n", "data.csv")


def test_a_column_of_numbers_is_no_variable_with_states(monkeypatch):
    """The error does not sort all of its labels, and says what to do."""
    monkeypatch.setattr(samples, "MOST_ANSWERS", 5)
    monkeypatch.setattr(samples, "find_missing_codes", None)
    with pytest.raises(InputError, match=r"has 6 different labels.* put its values into groups"):
        read_sample({"X1": range(6), "X2": [0] * 6}, PAIR)


@pytest.fixture
def arrow():
    """The library that writes Parquet files here."""
    pytest.importorskip("pyarrow.parquet")
    return pytest.importorskip("pyarrow")


def test_a_long_text_in_many_rows_is_read_once(arrow, tmp_path, monkeypatch):
    """A file may keep it once for all rows: written out, a small file would take terabytes."""
    monkeypatch.setattr(tabulardata, "MOST_LETTERS", 10)
    texts = arrow.DictionaryArray.from_arrays(arrow.array([0, 1] * 500), arrow.array(["x" * 10, "y" * 10]))
    for values, is_read in ((texts, True), (["x" * 11] * 1000, False)):
        file = tmp_path / "data.parquet"
        arrow.parquet.write_table(arrow.table({"X1": values, "X2": [0, 1] * 500}), file)
        if is_read:
            assert 1 == len({id(label) for label in tabulardata.read_columns(file).columns[0][::2]})
        else:
            with pytest.raises(LimitError, match="column X1, row 1: an entry has 11 letters; at most 10 are read"):
                tabulardata.read_columns(file)


def test_texts_that_are_large_when_unpacked_are_refused(arrow, tmp_path, monkeypatch):
    """Before they are unpacked."""
    monkeypatch.setattr(tabulardata, "MOST_UNPACKED", 1000)
    monkeypatch.setattr(tabulardata, "iterate_values", None)
    file = tmp_path / "data.parquet"
    table = arrow.table({"X1": [f"{row}{'x' * 100}" for row in range(100)]})
    arrow.parquet.write_table(table, file, compression="zstd", use_dictionary=False)
    with pytest.raises(LimitError, match="when it is unpacked"):
        tabulardata.read_columns(file)


def test_lists_are_refused_before_they_are_read(arrow, tmp_path, monkeypatch):
    """One row may hold any number of entries."""
    monkeypatch.setattr(tabulardata, "iterate_values", None)
    arrow.parquet.write_table(arrow.table({"X1": [[0] * 1000], "X2": [0]}), tmp_path / "data.parquet")
    with pytest.raises(InputError, match=r"column X1: entries of the kind list.* are no categories"):
        tabulardata.read_columns(tmp_path / "data.parquet")


@pytest.mark.parametrize(
    ("said", "words"),
    [(5, "the footer declares 5 rows, its 7 row groups 700"), (10**12, "1000000000000 entries; at most")],
)
def test_a_parquet_file_with_a_false_number_of_rows(arrow, tmp_path, said, words):
    """The number of rows stands in the last bytes, as Thrift writes it, beside those of the parts."""
    file = tmp_path / "data.parquet"
    arrow.parquet.write_table(arrow.table({"X1": [0, 1] * 350}), file, row_group_size=100)
    data = file.read_bytes()
    size = int.from_bytes(data[-8:-4], "little")
    body, footer = data[: -8 - size], data[-8 - size : -8]
    assert 1 == footer.count(varint(2 * 700))
    footer = footer.replace(varint(2 * 700), varint(2 * said))
    file.write_bytes(body + footer + len(footer).to_bytes(4, "little") + b"PAR1")

    with pytest.raises((InputError, LimitError), match=words):
        tabulardata.read_columns(file)


@pytest.mark.parametrize("kinds", [[0, 1], ["a", "b"]])
@pytest.mark.parametrize("rows", [50, 150])
def test_parquet_whose_parts_lie_about_their_rows(arrow, tmp_path, kinds, rows):
    """Also where the file's own number is made to fit: half of the rows would be lost in silence."""
    file = tmp_path / "data.parquet"
    arrow.parquet.write_table(arrow.table({"X1": kinds * 350}), file, row_group_size=100)
    data = file.read_bytes()
    size = int.from_bytes(data[-8:-4], "little")
    body, footer = data[: -8 - size], data[-8 - size : -8]
    group = b"\x16" + varint(2 * 100)
    # of each part the first number is that of a column's entries, the last one that of its rows
    pieces = footer.split(group)
    each = (len(pieces) - 1) // 7
    lying = b"".join(
        piece + (b"" if place == len(pieces) - 1 else b"\x16" + varint(2 * rows) if place % each == each - 1 else group)
        for place, piece in enumerate(pieces)
    ).replace(varint(2 * 700), varint(2 * 7 * rows))
    file.write_bytes(body + lying + len(lying).to_bytes(4, "little") + b"PAR1")
    about = arrow.parquet.ParquetFile(file).metadata
    assert (7 * rows, rows, 100) == (
        about.num_rows,
        about.row_group(6).num_rows,
        about.row_group(6).column(0).num_values,
    )

    with pytest.raises(InputError, match=f"row group 1 declares {rows} rows, and 100 entries in column 1"):
        tabulardata.read_columns(file)


@pytest.mark.parametrize("field", range(3))
def test_parquet_with_one_false_number_is_refused_or_read_as_it_is(arrow, tmp_path, field):
    """Whatever number of its end is another one: nothing is lost, and only errors of this program are raised."""
    file = tmp_path / "data.parquet"
    arrow.parquet.write_table(arrow.table({"X1": ["a", "b"] * 10, "X2": [0, 1] * 10}), file, row_group_size=10)
    known = [list(column) for column in tabulardata.read_columns(file).columns]
    data = file.read_bytes()
    size = int.from_bytes(data[-8:-4], "little")
    body, footer = data[: -8 - size], data[-8 - size : -8]
    places = [place for place in range(field, len(footer) - 40, 3) if footer[place] == 2 * 10]
    assert places
    outcomes = set()
    for place, lie in product(places, (0, 1, 9, 11, 3000, 2**40)):
        lying = footer[:place] + varint(2 * lie) + footer[place + 1 :]
        file.write_bytes(body + lying + len(lying).to_bytes(4, "little") + b"PAR1")
        try:
            outcomes.add([list(column) for column in tabulardata.read_columns(file).columns] == known)
        except (InputError, LimitError):
            outcomes.add("refused")

    assert outcomes <= {True, "refused"}
    assert "refused" in outcomes


def varint(number):
    """A whole number in groups of seven bits."""
    found = []
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])
