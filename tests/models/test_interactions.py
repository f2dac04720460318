"""Complexes of interactions, against the ranks of matrices of zeros and ones."""

from __future__ import annotations

from itertools import product

import brute
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st

from algdim.models.graphs import compute_face_dimension, compute_span_dimension, list_faces

SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=4)


@settings(max_examples=some(60))
@given(SIZES, st.data())
def test_the_span_is_a_rank(sizes, data):
    """The dimension of sums of functions of some sets is the rank of their indicators, whatever the sets."""
    states = {f"X{number}": size for number, size in enumerate(sizes)}
    sets = data.draw(st.lists(st.lists(st.sampled_from(list(states)), unique=True), min_size=1, max_size=4))
    rows = []
    for cell in product(*(range(size) for size in sizes)):
        at = dict(zip(states, cell, strict=True))
        rows.append(
            [
                int(all(at[name] == state for name, state in zip(some, chosen, strict=True)))
                for some in sets
                for chosen in product(*(range(states[name]) for name in some))
            ]
        )

    assert brute.rank(rows) == compute_span_dimension(sets, states)


def test_three_edges_are_no_triangle():
    """HM97 Figure 2a: the edges 12, 13, 23 of its complex do not make the face 123."""
    sets = [("X1", "X2"), ("X1", "X3", "X4"), ("X2", "X3", "X5")]
    states = dict.fromkeys(("X1", "X2", "X3", "X4", "X5"), 2)

    assert 15 == compute_span_dimension(sets, states) == len(list_faces(sets, list(states)))
    assert ("X1", "X2", "X3") not in list_faces(sets, list(states))


def test_the_empty_face_is_always_there():
    """The constants are sums of functions of any sets, also of none."""
    assert ((),) == list_faces([], "A")
    assert 1 == compute_span_dimension([[]], {"A": 3}) == compute_face_dimension((), {"A": 3})
