"""HM97 §6: the log-odds of a classifier as a sum of blocks, and a set of non-redundant parameters.

The names are the paper's. Inputs are ordered; all states are compared with state 0.

- ω: the ratio a_S(x_S, y_k)/a_S(x_S, y_0) of entries of one factor S (Equations 20–23; κ in Equation 7);
- η_i: what ω changes if X_i goes from 0 to s while the inputs after it are 0 (Equations 13–16), for each factor with X_i;
- ψ_i: what λ changes, the sum of the η_i (Equation 12). It depends on the *context* of X_i: the inputs before it that
  stand in one factor with it;
- φ: those ψ whose context is 0 outside a face of the complex that the factors generate. They are a basis of the image
  of η → ψ, block by block (Equations 18 and 19), and λ is recovered from them (`compute_odds`).

ω, η, ψ, φ and λ are logarithms in the paper. Here the numbers themselves are kept, so that everything is exact: sums are
products, differences quotients.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from graphlib import TopologicalSorter
from itertools import product
from math import prod

from algdim.errors import InputError, join_names
from algdim.families.classifier.model import ClassFactor, Classifier
from algdim.models.graphs import compute_span_dimension, iterate_subsets, list_faces

States = tuple[tuple[str, int], ...]
"""Some inputs with their states, in the order of the blocks."""

Tables = Mapping[str, Sequence[Sequence[Fraction]]]
"""The table of each variable as in a parameter file: a row for each configuration of the parents, the first slowest."""


@dataclass(frozen=True, slots=True)
class EtaTerm:
    """The η of one factor in a block: the factor, and which of its inputs come before the block's own."""

    factor: ClassFactor
    before: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phi:
    """One non-redundant parameter: a state of the class, and inputs that are not 0, the block's own last.

    It is the change of the log-odds of that state if the last input leaves 0, with the others as they are named and all
    inputs that are not named 0; without inputs it is the log-odds where all are 0.
    """

    k: int
    states: States

    @property
    def name(self) -> str:
        """The name: φ(Y-state; context; own).

        >>> Phi(1, (("X1", 1), ("X2", 2))).name, Phi(1, ()).name
        ('φ1(X2=2|X1=1)', 'φ1')
        """
        if not self.states:
            return f"φ{self.k}"
        *context, own = [f"{name}={state}" for name, state in self.states]
        return f"φ{self.k}({own}{'|' if context else ''}{','.join(context)})"

    def meaning(self, label: str) -> str:
        """What it says of the class.

        >>> Phi(1, (("X1", 1), ("X2", 2))).meaning("Y")
        'λ(Y=1|X1=1,X2=2) − λ(Y=1|X1=1,X2=0), other inputs 0'
        """
        if not self.states:
            return f"λ({label}={self.k}) where all inputs are 0"
        *context, (name, state) = self.states
        before = "".join(f"{other}={value}," for other, value in context)
        return f"λ({label}={self.k}|{before}{name}={state}) − λ({label}={self.k}|{before}{name}=0), other inputs 0"


@dataclass(frozen=True, slots=True)
class ClassifierBlock:
    """ψ_i: an input, its context, its terms, how many η_i and ψ_i there are, and the rank of η_i → ψ_i.

    The block without an input is ψ_0 = η_0.
    """

    variable: str
    context: tuple[str, ...]
    terms: tuple[EtaTerm, ...]
    etas: int
    psis: int
    rank: int


@dataclass(frozen=True, slots=True)
class ClassifierBlocks:
    """All blocks of a classifier in an order of the inputs, ψ_0 first."""

    model: Classifier
    order: tuple[str, ...]
    blocks: tuple[ClassifierBlock, ...]

    @property
    def rank(self) -> int:
        """The sum of the ranks: Equation 18, which begins at 0."""
        return sum(block.rank for block in self.blocks)

    @property
    def faces(self) -> tuple[tuple[str, ...], ...]:
        """The faces of the complex that the factors generate, each in the order of the blocks."""
        return list_faces([factor.inputs for factor in self.model.factors], self.order)

    @property
    def phi(self) -> tuple[Phi, ...]:
        """The non-redundant parameters, block by block (Equation 19)."""
        place = {name: number for number, name in enumerate(self.order, 1)}
        states = self.model.states
        found = [
            Phi(k, tuple(zip(face, chosen, strict=True)))
            for face in sorted(self.faces, key=lambda face: place[face[-1]] if face else 0)
            for chosen in product(*(range(1, states[name]) for name in face))
            for k in range(1, self.model.classes)
        ]
        return tuple(found)


