"""Make hostile texts from harmless ones."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

SIGNS = (
    *("->", "<-", "<->", ";", ":", ",", "=", "|", "^", "(", ")", "{", "}", "[", "]", "!", "/", "*", "+", "-", ".", "_"),
    *("hidden", "states", "share", "fix", "equal", "leak", "means off", "given", "max", "sum", "parity", "at-least 2"),
    *(
        "sigmoid",
        "classifier",
        "gaussian:",
        "noisy-or:",
        "noisy-max:",
        "poisson:",
        "normal:",
        "loglinear:",
        "discrete:",
    ),
    *(
        "latent-profile:",
        "polynomial:",
        "parameters",
        "coordinates",
        "covariances full",
        "moments 3",
        "hierarchical off",
    ),
    *("P(A=0|B=1)", "b(A->B)", "v(A)", "c(A<->B)", "m(A)", "A -> A", "A -> B -> A", "H", "X1", "E.1", "E.1.1", "E.0"),
)
NUMBERS = (
    *(
        "0",
        "-0",
        "-1",
        "1",
        "2",
        "3",
        "1/0",
        "0/0",
        "1/3",
        "-7/2",
        "00",
        "0x10",
        "1_000",
        "+1",
        "1e5",
        "1e-5",
        "1e999999",
    ),
    *("1e-999999999", "NaN", "nan", "Infinity", "-Infinity", "inf", "1000000", "1000001", "2147483648", "4294967296"),
    *("9223372036854775808", "9" * 400, "9" * 5000, "0." + "3" * 3000, "1/" + "7" * 4500, "1.", ".5", "True", "null"),
)
STRANGE = (
    *("\x00", "\x1b[31m", "\r", "\n", "\t", "\v", "\u2028", "\ufeff", "\u200b", "\u200d", "\u202e", "\xa0", "\xad"),
    *(
        "А",
        "Н",
        "Х",
        "ℋ",
        "ﬁ",
        "Ⅻ",
        "²",
        "³",
        "①",
        "٣",
        "１",
        "₂",
        "½",
        "−",
        "–",
        "→",
        "，",
        "；",
        "：",
        "（",
        "＝",
        "𝐀",
        "é",
        "e\u0301",
    ),
    *("ß", "İ", "ı", "K", "Å", "\ud7ff", "\uffff", "\U0010ffff", "\U0001f600", "日本", "א", "\u0301" * 50, "A" * 3000),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 3, 10**6, 10**6 + 1, 2**63, 10**400, -(10**30), 0.5, -0.0, 1e308, 5e-324),
    *(
        float("nan"),
        float("inf"),
        float("-inf"),
        "",
        "A",
        "H",
        "1/2",
        "1/0",
        "NaN",
        "P(A=0|B=1)",
        "max",
        "\x00",
        "А",
        "é",
    ),
    *([], {}, [[]], [[], []], [{}], {"": {}}, [None], "x" * 3000, [0] * 200, ["A"] * 100, [["A", "B"]] * 50),
)
KEYS = (
    *(
        "family",
        "variables",
        "edges",
        "local",
        "given",
        "states",
        "observed",
        "name",
        "type",
        "share",
        "fixed",
        "equal",
    ),
    *("tree", "n", "leak", "mechanisms", "network", "bidirected", "means", "class", "interactions", "parameters"),
    *("coordinates", "effect", "format", "claim", "evidence", "lower", "upper", "kind", "value", "prime", "point", ""),
)
BYTES = (
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\x00" * 20,
    b"\xff\xfe",
    b"PAR1",
    b"\x80",
    b"\xf8\x88\x80\x80",
)
DEEP = (10, 45, 200, 1200, 5000, 30_000)

Draw = random.Random


def case(seeds: tuple[bytes, ...], draw: Draw) -> bytes:
    """One hostile text."""
    text = draw.choice(seeds)
    if text[:1] == b"{" and draw.random() < 0.5:
        text = structured(text, draw)
    for _ in range(draw.choice((0, 1, 1, 2, 3, 6))):
        text = draw.choice(EDITS)(text, draw, seeds)
    return text[:400_000]


def structured(text: bytes, draw: Draw) -> bytes:
    """A JSON document with a few of its parts replaced, moved, doubled or left out."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return text
    for _ in range(draw.choice((1, 1, 2, 4))):
        document = changed(document, draw, document)
    try:
        return json.dumps(document, ensure_ascii=draw.random() < 0.5).encode("utf-8", "surrogatepass")
    except ValueError:  # an integer with too many digits
        return text


