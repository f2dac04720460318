"""Reports: golden numbers, promises that every report keeps, ranks at given points."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from html import unescape

import brute
import pytest
from amount import daily, some
from families import named
from golden_numbers import CORRECTED, GHM96, KZ02
from hypothesis import assume, given, settings
from strategies import networks
from suites.agreement import KEYS, check_json, check_same, is_small
from suites.conformance import check_bounds, check_methods

from algdim import InputError, LimitError, dimension, export, model
from algdim.bound.bounds import UPPER, prove_bound
from algdim.cli import main
from algdim.families.discrete.bounds.pairwise import compute_pairwise_value
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network, Variable
from algdim.trust import probable


@pytest.mark.parametrize("number", GHM96 + KZ02 + CORRECTED, ids=lambda number: number["model"])
def test_golden_numbers(number):
    """What is printed in the papers, and what is true where the print is wrong."""
    report = dimension(number["model"])
    for field in ("dimension", "standard", "complete", "best_bound"):
        if field in number:
            assert (field, number[field]) == (field, getattr(report, field))
    if "pairwise_bound" in number:
        printed = report.complete if number["pairwise_bound"] == "dc" else number["pairwise_bound"]

        assert printed == report.pairwise_bound
    assert number.get("printed") != report.dimension
    check_json(report)


def test_bounds_that_contradict_each_other_are_a_bug():
    """Two proved bounds of which the lower is greater are never reported; of an upper one that is probable nothing follows."""
    report = dimension("2:2,2,2")
    below = prove_bound(6, UPPER, "counting", "invented", "counting and ambient")

    with pytest.raises(RuntimeError, match=r"at least 7 .* and at most 6 \(invented\) cannot both be true"):
        replace(report, upper=below)
    assert not replace(report, upper=replace(below, trust=probable(0.5))).exact


def test_the_pairwise_bound_is_left_open_where_it_is_not_known():
    """If no bipartition qualifies it is that of the saturated model; if there are too many to compare nothing is said."""
    assert 3 == compute_pairwise_value(get_param_map(model("3:2,2")))
    assert compute_pairwise_value(get_param_map(model(f"5:{','.join(map(str, range(2, 52)))}"))) is None


@pytest.mark.parametrize("number", daily(GHM96[:6] + KZ02[:5], 2), ids=lambda number: number["model"])
def test_golden_models_pass_the_suite(number):
    """Small models of the papers, by every method and every bound."""
    check_methods(named("mixed"), model(number["model"]))
    check_bounds(named("mixed"), model(number["model"]))


def chain(length, homogeneous):
    """A hidden Markov chain, 3 hidden and 4 observed states."""
    hidden = [f"Z{t}" for t in range(length)]
    items = [f"X{t}" for t in range(length)]
    clauses = [" -> ".join(hidden), *(f"{z} -> {x}" for z, x in zip(hidden, items, strict=True))]
    clauses += [
        f"hidden {', '.join(hidden)}",
        f"states {', '.join([*(f'{z}=3' for z in hidden), *(f'{x}=4' for x in items)])}",
    ]
    if homogeneous:
        clauses += (
            [f"share t: {', '.join(hidden[1:])}", f"share e: {', '.join(items)}"]
            if length > 2
            else [f"share e: {', '.join(items)}"]
        )
    return "; ".join(clauses)


@pytest.mark.parametrize(("length", "true"), [(2, 14), (3, 29), (4, 44), pytest.param(5, 59, marks=pytest.mark.slow)])
def test_hidden_markov_chains(length, true):
    """With free tables: every step adds 15 (two chains of two steps are 4 × 4 matrices of rank 3: 14 = 15 − 1)."""
    report = dimension(chain(length, homogeneous=False))

    assert true == report.dimension
    assert report.standard == 2 + 6 * (length - 1) + 9 * length


@pytest.mark.parametrize(("length", "true"), daily([(2, 11), (3, 17), (4, 17), (5, 17), (6, 17)], 2))
def test_homogeneous_hidden_markov_chains(length, true):
    """With one transition and one emission table: 2 + 6 + 9 = 17 parameters.

    Two steps: P = EᵀDE, E being the 3 × 4 table of emissions and D the joint table of both hidden variables, any of sum 1.
    Such P are the 4 × 4 matrices of rank 3 whose column space is their row space: 3 dimensions of that space of E's rows,
    9 of a 3 × 3 matrix in it, less one for the sum 1: 3 + 9 − 1 = 11. From three steps on a step is a third item beside
    the past and the future: Kruskal's theorem names the classes, and all 17 parameters are identified.
    """
    report = dimension(chain(length, homogeneous=True))

    assert (true, 17) == (report.dimension, report.standard)


@pytest.mark.slow
@settings(max_examples=some(300))
@given(networks(max_variables=6, max_states=4, max_table=100))
def test_every_method_agrees_with_brute_force_at_length(drawn):
    """Larger networks than the suite's own: all exact methods, two seeds, all promises of a report."""
    assume(is_small(drawn))
    check_methods(named("mixed"), drawn)
    check_bounds(named("mixed"), drawn)


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("A -> B -> C", 5),
        ("A -> C <- B; states A=3, B=4, C=5", 2 + 3 + 48),
        ("O -> A; A -> B; H -> X, Y, Z; hidden H", 12),
    ],
)
def test_sums_of_districts_are_proved(text, true):
    """Observed tables count their entries, three items with two classes have all 7 dimensions (GHM96 §5)."""
    report = dimension(text)

    assert (true, True) == (report.dimension, report.exact)
    assert true == sum(part.dimension for part in report.parts)


