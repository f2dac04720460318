"""Steps over causal interaction models reach every one, and the terms add up to the score of the network."""

from itertools import product

import numpy as np
import pytest
from amount import in_turn

import algdim
from algdim import InputError
from algdim.families.discrete.model import Variable
from algdim.models.notation import to_text
from algdim.selection.interactions import (
    LocalStructure,
    build_interaction_network,
    build_local_model,
    check_mechanism_names,
    iterate_structures,
    make_first_structure,
)

ITEMS = {name: Variable(name) for name in "ABC"}


def reach(items, allowed=lambda structure: True):
    """All structures that steps lead to."""
    sizes = {name: item.states for name, item in items.items()}
    found, waiting = set(), [make_first_structure(list(items.values()))]
    while waiting:
        here = waiting.pop()
        if here not in found and allowed(here):
            found.add(here)
            waiting += iterate_structures(here, sizes)
    return found


def data_of(size=1500):
    """A and B and C cause E by two mechanisms, of which one has two causes; A causes B."""
    random = np.random.default_rng(7)
    a = random.integers(0, 2, size)
    b = np.where(random.random(size) < 0.7, a, random.integers(0, 2, size))
    c = random.integers(0, 2, size)
    one = random.random(size) < np.where(a, 0.8, 0.05)
    other = random.random(size) < np.array([[0.1, 0.2], [0.15, 0.9]])[b, c]
    return {"A": a.tolist(), "B": b.tolist(), "C": c.tolist(), "E": (one | other).astype(int).tolist()}


def list_antichains(names):
    """Sets of sets none of which is in another, that have all names, with two members or more; by all subsets of subsets."""
    sets = [
        frozenset(n for n, inside in zip(names, some, strict=True) if inside)
        for some in product((0, 1), repeat=len(names))
    ]
    for chosen in product((0, 1), repeat=len(sets)):
        some = [one for one, inside in zip(sets, chosen, strict=True) if inside and one]
        if (
            len(some) > 1
            and not any(one < other for one in some for other in some)
            and frozenset(names) == frozenset().union(*some)
        ):
            yield frozenset(some)


def test_all_structures_of_an_effect_are_reached():
    """Three causes: all antichains of mechanisms that cover them, each as a maximum and as a parity, and the free table."""
    local = {
        dict(one)["C"]
        for one in reach({**ITEMS, "D": Variable("D")}, lambda s: not any(dict(s)[n].parents for n in "ABD"))
    }
    covering = {one for one in local if one.parents == frozenset("ABD")}

    expected = {LocalStructure(one, rule) for one in list_antichains("ABD") for rule in ("max", "parity")}
    assert expected | {LocalStructure(frozenset({frozenset("ABD")}))} == covering


def test_all_networks_are_reached():
    """With free tables, the 25 acyclic graphs of three variables; a variable with two parents can be of three kinds."""
    found = reach(ITEMS)

    graphs = {frozenset((name, local.parents) for name, local in one) for one in found}
    assert 25 == len(graphs)
    assert sum(3 ** sum(len(parents) == 2 for _, parents in one) for one in graphs) == len(found)


def test_the_terms_add_up():
    """Log-likelihood, dimension and parameters of a network are those of its local models together."""
    data = data_of()
    items = {name: Variable(name) for name in "ABCE"}
    local = {
        "A": LocalStructure(),
        "B": LocalStructure(frozenset({frozenset("A")})),
        "C": LocalStructure(),
        "E": LocalStructure(frozenset({frozenset("A"), frozenset("BC")}), "max"),
    }
    network = build_interaction_network(frozenset(local.items()), items)

    whole = algdim.score(data, network, score="bic,bic+")
    terms = [
        algdim.score(
            {k: data[k] for k in (n, *local[n].parents)}, build_local_model(n, local[n], items), score="bic,bic+"
        )
        for n in items
    ]

    assert whole.report.dimension == sum(one.report.dimension for one in terms)
    for name in ("bic", "bic+"):
        assert sum(one.values[name] for one in terms) == pytest.approx(whole.values[name], abs=1e-3)
    assert "max: {A},{B,C} -> E; A -> B" == to_text(network)


@in_turn(3)
def test_the_interaction_that_made_the_data_is_found():
    """The mechanisms of E are {A} and {B, C}; the edge between A and B may have either direction."""
    found = algdim.select(data_of(), search="interactions", by="bic+", score="bic+")

    assert to_text(found.best.fit.model) in {f"max: {{A}},{{B,C}} -> E; A {arrow} B" for arrow in ("->", "<-")}
    assert found.best.values["bic+"] == max(one.values["bic+"] for one in found.candidates)
    assert found.to_dict()["search"] == {
        "search": "interactions",
        "steps": found.searched.steps,
        "compared": found.searched.compared,
    }


@in_turn(2)
def test_no_step_is_better_than_the_end():
    """Every neighbour of what was found, scored as a whole network, is worse or alike."""
    data = {name: data_of()[name] for name in "ABE"}
    items = {name: Variable(name) for name in "ABE"}
    best = algdim.select(data, search="interactions", by="bic+", score="bic+").best
    end = next(one for one in reach(items) if build_interaction_network(one, items) == best.fit.model)

    for other in iterate_structures(end, dict.fromkeys(items, 2)):
        score = algdim.score(data, build_interaction_network(other, items), score="bic+")
        assert score.values["bic+"] <= best.values["bic+"] + 1e-2


def test_names_of_mechanism_variables_are_refused():
    """A column E.1 beside E would be its mechanism."""
    with pytest.raises(InputError, match=r"E\.1"):
        check_mechanism_names([Variable("E"), Variable("E.1")])
    check_mechanism_names([Variable("E"), Variable("E.x"), Variable("F.1")])
