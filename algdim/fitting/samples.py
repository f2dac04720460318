"""Data for a model: the states of its observed variables, case by case, compressed to the patterns that occur.

And what they lack that a statement about a model supposes: entries, and cases in every condition.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import inf, prod
from shlex import quote
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, join_names
from algdim.families.discrete.locals.logit import Rasch
from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.model import Network, Variable
from algdim.figures import format_count, remove_control_characters
from algdim.fitting.tabletext import Words, format_legend, has_state_labels, make_words
from algdim.fitting.tabulardata import Columns, Labels, is_number_text, read_columns
from algdim.identifiability.estimates import MOST_CONDITIONS_NAMED, Gaps
from algdim.models.anymodel import AnyModel
from algdim.readers.identifiers import group_indistinct_names, is_name, make_notation_names

KnownStates = Mapping[str, Sequence[str | None]]
"""The labels of the states in other data, by variable."""

COUNT = "count"
"""The column of a frequency table with the frequency of each row."""

LIKE_COUNT = frozenset({"count", "counts", "freq", "frequency", "frequencies", "n", "weight", "weights", "wt"})
"""What columns of counts are called elsewhere; such a column is not left out in silence."""

CALL_IT_COUNT = f"if it is the frequency of each row, call it {COUNT}; if not, leave it out"

MOST_CASES = 1e15
"""Beyond it one case more is lost in rounding."""

MISSING = -1
"""The code of a missing entry."""


class AnySample(ABC):
    """Different cases and how often each occurs, as records show them; a kind for tables, one for numbers."""

    __slots__ = ()

    names: tuple[str, ...]
    """The columns that have states."""
    states: tuple[tuple[str | None, ...], ...]
    counts: NDArray[np.float64]
    notes: tuple[str, ...]
    """What is to be said of how they were read."""
    titles: tuple[str, ...]
    """What all columns are called in the data; nothing if these have no names."""

    @property
    def size(self) -> float:
        """The number of cases, N."""
        return float(self.counts.sum())

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns."""
        return self.names

    @property
    @abstractmethod
    def missing(self) -> int:
        """How many values are missing."""

    @property
    @abstractmethod
    def heading(self) -> str:
        """How many cases there are."""

    @abstractmethod
    def words(self, model: AnyModel) -> Words:
        """What the data call the variables and states of a model."""

    def to_dict(self) -> dict[str, Any]:
        """What a report says of the data."""
        return {
            "n": convert_to_integer(self.size),
            "patterns": len(self.counts),
            "missing": self.missing,
            "states": {name: list(states) for name, states in zip(self.names, self.states, strict=True)},
            "columns": dict(zip(self.columns, self.titles, strict=False)),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        named = zip(self.names, self.states, strict=True)
        shown = [f"  {name}: {format_legend(states)}" for name, states in named if has_state_labels(states)]
        return remove_control_characters("\n".join([self.heading, *shown, *(f"  note: {note}" for note in self.notes)]))


@dataclass(frozen=True, slots=True, eq=False)
class Sample(AnySample):
    """The patterns that occur, in order, and how often; column i belongs to the i-th observed variable of the model.

    ``states[i]`` names the states of that variable: the labels of the data, `None` for a state that no row shows.
    """

    names: tuple[str, ...]
    states: tuple[tuple[str | None, ...], ...]
    patterns: NDArray[np.int64]
    counts: NDArray[np.float64]
    notes: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()

    @property
    def has_missing(self) -> bool:
        """Whether an entry is missing."""
        return bool((self.patterns == MISSING).any())

    @property
    def missing(self) -> int:
        """How many entries are missing."""
        return int(self.counts @ (self.patterns == MISSING).sum(axis=1))

    def words(self, model: AnyModel) -> Words:
        """What the data call the variables and states of a model."""
        return make_words(model, self.names, self.states, self.titles)

    @property
    def heading(self) -> str:
        """How many cases and patterns there are."""
        return f"{format_case_count(self.size)}, {format_count(len(self.counts), 'pattern')}"


def convert_to_integer(value: float) -> int | float:
    """A number of cases as an integer if it is one.

    >>> convert_to_integer(60.0), convert_to_integer(0.5)
    (60, 0.5)
    """
    return int(value) if float(value).is_integer() else float(value)


def format_case_count(size: float) -> str:
    """Print a number of cases.

    >>> format_case_count(216.0), format_case_count(1.5), format_case_count(0.1 + 0.2)
    ('216 cases', '1.5 cases', '0.3 cases')
    """
    number = convert_to_integer(size)
    return f"{number if isinstance(number, int) else format(number, '.10g')} case{'' if size == 1 else 's'}"


def read_sample(
    data: Any,
    model: Network,
    *,
    missing: bool = False,
    states: KnownStates | None = None,
    compress: bool = True,
) -> Sample:
    """Read data for a model.

    Columns are matched by name, others left out with a note, or by position if no name matches and the count is right. The column
    ``count``, if the model has no such variable, has the frequency of each row. If every label of a column is a number
    from 0 to states − 1, it is the state's number; otherwise the labels are the states in sorted order. Where the model
    names the states, their order is the model's. Empty entries are
    errors unless ``missing`` is true. With ``states``, those of other data, a label that is not among them is an error. Without ``compress`` each row is
    a pattern of its own, in the order of the data.

    >>> from algdim.models.notation import parse
    >>> read_sample({"X1": ["no", "yes"], "X2": [0, 1], "count": [3, 4]}, parse("2:2,2")).counts
    array([3., 4.])
    """
    if isinstance(data, Sample):
        return require_same_model(data, model)
    table = read_columns(data)
    observed = model.observed
    names = [variable.name for variable in observed]
    counts, chosen, notes = match_columns(table, names)
    if not table.rows:
        raise InputError(f"{table.source}: there are no rows; at least one case is expected")
    notes = [*table.notes, *notes]
    codes = np.empty((table.rows, len(names)), dtype=np.int64)
    found: list[tuple[str | None, ...]] = []
    shown = pool_labels(model, {name: collect_labels(table.columns[k]) for name, k in zip(names, chosen, strict=True)})
    for k, (variable, column) in enumerate(zip(observed, chosen, strict=True)):
        labels = table.columns[column]
        if not missing:
            check_present(table, column, LEAVES_OUT if variable.name in model.given else MAY_BE_MISSING)
        order = order_of(table, column, variable, states, shown[variable.name])
        if variable.name not in (states or {}):
            notes += describe_variable_states(labels, order, variable)
        codes[:, k] = encode_labels(labels, order, table, column)
        found.append(order)
    notes += describe_scores(model, dict(zip(names, found, strict=True)))
    whole = find_whole_rows(table, model)
    if not whole.all():
        notes.append(describe_rows_left_out(counts[~whole].sum(), model))
        codes, counts = codes[whole], counts[whole]
        if not counts.sum():
            raise InputError(f"{table.source}: no case has an entry of all that is conditioned on; one is needed")
    patterns, weights = count_distinct_rows(codes, counts) if compress else (codes, counts)
    return Sample(tuple(names), tuple(found), patterns, weights, tuple(notes), find_column_titles(table, chosen))


def find_whole_rows(table: Columns, model: Network) -> NDArray[np.bool_]:
    """The rows in which nothing that the model conditions on is missing: the likelihood of others is not defined.

    >>> from algdim.models.notation import parse
    >>> find_whole_rows(read_columns({"Z": [0, None], "X": [None, 1]}), parse("Z -> X; given Z"))
    array([ True, False])
    """
    whole = np.ones(table.rows, dtype=bool)
    if model.given:
        observed = [variable.name for variable in model.observed]
        for name, column in zip(observed, match_columns(table, observed)[1], strict=True):
            if name in model.given:
                whole &= [label is not None for label in table.columns[column]]
    return whole


def describe_scores(model: Network, states: Mapping[str, Sequence[str | None]]) -> list[str]:
    """Which variables have scores 0, 1, … that their labels do not say, where log-odds are linear in them.

    >>> from algdim.models.notation import parse
    >>> network = parse("Z -> X; states Z=3; given Z; sigmoid X")
    >>> describe_scores(network, {"Z": ("1", "2", "3")}), len(describe_scores(network, {"Z": ("1", "2", "4")}))
    ([], 1)
    """
    linear = (one for one in model.variables if isinstance(one.local, Sigmoid) and not isinstance(one.local, Rasch))
    scored = {parent for one in linear for parent in one.parents}
    notes = []
    for variable in model.observed:
        labels = states.get(variable.name, ())
        if variable.name not in scored or variable.states < 3 or tuple(labels) == variable.labels:
            continue
        shown = [(score, label) for score, label in enumerate(labels) if label is not None]
        if not is_equally_spaced(shown):
            scores = ", ".join(f"{label} is {score}" for score, label in shown[:MOST_SCORES_NAMED])
            more = ", …" if len(shown) > MOST_SCORES_NAMED else ""
            notes.append(
                f"{variable.name} is scored by the order of its labels where log-odds are linear in it ({scores}{more}); "
                "for other scores write integers from 0, with a state for each"
            )
    return notes


MOST_SCORES_NAMED = 6


def is_equally_spaced(shown: Sequence[tuple[int, str]]) -> bool:
    """Whether labels are numbers that are linear in their scores.

    >>> is_equally_spaced([(0, "1"), (1, "2"), (3, "4")]), is_equally_spaced([(0, "high"), (1, "low")])
    (True, False)
    >>> is_equally_spaced([(0, "0.1"), (1, "0.2"), (2, "0.3")]), is_equally_spaced([(0, "1"), (1, "2"), (2, "1e999")])
    (True, False)
    """
    if not all(is_number_text(label) for _, label in shown):
        return False
    scores, values = np.array([score for score, _ in shown], float), np.array([float(label) for _, label in shown])
    if len(shown) < 2 or not np.isfinite(values).all():
        return len(shown) < 2
    with np.errstate(over="ignore", invalid="ignore"):
        line = values[0] + (values[-1] - values[0]) / (scores[-1] - scores[0]) * (scores - scores[0])
        return bool(np.allclose(line, values, rtol=0, atol=1e-9 * abs(values[-1] - values[0])))


def describe_rows_left_out(cases: float, model: Network) -> str:
    """That cases are left out, and why."""
    isare = "is" if len(model.given) == 1 else "are"
    return f"left out: {format_case_count(cases)} in which {join_names(model.given)}, which {isare} conditioned on, {isare} missing"


def find_column_titles(table: Columns, chosen: Sequence[int]) -> tuple[str, ...]:
    """What some columns are called in the data, if these have names."""
    return () if table.names is None else tuple(table.names[column] for column in chosen)


def require_same_model(sample: Sample, model: Network) -> Sample:
    """The sample, if it was read for a model with these observed variables."""
    names = tuple(variable.name for variable in model.observed)
    sizes = tuple(variable.states for variable in model.observed)
    if sample.names != names or tuple(map(len, sample.states)) != sizes:
        raise InputError(
            f"the sample was read for {join_names(sample.names)} with {join_names(map(len, sample.states))} states; "
            f"the model has {join_names(names)} with {join_names(sizes)}"
        )
    return sample


def match_columns(table: Columns, names: Sequence[str]) -> tuple[NDArray[np.float64], list[int], list[str]]:
    """The frequency of each row, the column of each variable, and notes."""
    header = table.names
    at = list(range(len(table.columns)))
    counts, notes = np.ones(table.rows), list[str]()
    if header is not None and COUNT in header and COUNT not in names:
        where = header.index(COUNT)
        counts = read_counts(table, where)
        at.remove(where)
        notes = describe_fractional_counts(counts)
    # a column's name may have signs that names in models have not: then it is the similar one that readers of files make
    looks = None if header is None else match_dotted_names(list(make_notation_names(header).values()), names)
    place = {look: k for k, look in reversed(list(enumerate(looks or ())))}
    if looks is not None and any(name in place for name in names):
        lacking = [name for name in names if name not in place]
        if lacking:
            raise InputError(
                f"{table.source}: there is no column {join_names(lacking)}; the model observes {join_names(names)}"
            )
        wanted = set(names)
        check_told_apart(table, looks, wanted)
        foreign = [
            f"{look} is {name}"
            for name, look in zip(header or (), looks, strict=True)
            if look in wanted and not name.isascii()
        ]
        notes += [remove_control_characters(f"names of columns: {join_names(foreign)}")] if foreign else []
        notes += check_unused_columns(table, [k for k in at if looks[k] not in wanted])
        return counts, [place[name] for name in names], notes
    for k, title in () if header is None else [(k, header[k]) for k in at]:
        one_more = len(at) == len(names) + 1 and has_only_numbers(table.columns[k])
        if title.lower() in LIKE_COUNT and (one_more or is_count_column(table.columns[k])):
            raise InputError(f"{table.source}: the column {title}: {CALL_IT_COUNT}")
    if len(at) != len(names):
        more = "more" if len(at) > len(names) else "fewer"
        named = "" if header is None else f" ({join_names(header[k] for k in at)}), none of them named as in the model"
        raise InputError(
            f"{table.source}: {format_count(len(at), 'column')}{named}, {more} than the {len(names)} that the model observes "
            f"({join_names(names)}); choose columns (--items, --without), or name the variables as the columns"
        )
    if header is None:
        return counts, at, notes
    pairs = join_names(f"{header[k]} as {name}" for k, name in zip(at, names, strict=True))
    notes.append(remove_control_characters(f"no column is named as in the model; they are taken in order: {pairs}"))
    return counts, at, notes


def check_told_apart(table: Columns, looks: Sequence[str], names: Collection[str]) -> None:
    """Refuse columns that look the same in the notation if the model has some of them: which ones nobody knows."""
    header = table.names or ()
    used = {name for name, look in zip(header, looks, strict=True) if look in names}
    for group in group_indistinct_names(header):
        guessed = [name for name in group if name in used and not is_name(name)]
        if guessed and not used.issuperset(group):
            raise InputError(
                f"{table.source}: the columns {join_names(group)} look the same in the notation, and the model has "
                f"{len(used.intersection(group))} of them; say which with --items or --without"
            )


def match_dotted_names(looks: list[str], names: Sequence[str]) -> list[str]:
    """The same, with the model's name for a column where they differ in points alone: R writes how.often for `how often`.

    >>> match_dotted_names(["how_often", "b"], ["how.often", "b"])
    ['how.often', 'b']
    """
    found, known, wanted = list(looks), set(looks), set(names)
    alike, rivals = defaultdict[str, list[int]](list), Counter[str]()
    for k, look in enumerate(looks):
        if look not in wanted:
            alike[look.replace(".", "_")].append(k)
    rivals.update(name.replace(".", "_") for name in wanted - known)
    for name in wanted - known:
        plain = name.replace(".", "_")
        if len(alike[plain]) == rivals[plain] == 1:
            found[alike[plain][0]] = name
    return found


def warn_omitted_counts(table: Columns, kept: Collection[str]) -> tuple[str, ...]:
    """Notes on columns that are not kept though they look like counts: without them every row is one case."""
    places = [
        k
        for k, name in enumerate(table.names or ())
        if name not in kept and name.lower() in LIKE_COUNT and has_only_numbers(table.columns[k])
    ]
    return tuple(
        remove_control_characters(
            f"the {table.name(k)} is left out, each row is one case; if it is the frequency of each row, "
            f"{'keep it' if (table.names or ())[k] == COUNT else f'call it {COUNT}'}"
        )
        for k in places
    )


def check_unused_columns(table: Columns, places: Sequence[int]) -> list[str]:
    """A note on columns beside those of the model; one that looks like counts of another name is an error."""
    names = [(table.names or ())[place] for place in places]
    for name in names:
        if name.lower() in LIKE_COUNT:
            raise InputError(f"{table.source}: the column {name}: {CALL_IT_COUNT}")
    return [f"not used: the column{'s' if len(names) > 1 else ''} {join_names(names)}"] if names else []


def has_only_numbers(labels: Collection[str | None]) -> bool:
    """Whether all labels are numbers."""
    return all(map(is_number_text, set(filter(None, labels))))


def is_count_column(labels: Collection[str | None]) -> bool:
    """Whether labels are numbers that answers to a question are hardly coded with.

    >>> is_count_column({"20", "3"}), is_count_column({"0", "1"}), is_count_column({"light", "heavy"})
    (True, False, False)
    """
    found = set(filter(None, labels))
    return has_only_numbers(found) and not found <= set("0123456789")


def describe_fractional_counts(counts: NDArray[np.float64]) -> list[str]:
    """What is to be said of counts that are no whole numbers, as weights of a survey are."""
    if (counts == np.floor(counts)).all():
        return []
    total = f"{convert_to_integer(counts.sum()):.10g}"
    return [f"the counts are not integers: their sum, {total}, is taken as the number of cases"]


def read_counts(table: Columns, column: int) -> NDArray[np.float64]:
    """The column of counts: finite numbers, none negative, not all zero."""
    counts = np.empty(table.rows)
    for row, label in enumerate(table.columns[column]):
        if label is None or not is_number_text(label):
            raise InputError(
                f"{table.place(row, column)}: {label or 'an empty entry'} is not a count; a number from 0 upward is"
            )
        counts[row] = float(label)
        if not 0 <= counts[row] < inf:
            raise InputError(
                f"{table.place(row, column)}: the count {label} is not allowed; finite ones from 0 upward are"
            )
    if table.rows and not counts.any():
        raise InputError(f"{table.source}: all counts are 0; at least one case is expected")
    with np.errstate(over="ignore"):
        total = counts.sum()
    if total > MOST_CASES:
        raise InputError(f"{table.source}: {total:g} cases; up to {MOST_CASES:g} are read")
    return counts


MAY_BE_MISSING = "allow missing values (--missing, or missing=True), or fill it in"
LEAVES_OUT = (
    "it is conditioned on; leave out the cases without it (--missing, or missing=True: entries of others may then be "
    "missing as well), or fill it in"
)


def check_present(table: Columns, column: int, advice: str) -> None:
    """Raise if an entry is missing, with what to do."""
    try:
        row = table.columns[column].index(None)
    except ValueError:
        return
    raise InputError(f"{table.place(row, column)} is empty (or NaN, NA, None, a code of --na); {advice}")


def collect_labels(column: Labels) -> set[str]:
    """The different labels of a column."""
    return {label for label in set(column) if label is not None}


def pool_labels(model: Network, shown: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The labels of each observed variable, with those of the variables whose states are the same things.

    Those are the variables with one table, and their parents in the same place: a wave in which nobody gave the first answer
    has the answers of the others. Tables of which each column shows all states in words of its own have these.

    >>> from algdim.models.notation import parse
    >>> pool_labels(parse("2:2^2*"), {"X1": {"a", "b"}, "X2": {"b"}}) == dict.fromkeys(["X1", "X2"], {"a", "b"})
    True
    >>> pool_labels(parse("2:2^2*"), {"X1": {"a", "b"}, "X2": {"c", "d"}})["X1"] == {"a", "b"}
    True
    """
    alike: dict[tuple[str, int], list[str]] = {}
    for variable in model.variables:
        share: str | None = getattr(variable.local, "share", None)
        if share is not None:
            for place, name in enumerate((variable.name, *variable.parents)):
                alike.setdefault((share, place), []).append(name)
    pool = {name: {name} for name in shown}
    for members in alike.values():
        joined = set[str]().union(*(pool[name] for name in members if name in pool))
        pool |= dict.fromkeys(joined, joined)
    found = {}
    for name, coded_alike in pool.items():
        together = set[str]().union(*(shown[one] for one in coded_alike))
        count = model.states[name]
        has_own = len(together) == count * len(coded_alike) == sum(len(shown[one]) for one in coded_alike)
        found[name] = shown[name] if has_own else together
    return found


def order_of(
    table: Columns, column: int, variable: Variable, known: KnownStates | None, shown: set[str]
) -> tuple[str | None, ...]:
    """The states of a variable: those that other data had, else the model's, else those that the labels stand for."""
    name, count = variable.name, variable.states
    if known is not None and name in known:
        order = tuple(known[name])
        if len(order) != count:
            raise InputError(
                f"{name}: the fit has the {len(order)} states {join_names(map(str, order))}; the model has {count}"
            )
        return order
    if variable.labels and shown <= set(variable.labels):
        return variable.labels
    others = not shown <= set(table.columns[column])
    order = identify_states(shown, count, table.name(column) + " with those of the same table" * others)
    own = set(table.columns[column]) - {None, *variable.labels}
    if own and not shown.isdisjoint(variable.labels) and not is_numbered(order):
        row = next(row for row, label in enumerate(table.columns[column]) if label in own)
        raise InputError(
            f"{table.place(row, column)}: {table.columns[column][row]!r} is not among the states that the model names "
            f"({join_names(variable.labels)}); write one of these, or the number of a state, from 0"
        )
    return order


def is_numbered(order: Sequence[str | None]) -> bool:
    """Whether the labels are the numbers of the states."""
    return all(label in (None, str(state)) for state, label in enumerate(order))


def describe_variable_states(labels: Labels, order: Sequence[str | None], variable: Variable) -> list[str]:
    """What is to be said of the states of a variable: those that no row shows, labels that the model does not name."""
    notes, shown = [], set(labels)
    if variable.labels and not is_numbered(order) and tuple(order) != variable.labels:
        notes.append(
            f"{variable.name}: the labels {join_names(filter(None, order))} are none of the model's {join_names(variable.labels)}; "
            "they are taken in sorted order"
        )
    stray = find_missing_codes(shown - {None})
    if stray:
        notes.append(
            f"{variable.name}: {join_names(stray)} {'is' if len(stray) == 1 else 'are'} taken for an answer; "
            f"if it stands for a missing one, say so ({format_missing_option(stray)})"
        )
    absent = [label or str(state) for state, label in enumerate(order) if label not in shown or label is None]
    if absent:
        notes.append(f"{variable.name}: no row shows the state{'s' if len(absent) > 1 else ''} {', '.join(absent)}")
    return notes


def format_missing_option(stray: Sequence[str]) -> str:
    """How the command is told that labels stand for missing answers.

    >>> print(format_missing_option(["-99"]), format_missing_option(["?", "no answer"]))
    --na=-99 --missing; in Python None in its place, and missing=True --na='?,no answer' --missing; in Python None in their place, and missing=True
    """
    place = "its place" if len(stray) == 1 else "their place"
    return f"--na={quote(','.join(stray))} --missing; in Python None in {place}, and missing=True"


def find_missing_codes(labels: Collection[str | None]) -> list[str]:
    """Labels that may stand for missing answers: words for it, and the numbers that surveys code it with, if they lie apart.

    >>> (
    ...     find_missing_codes({"1", "2", "3", "-99"}),
    ...     find_missing_codes({"1", "2", "8", "9"}),
    ...     find_missing_codes({"yes", "no", "?"}),
    ... )
    (['-99'], ['8', '9'], ['?'])
    >>> find_missing_codes({"1", "2", "None"}), find_missing_codes({"None", "Some"})
    (['None'], [])
    >>> find_missing_codes({"-1", "0", "1"}), find_missing_codes(set("0123456789"))
    ([], [])
    """
    found = set(filter(None, labels))
    words = {label for label in found if label.casefold() in MISSING_WORDS}
    others = {label for label in found - words if label.casefold() not in WORDS_BESIDE_NUMBERS}
    if others and all(map(is_number_text, others)):
        words = found - others
    stray = sorted(words)
    rest = sorted((float(label), label) for label in found - words if is_number_text(label))
    if len(rest) + len(stray) < len(found) or not rest:
        return stray
    negative = [(value, label) for value, label in rest if value < 0]
    if {value for value, _ in negative} <= MISSING_CODES and len(negative) < len(rest) and rest[0][0] != -rest[-1][0]:
        stray += [label for _, label in negative]
    above = len(rest)
    while above > 1 and rest[above - 1][0] in MISSING_CODES and rest[above - 1][0] > 0:
        above -= 1
    if above < len(rest) and rest[above][0] - max(rest[above - 1][0], 0) > 1:
        stray += [label for _, label in rest[above:]]
    return stray


MISSING_WORDS = frozenset(
    {"?", "-", "--", "null", "#null!", "missing", "na", "n.a.", "unknown", "inf", "-inf", "infinity", "-infinity"}
)
"""Words that hardly are answers, in small letters; infinite numbers are failed computations."""

WORDS_BESIDE_NUMBERS = frozenset({"none", "nil", "dk", "d/k", "*", "don't know", "dont know", "no answer", "refused"})
"""Words that may be answers beside other words, as none beside some and many, and hardly are beside numbers alone."""

MISSING_CODES = frozenset(
    sign * code for sign in (1, -1) for code in (7, 8, 9, 66, 77, 88, 97, 98, 99, 777, 888, 997, 998, 999, 9999)
) | frozenset(range(-6, 0))
"""How SPSS, Stata and questionnaires code missing answers."""


MOST_ANSWERS = 10_000
"""Labels of a column that are looked at one by one for what is wrong with them."""


def identify_states(labels: Iterable[str | None], count: int, where: str) -> tuple[str | None, ...]:
    """The states that the labels of a column stand for, `None` where no label shows one.

    >>> (
    ...     identify_states(["2", "0"], 3, "X"),
    ...     identify_states(["1", "3"], 3, "X"),
    ...     identify_states(["yes", "no"], 2, "X"),
    ...     identify_states(["10", "9"], 2, "X"),
    ... )
    (('0', None, '2'), ('1', None, '3'), ('no', 'yes'), ('9', '10'))
    """
    found = {label for label in labels if label is not None}
    numbers = [str(state) for state in range(count)]
    for known in (numbers, [str(state + 1) for state in range(count)]):
        if found <= set(known):  # what no row shows has its place all the same: where states are scored it counts
            return tuple(state if state in found else None for state in known)
    if len(found) > max(count, MOST_ANSWERS):
        raise InputError(
            f"{where} has {len(found)} different labels, as {join_names(islice(found, 2))}; the model has {count} states there; "
            "leave the column out, or put its values into groups"
        )
    if all(is_number_text(label) for label in found):
        order = sorted(found, key=lambda label: (float(label), label))
    else:
        order = sorted(found)
    if len(order) > count:
        stray = find_missing_codes(found)
        which = f"{join_names(stray)} stands" if stray else "one of them stands"
        raise InputError(
            f"{where} has the {len(order)} labels {join_names(order)}; the model has {count} states there; if {which} for a "
            f"missing answer, say so ({format_missing_option(stray or ['LABEL'])}), or leave the entry empty (--missing)"
        )
    return (*order, *(None for _ in range(count - len(order))))


def encode_labels(labels: Labels, order: Sequence[str | None], table: Columns, column: int) -> NDArray[np.int64]:
    """The state's number of each label."""
    numbers: dict[str | None, int] = {label: state for state, label in enumerate(order) if label is not None}
    numbers[None] = MISSING
    try:
        return np.fromiter((numbers[label] for label in labels), np.int64, len(labels))
    except KeyError:
        row = next(row for row, label in enumerate(labels) if label not in numbers)
        known = join_names(label for label in order if label is not None)
        raise InputError(
            f"{table.place(row, column)}: {labels[row]!r} was not among the states when the model was fitted ({known})"
        ) from None


def count_distinct_rows(
    codes: NDArray[np.int64], counts: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The different rows in order, and how often each stands; rows that never stand are left out."""
    patterns, inverse = find_distinct_rows(codes)
    totals = np.bincount(inverse, weights=counts, minlength=len(patterns)).astype(np.float64)
    return patterns[totals > 0], totals[totals > 0]


def find_distinct_rows(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """The different rows in order, and which of them each row is.

    >>> [found.tolist() for found in find_distinct_rows(np.array([[1, 0], [-1, 2], [1, 0]]))]
    [[[-1, 2], [1, 0]], [1, 0, 1]]
    """
    sizes = [int(most) - MISSING + 1 for most in codes.max(axis=0)] if len(codes) else []
    if sizes and prod(sizes) <= np.iinfo(np.int64).max:
        # a row as one number, in the same order: numbers are sorted many times as fast as rows, in a fraction of the memory
        keys = np.zeros(len(codes), dtype=np.int64)
        for column, size in zip(codes.T, sizes, strict=True):
            keys *= size
            keys += column - MISSING
        _, places, inverse = np.unique(keys, return_index=True, return_inverse=True)
        return codes[places], inverse
    patterns, inverse = np.unique(codes, axis=0, return_inverse=True)
    return patterns, inverse.ravel()


def find_gaps(model: AnyModel, sample: AnySample) -> Gaps:
    """Whether entries are missing, and the states of what is conditioned on that no case has, in the words of the data.

    >>> from algdim.fitting.samples import read_sample
    >>> from algdim.models.notation import parse
    >>> network = parse("Z -> X; given Z")
    >>> find_gaps(network, read_sample({"Z": [0, 0], "X": [0, 1]}, network)).names
    ('Z=1',)
    """
    if not isinstance(sample, Sample):
        return Gaps(sample.missing > 0)  # these condition on nothing
    given = [name for name in sample.names if name in getattr(model, "given", ())]
    if not given:
        return Gaps(sample.has_missing)
    places = [sample.names.index(name) for name in given]
    sizes = [len(sample.states[place]) for place in places]
    seen = {tuple(row) for row in np.unique(sample.patterns[sample.counts > 0][:, places], axis=0).tolist()}
    count = prod(sizes) - len(seen)
    words = sample.words(model)
    # the first that are not seen come after at most as many that are
    unseen = (row for row in product(*map(range, sizes)) if row not in seen)
    names = (
        ",".join(f"{words.title(name)}={words.state(name, state)}" for name, state in zip(given, row, strict=True))
        for row in islice(unseen, min(count, MOST_CONDITIONS_NAMED))
    )
    return Gaps(sample.has_missing, count, tuple(names))
