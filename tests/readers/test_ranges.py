"""Ranges of names: ``X1..X4`` wherever a list of names stands, and what only looks like one is refused."""

from __future__ import annotations

import json

import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim import InputError, model
from algdim.cli import main
from algdim.models.anymodel import read_model_dictionary
from algdim.models.notation import to_text
from algdim.models.ranges import describe_meant_range, expand_range
from algdim.readers.identifiers import make_notation_names

SAME = [
    ("H -> X1..X4; hidden H", "H -> X1, X2, X3, X4; hidden H"),
    ("X1..X3 <- H; hidden H", "X1, X2, X3 <- H; hidden H"),
    ("H -> X01..X12; hidden H", f"H -> {', '.join(f'X{n:02}' for n in range(1, 13))}; hidden H"),
    ("H -> X8..X11; hidden H", "H -> X8, X9, X10, X11; hidden H"),
    ("H -> X09..X11; hidden H", "H -> X09, X10, X11; hidden H"),
    ("H -> A, X0..X1, B; hidden H", "H -> A, X0, X1, B; hidden H"),
    ("H -> X7..X7, Y; hidden H", "H -> X7, Y; hidden H"),
    ("H1..H2 -> X1..X4; hidden H1..H2", "H1, H2 -> X1, X2, X3, X4; hidden H1, H2"),
    ("H -> X1..X3; hidden H; states H=3, X1..X3=4", "H -> X1, X2, X3; hidden H; states H=3, X1=4, X2=4, X3=4"),
    ("H -> X1..X3; hidden H; share S: X1..X3", "H -> X1, X2, X3; hidden H; share S: X1, X2, X3"),
    ("A1..A2 -> B; given A1..A2", "A1, A2 -> B; given A1, A2"),
    ("A, B -> C1..C2; max C1..C2", "A, B -> C1, C2; max C1, C2"),
    ("noisy-or: {C1..C2},{C3} -> E", "noisy-or: {C1,C2},{C3} -> E"),
    ("poisson: {C1..C3} -> E", "poisson: {C1,C2,C3} -> E"),
    ("sigmoid: C1..C3 -> E", "sigmoid: C1, C2, C3 -> E"),
    ("gaussian: F -> X1..X3; hidden F; X1..X2 <-> X3", "gaussian: F -> X1, X2, X3; hidden F; X1, X2 <-> X3"),
    ("gaussian: X1..X3", "gaussian: X1, X2, X3"),
    ("latent-profile: H -> X1..X3; hidden H", "latent-profile: H -> X1, X2, X3; hidden H"),
    ("loglinear: {V1..V3,H}, {V1..V2}; hidden H", "loglinear: {V1,V2,V3,H}, {V1,V2}; hidden H"),
    ("classifier Y: Y -> X1..X3", "classifier Y: Y -> X1, X2, X3"),
    ("Y -> A; A -> X; classifier X {X <- A; states A=2}", "Y -> A; A -> X; classifier X {X <- A; states A=2}"),
    (
        "polynomial: parameters a1..a3; coordinates a1*a2, a3",
        "polynomial: parameters a1, a2, a3; coordinates a1*a2, a3",
    ),
]


@pytest.mark.parametrize(("short", "long"), SAME)
def test_a_range_is_its_names_in_every_family(short, long):
    """A range is read as the list of its names, and printed as that list."""
    assert algdim.model(short) == algdim.model(long)
    assert ".." not in to_text(algdim.model(short))


