"""KZ02 §5 and §6: what the dimension does to the choice of latent class models and latent trees.

The scores are BIC, BIC+, CS and CS+ with BDeu(1). Information divergence is in nats; the paper says bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from math import exp, log, sqrt
from typing import NamedTuple, TypeVar

import numpy as np

from algdim.families.discrete.model import Network
from algdim.fitting.likelihood import Numbers, Tables
from algdim.fitting.samples import Sample
from algdim.models.notation import to_text
from algdim.plots.svg import Axis, plot
from algdim.selection.searches import search_state_numbers
from algdim_papers.experiments.record import (
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
    compute_cell_chances,
    compute_divergence,
    compute_four_scores,
    draw_sample,
    draw_tables,
    make_map,
    parse_network,
    score_maxima,
    score_maximum,
)
from algdim_papers.experiments.thresholds import ALIKE, LARGE, TIED
from algdim_papers.printed import KZ02_SCORES, KZ02_TABLE_2

T = TypeVar("T")

SCORES = KZ02_SCORES
PAIRS = (("BIC", "BIC+"), ("CS", "CS+"))
SIZES = (1000, 3000, 9000, 27000, 81000, 243000)
ITEMS = "2,2,2,2"

TRUTHS = (2, 3, 4, 5, 6, 7, 8)

RANDOM, DETERMINISTIC = "random", "deterministic"
RESTRICTED = 4
"""Classes up to which all candidates beyond the truth have the same likelihood, and the scores are similar (§5)."""


def choose_preferred(random: np.random.Generator, value: Callable[[T], float], some: Sequence[T]) -> T:
    """One with the greatest value; of those that are as good but for a tenth of a nat, one at random (§5)."""
    tied = find_ties(value, some)
    return tied[int(random.integers(len(tied)))]


def find_ties(value: Callable[[T], float], some: Sequence[T]) -> list[T]:
    """Those with the greatest value but for a tenth of a nat."""
    best = max(map(value, some))
    return [one for one in some if best - value(one) < TIED]


class Choice(NamedTuple):
    """What a score chooses on a data set: divergence from the truth, classes; how many candidates are as good."""

    divergence: float
    classes: int
    ties: int


class Task(NamedTuple):
    """A parametrisation: how it is made, classes of the truth, its number, the sizes of its data sets."""

    variant: str
    classes: int
    number: int
    sizes: tuple[int, ...]
    most: int
    seed: int


def draw_parameters(classes: int, variant: str, random: np.random.Generator) -> Tables:
    """Random rows; in the deterministic variant the first three items show the class, as its binary digits."""
    model = parse_network(f"{classes}:{ITEMS}")
    tables = draw_tables(model, random)
    if variant == DETERMINISTIC:
        owners = make_map(model).owners
        for place, name in enumerate(("X1", "X2", "X3")):
            digits = np.arange(classes) >> place & 1
            tables[owners.index(name)] = np.eye(2)[digits][None]
    return tables


def fit_classes(task: Task) -> list[tuple[int, int, float, float, float]]:
    """Cases, classes, greatest log-likelihood, CS and divergence of every candidate, on the data sets of a parametrisation."""
    random = make_generator(task.seed, "KZ02 5", task.variant, task.classes, task.number)
    model = parse_network(f"{task.classes}:{ITEMS}")
    truth = compute_cell_chances(model, draw_parameters(task.classes, task.variant, random))
    stack = np.array([random.multinomial(size, truth.ravel() / truth.sum()) for size in task.sizes], dtype=np.float64)
    found = {}
    for tried in range(2, task.most + 1):
        at = score_maxima(stack, f"{tried}:{ITEMS}", [task.number] * len(stack))
        scores = zip(at.fits.logliks.tolist(), at.cs().tolist(), strict=True)
        for number, (size, one) in enumerate(zip(task.sizes, scores, strict=True)):
            found[size, tried] = (*one, at.divergence(truth, number))
    return [(size, tried, *found[size, tried]) for size in task.sizes for tried in range(2, task.most + 1)]


def measure_classes(setting: Setting) -> Findings:
    """§5: every candidate on every data set."""
    sets, most = setting.pick(2, 20, 50), setting.pick(4, 8, 8)
    sizes = setting.pick((1000,), SIZES[:5], SIZES)
    truths = setting.pick((2,), TRUTHS, TRUTHS)
    kinds = [(RANDOM, classes) for classes in truths] + [(DETERMINISTIC, most)]
    tasks = [Task(*kind, number, sizes, most, setting.seed) for kind in kinds for number in range(sets)]
    found = setting.mapped(fit_classes, tasks)
    entries = [(*task[:3], *one) for task, many in zip(tasks, found, strict=True) for one in many]
    columns = ("variant", "classes", "set", "cases", "tried", "loglik", "CS", "divergence")
    return {"latent-classes": make_rows(columns, entries)}


Choices = dict[int, dict[str, list[Choice]]]
"""Cases → score → what it chooses on each data set."""


def group_by_kind(findings: Findings) -> dict[tuple[str, int], Choices]:
    """The choices of all scores, by the kind of data and their size."""
    return {
        (variant, classes): {
            size: {name: [make_choice(name, one) for one in found.split("set").values()] for name in SCORES}
            for size, found in part.split("cases").items()
        }
        for variant, some in findings["latent-classes"].split("variant").items()
        for classes, part in some.split("classes").items()
    }


def make_choice(name: str, one: Rows) -> Choice:
    """What a score chooses on one data set."""
    columns = (one.column(column) for column in ("tried", "divergence", "loglik", "CS", "cases"))
    candidates = [
        (compute_four_scores(loglik, completed, f"{tried}:{ITEMS}", size)[name], tried, apart)
        for tried, apart, loglik, completed, size in zip(*columns, strict=True)
    ]
    random = make_generator(
        0, "KZ02 5 ties", name, *(one.column(key)[0] for key in ("variant", "classes", "set", "cases"))
    )
    _, classes, apart = choose_preferred(random, lambda each: each[0], candidates)
    return Choice(apart, classes, len(find_ties(lambda each: each[0], candidates)))


def compare_classes(findings: Findings) -> list[Cell]:
    """What §5 and Figures 4 and 5 say of each kind of data."""
    cells = []
    for (variant, classes), choices in group_by_kind(findings).items():
        place = "KZ02 Figure 5" if variant == DETERMINISTIC else "KZ02 Figure 4" if classes > RESTRICTED else "KZ02 §5"
        for size, of in choices.items():
            data = f"{variant} {classes}:{ITEMS}, N = {size}"
            for plain, plus in PAIRS:
                text = f"divergence of {plain} less that of {plus}, {data}"
                gain = compute_mean_gain(of, plain, plus, "divergence")
                cells.append(make_divergence_cell(place, text, gain, classes, large=size >= LARGE[variant]))
            if classes > RESTRICTED:
                apart = compute_mean_gain(of, "BIC+", "CS+", "divergence")
                text, holds = f"divergence of BIC+ less that of CS+, {data}", apart.low <= 0 <= apart.high
                cells.append(make_stated_cell(place, text, apart, "not significant", holds=holds))
            cells += make_states_cells(place, data, of, classes)
        if variant == DETERMINISTIC:
            cells += make_half_cells(place, f"{variant} {classes}:{ITEMS}", choices)
    return cells


def make_half_cells(place: str, data: str, choices: Choices) -> list[Cell]:
    """The plus scores reach the same fit with half the data: how many times as many cases the other score needs for the same mean divergence.

    Its mean divergence is interpolated between the sizes, on logarithmic scales; the error is that of leaving out one data set.
    """
    cells = []
    for plain, plus in PAIRS:
        for size in choices:
            whole = compute_data_factor(choices, plain, plus, size, None)
            sets = len(choices[size][plus])
            parts = [compute_data_factor(choices, plain, plus, size, left_out) for left_out in range(sets)]
            known = [part for part in parts if part is not None]
            if whole is None or len(known) < sets:
                continue
            middle = sum(known) / sets
            error = sqrt((sets - 1) / sets * sum((part - middle) ** 2 for part in known))
            text = f"times as many cases that {plain} needs for the fit of {plus}, {data}, N = {size}"
            found = Mean(whole, error, sets)
            cells.append(make_compared_cell(place, text, found, 2, 0, direction=found.low > 1))
    return cells


def compute_data_factor(choices: Choices, plain: str, plus: str, size: int, left_out: int | None) -> float | None:
    """Where the mean divergence of one score comes down to that of the other at a size, over this size; None beyond the sizes."""

    def compute_height(name: str, cases: int) -> float:
        return log(
            float(np.mean([one.divergence for place, one in enumerate(choices[cases][name]) if place != left_out]))
        )

    target = compute_height(plus, size)
    curve = [(log(cases), compute_height(plain, cases)) for cases in choices]
    for (x, high), (z, low) in pairwise(curve):
        if low <= target <= high and high > low:
            return exp(x + (z - x) * (high - target) / (high - low)) / size
    return None


def compute_mean_gain(of: dict[str, list[Choice]], worse: str, better: str, what: str) -> Mean:
    """The mean difference of two scores on the same data."""
    return compute_mean([getattr(a, what) - getattr(b, what) for a, b in zip(of[worse], of[better], strict=True)])


def make_divergence_cell(place: str, text: str, gain: Mean, classes: int, *, large: bool) -> Cell:
    """With few classes the scores are similar; with many the plus score is nearer on large samples."""
    if classes <= RESTRICTED:
        similar = gain.low <= 0 <= gain.high or abs(gain.value) < ALIKE
        return make_stated_cell(place, text, gain, "similar", holds=similar)
    return (
        make_stated_cell(place, text, gain, "the plus score is nearer", holds=gain.low > 0)
        if large
        else make_measured_cell(place, text, gain)
    )


def make_states_cells(place: str, data: str, of: dict[str, list[Choice]], classes: int) -> list[Cell]:
    """BIC+ cannot tell candidates of equal dimension and likelihood apart, and has more states for it."""
    tied = compute_mean([one.ties for one in of["BIC+"]])
    text = f"candidates within {TIED:g} nats of the best BIC+, {data}"
    if classes == 2:
        return [make_measured_cell(place, text, tied)]
    more = compute_mean_gain(of, "BIC+", "CS+", "classes")
    return [
        make_stated_cell(
            place, f"states chosen by BIC+ less those by CS+, {data}", more, "BIC+ has more", holds=more.low > 0
        ),
        make_stated_cell(place, text, tied, "ties, broken at random", holds=tied.low > 1),
    ]


def draw_classes(findings: Findings) -> dict[str, str]:
    """Divergence and number of states against the size, a line for each score."""
    axes = {
        "divergence": Axis("divergence from the truth (nats)", logarithmic=True),
        "classes": Axis("states of the hidden variable"),
    }
    figures = {}
    for (variant, classes), choices in group_by_kind(findings).items():
        for what, axis in axes.items():
            lines = [
                make_series(
                    name, {size: compute_mean([getattr(one, what) for one in of[name]]) for size, of in choices.items()}
                )
                for name in SCORES
            ]
            sets = len(next(iter(choices.values()))["BIC"])
            title = f"KZ02 §5: {variant} {classes}:{ITEMS}"
            x = Axis("cases", logarithmic=True)
            figures[f"kz02-{variant}-{classes}-{what}"] = plot(title, x, axis, lines, describe_error_bars(sets))
    return figures


TREE = "5(2,3(2,2),3(2,2))"
SMALL_TREES = ("2(2,2(2,2),2(2,2))", "2(2,3(2,2),2(2,2))", "2(2,2(2,2),3(2,2))")
"""The models that BIC+ learned most often at the smallest size, in print."""


class Assessed(NamedTuple):
    """A tree: its scores, its notation, its divergence from the truth."""

    scores: dict[str, float]
    model: str
    divergence: float


def search_trees(task: tuple[int, tuple[int, ...], int]) -> list[tuple[int, str, str, float]]:
    """§6 on the data sets of one parametrisation: where hill-climbing by each score ends (cases, score, model, divergence)."""
    number, sizes, seed = task
    random = make_generator(seed, "KZ02 6", number)
    model = parse_network(TREE)
    truth = compute_cell_chances(model, draw_tables(model, random))
    found = []
    for size in sizes:
        sample = draw_sample(model, truth, size, random)
        known: dict[Network, Assessed] = {}
        assess = partial(fit_candidate, known, sample, truth, number)
        for name in SCORES:
            best = partial(
                choose_preferred, make_generator(seed, "KZ02 6 ties", number, size, name), partial(score_of, name)
            )
            last = best(search_state_numbers(model, assess, best))
            found.append((size, name, last.model, last.divergence))
    return found


def fit_candidate(
    known: dict[Network, Assessed], sample: Sample, truth: Numbers, seed: int, candidate: Network
) -> Assessed:
    """A candidate, each fitted once."""
    if candidate not in known:
        text = to_text(candidate)
        at = score_maximum(sample, text, seed)
        scores = compute_four_scores(at.fit.loglik, at.cs(), text, sample.size)
        known[candidate] = Assessed(scores, text, compute_divergence(truth, at.fit))
    return known[candidate]


def score_of(name: str, one: Assessed) -> float:
    """One of its scores."""
    return one.scores[name]


def measure_trees(setting: Setting) -> Findings:
    """§6: the trees that hill-climbing finds."""
    sets, sizes = setting.pick(2, 50, 50), setting.pick((1000,), SIZES, SIZES)
    found = setting.mapped(search_trees, [(number, sizes, setting.seed) for number in range(sets)])
    entries = [(number, *one) for number, many in enumerate(found) for one in many]
    return {"latent-trees": make_rows(("set", "cases", "score", "model", "divergence"), entries)}


def compare_trees(findings: Findings) -> list[Cell]:
    """§6: Table 2, who is nearer, the rate of recovery, and the unit."""
    found = findings["latent-trees"]
    cells = [
        cell for size, some in found.split("cases").items() for cell in make_table_2_cells(size, some.split("score"))
    ]
    return [*cells, make_unit_cell(found)]


def scale_to_thousandths(found: Rows) -> list[float]:
    """Divergences in thousandths of a nat."""
    return [1000 * value for value in found.column("divergence")]


def make_table_2_cells(size: int, found: dict[str, Rows]) -> list[Cell]:
    """A row of Table 2, what the plus scores gain, and how often the truth is found."""
    cells, printed = [], dict(zip(SCORES, KZ02_TABLE_2[size], strict=True))
    for plain, plus in PAIRS:
        gain = compute_mean(
            [a - b for a, b in zip(scale_to_thousandths(found[plain]), scale_to_thousandths(found[plus]), strict=True)]
        )
        same = gain.has_sign_of(printed[plain][0] - printed[plus][0])
        for name in (plain, plus):
            nats = compute_mean(scale_to_thousandths(found[name]))
            bits = Mean(nats.value / log(2), nats.error / log(2), nats.sets)
            text, note = f"thousandths of a bit, {name}, N = {size}", f"in nats {nats.value:.3g} ± {nats.error:.2g}"
            cells.append(make_compared_cell("KZ02 Table 2", text, bits, *printed[name], direction=same, note=note))
        text = f"thousandths of a nat by which {plus} is nearer than {plain}, N = {size}"
        large, holds = size >= LARGE[RANDOM], gain.low > 0
        words = "nearer for larger samples"
        cells.append(
            make_stated_cell("KZ02 §6", text, gain, words, holds=holds)
            if large
            else make_measured_cell("KZ02 §6", text, gain)
        )
    apart = [a - b for a, b in zip(*(scale_to_thousandths(found[name]) for name in ("BIC+", "CS+")), strict=True)]
    choice = compute_mean(apart)
    text = f"thousandths of a nat by which CS+ is nearer than BIC+, N = {size}"
    cells.append(make_stated_cell("KZ02 §6", text, choice, "CS+ is the score of choice", holds=choice.low > 0))
    if size == min(KZ02_TABLE_2):
        models = Counter(found["BIC+"].column("model"))
        small = compute_mean([model in SMALL_TREES for model in found["BIC+"].column("model")])
        text = f"share of 2,2,2 and 2,3,2, resp. 2,2,3, among the models that BIC+ finds, N = {size}"
        holds = models.most_common(1)[0][0] in SMALL_TREES
        cells.append(make_stated_cell("KZ02 §6", text, small, "the most frequent", holds=holds))
    for name in SCORES:
        right = compute_mean([model == TREE for model in found[name].column("model")])
        text = f"share of recovered models, {name}, N = {size}"
        cells.append(make_stated_cell("KZ02 §6", text, right, "0", holds=right.value == 0))
    return cells


def make_unit_cell(found: Rows) -> Cell:
    """How far the logarithm of the printed numbers is from ours, taken for bits less taken for nats."""
    apart = []
    for size, some in found.split("cases").items():
        for (printed, _), part in zip(KZ02_TABLE_2[size], some.split("score").values(), strict=True):
            ours = compute_mean(scale_to_thousandths(part)).value
            apart.append(abs(log(ours / log(2) / printed)) - abs(log(ours / printed)))
    text = "factor by which Table 2 is farther from our bits than from our nats (logarithm)"
    return make_measured_cell("KZ02 Table 2", text, compute_mean(apart), "the paper says bits")


def draw_trees(findings: Findings) -> dict[str, str]:
    """Table 2 as lines."""
    found = findings["latent-trees"]
    lines = [
        make_series(name, {size: compute_mean(one.column("divergence")) for size, one in part.split("cases").items()})
        for name, part in found.split("score").items()
    ]
    x, y = Axis("cases", logarithmic=True), Axis("divergence from the truth (nats)", logarithmic=True)
    return {"kz02-trees": plot(f"KZ02 Table 2: {TREE}", x, y, lines, describe_error_bars(len(found.split("set"))))}
