"""What a parameter or a coordinate is stands in its record; its text is made from that, and nothing reads it back."""

from __future__ import annotations

import ast
import json
import os
import random
import re
import subprocess
import sys

import families
import pytest
from amount import drawn, in_turn
from packages import ROOT, modules
from sources import tree_of

import algdim
from algdim.families.discrete.locals.table import format_cell
from algdim.families.gaussian.model import format_entry
from algdim.maps import Parameter, map_of

DRAWS = 25


def network_of(model):
    """The discrete network that a model is or has, if any."""
    return getattr(model, "network", model)


def names_of(model):
    """The variables, or the names that stand for parameters themselves."""
    if model.family == "polynomial":
        return set(model.parameters)
    found = {variable.name for one in (model, network_of(model)) for variable in getattr(one, "variables", ())}
    if hasattr(model, "mechanisms"):
        found |= {*model.names}
    return found | ({model.label} if hasattr(model, "label") else set())


def shares_of(model):
    """The names of tables that several variables have."""
    return {
        one.local.share
        for one in getattr(network_of(model), "variables", ())
        if getattr(one, "local", None) and one.local.share
    }


def labels_of(model):
    """The names of equal entries."""
    variables = getattr(network_of(model), "variables", ())
    found = {label for one in variables for _, label in getattr(getattr(one, "local", None), "equal", ())}
    found |= {label for _, label in model.equal} if model.family in {"gaussian", "conditional-gaussian"} else set()
    return found | (set(model.parameters) if model.family == "polynomial" else set())


def inside_of(model, name):
    """The network of the classifier of a variable."""
    return next(variable.local.classifier for variable in model.variables if variable.name == name)


@pytest.mark.parametrize("family", families.FAMILIES, ids=lambda family: family.name)
def test_records_of_random_models(family):
    """Their texts are the parameters, each once; owners and what is given are of the model."""
    for seed in range(DRAWS):
        model = family.draw(random.Random(seed))
        if model is None:
            continue
        pmap = map_of(model)

        assert pmap.parameters == tuple(map(str, pmap.records))
        assert len(pmap.records) == len(set(pmap.records))
        for one in pmap.records:
            known = inside_of(model, one.inside) if one.inside else model
            names, shares, labels = names_of(known), shares_of(known), labels_of(known)
            anonymous = {f"pa{number}" for number in range(1, 20)} if shares & {*one.owners} else set()
            assert {*one.owners} <= names | shares | ({one.label} & labels)
            assert {name for name, _ in one.given} <= names | anonymous
            assert not one.label or one.label in labels


def test_entries_and_parameters_are_written_alike():
    """An entry of a table as the notation has it, and the parameter that it is."""
    parents = (("A", 2), ("B", 3))
    one = Parameter("P", ("X",), (1,), (("A", 0), ("B", 2)))

    assert str(one) == format_cell(((0, 2), 1), "X", parents)
    assert "P(X=0)" == str(Parameter("P", ("X",), (0,))) == format_cell(((), 0), "X", ())
    for entry in (("b", "F", "X"), ("v", "X"), ("c", "X", "Y"), ("m", "X")):
        assert str(Parameter(entry[0], entry[1:])) == format_entry(entry)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("A -> X; fix P(X=0|A=0)=1/3; equal q = P(X=0|A=1), P(A=1); states A=3", ["P(A=0)", "q"]),
        ("A -> X; equal q = P(A=1), P(X=1|A=0); states A=3, X=3", ["P(A=0)", "q", "P(X=0|A=0)", "P(X=0|A=1)"]),
    ],
)
def test_names_stand_where_they_are_first_used(text, last):
    """Between the free entries of the table."""
    assert last == [*map_of(algdim.model(text)).parameters][: len(last)]


# Nothing depends on the texts: with other texts, of the same lengths and in the same order, all results are the same.

