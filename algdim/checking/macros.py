r"""The commands that a LaTeX source defines for itself, put in their places: `\newcommand{\lc}[2]{$#1{:}#2$}`, `\def\de{d_e}`.

They are texts with places for arguments, and nothing else is done with them. What has another form, such as an optional
argument, stays as it is; where it occurs in a cell that counts, it is an error there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from algdim.checking.braces import find_closing, read_argument
from algdim.errors import LimitError

NEW = re.compile(
    r"\\(?:newcommand|renewcommand|providecommand|DeclareMathOperator)\*?\s{0,9}"
    r"(?:\{\s{0,9}\\([A-Za-z]+)\s{0,9}\}|\\([A-Za-z]+))\s{0,9}(?:\[([0-9])\]\s{0,9})?(?=\{)"
    r"|\\def\s{0,9}\\([A-Za-z]+)((?:#[1-9])*)\s{0,9}(?=\{)"
)
CONTROL = re.compile(r"\\(?:([A-Za-z]+)[ \t]*|.)", re.DOTALL)
PLACE = re.compile(r"#([1-9])")
MOST_NAMES = 10_000
MOST_USES = 200_000
MOST_CHARACTERS = 20_000_000
MOST_DEPTH = 20
"""Of commands whose text has commands."""


@dataclass(frozen=True, slots=True)
class Macro:
    """The text of a command, and how many arguments it takes."""

    body: str
    arguments: int


@dataclass(slots=True, eq=False)
class MacroExpansion:
    """Commands put in their places, so many at most."""

    macros: Mapping[str, Macro]
    uses: int = 0
    length: int = 0

    def expand(self, text: str, depth: int = 0) -> str:
        """A text with the commands that occur in it replaced; it keeps its number of lines."""
        if depth > MOST_DEPTH:
            raise LimitError(f"the source's own commands are nested more than {MOST_DEPTH} deep")
        pieces, position = [], 0
        while found := CONTROL.search(text, position):
            macro = self.macros.get(found[1] or "")
            if macro is None:
                pieces.append(text[position : found.end()])
                position = found.end()
                continue
            pieces.append(text[position : found.start()])
            arguments, end = [], found.end()
            for _ in range(macro.arguments):
                one, end = read_argument(text, end, f"\\{found[1]}")
                arguments.append(" ".join(one.split("\n")))
            self.count(sum(map(len, arguments)) + len(macro.body))
            inner = PLACE.sub(lambda at, given=arguments: given[int(at[1]) - 1], macro.body)  # type: ignore[misc]
            pieces.append(self.expand(inner, depth + 1) + "\n" * text.count("\n", found.start(), end))
            position = end
        return "".join([*pieces, text[position:]])

    def count(self, length: int) -> None:
        """One more use, refused beyond the limits."""
        self.uses += 1
        self.length += length
        if self.uses > MOST_USES or self.length > MOST_CHARACTERS:
            raise LimitError(
                f"the source's own commands are used more than {MOST_USES} times, or become more than {MOST_CHARACTERS} characters"
            )


def expand_macros(text: str) -> str:
    r"""A source with its own commands put in their places.

    >>> expand_macros(r"\newcommand{\lc}[2]{$#1{:}#2$}\def\de{d_e} \lc{3}{2,2} has $\de$").strip()
    '$3{:}2,2$ has $d_e$'
    """
    macros: dict[str, Macro] = {}
    kept: list[str] = []
    position = 0
    for found, name, count in find_definitions(text):
        if found.start() < position:  # a definition inside of another one
            continue
        closing = find_closing(text, found.end(), f"\\{name}")
        body = " ".join(text[found.end() + 1 : closing].split("\n"))
        kept += [text[position : found.start()], "\n" * text.count("\n", found.start(), closing)]
        position = closing + 1
        if all(int(at[1]) <= count for at in PLACE.finditer(body)):
            macros[name] = Macro(body, count)
        if len(macros) > MOST_NAMES:
            raise LimitError(f"the source defines more than {MOST_NAMES} commands")
    return MacroExpansion(macros).expand("".join([*kept, text[position:]])) if macros else text


def find_definitions(text: str) -> Iterator[tuple[re.Match[str], str, int]]:
    """The definitions of a source: where, the name, the number of arguments."""
    for found in NEW.finditer(text):
        yield found, found[1] or found[2] or found[4], int(found[3] or 0) or (found[5] or "").count("#")
