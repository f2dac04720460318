"""What each class of models has, and what there is not of it: the table of docs/models.md, by running everything."""

import json
import random
import re

import pytest
from amount import daily
from packages import ROOT

import algdim
from algdim.errors import AlgdimError
from algdim.explanation.explaining import draw_picture
from algdim.models.anymodel import convert_model_to_dictionary

NO_FORMULAS = {"map": "no rational functions", "prove": "tables and log-odds"}
NO_DATA = {"fit": "are not fitted"}
NO_SAMPLE = {"simulate": "the model conditions on"}
CLASSES = {
    "2:2^4": {},
    "hmm: states 2, items 2, length 4, homogeneous": {},
    "hmm: states 2, items 2, length 4, homogeneous, stationary": {},
    "dynamic 3: prev.H -> H -> X; hidden H": {},
    "2:3^3*": {},
    "phylo JC69: ((A,B),(C,D))": {},
    "diagnosis DINA: items 10, 01, 10, 01, 11": {},
    "diagnosis ACDM: items 10, 01, 11, 11, 10": {},
    "diagnosis LLM: items 10, 01, 11, 11, 10": {},
    "G -> H -> A, B, C; hidden H; states G=4; given G; multinomial H": NO_SAMPLE,
    "G -> H -> A, B, C, D; hidden H; given G": NO_SAMPLE,
    "sigmoid: H -> X1, X2, X3; hidden H": {},
    "H -> X1..X4; hidden H; rasch X1..X4": {},
    "A -> X; states A=3, X=3; adjacent X": {},
    "A -> X; states A=3, X=3; cumulative X": {},
    "H -> X1..X4; hidden H; states H=3; probit X1..X4": NO_FORMULAS,
    "max: {A},{B} -> E": {},
    "X1, X2 -> Y; classifier Y {Y -> X1, X2}": {},
    "classifier Y: Y -> X1, X2, X3": NO_SAMPLE,
    "loglinear: {A,B}, {B,C}": {},
    "loglinear: {A,H}, {B,H}, {C,H}; hidden H": {},
    "gaussian: F -> X1..X4; hidden F; fix v(F)=1": {},
    "gaussian: A -> B -> C; means off": {"missing": "the model has no means"},
    "latent-profile: H -> X, Y, C; hidden H; states H=2, C=2": {},
    "conditional-gaussian: H -> X, Y; hidden H; states H=2": {},
    "poisson: {A},{B} -> E": {},
    "normal: {H} -> E; hidden H": {},
    "poisson: {A,H} -> E; {H} -> F; hidden H": {},
    "normal: {H},{A} -> E; H -> A; hidden H": {},
    "max-poisson: {A},{H} -> E; hidden H": {},
    "max-normal: {A},{A} -> E": {},
    "at-least-poisson 2: {A},{A} -> E": {},
    "at-least-normal 2: {A},{},{H} -> E; hidden H": {},
    "normal-classifier Y: Y -> X1, X2; states Y=2; common variances": NO_DATA | {"picture": "has no graph"},
    "polynomial: parameters A[2,1], B[1,3]; X = A*B; coordinates X": NO_DATA | {"picture": "has no graph"},
}
"""A small model of each class, and the words with which something is refused."""


def draw_data(model, count=40):
    """Random states and numbers, for every observed variable; each state occurs."""
    draw = random.Random(1)
    if hasattr(model, "effect"):
        variables = model.network.observed
    else:
        variables = model.items if model.family == "latent-profile" else getattr(model, "observed", ())
    columns = {}
    for one in variables:
        if getattr(one, "states", None):
            words = getattr(one, "labels", ()) or range(one.states)
            columns[one.name] = [*words, *draw.choices(words, k=count - one.states)]
        else:
            columns[one.name] = [draw.gauss(0, 1) for _ in range(count)]
    if hasattr(model, "effect"):
        columns |= {effect: [draw.randint(0, 9) for _ in range(count)] for effect in model.effects}
    return columns


def try_all(text):
    """Each ability by name, as something to be run; a fit is made once."""
    model = algdim.model(text)
    made = {}

    def fit():
        made["fit"] = algdim.fit(draw_data(model), model, starts=2)

    def fit_gaps():
        data = draw_data(model)
        name = next(name for name in data if name not in getattr(model, "given", ()))
        found = algdim.fit(data | {name: [*data[name][:-1], None]}, model, starts=2, missing=True)
        assert (found.sample.missing, found.sample.size) in ((1, 40), (0, 39))  # a row that shows nothing is left out

    def check_file():
        again = algdim.model(json.loads(json.dumps(convert_model_to_dictionary(model))))
        assert algdim.dimension(model).dimension == algdim.dimension(again).dimension

    def check_proof():
        assert algdim.verify(algdim.prove(model)).accepted

    def check_dimension():
        assert algdim.dimension(model).exact

    yield "dim", check_dimension
    yield "text", lambda: algdim.model(str(model))
    yield "file", check_file
    yield "prove", check_proof
    yield "identify", lambda: str(algdim.identify(model))
    yield "explain", lambda: str(algdim.explain(model))
    yield "map", lambda: str(algdim.parametrization(model))
    yield "compare", lambda: str(algdim.compare(model, model))
    yield "picture", lambda: draw_picture(text, "network")
    yield "fit", fit
    if "fit" in made:
        yield "missing", fit_gaps
        yield "score", lambda: algdim.score(draw_data(model), model, starts=2, score="bic,bic+")
        yield "simulate", lambda: algdim.simulate(model, made["fit"].parameters, 5)


@pytest.mark.parametrize("text", daily(CLASSES, 3))
def test_what_a_class_has(text):
    """Everything, but for what the table says, which is refused with a reason."""
    refused = dict(CLASSES[text])
    for name, ability in try_all(text):
        if name in refused:
            with pytest.raises(AlgdimError, match=refused.pop(name)):
                ability()
        else:
            ability()
    assert not refused


def test_the_page_says_what_there_is_not():
    """Every kind of refusal has a row."""
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    table = page.partition("## What each class has")[2].partition("\n## ")[0]
    rows = [re.findall(r"`([^`]+)`", line.split("|")[2]) for line in table.splitlines() if line.startswith("| ")][1:]

    assert {name for found in CLASSES.values() for name in found} == {
        {"--missing": "missing"}.get(name, name) for row in rows for name in row
    }
