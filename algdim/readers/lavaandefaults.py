"""What lavaan's functions add to the rows of a text: fixed loadings, variances, covariances, intercepts.

The rules are those of version 0.6 for continuous variables, in one group or several. Exogenous observed variables have free variances
and covariances here, where lavaan takes them from the data (`fixed.x`): the degrees of freedom are the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from algdim.errors import InputError, LimitError, describe_closest_word, join_names
from algdim.families.gaussian.groups import SHARED
from algdim.families.gaussian.model import ONE as UNIT
from algdim.families.gaussian.model import Entry, Gaussian, GaussianVariable, Terms
from algdim.models.tokens import make_position_error
from algdim.readers.formats import Options, read_integer_option
from algdim.readers.identifiers import check_no_range, make_notation_names
from algdim.readers.lavaan import (
    MOST_ROWS,
    ONE,
    ZERO,
    Key,
    LabelEquation,
    Row,
    Statements,
    Sum,
    add_sums,
    parse_statements,
)
from algdim.readers.rscript import FUNCTIONS, NAMED, GroupsNeededError, find_script_model, is_script

WORDS = dict.fromkeys((*FUNCTIONS, "std.lv", "orthogonal", "meanstructure", "int.ov.free"), "") | {
    NAMED: "NAME",
    "groups": "K",
    "group": "COLUMN",
    "group.equal": "KIND+KIND",
    "group.partial": "f=~x+x~1",
    "effect.coding": "loadings+intercepts",
    "fixed.x": "FALSE",
}
"""The options of the format lavaan: a function (default sem) and what is said to it. With any `fixed.x` the model is the same."""

EQUAL = (*SHARED, "composite.loadings")
CODED = ("loadings", "intercepts")
MOST_GROUPS = 1000

Number = tuple[str, str, str, int]
"""A key, and the number of a group."""


class LavaanFunction(NamedTuple):
    """What a call of one of lavaan's functions adds by itself."""

    automatic: bool
    """Free variances, covariances of exogenous latent and of last dependent variables, one loading fixed to 1."""
    free_observed: bool
    free_latent: bool
    means: bool
    standardized: bool
    orthogonal: bool
    equal: frozenset[str]
    """What groups have in common."""
    partial: frozenset[str]
    """Numbers that they do not have in common for all that, as lavaan calls them."""
    coded: frozenset[str]
    """What is coded by effects."""


