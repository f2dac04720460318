"""The equations that a model implies: the printed tetrads, sextads, pentads, independences, Verma's equation."""

from __future__ import annotations

import json
from itertools import product

import brute
import pytest
from amount import daily
from suites.random_gaussians import factor_model, gaussian_model

import algdim
from algdim import InputError, constraints, dimension
from algdim.families.discrete.constraints import make_discrete_constraints
from algdim.families.discrete.equations import find_discrete_equations
from algdim.families.discrete.map import get_param_map
from algdim.families.gaussian import treksearch
from algdim.families.gaussian.constraints import make_gaussian_constraints
from algdim.families.gaussian.equations import find_gaussian_equations
from algdim.families.gaussian.map import get_gaussian_map

NAIVE = "gaussian: H -> X1, X2, X3, X4; hidden H"


def test_the_printed_tetrads():
    """GHM96 §7 prints three tetrads in this form and order, two of them independent."""
    found = constraints(NAIVE)

    assert [
        "cov(X1,X2) cov(X3,X4) − cov(X1,X3) cov(X2,X4) = 0",
        "cov(X1,X4) cov(X2,X3) − cov(X1,X3) cov(X2,X4) = 0",
        "cov(X1,X4) cov(X2,X3) − cov(X1,X2) cov(X3,X4) = 0",
    ] == [one.text for one in found.of_kind("tetrad")]
    assert [True, True, False] == [one.independent for one in found.constraints]
    assert (14, 2) == (found.complete, found.codimension)


def test_w():
    """Three vanishing covariances; the tetrad that they imply is not listed, but counted."""
    found = constraints("gaussian: A -> C <- H -> D <- B; hidden H")

    assert 3 == len(found.of_kind("zero")) == found.codimension
    assert "1 tetrad" in found.notes[0]


@pytest.mark.parametrize(
    ("factors", "items", "kind", "count"),
    [(1, 5, "tetrad", 15), (2, 6, "sextad", 10), (2, 5, "pentad", 1), (2, 6, "pentad", 6), (3, 8, "octad", 35)],
)
def test_factor_models(factors, items, kind, count):
    """Every choice of rows and columns, or of five items, is listed once, and all that the model implies is proved."""
    found = constraints(factor_model(factors, items))
    report = dimension(factor_model(factors, items))

    assert count == len(found.of_kind(kind))
    assert report.complete - report.dimension == found.codimension


def test_smaller_minors_make_larger_ones_superfluous():
    """One factor has no sextads beside its tetrads, two factors no octads beside their sextads."""
    assert () == constraints(factor_model(1, 6)).of_kind("sextad")
    assert () == constraints(factor_model(2, 8)).of_kind("octad")


@pytest.mark.parametrize("start", daily(range(0, 120, 40), 1))
def test_what_is_listed_holds(start):
    """Random models: every equation vanishes at a point (checked inside), and the codimension is never too great."""
    for seed in range(start, start + 40):
        model = gaussian_model(seed)
        found = constraints(model)
        report = dimension(model, bounds="counting,ambient,chance")

        assert found.complete - found.codimension >= report.dimension, seed


def test_partial_covariances():
    """A chain: neighbours of neighbours are independent given what is between."""
    found = constraints("gaussian: A -> B -> C; means off")

    assert ["cov(A,C|B) = 0"] == [one.text for one in found.constraints]
    assert 1 == found.codimension


def test_large_sizes_are_left_out_and_said(monkeypatch):
    """Where there are too many candidates a note says so, and the rest is listed."""
    monkeypatch.setattr(treksearch, "MOST_CANDIDATES", 250)
    found = constraints(factor_model(1, 8))

    assert any("minors with 3 rows are left out: there are 280 candidates" in note for note in found.notes)
    assert 210 == len(found.of_kind("tetrad"))
    assert 36 - 16 == found.codimension