def test_structural_zeros_are_not_counted_twice():
    """A, B = copy of A, C | A, B: three dimensions, although the districts' kernels sum to five."""
    one = Fraction(1)
    copy = Table(fixed=tuple((((a,), b), one if a == b else Fraction(0)) for a in (0, 1) for b in (0, 1)))
    drawn = Network((Variable("A"), Variable("B", parents=("A",), local=copy), Variable("C", parents=("A", "B"))))

    assert 3 == brute.dimension(drawn)
    check_methods(named("mixed"), drawn)
    check_bounds(named("mixed"), drawn)


def test_the_json_form_has_the_fields_that_scripts_rely_on():
    """Nothing is missing; what is beyond them is known here."""
    document = dimension("3:2,2,2,2").to_dict()

    assert {"removed", "note", "note_trust", "at", "threads", "complete_trust", "not_tried"} == set(document) - KEYS
    assert ("discrete", "3:2,2,2,2", 13) == (document["family"], document["model"], document["dimension"])
    assert document["primes"]
    assert document["points"]


@pytest.mark.parametrize("seed", [0, -3, 7, 2**70, "words", "7"])
def test_seeds_are_repeated_in_the_report(seed):
    """And what they determine: two runs differ in their times only."""
    reports = [dimension("3:2,2,2,2", seed=seed) for _ in range(2)]

    assert seed == reports[0].seed == json.loads(json.dumps(reports[0].to_dict()))["seed"]
    check_same(*reports)


def test_a_seed_is_drawn_from_the_system_on_demand():
    """The report holds the number that was drawn, which gives the same report again."""
    reports = [dimension("3:2,2,2,2", seed="random") for _ in range(2)]

    assert all(isinstance(report.seed, int) for report in reports)
    assert reports[0].seed != reports[1].seed
    check_same(reports[0], dimension("3:2,2,2,2", seed=reports[0].seed))


@pytest.mark.parametrize(("seed", "last"), [(0, "  ≤ 3"), ("0", "  ≤ 3"), (7, "  seed 7"), ("w", "  seed w")])
def test_the_seed_is_printed_unless_it_is_the_default(seed, last):
    """So that a printed report can be repeated."""
    assert str(dimension("2:2,2", seed=seed)).splitlines()[-1].startswith(last)


@pytest.mark.parametrize("size", ["10M", "10MB", "10000k", 10**7])
def test_memory_is_given_as_a_number_or_a_text(size):
    """As on the command line."""
    with pytest.raises(LimitError, match="10 MB are allowed"):
        dimension("10:2^60", method="table", max_memory=size)


@pytest.mark.parametrize("size", ["lots", "", "-1", "1.5G", -1, 1.5, True, b"1M", [1]])
def test_other_sizes_of_memory_are_refused(size):
    """With an example of what is allowed."""
    with pytest.raises(InputError, match="is not a size of memory; write a number of bytes, or for example 500M or 4G"):
        dimension("2:2,2", max_memory=size)


