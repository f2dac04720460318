"""Counts what proves the dimensions of the random networks, and writes docs/proofs.md.

    PYTHONPATH=.:tests python -m suites.count_evidence > docs/proofs.md

A network's evidence is what proves the upper bounds of its districts; a district that is one table needs none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from suites.random_networks import LARGER, networks

from algdim import Report, dimension
from algdim.bound.strategy import CHANCE, ENTRIES, KNOWN
from algdim.families.discrete.model import Network
from algdim.models.notation import to_text

COUNT = 500
SEED = 0
SIMPLE = "counting,ambient,districts"
TABLES = "tables"
"""What needs no more than reading off: districts that are one table each."""
OPEN = "open"
LARGER_COUNTS, LARGER_SEED = {"larger": 150, "denser": 80, "binary": 80, "wide": 60}, 1907


KNOWN_OF_CASES = """## Other seeds

Bounds are made with open networks in view, so the shares above say little of networks that nobody has seen. Each line below is a seed that was drawn when the bounds named were finished; nothing was changed between that and the count. Open networks were examined afterwards, and led to the bounds of the lines below.

| seed | drawn after | larger, of 150 | denser, of 80 | binary, of 80 | wide, of 60 |
|---|---|---|---|---|---|
| 7001 | `margins` | 147 | 75 | | |
| 31415 | fields that move few parameters | | | 77 | |
| 271828 | `normal-form`, `surroundings`, `differences` | 150 | 72 | 79 | 59 |
| 161803 | | 149 | 77 | 79 | 60 |
| 577215 | reversed edges, local maps of slices | | 77 | | |
| 141421 | | | 79 | | |
| 577215 | `determinants`, `parts` | 148 | | 80 | 57 |
| 299792 | | 148 | 79 | 80 | 59 |
| 662607 | | 150 | 79 | 79 | 60 |
| 900001 | | 149 | 79 | | |
| 900002 | | 150 | 79 | | |
| 900003 | | 150 | 76 | | |
| 424243 | forms by determinants, fields that move one table | | | 80 | 60 |
| 515151 | `fewer-states`, shared work | 150 | 80 | 80 | 60 |
| 737373 | | 149 | 80 | 80 | 60 |
| 848484 | | 150 | 79 | 80 | 60 |
| 626262 | | 149 | 79 | 79 | 60 |
| these four | | 598 of 600 | 318 of 320 | 319 of 320 | 240 of 240 |
| 11 to 18 | | | 632 of 640 | | |
| 350377 | directions of one table or two | | 78 | | |
| 468713 | | | 80 | | |
| 791207 | | | 79 | | |
| 914653 | | | 77 | | |
| 271719 | | 149 | | 79 | 57 |

Since `fewer-states` was made, 747 of 750 networks of *larger* are proved, 398 of 400 of *binary* and 297 of 300 of *wide*, at least 99 % of each, and 1,264 of 1,280 of *denser*, which is 98.8 %. The four seeds 515151 to 626262 were luck for *denser* and *wide*. Of the six open ones of the seeds 900001 to 900003 three are proved today.

## What is known of the cases

Of cases that stay open all comes from ranks at points:

