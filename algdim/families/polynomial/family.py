"""What a dimension needs of maps given by formulas: the map itself, its affine hull, and the bounds that only look at it.

Such maps are compared by their coordinates (lemma "free coordinates").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, cast

from algdim.bound.counting import Complete, bound_by_counting
from algdim.bound.searches import SearchSetting
from algdim.errors import join_names
from algdim.families.contract import Bounds, Comparing, Explaining, Family, Share, SmallerModel
from algdim.families.polynomial.bounds import (
    FREE_SEARCHES,
    bound_by_hull,
    bound_by_power_sums,
    compute_hull_dimension,
)
from algdim.families.polynomial.expressions import NamedParameter, iterate_names
from algdim.families.polynomial.map import (
    PolynomialMap,
    build_polynomial_map,
    derive_polynomial_jacobian,
    make_formula_program,
)
from algdim.families.polynomial.model import Polynomial
from algdim.figures import format_count
from algdim.jacobian import evaluate_functionals, make_evaluator
from algdim.models.graphs import iterate_ancestral_sets
from algdim.rank import make_object_array
from algdim.trust import Trust, proved_by

if TYPE_CHECKING:
    from algdim.explanation.evidence import Embedding, Refutation


def describe_formulas(model: Polynomial) -> str:
    """What kind of model it is."""
    parameters = format_count(len(model.parameters), "parameter")
    if model.short:
        coefficients = format_count(len(model.coordinates), "coefficient")
        return f"classifier with normal inputs: map from {parameters} to {coefficients} of log-odds"
    return f"map from {parameters} to {format_count(len(model.coordinates), 'coordinate')}"


def compute_saturated(pmap: PolynomialMap, seed: int | str) -> Complete:
    """All coefficients of the log-odds of a classifier; of other maps the affine hull of the coordinates."""
    if not cast("Polynomial", pmap.model).short:
        return compute_hull_dimension(pmap, seed)
    facts = f"the log-odds of degree 2 have {format_count(pmap.coordinate_count, 'coefficient')}"
    return Complete(pmap.coordinate_count, proved_by("normal inputs", facts))


def prove_classifier_rank(pmap: PolynomialMap) -> tuple[Trust, ...]:
    """That the dimension of the map to the coefficients is the classifier's."""
    if not cast("Polynomial", pmap.model).short:
        return ()
    facts = "the distributions of the class given the inputs determine the coefficients of the log-odds, and these determine them"
    return (proved_by("normal inputs", facts),)


FAMILY = Family(
    no_graph="a user-defined map has no graph; draw its Jacobian instead",
    describe=describe_formulas,
    can_hide=False,
    make_map=lambda model, whole: build_polynomial_map(model),  # noqa: ARG005 (nothing is tied to other models)
    make_evaluator=make_formula_program,
    bounds=Bounds(
        {"counting": bound_by_counting, "ambient": bound_by_hull},
        {"flattenings": bound_by_power_sums, **FREE_SEARCHES},
        SearchSetting,
    ),
    multiply_out=derive_polynomial_jacobian,
    compute_complete=compute_saturated,
    prove_counts=prove_classifier_rank,
)


def iterate_parameter_shares(pmap: PolynomialMap) -> Iterator[Share]:
    """The parameters one by one."""
    uses = [frozenset(iterate_names(one.formula)) for one in pmap.model.coordinates]
    for name in pmap.parameters:
        yield Share(name, 1, f"in {sum(name in used for used in uses)} of {format_count(len(uses), 'coordinate')}")


def iterate_smaller_maps(model: Polynomial) -> Iterator[SmallerModel]:
    """The maps to some of the coordinates, one more each time, with as few parameters as that takes."""
    uses = {one.name: frozenset(iterate_names(one.formula)) for one in model.coordinates}
    for names in iterate_ancestral_sets({name: sorted(used) for name, used in uses.items()}, uses):
        used = frozenset[str]().union(*(uses[name] for name in names))
        kept = tuple(one for one in model.coordinates if one.name in names)
        yield SmallerModel(
            Polynomial(tuple(name for name in model.parameters if name in used), kept),
            f"the map to {join_names([one.name for one in kept], most=12)}",
            "These are some of the coordinates",
            "these coordinates in place, not always the others",
        )


EXPLAINING = Explaining(
    iterate_parameter_shares,
    most_bits=64,
    describe_subject=lambda model: "coordinates",  # noqa: ARG005
    offer_parts=lambda model: iter((iterate_smaller_maps(model),)),
)


def order_coordinates(model: Polynomial, names: Sequence[str]) -> Polynomial:
    """A model with its coordinates in this order."""
    known = {coordinate.name: coordinate for coordinate in model.coordinates}
    return replace(model, coordinates=tuple(known[name] for name in names), short="")


def find_free_embedding(first: PolynomialMap, second: PolynomialMap) -> Embedding | None:
    """The map into one whose coordinates are different parameters: these take the values of the coordinates."""
    from algdim.exact.arithmetic import make_rationals
    from algdim.explanation.evidence import Embedding, prove_embedding

    names = [one.formula.name for one in second.model.coordinates if isinstance(one.formula, NamedParameter)]
    if len(names) < second.coordinate_count or len(set(names)) < len(names):
        return None
    place = {name: number for number, name in enumerate(second.parameters)}
    line = f"{join_names(names)} {'is the coordinate' if len(names) == 1 else 'are the coordinates'} of the first map"
    idle = [name for name in second.parameters if name not in names]
    lines = (line, f"{join_names(idle)} {'is' if len(idle) == 1 else 'are'} 0") if idle else (line,)

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        field, evaluator = make_rationals(), make_evaluator(first)
        elements = field.elements(make_object_array(point))
        found = [Fraction(0)] * len(place)
        values = evaluate_functionals(first, field, elements, evaluator.all_coordinates(), evaluator=evaluator)
        for name, value in zip(names, values, strict=True):
            found[place[name]] = Fraction(int(value.numerator), int(value.denominator))
        return found

    return Embedding(lines, prove_embedding("free coordinates", lines), first, second, at)


def iterate_failing_forms(first: PolynomialMap, second: PolynomialMap, seed: int | str) -> Iterator[Refutation | None]:
    """An equation between the coordinates that fails."""
    from algdim.explanation.evidence import search_forms

    return search_forms(first, second, seed)


COMPARING = Comparing(
    collect_observed=lambda model: {coordinate.name: None for coordinate in model.coordinates},
    differ="the first model has the coordinates {}, the second {}; maps to the same coordinates are compared",
    order=order_coordinates,
    embeddings=(find_free_embedding,),
    iterate_refutations=iterate_failing_forms,
)