REFUSED = [
    ("H -> X1-X4", "'X1..X4'"),
    ("H -> X1 - X4; hidden H", "'X1..X4'"),
    ("H -> X1-4", "'X1..X4'"),
    ("H -> X1:X4; hidden H", "'X1..X4'"),
    ("H -> X1–X4", "'X1..X4'"),
    ("H -> X1…X4", "'X1..X4'"),
    ("H -> X1...X4", "write X1..X4"),
    ("H -> X1..4", "write X1..X4"),
    ("H -> X1..Xn", "write X1..X4"),
    ("H -> X1, X2...", "no range of names"),
    ("H -> X1, ..., X4", "'X1..X4'"),
    ("H -> X1 .. X4", "without spaces"),
    ("H -> X1..Y4", "write X1..X4"),
    ("H -> X1..X2..X3", "no range of names"),
    ("H -> A..D", "one by one, as A, B, C"),
    ("H -> X4..X1; hidden H", "write X1..X4"),
    ("H -> X1..X012", "write X01..X12 or X1..X12"),
    ("H -> X01..X012", "write X01..X12 or X1..X12"),
    ("H -> X1..X999999", "at most 100000"),
    ("H -> X1..X99999999999999999999999", "9 digits"),
    (f"H -> {','.join(f'X{n}0000..X{n}9999' for n in range(1, 12))}", "at most 100000"),
    ("H -> X; hidden H1-H3", "'H1..H3'"),
    ("gaussian: F -> X1:X6", "'X1..X6'"),
    ("gaussian: F -> X1..X6; fix v(X1..X6)=1", "not a range of 6 names"),
    ("gaussian: F -> X1..X3; equal l = b(F->X1..X3)", "not a range of 3 names"),
    ("loglinear: {A1-A3}", "'A1..A3'"),
    ("polynomial: parameters a1-a3; coordinates a1", "'a1..a3'"),
    ("polynomial: parameters a1..a3; coordinates a1..a3", "no parameter a1..a3"),
    ("H -> X; share S1..S2: X", "not a range of 2 names"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED, ids=[text[:40] for text, _ in REFUSED])
def test_what_only_looks_like_a_range_is_refused_with_the_right_form(text, said):
    """Other signs, other ends and endless ranges are errors that say what to write."""
    with pytest.raises(InputError) as caught:
        algdim.model(text)
    assert said in str(caught.value)


@settings(max_examples=some(100), deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 30), st.sampled_from(["X", "item_", "E.", "a1b"]), st.integers(1, 8))
def test_a_range_counts_from_its_first_name_to_its_last(begin, more, stem, width):
    """The names are those that Python's own counting and filling with zeros gives."""
    names = [stem + str(number).zfill(width) for number in range(begin, begin + more + 1)]
    even = (
        len({len(name) for name in names}) == 1
        or width == 1
        or begin >= 10 ** (width - 1)
        or names[0][len(stem)] == "0"
    )
    assert even
    assert expand_range(f"{names[0]}..{names[-1]}") == names


@pytest.mark.parametrize(
    "name", ["Height..cm.", "Item..1.", "Item..1", "Q1..how.often.", "X1..X2.", "X1..cm.3", "a.b", "E.1", "X1."]
)
def test_names_as_r_makes_them_stay_names(name):
    """What R makes of heads such as "Height (cm)" was a name, and is one."""
    assert expand_range(name) == [name]
    assert f"H -> {name}, B; hidden H" in to_text(algdim.model(f"H -> {name}, B; hidden H; states H=3"))


def test_names_of_data_are_no_ranges():
    """A column or a node that has a range for a name gets another one, or is refused."""
    assert make_notation_names(["X1..X4", "X1"]) == {"X1..X4": "X1__X4", "X1": "X1"}
    import networkx as nx

    with pytest.raises(InputError, match="range"):
        model(nx.DiGraph([("H", "X1..X4")]))


