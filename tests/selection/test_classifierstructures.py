"""Steps over classifiers reach every one whose factors contain the class."""

from itertools import chain, combinations, product

import numpy as np
from amount import in_turn

import algdim
from algdim.families.discrete.model import Variable
from algdim.selection.classifierstructures import ClassStructure, build_classifier, iterate_class_structures

SIZES = {"Y": 2, "A": 2, "B": 2}


def reach(sizes):
    """All structures that steps lead to."""
    found, waiting = set(), [ClassStructure()]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += iterate_class_structures(here, "Y", sizes)
    return found


def subsets(names):
    """All of them."""
    return [frozenset(some) for some in chain.from_iterable(combinations(names, n) for n in range(len(names) + 1))]


def test_all_structures_are_reached():
    """Two inputs: each is a parent of the class, a child with or without the other as parent, or neither; no cycles."""
    expected = set()
    for above in subsets("AB"):
        below = sorted({"A", "B"} - above)
        for children in subsets(below):
            options = [[frozenset(some) for some in subsets({"A", "B"} - {one})] for one in sorted(children)]
            for chosen in product(*options):
                pairs = dict(zip(sorted(children), chosen, strict=True))
                if not ("B" in pairs.get("A", ()) and "A" in pairs.get("B", ())):
                    expected.add(ClassStructure(above, frozenset(pairs.items())))

    assert expected == reach(SIZES)


def test_the_factors_are_those_of_the_structure():
    """The classifier that is built has the class's table and those of its children, and no other factor with the class."""
    items = {name: Variable(name, states) for name, states in SIZES.items()}
    for one in reach(SIZES) - {ClassStructure()}:
        found = {factor.owner: frozenset(factor.inputs) for factor in build_classifier(one, "Y", items).factors}

        assert {"Y": one.above, **{child: others | {child} for child, others in one.below}} == found


@in_turn(2)
def test_an_interaction_of_inputs_is_found():
    """Y is the parity of A and B, up to noise: naive Bayes cannot say that, a factor of both can; C is left out."""
    random = np.random.default_rng(5)
    a, b, c = random.integers(0, 2, (3, 800))
    y = np.where(random.random(800) < 0.9, a ^ b, 1 - (a ^ b))
    a[:400], y[:400] = y[:400], a[:400]  # so that A alone tells something, and a climb has a first step
    data = {"A": a.tolist(), "B": b.tolist(), "C": c.tolist(), "Y": y.tolist()}

    found = algdim.select(data, search="classifiers", label="Y", by="bic+", score="bic+")
    naive = algdim.select(data, label="Y", by="bic+", score="bic+")

    assert {"A", "B"} == set(found.best.fit.model.given)
    assert found.best.values["bic+"] > naive.best.values["bic+"]
    assert str(found).splitlines()[2].strip().startswith("1  classifier Y:")
