"""Texts of Macaulay2, Singular, Mathematica, Maple and Julia: what is written is read back, and what people write is read."""

import contextlib

import pytest
from amount import daily, some
from deadlines import ended_after
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Symbol, simplify

import algdim
from algdim import InputError, LimitError
from algdim.errors import AlgdimError
from algdim.readers.formats import find_format

SYSTEMS = ("macaulay2", "singular", "mathematica", "maple", "julia")
MODELS = (
    "2:2,2",
    "3:2,3",
    "polynomial: parameters a, b, c; coordinates a*b, b^2/c, 1, (a - b)^3/2",
    "gaussian: H -> X1, X2, X3; hidden H",
    "classifier Y: X1 -> Y; Y -> X2",
    "A -> C <- H -> D <- B; hidden H",
)


def quotients(model):
    """The coordinates of a map as sympy expressions in x1, x2, …"""
    found = algdim.parametrization(model)
    names = {symbol: Symbol(f"x{number}") for number, symbol in enumerate(found.symbols, 1)}
    return [expression.xreplace(names) for expression in found.expressions]


@pytest.mark.parametrize("system", daily(SYSTEMS, 2))
@pytest.mark.parametrize("model", [MODELS[0], MODELS[2], MODELS[3]])
def test_what_is_written_is_read_back(model, system):
    """The same parameters in number, the same coordinates, and the same dimension."""
    back = algdim.model(algdim.export(model, system), format=system)
    pairs = zip(quotients(model), quotients(back), strict=True)

    assert all(simplify(one - other) == 0 for one, other in pairs)
    assert algdim.dimension(model).dimension == algdim.dimension(back).dimension
    assert algdim.dimension(model).standard == algdim.dimension(back).standard


@pytest.mark.parametrize("system", daily(SYSTEMS, 1))
def test_dimensions_of_other_models_stay(system):
    """Log-odds are written as odds, so a classifier comes back with the odds for coordinates."""
    for model in (MODELS[1], MODELS[4], MODELS[5]):
        back = algdim.model(algdim.export(model, system), format=system)

        assert algdim.dimension(model).dimension == algdim.dimension(back).dimension


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_written_is_recognised(system, tmp_path):
    """By what stands in it, and by the suffix of a file."""
    text = algdim.export("2:2,2", system)
    suffix = {"macaulay2": ".m2", "singular": ".sing", "mathematica": ".wl", "maple": ".mpl", "julia": ".jl"}[system]
    (tmp_path / f"map{suffix}").write_text(text, encoding="utf-8")
    (tmp_path / "map.txt").write_text(text, encoding="utf-8")

    assert system == find_format(text)
    if system == "mathematica":  # the suffix of packages
        (tmp_path / "map.m").write_text(text, encoding="utf-8")
        assert algdim.model(tmp_path / "map.m") == algdim.model(tmp_path / "map.txt")
    assert algdim.model(tmp_path / f"map{suffix}") == algdim.model(tmp_path / "map.txt")


BY_HAND = [
    ("macaulay2", "R = QQ[s,t];\nf = matrix{{s^3, s^2*t, s*t^2, t^3}} -- a cubic", 2),
    ("macaulay2", "S = ZZ/32003[a..c]; I = ideal(a*b, b*c, a/c)", 2),
    ("macaulay2", "-* two\nlines *- R = QQ[y_1..y_2]; I = ideal(y_(1)*y_2, y_1)", 2),
    ("singular", "ring r = 0,(x,y,z),dp; // three\nideal i = x*y, y*z; /* end */", 2),
    ("mathematica", "f = {a*b, (a*b)^2 + 1} (* one *)", 1),
    ("maple", "g := [u*v, u/v]: # two", 2),
    ("julia", "@polyvar p q r\nF = [p*q, q*r, p^2*q,]", 3),
    ("julia", "#= no =# @var x[1:3] y\nF = [x[1]*y, x[2]*y, 1//2*x[1]]", 3),
]


@pytest.mark.parametrize(("system", "text", "dimension"), BY_HAND)
def test_what_people_write(system, text, dimension):
    """Names of one's own, ranges, comments, a matrix with one row; the dimension by hand."""
    assert dimension == algdim.dimension(text, format=system).dimension


def test_declared_variables_are_parameters():
    """Also those that no formula has: they are redundant."""
    found = algdim.dimension("R = QQ[x_1..x_4]; N = {x_1*x_2}", format="macaulay2")

    assert (1, 4) == (found.dimension, found.standard)


