"""CH96: five scores of latent class models with binary items, beside Laplace's approximation and what is exact.

Every data set comes from a model of its own with uniform rows. All scores are at the mode under Dirichlet(1 + ε), reached as
in §3. The dimension is the number of parameters in all of these models.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite, sqrt
from time import perf_counter
from typing import NamedTuple

from algdim.errors import InputError
from algdim.experiments.annealing import log_marginals
from algdim.experiments.record import Cell, Mean, Outcome, compared, mean, measured, stated
from algdim.experiments.running import Setting, generator, outcome
from algdim.experiments.sampling import UNIFORM, Scored, mapped, mixture_sample, network, scored_by_mode
from algdim.plots.svg import Axis, Series, plot
from algdim.scores.dirichlet import priors_of
from algdim.scores.enumeration import log_marginal
from algdim.scores.singular import latent_class_coefficients, sbic
from algdim.scores.twoclasses import two_class_log_marginal
from algdim.selection.greedynetworks import Terms, greedy_network

EPSILON = 0.01
LAPLACE = "Laplace"
OTHERS = ("CS", "MLED", "Draper", "BIC")
Curves = dict[str, dict[int, float]]
"""Score → classes → value."""


class Row(NamedTuple):
    """One experiment of Table 1: items, classes, cases; means and standard deviations of Δc as printed, in the order above."""

    items: int
    classes: int
    cases: int
    printed: tuple[tuple[float, float], ...]

    @property
    def text(self) -> str:
        """How a row is named."""
        return f"n = {self.items}, c = {self.classes}, N = {self.cases}"


ROWS = (
    Row(8, 4, 400, ((0, 0), (0.4, 1.5), (0, 0), (-0.2, 0.4))),
    Row(16, 4, 400, ((0.2, 0.4), (-0.2, 0.8), (0.2, 0.4), (-0.8, 0.4))),
    Row(32, 4, 400, ((0, 0), (0, 0), (0, 0), (-0.4, 0.5))),
    Row(64, 4, 400, ((0, 0), (0, 0), (0, 0), (-0.2, 0.4))),
    Row(64, 32, 400, ((16.2, 1.5), (16.2, 1.5), (-2.2, 2.0), (-6.0, 2.7))),
    Row(64, 16, 400, ((5.0, 6.4), (5.0, 6.4), (-1.6, 1.1), (-3.0, 1.4))),
    Row(64, 8, 400, ((0.8, 0.8), (0.8, 0.8), (0, 0), (-1.0, 1.0))),
    Row(32, 4, 100, ((0.6, 0.9), (0.6, 0.9), (0, 0), (-0.6, 0.5))),
    Row(32, 4, 200, ((0.2, 0.4), (0.2, 0.4), (0, 0), (-0.6, 0.5))),
    Row(32, 4, 800, ((0, 0), (0, 0), (0, 0), (0, 0))),
)
"""Two of the printed rows stand twice."""

PRINTED_SETS = 5


def candidates(row: Row, *, every: bool) -> list[int]:
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


class Result(NamedTuple):
    """The scores of all candidates, and the seconds of each (EM and every score) by classes."""

    curves: Curves
    seconds: dict[int, dict[str, float]]


def scored_curves(task: Task) -> Result:
    """All five scores of all candidates on one data set."""
    random = generator(task.seed, "CH96", task.items, task.classes, task.cases, task.number)
    sample = mixture_sample(task.classes, task.items, task.cases, random)
    curves: Curves = {name: {} for name in (LAPLACE, *OTHERS)}
    seconds: dict[int, dict[str, float]] = {}
    for classes in task.tried:
        begun = perf_counter()
        at = scored_by_mode(sample, f"{classes}:2^{task.items}", task.epsilon, task.number)
        standard = classes * (task.items + 1) - 1
        seconds[classes] = {"EM": perf_counter() - begun}
        for name in curves:
            begun = perf_counter()
            curves[name][classes] = value_of(at, name, standard)
            seconds[classes][name] = perf_counter() - begun
    return Result(curves, seconds)


def value_of(at: Scored, name: str, standard: int) -> float:
    """One score at a mode; Laplace's has none where the mode is no maximum."""
    if name == LAPLACE:
        try:
            return at.laplace()
        except InputError:
            return float("-inf")
    if name in ("CS", "MLED"):
        return at.cs() if name == "CS" else at.mled()
    return at.draper(standard) if name == "Draper" else at.bic(standard)


def best(curve: dict[int, float]) -> int:
    """The number of classes with the greatest score."""
    return max(curve, key=lambda classes: curve[classes])


def sets_of(setting: Setting) -> int:
    """How many data sets each experiment has."""
    return setting.pick(2, 20, 50)


