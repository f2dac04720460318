"""A latent tree taken apart, with every step shown: reduced, the rank condition tested, cut, added up again.

KZ02 Theorem 5 is the cut in two, Corollary 4.1 its repetition. What makes them exact is in the lemmas "capping" and "tree
rule". The rule is for free tables that are not shared; what is no such tree is first split into districts, which cuts
at observed inner variables, and where that leads to no latent tree either the rank of the whole is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from algdim.analysis import find_part_bounds
from algdim.bound.strategy import Effort
from algdim.display.models import ResultTree
from algdim.display.results import convert_members
from algdim.errors import join_names
from algdim.families.contract import Decomposing, Part
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.bounds.trees import (
    Shape,
    SideRank,
    compute_shape,
    compute_side_ranks,
    format_shape,
    is_small_enough,
)
from algdim.families.discrete.districts import split
from algdim.families.discrete.locals.sigmoid import (
    Weighted,
    describe_free_tables,
    prove_free_tables,
    replace_by_free_tables,
)
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network
from algdim.families.discrete.trees import (
    CAPPED,
    SPLICED,
    Cut,
    LatentTree,
    ReductionStep,
    TreeReduction,
    convert_to_network,
    count_parameters,
    cut_at_edges,
    cut_latent_tree,
    find_latent_tree,
)
from algdim.figures import cut_text, format_count, format_integer
from algdim.limits import Untried, describe_untried
from algdim.models.anymodel import prove_removal, remove_irrelevant
from algdim.models.notation import to_text
from algdim.report import Reason, Report, dimension, make_part_report
from algdim.trust import Trust, bounds_only, proved_by, trust_in_all

MOST_SHOWN = 12
ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class LocalModel:
    """The latent class model around one hidden variable, with its report; equal shapes share one. Without a name: a table."""

    name: str
    shape: Shape
    report: Report

    @property
    def difference(self) -> int:
        """The number of its parameters less its dimension."""
        return self.report.redundant

    def __str__(self) -> str:
        report = self.report
        around = f" around {self.name}" if self.name else ""
        return (
            f"{format_shape(self.shape)}{around}: dimension {report.dimension} ({report.trust}), parameters "
            f"{format_integer(report.standard)}, difference {format_integer(self.difference)}"
        )


@dataclass(frozen=True, slots=True)
class ByRule:
    """A latent tree whose dimension is the sum over local models minus the overlap along inner edges.

    ``roots`` is what is subtracted because the tree is a district whose observed parents were taken as free roots.
    """

    subject: str
    tree: LatentTree
    reduction: TreeReduction
    ranks: tuple[SideRank, ...]
    tested: bool
    locals: tuple[LocalModel, ...]
    cut: Cut
    shared: int
    roots: int
    rule: Trust
    """That the dimension is this sum, if those of the local models are right."""

    @property
    def standard(self) -> int:
        """The number of parameters of the tree as it was given."""
        return count_parameters(self.tree) - self.roots

    @property
    def lower(self) -> int:
        """The sum of the lower bounds, less what is shared."""
        return sum(local.report.lower.value for local in self.locals) - self.shared - self.roots

    @property
    def upper(self) -> int:
        """The sum of the upper bounds, less what is shared."""
        return sum(local.report.upper.value for local in self.locals) - self.shared - self.roots

    @property
    def exact(self) -> bool:
        """Whether all local models are exact."""
        return all(local.report.exact for local in self.locals)

    def trusts(self) -> tuple[Trust, Trust]:
        """Trust in the lower and in the upper bound."""
        named = [(f"local model {format_shape(local.shape)}", local.report) for local in self.locals]
        lower = trust_in_all([self.rule, *(report.lower.trust.about(name) for name, report in named)])
        return lower, trust_in_all([self.rule, *(report.upper.trust.about(name) for name, report in named)])

    @property
    def saved_parameters(self) -> int:
        """By how many parameters the reduced tree is smaller."""
        return count_parameters(self.tree) - count_parameters(self.reduction.tree)

    def reasons(self) -> tuple[Reason, ...]:
        """The steps, the condition, the cuts, the sum of the differences."""
        smaller = self.reduction.tree
        found = [Reason(describe_step(step)) for step in self.reduction.steps[:MOST_SHOWN]]
        if len(self.reduction.steps) > MOST_SHOWN:
            found.append(Reason(f"… {len(self.reduction.steps)} steps in all"))
        if self.reduction.is_changed:
            what = to_text(convert_to_network(smaller)) if len(smaller.neighbours) <= 50 else "a reduced tree"
            found.append(
                Reason(f'equal to {what}, {format_count(count_parameters(smaller), "parameter")} (lemma "capping")')
            )
        else:
            found.append(Reason("reduced: no states to reduce, no node to suppress or delete"))
        found += self.conditions()
        found.append(self.cuts())
        found.append(Reason(self.differences()))
        return tuple(found)

    def conditions(self) -> list[Reason]:
        """The rank condition of every inner edge."""
        edges = self.reduction.tree.inner_edges
        if not edges:
            return []
        if not self.tested:
            return [Reason('rank condition: too large to be tested; a reduced tree has it by the lemma "capping"')]
        prime = self.ranks[0].prime
        if len(edges) > MOST_SHOWN:
            return [
                Reason(
                    f"rank condition: holds on both sides of all {len(edges)} inner edges (ranks mod {prime}, {self.drawn_from})"
                )
            ]
        below = tuple(
            Reason(f"edge {one.near}–{one.far}: {one}; {other}")
            for one, other in zip(self.ranks[::2], self.ranks[1::2], strict=True)
        )
        return [Reason(f"rank condition on each inner edge, at a point mod {prime}, {self.drawn_from}: holds", below)]

    @property
    def drawn_from(self) -> str:
        """From which streams the tables of the rank condition are drawn."""
        return f'drawn from "{self.ranks[0].streams}|…"'

    def cuts(self) -> Reason:
        """The proof tree: two-way splits down to the local models, or the sum if there are many."""
        if len(self.locals) > MOST_SHOWN:
            shapes: dict[Shape, list[LocalModel]] = {}
            for local in self.locals:
                shapes.setdefault(local.shape, []).append(local)
            lines = [Reason(f"{len(group)} × {group[0]}") for group in shapes.values()]
            edges = len(self.reduction.tree.inner_edges)
            total = f"{format_integer(sum(local.report.dimension for local in self.locals))} − {format_integer(self.shared)}"
            return Reason(
                f"cut at {edges} inner edges (KZ02 Theorem 5, repeated): {total} = {format_integer(self.lower + self.roots)}",
                tuple(lines),
            )
        return cut_reason(self.cut, {local.name: local for local in self.locals})

    def differences(self) -> str:
        """KZ02 Corollary 4.1 in figures."""
        terms = [format_integer(local.difference) for local in self.locals]
        total = " + ".join(terms) if len(terms) <= MOST_SHOWN else f"the {len(terms)} local differences"
        saved = f"{format_integer(self.saved_parameters)} by the reduction + " if self.saved_parameters else ""
        value = self.standard - self.lower
        parts = f"{saved}{total} = " if saved or len(terms) > 1 else ""
        return f"parameters − dimension (KZ02 Corollary 4.1): {format_integer(self.standard)} − {self.lower} = {parts}{format_integer(value)}"

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON report."""
        return {
            "variables": self.subject,
            "rule": True,
            "standard": self.standard,
            "dimension": self.lower,
            "exact": self.exact,
            "steps": [convert_step(step) for step in self.reduction.steps],
            "reduced": to_text(convert_to_network(self.reduction.tree)),
            "conditions": [rank.to_dict() for rank in self.ranks],
            "cuts": [
                {
                    "edge": list(part.edge),
                    "shared": part.shared_entries,
                    "sides": [list(side.tree.hidden) for side in part.sides],
                }
                for part in collect_cuts(self.cut)
                if part.edge is not None
            ],
            "locals": [
                {
                    "variable": local.name,
                    "model": format_shape(local.shape),
                    "standard": local.report.standard,
                    "dimension": local.report.dimension,
                    "exact": local.report.exact,
                    "difference": local.difference,
                    **local.report.trust.to_dict(),
                }
                for local in self.locals
            ],
            "shared": self.shared,
            "roots": self.roots,
        }


