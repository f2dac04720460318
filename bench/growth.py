"""How the time grows with parameters and cells, single large models, small ones, and the way from the shell."""

from __future__ import annotations

import compileall
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from statistics import median
from typing import Any

import measuring
from asking import Program

from algdim.plots.svg import Axis, Series, plot

GROWING = tuple(f"8:2^{n}" for n in (10, 20, 40, 80, 160, 320))
LARGEST_EXPONENT = 3.1

# k:r^n with 320 free entries per class of the items, so equally many parameters, and ever more cells
SAME_PARAMETERS = ("8:81^4", "8:33^10", "8:17^20", "8:9^40", "8:5^80", "8:3^160", "8:2^320")
SAME_PARAMETERS_QUICK = ("8:41^4", "8:17^10", "8:9^20", "8:5^40", "8:3^80", "8:2^160")
LARGEST_CELL_EXPONENT = 0.02

ENGINE = "counting,ambient,mechanisms,pairwise,districts,chance"
"""For the growth of time: with more, theorems would answer for the large models instead of the engine."""
SECONDS = 180.0
MOST_SMALL = 30
SMALL_MILLISECONDS = 3.0
HEADER = "model|parameters|cells|dimension|proved|method|seconds|MB".split("|")

STAGE_REPEATS, MOST_REPEATS, STAGE_BUDGET = 5, 51, 0.1
"""So many at least and at most, and the seconds of their sum."""
SHORT, SHORT_MILLISECONDS = ("4:3^3", "3:2^10"), 0.5
"""Small models, and how long a report of one may take in a warm process."""
IMPORT = "import numpy"

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Large:
    """A large model: its name and text, the bounds that are tried, the dimension known from elsewhere, what it may take."""

    name: str
    model: str
    bounds: str = "auto"
    known: int | None = None
    seconds: float | None = None
    megabytes: float | None = None
    threads: int = 1
    quick: bool = False


def hidden_chain(length: int, hidden: int = 3, observed: int = 4) -> str:
    """A hidden Markov chain with free tables, in the notation."""
    names = [f"H{number}" for number in range(1, length + 1)]
    items = [f"X{number}" for number in range(1, length + 1)]
    clauses = [" -> ".join(names), *(f"{name} -> {item}" for name, item in zip(names, items, strict=True))]
    states = [f"{name}={hidden}" for name in names] + [f"{item}={observed}" for item in items]
    return "; ".join([*clauses, f"hidden {', '.join(names)}", f"states {', '.join(states)}"])


def tree(leaves: int, hidden: int = 3) -> str:
    """A latent tree: leaves of 2, 3 and 4 states in turn, joined by twos and threes in turn from the ends inward."""
    nodes = [str(2 + number % 3) for number in range(leaves)]
    while len(nodes) > 3:
        width = 2 + len(nodes) % 2
        nodes = [*nodes[width:], f"{hidden}({','.join(nodes[:width])})"]
    return f"{hidden}({','.join(nodes)})"


def factors(indicators: int, count: int) -> str:
    """A factor model with independent factors."""
    latent = ", ".join(f"F{number}" for number in range(1, count + 1))
    seen = ", ".join(f"X{number}" for number in range(1, indicators + 1))
    return f"gaussian: {latent} -> {seen}; hidden {latent}; means off"


def clustered_factors(count: int, each: int) -> str:
    """A chain of factors, each with indicators of its own."""
    factors = [f"F{number}" for number in range(1, count + 1)]
    seen = [", ".join(f"X{number * each + place}" for place in range(1, each + 1)) for number in range(count)]
    loadings = [f"{factor} -> {items}" for factor, items in zip(factors, seen, strict=True)]
    return f"gaussian: {'; '.join([' -> '.join(factors), *loadings])}; hidden {', '.join(factors)}; means off"


