r"""The map of a network as the field writes it: sums over hidden states, nested where the graph allows it, products over alike items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from algdim.display.mathml import format_value_latex, list_values_latex
from algdim.families.discrete.locals import get_local_kind
from algdim.families.discrete.model import Network, Variable

LEAST_ALIKE = 3
"""So many alike items are one product."""
MOST_FACTORS = 40
"""More are not written one by one."""


def write_network_formulas(model: Network) -> Iterator[str]:
    r"""The distribution, and the rules of what has no table.

    >>> from algdim.models.notation import parse
    >>> print(*write_network_formulas(parse("3:2,2,2,2")))
    P(x_{1},x_{2},x_{3},x_{4}) = \sum_{h} P(h)\,\prod_{i=1}^{4} P(x_{i}\mid h)
    >>> print(*write_network_formulas(parse("2(2,2(2,2))")))
    P(x_{1},x_{2},x_{3}) = \sum_{h_{1}} P(h_{1})\,P(x_{1}\mid h_{1})\,\sum_{h_{2}} P(h_{2}\mid h_{1})\,P(x_{2}\mid h_{2})\,P(x_{3}\mid h_{2})
    """
    hidden = [variable.name for variable in model.hidden]
    given = set(model.given)
    observed = [variable.name for variable in model.observed if variable.name not in given]
    factors = [variable for variable in model.variables if variable.name not in given]
    bar = rf"\mid {list_values_latex(list(model.given))}" if model.given else ""
    if len(factors) > MOST_FACTORS and len({variable.parents for variable in factors}) > MOST_FACTORS // 2:
        sums = rf"\sum_{{{list_values_latex(hidden)}}} " if hidden else ""
        yield rf"P({list_values_latex(observed)}{bar}) = {sums}\prod_{{v}} P(v\mid \mathrm{{pa}}(v))"
        return
    yield f"P({list_values_latex(observed)}{bar}) = {write_sum(factors, hidden)}"
    seen: set[str] = set()
    for variable in model.variables:
        write = get_local_kind(variable.local.kind).formula
        if write is not None:
            text = write(variable)
            if text not in seen and len(seen) < 4:
                seen.add(text)
                yield text


def write_sum(factors: Sequence[Variable], hidden: Sequence[str]) -> str:
    """The product of factors, summed over hidden variables, each sum as far inside as it can be."""
    inside = set(hidden)
    plain = [one for one in factors if not inside & {one.name, *one.parents}]
    texts = write_factors(plain)
    rest = [one for one in factors if one not in plain]
    for component in split_factors(rest, inside):
        # the variable that most factors speak of comes first, of equals that which is first in the model
        here = [name for name in hidden if any(name in (one.name, *one.parents) for one in component)]
        name = next((one for one in here if not set(find_parents(component, one)) & set(here)), here[0])
        own = set(here) - {name}
        texts.append(
            rf"\sum_{{{format_value_latex(name)}}} {write_sum(component, [one for one in here if one in own])}"
        )
    return r"\,".join(wrap_sums(texts))


def wrap_sums(texts: Sequence[str]) -> Iterator[str]:
    r"""Sums in parentheses where something follows.

    >>> list(wrap_sums([r"\sum_{h} a", "b"]))
    ['(\\sum_{h} a)', 'b']
    """
    for number, text in enumerate(texts):
        yield f"({text})" if text.startswith(r"\sum") and number < len(texts) - 1 else text


def find_parents(factors: Sequence[Variable], name: str) -> tuple[str, ...]:
    """The parents of a variable whose table is among the factors."""
    return next((one.parents for one in factors if one.name == name), ())


def split_factors(factors: Sequence[Variable], hidden: set[str]) -> list[list[Variable]]:
    """Factors that hang together by hidden variables, in order."""
    found: list[tuple[set[str], list[Variable]]] = []
    for factor in factors:
        names = hidden & {factor.name, *factor.parents}
        joined = [group for group in found if group[0] & names]
        for group in joined[1:]:
            joined[0][0].update(group[0])
            joined[0][1].extend(group[1])
            found.remove(group)
        if joined:
            joined[0][0].update(names)
            joined[0][1].append(factor)
        else:
            found.append((names, [factor]))
    return [sorted(members, key=factors.index) for _, members in found]


def write_factors(factors: Sequence[Variable]) -> list[str]:
    """Each factor; alike items with successive numbers as one product."""
    texts: list[str] = []
    rest = list(factors)
    while rest:
        run = take_run(rest)
        if len(run) >= LEAST_ALIKE:
            stem, first = split_number(run[0].name) or ("", 0)
            item = f"{format_value_latex(stem)}_{{i}}"
            texts.append(rf"\prod_{{i={first}}}^{{{first + len(run) - 1}}} {write_factor(run[0], item)}")
        else:
            run = run[:1]
            texts.append(write_factor(run[0], format_value_latex(run[0].name)))
        rest = rest[len(run) :]
    return texts


def take_run(factors: Sequence[Variable]) -> list[Variable]:
    """The first factors that are alike, with successive numbers."""
    first = split_number(factors[0].name)
    run = [factors[0]]
    if first is None:
        return run
    for factor in factors[1:]:
        stem = (first[0], first[1] + len(run))
        if split_number(factor.name) != stem or (factor.parents, factor.local.kind) != (
            run[0].parents,
            run[0].local.kind,
        ):
            break
        run.append(factor)
    return run


def split_number(name: str) -> tuple[str, int] | None:
    """A name that ends with a number, in two."""
    found = re.fullmatch(r"([A-Za-z]+)([1-9]\d*)", name)
    return (found[1], int(found[2])) if found else None


def write_factor(variable: Variable, value: str) -> str:
    """The table of a variable given its parents."""
    bar = rf"\mid {list_values_latex(list(variable.parents), 6)}" if variable.parents else ""
    return f"P({value}{bar})"
