"""Latent class models as the R package poLCA writes them: ``cbind(A, B, C) ~ 1`` and the number of classes.

With covariates, ``~ C + D``, classes are a multinomial variable given these, each value a state that counts as 0, 1, 2 and so on.

The formula does not say how many answers the items have, nor does a script, unless it takes one of poLCA's own data sets.
What is not said is asked for: an assumed number would give another model's dimension.
"""

from __future__ import annotations

import re
from itertools import pairwise

from algdim.errors import InputError
from algdim.families.discrete.locals.logit import Multinomial
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.model import Network, Variable
from algdim.models.tokens import Cursor, Token, make_position_error
from algdim.models.values import MOST_STATES
from algdim.readers.formats import Options, read_integer_option
from algdim.readers.identifiers import check_no_range, make_notation_names

WORDS = {"nclass": "NUMBER", "states": "NUMBER+NUMBER+…"}
PATTERN = re.compile(
    r"(?P<space>[ \t\r\n]+|\#[^\n]*)|(?P<string>\"[^\"]*\"|'[^']*')|(?P<assign><-|->|=)|(?P<number>[0-9]+(?:\.[0-9]+)?)"
    r"|(?P<name>(?:[^\W\d]|\.)[\w.]*)|(?P<quoted>`[^`\n]+`)|(?P<symbol>[-(){},~+*:/$\[\]^;<>!&|%])"
)
MOST_CLASSES = 10_000
CLASS = "H"
OPENING, CLOSING = ("(", "[", "{"), (")", "]", "}")

DATA = {
    "carcinoma": dict.fromkeys("ABCDEFG", 2),
    "cheating": {**dict.fromkeys(("LIEEXAM", "LIEPAPER", "FRAUD", "COPYEXAM"), 2), "GPA": 5},
    "election": {
        **{f"{trait}{man}": 4 for man in "GB" for trait in ("MORAL", "CARES", "KNOW", "LEAD", "DISHON", "INTEL")},
        "PARTY": 7,
        "EDUC": 7,
        "GENDER": 2,
    },
    "gss82": {"PURPOSE": 3, "ACCURACY": 2, "UNDERSTA": 2, "COOPERAT": 3},
    "values": dict.fromkeys("ABCD", 2),
}
"""The data sets that come with poLCA: how many answers their items have, and how many values covariates."""

PARAMETERS = (
    "formula",
    "data",
    "nclass",
    "maxiter",
    "graphs",
    "tol",
    "na.rm",
    "probs.start",
    "nrep",
    "verbose",
    "calc.se",
)
"""Those of the function poLCA, in order."""

REPLACING = ("load", "source", "attach", "eval")
"""Functions of R that may give any name another meaning."""

Argument = tuple[Token | None, list[Token]]
"""An argument of a call: its name, if it has one, and its tokens."""

Call = dict[str, list[Token]]
"""The arguments of a call of poLCA, by the names of its parameters."""


class StatesNeededError(InputError):
    """A script that says all but how many answers the items have, which data can say."""

    items: tuple[str, ...] = ()
    classes: int = 0


def read_polca(text: str, options: Options) -> Network:
    r"""Read a formula, alone or in a script that calls poLCA.

    >>> read_polca("f <- cbind(A, B) ~ 1\n", {"nclass": "3", "states": "2"}).states
    {'H': 3, 'A': 2, 'B': 2}
    """
    cursor = Cursor(text, 0, PATTERN)
    items, covariates = read_formula(cursor)
    check_no_range(text, {item.text: item.at for item in items})
    calls = read_polca_calls(cursor)
    columns = [*items, *covariates]
    states = read_item_states(options, len(columns)) or find_dataset_states(cursor.tokens, calls, columns)
    classes = choose_class_count(
        cursor, calls, options, asked=format_option_example("nclass", *(() if states else ("states",)))
    )
    missing = [word for word, number in (("nclass", classes), ("states", states)) if not number]
    if classes is None or states is None:
        values = ", and how many values the covariates" if covariates else ""
        what = {"nclass": "how many classes there are", "states": f"how many answers the items have{values}"}
        each = ""
        if states is None and len(columns) > 1:
            numbers = "+".join("234"[number % 3] for number in range(len(columns)))
            each = f", or with one number for each {'column' if covariates else 'item'}, states={numbers if len(columns) < 9 else '2+3+4+…'}"
        message = f"the script does not say {' and '.join(what[word] for word in missing)}; give it, as in {format_option_example(*missing)}"
        error = make_position_error(text, items[0].at, message + each)
        if classes is None:
            raise error
        needed = StatesNeededError(str(error))
        needed.items, needed.classes = tuple(make_notation_names(item.text for item in columns).values()), classes
        raise needed
    names = list(make_notation_names(item.text for item in columns).values())
    hidden = CLASS
    while hidden in names:
        hidden += "_"
    given = tuple(names[len(items) :])
    local = Multinomial() if given and classes > 1 else FREE
    pairs = list(zip(names, states, strict=True))
    return Network(
        (
            *(Variable(name, number) for name, number in pairs[len(items) :]),
            Variable(hidden, classes, observed=False, parents=given, local=local),
            *(Variable(name, number, parents=(hidden,)) for name, number in pairs[: len(items)]),
        ),
        given,
    )


