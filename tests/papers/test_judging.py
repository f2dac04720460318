"""Verdicts on claims."""

import time
from dataclasses import FrozenInstanceError, replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algdim import LimitError
from algdim.trust import probable, proved_by
from algdim_papers.claims import judging, reading
from algdim_papers.claims.finding import Finding

CLAIM = reading.Claim(
    id="KZ02-1-x",
    paper="KZ02",
    place="§1",
    statement="A statement.",
    model="2:2,2",
    quantity="dimension",
    printed=3,
    means=3,
    verdict="confirmed",
    note="",
)


def trusted(exact):
    """How far a number is known."""
    return proved_by("counting and ambient", "a count") if exact else probable(1e-9)


def report(**changes):
    """A report of 2:2,2 as far as claims look at it."""
    values = {"dimension": 3, "standard": 5, "complete": 3, "redundant": 2, "pairwise_bound": 3, "best_bound": 3}
    value = changes.get("dimension", values["dimension"])
    bounds = {"lower": SimpleNamespace(value=value), "upper": SimpleNamespace(value=value)}
    trust = trusted(changes.get("exact", True))
    return SimpleNamespace(**{**values, **bounds, "exact": True, "trust": trust, **changes})


def judged(claim, value, trust):
    """The verdict on a claim that prints a number."""
    return judging.compare_claim(claim, value, trust, claim.means)


def verdict_of(claim, **changes):
    """The verdict on one claim when the report is changed so."""
    (verdict,) = judging.run([claim], report_of=lambda _: report(**changes))
    return verdict


@given(
    printed=st.integers(0, 5),
    value=st.integers(0, 5),
    exact=st.booleans(),
    recorded=st.sampled_from([v for v in reading.VERDICTS if v != reading.UNDECIDABLE]),
)
def test_a_verdict_says_whether_the_numbers_are_equal(printed, value, exact, recorded):
    """The first word is that of the comparison, a reservation of the record stays, the status is that of the value."""
    claim = replace(CLAIM, printed=printed, means=printed, verdict=recorded)
    verdict = judged(claim, value, trusted(exact))

    assert (printed != value) == verdict.verdict.startswith("refuted")
    assert recorded.endswith(reading.ONLY_READING) == verdict.verdict.endswith(reading.ONLY_READING)
    assert verdict.verdict in reading.VERDICTS
    assert ("proved" if exact else "probable") == verdict.status
    assert (verdict.verdict == recorded) == verdict.agrees


@pytest.mark.parametrize(
    ("recorded", "value", "exact", "expected"),
    [
        ("confirmed", 3, True, "confirmed"),
        ("confirmed", 4, True, "refuted"),
        ("refuted", 4, True, "refuted"),
        ("refuted", 3, True, "confirmed"),
        ("refuted-in-the-only-reading", 4, True, "refuted-in-the-only-reading"),
        ("refuted-in-the-only-reading", 3, True, "confirmed-in-the-only-reading"),
        ("proved-conjecture", 3, True, "proved-conjecture"),
        ("proved-conjecture", 3, False, "confirmed"),
        ("proved-conjecture", 4, True, "refuted"),
    ],
)
def test_the_words_of_a_verdict(recorded, value, exact, expected):
    """A conjecture is proved only by an exact value; otherwise equal is confirmed and unequal refuted."""
    assert expected == judged(replace(CLAIM, verdict=recorded), value, trusted(exact)).verdict


@pytest.mark.parametrize(("quantity", "is_skipped"), [("dimension", True), ("redundant", True), ("standard", False)])
def test_a_dimension_that_is_not_decided_is_not_judged(quantity, is_skipped):
    """Between two bounds there is no value to compare; what is counted does not depend on it."""
    upper = SimpleNamespace(value=4)
    verdict = verdict_of(replace(CLAIM, quantity=quantity), upper=upper, trust="between 3 and 4", exact=False)

    assert is_skipped == (verdict.status == judging.SKIPPED) == (not verdict.decided)
    assert is_skipped == (verdict.reason == "the dimension of 2:2,2 is not decided: between 3 and 4")


def test_a_printed_word_needs_the_value_it_stands_for():
    """A word that stands for a quantity is compared with that quantity's value."""
    claim = replace(CLAIM, quantity="pairwise_bound", printed="dc", means="complete")

    assert "confirmed" == judging.compare_claim(claim, 3, trusted(exact=True), expected=3).verdict
    assert "refuted" == judging.compare_claim(claim, 3, trusted(exact=True), expected=4).verdict