def test_discrete_models():
    """W: two independences and a flattening; the flattening of 3:2,2,2,2."""
    w = constraints("A -> C <- H -> D <- B; hidden H")

    assert ["A ⊥ D,B", "A,C ⊥ B"] == [one.text for one in w.of_kind("independence")]
    assert 9 == w.complete - w.codimension
    assert 3 == len(constraints("3:2,2,2,2").of_kind("flattening"))
    with pytest.raises(InputError, match="given"):
        constraints("A -> B; given A")


def test_ranks_that_every_matrix_obeys_are_left_out():
    """MH97's mechanisms: absent effects make states of E.1 impossible; only the states of E that say something are listed."""
    found = constraints("max: {C1,C2},{C3} -> E")
    told = {one.text: one for one in found.of_kind("flattening")}

    assert [
        "rank P(C1,C2; C3,E) ≤ 2   (4×4)",
        "rank P(C1,C2; C3 | E=0) ≤ 1   (4×2)",
        "rank P(C2; C3 | C1=0,E=0 or C1=1,E=0) ≤ 1   (2×2)",
        "rank P(C1; C3 | C2=0,E=0 or C2=1,E=0) ≤ 1   (2×2)",
    ] == list(told)
    one = told["rank P(C1,C2; C3 | E=0) ≤ 1   (4×2)"]
    assert (1, [[0]]) == (one.evidence["rank"], one.evidence["states"])
    assert r"\operatorname{rank} P(C_{1},C_{2};\, C_{3} \mid E=0) \le 1" == one.latex
    assert "states" not in told["rank P(C1,C2; C3,E) ≤ 2   (4×4)"].evidence
    assert 8 == found.complete - found.codimension


@pytest.mark.parametrize(
    "text",
    [
        "max: {C1,C2},{C3} -> E",
        "noisy-or: {A},{B},{C} -> E",
        "at-least 2: {A,B},{C,D} -> E",
        "H -> A, B, C; D -> H; hidden H; states H=3; fix P(H=2|D=0)=0",
        "3:2,2,2,2",
    ],
)
def test_every_rank_says_something_and_holds(text):
    """Each rank is below both sides of its matrix, and the table at a random point obeys it (brute force)."""
    model = algdim.model(text)
    names = [variable.name for variable in model.observed]
    point, (classes, _) = brute.random_point(model), brute.equations(model)
    table = brute.distribution(model, lambda entry: point[classes[entry]], brute.PRIME)
    sizes = {variable.name: variable.states for variable in model.observed}
    listed = constraints(model).of_kind("flattening")

    def joint(group):
        return list(product(*(range(sizes[name]) for name in group)))

    def marginal(states):
        return sum(
            value for cell, value in table.items() if states.items() <= dict(zip(names, cell, strict=True)).items()
        )

    for one in listed:
        sides = [
            [dict(zip(one.evidence[side], row, strict=True)) for row in joint(one.evidence[side])] for side in "AB"
        ]
        for state in one.evidence.get("states", joint(one.evidence["C"])):
            fixed = dict(zip(one.evidence["C"], state, strict=True))
            matrix = [[marginal(row | column | fixed) for column in sides[1]] for row in sides[0]]

            assert brute.rank(matrix) <= one.evidence["rank"] < min(map(len, sides))
    assert listed


def test_latex_and_json():
    """The LaTeX has every equation; the JSON can be written and says how each is proved."""
    found = constraints(NAIVE)
    read = json.loads(json.dumps(found.to_dict()))

    assert 3 == found.latex().count("= 0")
    assert r"\operatorname{cov}(X_{1},X_{2})" in found.latex()
    assert {("treks", "proved")} == {(one["lemma"], one["status"]) for one in read["constraints"]}
    assert {"left": ["H"], "right": []} == read["constraints"][0]["through"]


def test_long_lists_are_cut():
    """Twelve of a kind are shown, all on demand."""
    found = constraints(factor_model(1, 6))

    assert "  … and 33 more (--all)" in found.lines()
    assert 45 == sum("choke point" in line for line in found.lines(None))


