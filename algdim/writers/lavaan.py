"""Gaussian models in the syntax of lavaan.

Everything is written out, and what `sem` would add is fixed to 0, so that `sem`, `cfa` and `lavaan` with or without
defaults all mean the same.
"""

from __future__ import annotations

from collections.abc import Iterable

from algdim.errors import InputError
from algdim.families.gaussian.model import Entry, Gaussian
from algdim.models.anymodel import AnyModel, expect
from algdim.models.values import fraction_text
from algdim.readers.lavaan import RESERVED, statements_of
from algdim.readers.lavaandefaults import defaults, function_of


def lavaan(given: AnyModel) -> str:
    """Write a Gaussian model; the reader of lavaan reads it back."""
    model = expect(given, Gaussian, "lavaan has models of the family gaussian only")
    for variable in model.variables:
        if variable.name in RESERVED or variable.name.startswith("_"):
            raise InputError(f"the variable {variable.name}: R has no such name; rename it")
    for _, label in model.equal:
        if label in RESERVED or label.startswith("_"):
            raise InputError(f"the label {label} of equal numbers: R has no such name; rename it")
    text = "\n".join(lines_of(model)) + "\n"
    found = statements_of(text)
    added = [key for key in defaults(found, function_of({})) if key[0] == "~~" and key not in found.rows]
    return text + "".join(f"{one} ~~ 0*{other}\n" for _, one, other in added)


def lines_of(model: Gaussian) -> Iterable[str]:
    """The formulas: loadings, regressions, variances, covariances, intercepts."""
    fixed, equal = dict(model.fixed), dict(model.equal)

    def term(entry: Entry, name: str) -> str:
        if entry in fixed:
            return f"{fraction_text(fixed[entry])}*{name}"
        label = f"{equal[entry]}*{name}" if entry in equal else ""
        # else the first loading, or with std.lv the variance, of a latent variable is fixed to 1
        if entry[0] in "bv" and entry[1] in latent:
            return f"NA*{name} + {label}" if label else f"NA*{name}"
        return label or name

    latent = {variable.name for variable in model.hidden}
    for variable in model.hidden:
        terms = [term(("b", start, end), end) for start, end in model.edges if start == variable.name]
        yield f"{variable.name} =~ {' + '.join(terms) or '0'}"
    for variable in model.variables:
        name = variable.name
        terms = [term(("b", start, end), start) for start, end in model.edges if end == name and start not in latent]
        if terms:
            yield f"{name} ~ {' + '.join(terms)}"
        yield f"{name} ~~ {term(('v', name), name)}"
        if model.means:
            yield f"{name} ~ {term(('m', name), '1')}"
    for one, other in model.bidirected:
        yield f"{one} ~~ {term(('c', one, other), other)}"
