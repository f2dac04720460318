"""The data and the likelihood of a model, of any family that has one; which models are discrete networks for that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from algdim.errors import InputError, describe_type, join_names
from algdim.families import describe_lack, find_fitting, load_family
from algdim.families.discrete.locals import get_local_kind
from algdim.families.discrete.locals.function import Deterministic
from algdim.families.discrete.model import Network
from algdim.figures import format_count, remove_control_characters
from algdim.fitting.em import LikelihoodFamily, Problem
from algdim.fitting.maximization import ML, Prior
from algdim.fitting.samples import KnownStates, find_missing_codes, format_missing_option
from algdim.fitting.tabulardata import Columns, read_columns
from algdim.models.anymodel import AnyModel, require_model
from algdim.readers.anything import ModelLike, read_model
from algdim.readers.identifiers import make_notation_names
from algdim.readers.polca import StatesNeededError
from algdim.readers.rscript import GroupsNeededError


def read_described_model(
    data: Any, described: ModelLike, form: str | None = None, hidden: Iterable[str] = ()
) -> tuple[Any, AnyModel]:
    """The model, and the data with a note if they said what a script does not: answers of items of poLCA, groups of lavaan.

    >>> read_described_model({"A": [1, 2, 3], "B": [1, 2, 2]}, "cbind(A, B) ~ 1", "polca:nclass=2")[1].states
    {'H': 2, 'A': 3, 'B': 2}
    """
    if is_like_data(described):
        raise InputError(
            f"{describe_type(described)} stands where the model is expected; data come first, then the model"
        )
    try:
        return data, read_model(described, format=form, hidden=hidden)
    except StatesNeededError as error:
        table = read_columns(data)
        looks = list(make_notation_names(table.names or ()).values())
        if not set(error.items) <= set(looks):
            raise
        sizes = [count_answers(table, looks.index(name)) for name in error.items]
        said = f"polca:nclass={error.classes},states={'+'.join(map(str, sizes))}"
        pairs = join_names(f"{name} {size}" for name, size in zip(error.items, sizes, strict=True))
        note = remove_control_characters(f"how many answers the items have is taken from the data: {pairs}")
        return replace(table, notes=(*table.notes, note)), read_model(described, format=said, hidden=hidden)
    except GroupsNeededError as error:
        table = read_columns(data)
        looks = list(make_notation_names(table.names or ()).values())
        if error.column not in looks:
            raise InputError(
                f"{table.source}: there is no column {error.column}, whose values are the groups of the model"
            ) from None
        groups = list(dict.fromkeys(label for label in table.columns[looks.index(error.column)] if label is not None))
        if len(groups) < 2:
            raise InputError(
                f"{table.source}: the column {error.column} has {format_count(len(groups), 'group')}; two are needed"
            ) from None
        said = f"{form or 'lavaan'}{',' if form and ':' in form else ':'}groups={len(groups)}"
        names = join_names(f"g{number} is {label}" for number, label in enumerate(groups, 1))
        note = remove_control_characters(f"the groups are taken from the data: {names}")
        return replace(table, notes=(*table.notes, note)), read_model(described, format=said, hidden=hidden)


def is_like_data(x: Any) -> bool:
    """Whether something is a table rather than a model: an array, a data frame, or a dictionary of columns.

    >>> is_like_data({"A": [0, 1], "B": [1, 1]}), is_like_data({"variables": [{"name": "A"}]}), is_like_data("A -> B")
    (True, False, False)
    """
    if isinstance(x, dict):
        return bool(x) and not {"variables", "family"}.intersection(x)
    return hasattr(x, "shape")


def count_answers(table: Columns, column: int) -> int:
    """How many answers an item has: as poLCA takes it the greatest, if they are numbers from 1, else how many differ."""
    labels = {label for label in table.columns[column] if label is not None}
    stray = find_missing_codes(labels)
    if stray:
        raise InputError(
            f"{table.source}: the {table.name(column)} has the answer {join_names(stray)}; if it stands for a missing one, say so "
            f"({format_missing_option(stray)}); if not, say how many answers the items have (--format polca:states=…)"
        )
    if all(label.isdecimal() and label[0] != "0" and len(label) < 4 for label in labels):
        return max([2, *map(int, labels)])
    return max(2, len(labels))


def make_problem(
    data: Any,
    described: ModelLike,
    prior: Prior,
    *,
    form: str | None = None,
    hidden: Iterable[str] = (),
    missing: bool = False,
    states: KnownStates | None = None,
) -> Problem[LikelihoodFamily]:
    """Read the data for a model, with the ``states`` of other data if there are any, and prepare the maximisation."""
    data, read = read_described_model(data, described, form, hidden)
    found = convert_to_network(read)
    fitting = find_fitting(found.family)
    if fitting is None:
        raise InputError(describe_lack(found.family, "fitted", "fitting", by_network=True))
    # before the data are read: what is refused here is no matter of the data
    if prior.kind != ML and not fitting.has_priors:
        raise InputError(
            f"the prior {prior}: models of the family {found.family} are fitted by maximum likelihood (ml)"
        )
    return Problem(fitting.prepare(found, data, prior, missing, states), prior)


def require_discrete_network(described: ModelLike, done: str = "fitted") -> Network:
    """The model, refused unless it is a discrete network whose local maps fitting knows."""
    found = require_model(convert_to_network(read_model(described)), Network, f"only discrete networks are {done} here")
    for variable in found.variables:
        kind = get_local_kind(variable.local.kind)
        if not kind.has_likelihood:
            what = kind.what.format(kind=variable.local.kind)
            raise InputError(f"{variable.name} {what}; networks with such variables are not {done}")
    if all(variable.name in found.given or isinstance(variable.local, Deterministic) for variable in found.variables):
        raise InputError(f"the model has no tables but those that are conditioned on; nothing is to be {done}")
    return found


def convert_to_network(found: AnyModel) -> AnyModel:
    """A classifier as a network of its inputs, on which it conditions, and the class; other models as they are.

    >>> convert_to_network(read_model("classifier Y: Y -> A, B")).given
    ('A', 'B')
    """
    conversion = load_family(found.family).convert_to_network
    return found if conversion is None else conversion(found)