@pytest.mark.parametrize("clause", ["fix v(A)=1", "equal e = v(A), v(B)"])
def test_linear_equations_are_said_to_be_left_out(clause):
    """Where entries are fixed or equal, a note says what is not searched; elsewhere there is none."""
    said = "linear equations that follow from fixed or equal entries, except what vanishes, are not looked for"

    assert said in constraints(f"gaussian: A -> B; {clause}").notes
    assert said not in constraints("gaussian: A -> B").notes


def test_verma_in_latex():
    """Verma's equation is mathematics, without a sign that LaTeX does not know."""
    latex = constraints("A -> B -> C -> D; U -> B, D; hidden U").latex()

    assert r"\sum_{B} P(B\mid A)\,P(D\mid A,B,C)\text{ does not depend on }A" in latex
    assert latex.isascii()


def test_what_is_not_looked_at_is_not_called_nothing():
    """Of tables that are too large a note says that flattenings are left out; nothing is said of what they prove."""
    chain = "; ".join(f"V{number} -> V{number + 1}" for number in range(20))
    large, smaller = constraints(f"{chain}; H -> V0, V20; hidden H"), constraints("; ".join(chain.split("; ")[:10]))

    assert "flattenings are left out: there are 2097152 cells" in large.notes[0]
    assert large.to_dict()["flattenings_complete"] is False
    assert smaller.to_dict()["flattenings_complete"] is True
    for found in (large, smaller):
        assert found.of_kind("independence")
        assert "not looked at" in found.reason
    assert "prove nothing" in constraints("A -> B").reason


def test_flattenings_that_are_not_all_looked_at_are_said_to_be_so(monkeypatch):
    """The search has limits; where one of them ends it, a note says that there may be more."""
    assert constraints("3:2,2,2,2").to_dict()["flattenings_complete"] is True
    monkeypatch.setattr("algdim.families.discrete.bounds.flattenings.MOST_SEPARATORS", 2)
    found = constraints("3:2,2,2,2")

    assert found.to_dict()["flattenings_complete"] is False
    assert any("not all separating sets" in note for note in found.notes)


def test_what_independences_say_is_no_flattening():
    """A hidden variable with one state carries nothing: the independence is listed, once."""
    assert ["A ⊥ B"] == [one.text for one in constraints("A -> H -> B; hidden H; states H=1").constraints]


@pytest.mark.parametrize("text", ["A -> B -> C -> D; U -> B, D; hidden U", "2:2,2,2,2", NAIVE])
def test_each_equation_says_what_proves_it(text):
    """The status comes from the lemma and the facts that it was applied to."""
    for one in constraints(text).to_dict()["constraints"]:
        assert "proved" == one["status"]
        assert [one["lemma"]] == one["lemmas"]
        assert one["facts"]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("A -> B -> C -> D; U -> B, D; hidden U; fix P(C=1|B=0)=0", ["independence", "verma"]),
        ("A -> H -> B, C; hidden H; states H=3, B=3, C=3; fix P(H=2|A=0)=0", ["flattening"]),
    ],
)
def test_equations_of_networks_are_told_with_the_trust_of_who_found_them(text, kinds):
    """Nothing is proved anew on the way from the search to the line; the sets in the facts are those of the statement."""
    found = find_discrete_equations(get_param_map(algdim.model(text)), 0)
    told = make_discrete_constraints(text, found)
    (rest,) = told.rests
    names = found.independences.graph.names_of
    statements = (*found.independences.basis, *found.ranks, *found.verma)

    assert kinds == [one.kind for one in told.constraints]
    assert [id(one.trust) for one in statements] == [id(one.trust) for one in told.constraints]
    assert [id(one.trust) for one in found.independences.pairs] == [id(one.trust) for one in rest.implied]
    assert found.rest is rest.no_others is not None
    assert found.upper is told.upper
    for one in (*found.independences.basis, *found.independences.pairs):
        left, right, given = (",".join(names(side)) for side in (one.one, one.other, one.given))
        assert f"{given or 'the empty set'} separates {left} from {right} in the latent projection" == one.trust.facts
    for rank in found.ranks:
        assert f"at most {rank.rank} state" in rank.trust.facts