@dataclass(frozen=True, slots=True)
class ByRank:
    """A part for which the rule is not used, and why; its report."""

    subject: str
    why: str
    report: Report

    @property
    def standard(self) -> int:
        """The number of parameters."""
        return self.report.standard

    @property
    def lower(self) -> int:
        """The lower bound's value."""
        return self.report.lower.value

    @property
    def upper(self) -> int:
        """The upper bound's value."""
        return self.report.upper.value

    @property
    def exact(self) -> bool:
        """Whether both bounds are proved and equal."""
        return self.report.exact

    def trusts(self) -> tuple[Trust, Trust]:
        """Trust in the lower and in the upper bound."""
        return self.report.lower.trust, self.report.upper.trust

    def reasons(self) -> tuple[Reason, ...]:
        """Why the rule is not used, and both bounds."""
        head = (Reason(f"no latent tree: {self.why}; the rule is not used"),) if self.why else ()
        return (*head, *self.report.because())

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON report."""
        return {
            "variables": self.subject,
            "rule": False,
            "why": self.why,
            "standard": self.standard,
            "dimension": self.lower,
            "exact": self.exact,
            "report": self.report.to_dict(),
        }


@dataclass(frozen=True, slots=True, repr=False)
class DecompositionReport(ResultTree):
    """A model's parts, each by the rule for latent trees or by the rank, and their sum."""

    _inner: ClassVar[frozenset[str]] = frozenset({"allowed", "leave"})

    model: Network
    standard: int
    parts: tuple[ByRule | ByRank, ...]
    removed: tuple[str, ...]
    seed: int | str
    allowed: tuple[Trust, ...] = ()
    """That variables were removed and tables put for sigmoid variables, and that the dimension is the sum over the parts."""
    untried: tuple[Untried, ...] = ()

    @property
    def dimension(self) -> int:
        """The sum of the lower bounds; read ``exact`` for trust."""
        return sum(part.lower for part in self.parts)

    @property
    def upper(self) -> int:
        """The sum of the upper bounds."""
        return sum(part.upper for part in self.parts)

    @property
    def exact(self) -> bool:
        """Whether every part is exact."""
        return self.trust.is_proved

    @property
    def trust(self) -> Trust:
        """How far the sum is known."""
        owned = [
            tuple(one.about(f"district {part.subject}") if len(self.parts) > 1 else one for one in part.trusts())
            for part in self.parts
        ]
        lower, upper = (trust_in_all(trusts) for trusts in zip(*owned, strict=True))
        if self.dimension != self.upper and lower.is_proved:
            return bounds_only(self.dimension, self.upper, upper)
        return trust_in_all([*self.allowed, lower, upper])

    @property
    def rule(self) -> bool:
        """Whether the rule for latent trees was used for some part."""
        return any(isinstance(part, ByRule) for part in self.parts)

    @property
    def derivation(self) -> Reason:
        """The proof tree."""
        head = f"{cut_text(to_text(self.model))}   dimension {self.dimension} ({self.trust})   parameters {format_integer(self.standard)}"
        below = [Reason(f"removed first: {', '.join(self.removed)} (hidden, without observed descendants)")]
        below = below if self.removed else []
        full = describe_free_tables(self.model, replace_by_free_tables(self.model)[1])
        below += [Reason(full)] if full else []
        if len(self.parts) == 1:
            return Reason(head, (*below, *self.parts[0].reasons()))
        below.append(Reason(f"{' + '.join(str(part.lower) for part in self.parts)}, {len(self.parts)} districts"))
        below += [Reason(f"district {part.subject}: {part.lower}", part.reasons()) for part in self.parts]
        return Reason(head, tuple(below))

    def lines(self) -> list[str]:
        return [*ResultTree.lines(self), *([describe_untried(self.untried)] if self.untried else [])]

    def to_dict(self) -> dict[str, Any]:
        return {
            "model": to_text(self.model),
            **convert_members(self, "standard dimension exact trust rule removed parts not_tried=untried seed"),
        }


