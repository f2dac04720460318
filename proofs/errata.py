"""Write docs/errata.md: what the papers print and what is true, claim by claim, with what proves it.

python proofs/errata.py

Every number, verdict and bound on the page is computed when this is run; the words are those of the claims.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from algdim.identifiability.answers import answer_dimension
from algdim.readers.anything import model
from algdim.report import dimension
from algdim_papers.claims.checks import CHECKS
from algdim_papers.claims.judging import Verdict, is_notable, run
from algdim_papers.claims.reading import PAPERS, SETTLED, list_claims
from algdim_papers.references import select_references

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "errata.md"

OPENING = """\
# Errata

These five papers are the reason for this program. Almost everything they print is confirmed (`algdim reproduce` counts; [coverage](coverage.md) has every equation, theorem, table and figure, with its verdict or why it has none). Below are the places where an exact computation disagrees: six numbers and theorems first, then misprints such as a missing logarithm, factor or digit, often corrected in the next line of the paper. The main results of the papers hold: the dimension of a network with hidden variables is the rank of a Jacobian matrix, and can be found at a random point; a latent tree decomposes into latent class models; the parameter count can over-penalise a model.

This page is written by `python proofs/errata.py` and compared by a test. *Printed* is from the paper, *true* is computed, by the bound or the check named below it; a [lemma](../proofs/lemmas.md) proves the bound, and a certificate allows `algdim verify`, or anyone with
[proofs/check.py](../proofs/check.py), to check a dimension. A formula is refuted by an instance whose true value is computed independently. The papers were read as text, without their figures: please tell us if a place is misread, or a verdict wrong.
"""

FIRST = {
    "GHM96-5-w-5": "dimension of the W structure with five hidden states",
    "GHM96-7-w": "dimension of the Gaussian W structure",
    "MH97-T1-f2-dimension": "dimension of the causal interaction model F2",
    "HM97-4-theorem-1-1": "Theorem 1, the dimension of a classifier: it needs a condition; here the rank is 12",
    "KZ02-3-only-two": "latent class models with dimension below all bounds (de < db)",
    "KZ02-5-likelihood": "the likelihood of k:2,2,2,2 for all k > 4",
}
"""The claims that change a number or a theorem, and what they are about."""

TOOLS = """\
## Counts in tools

Programs that estimate latent class models count parameters, which usually gives the dimension. If not, penalties and degrees of freedom are off by the difference. What each program counts was read in its source:

- R sBIC 0.2.0, `LCAs` (items with equally many states): the minimum of the number of parameters and the dimension of the saturated model.
- StepMix 3.0.0, `n_parameters`, which `bic` and `aic` use: the number of parameters.
- R poLCA, `resid.df`: min(N, cells − 1) minus the number of parameters; below, N, the number of cases, is at least the number of cells.