@pytest.mark.parametrize(
    ("quantity", "means", "status"),
    [
        ("dimension", 3, "probable"),
        ("redundant", 2, "probable"),
        ("standard", 5, "proved"),
        ("complete", 3, "proved"),
        ("pairwise_bound", "complete", "proved"),
        ("best_bound", 3, "proved"),
        ("dimension", "complete", "probable"),
        ("complete", "dimension", "probable"),
    ],
)
def test_counts_are_proved_whatever_the_rank(quantity, means, status):
    """What follows from state counts is proved even if the report is not exact; a dimension is not."""
    claim = replace(CLAIM, quantity=quantity, printed=means, means=means)
    verdict = verdict_of(claim, exact=False)

    assert ("confirmed", status) == (verdict.verdict, verdict.status)
    assert "proved" == verdict_of(claim).status


def test_a_model_is_reported_on_once():
    """Claims on the same model share one report, and the order of the claims stays."""
    asked = []
    claims = [CLAIM, replace(CLAIM, id="KZ02-1-y", quantity="standard", means=5), replace(CLAIM, model="2:2,2,2")]
    verdicts = list(judging.run(claims, report_of=lambda text: asked.append(text) or report()))

    assert ["2:2,2", "2:2,2,2"] == asked
    assert claims == [verdict.claim for verdict in verdicts]


def test_a_model_beyond_a_limit_is_skipped():
    """A refusal by a limit skips the claim with the refusal's words; other errors are not caught."""

    def refuse(_):
        raise LimitError("2^64 cells are too many")

    def break_down(_):
        raise ZeroDivisionError

    (verdict,) = judging.run([CLAIM], report_of=refuse)

    assert ("skipped", "2^64 cells are too many") == (verdict.status, verdict.reason)
    with pytest.raises(ZeroDivisionError):
        list(judging.run([CLAIM], report_of=break_down))


def test_a_quantity_that_a_model_does_not_have_is_skipped():
    """A bound that is not defined for the model gives no verdict."""
    assert "skipped" == verdict_of(replace(CLAIM, quantity="pairwise_bound"), pairwise_bound=None).status


def test_what_the_text_does_not_say_is_not_computed():
    """A claim that is undecidable from the text agrees with its record without a computation."""
    claim = replace(CLAIM, model="", quantity="", verdict=reading.UNDECIDABLE, note="The figure is lost.")
    (verdict,) = judging.run([claim], report_of=lambda _: pytest.fail("computed"))

    assert verdict.agrees
    assert verdict.computed is None


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, ("1 + 2n", "proved-conjecture", "proved", 'n = 3…5 computed; by the lemma "Kruskal"')),
        ({"exact": False}, ("1 + 2n", "confirmed", "probable", 'n = 3…5 computed; by the lemma "Kruskal"')),
        ({"dimension": 8}, (8, "refuted", "proved", "n = 4")),
        ({"dimension": 8, "exact": False}, (8, "refuted", "probable", "n = 4")),
        ({"dimension": None}, (None, None, "skipped", "n = 4: dimension is not defined for 2:2^4")),
    ],
)
def test_a_claim_for_all_n_needs_all_cases(change, expected):
    """It is proved if every case is exact and as printed; the first that is not decides."""
    claim = replace(
        CLAIM,
        model="2:2^{n}",
        printed="1 + 2n",
        verdict="proved-conjecture",
        cases=(3, 4, 5),
        lemma='by the lemma "Kruskal"',
        lemmas=("Kruskal",),
    )
    reports = {f"2:2^{n}": report(dimension=1 + 2 * n) for n in (3, 4, 5)}
    vars(reports["2:2^4"]).update(change, trust=trusted(change.get("exact", True)))
    (verdict,) = judging.run([claim], report_of=reports.__getitem__)

    assert expected == (verdict.computed, verdict.verdict, verdict.status, verdict.reason)
    assert (expected[1] == "proved-conjecture") == verdict.agrees


def test_a_claim_for_all_n_that_was_no_conjecture_is_confirmed():
    """Only what is recorded as a conjecture is called one."""
    claim = replace(CLAIM, model="2:2^{n}", printed="1 + 2n", cases=(3,), lemma="Corollary 2", lemmas=("Kruskal",))
    (verdict,) = judging.run([claim], report_of=lambda _: report(dimension=7))

    assert ("confirmed", "proved") == (verdict.verdict, verdict.status)
    assert ("counting and ambient", "Kruskal") == verdict.trust.lemmas
    assert "a count; Corollary 2" == verdict.trust.facts


@pytest.mark.parametrize(
    ("quantity", "means", "lemmas"),
    [
        ("standard", 3, ("counting and ambient",)),
        ("complete", 3, ("counting and ambient",)),
        ("pairwise_bound", 3, ("pairwise",)),
        ("pairwise_bound", "complete", ("pairwise", "counting and ambient")),
        ("best_bound", 3, ("counting and ambient", "pairwise")),
    ],
)
def test_what_follows_from_counts_cites_the_lemmas_of_its_bound(quantity, means, lemmas):
    """A number of parameters rests on no bound for pairs."""
    verdict = verdict_of(replace(CLAIM, quantity=quantity, means=means))

    assert lemmas == verdict.trust.lemmas
    assert quantity in verdict.trust.facts