def changed(value: Any, draw: Draw, whole: Any) -> Any:
    """The value with one part changed somewhere below."""
    if not isinstance(value, dict | list) or not value or draw.random() < 0.15:
        return replacement(value, draw, whole)
    if isinstance(value, dict):
        key = draw.choice(list(value))
        choice = draw.random()
        if choice < 0.1:
            return {other: one for other, one in value.items() if other != key}
        if choice < 0.2:
            return {**value, draw.choice(KEYS): draw.choice(VALUES)}
        if choice < 0.3:
            return {(draw.choice(KEYS) if other == key else other): one for other, one in value.items()}
        return {**value, key: changed(value[key], draw, whole)}
    place = draw.randrange(len(value))
    choice = draw.random()
    if choice < 0.15:
        return value[:place] + value[place + 1 :]
    if choice < 0.3:
        return [*value, value[place]] * draw.choice((1, 1, 1, 20))
    if choice < 0.4:
        return draw.sample(value, len(value))
    return [*value[:place], changed(value[place], draw, whole), *value[place + 1 :]]


def replacement(value: Any, draw: Draw, whole: Any) -> Any:
    """Something else in the place of a value."""
    choice = draw.random()
    if choice < 0.2 and isinstance(value, int) and not isinstance(value, bool):
        return value + draw.choice((-1, 1, 2))
    if choice < 0.3 and isinstance(value, str):
        return value + draw.choice((*STRANGE, *SIGNS))
    if choice < 0.4:
        return whole
    if choice < 0.45:
        for _ in range(draw.choice(DEEP[:3])):
            value = [value] if draw.random() < 0.9 else {"a": value}
        return value
    return draw.choice(VALUES)


def cut(text: bytes, draw: Draw, seeds: tuple[bytes, ...]) -> bytes:
    """Leave a piece out."""
    del seeds
    start = draw.randrange(len(text) + 1)
    return text[:start] + text[start + draw.choice((1, 1, 2, 5, 20, 1000)) :]


def doubled(text: bytes, draw: Draw, seeds: tuple[bytes, ...]) -> bytes:
    """Repeat a piece, perhaps many times."""
    del seeds
    start = draw.randrange(len(text) + 1)
    piece = text[start : start + draw.choice((1, 2, 5, 20, 200))]
    return text[:start] + piece * draw.choice((2, 2, 2, 5, 50, 1500)) + text[start + len(piece) :]


def inserted(text: bytes, draw: Draw, seeds: tuple[bytes, ...]) -> bytes:
    """Put in a word, a number or a strange sign."""
    del seeds
    piece = draw.choice(draw.choice((SIGNS, SIGNS, NUMBERS, STRANGE))).encode("utf-8", "surrogatepass")
    start = draw.randrange(len(text) + 1)
    space = draw.choice((b"", b" "))
    return text[:start] + space + piece + space + text[start:]


def replaced(text: bytes, draw: Draw, seeds: tuple[bytes, ...]) -> bytes:
    """Put a number in the place of a digit, or one sign in the place of another."""
    del seeds
    places = [place for place, byte in enumerate(text[:5000]) if chr(byte).isdigit()] or list(range(len(text)))
    if not places:
        return text
    place = draw.choice(places)
    return text[:place] + draw.choice(draw.choice((NUMBERS, NUMBERS, SIGNS))).encode() + text[place + 1 :]


def spliced(text: bytes, draw: Draw, seeds: tuple[bytes, ...]) -> bytes:
    """The beginning of one text and the end of another."""
    other = draw.choice(seeds)
    joint = draw.choice((b"", b"; ", b"\n", b","))
    return text[: draw.randrange(len(text) + 1)] + joint + other[draw.randrange(len(other) + 1) :]


def nested(text: bytes, draw: Draw, seeds: tuple[bytes, ...]) -> bytes:
    """Put something inside many brackets, closed or not."""
    del seeds
    opening, closing = draw.choice(
        ((b"(", b")"), (b"{", b"}"), (b"[", b"]"), (b"2(", b")"), (b'{"a":', b"}"), (b"-", b""), (b"((", b"))+1"))
    )
    depth = draw.choice(DEEP)
    start = draw.randrange(len(text) + 1)
    stop = min(len(text), start + draw.choice((0, 1, 10)))
    closed = closing * (depth if draw.random() < 0.7 else draw.choice((0, depth - 1, depth + 1)))
    return text[:start] + opening * depth + text[start:stop] + closed + text[stop:]


