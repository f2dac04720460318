"""Probits: dimensions held against the hull of lemma "probits" and against balls around true values; estimates from print."""

from __future__ import annotations

import random
from itertools import pairwise, product
from math import erfc, log, sqrt
from unittest import mock

import brute_probit
import brute_sigmoid
import numpy as np
import pytest
from amount import daily
from brute_probit import as_cumulative
from scipy.optimize import minimize

import algdim
from algdim.errors import InputError
from algdim.identifiability.rowspaces import find_lost_parameters
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary
from algdim.models.notation import parse, to_text


def certified_rank(model, seed=0):
    """At a random real point, in balls around the values and slopes of Φ: this many pivots are proved not to be zero."""
    with mock.patch.object(brute_sigmoid, "Balls", brute_probit.Normals):
        return brute_sigmoid.certified_rank(as_cumulative(model), seed, digits=90)


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        # hidden parents of three states and more, which lemma "links" leaves open
        ("H -> X1..X4; hidden H; states H=3; probit X1..X4", 10),
        ("H -> X1..X4; hidden H; states H=4; probit X1..X4", 11),
        ("H -> X1..X4; hidden H; states H=5; probit X1..X4", 12),
        ("H -> X1..X3; hidden H; states H=3; probit X1..X3", 7),
        ("H -> X1..X3; hidden H; states H=3, X1=3, X2=3, X3=3; probit X1..X3", 11),
        ("H -> X1..X5; hidden H; states H=4; probit X1..X5; share s: X1..X5", 5),
        ("H -> X1..X3; hidden H; states H=3; probit X1..X3; share s: X1..X3", 3),
        ("A, H -> X, Y; hidden H; states A=3, H=3; probit X, Y", 10),
        # and those that it settles
        ("H -> X1..X3; hidden H; probit X1..X3", 7),
        ("A, B -> X; states A=3, X=3; probit X", 7),
        ("A -> X; states X=4; probit X; given A", 4),
    ],
)
def test_dimensions(text, dimension):
    """The dimension, proved, is the rank of the hull; and so many pivots are proved at a point."""
    model = algdim.model(text)
    report = algdim.dimension(model)

    assert (dimension, True) == (report.dimension, report.exact)
    assert dimension == brute_probit.dimension(as_cumulative(model)) == certified_rank(model)


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("A -> H; H -> X0; H -> X1; hidden H; states H=5, A=3, X0=3, X1=2; probit X0, X1; given A", 15),
        ("A -> H -> X1, X2, X3; hidden H; states A=3, H=8; probit X1, X2, X3; given A", 21),
        ("A -> H -> X1, X2, X3; hidden H; states A=5, H=8; probit X1, X2, X3", 39),
        ("H -> X1..X3; H -> Y; hidden H; states H=8, Y=8; probit X1..X3", 63),
        ("A -> H; H, A -> X0; H -> X1; H -> X2; hidden H; states H=5, A=3; probit X0, X1, X2; given A", 19),
        ("P0, P1 -> P2; P0, P1, P2 -> X0, X1; hidden P0; states P0=4, P1=3, P2=4; given P1; probit X0, X1", 45),
    ],
)
def test_many_hidden_states(text, dimension):
    """The dimension is that of the Jacobian with 60 digits: what stands in the place of Φ is no polynomial of small degree in the state."""
    report = algdim.dimension(text)

    assert (dimension, True) == (report.dimension, report.exact)


def test_no_list_of_lost_parameters():
    """More may be lost than a point with other numbers shows: all 19 of these are."""
    report = algdim.dimension("H -> X1, X2; H -> Y; hidden H; states H=4, Y=4; probit X1, X2")

    assert 4 == report.redundant
    assert find_lost_parameters(report) is None


def random_network(draw):
    """A few variables, most of them probit."""
    names = [f"V{k}" for k in range(draw.randint(2, 5))]
    states = {name: draw.choice([2, 2, 3, 3, 4]) for name in names}
    hidden = [name for name in names if draw.random() < 0.4]
    edges = [[a, b] for k, a in enumerate(names) for b in names[k + 1 :] if draw.random() < 0.55]
    local = {name: {"type": "probit"} for name in names if draw.random() < 0.7}
    local |= {name: {"type": "cumulative"} for name in names if name not in local and draw.random() < 0.2}
    if len(hidden) == len(names) or np.prod(list(states.values())) > 200:
        return None
    variables = [{"name": name, "states": states[name], "observed": name not in hidden} for name in names]
    roots = [name for name in names if name not in hidden and name not in local and all(name != b for _, b in edges)]
    found = {"variables": variables, "edges": edges, "local": local}
    return found | ({"given": roots[:1]} if len(roots) < len(names) - len(hidden) and draw.random() < 0.3 else {})


def mixed_hull(model, seed):
    """The rank where probits are as in the hull and log-odds as they are."""

    class Both(brute_probit.Hull):
        def logistic(self, keys):
            return super().logistic(keys) if is_probit(keys) else brute_sigmoid.Residues.logistic(self, keys)

        def slope(self, one, keys):
            return super().slope(one, keys) if is_probit(keys) else brute_sigmoid.Residues.slope(self, one, keys)

    owners = {brute_sigmoid.owner(one) for one in model.variables if one.local.kind == "probit"}

    def is_probit(keys):
        return keys[0][0][1] in owners

    return brute_sigmoid.rank(brute_sigmoid.jacobian(as_cumulative(model), Both(seed)))


