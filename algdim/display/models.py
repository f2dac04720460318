"""Models show themselves: the notation in print, a picture of the graph in a notebook; and so do trees of reasons about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from algdim.display.results import MOST_SHOWN, Frame, Result, cut_cell, shorten
from algdim.errors import AlgdimError, InputError, describe_closest_word, describe_value, join_names
from algdim.families import FOLDERS, load_notation

if TYPE_CHECKING:
    from algdim.display.blocks import Block, OutlineNode, Picture
    from algdim.display.html import Drawing


class AnyVariable(Protocol):
    """A variable."""

    @property
    def observed(self) -> bool:
        """Whether data show it."""


V = TypeVar("V", bound=AnyVariable)


class ShownModel:
    """The record of a model: printed in the notation, and drawn."""

    __slots__ = ()

    def __str__(self: Any) -> str:
        return load_notation(FOLDERS[self.family]).write(self)

    def __repr__(self) -> str:
        text = str(self)
        return f"algdim.model({text!r})" if len(text) <= MOST_SHOWN else f"<algdim.model {shorten(text)}>"

    def __dir__(self) -> list[str]:
        """The public names."""
        return sorted(name for name in object.__dir__(self) if not name.startswith("_"))

    def plot(self) -> Drawing:
        """The graph as SVG, which a notebook shows and `save` writes; an error for a model that has none."""
        from algdim.display.html import Drawing
        from algdim.plots.networkdrawing import draw_network
        from algdim.plots.svg import convert_to_standalone

        return Drawing(convert_to_standalone(draw_network(self)))

    def _repr_svg_(self) -> str | None:
        """The graph; ``None`` of a model that has none, or a very large one."""
        picture = draw_model(self)
        return None if picture is None else picture.svg

    def _repr_html_(self) -> str:
        """The graph in a notebook, or a table of what the model is."""
        from algdim.display.html import render_result

        return render_result(show_model(self))


class VariableModel(ShownModel, Generic[V]):
    """A model with a list of variables, each of which is observed or not; it remembers what follows from its fields."""

    variables: tuple[V, ...]

    @cached_property
    def observed(self) -> tuple[V, ...]:
        """The observed variables."""
        return tuple([one for one in self.variables if one.observed])

    @cached_property
    def hidden(self) -> tuple[V, ...]:
        """The hidden variables."""
        return tuple([one for one in self.variables if not one.observed])


FOR_TEXT = " (in text: in parentheses, in brackets)"


def show_model(model: Any) -> list[Block]:
    """The graph with the notation below it, or a table."""
    from algdim.display.blocks import TableBlock

    text = cut_cell(str(model))
    picture = draw_model(model)
    if picture is not None:
        return [replace(picture, caption=f"{text}. {picture.caption}")]
    variables = [one.name for one in getattr(model, "variables", ())]
    rows = [("model", text), ("family", model.family)]
    return [TableBlock((), (*rows, *((("variables", str(len(variables))),) if variables else ())))]


def draw_model(model: Any) -> Picture | None:
    """The graph of a model, with what its signs mean; ``None`` where there is none, or it is too large to be drawn."""
    from algdim.display.blocks import Picture

    # the one door from records to what draws them
    from algdim.plots.networkdrawing import (
        describe_network_signs,
        draw_network,
        format_network_lines,
        write_network_tikz,
    )
    from algdim.plots.svg import convert_to_standalone

    try:
        return Picture(
            convert_to_standalone(draw_network(model)),
            tuple(format_network_lines(model)),
            describe_network_signs(model).replace(FOR_TEXT, ""),
            write_network_tikz(model),
        )
    except AlgdimError:
        return None


REPORT_PICTURES = ("derivation", "network", "states")


def plot_report(report: Any, what: str) -> Drawing:
    """A picture of a report as SVG: its reasons, its network, or the dimension against the states of a hidden variable."""
    from algdim.display.html import Drawing
    from algdim.plots.dimensions import draw_derivation, plot_growth
    from algdim.plots.svg import convert_to_standalone

    if what not in REPORT_PICTURES:
        close = describe_closest_word(str(what), REPORT_PICTURES)
        raise InputError(
            f"there is no picture {describe_value(what)} of a report{close}; known are {join_names(REPORT_PICTURES)}"
        )
    if what == "network":
        model: ShownModel = report.model
        return model.plot()
    drawn = draw_derivation(report) if what == "derivation" else plot_growth(report.model, seed=report.seed)
    return Drawing(convert_to_standalone(drawn))


class ResultTree(Result):
    """A result that is a tree of reasons, its ``derivation``."""

    __slots__ = ()

    def _root(self: Any) -> OutlineNode:
        """The head of the tree."""
        root: OutlineNode = self.derivation
        return root

    def _summarise(self) -> str:
        return self._root().text

    def _show(self: Any) -> Iterator[Block]:
        from algdim.display.blocks import TreeBlock

        yield from show_model(self.model)
        yield TreeBlock(self._root(), is_open=True)

    def _tabulate(self) -> Frame:
        return Frame(("level", "text"), tuple(walk_tree(self._root(), 0)))

    def lines(self) -> list[str]:
        from algdim.display.blocks import draw_tree

        return list(draw_tree(self._root()))


def walk_tree(node: OutlineNode, level: int) -> Iterator[tuple[int, str]]:
    """The nodes of a tree with their depths."""
    yield level, node.text
    for child in node.because:
        yield from walk_tree(child, level + 1)