def cut_into_blocks(model: Classifier, order: Sequence[str] | None = None) -> ClassifierBlocks:
    """Cut the log-odds into blocks, in any order of the inputs; by default in one that agrees with the network.

    >>> from algdim.models.notation import parse
    >>> found = cut_into_blocks(parse("classifier Y: Y -> X1, X2; X1 -> X2"))
    >>> [(block.variable, block.context, block.rank) for block in found.blocks]
    [('', (), 1), ('X1', (), 1), ('X2', ('X1',), 2)]
    """
    chosen = find_natural_order(model) if order is None else tuple(order)
    if sorted(chosen) != sorted(model.inputs):
        raise InputError(
            f"the order {join_names(chosen)} is not one of all inputs, each once: {join_names(model.inputs)}"
        )
    odds, states = model.classes - 1, model.states
    found = [ClassifierBlock("", (), (), odds, odds, odds)]
    for number, name in enumerate(chosen):
        earlier = chosen[:number]
        terms = tuple(
            EtaTerm(factor, tuple(other for other in earlier if other in factor.inputs))
            for factor in model.factors
            if name in factor.inputs
        )
        context = tuple(other for other in earlier if any(other in term.before for term in terms))
        each = odds * (states[name] - 1) if terms else 0
        found.append(
            ClassifierBlock(
                name,
                context,
                terms,
                each * sum(prod(states[other] for other in term.before) for term in terms),
                each * prod(states[other] for other in context),
                each
                * compute_span_dimension([term.before for term in terms], {other: states[other] for other in context}),
            )
        )
    return ClassifierBlocks(model, chosen, tuple(found))


def find_natural_order(model: Classifier) -> tuple[str, ...]:
    """The inputs in an order in which parents come before their children (HM97 §6 finds it the most efficient)."""
    parents = {variable.name: variable.parents for variable in model.variables}
    return tuple(name for name in TopologicalSorter(parents).static_order() if name != model.label)


@dataclass(frozen=True, slots=True)
class Steps:
    """The numbers at given tables, from ω to φ; all of them are the exponentials of what the paper calls so."""

    blocks: ClassifierBlocks
    omega: Mapping[tuple[str, int, States], Fraction]
    eta: Mapping[tuple[str, int, States], Fraction]
    psi: Mapping[tuple[int, States], Fraction]
    phi: Mapping[Phi, Fraction]


def compute_steps(blocks: ClassifierBlocks, tables: Tables) -> Steps:
    """Compute ω, η, ψ and φ from the tables of the network.

    Keys of ω and η begin with the owner of the factor; the last of the states in the keys of η and ψ is the block's input.
    """
    model = blocks.model
    omega = {
        (factor.owner, k, states): compute_ratio(model, tables, factor, k, dict(states))
        for factor in model.factors
        for k in range(1, model.classes)
        for states in list_configurations(model, [name for name in blocks.order if name in factor.inputs])
    }

    def change(term: EtaTerm, k: int, states: States) -> Fraction:
        """What ω of a factor changes if the last of the states leaves 0."""
        chosen = dict(states)
        *_, (own, _) = states
        names = [name for name in blocks.order if name in term.factor.inputs]
        after = tuple((name, chosen.get(name, 0)) for name in names)
        before = tuple((name, 0 if name == own else state) for name, state in after)
        return omega[term.factor.owner, k, after] / omega[term.factor.owner, k, before]

    eta: dict[tuple[str, int, States], Fraction] = {}
    psi: dict[tuple[int, States], Fraction] = {}
    for k in range(1, model.classes):
        zeros = dict.fromkeys(blocks.order, 0)
        psi[k, ()] = prod(
            (compute_ratio(model, tables, factor, k, zeros) for factor in model.factors), start=Fraction(1)
        )
    for block in blocks.blocks[1:]:
        for k in range(1, model.classes):
            for context in list_configurations(model, block.context):
                for state in range(1, model.states[block.variable] if block.terms else 1):
                    total = Fraction(1)
                    for term in block.terms:
                        key = (*(pair for pair in context if pair[0] in term.before), (block.variable, state))
                        eta[term.factor.owner, k, key] = change(term, k, key)
                        total *= eta[term.factor.owner, k, key]
                    psi[k, (*context, (block.variable, state))] = total
    context_of = {block.variable: block.context for block in blocks.blocks}
    phi = {one: psi[one.k, extend_to_context(one.states, context_of)] for one in blocks.phi}
    return Steps(blocks, omega, eta, psi, phi)


