"""How many parameters have the same coordinates: a Gröbner basis modulo a prime at a random member, for very small maps.

At almost every member all solutions are simple, so that their number is the dimension of the ring modulo the equations.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Any

from sympy import GF
from sympy.polys.groebnertools import groebner
from sympy.polys.orderings import grevlex
from sympy.polys.rings import ring

from algdim.families.gaussian.model import Gaussian
from algdim.models.anymodel import convert_model_to_dictionary
from hunting.answering import Answer, judged, status_of, unread
from hunting.answers_identify import Truth
from hunting.formulas import UnreadableError, tree_of, value_of
from hunting.members import entry_name, gaussian_entries, random_prime

MOST_PARAMETERS = 6
MOST_DEGREE = 40
"""Of the product of the degrees of the coordinates."""
REPEATS = 2


def judge_solutions(said: Mapping[str, Any], truth: Truth, source: random.Random) -> Iterator[Answer]:
    """Judge the number of solutions."""
    told = said["fibre"]
    if not told or told.get("degree") is None or truth.nullity or len(truth.names) > MOST_PARAMETERS or not truth.names:
        return
    try:
        numbers = [count_of(truth, random_prime(source), source) for _ in range(REPEATS)]
    except UnreadableError as error:
        yield unread("solutions", str(error))
        return
    if len(set(numbers)) > 1:
        yield unread("solutions", f"{numbers} modulo different primes")
        return
    yield judged(
        "solutions",
        status_of(told),
        told["degree"] == numbers[0],
        f"{told['degree']} solutions, and there are {numbers[0]}",
    )


def count_of(truth: Truth, prime: int, source: random.Random) -> int:
    """The number of solutions at a random point modulo a prime."""
    _, *unknowns = ring([f"t{n}" for n in range(len(truth.names))], GF(prime), grevlex)
    coordinates = polynomials_of(truth.model, dict(zip(truth.names, unknowns, strict=True)), unknowns[0] ** 0)
    if prod(max(1, max(map(sum, one), default=0)) for one in coordinates) > MOST_DEGREE**2:
        raise UnreadableError("the degrees are high")
    point = [source.randrange(1, prime) for _ in unknowns]
    equations = [one - one.evaluate(list(zip(unknowns, point, strict=True))) for one in coordinates]
    basis = groebner([one for one in equations if one], unknowns[0].ring)
    return standing([one.LM for one in basis])


def standing(leading: list[tuple[int, ...]]) -> int:
    """The number of monomials that no leading monomial divides."""
    bounds = []
    for place in range(len(leading[0])):
        pure = [one[place] for one in leading if sum(one) == one[place]]
        if not pure:
            raise UnreadableError("infinitely many solutions")
        bounds.append(min(pure))
    return sum(
        1
        for monomial in product(*map(range, bounds))
        if not any(all(a <= b for a, b in zip(one, monomial, strict=True)) for one in leading)
    )


def polynomials_of(model: Any, at: Mapping[str, Any], one: Any) -> list[Any]:
    """The coordinates as polynomials."""
    if isinstance(model, Gaussian):
        return covariances(model, at, one)
    if model.family != "polynomial":
        raise UnreadableError(model.family)
    listed = convert_model_to_dictionary(model)["coordinates"]
    texts = list(listed.values()) if isinstance(listed, dict) else listed
    if any("/" in text for text in texts):
        raise UnreadableError("a quotient")
    return [value_of(tree_of(text, list(at)), at, lambda above, _: one * above) for text in texts]


def covariances(model: Gaussian, at: Mapping[str, Any], one: Any) -> list[Any]:
    """Covariances and means of a model without cycles, parents first."""
    fixed, labels = dict(model.fixed), dict(model.equal)

    def number(entry: tuple[str, ...]) -> Any:
        if entry in fixed:
            value = fixed[entry]
            if value.denominator != 1:
                raise UnreadableError("a fraction")
            return one * int(value)
        return at[labels.get(entry, entry_name(entry))]

    entries = {entry: number(entry) for entry in gaussian_entries(model)}
    names = [variable.name for variable in model.variables]
    order: list[str] = []
    while len(order) < len(names):
        ready = next((n for n in names if n not in order and all(a in order for a, b in model.edges if b == n)), None)
        if ready is None:
            raise UnreadableError("a cycle")
        order.append(ready)
    # effects[x][e] is the coefficient of the error of e in x
    effects: dict[str, dict[str, Any]] = {}
    for name in order:
        found = {name: one}
        for a, b in model.edges:
            if b == name:
                for error, value in effects[a].items():
                    found[error] = found.get(error, one * 0) + value * entries["b", a, b]
        effects[name] = found
    errors = {(name, name): entries["v", name] for name in names}
    for a, b in model.bidirected:
        errors[a, b] = errors[b, a] = entries["c", a, b]
    seen = [variable.name for variable in model.variables if variable.observed]
    result = []
    for place, x in enumerate(seen):
        for y in seen[place:]:
            total = one * 0
            for (a, b), value in errors.items():
                if a in effects[x] and b in effects[y]:
                    total += effects[x][a] * effects[y][b] * value
            result.append(total)
    if model.means:
        result += [sum((value * entries["m", error] for error, value in effects[x].items()), one * 0) for x in seen]
    return result
