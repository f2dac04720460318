"""The checks: what exact algebra says of the papers' formulas and sentences."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest
from amount import daily, some
from hypothesis import given, settings
from hypothesis import strategies as st
from packages import ROOT

import algdim
from algdim import InputError
from algdim.families.discrete.trees import convert_to_network, split_at_edge
from algdim.lemmas import LEMMAS
from algdim.models.notation import to_text
from algdim.trust import proved_by
from algdim_papers.claims import ghm96, hm97, kz02, mh97, reading
from algdim_papers.claims.checks import CHECKS, run_check
from algdim_papers.claims.finding import Finding, check_formula, check_identity, compare_exactly, is_equal

CLAIMS = [claim for claim in reading.list_claims() if claim.check]


def test_every_check_is_used_and_every_name_known():
    """The claims name the checks that there are."""
    assert set(CHECKS) == {claim.check for claim in CLAIMS}


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_cites_its_place(name):
    """The first sentence names the paper of a claim that uses it."""
    papers = {claim.paper for claim in CLAIMS if claim.check == name}

    assert any(paper in (CHECKS[name].__doc__ or "") for paper in papers)


def test_an_unknown_check_is_refused():
    """The message names the known ones."""
    with pytest.raises(InputError, match="known are number-of-parameters"):
        run_check("none")


def test_a_formula_is_refuted_by_an_instance_only():
    """It holds if it gives the true value; a correction that does not is an error in the check itself."""
    assert check_formula("2", "at 1", truth=2, printed=2, right=2).holds
    assert not check_formula("2", "at 1", truth=2, printed=3, right=2).holds
    with pytest.raises(ArithmeticError):
        check_formula("2", "at 1", truth=2, printed=3, right=4)


def test_an_identity_needs_all_its_sides():
    """One pair that differs is enough."""
    trust = proved_by("instances", "y: both sides are the same (2 times)")
    assert Finding("x", "y", True, trust=trust) == check_identity("x", "y", (1, 1), (2, 2))
    different = check_identity("x", "y", (1, 1), (2, 3))
    assert (False, "y: 2 is not 3") == (different.holds, different.trust.facts)


@given(st.integers(-50, 50), st.integers(-50, 50))
def test_equality_of_expressions(a, b):
    """Expressions that are written differently are compared by value."""
    from sympy import Integer, log, sqrt

    assert (a == b) == is_equal(Integer(a) * sqrt(8), 2 * b * sqrt(2))
    assert is_equal(log(Integer(4)), 2 * log(Integer(2)))


def test_how_expressions_were_compared_is_told():
    """Equal by simplification, different by a value or by an expression; each is a fact of its own."""
    from sympy import Symbol, cos, log, sin

    x = Symbol("x")
    assert (True, "sympy simplifies the difference to 0") == compare_exactly(sin(x) ** 2 + cos(x) ** 2, 1)
    assert (False, "sympy's value of the difference is -0.22314") == compare_exactly(log(4), log(5))
    assert (False, "the difference is 3/101 at a rational point") == compare_exactly(2 * x, x)
    assert (False, "the difference is sin(x), which is not 0") == compare_exactly(2 * sin(x), sin(x))
    assert (False, "1/3 is not 1/2") == compare_exactly(Fraction(1, 3), Fraction(1, 2))


@pytest.mark.parametrize("claim", daily(CLAIMS, 20), ids=lambda claim: claim.id)
def test_a_check_says_what_it_did(claim):
    """Its trust is made by the check: facts that it found, and those of the dimensions that it took, by lemmas of the page."""
    found = run_check(claim.check, claim.arguments)

    assert found.trust.is_proved
    assert set(found.trust.lemmas) <= set(LEMMAS)
    assert len(found.trust.facts) > len("sums")


def test_a_check_that_takes_dimensions_has_their_facts():
    """What proves the dimensions stands beside what the check did with them, not the names of their lemmas alone."""
    for text in ("max: {C1},{C2},{C3} -> E", "max: {C1,C2},{C3} -> E"):
        of_model = algdim.dimension(text).trust
        trust = mh97.binary_coincidence().trust
        assert of_model.facts in trust.facts
        assert set(of_model.lemmas) < set(trust.lemmas)


def test_the_equations_of_the_maximum_have_one_solution():
    """GHM96 §3: that there is no other is a determinant, so this is what the facts say."""
    assert "determinant" in ghm96.maximum_likelihood().trust.facts


def test_the_printed_sum_of_six_numbers():
    """HM97 below Eq. 18: 1 + 1 + 2 + 3 + 4 + 4 = 15."""
    assert [1, 1, 2, 3, 4, 4] == hm97.blocks()


@pytest.mark.parametrize("effect", range(3))
def test_posteriors_of_a_maximum_by_counting(effect):
    """MH97's E step against counting equally likely cases."""
    tables = [[Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)], [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]]
    cases = [pair for pair in product((0, 1, 2, 2), (0, 0, 1, 2)) if max(pair) == effect]

    assert [Fraction(sum(pair[0] == k for pair in cases), len(cases)) for k in range(3)] == mh97.posterior(
        tables, effect
    )


