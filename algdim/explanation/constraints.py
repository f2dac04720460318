"""The command constraints: the equations that a model implies for what is observed, readably, each proved.

They are found and written by the family, in the module ``constraints`` of its folder. The first of them are evaluated at a point,
exactly: tetrads and other sums, minors of flattenings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Any, ClassVar

from algdim.analysis import Prepared
from algdim.arguments import check_arguments
from algdim.display.blocks import Block, Paragraph, TableBlock
from algdim.display.results import Compact, Frame, Result, cut_cell, cut_rows
from algdim.errors import AlgdimError, InputError
from algdim.exact.draws import draw_seed
from algdim.exact.flint import compute_determinant
from algdim.explanation.samplepoint import Standing
from algdim.explanation.testing import Tested, Tests, apply_holm
from algdim.families import describe_lack, find_constraining
from algdim.families.contract import CoordinateRecord
from algdim.figures import cut_text, format_count
from algdim.limits import Untried, describe_untried, gathering
from algdim.memory import allow
from algdim.trust import Trust, convert_trust, trust_in_all

if TYPE_CHECKING:
    from algdim.models.anymodel import AnyModel
    from algdim.readers.anything import ModelLike


SHOWN = 12
"""Equations of one kind that are printed unless all are asked for."""


@dataclass(frozen=True, slots=True, repr=False)
class Constraint(Compact):
    """One equation, in text and LaTeX, why it holds, and where that is told one by one whether it is among the independent ones."""

    kind: str
    text: str
    latex: str
    because: str
    independent: bool | None
    evidence: Mapping[str, Any]
    trust: Trust

    def to_dict(self) -> dict[str, Any]:
        """The equation as plain values."""
        return {
            "kind": self.kind,
            "text": self.text,
            "latex": self.latex,
            "because": self.because,
            "lemma": self.trust.lemmas[0] if self.trust.lemmas else None,
            **self.trust.to_dict(),
            "independent": self.independent,
            **self.evidence,
        }


@dataclass(frozen=True, slots=True)
class Rest:
    """What is known of one kind beyond the list: further equations that it implies, under a title, and that there are no others."""

    kind: str
    title: str
    implied: tuple[Constraint, ...]
    no_others: Trust | None
    """That the list implies all equations of the kind that the graph implies."""

    def lines(self, told: Sequence[Constraint], most: int | None) -> Iterator[str]:
        """How many are implied, or all of them; nothing if the list has them itself."""
        listed = {one.text for one in told}
        if all(one.text in listed for one in self.implied):
            return
        title = f"{self.title}: {len(self.implied)}, {trust_in_all(one.trust for one in self.implied).with_lemmas}"
        yield title if most is None else f"{title} (--all)"
        if most is None:
            yield from (f"  {one.text}" for one in self.implied)


@dataclass(frozen=True, slots=True, repr=False)
class Constraints(Result):
    """All equations that were found, and the codimension that they prove."""

    _inner: ClassVar[frozenset[str]] = frozenset({"completeness", "rests"})

    model: str
    family: str
    complete: int
    constraints: tuple[Constraint, ...]
    codimension: int
    reason: str
    notes: tuple[str, ...]
    zeros: int = 0
    """Cells of a table that are zero at all parameters."""
    rests: tuple[Rest, ...] = ()
    """What is known beyond the lists."""
    completeness: Mapping[str, Any] = field(default_factory=dict)
    """Which lists are complete, as members of the JSON object: those that the family has."""
    upper: Trust | None = None
    """That the dimension is at most the complete one less the codimension."""
    untried: tuple[Untried, ...] = ()
    """Searches that were not made to their end, because of the time or the memory allowed."""
    tests: Tests | None = None
    """What data say of them, if any were given."""

    def of_kind(self, kind: str) -> tuple[Constraint, ...]:
        """The equations of one kind."""
        return tuple(one for one in self.constraints if one.kind == kind)

    def lines(self, most: int | None = SHOWN) -> list[str]:
        """The equations kind by kind, the first ones of each, and what they prove."""
        result = [
            cut_text(self.model),
            *([f"structural zeros: {format_count(self.zeros, 'cell')}"] if self.zeros else []),
        ]
        rests = {rest.kind: rest for rest in self.rests}
        for kind, title in list_equation_titles(self.family).items():
            some, rest = self.of_kind(kind), rests.get(kind)
            if some:
                trust = trust_in_all(one.trust for one in some)
                basis = (
                    f"; a basis of all that the graph implies ({rest.no_others.lemmas_in_words})"
                    if rest and rest.no_others
                    else ""
                )
                result.append(f"{title}: {describe_independent(some)}, {trust.with_lemmas}{basis}")
                result += [f"  {one.text}{f'   {one.because}' if one.because else ''}" for one in some[:most]]
                if most is not None and len(some) > most:
                    result.append(f"  … and {len(some) - most} more (--all)")
            if rest:
                result += rest.lines(some, most)
        if not self.constraints:
            result.append("no other equations were found" if self.zeros else "no equations were found")
        untried = [describe_untried(self.untried)] if self.untried else []
        tests = [] if self.tests is None else self.tests.lines(most)
        return [*result, *self.notes, *untried, self.reason, *tests]

    def _summarise(self) -> str:
        return f"{cut_text(self.model)}: {format_count(len(self.constraints), 'equation')}; {self.reason}"

    def _show(self) -> Iterator[Block]:
        rows = [(one.kind, one.text, one.because, str(one.trust)) for one in self.constraints]
        if rows:
            yield TableBlock(("kind", "equation", "because", "known"), cut_rows(rows), caption=cut_cell(self.model))
        else:
            yield Paragraph(f"{cut_cell(self.model)}: no {'other ' if self.zeros else ''}equations were found")
        if self.zeros:
            yield Paragraph(f"structural zeros: {format_count(self.zeros, 'cell')}")
        yield from (Paragraph(text) for text in (*self.notes, self.reason) if text)

    def _tabulate(self) -> Frame:
        return Frame(
            ("kind", "equation", "latex", "because", "independent", "status", "lemmas"),
            tuple(
                (one.kind, one.text, one.latex, one.because, one.independent, one.trust.status, one.trust.lemmas)
                for one in self.constraints
            ),
        )

    def latex(self) -> str:
        """All equations as an aligned display."""
        return "\\begin{aligned}\n" + " \\\\\n".join(f"& {one.latex}" for one in self.constraints) + "\n\\end{aligned}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "family": self.family,
            "complete": self.complete,
            "codimension": self.codimension,
            "upper": self.complete - self.codimension,
            "upper_trust": convert_trust(self.upper),
            "counts": dict(Counter(one.kind for one in self.constraints)),
            "constraints": [one.to_dict() for one in self.constraints],
            "zero_cells": self.zeros,
            "notes": list(self.notes),
            "not_tried": [one.to_dict() for one in self.untried],
            **self.completeness,
            **({} if self.tests is None else {"tests": self.tests.to_dict()}),
        }


def list_equation_titles(family: str) -> Mapping[str, str]:
    """What the kinds of equations are called that models of a family have, in the order in which they are printed."""
    equations = find_constraining(family)
    return {} if equations is None else equations.titles


def describe_independent(some: Sequence[Constraint]) -> str:
    """How many there are, and how many of them are independent of all before.

    >>> from algdim.trust import proved_by
    >>> no_treks = proved_by("treks", "no treks")
    >>> describe_independent([Constraint("zero", "", "", "", chosen, {}, no_treks) for chosen in (True, False)])
    '2, 1 of them independent'
    """
    independent = sum(one.independent is True for one in some)
    if some[0].independent is None or independent == len(some):
        return str(len(some))
    return f"{len(some)}, {independent} of them independent"


SIZE = 4
"""Minors of a covariance matrix have up to so many rows, if nothing is said."""


@check_arguments
def constraints(
    model: ModelLike,
    *,
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
    size: int = SIZE,
    data: Any = None,
    seed: int | str = 0,
    max_memory: int | str | None = None,
    max_seconds: float | None = None,
) -> Constraints:
    """The equations that a model implies: minors of the covariance matrix or of flattenings, independences, and others.

    Parameters
    ----------
    model : text, path, dictionary, graph or model
        Whatever `algdim.model` reads.
    format : str, optional
        How a file or a text is written, such as "lavaan" or "dagitty"; without it the suffix of a path tells.
    hidden : names
        Variables that are not observed, in addition to those that the model declares hidden.
    size : int
        The most rows of a minor of the covariance matrix.
    data : path, data frame, dictionary of columns, or cases in rows, optional
        Data on which the equations are tested, one by one and together.
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    max_memory : int or str, optional
        Bytes that may be used, as a number or as "4G"; half of the machine's memory without it.
    max_seconds : float, optional
        Seconds for the search; 120 without it. What is found by then is listed, and what was not examined is named.

    Returns
    -------
    Constraints
        The equations, each with its reason, and the codimension that they prove.

    Examples
    --------
    >>> print(constraints("gaussian: H -> A, B, C, D; hidden H; means off"))
    gaussian: H -> A, B, C, D; hidden H; means off
    vanishing tetrads: 3, 2 of them independent, proved (lemma "treks")
      cov(A,B) cov(C,D) − cov(A,C) cov(B,D) = 0   choke point H
      cov(A,D) cov(B,C) − cov(A,C) cov(B,D) = 0   choke point H
      cov(A,D) cov(B,C) − cov(A,B) cov(C,D) = 0   choke point H
    2 of 3 equations are independent at a point: the dimension is at most 10 − 2 = 8
    """
    from algdim.readers.anything import read_model

    with allow(max_seconds, max_memory) as allowance:
        known = len(allowance.untried)
        with gathering("equations"):
            read = read_model(model, format=format, hidden=hidden)
            found = list_equations(Prepared(read), size, draw_seed(seed))
        tests = None if data is None else measure_on_data(found, read, data)
        return replace(found, untried=allowance.since(known), tests=tests)


def measure_on_data(found: Constraints, model: AnyModel, data: Any) -> Tests:
    """Test the equations of a model on data."""
    from algdim.fitting.maximization import parse_prior
    from algdim.fitting.problems import make_problem

    equations = find_constraining(found.family)
    if equations is None:
        raise InputError(describe_lack(found.family, "described by equations", "constraining"))
    sample = make_problem(data, model, parse_prior("ml")).family.sample
    statistics, together = equations.measure(found.constraints, sample)
    some = [(one, value) for one, value in zip(found.constraints, statistics, strict=True) if value is not None]
    corrected = apply_holm([value.p for _, value in some])
    tested = tuple(Tested(one.kind, one.text, value, p) for (one, value), p in zip(some, corrected, strict=True))
    left = Counter(one.kind for one, value in zip(found.constraints, statistics, strict=True) if value is None)
    titles = list_equation_titles(found.family)
    untested = tuple(f"{titles[kind]}, {count} of {len(found.of_kind(kind))}" for kind, count in left.items())
    return Tests(sample.heading, tested, together, untested, tuple(sample.notes))


def list_equations(prepared: Prepared, size: int, seed: int | str) -> Constraints:
    """The equations that a model implies which was made ready."""
    family = prepared.model.family
    equations = find_constraining(family)
    if equations is None:
        raise InputError(describe_lack(family, "described by equations", "constraining"))
    found: Constraints = equations.find(prepared, size, seed)
    return found


MOST_EVALUATED = 3
MOST_ROWS = 5
"""Larger determinants are evaluated but not written out."""
MOST_COORDINATES = 512

Names = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Evaluated:
    """An equation, its left side at the point, and beside it: a matrix by names and numbers, or products with values."""

    equation: Constraint
    value: Fraction
    elsewhere: Fraction
    """The same at arbitrary numbers outside the model."""
    names: Names = ()
    numbers: tuple[tuple[Fraction, ...], ...] = ()
    products: tuple[tuple[str, Fraction], ...] = ()
    terms: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """The products once more: a sign, and coordinates by the names that they have in the map."""

    def to_dict(self) -> dict[str, Any]:
        """The form of --json: exact numbers as text."""
        return {**self.equation.to_dict(), "value": str(self.value), "elsewhere": str(self.elsewhere)}


def evaluate_equations(
    standing: Standing, prepared: Prepared, seed: int | str = 0
) -> tuple[tuple[Evaluated, ...], tuple[Constraint, ...], str]:
    """The first equations evaluated, all that were found, and what they prove together or why there are none.

    >>> from algdim.explanation.samplepoint import evaluate_at_random_point
    >>> from algdim.models.notation import parse
    >>> prepared = Prepared(parse("3:2,2,2,2"))
    >>> evaluated, _, _ = evaluate_equations(evaluate_at_random_point(prepared.whole_map), prepared)
    >>> [(one.value, one.elsewhere != 0) for one in evaluated]
    [(Fraction(0, 1), True), (Fraction(0, 1), True), (Fraction(0, 1), True)]
    """
    pmap: Any = standing.pmap
    equations = find_constraining(pmap.model.family)
    if equations is None:
        return (), (), describe_lack(pmap.model.family, "described by equations", "constraining")
    if pmap.given or pmap.kept_coordinates is not None:
        return (), (), "equations are looked for in models in which nothing is conditioned on"
    if len(standing.values) > MOST_COORDINATES:
        return (), (), f"equations are written out for at most {MOST_COORDINATES} coordinates"
    try:
        found = list_equations(prepared, SIZE, seed)
    except AlgdimError as error:
        return (), (), str(error)
    if not found.constraints:
        zeros = f"structural zeros: {format_count(found.zeros, 'cell')}; no other" if found.zeros else "no"
        return (), (), f"{zeros} equations were found"
    # other numbers, none of them special: 1/2, 1/3, 1/5, 1/7, 1/11, …
    others = [Fraction(1, prime) for prime in list_primes(len(standing.values))]
    chosen: list[Evaluated] = []
    for equation in sorted(found.constraints, key=lambda one: one.independent is False):
        if len(chosen) == MOST_EVALUATED:
            break
        chosen.extend(equations.evaluate(pmap, equation, standing.values, others))
    return tuple(chosen), found.constraints, found.reason


def list_primes(count: int) -> list[int]:
    """The first primes.

    >>> list_primes(4)
    [2, 3, 5, 7]
    """
    top = count * (count.bit_length() + 2)  # the n-th prime is below n (ln n + ln ln n) from the sixth on
    sieve = bytearray([1]) * (top + 1)
    for number in range(2, isqrt(top) + 1):
        if sieve[number]:
            sieve[number * number :: number] = bytes(len(range(number * number, top + 1, number)))
    return [number for number in range(2, top + 1) if sieve[number]][:count]


Matrix = Sequence[Sequence[Fraction]]


def evaluate_determinant(
    equation: Constraint, cells: Sequence[Sequence[CoordinateRecord]], numbers: Matrix, elsewhere: Matrix
) -> Evaluated:
    """A determinant at the point and at numbers outside the model."""
    shown = len(cells) <= MOST_ROWS
    return Evaluated(
        equation,
        compute_determinant(numbers),
        compute_determinant(elsewhere),
        tuple([tuple(map(str, row)) for row in cells]) if shown else (),
        tuple(map(tuple, numbers)) if shown else (),
    )
