"""Product functionals: cells and probes."""

from itertools import product
from math import prod

import numpy as np
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim.exact.arithmetic import Residues
from algdim.families.discrete.functionals import draw_probes, select_all_cells, select_marginal_cells
from algdim.families.discrete.map import get_param_map

FIELD = Residues(8388593)


@settings(max_examples=some(30))
@given(st.lists(st.integers(2, 4), min_size=1, max_size=4), st.data())
def test_cells_are_unit_vectors(items, data):
    """Functional number k picks cell number k of the table, the first variable slowest, in any batch."""
    pmap = get_param_map(algdim.model(f"2:{','.join(map(str, items))}"))
    cells = select_all_cells(pmap)
    start = data.draw(st.integers(0, cells.count - 1))
    stop = data.draw(st.integers(start + 1, cells.count))
    vectors = cells.vectors(FIELD, start, stop)

    assert prod(items) == cells.count
    for number, states in enumerate(list(product(*(range(size) for size in items)))[start:stop]):
        for vector, state, size in zip(vectors, states, items, strict=True):
            assert [int(other == state) for other in range(size)] == vector[:, number].tolist()


def test_marginal_cells_sum_over_the_other_axes():
    """Vectors of ones stand where nothing is asked."""
    pmap = get_param_map(algdim.model("2:2,3,4"))
    cells = select_marginal_cells(pmap, [pmap.observed[2], pmap.observed[0]])
    first, middle, last = cells.vectors(FIELD, 0, cells.count)

    assert 8 == cells.count
    assert (middle == 1).all()
    assert [0, 0, 0, 0, 1, 1, 1, 1] == first.argmax(axis=0).tolist()
    assert [0, 1, 2, 3, 0, 1, 2, 3] == last.argmax(axis=0).tolist()


def test_probes_do_not_depend_on_the_batch():
    """A batch is a slice of all probes."""
    field = FIELD
    pmap = get_param_map(algdim.model("2:2,3,4"))
    probes = draw_probes(pmap, 20, field.prime, 0, "label")
    whole = probes.vectors(field, 0, 20)
    pieces = [probes.vectors(field, start, min(start + 7, 20)) for start in range(0, 20, 7)]

    assert [(2, 20), (3, 20), (4, 20)] == [vector.shape for vector in whole]
    for axis, vector in enumerate(whole):
        assert (vector == np.concatenate([piece[axis] for piece in pieces], axis=1)).all()


def test_probes_follow_the_seed_and_the_labels():
    """The same seed and labels give the same probes, others give others."""
    pmap = get_param_map(algdim.model("2:2,3"))
    drawn = [
        [vector.tolist() for vector in draw_probes(pmap, 5, FIELD.prime, *key).vectors(FIELD, 0, 5)]
        for key in [(0,), (0,), ("0",), (1,), (0, 1), (0, "part")]
    ]

    assert drawn[0] == drawn[1] == drawn[2]
    assert 4 == len({str(numbers) for numbers in drawn})


def test_probes_are_drawn_among_all_residues():
    """Large and small residues occur, no value is preferred."""
    probes = draw_probes(get_param_map(algdim.model("2:5^20")), 300, 97, 0)
    numbers = np.concatenate(probes.vectors(Residues(97), 0, 300)) % 97

    assert (0, 96) == (numbers.min(), numbers.max())
    assert all(abs(np.count_nonzero(numbers == value) - 30000 / 97) < 6 * (30000 / 97) ** 0.5 for value in range(97))
