"""Random Gaussian models of every kind at once: latent variables, cycles, bidirected edges, fixed and equal entries."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

from algdim.errors import InputError
from algdim.families.gaussian.model import ONE, Gaussian, GaussianVariable, find_components

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
    found = Gaussian(model.variables, model.edges, model.bidirected, model.means, fixed, tuple(equal))
    return with_sums(random.Random(f"sums {draw.random()}"), found) if draw.random() < 0.3 else found


def with_sums(draw, model):
    """Make some entries sums of others."""
    special = {entry for entry, _ in (*model.fixed, *model.equal)}
    block = {name: number for number, members in enumerate(find_components(model)) for name in members}
    free = [entry for entry in model.entries if entry not in special]
    left = [one for one in free if one[0] != "b" or block[one[1]] != block[one[2]]]
    left = draw.sample(left, min(len(left), draw.randint(1, 2)))
    right = [entry for entry in model.entries if entry not in left]
    linear = []
    for entry in left:
        some = [(other, draw.choice(FACTORS)) for other in draw.sample(right, min(len(right), draw.randint(1, 2)))]
        constant = [(ONE, Fraction(2))] if draw.random() < 0.4 or entry[0] == "v" else []
        linear.append((entry, (*constant, *some)))
    try:
        return replace(model, linear=tuple(linear))
    except InputError:  # a variance that is negative, or that leaves no room for a covariance
        return model


FACTORS = [Fraction(1), Fraction(-1), Fraction(1, 2), Fraction(3)]


def grouped_model(seed):
    """Two groups with the same variables, some numbers being equal in both, some by their names, some as sums."""
    one = gaussian_model(seed, most=3, cycles=False)
    draw = random.Random(f"groups {seed}")

    def within(names):
        return tuple(f"{name}.{group}" for group in "ab" for name in names)

    def entry_in(entry, group):
        return (*entry[:1], *(f"{name}.{group}" for name in entry[1:]))

    special = {entry for entry, _ in (*one.fixed, *one.linear)}
    equal = [(entry_in(entry, group), label) for entry, label in one.equal for group in "ab"]
    named = special | {entry for entry, _ in one.equal}
    shared = [entry for entry in one.entries if entry not in named and draw.random() < 0.4]
    equal += [(entry_in(entry, group), ".".join(entry)) for entry in shared for group in "ab"]
    named |= {other for _, terms in one.linear for other, _ in terms}
    free = [entry for entry in one.entries if entry not in named and entry not in shared]
    across = (
        [(entry_in(free[0], "a"), ((entry_in(free[0], "b"), Fraction(2)),))] if free and draw.random() < 0.5 else []
    )
    return Gaussian(
        tuple(
            replace(variable, name=name)
            for variable, name in zip(2 * one.variables, within([v.name for v in one.variables]), strict=True)
        ),
        tuple((f"{a}.{group}", f"{b}.{group}") for group in "ab" for a, b in one.edges),
        tuple((f"{a}.{group}", f"{b}.{group}") for group in "ab" for a, b in one.bidirected),
        one.means,
        tuple((entry_in(entry, group), value) for entry, value in one.fixed for group in "ab"),
        tuple(equal),
        tuple(
            (
                entry_in(entry, group),
                tuple((entry_in(other, group) if other else other, value) for other, value in terms),
            )
            for entry, terms in one.linear
            for group in "ab"
        )
        + tuple(across),
        "school",
        ("a", "b"),
    )


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
