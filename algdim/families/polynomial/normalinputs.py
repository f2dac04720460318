"""Classifiers with normal inputs as maps: ``normal-classifier Y: Y -> X1, X2; X1 -> X2; states Y=3; common variances``.

The clauses are those of a conditional Gaussian network over the class, its only discrete variable, and the inputs. Given them the
log-odds of a state k of the class against state 0 are a polynomial of degree 2 in the inputs, whose constant is free (lemma "normal
inputs"). With the regressions X = m + Σ b Z + error of variance v its coefficients are differences, between k and 0, of

    m_X / v_X − Σ b_XC m_C / v_C                 of X, C running through the children of X,
    1 / v_X + Σ b_XC² / v_C                      of −X²/2,
    Σ b_XC b_ZC / v_C − b_XZ / v_Z − b_ZX / v_X  of −XZ.

So no matrix is inverted. What is the same in all classes cancels; a coefficient of which nothing is left is a coordinate that is 0,
since it is one of those that log-odds of degree 2 have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

from algdim.errors import InputError, join_names
from algdim.families.conditionalgaussian.model import ConditionalGaussian
from algdim.families.conditionalgaussian.reading import DIALECT, build_mixed, format_mixed
from algdim.families.gaussian.model import Entry
from algdim.families.polynomial.expressions import parse_formula
from algdim.families.polynomial.model import Coordinate, Polynomial
from algdim.models.clauses import add_text_to_errors, parse_clauses
from algdim.models.values import format_fraction

WORD = "normal-classifier"

Terms = Counter[str]
"""Products as texts, each with its coefficient."""


def read_normal_classifier(text: str, start: int, label: str) -> Polynomial:
    """The map of a classifier, from where its clauses begin in a text.

    >>> found = read_normal_classifier("Y -> X; states Y=2; common variances", 0, "Y")
    >>> str(found), found.parameters, [one.name for one in found.coordinates]
    ('normal-classifier Y: Y -> X; states Y=2; common v(X)', ('constant.1', 'm.X.0', 'm.X.1', 'v.X'), ['constant.1', 'X.1', 'X.X.1'])
    """
    clauses = parse_clauses(text, start, DIALECT)
    network = build_mixed(clauses)
    with add_text_to_errors(clauses):
        check_network(network, label)
        formulas, names = write_log_odds(network, label), list_names(network, network.states[label])
    coordinates = tuple(Coordinate(name, parse_formula(formula)) for name, formula in formulas.items())
    shown = format_mixed(network).removeprefix(f"{network.family}: ")
    return Polynomial(tuple(names), coordinates, f"{WORD} {label}: {shown}")


def check_network(network: ConditionalGaussian, label: str) -> None:
    """Raise unless all inputs are observed and normal."""
    if label not in network.states:
        raise InputError(f"the class {label} has no states; write {label} in an edge, and states {label}=2")
    hidden = [one.name for one in network.variables if not one.observed]
    if hidden:
        raise InputError(
            f"{join_names(hidden)}: a classifier has observed inputs and an observed class; with latent normal variables write the "
            'coefficients as a map, polynomial: (lemma "normal inputs"); with a hidden discrete one they are no polynomials'
        )
    others = [name for name in network.states if name != label]
    if others:
        raise InputError(f"{join_names(others)}: the inputs of a {WORD} are normal, and the class alone has states")


def name_entry(network: ConditionalGaussian, entry: Entry, state: int) -> str:
    """A number of a regression in a class, or its name: of the first of those that are equal."""
    if entry in network.values:
        return f"({format_fraction(network.values[entry])})"
    name = network.labels.get(entry) or ".".join(entry)
    return f"{name}.{state}" if network.get_switches(entry) else name


def list_names(network: ConditionalGaussian, states: int) -> list[str]:
    """The names of all numbers; raise where points and labels in names would give two different ones the same name."""
    meant: dict[str, object] = {f"constant.{state}": state for state in range(1, states)}
    for entry in network.entries:
        for state in range(states):
            name = name_entry(network, entry, state)
            which = (network.labels.get(entry, entry), state if network.get_switches(entry) else None)
            if not name.startswith("(") and meant.setdefault(name, which) != which:
                raise InputError(
                    f"{name} would be the name of two different numbers; choose other labels, and names without '.' for inputs"
                )
    return list(meant)


def iterate_products(network: ConditionalGaussian, state: int) -> Iterator[tuple[tuple[str, ...], str, int]]:
    """The products in the coefficients in one class: of which inputs, the text, the coefficient."""

    def number(*entry: str) -> str:
        return name_entry(network, entry, state)

    for child in network.gaussian:
        variance = number("v", child)
        parents = [one for one in network.parents[child] if one not in network.states]
        mean = number("m", child)
        yield (child,), f"{mean}/{variance}", 1
        yield (child, child), f"1/{variance}", 1
        for one in parents:
            slope = number("b", one, child)
            yield (one,), f"{slope}*{mean}/{variance}", -1
            yield (one, one), f"{slope}^2/{variance}", 1
            yield tuple(sorted((one, child))), f"{slope}/{variance}", -1
        for one, other in combinations(sorted(parents), 2):
            yield (one, other), f"{number('b', one, child)}*{number('b', other, child)}/{variance}", 1


def collect_coefficients(network: ConditionalGaussian, state: int) -> dict[tuple[str, ...], Terms]:
    """The coefficients of the logarithm of the density in one class, by the inputs in a product, sorted."""
    found: dict[tuple[str, ...], Terms] = {}
    for inputs, text, sign in iterate_products(network, state):
        found.setdefault(inputs, Counter())[text] += sign
    return found


def write_log_odds(network: ConditionalGaussian, label: str) -> dict[str, str]:
    """The coefficients of the log-odds of all states of the class against the first, by their names.

    >>> from algdim.models.notation import parse
    >>> write_log_odds(parse("conditional-gaussian: Y -> X; states Y=2; common variances"), "Y")
    {'constant.1': 'constant.1', 'X.1': 'm.X.1/v.X - m.X.0/v.X', 'X.X.1': '0'}
    """
    first, found = collect_coefficients(network, 0), dict[str, str]()
    inputs = [one.name for one in network.variables if one.name != label]
    for state in range(1, network.states[label]):
        coefficients = collect_coefficients(network, state)
        found[f"constant.{state}"] = f"constant.{state}"
        for unsorted in (*((name,) for name in inputs), *combinations_with_replacement(inputs, 2)):
            one = tuple(sorted(unsorted))
            difference = coefficients.get(one, Counter[str]()).copy()
            difference.subtract(first.get(one, Counter[str]()))
            pieces = [f"{'-' if sign < 0 else '+'} {abs(sign)}*{text}" for text, sign in difference.items() if sign]
            pieces = [piece.replace(" 1*", " ", 1) for piece in pieces]
            name = f"{'.'.join(one)}.{state}"
            if name in found:
                raise InputError(
                    f"{name} would be the name of two different coefficients; choose names without '.' for inputs"
                )
            found[name] = " ".join(pieces).removeprefix("+ ") or "0"
    return found