@pytest.mark.parametrize("seed", daily(range(120), 25))
def test_random_networks(seed):
    """Both bounds hold, whatever the network; where they meet they are the rank of the hull."""
    data = random_network(random.Random(seed))
    if data is None:
        return
    model = algdim.model(data)
    report, rank = algdim.dimension(model), max(mixed_hull(model, one) for one in (0, 1))

    assert report.lower.value <= rank
    if report.upper.is_proved:
        assert rank <= report.upper.value
    if report.exact:
        assert rank == report.dimension
    assert brute_sigmoid.standard(as_cumulative(model)) == report.standard


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_the_hull_is_the_truth(seed):
    """Balls around true values show the rank of the hull, for random networks with probits."""
    data = random_network(random.Random(seed))
    if data is None:
        return
    data["local"] = {name: {"type": "probit"} for name in data["local"]}
    model = algdim.model(data)

    assert certified_rank(model) == brute_probit.dimension(as_cumulative(model))


def test_forms():
    """Text and model file say the same."""
    model = parse("A, H -> X; H -> Y; hidden H; states H=3, Y=4; probit X, Y")

    assert model == parse(to_text(model)) == read_model_dictionary(convert_model_to_dictionary(model))
    assert "probit X, Y" in to_text(model)
    with pytest.raises(InputError, match="a probit variable has two or more"):
        algdim.model("A -> X; hidden X; X -> Y; states X=1; probit X")


def test_snoring():
    """Heart disease by snoring, scored 0, 2, 4, 5: Φ⁻¹(π) = −2.061 + 0.188 x (Agresti 2007, section 3.2)."""
    counts = {(0, 1): 24, (0, 0): 1355, (2, 1): 35, (2, 0): 603, (4, 1): 21, (4, 0): 192, (5, 1): 30, (5, 0): 224}
    data = {"Snoring": [x for x, _ in counts], "Disease": [y for _, y in counts], "count": list(counts.values())}
    found = algdim.fit(data, "Snoring -> Disease; states Snoring=6; given Snoring; probit Disease")
    weights = found.parameters["Disease"]

    assert (-2.061, 0.188) == (round(weights["a"][0], 3), round(weights["b"]["Snoring"], 3))


def chance(u):
    """Φ."""
    return erfc(-u / sqrt(2)) / 2


def test_classes_with_thresholds_by_force():
    """Three items of three states and a hidden class of three: the likelihood by loops, and no better point nearby."""
    draw = random.Random(3)
    patterns = list(product(range(3), repeat=3))
    counts = [draw.randint(1, 20) for _ in patterns]
    data = {name: [row[k] for row in patterns] for k, name in enumerate("XYZ")} | {"count": counts}
    found = algdim.fit(data, "H -> X, Y, Z; hidden H; states H=3, X=3, Y=3, Z=3; probit X, Y, Z", starts=6, seed=1)

    def likelihood(classes, items):
        total = 0.0
        for pattern, count in zip(patterns, counts, strict=True):
            value = 0.0
            for h, weight in enumerate(classes):
                term = weight
                for x, (a, b) in zip(pattern, items, strict=True):
                    tails = [1.0, *(chance(one + b * h) for one in a), 0.0]
                    term *= tails[x] - tails[x + 1]
                value += term
            total += count * log(value)
        return total

    named = found.parameters
    items = [(named[x]["a"], named[x]["b"]["H"]) for x in "XYZ"]

    def moved(step):
        changed = [
            ([a[0] + step[3 * k], a[1] + step[3 * k + 1]], b + step[3 * k + 2]) for k, (a, b) in enumerate(items)
        ]
        return -likelihood(named["H"][0], changed)

    assert likelihood(named["H"][0], items) == pytest.approx(found.loglik, abs=1e-7)
    assert minimize(moved, np.zeros(9), method="Nelder-Mead", options={"maxiter": 400}).fun >= -found.loglik - 1e-4


def test_cases_are_drawn_with_these_chances():
    """The frequencies of many cases."""
    at = {"A": [["1/2", "1/2"]], "X": {"a": [0.5, -0.5], "b": {"A": 1}}}
    drawn = algdim.simulate("A -> X; states X=3; probit X", at, 40_000, seed=2)
    for a in (0, 1):
        tails = [1.0, chance(0.5 + a), chance(-0.5 + a), 0.0]
        shares = np.bincount(drawn["X"][drawn["A"] == a], minlength=3) / (drawn["A"] == a).sum()
        assert shares == pytest.approx([x - y for x, y in pairwise(tails)], abs=0.012)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (algdim.parametrization, "no rational functions of the weights"),
        (algdim.prove, "certificates have tables and log-odds"),
        (algdim.identify, "which of them are identified is not decided"),
    ],
)
def test_what_asks_for_rational_functions(ask, message):
    """It says that there are none."""
    with pytest.raises(algdim.AlgdimError, match=message):
        ask("H -> X1..X3; hidden H; states H=4; probit X1..X3")


def test_an_explanation_without_formulas():
    """It has the bounds and says why there is no more, in all forms."""
    found = algdim.explain("H -> X1..X3; hidden H; states H=4; probit X1..X3")

    assert "dimension 7" in found.text()
    for shown in (found.text(), found.markdown(), found.html(), found.latex()):
        assert "normal distribution function" in " ".join(shown.split())


def test_identified_where_nothing_is_redundant():
    """As many dimensions as parameters."""
    found = algdim.identify("H -> X1..X4; hidden H; states H=3; probit X1..X4")

    assert 10 == len(found.identifiable)


def test_nothing_is_said_of_log_odds():
    """A probit is compared with itself, and with tables by dimensions; that it has no interactions is not true."""
    text = "A, B -> X; states A=3, X=3; probit X"

    assert "equal" == algdim.compare(text, text).relation
    assert "not decided" == algdim.compare(text, text.replace("probit", "cumulative")).relation
