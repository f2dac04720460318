"""Equations of Gaussian models against exact members, all separations and all kernels, found without the engine."""

from __future__ import annotations

import json
import random
from itertools import chain, combinations

import brute_gaussian
import pytest
from amount import IS_ALL, daily, drawn, in_turn
from brute_constraints import any_covariance, member, separated, value_of
from suites.random_gaussians import factor_model, gaussian_model

import algdim
from algdim import constraints
from algdim.families.gaussian import equations as gaussianconstraints
from algdim.families.gaussian import treksearch
from algdim.families.gaussian.model import Gaussian, GaussianVariable
from algdim.families.gaussian.treks import build_doubled_graph
from algdim.families.gaussian.verma import find_kernel_equation, find_topological_places, project_gaussian
from algdim.models.notation import to_text

VERMA = "gaussian: A -> B -> C -> D; U -> B, D; hidden U"


def mixed_graph(seed, count):
    """A random acyclic graph with bidirected edges, everything observed."""
    draw = random.Random(f"mixed {seed}")
    names = [f"V{number}" for number in range(count)]
    pairs = list(combinations(names, 2))
    edges = [pair for pair in pairs if draw.random() < 0.4]
    both = [pair for pair in pairs if draw.random() < 0.35 and (pair not in edges or draw.random() < 0.3)]
    return Gaussian(tuple(map(GaussianVariable, names)), tuple(edges), tuple(both), means=False)


def check_holds(model, found, source):
    """Every equation is zero at two members of the model, and at a random covariance matrix it is not."""
    for told in found.to_dict()["constraints"]:
        values = [value_of(told, *member(model, source)) for _ in range(2)]

        assert not any(values), (to_text(model), told["text"])
        names = [variable.name for variable in model.variables]
        assert value_of(told, *any_covariance(names, source)), (to_text(model), told["text"])


@pytest.mark.parametrize("start", daily(range(0, 160, 40), 1))
def test_every_equation_holds_in_random_models(start):
    """Cycles, correlated errors, means, fixed and equal entries, hidden variables: none of the equations is false."""
    for seed in range(start, start + 40):
        model = gaussian_model(seed)

        check_holds(model, constraints(model), random.Random(seed))


@in_turn(2)
@pytest.mark.drawn
def test_every_equation_holds_in_mixed_graphs():
    """Acyclic graphs with many bidirected edges, where kernels have equations of their own."""
    kinds = set()
    for seed in drawn(range(60), 7):
        model = mixed_graph(seed, 5 + seed % 2)
        found = constraints(model)
        kinds |= {(one.kind, len(one.evidence.get("kernels", ()))) for one in found.constraints}
        check_holds(model, found, random.Random(seed))
    assert {("kernel", 1), ("partial minor", 0), ("partial", 0), ("tetrad", 0)} <= kinds or not IS_ALL


@pytest.mark.parametrize(
    "text",
    [
        VERMA,
        "gaussian: V0 -> V1, V2 -> V3; V0 <-> V3, V4; means off",
        "gaussian: A -> B -> C -> D -> E; A <-> C <-> E; B <-> D; means off",
        "gaussian: A -> B -> C -> D -> E -> F; B <-> D <-> F; C <-> E; means off",
        "gaussian: A -> B -> C -> D -> E; U -> B, D; V -> C, E; hidden U, V; fix b(A->B)=1/3, v(U)=2",
        "gaussian: A -> B -> C; U -> A, D; V -> A, C; hidden U, V",
        "gaussian: A -> H -> B -> C -> D; U -> B, D; hidden U, H; equal l = b(A->H), b(U->B)",
    ],
)
def test_chosen_graphs(text):
    """Kernels after one another, hidden variables on the way, fixed and equal entries."""
    model = algdim.model(text)
    found = constraints(model)

    assert found.of_kind("kernel")
    check_holds(model, found, random.Random(text))


