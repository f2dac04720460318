"""Compare what a paper prints with what is computed.

`judge` compares and knows no engine, `run` computes, `render` and `to_dict` print.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from time import perf_counter
from typing import TYPE_CHECKING, Any

from algdim.display.rendering import format_aligned_lines
from algdim.errors import LimitError
from algdim.exact.draws import draw_seed
from algdim.trust import Trust, convert_trust, proved_by, trust_in_all
from algdim_papers.claims.reading import COUNTED, ONLY_READING, PAPERS, SETTLED, UNDECIDABLE, VERDICTS, Claim

if TYPE_CHECKING:
    from algdim_papers.claims.finding import Finding

SKIPPED = "skipped"
COUNTED_BY = {
    "standard": ("counting and ambient",),
    "complete": ("counting and ambient",),
    "pairwise_bound": ("pairwise",),
    "best_bound": ("counting and ambient", "pairwise"),
}
"""The lemmas of the bounds that follow from the numbers of states."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one claim: the computed value, our word for it, how far the value is known, and how long it took.

    ``trust`` is ``None`` if nothing was computed, and then ``reason`` says why.
    Of a claim for all n, ``computed`` is the formula if it holds in all cases, and ``reason`` says what was computed
    and what covers the rest.
    """

    claim: Claim
    computed: int | str | None
    verdict: str | None
    trust: Trust | None
    reason: str = ""
    seconds: float = field(default=0.0, compare=False)

    @property
    def status(self) -> str:
        """Proved, probable or skipped."""
        return SKIPPED if self.trust is None else self.trust.status

    @property
    def decided(self) -> bool:
        """Whether there is a verdict."""
        return self.verdict is not None

    @property
    def agrees(self) -> bool:
        """Whether the verdict is the recorded one; a skipped claim does not agree."""
        return self.verdict == self.claim.verdict


def compare_claim(claim: Claim, value: int, trust: Trust, expected: int) -> Verdict:
    """Compare the computed value with the printed one.

    ``expected`` is the printed number, or the value of the quantity that a printed word stands for.
    """
    return Verdict(claim, value, choose_word(claim, value == expected, trust.is_proved), trust)


def choose_word(claim: Claim, holds: bool, exact: bool) -> str:
    """Our word for a claim that holds or does not."""
    if claim.verdict.endswith(ONLY_READING):
        # which model the paper means was read, not computed: the reservation stays
        return ("confirmed" if holds else "refuted") + ONLY_READING
    if claim.verdict in SETTLED and holds and exact:
        return claim.verdict
    return "confirmed" if holds else "refuted"


def compare_finding(claim: Claim, finding: Finding) -> Verdict:
    """Say what a check found; all checks compute exactly."""
    holds = finding.value == claim.printed if finding.holds is None else finding.holds
    return Verdict(
        claim, finding.value, choose_word(claim, holds, finding.trust.is_proved), finding.trust, finding.reason
    )


def make_skipped(claim: Claim, reason: str) -> Verdict:
    """Return the verdict of a claim that was not computed."""
    return Verdict(claim, None, None, None, reason)


def run(
    claims: Iterable[Claim],
    *,
    seed: int | str = 0,
    report_of: Callable[[str], Any] | None = None,
) -> Iterator[Verdict]:
    """Compute and judge the claims one after the other; each model is reported on once.

    A claim is skipped if its model is beyond a limit, or if the bounds of the dimension do not meet.
    """
    drawn = draw_seed(seed)
    report_of = cache(report_of or (lambda text: compute_report(text, drawn)))
    for claim in claims:
        begun = perf_counter()
        verdict = run_claim(claim, report_of)
        yield replace(verdict, seconds=perf_counter() - begun)


def run_claim(claim: Claim, report_of: Callable[[str], Any]) -> Verdict:
    """Compute and judge a claim of any kind."""
    if claim.verdict == UNDECIDABLE:
        return Verdict(claim, None, UNDECIDABLE, None, claim.note)
    if claim.check:
        from algdim_papers.claims.checks import run_check

        return compare_finding(claim, run_check(claim.check, claim.arguments))
    if claim.cases:
        return join_verdicts(claim, (run_one(instance, report_of) for instance in claim.instances))
    return run_one(claim, report_of)


def join_verdicts(claim: Claim, verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict on a claim for all n from those on its cases; it ends with the first that does not hold.

    That the formula holds beyond the cases is not computed: the lemma that the claim names proves it.
    """
    first, last = claim.cases[0], claim.cases[-1]
    trusts = list[Trust]()
    for n, verdict in zip(claim.cases, verdicts, strict=False):
        if verdict.trust is None:
            return make_skipped(claim, f"n = {n}: {verdict.reason}")
        if verdict.verdict == "refuted":
            return Verdict(claim, verdict.computed, "refuted", verdict.trust, f"n = {n}")
        trusts.append(verdict.trust)
    reason = f"n = {first}…{last} computed; {claim.lemma}"
    lemma, *lemmas = claim.lemmas
    trust = trust_in_all([*trusts, proved_by(lemma, claim.lemma, *lemmas)])
    return Verdict(claim, str(claim.printed), choose_word(claim, holds=True, exact=trust.is_proved), trust, reason)


