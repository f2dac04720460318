"""Discrete networks in XMLBIF 0.3: the variables, states and parents of `algdim.readers.bif` in elements of XML.

A document type may stand there, as XMLBIF has one, but entities may not be declared: nothing expands, nothing is fetched.
"""

from __future__ import annotations

from algdim.families.discrete.model import Network
from algdim.models.tokens import make_position_error
from algdim.readers.bif import HIDDEN, BifPieces, build_bif_network, check_known
from algdim.readers.formats import Options

ELEMENTS = {
    "BIF": "",
    "NETWORK": "BIF",
    "NAME": "NETWORK VARIABLE",
    "VARIABLE": "NETWORK",
    "OUTCOME": "VARIABLE",
    "VALUE": "VARIABLE",
    "PROPERTY": "NETWORK VARIABLE DEFINITION PROBABILITY",
    "DEFINITION": "NETWORK",
    "PROBABILITY": "NETWORK",
    "FOR": "DEFINITION PROBABILITY",
    "GIVEN": "DEFINITION PROBABILITY",
    "TABLE": "DEFINITION PROBABILITY",
}
"""The elements, and in which others each may stand."""

MOST_TEXT = 10_000
"""Signs in the text of one element; tables are not kept."""


class Reading:
    """The state while the elements of a document pass by."""

    def __init__(self, text: str) -> None:
        from xml.parsers.expat import ParserCreate

        self.text = text
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.pieces = BifPieces()
        self.open: list[str] = []
        self.words: list[str] = []
        self.length = 0
        self.name = ""
        self.outcomes: list[str] = []
        self.said_hidden = False
        self.child = ""
        self.given: list[str] = []
        self.begin = 0
        self.parser = ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.EntityDeclHandler = self.entity

    def at(self) -> int:
        """The place in the text where the parser is."""
        return self.place(self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber)

    def place(self, line: int, column: int) -> int:
        """The place of a line and a column."""
        return min(self.starts[min(line, len(self.starts)) - 1] + column, max(0, len(self.text) - 1))

    def entity(self, name: str, *_: object) -> None:
        """Refuse the declaration of an entity."""
        raise make_position_error(self.text, self.at(), f"the entity {name[:60]} is declared; entities are not read")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        element, parent = tag.upper(), self.open[-1] if self.open else ""
        if element not in ELEMENTS:
            raise make_position_error(self.text, self.at(), f"the element {tag[:60]!r} is not of XMLBIF 0.3")
        if parent not in ELEMENTS[element].split(" "):
            raise make_position_error(
                self.text, self.at(), f"{element} may not stand {f'in {parent}' if parent else 'outside'}"
            )
        self.open.append(element)
        self.words, self.length = [], 0
        if element == "VARIABLE":
            kind = attributes.get("TYPE", attributes.get("type", "nature"))
            if kind != "nature":
                raise make_position_error(
                    self.text, self.at(), f"a variable of the type {kind[:60]!r} is not read; nature is"
                )
            self.name, self.outcomes, self.said_hidden, self.begin = "", [], False, self.at()
        elif element in ("DEFINITION", "PROBABILITY"):
            self.child, self.given, self.begin = "", [], self.at()

    def characters(self, data: str) -> None:
        """Text within an element."""
        if self.open and self.open[-1] != "TABLE":
            self.words.append(data)
            self.length += len(data)
            if self.length > MOST_TEXT:
                raise make_position_error(
                    self.text, self.at(), f"the text of {self.open[-1]} is longer than {MOST_TEXT} signs"
                )

    def end(self, tag: str) -> None:
        """An element ends."""
        element = self.open.pop()
        parent = self.open[-1] if self.open else ""
        words = "".join(self.words).strip()
        self.words, self.length = [], 0
        if element in ("NAME", "OUTCOME", "VALUE", "FOR", "GIVEN") and not words:
            raise make_position_error(self.text, self.at(), f"the element {tag} is empty; a name is expected")
        match element:
            case "NAME" if parent == "VARIABLE":
                self.name = words
            case "OUTCOME" | "VALUE":
                self.outcomes.append(words)
            case "PROPERTY" if parent == "VARIABLE":
                self.said_hidden = self.said_hidden or HIDDEN.fullmatch(words) is not None
            case "VARIABLE":
                self.add_variable()
            case "FOR":
                if self.child:
                    raise make_position_error(
                        self.text, self.at(), "a second FOR; tables of several variables are not read"
                    )
                check_known(self.text, self.pieces, words, self.at())
                self.child = words
            case "GIVEN":
                check_known(self.text, self.pieces, words, self.at())
                if words in self.given:
                    raise make_position_error(self.text, self.at(), f"{words} is given twice; once is allowed")
                self.given.append(words)
            case "DEFINITION" | "PROBABILITY":
                self.add_definition()

    def add_variable(self) -> None:
        """A variable is complete."""
        if not self.name:
            raise make_position_error(self.text, self.begin, "the variable has no NAME")
        if self.name in self.pieces.names:
            raise make_position_error(
                self.text, self.begin, f"duplicate variable name {self.name}; each name is allowed once"
            )
        if not self.outcomes:
            raise make_position_error(
                self.text, self.begin, f"the variable {self.name} has no OUTCOME; its states are expected"
            )
        self.pieces.names[self.name] = self.begin
        self.pieces.add_states(self.text, self.begin, self.name, self.outcomes)
        if self.said_hidden:
            self.pieces.hidden.add(self.name)

    def add_definition(self) -> None:
        """The parents of a variable are complete."""
        if not self.child:
            raise make_position_error(
                self.text, self.begin, "the definition has no FOR; the name of its variable is expected"
            )
        if self.child in self.pieces.parents:
            raise make_position_error(self.text, self.begin, f"{self.child} is defined twice; once is allowed")
        self.pieces.parents[self.child] = self.given
        self.pieces.places[self.child] = self.begin


def read_xmlbif(text: str, options: Options) -> Network:
    """Read a network."""
    from xml.parsers.expat import ExpatError

    del options  # there are none
    reading = Reading(text)
    try:
        reading.parser.Parse(text, True)
    except ExpatError as error:
        at = reading.place(error.lineno, error.offset)
        raise make_position_error(text, at, f"this is no XML: {str(error).partition(':')[0]}") from None
    except UnicodeEncodeError as error:
        raise make_position_error(text, error.start, "this is no character; text in UTF-8 is read") from None
    return build_bif_network(text, reading.pieces)