def test_nothing_is_computed_before_it_is_asked_for():
    """Verdicts come one by one."""
    verdicts = judging.run([CLAIM], report_of=lambda _: pytest.fail("computed"))

    assert iter(verdicts) is verdicts


def test_the_dictionary_has_the_promised_keys():
    """A verdict as a dictionary has id, paper, place, printed, computed, verdict, status, error, lemmas, facts, reason and seconds."""
    assert {
        "id": "KZ02-1-x",
        "paper": "KZ02",
        "place": "§1",
        "printed": 3,
        "computed": 4,
        "verdict": "refuted",
        "status": "proved",
        "error": None,
        "lemmas": ["counting and ambient"],
        "facts": "a count",
        "reason": "",
        "seconds": 0.0,
    } == judging.convert_verdict(judged(CLAIM, 4, trusted(exact=True)))


def test_verdicts_are_printed_by_paper_in_columns():
    """What is not as printed comes first, then the papers in their order; columns are aligned, the last line counts."""
    of_ghm96 = replace(CLAIM, id="GHM96-5-a-long-name", paper="GHM96", quantity="pairwise_bound")
    text = judging.render(
        [
            judged(CLAIM, 3, trusted(exact=True)),
            judged(replace(CLAIM, id="KZ02-1-y", printed=11, means=11), 3, trusted(exact=False)),
            judging.make_skipped(replace(CLAIM, id="KZ02-1-z"), "is too large"),
            judged(of_ghm96, 3, trusted(exact=True)),
        ]
    )

    assert [
        "",
        "Not as printed, or open in the paper: 1 refuted, 1 not as recorded",
        "  claim     about      printed  computed  verdict                        status    seconds",
        "  KZ02-1-y  dimension       11         3  refuted (recorded: confirmed)  probable     0.00",
        "",
        "GHM96: 1 confirmed",
        "  claim                about           printed  computed  verdict    status  seconds",
        "  GHM96-5-a-long-name  pairwise_bound        3         3  confirmed  proved     0.00",
        "",
        "KZ02: 1 confirmed, 1 refuted, 1 skipped, 1 not as recorded",
        "  claim     about      printed  computed  verdict                        status                 seconds",
        "  KZ02-1-x  dimension        3         3  confirmed                      proved                    0.00",
        "  KZ02-1-y  dimension       11         3  refuted (recorded: confirmed)  probable                  0.00",
        "  KZ02-1-z  dimension        3         —  —                              skipped: is too large     0.00",
        "",
        "4 claims: 2 confirmed, 1 refuted, 1 skipped, 1 not as recorded",
    ] == text.removeprefix(judging.LEGEND).splitlines()[1:]


def test_long_formulas_are_cut_in_columns_only():
    """The table for the terminal cuts them, the dictionary does not."""
    claim = replace(CLAIM, model="", quantity="", check="softmax", printed="x" * 100, means="x" * 100)
    (verdict,) = judging.run([claim])

    assert "x" * (judging.WIDEST - 1) + "…" in judging.render([verdict])
    assert "x" * 100 == judging.convert_verdict(verdict)["printed"]


@pytest.mark.parametrize(
    ("holds", "value", "recorded", "expected"),
    [
        (True, "another", "confirmed", "confirmed"),
        (False, "printed", "confirmed", "refuted"),
        (None, "printed", "confirmed", "confirmed"),
        (None, "another", "confirmed", "refuted"),
        (False, "another", "refuted-in-the-only-reading", "refuted-in-the-only-reading"),
        (True, "another", "open-question-answered", "open-question-answered"),
        (False, "another", "open-question-answered", "refuted"),
    ],
)
def test_a_finding_holds_or_is_compared(holds, value, recorded, expected):
    """What a check says decides; if it says nothing its value is compared with the printed one. The status is proved."""
    claim = replace(CLAIM, check="some", printed="printed", verdict=recorded)
    verdict = judging.compare_finding(claim, Finding(value, "because", holds, trust=trusted(exact=True)))

    assert (expected, "proved", "because", value) == (
        verdict.verdict,
        verdict.status,
        verdict.reason,
        verdict.computed,
    )


def test_time_is_taken_and_not_compared():
    """A verdict has its seconds, and is equal to the same verdict at another speed."""
    (verdict,) = judging.run([CLAIM], report_of=lambda _: time.sleep(0.02) or report())

    assert 0.02 <= verdict.seconds
    assert judged(CLAIM, 3, trusted(exact=True)) == verdict


def test_no_claims_are_printed_as_such():
    """Nothing to print is a line, not an error."""
    assert "no claims" == judging.render([])


def test_verdicts_are_frozen():
    """A verdict cannot be changed."""
    with pytest.raises(FrozenInstanceError):
        judged(CLAIM, 3, trusted(exact=True)).verdict = "refuted"
