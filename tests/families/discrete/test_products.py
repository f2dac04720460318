"""Functionals that factorise over mechanisms: the same numbers as on the whole network, and enough of them."""

from __future__ import annotations

from itertools import accumulate

import brute
import numpy as np
import pytest
from amount import some
from brute_mechanisms import Interaction
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim import InputError
from algdim.bound.chance import compute_error
from algdim.exact.arithmetic import Residues
from algdim.exact.draws import draw_residues, open_stream
from algdim.families.discrete.functionals import list_products
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.products import (
    build_factor,
    find_replaceable_functions,
    is_replacement_worthwhile,
    replace_functions,
)
from algdim.jacobian import evaluate_functionals, evaluate_jacobian, make_method_evaluator
from algdim.rank import Task, draw

FIELD = Residues(8388593)


def whole(pmap, products):
    """The same functionals as vectors at the effects, for the whole network."""
    effects = {function.axis: place for place, function in enumerate(products.functions)}
    columns, first = [], 0
    for axis in pmap.observed:
        if axis in effects:
            function = products.functions[effects[axis]]
            choices, numbers = products.choices[:, effects[axis]], products.numbers[:, effects[axis]]
            columns.append(build_factor(function.rule, function.states, choices, numbers, FIELD))
        else:
            columns.append(products.weights[:, first : first + pmap.sizes[axis]].T)
            first += pmap.sizes[axis]
    bounds = tuple(accumulate(pmap.shape, initial=0))
    return list_products(bounds, np.concatenate([np.asarray(one).astype(np.int64) for one in columns]).T)


MODELS = [
    "noisy-or: {A},{B},{} -> E, F; hidden A, B",
    "max: {A,B},{B} -> E, F; hidden B; states E=3, A=3; A -> C",
    "sum: {A},{B} -> E, F; hidden A, B; states E.1=3",
    "parity: {A},{B},{A} -> E; hidden A",
    "at-least 1: {A},{B} -> E, F; hidden A, B",
    "at-least 2: {A},{B} -> E, F; hidden A, B",
    "noisy-max: {A},{B} -> E; states E=4; given A",
    "A -> X; B -> Y; X, Y -> E, F; hidden X; max E; parity F",
    "max: {A,B},{C} -> E; {A},{B} -> E.1; sum E.1; hidden A, B",
    "max: {H} -> E; {H} -> F; at-least 2 G; X, Y, Z <- H; X, Y, Z -> G; hidden H",
]


@pytest.mark.parametrize("text", MODELS)
def test_values_and_derivatives_are_those_of_the_whole_network(text):
    """Vectors at the mechanisms in place of one at the effect change nothing."""
    pmap = get_param_map(algdim.model(text))
    evaluator = replace_functions(pmap)
    products = evaluator.draw_products(7, FIELD.prime, 0, "test")
    same = whole(pmap, products)
    point = FIELD.elements(draw_residues(open_stream(0, "point"), FIELD.prime, len(pmap.parameters)))

    left = evaluate_functionals(pmap, FIELD, point, products.functionals, evaluator=evaluator)
    assert (FIELD.elements(evaluate_functionals(pmap, FIELD, point, same)) == FIELD.elements(left)).all()
    left = evaluate_jacobian(pmap, FIELD, point, products.functionals, evaluator=evaluator)
    assert (FIELD.elements(evaluate_jacobian(pmap, FIELD, point, same)) == FIELD.elements(left)).all()


@pytest.mark.parametrize("text", MODELS)
def test_products_are_enough(text):
    """The dimension is found, as brute force finds it."""
    model = algdim.model(text)
    report = algdim.dimension(model, method="products")

    assert brute.dimension(model) == report.dimension


@given(st.integers(1, 3), st.integers(1, 4), st.sampled_from(["noisy-or", "max", "sum", "parity", "at-least 1"]))
@settings(max_examples=some(25))
def test_products_and_probes_agree(causes, effects, word):
    """In networks of two layers both methods find the same rank."""
    names = [f"H{i}" for i in range(causes)]
    braces = ",".join(f"{{{name}}}" for name in names)
    text = f"{word}: {braces} -> {', '.join(f'E{i}' for i in range(effects))}; hidden {', '.join(names)}; leak"

    assert algdim.dimension(text, method="probes").dimension == algdim.dimension(text, method="products").dimension


def test_models_without_functions_take_probes():
    """The method may be forced for every model."""
    report = algdim.dimension("4:3,3,3", method="products")

    assert 25 == report.dimension
    assert {"probes"} == {draw.functionals for draw in report.draws}


def test_functions_that_others_depend_on_stay():
    """An effect with children, a hidden one and a threshold between are not replaced."""
    pmap = get_param_map(
        algdim.model("A -> X; B -> Y; X, Y -> E, F, G; E -> Z; G -> W; A -> G; hidden F, X; max E, F; at-least 2 G")
    )

    assert [] == find_replaceable_functions(pmap)
    assert replace_functions(pmap) is None
    assert not is_replacement_worthwhile(pmap)


def test_no_chance_is_claimed():
    """The lemma on chances speaks of uniform vectors only."""
    pmap = get_param_map(algdim.model("noisy-or: {A},{B} -> E, F, G; hidden A, B"))
    drawn = draw(Task(pmap, make_method_evaluator(pmap, "products")), "products")

    assert "products" == drawn.functionals
    assert 1.0 == compute_error(pmap, [drawn], drawn.rank.value)


def test_cells_are_no_products():
    """All coordinates at once are refused."""
    with pytest.raises(InputError, match="the cells do not factorise"):
        replace_functions(get_param_map(algdim.model(Interaction((2,), (((0,), 2),), "max").text))).all_coordinates()
