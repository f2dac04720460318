"""KZ02 §3 for one latent class model: its counts and bounds, regularity, Lemma 3.1. No rank is taken, any size is exact."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from algdim.display.results import convert_members
from algdim.errors import InputError
from algdim.families.discrete.bounds.pairwise import (
    build_grouping,
    can_search_groupings,
    count_class_parameters,
    find_latent_class,
)
from algdim.families.discrete.bounds.secants import Defective, find_defective_format
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.model import Network, Variable
from algdim.families.discrete.trees import convert_to_network, find_latent_tree
from algdim.figures import format_integer
from algdim.models.notation import to_text
from algdim.trust import Trust, proved_by

STANDARD, COMPLETE, PAIRWISE = "ds", "dc", "dp"
MOST_LISTED = 20


@dataclass(frozen=True, slots=True)
class Lemma31:
    """KZ02 Lemma 3.1 (lemma "pairwise" (c)), squared and multiplied out, so that both inequalities are between integers.

    With n items of r₁, …, r_n states and |O| = ∏ rᵢ: k < 2√|O| − Σrᵢ + (n − 1) is ``first``[0]² < ``first``[1], with
    k + Σrᵢ − (n − 1) and 4|O|; k < |O| / (Σrᵢ − (n − 1)) is ``second``[0] < ``second``[1]. If both are true, ds < dp and
    ds < dc.
    """

    first: tuple[int, int]
    second: tuple[int, int]

    @property
    def below_pairwise(self) -> bool:
        """The first inequality."""
        return self.first[0] ** 2 < self.first[1]

    @property
    def below_complete(self) -> bool:
        """The second inequality."""
        return self.second[0] < self.second[1]

    @property
    def holds(self) -> bool:
        """Whether the lemma shows that no bound is below the number of parameters."""
        return self.below_pairwise and self.below_complete

    def __str__(self) -> str:
        """Whether it applies, and the inequalities in figures."""
        a, b = self.first
        c, d = self.second
        return (
            f"{'applies' if self.holds else 'does not apply'}: {format_integer(a)}² < 4|O| = {format_integer(b)} {format_verdict(self.below_pairwise)}, "
            f"{format_integer(c)} < |O| = {format_integer(d)} {format_verdict(self.below_complete)}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON report."""
        return {
            "holds": self.holds,
            "first": {"squared": self.first[0], "below": self.first[1], "holds": self.below_pairwise},
            "second": {"value": self.second[0], "below": self.second[1], "holds": self.below_complete},
        }