def select_lavaan_function(options: Options, groups: int = 1) -> LavaanFunction:
    """The call that the options describe, for so many groups."""
    chosen = [word for word in FUNCTIONS if word in options]
    if len(chosen) > 1:
        raise InputError(f"the format lavaan: {' and '.join(chosen)} are functions; one is allowed")
    name = chosen[0] if chosen else "sem"
    return LavaanFunction(
        automatic=name != "lavaan",
        # `sem`, `cfa` and `growth` set it themselves, whatever the call says
        free_observed=name in ("sem", "cfa") or (name == "lavaan" and "int.ov.free" in options),
        free_latent=name == "growth",
        means=name == "growth" or "meanstructure" in options or groups > 1,
        standardized="std.lv" in options,
        orthogonal="orthogonal" in options,
        equal=read_words(options, "group.equal", EQUAL),
        partial=frozenset(re.sub(r"\s", "", one) for one in options.get("group.partial", "").split("+")) - {""},
        coded=read_words(options, "effect.coding", CODED),
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
    labels, by = find_groups(found, options)
    count = max(1, len(labels))
    said = list(found.blocks.values()) or [found.select(number) for number in range(count)]
    function = select_lavaan_function(options, count)
    values: dict[Number, Fraction | None] = {}
    for number, block in enumerate(said):
        check_no_range(text, block.names)
        mine = compute_lavaan_defaults(block, function, number)
        for key, row in block.rows.items():
            if row.free:
                mine[key] = None
            elif row.fixed is not None:
                mine[key] = row.fixed
            elif mine.setdefault(key, None) is not None and row.start is not None:
                mine[key] = row.start  # lavaan fixes a first loading to where its search begins
        found.equations += code_effects(block, mine, function, number)
        values |= {(*key, number): value for key, value in mine.items()}
    share_among_groups(said, values, function)
    ties = tie_by_label(found, said, values)
    return build_lavaan_gaussian(found, said, values, ties, labels, by)


def find_groups(found: Statements, options: Options) -> tuple[list[str], str]:
    """The names of the groups, none if there is one, and the column that has them."""
    by = make_notation_names([options.get("group", "group")])[options.get("group", "group")]
    lengths = {len(part): row.at for row in found.rows.values() for part in row.parts}
    if found.blocks and found.names:
        raise make_position_error(found.text, 0, "formulas stand before the first 'group:'; put them behind one")
    if found.blocks:
        return [re.sub(r"\W", "_", name) for name in found.blocks], by
    if len(lengths) > 1:
        raise make_position_error(
            found.text, max(lengths.values()), f"c(…) has {' and '.join(map(str, lengths))} entries; one for each group"
        )
    known = next(iter(lengths), 1)
    count = read_integer_option(options, "groups", known, 1, MOST_GROUPS, "the format lavaan")
    if lengths and count != known:
        raise make_position_error(
            found.text,
            lengths[known],
            f"c(…) has {known} entries, and there are {count} groups; one for each is expected",
        )
    if count == 1 and any(word in options for word in ("group", "group.equal", "group.partial")):
        needed = GroupsNeededError(
            "the format lavaan: it is not said how many groups there are; say it, as in --format lavaan:groups=2, or give "
            f"data with a column {by}"
        )
        needed.column = by
        raise needed
    return ([f"g{number}" for number in range(1, count + 1)] if count > 1 else []), by


def read_words(options: Options, word: str, known: Collection[str]) -> frozenset[str]:
    """The words of an option, joined by plus signs."""
    words = frozenset(filter(None, options.get(word, "").split("+")))
    if not words <= frozenset(known):
        raise InputError(f"the format lavaan: {word}={options[word]}; known are {join_names(known)}, joined by +")
    return words


def code_effects(
    block: Statements, values: dict[Key, Fraction | None], function: LavaanFunction, number: int
) -> Iterable[LabelEquation]:
    """With effect coding the loadings of a latent variable are 1 on average, and the intercepts of its indicators 0."""
    for name in block.latent:
        right = [key[2] for key in block.rows if key[0] == "=~" and key[1] == name]
        if "loadings" in function.coded and right:
            named = {name_number(("=~", name, one, number)): ONE for one in right}
            yield LabelEquation({**named, "": -Fraction(len(right))}, block.names[name])
        if "intercepts" in function.coded and right and ("~1", name, "") in values:
            values["~1", name, ""] = None
            yield LabelEquation({name_number(("~1", one, "", number)): ONE for one in right}, block.names[name])


def share_among_groups(said: Sequence[Statements], values: Mapping[Number, object], function: LavaanFunction) -> None:
    """Give numbers that are equal in all groups the name of that in the first, but for those that ``group.partial`` names."""
    latent = said[0].latent
    known = [name_number(key) for key in values if key[3] == 0]
    for name in sorted(function.partial.difference(known)):
        turned = "~~".join(reversed(name.split("~~")))
        close = f"; did you mean {turned!r}?" if turned in known else describe_closest_word(name, known)
        raise InputError(f"the format lavaan: group.partial has {name!r}, and the model has no such number{close}")
    for key in list(values):
        operator, left, right, number = key
        if name_number((operator, left, right, 0)) in function.partial:
            continue
        inner = left in latent
        word = {
            "=~": "loadings",
            "<~": "composite.loadings",
            "~": "regressions",
            "~1": "means" if inner else "intercepts",
            "~~": ("lv.variances" if inner else "residuals")
            if left == right
            else ("lv.covariances" if inner and right in latent else "residual.covariances"),
        }[operator]
        if number and word in function.equal and (operator, left, right, 0) in values:
            row = said[number].rows.setdefault((operator, left, right), Row(said[number].names[left]))
            row.labels.append(name_number((operator, left, right, 0)))


def name_number(number: Number) -> str:
    """A number as lavaan calls it where it has no label.

    >>> name_number(("=~", "f", "x", 1))
    'f=~x.g2'
    """
    operator, left, right, group = number
    return f"{left}{operator}{right}{f'.g{group + 1}' if group else ''}"


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
    composed = {left for operator, left, _ in found.rows if operator == "<~"}
    predictors |= {right for operator, _, right in found.rows if operator == "<~"}
    inner = indicators | dependent | composed
    return Roles(
        observed,
        latent,
        tuple(name for name in observed if name in predictors and name not in inner | random),
        tuple(name for name in latent if name not in inner),
        tuple(name for name in (*latent, *observed) if name in dependent - indicators - predictors),
    )


def compute_lavaan_defaults(found: Statements, function: LavaanFunction, group: int = 0) -> dict[Key, Fraction | None]:
    """The numbers that a function adds or fixes: their values, ``None`` where they are free.

    Where loadings or intercepts are equal, the scale or the mean of a latent variable is fixed in the first group alone.
    """
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
        later = group > 0 and "intercepts" in function.equal and "means" not in function.equal
        for name in roles.latent:
            values["~1", name, ""] = None if function.free_latent or (later and function.automatic) else ZERO
    composed = {left for operator, left, _ in found.rows if operator == "<~"}
    if function.automatic:
        for name in (*find_single_indicators(found), *composed):
            values["~~", name, name] = ZERO
    for key in found.rows:
        if (key[0] == "~~" and key[1] == key[2]) or key[0] == "~1":
            values[key] = None
    if function.standardized:
        if not group or "loadings" not in function.equal:
            values |= {("~~", name, name): ONE for name in roles.latent if name not in composed}
    elif function.automatic and "loadings" not in function.coded:
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


class LabelTies(NamedTuple):
    """Which free numbers have the same label, and which are sums of others, by their labels."""

    labels: Mapping[Number, str]
    sums: Mapping[Number, Sum]
    stands: Mapping[str, Number]
    """A number that has a label."""


def tie_by_label(found: Statements, said: Sequence[Statements], values: dict[Number, Fraction | None]) -> LabelTies:
    """Join labels by equations, fix numbers whose labels have values in ``values``, and solve what is linear."""
    groups = Groups()
    own = {name_number(number): number for number in values}
    members: dict[Number, str] = {}
    for place, block in enumerate(said):
        for key, row in block.rows.items():
            for label in row.labels:
                groups.join(label, members.setdefault((*key, place), label))
                if label in own:
                    groups.join(label, members.setdefault(own[label], label))
    for equation in found.equations:
        members |= {own[label]: label for label in equation.sum if label in own and own[label] not in members}
    known = {groups.root(label) for label in members.values()}
    for label, at in found.places.items():
        if groups.root(label) not in known:
            raise make_position_error(found.text, at, f"nothing has the label {label}")
    rest = []
    for equation in found.equations:
        match sorted(equation.sum.items(), reverse=True):  # the first of two that are equal takes the name of the other
            case [(one, a), (other, b)] if one and other and a == -b:
                first, second = sorted((one, other), key=lambda label: -equation.sum[label])
                groups.join(first, second)
            case _:
                rest.append(equation)
    named = {number: groups.root(label) for number, label in members.items()}
    fixed: dict[str, Fraction] = {}

    def fix(label: str, value: Fraction, at: int, shown: str) -> None:
        if fixed.setdefault(label, value) != value:
            raise make_position_error(found.text, at, f"the label {shown} has two values; one is allowed")

    for equation in rest:
        if len(equation.sum.keys() - {""}) == 1:
            ((label, factor),) = ((label, value) for label, value in equation.sum.items() if label)
            fix(groups.root(label), -equation.sum.get("", ZERO) / factor, found.places.get(label, equation.at), label)
    for number, root in named.items():
        if (value := values[number]) is not None:
            fix(root, value, find_number_place(said, number), members[number])
    sums = solve_equations(found, groups, fixed, rest)
    for root in [root for root, terms in sums.items() if terms.keys() <= {""}]:
        fixed[root] = sums.pop(root).get("", ZERO)
    values |= {number: fixed[root] for number, root in named.items() if root in fixed}
    free = {number: root for number, root in named.items() if root not in fixed}
    stands: dict[str, Number] = {}
    for number in sorted(free, key=lambda number: number[3]):
        stands.setdefault(free[number], number)
    # a label is of one kind; numbers of another kind are 1 times its first number
    others = {
        number: {root: ONE}
        for number, root in free.items()
        if root not in sums and identify_number_kind(number) != identify_number_kind(stands[root])
    }
    tied = others | {number: sums[root] for number, root in free.items() if root in sums}
    times = Counter(root for number, root in free.items() if number not in tied)
    return LabelTies(
        {number: root for number, root in free.items() if number not in tied and times[root] > 1}, tied, stands
    )


def solve_equations(
    found: Statements, groups: Groups, fixed: Mapping[str, Fraction], equations: Iterable[LabelEquation]
) -> dict[str, Sum]:
    """The labels that equations give by others, each by such as are not given: reduced row by row."""
    solved: dict[str, Sum] = {}
    for equation in equations:
        row: Sum = {}
        for label, value in equation.sum.items():
            root = groups.root(label) if label else ""
            row = add_sums(row, {"": fixed[root]} if root in fixed else {root: ONE}, value)
        for root in [root for root in row if root in solved]:
            row = add_sums({label: value for label, value in row.items() if label != root}, solved[root], row[root])
        free = [root for root in row if root]
        if not free and row:
            raise make_position_error(
                found.text, equation.at, "this equation contradicts others, or numbers that are fixed"
            )
        if free:
            pivot = row.pop(free[0])
            terms = {label: -value / pivot for label, value in row.items()}
            for root, other in solved.items():
                if free[0] in other:
                    rest = {label: value for label, value in other.items() if label != free[0]}
                    solved[root] = add_sums(rest, terms, other[free[0]])
            solved[free[0]] = terms
    return solved


def find_number_place(said: Sequence[Statements], number: Number) -> int:
    """Where a number stands, or of one that the text does not mention its variable."""
    block, key = said[number[3]], number[:3]
    return block.rows[key].at if key in block.rows else block.names[key[1]]


def identify_number_kind(number: tuple[Any, ...]) -> str:
    """The kind of a number, as Gaussian models have it."""
    operator, left, right = number[:3]
    return {"=~": "b", "<~": "b", "~": "b", "~1": "m"}.get(operator, "v" if left == right else "c")


def build_lavaan_gaussian(
    found: Statements,
    said: Sequence[Statements],
    values: Mapping[Number, Fraction | None],
    ties: LabelTies,
    groups: Sequence[str],
    by: str,
) -> Gaussian:
    """Build the model; coefficients and covariances of 0 are no edges."""
    every = dict.fromkeys(name for block in said for name in block.names)
    names = make_notation_names(every)
    named = make_notation_names(ties.labels.values())
    ends = [f".{group}" for group in groups] or [""]

    def make_entry(number: Number) -> Entry:
        operator, left, right, group = number
        kind = identify_number_kind(number)
        pair = (left,) if kind in "vm" else (right, left) if operator in ("~", "<~") else (left, right)
        return (kind, *(names[name] + ends[group] for name in pair))

    edges: dict[str, list[tuple[str, ...]]] = {"b": [], "c": []}
    fixed: list[tuple[Entry, Fraction]] = []
    equal: list[tuple[Entry, str]] = []
    linear: list[tuple[Entry, Terms]] = []
    ordered = [(*key, group) for group, block in enumerate(said) for key in block.rows if (*key, group) in values]
    ordered = list(dict.fromkeys((*ordered, *values)))
    for number in sorted(ordered, key=lambda number: number[3]):
        entry = make_entry(number)
        if entry[0] in edges and values[number] != 0:
            edges[entry[0]].append(entry[1:])
    place = {key: at for at, key in enumerate(dict.fromkeys(number[:3] for number in ordered))}
    for number in sorted(ordered, key=lambda number: (place[number[:3]], number[3])):
        entry, value = make_entry(number), values[number]
        if entry[0] in edges and value == 0:
            continue
        if value is not None:
            fixed.append((entry, value))
        elif number in ties.labels:
            equal.append((entry, named[ties.labels[number]]))
        elif number in ties.sums:
            terms = (
                (make_entry(ties.stands[label]) if label else UNIT, factor)
                for label, factor in sorted(ties.sums[number].items(), key=lambda pair: pair[0] != "")
            )
            linear.append((entry, tuple(terms)))
    variables = tuple(
        GaussianVariable(names[name] + ends[group], name not in block.latent)
        for group, block in enumerate(said)
        for name in block.names
    )
    means = any(number[0] == "~1" for number in values)
    directed, bidirected = (tuple((one, other) for one, other in edges[kind]) for kind in "bc")
    try:
        return Gaussian(
            variables,
            directed,
            bidirected,
            means,
            tuple(fixed),
            tuple(equal),
            tuple(linear),
            by if groups else "",
            tuple(groups),
        )
    except InputError as error:
        raise make_position_error(found.text, find_message_place(said, str(error)), str(error)) from None


def find_message_place(said: Sequence[Statements], message: str) -> int:
    """Where the first variable stands that a message names."""
    words = set(re.findall(r"[\w.]+", message))
    places = [at for block in said for name, at in block.names.items() if name in words]
    return min(places, default=0)