REFUSED = [
    ("julia", "@var a b\nF = [a*b]\nG = [a, b]", "there are the lists F, G; say which with --format julia:list=G"),
    ("maple", "f := sin(x):", "there is no list of formulas"),
    ("maple", "f := [sin(x), x]:", "there is no list of formulas"),
    ("macaulay2", "R = QQ[a,b]; N = {a*b, b*c}", "c is not among the variables that the text declares"),
    ("macaulay2", "R = QQ[a,b]; N = {a*b", "is not closed"),
    ("maple", "f := [x1*x[1]]:", "x1 and x\\[1\\] would both be x1"),
    ("singular", "ring r = 0,(x,y),dp; ideal N = x, y; ideal D = x;", "N has 2 formulas and its denominators are 1"),
    ("mathematica", "f = {a b, a}", "coordinates"),
    ("macaulay2", f"R = QQ[a]; N = {{a*k_{'9' * 5000}}}", "too long for the number of a variable"),
]


@pytest.mark.parametrize(("system", "text", "message"), REFUSED)
def test_what_is_not_read(system, text, message):
    """With what is wrong, and what to do."""
    with pytest.raises(InputError, match=message):
        algdim.model(text, format=system)


def test_one_of_several_lists():
    """By its name."""
    text = "@var a b\nF = [a*b]\nG = [a, b]"

    assert [1, 2] == [algdim.dimension(text, format=f"julia:list={name}").dimension for name in "FG"]
    with pytest.raises(InputError, match="no list of formulas 'H'"):
        algdim.model(text, format="julia:list=H")


def test_ranges_are_bounded():
    """A declaration of many variables is refused before they are made."""
    with pytest.raises(LimitError, match="at most 100000"):
        algdim.model("R = QQ[x_1..x_999999999]; N = {x_1}", format="macaulay2")


@given(st.sampled_from(SYSTEMS), st.text("xabN01_=:,;{}[]()+*^/.#- \n", max_size=60))
@settings(max_examples=some(40), deadline=None)
def test_any_text_is_read_or_refused(system, text):
    """Nothing else happens, and nothing is evaluated."""
    with contextlib.suppress(AlgdimError):
        assert algdim.model(text, format=system).coordinates


LONG = {
    "comments that do not end": ("mathematica", "(*" * 300_000),
    "a long name": ("maple", "a" * 600_000),
    "lists in lists": ("maple", "a:=[" * 100_000 + "]" * 100_000),
    "brackets that do not end": ("julia", "a=[" * 200_000),
    "rings without end": ("macaulay2", "QQ[" * 200_000),
    "rings in one line": ("singular", "ring a = 0,(" * 50_000),
    "a long declaration": ("julia", "@var " + "a b " * 150_000),
    "a long range": ("macaulay2", "R = QQ[" + "x1" * 200_000 + "..x_3]; N = {x_1}"),
    "empty lines": ("singular", "\n" * 600_000),
    "names and spaces": ("julia", "a " * 300_000),
}


@pytest.mark.parametrize("name", LONG)
def test_long_texts_take_no_long_time(name):
    """What would take hours if every place were read to the end; with fewer signs than are allowed."""
    system, text = LONG[name]
    with ended_after(20), pytest.raises(AlgdimError):
        algdim.model(text, format=system)


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("R = QQ[a,b]; S = QQ[x_0..x_2]; f = map(R, S, {a^2, a*b, b^2})", "parameters a, b; coordinates a^2, a*b, b^2"),
        ("S = QQ[x]\nR = QQ[a,b,c]\nf = map(R,S,{a*b})", "parameters a, b, c; coordinates a*b"),
        ("R = QQ[a..d]; M = matrix {{a*b, c}, {b, c*d}}", "parameters a, b, c, d; coordinates a*b, c, b, c*d"),
        ("R = QQ[a,b]; M = matrix{{a, b}}", "parameters a, b; coordinates a, b"),
        # which of the two rings is said by nothing that is read: the variables of both
        ("R = QQ[a,b]; S = QQ[a,b,c]; f = {a*b}", "parameters a, b, c; coordinates a*b"),
    ],
)
def test_ring_homomorphisms_and_matrices(text, notation):
    """The parameters are the variables of the ring of the formulas; matrices are read row by row."""
    assert f"polynomial: {notation}" == str(algdim.model(text, format="macaulay2"))