def test_ranges_stand_in_model_files():
    """In every list of names of a model file, bounded."""
    file = {
        "variables": [{"name": "H", "observed": False, "states": 3}, {"name": "X1..X3", "states": 3}],
        "edges": [["H", "X1..X3"]],
        "local": {"X1..X3": {"type": "table", "share": "S"}},
    }
    assert read_model_dictionary(file) == algdim.model("H -> X1..X3; hidden H; states H=3, X1..X3=3; share S: X1..X3")
    factors = {
        "family": "gaussian",
        "variables": [{"name": "F", "observed": False}, {"name": "X1..X4"}],
        "edges": [["F", "X1..X4"]],
        "bidirected": [["X1", "X2..X3"]],
    }
    assert read_model_dictionary(factors) == algdim.model("gaussian: F -> X1..X4; hidden F; X1 <-> X2..X3")
    additive = {
        "family": "poisson",
        "variables": [{"name": "C1..C3"}],
        "edges": [],
        "effect": "E",
        "mechanisms": [["C1..C2"], ["C3"]],
    }
    assert read_model_dictionary(additive) == algdim.model("poisson: {C1..C2},{C3} -> E")
    loglinear = {
        "family": "loglinear",
        "variables": [{"name": "A1..A3"}],
        "interactions": [["A1..A2"], ["A3"]],
    }
    assert read_model_dictionary(loglinear) == algdim.model("loglinear: {A1..A2}, {A3}")
    polynomial = {"family": "polynomial", "parameters": ["a1..a3"], "coordinates": ["a1*a2*a3"]}
    assert read_model_dictionary(polynomial) == algdim.model("polynomial: parameters a1..a3; coordinates a1*a2*a3")


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ({"variables": [{"name": "X1...X4"}]}, "variables: 'X1...X4'"),
        ({"variables": [{"name": "X4..X1"}]}, "write X1..X4"),
        ({"variables": [{"name": "A"}], "edges": [["X1..X9999", "Y1..Y9999"]]}, "1000000"),
        ({"variables": [{"name": "X1..X60000"}, {"name": "X1..X60000"}]}, "at most 100000 are allowed"),
    ],
)
def test_ranges_of_model_files_that_are_refused(file, said):
    """With the list in which they stand, before anything large is built."""
    with pytest.raises(InputError) as caught:
        read_model_dictionary(file)
    assert said in str(caught.value)


def test_ranges_of_options(tmp_path, capsys):
    """The options --hidden, --items and --without take ranges; a column of that very name is meant first."""
    assert main(["dim", "A -> H1..H2; H1 -> B; H2 -> C", "--hidden", "H1..H2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["model"] == to_text(
        algdim.model("A -> H1, H2; H1 -> B; H2 -> C; hidden H1, H2")
    )
    assert algdim.dimension("H1..H2 -> A, B; hidden H1..H2").dimension == 3
    assert model("H1..H2 -> A, B", hidden=["H1..H2"]) == algdim.model("H1..H2 -> A, B; hidden H1..H2")
    with pytest.raises(InputError, match=r"'H1\.\.H2'"):
        model("H1..H2 -> A, B", hidden=["H1-H2"])
    data = tmp_path / "data.csv"
    data.write_text("id,X1,X2,X3,count\nq,0,0,1,5\nr,1,1,0,4\ns,0,1,1,3\n", encoding="utf-8")
    assert main(["fit", str(data), "2:2^3", "--items", "X1..X3", "--starts", "1", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["data"]["states"]) == ["X1", "X2", "X3"]
    assert main(["fit", str(data), "2:2^3", "--items", "X1-X3"]) == 2
    assert "'X1..X3'" in capsys.readouterr().err
    data.write_text("X1..X3,X1,X2,X3\n0,0,0,1\n1,1,1,0\n0,0,1,1\n", encoding="utf-8")
    assert main(["fit", str(data), "2:2^3", "--without", "X1..X3", "--starts", "1", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["data"]["states"]) == ["X1", "X2", "X3"]


def test_a_sign_between_numbered_names_may_mean_a_range():
    """Other names with a hyphen mean none."""
    assert describe_meant_range("X1-X4") == describe_meant_range("X1:4") == "a range of names is written 'X1..X4'"
    assert (
        describe_meant_range("at-least")
        == describe_meant_range("2-3")
        == describe_meant_range("X1-Y2")
        == describe_meant_range("X1")
        == ""
    )


@pytest.mark.parametrize("text", ["X1..X1.3", "X1..X3.5", "Item1..Item4.b"])
def test_a_second_point_is_no_part_of_a_name_beside_a_range(text):
    """It was one variable of that name, in silence."""
    with pytest.raises(InputError, match="is no range of names; write "):
        expand_range(text)
    with pytest.raises(InputError, match="is no range of names; write "):
        algdim.model(f"H -> {text}; hidden H")
