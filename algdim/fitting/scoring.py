"""Scoring with damping: what EM gains in a thousand steps where classes overlap, this gains in some thirty.

In the logarithms of the shares the gradient is g = n − m·q: expected counts less their group's total times the share. The
information is estimated by Σ N_p s_p s_pᵀ over the patterns, s_p being the gradient of log p of one pattern, which the same
contraction gives. A step solves (information + μ·diag(n)) Δ = g and is taken only if the objective does not fall; with a
large μ it is a short step of EM's kind, with a small one Newton's where the model fits. μ falls after a success and
rises after a failure (Levenberg and Marquardt). A singular information, as of a model with defect, does no harm.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algdim.exact.arithmetic import Floats
from algdim.fitting.climbing import Chosen, Climbers, Flags, Problem, Progress, Tolerance, said
from algdim.fitting.likelihood import Evaluator, Numbers, Tables, pattern_counts
from algdim.fitting.shares import Shares, flattened
from algdim.maps.contraction import evaluate, gradients

FIRST_DAMPING = 1.0
LEAST_DAMPING = 1e-8
AFTER_FAILURE = 4.0
AFTER_SUCCESS = 1 / 3
ENOUGH = 0.5
"""The gain must be this part of what the step promised for the damping to fall."""
LONGEST = 5.0
"""No logarithm of a share moves farther at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Damped:
    """Climbers with their dampings and informations, which a failure keeps."""

    climbers: Climbers
    damping: Numbers
    information: Numbers

    def take(self, chosen: Chosen) -> Damped:
        """Some of them."""
        return Damped(self.climbers.take(chosen), self.damping[chosen], self.information[chosen])


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
    at = problem.evaluator(len(active))
    size = len(shares.group)
    live = Damped(climbers.take(active), np.full(len(active), FIRST_DAMPING), np.zeros((len(active), size, size)))
    renew: Flags = np.ones(len(active), dtype=np.bool_)
    together = shares.together
    for _ in range(steps):
        live, renew = scored_once(problem, shares, together, at, live, renew)
        done = tolerance.reached(live.climbers)
        if done.any():
            climbers = climbers.put(active[done], live.climbers.take(done))
            active, live, renew = active[~done], live.take(~done), renew[~done]
            if not len(active):
                return climbers
            at = at.narrowed(len(active))
        said(progress, climbers, live.climbers)
    return climbers.put(active, live.climbers)


def scored_once(
    problem: Problem, shares: Shares, together: Numbers, at: Evaluator, live: Damped, renew: Flags
) -> tuple[Damped, Flags]:
    """One step from every start: taken where the objective does not fall, else the damping rises."""
    old, pseudo = live.climbers, problem.maximizer.pseudo
    values = shares.of(old.tables)
    counts = flattened([found + more for found, more in zip(old.expected, pseudo, strict=True)]) @ shares.uses
    found = live.information
    if renew.any():
        found = found.copy()
        found[renew] = information(at.narrowed(int(renew.sum())), shares, [table[renew] for table in old.tables])
    prior = np.concatenate([more.ravel() for more in pseudo]) @ shares.uses
    mass = values * (prior @ together)
    curved = found - together * mass[:, :, None] * values[:, None, :]
    places = np.arange(len(shares.group))
    curved[:, places, places] += mass
    slope = counts - values * (counts @ together)
    system = curved.copy()
    system[:, places, places] += live.damping[:, None] * (counts + 1e-9 * problem.sample.size) + TINIEST
    move = np.linalg.solve(system, slope[:, :, None])[:, :, 0]
    longest = np.abs(move).max(axis=1, keepdims=True)
    move *= np.minimum(1.0, LONGEST / np.where(longest > 0, longest, 1.0))
    promised = (slope * move).sum(axis=1) - 0.5 * np.einsum("re,ref,rf->r", move, curved, move)
    raised = values * np.exp(move)
    new = problem.arrived(at, shares.tables(raised / (raised @ together), old.tables), old)
    taken = new.objective >= old.objective
    # near the maximum nothing can be gained that rounding shows: what counts is what was promised, and what EM would gain
    gain = np.maximum(np.maximum(np.where(taken, new.gain, 0.0), promised), em_gain(values, counts, together))
    chosen = new.where(taken, old)
    climbers = Climbers(chosen.tables, chosen.expected, chosen.objective, gain, new.steps)
    good = taken & (new.objective - old.objective >= ENOUGH * promised)
    damping = live.damping * np.where(taken, np.where(good, AFTER_SUCCESS, 1.0), AFTER_FAILURE)
    return Damped(climbers, np.maximum(damping, LEAST_DAMPING), found), taken


def em_gain(values: Numbers, counts: Numbers, together: Numbers) -> Numbers:
    """A lower bound of what a step of EM gains: Σ n log(q′/q), q′ being the shares that EM would take."""
    totals = counts @ together
    wanted = np.where(totals > 0, counts / np.where(totals > 0, totals, 1.0), values)
    positive = (wanted > 0) & (values > 0)
    ratio = np.where(positive, wanted, 1.0) / np.where(positive, values, 1.0)
    return np.asarray(np.where(positive, counts * np.log(ratio), 0.0).sum(axis=1))


TINIEST = 1e-12
"""On the diagonal, so that shares without any counts leave the system regular."""
