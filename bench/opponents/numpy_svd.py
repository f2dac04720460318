"""numpy: singular values of the Jacobian at a random distribution, counted above the usual tolerance. No proof."""

from __future__ import annotations

from collections.abc import Sequence

from measuring import clock

NAME = "numpy SVD"


def dimension(classes: int, items: Sequence[int], seed: int) -> tuple[int, float, float, float]:
    """The dimension and the seconds for table, conversion and rank."""
    import numpy as np

    from opponents.full_table import of_floats

    began = clock()
    matrix = of_floats(classes, items, seed)
    # columns of very different lengths would hide small singular values
    matrix /= np.sqrt(np.einsum("ij,ij->i", matrix, matrix))[:, None]
    built = clock()
    values = np.linalg.svd(matrix, compute_uv=False)
    rank = int(np.count_nonzero(values > values[0] * max(matrix.shape) * np.finfo(np.float64).eps))
    return rank, built - began, 0.0, clock() - built


def missing() -> str:
    """Why it cannot be asked: it is always there."""
    return ""