def list_configurations(model: Classifier, names: Sequence[str]) -> list[States]:
    """All states of some inputs."""
    return [
        tuple(zip(names, states, strict=True)) for states in product(*(range(model.states[name]) for name in names))
    ]


def extend_to_context(states: States, context_of: Mapping[str, Sequence[str]]) -> States:
    """The key of the ψ that a φ is: its context with the inputs that are 0."""
    if not states:
        return ()
    *named, own = states
    chosen = dict(named)
    return (*((name, chosen.get(name, 0)) for name in context_of[own[0]]), own)


def compute_ratio(
    model: Classifier, tables: Tables, factor: ClassFactor, k: int, states: Mapping[str, int]
) -> Fraction:
    """ω: the entry of a factor for class k over that for class 0."""

    def entry(label: int) -> Fraction:
        at = {**states, model.label: label}
        variable = next(one for one in model.variables if one.name == factor.owner)
        share = getattr(variable.local, "share", None)
        row = 0
        for parent in variable.parents:
            row = row * model.states[parent] + at[parent]
        return Fraction(tables[share or variable.name][row][at[variable.name]])

    return entry(k) / entry(0)


def compute_odds(
    blocks: ClassifierBlocks, phi: Mapping[Phi, Fraction], states: Mapping[str, int]
) -> tuple[Fraction, ...]:
    """φ → λ, the alternative inference of HM97 §6: the odds e^λ of each state of the class but the first.

    λ is the sum over the faces among the inputs that are not 0 of their interactions, and an interaction is an
    alternating sum of φ.
    """
    found = []
    for k in range(1, blocks.model.classes):
        total = Fraction(1)
        for face in blocks.faces:
            if all(states[name] for name in face):
                total *= compute_interaction(phi, k, tuple((name, states[name]) for name in face))
        found.append(total)
    return tuple(found)


def compute_interaction(phi: Mapping[Phi, Fraction], k: int, states: States) -> Fraction:
    """The coefficient of a product of indicators in λ, as its exponential: φ of all subsets of the context, alternating."""
    if not states:
        return phi[Phi(k, ())]
    *context, own = states
    total = Fraction(1)
    for chosen in iterate_subsets(range(len(context))):
        value = phi[Phi(k, (*(context[number] for number in chosen), own))]
        total = total / value if (len(context) - len(chosen)) % 2 else total * value
    return total


def compute_probabilities(odds: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The softmax function (HM97 Equation 3) of the log-odds, which are given as odds.

    >>> compute_probabilities([Fraction(1), Fraction(2)])
    (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))
    """
    total = 1 + sum(odds)
    return (1 / Fraction(total), *(value / total for value in odds))


def format_log_odds(blocks: ClassifierBlocks, most: int = 40) -> str:
    """The log-odds as a polynomial in indicators; with the softmax function on top, a softmax polynomial regression.

    >>> from algdim.models.notation import parse
    >>> format_log_odds(cut_into_blocks(parse("classifier Y: Y -> X1, X2; X1 -> X2")))
    'λ_k = c_k + c_k(X1=1)·[X1=1] + c_k(X2=1)·[X2=1] + c_k(X1=1,X2=1)·[X1=1][X2=1]'
    """
    states = blocks.model.states
    terms = ["c_k"]
    for face in blocks.faces[1:]:
        for chosen in product(*(range(1, states[name]) for name in face)):
            if len(terms) == most:
                return f"λ_k = {' + '.join(terms)} + …"
            texts = [f"{name}={state}" for name, state in zip(face, chosen, strict=True)]
            terms.append(f"c_k({','.join(texts)})·{''.join(f'[{text}]' for text in texts)}")
    return f"λ_k = {' + '.join(terms)}"