- Denser, seed 271828, dimension 155: around H1 and H3 a local map, given X1, X2 and X3, that shows H2, has rank 137, as its slices differ by a product of few dimensions. `surroundings` proves it by `differences`.
- Wide, dimension 178: what is left of the district of rank 106 is P(X12 | X1, H3, H1, X2, X5), summed over H5 and H6, of 96 numbers. For each state of X5 the two rows P(H5 | X2, X5) are points of a line in the plane of the distributions of three states, and the lines of both states of X5 meet in a point; so do those of H6. At these two points the 12 numbers P(X12 | X1, H3, …) are the same for both states of X5: 12 equations with four unknown places on the lines, so that 8 are left. `symmetry` proves it the other way round: the matrix that takes P(X12 | X1, H3, H5, H6), for each state of X1 and H3, to its sums has 8 rows and 9 columns, but the rank 7, so that two vectors are not seen in each of the 12 numbers; elimination finds them.
- Wide, seed 577215, dimension 742: H4 has three states and two rows, so that weights of its states that keep the sums of both rows can be taken off again in the table of X13; most other directions move this table alone. `symmetry` proves it.
- Wide, seed 577215, dimension 1848: two directions around H2, which has twelve neighbours; most of these are parents of the same tables, and are as one.
- Wide, seed 271828, dimension 5323: proved by the same fields.
- Binary, dimension 94: one direction was missing, with polynomials of degree 16 in 59 parameters, in the map around H1, H3 and H4. In a normal form of this map 34 parameters are left and elimination is short: `surroundings` proves it.
- Binary, dimension 84: one was missing, of degree 12 in 46 parameters, around H2, H4 and H6. Seven parameters are left in a normal form: `surroundings`.
- Binary, dimension 38: one was missing, around all hidden variables of its district together, of degree about 50. 23 parameters are left in a normal form of the district: `normal-form`.
- Binary, dimension 49: one was missing, of degree 16 in 41 parameters; 20 are left: `normal-form`. It is the network `H1 -> X1; H1, X1, H2 -> X2; H2 -> X3; X1, H2 -> H4; X1, H2, X3, H4 -> X4; H4 -> H5; X1, X2, X4 -> X5; H1, H3, X2 -> X6; X1, H3, X6 -> H6; H2, X2, H5, X6, H6 -> H7; X2, X3, H5 -> X7; H1, H3, X2, X3, X5, X6, H7 -> H8; hidden H1, H2, H3, H4, H5, H6, H7, H8`, of which `algdim prove` makes a certificate.
- Binary, dimension 64: the margin of X1, X2, X3 and X6 has rank 14 of 15, and everything else is free. So there is one equation between these four variables. Its reason needs only H5 and H6: with H1, H2, H3 and H4 averaged out the rank is the same, and a normal form of that model leaves five parameters. `margins` proves it, with `supermodels` for the margin. By hand: let n(x1) be the matrix of X2 and X3, N(x1) its part with X6 = 1, and column j of n⁻¹N for both states of X1 be c and c′. There is one number t such that for j = 0 and for j = 1 the vectors c − t·e and c′ − t·e are parallel, e the j-th unit vector: the probability of X6 = 1 at which H5 has no effect. Each j determines t, and the equation is that both say the same.
- Binary, dimension 105: given the others X7 is free, of dimension 64, and the margin of X4, X5 and X6, given X1, X2 and X3, has rank 37, with 19 equations. For each state of X3, X4 and X5 the table of X1 and X6 is A·W·B with a matrix W that depends on X2 and X4 alone. So the three coefficients of det Σ z(x2) T(x2), for both states of X4, are proportional for all four states of X3 and X5, which makes 12 equations; H1 divides W again, so that determinants are products of a function of X2 and one of the others, which makes one more; X4 is independent of X1 and X3 given X2. `determinants` proves it.
- Larger, seed 161803, dimension 1160: X5 shows H2, which can be observed; then X4 and X6 have the dimension 92 for each of the 12 states of X1 and H2, and their sum is the rank. `parts` proves it.
- Larger, seed 299792, dimensions 344 and 526: given two variables, each state of one of them adds the same number to the dimension, 62 and 112. In the models in which it has two states local maps are small enough: `fewer-states`. The first has a certificate of 16 kB; of the other the checker would have to do more than the format allows. Of *denser* six open networks of the seeds 141421, 299792, 900001 and 900003 grow by equal steps, too; of one of these, of the dimension 886, the model with fewer states is proved by a margin.
- Denser, seed 662607, dimension 264: P(X5, X6 | …) is linear in 18 numbers for each state of X4, with a matrix of rank 14 of 16, since two times two hidden states more than are shown make products of planes that meet. It leaves 68 of 69 directions open; nothing proves its rank yet. They move the tables of X5 and X6 alone.
- Denser, seed 900002, dimension 82: for each state of X2 some weights of the four states of H1 are not seen where X4 is 0, and others where it is 1, as the table of X6 shows three numbers of H1 at each. The tables of H1 and X4 together can give weights of the one kind and keep what is seen: eight directions, two in each of four groups of 15 columns. `normal-form` proves it.
- Denser, seed 900003, dimension 87: P(H3 | H1, X3) may change by any function of H1 alone, as the table of X5 takes this off again, equally for both states of H3: two directions in 27 columns, with 24 different rows. `normal-form` proves it.
- Denser, seed 900003, dimension 586: given X1, the table of X5 shows three numbers of the four states of H1 at each state of X4, and so one direction of weights is not seen at each. The table of X4 can mix H1 along that of one state; the table of X5 at the other state takes it off again. These are the 24 directions that are missing. In 160 columns for each state of X1 elimination takes too much work.
- Denser, seed 12, dimension 1769: all directions that are missing move X7 alone (144) or H3 and X7 (24); seen around H1 and H3, with tables that move equally in all states of the parents that nothing else has, the columns have as many rows as their rank. No bound makes use of this yet. Of 26 networks of *denser* that were open when they were looked at, this one among them, columns of one table or two have as many different rows as their rank for all directions that are missing in two, for 79 % of them or more in seven, and for none in 17.
- Of 21 networks of *denser* that were open when they were looked at, the directions that are missing move two tables, all or all but a few, in eight, and one table in six, of which at most 56 move more. In two no pair of tables has any.
- Binary, seed 271828, dimension 179: with H3 and H7 averaged out together the rank is the same, and so it is if then H6 and H8 are, one of which alone would leave more parameters than there were. Then symmetries suffice: `supermodels`.
- Binary, seed 161803, dimension 59: four equations of all six variables; every margin is saturated.
- Binary, seed 31415: in those of the dimensions 107 and 152 three and 162 directions are missing, around five hidden variables or more.
- Of the others no reason is known.

