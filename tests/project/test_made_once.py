"""What eight commands make: each map once, each contraction planned once, at each point one Jacobian and one rank."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import sys
from collections import Counter
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

import numpy as np
import pytest
from amount import in_turn

import algdim
from algdim import jacobian
from algdim import maps as everymap
from algdim.bound import strategy
from algdim.certificate import exporting
from algdim.exact import ranks
from algdim.families.discrete import contraction
from algdim.families.discrete import map as maps
from algdim.families.gaussian import map as gaussians
from algdim.families.loglinear import map as loglinears
from algdim.identifiability.rowspaces import find_lost_parameters
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
    return pmap.model, str(pmap.kept_coordinates)


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
            lambda pmap, wanted=None, *, to_cells=False: (
                *describe_map(pmap),
                *(pmap.observed, pmap.factors, wanted, to_cells),
            ),
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
    maps.build_known_map.cache_clear()
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
        ("dim", W, {"map": 2, "plan": 3, "jacobian": 1}),
        ("prove", W, {"map": 2, "plan": 3, "jacobian": 1}),
        ("sweep", W, {"map": 2, "plan": 3, "jacobian": 1}),
        ("dim", LATENT, {"map": 1, "plan": 2, "jacobian": 1, "rank": 6}),
        ("explain", LATENT, {"map": 1, "plan": 2}),
        ("identify", LATENT, {"map": 1, "plan": 2}),
        ("sweep", LATENT, {"map": 1, "plan": 2, "jacobian": 1}),
        ("dim", SEM, {"map": 1, "jacobian": 1}),
        ("sweep", SEM, {"map": 1, "jacobian": 1}),
        ("sweep", LOGLINEAR, {"map": 2, "plan": 1, "jacobian": 1, "rank": 1}),
    ],
)
def test_little_is_made(made, question, model, most):
    """As many maps, plans and Jacobians as the question needs; where equations are taken, the table has a plan of its own."""
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


@in_turn(2)
def test_what_was_found_of_a_map_goes_with_it(made):
    """Draws, plans and bounds are kept as long as somebody has the report, and no longer."""
    before, new = {id(pmap) for pmap in everymap.FOUND}, []
    for model in (W, LATENT, SEM, LOGLINEAR, "5(2,3(2,2),3(2,2))"):
        report = algdim.dimension(model)
        algdim.prove(model)
        new.append([ref(pmap) for pmap in everymap.FOUND if id(pmap) not in before])

        assert new[-1]
        find_lost_parameters(report)
        del report
    made.clear()
    gc.collect()
    assert {None} == {one() for some in new for one in some}
