"""CH96: scores of latent class models with binary items, beside Laplace's approximation.

Every data set comes from a model of its own with uniform rows. All scores are at the mode under Dirichlet(1 + ε), reached as
in §3. The dimension is the number of parameters in all of these models.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import sqrt
from time import process_time
from typing import NamedTuple

from algdim.errors import InputError
from algdim.plots.svg import Axis, Series, plot
from algdim.selection.searches import Terms, search_network
from algdim_papers.experiments.record import (
    MEASURED,
    Cell,
    Mean,
    compute_mean,
    describe_error_bars,
    make_compared_cell,
    make_measured_cell,
    make_series,
    make_stated_cell,
)
from algdim_papers.experiments.rows import Findings, Rows, make_rows
from algdim_papers.experiments.running import Setting, make_generator
from algdim_papers.experiments.sampling import (
    AS_PRINTED,
    TO_THE_TOP,
    UNIFORM,
    Scored,
    draw_mixture_sample,
    score_posterior_mode,
)
from algdim_papers.experiments.thresholds import HALF_A_CLASS, MOST
from algdim_papers.printed import CH96_SCORES, CH96_SETS, CH96_TABLE_1, CH96_TABLE_2, CH96_TIMES
from algdim_papers.printed import ErrorsInSelection as Row

EPSILON = 0.01
LAPLACE = "Laplace"
OTHERS = CH96_SCORES
SCORES = (LAPLACE, *OTHERS)


ROWS = CH96_TABLE_1


def list_candidates(row: Row, *, every: bool) -> list[int]:
    """The numbers of classes that are tried: 2 … 8 for four classes as printed, beside them a range around the truth."""
    if row.classes == 4:
        return list(range(2, 9))
    if row.classes == 8:
        return list(range(4, 13))
    if every:
        return list(range(row.classes // 4, row.classes + 17))
    return list(range(12, 41, 4)) if row.classes == 32 else list(range(8, 25, 2))


class Task(NamedTuple):
    """One data set: the numbers of items, classes and cases, its own number, what is tried, the prior."""

    items: int
    classes: int
    cases: int
    number: int
    tried: tuple[int, ...]
    epsilon: float
    seed: int
    as_printed: bool = False
    """Whether all data sets of a row are from one model, and EM ends after 200 steps; else it goes on to a maximum."""


class Scores(NamedTuple):
    """The scores of one candidate at its mode, None where there is none; and the seconds of processor time that each of them, and EM, took."""

    tried: int
    values: dict[str, float | None]
    seconds: dict[str, float]
    converged: bool
    """CH96 §3: whether the last step gained less than 10⁻⁵ of the objective."""


CONVERGED = 1e-5


def score_candidates(task: Task) -> list[Scores]:
    """All five scores of all candidates on one data set."""
    random = make_generator(task.seed, "CH96", task.items, task.classes, task.cases, task.number)
    of = make_generator(task.seed, "CH96 one model", *task[:3]) if task.as_printed else random
    sample = draw_mixture_sample(task.classes, task.items, task.cases, random, of)
    found = []
    for classes in task.tried:
        begun = process_time()
        climb = AS_PRINTED if task.as_printed else TO_THE_TOP
        at = score_posterior_mode(sample, f"{classes}:2^{task.items}", task.epsilon, task.number, climb)
        gain = at.fit.stopping.gain
        converged = gain is not None and gain < CONVERGED * abs(at.fit.objective)
        one = Scores(classes, {}, {"EM": process_time() - begun}, converged)
        for name in SCORES:
            begun = process_time()
            one.values[name] = get_score(at, name, classes * (task.items + 1) - 1)
            one.seconds[name] = process_time() - begun
        found.append(one)
    return found


def get_score(at: Scored, name: str, standard: int) -> float | None:
    """One score at a mode; Laplace's has none where the mode is no maximum."""
    if name == LAPLACE:
        try:
            return at.laplace()
        except InputError:
            return None
    if name in ("CS", "MLED"):
        return at.cs() if name == "CS" else at.mled()
    return at.draper(standard) if name == "Draper" else at.bic(standard)


Curve = Mapping[int, float]
"""Classes → score."""


def build_curve(one: Rows, name: str) -> Curve:
    """A score on one data set, by the number of classes; without the candidates that have none."""
    return {classes: value for classes, value in one.pairs("tried", name).items() if value is not None}


def build_curves(found: Rows, name: str) -> list[Curve]:
    """A score on each data set."""
    return [build_curve(one, name) for one in found.split("set").values()]


