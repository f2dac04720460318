"""Which bounds are tried, and when draws stop."""

import re

import pytest
from packages import ROOT

import algdim
from algdim import InputError, dimension
from algdim.bound.bounds import LOWER, UPPER, Bound, prove_bound
from algdim.bound.strategy import (
    KNOWN,
    Effort,
    add_bounds,
    check_method,
    choose_bounds,
    find_upper_bounds,
)
from algdim.families.classifier.family import find_without_rank
from algdim.families.classifier.map import build_classifier_map
from algdim.families.discrete.bounds.equations import start
from algdim.families.discrete.family import BOUNDS, SEARCHES, find_network_without_rank
from algdim.families.discrete.map import get_param_map
from algdim.trust import probable


def test_auto_means_all():
    """Every bound that is known, those that only count first and chance last."""
    assert KNOWN == choose_bounds("auto")
    assert {*BOUNDS, *SEARCHES} < set(KNOWN)
    assert ("counting", "chance") == (KNOWN[0], KNOWN[-1])


def test_proofs_need_not_be_searched_for():
    """What only counts, districts, chance, and theorems that take the place of a large rank: a chain has small local models."""
    assert set() == set(choose_bounds("no-proof")) & set(SEARCHES)
    assert dimension("3:2,2,2,2", bounds="no-proof").upper.kind == "chance"
    chain = dimension("hmm: states 3, items 4, length 40", bounds="no-proof")
    assert (584, True, "trees") == (chain.dimension, chain.exact, chain.lower.kind)
    assert max(draw.rank.value for draw in chain.draws) == 26
    assert dimension("34:50^8", bounds="no-proof").lower.kind == "kruskal"


@pytest.mark.parametrize("names", ["", "magic", "counting,", "counting,magic", "auto,counting"])
def test_unknown_bounds_are_answered_with_the_known_ones(names):
    """All of them."""
    with pytest.raises(
        InputError, match=r"known are auto, no-proof, counting, ambient, mechanisms, pairwise, .*, chance"
    ):
        choose_bounds(names)


def test_spaces_around_names_are_allowed():
    """As people write lists."""
    assert ("counting", "chance") == choose_bounds("counting, chance")


@pytest.mark.parametrize("method", ["", "magic", "AUTO"])
def test_unknown_methods_are_answered_with_the_known_ones(method):
    """All of them."""
    with pytest.raises(
        InputError, match="known are auto, table, probes, products, rational, rowreduce, symbolic, float"
    ):
        check_method(method)


@pytest.mark.parametrize(
    ("text", "names", "upper", "kind"),
    [
        ("3:2,2,2,2", "counting", 14, "counting"),
        ("3:2,2,2,2", "ambient", 15, "ambient"),
        ("3:2,2,2,2", "pairwise", 14, "pairwise"),
        ("3:2,2,2,2", "chance", 13, "chance"),
        ("3:2,2,2,2", "ambient,counting", 14, "counting"),
        ("2:2,2", "counting,chance", 3, "chance"),
        ("A -> C <- H -> D <- B; hidden H", "counting,districts", 10, "districts"),
    ],
)
def test_bounds_can_be_forced(text, names, upper, kind):
    """Only what is named is used; the rank is proved in any case (values: KZ02 Table 1, GHM96 §5)."""
    report = dimension(text, bounds=names)
    if kind == "districts":  # 1 + 1 + a kernel of 9 parameters
        upper = 11

    assert (upper, kind) == (report.upper.value, report.upper.kind)
    assert report.lower.is_proved
    assert report.lower.value <= report.upper.value


def test_theorems_that_are_not_named_are_not_used():
    """Large models are held against a theorem before any rank is taken, but only if it is among the bounds."""
    pmap = get_param_map(algdim.model("300:2^10"))

    assert 1023 == find_network_without_rank(pmap, Effort("auto", ("binary-items",), 0, 0), (), None).upper.value
    assert find_network_without_rank(pmap, Effort("auto", ("counting", "ambient"), 0, 0), (), None) is None
    cmap = build_classifier_map(algdim.model(f"classifier Y: Y -> {', '.join(f'X{number}' for number in range(600))}"))
    proved = prove_bound(1201, UPPER, "counting", "1201 parameters", "counting and ambient")
    found = find_without_rank(cmap, Effort("auto", ("linear-map",), 0, 0), (), proved)

    assert 601 == found.lower.value  # one log-odds, and one difference for each input
    assert find_without_rank(cmap, Effort("auto", ("counting",), 0, 0), (), proved) is None


@pytest.mark.parametrize("text", ["A -> C <- H -> D <- B; hidden H", "3:2,2,2"])
def test_a_bound_that_gives_nothing_is_said(text):
    """If only bounds are named that do not apply."""
    with pytest.raises(InputError, match="add ambient, or use auto"):
        dimension(text, bounds="pairwise")