FIGURES = {
    1: tuple(row for row in ROWS if row.classes == 4 and row.cases == 400),
    2: tuple(row for row in ROWS if row.items == 64),
    3: tuple(sorted((row for row in ROWS if row.items == 32), key=lambda row: row.cases)),
}
"""§4's three sets of experiments: n grows, c falls, N grows. Two of them share a row, as in Table 1."""

GROWING = {1: "n grows", 2: "c falls", 3: "N grows"}


def figure(number: int, setting: Setting) -> Outcome:
    """One set of experiments: Δc against Laplace and against the truth, and the curves of the first data sets."""
    rows = setting.pick((ROWS[0]._replace(cases=60),), FIGURES[number], FIGURES[number])
    sets, every = sets_of(setting), setting.size == "full"
    tasks = [
        Task(row.items, row.classes, row.cases, one, tuple(candidates(row, every=every)), EPSILON, setting.seed)
        for row in rows
        for one in range(sets)
    ]
    # the long ones first, so that no worker is left with one of them
    tasks.sort(key=lambda task: -task.items * sum(task.tried))
    found = dict(zip(tasks, setting.mapped(scored_curves, tasks), strict=True))
    results = {row: [found[task] for task in tasks if row[:3] == task[:3]] for row in rows}
    cells = [cell for row in rows for cell in row_cells(row, [result.curves for result in results[row]])]
    figures = {
        f"ch96-n{row.items}-c{row.classes}-N{row.cases}": drawn_curves(row, results[row][0].curves) for row in rows
    }
    return outcome(setting, [*cells, *shape_cells(number, results), *time_cells(results)], figures)


def row_cells(row: Row, curves: Sequence[Curves]) -> list[Cell]:
    """Δc of each score against Laplace as printed, and against the truth."""
    cells = []
    for name, (printed, deviation) in zip(OTHERS, row.printed, strict=True):
        found = mean([float(best(one[name]) - best(one[LAPLACE])) for one in curves])
        same = abs(found.value) < 0.5 if abs(printed) < 0.5 else found.has_sign_of(printed)
        error = deviation / sqrt(PRINTED_SETS)
        cells.append(compared("CH96 Table 1", f"Δc of {name}, {row.text}", found, printed, error, direction=same))
    without = mean(
        [sum(value == float("-inf") for value in one[LAPLACE].values()) / len(one[LAPLACE]) for one in curves]
    )
    if without.value:
        text = f"share of candidates whose mode is no maximum, so that Laplace has no value, {row.text}"
        cells.append(measured("beside Table 1", text, without))
    for name in (LAPLACE, *OTHERS):
        found = mean([float(best(one[name]) - row.classes) for one in curves])
        cells.append(measured("beside Table 1", f"classes chosen by {name} − {row.classes}, {row.text}", found))
    return cells


def shape_cells(number: int, results: dict[Row, list[Result]]) -> list[Cell]:
    """What §4 says of the curves: who is near Laplace in shape, how peaked they are, and the second peak."""
    cells = []
    errors = {name: [shape_error(one.curves, name) for many in results.values() for one in many] for name in OTHERS}
    for name in ("CS", "Draper"):
        gained = mean([bad - good for bad, good in zip(errors["BIC"], errors[name], strict=True)])
        text = f"nats per candidate by which the curve of BIC is farther from that of Laplace than {name}'s"
        cells.append(stated(f"CH96 Figure {number}", text, gained, "CS and Draper are better", holds=gained.low > 0))
    if len(results) > 1:
        order = sorted(results, key=lambda row: -row.classes) if number == 2 else list(results)
        peaks = [
            mean(list(filter(isfinite, (peak(one.curves[LAPLACE], row.classes) for one in results[row]))))
            for row in order
        ]
        rises = all(one.value < other.value for one, other in pairwise(peaks))
        values = ", ".join(f"{one.value:.3g}" for one in peaks)
        text = f"height of Laplace's peak over its neighbours as {GROWING[number]}: {values}"
        cells.append(stated(f"CH96 §4, Figure {number}", text, peaks[-1], "rises", holds=rises))
    for row, many in results.items():
        if row.classes == 32:
            two = mean([float(has_two_peaks(one.curves["CS"], row.classes)) for one in many])
            cells.append(
                stated(
                    "CH96 §4",
                    f"share of data sets in which CS has two peaks, {row.text}",
                    two,
                    "all",
                    holds=two.low > 0.5,
                )
            )
    return cells


def shape_error(curves: Curves, name: str) -> float:
    """The mean distance of a curve from Laplace's, the difference of their means taken off."""
    reference = {classes: value for classes, value in curves[LAPLACE].items() if value > float("-inf")}
    apart = [curves[name][classes] - value for classes, value in reference.items()]
    middle = sum(apart) / len(apart)
    return sum(abs(value - middle) for value in apart) / len(apart)