def test_kernels_after_one_another():
    """A regression in a kernel that itself comes from regressions."""
    model = algdim.model(
        "gaussian: V5, V3, V1, V0, V6, V2, V4; V1 -> V2, V6; V2 -> V5; V3 -> V4, V6; V4 -> V5; "
        "V0 <-> V3, V5; V1 <-> V4, V5; V2, V4 <-> V6; means off"
    )
    found = constraints(model)
    texts = [one.text for one in found.of_kind("kernel") if len(one.evidence["kernels"]) == 2]

    first, second = "Q1 = [V1 ~ 1, V4 ~ V3 + V1, V5 ~ V3 + V1 + V2 + V4]", "Q2 = [V5 ~ V3 + V2 + V4 in Q1]"
    assert [f"effect of V3 on V5 in Q2 = 0, where {first}; {second}"] == texts
    check_holds(model, found, random.Random(3))


def test_vermas_equation():
    """The independence and Verma's equation: codimension 2, which is all that the model implies."""
    found = constraints(VERMA)

    assert [
        "cov(A,C|B) = 0",
        "β(D,A|B,C) + β(D,B|A,C) β(B,A) = 0",
    ] == [one.text for one in found.constraints]
    assert r"\beta_{D,A\cdot B,C} + \beta_{D,B\cdot A,C}\beta_{B,A} = 0" == found.constraints[1].latex
    assert (14, 2) == (found.complete, found.codimension)
    assert 12 == brute_gaussian.dimension(algdim.model(VERMA))


@in_turn(2)
@pytest.mark.drawn
def test_the_dimension_is_met_in_small_acyclic_graphs():
    """At most five observed variables: the codimension of the list never exceeds the true one, and mostly is it."""
    met = total = 0
    for seed in drawn(range(300), 37):
        model = gaussian_model(seed, most=6, cycles=False, special=False) if seed % 2 else mixed_graph(seed, 5)
        if len(model.observed) > 5:
            continue
        found = constraints(model)
        true = brute_gaussian.complete(model) - brute_gaussian.dimension(model)
        total += 1
        met += found.codimension == true

        assert found.codimension <= true, to_text(model)
        assert found.completeness["all_listed"]
    assert (240, 236) <= (total, met) or (not IS_ALL and met > 0.8 * total > 12)


@pytest.mark.parametrize("start", range(0, 60, 20))
def test_all_separated_pairs_are_listed(start):
    """Each pair that any set of observed variables separates, and no other; of the set that is named no member can go."""
    for seed in range(start, start + 20):
        model = gaussian_model(seed, most=6, special=False)
        found = constraints(model)
        listed = {}
        for one in found.constraints:
            if one.kind == "zero":
                listed[frozenset(one.evidence["variables"])] = ()
            elif one.kind == "partial":
                listed[frozenset((one.evidence["rows"][0], one.evidence["columns"][0]))] = one.evidence["rows"][1:]
        names = [variable.name for variable in model.observed]
        for pair in combinations(names, 2):
            rest = [name for name in names if name not in pair]
            sets = chain.from_iterable(combinations(rest, size) for size in range(len(rest) + 1))
            good = [set(some) for some in sets if separated(model.edges, model.bidirected, *pair, some)]

            assert (frozenset(pair) in listed) == bool(good), (to_text(model), pair)
            if good:
                named = set(listed[frozenset(pair)])

                assert named in good
                assert not any(some < named for some in good)


def kernels_by_fixing(model):
    """All kernels that fixing one vertex after the other leads to: random variables, inputs, and the edges that are left.

    What has no children when it is fixed is summed out; what has some becomes an input, and stays one. Beside an input stand
    its descendants at that time: of all others it is trivially independent, because they stand in no quotient.
    """
    waiting = [(frozenset(variable.name for variable in model.variables), frozenset())]
    known = set(waiting)
    while waiting:
        inside, inputs = waiting.pop()
        edges = [(a, b) for a, b in model.edges if b in inside]
        both = [pair for pair in model.bidirected if inside.issuperset(pair)]
        yield inside, inputs, edges, both
        for vertex in inside:
            below = {vertex}
            while grown := {b for a, b in edges if a in below} - below:
                below |= grown
            district = {vertex}
            while grown := {x for pair in both for x in pair if district.intersection(pair)} - district:
                district |= grown
            kernel = inside - {vertex}, inputs | {(vertex, frozenset(below))} if below > {vertex} else inputs
            if below & district == {vertex} and kernel not in known:
                known.add(kernel)
                waiting.append(kernel)


