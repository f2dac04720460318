"""The notation: one line of text to a model and back.

Three forms are read: ``4:3,3,3`` (latent class), ``5(2,3(2,2),3(2,2))`` (latent tree), both in `algdim.families.discrete.sizes`,
and clauses such as ``H -> X1, X2; hidden H; states H=3``. `algdim.models.tokens` cuts a text into pieces,
`algdim.models.clauses` notes what the clauses say, `algdim.families.discrete.notation` makes a network of that, and
`algdim.families.discrete.clausetexts` prints one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from algdim.errors import InputError, listed
from algdim.families.additive import notation as additiveclauses
from algdim.families.classifier.notation import classifier, classifier_text
from algdim.families.discrete.clausetexts import text_of_clauses
from algdim.families.discrete.mechanismnotation import BUILDERS, MECHANISMS, interaction_text
from algdim.families.discrete.model import Network
from algdim.families.discrete.notation import discrete, sigmoid
from algdim.families.discrete.sizes import parse_sizes, text_of_tree
from algdim.families.gaussian.notation import GAUSSIAN, gaussian, gaussian_text
from algdim.families.latentprofile.notation import LATENT_PROFILE, latent_profile, latent_profile_text
from algdim.families.loglinear.notation import LOGLINEAR, loglinear, loglinear_text
from algdim.families.polynomial.notation import polynomial_text, read_polynomial
from algdim.models.anymodel import AnyModel
from algdim.models.clauses import DISCRETE, Clauses, Dialect, parse_clauses
from algdim.models.tokens import failure
from algdim.models.words import FAMILY_ARGUMENTS, REFUSED

MOST_CHARACTERS = 1_000_000

FAMILY = re.compile(r"[ \t\r\n]*([a-z][a-z-]*)(?:[ \t\r\n]+([A-Za-z0-9_.]+))?[ \t\r\n]*:")

Catalogue = Mapping[str, str] | Callable[[str], str | None]
"""What gives the notation of a named model, or None: a mapping or a function."""


class Family(NamedTuple):
    """How the models of a family are read and printed.

    What makes a model of the text from where its clauses begin, and of the argument of the family word; and what prints one.
    """

    read: Callable[[str, int, str], AnyModel]
    text: Callable[[Any], str]


def of_clauses(dialect: Dialect, build: Callable[[Clauses, str], AnyModel]) -> Callable[[str, int, str], AnyModel]:
    """What reads models whose clauses are those of a dialect."""
    return lambda text, start, argument: build(parse_clauses(text, start, dialect), argument)


def discrete_text(model: Network) -> str:
    """Print a discrete network, as a tree or a causal interaction model if it is one."""
    return text_of_tree(model) or interaction_text(model) or text_of_clauses(model)


FAMILIES: dict[str, Family] = {
    "discrete": Family(of_clauses(DISCRETE, discrete), discrete_text),
    "sigmoid": Family(of_clauses(DISCRETE, sigmoid), discrete_text),
    "gaussian": Family(of_clauses(GAUSSIAN, gaussian), gaussian_text),
    "latent-profile": Family(of_clauses(LATENT_PROFILE, latent_profile), latent_profile_text),
    **{
        kind: Family(of_clauses(additiveclauses.ADDITIVE, build), additiveclauses.additive_text)
        for kind, build in additiveclauses.BUILDERS.items()
    },
    "loglinear": Family(of_clauses(LOGLINEAR, loglinear), loglinear_text),
    "polynomial": Family(lambda text, start, _: read_polynomial(text, start), polynomial_text),
    **{kind: Family(of_clauses(MECHANISMS, build), discrete_text) for kind, build in BUILDERS.items()},
    "classifier": Family(of_clauses(DISCRETE, classifier), classifier_text),
}
"""The families that are available."""


def parse(text: str, catalogue: Catalogue | None = None) -> AnyModel:
    """Read a model from text: a latent class, a latent tree, clauses, or a name of the catalogue.

    >>> [variable.name for variable in parse("2:2,2").variables]
    ['H', 'X1', 'X2']
    """
    check_text(text)
    named = notation_of(text.strip(), catalogue)
    if named is not None:
        return parse(named)
    check_names(text, len(text) - len(text.lstrip()))
    if text.lstrip()[0] in "0123456789!":
        return parse_sizes(text)
    word, argument, start = family_of(text)
    return FAMILIES[word].read(text, start, argument)


def to_text(model: AnyModel) -> str:
    """Print a model in the notation; `parse` reads it back as an equal record.

    >>> to_text(parse("4(3,3,3)"))
    '4:3,3,3'
    """
    if model.family not in FAMILIES:
        raise InputError(
            f"a model of the family {model.family} cannot be written in the notation; available: {listed(FAMILIES)}"
        )
    return FAMILIES[model.family].text(model)


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
        raise failure(text, start, "names begin with a letter: write X1 -> X2, not 1 -> 2")


def notation_of(name: str, catalogue: Catalogue | None) -> str | None:
    """Look a name up in the catalogue."""
    if catalogue is None or len(name) > 200 or name[0] in "0123456789":
        return None
    return catalogue.get(name) if isinstance(catalogue, Mapping) else catalogue(name)


def family_of(text: str) -> tuple[str, str, int]:
    """Return the family word, its argument, and where the clauses begin."""
    match = FAMILY.match(text)
    if match is not None and match[1] in REFUSED:
        raise failure(text, match.start(1), REFUSED[match[1]])
    if match is None or match[1] not in FAMILY_ARGUMENTS:
        return "discrete", "", 0
    word, argument = match[1], match[2] or ""
    needs = FAMILY_ARGUMENTS[word]
    if bool(argument) != bool(needs):
        if not needs:
            return "discrete", "", 0
        raise failure(text, match.start(1), f"the family word is written '{word} {needs}:'")
    if word not in FAMILIES:
        raise failure(
            text, match.start(1), f"family {word} is not available in this version; available: {listed(FAMILIES)}"
        )
    rest = text[match.end() :].lstrip()
    check_names(text, len(text) - len(rest))
    if rest[:1].isdigit():
        raise failure(text, match.start(1), f"a latent class or tree takes no family word; write {rest[:40]}")
    return word, argument, match.end()
