"""Verma-type equations: Verma's, those with several steps, none where independences say all; checked in numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from algdim.explanation.verma import topological, verma_equations, verma_text
from algdim.models.notation import parse
from algdim.models.projection import latent_projection

VERMA = "A -> B -> C -> D; U -> B, D; hidden U; states U=3"
LONG = "A -> B -> C -> D -> E; U -> B, D; V -> C, E; hidden U, V"
THREE = "A -> B -> C -> D -> E; U -> B, D; V -> B, E; hidden U, V"


def observed_table(model, seed):
    """Return the table of the observed variables at random rational tables, as floats."""
    source = np.random.default_rng(seed)
    names = [variable.name for variable in model.variables]
    tables = {}
    for variable in model.variables:
        shape = [model.states[parent] for parent in variable.parents]
        drawn = source.integers(1, 20, size=(*shape, variable.states)).astype(float)
        tables[variable.name] = drawn / drawn.sum(axis=-1, keepdims=True)
    observed = [variable.name for variable in model.observed]
    table = np.zeros([model.states[name] for name in observed])
    for states in product(*(range(model.states[name]) for name in names)):
        at = dict(zip(names, states, strict=True))
        chance = 1.0
        for variable in model.variables:
            chance *= tables[variable.name][(*(at[parent] for parent in variable.parents), at[variable.name])]
        table[tuple(at[name] for name in observed)] += chance
    return table


def kernel_of(table, order, inside, rest):
    """Return the part of a kernel that belongs to a district: the conditional probabilities of its members in order.

    The axes of the table are all vertices; those in ``rest`` are random, the others fixed or constant.
    """
    result = np.ones_like(table)
    random = [v for v in order if rest >> v & 1]
    for vertex in random:
        if inside >> vertex & 1:
            later = tuple(v for v in random if random.index(v) > random.index(vertex))
            upto = table.sum(axis=later, keepdims=True) if later else table
            result = result * upto / upto.sum(axis=vertex, keepdims=True)
    return result


@pytest.mark.parametrize("text", [VERMA, LONG, THREE, "A -> B -> C -> D; A -> C; U -> B, D; hidden U"])
def test_they_hold(text):
    """At random tables the kernel at the end of the steps does not change with what it does not depend on."""
    model = parse(text)
    graph = latent_projection(model)
    order = topological(graph)
    equations = verma_equations(model)

    assert equations
    for found in equations:
        table, rest = observed_table(model, 1), graph.everything
        table = kernel_of(table, order, found.steps[0].target, rest)
        rest = found.steps[0].target
        for step in found.steps[1:]:
            (axis,) = [v for v in range(len(graph.names)) if step.summed >> v & 1]
            table = np.repeat(table.sum(axis=axis, keepdims=True), table.shape[axis], axis=axis)
            rest &= ~step.summed
            table = kernel_of(table, order, step.target, rest)
            rest = step.target
        spare = [v for v in range(len(graph.names)) if found.independent_of >> v & 1]
        for axis in spare:
            assert np.allclose(table, np.flip(table, axis=axis)), verma_text(found)


def test_verma():
    """The equation of Verma and Pearl."""
    assert ["Σ_B P(B|A) P(D|A,B,C) does not depend on A"] == [verma_text(one) for one in verma_equations(parse(VERMA))]


@pytest.mark.parametrize(
    "text", ["2:2,2,2", "A -> B -> C", "A -> C <- H -> D <- B; hidden H", "A -> B; U -> A, B; hidden U"]
)
def test_none_where_independences_say_all(text):
    """Without a vertex that can be summed out below another there is none."""
    assert () == verma_equations(parse(text))


def test_a_number_is_what_it_is():
    """The sum in Verma's equation, written out for one model in fractions, is the same for both states of A."""
    model = parse("A -> B -> C -> D; U -> B, D; hidden U")
    table = observed_table(model, 3)
    a, b, c, d = 0, 1, 0, 1
    given = [
        sum(table[x, y].sum() / table[x].sum() * table[x, y, c, d] / table[x, y, c].sum() for y in range(2))
        for x in (a, b)
    ]

    assert Fraction(given[0]).limit_denominator(10**9) == Fraction(given[1]).limit_denominator(10**9)
