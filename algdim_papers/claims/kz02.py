"""Checks of what KZ02 prints besides dimensions."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import prod

from algdim.families.discrete.bounds.latentclass import LatentClassBounds, compute_latent_class_bounds
from algdim.families.discrete.model import Network
from algdim.models.anymodel import require_model
from algdim.models.notation import parse
from algdim.report import Report, dimension
from algdim.trust import proved_by
from algdim_papers.claims.finding import Finding, check_formula, check_identity, derive_trust, require_proved_report
from algdim_papers.claims.reading import list_claims

OTHERS = ("5:3,3,2,2", "5:4,4,3", "7:4,4,2,2")
"""Models beyond Table 1 in which db is not attained."""


def table_1() -> tuple[str, ...]:
    """The models of Table 1."""
    return tuple(dict.fromkeys(claim.model for claim in list_claims("KZ02") if claim.place.startswith("Table 1")))


def bounds(text: str) -> LatentClassBounds:
    """The bounds of a latent class model."""
    return compute_latent_class_bounds(require_model(parse(text), Network, "the check is for discrete models"))


def gap(report: Report) -> int:
    """By how much db exceeds de."""
    return report.best_bound - report.dimension


def only_two() -> Finding:
    """KZ02 §1 and §3.1: two latent class models with de < db were found, judged as "there are only two". A third decides."""
    others = {text: report for text in OTHERS if gap(report := require_proved_report(text)) > 0}
    gaps = ", ".join(str(gap(report)) for report in others.values())
    reason = f"{', '.join(others)} are others, with db − de = {gaps}"
    trust = derive_trust(proved_by("instances", reason), others.values())
    return Finding("more than two", reason, not others, trust=trust)


def gaps_in_table_1() -> Finding:
    """KZ02 §3.1: in Table 1 the bound exceeds the dimension for 3:2,2,2,2 and 4:3,3,3 only, by one."""
    reports = {text: require_proved_report(text) for text in table_1()}
    found = {text: value for text, report in reports.items() if (value := gap(report))}
    return Finding(
        ", ".join(f"{text} by {value}" for text, value in found.items()),
        f"{len(reports)} dimensions proved",
        found == {"3:2,2,2,2": 1, "4:3,3,3": 1},
        trust=derive_trust(proved_by("instances", f"{len(reports)} models compared"), reports.values()),
    )


def all_three_bounds() -> Finding:
    """KZ02 §3.1: all three bounds ds, dc, dp apply in Table 1: each is somewhere the only one that attains db.

    Where no bipartition qualifies, dp is dc by definition and does not count.
    """
    found = [bounds(text) for text in table_1()]
    attained = [set(one.attained) - ({"dp"} if one.partition is None else set()) for one in found]
    alone = {name for names in attained if len(names) == 1 for name in names}
    trust = proved_by("instances", f"the bounds of {len(found)} models compared; alone: {', '.join(sorted(alone))}")
    return Finding(f"{len(alone)} of 3", "the bounds of Table 1 compared", alone == {"ds", "dc", "dp"}, trust=trust)


def two_items() -> Finding:
    """KZ02 Theorem 1 (Settimi, Smith 1998): de = ds − k(k − 1) if k ≤ min(r1, r2), dc if k ≥ min(r1, r2). All sizes up to 4."""
    wrong, reports = [], []
    for k, r, s in product(range(2, 5), repeat=3):
        report = require_proved_report(f"{k}:{r},{s}")
        reports.append(report)
        expected: set[int | None] = {report.standard - k * (k - 1)} if k <= min(r, s) else set()
        expected |= {report.complete} if k >= min(r, s) else set()
        if {report.dimension} != expected:
            wrong.append((k, r, s))
    says = "27 of 27 models" if not wrong else f"not {wrong[0]}"
    trust = derive_trust(proved_by("instances", "k, r1, r2 = 2…4"), reports)
    return Finding(says, "k, r1, r2 = 2…4, each proved", not wrong, trust=trust)


def binary_trees() -> Finding:
    """KZ02 Theorem 2 (Settimi, Smith 1999): de = ds − 2k for binary trees, k hidden nodes with less than three neighbours."""
    trees = {
        "2(2,2)": 1,
        "2(2,2,2)": 0,
        "2(2(2,2),2(2,2))": 1,
        "2(2,2(2,2))": 1,
        "2(2,2(2,2),2(2,2))": 0,
        "2(2,2,2(2))": 1,
        "2(2(2,2,2),2(2(2,2)))": 2,
    }
    reports = [require_proved_report(text) for text in trees]
    holds = all(one.dimension == one.standard - 2 * k for one, k in zip(reports, trees.values(), strict=True))
    trust = derive_trust(proved_by("instances", ", ".join(trees)), reports)
    return Finding(f"{len(trees)} trees", "each dimension proved", holds, trust=trust)


def theorem_4() -> Finding:
    """KZ02 Theorems 3 and 4: de ≤ db = min(ds, dc, dp), on Table 1 and the models beyond it."""
    reports = [require_proved_report(text) for text in (*table_1(), *OTHERS)]
    holds = all(gap(report) >= 0 for report in reports)
    trust = derive_trust(proved_by("instances", f"{len(reports)} dimensions, none above its bound"), reports)
    return Finding(f"{len(reports)} models", "each dimension proved", holds, trust=trust)


def lemma_3_1() -> Finding:
    """KZ02 Lemma 3.1: its two inequalities imply ds < dp and ds < dc. Up to four items with up to four states, up to 12 classes."""
    covered, wrong = 0, 0
    for count in (2, 3, 4):
        for items in combinations_with_replacement((2, 3, 4), count):
            for classes in range(2, 13):
                found = bounds(f"{classes}:{','.join(map(str, items))}")
                if found.lemma.holds:
                    covered += 1
                    wrong += not (found.standard < (found.pairwise_bound or 0) and found.standard < found.complete)
    reason = "all to which it applies, of 2 to 4 items"
    trust = proved_by("instances", f"{covered} models, {reason}: {wrong} against it")
    return Finding(f"{covered} models", reason, covered > 0 and wrong == 0, trust=trust)


def is_regular(text: str) -> Finding:
    """KZ02 §3.2, §5: whether a latent class model is regular, |X| ≤ |O| / max |O_i|."""
    found = bounds(text)
    items = [variable.states for variable in found.model.observed]
    cap = prod(items) // max(items)
    classes = next(variable.states for variable in found.model.variables if not variable.observed)
    reason = f"{classes} classes, at most {cap} are of use"
    holds = found.regular and classes <= cap
    return Finding("regular" if found.regular else "not regular", reason, holds, trust=proved_by("instances", reason))


def regular_below_the_caps() -> Finding:
    """KZ02 §6: 5,3,3:2,2,2,2,2 is regular, not complete, and each hidden variable has fewer states than its neighbours allow."""
    neighbours = {"H1": (5, (3, 3, 2)), "H2": (3, (5, 2, 2)), "H3": (3, (5, 2, 2))}
    caps = {name: prod(sizes) // max(sizes) for name, (_, sizes) in neighbours.items()}
    report = require_proved_report("5(2,3(2,2),3(2,2))")
    below = all(neighbours[name][0] < cap for name, cap in caps.items())
    reason = (
        f"states 5, 3, 3, caps {', '.join(map(str, caps.values()))}; dimension {report.dimension} of {report.complete}"
    )
    return Finding(
        "regular, below the caps, not complete",
        reason,
        below and report.dimension != report.complete,
        trust=derive_trust(proved_by("instances", reason), [report]),
    )


def chain_of_theorem_5() -> Finding:
    """KZ02 Theorem 5, part I: |H| ≤ |Ch(H)| ≤ |Ne(H)| / max |Y| in a regular model. The root of the paper's own model decides.

    H1 of 5,3,3:2,2,2,2,2 has 5 states and the children 3, 3, 2, and no parent.
    """
    states, children = 5, (3, 3, 2)
    product_of_children, cap = prod(children), prod(children) // max(children)
    if not states <= cap <= product_of_children:
        raise ArithmeticError("the corrected chain does not hold either")
    reason = f"H1 of 5,3,3:2,2,2,2,2: |H| = {states}, |Ch| = {product_of_children}, |Ne|/max = {cap}"
    holds = states <= product_of_children <= cap
    return Finding("|H| ≤ |Ne|/max ≤ |Ch|", reason, holds, trust=proved_by("instances", reason))


def standard_of_four_leaves() -> Finding:
    """KZ02 §4: 5,3,3:2,2,2,2 has 41 standard parameters. Four binary leaves on the three hidden nodes, in every way, decide."""
    counts = {
        (root, left): 4 + 2 * 5 * 2 + 5 * root + 3 * left + 3 * (4 - root - left)
        for root in range(5)
        for left in range(5 - root)
    }
    five = dimension("5(2,3(2,2),3(2,2))").standard
    reason = f"four binary leaves give {', '.join(map(str, sorted(set(counts.values()))))}; five, as in Figure 2, give {five}"
    return Finding("5,3,3:2,2,2,2,2", reason, 41 in counts.values(), trust=proved_by("instances", reason))


def leaves_of_the_closest_model() -> Finding:
    """KZ02 §6: the closest model found, 4,3,3:2,2,2,2, among models with the true structure, which has five leaves (Figure 2)."""
    printed = "4,3,3:2,2,2,2"
    leaves = len(printed.partition(":")[2].split(","))
    true = len(require_model(parse("5(2,3(2,2),3(2,2))"), Network, "the check is for discrete models").observed)
    reason = f"{leaves} leaves printed, {true} in the structure of Figure 2"
    return Finding("4,3,3:2,2,2,2,2", reason, leaves == true, trust=proved_by("instances", reason))


def same_likelihood() -> Finding:
    """KZ02 §5: the likelihood of all models k:2,2,2,2 with k > 4 is the same. Eight cases, one for each even cell, decide.

    Eight classes give each of the eight cells with an even number of ones probability 1/8. A class whose distribution lives on
    these cells is a product, and the only products of sets of states inside them are single cells; so seven classes reach at
    most seven of them, and no maximum below eight classes is as high.
    """
    even = {cell for cell in product((0, 1), repeat=4) if sum(cell) % 2 == 0}
    sides = ((0,), (1,), (0, 1))
    inside = [box for box in product(sides, repeat=4) if even.issuperset(product(*box))]
    largest = max(prod(map(len, box)) for box in inside)
    needed = -(-len(even) // largest)
    reason = f"eight cases, one in each cell with an even number of ones: {needed} classes are needed to fit them, {needed - 1} do not"
    return Finding("up to 8 classes it can grow", reason, needed <= 5, trust=proved_by("instances", reason))


def any_distribution() -> Finding:
    """KZ02 §5 and Lemma 3.2: 8:2,2,2,2 can encode any distribution. Each class is a state of three items, P(O4|X) is free."""
    from sympy import Symbol

    cells = list(product((0, 1), repeat=4))
    table = {cell: Symbol("p{}{}{}{}".format(*cell), positive=True) for cell in cells}
    weight = {head: table[(*head, 0)] + table[(*head, 1)] for head in product((0, 1), repeat=3)}
    sides = [
        (
            sum(weight[head] * int(head == cell[:3]) * table[(*head, cell[3])] / weight[head] for head in weight),
            table[cell],
        )
        for cell in cells
    ]
    return check_identity(f"{len(weight)} classes", "the sixteen cells written out", *sides)


def sum_of_differences() -> Finding:
    """KZ02 §4: the differences 3, 12, 3 of the local models add up to that of the whole, 18."""
    whole = require_proved_report("5(2,3(2,2),3(2,2))")
    local = [require_proved_report(text) for text in ("3:5,2,2", "5:3,3,2", "3:5,2,2")]
    return check_formula(
        "3 + 12 + 3",
        "5,3,3:2,2,2,2,2",
        truth=whole.redundant,
        printed=3 + 12 + 3,
        right=sum(report.redundant for report in local),
        reports=[whole, *local],
    )
