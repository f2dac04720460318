"""Checks equations whose matrices have rank one on the model: their derivatives vanish along it."""

from __future__ import annotations

import numpy as np

from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.ranks import both_kernels, rank_mod
from algdim.families.discrete.bounds.equations import start
from algdim.families.discrete.functionals import select_all_cells
from algdim.jacobian import evaluate_jacobian


def count_vanishing_forms(setting, equations):
    """How many derivatives other than zero were compared with the tangents at a point, on all of which they vanish."""
    pmap, collector = setting.pmap, start(setting)
    at, met = collector.at, 0
    point = draw_residues(open_stream(0, "point", *at.point.split("|")), at.prime, pmap.parameter_count)
    jacobian = evaluate_jacobian(pmap, at.field, at.field.elements(point), select_all_cells(pmap))
    for one in equations:
        for _, matrix in one.matrices(at):
            assert 1 == rank_mod(np.remainder(matrix.values, at.prime).astype(np.int64), at.prime).value
            kernels = both_kernels(matrix.values, 1, at.prime)
            if kernels is None:
                continue
            pairs = collector.basis.draw_pairs(*kernels, 6)
            forms = matrix.pulled_back(*pairs).reshape(len(pairs[0]), -1)
            assert not at.field.matmul(forms, jacobian).any()
            met += int(np.count_nonzero(forms.any(axis=1)))
    return met
