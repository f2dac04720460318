"""Parameter files of Gaussian models: coefficients, error variances and covariances, intercepts.

    {"coefficients": {"F->X1": "1/2"}, "variances": {"F": 1, "X1": "3/4"}, "covariances": {"X1<->X2": 0.25}, "means": {"F": 0}}

Decimal numbers are read as they are written. Fixed entries may be left out; if they stand there, they have their values.
"""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

from algdim.errors import InputError, listed
from algdim.families.gaussian.model import Entry, Gaussian, entry_text
from algdim.figures import brief
from algdim.models.values import mapping_of, signed_value
from algdim.readers.files import read_by

SECTIONS = {"b": "coefficients", "v": "variances", "c": "covariances", "m": "means"}


def read_parameters(source: str | os.PathLike[str] | dict[str, object], model: Gaussian) -> dict[Entry, Fraction]:
    """Read the values of all entries of a model from a file (JSON, TOML) or a dictionary, exactly.

    >>> from algdim.families.gaussian.model import GaussianVariable
    >>> read_parameters({"variances": {"A": "1/3"}}, Gaussian((GaussianVariable("A"),), means=False))
    {('v', 'A'): Fraction(1, 3)}
    """
    return read_by(source, lambda data: entries_of(data, model))


def entries_of(source: dict[str, object], model: Gaussian) -> dict[Entry, Fraction]:
    """Read all sections; raise unless every free entry stands there once and equal ones are equal."""
    data = mapping_of(source, "the parameters")
    for key in data:
        if key not in SECTIONS.values():
            raise InputError(f"the parameters: unknown key {key[:60]!r}; allowed are {listed(SECTIONS.values())}")
    names = {(kind, name): entry for entry in model.entries for kind in entry[0] for name in keys_of(entry)}
    values = dict(model.fixed)
    given: dict[Entry, Fraction] = {}
    for kind, section in SECTIONS.items():
        for key, value in mapping_of(data.get(section, {}), section).items():
            place = f"{section}[{key[:80]!r}]"
            entry = names.get((kind, key.replace(" ", "")))
            if entry is None:
                known = listed(keys_of(entry)[0] for entry in model.entries if entry[0] == kind) or "none"
                raise InputError(f"{place}: the model has no such entry; known are {known}")
            if entry in given:
                raise InputError(f"{place}: {entry_text(entry)} stands twice; once is allowed")
            given[entry] = signed_value(value, place)
            if values.get(entry, given[entry]) != given[entry]:
                raise InputError(f"{place} is {brief(given[entry])}; it is fixed to {brief(values[entry])}")
    values |= given
    missing = [entry_text(entry) for entry in model.entries if entry not in values]
    if missing:
        raise InputError(f"the parameters: values are missing: {listed(missing)}")
    check_equal(model, values)
    return values


def keys_of(entry: Entry) -> list[str]:
    """How an entry can be named in its section.

    >>> keys_of(("c", "A", "B")), keys_of(("m", "A"))
    (['A<->B', 'B<->A'], ['A'])
    """
    kind, *names = entry
    if kind == "c":
        return ["<->".join(names), "<->".join(reversed(names))]
    return ["->".join(names)]


def check_equal(model: Gaussian, values: dict[Entry, Fraction]) -> None:
    """Raise unless entries of the same name have the same value."""
    first: dict[str, Any] = {}
    for entry, label in model.equal:
        other = first.setdefault(label, entry)
        if values[other] != values[entry]:
            raise InputError(
                f"{entry_text(other)} is {brief(values[other])} and {entry_text(entry)} is {brief(values[entry])}; "
                f"both are named {label} and must be equal"
            )
