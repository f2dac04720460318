"""What lavaan's functions add to the rows of a text: fixed loadings, variances, covariances, intercepts.

The rules are those of version 0.6 for one group of continuous variables. Exogenous observed variables have free variances
and covariances here, where lavaan takes them from the data (`fixed.x`): the degrees of freedom are the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from algdim.errors import InputError, LimitError
from algdim.families.gaussian.model import KINDS, Entry, Gaussian, GaussianVariable
from algdim.models.tokens import make_position_error
from algdim.readers.formats import Options
from algdim.readers.lavaan import MOST_ROWS, Key, Statements, parse_statements
from algdim.readers.naming import check_no_range, make_notation_names
from algdim.readers.rscript import NAMED, find_script_model, is_script

FUNCTIONS = ("sem", "cfa", "growth", "lavaan")
WORDS = dict.fromkeys((*FUNCTIONS, "std.lv", "orthogonal", "meanstructure", "int.ov.free"), "") | {NAMED: "NAME"}
"""The options of the format lavaan: a function (default sem) and what is said to it."""

ONE, ZERO = Fraction(1), Fraction(0)


class LavaanFunction(NamedTuple):
    """What a call of one of lavaan's functions adds by itself."""

    automatic: bool
    """Free variances, covariances of exogenous latent and of last dependent variables, one loading fixed to 1."""
    free_observed: bool
    free_latent: bool
    means: bool
    standardized: bool
    orthogonal: bool


def select_lavaan_function(options: Options) -> LavaanFunction:
    """The call that the options describe."""
    chosen = [word for word in FUNCTIONS if word in options]
    if len(chosen) > 1:
        raise InputError(f"the format lavaan: {' and '.join(chosen)} are functions; one is allowed")
    name = chosen[0] if chosen else "sem"
    return LavaanFunction(
        automatic=name != "lavaan",
        # `sem`, `cfa` and `growth` set it themselves, whatever the call says
        free_observed=name in ("sem", "cfa") or (name == "lavaan" and "int.ov.free" in options),
        free_latent=name == "growth",
        means=name == "growth" or "meanstructure" in options,
        standardized="std.lv" in options,
        orthogonal="orthogonal" in options,
    )


def read_lavaan(text: str, options: Options) -> Gaussian:
    r"""Read a model of lavaan.

    >>> read_lavaan("f =~ x1 + x2 + x3\n", {}).fixed
    ((('b', 'f', 'x1'), Fraction(1, 1)),)
    """
    if is_script(text):
        text, options = find_script_model(text, options)
    elif NAMED in options:
        raise InputError(f"the format lavaan: {NAMED}={options[NAMED]} chooses a text of a script of R; this is none")
    found = parse_statements(text)
    check_no_range(text, found.names)
    function = select_lavaan_function(options)
    values = compute_lavaan_defaults(found, function)
    for key, row in found.rows.items():
        if row.free:
            values[key] = None
        elif row.fixed is not None:
            values[key] = row.fixed
        elif values.setdefault(key, None) is not None and row.start is not None:
            values[key] = row.start  # lavaan fixes a first loading to where its search begins
    return build_lavaan_gaussian(found, values, group_by_label(found, values))


class Roles(NamedTuple):
    """Which variables are what, in order of first mention."""

    observed: tuple[str, ...]
    latent: tuple[str, ...]
    exogenous: tuple[str, ...]
    """Observed, on the right of regressions only, and without a variance, covariance or intercept in the text."""
    sources: tuple[str, ...]
    """Latent, neither an indicator nor dependent."""
    outcomes: tuple[str, ...]
    """Dependent, neither an indicator nor on the right of a regression."""


