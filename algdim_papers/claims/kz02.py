"""Checks of what KZ02 prints besides dimensions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import prod
from typing import Any

from algdim.bound.strategy import KNOWN, TREES
from algdim.exact.draws import draw_integers, open_stream
from algdim.families.discrete.bounds.latentclass import LatentClassBounds, compute_latent_class_bounds
from algdim.families.discrete.bounds.trees import compute_side_ranks
from algdim.families.discrete.model import Network
from algdim.families.discrete.trees import (
    LatentTree,
    build_local_models,
    convert_to_network,
    find_latent_tree,
    split_at_edge,
)
from algdim.models.anymodel import require_model
from algdim.models.notation import parse, to_text
from algdim.report import Report, dimension
from algdim.trust import proved_by
from algdim_papers.claims.finding import Finding, check_formula, check_identity, derive_trust, require_proved_report
from algdim_papers.claims.reading import list_claims
from algdim_papers.printed import KZ02_SCORES, KZ02_TABLE_2

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


def theorem_3() -> Finding:
    """KZ02 Theorem 3: de(M) is at most that of the model M* with O' and the other items as two joint items, which two formulas give.

    With k classes it is ds(M*) − k(k − 1) if k < min(|U1|, |U2|), else dc(M). All bipartitions of Table 1 and the models beyond it.
    """
    reports, wrong, count = [], [], 0
    for text in (*table_1(), *OTHERS):
        whole = require_proved_report(text)
        reports.append(whole)
        model = bounds(text).model
        items = [variable.states for variable in model.observed]
        (classes,) = (variable.states for variable in model.hidden)
        for first, second in list_bipartitions(items):
            joint = require_proved_report(f"{classes}:{first},{second}")
            reports.append(joint)
            small = classes < min(first, second)
            printed = joint.standard - classes * (classes - 1) if small else whole.complete
            count += 1
            if not whole.dimension <= joint.dimension == printed:
                wrong.append(f"{text} with {first}, {second}")
    says = f"{count} bipartitions" if not wrong else f"not {wrong[0]}"
    trust = derive_trust(
        proved_by("instances", f"{count} bipartitions of {len((*table_1(), *OTHERS))} models"), reports
    )
    return Finding(says, "both sides of each computed", not wrong, trust=trust)


def list_bipartitions(items: Sequence[int]) -> Iterable[tuple[int, int]]:
    """The numbers of states of both parts, for all ways to split items in two.

    >>> list(list_bipartitions([2, 3, 5]))
    [(2, 15), (6, 5), (10, 3)]
    """
    for size in range(len(items) - 1):
        for some in combinations(items[1:], size):
            first = items[0] * prod(some)
            yield first, prod(items) // first


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


REGULAR_TREES = (
    "5(2,3(2,2),3(2,2))",
    "6(2,3(2,2),3(2,2))",
    "3(2,2,2(2,2))",
    "3(2,2,3(2,2))",
    "4(2,2,3(2,2))",
    "2(3,3(2,2))",
    "2(3(2,2),3(2,2))",
    "3(2,2,4(3,3))",
    "2(2,2,2(2,2(2,2)))",
    "3(2,2,3(2,2,2))",
    "4(2,2,4(2,2,2))",
    "3(2,2(2,2),2(2,2))",
    "5(2,2,2,3(2,2))",
)
"""Regular HLC models with 0 to 24 redundant parameters; the dimension of each can be proved without the theorem."""

WITHOUT_RULE = tuple(name for name in KNOWN if name != TREES)


def theorem_5() -> Finding:
    """KZ02 Theorem 5: cut between X and Z, ds(M) − de(M) is the sum of those of M1 and M2, which are regular. All edges of thirteen trees.

    The left side is proved without the rule, from ranks and equations of the whole. What the theorem needs beyond that, that
    P(O1|X) has rank |X| and P(O2|Z) rank |Z|, is tested at a point; then the lemma "tree rule" has it for every tree.
    """
    reports, wrong, edges = [], [], 0
    for text in REGULAR_TREES:
        tree, whole = require_tree(text), prove_without_rule(text)
        reports.append(whole)
        sides_hold = all(side.holds for side in compute_side_ranks(tree))
        for edge in tree.inner_edges:
            sides = split_at_edge(tree, edge)
            parts = [prove_without_rule(to_text(convert_to_network(side))) for side in sides]
            reports += parts
            edges += 1
            holds = whole.redundant == sum(part.redundant for part in parts)
            if not (holds and sides_hold and all(map(is_regular_tree, (tree, *sides)))):
                wrong.append(f"{text} at {'–'.join(edge)}")
    says = f"{edges} edges of {len(REGULAR_TREES)} trees" if not wrong else f"not {wrong[0]}"
    facts = f"regular trees, whose sides have full rank: {says}"
    trust = derive_trust(proved_by("tree rule", facts, "capping", "instances"), reports)
    return Finding(says, "each dimension found without the rule", not wrong, trust=trust)


def corollary_4_1() -> Finding:
    """KZ02 Corollary 4.1: ds(M) − de(M) is the sum over the local LC models of all hidden nodes. Thirteen regular trees."""
    reports, wrong, sums = [], [], []
    for text in REGULAR_TREES:
        whole = prove_without_rule(text)
        parts = [prove_without_rule(to_text(local)) for local in build_local_models(require_tree(text))]
        reports += [whole, *parts]
        sums.append(sum(part.redundant for part in parts))
        if whole.redundant != sums[-1]:
            wrong.append(text)
    says = f"{len(REGULAR_TREES)} trees" if not wrong else f"not {wrong[0]}"
    reason = f"differences {', '.join(map(str, sums))}, found without the rule"
    trust = derive_trust(proved_by("tree rule", f"regular trees: {reason}", "capping", "instances"), reports)
    return Finding(says, reason, not wrong, trust=trust)


def require_tree(text: str) -> LatentTree:
    """The latent tree of a notation."""
    tree = find_latent_tree(require_model(parse(text), Network, "the check is for discrete models"))
    if tree is None:
        raise ArithmeticError(f"{text} is no latent tree")
    return tree


def prove_without_rule(text: str) -> Report:
    """The report of a tree without the bound that rests on the tree rule; an error if its dimension is not proved so."""
    report = dimension(text, bounds=WITHOUT_RULE)
    if not report.exact:
        raise ArithmeticError(f"the dimension of {text} is not found without the tree rule")
    return report


def is_regular_tree(tree: LatentTree) -> bool:
    """KZ02 §4's word: |H| ≤ |Ne(H)| / max |Y|, and < if H has two neighbours, one of them hidden."""
    states = {**tree.hidden, **tree.observed}
    for name, count in tree.hidden.items():
        around = [states[other] for other in tree.neighbours[name]]
        strict = len(around) == 2 and any(other in tree.hidden for other in tree.neighbours[name])
        if count + strict > prod(around) // max(around):
            return False
    return True


