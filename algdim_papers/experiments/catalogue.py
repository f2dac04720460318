"""The experiments by name, and how all of them are run and printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from algdim.errors import InputError, join_names
from algdim.wholefiles import write_text
from algdim_papers.experiments import ch96, ghm96, goldstandard, hm97, kz02, mh97, realdata
from algdim_papers.experiments.printedtables import build_printed_tables
from algdim_papers.experiments.record import LABELS, Outcome, render_table
from algdim_papers.experiments.running import Experiment, Setting, load_outcome, run_experiment
from algdim_papers.experiments.sizes import describe_size

EXPERIMENTS = (
    Experiment(
        "ridge",
        "GHM96",
        "§4",
        "with H hidden the likelihood of H → X is a ridge",
        "a figure without numbers",
        ghm96.measure_ridge,
        ghm96.compare_ridge,
        ghm96.draw_ridge,
        one_size=True,
    ),
    Experiment(
        "role-conflict",
        "Goodman (1974)",
        "the data of 216 people",
        "½ log N between 14 and 13",
        "no such experiment",
        realdata.measure_conflict,
        realdata.compare_conflict,
        realdata.draw_conflict,
    ),
    Experiment(
        "figure-5",
        "MH97",
        "Figure 5",
        "mass accumulates on the generator, F1 excepted",
        "one data set of each of five models, parameters chosen by hand; cases 100, 200, 400, 800, 1600 of 6400",
        mh97.measure_figure,
        mh97.compare_figure,
        mh97.draw_figure,
        one_size=True,
    ),
    Experiment(
        "features",
        "HM97",
        "§5",
        "features are selected",
        "no experiment",
        hm97.measure_features,
        hm97.compare_features,
        hm97.draw_features,
        one_size=True,
    ),
    Experiment(
        "growing",
        "GHM96",
        "§6",
        "CS drifts by ½ log N, CS+ does not",
        "no experiment",
        ghm96.measure_growing,
        ghm96.compare_growing,
        ghm96.draw_growing,
    ),
    Experiment(
        "gold-standard",
        "CH96",
        "§3",
        "Laplace's approximation is assumed to be log p(D)",
        "no experiment",
        goldstandard.measure_gold_standard,
        goldstandard.compare_gold_standard,
        goldstandard.draw_gold_standard,
    ),
    Experiment(
        "exact-values",
        "CH96",
        "§3",
        "Laplace's approximation is assumed to be log p(D)",
        "no experiment",
        goldstandard.measure_exact_values,
        goldstandard.compare_exact_values,
        goldstandard.draw_exact_values,
    ),
    Experiment(
        "insensitivity",
        "CH96",
        "§3",
        "ε from .1 to .001 changes no conclusion",
        "ε from 0.001 to 0.1, without sizes",
        ch96.measure_insensitivity,
        ch96.compare_insensitivity,
        ch96.draw_insensitivity,
    ),
    Experiment(
        "reality-check",
        "CH96",
        "§5",
        "Δm = 26 ± 33",
        "5 data sets; items 12; cases 800; larger models, without sizes or numbers",
        ch96.measure_reality,
        ch96.compare_reality,
        ch96.draw_reality,
    ),
    Experiment(
        "latent-classes",
        "KZ02",
        "§5, Figures 4 and 5",
        "the plus scores are nearer for large samples",
        "10 data sets; classes 2 … 8; five numbers of cases; classes tried 2 … 8",
        kz02.measure_classes,
        kz02.compare_classes,
        kz02.draw_classes,
    ),
    Experiment(
        "latent-trees",
        "KZ02",
        "§6, Table 2",
        "the plus scores are nearer for large samples",
        "50 data sets; six numbers of cases, 1000 to 243 000",
        kz02.measure_trees,
        kz02.compare_trees,
        kz02.draw_trees,
        one_size=True,
    ),
    *(
        Experiment(
            f"figure-{number}",
            "CH96",
            f"§4, Figure {number}, Tables 1 and 2",
            "CS and Draper's score are nearest to Laplace",
            "5 data sets of one model for each point; all numbers of classes around the truth",
            partial(ch96.measure_figure, number),
            partial(ch96.compare_figure, number),
            partial(ch96.draw_figure, number),
        )
        for number in (1, 3, 2)
    ),
    Experiment(
        ch96.AS_IN_PRINT,
        "CH96",
        "§4, Figure 2 as it is printed: one model, every number of classes, 200 steps",
        "two peaks, at c/2 and at c",
        "5 data sets of one model for each number of classes, of which the figure shows one; 200 steps of EM",
        ch96.measure_as_printed,
        ch96.compare_as_printed,
        ch96.draw_as_printed,
        one_size=True,
    ),
)
"""The short ones first."""

PAGE = "results.md"


def choose_experiments(names: Sequence[str]) -> list[Experiment]:
    """The experiments of these names or papers, all of them if there are none.

    >>> [one.name for one in choose_experiments(["GHM96", "figure-5"])]
    ['ridge', 'figure-5', 'growing']
    """
    known = {one.name for one in EXPERIMENTS} | {one.paper for one in EXPERIMENTS}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InputError(
            f"there is no experiment {join_names(map(repr, unknown))}; known are {join_names(one.name for one in EXPERIMENTS)}, "
            "and papers of which there are some"
        )
    return [one for one in EXPERIMENTS if not names or one.name in names or one.paper in names]


def run(names: Sequence[str], setting: Setting, folder: Path | None = None) -> Iterator[tuple[Experiment, Outcome]]:
    """Run experiments one after the other; what the folder has is not run again, and its page lists what it has."""
    known = {one.name: load_outcome(folder, one, setting) for one in EXPERIMENTS} if folder is not None else {}
    for experiment in choose_experiments(names):
        found = known[experiment.name] = run_experiment(experiment, setting, folder)
        if folder is not None:
            write_text(folder / PAGE, render_page([(one, known[one.name]) for one in EXPERIMENTS]))
        yield experiment, found


def render_page(known: Sequence[tuple[Experiment, Outcome | None]]) -> str:
    """All that is done and what is missing, in Markdown, with the figures."""
    missing = ", ".join(experiment.name for experiment, found in known if found is None)
    lines = [
        "# Results of the experiments",
        "",
        "Written by `algdim reproduce --experiments`; for the interpretation see [experiments](../experiments.md).",
        "",
    ]
    if missing:
        lines += [f"Not run at this size with this seed: {missing}.", ""]
    for experiment, found in known:
        if found is None:
            continue
        lines += [render_section(experiment, found), ""]
        lines += [f"Data: {', '.join(f'[{name}.csv]({name}.csv)' for name in found.findings)}.", ""]
        lines += [f"![{name}]({name}.svg)" for name in found.figures]
        lines += [""] * bool(found.figures)
    tables = build_printed_tables({experiment.name: found.findings for experiment, found in known if found is not None})
    if tables:
        lines += ["## The tables in the papers' layout", ""]
    for grid in tables:
        lines += [grid.markdown(), ""]
    return "\n".join(lines)


def render_section(experiment: Experiment, found: Outcome) -> str:
    """One experiment in Markdown."""
    counted = Counter(cell.verdict for cell in found.cells)
    verdicts = ", ".join(f"{counted[verdict]} {verdict}" for verdict in LABELS if counted[verdict])
    lines = [
        f"## {experiment.name}: {experiment.paper} {experiment.place}",
        "",
        f"Expected: {experiment.expected}. Size {found.size}, seed {found.seed}, algdim {found.version}, {found.date}, {found.seconds:.0f} s. {verdicts}.",
        "",
        f"In print: {experiment.in_print}.",
        *[f"Here: {here}." for here in [describe_size(found.findings)] if here],
        "",
        render_table(found.cells),
    ]
    return "\n".join(lines)
