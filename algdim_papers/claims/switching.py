"""Checks of HM97 §6: the inputs of Eq. 10's network are switched on one after another, θ → η → ψ → φ → λ and θ → ω → η."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, TypeAlias

from algdim.trust import proved_by
from algdim_papers.claims.finding import (
    Finding,
    check_formula,
    check_identity,
    derive_trust,
    require_proved_report,
)
from algdim_papers.claims.hm97 import EQUATION_10, blocks, check_blocks, compute_odds, make_equation_10

PARENTS = {"y": 2, "x4": 2, "x5": 2}
"""The variables of Eq. 10's network whose tables enter the odds, each with the number of its parents besides the class."""

Eta: TypeAlias = tuple[int, str, tuple[int | None, ...]]
"""The input that is switched on, the table, and the states that Eqs. 14 to 16 name, with None for the input's own."""


def compute_omega(tables: dict[str, Callable[..., Any]], name: str, states: Sequence[int]) -> Any:
    """The exponential of the ω of Eqs. 21 to 23: a ratio of two entries, of y given x1, x2, or of x4 or x5 and its parents in the two classes."""
    if name == "y":
        return tables["y"](1, *states) / tables["y"](0, *states)
    return tables[name](*states, 1) / tables[name](*states, 0)


def compute_eta(tables: dict[str, Callable[..., Any]], eta: Eta) -> Any:
    """The exponential of the η of Eqs. 13 to 16: the ω with the input on over the ω with it off; η_0 is the odds with all inputs off."""
    number, name, states = eta
    if number == 0:
        return compute_odds(tables, (0,) * 5)
    on, off = (tuple(switch if state is None else state for state in states) for switch in (1, 0))
    return compute_omega(tables, name, on) / compute_omega(tables, name, off)


def list_psi(x: Sequence[int]) -> list[list[Eta]]:
    """Eq. 12: of each ψ that input x has, the η that it is the sum of. The states of tables are y: x1, x2; x4: x4, x1, x3; x5: x5, x2, x3."""
    x1, x2, x3, x4, x5 = x
    found: list[list[Any]] = [[(0, "", ())]]
    if x1:
        found.append([(1, "y", (None, 0)), (1, "x4", (0, None, 0))])
    if x2:
        found.append([(2, "y", (x1, None)), (2, "x5", (0, None, 0))])
    if x3:
        found.append([(3, "x4", (0, x1, None)), (3, "x5", (0, x2, None))])
    if x4:
        found.append([(4, "x4", (None, x1, x3))])
    if x5:
        found.append([(5, "x5", (None, x2, x3))])
    return found


def list_inputs() -> list[tuple[int, ...]]:
    """The 32 configurations of the five inputs."""
    return list(product((0, 1), repeat=5))


def list_eta() -> list[Eta]:
    """All η of Eq. 12, in the order of the inputs."""
    every = {eta for x in list_inputs() for psi in list_psi(x) for eta in psi}
    return sorted(every, key=lambda eta: (eta[0], eta[1], tuple(-1 if state is None else state for state in eta[2])))


def rank_of(rows: Iterable[Sequence[Any]]) -> int:
    """The rank of a matrix of exact numbers."""
    from sympy import Matrix

    return int(Matrix([list(row) for row in rows]).rank())


def odds_by_switching() -> Finding:
    """HM97 Eq. 12 with Eqs. 13 to 16: for all 32 inputs the odds of the class are the product of the e^η, as rational functions."""
    tables = make_equation_10()
    values = {eta: compute_eta(tables, eta) for eta in list_eta()}
    sides = [
        (compute_odds(tables, x), prod((values[eta] for psi in list_psi(x) for eta in psi), start=1))
        for x in list_inputs()
    ]
    return check_identity("Eq. 12", "Eq. 10's network, all 32 inputs, without logarithms", *sides)


def rank_by_eta() -> Finding:
    """HM97 Eq. 17: the dimension is the rank of the linear map η → λ, for Eq. 10's network."""
    every, report = list_eta(), require_proved_report(EQUATION_10)
    rows = [[sum(psi.count(eta) for psi in list_psi(x)) for eta in every] for x in list_inputs()]
    found = check_identity(
        "d = rank ∂λ/∂η", f"Eq. 10's network, {len(rows)} × {len(every)}", (rank_of(rows), report.dimension)
    )
    return Finding(found.value, found.reason, found.holds, trust=derive_trust(found.trust, [report]))


def union_of_bases() -> Finding:
    """HM97 Eq. 19: φ = ∪_{i=1}^n basis(η_i → ψ_i) is a set of non-redundant parameters, for Eq. 10's network, n = 5."""
    return check_blocks("the union begins at i = 0", "Eq. 10's network, numbers in φ")