def test_what_is_advised_is_not_what_was_given():
    """A sum of mechanisms has no ambient space; counting gives a bound for every model."""
    text = "poisson: {A} -> E"
    with pytest.raises(InputError, match="add counting, or use auto"):
        dimension(text, bounds="ambient")
    assert 3 == dimension(text, bounds="ambient,counting").dimension


def test_only_applicable_bounds_are_listed():
    """A bound that does not apply is left out."""
    kinds = [
        bound.kind
        for bound in find_upper_bounds(
            get_param_map(algdim.model("3:2,2,2")), ("counting", "pairwise", "ambient", "chance")
        )
    ]

    assert ["counting", "ambient"] == kinds


def test_sums_are_proved_only_if_all_summands_are():
    """Chances of error add up."""
    proved = prove_bound(3, UPPER, "counting", "3 parameters", "counting and ambient")
    drawn = [Bound(2, UPPER, "chance", "no greater rank", probable(error)) for error in (1e-3, 2e-3)]

    assert (6, True) == (
        add_bounds([proved, proved], UPPER, "AB").value,
        add_bounds([proved, proved], UPPER, "AB").is_proved,
    )
    assert 3e-3 == pytest.approx(add_bounds([proved, *drawn], UPPER, "ABC").error)
    assert (7, LOWER) == (
        add_bounds([proved, *drawn], LOWER, "ABC").value,
        add_bounds([proved, *drawn], LOWER, "ABC").side,
    )


def test_draws_stop_when_the_bounds_meet():
    """One draw suffices where counting is met; otherwise draws go on until chance is slight."""
    assert 1 == len(dimension("2:2^10").draws)
    report = dimension("3:2,2,2,2", bounds="counting,chance")

    assert 1 < len(report.draws) <= 6
    assert report.upper.error < 2**-60
    assert len(report.draws) == len({draw.prime for draw in report.draws}) == len({draw.point for draw in report.draws})


@pytest.mark.parametrize("method", ["symbolic", "float"])
def test_no_second_draw_where_chance_says_nothing(method):
    """What is no matter of chance, or of floating point, is not done again."""
    assert 1 == len(dimension("2:2,2", method=method, bounds="counting,chance").draws)


def test_two_draws_where_chance_never_says_anything(monkeypatch):
    """One may have been unlucky; more are not made, although the bounds do not meet."""
    monkeypatch.setattr("algdim.bound.strategy.compute_error", lambda *_: 1.0)

    assert 2 == len(dimension("3:2,2,2,2", bounds="counting,chance").draws)


def test_row_reduction_runs_ten_times():
    """As GHM96 §5 did."""
    report = dimension("2:2,2,2", method="rowreduce")

    assert 10 == len(report.draws)
    assert report.lower.reason.endswith("8 cells, the greatest at 10 points with coordinates k/1000")


def test_bounds_are_named_in_a_list_too():
    """With the same effect as in a text."""
    assert ("counting", "chance") == choose_bounds(["counting", "chance"]) == choose_bounds(("counting", "chance"))
    assert KNOWN == choose_bounds(["auto"])
    assert () == dimension("A -> B <- H; C -> D; hidden H", method="rowreduce", bounds=["auto"]).parts
    assert () == dimension("A -> B <- H; C -> D; hidden H", bounds=["counting", "ambient"]).parts


@pytest.mark.parametrize("names", [[], (), ["magic"], [1], None, 5, b"counting", {"counting": 1}])
def test_bounds_of_other_kinds_are_refused(names):
    """With what is expected."""
    with pytest.raises(InputError, match=r"a list of such names is expected|known are auto"):
        choose_bounds(names)


def test_searches_run_beside_floating_point():
    """They prove an upper bound whatever the rank is worth (GHM96 §5: two of 11 parameters are redundant)."""
    report = dimension("A -> C <- H -> D <- B; hidden H", method="float", bounds="counting,symmetry")

    assert (9, "symmetry", True) == (report.upper.value, report.upper.kind, report.upper.is_proved)
    assert "floating point: no proof" == str(report.trust)


def test_the_page_lists_the_bounds_in_order():
    """The table of docs/methods.md has them in the order in which they are tried."""
    page = (ROOT / "docs/methods.md").read_text(encoding="utf-8").partition("\n## Bounds\n")[2]
    rows = re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)

    assert [*BOUNDS, *SEARCHES] == [name for name in rows if name in {*BOUNDS, *SEARCHES}]


def test_flattenings_are_collected_once(monkeypatch):
    """The searches for Koszul flattenings and for grids begin with flattenings; these are not looked for twice."""
    started = []
    for module in ("flattenings", "koszul", "grids"):
        monkeypatch.setattr(
            f"algdim.families.discrete.bounds.{module}.start", lambda *given: started.append(given) or start(*given)
        )
    for seed, bounds in enumerate(("counting,flattenings,koszul", "counting,flattenings,koszul,grids")):
        report = dimension("4:3,3,3", bounds=bounds, seed=seed)

        assert (25, "koszul") == (report.upper.value, report.upper.kind)
        assert 1 == len(started)
        started.clear()
