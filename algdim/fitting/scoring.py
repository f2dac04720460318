"""Scoring with damping: what EM gains in a thousand steps where classes overlap, this gains in some thirty.

In the logarithms of the shares the gradient is g = n − m·q: expected counts less their group's total times the share. The
information is estimated by Σ N_p s_p s_pᵀ over the patterns, s_p being the gradient of log p of one pattern, which the same
contraction gives. A step solves (information + μ·diag(n)) Δ = g and is taken only if the objective does not fall; with a
large μ it is a short step of EM's kind, with a small one Newton's where the model fits. μ falls after a success and
rises after a failure (Levenberg and Marquardt). A singular information, as of a model with defect, does no harm.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from algdim.exact.arithmetic import Floats
from algdim.families.discrete.contraction import evaluate, gradients
from algdim.fitting.climbing import Climbers, Flags, LikelihoodFamily, Problem, Progress, Tolerance, said
from algdim.fitting.likelihood import LikelihoodEvaluator, Numbers, Tables, pattern_counts
from algdim.fitting.shares import Shares

TINIEST = 1e-12
"""On the diagonal, so that shares without any counts leave the system regular."""
LEAST_DAMPING = 1e-8
AFTER_FAILURE = 4.0
AFTER_SUCCESS = 1 / 3
ENOUGH = 0.5
"""The gain must be this part of what the step promised for the damping to fall."""
LONGEST = 5.0
"""No logarithm of a share moves farther at once."""


def information(at: LikelihoodEvaluator, shares: Shares, tables: Tables) -> Numbers:
    """Σ N_p s_p s_pᵀ at every restart."""
    factors = at.factors(tables)
    values_of, slopes = shares.of(tables), shares.slopes(tables)
    arrays = tables[: len(tables) - len(shares.curved)]
    kept = shares.kept
    chosen = kept[kept < len(shares.group)]
    total = np.zeros((len(values_of), len(kept), len(kept)))
    start = 0
    for chunk in at.chunks:
        patterns = slice(start, start + len(chunk.counts))
        start = patterns.stop
        found = None if at.mixture is None else at.mixture.by_pattern(arrays, patterns)
        if found is None:
            values, tape = evaluate(at.plan, Floats(), factors, chunk.vectors)
            found = pattern_counts(at, arrays, gradients(at.plan, Floats(), tape), values)
        counts = np.concatenate(found, axis=1)
        score = shares.gradient(slopes, values_of, counts, chosen)
        score *= np.sqrt(chunk.counts)
        total += np.matmul(score, score.transpose(0, 2, 1))  # of one array and itself: half of the work
    return shares.completed(total)


def scored(
    problem: Problem[LikelihoodFamily],
    shares: Shares,
    climbers: Climbers,
    steps: int,
    tolerance: Tolerance,
    progress: Progress | None,
) -> Climbers:
    """Take up to so many steps from every start that has not converged; each contraction at new tables is one."""
    active = np.flatnonzero(~tolerance.reached(climbers))
    if not len(active):
        return climbers
    at, live = cast("LikelihoodEvaluator", problem.evaluator(len(active))), climbers.take(active)
    width = len(shares.group) + sum(curve.size for _, _, curve in shares.curved)
    known = np.zeros((len(active), width, width))
    renew: Flags = np.ones(len(active), dtype=np.bool_)
    for _ in range(steps):
        if renew.any():
            at_new = at.narrowed(int(renew.sum()))
            known[renew] = information(at_new, shares, [table[renew] for table in live.tables])
        live, renew = scored_once(problem, shares, at, live, known)
        done = tolerance.reached(live)
        if done.any():
            climbers = climbers.put(active[done], live.take(done))
            active, live, renew, known = active[~done], live.take(~done), renew[~done], known[~done]
            if not len(active):
                return climbers
            at = at.narrowed(len(active))
        said(progress, climbers, live)
    return climbers.put(active, live)


def scored_once(
    problem: Problem[LikelihoodFamily], shares: Shares, at: LikelihoodEvaluator, old: Climbers, known: Numbers
) -> tuple[Climbers, Flags]:
    """One step from every start, and which were taken: those that do not lower the objective; else the damping rises."""
    values, slopes = shares.of(old.tables), shares.slopes(old.tables)
    flat = shares.entries(old.expected) + shares.pseudo
    slope = shares.gradient(slopes, values, flat[:, :, None])[:, :, 0]
    curved, counts = known, flat @ shares.uses
    if shares.pseudo.any():
        curved = known + shares.complete(slopes, values, old.tables, np.broadcast_to(shares.pseudo, flat.shape))
    weight = counts
    if slopes:
        inside = shares.complete(slopes, values, old.tables, flat)
        weight = np.concatenate([counts, np.einsum("rww->rw", inside)[:, counts.shape[1] :]], axis=1)
    system = curved.copy()
    places = np.arange(system.shape[1])
    system[:, places, places] += old.damping[:, None] * (weight + 1e-9 * problem.family.sample.size) + TINIEST
    move = np.asarray(np.linalg.solve(system, slope[:, :, None])[:, :, 0], dtype=np.float64)
    longest = np.abs(move).max(axis=1, keepdims=True)
    move *= np.minimum(1.0, LONGEST / np.where(longest > 0, longest, 1.0))
    promised = (slope * move).sum(axis=1) - 0.5 * np.einsum("re,ref,rf->r", move, curved, move)
    new = problem.arrived(at, shares.moved(values, move, old.tables), old)
    taken = new.objective >= old.objective
    # near the maximum nothing can be gained that rounding shows: what counts is what was promised, and what EM would gain
    gain = np.maximum(np.maximum(np.where(taken, new.gain, 0.0), promised), em_gain(values, counts, shares))
    good = taken & (new.objective - old.objective >= ENOUGH * promised)
    damping = old.damping * np.where(taken, np.where(good, AFTER_SUCCESS, 1.0), AFTER_FAILURE)
    chosen = new.where(taken, old)
    return replace(chosen, gain=gain, steps=new.steps, damping=np.maximum(damping, LEAST_DAMPING)), taken


def em_gain(values: Numbers, counts: Numbers, shares: Shares) -> Numbers:
    """A lower bound of what a step of EM gains: Σ n log(q′/q), q′ being the shares that EM would take."""
    totals = shares.totals(counts)
    wanted = np.where(totals > 0, counts / np.where(totals > 0, totals, 1.0), values)
    positive = (wanted > 0) & (values > 0)
    ratio = np.where(positive, wanted, 1.0) / np.where(positive, values, 1.0)
    return np.asarray(np.where(positive, counts * np.log(ratio), 0.0).sum(axis=1))