def printed_summands() -> Finding:
    """HM97 §6, below Eq. 18: the six summands printed for "the model in Figure 2d" are those of Eq. 10's network, there called Figure 2a."""
    found = " + ".join(map(str, blocks()))
    return Finding(
        found, "blocks of Eq. 10's network", trust=proved_by("interactions", f"ranks of its linear map: {found}")
    )


def compute_slopes_of(functions: Sequence[Any]) -> list[list[Any]]:
    """The derivatives of the logarithms of rational functions by their symbols, at a rational point."""
    from sympy import Rational, log

    symbols = sorted({symbol for function in functions for symbol in function.free_symbols}, key=str)
    at = {symbol: Rational(2 * number + 3, 3 * number**2 + 101) for number, symbol in enumerate(symbols)}
    return [[log(function).diff(symbol).subs(at) for symbol in symbols] for function in functions]


def image_of_eta() -> Finding:
    """HM97 §6, below Eq. 23: the image of θ → η is open: near a point where the η have independent derivatives, and so near almost every one."""
    tables = make_equation_10()
    every = [compute_eta(tables, eta) for eta in list_eta()]
    rank = rank_of(compute_slopes_of(every))
    reason = f"Eq. 10's network: the {len(every)} numbers η have rank {rank} at a rational point"
    return Finding("open", reason, rank == len(every), trust=proved_by("instances", reason))


def image_of_omega() -> Finding:
    """HM97 §6, below Eq. 23: the image of θ → ω is open. Eq. 10's network decides: by Eq. 20 ω_0 is η_0, a sum of three other ω."""
    tables = make_equation_10()
    omega = {
        (name, states): compute_omega(tables, name, states)
        for name, count in PARENTS.items()
        for states in product((0, 1), repeat=count + (name != "y"))
    }
    zero = compute_odds(tables, (0,) * 5)
    others = prod(
        (omega[name, (0,) * len(states)] for name, states in (("y", "12"), ("x4", "413"), ("x5", "523"))), start=1
    )
    same = check_identity("", "ω_0 without logarithms", (zero, others))
    rank = rank_of(compute_slopes_of([zero, *omega.values()]))
    if not same.holds:
        raise ArithmeticError("η_0 is not the sum of the three ω with all inputs off")
    reason = f"Eq. 10's network: of {len(omega) + 1} numbers ω, ω_0 is the sum of three others; rank {rank} at a rational point"
    return Finding("open without ω_0", reason, rank == len(omega) + 1, trust=proved_by("instances", reason))


def odds_of_a_chain() -> Finding:
    """HM97 §6, the last equation: the log-odds if Y is a root and the inputs are a Markov chain given Y. Three inputs, x1 alone on, decide.

    x1 enters the table of x2 too. So η_1(x_2^1|x_1, y) belongs to ψ_1, and η_i(x_{i+1}^1|x_i, y) to ψ_i, as in Eq. 12; with them the equation is checked
    at all eight inputs. The number of ψ and their ranks stay: d = 2n.
    """
    primes = iter((2, 3, 5, 7, 11, 13, 17, 19, 23, 29))
    shares = {
        (number, before, y): Fraction(next(primes), 31)
        for number, befores in ((1, (0,)), (2, (0, 1)), (3, (0, 1)))
        for before in befores
        for y in (0, 1)
    }

    def compute_ratio(number: int, state: int, before: int) -> Fraction:
        top, bottom = (share if state else 1 - share for share in (shares[number, before, y] for y in (1, 0)))
        return top / bottom

    def compute_odds_of(x: Sequence[int]) -> Fraction:
        return prod((compute_ratio(i + 1, x[i], x[i - 1] if i else 0) for i in range(3)), start=Fraction(1, 2))

    def switch_on(x: Sequence[int], *, on_children: bool) -> Fraction:
        value = compute_odds_of((0, 0, 0))
        for i, on in enumerate(x):
            before = x[i - 1] if i else 0
            if on:
                value *= compute_ratio(i + 1, 1, before) / compute_ratio(i + 1, 0, before)
            if on and on_children and i < 2:
                value *= compute_ratio(i + 2, 0, 1) / compute_ratio(i + 2, 0, 0)
        return value

    if any(switch_on(x, on_children=True) != compute_odds_of(x) for x in product((0, 1), repeat=3)):
        raise ArithmeticError("the corrected equation does not give the odds")
    x = (1, 0, 0)
    return check_formula(
        "ψ_i has η_i(x_{i+1}^1|x_i, y) too",
        "three inputs, x1 alone on, the odds",
        truth=compute_odds_of(x),
        printed=switch_on(x, on_children=False),
        right=switch_on(x, on_children=True),
    )
