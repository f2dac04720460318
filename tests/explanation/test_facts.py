"""The facts of a proof are those to which its lemmas were applied, and those of all that it rests on."""

from __future__ import annotations

import ast
import re
from fractions import Fraction

import numpy as np
import pytest
from amount import in_turn
from packages import modules
from sources import tree_of

import algdim
from algdim import constraints, decompose, dimension, identify, model
from algdim.exact.arithmetic import make_rationals
from algdim.exact.draws import Stream, draw_residues
from algdim.exact.ranks import rank_mod
from algdim.explanation import nesting
from algdim.families.additive import comparison as additive
from algdim.families.classifier.bounds import bound_by_embedded_classifiers, choose_best_bound
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.model import Network, Variable
from algdim.families.gaussian import comparison as gaussian
from algdim.identifiability.classification import derive_identifiability
from algdim.identifiability.rowspaces import find_lost_parameters
from algdim.jacobian import evaluate_functionals, make_evaluator
from algdim.lemmas import LEMMAS
from algdim.maps import map_of
from algdim.rank import compute_rational_jacobian, make_object_array
from algdim.trust import MOST_TOLD, proved_by, trust_in_all

MAKERS = {"proved_by", "prove_bound", "derive_bound", "derive_trust"}


def lemmas_without_facts(tree):
    """Calls that hand the lemmas of another proof on without its facts: ``proved_by(…, *report.trust.lemmas)``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MAKERS:
            starred = [part.value for part in node.args if isinstance(part, ast.Starred)]
            yield from (node.lineno for value in starred if isinstance(value, ast.Attribute) and value.attr == "lemmas")


@in_turn(3)
def test_lemmas_of_others_come_with_their_facts():
    """What rests on another proof combines the two (`trust_in_all`); it takes no names of lemmas from it."""
    found = {file.stem: list(lemmas_without_facts(tree_of(file))) for file in modules()}
    assert {} == {name: lines for name, lines in found.items() if lines}


def test_lemmas_without_facts_are_seen():
    """The test above sees them."""
    assert [1] == list(lemmas_without_facts(ast.parse("proved_by(LEMMA, 'd = 3', *report.lower.trust.lemmas)")))
    assert [] == list(lemmas_without_facts(ast.parse("trust_in_all([proved_by(LEMMA, 'd = 3'), report.lower.trust])")))


def proofs_in(value):
    """All objects of a document that say proved, with lemmas and facts."""
    if isinstance(value, dict):
        if value.get("status") == "proved" and "facts" in value:
            yield value
        for inner in value.values():
            yield from proofs_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from proofs_in(inner)


SEARCHED = (
    "2:2,2",
    "A -> B; A -> L; hidden L",
    "A -> C <- H -> D <- B; hidden H",
    "gaussian: X -> Y; X <-> Y; means off",
    "gaussian: H -> A, B, C, L; hidden H, L",
    "loglinear: {A,B},{C,D}; hidden C, D",
    "classifier Y: Y -> X1, X2; X1 -> X2",
)


@pytest.mark.parametrize("text", SEARCHED)
def test_what_is_identified_has_the_facts_of_the_kernel_or_of_the_dimension(text):
    """A verdict that rests on the kernel or on the dimension has the facts of these, sentence by sentence."""
    found = identify(text)
    document = found.to_dict()
    base = [trust.facts for trust in (found.report.upper.trust, found.report.lower.trust)]
    for proof in [*document["parameters"], *document["groups"], document["lists"]["not_identifiable"]]:
        if proof is not None and proof["status"] == "proved" and len(proof["lemmas"]) > 1:
            assert "the kernel of the Jacobian has" in proof["facts"] or any(facts in proof["facts"] for facts in base)
    for proof in proofs_in(document):
        assert set(proof["lemmas"]) <= set(LEMMAS)


@pytest.mark.parametrize(
    ("text", "lemma", "fact"),
    [
        ("A -> B; A -> L; hidden L", "irrelevant variables", "L: hidden, without observed descendants"),
        (
            "gaussian: H -> A, B, C, L; hidden H, L",
            "irrelevant latent variables",
            "L: hidden, without observed descendants",
        ),
        ("loglinear: {A,B},{C,D}; hidden C, D", "log-linear", "C, D: hidden, joined to no observed variable"),
        ("sigmoid: A -> B", "sigmoid", "A, B: the same as free tables"),
    ],
)
def test_what_a_model_was_made_ready_by_is_named(text, lemma, fact):
    """Both bounds are about the smaller model; why they hold for the one that was given is said, by the lemma of its family."""
    report = dimension(text)
    for bound in (report.lower, report.upper):
        assert lemma in bound.trust.lemmas
        assert fact in bound.trust.facts
    if "hidden" in text:
        found = identify(text)
        loops = [group for group in found.groups if len(group.parameters) == 1]
        assert loops
        for group in loops:
            assert lemma in group.trust.lemmas
            assert fact in group.trust.facts


def test_a_probable_bound_stays_probable():
    """What a model was made ready by does not make a proof of a bound that is drawn."""
    report = dimension("H -> A, B; A -> L; hidden H, L", bounds="chance,ambient")

    assert report.removed
    assert report.upper.is_proved == bool(report.upper.trust.lemmas)
    drawn = dimension("sigmoid: A, B -> C; H -> A, B, C; hidden H", bounds="chance,ambient,counting")
    assert drawn.upper.is_proved == bool(drawn.upper.trust.lemmas)


def test_lost_parameters_have_the_point():
    """The line below a dimension says where the kernel was seen, and carries what proves the dimension."""
    report = dimension("2:2,2")
    found = find_lost_parameters(report)

    assert "where it has rank 3" in found.trust.facts
    assert report.trust.facts in found.trust.facts
    assert ("parameters", *report.trust.lemmas) == found.trust.lemmas


@pytest.mark.parametrize(
    ("text", "lemmas"),
    [
        ("2:2,2,2", ("Kruskal",)),
        ("1:2,2", ("fibre",)),
        ("U -> H -> A, B, C; hidden H; given U", ("Kruskal",)),
    ],
)
def test_classes_unique_up_to_their_names_are_one_statement(text, lemmas):
    """The number of solutions and the word rest on the same proof."""
    count = identify(text).fibre

    assert lemmas == count.trust.lemmas
    if "given" in text:
        assert "given U, on which the class alone depends" in count.trust.facts
    else:
        assert count.trust == derive_identifiability(text).trust


def test_sigmoid_classes_are_tables():
    """The word of a sigmoid latent class model rests on what makes tables of it."""
    assert ("Kruskal", "sigmoid") == derive_identifiability("sigmoid: H -> A, B, C; hidden H").trust.lemmas


# compare

NESTED = [
    ("2:2,2", "3:2,2"),
    ("gaussian: A -> B", "gaussian: A <- B"),
    ("loglinear: {A,B}, {B,C}", "A -> B -> C"),
    ("poisson: {A},{B} -> E", "poisson: {A,B} -> E"),
    ("classifier Y: Y -> X1, X2", "classifier Y: Y -> X1, X2; X1 -> X2"),
]


@pytest.mark.parametrize(("first", "second"), NESTED)
def test_a_map_says_whether_a_point_was_compared(first, second):
    """In JSON, among the facts and in the text."""
    found = algdim.compare(first, second)
    document = found.to_dict()["first_in_second"]

    assert "nested" == document["verdict"]
    assert document["checked"].startswith("compared at a random point: ")
    assert document["checked"] not in document["facts"]
    assert document["checked"] not in document["map"]
    assert document["checked"] in str(found)


def test_sums_in_other_coordinates_are_not_compared():
    """The tables of the causes are others, so nothing is compared, which is said."""
    found = algdim.compare("poisson: {A},{B} -> E; B -> A", "poisson: {A,B} -> E; A -> B").forward

    assert ("nested", "Markov maps", "mixtures and sums") == (found.word, *found.trust.lemmas)
    assert found.checked.startswith(
        "not compared at a random point, where the map has a value: the two sums have other coordinates"
    )
    assert found.checked not in found.trust.facts


def test_large_functionals_are_not_compared(monkeypatch):
    """A value that takes too many numbers is left out, and the sentence has the numbers."""
    monkeypatch.setattr(nesting, "MOST_NUMBERS", 3)
    found = algdim.compare("2:2,2", "3:2,2").forward

    assert found.trust.is_proved
    assert found.checked.startswith("not compared at a random point, where the map has a value: one value takes ")
    assert found.checked.endswith("numbers on the way, more than 3")
    assert found.checked not in found.trust.facts


def test_a_map_that_is_wrong_for_sums_is_seen(monkeypatch):
    """Sums in the same coordinates are compared: a map that leaves a summand out is a bug that is told."""

    def wrong(first, second):
        found = additive.find_mechanism_embedding(first, second)
        return None if found is None else nesting.replace(found, at=lambda point: [x / 2 for x in found.at(point)])

    monkeypatch.setattr(additive, "COMPARING", additive.COMPARING._replace(embeddings=(wrong,)))
    with pytest.raises(RuntimeError, match="changes the observed distribution"):
        algdim.compare("poisson: {A},{B} -> E", "poisson: {A,B} -> E")


@pytest.mark.parametrize(
    ("first", "second", "lemma"),
    [
        ("A -> B -> C", "A -> B; A -> C", "matrices of bounded rank"),
        ("loglinear: {A,B}, {B,C}", "loglinear: {A,B}, {C}", "Markov maps"),
        ("gaussian: A -> B -> C", "gaussian: A -> B; A -> C", "treks"),
    ],
)
def test_a_refutation_says_why_the_equation_holds(first, second, lemma):
    """That the other model implies the equation is a proof of its own; where it fails is the other half."""
    found = nesting.find_refutation(*(map_of(model(text)) for text in (first, second)), 0)

    assert {"refutation", lemma} <= set(found.trust.lemmas)
    where, _, holds = found.trust.facts.partition(f"{found.equation} fails at ")[2].partition("; ")
    assert where
    assert holds


def test_a_variance_at_its_end_is_zero_identically(monkeypatch):
    """That it is 0 at the points drawn proves nothing of the others: the map has to know it."""
    models = "gaussian: X, Y; means off", "gaussian: H -> X, Y; hidden H; means off; fix b(H->X)=1, b(H->Y)=1"
    right, seen = gaussian.find_entry_embedding, []

    def by_entries(first, second, match):
        found = right(first, second, match)
        seen.extend(found.second.parameters[place] for place in (found.zeros if found else ()))
        return None if found is None else nesting.replace(found, zeros=frozenset())

    assert algdim.compare(*models).ratio.reference is not None
    monkeypatch.setattr(gaussian, "find_entry_embedding", by_entries)
    assert algdim.compare(*models).ratio.reference is None
    assert {"v(H)"} == set(seen)


@pytest.mark.parametrize("text", ["2:2,2", "2(2,2(2,2))", "5(2,3(2,2),3(2,2))"])
def test_a_tree_that_is_reduced_first_says_so(text):
    """What reduces a tree, and what its sides have the ranks for, is lemma "capping"."""
    report = dimension(text, bounds="trees,ambient,counting,chance")

    assert {"tree rule", "capping"} <= set(report.lower.trust.lemmas)


def test_an_embedded_classifier_brings_its_own_proof():
    """The bound counts the classifier by a bound of its own, whose lemmas and facts come with it."""
    classifier = model("classifier Y: Y -> X1, X2")
    network = Network((Variable("X1"), Variable("X2"), Variable("Y", parents=("X1", "X2"), local=Embedded(classifier))))
    inner, bound = choose_best_bound(classifier), bound_by_embedded_classifiers(map_of(network))

    assert {"classifier", *inner.trust.lemmas} == set(bound.trust.lemmas)
    assert inner.trust.facts in bound.trust.facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "A -> C <- H -> D <- B; hidden H; states H=5",
            "the empty set separates A from D,B in the latent projection",
        ),
        ("A, B -> H -> C, D; hidden H; states A=4, B=4", "the empty set separates A from B in the latent projection"),
    ],
)
def test_that_no_variable_is_needed_to_separate_is_not_said_as_its_opposite(text, facts):
    """ "Nothing separates A from B" says to any reader that they are dependent."""
    document = constraints(text).to_dict()
    found = [one["facts"] for one in [*document["constraints"], *document["pairs"]]]

    assert facts in found
    assert not any("nothing" in one for one in found)


def facts_of(text):
    """The facts of both bounds of a dimension, as JSON has them."""
    document = dimension(text).to_dict()
    return [document["lower"]["facts"], document["upper"]["facts"]]


@pytest.mark.parametrize("text", ["3:2,2,2,2", "gaussian: F -> A, B, C, D; hidden F; means off"])
def test_the_point_of_a_bound_can_be_drawn_again(text):
    """The facts have the text of the stream and the prime, and the Jacobian has there the rank that they say."""
    report = dimension(text)
    pmap = map_of(report.model)
    rank, source, prime = re.search(
        r'^rank (\d+) of the Jacobian at the point drawn from "([^"]+)" mod (\d+), ', report.lower.trust.facts
    ).groups()
    values = draw_residues(Stream(source), int(prime), len(pmap.parameters)).tolist()
    jacobian = compute_rational_jacobian(pmap, [Fraction(value) for value in values])
    numbers = [
        [int(x.numerator) * pow(int(x.denominator), -1, int(prime)) % int(prime) for x in row] for row in jacobian
    ]

    assert int(rank) == report.dimension == rank_mod(np.array(numbers, dtype=np.float64), int(prime)).value


@pytest.mark.parametrize(
    ("text", "bound", "place"),
    [
        ("3:2,2,2,2", "flattenings", "0"),
        ("2:2,2", "symmetry", "symmetry|0"),
        ("gaussian: F -> A, B, C, D; hidden F; means off", "minors", "minors|0"),
        ("gaussian: F -> A, B, C, D; hidden F; means off", "symmetry", "symmetry|0"),
        ("polynomial: parameters a, b; coordinates a*b, a^2*b^2 + a*b", "symmetry", "symmetry|0"),
        ("polynomial: parameters a, b; coordinates a^3 + b^3, a^2, b^2", "counting", ""),
    ],
)
def test_bounds_by_equations_and_symmetries_name_point_and_prime(text, bound, place):
    """A rank of gradients or of directions was taken at a point modulo a prime, too; counting needs none."""
    upper = dimension(text, bounds=f"{bound},counting").upper
    at = re.search(r'; ranks at the point drawn from "algdim 1\|0\|point\|([^"]*)" mod \d+$', upper.trust.facts)

    assert bound == upper.kind
    assert place == ("" if at is None else at[1])


@pytest.mark.parametrize(
    "text", ["A -> C <- H -> D <- B; hidden H", "A -> B -> C; H -> B, C; hidden H", "5(2,3(2,2),3(2,2))"]
)
def test_no_fact_stands_twice_and_those_of_parts_have_an_owner(text):
    """Bounds of districts and of local models are combined; whose a fact is stands before it."""
    for facts in [*facts_of(text), decompose(text).trust.facts]:
        told = facts.split("; ")
        assert len(set(told)) == len(told)
        assert "district " in facts or "local model " in facts


def test_long_facts_are_bounded():
    """Of hundreds of facts JSON has the first ones, and how many there are."""
    trust = trust_in_all(proved_by("tree rule", f"fact {number}") for number in range(MOST_TOLD + 5))

    assert trust.to_dict()["facts"].endswith(f"fact {MOST_TOLD - 1}; … ({MOST_TOLD + 5} in all)")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("gaussian: A -> B -> C", "gaussian: A -> B; A -> C"),
        ("A -> B -> C", "A -> B; A -> C"),
    ],
)
def test_where_an_equation_fails_can_be_drawn_again(first, second):
    """So has a refutation the whole text of the stream."""
    facts = nesting.find_refutation(map_of(model(first)), map_of(model(second)), 0).trust.facts

    assert re.search(r'fails at the point drawn from "algdim 1\|0\|point\|compare\|[^"]+" mod \d+; ', facts)


def test_a_tree_that_is_decomposed_names_the_rank_condition():
    """The rule supposes it, so it is a fact, with what its tables are drawn from."""
    found = decompose("5(2,3(2,2),3(2,2))")

    assert "rank P(H1's side | H1) = 5 = |H1|; rank P(H2's side | H2) = 3 = |H2|" in found.trust.facts
    assert re.search(r'mod \d+, tables drawn from "algdim 1\|0\|point\|sides\|0\|…"', found.trust.facts)
    assert 'drawn from "algdim 1|0|point|sides|0|…"' in str(found)


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        (
            "poisson: {A,B},{B,C} -> E",
            "7 free entries in the table of the causes, and a rate in each of their 8 joint states",
        ),
        (
            "normal: {A},{B} -> E",
            "3 free entries in the table of the causes, and a mean and a variance in each of their 4 joint states",
        ),
        ("gaussian: A -> B -> C -> D -> E", "15 variances and covariances, 5 means"),
        ("3:2,2,2,2", "16 cells, which sum to 1: 15 are free"),
        ("A -> B; given A", "4 cells, which sum to 1 under each of 2 conditions: 2 are free"),
        ("loglinear: {A,B},{B,C}", "8 cells, which sum to 1: 7 are free"),
        ("classifier Y: Y -> X1, X2", "4 log-odds"),
    ],
)
def test_degrees_of_freedom_say_what_is_counted(text, counted):
    """The saturated model in words; cells that are impossible where there are some."""
    freedom = identify(text).freedom
    told = freedom.trust.to_dict()["facts"]

    assert f"the saturated model: {counted}" in told
    assert "0 impossible" not in told
    assert "0 cells" not in told
    assert told.startswith(f"{freedom.right + dimension(text).dimension} − {dimension(text).dimension}; ")


def test_impossible_cells_are_counted_where_there_are_some():
    """A copy has two of them."""
    assert "3 − 2 impossible cells − 1; " in identify("A -> B; fix P(B=0|A=0)=1, P(B=0|A=1)=0").freedom.trust.facts


@pytest.mark.parametrize(
    ("text", "lemma"),
    [
        ("poisson: {A,B},{B,C} -> E", "shifts"),
        ("normal: {A},{B} -> E", "shifts"),
        ("poisson: {A,H} -> E; hidden H", "shifts"),
        ("latent-profile: H -> X1, X2; hidden H", "moments"),
    ],
)
def test_what_is_seen_through_moments_says_why(text, lemma):
    """A rank of finitely many moments or cumulants bounds the dimension of the distributions by a lemma."""
    document = identify(text).to_dict()
    verdicts = [one for one in document["parameters"] if one["status"] == "proved"]

    for method in ("auto", "symbolic"):
        assert lemma in dimension(text, method=method).lower.trust.lemmas
    assert verdicts
    assert all(lemma in one["lemmas"] for one in verdicts)


@pytest.mark.parametrize(
    ("first", "second", "facts"),
    [
        (
            "A -> B -> C",
            "B -> A, C",
            ["the order B, A, C", "B separates C from A in the first model"],
        ),
        (
            "gaussian: A -> B -> C",
            "gaussian: A <- B -> C",
            ["the order B, A, C", "B on the side of C,B meet all treks between C,B and A,B"],
        ),
        ("gaussian: A -> B; C", "gaussian: A <- B; C", ["in the first model no trek leads from C to B"]),
        ("A -> B; C <- D", "A -> B, C; D -> C", ["P(C|A,D) from P(C|D)", "P(B|A) from P(B|A)"]),
    ],
)
def test_nested_has_the_hypotheses_of_its_lemma(first, second, facts):
    """Orders, separators and parents are facts; what was compared at a random point is none."""
    verdict = algdim.compare(first, second).forward
    told = verdict.trust.facts

    assert verdict.word == "nested"
    assert [] == [fact for fact in facts if fact not in told]
    assert "random" not in told
    assert verdict.checked
    assert verdict.checked not in told


def test_the_equation_that_fails_is_written_out():
    """In JSON always, in text where it is not long; it holds on the one model and fails on the other at points by hand."""
    first, second = (
        "H -> X1,X2,X3; hidden H; fix P(H=0)=1/2",
        "H -> X1,X2,X3; hidden H; equal e=P(X1=0|H=0),P(X1=1|H=1)",
    )
    verdict = algdim.compare(first, second).forward
    equation = verdict.to_dict()["equation"]

    assert "an equation of degree 2 with 11 terms" in verdict.reason
    assert 11 == len(re.split(r" [+−] ", equation.removesuffix(" = 0")))
    assert equation in str(algdim.compare(first, second))
    assert [True, False] == [is_zero(equation, text) for text in (second, first)]
    assert "A ⊥ C | B" == algdim.compare("A -> B; A -> C", "A -> B -> C").forward.equation
    assert algdim.compare("A -> B", "states A=2, B=2").backward.to_dict()["equation"] is None


def is_zero(equation, text):
    """Whether the left side of an equation between cells vanishes at three points of a model, in fractions."""
    pmap = map_of(model(text))
    sides = []
    for number in range(3):
        values = [Fraction(place**2 + 3 * place + 7 + number, 199) for place in range(len(pmap.parameters))]
        cells = cells_at(pmap, values)
        terms = re.findall(r"([+−]?) ?([^+−]+)", equation.removesuffix(" = 0"))
        sides.append(sum(value_of_term(sign, factors, cells) for sign, factors in terms))
    return not any(sides)


def value_of_term(sign, factors, cells):
    """The value of a signed product of numbers and cells."""
    value = Fraction(-1 if sign == "−" else 1)
    for factor in factors.strip().split("·"):
        value *= cells[factor] if factor in cells else Fraction(factor)
    return value


def cells_at(pmap, values):
    """The cells at a point, by name."""
    point = make_object_array(values)
    field, evaluator = make_rationals(), make_evaluator(pmap)
    found = evaluate_functionals(pmap, field, field.elements(point), evaluator.all_coordinates(), evaluator=evaluator)
    return {
        name: Fraction(int(x.numerator), int(x.denominator)) for name, x in zip(pmap.coordinates(), found, strict=True)
    }


@pytest.mark.parametrize(
    ("text", "unknowns", "monomials"),
    [
        ("polynomial: parameters a; coordinates a^2, a^4", "the unknown a", "1, a"),
        ("polynomial: parameters a, b; coordinates a + b, a*b", "the unknowns a, b", "1, b"),
        ("polynomial: parameters a, b; coordinates a^2, b^3", "the unknowns a, b", "1, b, b^2, a, a·b, a·b^2"),
    ],
)
def test_a_number_of_solutions_names_unknowns_and_monomials(text, unknowns, monomials):
    """There are as many solutions as standard monomials; both can be looked up."""
    fibre = identify(text).fibre

    assert fibre.degree == len(monomials.split(", "))
    assert f" in {unknowns}; no leading monomial of it divides {monomials}" in fibre.trust.facts
