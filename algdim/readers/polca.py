"""Latent class models as the R package poLCA writes them: ``cbind(A, B, C) ~ 1`` and the number of classes.

The formula does not say how many states the items have: two, unless the option ``states`` says otherwise.
"""

from __future__ import annotations

import re

from algdim.errors import InputError
from algdim.models.network import MOST_STATES, Network, Variable
from algdim.models.tokens import Cursor, Token, failure
from algdim.readers.naming import renamed
from algdim.readers.options import Options, whole_number

WORDS = {"nclass": "NUMBER", "states": "NUMBER+NUMBER+…"}
PATTERN = re.compile(
    r"(?P<space>[ \t\r\n]+|\#[^\n]*)|(?P<string>\"[^\"]*\"|'[^']*')|(?P<assign><-|->|=)|(?P<number>[0-9]+(?:\.[0-9]+)?)"
    r"|(?P<name>(?:[^\W\d]|\.)[\w.]*)|(?P<quoted>`[^`\n]+`)|(?P<symbol>[-(){},~+*:/$\[\]^;<>!&|%])"
)
MOST_CLASSES = 10_000
CLASS = "H"


def from_polca(text: str, options: Options) -> Network:
    r"""Read a formula, alone or in a script that calls poLCA.

    >>> from_polca("f <- cbind(A, B) ~ 1\n", {"nclass": "3"}).states
    {'H': 3, 'A': 2, 'B': 2}
    """
    cursor = Cursor(text, 0, PATTERN)
    items = read_formula(cursor)
    said = classes_said(cursor)
    if "nclass" not in options and len(set(said)) > 1:
        token = next(token for token in said.values() if token.text != next(iter(said.values())).text)
        raise failure(
            text, token.at, f"several numbers of classes; say which, as in --format polca:nclass={token.text}"
        )
    count = dict(options) if "nclass" in options or not said else {**options, "nclass": next(iter(said))}
    classes = whole_number(count, "nclass", 2, 1, MOST_CLASSES, "the format polca")
    states = item_states(options, len(items))
    names = list(renamed(item.text for item in items).values())
    hidden = CLASS
    while hidden in names:
        hidden += "_"
    return Network(
        (
            Variable(hidden, classes, observed=False),
            *(Variable(name, number, parents=(hidden,)) for name, number in zip(names, states, strict=True)),
        )
    )


def read_formula(cursor: Cursor) -> list[Token]:
    """Find ``cbind(…) ~ 1`` and return the items."""
    while cursor.now.text != "cbind":
        if cursor.now.kind == "end":
            message = "there is no formula; a latent class model is written cbind(A, B, C) ~ 1"
            raise failure(cursor.text, cursor.now.at, message)
        cursor.index += 1
    cursor.index += 1
    cursor.need("(", "is expected after cbind")
    items: dict[str, Token] = {}
    for _ in cursor.items():
        if cursor.now.kind not in ("name", "quoted"):
            cursor.fail("the name of an item")
        token = cursor.take()
        token = token._replace(text=token.text.strip("`"))
        if token.text in items:
            raise failure(cursor.text, token.at, f"the item {token.text} stands twice; once is allowed")
        items[token.text] = token
    cursor.need(")", "or ',' is expected")
    cursor.need("~", "is expected after cbind(…)")
    if cursor.now.text != "1" or cursor.next.text in ("+", "*", ":"):
        message = "classes that depend on covariates are not available (their probabilities are no rational functions); write ~ 1"
        raise failure(cursor.text, cursor.now.at, message)
    return list(items.values())


def classes_said(cursor: Cursor) -> dict[str, Token]:
    """The numbers of classes that calls of poLCA name, each with one place."""
    tokens = cursor.tokens
    return {
        value.text: value
        for word, sign, value in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if word.text == "nclass" and sign.text == "=" and value.kind == "number"
    }


def item_states(options: Options, count: int) -> list[int]:
    """The numbers of states of the items: one for all, or one for each."""
    words = options.get("states", "2").split("+")
    numbers = [whole_number({"states": word}, "states", 2, 2, MOST_STATES, "the format polca") for word in words]
    if len(numbers) not in (1, count):
        raise InputError(
            f"the format polca: states has {len(numbers)} numbers; one, or {count} for the items, is allowed"
        )
    return numbers * count if len(numbers) == 1 else numbers