| model | dimension | sBIC | StepMix, poLCA `npar` | poLCA `resid.df` | with the dimension |
|---|---:|---:|---:|---:|---:|
"""

COMPARED = ("3:2^4", "4:3^3", "4:2^4", "3:5,2,2")


def document() -> str:
    """The page."""
    verdicts = [v for v in run(c for p in PAPERS for c in list_claims(p)) if is_notable(v)]
    parts = [OPENING, summarise({verdict.claim.id: verdict for verdict in verdicts})]
    for paper in select_references(list(PAPERS)):
        found = [v for v in verdicts if v.claim.paper == paper.key and v.verdict not in SETTLED]
        if found:
            parts.append(f"## {paper.key}\n\n{paper.text()}\n")
            parts += ["\n".join(entry(verdict)) for verdict in found]
    parts.append("## Left open in the papers, and settled\n")
    parts += ["\n".join(entry(verdict)) for verdict in verdicts if verdict.verdict in SETTLED]
    parts.append(tools())
    return "\n".join(parts)


def summarise(verdicts: dict[str, Verdict]) -> str:
    """The table at the beginning, with a link from each claim to its entry."""
    rows = ["## Six that change a number or a theorem\n", "| | printed | true | entry |", "|---|---|---|---|"]
    for name, what in FIRST.items():
        verdict = verdicts[name]
        paper, place = verdict.claim.paper, verdict.claim.place
        anchor = re.sub(r"[^\w\- ]", "", f"{name}: {place}").lower().replace(" ", "-")
        rows.append(
            f"| {what} | {verdict.claim.printed} | **{true(verdict).strip('`')}** | [{paper} {place}](#{anchor}) |"
        )
    return "\n".join([*rows, "\nThe others are mostly slips in formulas and tables. All of them, paper by paper:\n"])


def entry(verdict: Verdict) -> Iterator[str]:
    """What the page says of one claim."""
    claim = verdict.claim
    yield f"### {claim.id}: {claim.place}\n"
    yield f"{claim.statement}\n"
    yield f"- printed: {code(claim.printed)}"
    yield f"- {'found' if verdict.verdict in SETTLED else 'true'}: {true(verdict)} ({verdict.verdict}, {verdict.status})"
    if claim.note:
        yield f"- {linked(claim.note)}"
    if claim.check:
        function = CHECKS[claim.check]
        yield f"- by: {linked(verdict.reason)} (`{function.__module__}.{function.__name__}`)"
    elif claim.cases:
        yield f"- by: {linked(verdict.reason)}"
    else:
        report = dimension(model(claim.model))
        yield f"- by: {'; '.join(bounds(report))}"
        yield f"- from: {', '.join(lemmas(report))}"
        yield f'- run: `algdim dim "{claim.model}"`'
    for name in (claim.id, *(f"{claim.id}-{n}" for n in claim.cases[:1])):
        if (ROOT / "proofs" / "certificates" / f"{name}.json").exists():
            more = f" and {len(claim.cases) - 1} more" if claim.cases else ""
            yield f"- certificate: [{name}.json](../proofs/certificates/{name}.json){more}"
    yield ""


def bounds(report: Any) -> Iterator[str]:
    """The reasons why the dimension is no greater, those of the parts if there are any."""
    yield f"at most {report.upper.value}, {report.upper.reason}"
    for part in report.parts:
        if part.upper.kind not in {"counting", "ambient"}:
            yield f"of these at most {part.upper.value}, {part.upper.reason}"


def lemmas(report: Any) -> list[str]:
    """Links to the lemmas on which the upper bounds rest, from the table in docs/methods.md."""
    page = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    source = dict(re.findall(r"^\| `([\w-]+)` \| .* \| ([^|]*) \|$", page, re.MULTILINE))
    kinds = dict.fromkeys([report.upper.kind, *(part.upper.kind for part in report.parts)])
    return list(dict.fromkeys(link for kind in kinds for link in source[kind].split(", ")))


def linked(text: str) -> str:
    """A text in which a lemma cited by its name is a link, and a star the sign of a product."""
    page = (ROOT / "proofs" / "lemmas.md").read_text(encoding="utf-8")
    headings = {name: heading for heading, name in re.findall(r"^## (Lemma \d+ \(([^)]*)\))$", page, re.MULTILINE)}

    def link(found: re.Match[str]) -> str:
        heading = headings[found[1]]
        anchor = heading.lower().replace("(", "").replace(")", "").replace(" ", "-")
        return f"[{heading}](../proofs/lemmas.md#{anchor})"

    return re.sub(r'(?:the )?lemma "([^"]+)"', link, text.replace("*", "\\*"))


def true(verdict: Verdict) -> str:
    """What is true: of a quantity that is printed in words, with its name."""
    claim = verdict.claim
    named = claim.quantity and isinstance(claim.printed, str) and not claim.cases
    return code(f"{claim.quantity} {verdict.computed}" if named else verdict.computed)


def code(value: object) -> str:
    """A printed or true value as it stands in a text."""
    return f"`{value}`"


THEIR_LINES = """\
The programs' own counts for `3:2^4`, where they are installed (the line for StepMix was run, those for R follow the documentation of the packages):

```sh
# StepMix: 14
python3 -c "import numpy as np; from stepmix import StepMix
X = np.random.default_rng(0).integers(0, 2, (1000, 4))
print(StepMix(3, measurement='binary').fit(X).n_parameters)"
# sBIC: 14
Rscript -e 'library(sBIC)
print(getDimension(LCAs(maxNumClasses = 3, numVariables = 4, numStatesForVariables = 2), 3))'
# poLCA: 14 and 1
Rscript -e 'library(poLCA); d <- as.data.frame(matrix(sample(1:2, 4000, TRUE), 1000))
f <- poLCA(cbind(V1, V2, V3, V4) ~ 1, d, nclass = 3, verbose = FALSE); print(c(f$npar, f$resid.df))'
```
"""


def tools() -> str:
    """The counts of other programs beside the dimension, with lines to run."""
    rows, lines = [], []
    for text in COMPARED:
        report = dimension(text)
        saturated, de, npar = int(report.complete or 0), report.dimension, report.standard
        equal = len({variable.states for variable in report.model.observed}) == 1
        sbic = min(npar, saturated) if equal else "—"
        rows.append(f"| {text} | {de} | {sbic} | {npar} | {saturated - npar} | {saturated - de} |")
        lines.append(f"$ algdim dim {text} --brief\n{answer_dimension(report).brief}")
    return f"{TOOLS}{chr(10).join(rows)}\n\n```console\n{chr(10).join(lines)}\n```\n\n{THEIR_LINES}"


if __name__ == "__main__":
    PAGE.write_text(document(), encoding="utf-8")
    print(PAGE.relative_to(ROOT), file=sys.stderr)
