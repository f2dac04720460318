"""Pictures of a dimension: its derivation, and how it grows.

The derivation has the answer on top, below each statement what it rests on. Growth is the dimension against the number of
hidden states: how long another state adds parameters, and how long dimensions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING

from algdim.errors import InputError, LimitError
from algdim.families.discrete.model import Network
from algdim.figures import cut_text
from algdim.models.anymodel import require_model
from algdim.plots.svg import Axis, Series, plot, render_picture
from algdim.report import Reason, Report, dimension

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike


MOST_BOXES = 200
COLUMNS = 74
LINE, PAD, GAP, INDENT = 17, 9, 12, 30
BOX_LETTER, BOLD_LETTER = 7.2, 8.3
WIDE = "   "
"""Between the model and its numbers in a report's first line: in a picture a new line, and wider spaces."""
SIDE_COLOURS = {"at least": "#0072b2", "at most": "#d55e00"}


def draw_derivation(report: Report) -> str:
    """The tree of reasons as boxes, lower bounds blue and upper ones orange.

    >>> from algdim.report import dimension
    >>> draw_derivation(dimension("2:2,2")).count("<rect")
    3
    """
    boxes = list(iterate_derivation_boxes(report.derivation, 0, ""))
    if len(boxes) > MOST_BOXES:
        raise LimitError(f"the derivation has {len(boxes)} statements; at most {MOST_BOXES} are drawn")
    parts, y = [], 10.0
    open_at: dict[int, float] = {}
    right = 0.0
    for depth, colour, lines in boxes:
        x = 10.0 + INDENT * depth
        letter = BOX_LETTER if depth else BOLD_LETTER
        width, height = letter * max(map(len, lines)) + 2 * PAD, LINE * len(lines) + 2 * PAD - 4
        if depth:
            knee = x - INDENT + 14
            parts.append(
                f'<path d="M{knee:g} {open_at[depth - 1]:g}V{y + height / 2:g}H{x:g}" fill="none" stroke="var(--ink, #222)" opacity=".6"/>'
            )
        parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:.0f}" height="{height:g}" rx="6" fill="var(--paper, #fff)" stroke="{colour}" stroke-width="1.6"/>'
        )
        weight = "" if depth else ' font-weight="bold"'
        parts += [
            f'<text x="{x + PAD:g}" y="{y + PAD + 10 + LINE * number:g}" text-anchor="start" font-size="13"{weight}>'
            f"{escape(line)}</text>"
            for number, line in enumerate(lines)
        ]
        open_at[depth] = y + height
        right = max(right, x + width)
        y += height + GAP
    return render_picture(right + 10, y, report.derivation.text, parts)


def iterate_derivation_boxes(reason: Reason, depth: int, colour: str) -> Iterator[tuple[int, str, list[str]]]:
    """The statements in order: how deep, which colour, wrapped lines."""
    colour = next((shade for start, shade in SIDE_COLOURS.items() if reason.text.startswith(start)), colour)
    model, _, facts = reason.text.partition(WIDE)
    parts = (model.replace(" − ", "\u00a0−\u00a0"), facts.replace(WIDE, "\u2003"))
    lines = [line for part in parts for line in wrap(part, COLUMNS - 4 * depth)]
    yield depth, colour or "var(--ink, #222)", lines or [""]
    for child in reason.because:
        yield from iterate_derivation_boxes(child, depth + 1, colour)


UP_TO = 8
FOR_STATES = "drawn against hidden states for discrete models"
MOST_OF_TITLE = 40
"""Of a model's notation."""


def replace_hidden_states(model: Network, name: str, states: int) -> Network:
    """A network in which one hidden variable has another number of states."""
    if name not in {variable.name for variable in model.hidden}:
        known = ", ".join(variable.name for variable in model.hidden) or "none"
        raise InputError(f"{name} is no hidden variable of the model; hidden are: {known}")
    return replace(
        model,
        variables=tuple(one.with_states(states) if one.name == name else one for one in model.variables),
    )


def make_state_reports(
    model: ModelLike, name: str = "", states: Sequence[int] = range(1, UP_TO + 1), *, seed: int | str = 0
) -> list[Report]:
    """The reports of a network with these numbers of states of one hidden variable, the first if none is named.

    >>> [report.dimension for report in make_state_reports("2:2,2,2,2", states=(1, 2, 3))]
    [4, 9, 13]
    """
    from algdim.readers.anything import read_model

    network = require_model(read_model(model), Network, FOR_STATES)
    if not network.hidden:
        raise InputError("the model has no hidden variable, so there are no hidden states to be varied")
    name = name or network.hidden[0].name
    try:
        varied = [replace_hidden_states(network, name, count) for count in states]
    except InputError as error:
        raise InputError(
            f"the picture 'states' varies the states of a hidden variable; this model does not allow it: {error}"
        ) from None
    return [dimension(one, seed=seed) for one in varied]


def plot_growth(
    model: ModelLike, name: str = "", states: Sequence[int] = range(1, UP_TO + 1), *, seed: int | str = 0
) -> str:
    """Dimension, parameters and the saturated model against hidden states, as SVG."""
    from algdim.readers.anything import read_model

    network = read_model(model)
    reports = make_state_reports(network, name, states, seed=seed)
    name = name or require_model(network, Network, FOR_STATES).hidden[0].name
    most = max((report.complete or 0) for report in reports)
    counts = [(float(count), report) for count, report in zip(states, reports, strict=True)]
    series = [
        Series("dimension", tuple((x, float(one.dimension)) for x, one in counts)),
        Series("expected dimension", tuple((x, float(min(one.standard, most))) for x, one in counts)),
    ]
    if most < 1 << 40:
        series.append(Series("saturated model", tuple((x, float(most)) for x, _ in counts)))
    title = f"{cut_text(str(network), MOST_OF_TITLE)}: dimension by the number of states of {name}"
    return plot(title, Axis(f"states of {name}", whole=True), Axis("dimension"), series)
