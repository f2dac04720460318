"""Random models beside those of `hunting.random_models` of which there is something to be said: equations, zeros, ties."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Any

import algdim
from algdim.errors import InputError
from algdim.families.discrete.locals.function import AtLeast, Maximum, Parity, StateSum
from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable
from algdim.families.gaussian.model import Gaussian, GaussianVariable
from algdim.models.anymodel import read_model_dictionary
from hunting.random_models import KINDS, MOST_ENTRIES, MOST_STATES, is_small, rows_before, with_names

Draw = random.Random


def confounded(draw: Draw) -> Network | None:
    """A few observed variables in a row, hidden causes of two or three of them; sometimes zeros, functions and ties."""
    names = [f"X{number}" for number in range(draw.choice([3, 4, 4, 4, 5]))]
    edge = draw.choice([0.0, 0.1, 0.2, 0.5])
    parents = {
        name: [
            other
            for place, other in enumerate(names[:number])
            if draw.random() < (0.9 if place == number - 1 else edge)
        ]
        for number, name in enumerate(names)
    }
    hidden = [f"U{number}" for number in range(draw.choice([1, 1, 1, 2, 3]))]
    for name in hidden:
        # two that are not neighbours, and not the first: there Verma-type equations come from
        start = draw.randrange(min(1, len(names) - 3), len(names) - 2)
        children = (
            draw.sample(names, draw.choice([2, 2, 3])) if draw.random() < 0.3 else [names[start], names[start + 2]]
        )
        for child in children:
            parents[child].append(name)
    special = draw.choice(["", "", "", "zeros", "function", "noisy", "ties", "sigmoid"])
    states = {name: 3 if draw.random() < 0.1 else 2 for name in (*names, *hidden)}
    variables = []
    for name in names:
        local, own = local_of(draw, special, states[name], [states[parent] for parent in parents[name]])
        states[name] = own
        variables.append(Variable(name, own, True, tuple(parents[name]), local))
    variables += [Variable(name, states[name], False) for name in hidden]
    if not has_few(variables):
        return None
    model = Network(tuple(variables))
    return with_names(draw, model) if special == "ties" else model


def local_of(draw: Draw, special: str, own: int, sizes: list[int]) -> tuple[Any, int]:
    """How a variable depends on its parents, and how many states it has then."""
    binary = all(size == 2 for size in sizes)
    if special == "zeros" and draw.random() < 0.5:
        return Table(fixed=zeros_of(draw, own, sizes)), own
    if special == "function" and sizes and draw.random() < 0.5:
        kind = draw.choice(["max", "sum", "parity", "at-least"] if binary else ["max", "sum"])
        if kind == "max":
            return Maximum(), max(sizes)
        if kind == "sum":
            return StateSum(), 1 + sum(size - 1 for size in sizes)
        return (Parity(), 2) if kind == "parity" else (AtLeast(draw.randint(1, len(sizes))), 2)
    if special == "noisy" and sizes and own == 2 and draw.random() < 0.6:
        # without leak: no cause, no effect
        return Table(
            fixed=(((tuple(0 for _ in sizes), 0), Fraction(1)), ((tuple(0 for _ in sizes), 1), Fraction(0)))
        ), own
    if special == "sigmoid" and own == 2 and draw.random() < 0.5:
        return Sigmoid(), own
    return Table(), own


def zeros_of(draw: Draw, own: int, sizes: list[int]) -> tuple[tuple[tuple[tuple[int, ...], int], Fraction], ...]:
    """Some rows with a zero, or with one possible state only."""
    fixed = []
    for row in rows_before(sizes):
        kind = draw.random()
        if kind < 0.3:
            fixed.append(((row, draw.randrange(own)), draw.choice([Fraction(0), Fraction(0), Fraction(1, 3)])))
        elif kind < 0.45:
            sure = draw.randrange(own)
            fixed += [((row, state), Fraction(int(state == sure))) for state in range(own)]
    return tuple(fixed)


def has_few(variables: list[Variable]) -> bool:
    """Whether all joint states are visited in a fraction of a second."""
    states = {variable.name: variable.states for variable in variables}
    entries = sum(v.states * prod(states[p] for p in v.parents) for v in variables)
    return prod(states.values()) <= MOST_STATES and entries <= MOST_ENTRIES


def factors(draw: Draw) -> Gaussian:
    """Latent factors with indicators, crossed loadings, a structural part, correlated errors, fixed and equal entries."""
    latent = [f"F{number}" for number in range(draw.randint(1, 3))]
    items = [f"X{number}" for number in range(draw.randint(3, 7))]
    edges = [(draw.choice(latent), item) for item in items]
    edges += [pair for pair in ((f, x) for f in latent for x in items) if pair not in edges and draw.random() < 0.15]
    edges += [pair for pair in combinations(latent, 2) if draw.random() < 0.4]
    edges += [pair for pair in combinations(items, 2) if draw.random() < 0.05]
    bidirected = [pair for pair in combinations(items, 2) if draw.random() < 0.05]
    variables = [GaussianVariable(name, False) for name in latent] + [GaussianVariable(name) for name in items]
    model = Gaussian(tuple(variables), tuple(edges), tuple(bidirected), draw.random() < 0.2)
    fixed, equal = [], []
    if draw.random() < 0.5:
        for factor in latent:
            own = [edge for edge in model.edges if edge[0] == factor and edge[1] in items]
            if own and draw.random() < 0.7:
                fixed.append((("b", *own[0]), Fraction(1)))
            elif draw.random() < 0.4:
                fixed.append((("v", factor), Fraction(1)))
    if draw.random() < 0.3:
        known = {entry for entry, _ in fixed}
        kind = draw.choice("bv")
        some = [entry for entry in model.entries if entry[0] == kind and entry not in known and draw.random() < 0.5]
        equal = [(entry, "e") for entry in some] if len(some) > 1 else []
    return replace(model, fixed=tuple(fixed), equal=tuple(equal))


def paths(draw: Draw) -> Gaussian:
    """A path model of observed variables with latent confounders, with which minors and partial covariances vanish."""
    names = [f"X{number}" for number in range(draw.randint(3, 6))]
    chain = draw.random() < 0.5
    edges = [
        (a, b)
        for place, a in enumerate(names)
        for other, b in enumerate(names[place + 1 :])
        if draw.random() < ((0.15, 0.9)[other == 0] if chain else 0.35)
    ]
    hidden = [f"U{number}" for number in range(draw.randint(0, 2))]
    for u in hidden:
        start = draw.randrange(len(names) - 2)
        # two that are not neighbours: there kernels have equations
        edges += [(u, x) for x in ([names[start], names[start + 2]] if chain else draw.sample(names, 2))]
    bidirected = [pair for pair in combinations(names, 2) if draw.random() < 0.1]
    variables = [GaussianVariable(name) for name in names] + [GaussianVariable(name, False) for name in hidden]
    model = Gaussian(tuple(variables), tuple(edges), tuple(bidirected), draw.random() < 0.3)
    fixed = [
        (entry, draw.choice([Fraction(0), Fraction(1), Fraction(-2)]))
        for entry in model.entries
        if entry[0] in "bm" and draw.random() < 0.08
    ]
    return replace(model, fixed=tuple(fixed))


def monomials(draw: Draw) -> Any:
    """Formulas with some structure: products, sums of squares, quotients, with repeated parts, so that something moves."""
    names = ["a", "b", "c", "d", "e"][: draw.randint(2, 5)]
    parts = [term(draw, names) for _ in range(draw.randint(1, 3))]
    texts = []
    for _ in range(draw.randint(1, 4)):
        kind = draw.random()
        one, other = draw.choice(parts), draw.choice(parts)
        if kind < 0.3:
            texts.append(one)
        elif kind < 0.6:
            texts.append(f"({one})*({other})")
        elif kind < 0.8:
            texts.append(f"({one})^2 + {draw.randint(1, 5)}*({other})")
        elif kind < 0.9:
            texts.append(f"({one})/({other} + {draw.randint(1, 5)})")
        else:
            texts.append(f"{term(draw, names)} - ({one})")
    return read_model_dictionary({"family": "polynomial", "parameters": names, "coordinates": texts})


def term(draw: Draw, names: list[str]) -> str:
    """A small polynomial that is not constant."""
    monomial = "*".join(draw.choices(names, k=draw.choice([1, 1, 2, 3])))
    return (
        monomial if draw.random() < 0.6 else f"{monomial} {draw.choice('+-')} {draw.randint(1, 3)}*{draw.choice(names)}"
    )


def still(draw: Draw) -> Any:
    """A model in which little or nothing can move: tables that are fixed, functions of what is given, one state."""
    count = draw.choice([2, 3, 4, 5, 5, 6])  # of five there are more cells than probes
    names = ["A", "B", "C", "D", "E", "F"][:count]
    kind = draw.choice(["fixed", "parity", "parity", "given", "one state"])
    if kind == "fixed":
        rows = [
            f"P({name}=0|H={state})=1/{draw.randint(2, 3)}, P({name}=1|H={state})" for name in names for state in (0, 1)
        ]
        halves = [f"{row}={'1/2' if '=1/2' in row else '2/3'}" for row in rows]
        kept = halves if draw.random() < 0.6 else halves[: draw.randint(1, len(halves))]
        top = draw.choice(["P(H=0)=1, P(H=1)=0", "P(H=0)=1/3, P(H=1)=2/3"])
        return algdim.model(f"H -> {', '.join(names)}; hidden H; fix {', '.join([top, *kept])}")
    if kind == "parity":
        word = draw.choice(["parity X", "max X"])
        more = draw.choice(["; X -> H; hidden H", "", "; hidden X; X -> Y"])
        return algdim.model(f"{', '.join(names)} -> X; {word}; given {', '.join(names)}{more}")
    if kind == "given":
        return algdim.model(f"{', '.join(names)} -> X; sum X; given {', '.join(names)}")
    return algdim.model(f"H -> {', '.join(names)}; hidden H; states H=1")


OWN: Mapping[str, Callable[[Draw], Any]] = {
    "confounded": confounded,
    "factors": factors,
    "paths": paths,
    "monomials": monomials,
    "still": still,
}

TURNS = ("confounded", "factors", "mixed", "paths", "monomials", "latent class", "confounded", "sigmoid", "gaussian",
         "polynomial", "mechanisms", "confounded", "classifier", "factors", "tree", "loglinear", "free", "embedded", "still", "still")  # fmt: skip


def drawn_model(seed: int | str, number: int) -> tuple[str, Any]:
    """The kind and the model of a number; the kinds take turns."""
    kind = random.Random(f"turn/{seed}/{number}").choice(TURNS)
    return kind, small_one(kind, seed, number)


def small_one(kind: str, seed: int | str, number: int) -> Any:
    """The model of a kind and a number."""
    for attempt in range(1000):
        try:
            model = {**KINDS, **OWN}[kind](random.Random(f"answers/{kind}/{seed}/{number}/{attempt}"))
        except InputError:
            continue
        if model is not None and is_small(model):
            return model
    raise AssertionError(f"no small model found for {kind}, seed {seed}, number {number}")
