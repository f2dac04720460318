"""Parameter files."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import networks

import algdim
from algdim import InputError
from algdim.families.discrete.locals.table import Table
from algdim.readers.parameters import read_parameters

LATENT = algdim.model("2:2,3")
GOOD = {"H": [["1/3", "2/3"]], "X1": [["1/2", "1/2"], [1, 0]], "X2": [["1/7", "2/7", "4/7"], [0.2, 0.3, 0.5]]}
SHARED = algdim.model("H -> X, Y; hidden H; share x: X, Y")
SPECIAL = algdim.model("H -> X, Y; hidden H; states X=3; fix P(X=0|H=1)=1/3; equal a = P(X=1|H=0), P(Y=1|H=0)")


def special(x=(("1/4", "1/2", "1/4"), ("1/3", "1/3", "1/3")), y=(("1/2", "1/2"), ("1/5", "4/5"))):
    return {"H": [["1/2", "1/2"]], "X": list(x), "Y": list(y)}


@st.composite
def models_with_tables(draw):
    """A model and tables that fit it: fixed entries, entries named a, b, c, and a rest that is shared evenly."""
    model = draw(networks(max_table=60, deterministic=True))
    names = {label: Fraction(draw(st.integers(0, 6)), 100) for label in "abc"}
    tables = {}
    for variable in model.variables:
        if variable.name in model.given or not isinstance(variable.local, Table):
            continue
        rows = []
        for row in product(*(range(model.states[parent]) for parent in variable.parents)):
            entries = {state: value for (at, state), value in variable.local.fixed if at == row}
            entries |= {state: names[label] for (at, state), label in variable.local.equal if at == row}
            rest = variable.states - len(entries)
            left = 1 - sum(entries.values(), Fraction(0))
            rows.append(
                tuple(entries.get(state, left / rest if rest else Fraction(0)) for state in range(variable.states))
            )
        tables[variable.local.share or variable.name] = tuple(rows)
    return model, tables


@given(models_with_tables())
def test_tables_that_fit_are_read_as_they_are(case):
    """Exact tables come back unchanged, also as text."""
    model, tables = case

    assert tables == read_parameters(dict(tables), model)
    assert tables == read_parameters(
        {key: [[str(value) for value in row] for row in rows] for key, rows in tables.items()}, model
    )


@given(models_with_tables())
def test_rounded_tables_become_exact(case):
    """Tables in floating point are completed to exact ones near by, with rows that sum to 1 and entries in [0, 1]."""
    model, tables = case
    read = read_parameters(
        {key: [[float(value) for value in row] for row in rows] for key, rows in tables.items()}, model
    )

    assert set(tables) == set(read)
    for key, rows in read.items():
        for row, expected in zip(rows, tables[key], strict=True):
            assert 1 == sum(row)
            assert all(
                0 <= value <= 1 and abs(value - near) < Fraction(1, 10**9)
                for value, near in zip(row, expected, strict=True)
            )


def test_forms_of_values():
    """Strings, whole numbers and decimal numbers are read exactly."""
    read = read_parameters(GOOD, LATENT)

    assert ((Fraction(1, 3), Fraction(2, 3)),) == read["H"]
    assert ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(0))) == read["X1"]
    assert (Fraction(1, 5), Fraction(3, 10), Fraction(1, 2)) == read["X2"][1]


def test_files(tmp_path):
    """JSON and TOML files are read without rounding, and errors begin with the path."""
    path = tmp_path / "p.json"
    path.write_text('{"A": [[0.1, 0.9]]}', encoding="utf-8")
    toml = tmp_path / "p.toml"
    toml.write_text("A = [[0.1, 0.9]]", encoding="utf-8")
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({"A": [[0.1, 0.8]]}), encoding="utf-8")
    model = algdim.model("states A=2")

    assert (
        {"A": ((Fraction(1, 10), Fraction(9, 10)),)}
        == read_parameters(path, model)
        == read_parameters(str(toml), model)
    )
    with pytest.raises(InputError) as caught:
        read_parameters(bad, model)
    assert str(caught.value).startswith(f"{bad}: A row 1 sums to 9/10")


def test_shared_tables_stand_once():
    """A shared table stands under the name of its share."""
    tables = {"H": [["1/2", "1/2"]], "x": [["1/3", "2/3"], ["1/4", "3/4"]]}

    assert {"H", "x"} == set(read_parameters(tables, SHARED))
    with pytest.raises(InputError, match="X: this variable shares its table; give it once, under the name x"):
        read_parameters({**tables, "X": tables["x"]}, SHARED)


def test_given_variables_have_no_table():
    """What is conditioned on has no table."""
    model = algdim.model("A -> B; given A")

    assert {"B"} == set(read_parameters({"B": [[1, 0], [0, 1]]}, model))
    with pytest.raises(InputError, match="A: this variable is conditioned on and has no table"):
        read_parameters({"A": [[1, 0]], "B": [[1, 0], [0, 1]]}, model)


def test_functions_of_the_parents_have_no_table():
    """A variable that is a function of its parents has no table."""
    model = algdim.model("A -> B; max B")

    assert {"A"} == set(read_parameters({"A": [[1, 0]]}, model))
    with pytest.raises(InputError, match=r"B: this variable is a function of its parents \(max\) and has no table"):
        read_parameters({"A": [[1, 0]], "B": [[1, 0], [0, 1]]}, model)


def test_the_first_parent_is_the_slowest():
    """Rows are told by their parents' states, the first parent slowest."""
    with pytest.raises(InputError, match=r"C row 4 \(A=1, B=0\) sums to 2"):
        read_parameters(
            {"A": [[1, 0]], "B": [[1, 0, 0]], "C": [*[[1, 0]] * 3, [1, 1], *[[1, 0]] * 2]},
            algdim.model("A, B -> C; states B=3"),
        )