def identify_roles(found: Statements) -> Roles:
    """Tell variables apart as lavaan does."""
    indicators = {right for operator, _, right in found.rows if operator == "=~"}
    dependent = {left for operator, left, _ in found.rows if operator == "~"}
    predictors = {right for operator, _, right in found.rows if operator == "~"}
    random = {
        name for operator, left, right in found.rows if operator in ("~~", "~1") for name in (left, right) if name
    }
    latent = tuple(name for name in found.names if name in found.latent)
    observed = tuple(name for name in found.names if name not in found.latent)
    inner = indicators | dependent
    return Roles(
        observed,
        latent,
        tuple(name for name in observed if name in predictors and name not in inner | random),
        tuple(name for name in latent if name not in inner),
        tuple(name for name in (*latent, *observed) if name in dependent - indicators - predictors),
    )


def compute_lavaan_defaults(found: Statements, function: LavaanFunction) -> dict[Key, Fraction | None]:
    """The numbers that a function adds or fixes: their values, ``None`` where they are free."""
    roles = identify_roles(found)
    check_pairs(roles.exogenous, roles.sources, roles.outcomes)
    values: dict[Key, Fraction | None] = {}
    for name in (*roles.observed, *roles.latent):
        values["~~", name, name] = None if function.automatic or name in roles.exogenous else ZERO
    pairs = list(combinations(roles.exogenous, 2))
    if function.automatic:
        if not function.orthogonal:
            pairs += combinations(roles.sources, 2)
        pairs += [
            pair
            for pair in combinations(roles.outcomes, 2)
            if not function.orthogonal or not found.latent.keys() >= set(pair)
        ]
    for one, other in pairs:
        if ("~~", other, one) not in found.rows:
            values["~~", one, other] = None
    if function.means or any(operator == "~1" for operator, _, _ in found.rows):
        for name in roles.observed:
            values["~1", name, ""] = None if function.free_observed or name in roles.exogenous else ZERO
        for name in roles.latent:
            values["~1", name, ""] = None if function.free_latent else ZERO
    if function.automatic:
        for name in find_single_indicators(found):
            values["~~", name, name] = ZERO
    for key in found.rows:
        if (key[0] == "~~" and key[1] == key[2]) or key[0] == "~1":
            values[key] = None
    if function.standardized:
        values |= {("~~", name, name): ONE for name in roles.latent}
    elif function.automatic:
        values |= dict.fromkeys(find_first_loadings(found), ONE)
    return values


def check_pairs(*groups: tuple[str, ...]) -> None:
    """Refuse covariances that nobody would want, before they are listed."""
    most = max(map(len, groups))
    if most * most > MOST_ROWS:
        raise LimitError(
            f"{most} variables have {most * (most - 1) // 2} covariances; at most {MOST_ROWS // 2} are read"
        )


def find_first_loadings(found: Statements) -> Iterable[Key]:
    """The first loading of each latent variable."""
    return {key[1]: key for key in reversed(found.rows) if key[0] == "=~"}.values()


def find_single_indicators(found: Statements) -> list[str]:
    """Indicators of one latent variable that has no other."""
    loadings = [key for key in found.rows if key[0] == "=~"]
    left, right = Counter(key[1] for key in loadings), Counter(key[2] for key in loadings)
    return [key[2] for key in loadings if left[key[1]] == 1 and right[key[2]] == 1]


class Groups:
    """Labels that are the same, joined by numbers with several labels and by equations."""

    __slots__ = ("above",)

    def __init__(self) -> None:
        self.above: dict[str, str] = {}

    def root(self, label: str) -> str:
        """The label that stands for all that are the same."""
        path = []
        while label in self.above:
            path.append(label)
            label = self.above[label]
        self.above.update(dict.fromkeys(path, label))  # the next way is short
        return label

    def join(self, one: str, other: str) -> None:
        """Make two labels the same."""
        one, other = self.root(one), self.root(other)
        if one != other:
            self.above[one] = other


