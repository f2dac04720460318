"""The plots of `svg` as figures of matplotlib, an extra, for those who want another form or change them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from algdim.errors import InputError
from algdim.plots.svg import COLOURS, Axis, Series

FORMS = ("pdf", "png")
"""What files such a figure is written to."""


def figure(title: str, x: Axis, y: Axis, series: Sequence[Series]) -> Any:
    """The figure that `algdim.plots.svg.plot` draws, as one of matplotlib; series without points are left out."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(
            "figures need matplotlib: python3 -m pip install 'algdim[plots]'; .svg needs nothing"
        ) from None
    drawn = Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = drawn.add_subplot(
        title=title,
        xlabel=x.label,
        ylabel=y.label,
        xscale="log" if x.logarithmic else "linear",
        yscale="log" if y.logarithmic else "linear",
    )
    for number, one in enumerate(series):
        if one.points:
            style = ("--" if number >= len(COLOURS) else "-") if one.joined else ""
            across, upward = zip(*one.points, strict=True)
            axes.plot(
                across, upward, style, marker="o", markersize=4, color=COLOURS[number % len(COLOURS)], label=one.name
            )
    axes.grid(color="#dddddd")
    drawn.legend(loc="outside right upper", frameon=False)
    return drawn