def choose_best(values: Curve) -> int:
    """The number of classes with the greatest score."""
    return max(values, key=lambda classes: values[classes])


def collect_choices(found: Rows, name: str) -> list[int]:
    """The number of classes that a score chooses on each data set."""
    return [choose_best(one) for one in build_curves(found, name)]


def compute_mean_difference(more: Mean, less: Mean) -> Mean:
    """The difference of the means of different data sets."""
    return Mean(more.value - less.value, sqrt(more.error**2 + less.error**2), min(more.sets, less.sets))


def compute_paired_difference(some: Iterable[float], others: Iterable[float]) -> Mean:
    """The mean difference on the same data sets."""
    return compute_mean([one - other for one, other in zip(some, others, strict=True)])


def count_data_sets(setting: Setting) -> int:
    """How many data sets each experiment has."""
    return setting.pick(2, 20, 50)


FIGURES = {
    1: tuple(row for row in ROWS if row.classes == 4 and row.cases == 400),
    2: tuple(sorted((row for row in ROWS if row.items == 64), key=lambda row: -row.classes)),
    3: tuple(sorted((row for row in ROWS if row.items == 32), key=lambda row: row.cases)),
}
"""§4's three sets of experiments: n grows, c falls, N grows. Two of them share a row, as in Table 1."""

GROWING = {1: "n grows", 2: "c falls", 3: "N grows"}
SHAPE = ("items", "classes", "cases")


def measure_figure(number: int, setting: Setting) -> Findings:
    """One of §4's sets of experiments: the scores of every candidate on every data set, and in Figure 2 the seconds."""
    shapes = setting.pick((ROWS[0]._replace(cases=60),), FIGURES[number], FIGURES[number])
    sets, every = setting.pick(2, 20, FULL_SETS[number]), setting.size == "full"
    tasks = [
        Task(*row[:3], one, tuple(list_candidates(row, every=every)), EPSILON, setting.seed)
        for row in shapes
        for one in range(sets)
    ]
    each = list(score_all(setting, tasks))
    findings = {f"figure-{number}": tabulate_scores(each)}
    if number == TIMED:
        findings[f"figure-{number}-seconds"] = tabulate_seconds(each)
    return findings


def score_all(setting: Setting, tasks: Sequence[Task]) -> Iterator[tuple[Task, Scores]]:
    """The scores of every candidate; the long tasks are done first, so that no worker is left with one of them."""
    order = sorted(tasks, key=lambda task: -task.items * sum(task.tried))
    found = dict(zip(order, setting.mapped(score_candidates, order), strict=True))
    for task in tasks:
        for one in found[task]:
            yield task, Scores(*one)


KEYS = ("items", "classes", "cases", "set", "tried")


def tabulate_scores(each: Sequence[tuple[Task, Scores]]) -> Rows:
    """The scores as rows."""
    entries = [(*task[:4], one.tried, *(one.values[name] for name in SCORES)) for task, one in each]
    return make_rows((*KEYS, *SCORES), entries)


def tabulate_seconds(each: Sequence[tuple[Task, Scores]]) -> Rows:
    """What EM and the scores take with the most classes, as rows."""
    timed = ("EM", *SCORES)
    some = [(task, one) for task, one in each if task.classes == LARGEST]
    return make_rows(
        (*KEYS, *timed), [(*task[:4], one.tried, *(one.seconds[name] for name in timed)) for task, one in some]
    )


FULL_SETS = {1: 50, 2: 20, 3: 50}
"""Data sets of each setting at full size; Figure 2 tries every number of classes from 8 to 48, which takes as long as everything else."""
TIMED, LARGEST = 2, 32
"""The figure that has the model of Table 2, and its classes."""
AS_IN_PRINT = "figure-2-as-printed"


def list_printed_candidates(row: Row) -> list[int]:
    """Every number of classes around the truth and half of it; those of Table 2 are among them."""
    return (
        list(range(8, 39))
        if row.classes == 32
        else list(range(4, 23))
        if row.classes == 16
        else list_candidates(row, every=True)
    )


def measure_as_printed(setting: Setting) -> Findings:
    """Figure 2 as it is printed: one model for each number of classes, data sets of it, every candidate, 200 steps of EM."""
    shapes = setting.pick((ROWS[0]._replace(cases=60),), FIGURES[TIMED], FIGURES[TIMED])
    tasks = [
        Task(*row[:3], one, tuple(list_printed_candidates(row)), EPSILON, setting.seed, as_printed=True)
        for row in shapes
        for one in range(setting.pick(2, CH96_SETS, CH96_SETS))
    ]
    each = list(score_all(setting, tasks))
    scores = tabulate_scores(each)
    entries = [(*entry, int(one.converged)) for entry, (_, one) in zip(scores.entries, each, strict=True)]
    return {AS_IN_PRINT: make_rows((*scores.columns, "converged"), entries)}


