"""The benchmarks' way of asking programs in processes of their own, and the models they ask for."""

import json
import sys

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

    results = page.join_parts(
        [page.collect_results([section("2.0", "4.0")], "algdim 1", "2000-01-01", 1)], [], quick=True
    )
    said = comparing.compare([section("1.5", "4.5")], results["sections"])

    assert "1 of 2 fell" in said
    assert ["FELL" in line for line in said.splitlines()[-2:]] == [True, False]
    assert "no ratio" in comparing.compare([section("1", "1")], [])


def test_parts_are_kept_and_joined_to_a_page(monkeypatch, tmp_path):
    """A part that was measured before is taken from where it is kept; one that does not end is named, and the page is written."""
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.delitem(sys.modules, "bench", raising=False)  # the folder, if something has taken it for a package
    import page
    from measuring import Section

    import bench

    def measure(name, path, threads, *, quick):
        ran.append(name)
        if name == "costly":
            return
        section = Section(f"Section {name}", "About.", ["what", "ratio"], [["x", "2"]], plots={f"{name}.svg": "<svg/>"})
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = page.collect_results([section], f"algdim 1.0.0, {name}", "2000-01-01", 60.0)
        path.write_text(json.dumps(kept | {"others": 1.0, "processors": 2}), encoding="utf-8")

    ran: list[str] = []
    monkeypatch.setattr(bench, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(bench, "run_part", measure)
    for more in ([], ["--resume"]):
        monkeypatch.setattr(sys, "argv", ["bench.py", "--output", str(tmp_path), *more])
        assert 1 == bench.main()

    text = (tmp_path / page.PAGE).read_text(encoding="utf-8")
    assert [*bench.PARTS, "costly"] == ran
    assert f"in {len(bench.PARTS) - 1} minutes on one machine" in text
    assert "Not measured: costly." in text
    assert "Other work took 1.0 of its 2 processors" in text
    assert all(f"Section {name}" in text for name in bench.PARTS if name != "costly")
    assert "<svg/>" == (tmp_path / page.PLOTS / "fits.svg").read_text(encoding="utf-8")