def decompose_network(model: Network, effort: Effort) -> DecompositionReport:
    """Take a network apart into latent class models where the rule for latent trees holds, and say where it does not."""
    network, full = replace_by_free_tables(model)
    whole = apply_tree_rule(network, network, 0, effort)
    if whole is not None:
        return DecompositionReport(model, whole.standard, (whole,), (), effort.seed, prove_free_tables(model, full))
    smaller, removed = remove_irrelevant(network)
    pmap = get_param_map(smaller, ties=network)
    parts = split(smaller, pmap, network)
    standard = len((get_param_map(network) if removed else pmap).parameters)
    sums = (proved_by("districts", f"{len(parts)} districts"),) if len(parts) > 1 else ()
    allowed = (*prove_free_tables(model, full), *prove_removal(network.family, removed), *sums)
    pieces = tuple(take_district_apart(part, effort) for part in parts)
    return DecompositionReport(model, standard, pieces, removed, effort.seed, allowed)


def take_district_apart(part: Part, effort: Effort) -> ByRule | ByRank:
    """One district, by the rule if it is a latent tree."""
    if part.pmap.kept_coordinates is None:
        setting, roots = make_closed_setting(part.pmap, 0, effort.seed)
        found = apply_tree_rule(setting.pmap.model, part.pmap.model, roots, effort)
        if found is not None:
            return found
    report = make_part_report(find_part_bounds(part, effort), effort.seed)
    return ByRank(report.subject, explain_no_tree(part.pmap.model) if report.draws else "", report)