def format_option_example(*missing: str) -> str:
    """An example of the options that say what is missing."""
    examples = {"nclass": "nclass=3", "states": "states=2"}
    return f"--format polca:{','.join(examples[word] for word in missing)}"


def read_formula(cursor: Cursor) -> tuple[list[Token], list[Token]]:
    """Find the one ``cbind(…) ~ 1``, or ``~ C + D``, and return the items and the covariates."""
    tokens = cursor.tokens
    places = [(index, end) for index, end in find_function_calls(tokens, "cbind") if tokens[end + 1].text == "~"]
    formulas = {join_tokens(tokens[index : end + 3]): index for index, end in reversed(places)}
    if len(formulas) > 1:
        message = 'there are several formulas; give the text of one of them, as in "cbind(A, B, C) ~ 1"'
        raise make_position_error(cursor.text, tokens[sorted(formulas.values())[1]].at, message)
    begins = [index for index, token in enumerate(tokens) if token.text == "cbind"]
    if not begins:
        message = "there is no formula; a latent class model is written cbind(A, B, C) ~ 1"
        raise make_position_error(cursor.text, tokens[-1].at, message)
    cursor.index = places[0][0] if places else begins[0]
    cursor.index += 1
    cursor.require("(", "after cbind")
    items: dict[str, Token] = {}
    for _ in cursor.items():
        if cursor.now.kind not in ("name", "quoted"):
            cursor.fail("the name of an item")
        token = cursor.take()
        token = token._replace(text=token.text.strip("`"))
        if token.text in items:
            raise make_position_error(cursor.text, token.at, f"the item {token.text} occurs twice; once is allowed")
        items[token.text] = token
    cursor.require(")", "or ','")
    cursor.require("~", "after cbind(…)")
    covariates: dict[str, Token] = {}
    while True:
        token = cursor.take()
        if token.kind in ("name", "quoted"):
            token = token._replace(text=token.text.strip("`"))
            if token.text in items or token.text in covariates:
                raise make_position_error(cursor.text, token.at, f"{token.text} occurs twice; once is allowed")
            covariates[token.text] = token
        if (token.text != "1" and token.text not in covariates) or cursor.now.text in ("*", ":", "^", "-", "(", "/"):
            message = "covariates are written ~ A + B, without interactions and functions; without any, write ~ 1"
            raise make_position_error(cursor.text, cursor.now.at if token.text in covariates else token.at, message)
        if cursor.now.text != "+":
            return list(items.values()), list(covariates.values())
        cursor.index += 1