def group_by_label(found: Statements, values: dict[Key, Fraction | None]) -> dict[Key, str]:
    """Which free numbers have the same name; numbers with a label that has a value are fixed in ``values``."""
    groups = Groups()
    own = {f"{left}{operator}{right}": (operator, left, right) for operator, left, right in values}
    members: dict[Key, str] = {}
    for key, row in found.rows.items():
        for label in row.labels:
            groups.join(label, members.setdefault(key, label))
            if label in own:
                groups.join(label, members.setdefault(own[label], label))
    known = {groups.root(label) for label in members.values()}
    for label, at in found.places.items():
        if groups.root(label) not in known:
            raise make_position_error(found.text, at, f"nothing has the label {label}")
    for one, other in found.same:
        groups.join(one, other)
    named = {key: groups.root(label) for key, label in members.items()}
    fixed: dict[str, Fraction] = {}
    said = [(groups.root(label), value, found.places[label], label) for label, value in found.values.items()]
    said += [
        (label, value, find_number_place(found, key), members[key])
        for key, label in named.items()
        if (value := values[key]) is not None
    ]
    for root, value, at, label in said:
        if fixed.setdefault(root, value) != value:
            raise make_position_error(found.text, at, f"the label {label} has two values; one is allowed")
    values |= {key: fixed[root] for key, root in named.items() if root in fixed}
    free = {key: root for key, root in named.items() if root not in fixed}
    kinds: dict[str, str] = {}
    for key, root in free.items():
        kind = kinds.setdefault(root, identify_number_kind(key))
        if identify_number_kind(key) != kind:
            message = f"the label {members[key]} is that of a {KINDS[kind]} and of another kind ({KINDS[identify_number_kind(key)]}); equal are numbers of one"
            raise make_position_error(found.text, find_number_place(found, key), message)
    times = Counter(free.values())
    return {key: root for key, root in free.items() if times[root] > 1}


def find_number_place(found: Statements, key: Key) -> int:
    """Where a number stands, or of one that the text does not mention its variable."""
    return found.rows[key].at if key in found.rows else found.names[key[1]]


def identify_number_kind(key: Key) -> str:
    """The kind of a number, as Gaussian models have it."""
    operator, left, right = key
    return {"=~": "b", "~": "b", "~1": "m"}.get(operator, "v" if left == right else "c")


def build_lavaan_gaussian(
    found: Statements, values: Mapping[Key, Fraction | None], labels: Mapping[Key, str]
) -> Gaussian:
    """Build the model; coefficients and covariances of 0 are no edges."""
    names = make_notation_names(found.names)
    named = make_notation_names(labels.values())
    edges: list[tuple[str, str]] = []
    bidirected: list[tuple[str, str]] = []
    fixed: list[tuple[Entry, Fraction]] = []
    equal: list[tuple[Entry, str]] = []
    for key in (*(key for key in found.rows if key in values), *(key for key in values if key not in found.rows)):
        operator, left, right = key
        kind, value = identify_number_kind(key), values[key]
        if kind in "bc" and value == 0:
            continue
        if kind in "vm":
            entry: Entry = (kind, names[left])
        else:
            start, end = (left, right) if operator != "~" else (right, left)
            entry = (kind, names[start], names[end])
            (edges if kind == "b" else bidirected).append((names[start], names[end]))
        if value is not None:
            fixed.append((entry, value))
        elif key in labels:
            equal.append((entry, named[labels[key]]))
    variables = tuple(GaussianVariable(names[name], name not in found.latent) for name in found.names)
    means = any(operator == "~1" for operator, _, _ in values)
    try:
        return Gaussian(variables, tuple(edges), tuple(bidirected), means, tuple(fixed), tuple(equal))
    except InputError as error:
        raise make_position_error(found.text, find_message_place(found, str(error)), str(error)) from None


def find_message_place(found: Statements, message: str) -> int:
    """Where the first variable stands that a message names."""
    said = set(re.findall(r"[\w.]+", message))
    places = [at for name, at in found.names.items() if name in said]
    return min(places, default=0)