def sigmoid_chain(length: int) -> str:
    """A chain of hidden sigmoid variables, each with two observed children."""
    hidden = [f"H{number}" for number in range(1, length + 1)]
    children = [f"H{number} -> X{2 * number - 1}, X{2 * number}" for number in range(1, length + 1)]
    return f"sigmoid: {'; '.join([' -> '.join(hidden), *children])}; hidden {', '.join(hidden)}"


STAGED = (
    ("4:3^3", "4:3^3"),
    ("3:2^10", "3:2^10"),
    ("3:2^4", "3:2^4"),
    ("W with five states", "A -> C <- H -> D <- B; hidden H; states H=5"),
    ("sigmoid network", "sigmoid: T -> H1, H2 -> X1, X2, X3, X4; hidden T, H1, H2"),
    ("10:6^4", "10:6^4"),
    ("20:2^14", "20:2^14"),
    ("5 factors, 50 indicators", factors(50, 5)),
    ("tree of 100 leaves", tree(100)),
    ("10:2^60", "10:2^60"),
)

# known: k·n·(r − 1) + k − 1 parameters, none too many (Kruskal); n·(k + 1) − k·(k − 1)/2 for factors (Ledermann)
LARGE = (
    Large("10:2^60", "10:2^60", known=609, quick=True),
    Large("50:4^40", "50:4^40", known=6049),
    Large("50:4^40, engine", "50:4^40", ENGINE, known=6049),
    Large("80:4^40", "80:4^40", known=9679, seconds=30, megabytes=3000),
    Large("80:4^40, engine, 2 threads", "80:4^40", ENGINE, 9679, 30, 3000, 2),
    Large("50:2^1000", "50:2^1000", known=50049, seconds=10, quick=True),
    Large("10 factors, 200 indicators", factors(200, 10), known=200 * 11 - 45, seconds=10, quick=True),
    Large("tree of 300 leaves", tree(300), seconds=5, quick=True),
    Large("hidden Markov chain, length 40", hidden_chain(40), known=584, quick=True),
    Large("hidden Markov chain, length 200", hidden_chain(200), known=2984, seconds=10, quick=True),
    Large("hidden Markov chain, length 500", hidden_chain(500), seconds=10),
    Large("hidden Markov chain, length 1000", hidden_chain(1000), seconds=10),
    Large("hidden Markov chain, length 2000", hidden_chain(2000), seconds=10, megabytes=200),
    Large("tree of 1000 leaves", tree(1000), seconds=10),
    Large("tree of 5000 leaves", tree(5000), seconds=10, megabytes=200),
    Large("50 factors, 500 indicators", clustered_factors(50, 10), seconds=10, megabytes=500),
    Large("100 hidden sigmoid variables", sigmoid_chain(100), seconds=10, megabytes=500),
    Large("classifier, 1000 features", f"classifier Y: Y -> {', '.join(f'X{n}' for n in range(1, 1001))}", seconds=10),
)


def alarm_models() -> list[Large]:
    """The ALARM network with five variables hidden, as the tests have it."""
    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    from alarm import alarm_drawn, alarm_most_children

    from algdim.models.notation import to_text

    named = {"ALARM, most children hidden": alarm_most_children, "ALARM, five drawn hidden": alarm_drawn}
    return [Large(name, to_text(make()), quick=True) for name, make in named.items()]


def asked(large: Large, repetitions: int) -> tuple[Answer, measuring.Times] | str:
    """The last answer and the times of one model in a process of its own, or why there are none."""
    with Program(SECONDS) as program:
        program.environment = {measuring.OURS: str(large.threads)}
        program.ask(kind="report", model="2:2,2", seed=0)  # loads what it needs
        answers = [ask(program, large, 0)]
        if "failed" not in answers[0] and repetitions > 1:
            count = measuring.times(answers[0]["seconds"][2], 0, repetitions, 3.0)
            # the first one warms up where there are more
            answers = [ask(program, large, seed) for seed in range(1, count + 1)] or answers
    if "failed" in answers[-1]:
        return f"{large.name}: {answers[-1]['failed']}"
    return answers[-1], measuring.Times(tuple(answer["seconds"][2] for answer in answers))