def test_lower_levels_of_sigmoid_networks():
    """GHM96 §8: complete from two to four, two times three, and one between, all with 14 parameters."""
    assert {"H1, H2 -> X1, X2, X3, X4", "H1 -> X1, X2, X3; H2 -> X4, X5, X6"} <= set(ghm96.lower_levels())
    assert [14] * 3 == [algdim.dimension(f"sigmoid: {text}; hidden H1, H2").standard for text in ghm96.lower_levels()]


def test_structures_with_nine_parameters():
    """Six rows of tables: 3 singles, a pair and a single, or fewer with leaks; 10 + 9 + 3 + 6 + 3 + 1 ways, by hand."""
    found = mh97.structures()

    assert 10 + 9 + 3 + 6 + 3 + 1 == len(set(found)) == len(found)
    assert {"{C1},{C2},{C3}", "{C3},{C1,C2}", "{},{},{C1,C2}"} <= set(found)


def test_seven_classes_do_not_fit_the_even_cells():
    """KZ02 §5, by hand: a product set with two cells has two that differ in one item, and one of those is odd."""
    boxes = [box for box in product([{0}, {1}, {0, 1}], repeat=4) if prod(map(len, box)) > 1]

    assert all(any(sum(cell) % 2 for cell in product(*box)) for box in boxes)
    assert not kz02.same_likelihood().holds


def test_regularity_is_decided_both_ways():
    """KZ02 §3.2: 8 classes are of use to four binary items, 9 are not."""
    assert kz02.is_regular("8:2^4").holds
    assert not kz02.is_regular("9:2^4").holds


def test_regular_trees_are_those_of_the_paper():
    """KZ02 §4: a cap is allowed, but not with two neighbours of which one is hidden, nor is one state more."""
    trees = {"4(2,2,3(2,2))": True, "5(2,2,3(2,2))": False, "2(3,3(2,2))": True, "2(2(3,3),2(2,2))": False}

    assert trees == {text: kz02.is_regular_tree(kz02.require_tree(text)) for text in trees}
    assert all(kz02.is_regular_tree(kz02.require_tree(text)) for text in kz02.REGULAR_TREES)


def test_theorem_5_needs_regular_trees():
    """The root of 3(2,4(2,2,2(3,3))) has three states and an item of two: cut there, the sides have 7 redundant parameters, the tree 11."""
    tree = kz02.require_tree("3(2,4(2,2,2(3,3)))")
    whole = kz02.prove_without_rule("3(2,4(2,2,2(3,3)))")
    sums = [
        sum(kz02.prove_without_rule(to_text(convert_to_network(side))).redundant for side in split_at_edge(tree, edge))
        for edge in tree.inner_edges
    ]

    assert not kz02.is_regular_tree(tree)
    assert whole.redundant > min(sums)


@given(st.sampled_from(kz02.SHAPES), st.randoms(use_true_random=False))
@settings(max_examples=some(20))
def test_any_table_is_written_with_as_few_classes_as_lemma_3_2_says(items, random):
    """KZ02 Lemma 3.2, with zeros; one class fewer leaves no place for a joint state of the other items."""
    cells = list(product(*map(range, items)))
    numbers = [random.choice((0, 0, 1, 2, 5)) for _ in cells]
    numbers[0] += 1
    table = {cell: Fraction(number, sum(numbers)) for cell, number in zip(cells, numbers, strict=True)}
    found = kz02.encode_in_cap(table, items)

    assert prod(items) // max(items) == len(found.weights)
    assert table == found.distribution()


REFUTED = """
GHM96-1-eq-1 GHM96-1-eq-2 GHM96-2-dirichlet GHM96-3-eq-6 GHM96-3-parameters GHM96-3-determinant GHM96-3-eq-7
GHM96-3-hessian-sign GHM96-5-w-5 GHM96-6-only-example GHM96-7-w HM97-4-eq-6 HM97-4-theorem-1-1 HM97-4-theorem-1-2 HM97-4-theorem-1-3 HM97-5-likelihood
HM97-5-two-pi HM97-5-linear-growth HM97-6-eq-18 HM97-6-eq-19 HM97-6-image-of-omega HM97-6-chain-odds KZ02-3-only-two KZ02-4-four-leaves KZ02-4-chain KZ02-5-likelihood
KZ02-6-closest KZ02-6-score-of-choice MH97-3-1-e-step MH97-3-2-e-step MH97-3-3-parity MH97-T1-f2-dimension MH97-5-only-binary
MH97-T1-f2-any-structure
""".split()


def test_what_is_refuted():
    """The recorded refutations, by id; that they are computed too is for the command."""
    assert set(REFUTED) == {claim.id for claim in reading.list_claims() if claim.verdict.startswith("refuted")}


@pytest.mark.parametrize(("paper", "least"), [("GHM96", 40), ("HM97", 20), ("KZ02", 115), ("CH96", 20), ("MH97", 15)])
def test_the_papers_are_covered(paper, least):
    """As many claims as the papers have numbers and formulas to decide, at least."""
    assert least <= len(reading.list_claims(paper))


@pytest.mark.parametrize("claim", daily(CLAIMS, 33), ids=lambda claim: claim.id)
def test_checks_agree_with_the_record(claim):
    """Every check gives the recorded verdict."""
    from algdim_papers.claims.judging import run

    (verdict,) = run([claim])

    assert claim.verdict == verdict.verdict
    assert verdict.reason


def test_the_readme_counts_the_claims():
    """The number on the front page is that of the record."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    assert f" {len(reading.list_claims())} claims" in text
