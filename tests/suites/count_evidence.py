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


KNOWN_OF_CASES = """## Another seed

With seed 7001, drawn after the bounds `margins` were made, 147 of 150 networks of the sequence *larger* are proved, and 75 of 80 of *denser*. With seed 31415, drawn after the fields that move few parameters were made, 77 of 80 of *binary* are proved. The shares above are those of the networks with which these bounds were made.

The bounds `normal-form` and `surroundings` were made with the open networks of *binary* of the seeds 1907 and 31415 in view, `differences`, the determinants of pencils and the larger models with those of seed 1907. Two seeds were drawn after all of them, and nothing was changed after they were counted:

| sequence | seed 271828 | seed 161803 | processor time |
|---|---|---|---|
| larger | 150 of 150 | 149 of 150 | 23 s, 10 s |
| denser | 72 of 80 | 77 of 80 | 47 s, 118 s |
| binary | 79 of 80 | 79 of 80 | 44 s, 32 s |
| wide | 59 of 60 | 60 of 60 | 57 s, 8 s |

The eleven of *denser* that stayed open there have since been examined, and are proved: in five the table of a variable at the end of the graph is free (`margins`), in four an edge is to be reversed, or several hidden variables averaged out together (`supermodels`), in one a local map consists of slices (`symmetry`), in one differences bound a local map (`surroundings`). Of the seeds 1, 4, 5 and 7001 open networks were examined, too. Two further seeds of *denser* were drawn after these bounds were finished, and nothing was changed after they were counted: 77 of 80 with seed 577215 in 60 s, 79 of 80 with seed 141421 in 27 s, on a busy machine. The four that stay open have districts of the ranks 1,069, 1,660, 1,663 and 854.

The bounds `determinants` and `parts`, and normal forms of models that contain the one at hand, were made with the open networks of these seeds in view. With them the open one of *larger* of the seed 161803 is proved, and the one of *binary* of the seed 1907 that has the dimension 64. Then one more seed was drawn, and none of these bounds was changed after it was counted:

| sequence | seed 577215 | processor time |
|---|---|---|
| larger | 148 of 150 | 21 s |
| binary | 80 of 80 | 13 s |
| wide | 57 of 60 | 21 s |

All these bounds were finished, and put together, before two last seeds were drawn; nothing was changed after they were counted. Together 734 of 740 networks are proved (99.1 %):

| sequence | seed 299792 | seed 662607 | together | processor time |
|---|---|---|---|---|
| larger | 148 of 150 | 150 of 150 | 99.3 % | 12 s, 12 s |
| denser | 79 of 80 | 79 of 80 | 98.7 % | 37 s, 25 s |
| binary | 80 of 80 | 79 of 80 | 99.3 % | 9 s, 66 s |
| wide | 59 of 60 | 60 of 60 | 99.1 % | 131 s, 45 s |

Most of the time is that of few networks: one of *wide* that stays open, with a district of 7,544 dimensions, takes 118 s, one of *binary* that stays open 55 s.

The forms by determinants, the fields that move one table or give weights to the states of a hidden variable, the two-sided fields of hidden variables with more than ten neighbours, and hidden variables averaged out together more than once were made after that, with open cases of these seeds in view. They prove both open networks of seed 1907, the open one of *wide* of seed 271828 and the three of seed 577215, the open one of *binary* of seed 271828, and one of the two of *larger* of seed 577215. One seed was drawn after them, and nothing was changed after it was counted: with seed 424243 all 80 networks of *binary* are proved, in 18 s, and all 60 of *wide*, in 13 s.

Three more seeds, 900001 to 900003, were drawn before `fewer-states` was made, and counted without it: 449 of 450 networks of *larger* were proved, and 234 of 240 of *denser* (97.5 %), so that 99 % is not reached there. Their open networks were then examined, with those of the two last seeds. With `fewer-states` *larger* of the seeds 299792 and 900001 has 150 of 150; of the open networks of *denser* it proves none.

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
- Larger, seed 299792, dimensions 344 and 526: given two variables, each state of one of them adds the same number to the dimension, 62 and 112. In the models in which it has two states local maps are small enough: `fewer-states`. Of *denser* six open networks of the seeds 141421, 299792, 900001 and 900003 grow by equal steps, too, but nothing proves the dimensions of those with fewer states.
- Denser, seed 662607, dimension 264: P(X5, X6 | …) is linear in 18 numbers for each state of X4, with a matrix of rank 14 of 16, since two times two hidden states more than are shown make products of planes that meet. It leaves 68 of 69 directions open; nothing proves its rank yet.
- Binary, seed 271828, dimension 179: with H3 and H7 averaged out together the rank is the same, and so it is if then H6 and H8 are, one of which alone would leave more parameters than there were. Then symmetries suffice: `supermodels`.
- Binary, seed 161803, dimension 59: four equations of all six variables; every margin is saturated.
- Binary, seed 31415: in those of the dimensions 107 and 152 three and 162 directions are missing, around five hidden variables or more.
- Of the others no reason is known.

## Processor time

Measured once, each network in a process of its own, and compared with a run without `grids`, `supermodels`, `span`, `margins` and interpolation, and with a quarter of the work for equations: the median ratio is 1.0 on every sequence. The sums differ by networks that stay open or are proved by these bounds alone: before `margins`, 26 s and 24 s for the 500, 29 s and 24 s for *larger*, 25 s and 24 s for *denser*, 25 s and 18 s for *wide*, 56 s and 15 s for *binary*; with `margins`, 28 s and 18 s for *wide*, 32 s and 13 s for *binary*. With fields that move few parameters the two networks of *binary* that they prove take 1.4 s and 0.9 s; the six examined again that stay open take 1.1 to 2 times the time of before, on a busy machine. With `normal-form` and `surroundings` the five networks of *binary* that they prove take 1 to 8 s; three that stay open took 1.4, 1.5 and 3.3 times the time of before. Less work is allowed to normal forms inside of other searches since: on a busy machine two of *binary* that stay open, of the dimensions 105 and 59, take 1.4 and 2.4 times the time without `normal-form`, `surroundings`, `parts` and `determinants`, and the one of the dimension 107, seed 31415, 2.8 times.
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
    total = sum(map(len, found.values()))
    exact = sum(report.exact for one in found.values() for _, report in one)
    return f"""
## Larger networks

The first networks of seed {LARGER_SEED} of four sequences that are drawn in the same way: {exact} of {total} are proved ({percent(exact, total)}). No model of this seed had been examined before it was drawn for this page; the limit of the search for equations, the bounds `margins` and `differences`, the fields that move few parameters or one table, determinants of pencils, forms by determinants and the order in which larger models are examined were made with its open cases in view.

| sequence | variables | states | hidden | edge | cells, at most | networks | exact |
|---|---|---|---|---|---|---|---|
{rows}

The bounds in the proofs: {uses}.

The remainder:

{left or "There is none."}

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
