"""CH96 §3 takes Laplace's approximation for the gold standard: beside log p(D), exact where it can be had.

Where there are too many cases for that, sequential Monte Carlo stands for it; that and other estimates are compared with exact
values of two classes, for data from two classes, and from one, where the model is too large.
"""

from __future__ import annotations

from algdim.plots.svg import Axis, plot
from algdim.scores.dirichlet import priors_of
from algdim.scores.marginal import log_marginal, two_class_log_marginal
from algdim.scores.singular import latent_class_coefficients, sbic
from algdim.scores.tempered import wbic
from algdim_papers.experiments.annealing import log_marginals
from algdim_papers.experiments.ch96 import (
    EPSILON,
    LAPLACE,
    SCORES,
    chosen,
    curves,
    differences,
    drawn_curves,
    sets_of,
    value_of,
)
from algdim_papers.experiments.chib import chib
from algdim_papers.experiments.record import Cell, bars, line, mean, measured, stated
from algdim_papers.experiments.rows import Findings, Rows, rows
from algdim_papers.experiments.running import Setting, generator
from algdim_papers.experiments.sampling import UNIFORM, mapped, mixture_sample, network, scored_by_mode
from algdim_papers.experiments.thresholds import ONE_NAT

GOLD = (2, 6, 200)
"""Classes, items and cases of the comparison with log p(D) itself."""
EXACT = "log p(D)"
GOLD_SCORES = (EXACT, *SCORES, "sBIC")


def beside_the_exact(task: tuple[int, tuple[int, ...], int]) -> dict[str, dict[int, float | None]]:
    """All scores and log p(D) by sequential Monte Carlo, by the number of classes, on one data set."""
    number, tried, seed = task
    classes, items, cases = GOLD
    random = generator(seed, "CH96 gold", number)
    sample = mixture_sample(classes, items, cases, random)
    found: dict[str, dict[int, float | None]] = {name: {} for name in GOLD_SCORES}
    logliks, parameters = [], [count * (items + 1) - 1 for count in tried]
    for count, standard in zip(tried, parameters, strict=True):
        at = scored_by_mode(sample, f"{count}:2^{items}", EPSILON, number)
        logliks.append(at.fit.loglik)
        found[EXACT][count] = log_marginals(sample, count, 1 + EPSILON, random)[-1]
        for name in SCORES:
            found[name][count] = value_of(at, name, standard)
    # the dimension is the number of parameters for all of them
    coefficients = latent_class_coefficients(parameters, items)
    found["sBIC"] = dict(zip(tried, sbic(logliks, coefficients, cases), strict=True))
    return found


def measured_gold(setting: Setting) -> Findings:
    """The scores beside log p(D)."""
    tried = setting.pick((1, 2, 3), tuple(range(1, 7)), tuple(range(1, 9)))
    numbers = range(sets_of(setting))
    found = setting.mapped(beside_the_exact, [(number, tried, setting.seed) for number in numbers])
    entries = [
        (number, count, *(one[name][count] for name in GOLD_SCORES))
        for number, one in zip(numbers, found, strict=True)
        for count in tried
    ]
    return {"gold-standard": rows(("set", "tried", *GOLD_SCORES), entries)}


def judged_gold(findings: Findings) -> list[Cell]:
    """Whether Laplace's approximation is a gold standard for more classes than the truth."""
    found, cells = findings["gold-standard"], []
    exact = falls(found, EXACT)
    for name in GOLD_SCORES:
        mine, text = mean(falls(found, name)), f"nats by which {name} falls per class beyond {GOLD[0]}"
        if name == LAPLACE:
            faster = differences(falls(found, name), exact)
            text = f"nats by which {name} falls per class beyond {GOLD[0]} more than log p(D)"
            close = faster.high < ONE_NAT
            cells.append(stated("CH96 §3", text, faster, "assumed to be log p(D)", holds=close))
            text = f"nats by which {name} falls per class beyond {GOLD[0]}"
        cells.append(measured("CH96 §3", text, mine))
    for name in (*SCORES, "sBIC"):
        more = differences(chosen(found, name), chosen(found, EXACT))
        cells.append(measured("CH96 §3", f"classes chosen by {name} less those by log p(D)", more))
    return cells


def falls(found: Rows, name: str) -> list[float]:
    """By how much a score falls per class beyond the truth, on each data set."""
    truth = GOLD[0]
    return [(one[truth] - one[most]) / (most - truth) for one in curves(found, name) for most in [max(one)]]


