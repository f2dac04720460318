"""The papers' experiments at the smallest size: what they record, how they are kept, how they judge."""

import hashlib
import json
import re
import signal
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from math import isclose, isfinite
from pathlib import Path
from threading import Event, Thread
from time import sleep

import numpy as np
import pytest
from amount import daily, in_turn
from packages import ROOT

import algdim
from algdim import InputError
from algdim.cli import main
from algdim.scores.dirichlet import make_priors
from algdim.scores.marginal import compute_log_marginal, compute_two_class_marginal
from algdim_papers.experiments import ch96, kz02, mh97, realdata, running
from algdim_papers.experiments.annealing import estimate_log_marginals
from algdim_papers.experiments.catalogue import EXPERIMENTS, PAGE, choose_experiments, render_page, render_section, run
from algdim_papers.experiments.chib import estimate_by_chib
from algdim_papers.experiments.journal import make_key
from algdim_papers.experiments.record import (
    DIFFERENT,
    DIRECTION,
    LABELS,
    MEASURED,
    ONLY_DIRECTION,
    REPRODUCED,
    UNCONTRADICTED,
    Mean,
    compute_mean,
    make_compared_cell,
    make_stated_cell,
)
from algdim_papers.experiments.rows import Rows
from algdim_papers.experiments.running import DEFAULT, FULL, TINY, Setting, load_outcome, make_generator, run_experiment
from algdim_papers.experiments.sampling import (
    UNIFORM,
    compute_cell_chances,
    draw_mixture_sample,
    make_map,
    parse_network,
    sample_of,
)
from algdim_papers.experiments.sizes import describe_size

QUICK = {"ridge", "peak", "reality-check"}
VERDICTS = {*LABELS}


@pytest.mark.parametrize(
    "experiment",
    [pytest.param(one, marks=() if one.name in QUICK else pytest.mark.slow) for one in EXPERIMENTS],
    ids=lambda one: one.name,
)
def test_every_experiment_gives_finite_cells(experiment):
    """At the smallest size all cells are numbers with a verdict, figures are pictures, and the section is a table."""
    found = run_experiment(experiment, Setting(TINY))

    assert found.cells
    assert all(isfinite(cell.found) and cell.verdict in VERDICTS for cell in found.cells)
    assert all(bool(cell.printed) == (cell.verdict != MEASURED) for cell in found.cells)
    assert all(text.startswith("<svg ") and text.endswith("</svg>\n") for text in found.figures.values())
    assert len(found.cells) == render_section(experiment, found).count("\n| ") - 1


@in_turn(3)
def test_an_outcome_is_kept_and_not_made_again(tmp_path):
    """What the folder has at this size and seed is read, another seed is run."""
    experiment = choose_experiments(["role-conflict"])[0]
    first = run_experiment(experiment, Setting(TINY), tmp_path)
    again = run_experiment(experiment, Setting(TINY), tmp_path)
    other = run_experiment(experiment, Setting(TINY, seed=1), tmp_path)

    assert first == again
    assert other.cells != first.cells
    (tmp_path / "role-conflict.json").write_text('{"size": "tiny"', encoding="utf-8")
    with pytest.raises(InputError, match="remove it to run again"):
        run_experiment(experiment, Setting(TINY), tmp_path)


@in_turn(6)
def test_cells_and_figures_are_functions_of_the_rows(tmp_path):
    """What the folder has is judged and drawn anew, so other rows have other cells, and nothing is measured again."""
    experiment = choose_experiments(["features"])[0]
    run_experiment(experiment, Setting(TINY), tmp_path)
    file = tmp_path / "features.csv"
    lines = file.read_text(encoding="utf-8").splitlines()
    changed = [lines[0], *(line.rpartition(",")[0] + ",X1 X2 X3" for line in lines[1:])]
    file.write_text("\n".join(changed) + "\n", encoding="utf-8")
    record = json.loads((tmp_path / "features.json").read_text(encoding="utf-8"))
    record["digests"]["features"] = hashlib.sha256(file.read_bytes()).hexdigest()
    (tmp_path / "features.json").write_text(json.dumps(record), encoding="utf-8")
    again = run_experiment(experiment, Setting(TINY), tmp_path)

    assert all(cell.found == 1 for cell in again.cells if cell.quantity.startswith("share in which exactly"))