Distribution = Mapping[tuple[int, ...], Any]
"""Of some items: their states, and the probability."""


@dataclass(frozen=True, slots=True)
class Classes:
    """An LC model at a point: the weights of its classes and, for each class, a row of probabilities per item."""

    weights: Sequence[Any]
    rows: Sequence[Sequence[Sequence[Any]]]

    def distribution(self) -> Distribution:
        """The distribution of its items."""
        states = [range(len(row)) for row in self.rows[0]]
        return {
            cell: sum(
                weight * prod((row[state] for row, state in zip(rows, cell, strict=True)), start=Fraction(1))
                for weight, rows in zip(self.weights, self.rows, strict=True)
            )
            for cell in product(*states)
        }


def encode_in_cap(table: Distribution, items: Sequence[int]) -> Classes:
    """KZ02 Lemma 3.2's proof: parameters with |O| / max |O_i| classes; a class is a joint state of all items but the largest."""
    largest = items.index(max(items))
    others = [range(count) for place, count in enumerate(items) if place != largest]
    weights, rows = [], []
    for state in product(*others):
        row = [table[(*state[:largest], last, *state[largest:])] for last in range(items[largest])]
        weight = sum(row)
        units = [
            [Fraction(int(one == taken)) for one in range(len(other))]
            for other, taken in zip(others, state, strict=True)
        ]
        free = [one / weight for one in row] if weight else [Fraction(1, len(row))] * len(row)
        weights.append(weight)
        rows.append([*units[:largest], free, *units[largest:]])
    return Classes(weights, rows)