def drawn_gold(findings: Findings) -> dict[str, str]:
    """The mean curves."""
    title = f"Beside log p(D): {GOLD[0]} classes, {GOLD[1]} items, N = {GOLD[2]}"
    # MLED falls so fast that the others could not be told apart beside it
    names = [name for name in GOLD_SCORES if name != "MLED"]
    return {"ch96-gold-standard": drawn_curves(title, findings["gold-standard"], names, GOLD[0])}


MODEL, ITEMS, SMALL = "2:2^3", 3, 60
"""A model whose log p(D) is known exactly, its items, and the cases of a data set."""
TRUTHS = (2, 1)
"""Classes of the truth: as many as the model has, and one less."""
ESTIMATES = ("SMC", "Chib", "WBIC", LAPLACE, "CS", "BIC", "sBIC")
THREE, FEW = "3:2^3", 8
"""A model with three classes, and as many cases as all completions can be gone through for."""


def estimated(task: tuple[int, int, int, int]) -> dict[str, float | None]:
    """The estimates of log p(D) less the exact value, on one data set."""
    classes, number, effort, seed = task
    random = generator(seed, "exact", classes, number)
    sample = mixture_sample(classes, ITEMS, SMALL, random)
    alpha, standard = 1 + EPSILON, 2 * (ITEMS + 1) - 1
    at = {count: scored_by_mode(sample, f"{count}:2^{ITEMS}", EPSILON, number) for count in (1, 2)}
    found: dict[str, float | None] = {name: value_of(at[2], name, standard) for name in (LAPLACE, "CS", "BIC")}
    coefficients = latent_class_coefficients([ITEMS, standard], ITEMS)
    found["sBIC"] = sbic([at[1].fit.loglik, at[2].fit.loglik], coefficients, SMALL)[-1]
    found["SMC"] = log_marginals(sample, 2, alpha, random, particles=2 * effort)[-1]
    found["Chib"] = chib(sample, 2, alpha, random, sweeps=4 * effort)
    found["WBIC"] = wbic(at[2].priors, sample, seed=number, chains=16, kept=effort // 5).value
    exact = two_class_log_marginal(sample, alpha)
    return {name: None if value is None else value - exact for name, value in found.items()}


def three_classes(task: tuple[int, int, int]) -> float:
    """What sequential Monte Carlo misses for three classes and a few cases."""
    number, effort, seed = task
    random = generator(seed, "exact", THREE, number)
    sample = mixture_sample(3, ITEMS, FEW, random)
    exact = log_marginal(priors_of(mapped(network(THREE)), UNIFORM), sample)
    return log_marginals(sample, 3, 1.0, random, particles=2 * effort)[-1] - exact


def measured_exact(setting: Setting) -> Findings:
    """Estimates of log p(D) beside exact values."""
    numbers, effort = range(sets_of(setting)), setting.pick(20, 500, 2000)
    tasks = [(classes, number, effort, setting.seed) for classes in TRUTHS for number in numbers]
    found = setting.mapped(estimated, tasks)
    three = setting.mapped(three_classes, [(number, effort, setting.seed) for number in numbers])
    entries = [(*task[:2], *(one[name] for name in ESTIMATES)) for task, one in zip(tasks, found, strict=True)]
    return {
        "exact-values": rows(("classes", "set", *ESTIMATES), entries),
        "exact-values-three": rows(("set", "SMC"), list(enumerate(three))),
    }


def judged_exact(findings: Findings) -> list[Cell]:
    """What the estimates miss."""
    cells = []
    for classes, part in findings["exact-values"].split("classes").items():
        for name in ESTIMATES:
            values = [value for value in part.column(name) if value is not None]
            text = f"{name} less the exact log p(D), {MODEL}, data from {classes}:2^{ITEMS}, N = {SMALL}"
            cells.append(measured("CH96 §3", text, mean(values)))
    text = f"SMC less the exact log p(D), {THREE}, N = {FEW}"
    return [*cells, measured("CH96 §3", text, mean(findings["exact-values-three"].column("SMC")))]


def drawn_exact(findings: Findings) -> dict[str, str]:
    """What each estimate misses, a point for each kind of data."""
    found = findings["exact-values"]
    parts = found.split("classes")
    lines = [
        line(
            name,
            {classes: mean([v for v in part.column(name) if v is not None]) for classes, part in parts.items()},
            joined=False,
        )
        for name in ESTIMATES
    ]
    x, y = Axis("classes of the truth", whole=True), Axis("less the exact log p(D) (nats)")
    title = f"Estimates of log p(D) of two classes, N = {SMALL}"
    return {"ch96-exact-values": plot(title, x, y, lines, bars(len(found.split("set"))))}
