"""What a dimension needs of maps given by formulas: the map itself, its affine hull, and the bounds that only look at it."""

from __future__ import annotations

from collections.abc import Iterator

from algdim.bound.counting import counting
from algdim.families.contract import Bounds, Explaining, Family, Share
from algdim.families.polynomial.expressions import names_in
from algdim.families.polynomial.hull import affine_hull
from algdim.families.polynomial.map import PolynomialMap, formula_program, polynomial_jacobian, polynomial_map
from algdim.families.polynomial.powersums import power_sums
from algdim.families.polynomial.symmetry import FREE_SEARCHES, MapSetting, hull
from algdim.figures import counted

FAMILY = Family(
    can_hide=False,
    make_map=lambda model, whole: polynomial_map(model),  # noqa: ARG005 (nothing is tied to other models)
    evaluator=formula_program,
    bounds=Bounds({"counting": counting, "ambient": hull}, {"flattenings": power_sums, **FREE_SEARCHES}, MapSetting),
    multiplied_out=polynomial_jacobian,
    complete=affine_hull,
)


def plain_shares(pmap: PolynomialMap) -> Iterator[Share]:
    """The parameters one by one."""
    uses = [frozenset(names_in(one.formula)) for one in pmap.model.coordinates]
    for name in pmap.parameters:
        yield Share(name, 1, f"in {sum(name in used for used in uses)} of {counted(len(uses), 'coordinate')}")


EXPLAINING = Explaining(plain_shares, most_bits=64, subject=lambda model: "coordinates")  # noqa: ARG005
