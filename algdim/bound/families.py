"""What a report needs of a family beside ranks and bounds: parts, notes, the point of a parameter file, words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from algdim.bound.classifierbounds import recipe_note
from algdim.bound.districts import Part, split
from algdim.bound.halftreks import MOST_VARIABLES, is_about_half_treks
from algdim.bound.moments import taken
from algdim.bound.pairwise import latent_class, pairwise, searchable
from algdim.bound.saturated import Complete, affine_hull, saturated_dimension
from algdim.bound.shifts import taken_cumulants
from algdim.maps.anymap import Map, map_of
from algdim.maps.classifier import ClassifierMap
from algdim.maps.factors import ParamMap
from algdim.maps.gaussian import GaussianMap, point_of
from algdim.models.additive import KINDS
from algdim.models.anymodel import AnyModel
from algdim.models.classifier import Classifier
from algdim.models.gaussian import Gaussian
from algdim.models.halftrek import IDENTIFIABLE, INFINITE, UNDECIDED, half_trek
from algdim.models.network import Network
from algdim.models.pruning import LEMMAS, WITHOUT_DESCENDANTS

HALF_TREK_WORDS = {
    IDENTIFIABLE: "identifiable, every coefficient is almost everywhere a rational function of the covariances",
    INFINITE: "infinite-to-one, almost everywhere infinitely many parameters have the same covariances",
    UNDECIDED: "decides nothing here",
}


def pairwise_value(pmap: ParamMap) -> int | None:
    """KZ02's dp: for a latent class model the pairwise bound, or the complete dimension if no bipartition qualifies."""
    bound = pairwise(pmap.model)
    if bound is not None:
        return bound.value
    shape = latent_class(pmap.model)
    return None if shape is None or not searchable(shape[1]) else pmap.complete


def half_trek_note(gmap: GaussianMap) -> str:
    """The verdict of the half-trek criterion, where it is about the model and the graph is not large.

    It looks at covariances alone: where intercepts are fixed or equal, the means may determine what these leave open.
    """
    if not is_about_half_treks(gmap) or len(gmap.model.variables) > MOST_VARIABLES:
        return ""
    verdict = half_trek(gmap.model).verdict
    means = gmap.model.fixed or gmap.model.equal
    more = "; this is about covariances alone, and intercepts that are fixed or equal may determine more"
    return f"half-trek criterion: {HALF_TREK_WORDS[verdict]}{more if means and verdict == INFINITE else ''}"


def entry_point(gmap: GaussianMap, source: Any, model: Gaussian) -> list[Fraction]:
    """The parameters of a Gaussian model from a parameter file."""
    from algdim.readers.gaussianparameters import read_parameters

    return point_of(gmap, read_parameters(source, model))


def named_point(pmap: Map, source: Any, model: AnyModel) -> list[Fraction]:
    """The parameters from a file that has them by name."""
    from algdim.readers.namedparameters import read_parameters

    if pmap.model == model:
        return read_parameters(source, pmap.parameters)
    # a file has the parameters of variables that were removed too
    names = map_of(model).parameters
    values = dict(zip(names, read_parameters(source, names), strict=True))
    return [values[name] for name in pmap.parameters]


def class_point(cmap: ClassifierMap, source: Any, model: Classifier) -> list[Fraction]:
    """The parameters of a classifier from a parameter file, which has the tables of its network."""
    return table_point(cmap.tables, source, model.network)


def table_point(pmap: ParamMap, source: Any, model: Network) -> list[Fraction]:
    """The parameters of a discrete model from a parameter file."""
    from algdim.readers.parameters import read_parameters

    return pmap.point(read_parameters(source, model))


@dataclass(frozen=True, slots=True)
class Family:
    """What a report does beside ranks and bounds; what is not said of a family is as with most.

    Split into districts, KZ02's dp, the point of a parameter file, why hidden variables were removed, what is to be said of
    the map, why a point can be one where the map has no value, and the dimension of the saturated model.
    """

    split: Callable[[Any, Any, Any], Sequence[Part]] = lambda model, pmap, whole: ()  # noqa: ARG005 (one form for all)
    pairwise: Callable[[Any], int | None] = lambda pmap: None  # noqa: ARG005 (the same)
    point: Callable[[Any, Any, Any], list[Fraction]] = named_point
    removed: str = WITHOUT_DESCENDANTS
    note: Callable[[Any], str] = lambda pmap: ""  # noqa: ARG005 (the same)
    no_value: str = "a denominator is zero"
    complete: Callable[[Any, int | str], Complete] = saturated_dimension


FAMILIES: Mapping[str, Family] = {
    "discrete": Family(
        split,
        pairwise_value,
        table_point,
        no_value="an entry of a classifier's table is 0, and derivatives divide by it",
    ),
    "gaussian": Family(
        point=entry_point, note=half_trek_note, no_value="the coefficients on a cycle make I − B singular"
    ),
    "latent-profile": Family(note=taken),
    **dict.fromkeys(KINDS, Family(note=taken_cumulants)),
    "loglinear": Family(removed=LEMMAS["loglinear"][1]),
    "polynomial": Family(complete=affine_hull),
    "classifier": Family(
        point=class_point, note=recipe_note, no_value="a probability is 0, and log-odds need its logarithm"
    ),
}
"""The same by family."""
