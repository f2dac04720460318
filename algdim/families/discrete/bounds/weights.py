"""The rank at given weights a and b of sigmoid variables (lemma "exponentials" in proofs/lemmas.md).

A = e^a and B = e^b are not rational. But e is transcendental, so the rank is that over the field of rational functions
of an unknown in the place of e^(1/q), q the common denominator of the weights. Primes and residues in the place of the
unknown are drawn; the greatest rank found is proved from below, and the chance that it is too small is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, lcm, log2
from typing import Any

import numpy as np

from algdim.bound.chance import LEAST
from algdim.errors import InputError, LimitError
from algdim.exact.arithmetic import SingularError, make_large_prime_field
from algdim.exact.draws import draw_integers, open_stream
from algdim.exact.primes import count_primes, draw_prime
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Local
from algdim.jacobian import evaluate_jacobian, make_evaluator
from algdim.rank import Labels, make_object_array, try_drawn_points
from algdim.report import RankAt, Report, describe_parameter_source
from algdim.trust import probable, proved_by, trust_in_all

Tables = Mapping[str, Sequence[Sequence[Fraction]]]
Exponential = Callable[[Fraction], Fraction]

DRAWS = 2
BITS = 61


def rank_at_weights(
    pmap: ParamMap, tables: Callable[[Exponential], Tables], seed: int | str, max_memory: int | None
) -> tuple[int, float, str]:
    """The rank at the tables that are read with something in the place of e^x, the chance that it is greater, and where it was seen."""
    weights: list[Fraction] = []

    def note_weight(weight: Fraction) -> Fraction:
        weights.append(weight)
        return Fraction(1)

    plain = pmap.point(tables(note_weight))
    unit = lcm(*(weight.denominator for weight in weights))
    denominators = {value.denominator for value in plain} | set(pmap.denominators())

    evaluator = make_evaluator(pmap)

    def rank_with(labels: Labels) -> tuple[int, str]:
        prime = draw_prime(open_stream(seed, "prime", *labels), BITS)
        if any(number % prime == 0 for number in denominators):
            raise SingularError("the prime divides a denominator")
        source = open_stream(seed, "base", *labels)
        base = int(draw_integers(source, 1, prime - 1, 1)[0])
        values = pmap.point(tables(lambda weight: Fraction(pow(base, int(weight * unit), prime))))
        field = make_large_prime_field(prime)
        point = field.elements(make_object_array(values))
        coordinates = evaluator.all_coordinates(max_memory)
        matrix = evaluate_jacobian(pmap, field, point, coordinates, evaluator=evaluator, max_memory=max_memory)
        where = f'with a root of e drawn from "{source.text}" mod {prime}'
        return rank_mod(matrix.astype(np.int64), prime).value, where

    seen = [try_drawn_points(("weights", number), rank_with) for number in range(DRAWS)]
    rank, where = max(seen, key=lambda one: one[0])
    greatest = max(abs(int(weight * unit)) for weight in weights)
    error = 0.0 if rank == len(pmap.parameters) else max(LEAST, compute_error(pmap, plain, greatest, rank) ** DRAWS)
    return rank, error, where


def compute_error(pmap: ParamMap, plain: Sequence[Fraction], greatest: int, rank: int) -> float:
    """The chance that one draw shows this rank or less where it is greater; 1 says nothing."""
    degree, log_size = pmap.degree_and_log_size()
    cleared = lcm(*(value.denominator for value in plain))
    numerators = max([Fraction(cleared), *(abs(value) * cleared for value in plain)])
    most = 1 << (BITS - 1)  # no prime that is drawn is less
    bits = (rank + 1) * (log2(max(1, degree)) + log_size + degree * numerators.numerator.bit_length())
    unused = sum(ceil(log2(number) / (BITS - 1)) for number in {cleared, *pmap.denominators()})
    by_prime = bits / ((BITS - 1) * (count_primes(BITS) - unused))
    by_base = 2 * greatest * (rank + 1) * degree / most
    total = sum(entries.quotient.total_degree for entries in pmap.arrays if entries.quotient is not None)
    share = 1 - greatest * total / most
    return min(1.0, (by_prime + by_base) / share) if share > 0 else 1.0


def rank_at_file(pmap: ParamMap, report: Report, source: Any, memory: int) -> RankAt | None:
    """The rank at a parameter file of a network with sigmoid variables; ``None`` of other networks, whose numbers are rational."""
    if not has_local(report.model, Sigmoid):
        return None
    if has_local(report.model, Embedded):
        raise InputError(
            "the rank at given parameters is not available for networks with sigmoid variables and embedded classifiers; "
            "leave --at out"
        )
    return find_rank_at_weights(pmap, report, report.model, source, memory)


def has_local(model: Any, kind: type[Local]) -> bool:
    """Whether a variable depends on its parents in this way."""
    return any(isinstance(variable.local, kind) for variable in model.variables)


def find_rank_at_weights(pmap: ParamMap, report: Report, model: Any, source: Any, memory: int) -> RankAt:
    """The rank at a parameter file of a network with sigmoid variables; proved where it is the dimension."""
    from algdim.readers.parameters import read_parameters

    rank, error, where = rank_at_weights(pmap, lambda e: read_parameters(source, model, e), report.seed, memory)
    name = describe_parameter_source(source)
    known = proved_by("exponentials", f"rank {rank} at the weights of {name}, {where}")
    if report.exact and rank == report.dimension:  # the least that it can be, and the greatest
        return RankAt(rank, True, name, trust_in_all([known, report.trust]))
    if error >= 1:
        raise LimitError(
            f"the rank at these weights is at least {rank}, and may be greater; take weights with a smaller common denominator"
        )
    known = probable(error) if error else known
    if rank < report.lower.value:
        return RankAt(rank, False, name, trust_in_all([known, report.lower.trust]))
    return RankAt(rank, None, name, known)