def peak(curve: dict[int, float], classes: int) -> float:
    """How far the truth is above its neighbours, per class."""
    below = max((number for number in curve if number < classes), default=classes)
    above = min((number for number in curve if number > classes), default=classes)
    around = [
        (curve[classes] - curve[number]) / abs(classes - number) for number in (below, above) if number != classes
    ]
    return sum(around) / len(around)


def has_two_peaks(curve: dict[int, float], classes: int) -> bool:
    """Whether the truth is a peak, and something below is higher than the valley before it."""
    tried = sorted(curve)
    here = tried.index(classes)
    is_peak = curve[classes] > max(curve[tried[here - 1]], curve[tried[here + 1]])
    return is_peak and max(curve[number] for number in tried[: here - 1]) > curve[tried[here - 1]]


def time_cells(results: dict[Row, list[Result]]) -> list[Cell]:
    """Table 2: what Laplace's approximation costs beside EM."""
    cells = []
    for row, many in results.items():
        if row.classes == 32:
            ratios = [each[LAPLACE] / each["EM"] for one in many for each in one.seconds.values()]
            text = "seconds of Laplace's approximation for one of EM"
            cells.append(stated("CH96 Table 2", text, mean(ratios), "5.2 … 7.7", holds=mean(ratios).low > 1))
            for name in ("EM", *OTHERS):
                seconds = [each[name] for one in many for classes, each in one.seconds.items() if classes == 32]
                cells.append(measured("CH96 Table 2", f"seconds of {name}, d = 2079", mean(seconds)))
    return cells


def drawn_curves(row: Row, curves: Curves) -> str:
    """The five curves of one data set, each with its greatest value at 0."""
    lines = []
    for name, curve in curves.items():
        finite = {classes: value for classes, value in curve.items() if value > float("-inf")}
        top = max(finite.values(), default=0.0)
        lines.append(Series(name, tuple((float(classes), value - top) for classes, value in finite.items())))
    return plot(f"CH96 §4: {row.text}", Axis("classes"), Axis("score less its greatest value"), lines)


def insensitivity(setting: Setting) -> Outcome:
    """§3: the conclusions are not sensitive to ε between .1 and .001."""
    items, classes, cases = setting.pick((6, 2, 60), (16, 4, 400), (32, 4, 400))
    epsilons = (0.1, 0.01, 0.001)
    tried = tuple(range(2, 5) if setting.size == "tiny" else range(2, 9))
    tasks = [
        Task(items, classes, cases, number, tried, epsilon, setting.seed)
        for epsilon in epsilons
        for number in range(sets_of(setting))
    ]
    found = list(zip(tasks, setting.mapped(scored_curves, tasks), strict=True))
    cells = []
    for name in (LAPLACE, *OTHERS):
        chosen = {
            epsilon: [best(one.curves[name]) for task, one in found if task.epsilon == epsilon] for epsilon in epsilons
        }
        for epsilon in (0.1, 0.001):
            moved = mean([float(a - b) for a, b in zip(chosen[epsilon], chosen[EPSILON], strict=True)])
            text = f"classes chosen by {name} with ε = {epsilon:g} less those with ε = .01"
            small = abs(moved.value) < 0.5
            cells.append(stated("CH96 §3", text, moved, "not sensitive", holds=small))
    return outcome(setting, cells)


def hidden_or_not(task: tuple[int, int, int, int]) -> tuple[float, int]:
    """§5 on one data set: what the best hidden model gains over the network that a greedy search finds, and its classes."""
    items, cases, number, seed = task
    sample = mixture_sample(3, items, cases, generator(seed, "CH96 5", items, cases, number))
    values = {
        classes: value_of(scored_by_mode(sample, f"{classes}:2^{items}", EPSILON, number), LAPLACE, 0)
        for classes in range(2, 6)
    }
    terms = Terms(sample, UNIFORM)
    rival = greedy_network(sample, UNIFORM)
    places = {name: place for place, name in enumerate(sample.names)}
    without = sum(
        terms(places[variable.name], frozenset(places[parent] for parent in variable.parents))
        for variable in rival.variables
    )
    return max(values.values()) - without, best(values)


