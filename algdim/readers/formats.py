"""The formats of model files: their suffixes, what they are recognised by, what reads them, and what they leave open."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from algdim.errors import AlgdimError, InputError, LimitError, describe_closest_word, join_names
from algdim.models.anymodel import AnyModel
from algdim.models.notation import MOST_CHARACTERS

if TYPE_CHECKING:
    from pathlib import Path


class Format(NamedTuple):
    """A format of model files: its suffixes, the module and the function that read it, what its texts look like."""

    suffixes: tuple[str, ...]
    module: str
    function: str
    looks: str = r"(?!)"
    """What a text of this format has and texts of those listed later have not."""

    @property
    def words(self) -> Mapping[str, str]:
        """The options that it takes, and what their values are called; the name is empty where there is none."""
        found: Mapping[str, str] = getattr(self.load(), "WORDS", {})
        return found

    def load(self) -> ModuleType:
        """The module, which is imported when a file of the format is met."""
        return import_module(f"algdim.readers.{self.module}")

    def read(self, text: str, options: Options) -> AnyModel:
        """Read a text."""
        found: AnyModel = getattr(self.load(), self.function)(text, options)
        return found


FORMATS: dict[str, Format] = {
    "json": Format((".json",), "files", "read_json", r"\A\s*\{\s*\""),
    "toml": Format((".toml",), "files", "read_toml"),
    "dagitty": Format((".dagitty", ".dag"), "dagitty", "read_dagitty", r"\A\s*(?:dag|digraph|pdag|mag|pag)\b[^~]*?\{"),
    "bif": Format((".bif",), "bif", "read_bif", r"\A(?:\s|//[^\n]*\n)*network\b"),
    "xmlbif": Format((".xmlbif", ".bifxml"), "xmlbif", "read_xmlbif", r"\A\s*<"),
    "digraph6": Format((".d6",), "graphs", "read_digraph6", r"\A\s*(?:>>digraph6<<|&)"),
    "graph6": Format((".g6",), "graphs", "read_graph6", r"\A\s*>>graph6<<"),
    "newick": Format(
        (".nwk", ".newick", ".tre", ".tree", ".nex", ".nexus"),
        "newick",
        "read_newick",
        r"\A(?:\s*#(?i:NEXUS)\b|(?:\s|\[[^\]]*\])*\([^;>]*\)[^;>\n]*;\s*\Z)",
    ),
    "qmatrix": Format((".qmatrix",), "qmatrix", "read_qmatrix", r"\A\s*#\s*model\s"),
    "polca": Format((".polca",), "polca", "read_polca", r"\bcbind\s*\("),
    "macaulay2": Format((".m2",), "algebra", "read_macaulay2", r"\b(?:QQ|ZZ(?:/\d+)?)\s*\["),
    "singular": Format((".sing", ".sng"), "algebra", "read_singular", r"(?m)^\s*ring\s+\w+\s*="),
    "julia": Format((".jl",), "algebra", "read_julia", r"@(?:poly)?var\b"),
    "mathematica": Format((".wl", ".wls", ".m"), "algebra", "read_mathematica", r"\A\s*\(\*"),
    "maple": Format((".mpl", ".maple"), "algebra", "read_maple", r"\A[^~]*:=[^~]*\Z"),
    "lavaan": Format((".lavaan", ".lav"), "lavaandefaults", "read_lavaan", r"~"),
}

OPEN_SUFFIXES = (".txt", ".xml", ".r")
"""Files of any format: what stands in them says which."""

TABLES = (".csv", ".tsv")
"""Files of a Q-matrix, if a line of them says the model; others are data."""

LARGE = ("json", "toml", "bif", "xmlbif")
"""Formats of which large files are read, because most of what stands in them is read over or is data."""

PACKED = ".gz"

SUFFIXES = (*(suffix for form in FORMATS.values() for suffix in form.suffixes), *OPEN_SUFFIXES, *TABLES)
"""What ends in one of these, or in one of these and .gz, is a path."""

PATH = re.compile(r"(?=[^\s~{}()<>;]*\Z)(?:[^/]*/|.*\.[A-Za-z][A-Za-z0-9]{0,7}\Z).*")
"""What looks like a path where a text is not expected to be one word."""


def find_known_suffix(path: str | os.PathLike[str]) -> str | None:
    """Return the known suffix in which a path ends, in small letters and without .gz, or None.

    >>> find_known_suffix("model.JSON"), find_known_suffix("asia.lav.gz"), find_known_suffix("A -> B")
    ('.json', '.lav', None)
    """
    text = os.fspath(path).lower().removesuffix(PACKED)
    if not text.endswith(SUFFIXES):  # as most texts of models
        return None
    return next((suffix for suffix in SUFFIXES if text.endswith(suffix)), None)


def read_formatted(x: str | Path, form: str) -> AnyModel:
    """Read a file, or a text that is no path, in a format that is given with its options."""
    name, _, rest = form.partition(":")
    if name not in FORMATS:
        raise InputError(
            f"the format {name[:60]!r} is not known{describe_closest_word(name, FORMATS)}; known are {join_names(FORMATS)}"
        )
    options = read_options(rest, f"the format {name}")
    check_words(options, FORMATS[name].words, f"the format {name}")
    if isinstance(x, os.PathLike) or find_known_suffix(x) or PATH.fullmatch(x):
        return read_file(x, name, options)
    return read_as(x, name, options)


def read_file(path: str | os.PathLike[str], name: str = "", options: Options | None = None) -> AnyModel:
    """Read a file, in the format that is given, that its suffix says, or that its text looks like."""
    from pathlib import Path

    from algdim.readers.files import read_text

    place = os.fspath(path)
    suffix = find_known_suffix(place)
    if not name and suffix is None:
        shown = Path(place).suffix or "(none)"
        raise InputError(
            f"{place}: the suffix {shown} is not known; known are {join_names(SUFFIXES, most=len(SUFFIXES))}; "
            f"or say with --format which it is of {join_names(FORMATS)}"
        )
    text = read_text(Path(place))
    try:
        chosen = (
            name
            or next((word for word, form in FORMATS.items() if suffix in form.suffixes), "")
            or identify_format(text, is_table=suffix in TABLES)
        )
        return read_as(text, chosen, options or {})
    except AlgdimError as error:
        named = type(error)(f"{place}: {error}")
        named.__dict__.update(error.__dict__)  # what it knows beside its message
        raise named from None


def find_format(text: str) -> str | None:
    """The format that a text looks like, if it looks like one.

    >>> find_format("dag { A -> B }"), find_format("A -> B; hidden A"), find_format("3:2,2,2,2")
    ('dagitty', None, None)
    """
    return next((name for name, form in FORMATS.items() if re.search(form.looks, text)), None)


def identify_format(text: str, *, is_table: bool = False) -> str:
    """The format that a text looks like; what a table holds only a Q-matrix says."""
    if is_table and not re.search(FORMATS["qmatrix"].looks, text):
        raise InputError(FORMATS["qmatrix"].load().describe_table(text))
    name = find_format(text)
    if name is not None:
        return name
    raise InputError(f"could not recognise the format; specify it with --format: {join_names(FORMATS)}")


def read_as(text: str, name: str, options: Options) -> AnyModel:
    """Read the text of a file; every line ends, so that errors name line and column."""
    if len(text) > MOST_CHARACTERS and name not in LARGE:
        raise LimitError(
            f"the text has {len(text)} characters; at most {MOST_CHARACTERS} are read in the format {name}"
        )
    return FORMATS[name].read(text.replace("\r\n", "\n").replace("\r", "\n").rstrip() + "\n", options)


Options: TypeAlias = Mapping[str, str]
"""Words and their values; the value of a word without one is empty."""

OPTION = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*)(?:=([A-Za-z0-9_.+=~<-]+))?")


def read_options(text: str, place: str) -> Options:
    """Read words and values, separated by commas.

    >>> read_options("growth,nclass=3", "--format lavaan")
    {'growth': '', 'nclass': '3'}
    """
    found: dict[str, str] = {}
    for piece in text.split(",") if text.strip() else ():
        match = OPTION.fullmatch(piece.strip())
        if match is None or match[1] in found:
            raise InputError(f"{place}: {piece[:60]!r} is not a word or WORD=VALUE that occurs once")
        found[match[1]] = match[2] or ""
    return found


def check_words(options: Options, known: Mapping[str, str], place: str) -> None:
    """Raise unless every option is known; a value is expected exactly where ``known`` names one."""
    for word, value in options.items():
        if word not in known:
            raise InputError(
                f"{place}: {word!r} is not known{describe_closest_word(word, known)}; known are {join_names(known) or 'no options'}"
            )
        if bool(value) != bool(known[word]):
            wanted = f"{word}={known[word]}" if known[word] else word
            raise InputError(f"{place}: {word + ('=' + value if value else '')!r} is written {wanted}")


def read_integer_option(options: Options, word: str, default: int, least: int, most: int, place: str) -> int:
    """The value of an option that is an integer within bounds."""
    text = options.get(word, str(default))
    if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
        raise InputError(f"{place}: {word}={text[:30]} is not an integer from {least} to {most}")
    return int(text)
