"""The dimension against the number of hidden states: how long another state adds parameters, and how long dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from algdim.errors import InputError
from algdim.families.discrete.model import Network
from algdim.models.anymodel import expect
from algdim.plots.svg import Axis, Series, plot
from algdim.report import Report, dimension

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike

UP_TO = 8


def with_hidden_states(model: Network, name: str, states: int) -> Network:
    """A network in which one hidden variable has another number of states."""
    if name not in {variable.name for variable in model.hidden}:
        known = ", ".join(variable.name for variable in model.hidden) or "none"
        raise InputError(f"{name} is no hidden variable of the model; hidden are: {known}")
    return replace(
        model,
        variables=tuple(one.with_states(states) if one.name == name else one for one in model.variables),
    )


def by_states(
    model: ModelLike, name: str = "", states: Sequence[int] = range(1, UP_TO + 1), *, seed: int | str = 0
) -> list[Report]:
    """The reports of a network with these numbers of states of one hidden variable, the first if none is named.

    >>> [report.dimension for report in by_states("2:2,2,2,2", states=(1, 2, 3))]
    [4, 9, 13]
    """
    from algdim.readers.anything import model as read_model

    network = expect(read_model(model), Network, "drawn against hidden states for discrete models")
    if not network.hidden:
        raise InputError("the model has no hidden variable, so there are no hidden states to be varied")
    name = name or network.hidden[0].name
    return [dimension(with_hidden_states(network, name, count), seed=seed) for count in states]


def growth_svg(
    model: ModelLike, name: str = "", states: Sequence[int] = range(1, UP_TO + 1), *, seed: int | str = 0
) -> str:
    """Dimension, parameters and the saturated model against hidden states, as SVG."""
    reports = by_states(model, name, states, seed=seed)
    most = max((report.complete or 0) for report in reports)
    counts = [(float(count), report) for count, report in zip(states, reports, strict=True)]
    series = [
        Series("effective (dimension)", tuple((x, float(one.dimension)) for x, one in counts)),
        Series("standard, up to complete", tuple((x, float(min(one.standard, most))) for x, one in counts)),
    ]
    if most < 1 << 40:
        series.append(Series("complete", tuple((x, float(most)) for x, _ in counts)))
    return plot("dimension against hidden states", Axis("hidden states"), Axis("dimension"), series)