def test_the_last_entry_takes_the_rest():
    """In a row of decimal numbers the last entry becomes 1 minus the others; the largest does if the last would be negative."""
    model = algdim.model("states A=3")
    third = Decimal("0.3333333333")

    assert (Fraction(third), Fraction(third), 1 - 2 * Fraction(third)) == read_parameters(
        {"A": [[third, third, third]]}, model
    )["A"][0]
    assert (Fraction(3, 10), Fraction(7, 10), Fraction(0)) == read_parameters({"A": [[0.3, 0.7000000001, 0.0]]}, model)[
        "A"
    ][0]


def test_special_entries_become_exact():
    """Fixed entries and equally named ones take their exact values in rows of decimal numbers."""
    x = [(0.25, 0.5, 0.25), (0.333333333333, 0.333333333333, 0.333333333334)]
    read = read_parameters(special(x, [(0.4999999999, 0.5000000001), (0.2, 0.8)]), SPECIAL)

    assert Fraction(1, 3) == read["X"][1][0]
    assert (Fraction(1, 2), Fraction(1, 2)) == read["Y"][0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"Z": []}, "Z: there is no such table; expected are H, X1, X2"),
        ({"H": None}, "H: None is not a table; a list of rows is expected"),
        ({"H": [["1/3", "2/3"]] * 2}, "H has 2 rows; 1 is expected"),
        ({"X1": [["1/3", "2/3"]]}, "X1 has 1 row; 2 are expected (H 2, the first slowest)"),
        ({"X1": [["1/3", "2/3"], "a"]}, "X1 row 2 (H=1): 'a' is not a row; a list of 2 values is expected"),
        ({"X1": [["1/3", "2/3"], ["1/3"]]}, "X1 row 2 (H=1) has 1 value; 2 are expected"),
        ({"X1": [["1/3", "2/3"], ["1/3", "1/3"]]}, "X1 row 2 (H=1) sums to 2/3; a row sums to 1 exactly"),
        ({"X1": [[0.3, 0.6], [1, 0]]}, "X1 row 1 (H=0) sums to 9/10; a row sums to 1 within 1e-9"),
        ({"X1": [["1/3", "0.6666666667"], [1, 0]]}, "a row sums to 1 exactly"),
        ({"X1": [["4/3", "0"], [1, 0]]}, "X1 row 1 (H=0) entry 1 is '4/3'; a probability between 0 and 1"),
        ({"X1": [[1.5, -0.5], [1, 0]]}, "X1 row 1 (H=0) entry 1 is 1.5; a probability between 0 and 1"),
        ({"X1": [[2, -1], [1, 0]]}, "X1 row 1 (H=0) entry 1 is 2; a probability"),
        ({"X1": [["a", "b"], [1, 0]]}, "X1 row 1 (H=0) entry 1: 'a' is not a value"),
        ({"X1": [[True, False], [1, 0]]}, "X1 row 1 (H=0) entry 1: True is not a value"),
        ({"X1": [[float("nan"), 1.0], [1, 0]]}, "X1 row 1 (H=0) entry 1: nan is not a value"),
    ],
)
def test_bad_tables_are_refused(change, message):
    """Each wrong table is refused with its place."""
    with pytest.raises(InputError) as caught:
        read_parameters({**GOOD, **change}, LATENT)

    assert message in str(caught.value)


def test_missing_tables_are_refused():
    """All tables must be there."""
    with pytest.raises(InputError, match="tables are missing: X1, X2"):
        read_parameters({"H": GOOD["H"]}, LATENT)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            special(x=[("1/4", "1/2", "1/4"), ("1/4", "1/2", "1/4")]),
            r"X row 2 \(H=1\) entry 1 is 1/4; P\(X=0\|H=1\) is fixed to 1/3",
        ),
        (
            special(x=[("1/4", "1/2", "1/4"), (0.3333, 0.3333, 0.3334)]),
            r"X row 2 \(H=1\) entry 1 is 3333/10000; .* is fixed to 1/3",
        ),
        (
            special(y=[("1/3", "2/3"), (0, 1)]),
            r"Y row 1 \(H=0\) entry 2 is 2/3 and X row 1 \(H=0\) entry 2 is 1/2; both are named a",
        ),
    ],
)
def test_special_entries_must_fit(data, message):
    """Fixed entries have their value and equally named ones agree."""
    with pytest.raises(InputError, match=message):
        read_parameters(data, SPECIAL)


@pytest.mark.parametrize("source", [None, 3, []])
def test_other_sources_are_refused(source):
    """Parameters come from a path or a dictionary."""
    with pytest.raises(InputError, match="a path or a dictionary is expected"):
        read_parameters(source, LATENT)