def reality_check(setting: Setting) -> Outcome:
    """§5: hidden models beat networks without hidden variables, and more so when they are larger."""
    shapes = setting.pick(((6, 60),), ((6, 800), (12, 800)), ((6, 800), (12, 800), (18, 800), (12, 3200)))
    tasks = [(items, cases, number, setting.seed) for items, cases in shapes for number in range(sets_of(setting))]
    found = list(zip(tasks, setting.mapped(hidden_or_not, tasks), strict=True))
    by_shape = {shape: [one for task, one in found if task[:2] == shape] for shape in shapes}
    cells = []
    for (items, cases), results in by_shape.items():
        gain = mean([one[0] for one in results])
        text = f"Δm, n = {items}, c = 3, N = {cases}"
        if (items, cases) == (12, 800):
            cells.append(compared("CH96 §5", text, gain, 26, 33 / sqrt(PRINTED_SETS), direction=gain.low > 0))
            share = mean([float(one[1] == 3) for one in results])
            cells.append(stated("CH96 §5", "share that has three classes", share, "all", holds=share.low > 0.5))
        else:
            cells.append(measured("CH96 §5", text, gain))
    if len(shapes) > 1:
        less, more = (mean([one[0] for one in by_shape[shape]]) for shape in shapes[:2])
        grows = Mean(more.value - less.value, sqrt(more.error**2 + less.error**2), more.sets)
        cells.append(
            stated("CH96 §5", "Δm with 12 items less Δm with 6", grows, "grows with the size", holds=grows.low > 0)
        )
    return outcome(setting, cells)


GOLD = (2, 6, 200)
"""Classes, items and cases of the comparison with log p(D) itself."""


def beside_the_exact(task: tuple[int, tuple[int, ...], int]) -> dict[str, dict[int, float]]:
    """All scores and log p(D) by sequential Monte Carlo, by the number of classes, on one data set."""
    number, tried, seed = task
    classes, items, cases = GOLD
    random = generator(seed, "CH96 gold", number)
    sample = mixture_sample(classes, items, cases, random)
    found: Curves = {name: {} for name in ("log p(D)", LAPLACE, *OTHERS)}
    logliks = []
    for count in tried:
        at = scored_by_mode(sample, f"{count}:2^{items}", EPSILON, number)
        logliks.append(at.fit.loglik)
        found["log p(D)"][count] = log_marginals(sample, count, 1 + EPSILON, random)[-1]
        for name in (LAPLACE, *OTHERS):
            found[name][count] = value_of(at, name, count * (items + 1) - 1)
    coefficients = latent_class_coefficients([count * (items + 1) - 1 for count in tried], items)
    found["sBIC"] = dict(zip(tried, sbic(logliks, coefficients, cases), strict=True))
    return found


def validated(task: tuple[int, int]) -> tuple[float, float]:
    """What the sampler misses on a small data set: two classes of three items, and three classes of a dozen cases."""
    number, seed = task
    random = generator(seed, "validation", number)
    sample = mixture_sample(2, 3, 60, random)
    first = log_marginals(sample, 2, 1.0, random, particles=1000)[-1] - two_class_log_marginal(sample)
    sample = mixture_sample(3, 3, 8, random)
    exact = log_marginal(priors_of(mapped(network("3:2^3")), UNIFORM), sample)
    return first, log_marginals(sample, 3, 1.0, random, particles=1000)[-1] - exact


def gold_standard(setting: Setting) -> Outcome:
    """Whether Laplace's approximation is a gold standard for more classes than the truth."""
    tried = setting.pick((1, 2, 3), tuple(range(1, 7)), tuple(range(1, 9)))
    numbers = range(sets_of(setting))
    checks = setting.mapped(validated, [(number, setting.seed) for number in numbers])
    found = setting.mapped(beside_the_exact, [(number, tried, setting.seed) for number in numbers])
    cells = [
        measured(
            "validation", f"sequential Monte Carlo less the exact log p(D), {what}", mean([one[k] for one in checks])
        )
        for k, what in enumerate(("2:2^3 and 60 cases", "3:2^3 and 8 cases"))
    ]
    truth, more = GOLD[0], tried[-1] - GOLD[0]
    for name in found[0]:
        falls = mean([(one[name][truth] - one[name][tried[-1]]) / more for one in found])
        text = f"nats by which {name} falls per class beyond {truth}"
        if name == LAPLACE:
            exact = mean([(one["log p(D)"][truth] - one["log p(D)"][tried[-1]]) / more for one in found])
            close = falls.value - exact.value < 1
            note = "Laplace's approximation is no gold standard there"
            cells.append(
                stated("CH96 §3", text, falls, "assumed to be log p(D)", holds=close, note="" if close else note)
            )
        else:
            cells.append(measured("CH96 §3", text, falls))
    for name in (LAPLACE, *OTHERS, "sBIC"):
        chosen = mean([float(best(one[name]) - best(one["log p(D)"])) for one in found])
        cells.append(measured("CH96 §3", f"classes chosen by {name} less those by log p(D)", chosen))
    lines = [
        Series(
            name,
            tuple(
                (float(count), mean([one[name][count] - one[name][truth] for one in found]).value) for count in tried
            ),
        )
        for name in found[0]
    ]
    title = f"Scores beside log p(D): {truth} classes, {GOLD[1]} items, N = {GOLD[2]}"
    figure = plot(title, Axis("classes"), Axis(f"less the value at {truth} classes"), lines)
    return outcome(setting, cells, {"ch96-gold-standard": figure})
