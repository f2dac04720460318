"""What kind of value each argument of a public function takes, by its name; a wrong kind is refused at the door."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Parameter, signature
from numbers import Integral, Real
from typing import Any, NamedTuple, ParamSpec, TypeVar

from algdim.errors import InputError, describe_closest_word, describe_value, join_names

P = ParamSpec("P")
T = TypeVar("T")


class ArgumentKind(NamedTuple):
    """What is accepted, in words, and the test."""

    words: str
    fits: Callable[[Any], bool]


def is_whole(value: object) -> bool:
    """Whether a value is an integer, numpy's among them, and no truth value."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_texts(value: object) -> bool:
    """Whether a value is a text, or several in a list, a tuple or a set."""
    return isinstance(value, str) or (
        isinstance(value, (list, tuple, set, frozenset)) and all(isinstance(one, str) for one in value)
    )


TEXT = ArgumentKind("a text", lambda value: isinstance(value, str))
TEXTS = ArgumentKind("a text, or a list of texts", is_texts)
WHOLE = ArgumentKind("an integer", is_whole)
NUMBER = ArgumentKind("a number", lambda value: isinstance(value, Real) and not isinstance(value, bool))
FLAG = ArgumentKind("True or False", lambda value: isinstance(value, int) or type(value).__name__ in ("bool", "bool_"))
SEED = ArgumentKind('an integer, a short text, or "random"', lambda value: isinstance(value, str) or is_whole(value))
STARTS = ArgumentKind('"auto", "staged" or an integer', lambda value: isinstance(value, str) or is_whole(value))
PATH = ArgumentKind("the path of a file", lambda value: isinstance(value, (str, os.PathLike)))
STATE = ArgumentKind(
    "the path of a file, a dictionary or a fit",
    lambda value: isinstance(value, (str, os.PathLike, dict)) or hasattr(value, "to_dict"),
)
PRIOR = ArgumentKind('a text such as "ml" or "bdeu:1"', lambda value: isinstance(value, str) or hasattr(value, "kind"))
LIST = ArgumentKind("a list", lambda value: isinstance(value, Iterable) and not isinstance(value, (str, bytes)))

KINDS: dict[str, ArgumentKind] = {
    **dict.fromkeys(("format", "method", "coordinates", "where", "sort", "label", "to", "by", "search"), TEXT),
    **dict.fromkeys(("bounds", "score", "columns"), TEXTS),
    **dict.fromkeys(("iterations", "n", "size", "limit", "workers"), WHOLE),
    **dict.fromkeys(("absolute", "relative", "tolerance", "alpha", "ess", "timeout"), NUMBER),
    **dict.fromkeys(("missing", "identify", "rank", "force", "rival", "all_answers", "lemmas"), FLAG),
    **dict.fromkeys(("certificates", "retry", "keep_going", "accept_probable"), FLAG),
    **dict.fromkeys(("store", "spec", "certificate_folder"), PATH),
    "resume": STATE,
    "seed": SEED,
    "starts": STARTS,
    "prior": PRIOR,
    "structures": LIST,
}
"""By the name of the argument, which means the same in every function."""


def check_arguments(function: Callable[P, T]) -> Callable[P, T]:
    """The function, which refuses arguments of a wrong kind; what is left out, or ``None`` where that is allowed, is right.

    >>> check_arguments(lambda seed=0: seed)(7)
    7
    """
    known = signature(function)
    default = {name: one.default for name, one in known.parameters.items()}
    names = frozenset(default)
    in_order = [name for name, one in known.parameters.items() if one.kind is Parameter.POSITIONAL_OR_KEYWORD]
    required = frozenset(name for name, value in default.items() if value is Parameter.empty)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        if not kwargs.keys() <= names:
            name = next(name for name in kwargs if name not in names)
            close = describe_closest_word(name, default)
            raise TypeError(
                f"{function.__name__}() has no argument {name!r}{close}; it has {join_names(default, most=30)}"
            )
        given = dict(zip(in_order, args, strict=False))
        given.update(kwargs)
        if len(given) < len(args) + len(kwargs) or not required <= given.keys():
            try:
                known.bind(*args, **kwargs)
            except TypeError as error:
                raise TypeError(f"{function.__name__}(): {error}") from None
        for name, value in given.items():
            kind = KINDS.get(name)
            if kind is None or value is default[name] or kind.fits(value):
                continue
            raise InputError(f"{name}={describe_value(value)}: {kind.words} is expected")
        return function(*args, **kwargs)

    return call
