r"""The map of a network as the field writes it: sums over hidden states, nested where the graph allows it, products over alike items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from algdim.display.mathml import format_value_latex, list_values_latex
from algdim.families.discrete.locals import get_local_kind
from algdim.families.discrete.model import Network, Variable

LEAST_ALIKE = 3
"""So many alike items are one product."""
LONGEST = 88
"""About so many letters of a formula fit on a line."""
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
    left = f"P({list_values_latex(observed)}{bar})"
    messages: list[str] = []
    whole = f"{left} = {write_sum(factors, hidden)}"
    if measure_latex(whole) <= LONGEST:
        yield whole
    elif (slices := write_slices(factors, hidden)) is not None:
        yield f"{left} = {slices[0]}"
        yield from slices[1:]
    else:
        yield f"{left} = {write_messages(factors, hidden, (), messages)}"
        yield from messages
    yield from write_rules(model)


def write_rules(model: Network) -> Iterator[str]:
    """How variables without a table depend on their parents; of items with successive numbers that do so alike, once."""
    found: dict[str, list[str]] = {}
    own: dict[str, str] = {}
    for variable in model.variables:
        write = get_local_kind(variable.local.kind).formula
        if write is None:
            continue
        text, value = write(variable), format_value_latex(variable.name)
        number = split_number(variable.name)
        key = text.replace(value, f"{format_value_latex(number[0])}_{{i}}") if number is not None else text
        found.setdefault(key, []).append(str(number[1]) if number is not None else "")
        own.setdefault(key, text)
    for key, numbers in found.items():
        if len(numbers) == 1 or not all(numbers):
            yield own[key]
        else:
            shown = numbers if len(numbers) <= 3 else [*numbers[:2], r"\ldots", numbers[-1]]
            yield rf"{key},\quad i = {', '.join(shown)}"


def measure_latex(text: str) -> int:
    r"""About how many letters wide a formula is.

    >>> measure_latex(r"\sum_{h_{1}} P(h_{1}\mid x)")
    9
    """
    plain = re.sub(
        r"\\(?:mathit|mathrm)|_\{[^{}]*\}|[{}]|\\,", "", re.sub(r"\\sum_\{(?:[^{}]|\{[^{}]*\})*\}", "S", text)
    )
    return len(re.sub(r"\\[a-z]+| ", "s", plain))


def write_slices(factors: Sequence[Variable], hidden: Sequence[str]) -> tuple[str, ...] | None:
    r"""A chain of like slices as one product, long factors on lines of their own; ``None`` where there are none.

    >>> from algdim.models.notation import parse
    >>> model = parse("hmm: states 2, items 2, length 9")
    >>> print(*write_slices(model.variables, [one.name for one in model.hidden]))
    \sum_{h} P(h_{1})\,P(x_{1}\mid h_{1})\,\prod_{i=2}^{9} P(h_{i}\mid h_{i-1})\,P(x_{i}\mid h_{i})
    """
    known: dict[str, tuple[str, int]] = {}
    for one in factors:
        split = split_slice(one.name)
        if split is not None:
            known[one.name] = split
    runs: dict[tuple[str, tuple[Any, ...]], list[int]] = {}
    for one in factors:
        if one.name in known:
            stem, number = known[one.name]
            pattern = tuple((known[p][0], known[p][1] - number) if p in known else p for p in one.parents)
            runs.setdefault((stem, pattern), []).append(number)
    ranges = {
        key: (numbers[0], numbers[-1])
        for key, numbers in runs.items()
        if numbers == list(range(numbers[0], numbers[-1] + 1))
    }
    first, last = max(ranges.values(), key=lambda one: one[1] - one[0], default=(0, 0))
    if last - first < LEAST_ALIKE - 1 or not any(
        offset == -1 for _, pattern in runs for _, offset in (p for p in pattern if isinstance(p, tuple))
    ):
        return None
    begin = max(low for low, high in ranges.values() if high == last)
    repeated = [key for key, (low, high) in ranges.items() if low <= begin and high == last]
    texts = [
        write_factor(one, format_value_latex(one.name))
        for one in factors
        if one.name not in known
        or known[one.name][1] < begin
        or not any(key[0] == known[one.name][0] for key in repeated)
    ]
    if len(texts) > LEAST_ALIKE * len(repeated) + 2:
        return None
    repeated.sort(key=lambda key: not any(isinstance(one, tuple) and one[1] < 0 for one in key[1]))
    first_ones = r"\,".join(texts)
    product = r"\,".join(write_pattern(stem, pattern) for stem, pattern in repeated)
    stems = dict.fromkeys(known[one][0] if one in known else one for one in hidden)
    sums = rf"\sum_{{{','.join(write_stem(one) for one in stems)}}} " if hidden else ""
    over = rf"\prod_{{i={begin}}}^{{{last}}}"
    if measure_latex(first_ones + product) <= LONGEST // 2:
        return (rf"{sums}{first_ones}\,{over} {product}",)
    return (rf"{sums}f_{{1}}\,{over} f_{{i}}", f"f_{{1}} = {first_ones}", f"f_{{i}} = {product}")


def split_slice(name: str) -> tuple[str, int] | None:
    """A name and the number of its slice.

    >>> split_slice("Test1_2"), split_slice("H3"), split_slice("A")
    (('Test1', 2), ('H', 3), None)
    """
    found = re.fullmatch(r"(.+?)_?([1-9]\d*)", name) if "_" not in name else re.fullmatch(r"(.+)_([1-9]\d*)", name)
    return (found[1], int(found[2])) if found else None


def write_stem(stem: str) -> str:
    """The name of a variable without the number of its slice."""
    plain = format_value_latex(stem)
    return plain if "_" not in plain else rf"\mathit{{{stem.lower()}}}"


def write_pattern(stem: str, pattern: Sequence[Any]) -> str:
    """The table of a variable of slice i."""

    def name(stem: str, offset: int) -> str:
        return f"{write_stem(stem)}_{{i{offset if offset < 0 else ''}}}"

    given = ",".join(format_value_latex(one) if isinstance(one, str) else name(*one) for one in pattern)
    return rf"P({name(stem, 0)}\mid {given})" if given else f"P({name(stem, 0)})"


def write_messages(factors: Sequence[Variable], hidden: Sequence[str], around: Sequence[str], lines: list[str]) -> str:
    r"""As `write_sum`, with each inner sum as a function of what is outside, which has a line of its own.

    >>> from algdim.models.notation import parse
    >>> model, lines = parse("2(2,2(2,2))"), []
    >>> print(write_messages(model.variables, ["H1", "H2"], (), lines), *lines, sep="\n")
    \sum_{h_{1}} P(h_{1})\,P(x_{1}\mid h_{1})\,m_{h_{2}}(h_{1})
    m_{h_{2}}(h_{1}) = \sum_{h_{2}} P(h_{2}\mid h_{1})\,P(x_{2}\mid h_{2})\,P(x_{3}\mid h_{2})
    """
    plain, components = split_sum(factors, hidden)
    texts = write_factors(plain)
    for name, component, rest in components:
        place = len(lines)
        value = format_value_latex(name)
        text = rf"\sum_{{{value}}} {write_messages(component, rest, (*around, name), lines)}"
        if around:
            seen = [one for one in around if any(one in (factor.name, *factor.parents) for factor in component)]
            call = f"m_{{{value}}}({list_values_latex(seen)})"
            lines.insert(place, f"{call} = {text}")
            text = call
        texts.append(text)
    return r"\,".join(wrap_sums(texts))


def split_sum(
    factors: Sequence[Variable], hidden: Sequence[str]
) -> tuple[list[Variable], list[tuple[str, list[Variable], list[str]]]]:
    """The factors without hidden variables; of others what hangs together, which variable is summed over first, and the rest."""
    inside = set(hidden)
    plain = [one for one in factors if not inside & {one.name, *one.parents}]
    found = []
    for component in split_factors([one for one in factors if one not in plain], inside):
        # the variable that most factors speak of comes first, of equals that which is first in the model
        here = [name for name in hidden if any(name in (one.name, *one.parents) for one in component)]
        first = next((one for one in here if not set(find_parents(component, one)) & set(here)), here[0])
        found.append((first, component, [one for one in here if one != first]))
    return plain, found


def write_sum(factors: Sequence[Variable], hidden: Sequence[str]) -> str:
    """The product of factors, summed over hidden variables, each sum as far inside as it can be."""
    plain, components = split_sum(factors, hidden)
    texts = write_factors(plain)
    texts += [
        rf"\sum_{{{format_value_latex(name)}}} {write_sum(component, rest)}" for name, component, rest in components
    ]
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
