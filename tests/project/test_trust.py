"""A statement is proved only by a lemma that is on the page."""

from __future__ import annotations

import ast
from contextlib import suppress
from pathlib import Path

import pytest
from amount import daily
from packages import ROOT, modules
from sources import nodes_of, tree_of
from test_lemmas import NAMES

import algdim
from algdim.bound.strategy import KNOWN
from algdim.trust import BOUNDS_ONLY, IN_FLOATS, PROBABLE, PROVED, Trust, probable, proved_by, trust_in_all

LEMMAS_BEGIN = {"proved_by": 0, "prove_bound": 4, "derive_bound": 5}
"""The functions that make proved statements, and the first argument that is a lemma."""


def lemmas_given(nodes):
    """The lemma names that are written out where something is proved."""
    for node in nodes:
        if isinstance(node, ast.Call) and (name := getattr(node.func, "id", "")) in LEMMAS_BEGIN:
            first = LEMMAS_BEGIN[name]
            given = [*node.args[:1], *node.args[2:]] if name == "proved_by" else node.args[first:]
            yield from (argument.value for argument in given if isinstance(argument, ast.Constant))


def test_lemmas_that_prove_exist():
    """Every lemma that is named where a statement is proved stands on the page."""
    given = {name for file in modules() for name in lemmas_given(nodes_of(file))}
    assert set() == given - NAMES


MAKE_TRUST = frozenset({"proved_by", "probable", "prove_bound", "derive_bound", "derive_trust"})
"""The functions that say of a statement that it is proved, or how probable."""

