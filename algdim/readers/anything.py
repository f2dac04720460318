"""Convert any model-like input to a model."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from algdim.arguments import check_arguments
from algdim.errors import InputError, describe_type, describe_value, join_names
from algdim.families import load_family
from algdim.models.anymodel import AnyModel, is_model
from algdim.models.notation import parse
from algdim.models.ranges import describe_meant_range, expand_range
from algdim.readers.formats import SUFFIXES, find_known_suffix, read_file, read_formatted

if TYPE_CHECKING:
    import networkx as nx


ModelLike: TypeAlias = "AnyModel | str | os.PathLike[Any] | dict[str, Any] | nx.Graph[Any]"
"""What `model` reads."""

SINGLE_WORD = re.compile(r"[^A-Za-z\s<>;:,()=|^!]*[A-Za-z][^\s<>;:,()=|^!]*")
"""No model of the notation is one word without any of its signs."""

LAVAAN = re.compile(r"\s*[A-Za-z][A-Za-z0-9_.]*\s*=~")

PATH = re.compile(r"[/\\]|\.[A-Za-z][A-Za-z0-9]{0,7}$")
"""A part of a word that looks like a path: a slash, or a suffix."""

ACCEPTED = (
    "the notation or a name of the catalogue as text, the path of a model file "
    f"({', '.join(SUFFIXES)}), a dictionary of the model-file form, a networkx.DiGraph or Graph, a network of pgmpy, or a model"
)


@check_arguments
def model(x: ModelLike, *, format: str | None = None, hidden: Iterable[str] = ()) -> AnyModel:  # noqa: A002
    """The model that x describes, whatever x is.

    What a text is depends on its end alone: with the suffix of a file that is read it is a path, else a name of the
    catalogue or notation.

    Parameters
    ----------
    x : text, path, dictionary, graph or model
        The notation or a name of the catalogue; the path of a file; a dictionary of the model-file form; a graph of
        networkx, a network of pgmpy; or a model, which is returned.
    format : str, optional
        How a file or a text is written, such as "lavaan" or "dagitty"; without it the suffix of a path tells.
    hidden : names
        Variables that are not observed, in addition to those that the model declares hidden.

    Returns
    -------
    A frozen record of the model's family
        Printed it is the notation; a notebook shows the graph.

    Examples
    --------
    >>> model("gaussian: F -> X1, X2, X3; hidden F").edges
    (('F', 'X1'), ('F', 'X2'), ('F', 'X3'))
    >>> model("f =~ x1 + x2 + x3", format="lavaan:std.lv").fixed
    ((('v', 'f'), Fraction(1, 1)),)
    >>> print(model("A -> B -> C", hidden="B"))
    A -> B -> C; hidden B
    """
    return read_model(x, format=format, hidden=hidden)


def read_model(x: ModelLike, *, format: str | None = None, hidden: Iterable[str] = ()) -> AnyModel:  # noqa: A002
    """The same, of arguments that were looked at already."""
    return add_hidden_variables(read(x, format), hidden)


def read(x: ModelLike, form: str | None) -> AnyModel:
    """Read any model-like input."""
    if form is not None and isinstance(x, (str, os.PathLike)):
        from pathlib import Path

        return read_formatted(x if isinstance(x, str) else Path(convert_path(x)), form)
    if form is not None:
        raise InputError(f"{describe_type(x)} has no format; formats are of files and their texts")
    if is_model(x):
        return x
    if isinstance(x, str):
        known = read_text_once(x) if len(x) <= MOST_KEPT else read_text(x)
        return read_file(x) if known is None else known
    if isinstance(x, os.PathLike):
        return read_file(convert_path(x))
    if isinstance(x, dict):
        from algdim.models.anymodel import read_model_dictionary

        return read_model_dictionary(x)
    if is_graph(x):
        from algdim.readers.graphs import read_any_graph

        return read_any_graph(x)
    raise InputError(f"expected {ACCEPTED}, got {describe_type(x)}")


def read_text(text: str) -> AnyModel | None:
    """The model that a text is, ``None`` if it is a path."""
    return None if find_known_suffix(text) else read_lavaan_or_notation(text)


MOST_KEPT, KEPT = 500, 64
"""Of the last so many texts with no more characters the models are kept, which are frozen records."""

read_text_once = lru_cache(KEPT)(read_text)


def read_lavaan_or_notation(text: str) -> AnyModel:
    """A text with ``f =~ x1 + x2`` can be lavaan's alone, and is read so."""
    return read_formatted(text, "lavaan") if LAVAAN.match(text) else read_model_text(text)


def read_model_text(text: str) -> AnyModel:
    """Return the model of a name of the catalogue or of the notation; tell what other single words may be meant for."""
    if not re.search("[A-Za-z]", text):  # numbers of states alone
        return parse(text)
    from algdim.models.catalogue import find_catalogue_notation, list_catalogue_names

    word = text.strip()
    if SINGLE_WORD.fullmatch(word) and find_catalogue_notation(word) is None:
        if PATH.search(word):
            raise InputError(
                f"no model named {word[:200]!r}; if it is a path, the known suffixes are {join_names(SUFFIXES, most=len(SUFFIXES))}"
            )
        from difflib import get_close_matches

        close = get_close_matches(word.lower(), list_catalogue_names(), n=3)
        if close:
            raise InputError(
                f"no model named {word[:200]!r} (`algdim models` lists all); did you mean {join_names(close)}?"
            )
    return parse(text, find_catalogue_notation)


def convert_path(path: os.PathLike[str] | os.PathLike[bytes]) -> str:
    """Return a path as text."""
    text = os.fspath(path)
    return text if isinstance(text, str) else os.fsdecode(text)


def is_graph(x: object) -> bool:
    """Whether x is a networkx graph; avoids importing networkx."""
    networkx = sys.modules.get("networkx")
    return networkx is not None and isinstance(x, networkx.Graph)


def list_names(names: Iterable[str]) -> list[str]:
    """Names that were given one by one or alone."""
    if isinstance(names, tuple) and not names:  # as mostly
        return []
    if isinstance(names, str):
        return [names]
    found = list(names) if isinstance(names, Iterable) else [names]
    if not all(isinstance(name, str) for name in found):
        raise InputError(f"hidden={describe_value(names)}: the names of variables are expected, as hidden=['H']")
    return found


def add_hidden_variables(model: AnyModel, hidden: Iterable[str]) -> AnyModel:
    """The same model in which these variables are hidden too.

    >>> from algdim.models.notation import parse, to_text
    >>> to_text(add_hidden_variables(parse("A -> B -> C"), ["B"]))
    'A -> B -> C; hidden B'
    """
    said = list_names(hidden)
    if not said:
        return model
    if not load_family(model.family).can_hide:
        raise InputError(f"a model of the family {model.family} has no variables that could be hidden")
    record: Any = model
    names = [variable.name for variable in record.variables]
    chosen = {name for text in said for name in ([text] if text in names else expand_range(text))}
    unknown = sorted(chosen.difference(names))
    if unknown:
        hint = "".join(f"; {hint}" for hint in map(describe_meant_range, unknown[:1]) if hint)
        raise InputError(
            f"hidden {join_names(unknown)}: there is no such variable; known are {join_names(names)}{hint}"
        )
    variables = tuple(
        replace(variable, observed=False) if variable.name in chosen else variable for variable in record.variables
    )
    hiding: AnyModel = replace(record, variables=variables)
    return hiding