def compare_as_printed(findings: Findings) -> list[Cell]:
    """Δc on data sets of one model, the two peaks, and whether 200 steps are enough; no verdict from fewer data sets than in print."""
    found = findings[AS_IN_PRINT]
    results = group_by_row(found)
    place = "CH96 §4, one model"
    cells = [cell for row, part in results.items() for cell in make_row_cells(row, part, place, place)]
    cells += make_second_peak_cells(results)
    few = f"fewer than {CH96_SETS} data sets"
    judged = [
        replace(cell, printed="", verdict=MEASURED, note=f"in print {cell.printed}; {few}")
        if cell.printed and cell.sets < CH96_SETS
        else cell
        for cell in cells
    ]
    return [*judged, make_convergence_cell(found)]


def draw_as_printed(findings: Findings) -> dict[str, str]:
    """The curves of the first data set, as the paper shows those of one."""
    figures = {}
    for row, found in group_by_row(findings[AS_IN_PRINT]).items():
        one = next(iter(found.split("set").values()))
        title = f"CH96 Figure 2: {row.text}"
        figures[f"ch96-n{row.items}-c{row.classes}-one-data-set"] = draw_curves(title, one, SCORES, row.classes)
    return figures


def group_by_row(found: Rows) -> dict[Row, Rows]:
    """What was measured, by the row of Table 1 that it is about."""
    printed = {row[:2]: row for row in ROWS} | {row[:3]: row for row in ROWS}
    parts = {}
    for items, some in found.split("items").items():
        for classes, others in some.split("classes").items():
            for cases, part in others.split("cases").items():
                row = printed.get((items, classes, cases), printed[items, classes])
                parts[row._replace(cases=cases)] = part
    return parts


def compare_figure(number: int, findings: Findings) -> list[Cell]:
    """Δc against Laplace and against the truth, the shape of the curves, and what Laplace's approximation costs."""
    results = group_by_row(findings[f"figure-{number}"])
    cells = [cell for row, found in results.items() for cell in make_row_cells(row, found)]
    cells += [
        *make_nearness_cells(number, list(results.values())),
        *make_peak_cells(number, results),
        *make_second_peak_cells(results),
    ]
    return cells + (time_cells(findings[f"figure-{number}-seconds"]) if number == TIMED else [])


def make_row_cells(row: Row, found: Rows, place: str = "CH96 Table 1", beside: str = "with Table 1") -> list[Cell]:
    """Δc of each score against Laplace as printed, and against the truth."""
    cells, laplace = [], collect_choices(found, LAPLACE)
    for name, (printed, deviation) in zip(OTHERS, row.printed, strict=True):
        moved = compute_paired_difference(collect_choices(found, name), laplace)
        same = abs(moved.value) < HALF_A_CLASS if abs(printed) < HALF_A_CLASS else moved.has_sign_of(printed)
        error = deviation / sqrt(CH96_SETS)
        cells.append(make_compared_cell(place, f"Δc of {name}, {row.text}", moved, printed, error, direction=same))
    missing = [one.column(LAPLACE) for one in found.split("set").values()]
    without = compute_mean([values.count(None) / len(values) for values in missing])
    if without.value:
        text = f"share of candidates where EM stops at no maximum, so that Laplace has no value, {row.text}"
        cells.append(make_measured_cell(beside, text, without))
    for name in SCORES:
        missed = compute_mean([classes - row.classes for classes in collect_choices(found, name)])
        cells.append(make_measured_cell(beside, f"classes chosen by {name} − {row.classes}, {row.text}", missed))
    return cells


def make_nearness_cells(number: int, results: Sequence[Rows]) -> list[Cell]:
    """Whose curve is near that of Laplace in shape."""
    cells = []
    errors = {
        name: [
            measure_shape_error(build_curve(one, name), build_curve(one, LAPLACE))
            for found in results
            for one in found.split("set").values()
        ]
        for name in OTHERS
    }
    for name in ("CS", "Draper"):
        gained = compute_paired_difference(errors["BIC"], errors[name])
        text = f"nats per candidate by which the curve of BIC is farther from that of Laplace than {name}'s"
        cells.append(
            make_stated_cell(f"CH96 Figure {number}", text, gained, "CS and Draper are better", holds=gained.low > 0)
        )
    return cells