PROVERS = {
    # bounds of a dimension, each by the theorem of its module
    "bound/bounds.py": "derive_bound prove_bound",
    "bound/chance.py": "bound_by_chance",
    "bound/interpolation.py": "bound_by_interpolation",
    "bound/counting.py": "make_saturated bound_by_counting bound_by_count",
    "families/polynomial/family.py": "compute_saturated prove_classifier_rank",
    "families/polynomial/bounds.py": (
        "compute_hull_dimension bound_by_field_symmetry bound_by_hull bound_by_power_sums"
    ),
    "families/gaussian/halftrek.py": "HalfTrek.trust bound_by_half_treks",
    "families/discrete/bounds/latentclass.py": "compute_latent_class_bounds",
    "families/latentprofile/family.py": "bound_by_moments bound_by_parameters prove_moment_rank",
    "families/additive/shifts.py": "find_shifts",
    "families/additive/family.py": "bound_by_parameters bound_by_shifts find_by_theorem prove_coordinate_rank",
    "bound/strategy.py": "make_lower_bound add_bounds",
    "families/discrete/bounds/trees.py": "add_bounds",
    # equations: where the graph was asked for what separates
    "families/discrete/bounds/flattenings.py": "compute_rank_trust",
    "families/gaussian/equations.py": "iterate_kernel_equations verify_upper_bound",
    "families/discrete/equations/independences.py": "find_independences make_independence",
    "families/discrete/equations/possiblestates.py": "make_stated_equation",
    "families/gaussian/treksearch.py": "TrekSearch.minor TrekSearch.pentads TrekSearch.zeros",
    # two models: maps of parameters, refutations, what may be left out of either, the distribution at a boundary
    "explanation/nesting.py": "decide_nesting derive_opposite_verdict prove_value_exists",
    "explanation/evidence.py": "find_failing_form make_refutation prove_embedding",
    "families/discrete/comparison.py": "find_failing_interaction find_impossible_cell",
    "families/gaussian/comparison.py": "find_mixture",
    "families/loglinear/comparison.py": "build_covering_map",
    # latent trees reduced and cut
    "families/discrete/decomposition.py": "apply_tree_rule decompose_network",
    # parameters: the kernel of the Jacobian, the number of solutions
    "identifiability/estimators.py": "count_estimator_dimension",
    "identifiability/solutions.py": "count_at_points multiply_fibre_degrees prove_solution_count",
    "identifiability/degreesoffreedom.py": "derive_freedom_trust prove_impossible_cells",
    "identifiability/points.py": "derive_point_verdicts",
    "identifiability/identifying.py": (
        "ParameterSearch.basis ParameterSearch.determined_combinations ParameterSearch.of_full_rank "
        "ParameterSearch.resting ParameterSearch.trust_in_basis ParameterSearch.trust_in_chosen "
        "ParameterSearch.trust_in_drawn_groups ParameterSearch.trust_in_group ParameterSearch.trust_in_kept "
        "ParameterSearch.trust_in_lost ParameterSearch.trust_in_one_kept ParameterSearch.proved_identifiable "
        "trust_in_all_parameters"
    ),
    "identifiability/classification.py": "derive_by_dimension derive_loss_trust",
    "identifiability/rowspaces.py": "find_lost_parameters",
    "families/gaussian/units.py": "find_units",
    # the rank at given parameters
    "report.py": "compare_point_rank",
    "identifiability/kernels.py": "compute_polynomial_kernel select_disjoint_pieces",
    "models/anymodel.py": "prove_removal",
    "families/discrete/locals/sigmoid.py": "prove_free_tables prove_odds_rank",
    # claims of the papers: the instances that a check evaluates
    "claims/finding.py": "check_formula check_identity",
    "claims/ghm96.py": (
        "bic_likelihood figure_1 growth_of_w hessian_sign logarithm_of_determinant marginal_likelihood_bic "
        "maximum_likelihood observed_parameters posterior_of_structure sigmoid_dimension sigmoid_without_top "
        "tetrads theorem_1 theorem_2"
    ),
    "claims/approximations.py": "find_error laplace_with_a_prior trust_with",
    "claims/hm97.py": "block_of_equation_10 linear_growth sum_of_dimensions",
    "claims/kz02.py": (
        "all_three_bounds binary_trees chain_of_theorem_5 gaps_in_table_1 is_regular "
        "leaves_of_the_closest_model lemma_3_1 only_two regular_below_the_caps same_likelihood "
        "standard_of_four_leaves theorem_4 two_items corollary_4_1 score_of_choice theorem_3 theorem_5"
    ),
    "claims/switching.py": "image_of_eta image_of_omega printed_summands rank_by_eta",
    "claims/mh97.py": "any_structure_for_f2 binary_coincidence distinct_rows parity_of_the_effect",
    "claims/judging.py": "run_one join_verdicts",
    # what the independent checker accepted
    "certificate/verifying.py": "verify_bytes",
    # the sum of the errors of several statements
    "trust.py": "trust_in_all",
    "families/discrete/bounds/weights.py": "find_rank_at_weights",
    "families/loglinear/family.py": "bound_by_latent_class find_without_rank find_summed_out bound_by_summing_out",
    "families/classifier/family.py": "select_class_tables",
    "families/discrete/identification.py": "count_by_kruskal prove_uniqueness",
    "families/gaussian/identification.py": "count_solutions_exactly",
    "families/discrete/tableembeddings.py": "build_embedding",
    "bound/symbolic.py": "bound_by_elimination eliminate",
    "families/classifier/bounds.py": (
        "bound_by_class_tables bound_by_embedded_classifiers bound_by_linear_map bound_by_theorem bound_by_ambient"
    ),
    "families/discrete/bounds/containing.py": (
        "bound_by_heads bound_by_reduced_tree make_containing_bound bound_by_sum_scores"
    ),
    "families/discrete/bounds/equations.py": "make_equation_bound",
    "families/discrete/bounds/kruskal.py": "bound_by_kruskal",
    "families/discrete/bounds/mechanisms.py": "bound_by_mechanisms",
    "families/discrete/bounds/pairwise.py": "bound_by_bipartition",
    "families/discrete/bounds/search.py": "bound_by_ambient derive_kernel_bound bound_by_cells",
    "families/discrete/bounds/symmetry.py": "make_symmetry_bound",
    "families/gaussian/family.py": "bound_by_ambient",
    "families/gaussian/minors.py": "make_minor_bound",
    "families/gaussian/symmetry.py": "make_symmetry_bound",
    "families/discrete/bounds/secants.py": "Defective.trust bound_binary_items bound_defective prove_both",
    "families/discrete/bounds/settimismith.py": "make_both_bounds",
    "families/discrete/districts.py": "make_entries_finding",
    "identifiability/answers.py": "prove_all_identified",
    "families/discrete/bounds/equalcells.py": "bound_by_equal_cells bound_by_equal_states",
    "families/discrete/bounds/absorbing.py": "find_by_absorbing",
    "checking/knowing.py": "Finder.know_tetrads find_proved_bounds know_count know_freedom",
    "families/conditionalgaussian/family.py": "bound_by_coordinates bound_by_units find_by_parts prove_mixture",
    "families/discrete/short/diagnosis.py": "prove_dina_identifiability",
    "families/discrete/bounds/span.py": "bound_by_span",
    "families/discrete/bounds/margins.py": "make_block_bound make_margin_bound",
    "families/discrete/bounds/fewerstates.py": "make_fewer_states_bound",
    "families/discrete/bounds/parts.py": "make_parts_bound",
    "families/discrete/bounds/supermodels.py": "make_supermodel_bound",
    "families/discrete/bounds/normalforms.py": "make_normal_form_bound",
    "families/discrete/bounds/differences.py": "make_difference_bound",
    "families/discrete/bounds/doublepoints.py": "bound_by_double_points",
}
"""The functions that make trust, by module: each does a proof, or sees that the suppositions of a lemma hold."""

