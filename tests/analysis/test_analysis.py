"""What every answer begins with: each map is made once, each contraction planned once, and nothing is examined twice."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import sys
from collections import Counter
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

import numpy as np
import pytest

import algdim
from algdim import jacobian
from algdim import maps as everymap
from algdim.analysis import Prepared
from algdim.bound import strategy
from algdim.certificate import exporting
from algdim.exact import ranks
from algdim.exact.ranks import rank_mod
from algdim.families.classifier import family as classifiers
from algdim.families.discrete import contraction
from algdim.families.discrete import map as maps
from algdim.families.discrete.bounds.trees import build_class_model
from algdim.families.gaussian import map as gaussians
from algdim.families.loglinear import map as loglinears
from algdim.identifiability.rowspaces import find_lost_parameters
from algdim.models.anymodel import read_model_dictionary
from algdim.sweeping.tasks import Settings, compute_row

W = "A -> C <- H -> D <- B; hidden H; states H=3"
LATENT = "3:2,2,2,2"
SEM = "gaussian: F -> X1, X2, X3, X4; hidden F; means off"
LOGLINEAR = "loglinear: {H,A}, {H,B}, {H,C}; hidden H"
SEVERAL = "O -> X -> Y; H -> X, Y; hidden H, O"
OTHERS = {
    W: "A -> C <- H -> D <- B; hidden H; states H=2",
    LATENT: "2:2,2,2,2",
    SEM: "gaussian: X1 -> X2 -> X3 -> X4; means off",
    LOGLINEAR: "loglinear: {A,B}, {B,C}",
    SEVERAL: "X -> Y",
}
"""A model that each is compared with, of the same observed variables."""


def draw_data(text):
    """Forty cases of the observed variables, as columns."""
    source = np.random.default_rng(1)
    observed = algdim.model(text).observed
    return {
        v.name: (source.integers(0, v.states, 40) if hasattr(v, "states") else source.normal(size=40)).tolist()
        for v in observed
    }


QUESTIONS = {
    "dim": lambda text: find_lost_parameters(algdim.dimension(text)),
    "explain": lambda text: algdim.explain(text).to_dict(),
    "identify": algdim.identify,
    "prove": algdim.prove,
    "constraints": algdim.constraints,
    "compare": lambda text: algdim.compare(text, OTHERS[text]),
    "score": lambda text: algdim.score(draw_data(text), text, starts=2),
    "sweep": lambda text: compute_row(text, Settings(certificates=True)),
}
LACKING = {("constraints", LOGLINEAR), ("score", LOGLINEAR)}
"""What the family does not have; that is said before anything is made."""


def load_everything():
    """Import all modules, so that what is counted is counted wherever it is imported."""
    for module in pkgutil.walk_packages(algdim.__path__, "algdim."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def describe_map(pmap):
    """What tells maps apart: two of one model may differ in the coordinates that are kept."""
    return pmap.model, str(pmap.kept)


def describe_jacobian(pmap, arithmetic, point, functionals, *, rows=None, **_):
    """What tells Jacobians apart: the map, the point, what it is taken against."""
    return (
        *describe_map(pmap),
        type(arithmetic).__name__,
        getattr(arithmetic, "prime", None),
        str(np.asarray(point).tolist()),
        (type(functionals).__name__, functionals.count, str(rows)),
    )


COUNTED = {
    "map": [
        (maps, "build_param_map", lambda model, ties: (model, tuple(ties))),
        (gaussians, "build_gaussian_map", lambda model: model),
        (loglinears, "build_loglinear_map", lambda model: model),
    ],
    "plan": [
        (
            contraction,
            "find_contraction_plan",
            lambda pmap, wanted=None: (*describe_map(pmap), pmap.observed, pmap.factors, wanted),
        )
    ],
    "jacobian": [(jacobian, "evaluate_jacobian", describe_jacobian)],
    "rank": [
        (ranks, "rank_mod", lambda matrix, prime, **_: (matrix.shape, np.asarray(matrix, np.int64).tobytes(), prime))
    ],
}
"""What is counted, and by what two of a kind are the same."""


@pytest.fixture
def made(monkeypatch):
    """How often each map was made, each contraction planned, each Jacobian evaluated, each rank taken."""
    load_everything()
    # other tests may have maps in use, of which much is known
    monkeypatch.setattr(maps, "MAPS", WeakValueDictionary())
    monkeypatch.setattr(gaussians, "MAPS", WeakValueDictionary())
    monkeypatch.setattr(everymap, "FOUND", WeakKeyDictionary())
    found = Counter()

    def count(module, name, what, key):
        original = getattr(module, name)

        def counting(*given, **named):
            found[what, key(*given, **named)] += 1
            return original(*given, **named)

        for place in [place for known, place in sys.modules.items() if known.startswith("algdim")]:
            for here in [here for here, value in vars(place).items() if value is original]:
                monkeypatch.setattr(place, here, counting)

    for what, several in COUNTED.items():
        for module, name, key in several:
            count(module, name, what, key)
    return found


def count_kinds(made):
    """How many of each kind were made."""
    return Counter(what for what, _ in made.elements())


@pytest.mark.parametrize(
    ("question", "model"),
    [(question, model) for question in QUESTIONS for model in OTHERS if (question, model) not in LACKING],
)
def test_nothing_is_made_twice(made, question, model):
    """Each map is made once and planned once, and at no point is a Jacobian evaluated or a rank taken a second time."""
    QUESTIONS[question](model)

    assert {what for (what, _), times in made.items() if times > 1} == set()
    assert made


@pytest.mark.parametrize(
    ("question", "model", "most"),
    [
        ("dim", W, {"map": 2, "plan": 2, "jacobian": 1}),
        ("prove", W, {"map": 2, "plan": 2, "jacobian": 1}),
        ("sweep", W, {"map": 2, "plan": 2, "jacobian": 1}),
        ("dim", LATENT, {"map": 1, "plan": 1, "jacobian": 1, "rank": 5}),
        ("explain", LATENT, {"map": 1, "plan": 1}),
        ("identify", LATENT, {"map": 1, "plan": 1}),
        ("sweep", LATENT, {"map": 1, "plan": 1, "jacobian": 1}),
        ("dim", SEM, {"map": 1, "jacobian": 1}),
        ("sweep", SEM, {"map": 1, "jacobian": 1}),
        ("sweep", LOGLINEAR, {"map": 2, "plan": 1, "jacobian": 1, "rank": 1}),
    ],
)
def test_little_is_made(made, question, model, most):
    """As many maps, plans and Jacobians as the question needs."""
    QUESTIONS[question](model)
    found = count_kinds(made)

    assert {what: found[what] for what in most if found[what] > most[what]} == {}


@pytest.mark.parametrize(
    "model",
    [
        W,
        LATENT,
        LOGLINEAR,
        SEM,
        "5(2,3(2,2),3(2,2))",
        "A -> H -> X, Y; hidden H; states H=9",
        "A -> B; fix P(B=0|A=0)=1, P(B=0|A=1)=0; A, B -> C",
        "H1, H2 -> X1, X2, X3; hidden H1, H2; states X1=3, X2=3",
        "loglinear: {X1,H},{X2,H}; hidden H; states X1=3, X2=3",
    ],
)
def test_writing_a_certificate_searches_nothing(monkeypatch, model):
    """What a certificate holds was found by the analysis: from then on no bound is looked for and no Jacobian evaluated."""
    load_everything()
    inside = []

    def forbid(module, name):
        original = getattr(module, name)

        def asked(*given, **named):
            assert not inside, f"{name} is asked while the certificate is written"
            return original(*given, **named)

        for place in [place for known, place in sys.modules.items() if known.startswith("algdim")]:
            if getattr(place, name, None) is original:
                monkeypatch.setattr(place, name, asked)

    for module, name in ((strategy, "find_both_bounds"), (strategy, "search_bounds"), (jacobian, "evaluate_jacobian")):
        forbid(module, name)
    write = exporting.make_certificate

    def writing(*given):
        inside.append(given)
        try:
            return write(*given)
        finally:
            inside.pop()

    monkeypatch.setattr(exporting, "make_certificate", writing)

    assert algdim.prove(model).dimension == algdim.dimension(model).dimension


def test_what_was_found_of_a_map_goes_with_it(made):
    """Draws, plans and bounds are kept as long as somebody has the report, and no longer."""
    for model in (W, LATENT, SEM, LOGLINEAR, "5(2,3(2,2),3(2,2))"):
        before = {id(pmap) for pmap in everymap.FOUND}
        report = algdim.dimension(model)
        algdim.prove(model)
        new = [ref(pmap) for pmap in everymap.FOUND if id(pmap) not in before]

        assert new
        assert find_lost_parameters(report) is None or report.redundant
        del report
        made.clear()
        gc.collect()
        assert [None] * len(new) == [one() for one in new]


def test_a_model_made_ready_has_the_maps_of_its_report():
    """Further questions to a report meet the maps that it was made of."""
    report = algdim.dimension("O -> Y -> X; hidden X")

    first = report.prepared.whole_map

    assert first is report.prepared.whole_map
    assert report.prepared.pmap.model == report.prepared.reduction.smaller
    assert len(report.prepared.whole_map.parameters) == report.standard
    assert ("X",) == report.prepared.reduction.removed


def test_the_parts_are_those_of_the_locals_that_were_given():
    """Sigmoids that are as good as tables are split as such, but a question about their weights splits the given model."""
    prepared = Prepared(algdim.model("sigmoid: A -> B; H -> C, D; hidden H"))

    assert prepared.reduction.simplified
    assert {name for part in prepared.relevant_parts for name in part.pmap.parameters} == set(
        prepared.whole_map.parameters
    )
    assert {name for part in prepared.parts for name in part.pmap.parameters} == set(prepared.pmap.parameters)


def test_equal_networks_with_other_labels_have_maps_of_their_own():
    """The labels of states do not tell networks apart, but a map knows them."""
    plain = algdim.model("A -> B")
    labelled = read_model_dictionary(
        {"variables": [{"name": "A", "labels": ["no", "yes"]}, {"name": "B"}], "edges": [["A", "B"]]}
    )

    one, other = maps.get_param_map(plain), maps.get_param_map(labelled)

    assert plain == labelled
    assert [("", ""), ("no", "yes")] == [
        tuple(model.variables[0].labels) or ("", "") for model in (one.model, other.model)
    ]
    assert maps.get_param_map(plain) is one


def test_a_tie_from_outside_makes_another_map():
    """Rows of other variables may tie names, so that the same kernel has other maps in other networks."""
    free = algdim.model("A -> B; equal a = P(B=0|A=0)")
    tied = algdim.model("A -> B, C; equal a = P(B=0|A=0), P(C=0|A=0), P(C=1|A=0)")

    assert len(maps.get_param_map(free).parameters) > len(maps.get_param_map(free, tied).parameters)


def test_certificates_hold_minors_where_a_theorem_needs_none(monkeypatch):
    """The rank of a large classifier is known by a theorem; a certificate has the minor all the same."""
    model = "classifier Y: Y -> A, B; states A=3"
    expected = algdim.prove(model).data["evidence"]["lower"]
    monkeypatch.setattr(classifiers, "SHORTCUT_PARAMETERS", 1)

    assert "linear-map" == algdim.dimension(model).lower.kind
    assert expected == algdim.prove(model).data["evidence"]["lower"]


@pytest.mark.parametrize("text", ["2:2,2", "2(3(3,2),2(4))", "3(2,2(2,2),2(2,2))"])
def test_local_models_of_trees_as_certificates_have_them(text):
    """Their dimensions are those of the models that the report speaks of, a table without classes included."""
    assert algdim.prove(text).dimension == algdim.dimension(text).dimension
    assert build_class_model(3, (2, 4)) == algdim.model("3:2,4")


def test_a_small_rank_is_the_same_without_flint(monkeypatch):
    """Until FLINT is worth loading small matrices are eliminated by hand, to the same minor."""
    source = np.random.default_rng(1)
    for _ in range(20):
        height, width, rank = source.integers(1, 9, 3)
        matrix = source.integers(0, 101, (height, rank)) @ source.integers(0, 101, (rank, width))
        expected = rank_mod(matrix, 101, method="flint")
        with monkeypatch.context() as alone:
            alone.delitem(sys.modules, "flint")
            alone.setattr(ranks, "BY_HAND", ranks.ByHand())
            assert expected == rank_mod(matrix, 101)
            assert "flint" not in sys.modules
            ranks.BY_HAND.work = ranks.WORTH_LOADING
            assert expected == rank_mod(matrix, 101)
            assert "flint" in sys.modules
