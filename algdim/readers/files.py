"""Files as text of bounded size, and JSON and TOML, read strictly."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, TypeVar

from algdim.errors import InputError, LimitError, join_names
from algdim.models.anymodel import AnyModel
from algdim.models.values import MOST_DIGITS

if TYPE_CHECKING:
    from pathlib import Path

Parameters = TypeVar("Parameters")

FIT_SCHEMA = "algdim-fit-1"
"""Of what `algdim fit --json` writes, whose parameters are taken."""
MOST_BYTES = 64 * 1024 * 1024
EXPONENT = re.compile(r"[eE][+-]?0*([0-9]+)$")

MOST_SIGNS = 3_000_000
"""Commas, colons and opening brackets of JSON: each may begin a value, for which Python keeps about 100 bytes."""

MOST_TOML = 8 * 1024 * 1024
"""Bytes of TOML, which takes Python thirty times as long to read as JSON."""

MOST_PARTS = 64
"""Of a dotted key of TOML: the library's time and memory grow with their square."""
LONG_KEY = re.compile(
    rf"""(?<![A-Za-z0-9_.-])(?:(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{MOST_PARTS}}}"""
)


def read_data(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a JSON or TOML file that holds one table; decimal numbers become `Decimal`, so nothing is rounded."""
    from pathlib import Path

    path = Path(path)
    suffix = find_file_suffix(path)
    if suffix is None:
        message = f"the suffix {path.suffix or '(none)'} is not known; known are {join_names(FORMATS)}"
        raise InputError(f"{path}: {message}{describe_unread_file(path)}")
    text = read_text(path)
    try:
        return parse_table(text, suffix)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def describe_unread_file(path: Path) -> str:
    """What to do with a file of parameters that is not read, if something is known."""
    name = path.name.lower()
    if name.removesuffix(".gz").endswith(".bif"):
        return "; of a BIF file the graph and the states are read, not the tables: write them to a JSON file"
    if name.endswith(".gz") and find_file_suffix(name.removesuffix(".gz")):
        return "; unpack it (gunzip)"
    return ""


def parse_table(text: str, suffix: str) -> dict[str, Any]:
    """Read the text of a JSON or TOML file that holds one table."""
    try:
        data = FORMATS[suffix](text)
    except RecursionError:
        raise InputError("the lists or tables are nested too deeply") from None
    except InputError:
        raise
    except ValueError as error:  # json.JSONDecodeError and tomllib.TOMLDecodeError are of this kind
        raise InputError(f"not valid {suffix[1:].upper()}: {error}") from None
    if not isinstance(data, dict):
        raise InputError("the file holds no table; a JSON object is expected")
    return data


def read_json(text: str, options: object) -> AnyModel:
    """Read a model file in JSON; there are no options."""
    from algdim.models.anymodel import read_model_dictionary

    del options
    return read_model_dictionary(parse_table(text, ".json"))


def read_toml(text: str, options: object) -> AnyModel:
    """Read a model file in TOML; there are no options."""
    from algdim.models.anymodel import read_model_dictionary

    del options
    return read_model_dictionary(parse_table(text, ".toml"))


def read_by(source: object, build: Callable[[dict[str, Any]], Parameters]) -> Parameters:
    """Build parameters of a dictionary or of a file, or of a fit's; messages about a file begin with its path."""
    if isinstance(source, dict):
        return build(select_parameters(source))
    if not isinstance(source, (str, os.PathLike)):
        raise InputError(f"the parameters are a {type(source).__name__}; a path or a dictionary is expected")
    try:
        return build(select_parameters(read_data(source)))
    except InputError as error:
        prefix = f"{os.fspath(source)}: "
        raise InputError(str(error) if str(error).startswith(prefix) else prefix + str(error)) from None


def select_parameters(data: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a fit's JSON; other data as they are."""
    if data.get("schema") != FIT_SCHEMA:
        return data
    found = data.get("parameters")
    if not isinstance(found, dict):
        raise InputError("the parameters of the fit: an object is expected")
    return found


def read_state_labels(source: object) -> dict[str, tuple[str, ...]]:
    """The labels of the states in a fit's JSON, by variable; none in other sources.

    A state that no row showed has its number for a label.

    >>> read_state_labels({"schema": FIT_SCHEMA, "data": {"states": {"X": ["no", None]}}})
    {'X': ('no', '1')}
    """
    data = read_data(source) if isinstance(source, (str, os.PathLike)) else source
    if not isinstance(data, dict) or data.get("schema") != FIT_SCHEMA or "data" not in data:
        return {}
    try:
        found = {name: list(labels) for name, labels in data["data"]["states"].items()}
    except (AttributeError, KeyError, TypeError):
        raise InputError("the data of the fit: a list of states for each variable is expected") from None
    for name, labels in found.items():
        shown = [label for label in labels if label is not None]
        filled = [str(state) if label is None else label for state, label in enumerate(labels)]
        if not all(isinstance(label, str) for label in shown) or len(set(filled)) < len(filled):
            raise InputError(f"the data of the fit, the states of {name}: different texts, or null, are expected")
        found[name] = filled
    return {name: tuple(labels) for name, labels in found.items()}


def describe_fit_boundary(source: object) -> str:
    """What a fit's JSON says of the boundary, as a sentence; nothing of other sources, or where it says nothing.

    >>> describe_fit_boundary({"schema": FIT_SCHEMA, "boundary": [{"entry": "P(X=0)", "value": 1e-12}]})
    'the fit is within 1/N of the boundary, has variances or rates near 0, or states with equal rows: P(X=0) = 1e-12'
    """
    data = read_data(source) if isinstance(source, (str, os.PathLike)) else source
    found = data.get("boundary") if isinstance(data, dict) and data.get("schema") == FIT_SCHEMA else None
    if not found:
        return ""
    try:
        texts = [f"{one['entry']} = {float(one['value']):.3g}" for one in found]
    except (TypeError, KeyError, ValueError):
        raise InputError("the boundary of the fit: a list of objects with entry and value is expected") from None
    return f"the fit is within 1/N of the boundary, has variances or rates near 0, or states with equal rows: {join_names(texts)}"


def find_file_suffix(path: str | os.PathLike[str]) -> str | None:
    """Return the suffix of JSON or TOML in which a path ends, in small letters, or None.

    >>> find_file_suffix("model.JSON"), find_file_suffix("A -> B")
    ('.json', None)
    """
    text = os.fspath(path).lower()
    return next((suffix for suffix in FORMATS if text.endswith(suffix)), None)


def read_text(path: Path, encoding: str = "utf-8-sig", advice: str = "save it as UTF-8") -> str:
    """Read a text file, up to the limit; one that ends in .gz is unpacked."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            packed = path.suffix.lower() == ".gz"
            raw = (read_compressed_file(file) if packed else file.read(MOST_BYTES + 1)) if size <= MOST_BYTES else b""
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise InputError(f"{path}: the file cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if size > MOST_BYTES or len(raw) > MOST_BYTES:
        raise LimitError(f"{path}: the file has {max(size, len(raw))} bytes; at most {MOST_BYTES} are read")
    try:
        return raw.decode(encoding)
    except UnicodeError as error:
        raise InputError(f"{path}: {describe_decoding_error(error, encoding)}; {advice}") from None


def describe_decoding_error(error: UnicodeError, encoding: str) -> str:
    """Which byte is no text in an encoding, and in which line."""
    name = "UTF-8" if encoding == "utf-8-sig" else encoding
    if not isinstance(error, UnicodeDecodeError):
        return f"the file is not {name} ({error})"
    line = error.object.count(b"\n", 0, error.start) + 1
    return f"the file is not {name}: byte {error.start} in line {line} is {error.object[error.start]:#04x}"


def read_compressed_file(file: BinaryIO) -> bytes:
    """What a compressed file holds, up to the limit."""
    import gzip
    import zlib

    try:
        return gzip.GzipFile(fileobj=file).read(MOST_BYTES + 1)
    except (EOFError, zlib.error) as error:
        raise OSError(f"it ends in .gz and cannot be unpacked: {error}") from None


def parse_json(text: str) -> Any:
    """Read JSON without duplicate keys, NaN, infinities and rounding."""
    import json

    signs = sum(map(text.count, ",:[{"))
    if signs > MOST_SIGNS:
        message = f"the text has {signs} commas, colons and opening brackets; at most {MOST_SIGNS} are read"
        raise LimitError(message)
    return json.loads(
        text,
        object_pairs_hook=refuse_duplicate_keys,
        parse_constant=refuse_constant,
        parse_float=parse_decimal,
        parse_int=parse_integer,
    )


def parse_toml(text: str) -> dict[str, Any]:
    """Read TOML without NaN, infinities and rounding; TOML itself refuses duplicate keys."""
    if len(text) > MOST_TOML:
        raise LimitError(f"the text has {len(text)} signs; at most {MOST_TOML} are read of TOML, more of JSON")
    if LONG_KEY.search(text):
        raise InputError(f"a dotted key has more than {MOST_PARTS} parts; at most {MOST_PARTS} are allowed")
    import tomllib

    return tomllib.loads(text.replace("\r\n", "\n"), parse_float=parse_decimal)


FORMATS: dict[str, Callable[[str], Any]] = {".json": parse_json, ".toml": parse_toml}
"""The suffixes that are known, and what reads the text of such a file."""


def refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dictionary, unless a key occurs twice."""
    data = dict(pairs)
    if len(data) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise InputError(f"the key {key[:60]!r} occurs twice in one table; once is allowed")
            seen.add(key)
    return data


def refuse_constant(text: str) -> NoReturn:
    """Refuse NaN and the infinities, which JSON does not have."""
    raise InputError(f"{text} is not a value; a finite number is allowed")


def parse_decimal(text: str) -> Decimal:
    """Read a decimal number without rounding."""
    exponent = EXPONENT.search(text)
    if len(text) > MOST_DIGITS or (exponent is not None and len(exponent[1]) > 6):
        raise InputError(f"the number {text[:20]}… is too long or has too large an exponent; write a string 'p/q'")
    number = Decimal(text.replace("_", ""))
    if not number.is_finite():
        refuse_constant(text)
    return number


def parse_integer(text: str) -> int:
    """Read an integer of bounded length."""
    if len(text) > MOST_DIGITS:
        raise InputError(f"the number {text[:20]}… has {len(text)} digits; at most {MOST_DIGITS} are allowed")
    return int(text)