@in_turn(3)
def test_rows_of_another_run_are_not_taken_for_its_own(tmp_path):
    """A run that is ended between its rows and its record, or two that share a folder, leave rows that are not the record's."""
    experiment = choose_experiments(["role-conflict"])[0]
    first = run_experiment(experiment, Setting(TINY), tmp_path / "0")
    other = run_experiment(experiment, Setting(TINY, seed=1), tmp_path / "1")
    for file in (tmp_path / "1").glob("*.csv"):
        (tmp_path / "0" / file.name).write_bytes(file.read_bytes())
    again = run_experiment(experiment, Setting(TINY), tmp_path / "0")

    assert first.findings != other.findings
    assert first.findings == again.findings
    assert first.cells == again.cells
    assert first.cells == run_experiment(experiment, Setting(TINY), tmp_path / "0").cells


@pytest.mark.parametrize("text", ["[" * 100_000, "{" + " " * 1000], ids=["brackets", "long"])
def test_a_record_that_is_none_is_refused(tmp_path, text, monkeypatch):
    """However deep its lists are, and however long it is."""
    monkeypatch.setattr(running, "MOST_BYTES", 200_000 if text[0] == "[" else 500)
    (tmp_path / "role-conflict.json").write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match="remove it to run again"):
        run_experiment(choose_experiments(["role-conflict"])[0], Setting(TINY), tmp_path)


PUBLISHED = ROOT / "docs" / "experiments"
SINGLE = {"ghm96-ridge", "ghm96-peak", "ch96-reality-check"}
"""Figures of a function, and of single data sets."""


def published():
    """What docs/experiments has with its rows, whatever version measured them."""
    return [(one, load_outcome(PUBLISHED, one, Setting(), version(one.name))) for one in EXPERIMENTS]


def version(name):
    """The version that measured what is published, if anything is."""
    file = PUBLISHED / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8"))["version"] if file.exists() else ""


def test_figures_of_means_have_error_bars():
    """Drawn from the rows that are published; these are those of at least 20 data sets, where Laplace has a value."""
    for _, found in published():
        if found is not None:
            single = {name for name in found.figures if name in SINGLE or name.endswith("-one-data-set")}
            assert all(('class="error"' in text) != (name in single) for name, text in found.figures.items())
            whole = [cell for cell in found.cells if cell.error and not cell.place.startswith("CH96 §4")]
            assert all(cell.sets >= 20 for cell in whole)


@pytest.mark.parametrize("name", mh97.MODELS)
def test_parameters_by_hand_are_those_of_their_models(name):
    """Every file has all tables, as `--at` takes them, and no probability at the boundary, where nothing could be learned."""
    text = mh97.MODELS[name]
    file = ROOT / "algdim_papers" / "experiments" / "by_hand" / f"{name}.toml"
    found = algdim.simulate(text, file, 50, seed=0)
    task = mh97.Task(mh97.BY_HAND, mh97.ONE_PRIOR, name, (0,), (100,), 0)
    chances = compute_cell_chances(parse_network(text), mh97.choose_tables(task, make_generator(0)))

    assert {"C1", "C2", "C3", "E"} == set(found.columns)
    assert 0 < chances.min()
    assert 1 == pytest.approx(chances.sum())


def test_peaks_of_a_curve():
    """By hand: a peak at the truth counts, and a hump below it makes two."""
    hump = {2: 1.0, 3: 4.0, 4: 3.0, 5: 1.0, 6: 2.0, 7: 0.0}
    rising = dict(enumerate((1.0, 2.0, 3.0, 4.0, 3.0), 2))

    assert ch96.has_two_peaks(hump, 6)
    assert not ch96.has_two_peaks(rising, 5)
    assert ch96.is_peak(rising, 5)
    assert not ch96.has_two_peaks(hump, 5)
    assert 0 == ch96.measure_share_of_peaks(rising, 5)
    assert 1 / 2 == ch96.measure_share_of_peaks({**dict.fromkeys(range(6, 12), 0.0), 7: 1.0, 9: 1.0}, 8)


