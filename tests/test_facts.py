"""The facts of a proof are those to which its lemmas were applied, and those of all that it rests on."""

from __future__ import annotations

import ast

import pytest
from packages import modules

import algdim
from algdim.explanation import nesting
from algdim.families.classifier.bounds import best_bound, of_embedded
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.model import Network, Variable
from algdim.identifiability.identifying import identify
from algdim.identifiability.kinds import identifiability
from algdim.identifiability.rowspaces import lost_of
from algdim.lemmas import LEMMAS
from algdim.maps.anymap import map_of
from algdim.readers.anything import model
from algdim.report import dimension

MAKERS = {"proved_by", "proved_bound", "resting_on"}


def lemmas_without_facts(tree):
    """Calls that hand the lemmas of another proof on without its facts: ``proved_by(…, *report.trust.lemmas)``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MAKERS:
            starred = [part.value for part in node.args if isinstance(part, ast.Starred)]
            yield from (node.lineno for value in starred if isinstance(value, ast.Attribute) and value.attr == "lemmas")


def test_lemmas_of_others_come_with_their_facts():
    """What rests on another proof combines the two (`trust_in_all`); it takes no names of lemmas from it."""
    found = {file.stem: list(lemmas_without_facts(ast.parse(file.read_text("utf-8")))) for file in modules()}
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
    found = lost_of(report)

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
        assert count.trust == identifiability(text).trust


def test_sigmoid_classes_are_tables():
    """The word of a sigmoid latent class model rests on what makes tables of it."""
    assert ("Kruskal", "sigmoid") == identifiability("sigmoid: H -> A, B, C; hidden H").trust.lemmas


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
    assert document["checked"] in document["facts"]
    assert document["checked"] not in document["map"]
    assert document["checked"] in str(found)


def test_sums_in_other_coordinates_are_not_compared():
    """The tables of the causes are others, so nothing is compared, which is said."""
    found = algdim.compare("poisson: {A},{B} -> E; B -> A", "poisson: {A,B} -> E; A -> B").forward

    assert ("nested", "Markov maps", "mixtures and sums") == (found.word, *found.trust.lemmas)
    assert found.checked.startswith(
        "not compared at a random point, where the map has a value: the two sums have other coordinates"
    )
    assert found.checked in found.trust.facts


def test_large_functionals_are_not_compared(monkeypatch):
    """A value that takes too many numbers is left out, and the sentence has the numbers."""
    monkeypatch.setattr(nesting, "MOST_NUMBERS", 3)
    found = algdim.compare("2:2,2", "3:2,2").forward

    assert found.trust.is_proved
    assert found.checked.startswith("not compared at a random point, where the map has a value: one value takes ")
    assert found.checked.endswith("numbers on the way, more than 3")
    assert found.checked in found.trust.facts


def test_a_map_that_is_wrong_for_sums_is_seen(monkeypatch):
    """Sums in the same coordinates are compared: a map that leaves a summand out is a bug that is told."""
    right = nesting.by_mechanisms

    def wrong(first, second):
        found = right(first, second)
        return None if found is None else nesting.replace(found, at=lambda point: [x / 2 for x in found.at(point)])

    monkeypatch.setattr(nesting, "by_mechanisms", wrong)
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
    found = nesting.refuted(*(map_of(model(text)) for text in (first, second)), 0)

    assert {"refutation", lemma} <= set(found.trust.lemmas)
    where, _, holds = found.trust.facts.partition(f"{found.equation} fails at ")[2].partition("; ")
    assert where
    assert holds


def test_a_variance_at_its_end_is_zero_identically(monkeypatch):
    """That it is 0 at the points drawn proves nothing of the others: the map has to know it."""
    models = "gaussian: X, Y; means off", "gaussian: H -> X, Y; hidden H; means off; fix b(H->X)=1, b(H->Y)=1"
    right, seen = nesting.by_entries, []

    def by_entries(first, second, match):
        found = right(first, second, match)
        seen.extend(found.second.parameters[place] for place in (found.zeros if found else ()))
        return None if found is None else nesting.replace(found, zeros=frozenset())

    assert algdim.compare(*models).ratio.reference is not None
    monkeypatch.setattr(nesting, "by_entries", by_entries)
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
    inner, bound = best_bound(classifier), of_embedded(map_of(network))

    assert {"classifier", *inner.trust.lemmas} == set(bound.trust.lemmas)
    assert inner.trust.facts in bound.trust.facts
