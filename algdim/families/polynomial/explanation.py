"""The parameters of maps given by formulas, one by one."""

from __future__ import annotations

from collections.abc import Iterator

from algdim.families.contract import Explaining, Share
from algdim.families.polynomial.expressions import names_in
from algdim.families.polynomial.map import PolynomialMap
from algdim.figures import counted


def plain_shares(pmap: PolynomialMap) -> Iterator[Share]:
    """The parameters one by one."""
    uses = [frozenset(names_in(one.formula)) for one in pmap.model.coordinates]
    for name in pmap.parameters:
        yield Share(name, 1, f"in {sum(name in used for used in uses)} of {counted(len(uses), 'coordinate')}")


EXPLAINING = Explaining(plain_shares, most_bits=64)
