"""The benchmarks' way of asking programs in processes of their own, and the models they ask for."""

import pytest
from amount import in_turn
from packages import ROOT

BENCH = ROOT / "bench"


@pytest.fixture
def program(monkeypatch):
    """A program that is ended after the test."""
    monkeypatch.syspath_prepend(str(BENCH))
    from asking import Program

    with Program(60.0) as found:
        yield found


def test_a_program_answers_in_its_own_process(program):
    """Every kind of question has an answer with a value and seconds."""
    latent_class = {"classes": 3, "items": (2, 2, 2, 2), "seed": 0}

    assert 13 == program.ask(kind="report", model="3:2,2,2,2", seed=0)["value"]
    assert 13 == program.ask(kind="opponent", program="flint_table", **latent_class)["value"]
    assert 13 == program.ask(kind="opponent", program="numpy_svd", **latent_class)["value"]
    assert 18 == program.ask(kind="rank", program="algdim", size=20)["value"]


def test_an_error_is_an_answer(program):
    """The program goes on after it."""
    assert (
        "no_such_module"
        in program.ask(kind="opponent", program="no_such_module", classes=2, items=(2,), seed=0)["failed"]
    )
    assert 3 == program.ask(kind="report", model="2:2,2", seed=0)["value"]


@in_turn(2)
def test_a_program_that_takes_too_long_is_ended_and_started_again(program):
    """The next answer comes from a new process."""
    program.limit = 0.0

    assert "no answer within 0 s" == program.ask(kind="report", model="2:2,2", seed=0)["failed"]
    program.limit = 60.0
    assert 3 == program.ask(kind="report", model="2:2,2", seed=0)["value"]


def test_the_tree_has_as_many_leaves_as_it_says(monkeypatch):
    """A latent tree of 300 leaves, joined by twos and threes."""
    monkeypatch.syspath_prepend(str(BENCH))
    from growth import tree

    from algdim.models.notation import parse

    model = parse(tree(300))

    assert 300 == sum(variable.observed for variable in model.variables)


def test_the_published_page_is_made_of_the_results(monkeypatch):
    """`python bench/page.py` would write the same; at the top are a chart and a table, the rest is folded."""
    monkeypatch.syspath_prepend(str(BENCH))
    import page

    text = (page.DOCS / page.PAGE).read_text(encoding="utf-8")
    top = text.partition("## In detail")[0]

    assert page.write_page(page.read_results()) == text
    assert "![" in top
    assert 6 <= sum(line.startswith("| ") for line in top.splitlines()) - 2 <= 10
    assert text.count("<details") == text.count("</details>") == len(page.read_results()["sections"]) + 2


def test_ratios_are_compared_with_the_published_results(monkeypatch):
    """What fell by more than a fifth is marked, what is new is left out."""
    monkeypatch.syspath_prepend(str(BENCH))
    import comparing
    import page
    from measuring import Section

    def section(*ratios):
        rows = [("20", "FLINT", ratios[0]), ("50", "FLINT", ratios[1]), ("50", "algdim", "")]
        return Section("Ranks", "", ("n", "program", "ratio"), rows, names=2, ratio="ratio")

    results = page.collect_results([section("2.0", "4.0")], "algdim 1", "2000-01-01", 1)
    said = comparing.compare([section("1.5", "4.5")], results["sections"])

    assert "1 of 2 fell" in said
    assert ["FELL" in line for line in said.splitlines()[-2:]] == [True, False]
    assert "no ratio" in comparing.compare([section("1", "1")], [])
