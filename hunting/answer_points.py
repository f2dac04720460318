"""Special parameters for `--at`: zeros, equal rows, and other points at which a rank may be less; and their parameter files."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.model import Network
from algdim.families.gaussian.model import Gaussian
from hunting.members import class_of, entry_name, gaussian_entries, rows_of

VALUES = tuple(map(Fraction, ("0", "1", "1", "2", "1/2", "-1", "3")))
VARIANCES = tuple(map(Fraction, ("1", "2", "7/2")))
SECTIONS = {"b": ("coefficients", "->"), "v": ("variances", ""), "c": ("covariances", "<->"), "m": ("means", "")}

Given = dict[str, Any]
"""A parameter file."""


def special_point(model: Any, names: Sequence[str], source: random.Random) -> tuple[dict[str, Fraction], Given]:
    """The parameters by name, and the file that says them."""
    if isinstance(model, Network):
        return of_tables(model, source)
    point = {name: source.choice(VARIANCES if name.startswith("v(") else VALUES) for name in names}
    if isinstance(model, Gaussian):
        return point, sections(model, point)
    return point, {name: str(value) for name, value in point.items()}


def of_tables(model: Network, source: random.Random) -> tuple[dict[str, Fraction], Given]:
    """Free tables: rows of small numbers, some of them zero, some rows equal."""
    point: dict[str, Fraction] = {}
    given: Given = {}
    for variable in model.variables:
        if variable.name in model.given or variable.local != FREE:
            continue
        rows: list[list[Fraction]] = []
        for row in rows_of(variable.parents, model.states):
            parts = [source.choice([0, 1, 1, 1, 2, 3]) for _ in range(variable.states)]
            parts[source.randrange(variable.states)] += not sum(parts)
            values = [Fraction(part, sum(parts)) for part in parts]
            rows.append(source.choice(rows) if rows and source.random() < 0.25 else values)
            names = [class_of(variable, row, state) for state in range(variable.states - 1)]
            point.update(zip(names, rows[-1], strict=False))
        given[variable.name] = [[str(value) for value in row] for row in rows]
    return point, given


def sections(model: Gaussian, point: dict[str, Fraction]) -> Given:
    """The parameter file of a Gaussian model."""
    found: Given = {}
    fixed, labels = dict(model.fixed), dict(model.equal)
    for entry in gaussian_entries(model):
        if entry not in fixed:
            section, sign = SECTIONS[entry[0]]
            found.setdefault(section, {})[sign.join(entry[1:])] = str(point[labels.get(entry, entry_name(entry))])
    return found
