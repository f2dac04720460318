"""Models with constants chosen against the seed: at the points that algdim draws for it, something vanishes that does not elsewhere.

What is only drawn says nothing of such a model, and what is proved must be true of it all the same. The draws are watched:
whatever the program draws while it examines a model, the constants of the next model are made of, until they meet all draws.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import prod
from typing import Any

import algdim
from algdim.errors import AlgdimError
from algdim.exact import draws
from algdim.maps import map_of

ROUNDS = 4
MOST_FACTORS = 8
MOST_BITS = 4000
SMALL = 1000
"""No modulus: a number below which a range of whole numbers is none of a field."""

Seen = list[tuple[int, tuple[int, ...]]]
"""Moduli and what was drawn of them."""


@contextmanager
def watched() -> Iterator[Seen]:
    """Note all residues that are drawn meanwhile, whichever module draws them."""
    seen: Seen = []
    plain = draws.draw_residues

    def noted(source: Any, prime: int, count: int) -> Any:
        found = plain(source, prime, count)
        if prime > SMALL:
            seen.append((prime, tuple(found.tolist())))
        return found

    exchange(plain, noted)
    try:
        yield seen
    finally:
        exchange(noted, plain)


def exchange(old: Any, new: Any) -> None:
    """Let every module of algdim have another function in the place of one."""
    for name, module in list(sys.modules.items()):
        if name == "algdim" or name.startswith("algdim."):
            for key, value in list(vars(module).items()):
                if value is old:
                    setattr(module, key, new)


def drawn_for(model: Any, seed: int | str) -> Seen:
    """What is drawn while a model is examined: as many numbers as there are parameters at a time."""
    with watched() as seen, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for examine in (algdim.identify, algdim.dimension):
            with suppress(AlgdimError, ValueError, ArithmeticError, RuntimeError, IndexError):
                examine(model, seed=seed)
    count = len(map_of(model).parameters)
    return list(dict.fromkeys(one for one in seen if len(one[1]) == count))


def meeting(remainders: dict[int, int], spread: int) -> int:
    """A number with these remainders (the Chinese remainder theorem); without any, one that is drawn."""
    if not remainders:
        return spread
    whole = prod(remainders)
    return sum(value * (whole // prime) * pow(whole // prime, -1, prime) for prime, value in remainders.items()) % whole


def constants(seen: Seen, place: int, spread: int, most: int = MOST_FACTORS) -> list[int]:
    """Numbers such that at every point drawn one of them is the parameter of this place.

    With fewer of them only the first points of each prime are met.
    """
    by_prime: dict[int, list[int]] = {}
    for prime, values in seen:
        column = by_prime.setdefault(prime, [])
        if values[place] not in column:
            column.append(values[place])
    count = min(most, max((len(column) for column in by_prime.values()), default=1))
    return [
        meeting({prime: column[min(number, len(column) - 1)] for prime, column in by_prime.items()}, spread + number)
        for number in range(count)
    ]


def made(template: Callable[[Seen], Any], seed: int | str) -> Any:
    """The model of a template whose constants meet all that is drawn for it."""
    seen: Seen = []
    model = template(seen)
    for _ in range(ROUNDS):
        more = [one for one in drawn_for(model, seed) if one not in seen]
        if not more or sum(prime.bit_length() for prime in {prime for prime, _ in (*seen, *more)}) > MOST_BITS:
            break
        seen += more
        model = template(seen)
    return model


def vanishing(
    names: Sequence[str], place: int, seen: Seen, spread: int, power: int = 1, most: int = MOST_FACTORS
) -> str:
    """A product of powers of (x − c) that vanishes at the points drawn."""
    found = constants(seen, place, spread, most)
    factors = [f"({names[place]} - {c})" + (f"^{power}" if power > 1 else "") for c in found]
    return "*".join(factors)


def polynomial(names: Sequence[str], coordinates: Sequence[str]) -> Any:
    """A model of formulas."""
    return algdim.model({"family": "polynomial", "parameters": list(names), "coordinates": list(coordinates)})


def trapped(draw: random.Random) -> Callable[[Seen], Any]:
    """Random formulas; to some of them something is added that is zero with its derivatives at all points drawn."""
    names = ["a", "b", "c", "d", "e"][: draw.randint(1, 4)]
    spread = draw.randrange(1 << 40, 1 << 41)

    def monomial() -> str:
        return "*".join(draw.choices(names, k=draw.choice([1, 1, 2])))

    kinds = [draw.choice(["plain", "sum", "product", "square"]) for _ in range(draw.randint(1, 3))]
    texts = [
        {
            "plain": monomial(),
            "sum": f"{monomial()} + {monomial()}",
            "product": f"{monomial()}*{monomial()}",
            "square": f"({monomial()} - {monomial()})^2",
        }[kind]
        for kind in kinds
    ]
    traps = [
        (
            draw.randrange(len(texts)),
            draw.randrange(len(names)),
            draw.choice([1, 2, 2, 3]),
            draw.choice(["", "", monomial()]),
        )
        for _ in range(draw.randint(1, 2))
    ]
    alone, most = draw.random() < 0.2, draw.choice([1, 1, MOST_FACTORS])
    many = draw.randint(38, 44) if draw.random() < 0.25 else 0
    padding = [f"z{number}" for number in range(many)]

    def template(seen: Seen) -> Any:
        found = list(texts)
        for where, place, power, factor in traps:
            trap = vanishing([*names, *padding], place, seen, spread, power, most) + (f"*{factor}" if factor else "")
            if alone:
                found.append(trap)
            else:
                found[where] = f"{found[where]} + {trap}"
        return polynomial([*names, *padding], [*found, *padding])

    return template


def graph(draw: random.Random) -> Callable[[Seen], Any]:
    """One parameter over another, as y − (x − c)²; sometimes beside many others, and in two groups that only this joins."""
    spread, most = draw.randrange(1 << 40, 1 << 41), draw.choice([1, 1, MOST_FACTORS])
    if draw.random() < 0.5:
        return lambda seen: polynomial(["x", "y"], [f"y - {vanishing(['x'], 0, seen, spread, 2, most)}"])
    names = ["a", "b", "c", "e", *(f"z{number}" for number in range(draw.choice([0, 3, 40])))]
    return lambda seen: polynomial(
        names, ["a - b", f"c - e + {vanishing(names, 0, seen, spread, 2, most)}", *names[4:]]
    )


def hull(draw: random.Random) -> Callable[[Seen], Any]:
    """Coordinates with too many terms to be multiplied out, in whose difference a product vanishes at the points drawn."""
    names = ["x", "a", "b", "c", "d", "e", "f", "g", "h"]
    power, spread = draw.randint(11, 13), draw.randrange(1 << 40, 1 << 41)
    long = f"(1 + {' + '.join(names)})^{power}"
    place = draw.randrange(len(names))
    return lambda seen: polynomial(names, [long, f"{long} + {vanishing(names, place, seen, spread)}"])


def tables(draw: random.Random) -> Callable[[Seen], Any]:
    """A latent class model with an entry fixed to a fraction that is, modulo the primes drawn, the entry of another class."""
    items = draw.randint(2, 4)
    edges = f"H -> {', '.join(f'X{number}' for number in range(items))}; hidden H"
    spread = draw.randrange(1 << 40, 1 << 41)

    def template(seen: Seen) -> Any:
        model = algdim.model(f"{edges}; fix P(X0=0|H=0)=1/3")
        place = map_of(model).parameters.index("P(X0=0|H=1)")
        primes = dict(seen)
        bits = sum(prime.bit_length() for prime in primes) + 1 if primes else 42
        value = meeting({prime: (values[place] << bits) % prime for prime, values in primes.items()}, spread)
        return algdim.model(f"{edges}; fix P(X0=0|H=0)={value}/{1 << bits}")

    return template


def loadings(draw: random.Random) -> Callable[[Seen], Any]:
    """A factor model in which an item has, modulo the primes drawn, the fixed loadings of another one."""
    items = [f"X{number}" for number in range(draw.randint(3, 5))]
    factors = ["F", "G"][: draw.randint(1, 2)]
    text = f"gaussian: {', '.join(factors)} -> {', '.join(items)}; hidden {', '.join(factors)}; means off"
    spread = draw.randrange(1 << 40, 1 << 41)

    def template(seen: Seen) -> Any:
        fixes = []
        names = map_of(algdim.model(f"{text}; fix {', '.join(f'b({f}->X0)=1' for f in factors)}")).parameters
        for factor in factors:
            place = names.index(f"b({factor}->X1)")
            fixes.append(f"b({factor}->X0)={meeting({prime: values[place] for prime, values in seen}, spread)}")
        return algdim.model(f"{text}; fix {', '.join(fixes)}")

    return template


TEMPLATES = (graph, graph, trapped, trapped, trapped, trapped, hull, tables, loadings)


def adversary(seed: int | str, number: int, program_seed: int) -> Any:
    """The model of a number whose constants are chosen against the program's seed."""
    draw = random.Random(f"against/{seed}/{number}")
    return made(draw.choice(TEMPLATES)(draw), program_seed)