MODELS = [
    "2:2,2",
    "H -> A, B; hidden H; states A=3; equal q = P(A=0|H=0), P(B=0|H=1); fix P(B=0|H=0)=1/3",
    "sigmoid: H1 -> B; H2 -> B; hidden H2",
    "share T: A, B; H -> A, B; hidden H",
    "classifier Y: Y -> A, B",
    "loglinear: {A,B}; states B=3",
    "gaussian: F -> X1, X2, X3; X1 <-> X2; hidden F; means off",
    "gaussian: F -> X1, X2, X3; hidden F; fix b(F->X1)=1; equal vv = b(F->X2), b(F->X3); equal s = v(X1), v(X2)",
    "gaussian: A <-> B; B <-> C; A <-> C; means off",
    "gaussian: F -> X1, X2, X3, X4; hidden F",
    "A -> B -> C",
    "latent-profile: H -> X, Y, C; hidden H; states C=2; covariances full; moments 2",
    "latent-profile: H -> X, C; hidden H; states C=3; covariances equal; moments 2",
    "poisson: {A},{A,B},{} -> E",
    "normal: {A},{B,H} -> E; hidden H",
    "polynomial: parameters a, b_1, P; coordinates a*b_1, a/P + 1, P^2",
]
PAIRS = [
    ("2:2,2,2", "3:2,2,2"),
    ("latent-profile: H -> X, Y; hidden H", "latent-profile: H -> Y, X; hidden H; covariances full; states H=3"),
    ("latent-profile: H -> X, Y; hidden H; covariances equal", "latent-profile: K -> X, Y; hidden K"),
    ("normal: {A},{B} -> E", "normal: {A,B} -> E"),
    ("gaussian: A -> B; C -> B; means off; fix v(C)=0", "gaussian: A -> B; C -> B; means off"),
    (
        "gaussian: A; B; C; fix v(A)=0; fix v(B)=0; means off",
        "gaussian: A; B; C; equal w = v(A), v(B); means off",
    ),
    ("loglinear: {A},{B}", "loglinear: {A,B}"),
]
SHIFT = 0xE000
"""Of every letter into signs that have no meaning, which neither a prefix nor a regular expression knows."""

RESULTS = """
import json, sys
import algdim
from algdim.explanation.printing import print_map
from algdim.maps import map_of
from algdim.families.contract import CoordinateRecord
from algdim.maps import Parameter

shift, models, pairs = json.load(sys.stdin)
for record in (Parameter, CoordinateRecord) if shift else ():
    written = record.__str__
    record.__str__ = lambda one, written=written: "".join(chr(ord(sign) + shift) for sign in written(one))

def of(made):
    try:
        return made()
    except algdim.AlgdimError as error:
        return f"{type(error).__name__}: {error}"

found = {}
for text in models:
    model = algdim.model(text)
    explained = of(lambda: algdim.explain(model))
    found[text] = [
        list(map_of(model).parameters),
        map_of(model).coordinates(),
        str(explained),
        getattr(explained, "play", None),
        of(lambda: print_map(map_of(model)).latex()),
        of(lambda: algdim.identify(model).to_dict()),
    ]
for one, other in pairs:
    found[f"{one} | {other}"] = of(lambda: str(algdim.compare(one, other)))
print(json.dumps(found, ensure_ascii=False, default=str))
"""


def results(shift, models, pairs):
    """What is computed and printed if the texts of parameters and coordinates are shifted, with the shifts undone at the end."""
    done = subprocess.run(
        [sys.executable, "-c", RESULTS],
        input=json.dumps([shift, models, pairs]),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
    )
    assert 0 == done.returncode, done.stderr
    back = {shift + number: number for number in range(0x400)} if shift else {}
    found = json.loads(done.stdout.translate({sign: json.dumps(chr(n))[1:-1] for sign, n in back.items()}))
    for each in found.values():
        if isinstance(each, list) and isinstance(each[-1], dict):
            each[-1].get("report", {}).pop("seconds", None)
    return found, done.stdout


@in_turn(6)
@pytest.mark.drawn
def test_results_do_not_depend_on_texts():
    """Kinds, owners and conditions come from the records alone."""
    models, pairs = drawn(MODELS, 4), drawn(PAIRS, 2)
    plain, _ = results(0, models, pairs)
    shifted, raw = results(SHIFT, models, pairs)

    assert any(ord(sign) >= SHIFT for sign in raw)
    for text, found in plain.items():
        assert found == shifted[text], text


NULL = "gaussian: X1, X2, Y1, Y2; means off"
FACTORS = (
    "gaussian: F -> X1, X2; G -> Y1, Y2; hidden F, G; fix b(F->X1)=1, b(F->X2)=1, b(G->Y1)=1, b(G->Y2)=1; "
    "equal {} = v(F), v(G); means off"
)
NO_EFFECTS = "gaussian: F -> X; G -> Y; fix b(F->X)=0, b(G->Y)=0; means off"
EFFECTS = "gaussian: F -> X; G -> Y; equal {} = b(F->X), b(G->Y); means off"


@pytest.mark.parametrize("label", ["v", "b", "P", "c"])
@pytest.mark.parametrize("larger", [FACTORS, EFFECTS])
def test_the_first_letter_of_a_name_says_nothing(larger, label):
    """Equal variances with the value 0 are at the end of their range whatever they are called, and equal coefficients are not."""
    smaller = NULL if larger == FACTORS else NO_EFFECTS
    plain, called = (str(algdim.compare(smaller, larger.format(name))) for name in ("w", label))

    assert re.sub(r"\bw\b", label, plain) == called
    assert ("½χ²(0) + ½χ²(1)" in called) == (larger == FACTORS)