def ask(program: Program, large: Large, seed: int) -> Answer:
    """One report."""
    return program.ask(kind="report", model=large.model, bounds=large.bounds, seed=seed)


def line(large: Large, answer: Answer, times: measuring.Times) -> list[str]:
    """A line of the table."""
    value = answer["value"]
    wrong = large.known is not None and value != large.known
    return [
        *(large.name, str(answer["standard"]), f"2^{answer['log_cells']}"),
        *(f"{value}, NOT {large.known}" if wrong else str(value), "yes" if answer["exact"] else "no", answer["by"]),
        *(f"{measuring.short(times.median)} ({times.spread})", str(answer["megabytes"])),
    ]


Point = tuple[Large, Answer, measuring.Times]


def measured(models: Sequence[Large], repetitions: int) -> tuple[list[Point], list[str]]:
    """All models that gave an answer, and why others did not."""
    found: list[Point] = []
    failed: list[str] = []
    for large in models:
        outcome = asked(large, repetitions)
        if isinstance(outcome, str):
            failed.append(outcome)
        else:
            found.append((large, *outcome))
    return found, failed


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The exponent, by least squares on the logarithms; the first numbers are logarithms already."""
    x, y = [a for a, _ in points], [log(b) for _, b in points]
    mean = sum(x) / len(x), sum(y) / len(y)
    above = sum((a - mean[0]) * (b - mean[1]) for a, b in zip(x, y, strict=True))
    return above / sum((a - mean[0]) ** 2 for a in x)


def is_wrong(found: Sequence[Point]) -> bool:
    """Whether a dimension is not the known one."""
    return any(large.known not in {None, answer["value"]} for large, answer, _ in found)


def against_parameters(quick: bool) -> measuring.Section:
    """8:2^n, whose parameters grow with n."""
    models = [Large(text, text, ENGINE) for text in (GROWING[:-1] if quick else GROWING)]
    found, failed = measured(models, 3 if quick else 7)
    points = [(log(answer["standard"]), times.median) for _, answer, times in found]
    steps = ", ".join(f"{slope(points[number : number + 2]):.2f}" for number in range(len(points) - 1))
    drawn = Series("algdim, 8:2^n", tuple((float(answer["standard"]), times.median) for _, answer, times in found))
    axes = Axis("parameters", logarithmic=True), Axis("seconds", logarithmic=True)
    return measuring.Section(
        "Time against parameters",
        "Models 8:2^n by the engine alone, one rank with probes, no theorem; the number of cells doubles with each item.",
        HEADER,
        [line(*point) for point in found],
        [*failed, f"the exponents from one model to the next are {steps}"],
        [measuring.at_most("exponent of the time against parameters", slope(points), LARGEST_EXPONENT)],
        {"growth-with-parameters.svg": plot("The engine: time against parameters", *axes, [drawn])},
        is_wrong(found),
    )


def against_cells(quick: bool) -> measuring.Section:
    """Equally many parameters, ever more cells."""
    found, failed = measured([Large(t, t, ENGINE) for t in (SAME_PARAMETERS_QUICK if quick else SAME_PARAMETERS)], 5)
    points = [(answer["log_cells"] * log(2), times.median) for _, answer, times in found]
    drawn = Series(
        "algdim", tuple((answer["log_cells"] * log(2) / log(10), times.median) for _, answer, times in found)
    )
    axes = Axis("cells: power of ten"), Axis("seconds", logarithmic=True)
    return measuring.Section(
        "Time against cells",
        "Models with equally many parameters and ever more cells, by the engine alone.",
        HEADER,
        [line(*point) for point in found],
        [*failed, f"the most cells take {found[-1][2].median / found[0][2].median:.2f} times as long as the fewest"],
        [measuring.at_most("exponent of the time against cells", abs(slope(points)), LARGEST_CELL_EXPONENT)],
        {"growth-with-cells.svg": plot("The engine: time against cells", *axes, [drawn])},
        is_wrong(found),
    )


def large_models(quick: bool) -> measuring.Section:
    """Single models, with what they may take."""
    models = [large for large in (*LARGE, *alarm_models()) if large.quick or not quick]
    found, failed = measured(models, 3)
    verdicts = []
    for large, answer, times in found:
        if large.seconds is not None:
            verdicts.append(measuring.at_most(large.name, times.median, large.seconds, " s"))
        if large.megabytes is not None:
            verdicts.append(measuring.at_most(large.name, answer["megabytes"], large.megabytes, " MB"))
    about = "The whole report in a process of its own that has loaded what it needs; MB is the peak of that process. *engine* means ranks alone, no theorem."
    rows = [line(*point) for point in found]
    return measuring.Section("Large models", about, HEADER, rows, failed, verdicts, {}, is_wrong(found))


def partitions(total: int, most: int) -> Iterator[tuple[int, ...]]:
    """The ways to write a number as a sum, largest first."""
    if total == 0:
        yield ()
    for first in range(min(total, most), 0, -1):
        for rest in partitions(total - first, first):
            yield (first, *rest)


def small_texts(every: int) -> list[str]:
    """Latent class models with up to 30 parameters, or every so manieth of them."""
    found = [
        f"{classes}:{','.join(str(part + 1) for part in parts)}"
        for classes in range(2, MOST_SMALL)
        for width in range(1, (MOST_SMALL - classes + 1) // classes + 1)
        for parts in partitions(width, width)
    ]
    return found[::every]


def small_models(quick: bool) -> measuring.Section:
    """All latent class models up to 30 parameters: the least of some times each, since most take a millisecond."""
    texts = small_texts(5 if quick else 1)
    found: list[tuple[float, Answer, str]] = []
    with Program(SECONDS) as program:
        program.ask(kind="report", model="4:3^3", seed=0)  # loads what it needs
        for text in texts:
            answers = [program.ask(kind="report", model=text, seed=seed) for seed in (0, 1, 2)]
            found.append((1000 * min(answer["seconds"][2] for answer in answers), answers[0], text))
    found.sort(key=lambda entry: entry[0])
    exact = sum(answer["exact"] for _, answer, _ in found)
    within = sum(milliseconds <= SMALL_MILLISECONDS for milliseconds, _, _ in found)
    chosen = {"median": found[len(found) // 2], "slowest": found[-1]}
    rows = [
        [what, text, str(answer["standard"]), str(answer["value"]), "yes" if answer["exact"] else "no", f"{time:.2f}"]
        for what, (time, answer, text) in chosen.items()
    ]
    verdicts = [
        measuring.at_least("share that is proved", exact / len(found), 1.0),
        measuring.at_least(f"share within {SMALL_MILLISECONDS:g} ms", within / len(found), 1.0),
    ]
    return measuring.Section(
        "Small models",
        f"{len(found)} latent class models with at most {MOST_SMALL} parameters: the whole report with its proof in a warm process, the fastest of three runs.",
        ["", "model", "parameters", "dimension", "proved", "milliseconds"],
        rows,
        verdicts=verdicts,
    )


def stages(quick: bool) -> measuring.Section:
    """How the time of a report is shared out, for ten models from tiny to huge."""
    import algdim
    from algdim.models.notation import parse

    rows, verdicts = [], []
    for name, text in STAGED[: 5 if quick else None]:
        model = algdim.model(text)
        works: Mapping[str, Callable[[int], Any]] = {
            "parsed": lambda _, text=text: parse(text),  # `algdim.model` keeps the last texts
            "ranks": lambda seed, model=model: algdim.dimension(model, bounds=ENGINE, seed=seed),
            "report": lambda seed, model=model: algdim.dimension(model, seed=f"report {seed}"),  # drawn anew
            "again": lambda _, model=model: algdim.dimension(model),
        }
        seconds_of(works["report"], -2)  # with what it loads, and plans that are kept
        repeats = measuring.times(seconds_of(works["report"], -1), STAGE_REPEATS, MOST_REPEATS, STAGE_BUDGET)
        found = {stage: [seconds_of(work, seed) for seed in range(1 + repeats)][1:] for stage, work in works.items()}
        cells = [f"{1000 * median(found[stage]):.3g}" for stage in works]
        rows.append([name, str(algdim.dimension(model).standard), *cells])
        if name in SHORT:
            took = 1000 * median(found["report"])
            verdicts.append(measuring.at_most(f"{name}, the report with a new seed", took, SHORT_MILLISECONDS, " ms"))
    about = (
        "Milliseconds in a warm process, medians of several seeds. *ranks* is the report without any theorem or search (map, contraction, kernel, probability of error),\n"
        "*report* the whole with its proof and a new seed each time, *again* the same with one seed, whose draws are known; where a theorem answers first, no rank is needed and the whole takes less. Loading takes more than most models: see *From the shell*."
    )
    header = ["model", "parameters", "parsed", "ranks", "report", "again"]
    return measuring.Section("Where the time goes", about, header, rows, verdicts=verdicts)


def seconds_of(work: Callable[[int], Any], seed: int) -> float:
    """The time of one call."""
    began = measuring.clock()
    work(seed)
    return measuring.clock() - began


def shell(quick: bool) -> measuring.Section:
    """What a command takes that starts from nothing."""
    certificate = next((Path(__file__).parents[1] / "proofs" / "certificates").glob("KZ02-T1-*.json"))
    commands: Mapping[str, list[str]] = {
        "python": ["-c", "pass"],
        IMPORT: ["-c", IMPORT],
        "import algdim": ["-c", "import algdim"],
        "algdim --help": ["-m", "algdim", "--help"],
        "algdim models": ["-m", "algdim", "models"],
        "algdim cite": ["-m", "algdim", "cite"],
        "algdim verify": ["-m", "algdim", "verify", str(certificate)],
        "algdim dim 3:2,2,2,2": ["-m", "algdim", "dim", "3:2,2,2,2"],
        "algdim dim 4:3^3": ["-m", "algdim", "dim", "4:3^3"],
        "algdim dim 20:2^14": ["-m", "algdim", "dim", "20:2^14"],
    }
    package = Path(__file__).parents[1] / "algdim"
    compileall.compile_dir(package, quiet=2)  # as an installation has it, whatever this environment says of writing
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(3 if quick else 9):
        for name, command in commands.items():
            times[name].append(1000 * measuring.run([sys.executable, *command]).seconds)
    unit = median(times[IMPORT])
    rows = [
        [name, f"{median(found):.0f}", f"{min(found):.0f}-{max(found):.0f}", f"{unit / median(found):.2f}"]
        for name, found in times.items()
    ]
    what = "algdim dim 3:2,2,2,2, processor time of import numpy by that of the command"
    verdicts = [measuring.at_least(what, unit / median(times["algdim dim 3:2,2,2,2"]), 0.5)]
    about = "Commands that start a process: start of Python and loading included, processor time."
    header = ["command", "milliseconds", "spread", "import numpy by command"]
    return measuring.Section("From the shell", about, header, rows, (), verdicts, ratio=header[3])


SECTIONS: tuple[Callable[[bool], measuring.Section], ...] = (
    small_models,
    large_models,
    against_parameters,
    against_cells,
    stages,
    shell,
)


def sections(quick: bool) -> list[measuring.Section]:
    """Run everything."""
    return [make(quick) for make in SECTIONS]
