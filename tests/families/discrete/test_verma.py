"""Verma-type equations: those known, none that is false, none that says nothing, none that is missing; under zeros as well."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from amount import daily, in_turn
from suites.members import Formulas, random_member, random_network, saturated_table

import algdim
from algdim import constraints
from algdim.families.discrete.equations import possiblestates, redundancy, verma
from algdim.families.discrete.equations.kerneltexts import format_verma
from algdim.families.discrete.equations.redundancy import differentiate_equation, draw_nested_point, make_tangents
from algdim.families.discrete.equations.verma import find_verma_equations
from algdim.models.graphs import MixedGraph, project_hidden_variables

VERMA = "A -> B -> C -> D; U -> B, D; hidden U"
TWO_STEPS = "A -> B -> C -> D -> E -> F; H1 -> A, C; H2 -> A, D; H3 -> C, E; H4 -> B, F; hidden H1, H2, H3, H4"
MANY = "A -> B -> C -> D -> E -> F -> G; " + "; ".join(
    f"H{number} -> {pair}" for number, pair in enumerate(["A, C", "A, D", "C, E", "B, F", "A, G", "B, G", "D, G"])
)


def texts(text):
    """The Verma-type equations of a model as they are printed."""
    return [one.text for one in constraints(text).of_kind("verma")]


def are_equal(groups):
    """Whether the values in each group are the same."""
    return all(len(set(group)) == 1 for group in groups)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (VERMA, ["Σ_B P(B|A) P(D|A,B,C) does not depend on A"]),
        (f"{VERMA}; states A=3, B=4, U=9", ["Σ_B P(B|A) P(D|A,B,C) does not depend on A"]),
        (
            "A -> B -> C -> D -> E; U -> B, D; V -> C, E; hidden U, V",
            ["Σ_B P(B|A) P(D|A,B,C) does not depend on A", "Σ_C P(C|B) P(E|B,C,D) does not depend on B"],
        ),
        (
            "A -> B -> C; U -> A, D; V -> A, C; hidden U, V",
            ["[Σ_A P(A) P(C|A,B) P(D|A,B,C)] / [Σ_A P(A) P(C|A,B)] does not depend on B,C"],
        ),
    ],
)
def test_known_equations(text, expected):
    """Verma's and Pearl's; two of them along a chain; an independence that appears in a kernel only."""
    assert expected == texts(text)


@pytest.mark.parametrize(
    "text",
    [
        "2:2,2,2",
        "A -> B -> C",
        "A -> C <- H -> D <- B; hidden H",
        "A -> B; U -> A, B; hidden U",
        "X0, X1 -> X2 -> X3; X0, X3 -> X4; U0 -> X1, X3, X4; hidden U0",
    ],
)
def test_none_where_independences_say_all(text):
    """Not where nothing can be summed out below another variable, nor where the sum is an identity."""
    assert [] == texts(text)


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("start", daily(range(0, 160, 20), 1))
def test_no_printed_equation_is_false(start, zeros):
    """At exact members, with zeros and functions or without, every equation of every kind holds, and no Verma-type one everywhere."""
    for seed in range(start, start + 20):
        model = algdim.model(random_network(seed, zeros=zeros))
        found = constraints(model)
        member = Formulas(model, random_member(model, seed))
        for one in (*found.constraints, *(one for rest in found.rests for one in rest.implied)):
            evidence = one.evidence
            if one.kind == "independence":
                assert member.independence(evidence["A"], evidence["B"], evidence["C"]), (seed, one.text)
            elif one.kind == "flattening":
                sides = [evidence[side] for side in "ABC"]
                for state in evidence.get("states", member.joint(evidence["C"])):
                    assert member.rank(*sides, state) <= evidence["rank"], (seed, one.text)
            else:
                free = Formulas(model, saturated_table(model, seed))
                assert are_equal(member.verma(one.text)), (seed, one.text)
                assert not are_equal(free.verma(one.text)), (seed, one.text)


@pytest.mark.parametrize("text", daily([TWO_STEPS, f"{MANY}; hidden H0, H1, H2, H3, H4, H5, H6"], 1))
def test_kernels_of_kernels(text):
    """Equations with several steps, too: the printed formulas hold at a member, and not at a table that is none."""
    model = algdim.model(text)
    printed = texts(text)
    member, free = Formulas(model, random_member(model, 1)), Formulas(model, saturated_table(model, 1))

    assert any(", where Q[" in one for one in printed)
    for one in [one for one in printed if len(one) < 150]:
        assert are_equal(member.verma(one)), one
        assert not are_equal(free.verma(one)), one


COPY = "max C"
SAME_COPY = "fix P(C=0|B=0)=1, P(C=1|B=0)=0, P(C=0|B=1)=0, P(C=1|B=1)=1"
HALF = "fix P(C=0|B=0)=1, P(C=1|B=0)=0"


def test_verma_does_not_hold_under_zeros():
    """If C is a copy of B, the sum over what is possible depends on A: 1/9 and 23/120, by the numbers of one member."""
    b_given = {(0, 0): Fraction(1, 3), (0, 1): Fraction(1, 5), (1, 0): Fraction(1, 2), (1, 1): Fraction(3, 4)}
    d_given = {0: Fraction(3, 5), 1: Fraction(1, 9)}

    def joint(a, b, d):
        value = Fraction(0)
        for u in (0, 1):
            chance = b_given[a, u] if b else 1 - b_given[a, u]
            value += Fraction(1, 2) * chance * (d_given[u] if d else 1 - d_given[u])
        return value

    def summed(a):
        both = joint(a, 1, 0) + joint(a, 1, 1)
        return both * joint(a, 1, 1) / both

    assert summed(0) != summed(1)


@pytest.mark.parametrize("clause", [COPY, SAME_COPY])
def test_what_zeros_make_undefined_is_left_out(clause):
    """No equation is printed, and a note says that one was left out and why."""
    found = constraints(f"{VERMA}; {clause}")

    assert () == found.of_kind("verma")
    assert any(
        "1 Verma-type equation of the graph left out: a denominator is identically zero" in note for note in found.notes
    )
    assert found.to_dict()["verma_complete"] is None


def test_the_states_for_which_it_holds_are_named():
    """With C = 0 all B are possible, and the equation holds; for C = 1 it would be false."""
    text = f"{VERMA}; {HALF}"
    found = constraints(text)
    (one,) = found.of_kind("verma")
    member = Formulas(algdim.model(text), random_member(algdim.model(text), 4))

    assert "Σ_B P(B|A) P(D|A,B,C) does not depend on A, for C=0" == one.text
    assert (["C"], [[0]]) == (one.evidence["where"], one.evidence["states"])
    assert one.latex.endswith(r"\text{ does not depend on }A\text{, for }C=0")
    assert are_equal(member.verma(one.text))
    with pytest.raises(ZeroDivisionError):
        member.verma(one.text.replace("C=0", "C=1"))


def test_zeros_elsewhere_take_nothing_away():
    """A zero in the table of the last variable makes no denominator vanish."""
    assert ["Σ_B P(B|A) P(D|A,B,C) does not depend on A"] == texts(f"{VERMA}; fix P(D=0|C=0,U=0)=0, P(D=1|C=0,U=0)=1")


def test_noisy_or_without_leak():
    """A model with mechanisms has impossible cells as well."""
    text = "A -> B; B -> C; C -> D; U -> B, D; hidden U; fix P(C=1|B=0)=0, P(C=0|B=0)=1"

    assert ["Σ_B P(B|A) P(D|A,B,C) does not depend on A, for C=0"] == texts(text)


def test_cells_beyond_the_limit(monkeypatch):
    """Where too many cells would have to be looked at, no equation is printed, and it is said."""
    monkeypatch.setattr(possiblestates, "MOST_CELLS", 8)
    found = constraints(f"{VERMA}; {HALF}")

    assert () == found.of_kind("verma")
    assert any("is examined for up to" in note for note in found.notes)
    assert 1 == len(constraints(VERMA).of_kind("verma"))


def test_a_search_that_ends_early_says_so(monkeypatch):
    """A note, and no word of completeness."""
    monkeypatch.setattr("algdim.families.discrete.equations.verma.MOST_SUMS", 2)
    found = constraints(VERMA)

    assert found.to_dict()["verma_complete"] is False
    assert any("the search ended after" in note for note in found.notes)
    assert constraints("A -> B; U -> A, B; hidden U").to_dict()["verma_complete"] is True


def random_mixed_graph(seed):
    """A random acyclic mixed graph, the vertices in any order."""
    source = random.Random(seed)
    count = source.choice([4, 5, 5, 6])
    place = source.sample(range(count), count)
    parents, siblings = [0] * count, [0] * count
    for later in range(count):
        for earlier in range(later):
            if source.random() < 0.4:
                parents[place[later]] |= 1 << place[earlier]
            if source.random() < 0.35:
                siblings[place[later]] |= 1 << place[earlier]
                siblings[place[earlier]] |= 1 << place[later]
    return MixedGraph(tuple("ABCDEF"[:count]), tuple(parents), tuple(siblings))


@pytest.mark.parametrize("start", daily(range(0, 2000, 250), 1))
def test_together_they_have_the_codimension_of_the_nested_markov_model(start):
    """Independences and equations cut out, at a point, exactly what the heads of the intrinsic sets count; none is idle."""
    number = 0
    for seed in range(start, start + 250):
        graph = random_mixed_graph(seed)
        if len(graph.bidirected_edges) > redundancy.MOST_LATENT:
            continue
        point = draw_nested_point(graph, seed)
        for one in find_verma_equations(graph).equations:
            number += 1
            assert point.add(differentiate_equation(point.tangents, one)), (seed, format_verma(one))

        assert point.is_full, seed
    assert number > 2


def residue(value):
    """A fraction modulo the prime."""
    return value.numerator * pow(value.denominator, -1, redundancy.PRIME) % redundancy.PRIME


@pytest.mark.parametrize("text", [VERMA, "A -> B -> C; U -> A, D; V -> A, C; hidden U, V"])
def test_gradients_are_those_of_the_printed_formula(text):
    """(f(x + p·w) − f(x)) / p, the printed formula f evaluated in fractions by plain loops, is the derivative modulo p."""
    prime, model = redundancy.PRIME, algdim.model(text)
    (one,) = find_verma_equations(project_hidden_variables(model)).equations
    member = random_member(model, 3)
    weights = [(number + 1) ** 2 for number in range(16)]
    moved = {cell: value + prime * weight for (cell, value), weight in zip(member.items(), weights, strict=True)}
    tangents = make_tangents(np.array([residue(value) for value in member.values()]).reshape(2, 2, 2, 2))
    rows = differentiate_equation(tangents, one).tolist()
    along = {sum(weight * value for weight, value in zip(weights, row, strict=True)) % prime for row in rows}
    groups = zip(*(Formulas(model, table).verma(format_verma(one)) for table in (member, moved)), strict=True)

    assert len(along) > 2
    assert along == {
        residue((y - y0 - (x - x0)) / prime)
        for (x0, *xs), (y0, *ys) in groups
        for x, y in zip([x0, *xs], [y0, *ys], strict=True)
    }


@pytest.mark.parametrize("seed", daily(range(30), 10))
def test_without_gradients_nothing_false_or_idle_is_printed(seed, monkeypatch):
    """Where graphs are too large for gradients, each equation still holds at members and fails at a random table."""
    monkeypatch.setattr(redundancy, "MOST_OBSERVED", 0)
    model = algdim.model(random_network(seed, zeros=seed % 2 == 1))
    for one in constraints(model).of_kind("verma"):
        member, free = Formulas(model, random_member(model, seed)), Formulas(model, saturated_table(model, seed))
        assert are_equal(member.verma(one.text)), (seed, one.text)
        assert not are_equal(free.verma(one.text)), (seed, one.text)


@in_turn(2)
def test_equations_with_too_many_variables_are_left_out(monkeypatch):
    """And it is said; a long chain above an equation does not count."""
    text = "; ".join(f"Z{number} -> Z{number + 1}" for number in range(9)) + f"; Z9 -> A; {VERMA}"
    found = constraints(text)
    monkeypatch.setattr(redundancy, "MOST_VARIABLES", 3)
    fewer = constraints(text)

    assert ["Σ_B P(B|A) P(D|A,B,C) does not depend on A"] == [one.text for one in found.of_kind("verma")]
    assert () == fewer.of_kind("verma")
    assert fewer.to_dict()["verma_complete"] is False
    assert any("1 Verma-type equation of the graph left out, with more than" in note for note in fewer.notes)


def test_larger_graphs_are_not_searched(monkeypatch):
    """And it is said."""
    monkeypatch.setattr(verma, "MOST_OBSERVED", 3)

    assert not find_verma_equations(project_hidden_variables(algdim.model(VERMA))).is_complete
