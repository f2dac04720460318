"""Tables in common: matrices side by side, words, shifts and reversal of chains, their fields; dimensions by counting and by definition."""

from __future__ import annotations

import random
from math import inf

import brute
import numpy as np
import pytest
from amount import daily, drawn

import algdim
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.chainfields import find_chain_fields
from algdim.families.discrete.bounds.chains import find_chain, list_chain_equations, list_differences
from algdim.families.discrete.bounds.commontables import bound_by_common_tables, list_joined
from algdim.families.discrete.bounds.directions import draw_point
from algdim.families.discrete.bounds.equations import Collector, start
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.bounds.symmetry import bound_by_symmetry
from algdim.families.discrete.functionals import select_all_cells
from algdim.families.discrete.map import get_param_map
from algdim.jacobian import evaluate_jacobian
from algdim.models.notation import parse

SAME = "homogeneous"
BACK = "homogeneous, stationary, reversible"

TURNING = """H1 -> H2 -> H3; H1 -> X1; H2 -> X2; H3 -> X3; hidden H1, H2, H3; states H1=3, H2=3, H3=3; share x: X1, X2, X3;
fix P(H1=0)=1/3, P(H1=1)=1/3, P(H1=2)=1/3; equal a = P(H2=0|H1=0), P(H2=1|H1=1), P(H2=2|H1=2), P(H3=0|H2=0), P(H3=1|H2=1), P(H3=2|H2=2);
equal b = P(H2=1|H1=0), P(H2=2|H1=1), P(H2=0|H1=2), P(H3=1|H2=0), P(H3=2|H2=1), P(H3=0|H2=2);
equal c = P(H2=2|H1=0), P(H2=0|H1=1), P(H2=1|H1=2), P(H3=2|H2=0), P(H3=0|H2=1), P(H3=1|H2=2)"""
"""A chain in equilibrium, which turns one way round: stationary and not reversible."""

FORK = "H_2 -> H_1, H_3; H_1 -> X_1; H_2 -> X_2; H_3 -> X_3; hidden H_1, H_2, H_3; share x: X_1, X_2, X_3; share h: H_1, H_3"
"""A chain that starts in the middle."""


def hmm(states, items, length, words=""):
    """The text of a hidden Markov model."""
    return f"hmm: states {states}, items {items}, length {length}{words and f', {words}'}"