def test_other_seeds_take_other_points():
    """And find the same dimension."""
    points = {dimension("3:2,2,2,2", seed=seed).draws[0].point for seed in range(5)}

    assert 5 == len(points)


@pytest.mark.parametrize("seed", ["a|b", "line\nbreak", "x" * 1000, True, 1.5])
def test_seeds_that_could_be_misread_are_refused(seed):
    """A short text or an integer is allowed."""
    with pytest.raises(InputError, match="seed"):
        dimension("3:2,2,2,2", seed=seed)


def test_floats_prove_nothing():
    """A numerical rank is no lower bound, so the report is not exact even where the numbers agree."""
    report = dimension("2:2,2,2", method="float")

    assert (7, False, "numerical") == (report.dimension, report.exact, report.lower.status)
    assert "no proof" in str(report)
    assert r"\overset{?}{=}" in report._repr_latex_()


def test_the_derivation_is_a_tree():
    """As many lines as nested reasons."""
    report = dimension("O -> A; A -> C <- H -> D <- B; hidden H")

    def count(reason):
        return 1 + sum(count(child) for child in reason["because"])

    assert count(report.to_dict()["derivation"]) == len(report.derivation.lines())
    assert all(line.text in unescape(re.sub("</?su[bp]>", "", report._repr_html_())) for line in report.because())
    assert "<-" not in report._repr_html_()
    assert "dim" in report._repr_latex_()


def test_huge_tables_are_printed_as_powers():
    """Integers of any size in JSON, powers in print."""
    report = dimension("10:2^60")

    assert (609, True, 2**60 - 1) == (report.dimension, report.exact, report.complete)
    assert "saturated   2^60 − 1" in str(report)
    assert 2**60 - 1 == json.loads(json.dumps(report.to_dict()))["complete"]


@pytest.fixture(scope="module")
def mixture():
    """An i.i.d. mixture of two coins, tossed 15000 times: 3 parameters, a table with more than 4300 digits of cells."""
    items = [f"X{number}" for number in range(15000)]
    return model(
        {
            "variables": [{"name": "H", "observed": False}, *({"name": name} for name in items)],
            "edges": [["H", name] for name in items],
            "local": {name: {"type": "table", "share": "coin"} for name in items},
        }
    )


@pytest.mark.slow
def test_counts_of_thousands_of_digits(mixture, tmp_path, capsys):
    """Nothing is too long for print and the command's JSON."""
    report = dimension(mixture)

    assert (3, 3, 2**15000 - 1) == (report.dimension, report.standard, report.complete)
    assert "2^15000 − 1" in str(report)
    (tmp_path / "m.json").write_text(export(mixture, "json"), encoding="utf-8")

    assert 0 == main(["dim", str(tmp_path / "m.json"), "--json"])
    assert re.search(r'"complete": [0-9]{4516}\b', capsys.readouterr().out)


REGULAR = {
    "H": [["1/3", "2/3"]],
    "X1": [["1/4", "3/4"], ["3/5", "2/5"]],
    "X2": [["1/5", "4/5"], ["1/2", "1/2"]],
    "X3": [["1/7", "6/7"], ["2/3", "1/3"]],
}


def test_a_regular_point():
    """The rank at the given tables is the dimension."""
    report = dimension("2:2,2,2", at=REGULAR)

    assert (7, True) == (report.at.rank, report.at.regular)
    assert "the point is regular" in str(report)
    assert report.at.trust.lemmas == ("generic rank", *report.trust.lemmas)
    beside = {"weakest": report.at.weakest, "fit_boundary": None}
    expected = {"rank": 7, "regular": True, "source": "the given tables", **beside, **report.at.trust.to_dict()}
    assert expected == report.to_dict()["at"]
    assert ("proved", None) == (report.at.trust.status, report.at.error)