@dataclass(frozen=True, slots=True)
class LatentClassBounds:
    """ds, dc, dp and db of a latent class model (KZ02 Theorems 3 and 4), and what of it is regular (Lemma 3.2).

    ``dp`` is dc and ``partition`` is ``None`` where no bipartition qualifies. ``dp`` is ``None`` where there are too many
    bipartitions and Lemma 3.1 shows that none matters.
    """

    model: Network
    standard: int
    complete: int
    pairwise_bound: int | None
    partition: tuple[tuple[str, ...], tuple[str, ...]] | None
    lemma: Lemma31
    equivalent: Network
    defective: Defective | None
    trust: Trust
    """In the bounds and the equivalent model."""

    @property
    def best_bound(self) -> int:
        """KZ02 Theorem 4's db, the least of the three."""
        return min(value for value in self.values.values() if value is not None)

    @property
    def at_most(self) -> tuple[int, Trust]:
        """What the dimension is at most, without any rank."""
        if self.defective is None or self.defective.at_most >= self.best_bound:
            return self.best_bound, self.trust
        return self.defective.at_most, self.defective.trust

    @property
    def values(self) -> dict[str, int | None]:
        """The three bounds by their short names."""
        return {STANDARD: self.standard, COMPLETE: self.complete, PAIRWISE: self.pairwise_bound}

    @property
    def attained(self) -> tuple[str, ...]:
        """Which of the bounds are the least."""
        return tuple(name for name, value in self.values.items() if value == self.best_bound)

    @property
    def regular(self) -> bool:
        """Whether there are no more classes than the items can use (KZ02 after Lemma 3.2)."""
        return self.equivalent == self.model

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """The record for people, line by line."""
        least = ", ".join(self.attained)
        lines = [
            to_text(self.model),
            f"ds  {format_integer(self.standard)}   parameters",
            f"dc  {format_integer(self.complete)}   saturated model",
            f"dp  {'—' if self.pairwise_bound is None else format_integer(self.pairwise_bound)}   {self.pairwise_text}",
            f"db  {format_integer(self.best_bound)}   the least of them: {least}",
        ]
        if self.regular:
            lines.append("regular")
        else:
            lines.append(f"not regular: equivalent to {to_text(self.equivalent)}")
        lines.append(f"Lemma 3.1 {self.lemma}")
        if self.defective is not None:
            lines.append(f"db is not tight: {self.defective}")
        return lines

    @property
    def pairwise_text(self) -> str:
        """What dp stands on."""
        if self.pairwise_bound is None:
            return "too many bipartitions to compare; by Lemma 3.1 it is above ds"
        if self.partition is None:
            return "no bipartition of the items has both sides above the number of classes: dc"
        states = self.model.states
        left, right = (" × ".join(side) if len(side) <= 6 else f"{len(side)} items" for side in self.partition)
        a, b = (prod(states[name] for name in side) for side in self.partition)
        return f"bipartition {left} | {right}, a {format_integer(a)} × {format_integer(b)} matrix"

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON report: short names and long ones."""
        return {
            "model": to_text(self.model),
            **convert_members(self, "ds=standard dc=complete dp=pairwise_bound db=best_bound"),
            **convert_members(self, "standard complete pairwise_bound best_bound partition attained regular"),
            "equivalent": to_text(self.equivalent),
            **convert_members(self, "lemma_3_1=lemma defective trust"),
        }


def compute_latent_class_bounds(model: Network) -> LatentClassBounds:
    """KZ02's bounds of a latent class model with free tables.

    >>> from algdim.models.notation import parse
    >>> found = compute_latent_class_bounds(parse("3:2,2,2,2"))
    >>> found.standard, found.complete, found.pairwise_bound, found.best_bound, found.attained
    (14, 15, 14, 14, ('ds', 'dp'))
    """
    model = convert_to_rooted(model)
    shape = find_latent_class(model)
    assert shape is not None, "rooted() gives latent class models"  # noqa: S101
    classes, items = shape
    lemma = evaluate_lemma_3_1(classes, items)
    complete = prod(items) - 1
    partition, dp = None, None
    # what is not searchable has 19 different sizes or 2^1023 cells, and no more classes than a variable may have states
    if can_search_groupings(items) or not lemma.holds:
        partition, dp = find_best_pairwise(classes, items, model)
    defect = find_defective_format(classes, items)
    shown = ", ".join(map(str, items[:MOST_LISTED])) + (", …" if len(items) > MOST_LISTED else "")
    return LatentClassBounds(
        model=model,
        standard=count_class_parameters(classes, items),
        complete=complete,
        pairwise_bound=dp,
        partition=partition,
        lemma=lemma,
        equivalent=replace_class_count(model, min(classes, prod(items) // max(items))),
        defective=defect,
        trust=proved_by(
            "counting and ambient", f"{classes} classes, items with {shown} states, free tables", "pairwise", "capping"
        ),
    )


def find_best_pairwise(
    classes: int, items: tuple[int, ...], model: Network
) -> tuple[tuple[tuple[str, ...], tuple[str, ...]] | None, int]:
    """The best bipartition by name, if one qualifies, and KZ02's dp."""
    sides = build_grouping(classes, items)
    if sides is None:
        return None, prod(items) - 1
    names = [item.name for item in model.observed]
    left, right = (prod(items[number] for number in side) for side in sides)
    first, second = (tuple(names[number] for number in side) for side in sides)
    return (first, second), classes * (left + right - classes) - 1


def evaluate_lemma_3_1(classes: int, items: tuple[int, ...]) -> Lemma31:
    """The two inequalities of KZ02 Lemma 3.1.

    >>> evaluate_lemma_3_1(2, (2,) * 6).holds, evaluate_lemma_3_1(3, (2,) * 4).holds
    (True, False)
    """
    cells, width = prod(items), sum(size - 1 for size in items) + 1
    return Lemma31((classes + width, 4 * cells), (classes * width, cells))


def convert_to_rooted(model: Network) -> Network:
    """The latent class model with its class variable as the root; an error that says what is wrong if it is none."""
    if find_latent_class(model) is not None and all(variable.local == FREE for variable in model.variables):
        return model
    tree = find_latent_tree(model)
    if tree is not None and len(tree.hidden) == 1:
        return convert_to_network(tree)
    if tree is not None:
        raise InputError(
            f"{to_text(model)} has {len(tree.hidden)} hidden variables; these bounds are for one. "
            "`algdim decompose` takes latent trees"
        )
    if any(variable.local != FREE for variable in model.variables):
        raise InputError(
            "a table is shared, fixed, partly equal, a function or sigmoid; KZ02's bounds are for free tables. `algdim dim` takes any"
        )
    raise InputError(
        f"{to_text(model)} is no latent class model, one hidden variable and items that are independent given it, like "
        "4:3,3,3. `algdim dim` takes any network"
    )


def replace_class_count(model: Network, classes: int) -> Network:
    """The model with this many classes."""

    def change_states(variable: Variable) -> Variable:
        return variable if variable.observed else variable.with_states(classes)

    return Network(tuple(change_states(variable) for variable in model.variables))


def format_verdict(holds: bool) -> str:
    """A truth value in words."""
    return "holds" if holds else "fails"
