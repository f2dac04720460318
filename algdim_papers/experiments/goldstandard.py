"""CH96 §3 takes Laplace's approximation for the gold standard: beside log p(D), exact where it can be had.

Where there are too many cases for that, sequential Monte Carlo stands for it; that and other estimates are compared with exact
values of two classes, for data from two classes, and from one, where the model is too large.
"""

from __future__ import annotations

from algdim.plots.svg import Axis, plot
from algdim.scores.dirichlet import make_priors
from algdim.scores.marginal import compute_log_marginal, compute_two_class_marginal
from algdim.scores.singular import bound_class_coefficients, compute_sbic
from algdim.scores.tempered import estimate_wbic
from algdim_papers.experiments.annealing import estimate_log_marginals
from algdim_papers.experiments.ch96 import (
    EPSILON,
    LAPLACE,
    SCORES,
    build_curves,
    collect_choices,
    compute_paired_difference,
    count_data_sets,
    draw_curves,
    get_score,
)
from algdim_papers.experiments.chib import estimate_by_chib
from algdim_papers.experiments.record import (
    Cell,
    compute_mean,
    describe_error_bars,
    make_measured_cell,
    make_series,
    make_stated_cell,
)
from algdim_papers.experiments.rows import Findings, Rows, make_rows
from algdim_papers.experiments.running import Setting, make_generator
from algdim_papers.experiments.sampling import (
    UNIFORM,
    draw_mixture_sample,
    make_map,
    parse_network,
    score_posterior_mode,
)
from algdim_papers.experiments.thresholds import ONE_NAT

GOLD = (2, 6, 200)
"""Classes, items and cases of the comparison with log p(D) itself."""
EXACT = "log p(D)"
GOLD_SCORES = (EXACT, *SCORES, "sBIC")


def score_data_set(task: tuple[int, tuple[int, ...], int]) -> dict[str, list[float | None]]:
    """All scores and log p(D) by sequential Monte Carlo, of each number of classes, on one data set."""
    number, tried, seed = task
    classes, items, cases = GOLD
    random = make_generator(seed, "CH96 gold", number)
    sample = draw_mixture_sample(classes, items, cases, random)
    found: dict[str, list[float | None]] = {name: [] for name in GOLD_SCORES}
    logliks, parameters = [], [count * (items + 1) - 1 for count in tried]
    for count, standard in zip(tried, parameters, strict=True):
        at = score_posterior_mode(sample, f"{count}:2^{items}", EPSILON, number)
        logliks.append(at.fit.loglik)
        found[EXACT].append(estimate_log_marginals(sample, count, 1 + EPSILON, random)[-1])
        for name in SCORES:
            found[name].append(get_score(at, name, standard))
    # the dimension is the number of parameters for all of them
    coefficients = bound_class_coefficients(parameters, items)
    found["sBIC"] = [*compute_sbic(logliks, coefficients, cases)]
    return found


def measure_gold_standard(setting: Setting) -> Findings:
    """The scores beside log p(D)."""
    tried = setting.pick((1, 2, 3), tuple(range(1, 7)), tuple(range(1, 9)))
    numbers = range(count_data_sets(setting))
    found = setting.mapped(score_data_set, [(number, tried, setting.seed) for number in numbers])
    entries = [
        (number, count, *(one[name][place] for name in GOLD_SCORES))
        for number, one in zip(numbers, found, strict=True)
        for place, count in enumerate(tried)
    ]
    return {"gold-standard": make_rows(("set", "tried", *GOLD_SCORES), entries)}


def compare_gold_standard(findings: Findings) -> list[Cell]:
    """Whether Laplace's approximation is a gold standard for more classes than the truth."""
    found, cells = findings["gold-standard"], []
    exact = compute_falls(found, EXACT)
    for name in GOLD_SCORES:
        mine, text = compute_mean(compute_falls(found, name)), f"nats by which {name} falls per class beyond {GOLD[0]}"
        if name == LAPLACE:
            faster = compute_paired_difference(compute_falls(found, name), exact)
            text = f"nats by which {name} falls per class beyond {GOLD[0]} more than log p(D)"
            close = faster.high < ONE_NAT
            cells.append(make_stated_cell("CH96 §3", text, faster, "assumed to be log p(D)", holds=close))
            text = f"nats by which {name} falls per class beyond {GOLD[0]}"
        cells.append(make_measured_cell("CH96 §3", text, mine))
    for name in (*SCORES, "sBIC"):
        more = compute_paired_difference(collect_choices(found, name), collect_choices(found, EXACT))
        cells.append(make_measured_cell("CH96 §3", f"classes chosen by {name} less those by log p(D)", more))
    return cells


def compute_falls(found: Rows, name: str) -> list[float]:
    """By how much a score falls per class beyond the truth, on each data set."""
    truth = GOLD[0]
    return [(one[truth] - one[most]) / (most - truth) for one in build_curves(found, name) for most in [max(one)]]


