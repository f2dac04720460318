"""The model file of the family "gaussian": a dictionary to a model and back.

{"family": "gaussian",
 "variables": [{"name": "F", "observed": false}, {"name": "X1"}, {"name": "X2"}],
 "edges": [["F", "X1"], ["F", "X2"]],
 "bidirected": [["X1", "X2"]],
 "means": false,
 "fixed": {"b(F->X1)": 1, "v(F)": "1/2"},
 "equal": {"v(X1)": "w", "v(X2)": "w"}}
"""

from __future__ import annotations

from typing import Any

from algdim.errors import InputError
from algdim.families.contract import ModelFile
from algdim.families.gaussian.entries import as_listed, parse_entry
from algdim.families.gaussian.model import Entry, Gaussian, GaussianVariable, entry_text
from algdim.models.modelvalues import check_keys, listed_variables, mapping_of, shown, signed_value
from algdim.models.values import fraction_text

KEYS = ("family", "variables", "edges", "bidirected", "means", "fixed", "equal")
VARIABLE_KEYS = ("name", "observed")


def gaussian(data: dict[str, Any]) -> Gaussian:
    """Build a Gaussian model."""
    check_keys(data, KEYS, "the model")
    means = data.get("means", True)
    if not isinstance(means, bool):
        raise InputError(f"means is {shown(means)}; true or false is allowed")
    listed = listed_variables(data.get("variables"), VARIABLE_KEYS, '{"name": "F", "observed": false}')
    variables = tuple(GaussianVariable(one.name, one.observed) for one in listed)
    edges = read_pairs(data.get("edges", []), "edges")
    bidirected = read_pairs(data.get("bidirected", []), "bidirected")
    known = frozenset(Gaussian(variables, edges, bidirected, means).entries)
    fixed = mapping_of(data.get("fixed", {}), "fixed")
    equal = mapping_of(data.get("equal", {}), "equal")
    for key, label in equal.items():
        if not isinstance(label, str):
            raise InputError(f"equal[{key[:80]!r}] is {shown(label)}; a name for the equal numbers is expected")
    return Gaussian(
        variables,
        edges,
        bidirected,
        means,
        tuple(
            (read_entry(key, "fixed", known), signed_value(value, f"fixed[{key[:80]!r}]"))
            for key, value in fixed.items()
        ),
        tuple((read_entry(key, "equal", known), label) for key, label in equal.items()),
    )


def read_entry(key: str, section: str, known: frozenset[Entry]) -> Entry:
    """Read the name of a number of the model."""
    try:
        entry = as_listed(parse_entry(key), known)
    except InputError as error:
        raise InputError(f"{section}[{key[:80]!r}]: {error}") from None
    if entry not in known:
        raise InputError(f"{section}[{key[:80]!r}]: the model has no number {entry_text(entry)}")
    return entry


def read_pairs(data: object, section: str) -> tuple[tuple[str, str], ...]:
    """Read a list of pairs of names."""
    if not isinstance(data, (list, tuple)):
        raise InputError(f'{section} is {shown(data)}; a list such as [["A", "B"]] is expected')
    pairs = []
    for index, item in enumerate(data):
        if not isinstance(item, (list, tuple)) or len(item) != 2 or not all(isinstance(name, str) for name in item):
            raise InputError(f'{section}[{index}] is {shown(item)}; a pair of names ["A", "B"] is expected')
        pairs.append((item[0], item[1]))
    return tuple(pairs)


def gaussian_dict(model: Gaussian) -> dict[str, Any]:
    """Write a Gaussian model as a dictionary; `gaussian` reads it back as an equal record."""
    data: dict[str, Any] = {
        "family": model.family,
        "variables": [{"name": variable.name, "observed": variable.observed} for variable in model.variables],
        "edges": [list(edge) for edge in model.edges],
    }
    if model.bidirected:
        data["bidirected"] = [list(pair) for pair in model.bidirected]
    data["means"] = model.means
    if model.fixed:
        data["fixed"] = {entry_text(entry): fraction_text(value) for entry, value in model.fixed}
    if model.equal:
        data["equal"] = {entry_text(entry): label for entry, label in model.equal}
    return data


FILE = ModelFile(gaussian, gaussian_dict)
