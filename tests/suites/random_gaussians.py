"""Random Gaussian models of every kind at once: latent variables, cycles, bidirected edges, fixed and equal entries."""

from __future__ import annotations

import random
from fractions import Fraction

from algdim.families.gaussian.model import Gaussian, GaussianVariable

VARIANCES = [Fraction(0), Fraction(1), Fraction(2), Fraction(1, 3)]
OTHERS = [Fraction(0), Fraction(0), Fraction(1), Fraction(-1), Fraction(2, 5)]


def gaussian_model(seed, *, most=7, cycles=True, special=True):
    """One model; the same for the same seed."""
    draw = random.Random(f"gaussian {seed}")
    names = [f"V{number}" for number in range(draw.randint(1, most))]
    draw.shuffle(names)
    latent = set(draw.sample(names, draw.randint(0, len(names) - 1)))
    backwards = 0.4 if cycles and draw.random() < 0.3 else 0.0
    density, correlated = draw.choice([0.2, 0.4, 0.6]), draw.choice([0.0, 0.1, 0.3])
    place = {name: number for number, name in enumerate(names)}
    edges = tuple(
        (one, other)
        for one in names
        for other in names
        if one != other and draw.random() < density and (place[one] < place[other] or draw.random() < backwards)
    )
    bidirected = tuple(
        (one, other) for one in names for other in names if place[one] < place[other] and draw.random() < correlated
    )
    variables = tuple(GaussianVariable(name, name not in latent) for name in names)
    model = Gaussian(variables, edges, bidirected, means=draw.random() < 0.5)
    return with_special_entries(draw, model) if special and draw.random() < 0.6 else model


def with_special_entries(draw, model):
    """Fix some entries and hold some equal."""
    share = draw.choice([0.05, 0.2, 0.4])
    fixed, equal = [], []
    for entry in model.entries:
        if draw.random() < share:
            if draw.random() < 0.6:
                fixed.append((entry, draw.choice(VARIANCES if entry[0] == "v" else OTHERS)))
            else:
                equal.append((entry, f"{entry[0]}{draw.randint(0, 1)}x"))
    fixed = possible(fixed, model.bidirected)
    return Gaussian(model.variables, model.edges, model.bidirected, model.means, fixed, tuple(equal))


def possible(fixed, bidirected):
    """The fixed entries without those that the record refuses: variances that leave no room for a covariance."""
    values = dict(fixed)
    for one, other in bidirected:
        covariance = values.get(("c", one, other))
        for name in (one, other):
            if values.get(("v", name)) == 0 and covariance != 0:
                del values["v", name]
        if covariance and covariance**2 >= values.get(("v", one), 99) * values.get(("v", other), 99):
            del values["c", one, other]
    return tuple(values.items())


def factor_model(factors, items, *, means=False):
    """Factors that are independent, each with an edge to every item."""
    names = [f"F{number + 1}" for number in range(factors)], [f"X{number + 1}" for number in range(items)]
    variables = (*(GaussianVariable(name, False) for name in names[0]), *map(GaussianVariable, names[1]))
    return Gaussian(variables, tuple((f, x) for f in names[0] for x in names[1]), means=means)