def draw_gold_standard(findings: Findings) -> dict[str, str]:
    """The mean curves."""
    title = f"Compared with log p(D): {GOLD[0]} classes, {GOLD[1]} items, N = {GOLD[2]}"
    # MLED falls so fast that the others could not be told apart beside it
    names = [name for name in GOLD_SCORES if name != "MLED"]
    return {"ch96-gold-standard": draw_curves(title, findings["gold-standard"], names, GOLD[0])}


MODEL, ITEMS, SMALL = "2:2^3", 3, 60
"""A model whose log p(D) is known exactly, its items, and the cases of a data set."""
TRUTHS = (2, 1)
"""Classes of the truth: as many as the model has, and one less."""
ESTIMATES = ("SMC", "Chib", "WBIC", LAPLACE, "CS", "BIC", "sBIC")
THREE, FEW = "3:2^3", 8
"""A model with three classes, and as many cases as all completions can be gone through for."""


def estimate_errors(task: tuple[int, int, int, int]) -> dict[str, float | None]:
    """The estimates of log p(D) less the exact value, on one data set."""
    classes, number, effort, seed = task
    random = make_generator(seed, "exact", classes, number)
    sample = draw_mixture_sample(classes, ITEMS, SMALL, random)
    alpha, standard = 1 + EPSILON, 2 * (ITEMS + 1) - 1
    at = {count: score_posterior_mode(sample, f"{count}:2^{ITEMS}", EPSILON, number) for count in (1, 2)}
    found: dict[str, float | None] = {name: get_score(at[2], name, standard) for name in (LAPLACE, "CS", "BIC")}
    coefficients = bound_class_coefficients([ITEMS, standard], ITEMS)
    found["sBIC"] = compute_sbic([at[1].fit.loglik, at[2].fit.loglik], coefficients, SMALL)[-1]
    found["SMC"] = estimate_log_marginals(sample, 2, alpha, random, particles=2 * effort)[-1]
    found["Chib"] = estimate_by_chib(sample, 2, alpha, random, sweeps=4 * effort)
    found["WBIC"] = estimate_wbic(at[2].priors, sample, seed=number, chains=16, kept=effort // 5).value
    exact = compute_two_class_marginal(sample, alpha)
    return {name: None if value is None else value - exact for name, value in found.items()}


def measure_three_classes(task: tuple[int, int, int]) -> float:
    """What sequential Monte Carlo misses for three classes and a few cases."""
    number, effort, seed = task
    random = make_generator(seed, "exact", THREE, number)
    sample = draw_mixture_sample(3, ITEMS, FEW, random)
    exact = compute_log_marginal(make_priors(make_map(parse_network(THREE)), UNIFORM), sample)
    return estimate_log_marginals(sample, 3, 1.0, random, particles=2 * effort)[-1] - exact


def measure_exact_values(setting: Setting) -> Findings:
    """Estimates of log p(D) beside exact values."""
    numbers, effort = range(count_data_sets(setting)), setting.pick(20, 500, 2000)
    tasks = [(classes, number, effort, setting.seed) for classes in TRUTHS for number in numbers]
    found = setting.mapped(estimate_errors, tasks)
    three = setting.mapped(measure_three_classes, [(number, effort, setting.seed) for number in numbers])
    entries = [(*task[:2], *(one[name] for name in ESTIMATES)) for task, one in zip(tasks, found, strict=True)]
    return {
        "exact-values": make_rows(("classes", "set", *ESTIMATES), entries),
        "exact-values-three": make_rows(("set", "SMC"), list(enumerate(three))),
    }


def compare_exact_values(findings: Findings) -> list[Cell]:
    """What the estimates miss."""
    cells = []
    for classes, part in findings["exact-values"].split("classes").items():
        for name in ESTIMATES:
            values = [value for value in part.column(name) if value is not None]
            text = f"{name} less the exact log p(D), {MODEL}, data from {classes}:2^{ITEMS}, N = {SMALL}"
            cells.append(make_measured_cell("CH96 §3", text, compute_mean(values)))
    text = f"SMC less the exact log p(D), {THREE}, N = {FEW}"
    return [*cells, make_measured_cell("CH96 §3", text, compute_mean(findings["exact-values-three"].column("SMC")))]


def draw_exact_values(findings: Findings) -> dict[str, str]:
    """What each estimate misses, a point for each kind of data."""
    found = findings["exact-values"]
    parts = found.split("classes")
    lines = [
        make_series(
            name,
            {classes: compute_mean([v for v in part.column(name) if v is not None]) for classes, part in parts.items()},
            joined=False,
        )
        for name in ESTIMATES
    ]
    x, y = Axis("classes of the truth", whole=True), Axis("less the exact log p(D) (nats)")
    title = f"Estimates of log p(D) of two classes, N = {SMALL}"
    return {"ch96-exact-values": plot(title, x, y, lines, describe_error_bars(len(found.split("set"))))}
