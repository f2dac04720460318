"""A classifier taken apart, with every step shown: HM97's two methods, where they hold, and the dimension that is true.

§4 eliminates the whole linear map κ → λ, §6 cuts it into blocks ψ_i. Both find the rank of κ → λ. Whether that is the
dimension depends on the image of θ → κ being open, which HM97 takes for granted (Theorem 1); it is checked here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, ClassVar

import numpy as np

from algdim.bound.strategy import Effort
from algdim.display.models import ResultTree
from algdim.errors import InputError, LimitError, join_names
from algdim.exact.arithmetic import RESIDUE_BITS, Arithmetic, Array, Residues, invert_numbers
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.ranks import rank_mod
from algdim.families.classifier.blocks import (
    ClassifierBlock,
    ClassifierBlocks,
    Phi,
    Steps,
    compute_odds,
    compute_probabilities,
    compute_steps,
    cut_into_blocks,
    format_log_odds,
    list_configurations,
)
from algdim.families.classifier.bounds import find_factors_not_full, is_recipe_valid, rank_of_linear_map
from algdim.families.classifier.map import ClassifierMap, build_classifier_map
from algdim.families.classifier.model import ClassFactor, Classifier
from algdim.families.contract import Decomposing
from algdim.families.discrete.functionals import select_all_cells
from algdim.families.discrete.map import get_param_map
from algdim.figures import format_count, format_integer
from algdim.jacobian import evaluate_functionals, evaluate_jacobian, make_evaluator
from algdim.limits import Untried, describe_untried
from algdim.models.notation import to_text
from algdim.rank import find_usable_prime, try_drawn_points
from algdim.report import Reason, Report, dimension

MOST_ENTRIES = 1 << 18
"""Of a matrix that is eliminated to show what HM97 does; the rank itself needs none."""

MOST_CELLS = 1 << 10
"""Cells of the joint distribution up to which the rank through p(y|x) is shown beside that of the log-odds."""

MOST_VALUES = 20_000
"""Of ψ at given parameters."""

MOST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class ClassMatrix:
    """HM97 §4: the matrix of κ → λ for one state of the class, and its rank by elimination, if it was small enough."""

    rows: int
    columns: int
    rank: int | None

    @property
    def cost(self) -> str:
        """The size of the matrix, in words."""
        return f"{format_count(self.rows, 'row')} and {format_count(self.columns, 'column')}"


@dataclass(frozen=True, slots=True, repr=False)
class ClassifierDecomposition(ResultTree):
    """A classifier in blocks, the global elimination, the report of its dimension, and the numbers at given parameters."""

    _inner: ClassVar[frozenset[str]] = frozenset(
        {
            "basis",
            "both",
            "eliminate_globally",
            "factors",
            "hypothesis",
            "in_blocks",
            "leave",
            "numbers",
            "posteriors",
            "value",
        }
    )

    blocks: ClassifierBlocks
    elimination: ClassMatrix
    report: Report
    through_probabilities: tuple[int, int] | None
    """The ranks of the log-odds and of p(y|x) at one point, where the model is small."""
    steps: Steps | None = None
    source: str = field(default="", compare=False)
    untried: tuple[Untried, ...] = ()

    @property
    def model(self) -> Classifier:
        """The classifier."""
        return self.blocks.model

    @property
    def recipe(self) -> int:
        """The rank of κ → λ."""
        return self.blocks.rank

    @property
    def holds(self) -> bool:
        """Whether the lemma "classifier" shows that the recipe gives the dimension."""
        return is_recipe_valid(self.model)

    @property
    def derivation(self) -> Reason:
        """The proof tree."""
        head, report = self.report.derivation, self.report
        reasons = (
            self.factors(),
            self.eliminate_globally(),
            self.in_blocks(),
            self.hypothesis(),
            Reason(f"dimension {report.dimension} ({report.trust})", head.because),
            *self.both(),
            Reason(
                f"softmax polynomial: {format_log_odds(self.blocks, MOST_SHOWN)}; p(y_k|x) = e^λ_k / Σ_j e^λ_j, λ_0 = 0"
            ),
            *self.basis(),
            *self.numbers(),
        )
        return Reason(head.text, reasons)

    def factors(self) -> Reason:
        """Equation 4: the factors that contain the class."""
        model = self.model
        parents = {variable.name: variable.parents for variable in model.variables}
        texts = [
            f"P({factor.owner}|{','.join(parents[factor.owner])})" if parents[factor.owner] else f"P({factor.owner})"
            for factor in model.factors
        ]
        used = {name for factor in model.factors for name in factor.inputs}
        unused = [name for name in model.inputs if name not in used]
        rest = f"; {join_names(unused)} without influence" if unused else ""
        return Reason(f"λ is made of {join_names(texts)}, all other factors cancel{rest} (HM97 Equation 4)")

    def eliminate_globally(self) -> Reason:
        """§4: the global elimination."""
        found, odds = self.elimination, self.model.classes - 1
        each = f"for each of {odds} states of the class " if odds > 1 else ""
        if found.rank is None:
            return Reason(f"κ → λ (§4): {each}a matrix with {found.cost}, too large to be eliminated here")
        total = f"{odds}·{found.rank} = {odds * found.rank}" if odds > 1 else str(found.rank)
        return Reason(f"κ → λ (§4): {each}elimination of a matrix with {found.cost}; rank {total}")

    def in_blocks(self) -> Reason:
        """§6: the blocks."""
        blocks = [block for block in self.blocks.blocks if block.rank]
        ranks = [str(block.rank) for block in blocks]
        total = f"{' + '.join(ranks)} = {self.recipe}" if len(ranks) <= MOST_SHOWN else str(self.recipe)
        text = f"blocks ψ_i (§6), order {join_names(self.blocks.order) or 'of no inputs'}: {total} (Equation 18, the sum begun at 0)"
        below = [Reason(format_block(block)) for block in blocks[:MOST_SHOWN]]
        if len(blocks) > MOST_SHOWN:
            below.append(Reason(f"… {len(blocks)} blocks in all"))
        largest = max(blocks, key=lambda block: block.psis * block.etas)
        below.append(Reason(f"cost: matrices of up to {largest.psis} × {largest.etas}"))
        return Reason(text, tuple(below))

    def hypothesis(self) -> Reason:
        """What Theorem 1 needs, and whether it is so."""
        if self.holds:
            return Reason(
                'hypothesis of HM97 Theorem 1, that the image of θ → κ is open: holds as far as it is needed (lemma "classifier")'
            )
        if not self.model.is_free:
            return Reason("hypothesis of HM97 Theorem 1: not shown, because tables are fixed, named or shared")
        states, model = self.model.states, self.model
        small = join_names(f"{factor.owner} with {states[factor.owner]}" for factor in find_factors_not_full(model))
        return Reason(
            f"hypothesis of HM97 Theorem 1: not shown, because of fewer states than the {model.classes} of the class: {small}; "
            f"the recipe gives {self.recipe}, which is an upper bound"
        )

    def both(self) -> tuple[Reason, ...]:
        """The rank through p(y|x)."""
        if self.through_probabilities is None:
            return ()
        odds, chances = self.through_probabilities
        return (Reason(f"at one point: rank {odds} of the log-odds, rank {chances} of the probabilities p(y|x)"),)

    def basis(self) -> tuple[Reason, ...]:
        """Equation 19: the non-redundant parameters with their meanings."""
        found = self.blocks.phi[:MOST_SHOWN]
        below = [Reason(f"{one.name}{self.value(one)}: {one.meaning(self.model.label)}") for one in found]
        if self.recipe > len(found):
            below.append(Reason(f"… {self.recipe} in all"))
        kind = "non-redundant" if self.holds else "spanning"
        return (Reason(f"{kind} parameters φ (Equation 19): {self.recipe}", tuple(below)),)

    def value(self, one: Phi) -> str:
        """The value of a parameter φ, if parameters are given."""
        return "" if self.steps is None else f" = log {self.steps.phi[one]}"

    def numbers(self) -> tuple[Reason, ...]:
        """p(y|x) through φ → λ, if parameters are given."""
        if self.steps is None:
            return ()
        rows = self.posteriors()
        below = [
            Reason(f"{','.join(f'{name}={state}' for name, state in states)}: {', '.join(map(str, values))}")
            for states, values in rows[:MOST_SHOWN]
        ]
        if len(rows) > MOST_SHOWN:
            below.append(Reason(f"… {len(rows)} in all"))
        return (Reason(f"p({self.model.label}|x) through φ → λ, at the parameters of {self.source}", tuple(below)),)

    def posteriors(self) -> list[tuple[tuple[tuple[str, int], ...], tuple[Fraction, ...]]]:
        """p(y|x) for all configurations of the inputs, by φ → λ and Equation 3."""
        if self.steps is None:
            return []
        phi = self.steps.phi
        return [
            (states, compute_probabilities(compute_odds(self.blocks, phi, dict(states))))
            for states in list_configurations(self.model, self.model.inputs)
        ]

    def lines(self) -> list[str]:
        return [*ResultTree.lines(self), *([describe_untried(self.untried)] if self.untried else [])]

    def to_dict(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "model": to_text(self.model),
            "family": self.model.family,
            "recipe": self.recipe,
            "recipe_holds": self.holds,
            "elimination": {
                "rows": self.elimination.rows,
                "columns": self.elimination.columns,
                "rank": self.elimination.rank,
            },
            "order": list(self.blocks.order),
            "blocks": [
                {
                    "input": block.variable,
                    "context": list(block.context),
                    "eta": block.etas,
                    "psi": block.psis,
                    "rank": block.rank,
                }
                for block in self.blocks.blocks
            ],
            "phi": [{"name": one.name, "meaning": one.meaning(self.model.label)} for one in self.blocks.phi],
            "ranks_at_one_point": None
            if self.through_probabilities is None
            else dict(zip(("log_odds", "probabilities"), self.through_probabilities, strict=True)),
            "report": self.report.to_dict(),
            "not_tried": [one.to_dict() for one in self.untried],
        }
        if self.steps is not None:
            document["phi_values"] = {one.name: f"log {value}" for one, value in self.steps.phi.items()}
            document["posteriors"] = [
                {"inputs": dict(states), "probabilities": [str(value) for value in values]}
                for states, values in self.posteriors()
            ]
        return document


def format_block(block: ClassifierBlock) -> str:
    """One line for a block."""
    if not block.variable:
        return f"ψ0 = η0: rank {block.rank}"
    etas = join_names(
        f"η({term.factor.owner}{'|' if term.before else ''}{','.join(term.before)})" for term in block.terms
    )
    context = f"({','.join(block.context)})" if block.context else ""
    return f"ψ of {block.variable}{context}, sums of {etas}: {block.psis} × {block.etas}, rank {block.rank}"


def decompose_classifier(model: Classifier, effort: Effort) -> ClassifierDecomposition:
    """Take a classifier apart into blocks, one for each input."""
    return take_apart_in_order(model, effort, None, None)


def take_apart_in_order(
    model: Classifier, effort: Effort, order: Sequence[str] | None, at: Any
) -> ClassifierDecomposition:
    """The same with the inputs in an order, and with the numbers at the tables of a parameter file."""
    blocks = cut_into_blocks(model, order)
    report = dimension(model, seed=effort.seed, max_memory=effort.max_memory)
    steps = None if at is None else evaluate_steps(blocks, at)
    source = "the given tables" if isinstance(at, dict) else str(at)
    return ClassifierDecomposition(
        blocks, build_class_matrix(model), report, compute_both_ranks(model, report.seed), steps, source
    )


def evaluate_steps(blocks: ClassifierBlocks, source: Any) -> Steps:
    """The steps at the tables of a parameter file."""
    from algdim.readers.parameters import read_parameters

    values = max(sum(block.psis for block in blocks.blocks), prod(blocks.model.states.values()))
    if values > MOST_VALUES:
        raise LimitError(
            f"there are {format_integer(values)} numbers ψ or probabilities; at most {MOST_VALUES} are computed at given parameters; "
            "take a smaller model"
        )
    tables = read_parameters(source, blocks.model.network)
    for name, rows in tables.items():
        if any(value == 0 for row in rows for value in row):
            raise InputError(
                f"{name}: a probability is 0, and log-odds need its logarithm; take positive probabilities"
            )
    return compute_steps(blocks, tables)


def build_class_matrix(model: Classifier) -> ClassMatrix:
    """The matrix of κ → λ for one state of the class: configurations of the inputs × κ, eliminated if it is small."""
    states = model.states
    used = [name for name in model.inputs if any(name in factor.inputs for factor in model.factors)]
    rows = prod(states[name] for name in used)
    columns = sum(prod(states[name] for name in factor.inputs) for factor in model.factors)
    if rows * columns > MOST_ENTRIES:
        return ClassMatrix(rows, columns, None)
    cells = list(product(*(range(states[name]) for name in used)))
    matrix = np.zeros((rows, columns))
    start = 0
    for factor in model.factors:
        for row, cell in enumerate(cells):
            matrix[row, start + compute_configuration_number(factor, dict(zip(used, cell, strict=True)), states)] = 1
        start += prod(states[name] for name in factor.inputs)
    # zeros and ones: modulo a prime the rank cannot be greater, and it is compared with the count of faces
    prime = find_usable_prime(get_param_map(model.network), RESIDUE_BITS, 0, "elimination")
    rank = rank_mod(matrix, prime).value
    assert (model.classes - 1) * rank == rank_of_linear_map(model, model.factors), "a count of faces is a rank"  # noqa: S101
    return ClassMatrix(rows, columns, rank)


def compute_configuration_number(factor: ClassFactor, states: dict[str, int], sizes: Mapping[str, int]) -> int:
    """The number of a configuration of a factor's inputs, the first slowest."""
    place = 0
    for name in factor.inputs:
        place = place * sizes[name] + states[name]
    return place