def match_brackets(tokens: list[Token]) -> dict[int, int]:
    """The place of the bracket that closes another, or the last but one place where none does."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for index, token in enumerate(tokens):
        if token.text in OPENING:
            opened.append(index)
        elif token.text in CLOSING and opened:
            found[opened.pop()] = index
    return found | dict.fromkeys(opened, len(tokens) - 2)


def find_function_calls(tokens: list[Token], name: str) -> list[tuple[int, int]]:
    """Where calls of a function begin and end, except calls inside of such."""
    ends = match_brackets(tokens)
    found: list[tuple[int, int]] = []
    for index, (token, after) in enumerate(pairwise(tokens)):
        if token.text == name and after.text == "(" and (not found or index > found[-1][1]):
            found.append((index, ends[index + 1]))
    return found


def join_tokens(tokens: list[Token]) -> str:
    """Tokens as one text, to compare formulas."""
    return " ".join(token.text for token in tokens)


def read_polca_calls(cursor: Cursor) -> list[Call]:
    """The arguments of all calls of poLCA, by the names of its parameters, as R finds them: a name may be cut short.

    A name that is written in full goes before one that is cut short, and what has no name fills the places left.
    """
    tokens = cursor.tokens
    return [
        match_arguments(cursor.text, split_arguments(tokens[index + 2 : end]))
        for index, end in find_function_calls(tokens, "poLCA")
    ]


def match_arguments(text: str, arguments: list[Argument]) -> Call:
    """What each parameter of poLCA is given."""
    found: Call = {}
    named = [(name, name.text.strip("\"'`"), tokens) for name, tokens in arguments if name is not None]
    for is_full in (True, False):
        for name, word, tokens in named:
            if (word in PARAMETERS) != is_full:
                continue
            meant = [word] if is_full else [one for one in PARAMETERS if one not in found and one.startswith(word)]
            if len(meant) != 1 or meant[0] in found:
                why = (
                    "may be " + " or ".join(meant) if len(meant) > 1 else "occurs twice" if meant else "is none of them"
                )
                message = f"the arguments of poLCA are {', '.join(PARAMETERS)}; {word[:40]!r} {why}"
                raise make_position_error(text, name.at, message)
            found[meant[0]] = tokens
    left = [one for one in PARAMETERS if one not in found]
    plain = [tokens for name, tokens in arguments if name is None]
    found |= dict(zip(left, plain, strict=False))
    dots = next((tokens for tokens in plain if join_tokens(tokens) == "..."), None)
    if dots is not None:  # whatever is passed on may say these
        found |= {word: dots for word in ("data", "nclass") if not found.get(word)}
    return found


def split_arguments(tokens: list[Token]) -> list[Argument]:
    """The arguments of one call."""
    pieces: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text in OPENING) - (token.text in CLOSING)
        if token.text == "," and depth == 0:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return [(piece[0], piece[2:]) if len(piece) > 1 and piece[1].text == "=" else (None, piece) for piece in pieces]


def choose_class_count(cursor: Cursor, calls: list[Call], options: Options, asked: str) -> int | None:
    """What the options or else the calls say; a call that says nothing has two, as poLCA's manual has it."""
    if "nclass" not in options:
        said: dict[str, Token] = {}
        for call in calls:
            tokens = call.get("nclass")
            if not tokens:
                said.setdefault("2", next((given[0] for given in call.values() if given), cursor.tokens[0]))
            elif tokens[0].kind == "number" and [token.text for token in tokens[1:]] in ([], ["L"]):
                said.setdefault(tokens[0].text, tokens[0])
            else:
                shown = join_tokens(tokens)[:40]
                message = f"the number of classes is {shown!r}, and no code is executed; give it, as in {asked}"
                raise make_position_error(cursor.text, tokens[0].at, message)
        if len(said) > 1:
            token = list(said.values())[1]
            message = f"several numbers of classes ({', '.join(said)}); say which, as in {asked}"
            raise make_position_error(cursor.text, token.at, message)
        if not said:
            return None
        options = {"nclass": next(iter(said))}
    return read_integer_option(options, "nclass", 2, 1, MOST_CLASSES, "the format polca")


def read_item_states(options: Options, count: int) -> list[int] | None:
    """The numbers of states of the items: one for all, or one for each; none if they are not given."""
    if "states" not in options:
        return None
    words = options["states"].split("+")
    numbers = [read_integer_option({"states": word}, "states", 2, 2, MOST_STATES, "the format polca") for word in words]
    if len(numbers) not in (1, count):
        raise InputError(
            f"the format polca: states has {len(numbers)} numbers; one, or {count} for the items, is allowed"
        )
    return numbers * count if len(numbers) == 1 else numbers


def find_dataset_states(tokens: list[Token], calls: list[Call], items: list[Token]) -> list[int] | None:
    """The numbers of answers in a data set of poLCA's own, if all calls take that, and its name stands nowhere else.

    A script can give a name another meaning in many ways; only loading the data and fitting them is surely none of these.
    """
    names = {join_tokens(call.get("data", [])) for call in calls}
    name = next(iter(names)) if len(names) == 1 else ""
    known = DATA.get(name, {})
    loaded = [
        token
        for index, end in find_function_calls(tokens, "data")
        for token in find_loaded_datasets(tokens[index + 2 : end])
    ]
    harmless = {token.at for token in loaded} | {call["data"][0].at for call in calls if call.get("data")}
    mentions = [
        token for token in tokens if (name in token.text if token.kind == "string" else name == token.text.strip("`"))
    ]
    if (
        not known
        or not any(token.text.strip("\"'`") == name for token in loaded)
        or any(token.at not in harmless for token in mentions)
        or any(find_function_calls(tokens, word) for word in REPLACING)
        or not all(item.text in known for item in items)
    ):
        return None
    return [known[item.text] for item in items]


def find_loaded_datasets(tokens: list[Token]) -> list[Token]:
    """The names of the data sets that a call of R's function data loads, none if they may be of another package."""
    arguments = split_arguments(tokens)
    options = [(name.text, join_tokens(value).strip("\"'")) for name, value in arguments if name is not None]
    return (
        []
        if options not in ([], [("package", "poLCA")])
        else [value[0] for name, value in arguments if name is None and len(value) == 1]
    )