def apply_tree_rule(model: Network, kernel: Network, roots: int, effort: Effort) -> ByRule | None:
    """The rule applied to a latent tree; ``None`` for other models, or if the rank condition is not seen to hold."""
    parts = cut_latent_tree(model)
    if parts is None:
        return None
    smaller = parts.reduction.tree
    tested = is_small_enough(smaller)
    ranks = compute_tested_ranks(smaller, effort.seed) if tested else ()
    if not all(rank.holds for rank in ranks):
        return None
    reports: dict[Shape, Report] = {}
    locals_: list[LocalModel] = []
    names = list(smaller.hidden) or [""]
    for name, local in zip(names, parts.locals, strict=True):
        shape = compute_shape(local)
        if shape not in reports:
            reports[shape] = dimension(local, seed=effort.seed, max_memory=effort.max_memory)
        locals_.append(LocalModel(name, shape, reports[shape]))
    tree = get_original_tree(model)
    subject = ",".join(variable.name for variable in kernel.variables if variable.name not in kernel.given)
    subject += f"|{','.join(kernel.given)}" if kernel.given else ""
    edges = format_count(len(smaller.inner_edges), "edge")
    what = f"{subject or 'the tree'} reduced and cut at {edges}; {describe_condition(ranks)}"
    rule = proved_by("tree rule", what.removesuffix("; "), "capping")
    if roots:
        rule = trust_in_all([rule, proved_by("districts", f"{roots} less for the roots with free tables")])
    return ByRule(
        subject, tree, parts.reduction, ranks, tested, tuple(locals_), cut_at_edges(smaller), parts.shared, roots, rule
    )