def compute_both_ranks(model: Classifier, seed: int | str) -> tuple[int, int] | None:
    """The ranks of the log-odds and of p(y|x) at one point modulo a prime; ``None`` where the model is not small.

    p(y|x) is taken from the joint distribution by the quotient rule, so nothing is shared with the map of the log-odds.
    """
    if prod(model.states.values()) > MOST_CELLS:
        return None
    cmap = build_classifier_map(model)

    def ranks(labels: tuple[int | str, ...]) -> tuple[int, int]:
        prime = find_usable_prime(cmap, RESIDUE_BITS, seed, *labels)
        arithmetic = Residues(prime)
        point = arithmetic.elements(draw_residues(open_stream(seed, "point", *labels), prime, len(cmap.parameters)))
        log_odds = evaluate_jacobian(cmap, arithmetic, point, make_evaluator(cmap).all_coordinates())
        chances = differentiate_probabilities(cmap, arithmetic, point)
        return rank_mod(log_odds, prime).value, rank_mod(chances, prime).value

    return try_drawn_points(("both",), ranks)


def differentiate_probabilities(cmap: ClassifierMap, arithmetic: Arithmetic, point: Array) -> Array:
    """The Jacobian of p(y|x) = p(y,x)/p(x), from that of the joint distribution by the quotient rule."""
    network, classes = cmap.tables, cmap.model.classes
    cells, shape, axis = select_all_cells(network), network.shape, cmap.label_axis
    joint = np.moveaxis(evaluate_functionals(network, arithmetic, point, cells).reshape(shape), axis, 0)
    slopes = np.moveaxis(evaluate_jacobian(network, arithmetic, point, cells).reshape(*shape, -1), axis, 0)
    joint, slopes = joint.reshape(classes, -1), slopes.reshape(classes, joint[0].size, -1)
    first = np.zeros(1, dtype=np.intp)
    inverse = invert_numbers(arithmetic, arithmetic.segment_sums(joint, first))
    chances = arithmetic.multiply(joint, inverse)
    minus = arithmetic.elements(np.array([-1]))
    lost = arithmetic.multiply(minus, arithmetic.multiply(chances[..., None], arithmetic.segment_sums(slopes, first)))
    found = arithmetic.multiply(arithmetic.add(slopes, lost), inverse[..., None])
    return np.asarray(found.reshape(joint.size, found.shape[-1]))


DECOMPOSING = Decomposing(decompose_classifier, take_apart_in_order)