def make_peak_cells(number: int, results: dict[Row, Rows]) -> list[Cell]:
    """How high the peak of Laplace's curve is, and whether it rises from row to row, as printed."""
    place = f"CH96 §4, Figure {number}"
    order = sorted(results, key=lambda row: -row.classes) if number == TIMED else list(results)
    heights = {row: compute_peak_height(row, results[row]) for row in order}
    cells = [
        make_measured_cell(place, f"height of Laplace's peak over its neighbours, {row.text}", height)
        for row, height in heights.items()
    ]
    for before, after in pairwise(order):
        gain = compute_mean_difference(heights[after], heights[before])
        text = f"what that height gains as {GROWING[number]}, from {before.text} to {after.text}"
        cells.append(make_stated_cell(place, text, gain, "rises", holds=gain.low > 0))
    return cells


def compute_peak_height(row: Row, found: Rows) -> Mean:
    """The mean height of Laplace's peak, over the data sets where it has all the values."""
    heights = [measure_peak(one.pairs("tried", LAPLACE), row.classes) for one in found.split("set").values()]
    return compute_mean([height for height in heights if height is not None])


def make_second_peak_cells(results: dict[Row, Rows]) -> list[Cell]:
    """How often the scores have a peak at the true number too, with as many classes as in Figure 2's top graphs.

    Curves of single data sets are rough: beside it, how often any other number from there on is a peak.
    """
    cells = []
    for row, found in results.items():
        if row.classes not in TWO_PEAKS:
            continue
        for name in SCORES:
            curves = build_curves(found, name)
            two = compute_mean([has_two_peaks(one, row.classes) for one in curves])
            text = f"share of data sets in which {name} has two peaks, one of them at c, {row.text}"
            cells.append(make_stated_cell("CH96 §4", text, two, "all", holds=two.low > MOST))
            others = compute_mean([measure_share_of_peaks(one, row.classes) for one in curves])
            text = f"share of the other numbers of classes beyond 3c/4 that are peaks of {name}, {row.text}"
            cells.append(make_measured_cell("CH96 §4", text, others))
    return cells


TWO_PEAKS = (32, 16)
"""Classes of the graphs of Figure 2 of which two peaks are told."""


def make_convergence_cell(found: Rows) -> Cell:
    """§3: EM converged in all but one of 550 runs."""
    share = compute_mean(found.column("converged"))
    holds = share.low <= 549 / 550 <= share.high or share.value >= 549 / 550
    text = "share of the runs that 200 steps are enough for, all test models of Figure 2"
    return make_stated_cell("CH96 §3", text, share, "all but one of 550", holds=holds)


def measure_shape_error(values: Curve, reference: Curve) -> float:
    """The mean distance of a curve from Laplace's, the difference of their means taken off."""
    gaps = [values[classes] - value for classes, value in reference.items()]
    middle = sum(gaps) / len(gaps)
    return sum(abs(gap - middle) for gap in gaps) / len(gaps)


def measure_peak(values: Mapping[int, float | None], classes: int) -> float | None:
    """How far the truth is above its neighbours, per class; None without a value at one of them.

    >>> measure_peak({2: 1.0, 4: 5.0, 5: 3.0}, 4), measure_peak({3: None, 4: 5.0}, 4)
    (2.0, None)
    """
    below = max((number for number in values if number < classes), default=classes)
    above = min((number for number in values if number > classes), default=classes)
    top, slopes = values[classes], []
    for number in {below, above} - {classes}:
        value = values[number]
        if top is None or value is None:
            return None
        slopes.append((top - value) / abs(classes - number))
    return sum(slopes) / len(slopes)


def has_two_peaks(values: Curve, classes: int) -> bool:
    """Whether the truth is a peak, and something below is higher than the valley before it.

    >>> has_two_peaks({2: 5.0, 3: 1.0, 4: 2.0, 5: 1.0}, 4), has_two_peaks({2: 0.0, 3: 1.0, 4: 2.0, 5: 1.0}, 4)
    (True, False)
    """
    below = sorted(number for number in values if number < classes)
    return is_peak(values, classes) and max(values[number] for number in below) > values[below[-1]]