# Places that take the text of a parameter apart are found by their syntax.

APART = frozenset(
    "startswith endswith split rsplit partition rpartition removeprefix removesuffix find rfind index replace isdigit".split()
)
"""Methods of texts that look into them."""

PATTERNS = frozenset({"match", "fullmatch", "search", "split", "sub", "findall", "finditer"})
"""What reads a text by a regular expression, of a pattern or of the module."""


def is_texts(node, known):
    """Whether an expression is the texts of parameters or coordinates, several of them."""
    match node:
        case ast.Attribute(attr="parameters", value=ast.Attribute(attr="fit" | "fit_")):
            return False  # those of a fit are tables
        case ast.Attribute(attr="parameters") | ast.Call(func=ast.Attribute(attr="coordinates")):
            return True
        case ast.Name(id=name):
            return name in known
        case ast.Call(func=ast.Name(id="list" | "tuple" | "sorted" | "reversed" | "set"), args=[inner, *_]):
            return is_texts(inner, known)
        case ast.Subscript(value=value, slice=ast.Slice()):
            return is_texts(value, known)
    return False


def bound_in(target, source, known):
    """The names that a loop over the source binds to single texts."""
    match source, target:
        case ast.Call(func=ast.Name(id="zip"), args=sources), ast.Tuple(elts=targets):
            for one, other in zip(sources, targets, strict=False):
                yield from bound_in(other, one, known)
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]), ast.Tuple(elts=[_, second]):
            yield from bound_in(second, inner, known)
        case _, ast.Name(id=name) if is_texts(source, known):
            yield name


def taken_apart(tree):
    """The lines in which the text of a parameter is looked into."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.Module):
            continue
        several, single = set(), set()
        inside = list(ast.walk(function))
        for node in inside:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_texts(value, several):
                    several.add(name)
                case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                    several |= {
                        one.id
                        for one, value in zip(targets, values, strict=False)
                        if isinstance(one, ast.Name) and is_texts(value, several)
                    }
        for node in inside:
            if isinstance(node, ast.For | ast.comprehension):
                single |= set(bound_in(node.target, node.iter, several))
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                value = node.value
                if isinstance(value, ast.Subscript) and is_texts(value.value, several) and not is_texts(value, several):
                    single.add(node.targets[0].id)

        def is_text(node, single=single, several=several):
            if isinstance(node, ast.Name):
                return node.id in single
            whole = isinstance(node, ast.Subscript) and is_texts(node.value, several)
            return whole and not isinstance(node.slice, ast.Slice)

        for node in inside:
            match node:
                case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in APART and is_text(value):
                    yield node.lineno
                case ast.Call(func=ast.Attribute(attr=name), args=args) if name in PATTERNS and any(map(is_text, args)):
                    yield node.lineno
                case ast.Subscript(value=value) if is_text(value):
                    yield node.lineno
                case ast.Compare(left=ast.Constant(value=str()), ops=[ast.In() | ast.NotIn()], comparators=[right]):
                    if is_text(right):
                        yield node.lineno


BAD = [
    "[name for name in pmap.parameters if name[0] in 'lv']",
    "[value for name, value in zip(pmap.parameters, point, strict=True) if name.startswith('b(')]",
    "for number, name in enumerate(pmap.parameters):\n    re.match(r'(.)', name)",
    "for parameter in sorted(pmap.parameters):\n    NAME.fullmatch(parameter)",
    "def f(pmap):\n    names, other = pmap.parameters, 1\n    return [name.partition('(') for name in names]",
    "second.parameters[n][0] == 'v'",
    "def f(pmap, k):\n    name = pmap.parameters[k]\n    return '<->' in name",
]
GOOD = [
    "[name for name in pmap.parameters if name in known]",
    "[one for one in pmap.records if one.kind == 'v']",
    "[value[0] for name, value in zip(pmap.parameters, rows, strict=True)]",
    "pmap.parameters[:5]",
    "names = pmap.parameters\nnames[0]",
]


def test_such_places_are_found():
    """And others are not taken for them."""
    assert all(any(True for _ in taken_apart(ast.parse(text))) for text in BAD)
    assert not [text for text in GOOD if [*taken_apart(ast.parse(text))]]


def test_no_text_is_taken_apart():
    """In the engine and in the papers next door; the checker has no maps and reads certificates."""
    texts = {file: file.read_text(encoding="utf-8") for file in modules() if file.name != "checker.py"}
    known = [file for file, text in texts.items() if ".parameters" in text]
    found = [f"{file.relative_to(ROOT)}:{line}" for file in known for line in taken_apart(tree_of(file))]

    assert [] == found
    assert len(known) > 50
