"""Scoring with damping: what EM gains in a thousand steps where classes overlap, this gains in some thirty.

In the logarithms of the shares the gradient is g = n − m·q: expected counts less their group's total times the share. The
information is estimated by Σ N_p s_p s_pᵀ over the patterns, s_p being the gradient of log p of one pattern, which the same
contraction gives. A step solves (information + μ·diag(n)) Δ = g and is taken only if the objective does not fall; with a
large μ it is a short step of EM's kind, with a small one Newton's where the model fits. μ falls after a success and
rises after a failure (Levenberg and Marquardt). A singular information, as of a model with defect, does no harm.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from algdim.exact.arithmetic import Floats
from algdim.fitting.climbing import Climbers, Flags, Problem, Progress, Tolerance, said
from algdim.fitting.likelihood import Evaluator, Numbers, Tables, pattern_counts
from algdim.fitting.shares import Shares, flattened
from algdim.maps.contraction import evaluate, gradients

TINIEST = 1e-12
"""On the diagonal, so that shares without any counts leave the system regular."""
LEAST_DAMPING = 1e-8
AFTER_FAILURE = 4.0
AFTER_SUCCESS = 1 / 3
ENOUGH = 0.5
"""The gain must be this part of what the step promised for the damping to fall."""
LONGEST = 5.0
"""No logarithm of a share moves farther at once."""


def information(at: Evaluator, shares: Shares, tables: Tables) -> Numbers:
    """Σ N_p s_p s_pᵀ at every restart."""
    factors = at.factors(tables)
    values_of = shares.of(tables)
    total = np.zeros((len(values_of), len(shares.group), len(shares.group)))
    for chunk in at.chunks:
        values, tape = evaluate(at.plan, Floats(), factors, chunk.vectors)
        counts = np.concatenate(pattern_counts(at, tables, gradients(at.plan, Floats(), tape), values), axis=1)
        per_share = np.matmul(shares.uses.T, counts)
        score = per_share - values_of[:, :, None] * np.matmul(shares.together, per_share)
        total += np.matmul(score * chunk.counts, score.transpose(0, 2, 1))
    return total


def scored(
    problem: Problem, shares: Shares, climbers: Climbers, steps: int, tolerance: Tolerance, progress: Progress | None
) -> Climbers:
    """Take up to so many steps from every start that has not converged; each contraction at new tables is one."""
    active = np.flatnonzero(~tolerance.reached(climbers))
    if not len(active):
        return climbers
    at, live = problem.evaluator(len(active)), climbers.take(active)
    together = shares.together
    known = np.zeros((len(active), *together.shape))
    renew: Flags = np.ones(len(active), dtype=np.bool_)
    for _ in range(steps):
        if renew.any():
            at_new = at.narrowed(int(renew.sum()))
            known[renew] = information(at_new, shares, [table[renew] for table in live.tables])
        live, renew = scored_once(problem, shares, together, at, live, known)
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
    problem: Problem, shares: Shares, together: Numbers, at: Evaluator, old: Climbers, known: Numbers
) -> tuple[Climbers, Flags]:
    """One step from every start, and which were taken: those that do not lower the objective; else the damping rises."""
    pseudo = problem.maximizer.pseudo
    values = shares.of(old.tables)
    counts = flattened([found + more for found, more in zip(old.expected, pseudo, strict=True)]) @ shares.uses
    curved = with_prior(known, values, np.concatenate([more.ravel() for more in pseudo]) @ shares.uses, together)
    slope = counts - values * (counts @ together)
    system = curved.copy()
    places = np.arange(len(shares.group))
    system[:, places, places] += old.damping[:, None] * (counts + 1e-9 * problem.sample.size) + TINIEST
    move = np.linalg.solve(system, slope[:, :, None])[:, :, 0]
    longest = np.abs(move).max(axis=1, keepdims=True)
    move *= np.minimum(1.0, LONGEST / np.where(longest > 0, longest, 1.0))
    promised = (slope * move).sum(axis=1) - 0.5 * np.einsum("re,ref,rf->r", move, curved, move)
    raised = values * np.exp(move)
    new = problem.arrived(at, shares.tables(raised / (raised @ together), old.tables), old)
    taken = new.objective >= old.objective
    # near the maximum nothing can be gained that rounding shows: what counts is what was promised, and what EM would gain
    gain = np.maximum(np.maximum(np.where(taken, new.gain, 0.0), promised), em_gain(values, counts, together))
    good = taken & (new.objective - old.objective >= ENOUGH * promised)
    damping = old.damping * np.where(taken, np.where(good, AFTER_SUCCESS, 1.0), AFTER_FAILURE)
    chosen = new.where(taken, old)
    return replace(chosen, gain=gain, steps=new.steps, damping=np.maximum(damping, LEAST_DAMPING)), taken


def with_prior(known: Numbers, values: Numbers, prior: Numbers, together: Numbers) -> Numbers:
    """The information with that of the prior: per group total·(diag(q) − q qᵀ)."""
    if not prior.any():
        return known
    mass = values * (prior @ together)
    result = known - together * mass[:, :, None] * values[:, None, :]
    places = np.arange(len(prior))
    result[:, places, places] += mass
    return result


def em_gain(values: Numbers, counts: Numbers, together: Numbers) -> Numbers:
    """A lower bound of what a step of EM gains: Σ n log(q′/q), q′ being the shares that EM would take."""
    totals = counts @ together
    wanted = np.where(totals > 0, counts / np.where(totals > 0, totals, 1.0), values)
    positive = (wanted > 0) & (values > 0)
    ratio = np.where(positive, wanted, 1.0) / np.where(positive, values, 1.0)
    return np.asarray(np.where(positive, counts * np.log(ratio), 0.0).sum(axis=1))
