"""KZ02 §5 and §6: what the dimension does to the choice of latent class models and latent trees.

The scores are BIC, BIC+, CS and CS+ with BDeu(1). Information divergence is in nats; the paper says bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import log
from typing import NamedTuple

import numpy as np

from algdim.experiments.record import Cell, Mean, Outcome, compared, mean, measured, stated
from algdim.experiments.running import Setting, generator, outcome
from algdim.experiments.sampling import (
    cell_chances,
    dimensions,
    divergence,
    drawn,
    four_scores,
    mapped,
    network,
    random_tables,
)
from algdim.fitting.likelihood import Numbers, Tables
from algdim.fitting.record import Fit
from algdim.fitting.samples import Sample
from algdim.models.network import Network
from algdim.models.notation import to_text
from algdim.plots.svg import Axis, Series, plot
from algdim.selection.hillclimbing import climbed

SCORES = ("BIC", "BIC+", "CS", "CS+")
SIZES = (1000, 3000, 9000, 27000, 81000, 243000)
ITEMS = "2,2,2,2"
TIED = 0.1
"""Nats: scores that are nearer are told apart by what EM did not reach."""

RANDOM, DETERMINISTIC = "random", "deterministic"


class Choice(NamedTuple):
    """What a score chooses on a data set: divergence from the truth, classes; candidates within a tenth of a nat."""

    divergence: float
    classes: float
    ties: int


class Task(NamedTuple):
    """A parametrisation: classes of the truth, how it is made, its number, the sizes of its data sets."""

    classes: int
    variant: str
    number: int
    sizes: tuple[int, ...]
    most: int
    seed: int


def parametrised(classes: int, variant: str, random: np.random.Generator) -> Tables:
    """Random rows; in the deterministic variant the first three items show the class, as its binary digits."""
    model = network(f"{classes}:{ITEMS}")
    tables = random_tables(model, random)
    if variant == DETERMINISTIC:
        owners = mapped(model).owners
        for place, name in enumerate(("X1", "X2", "X3")):
            digits = np.arange(classes) >> place & 1
            tables[owners.index(name)] = np.eye(2)[digits][None]
    return tables


def chosen_classes(task: Task) -> dict[int, dict[str, Choice]]:
    """The choices of all scores on the data sets of one parametrisation."""
    random = generator(task.seed, "KZ02 5", task.variant, task.classes, task.number)
    model = network(f"{task.classes}:{ITEMS}")
    truth = cell_chances(model, parametrised(task.classes, task.variant, random))
    found = {}
    for size in task.sizes:
        sample = drawn(model, truth, size, random)
        tried = {count: four_scores(sample, f"{count}:{ITEMS}", task.number) for count in range(2, task.most + 1)}
        found[size] = {
            name: choice(truth, {count: (one[name], fit) for count, (one, fit) in tried.items()}) for name in SCORES
        }
    return found


def choice(truth: Numbers, values: dict[int, tuple[float, Fit]]) -> Choice:
    """What has the greatest score, and how many are as good but for a tenth of a nat."""
    best = max(values, key=lambda count: values[count][0])
    ties = sum(values[best][0] - value < TIED for value, _ in values.values())
    return Choice(divergence(truth, values[best][1]), float(best), ties)


def latent_classes(setting: Setting) -> Outcome:
    """§5, Figures 4 and 5."""
    sets, most = setting.pick(2, 20, 50), setting.pick(4, 8, 8)
    sizes = setting.pick((1000,), SIZES[:5], SIZES)
    truths = setting.pick((2,), (2, 4, 8), (2, 3, 4, 5, 6, 7, 8))
    kinds = [(classes, RANDOM) for classes in truths] + [(most, DETERMINISTIC)]
    tasks = [
        Task(classes, variant, number, sizes, most, setting.seed)
        for classes, variant in kinds
        for number in range(sets)
    ]
    found = list(zip(tasks, setting.mapped(chosen_classes, tasks), strict=True))
    cells: list[Cell] = []
    figures: dict[str, str] = {}
    for classes, variant in kinds:
        results = [one for task, one in found if task[:2] == (classes, variant)]
        cells += cells_of(classes, variant, sizes, results)
        figures |= drawn_choices(classes, variant, sizes, results)
    return outcome(setting, cells, figures)


def over(results: Sequence[dict[int, dict[str, Choice]]], size: int, name: str, what: str) -> list[float]:
    """One number of the choices of a score at a size."""
    return [float(getattr(one[size][name], what)) for one in results]


def gained(results: Sequence[dict[int, dict[str, Choice]]], size: int, worse: str, better: str, what: str) -> Mean:
    """The mean difference of two scores on the same data."""
    pairs = zip(over(results, size, worse, what), over(results, size, better, what), strict=True)
    return mean([one - other for one, other in pairs])


def cells_of(
    classes: int, variant: str, sizes: Sequence[int], results: Sequence[dict[int, dict[str, Choice]]]
) -> list[Cell]:
    """What §5 says of one kind of data."""
    where = "KZ02 Figure 5" if variant == DETERMINISTIC else "KZ02 Figure 4" if classes > 4 else "KZ02 §5"
    data = f"{variant} {classes}:{ITEMS}"
    cells = []
    for size in sizes:
        for plain in ("BIC", "CS"):
            gain = gained(results, size, plain, plain + "+", "divergence")
            text = f"divergence of {plain} less that of {plain}+, {data}, N = {size}"
            if classes > 4:
                large = size >= (9000 if variant == DETERMINISTIC else 27000)
                holds = gain.low > 0 if large else True
                words = "the plus score is nearer" if large else ""
                cells.append(stated(where, text, gain, words, holds=holds) if words else measured(where, text, gain))
            else:
                cells.append(
                    stated(where, text, gain, "similar", holds=gain.low <= 0 <= gain.high or abs(gain.value) < 2e-4)
                )
        more = gained(results, size, "BIC+", "CS+", "classes")
        text = f"states chosen by BIC+ less those by CS+, {data}, N = {size}"
        if classes > 2:
            cells.append(stated(where, text, more, "BIC+ has more", holds=more.low > 0))
        ties = mean(over(results, size, "BIC+", "ties"))
        text = f"candidates within .1 nats of the best BIC+, {data}, N = {size}"
        cells.append(
            stated(where, text, ties, "ties, broken at random", holds=ties.low > 1)
            if classes > 2
            else measured(where, text, ties)
        )
    return cells


def drawn_choices(
    classes: int, variant: str, sizes: Sequence[int], results: Sequence[dict[int, dict[str, Choice]]]
) -> dict[str, str]:
    """Divergence and number of states against the size, a line for each score."""
    if len(sizes) < 2:
        return {}
    x, figures = Axis("cases", logarithmic=True), {}
    for what, axis in (
        ("divergence", Axis("divergence (nats)", logarithmic=True)),
        ("classes", Axis("states of the hidden variable")),
    ):
        lines = [
            Series(name, tuple((float(size), mean(over(results, size, name, what)).value) for size in sizes))
            for name in SCORES
        ]
        title = f"KZ02 §5: {variant} {classes}:{ITEMS}"
        figures[f"kz02-{variant}-{classes}-{what}"] = plot(title, x, axis, lines)
    return figures


TREE = "5(2,3(2,2),3(2,2))"
TABLE_2 = {
    1000: ((6.1, 0.6), (7.5, 0.8), (6.0, 0.6), (6.4, 0.6)),
    3000: ((2.2, 0.3), (2.5, 0.3), (2.4, 0.3), (2.4, 0.3)),
    9000: ((0.78, 0.1), (0.79, 0.09), (0.76, 0.1), (0.69, 0.07)),
    27000: ((0.49, 0.08), (0.33, 0.05), (0.5, 0.09), (0.38, 0.06)),
    81000: ((0.22, 0.04), (0.16, 0.03), (0.22, 0.03), (0.17, 0.03)),
    243000: ((0.15, 0.04), (0.1, 0.03), (0.15, 0.03), (0.12, 0.03)),
}
"""Thousandths, as printed, with what stands behind ±, taken for standard errors: the columns are the scores in order."""


class Climb(NamedTuple):
    """Where hill-climbing by a score ends: divergence, the model, its number of parameters."""

    divergence: float
    model: str
    standard: int


def climbed_trees(task: tuple[int, tuple[int, ...], int]) -> dict[int, dict[str, Climb]]:
    """§6 on the data sets of one parametrisation: hill-climbing by each score."""
    number, sizes, seed = task
    random = generator(seed, "KZ02 6", number)
    model = network(TREE)
    truth = cell_chances(model, random_tables(model, random))
    found = {}
    for size in sizes:
        sample = drawn(model, truth, size, random)
        known: dict[Network, tuple[dict[str, float], Fit]] = {}
        found[size] = {name: ended(truth, name, partial(assessed, known, sample, number)) for name in SCORES}
    return found


Assessed = tuple[dict[str, float], Fit]


def assessed(known: dict[Network, Assessed], sample: Sample, seed: int, candidate: Network) -> Assessed:
    """The scores of a candidate, each fitted once."""
    if candidate not in known:
        known[candidate] = four_scores(sample, to_text(candidate), seed)
    return known[candidate]


def ended(truth: Numbers, name: str, assess: partial[Assessed]) -> Climb:
    """Where hill-climbing by one score ends."""
    last = max(climbed(network(TREE), assess, partial(greatest, name)), key=lambda one: one[0][name])
    return Climb(divergence(truth, last[1]), to_text(last[1].model), dimensions(to_text(last[1].model))[0])


def greatest(name: str, some: Sequence[Assessed]) -> Assessed:
    """The first of those with the greatest score."""
    return max(some, key=lambda one: one[0][name])


def latent_trees(setting: Setting) -> Outcome:
    """§6, Table 2 and the rate of recovery."""
    sets = setting.pick(2, 20, 50)
    sizes = setting.pick((1000,), SIZES, SIZES)
    results = setting.mapped(climbed_trees, [(number, sizes, setting.seed) for number in range(sets)])
    cells = []
    for size in sizes:
        row = dict(zip(SCORES, TABLE_2[size], strict=True))
        for plain in ("BIC", "CS"):
            plus = f"{plain}+"
            gain = mean([1000 * (one[size][plain].divergence - one[size][plus].divergence) for one in results])
            same = gain.has_sign_of(row[plain][0] - row[plus][0])
            for name in (plain, plus):
                nats = mean([1000 * one[size][name].divergence for one in results])
                bits = Mean(nats.value / log(2), nats.error / log(2), sets)
                text, note = f"thousandths of a bit, {name}, N = {size}", f"in nats {nats.value:.3g} ± {nats.error:.2g}"
                cells.append(compared("KZ02 Table 2", text, bits, *row[name], direction=same, note=note))
            text = f"thousandths of a nat by which {plus} is nearer than {plain}, N = {size}"
            if size >= 27000:
                cells.append(stated("KZ02 §6", text, gain, "nearer for larger samples", holds=gain.low > 0))
            else:
                cells.append(measured("KZ02 §6", text, gain))
        for name in SCORES:
            right = mean([float(one[size][name].model == TREE) for one in results])
            text = f"share of recovered models, {name}, N = {size}"
            cells.append(stated("KZ02 §6", text, right, "0", holds=right.value == 0))
    cells.append(units(results, sizes))
    return outcome(setting, cells, drawn_trees(results, sizes))


def units(results: Sequence[dict[int, dict[str, Climb]]], sizes: Sequence[int]) -> Cell:
    """How far the logarithm of the printed numbers is from ours, taken for bits less taken for nats."""
    apart = []
    for size in sizes:
        for name, (printed, _) in zip(SCORES, TABLE_2[size], strict=True):
            ours = float(np.mean([1000 * one[size][name].divergence for one in results]))
            apart.append(abs(log(ours / log(2) / printed)) - abs(log(ours / printed)))
    nearer = mean(apart)
    text = "factor by which Table 2 is farther from our bits than from our nats (logarithm)"
    return measured("KZ02 Table 2", text, nearer, "the paper says bits")


def drawn_trees(results: Sequence[dict[int, dict[str, Climb]]], sizes: Sequence[int]) -> dict[str, str]:
    """Table 2 as lines."""
    if len(sizes) < 2:
        return {}
    lines = [
        Series(
            name, tuple((float(size), mean([one[size][name].divergence for one in results]).value) for size in sizes)
        )
        for name in SCORES
    ]
    x, y = Axis("cases", logarithmic=True), Axis("divergence (nats)", logarithmic=True)
    return {"kz02-trees": plot(f"KZ02 Table 2: {TREE}", x, y, lines)}
