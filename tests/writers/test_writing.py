"""Models as texts of other programs: read back they are the same, and other systems find the same dimension."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys

import pytest
from amount import daily, first, in_turn, some
from gaussian_strategies import gaussians
from hypothesis import given, settings
from hypothesis import strategies as st
from real_lavaan import groups, lavaan_tables, needs_lavaan, numbers_of_lavaan
from strategies import networks
from sympy import Rational, Symbol, exp, log, simplify, sympify
from test_lavaandefaults import contents

import algdim
from algdim import InputError, LimitError, dimension, export, model
from algdim.cli import main
from algdim.families.discrete.locals.table import FREE
from algdim.families.gaussian.model import Gaussian
from algdim.writers import derive_quotients
from bench.opponents import macaulay2 as system

SMALL = [
    "2:2,2,2",
    "3:2,2,2",
    "2(2,2,2(2,2))",
    "H -> X1 -> X2; H -> X2; hidden H; fix P(X1=0|H=0)=1/3",
    "A -> B -> C; share t: B, C",
    "A -> C <- H -> D; hidden H; sigmoid C",
    "gaussian: F -> X1, X2, X3, X4; hidden F; means off",
    "gaussian: A -> B -> A; means off",
    "gaussian: F, G -> X1, X2, X3; hidden F, G; fix v(F)=1/2; equal l = b(F->X1), b(F->X2)",
    "classifier Y: Y -> A, B; A -> B",
    "loglinear: {A,H},{B,H}; hidden H",
    "max: {A},{B} -> E",
    "polynomial: parameters a, b, c; coordinates a*b, b*c, a*b^2*c",
    "A -> B; hidden B; fix P(A=0)=1/2, P(A=1)=1/2",
    "polynomial: parameters a; coordinates 3, a/(1 + a), 0",
    "gaussian: A -> B -> A; fix b(A->B)=-2/3; means off",
]


def answer_of(command, text, suffix, folder):
    """The dimension that a program prints."""
    file = folder / f"model{suffix}"
    file.write_text(text, encoding="utf-8")
    ended = subprocess.run(
        [*command, str(file)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
    )
    return int(ended.stdout.split("dimension ")[1].split()[0])


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("text", daily(SMALL, 1))
@pytest.mark.skipif(not system.installed(), reason=system.MISSING)
def test_macaulay2_finds_the_dimension(text, tmp_path):
    """Macaulay2 runs the program as it is written."""
    assert dimension(text).dimension == answer_of(["M2", "--script"], export(text, "macaulay2"), ".m2", tmp_path)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("text", daily(SMALL, 3))
@pytest.mark.skipif(shutil.which("Singular") is None, reason="Singular is not on the path (Debian: singular)")
def test_singular_finds_the_dimension(text, tmp_path):
    """Singular runs the program as it is written."""
    command = ["Singular", "-q", "--no-rc"]

    assert dimension(text).dimension == answer_of(command, export(text, "singular"), ".sing", tmp_path)


READ_BACK = {"mathematica": ("N0 = {", "}"), "maple": ("N0 := [", "]:"), "julia": ("N0 = [", "]\n")}
"""Between what the numerators stand in programs that are not run."""


def numerators_in(program, target):
    """The numerators as functions of a dictionary, read from the text."""
    start, end = READ_BACK[target]
    inner = (
        program.partition(start)[2].partition(end)[0] if target != "julia" else program.split(start)[1].split("\n]")[0]
    )
    plain = re.sub(r"x\[(\d+)\]", r"x\1", inner).replace("^", "**")
    assert "/" not in plain  # which is no exact number in Julia
    return [sympify(one) for one in plain.rstrip().removesuffix(",").split(",\n")]


@pytest.mark.parametrize("target", READ_BACK)
@pytest.mark.parametrize("text", daily(SMALL, 3))
def test_formulas_are_read_back(text, target):
    """Up to constants and denominators they are the coordinates: at two points the quotients are the same."""
    written = algdim.parametrization(text)
    found = numerators_in(export(text, target), target)
    quotients = derive_quotients(model(text))

    assert len(found) == len(written.coordinates)
    for seed in (1, 2):
        draw = random.Random(seed)
        values = [Rational(draw.randint(1, 99), 100) for _ in written.parameters]
        numbered = {Symbol(f"x{number}"): value for number, value in enumerate(values, 1)}
        named = dict(zip(written.symbols, values, strict=True))
        for own, below, expression in zip(found, quotients.denominators, written.expressions, strict=True):
            true = exp(expression) if expression.has(log) else expression
            assert simplify(own.subs(numbered) / below.subs(numbered) - true.subs(named)) == 0


@in_turn(3)
@pytest.mark.parametrize("text", first(SMALL[::3], 1))
def test_sympy_finds_the_dimension(text, tmp_path):
    """Python with sympy runs the program as it is written."""
    assert dimension(text).dimension == answer_of([sys.executable], export(text, "sympy"), ".py", tmp_path)


def without_zeros(gaussian):
    """What a Gaussian model says without the edges that are fixed to 0, and without names that one number has alone."""
    variables, values, names = contents(gaussian)
    values = {key: value for key, value in values.items() if key[0] in "vm" or value != 0}
    several = list(names.values())
    return variables, values, {key: name for key, name in names.items() if several.count(name) > 1}


@settings(max_examples=some(60))
@given(gaussians())
def test_lavaan_is_read_back(gaussian):
    """Every Gaussian model, with cycles, latent variables without children, fixed and equal numbers."""
    text = export(gaussian, "lavaan")

    assert without_zeros(gaussian) == without_zeros(model(text, format="lavaan"))
    assert without_zeros(gaussian) == without_zeros(model(text, format="lavaan:cfa"))
    assert without_zeros(gaussian) == without_zeros(model(text, format="lavaan:std.lv"))


@pytest.mark.slow
def test_lavaan_itself_reads_it():
    """What is written for lavaan means the same to the real one, with and without defaults."""
    needs_lavaan()
    chosen = []

    @settings(max_examples=some(100), database=None, derandomize=True)
    @given(gaussians())
    def choose(gaussian):
        chosen.append(gaussian)

    choose()
    for options in ("sem", "lavaan"):
        cases = [(export(gaussian, "lavaan"), options) for gaussian in chosen]
        for gaussian, rows in zip(chosen, lavaan_tables(cases), strict=True):
            _, values, names = without_zeros(gaussian)

            assert (values, groups(names)) == numbers_of_lavaan(rows)


@settings(max_examples=some(60))
@given(gaussians(special=False))
def test_graphs_of_gaussian_models_are_read_back(gaussian):
    """Without means, which dagitty has not; variables and edges in their order."""
    bare = Gaussian(gaussian.variables, gaussian.edges, gaussian.bidirected, means=False)

    assert bare == model(export(bare, "dagitty"), format="dagitty:gaussian")


@settings(max_examples=some(40))
@given(networks(), st.sampled_from(("bif", "dagitty")))
def test_networks_are_read_back(network, target):
    """As JSON always; as BIF and for dagitty where nothing is special, else they are refused by name."""
    assert network == model(export(network, "json"), format="json")
    if network.given or any(variable.local != FREE for variable in network.variables):
        with pytest.raises(InputError, match="cannot say that"):
            export(network, target)
    else:
        assert network == model(export(network, target), format=target)


@settings(max_examples=some(40))
@given(networks(special=False))
def test_free_networks_are_read_back(network):
    """Free tables go through BIF and dagitty."""
    for target in ("bif", "dagitty"):
        assert network == model(export(network, target), format=target)


@in_turn(2)
@settings(max_examples=some(30))
@given(gaussians())
def test_gaussian_models_as_json(gaussian):
    """The model file of a Gaussian model."""
    assert gaussian == model(export(gaussian, "json"), format="json")


@pytest.mark.parametrize(
    ("text", "to", "message"),
    [
        (
            "A -> B",
            "mplus",
            "cannot export to 'mplus'; supported are macaulay2, singular, mathematica, maple, julia, sympy, lavaan, dagitty, bif",
        ),
        ("A -> B", "lavaan", "lavaan has models of the family gaussian only"),
        ("gaussian: _x -> y", "lavaan", "the variable _x: R has no such name; rename it"),
        ("gaussian: x -> y, z; equal NA = v(y), v(z)", "lavaan", "the label NA of equal numbers: R has no such name"),
        ("gaussian: x -> y, z; equal _l = v(y), v(z)", "lavaan", "the label _l of equal numbers: R has no such name"),
        ("gaussian: x -> y", "dagitty", "dagitty cannot say that there are means"),
        ("gaussian: x -> y; fix v(x)=1; means off", "dagitty", "dagitty cannot say that numbers are fixed"),
        ("A -> B; given A", "bif", "BIF cannot say that A is conditioned on"),
        ("A, B -> C; share t: A, B", "dagitty", "dagitty cannot say that A has no free table"),
        ("gaussian: x -> y", "bif", "BIF has models of the family discrete only"),
        ("loglinear: {A}", "dagitty", "dagitty has graphs only"),
        ("gaussian: x; fix v(x)=1; means off", "macaulay2", "the model has no parameters"),
    ],
)
def test_what_cannot_be_said_is_refused(text, to, message):
    """Nothing is left out in silence."""
    with pytest.raises(InputError) as caught:
        export(text, to)

    assert message in str(caught.value)


def test_large_models_are_refused_before_they_are_written():
    """Tables and coordinates are counted first."""
    with pytest.raises(LimitError, match="are written"):
        export(algdim.model(", ".join(f"X{n}" for n in range(25)) + " -> Y"), "bif")
    with pytest.raises(LimitError):
        export("2:2^40", "macaulay2")


def test_the_command(capsys, tmp_path):
    """The text stands on standard output, alone or in JSON; a file of one program becomes one of another."""
    file = tmp_path / "m.lav"
    file.write_text("f =~ x1 + x2", encoding="utf-8")

    assert 0 == main(["export", str(file), "--to", "json"])
    assert '"b(f->x1)": "1"' in capsys.readouterr().out
    assert 0 == main(["export", "A -> B", "--to", "dagitty", "--json"])
    assert '"format": "dagitty"' in capsys.readouterr().out
    assert 2 == main(["export", "A -> B", "--to", "nothing"])