def neighbours(model, pair):
    """Whether an edge of any kind joins two variables."""
    return bool({pair, pair[::-1]} & {*model.edges, *model.bidirected})


def separated_in_a_kernel(model, names):
    """The pairs, not both inputs, that some set separates in a kernel, inputs always being given."""
    found = set()
    for inside, inputs, edges, both in kernels_by_fixing(model):
        below = dict(inputs)
        for pair in combinations(sorted({*inside, *below}, key=names.index), 2):
            if pair in found or neighbours(model, pair):
                continue
            if any(one in below and other not in below[one] for one, other in (pair, pair[::-1])):
                continue
            rest = inside.difference(pair)
            sets = chain.from_iterable(combinations(rest, size) for size in range(len(rest) + 1))
            if any(separated(edges, both, *pair, {*some, *below}.difference(pair)) for some in sets):
                found.add(pair)
    return found


@pytest.mark.parametrize("start", range(0, 60, 20))
def test_all_pairs_that_a_kernel_separates_are_found(start):
    """Fixing in every order: two variables are separated in some kernel exactly where an equation is looked at."""
    numbers = range(5)
    for seed in range(start, start + 20):
        model = mixed_graph(seed, 5)
        names = [variable.name for variable in model.variables]
        projection = project_gaussian(build_doubled_graph(model), names, numbers)
        places = find_topological_places(projection)
        wanted = separated_in_a_kernel(model, names)
        for one, other in combinations(numbers, 2):
            pair = names[one], names[other]
            if not neighbours(model, pair):
                sets = chain.from_iterable(combinations({*names}.difference(pair), size) for size in range(4))
                in_graph = any(separated(model.edges, model.bidirected, *pair, set(some)) for some in sets)
                found = in_graph or find_kernel_equation(projection, places, one, other) is not None

                assert found == (pair in wanted), (to_text(model), pair)


@in_turn(2)
def test_a_list_says_whether_all_was_looked_at():
    """28 independences; what is left out is told in text and JSON."""
    whole = constraints("gaussian: X1, X2, X3, X4, X5, X6, X7, X8 -> Y")
    ring = constraints("gaussian: " + " -> ".join(f"X{number % 30}" for number in range(31)))
    told = json.loads(json.dumps(ring.to_dict()))

    assert 28 == len(whole.of_kind("zero"))
    assert whole.to_dict()["all_listed"]
    assert [] == whole.to_dict()["left_out"]
    assert 405 == len(ring.of_kind("partial")) == ring.codimension
    assert not told["all_listed"]
    assert {"coefficients in kernels", "minors with 3 rows", "minors with 4 rows"} <= {
        one["what"] for one in told["left_out"]
    }
    assert {f"{one['what']} {one['why']}" for one in told["left_out"]} <= set(ring.lines())


@in_turn(3)
def test_the_work_is_counted(monkeypatch):
    """A search that would take too much ends, and says how far it came; what it lists is true."""
    monkeypatch.setattr(treksearch, "MOST_VISITS", 50)
    monkeypatch.setattr(treksearch, "MOST_PAIR_VISITS", 300)
    monkeypatch.setattr(gaussianconstraints, "MOST_KERNEL_WORK", 10)
    model = algdim.model("gaussian: A -> B -> C -> D -> E; U -> B, D; H -> X1, X2, X3, X4; hidden U, H; means off")
    found = constraints(model)
    notes = "\n".join(found.notes)

    assert "tetrads that vanish at the drawn point: 1 of " in notes
    assert "partial covariances are looked for between " in notes
    assert "coefficients in kernels of " in notes
    assert found.codimension == sum(one.independent for one in found.constraints)
    check_holds(model, found, random.Random(0))