WORDING = (
    "cli/*",
    "plots/*",
    "tables/*",
    "writers.py",
    "readers/*",
    "*/record.py",
    "families/*/constraints.py",
    "families/discrete/equations/kerneltexts.py",
    "families/discrete/tableforms.py",
    "explanation/comparing.py",
    "explanation/constraints.py",
    "display/document.py",
    "explanation/constraints.py",
    "explanation/explaining.py",
    "explanation/printing.py",
    "explanation/sections.py",
)
"""Modules that put into words, numbers and pictures what others found."""

WORDS = frozenset("__str__ __repr__ text texts line lines latex to_dict because reasons derivation".split())
"""What methods that put a record into words are called."""


def names_with_trust(node, inside=()):
    """Where one of the functions that make trust is named: the function it stands in, by its dotted name."""
    for child in ast.iter_child_nodes(node):
        names = (*inside, child.name) if isinstance(child, ast.FunctionDef | ast.ClassDef) else inside
        if {getattr(child, "id", None), getattr(child, "attr", None)} & MAKE_TRUST:
            yield ".".join(names)
        if isinstance(child, ast.alias) and child.name in MAKE_TRUST and child.asname is not None:
            yield f"another name: {child.asname}"
        yield from names_with_trust(child, names)


def inner(file):
    """Give the path of a module inside its package."""
    return Path(*file.relative_to(ROOT).parts[1:])


def test_who_proves_makes_trust_and_nobody_else():
    """A statement is called proved, or probable, in the functions that are listed and in no others."""
    found = {}
    for file in modules():
        if names := set(names_with_trust(tree_of(file))):
            found[inner(file).as_posix()] = names

    assert {module: set(names.split()) for module, names in PROVERS.items()} == found


def test_wording_makes_no_trust():
    """No module whose work is wording is listed, nor a method that puts a record into words."""
    assert [] == [module for module in PROVERS for pattern in WORDING if Path(module).match(pattern)]
    assert [] == [name for names in PROVERS.values() for name in names.split() if name.split(".")[-1] in WORDS]
    files = [inner(file) for file in modules()]
    assert [] == [pattern for pattern in WORDING if not any(file.match(pattern) for file in files)]


@pytest.mark.parametrize(
    ("source", "where"),
    [
        ("def f():\n    return proved_by('treks', 'no treks')", ["f"]),
        ("class C:\n    def f(self):\n        return [trust.probable(e) for e in self.errors]", ["C.f"]),
        ("def f():\n    return list(map(probable, errors))", ["f"]),
        ("def f(n):\n    def g():\n        return prove_bound(n, UPPER, '', '', 'treks')\n    return g", ["f.g"]),
        ("from algdim.trust import proved_by as known", ["another name: known"]),
        ("from algdim.trust import proved_by\nKNOWN = proved_by('treks', 'no treks')", [""]),
        ("from algdim.trust import proved_by\ndef f(found):\n    return found.trust.lemmas_in_words", []),
    ],
)
def test_makers_of_trust_are_seen(source, where):
    """A call, a method, a function handed on, a function in another one, another name; not what is only passed on."""
    assert where == list(names_with_trust(ast.parse(source)))


def test_only_one_module_makes_proved_trust():
    """``Trust(PROVED, …)`` stands in its own module; everybody else names a lemma."""
    places = [
        f"{file}:{node.lineno}"
        for file in modules()
        for node in nodes_of(file)
        if isinstance(node, ast.Call)
        and "Trust" in (getattr(node.func, "id", ""), getattr(node.func, "attr", ""))
        and file.name != "trust.py"
    ]
    assert [] == places


@pytest.mark.parametrize(
    "arguments",
    [
        {"status": PROVED},
        {"status": PROVED, "lemmas": ("chance",)},
        {"status": PROVED, "facts": "a fact"},
        {"status": PROVED, "lemmas": ("chance",), "facts": "a fact", "error": 0.1},
        {"status": PROBABLE},
        {"status": PROBABLE, "error": 0.1, "lemmas": ("chance",)},
        {"status": "certain"},
    ],
)
def test_trust_without_grounds_is_refused(arguments):
    """Neither a proof without lemma and facts nor a probability without its number can be made."""
    with pytest.raises(ValueError, match=r"statement"):
        Trust(**arguments)