## Processor time

Measured once on the 370 networks of the seed 737373, in one process for each column; on the right without `grids`, `common-tables`, `determinants`, `margins`, `differences`, `parts`, `fewer-states`, `supermodels`, `normal-form`, `surroundings` and `span`.

| sequence | all bounds | proved | without these | proved | median of the quotients | more than twice the time |
|---|---|---|---|---|---|---|
| larger | 14.1 s | 149 | 8.2 s | 147 | 0.98 | 2 |
| denser | 17.4 s | 80 | 14.8 s | 76 | 1.03 | 1 |
| binary | 18.7 s | 80 | 12.1 s | 75 | 1.05 | 2 |
| wide | 15.7 s | 60 | 11.3 s | 58 | 1.03 | 0 |

Of the five that take more than twice the time four are proved by these bounds alone, in at most 6 s; the one that stays open takes 6.5 s instead of 0.9 s. They were 29 as long as `determinants` was tried before `symmetry`, and `supermodels` before `parts` and `fewer-states`; the seeds 515151 to 626262 were counted in that order. Searches inside of searches share one allowance of work. Still open networks can take long: one of *larger* of the seed 1907 is proved by `margins` in some 25 s, one of *denser* of the seed 299792 stays open after as much.
"""
"""What was found by hand about the networks of the remainders, and the time that they took."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One network: its report, what its proof uses, and whether counting and districts alone prove it."""

    model: Network
    report: Report
    kinds: tuple[str, ...]
    simple: bool

    @property
    def hardest(self) -> str:
        """Of the kinds the one that is tried last."""
        return self.kinds[-1] if self.report.exact else OPEN


def counted(model: Network) -> Counted:
    """Examine one network."""
    report = dimension(model, seed=SEED)
    # the kinds in the order in which they are tried; what is not a bound by itself stands first
    order = (TABLES, *(name for name in KNOWN if name != CHANCE), CHANCE)
    kinds = tuple(sorted(set(kinds_of(report)), key=order.index))
    return Counted(model, report, kinds, dimension(model, seed=SEED, bounds=SIMPLE).exact)


def kinds_of(report: Report) -> list[str]:
    """What proves the upper bounds of a report's parts, or its own where the parts do not matter."""
    if report.parts and report.upper.kind == "districts":
        return [kind for part in report.parts if part.method != ENTRIES for kind in kinds_of(part)] or [TABLES]
    return [report.upper.kind]


def count(number: int = COUNT) -> list[Counted]:
    """Examine the first networks of the sequence."""
    return [counted(model) for model in networks(number, SEED)]


def shares(found: list[Counted]) -> tuple[int, int, int, int]:
    """All networks, those that are exact; those that counting and districts alone leave open, of these the exact ones."""
    hard = [one for one in found if not one.simple]
    return len(found), sum(one.report.exact for one in found), len(hard), sum(one.report.exact for one in hard)


def why_open(one: Counted) -> str:
    """What is known of a network that is not exact."""
    return why_open_of(one.model)


def why_open_of(model: Network) -> str:
    """The open districts, and the least bound of each that is proved."""
    without = dimension(model, seed=SEED, bounds=",".join(name for name in KNOWN if name != CHANCE))
    texts = [
        f"{'district' if without.parts else 'whole'} {part.subject}: "
        f"rank {part.lower.value}, proved at most {part.upper.value} ({part.upper.kind})"
        for part in (without.parts or (without,))
        if not part.exact
    ]
    return "; ".join(texts)


