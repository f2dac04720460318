"""Directions at a point: kernels modulo a prime, and ranks block by block."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import algdim
from algdim.bound.searches import Directions
from algdim.families.discrete.bounds.directions import (
    compute_right_kernel,
    find_movable_factors,
    iterate_blocks,
    list_parameter_numbers,
    rank_of,
)
from algdim.families.discrete.map import get_param_map

PRIME = 101


def directions(parameters, *rows):
    """Directions with these rows."""
    return Directions(np.array(parameters), np.array(rows), "", {})


@given(st.integers(0, 5), st.integers(1, 6), st.data())
def test_kernel(height, width, data):
    """The kernel has as many rows as the rank leaves, they are independent, and the matrix maps them to zero."""
    entries = data.draw(st.lists(st.integers(0, 3), min_size=height * width, max_size=height * width))
    matrix = np.array(entries, dtype=np.int64).reshape(height, width)
    rank, kernel = compute_right_kernel(matrix, PRIME)
    assert (width - rank, width) == kernel.shape
    assert not (matrix @ kernel.T % PRIME).any()
    assert width - rank == rank_of([Directions(np.arange(width), kernel, "", {})], PRIME)


def test_blocks():
    """Directions with a parameter in common are in one block, and ranks of blocks add up."""
    one, two, three = directions([0, 1], [1, 2]), directions([3, 1], [0, 2], [1, 1]), directions([2], [5], [7])
    assert [(3, 3), (2, 1)] == [block.shape for block in iterate_blocks([one, two, three])]
    assert 4 == rank_of([one, two, three], PRIME)
    assert 3 == rank_of([directions([1, 0], [4, 2]), one, two, three], PRIME) - 1
    assert 0 == rank_of([], PRIME)


def test_parameter_numbers():
    """Each entry of a free table is a parameter but the last of its row; shared and fixed tables cannot move."""
    pmap = get_param_map(algdim.model("A -> B -> C; A -> D; share T: B, C; fix P(D=0|A=0)=1/2; states A=2, B=2, C=2"))
    names = [pmap.model.variables[factor.axes[-1]].name for factor in pmap.factors]
    assert {"A": True, "B": False, "C": False, "D": False} == dict(zip(names, find_movable_factors(pmap), strict=True))
    free = get_param_map(algdim.model("A -> B; states A=2, B=3"))
    assert [[0, -1], [[1, 2, -1], [3, 4, -1]]] == [list_parameter_numbers(free, number).tolist() for number in (0, 1)]
