"""What is done with hostile data and models once they are read: fits, scores, choices, draws, comparisons, texts.

A warning of numpy is a complaint as well, and so is a number that JSON has not, or a sign that moves the cursor in print.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import algdim
from algdim.errors import AlgdimError
from algdim.families.discrete.model import Network
from algdim.fitting.tabulardata import read_columns
from algdim.readers.anything import read_model_text
from algdim.sweeping.language import KINDS, KindSweep, read_sweep
from algdim.tables.conditions import read_condition
from algdim.writers import TARGETS, export
from hunting import stores

MEMORY = "20M"
MOST_VARIABLES, MOST_STATES, MOST_LETTERS = 10, 1000, 200
"""Beyond these a model is only read: what takes ranks is limited by memory, not by time."""

DATA_MODELS = (
    "A -> X <- H -> Y; hidden H; states X=3",
    "latent-profile: H -> A, X, Y; hidden H; states X=3",
    "gaussian: H -> A, X, Y; hidden H",
    "poisson: {X},{} -> Y; states X=3",
    "sigmoid: A -> X <- H -> Y; hidden H",
    "A, X, Y; states X=3; given A",
)
"""Families that are fitted, with the variables that the tables of the fuzzer have."""

AT_MODELS = (
    "A -> X <- H -> Y; hidden H; states X=3",
    "latent-profile: H -> A, X, Y; hidden H; states X=3; moments 3",
    "gaussian: H -> A, X, Y; hidden H",
    "poisson: {X},{} -> Y; states X=3",
    "sigmoid: A -> X <- H -> Y; hidden H",
)
CASES: dict[str, list[Any]] = {
    "A": [0, 1, 0, 1, 1, 0, 0, 1],
    "X": [0, 1, 2, 2, 0, 1, 1, 0],
    "Y": [0, 0, 1, 1, 0, 1, 1, 0],
}
NUMBERS = {
    "A": [0.5, 1.5, 0.25, 1.0, -2.0, 3.0, 0.0, 1.25],
    "X": CASES["X"],
    "Y": [2.0, 0.5, 1.0, 3.5, 0.25, 1.0, 4.0, 2.5],
}
GIVEN = (CASES, NUMBERS, NUMBERS, {"X": CASES["X"], "Y": CASES["Y"]}, {**CASES, "X": CASES["Y"][::-1]})
"""Data for each of these models."""


@contextmanager
def strictly() -> Iterator[None]:
    """Warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def presentable(found: Any) -> None:
    """Raise unless a record is JSON, and prints without control characters."""
    json.dumps(found.to_dict(), allow_nan=False).encode()
    shows(str(found))


def shows(text: str) -> None:
    """Raise if a text would write to the terminal something else than signs and lines."""
    strange = sorted({sign for sign in text if not sign.isprintable() and sign not in "\n\t"})
    if strange:
        raise AssertionError(f"{strange[:5]} are printed")


def fitted(number: int) -> Callable[[Any], None]:
    """Fit one of the models to data, in a few steps."""

    def use(data: Any) -> None:
        with strictly():
            for method in ("auto", "em"):
                presentable(
                    algdim.fit(data, DATA_MODELS[number], starts=2, iterations=8, method=method, missing=number == 0)
                )

    return use


def scored(path: Path) -> None:
    """Score a model on data."""
    with strictly():
        presentable(algdim.score(path, DATA_MODELS[0], missing=True, max_memory=MEMORY))


def chosen(path: Path) -> None:
    """Choose among some models for data, by all ways of making candidates but the slow ones."""
    with strictly():
        presentable(
            algdim.select(path, classes=(1, 2), by="bic+", score="bic+", starts=1, rival=True, max_memory=MEMORY)
        )


def identified(path: Path) -> None:
    """Name the cells that do not occur in data."""
    presentable(algdim.identify("A -> X, Y; states X=3", data=path, max_memory=MEMORY))


