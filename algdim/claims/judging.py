"""Compare what a paper prints with what is computed.

`judge` compares and knows no engine, `run` computes, `render` and `to_dict` print.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

from algdim.bound.bounds import PROBABLE, PROVED
from algdim.claims.reading import COUNTED, ONLY_READING, PAPERS, UNDECIDABLE, VERDICTS, Claim
from algdim.errors import LimitError

SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one claim: the computed value, our word for it, and how sure it is.

    ``status`` is "proved" or "probable"; "skipped" if nothing was computed, and then ``reason`` says why.
    Of a claim for all n, ``computed`` is the formula if it holds in all cases, and ``reason`` says what was computed
    and what covers the rest.
    """

    claim: Claim
    computed: int | str | None
    verdict: str | None
    status: str
    reason: str = ""

    @property
    def decided(self) -> bool:
        """Whether there is a verdict."""
        return self.verdict is not None

    @property
    def agrees(self) -> bool:
        """Whether the verdict is the recorded one; a skipped claim does not agree."""
        return self.verdict == self.claim.verdict


def judge(claim: Claim, value: int, exact: bool, expected: int | None = None) -> Verdict:
    """Compare the computed value with the printed one.

    ``expected`` is the value of the quantity that a printed word stands for; a printed number is its own.
    """
    if expected is None:
        expected = claim.means if isinstance(claim.means, int) else None
    if expected is None:
        message = f"{claim.id}: {claim.printed!r} stands for the quantity {claim.means}, whose value is not given"
        raise ValueError(message)
    status = PROVED if exact else PROBABLE
    word = "confirmed" if value == expected else "refuted"
    if claim.verdict.endswith(ONLY_READING):
        # which model the paper means was read, not computed: the reservation stays
        word += ONLY_READING
    elif claim.verdict == "proved-conjecture" and value == expected and exact:
        word = "proved-conjecture"
    return Verdict(claim, value, word, status)


def skip(claim: Claim, reason: str) -> Verdict:
    """Return the verdict of a claim that was not computed."""
    return Verdict(claim, None, None, SKIPPED, reason)


def run(
    claims: Iterable[Claim],
    *,
    offers: Collection[str] = (),
    seed: int = 0,
    report_of: Callable[[str], Any] | None = None,
) -> Iterator[Verdict]:
    """Compute and judge the claims one after the other; each model is reported on once.

    A claim is skipped if its ``needs`` are not among ``offers``, if its model is beyond a limit, or if the bounds of the
    dimension do not meet.
    """
    report_of = cache(report_of or (lambda text: packaged_report(text, seed)))
    for claim in claims:
        if claim.verdict == UNDECIDABLE:
            yield Verdict(claim, None, UNDECIDABLE, SKIPPED, claim.note)
        elif claim.needs and claim.needs not in offers:
            yield skip(claim, f"needs {claim.needs}")
        elif claim.cases:
            yield together(claim, (run_one(instance, report_of) for instance in claim.instances))
        else:
            yield run_one(claim, report_of)


def together(claim: Claim, verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict on a claim for all n from those on its cases; it ends with the first that does not hold.

    That the formula holds beyond the cases is not computed: the lemma that the claim names proves it.
    """
    first, last = claim.cases[0], claim.cases[-1]
    status = PROVED
    for n, verdict in zip(claim.cases, verdicts, strict=False):
        if not verdict.decided:
            return skip(claim, f"n = {n}: {verdict.reason}")
        if verdict.verdict == "refuted":
            return Verdict(claim, verdict.computed, "refuted", verdict.status, f"n = {n}")
        if verdict.status != PROVED:
            status = PROBABLE
    word = claim.verdict if status == PROVED and claim.verdict == "proved-conjecture" else "confirmed"
    return Verdict(claim, str(claim.printed), word, status, f"n = {first}…{last} computed; {claim.lemma}")


def run_one(claim: Claim, report_of: Callable[[str], Any]) -> Verdict:
    """Compute and judge one claim."""
    try:
        report = report_of(claim.model)
    except LimitError as error:
        return skip(claim, str(error))
    value = getattr(report, claim.quantity)
    expected = claim.means if isinstance(claim.means, int) else getattr(report, claim.means)
    if value is None or expected is None:
        return skip(claim, f"{claim.quantity} is not defined for {claim.model}")
    counted = claim.quantity in COUNTED and (isinstance(claim.means, int) or claim.means in COUNTED)
    if not counted and report.lower.value < report.upper.value:
        return skip(claim, f"the dimension of {claim.model} is not decided: {report.trust}")
    return judge(claim, value, counted or report.exact, expected)


def packaged_report(text: str, seed: int) -> Any:
    """Report on the model that a text describes."""
    from algdim.readers.anything import model
    from algdim.report import dimension

    return dimension(model(text), seed=seed)


def to_dict(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as `algdim reproduce --json` prints it."""
    return {
        "id": verdict.claim.id,
        "paper": verdict.claim.paper,
        "place": verdict.claim.place,
        "printed": verdict.claim.printed,
        "computed": verdict.computed,
        "verdict": verdict.verdict,
        "status": verdict.status,
    }


def render(verdicts: Iterable[Verdict]) -> str:
    """Print verdicts for people: paper by paper in aligned columns, and the counts in the last line."""
    ordered = sorted(verdicts, key=lambda verdict: PAPERS.index(verdict.claim.paper))
    head = ("claim", "quantity", "printed", "computed", "verdict", "status")
    rows = [line_of(verdict) for verdict in ordered]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = []
    for paper, group in groupby(zip(ordered, rows, strict=True), key=lambda pair: pair[0].claim.paper):
        lines += [paper, aligned(head, widths)]
        lines += [aligned(row, widths) for _, row in group]
        lines.append("")
    return "\n".join([*lines, counts(ordered)])


def line_of(verdict: Verdict) -> tuple[str, ...]:
    """Return the columns of one verdict."""
    claim = verdict.claim
    word = verdict.verdict or "—"
    if verdict.decided and not verdict.agrees:
        word += f" (recorded: {claim.verdict})"
    computed = "—" if verdict.computed is None else str(verdict.computed)
    status = f"{verdict.status}: {verdict.reason}" if verdict.reason else verdict.status
    return (claim.id, claim.quantity or "—", str(claim.printed), computed, word, status)


def aligned(row: tuple[str, ...], widths: list[int]) -> str:
    """Join the columns of a row; the numbers stand right, the words left."""
    numbers = {2, 3}
    cells = [
        cell.rjust(width) if column in numbers else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(["", *cells]).rstrip()


def counts(verdicts: Iterable[Verdict]) -> str:
    """Count the verdicts in one line.

    >>> counts([])
    'no claims'
    """
    verdicts = list(verdicts)
    times = Counter(verdict.verdict for verdict in verdicts)
    parts = [f"{times[word]} {word}" for word in VERDICTS if times[word]]
    if times[None]:
        parts.append(f"{times[None]} skipped")
    if disagreeing := [verdict for verdict in verdicts if verdict.decided and not verdict.agrees]:
        parts.append(f"{len(disagreeing)} not as recorded")
    return ", ".join(parts) or "no claims"