def count_reversible(letters, length):
    """The dimension of all stationary distributions of words that stay the same if words are reversed.

    Words that are each other's reverse are one, and the margin of all times but the last must be of that kind, too.
    """

    def classes(length):
        return (letters**length + letters ** ((length + 1) // 2)) // 2

    return classes(length) - 1 - (letters ** (length - 1) - classes(length - 1))


COUNTED = {
    # two times: all matrices of rank 3 whose rows and columns are in one space of 3 dimensions; symmetric ones
    hmm(3, 4, 2, SAME): 3 * (4 - 3) + 3 * 3 - 1,
    hmm(3, 5, 2, SAME): 3 * (5 - 3) + 3 * 3 - 1,
    hmm(3, 4, 2, "invariant"): 3 * (4 - 3) + 3 * 3 - 1,
    hmm(3, 4, 2, BACK): 3 * 4 - 3 - 1,
    hmm(4, 4, 2, BACK): 4 * 5 // 2 - 1,
    # all reversible distributions of words
    hmm(3, 2, 3, BACK): count_reversible(2, 3),
    hmm(4, 2, 3, BACK): count_reversible(2, 3),
    hmm(4, 2, 4, BACK): count_reversible(2, 4),
    hmm(4, 3, 3, BACK): count_reversible(3, 3),
    hmm(5, 2, 5, BACK): count_reversible(2, 5),
    # the symmetric 4 × 4 matrix of two times by two has rank 3
    hmm(3, 2, 4, BACK): count_reversible(2, 4) - 1,
    # five states behind words of three letters: 8 × 7, rank 5
    hmm(5, 2, 5, SAME): 31 - 3 * 2,
    # weights that the items do not see: as many redundant parameters as pairs of these, or as unordered pairs
    hmm(4, 3, 3, SAME): 3 + 8 + 12 - 1,
    hmm(5, 4, 3, SAME): 4 + 15 + 20 - 1,
    hmm(6, 4, 3, SAME): 5 + 18 + 30 - 4,
    hmm(6, "2,2", 3, SAME): 5 + 12 + 30 - 4,
    hmm(5, 4, 3, BACK): 4 + 15 + 10 - 1,
    hmm(5, "2,2", 3, BACK): 4 + 10 + 10 - 1,
}
"""Dimensions that counting gives by hand."""


@pytest.mark.parametrize(("text", "dimension"), daily(COUNTED.items(), 5, (hmm(4, 3, 3, SAME), 22)))
def test_dimensions_that_are_counted(text, dimension):
    """Proved, with a certificate that the checker accepts."""
    report = algdim.dimension(text)

    assert (dimension, True) == (report.dimension, report.exact)
    assert algdim.verify(algdim.prove(text))


@pytest.mark.parametrize("text", [hmm(3, 4, 2, SAME), hmm(4, 3, 3, SAME), TURNING, hmm(3, 2, 2, BACK)])
def test_dimensions_by_definition(text):
    """As the rank at a random point says that nothing of this package computes."""
    assert brute.dimension(parse(text)) == algdim.dimension(text).dimension


def test_which_moves_are_seen():
    """What is the same at all times, what is in equilibrium, what may be reversed; a fork is no chain from its start."""

    def look(text):
        chain = find_chain(get_param_map(parse(text)))
        return chain and (chain.length, chain.is_homogeneous, chain.is_stationary, chain.is_reversible)

    assert (3, True, True, True) == look(hmm(3, 2, 3, BACK))
    assert (3, True, True, False) == look(TURNING)
    assert (4, True, False, False) == look(hmm(2, 3, 4, SAME))
    assert (4, False, False, False) == look(hmm(2, 3, 4, "invariant"))
    assert look(hmm(2, 3, 4)) is look(FORK) is look("3:2,2,2") is look("H -> A, B; hidden H; share s: A, B") is None
    assert look("H -> X1; H -> G -> X2; hidden G, H; share x: X1, X2; X1 -> Y") is None


def test_sums_that_are_equal():
    """Words of three letters of two: those that are not their own reverse, once; and the margins of two neighbours."""
    cells = np.arange(8).reshape(2, 2, 2)
    more, less = list_differences(cells, is_reversed=True)

    assert [[1], [3]] == more.tolist()
    assert [[4], [6]] == less.tolist()
    more, less = list_differences(cells, is_reversed=False)
    assert [[0, 1], [2, 3], [4, 5], [6, 7]] == more.tolist()
    assert [[0, 4], [1, 5], [2, 6], [3, 7]] == less.tolist()


def draw_texts(count):
    """Hidden Markov models, and networks of hidden variables with items of which some share tables."""
    source = random.Random(7)
    yield from (TURNING, FORK)
    for _ in range(count):
        if source.random() < 0.6:
            items = source.choice(["2", "3", "2,2", "4", "2,3"])
            length = (
                2 if items in ("4", "2,3") else source.choice([2, 3]) if items != "2" else source.choice([2, 3, 4, 5])
            )
            yield hmm(source.choice([2, 3, 4]), items, length, source.choice([SAME, BACK, BACK, "invariant"]))
            continue
        size, states = source.choice([2, 3, 4]), source.choice([2, 3])
        names = ["A", "B", "C", "D"][: source.choice([2, 3]) if size > 2 else 4]
        above = [source.choice("GHK") for _ in names]
        arrows = "; ".join(f"{parent} -> {name}" for name, parent in zip(names, above, strict=True))
        edges = source.choice(["G -> H -> K", "G -> H; G -> K", "H -> G; K -> G", "G -> H; K -> H"])
        shared = [names[:2], names][source.random() < 0.5]
        yield (
            f"{edges}; {arrows}; hidden G, H, K; states {', '.join(f'{h}={states}' for h in 'GHK')}, "
            f"{', '.join(f'{name}={size}' for name in names)}; share s: {', '.join(shared)}"
        )


def list_equations(pmap):
    """All matrices of a map, and all sums that are equal."""
    chain = find_chain(pmap)
    differences, words = ([], []) if chain is None else list_chain_equations(pmap, chain)
    return [*list_joined(pmap), *words], differences


@pytest.mark.drawn
def test_forms_vanish_on_tangents_and_no_rank_is_greater():
    """At a point of random models: the ranks of matrices are bounded, and forms and fields are those of the tangent space."""
    met = {"matrices": 0, "differences": 0, "fields": 0}
    always = [hmm(4, 3, 3, SAME), hmm(3, 4, 2, SAME), hmm(3, 2, 3, BACK), hmm(4, 3, 2, BACK)]
    for text in [*always, *drawn(list(draw_texts(60)), 8)]:
        setting, _ = make_closed_setting(get_param_map(parse(text)), 0, 0)
        pmap, collector = setting.pmap, start(setting)
        at = collector.at
        point = draw_residues(open_stream(0, "point", *at.point.split("|")), at.prime, pmap.parameter_count)
        jacobian = evaluate_jacobian(pmap, at.field, at.field.elements(point), select_all_cells(pmap))
        matrices, differences = list_equations(pmap)
        for one in matrices:
            for _, matrix in one.matrices(at):
                values = np.remainder(matrix.values, at.prime).astype(np.int64)
                assert rank_mod(values, at.prime).value <= one.rank, text
            alone = Collector(setting, None, at)
            alone.add(one)
            assert not at.field.matmul(alone.basis.rows, jacobian).any(), text
            met["matrices"] += len(alone.basis)
        for one in differences:
            alone = Collector(setting, None, at)
            one.add_to(alone)
            assert not at.field.matmul(alone.basis.rows, jacobian).any(), text
            met["differences"] += len(alone.basis)
        there = draw_point(setting)
        field = type(at.field)(there.prime)
        jacobian = evaluate_jacobian(pmap, field, field.elements(there.values), select_all_cells(pmap))
        for known in find_chain_fields(there):
            columns, moved = known.directions.parameters, field.elements(known.directions.matrix.T)
            assert known.directions.matrix.any()
            assert not field.matmul(jacobian[:, columns], moved).any(), text
            met["fields"] += 1

    assert min(met.values())


@pytest.mark.slow
def test_bounds_are_no_smaller_than_the_dimension():
    """Of random models, with all equations and all fields that are found for one dimension less."""
    met = {"common tables": 0, "chains": 0, "symmetry": 0}
    for text in dict.fromkeys(draw_texts(200)):
        model = parse(text)
        if brute.joint_states(model) > 2000:
            continue
        rank = brute.dimension(model)
        setting, _ = make_closed_setting(get_param_map(model), rank - 1, 0)
        for search in (bound_by_common_tables, bound_by_symmetry):
            bound = search(setting)
            assert rank <= (inf if bound is None else bound.value), text
            for name in met:
                met[name] += bound is not None and name in bound.trust.lemmas
    assert min(met.values()) > 5


def test_columns_in_common_with_two_parents():
    """Items of two hidden parents each, at the same places: the rank is at most the number of joint states, and reached."""
    text = "A, B -> X; C, D -> Y; A -> C; B -> D; hidden A, B, C, D; states X=5, Y=5; share s: X, Y"
    pmap = get_param_map(parse(text))
    (joined,) = list_joined(pmap)

    assert 4 == joined.rank
    assert "common tables" in algdim.dimension(text, bounds="counting,ambient,common-tables").upper.trust.lemmas
    assert brute.dimension(parse(text)) <= algdim.dimension(text, bounds="common-tables").upper.value


def test_parents_at_other_places_are_not_alike():
    """The one item has first what the other has second: with as many states the tables are the same, and the columns still are."""
    text = "A, B -> X; B, A -> Y; A -> B; hidden A, B; states X=5, Y=5; share s: X, Y"
    (joined,) = list_joined(get_param_map(parse(text)))

    assert brute.dimension(parse(text)) <= algdim.dimension(text, bounds="common-tables").upper.value
    assert 4 == joined.rank


def test_no_chain_is_looked_for_in_large_tables():
    """Nothing is made of the factors of long chains, of whose tables no equations are collected."""
    pmap = get_param_map(parse(hmm(2, 2, 13, SAME)))

    assert find_chain(pmap) is None
    assert [] == list_joined(pmap)
    assert find_chain(get_param_map(parse(hmm(2, 2, 12, SAME)))) is not None