def broken(text: bytes, draw: Draw, seeds: tuple[bytes, ...]) -> bytes:
    """Put in bytes that are no UTF-8, or change one bit."""
    del seeds
    start = draw.randrange(len(text) + 1)
    if draw.random() < 0.5 or not text[start:]:
        return text[:start] + draw.choice(BYTES) + text[start:]
    return text[:start] + bytes([text[start] ^ (1 << draw.randrange(8))]) + text[start + 1 :]


def swapped(text: bytes, draw: Draw, seeds: tuple[bytes, ...]) -> bytes:
    """Exchange two pieces."""
    del seeds
    a, b, c = sorted(draw.randrange(len(text) + 1) for _ in range(3))
    return text[:a] + text[b:c] + text[a:b] + text[c:]


EDITS: tuple[Callable[[bytes, Draw, tuple[bytes, ...]], bytes], ...] = (
    *(cut, doubled, inserted, inserted, replaced, replaced, spliced, nested, broken, swapped),
)

MANY = 1_000_000


def giants() -> dict[str, tuple[str, bytes]]:
    """Single large cases by name: the target, and the text."""
    names = [f"V{number}" for number in range(MANY)]
    many = {"variables": [{"name": name} for name in names]}
    cycle = [["V0", "V1"], ["V1", "V2"], ["V2", "V0"]]
    return {
        "a million items": ("notation", f"2:2^{MANY}".encode()),
        "a million items written out": ("notation", b"2:" + b",".join([b"2"] * MANY)),
        "a million variables": ("notation", ", ".join(names).encode()),
        "a chain of a million": ("notation", " -> ".join(names).encode()),
        "a million children": ("notation", f"V -> {', '.join(names)}; hidden V".encode()),
        "a million parents": ("notation", f"{', '.join(names)} -> V".encode()),
        "a million errors that correlate": ("notation", f"gaussian: {' <-> '.join(names)}".encode()),
        "a million interactions": ("notation", f"loglinear: {', '.join(f'{{{name}}}' for name in names)}".encode()),
        "a million mechanisms": ("notation", f"max: {','.join(['{}'] * MANY)} -> E".encode()),
        "a million items of a mixture": ("notation", f"latent-profile: H -> {', '.join(names)}; hidden H".encode()),
        "a million coordinates": (
            "notation",
            f"polynomial: parameters a; coordinates {', '.join(['a'] * MANY)}".encode(),
        ),
        "a million brackets": ("notation", b"2(" * MANY + b"2" + b")" * MANY),
        "a long sum": ("notation", b"polynomial: parameters a; coordinates " + b"+".join([b"a"] * MANY)),
        "a tower of powers": ("notation", b"polynomial: parameters a; coordinates (a+1)" + b"^1000" * 9),
        "a cycle of a hundred thousand": ("notation", " -> ".join([*names[:99_999], "V0"]).encode()),
        "a cycle in a file": (
            "model file .json",
            json.dumps({"variables": many["variables"][:3], "edges": cycle}).encode(),
        ),
        "a million variables in a file": ("model file .json", json.dumps(many).encode()),
        "a million brackets in a file": ("model file .json", b"[" * MANY),
        "a million tables in a file": ("model file .json", b'{"a":' * MANY),
        "a million brackets in TOML": ("model file .toml", b"a=" + b"[" * MANY),
        "a deep key in TOML": ("model file .toml", b".".join([b"a"] * 100_000) + b"=1"),
        "a million columns": ("data", b",".join([b"A"] * MANY) + b"\n"),
        "a million rows": ("data", b"A,X,Y\n" + b"0,1,0\n" * MANY),
        "one long cell": ("data", b"A,X,Y\n" + b"0" * MANY + b",1,1\n"),
        "a row of a million": ("parameters (discrete)", json.dumps({"A": [["1/2"] * MANY]}).encode()),
        "a certificate of brackets": ("certificate", b"[" * MANY),
        "a certificate of digits": ("certificate", b'{"format": ' + b"9" * MANY + b"}"),
        "a million keys": ("certificate", json.dumps({f"k{number}": 1 for number in range(MANY)}).encode()),
    }