def test_no_equations():
    """None of none is not counted: the bound is that of the saturated model."""
    found = constraints("gaussian: H -> X1, X2, X3; hidden H; means off")

    assert "the dimension is at most 6, that of the saturated model" == found.reason


def test_too_many_covariances(monkeypatch):
    """Nothing is listed, and that is said."""
    monkeypatch.setattr(gaussianconstraints, "MOST_COORDINATES", 13)
    found = constraints("gaussian: H -> X1, X2, X3, X4; hidden H")

    assert ((), 0) == (found.constraints, found.codimension)
    assert "equations are left out: there are 14 covariances and means, at most 13 are examined" in found.lines()
    assert not found.to_dict()["all_listed"]


def test_what_vanishes_without_a_proof_is_not_listed():
    """A tetrad that holds because entries are equal is no trek separation: it is told, not listed."""
    text = "gaussian: F -> A, B; G -> A, B; F, G -> C, D; hidden F, G; means off; fix v(F)=1, v(G)=1; "
    found = constraints(text + "equal l = b(F->A), b(G->A); equal k = b(F->B), b(G->B)")

    assert () == found.of_kind("tetrad")
    assert any("tetrads that vanish at two drawn points without being separated" in note for note in found.notes)
    assert not found.to_dict()["all_listed"]


def test_errors_without_variance_separate_more():
    """Z is a copy of the hidden H: given Z, A and B are independent, which the graph's separation does not see."""
    model = algdim.model("gaussian: H -> A, B, Z; hidden H; fix v(Z)=0; means off")
    found = constraints(model)

    assert ["cov(A,B|Z) = 0"] == [one.text for one in found.of_kind("partial")]
    check_holds(model, found, random.Random(1))


def test_singular_conditions_are_told():
    """B is a multiple of A: what is given both has no partial covariance, and is left out with a note."""
    found = constraints("gaussian: A -> B; A, B -> C -> D; A, B -> D; C <-> D; A, B -> E; fix v(B)=0; means off")

    assert any("singular" in note for note in found.notes)


def test_each_equation_says_how_it_is_known():
    """Status, lemmas and facts come from the code that lists it."""
    told = constraints(VERMA).to_dict()["constraints"]

    assert [("proved", ["treks"]), ("proved", ["linear kernels"])] == [(one["status"], one["lemmas"]) for one in told]
    assert "1 vertex meets all treks between A, B and C, B: choke point B" == told[0]["facts"]
    assert "in the latent projection A is no parent of D, and the kernels have values at the point " in told[1]["facts"]
    assert '"algdim 1|0|point|constraints|' in told[1]["facts"]


def test_a_tetrad_of_partial_covariances():
    """Beside an observed common cause; only those that are independent of all before are listed."""
    found = constraints("gaussian: H, A -> X1, X2, X3, X4; hidden H; means off")

    texts = [one.text for one in found.of_kind("partial minor")]

    assert 2 == found.codimension
    assert texts
    assert all(text.endswith("| A) = 0") for text in texts)


def test_larger_minors():
    """Four factors have minors with five rows of ten items, each choice of rows once."""
    found = constraints(factor_model(4, 10), size=5)

    assert 126 == len(found.of_kind("minor"))
    assert 11 == found.codimension == 55 - 44


def test_a_variable_on_both_sides_of_treks_is_no_choke_point():
    """B meets all treks, but as two vertices, on the left and on the right: no tetrad vanishes."""
    found = constraints("gaussian: B <-> C, D, E, F, G, I; B -> C, D, E, F, G, I; hidden B; means off")

    assert not found.of_kind("tetrad")
    assert found.of_kind("sextad")
    assert {"treks through B"} == {one["because"] for one in found.to_dict()["constraints"]}