def test_how_many_times_as_many_cases():
    """A score that is as near with 2000 cases as the other with 1000 needs twice as many; beyond the sizes there is no answer."""

    def at(apart):
        return [kz02.Choice(apart, 2, 1)] * 3

    choices = {
        1000: {"BIC": at(4.0), "BIC+": at(2.0)},
        2000: {"BIC": at(2.0), "BIC+": at(1.0)},
        4000: {"BIC": at(1.0), "BIC+": at(0.5)},
    }

    assert 2 == pytest.approx(kz02.compute_data_factor(choices, "BIC", "BIC+", 1000, None))
    assert 2 == pytest.approx(kz02.compute_data_factor(choices, "BIC", "BIC+", 2000, 0))
    assert kz02.compute_data_factor(choices, "BIC", "BIC+", 4000, None) is None


NEAR = 1e-9
"""Cells are sums and quotients of rows with ten digits, of size 10^4 at most: in double precision they are right to
10^-11, whatever the order of summation."""
DECIMAL = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def is_alike(one, other):
    """Whether two documents are the same up to the last digits of their numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_alike, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=NEAR, abs_tol=NEAR)
    return one == other


def is_text_alike(one, other):
    """Whether two texts differ in no more than one unit of the last digit that is printed of each number."""
    numbers, others = DECIMAL.findall(one), DECIMAL.findall(other)
    if DECIMAL.sub("#", one) != DECIMAL.sub("#", other) or len(numbers) != len(others):
        return False
    return all(abs(float(x) - float(y)) <= 1.01 * unit(x, y) for x, y in zip(numbers, others, strict=True) if x != y)


def unit(*texts):
    """One unit of the last place that the numbers are printed to."""
    return max(float(Decimal((0, (1,), Decimal(text).as_tuple().exponent))) for text in texts)


def test_documents_are_compared_up_to_rounding():
    """A last digit may differ, a digit before it or a word may not."""
    assert is_alike({"x": [1.0, "a", 3]}, {"x": [1.0 + 1e-12, "a", 3]})
    assert not is_alike({"x": [1.0, "a", 3]}, {"x": [1.0 + 1e-8, "a", 3]})
    assert not is_alike({"x": [1.0, "a", 3]}, {"x": [1.0, "a", 4]})
    assert is_text_alike("mean 0.123 ± 1e-05", "mean 0.124 ± 1e-05")
    assert not is_text_alike("mean 0.123", "mean 0.125")
    assert not is_text_alike("mean 0.123", "sum 0.123")
    assert not is_text_alike("12 sets", "14 sets")


def test_the_published_results_are_those_of_the_published_rows():
    """Cells and figures are what the code makes of the rows today; and so is the page, once all have rows."""
    known = published()
    for experiment, found in known:
        if found is not None:
            text = json.loads((PUBLISHED / f"{experiment.name}.json").read_text(encoding="utf-8"))
            assert is_alike(found.to_dict(), text)
            for name, figure in found.figures.items():
                assert is_text_alike(figure, (PUBLISHED / f"{name}.svg").read_text(encoding="utf-8"))
    if all(found is not None for _, found in known):
        assert is_text_alike(render_page(known), (PUBLISHED / PAGE).read_text(encoding="utf-8"))


NUMBER = re.compile(r"(−|-)?(\d*\.\d+|\d+) ± (\d*\.\d+|\d+)(?![\d]|\.\d| \(s\.d\.\))")


@pytest.mark.parametrize("name", ["which-score.md", "experiments.md"])
def test_what_the_pages_say_is_what_was_found(name):
    """Every mean with an error on a page of prose is one of the results, as a number or in thousandths."""
    cells = [cell for file in PUBLISHED.glob("*.json") for cell in json.loads(file.read_text("utf-8"))["cells"]]
    found = {
        (abs(cell["found"]) * scale, cell["error"] * scale) for cell in cells if cell["error"] for scale in (1, 1000)
    }

    for _, value, error in NUMBER.findall((PUBLISHED.parent / name).read_text(encoding="utf-8")):
        places = len(value.partition(".")[2]), len(error.partition(".")[2])
        near = [half + 1e-9 for half in (0.5 * 10 ** -places[0], 0.5 * 10 ** -places[1])]
        assert any(abs(v - float(value)) <= near[0] and abs(e - float(error)) <= near[1] for v, e in found), value


@in_turn(3)
def test_the_page_has_all_that_the_folder_has(tmp_path):
    """What was run before stays on the page; what was not run, or not at this size, is named as missing."""
    for name in ("ridge", "role-conflict"):
        list(run([name], Setting(TINY), tmp_path))
    text = (tmp_path / PAGE).read_text(encoding="utf-8")
    missing = text.partition("Not run at this size")[2].partition("\n")[0]

    assert all(f"## {name}: " in text for name in ("ridge", "role-conflict"))
    assert all((experiment.name in missing) != (f"## {experiment.name}: " in text) for experiment in EXPERIMENTS)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_cells_in_two_processes():
    """Results do not depend on the number of workers."""
    experiment = choose_experiments(["insensitivity"])[0]

    assert run_experiment(experiment, Setting(TINY)).cells == run_experiment(experiment, Setting(TINY, workers=2)).cells


WAITING = """
import os, time
from algdim_papers.experiments.running import Setting