def run_one(claim: Claim, report_of: Callable[[str], Any]) -> Verdict:
    """Compute and judge a claim about one model."""
    try:
        report = report_of(claim.model)
    except LimitError as error:
        return make_skipped(claim, str(error))
    value = getattr(report, claim.quantity)
    expected = claim.means if isinstance(claim.means, int) else getattr(report, claim.means)
    if value is None or expected is None:
        return make_skipped(claim, f"{claim.quantity} is not defined for {claim.model}")
    counted = claim.quantity in COUNTED and (isinstance(claim.means, int) or claim.means in COUNTED)
    if not counted and report.lower.value < report.upper.value:
        return make_skipped(claim, f"the dimension of {claim.model} is not decided: {report.trust}")
    if not counted:
        return compare_claim(claim, value, report.trust, expected)
    # a printed word may stand for another quantity, which the value is compared with
    lemma, *lemmas = dict.fromkeys((*COUNTED_BY[claim.quantity], *COUNTED_BY.get(str(claim.means), ())))
    counts = f"{claim.quantity} of {claim.model} follows from the numbers of states"
    return compare_claim(claim, value, proved_by(lemma, counts, *lemmas), expected)


def compute_report(text: str, seed: int | str) -> Any:
    """Report on the model that a text describes."""
    from algdim.readers.anything import read_model
    from algdim.report import dimension

    return dimension(read_model(text), seed=seed)


def convert_verdict(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as `algdim reproduce --json` prints it."""
    return {
        "id": verdict.claim.id,
        "paper": verdict.claim.paper,
        "place": verdict.claim.place,
        "printed": verdict.claim.printed,
        "computed": verdict.computed,
        "verdict": verdict.verdict,
        "status": verdict.status,
        **{key: value for key, value in convert_trust(verdict.trust).items() if key != "status"},
        "reason": verdict.reason or verdict.claim.note,
        "seconds": round(verdict.seconds, 3),
    }


LEGEND = """\
What the papers print, computed again. printed: as in the paper. computed: what is true.
confirmed, refuted: they agree, they differ; in-the-only-reading: of a model that the paper does not give in full.
proved: a theorem holds for the computed value, nothing is random."""

HEAD = ("claim", "about", "printed", "computed", "verdict", "status", "seconds")
NUMBERS = frozenset({"printed", "computed", "seconds"})
"""The columns that stand right."""
WIDEST = 28
"""Longer formulas are truncated to this many characters; Markdown, LaTeX and JSON give them in full."""


def render(verdicts: Iterable[Verdict], width: int | None = None) -> str:
    """Print verdicts for people: what is not as printed first, then paper by paper, in aligned columns; counts in the last line."""
    ordered = sorted(verdicts, key=lambda verdict: PAPERS.index(verdict.claim.paper))
    if not ordered:
        return format_counts(ordered)
    sections = [("Not as printed, or open in the paper", [verdict for verdict in ordered if is_notable(verdict)])]
    sections += [(paper, list(group)) for paper, group in groupby(ordered, key=lambda verdict: verdict.claim.paper)]
    lines = [LEGEND, ""]
    for title, group in sections:
        if group:
            rows = [*map(format_verdict, group)]
            numbers = [name in NUMBERS for name in HEAD]
            inside = None if width is None else width - 2
            table = format_aligned_lines(HEAD, rows, numbers, "  ", inside)
            lines += [f"{title}: {format_counts(group)}", *(f"  {line}".rstrip() for line in table), ""]
    return "\n".join([*lines, f"{len(ordered)} claims: {format_counts(ordered)}"])


def is_notable(verdict: Verdict) -> bool:
    """Whether a claim did not come out as printed, or settles what a paper leaves open."""
    word = verdict.verdict or ""
    return word.startswith("refuted") or word in SETTLED or (verdict.decided and not verdict.agrees)


def format_verdict(verdict: Verdict) -> tuple[str, ...]:
    """Return the columns of one verdict."""
    claim = verdict.claim
    word = verdict.verdict or "—"
    if verdict.decided and not verdict.agrees:
        word += f" (recorded: {claim.verdict})"
    computed = "—" if verdict.computed is None else cut(str(verdict.computed))
    status = f"{verdict.status}: {verdict.reason}" if verdict.reason and not verdict.decided else verdict.status
    return (claim.id, name_subject(claim), cut(str(claim.printed)), computed, word, status, f"{verdict.seconds:.2f}")


def name_subject(claim: Claim) -> str:
    """What a claim is about: a quantity of a model, or a place in the text."""
    return claim.quantity or claim.place.partition(",")[0]


def cut(text: str) -> str:
    """A text that fits into a column."""
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"


def format_counts(verdicts: Iterable[Verdict]) -> str:
    """Count the verdicts in one line.

    >>> format_counts([])
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
