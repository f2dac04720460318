"""Treks and trek separation: against brute force over sets of vertices, and against sums over treks."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from amount import daily
from suites.random_gaussians import gaussian_model

from algdim import InputError, LimitError
from algdim.families.gaussian.model import Gaussian, GaussianVariable
from algdim.families.gaussian.treks import (
    build_doubled_graph,
    find_minimum_vertex_cut,
    find_trek_separation,
    list_treks,
)


def met(arcs, sources, sinks, avoided):
    """Return whether every path from the sources to the sinks meets an avoided vertex."""
    seen = sources - avoided
    waiting = list(seen)
    while waiting:
        vertex = waiting.pop()
        new = {w for w in range(len(arcs)) if arcs[vertex] >> w & 1} - avoided - seen
        seen |= new
        waiting += new
    return not seen & sinks


@pytest.mark.parametrize("seed", daily(range(150), 15))
def test_a_cut_meets_all_paths_and_none_is_smaller(seed):
    """The cut by flows is as small as the smallest among all sets of vertices."""
    draw = random.Random(seed)
    count, density = draw.randint(1, 7), draw.random() * 0.6
    arcs = [sum(1 << w for w in range(count) if w != v and draw.random() < density) for v in range(count)]
    sources, sinks = ({v for v in range(count) if draw.random() < 0.4} for _ in range(2))
    cut = find_minimum_vertex_cut(arcs, sum(1 << v for v in sources), sum(1 << v for v in sinks))
    found = {v for v in range(count) if cut >> v & 1}
    least = next(
        size
        for size in range(count + 1)
        for some in combinations(range(count), size)
        if met(arcs, sources, sinks, set(some))
    )

    assert met(arcs, sources, sinks, found)
    assert least == len(found)


def test_both_factors_separate_the_indicators_of_two():
    """Three indicators and three others of two factors are separated by two vertices, not by fewer."""
    names = ["F", "G", *"ABCDEI"]
    variables = tuple(GaussianVariable(name, name not in "FG") for name in names)
    model = Gaussian(variables, tuple((f, x) for f in "FG" for x in "ABCDEI"))
    found = find_trek_separation(model, "ABC", "DEI")

    assert 2 == found.number
    assert {"F", "G"} == {*found.left, *found.right}


def test_overlapping_sets():
    """In a chain A -> B -> C the middle separates {A, B} from {B, C}: the partial covariance of A and C given B."""
    model = Gaussian(tuple(map(GaussianVariable, "ABC")), (("A", "B"), ("B", "C")))

    assert 1 == find_trek_separation(model, "AB", "BC").number
    assert 2 == find_trek_separation(model, "AC", "AC").number


def test_a_coefficient_fixed_to_zero_is_no_edge():
    """An edge whose coefficient is fixed to 0 carries no trek; one fixed to 1 does."""
    pair = tuple(map(GaussianVariable, "AB"))
    zero, one = (Gaussian(pair, (("A", "B"),), fixed=((("b", "A", "B"), Fraction(value)),)) for value in (0, 1))

    assert 0 == find_trek_separation(zero, "A", "B").number
    assert 1 == find_trek_separation(one, "A", "B").number


def test_the_covariance_is_the_sum_over_treks():
    """The entries of Σ, computed by substitution, are the sums of the products along all treks."""
    for seed in range(40):
        model = gaussian_model(seed, cycles=False, special=False)
        numbers = {entry: Fraction(random.Random(f"{seed}{entry}").randint(1, 9)) for entry in model.entries}
        names = [variable.name for variable in model.variables]
        sigma = covariance_by_substitution(model, numbers)
        one, other = random.Random(seed).choices(names, k=2)
        total = sum(trek_product(trek, numbers) for trek in list_treks(model, one, other))

        assert sigma[one, other] == total


def trek_product(trek, numbers):
    """Return the product along a trek."""
    value = Fraction(1)
    for path in (trek.left, trek.right):
        for edge in pairwise(path):
            value *= numbers["b", *edge]
    one, other = trek.left[0], trek.right[0]
    if one == other:
        return value * numbers["v", one]
    return value * numbers[("c", one, other) if ("c", one, other) in numbers else ("c", other, one)]


def covariance_by_substitution(model, numbers):
    """Return Σ: every variable as a combination of errors, parents first."""
    names = [variable.name for variable in model.variables]
    rows = {}
    while len(rows) < len(names):
        for name in names:
            parents = [p for p, child in model.edges if child == name]
            if name not in rows and all(parent in rows for parent in parents):
                rows[name] = {error: Fraction(error == name) for error in names}
                for parent in parents:
                    for error in names:
                        rows[name][error] += numbers["b", parent, name] * rows[parent][error]
    omega = {("v", name): numbers["v", name] for name in names}

    def error(a, b):
        if a == b:
            return omega["v", a]
        return numbers.get(("c", a, b), numbers.get(("c", b, a), Fraction(0)))

    return {
        (i, j): sum(rows[i][a] * error(a, b) * rows[j][b] for a in names for b in names) for i in names for j in names
    }


def test_treks_need_a_graph_without_cycles():
    """With a cycle there are treks without end, which is said."""
    model = Gaussian(tuple(map(GaussianVariable, "AB")), (("A", "B"), ("B", "A")))

    with pytest.raises(InputError, match="cycle"):
        list_treks(model, "A", "B")


def test_the_number_of_treks_is_limited():
    """More treks than allowed are an error with the number."""
    model = Gaussian(tuple(map(GaussianVariable, "ABC")), (("A", "B"), ("A", "C"), ("B", "C")))

    with pytest.raises(LimitError, match="more than 1 treks"):
        list_treks(model, "A", "C", most=1)


def test_an_unknown_variable_is_named():
    """A name that the model does not have is answered with the known ones."""
    model = Gaussian(tuple(map(GaussianVariable, "AB")))

    with pytest.raises(InputError, match="no variable Z; known are A, B"):
        find_trek_separation(model, ["Z"], ["A"])


def test_means_have_paths_to_one():
    """Every free intercept is an arc to the vertex 1; without means there is none."""
    with_means = build_doubled_graph(Gaussian((GaussianVariable("A"),)))
    without = build_doubled_graph(Gaussian((GaussianVariable("A"),), means=False))

    assert with_means.find_reached(with_means.copies(1)) & with_means.constant
    assert not without.find_reached(without.copies(1)) & without.constant