def count_larger(
    counts: Mapping[str, int] = LARGER_COUNTS, seed: int = LARGER_SEED
) -> dict[str, list[tuple[Network, Report]]]:
    """Examine the first networks of each larger sequence."""
    return {
        name: [(model, dimension(model, seed=SEED)) for model in networks(counts[name], seed, kind)]
        for name, kind in LARGER.items()
    }


def page_of_larger(found: dict[str, list[tuple[Network, Report]]]) -> str:
    """The part of the page on larger networks."""
    rows = "\n".join(
        f"| {name} | {kind.variables[0]}–{kind.variables[1]} | {kind.states[0]}–{kind.states[1]} | {float(kind.hidden):.2f} | {kind.edge} | {kind.cells} "
        f"| {len(found[name])} | {sum(report.exact for _, report in found[name])} |"
        for name, kind in LARGER.items()
    )
    used = Counter(
        kind for one in found.values() for _, report in one if report.exact for kind in set(kinds_of(report))
    )
    uses = ", ".join(f"`{kind}` in {used[kind]}" for kind in (TABLES, *KNOWN) if used[kind])
    left = "\n".join(
        f"- {name}: `{to_text(model)}`\n  dimension {report.dimension} ({report.trust}); {why_open_of(model)}"
        for name, one in found.items()
        for model, report in one
        if not report.exact
    )
    remainder = f"The remainder:\n\n{left}" if left else "There is no remainder."
    total = sum(map(len, found.values()))
    exact = sum(report.exact for one in found.values() for _, report in one)
    return f"""
## Larger networks

The first networks of seed {LARGER_SEED} of four sequences that are drawn in the same way: {exact} of {total} are proved ({percent(exact, total)}). No model of this seed had been examined before it was drawn for this page; the limit of the search for equations, the bounds `margins` and `differences`, the fields that move few parameters or one table, determinants of pencils, forms by determinants and the order in which larger models are examined were made with its open cases in view.

| sequence | variables | states | hidden | edge | cells, at most | networks | exact |
|---|---|---|---|---|---|---|---|
{rows}

The bounds in the proofs: {uses}.

{remainder}

{KNOWN_OF_CASES}"""


def page(found: list[Counted]) -> str:
    """The page."""
    total, exact, hard, exact_hard = shares(found)
    used = Counter(kind for one in found if one.report.exact for kind in one.kinds)
    hardest = Counter(one.hardest for one in found)
    rows = "\n".join(
        f"| `{kind}` | {used[kind]} | {percent(used[kind], total)} | {hardest[kind]} |"
        for kind in (TABLES, *KNOWN)
        if used[kind]
    )
    left = "\n".join(
        f"- `{to_text(one.model)}`\n  dimension {one.report.dimension} ({one.report.trust}); {why_open(one)}"
        for one in found
        if not one.report.exact
    )
    remainder = (
        f"""The remainder: the rank is a proved lower bound, and no search found an equal upper bound; the smallest one found is given.

{left}
"""
        if left
        else "There is no remainder.\n"
    )
    return f"""# What is proved on random networks

Made by `PYTHONPATH=.:tests python -m suites.count_evidence > docs/proofs.md`; a slow test asserts the shares.

{total} random networks ([tests/suites/random_networks.py](../tests/suites/random_networks.py), seed {SEED}): four to eight variables of two to four states, one third hidden, each edge with
probability 0.4, connected, at most 256 cells, pairwise non-isomorphic.

| networks | number | exact | |
|---|---|---|---|
| all | {total} | {exact} | {percent(exact, total)} |
| those that `{SIMPLE}` leave open | {hard} | {exact_hard} | {percent(exact_hard, hard)} |

*Exact* means that both bounds are proved ([methods](methods.md#what-proved-and-probable-mean)). A proof may use several kinds of evidence, one for each district. The last column counts each network once, under the kind tried last.

| evidence | used in | share | the last |
|---|---|---|---|
{rows}

`{TABLES}`: every district is one observed variable with a table, so that each parameter is a coordinate. The other names are those of the [bounds](methods.md#bounds).

{remainder}"""


def percent(part: int, whole: int) -> str:
    """A share, rounded down.

    >>> percent(2, 3), percent(0, 0)
    ('66.6 %', '—')
    """
    return f"{part * 1000 // whole / 10} %" if whole else "—"


if __name__ == "__main__":
    print(page(count()) + page_of_larger(count_larger()), end="")