def is_peak(values: Curve, classes: int) -> bool:
    """Whether a number of classes is higher than those that are tried next to it; not at an end, or without a value.

    >>> is_peak({2: 1.0, 4: 2.0, 6: 1.5}, 4), is_peak({2: 1.0, 3: 2.0}, 3)
    (True, False)
    """
    tried = sorted(values)
    at = tried.index(classes) if classes in values else 0
    return 0 < at < len(tried) - 1 and values[classes] > max(values[tried[at - 1]], values[tried[at + 1]])


def measure_share_of_peaks(values: Curve, classes: int) -> float:
    """Of the numbers from three quarters of the truth on, but for it, the share that are peaks."""
    others = [number for number in sorted(values)[:-1] if number >= 3 * classes // 4 and number != classes]
    return sum(is_peak(values, number) for number in others) / len(others)


def time_cells(seconds: Rows) -> list[Cell]:
    """Table 2: what Laplace's approximation costs beside EM; the mean of a data set is one number."""
    sets = list(seconds.split("set").values())
    if not sets:
        return []
    place = "CH96 Table 2"
    printed = [row[CH96_TIMES.index(LAPLACE)] / row[CH96_TIMES.index("EM")] for row in CH96_TABLE_2.values()]
    ratio = compute_mean([sum(one.column(LAPLACE)) / sum(one.column("EM")) for one in sets])
    cells = [
        make_stated_cell(
            place,
            "seconds of Laplace's approximation for one of EM",
            ratio,
            f"{min(printed):.1f} … {max(printed):.1f}",
            holds=ratio.low > 1,
        )
    ]
    at_truth = seconds.where(tried=LARGEST)
    return cells + [
        make_measured_cell(place, f"seconds of {name}, d = 2079", compute_mean(at_truth.column(name)))
        for name in ("EM", *SCORES)
    ]


def draw_figure(number: int, findings: Findings) -> dict[str, str]:
    """The mean curves, each less its value at the true number of classes."""
    figures = {}
    for row, found in group_by_row(findings[f"figure-{number}"]).items():
        name, title = f"ch96-figure-{number}-n{row.items}-c{row.classes}-N{row.cases}", f"CH96 §4: {row.text}"
        figures[name] = draw_curves(title, found, SCORES, row.classes)
    return figures


def draw_curves(title: str, found: Rows, names: Sequence[str], classes: int) -> str:
    """The mean curves of scores, less their values at some number of classes, over the data sets that have both."""
    lines = []
    for name in names:
        some = [one for one in build_curves(found, name) if classes in one]
        tried = [number for number in found.split("tried") if any(number in one for one in some)]
        lines.append(
            make_series(name, {n: compute_mean([one[n] - one[classes] for one in some if n in one]) for n in tried})
        )
    x, y = Axis("classes of the candidate", whole=True), Axis(f"less the value at {classes} classes (nats)")
    sets = len(found.split("set"))
    return plot(title, x, y, lines, describe_error_bars(sets) if sets > 1 else "one data set")


EPSILONS = (0.1, EPSILON, 0.001)


def measure_insensitivity(setting: Setting) -> Findings:
    """§3: the same data sets with three values of ε."""
    items, classes, cases = setting.pick((6, 2, 60), (16, 4, 400), (32, 4, 400))
    tried = tuple(range(2, 5) if setting.size == "tiny" else range(2, 9))
    tasks = [
        Task(items, classes, cases, number, tried, epsilon, setting.seed)
        for epsilon in EPSILONS
        for number in range(count_data_sets(setting))
    ]
    found = [[Scores(*one) for one in many] for many in setting.mapped(score_candidates, tasks)]
    entries = [
        (*task[:3], task.epsilon, task.number, one.tried, *(one.values[name] for name in SCORES))
        for task, many in zip(tasks, found, strict=True)
        for one in many
    ]
    return {"insensitivity": make_rows((*SHAPE, "epsilon", "set", "tried", *SCORES), entries)}


def compare_insensitivity(findings: Findings) -> list[Cell]:
    """§3: the conclusions are not sensitive to ε between .1 and .001."""
    parts, cells = findings["insensitivity"].split("epsilon"), []
    for name in SCORES:
        for epsilon in (0.1, 0.001):
            moved = compute_paired_difference(
                collect_choices(parts[epsilon], name), collect_choices(parts[EPSILON], name)
            )
            text = f"classes chosen by {name} with ε = {epsilon:g} less those with ε = .01"
            small = abs(moved.value) < HALF_A_CLASS
            cells.append(make_stated_cell("CH96 §3", text, moved, "not sensitive", holds=small))
    return cells


def draw_insensitivity(findings: Findings) -> dict[str, str]:
    """The number of classes that each score chooses against ε."""
    found = findings["insensitivity"]
    parts = sorted(found.split("epsilon").items())
    (items,), (classes,), (cases,) = (found.split(name) for name in SHAPE)
    lines = [
        make_series(name, {epsilon: compute_mean(collect_choices(part, name)) for epsilon, part in parts})
        for name in SCORES
    ]
    title = f"CH96 §3: n = {items}, c = {classes}, N = {cases}"
    x, y = Axis("ε of Dirichlet(1 + ε)", logarithmic=True), Axis("classes chosen")
    return {"ch96-insensitivity": plot(title, x, y, lines, describe_error_bars(len(found.split("set"))))}


HIDDEN_TRUTH, STANDARD_SHAPE, SMALL_SHAPE = 3, (12, 800), (6, 800)


def compare_hidden_model(task: tuple[int, int, int, int]) -> tuple[float, float, int]:
    """§5 on one data set: the best hidden model, the network that a greedy search finds, and the hidden model's classes."""
    items, cases, number, seed = task
    sample = draw_mixture_sample(HIDDEN_TRUTH, items, cases, make_generator(seed, "CH96 5", items, cases, number))
    found = {
        classes: get_score(score_posterior_mode(sample, f"{classes}:2^{items}", EPSILON, number), LAPLACE, 0)
        for classes in range(2, 6)
    }
    values = {classes: value for classes, value in found.items() if value is not None}
    terms = Terms(sample, UNIFORM)
    rival = search_network(sample, UNIFORM)
    places = {name: place for place, name in enumerate(sample.names)}
    without = sum(
        terms(places[variable.name], frozenset(places[parent] for parent in variable.parents))
        for variable in rival.variables
    )
    return values[choose_best(values)], without, choose_best(values)


def measure_reality(setting: Setting) -> Findings:
    """§5: hidden models against networks without hidden variables."""
    shapes = setting.pick(
        ((6, 60),), (SMALL_SHAPE, STANDARD_SHAPE), (SMALL_SHAPE, STANDARD_SHAPE, (18, 800), (12, 3200))
    )
    tasks = [
        (items, cases, number, setting.seed) for items, cases in shapes for number in range(count_data_sets(setting))
    ]
    found = setting.mapped(compare_hidden_model, tasks)
    columns = ("items", "cases", "set", "hidden", "without", "classes")
    return {"reality-check": make_rows(columns, [(*task[:3], *one) for task, one in zip(tasks, found, strict=True)])}


def compare_reality(findings: Findings) -> list[Cell]:
    """§5: hidden models win, and more so when they are larger."""
    cells, gains = [], {}
    for items, some in findings["reality-check"].split("items").items():
        for cases, found in some.split("cases").items():
            gain = gains[items, cases] = compute_paired_difference(found.column("hidden"), found.column("without"))
            text = f"Δm, n = {items}, c = {HIDDEN_TRUTH}, N = {cases}"
            if (items, cases) != STANDARD_SHAPE:
                cells.append(make_measured_cell("CH96 §5", text, gain))
                continue
            cells.append(make_compared_cell("CH96 §5", text, gain, 26, 33 / sqrt(CH96_SETS), direction=gain.low > 0))
            share = compute_mean([classes == HIDDEN_TRUTH for classes in found.column("classes")])
            cells.append(
                make_stated_cell("CH96 §5", "share that has three classes", share, "all", holds=share.low > MOST)
            )
    if len(gains) > 1:
        grows = compute_mean_difference(gains[STANDARD_SHAPE], gains[SMALL_SHAPE])
        text = "Δm with 12 items less Δm with 6"
        cells.append(make_stated_cell("CH96 §5", text, grows, "grows with the size", holds=grows.low > 0))
    return cells


def draw_reality(findings: Findings) -> dict[str, str]:
    """§5: on every data set what the hidden model gains."""
    lines = []
    for items, some in findings["reality-check"].split("items").items():
        for cases, found in some.split("cases").items():
            pairs = zip(found.column("hidden"), found.column("without"), strict=True)
            gains = sorted(hidden - without for hidden, without in pairs)
            points = tuple((float(rank), gain) for rank, gain in enumerate(gains, 1))
            lines.append(Series(f"n = {items}, N = {cases}", points, joined=False))
    x, y = Axis("data set, by its gain", whole=True), Axis("Δm: hidden less not hidden (nats)")
    return {"ch96-reality-check": plot("CH96 §5: gains of hidden models", x, y, lines)}
