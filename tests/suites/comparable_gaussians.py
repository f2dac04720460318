"""Random pairs of Gaussian models of the same variables, and exact members of each by textbook formulas."""

from __future__ import annotations

import random
from dataclasses import replace

import brute
import brute_gaussian
from suites.random_gaussians import gaussian_model, with_special_entries

from algdim import AlgdimError
from algdim.families.gaussian.model import Gaussian


def model_of(seed, count, *, means):
    """A random model that observes A, B, … this many; with latent variables, cycles, fixed and equal entries."""
    for attempt in range(10_000):
        try:
            model = gaussian_model(f"{seed} {attempt}", most=5)
            if len(model.observed) == count:
                return with_names(model, means)
        except AlgdimError:
            continue
    raise AssertionError(f"no model for {seed}")


def with_names(model, means):
    """The observed variables called A, B, …, and intercepts only if there are means."""
    observed = [one.name for one in model.observed]
    names = dict(zip(observed, "ABCDE"[: len(observed)], strict=True))
    names |= {one.name: f"L{number}" for number, one in enumerate(model.hidden)}

    def entries(special):
        return tuple(((one[0], *map(names.get, one[1:])), value) for one, value in special if means or one[0] != "m")

    return Gaussian(
        tuple(sorted((replace(one, name=names[one.name]) for one in model.variables), key=lambda one: one.name)),
        tuple(tuple(map(names.get, edge)) for edge in model.edges),
        tuple(tuple(map(names.get, pair)) for pair in model.bidirected),
        means,
        entries(model.fixed),
        entries(model.equal),
    )


def submodel_of(model, seed):
    """Entries of a free model fixed and made equal."""
    return with_special_entries(random.Random(f"submodel {seed}"), model)


def member(model, seed):
    """1, the covariances, and the means at a random point, modulo the prime; A, B, … in order."""
    point = brute_gaussian.random_point(model, seed)
    return [1, *(brute.residue(one.value) for one in brute_gaussian.coordinates_at(model, point))]


def violates(first, second, seed=0):
    """Whether a member of the first model violates a linear or quadratic equation that random members of the second obey."""
    values = member(first, f"violates {seed}")
    return brute.violates_quadrics(values, lambda number: member(second, f"{seed} {number}"))