def describe_condition(ranks: Sequence[SideRank]) -> str:
    """Where the rank condition was seen to hold; empty where there is no inner edge, or it is that of any reduced tree.

    >>> from algdim.families.discrete.bounds.trees import SideRank
    >>> print(describe_condition([SideRank("G", "H", 2, 2, 101, "algdim 1|0|point|sides|0")]))
    rank P(G's side | G) = 2 = |G|, mod 101, tables drawn from "algdim 1|0|point|sides|0|…"
    """
    if not ranks:
        return ""
    shown = join_names(dict.fromkeys(map(str, ranks)), most=MOST_SHOWN, separator="; ")
    return f'{shown}, mod {ranks[0].prime}, tables drawn from "{ranks[0].streams}|…"'


def get_original_tree(model: Network) -> LatentTree:
    """The tree before it was reduced."""
    tree = find_latent_tree(model)
    assert tree is not None, "a model that decomposes is a latent tree"  # noqa: S101
    return tree


def compute_tested_ranks(tree: LatentTree, seed: int | str) -> tuple[SideRank, ...]:
    """The rank condition at a point; another point is tried where a rank is too small."""
    ranks: tuple[SideRank, ...] = ()
    for number in range(ATTEMPTS):
        ranks = compute_side_ranks(tree, seed, number=number)
        if all(rank.holds for rank in ranks):
            break
    return ranks


def cut_reason(node: Cut, locals_: dict[str, LocalModel]) -> Reason:
    """The proof tree of two-way cuts."""
    if node.edge is None:
        name = next(iter(node.tree.hidden), "")
        local = locals_[name]
        return Reason(f"local model {local}" if local.shape[0] else str(local))
    values = [cut_value(side, locals_) for side in node.sides]
    total = sum(values) - node.shared_entries
    x, z = node.edge
    head = f"cut {x}–{z} (KZ02 Theorem 5): {values[0]} + {values[1]} − {node.shared_entries} = {total}"
    return Reason(head, tuple(cut_reason(side, locals_) for side in node.sides))


def cut_value(node: Cut, locals_: dict[str, LocalModel]) -> int:
    """The dimension of one side, as far as it is known."""
    return sum(locals_[name].report.dimension for name in node.tree.hidden) - sum(
        part.shared_entries for part in collect_cuts(node)
    )


def collect_cuts(node: Cut) -> list[Cut]:
    """The cut and those below it."""
    found = [node]
    for one in found:
        found.extend(one.sides)
    return found


def describe_step(step: ReductionStep) -> str:
    """A step of the reduction in words."""
    others = join_names(step.neighbours, most=6)
    if step.kind == CAPPED:
        return f"reduced {step.name}: {step.before} → {step.after} states, all that {others} can use (KZ02 Lemma 4.1)"
    if step.kind == SPLICED:
        return f"suppressed {step.name} ({step.before} states), between {others}: joined by an edge"
    return f"deleted {step.name} ({step.before} states), {'a leaf next to ' + others if others else 'alone'}"


def convert_step(step: ReductionStep) -> dict[str, Any]:
    """A step of the reduction for machines."""
    return {
        "kind": step.kind,
        "variable": step.name,
        "before": step.before,
        "after": step.after,
        "neighbours": list(step.neighbours),
    }


def explain_no_tree(model: Network) -> str:
    """Which hypothesis of the rule fails."""
    weighted = [variable.name for variable in model.variables if isinstance(variable.local, Weighted)]
    if weighted:
        words = join_names(dict.fromkeys(one.local.kind for one in model.variables if one.name in weighted))
        return f"{join_names(weighted)} {'is' if len(weighted) == 1 else 'are'} {words}"
    own = [variable.name for variable in model.variables if variable.local != FREE]
    if own:
        return f"{join_names(own)} {'has' if len(own) == 1 else 'have'} shared, fixed or equal entries or a function of the parents"
    many = [variable.name for variable in model.variables if len(variable.parents) > 1]
    if many:
        return f"{join_names(many)} {'has' if len(many) == 1 else 'have'} more than one parent"
    single = [variable.name for variable in model.hidden if variable.states == 1]
    if single:
        return f"{join_names(single)} {'has' if len(single) == 1 else 'have'} one state"
    return "it is not connected, or an observed variable is no leaf"


DECOMPOSING = Decomposing(decompose_network)