def test_the_weakest_of_several_counts():
    """One drawn statement makes the whole list drawn, and the probabilities of error add up."""
    proof = proved_by("tree rule", "the edge A — B")

    assert proof == trust_in_all([proof])
    assert probable(0.75) == trust_in_all([probable(0.5), proof, probable(0.25)])
    assert probable(0.5) == trust_in_all([probable(0.25), probable(0.25)])
    assert BOUNDS_ONLY == trust_in_all([probable(0.5), BOUNDS_ONLY])
    assert IN_FLOATS == trust_in_all([BOUNDS_ONLY, IN_FLOATS, proof])


@pytest.mark.parametrize(
    "text",
    [
        "3:2,2,2,2",
        "A -> B -> C -> D; U -> B, D; hidden U; max C",
        "5(2,3(2,2),3(2,2))",
        "gaussian: F -> A, B, C, D; hidden F; means off",
        "latent-profile: H -> X1, X2, X3; hidden H",
        "poisson: {A},{B} -> E",
        "classifier Y: Y -> X1, X2",
        "loglinear: {A,B}, {B,C}",
        "polynomial: parameters a, b; coordinates a*b, a*b^2",
        "max: {C1},{C2} -> E",
        "sigmoid: A, B -> C",
        "A -> C <- H -> D <- B; hidden H; given A",
    ],
)
def test_lemmas_of_reports_exist(text):
    """What a report of each family rests on stands on the page, in the parts too."""
    report = algdim.dimension(text)
    for one in (report, *report.parts):
        for bound in (one.lower, one.upper):
            assert bound.is_proved == bool(bound.trust.lemmas)
            assert set(bound.trust.lemmas) <= NAMES


@pytest.mark.parametrize(
    "text",
    daily(
        [
            "3:2,2,2,2",
            "4:3,3,3",
            "2:2^5",
            "A -> B -> C -> D; U -> B, D; hidden U; max C",
            "5(2,3(2,2),3(2,2))",
            "A -> C <- H -> D <- B; hidden H",
            "gaussian: F -> A, B, C, D; hidden F; means off",
            "gaussian: A -> B -> C; A <-> C; fix b(A->B)=1",
            "latent-profile: H -> X1, X2, X3; hidden H",
            "poisson: {A},{B} -> E",
            "classifier Y: Y -> X1, X2; states Y=3",
            "loglinear: {A,H}, {B,H}, {C,H}; hidden H",
            "polynomial: parameters a, b; coordinates a*b, a*b^2",
            "polynomial: parameters a, b; coordinates a + b, 2*a + 2*b",
            "max: {C1,C2},{C3} -> E",
            "sigmoid: A, B -> C",
            "2(2,2(2,2),2(2,2))",
            "2:2,2,2",
        ],
        6,
    ),
)
def test_every_bound_alone_rests_on_lemmas_of_the_page(text):
    """A bound that is asked for by name has this name, or is one of those that are always there, and its lemmas exist."""
    bounds = []
    for name in KNOWN:
        with suppress(algdim.InputError):  # this bound says nothing of this model
            report = algdim.dimension(text, bounds=name)
            bounds += [report.lower, report.upper]

    assert {bound.kind for bound in bounds} <= {*KNOWN, "rank", "entries"}
    assert {name for bound in bounds for name in bound.trust.lemmas} <= NAMES
    assert all(bound.is_proved == bool(bound.trust.lemmas) for bound in bounds)
    assert not any(bound.reason in NAMES for bound in bounds)


def lemmas_in(value):
    """All names of lemmas in a document, and what facts are given beside them."""
    if isinstance(value, list):
        for inner in value:
            yield from lemmas_in(inner)
    if isinstance(value, dict):
        yield from ((name, value.get("facts")) for name in value.get("lemmas", ()))
        for inner in value.values():
            yield from lemmas_in(inner)


@pytest.mark.parametrize(
    "text",
    daily(
        [
            "A -> B",
            "2:2,2",
            "3:2,2,2,2",
            "4:2,2,2,2",
            "A -> C <- H -> D <- B; hidden H",
            "A -> B -> C; H -> C, D; hidden H",
            "A -> B, C; hidden A; max C",
            "gaussian: F -> A, B, C, D; hidden F",
            "gaussian: F -> A, B; G -> F; hidden F, G",
            "latent-profile: H -> X1, X2; hidden H",
            "poisson: {A},{B} -> E",
            "classifier Y: Y -> X1, X2",
            "loglinear: {A,H}, {B,H}; hidden H",
            "polynomial: parameters a, b, c; coordinates a*b, a*b^2, c + 1",
        ],
        5,
    ),
)
def test_lemmas_of_identifications_exist(text):
    """What is said of parameters, groups, functions, units and solutions rests on lemmas of the page, and on facts."""
    found = [*lemmas_in(algdim.identify(text).to_dict())]

    assert {name for name, _ in found} <= NAMES
    assert not any(facts in NAMES for _, facts in found)