def draw_classes(count: int, items: Sequence[int], purpose: str) -> Classes:
    """Rational parameters; of all numbers about a fifth are zero."""
    needed = count * (1 + sum(items))
    drawn = iter(draw_integers(open_stream(0, purpose, count, *items), 0, 99, needed))

    def draw_row(size: int) -> list[Fraction]:
        numbers = [max(next(drawn) - 20, 0) for _ in range(size)]
        numbers[0] += not any(numbers)
        return [Fraction(number, sum(numbers)) for number in numbers]

    return Classes(draw_row(count), [[draw_row(size) for size in items] for _ in range(count)])


SHAPES = ((2, 2), (2, 3), (3, 3), (2, 2, 2), (2, 2, 3), (2, 2, 4), (2, 3, 3), (2, 2, 2, 2))
"""Numbers of states of the items, or of the neighbours of a hidden variable."""


def lemma_3_2() -> Finding:
    """KZ02 Lemma 3.2: an LC model with more classes than |O| / max |O_i| is equivalent to the one with so many.

    A distribution in symbols is written with the fewer classes, and so are distributions with zeros, of one and of three classes
    more; the fewer classes are among the more with classes of weight zero.
    """
    from sympy import Symbol

    sides: list[tuple[Any, Any]] = []
    for items in SHAPES:
        cells = list(product(*map(range, items)))
        table = {cell: Symbol("p" + "".join(map(str, cell)), positive=True) for cell in cells}
        found = encode_in_cap(table, items).distribution()
        sides += [(found[cell], table[cell]) for cell in cells]
        cap = prod(items) // max(items)
        for more in (1, 3):
            given = draw_classes(cap + more, items, "KZ02 3.2").distribution()
            found = encode_in_cap(given, items).distribution()
            sides += [(found[cell], given[cell]) for cell in cells]
    return check_identity(f"{len(SHAPES)} shapes of items", "every cell written out, in symbols and with zeros", *sides)


def lemma_4_1() -> Finding:
    """KZ02 Lemma 4.1: in an HLC model |H_i| may be lowered to |Ne(H_i)| / max |Y|. Hidden neighbours with two items each.

    M's parameters, rooted at H_i, give a distribution of its neighbours; M* with the fewer states gives the same, and the same
    of all items, whose tables stay.
    """
    sides: list[tuple[Any, Any]] = []
    for shape in SHAPES:
        cap = prod(shape) // max(shape)
        given = draw_classes(cap + 2, shape, "KZ02 4.1").distribution()
        found = encode_in_cap(given, shape).distribution()
        # the first neighbour is hidden, with two items below it; the others are leaves
        below = draw_classes(shape[0], (2, 3), "KZ02 4.1 below").rows
        sides += [
            (extend_below(found, below, rest, pair), extend_below(given, below, rest, pair))
            for rest in product(*map(range, shape[1:]))
            for pair in product(range(2), range(3))
        ]
    return check_identity(f"{len(SHAPES)} neighbourhoods", "every cell of all items compared", *sides)


def extend_below(table: Any, below: Any, rest: tuple[int, ...], pair: tuple[int, int]) -> Any:
    """A cell of the others and of two items below the first neighbour, over whose states is summed."""
    return sum(table[(state, *rest)] * rows[0][pair[0]] * rows[1][pair[1]] for state, rows in enumerate(below))


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


def score_of_choice() -> Finding:
    """KZ02 §6: by the experiments CS+ is clearly the score of choice. The printed numbers of Table 2 decide.

    It would hold if CS+ had the least divergence at most sizes, or were nearer than BIC+ by more than two standard errors at one;
    those of the differences on the same data are not printed, so the errors are taken as of independent means.
    """
    rows = [dict(zip(KZ02_SCORES, row, strict=True)) for row in KZ02_TABLE_2.values()]
    least = {name: sum(row[name] == min(row.values()) for row in rows) for name in KZ02_SCORES}
    apart = [(row["BIC+"][0] - row["CS+"][0]) / (row["BIC+"][1] ** 2 + row["CS+"][1] ** 2) ** 0.5 for row in rows]
    says = f"least at {least['CS+']} of {len(rows)} sizes, BIC+ at {least['BIC+']}"
    reason = f"{says}; nearer than BIC+ by {max(apart):.1f} standard errors at most"
    holds = 2 * least["CS+"] > len(rows) or max(apart) > 2
    return Finding(says, reason, holds, trust=proved_by("instances", f"the numbers of Table 2: {reason}"))