@pytest.mark.parametrize(
    "text",
    [
        NAIVE,
        "gaussian: A -> B -> C -> D; U -> B, D; hidden U; fix m(A)=0",
        "gaussian: F, G -> A, B, C, D, E; hidden F, G",
    ],
)
def test_equations_between_covariances_are_told_with_the_trust_of_who_found_them(text):
    """Nothing is proved anew on the way from the search to the line; the facts say what the line says in few words."""
    found = find_gaussian_equations(get_gaussian_map(algdim.model(text)), 4, 0)
    told = make_gaussian_constraints(text, found)

    assert found.equations
    assert {id(one.trust) for one in found.equations} == {id(one.trust) for one in told.constraints}
    assert len(found.equations) == len(told.constraints)
    for one in found.equations:
        assert one.because in one.trust.facts or (one.kind, one.because) == ("zero mean", "no treks")


def test_cells_that_are_zero_are_named():
    """They are equations, and have codimension, although no independence and no flattening is listed."""
    found = constraints("A -> B -> C; H -> A, C; hidden H; fix P(B=0|A=0)=0, P(B=1|A=0)=1")

    assert (2, (), 2) == (found.zeros, found.constraints, found.codimension)
    assert "structural zeros: 2 cells\nno other equations were found\n" in str(found)
    assert "independences, flattenings and 2 zeros have codimension 2 at a point" in found.reason
    assert 2 == found.to_dict()["zero_cells"]


def test_a_search_that_ends_early_says_so(monkeypatch):
    """Pairs of vertices for pentads are many; what is not looked at is noted."""
    monkeypatch.setattr(treksearch, "MOST_CUTS", 0)
    found = constraints(factor_model(2, 5))

    assert "pentads are looked for behind 0 of 91 pairs of vertices; there may be more" in found.notes
    (left_out,) = found.completeness["left_out"]
    assert (91, 0) == (left_out["candidates"], left_out["looked_at"])


@pytest.mark.parametrize(
    ("text", "lemma", "fact"),
    [
        ("A -> B -> C -> D; U -> B, D; hidden U", "equations", "15 − 2; 2 equations, "),
        ("A -> B", "degrees of freedom", "4 cells, which sum to 1: 3 are free"),
        (NAIVE, "equations", "the gradients of 2 equations are independent "),
        ("gaussian: A -> B", "degrees of freedom", "3 variances and covariances, 2 means"),
    ],
)
def test_the_upper_bound_says_what_proves_it(text, lemma, fact):
    """The last line is a statement, too: with point and prime where a rank was taken."""
    document = constraints(text).to_dict()
    proof = document["upper_trust"]

    assert dimension(text).dimension <= document["upper"]
    assert proof["status"] == "proved"
    assert lemma in proof["lemmas"]
    assert fact in proof["facts"]
    assert (document["codimension"] > 0) == ('at the point drawn from "algdim 1|0|point|constraints|' in proof["facts"])


def test_that_the_independences_are_all_says_what_proves_it():
    """Of the graph, by the lemma that the text names; of the model where all tables are free; null where it is not known."""
    free, fixed = (constraints(f"A -> B -> C{more}").to_dict() for more in ("", "; fix P(C=0|B=0)=1/2"))
    none = constraints(" -> ".join(f"X{n}" for n in range(101))).to_dict()

    assert [True, None, False] == [one["independences_complete"] for one in (free, fixed, none)]
    for one in (free, fixed):
        assert ["ordered Markov property"] == one["independences_trust"]["lemmas"]
        assert "of A, B, C" in one["independences_trust"]["facts"]
    assert "the model has no others" in free["independences_trust"]["facts"]
    assert "the model" not in fixed["independences_trust"]["facts"]
    assert none["independences_trust"]["status"] is None