def columns(data: bytes) -> None:
    """Fit to a dictionary, a list or whatever else JSON has."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return
    fitted(0)(document) if not isinstance(document, str) else read_columns(document)


def at_parameters(number: int) -> Callable[[Path], None]:
    """Simulate, go on with a fit, and score at the parameters of a file, perhaps the JSON of a fit."""

    def use(path: Path) -> None:
        model, errors = AT_MODELS[number], list[AlgdimError]()
        with strictly():
            for action in (
                lambda: algdim.simulate(model, path, 5),
                lambda: algdim.fit(GIVEN[number], model, resume=path, iterations=3),
                lambda: algdim.score(GIVEN[number], model, at=path, score="bic+", max_memory=MEMORY),
            ):
                try:
                    presentable(action())
                except AlgdimError as error:
                    errors.append(error)
        if errors:
            raise errors[0]

    return use


def fits() -> list[tuple[bytes, ...]]:
    """The JSON of a fit of each of these models."""
    found = [algdim.fit(data, model, starts=1, iterations=3) for data, model in zip(GIVEN, AT_MODELS, strict=True)]
    return [(json.dumps(one.to_dict()).encode(),) for one in found]


def is_small(model: Any) -> bool:
    """Whether it is quick to take ranks."""
    variables = getattr(model, "variables", ())
    states = sum(getattr(variable, "states", None) or 0 for variable in variables)
    return len(variables) <= MOST_VARIABLES and states <= MOST_STATES


def small_model(data: bytes) -> Any:
    """The model of a text; none where it is not small."""
    found = read_model_text(data.decode("utf-8", "replace"))
    return found if is_small(found) and len(data) <= MOST_LETTERS else None


def exported(data: bytes) -> None:
    """Write a model for every other program; what we read is read back as the same."""
    model = read_model_text(data.decode("utf-8", "replace"))
    if not is_small(model):
        return
    for target in TARGETS:
        try:
            text = export(model, target)
        except AlgdimError:
            continue
        shows(text)
        if target == "json" or (target == "bif" and isinstance(model, Network)):
            again = algdim.model(text, format=target)
            if again != model:
                raise AssertionError(f"the text for {target} is another model: {again}")
        elif target in ("dagitty", "lavaan"):
            algdim.model(text, format=target)


def compared(data: bytes) -> None:
    """Compare two models, or one with itself."""
    first, _, second = data.partition(b" versus ")
    one, other = small_model(first), small_model(second or first)
    if one is not None and other is not None:
        presentable(algdim.compare(one, other, max_memory="2M"))


def determined(data: bytes) -> None:
    """Say which parameters of a model are determined."""
    model = small_model(data)
    if model is not None:
        presentable(algdim.identify(model, max_memory="2M"))


def condition(data: bytes) -> None:
    """Read a condition on the columns of a table, and see of which rows it holds."""
    found = read_condition(data.decode("utf-8", "replace"), stores.ROWS[0])
    for row in stores.ROWS:
        found.holds(row)


def swept(data: bytes) -> None:
    """Read a sweep and list its first models."""
    found = read_sweep(data.decode("utf-8", "replace"))
    if isinstance(found, KindSweep):
        for _ in islice(KINDS[found.kind].models(found.ranges), 50):
            pass


def listed(path: Path) -> None:
    """List the models of a file."""
    read_sweep(str(path)).texts()


CONDITIONS = (
    b"dimension < best_bound and standard >= 3",
    b"model = '2:2,2' or not (exact and dimension = 3)",
    b"dimension != 3",
)
SWEEPS = (
    b"lc cells<=60 classes>=3",
    b"trees hidden<=2 leaves<=4",
    b"mixed nodes=4 edges<=6",
    b"networks nodes<=3",
    b"random-trees count=5 leaves<=6",
    b"random-networks count=5 nodes<=6",
)
MODEL_LISTS = (b"# some\n3:2,2\n\nA -> X <- H; hidden H\nw-structure\n", b"2:2^3\n3:3,3\n")
PAIRS = (
    b"2:2,2 versus 3:2,2",
    b"A -> B -> C versus C -> A -> B",
    b"gaussian: A -> B versus gaussian: A <-> B",
    b"A -> B <- H; hidden H versus B -> A",
    b"sigmoid: A, B -> C versus A, B -> C",
    b"loglinear: {A,B}, {B,C} versus A -> B -> C",
)