@pytest.mark.parametrize(
    ("changed", "rank"),
    [
        # all rows equal: the hidden variable says nothing; derivatives are those of three independent coins
        ({name: [["1/4", "3/4"]] * 2 for name in ("X1", "X2", "X3")}, 3),
        # only the first item depends on the hidden variable
        ({name: [["1/4", "3/4"]] * 2 for name in ("X2", "X3")}, 5),
        # one state has no mass: its rows do not count, but the weight's derivative does
        ({"H": [["1", "0"]]}, 4),
    ],
)
def test_points_that_are_not_regular(changed, rank):
    """The rank at a special point is reported beside the dimension and never as the dimension."""
    tables = {**REGULAR, **changed}
    report = dimension("2:2,2,2", at=tables)
    point = {"P(H=0)": Fraction(tables["H"][0][0])}
    for name in ("X1", "X2", "X3"):
        for state in (0, 1):
            point[f"P({name}=0|H={state})"] = Fraction(tables[name][state][0])
    polynomials = brute.free_polynomials(model("2:2,2,2")).values()
    matrix = [[brute.value_at(brute.by(polynomial, name), point) for name in point] for polynomial in polynomials]

    assert brute.rational_rank(matrix) == rank
    assert (rank, False) == (report.at.rank, report.at.regular)
    assert (7, True) == (report.dimension, report.exact)
    assert "the point is not regular" in str(report)
    assert ("generic rank", *report.lower.trust.lemmas) == report.at.trust.lemmas
    beside = {"weakest": report.at.weakest, "fit_boundary": None}
    expected = {"rank": rank, "regular": False, "source": "the given tables", **beside, **report.at.trust.to_dict()}
    assert expected == report.to_dict()["at"]


def test_a_point_of_a_model_with_districts_and_removed_variables():
    """The rank at a point is that of the whole model; a table of a removed variable is read and does not matter."""
    text = "A -> B; H -> B; hidden H; B -> X; hidden X"
    rows = [["1/3", "2/3"], ["1/5", "4/5"], ["1/7", "6/7"], ["2/3", "1/3"]]
    report = dimension(text, at={"A": [["1/2", "1/2"]], "H": [["1/3", "2/3"]], "B": rows, "X": rows[:2]})

    assert (3, 3, True) == (report.dimension, report.at.rank, report.at.regular)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"H": [["1/3", "2/3"]]}, "tables are missing: X1, X2, X3"),
        ({**REGULAR, "Y": [["1"]]}, "Y: there is no such table"),
        ({**REGULAR, "H": [["1/3", "1/3"]]}, "H row 1 sums to 2/3; a row sums to 1"),
        ({**REGULAR, "H": [["1/3", "2/3"]] * 2}, "H has 2 rows; 1 is expected"),
        ({**REGULAR, "X1": [["1/4", "3/4"], ["4/3", "-1/3"]]}, r"X1 row 2 \(H=1\) entry 2: '-1/3' is not a value"),
    ],
)
def test_wrong_points_are_refused(tables, message):
    """The message names the row."""
    with pytest.raises(InputError, match=message):
        dimension("2:2,2,2", at=tables)


@pytest.mark.parametrize("method", ["table", "rational", "rowreduce", "float", "symbolic"])
def test_tables_beyond_memory_are_refused(method):
    """Before anything is allocated, with the figures that are needed and allowed."""
    with pytest.raises(LimitError, match=r"2\^60|1152921504606846976"):
        dimension("10:2^60", method=method, max_memory=10**10)


def test_a_point_of_a_huge_table_is_refused():
    """The rank at a point needs the table."""
    tables = {"H": [["1/2", "1/2"]], **{f"X{number}": [["1/3", "2/3"], ["1/5", "4/5"]] for number in range(1, 61)}}
    with pytest.raises(LimitError):
        dimension("2:2^60", at=tables, max_memory=10**10)


def test_public_names_are_the_documented_ones():
    """The report, the function and the model are at hand."""
    report = dimension(model("2:2,2"), method="auto", bounds="auto", seed=0, at=None, max_memory=None)
    for name in "model standard complete dimension exact lower upper redundant defect parts derivation".split():
        assert hasattr(report, name)
    for bound in (report.lower, report.upper):
        assert all(hasattr(bound, name) for name in ("value", "status", "evidence", "error"))


def test_a_theorem_is_not_told_as_entries():
    """A district that a theorem decides without a draw keeps its reason; only single tables are summed up as entries."""
    items = ", ".join(f"X{number}" for number in range(600))
    report = dimension(f"H -> {items}; hidden H; A -> B")

    assert "kruskal" == report.method
    assert "(Kruskal; ranks mod" in str(report)
    assert "observed tables A, B|A: 3, each parameter is an entry" in str(report)
