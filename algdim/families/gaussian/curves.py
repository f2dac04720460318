"""Curves of parameters with the same covariances: the scale of a latent variable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

from algdim.families.contract import Curve
from algdim.families.gaussian.map import GaussianMap


def scales(gmap: GaussianMap, point: Sequence[Fraction]) -> Iterator[tuple[str, Curve]]:
    """For each latent variable, its scale: what leads in is multiplied by c = 1 + t, what leads out divided."""
    for variable in gmap.model.hidden:
        powers: dict[int, int] = {}
        fits = True
        for entry in gmap.model.entries:
            power = scale_power(entry, variable.name)
            number = gmap.number_of.get(entry)
            if number is None:
                fits = fits and (power == 0 or gmap.value_of[entry] == 0)
            else:
                fits = fits and powers.setdefault(number, power) == power
        if fits:
            yield f"the scale of {variable.name}", partial(scaled, point, powers)


def scale_power(entry: Sequence[str], name: str) -> int:
    """Which power of the scale of a variable an entry is multiplied by.

    >>> scale_power(("v", "F"), "F"), scale_power(("b", "F", "X"), "F"), scale_power(("c", "F", "G"), "F")
    (2, -1, 1)
    """
    kind, *names = entry
    if kind == "b":
        return (names[1] == name) - (names[0] == name)
    return (2 if kind == "v" else 1) * (name in names)


def scaled(point: Sequence[Fraction], powers: Mapping[int, int], t: Fraction) -> list[Fraction]:
    """The parameters times powers of 1 + t."""
    return [value * (1 + t) ** powers.get(number, 0) for number, value in enumerate(point)]


CURVES = scales
