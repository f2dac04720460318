"""Bounds of classifiers: HM97's linear map, where it is the dimension, and what is less where it is not."""

from __future__ import annotations

from itertools import combinations, product
from math import prod

import brute_classifier
import pytest
from amount import some
from hypothesis import given, settings
from test_classifier import FIGURE_2, chain, classifiers, naive

import algdim
from algdim.families.classifier.bounds import (
    bound_by_class_tables,
    bound_by_linear_map,
    bound_by_theorem,
    choose_cheapest_tables,
    collect_class_tables,
    explain_recipe,
    find_factors_not_full,
    is_recipe_valid,
)
from algdim.families.classifier.map import build_classifier_map
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.model import Network, Variable
from algdim.models.graphs import compute_span_dimension

COUNTEREXAMPLES = {
    "classifier Y: Y -> X2 <- X1; states Y=3, X1=3": (11, 12),
    "classifier Y: Y -> X2 <- X1; states Y=4": (11, 12),
    "classifier Y: Y -> A, B, X; A, B -> X; states Y=3, A=4, B=4": (62, 64),
}
"""The dimension, and what HM97 Theorem 1 gives."""


@pytest.mark.parametrize("text", COUNTEREXAMPLES)
def test_theorem_1_is_false(text):
    """For these classifiers the rank of the linear map is not the dimension, which is proved from both sides."""
    dimension, recipe = COUNTEREXAMPLES[text]
    cmap = build_classifier_map(algdim.model(text))
    report = algdim.dimension(text)

    assert recipe == bound_by_linear_map(cmap).value
    assert (dimension, True, "class-tables") == (report.dimension, report.exact, report.upper.kind)
    assert dimension == bound_by_class_tables(cmap).value
    assert not is_recipe_valid(cmap.model)
    assert bound_by_theorem(cmap) is None
    assert str(recipe) in explain_recipe(cmap)


@pytest.mark.parametrize(("text", "value"), [(FIGURE_2, 15), (naive(7), 8), (chain(7), 14), (naive(4, 5), 20)])
def test_where_the_theorem_holds(text, value):
    """Binary classes, and children that all have only the class as parent: the linear map alone gives both bounds."""
    cmap = build_classifier_map(algdim.model(text))

    assert is_recipe_valid(cmap.model)
    assert value == bound_by_linear_map(cmap).value == bound_by_theorem(cmap).value
    assert bound_by_class_tables(cmap) is None


FULL = {
    "classifier Y: Y -> A, X; A -> X; states Y=3, A=3": [],  # the parent is a child of the class, and large
    "classifier Y: Y -> A, X; A -> X; states Y=3, A=2": [],  # small, but its other parents are none
    "classifier Y: Y -> X; A -> X; states Y=3": ["X"],
    "classifier Y: Y -> X; A -> X; A -> Y; states Y=3": [],  # a parent of the class
    "classifier Y: Y -> X, Z; A -> X, Z; X -> Z; states Y=3, Z=3": [],  # a large child that comes later
    "classifier Y: Y -> X, Z; A -> X, Z; states Y=3": ["X", "Z"],  # each would serve the other
}


@pytest.mark.parametrize("text", FULL)
def test_the_hypothesis_is_checked(text):
    """Which factors are not shown to be full."""
    model = algdim.model(text)

    assert FULL[text] == [factor.owner for factor in find_factors_not_full(model)]
    assert is_recipe_valid(model) == (not FULL[text])


@settings(max_examples=some(60))
@given(classifiers(4, 4, most=200))
def test_the_cut_finds_the_least_sum(model):
    """No choice of tables that are counted by their parameters gives a smaller bound."""
    cmap = build_classifier_map(model)
    tables = collect_class_tables(cmap)
    bound = bound_by_class_tables(cmap)
    found = bound_by_linear_map(cmap).value if bound is None else bound.value
    sums = []
    for count in range(len(tables) + 1):
        for chosen in combinations(tables, count):
            rest = [factor.inputs for table in tables if table not in chosen for factor in table.factors]
            rank = (model.classes - 1) * compute_span_dimension(rest, model.states) if rest else 0
            sums.append(rank + sum(len(table.parameters) for table in chosen))

    assert min(sums) == found
    assert (bound is None) == (not choose_cheapest_tables(model, tables))


def test_a_shared_table_is_counted_once():
    """Two children with one table have its parameters once, which is less than their faces."""
    text = "classifier Y: Y -> X1, X2; A -> X1; B -> X2; states Y=4; share s: X1, X2"
    report = algdim.dimension(text)

    assert brute_classifier.dimension(algdim.model(text)) == report.dimension
    assert report.upper.value <= 3 + 8
    assert report.exact


def structures(count):
    """All acyclic graphs on this many variables, as tuples of parents."""
    pairs = list(combinations(range(count), 2))
    for choice in product((0, 1, 2), repeat=len(pairs)):
        parents = [[] for _ in range(count)]
        for (one, other), way in zip(pairs, choice, strict=True):
            if way:
                parents[one if way == 2 else other].append(other if way == 2 else one)
        left = set(range(count))
        while left and (roots := {node for node in left if not left & set(parents[node])}):
            left -= roots
        if not left:
            yield tuple(map(tuple, parents))


def check_structures(count, states):
    """Every classifier of variable 0: proved, at most the recipe, and equal to it where the hypothesis holds."""
    seen, differ = set(), 0
    for parents in structures(count):
        relevant = frozenset((node, parents[node]) for node in range(count) if node == 0 or 0 in parents[node])
        for sizes in product(states, repeat=count):
            if (relevant, sizes) in seen:
                continue
            seen.add((relevant, sizes))
            variables = tuple(
                Variable(f"V{node}", sizes[node], True, tuple(f"V{parent}" for parent in parents[node]))
                for node in range(count)
            )
            model = Classifier(Network(variables), "V0")
            report = algdim.dimension(model)
            recipe = bound_by_linear_map(build_classifier_map(model)).value

            assert report.exact, model
            assert report.dimension <= recipe
            if prod(sizes) <= 16:
                assert brute_classifier.dimension(model) == report.dimension
            if report.dimension < recipe:
                differ += 1
                assert not is_recipe_valid(model), model
    return len(seen), differ


def test_all_structures_on_three_variables():
    """With 2 or 3 states: whenever the recipe is wrong, its hypothesis is; and every dimension is proved."""
    count, differ = check_structures(3, (2, 3))

    assert count > 100
    assert differ > 0


@pytest.mark.slow
def test_all_structures_on_three_variables_with_up_to_five_states():
    """The same with 2 to 5 states."""
    assert check_structures(3, (2, 3, 4, 5))[1] > 0


@pytest.mark.slow
def test_all_structures_on_four_variables():
    """With 2 or 3 states: the same."""
    assert check_structures(4, (2, 3))[1] > 0