def wait(number):
    print(os.getpid(), flush=True)
    time.sleep(60)

if __name__ == "__main__":
    Setting(workers=2).mapped(wait, [1, 2])
"""


@pytest.mark.slow
def test_workers_end_with_the_process_that_began_them(tmp_path):
    """Killing the process that shares out the tasks leaves no worker behind."""
    (tmp_path / "waiting.py").write_text(WAITING, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(tmp_path / "waiting.py")], stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        workers = [int(process.stdout.readline()) for _ in range(2)]
        process.kill()
    for _ in range(100):
        left = [worker for worker in workers if Path(f"/proc/{worker}").exists()]
        if not left:
            break
        sleep(0.1)

    assert [] == left


def test_verdicts():
    """Within two standard errors it is reproduced, unless the signs are opposite; else the direction decides."""
    found = Mean(1.0, 0.1, 20)
    wide = Mean(0.4, 1.5, 20)

    assert UNCONTRADICTED == make_compared_cell("", "", wide, -0.65, 0.17, direction=True).verdict
    assert REPRODUCED == make_compared_cell("", "", wide, 0.65, 0.17, direction=True).verdict
    assert REPRODUCED == make_compared_cell("", "", Mean(-0.05, 0.05, 20), 0.05, 0.05, direction=True).verdict
    assert REPRODUCED == make_compared_cell("", "", found, 1.15, 0.0, direction=False).verdict
    assert REPRODUCED == make_compared_cell("", "", found, 1.5, 0.3, direction=False).verdict
    assert ONLY_DIRECTION == make_compared_cell("", "", found, 1.5, 0.0, direction=True).verdict
    assert DIFFERENT == make_compared_cell("", "", found, 1.5, 0.0, direction=False).verdict
    assert (DIRECTION, DIFFERENT) == tuple(
        make_stated_cell("", "", found, "", holds=holds).verdict for holds in (True, False)
    )
    assert Mean(2.5, 0.5, 4) == compute_mean([2.0, 4.0, 2.0, 2.0])


def test_a_sign_is_shown_beyond_the_error():
    """A mean of the right sign within two standard errors of 0 shows no direction."""
    assert Mean(0.25, 0.1, 20).has_sign_of(0.8)
    assert Mean(-0.25, 0.1, 20).has_sign_of(-1.0)
    assert not Mean(0.05, 0.05, 20).has_sign_of(0.8)
    assert not Mean(0.25, 0.1, 20).has_sign_of(-0.8)
    assert not Mean(0.25, 0.1, 20).has_sign_of(0.0)


@pytest.mark.parametrize("classes", daily([2, 3], 1))
def test_sequential_monte_carlo_is_right_on_small_cases(classes):
    """The mean of a few runs is within its error of log p(D), however many classes; one class has a closed form."""
    random = make_generator(0, "test")
    sample = draw_mixture_sample(classes, 3, 60 if classes == 2 else 8, random)
    exact = (
        compute_log_marginal(make_priors(make_map(parse_network("3:2^3")), UNIFORM), sample) if classes == 3 else None
    )
    wanted = compute_two_class_marginal(sample) if exact is None else exact
    found = compute_mean([estimate_log_marginals(sample, classes, 1.0, random)[-1] for _ in range(12)])

    assert wanted == pytest.approx(found.value, abs=4 * found.error + 0.02)
    assert found.error < 0.15


@pytest.mark.slow
def test_the_method_of_chib_is_right_where_the_chain_mixes():
    """One class has a closed form, which every sweep gives; two classes of a few cases are mixed by the chain."""
    one = draw_mixture_sample(2, 3, 40, make_generator(0, "chib"))
    few = draw_mixture_sample(2, 3, 12, make_generator(1, "chib"))
    found = compute_mean([estimate_by_chib(few, 2, 1.0, make_generator(seed, "chib"), sweeps=300) for seed in range(8)])

    assert estimate_log_marginals(one, 1, 1.0, make_generator(0), particles=4000)[-1] == pytest.approx(
        estimate_by_chib(one, 1, 1.0, make_generator(2), sweeps=5), abs=0.1
    )
    assert compute_two_class_marginal(few) == pytest.approx(found.value, abs=4 * found.error + 0.02)


def test_segments_are_those_of_one_order():
    """With one class every stop has the closed form of its cases, which come to the same at the end."""
    sample = sample_of(("X1", "X2"), np.array([[30.0, 20.0], [5.0, 5.0]]))
    few, half, all_of_them = estimate_log_marginals(sample, 1, 1.0, make_generator(0), stops=(6, 30))
    exact = compute_log_marginal(make_priors(make_map(parse_network("1:2^2")), UNIFORM), sample)

    assert few > half > all_of_them
    assert exact == pytest.approx(all_of_them, abs=0.5)


def test_the_counts_are_those_of_goodman():
    """The data of the real example are the ones that the fits are checked with."""
    import tomllib

    golden = tomllib.loads((ROOT / "tests" / "golden" / "goodman.toml").read_text(encoding="utf-8"))

    assert golden["counts"] == list(realdata.COUNTS)


def test_the_command(tmp_path, capsys):
    """Figures and outcomes are written; the JSON lists the outcomes."""
    assert 0 == main(["reproduce", "--experiments", "ridge", "--json", "--output", str(tmp_path)])
    (found,) = json.loads(capsys.readouterr().out)

    assert "ridge" == found["name"]
    assert {"ridge.json", "ridge.csv", "ghm96-ridge.svg", "ghm96-peak.svg", "results.md"} == {
        file.name for file in tmp_path.iterdir()
    }


@pytest.mark.parametrize("form", ["latex", "typst", "html"])
def test_an_experiment_in_other_forms(form, capsys):
    """One table of its cells, with the numbers as in Markdown."""
    assert 0 == main(["reproduce", "--experiments", "ridge", f"--{form}"])
    text = capsys.readouterr().out

    assert 1 == text.count({"latex": r"\begin{table}", "typst": "#figure(", "html": "<table>"}[form])
    assert re.search(r"0.0198 (±|\$\\pm\$) 0.0007", text)


@pytest.mark.parametrize(
    "arguments", [["--experiments", "tables"], ["--full"], ["--experiments", "--latex", "--json"], ["--output", "x"]]
)
def test_what_does_not_fit_together_is_refused(arguments, capsys):
    """Unknown names and options without the experiments end with 2 and a reason."""
    assert 2 == main(["reproduce", *arguments])
    assert "" != capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_wait_while_processes_begin(number):
    """Whichever thread they reach: what is begun is told what to do first, then they do what they always do."""
    seen, go = [], Event()
    before = signal.signal(number, lambda given, _: seen.append((given, "after" in seen)))
    # begun before, so that nothing is blocked in it
    other = Thread(target=lambda: (go.wait(), signal.raise_signal(number)))
    other.start()
    try:
        with running.refuse_interruption():
            go.set()
            other.join()
            assert [] == seen
            seen.append("after")
    finally:
        signal.signal(number, before)

    assert ["after", (number, True)] == seen


def test_the_size_here_stands_beside_the_size_in_print():
    """It is told from the rows: one data set less, and it changes."""
    experiment = choose_experiments(["latent-trees"])[0]
    found = load_outcome(PUBLISHED, experiment, Setting(), version(experiment.name))
    fewer = {"latent-trees": Rows(found.findings["latent-trees"].columns, found.findings["latent-trees"].entries[:24])}

    assert "In print: 50 data sets" in render_section(experiment, found)
    assert "Here: 50 data sets; cases 1000, 3000, 9000, 27000, 81000, 243000." in render_section(experiment, found)
    assert "1 data sets; cases 1000, 3000, 9000, 27000, 81000, 243000" == describe_size(fewer)


class PlannedError(Exception):
    """The keys of the tasks that would be done now."""


class Planning(Setting):
    """A setting in which no task is done: the first that are asked for are told."""

    def mapped(self, work, tasks):
        """Tell the keys of the tasks."""
        raise PlannedError(sorted(make_key(work, task) for task in tasks))


def plan(experiment, size):
    """What an experiment would do first at a size; if it has no tasks, what it finds."""
    try:
        return experiment.measure(Planning(size))
    except PlannedError as planned:
        return planned.args[0]


@pytest.mark.parametrize(
    "experiment", [one for one in EXPERIMENTS if one.name != "role-conflict"], ids=lambda one: one.name
)
def test_an_experiment_of_one_size_does_the_same_work_at_both(experiment):
    """The tasks of the default size are those of the full one, key by key; of the others they are not."""
    same = plan(experiment, DEFAULT) == plan(experiment, FULL)

    assert experiment.one_size == same


@pytest.mark.parametrize("name", [one.name for one in EXPERIMENTS if one.one_size])
def test_an_experiment_of_one_size_has_one_list_of_tasks(name, monkeypatch):
    """So the comparison of its first tasks is that of all its work."""
    called = []
    real = Setting.mapped
    monkeypatch.setattr(Setting, "mapped", lambda self, work, tasks: called.append(work) or real(self, work, tasks))
    choose_experiments([name])[0].measure(Setting(TINY))

    assert len(called) <= 1


def test_what_was_run_at_the_default_size_serves_as_full(tmp_path):
    """For an experiment of one size, also where the record has the name of the other; for no other experiment."""
    (ridge,) = choose_experiments(["ridge"])
    run_experiment(ridge, Setting(), tmp_path)
    record = tmp_path / "ridge.json"
    record.write_text(
        record.read_text(encoding="utf-8").replace('"size": "full"', '"size": "default"'), encoding="utf-8"
    )

    assert FULL == load_outcome(tmp_path, ridge, Setting(FULL)).size
    assert load_outcome(tmp_path, replace(ridge, one_size=False), Setting(FULL)) is None
    assert FULL == run_experiment(ridge, Setting(), tmp_path).size


def test_an_experiment_without_tasks_has_its_seconds_too(monkeypatch):
    """They are those of the process; `ridge` shares nothing out."""
    ticks = iter(range(100, 1000, 7))
    monkeypatch.setattr(running, "process_time", lambda: next(ticks))
    (ridge,) = choose_experiments(["ridge"])

    assert run_experiment(ridge, Setting(TINY)).seconds == 7
