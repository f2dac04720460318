"""The notation: one line of text to a model and back.

Three forms are read: ``4:3,3,3`` (latent class), ``5(2,3(2,2),3(2,2))`` (latent tree), both in `algdim.families.discrete.reading`,
and clauses such as ``H -> X1, X2; hidden H; states H=3``. `algdim.models.tokens` cuts a text into pieces,
`algdim.models.clauses` reads what clauses say that all families have; a family adds its own, and what they mean, in its folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from algdim.errors import InputError, describe_closest_word, join_names
from algdim.families import ARGUMENTS, DEFAULT, FOLDERS, WORDS, load_notation
from algdim.models.anymodel import AnyModel
from algdim.models.tokens import REFUSED, make_position_error

MOST_CHARACTERS = 1_000_000

FAMILY = re.compile(r"[ \t\r\n]*([a-z][a-z-]*)(?:[ \t\r\n]+([A-Za-z0-9_.]+))?[ \t\r\n]*:")

Catalogue = Mapping[str, str] | Callable[[str], str | None]
"""What gives the notation of a named model, or None: a mapping or a function."""


def parse(text: str, catalogue: Catalogue | None = None) -> AnyModel:
    """Read a model from text: a latent class, a latent tree, clauses, or a name of the catalogue.

    >>> [variable.name for variable in parse("2:2,2").variables]
    ['H', 'X1', 'X2']
    """
    check_text(text)
    named = find_notation(text.strip(), catalogue)
    if named is not None:
        return parse(named)
    check_names(text, len(text) - len(text.lstrip()))
    try:
        word, argument, start = read_family_word(text)
        found: AnyModel = load_notation(WORDS[word]).read(text, start, word, argument)
    except InputError as error:
        from algdim.models.foreign import add_advice

        raise add_advice(error, text) from None
    return found


def to_text(model: AnyModel) -> str:
    """Print a model in the notation; `parse` reads it back as an equal record.

    >>> to_text(parse("4(3,3,3)"))
    '4:3,3,3'
    """
    return load_notation(FOLDERS[model.family]).write(model)


EDGE = re.compile(r"->|<-")


def check_text(text: str) -> None:
    """Raise if there is nothing to read or far too much."""
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            f"the text has {len(text)} characters; at most {MOST_CHARACTERS} are allowed. Write large models as a model file"
        )
    if not text.strip():
        raise InputError("the text is empty; a model is written like 4:3,3,3 or 5(2,3(2,2)) or H -> X1, X2; hidden H")


def check_names(text: str, start: int) -> None:
    """Raise if what stands here is a graph whose vertices are numbers, which the notation reads as numbers of states."""
    if text[start : start + 1].isdigit() and EDGE.search(text, start):
        raise make_position_error(text, start, "names begin with a letter: write X1 -> X2, not 1 -> 2")


def find_notation(name: str, catalogue: Catalogue | None) -> str | None:
    """Look a name up in the catalogue."""
    if catalogue is None or len(name) > 200 or name[0] in "0123456789":
        return None
    return catalogue.get(name) if isinstance(catalogue, Mapping) else catalogue(name)


ARROW = re.compile(r"<->|->|<-")


def describe_list_between_arrows(text: str) -> str:
    """What a chain such as ``A -> B, C -> D`` means, which may be taken for two edges; nothing where there is none.

    A list of hidden variables is a layer, and is meant.

    >>> describe_list_between_arrows("A -> B, C -> D")
    "the list 'B, C' stands between two arrows: every name of it is joined with both sides; separate edges by ';'"
    >>> (
    ...     describe_list_between_arrows("T -> H1, H2 -> X; hidden T, H1, H2"),
    ...     describe_list_between_arrows("A -> B, C <- D"),
    ... )
    ('', '')
    >>> describe_lone_names("sum: {A},{B} -> E; states E.1=3"), describe_lone_names("{A} -> E; states F.1=3")
    ('', "F.1 occurs in 'states' alone, and is independent of all others")
    """
    clauses = [clause.strip() for clause in text[:10_000].split(";")]
    hidden = {
        name.strip() for one in clauses if one.startswith("hidden ") for name in one.removeprefix("hidden ").split(",")
    }
    for clause in clauses:
        pieces, arrows = ARROW.split(clause), ARROW.findall(clause)
        for inner, before, after in zip(pieces[1:], arrows, arrows[1:], strict=False):
            names = {name.strip() for name in inner.split(",")}
            if len(names) > 1 and before == after and not names <= hidden and "(" not in clause:
                return (
                    f"the list '{inner.strip()[:60]}' stands between two arrows: every name of it is joined with both sides; "
                    "separate edges by ';'"
                )
    return ""


STATED = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*)\s*=")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
NUMBERED = re.compile(r"(\.[0-9]+)+$")


def describe_lone_names(text: str) -> str:
    """Which names occur in a clause `states` behind the edges alone, and may be meant for others; nothing where there is none.

    A clause before all edges declares its variables.

    >>> describe_lone_names("H -> X; hidden H; states h=3")
    "h occurs in 'states' alone, and is independent of all others"
    >>> describe_lone_names("H -> X; hidden H; states H=3"), describe_lone_names("states A=2, B=3; B -> C")
    ('', '')
    >>> describe_lone_names("sum: {A},{B} -> E; states E.1=3"), describe_lone_names("{A} -> E; states F.1=3")
    ('', "F.1 occurs in 'states' alone, and is independent of all others")
    """
    clauses = [clause.strip() for clause in text[:10_000].split(";")]
    edges = next((place for place, one in enumerate(clauses) if ARROW.search(one)), len(clauses))
    stated = [name for one in clauses[edges:] if one.startswith("states ") for name in STATED.findall(one)]
    others = {name for one in clauses if not one.startswith("states ") for name in NAME.findall(one)}
    # with braces E.1 is a mechanism variable of E
    named = {name for name in stated if "{" in text and NUMBERED.sub("", name) in others}
    lone = [name for name in dict.fromkeys(stated) if name not in others | named]
    # the names of a range are not written one by one
    if not lone or ".." in text:
        return ""
    words = "occurs in 'states' alone, and is" if len(lone) == 1 else "occur in 'states' alone, and are"
    return f"{join_names(lone)} {words} independent of all others"


def describe_doubts(text: str) -> str:
    """What of a text may be meant otherwise than it is read; nothing where there is no doubt."""
    return "; ".join(filter(None, (describe_list_between_arrows(text), describe_lone_names(text))))


def read_family_word(text: str) -> tuple[str, str, int]:
    """Return the family word, its argument, and where the clauses begin."""
    match = FAMILY.match(text)
    if match is not None and match[1] in REFUSED:
        raise make_position_error(text, match.start(1), REFUSED[match[1]])
    if match is not None and "-" in match[1] and match[1] not in ARGUMENTS:  # names have no hyphens
        known = join_names(ARGUMENTS, most=len(ARGUMENTS))
        closest = describe_closest_word(match[1], ARGUMENTS)
        raise make_position_error(text, match.start(1), f"'{match[1]}' is no family word; these are {known}{closest}")
    if match is None or match[1] not in ARGUMENTS:
        return DEFAULT, "", 0
    word, argument = match[1], match[2] or ""
    needs = ARGUMENTS[word]
    if bool(argument) != bool(needs):
        if not needs:
            return DEFAULT, "", 0
        raise make_position_error(text, match.start(1), f"the family word is written '{word} {needs}:'")
    rest = text[match.end() :].lstrip()
    check_names(text, len(text) - len(rest))
    if rest[:1].isdigit():
        raise make_position_error(
            text, match.start(1), f"a latent class or tree takes no family word; write {rest[:40]}"
        )
    return word, argument, match.end()
