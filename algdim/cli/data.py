"""The commands about a model and data: fit, simulate, score, select."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from algdim.cli.options import (
    FORMAT,
    ITEMS,
    LIMITS,
    MEMORY,
    MODEL,
    Command,
    Flag,
    OneOf,
    Option,
    make_seconds_option,
    make_seed_option,
    parse_positive,
    print_or_write,
    read_data,
    show,
)
from algdim.cli.printing import find_width, print_text, tell
from algdim.cli.sweeps import TABLE_FORMS
from algdim.errors import InputError, join_names
from algdim.folding import fold_text
from algdim.wholefiles import replace_whole_file, write_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from algdim.fitting.diagnostics import Residual
    from algdim.fitting.record import Fit
    from algdim.scores.bootstrap import Bootstrap
    from algdim.scores.threestep import ThirdStep
    from algdim.selection.choosing import Selection


DATA_HELP = "data: a .csv or .parquet file, a column for each observed variable; an optional column `count` has the frequency of each row; - reads CSV from standard input"


def parse_starts(text: str) -> int | str:
    """A number of starts, or the name of a strategy."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else text


def run_fit(arguments: argparse.Namespace) -> int:
    """Print a fit."""
    from algdim.fitting.fitting import fit

    if arguments.against is not None and arguments.bootstrap is None:
        raise InputError("--against is the larger model of --bootstrap; give --bootstrap N, too")
    further = list_further_columns(arguments)
    data = leave_out_columns(arguments, further) if further else read_data(arguments)
    if arguments.bootstrap is not None:
        from algdim.scores.bootstrap import check_bootstrap

        check_bootstrap(data, arguments.model, arguments.against, arguments.bootstrap, missing=arguments.missing)
    found = fit(
        data,
        arguments.model,
        prior=arguments.prior,
        coordinates=arguments.coordinates,
        starts=arguments.starts,
        method=arguments.method,
        absolute=arguments.absolute,
        relative=arguments.relative,
        iterations=arguments.iterations,
        missing=arguments.missing,
        resume=arguments.resume,
        seed=arguments.seed,
        progress=arguments.progress.steps,
    )
    for note in found.sample.notes if arguments.json else ():  # people read them in the record
        tell(f"algdim: note: {note}")
    steps = take_third_steps(data, found, arguments) if further else None
    return show(FitWithTests(found, *examine_fit(data, found, arguments), steps), arguments)


def list_further_columns(arguments: argparse.Namespace) -> list[str]:
    """The columns of the third step, none if there is none."""
    named = (arguments.distal, arguments.predictors)
    if arguments.correction is not None and named == (None, None):
        raise InputError("--correction is about --distal or --predictors; give one, too")
    return [name.strip() for text in named if text is not None for name in text.split(",")]


def leave_out_columns(arguments: argparse.Namespace, names: Sequence[str]) -> Any:
    """The data as they are chosen, without the columns of the third step."""
    from algdim.fitting.tabulardata import read_columns

    table = read_columns(read_data(arguments))
    kept = [place for place, name in enumerate(table.names or ()) if name not in names]
    return replace(
        table, names=tuple((table.names or ())[k] for k in kept), columns=tuple(table.columns[k] for k in kept)
    )


def take_third_steps(data: Any, found: Fit, arguments: argparse.Namespace) -> tuple[ThirdStep, ...]:
    """What the classes have to do with the columns that are no items."""
    from algdim.scores.threestep import BCH, ML, assign_classes, compare_classes, regress_classes

    whole = read_data(argparse.Namespace(**{**vars(arguments), "items": None, "without": None}))
    assigned = assign_classes(data, found, missing=arguments.missing)
    steps: tuple[ThirdStep, ...] = ()
    if arguments.distal is not None:
        names = [name.strip() for name in arguments.distal.split(",")]
        steps = compare_classes(assigned, whole, names, correction=arguments.correction or BCH)
    if arguments.predictors is not None:
        names = [name.strip() for name in arguments.predictors.split(",")]
        steps = (*steps, regress_classes(assigned, whole, names, correction=arguments.correction or ML))
    return steps


class FitWithTests(NamedTuple):
    """A fit, and what was asked of it beside its estimates."""

    fit: Fit
    residuals: Sequence[Residual] | None
    bootstrap: Bootstrap | None
    steps: Sequence[ThirdStep] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The form of --json."""
        more: dict[str, Any] = {}
        if self.residuals is not None:
            more["residuals"] = [one.to_dict() for one in self.residuals]
        if self.bootstrap is not None:
            more["bootstrap"] = self.bootstrap.to_dict()
        if self.steps is not None:
            more["third_steps"] = [one.to_dict() for one in self.steps]
        return {**self.fit.to_dict(), **more}

    def __str__(self) -> str:
        """The fit, then the largest residuals, then the test."""
        lines = [str(self.fit)]
        if self.residuals is not None:
            shown = [f"  {one.first}, {one.second}: {one.value:.4f}" for one in self.residuals[:MOST_RESIDUALS]]
            of = (
                f", the {MOST_RESIDUALS} largest of {len(self.residuals)}"
                if len(self.residuals) > MOST_RESIDUALS
                else ""
            )
            lines += [f"bivariate residuals, X² over degrees of freedom of each pair{of}", *shown]
        if self.bootstrap is not None:
            lines.append(str(self.bootstrap))
        for step in self.steps or ():
            lines += ["", *step.iterate_lines()]
        return "\n".join(lines)


MOST_RESIDUALS = 10


def examine_fit(
    data: Any, found: Fit, arguments: argparse.Namespace
) -> tuple[Sequence[Residual] | None, Bootstrap | None]:
    """Write the probabilities of classes, and compute what else is asked for."""
    if arguments.posterior is not None:
        from algdim.fitting.diagnostics import compute_memberships

        write_text(arguments.posterior, str(compute_memberships(data, found, missing=arguments.missing)))
    residuals, tested = None, None
    if arguments.residuals:
        from algdim.fitting.diagnostics import compute_residuals

        residuals = compute_residuals(found)
    if arguments.bootstrap is not None:
        from algdim.scores.bootstrap import bootstrap

        tested = bootstrap(
            found.sample, arguments.model, against=arguments.against, draws=arguments.bootstrap, seed=arguments.seed
        )
    return residuals, tested


def run_simulate(arguments: argparse.Namespace) -> int:
    """Print the cases."""
    from algdim.fitting.simulating import simulate

    found = simulate(arguments.model, arguments.at, arguments.n, seed=arguments.seed)
    if arguments.json:
        return show(found, arguments)
    arguments.progress.finish()
    print(found)  # a document, which is never folded
    return 0


def parse_amount(text: str) -> float:
    """A positive number of the command line."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return value


def run_score(arguments: argparse.Namespace) -> int:
    """Print the scores."""
    from algdim.scores.scores import score

    found = score(
        read_data(arguments),
        arguments.model,
        at=arguments.at,
        score=arguments.score,
        alpha=arguments.alpha,
        ess=arguments.ess,
        prior_network=arguments.prior_network and tuple(arguments.prior_network),
        force=arguments.force,
        starts=arguments.starts,
        missing=arguments.missing,
        seed=arguments.seed,
        max_memory=arguments.max_memory,
    )
    return show(found, arguments)


def run_select(arguments: argparse.Namespace) -> int:
    """Print the table, and write what was asked for."""
    from algdim.models.anymodel import convert_model_to_dictionary
    from algdim.plots.svg import FIGURE_FORMS
    from algdim.selection.choosing import select

    if arguments.plot is not None and Path(arguments.plot).suffix.lower()[1:] not in {"svg", *FIGURE_FORMS}:
        raise InputError(
            f"--plot {arguments.plot}: a file ending in .svg, or in {join_names(FIGURE_FORMS)} with matplotlib, is expected"
        )
    if arguments.table is not None and arguments.json:
        raise InputError("--table and --json are two forms; give one of them")
    found = select(
        read_data(arguments),
        classes=arguments.classes,
        tree=arguments.tree,
        structures=[model for text in arguments.structures for model in split_models(text)],
        rival=arguments.rival,
        label=arguments.label,
        search=arguments.search,
        resume=arguments.resume,
        by=arguments.by,
        score=arguments.score,
        alpha=arguments.alpha,
        ess=arguments.ess,
        tolerance=arguments.tolerance,
        missing=arguments.missing,
        all_answers=arguments.all_answers,
        seed=arguments.seed,
        max_memory=arguments.max_memory,
        progress=arguments.progress.say,
    )
    arguments.progress.wipe()
    if arguments.output is not None:
        write_json(arguments.output, convert_model_to_dictionary(found.best.fit.model))
    if arguments.fit is not None:
        write_json(arguments.fit, found.best.fit.to_dict())
    if arguments.plot is not None:
        write_plot(arguments.plot, found)
    if arguments.table is not None:
        width = find_width(sys.stdout)
        table = found.table()
        return print_or_write(
            fold_text(table.text(width), width) if arguments.table == "text" else getattr(table, arguments.table)(),
            None,
        )
    if arguments.json:
        return show(found, arguments)
    print_text(found.text(find_width(sys.stdout)))
    return 0


def write_plot(target: str, found: Selection) -> None:
    """A file of the form that its suffix says."""
    form = Path(target).suffix.lower()[1:]
    if form == "svg":
        write_text(target, found.plot())
        return
    with replace_whole_file(target) as path:
        found.figure().savefig(path, format=form)


def split_models(text: str) -> list[str]:
    """The models of one option: files separated by commas, or one notation, which has commas itself.

    >>> split_models("a.json,b.R"), split_models("2:2,2,2")
    (['a.json', 'b.R'], ['2:2,2,2'])
    """
    from algdim.readers.formats import find_known_suffix

    pieces = text.split(",")
    return pieces if all(find_known_suffix(piece) for piece in pieces) else [text]


def write_json(path: str, value: dict[str, Any]) -> None:
    """Write one JSON document."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


PRIOR = OneOf(
    Option("--alpha", "A", "a Dirichlet(A) prior on every row", type=parse_amount),
    Option("--ess", "S", "a BDeu prior (default, with S = 1)", type=parse_amount),
)
"""The prior of scores."""

STARTS = Option("--starts", "N", "auto, staged, or a number of random starts", type=parse_starts, default="auto")

MISSING = Flag("--missing", "allow missing values (empty, NaN or NA)")

COMMANDS: Mapping[str, Command] = {
    "fit": Command(
        run_fit,
        "estimate the parameters of a model from data",
        "algdim fit data.csv 3:2,2,2,2\n  algdim fit data.csv 'H -> A, B, C; hidden H' --prior alpha=1.01 --json > fit.json",
        Option("data", "DATA", DATA_HELP),
        *MODEL,
        *ITEMS,
        Option("--prior", "P", "ml (default: none), alpha=A (Dirichlet on every row) or ess=S (BDeu)", default="ml"),
        Option(
            "--coordinates",
            "C",
            "coordinates of the prior density: probability (default: EM adds α − 1) or softmax (EM adds α)",
            default="probability",
        ),
        STARTS,
        Option("--method", "NAME", "auto, em or scoring", default="auto"),
        Option("--absolute", "G", "absolute tolerance on the objective (default 1e-8)", type=float, default=1e-08),
        Option("--relative", "G", "relative tolerance on the log-likelihood (default 0)", type=float, default=0.0),
        Option(
            "--iterations",
            "N",
            "maximum number of steps of one start (default 10000)",
            type=parse_positive,
            default=10000,
        ),
        MISSING,
        Option("--resume", "FILE", "continue from these parameters, or from the JSON of a fit"),
        Option("--posterior", "FILE", "write the data here (.csv), each row with the probabilities of its classes"),
        Option("--distal", "NAMES", "also compare the classes by these columns, which are no items (three steps)"),
        Option("--predictors", "NAMES", "also predict the class by these columns, which are no items (three steps)"),
        Option(
            "--correction",
            "NAME",
            "of errors of classification: bch (default) or ml for --distal, ml for --predictors; none",
        ),
        Flag("--residuals", "also print bivariate residuals: the pairs of items that are not explained"),
        Option(
            "--bootstrap",
            "N",
            "also test the fit by N data sets drawn from it: by G², or with --against by the likelihood ratio (BLRT)",
            type=parse_positive,
        ),
        Option("--against", "MODEL", "the larger model of --bootstrap, as one with another class"),
        make_seed_option("the starts"),
        MEMORY,
        make_seconds_option(),
        doing="data, model and estimates",
    ),
    "simulate": Command(
        run_simulate,
        "draw data from a model at given parameters, as CSV",
        "algdim simulate 2:2,2,2 --at parameters.json -n 1000 --seed 1 > data.csv",
        *MODEL,
        Option("--at", "FILE", "the parameters: a .json or .toml file, or the JSON of a fit", required=True),
        Option("-n", "N", "the number of cases", type=int, required=True),
        make_seed_option("the draws"),
        doing="drawing cases",
        is_document=True,
    ),
    "score": Command(
        run_score,
        "scores of a model on data: BIC, Draper, Cheeseman-Stutz, Laplace, exact, with the right dimension; G² and X²",
        "algdim score data.csv 3:2,2,2,2\n  algdim score data.csv 2:2^4 --score bic+,cs+ --ess 1 --json",
        Option("data", "DATA", "a .csv or .parquet file: a column for each observed variable, optionally `count`"),
        Option("model", "MODEL", "a discrete model: notation such as '3:2,2,2,2', or a file"),
        *FORMAT,
        *ITEMS,
        Option("--at", "FILE", "evaluate at these parameters instead of fitting"),
        Option("--score", "NAMES", "all (default), or names separated by commas", default="all"),
        PRIOR,
        Option("--prior-network", ("MODEL", "FILE"), "BDe: a model of the same variables and its parameters", nargs=2),
        STARTS,
        MISSING,
        Flag("--force", "Laplace's approximation even if parameters are redundant"),
        *LIMITS,
        doing="data, model and scores",
    ),
    "select": Command(
        run_select,
        "choose a model for data: scores of all candidates, weights, the best one",
        "algdim select data.csv --classes 1..8 --by bic+ -o best.json\n  algdim select data.csv --tree '2(2,2(2,2),2(2,2))' --by cs+ --score bic,cs,cs+ --plot scores.svg",
        Option("data", "DATA", "a .csv or .parquet file, optionally with a column `count`"),
        *ITEMS,
        Option(
            "--classes",
            "A..B",
            "latent class models with these numbers of classes, e.g. 1..8 (default, where no candidates are given: 1..4, and more while the score rises)",
        ),
        Option("--tree", "MODEL", "hill-climb over the numbers of hidden states of this tree, starting from 2 each"),
        Option("--structures", "F1,F2,…", "model files, or one model; may be repeated", action="append", default=[]),
        Flag("--rival", "also consider the best network without hidden variables (greedy search)"),
        Option("--class", "NAME", "naive Bayes classifiers of this column, inputs chosen by the score", dest="label"),
        Option(
            "--search",
            "KIND",
            "climb over structures: latent-trees, interactions (networks with causal interaction models, by bic or bic+), or classifiers (with --class)",
        ),
        Option(
            "--resume",
            "FILE",
            "keep what --search scores in this file; with the same file an interrupted search resumes",
        ),
        Option("--by", "NAME", "the score to choose by (default cs+)", default="cs+"),
        Option(
            "--score",
            "NAMES",
            "all, or names separated by commas (default: all are computed; bic, bic+ and cs+ are printed)",
        ),
        PRIOR,
        Option(
            "--tolerance",
            "T",
            "choose the smallest candidate with the dimension of the best one and a score within T of it (default 0.1)",
            type=float,
            default=0.1,
        ),
        MISSING,
        Flag("--all-answers", "treat labels such as -99 as answers, not as missing values"),
        Option("-o --output", "FILE", "write the best model here, as a model file (.json)"),
        Option("--fit", "FILE", "write the fit of the best model here (.json), for use with `--at`"),
        Option("--plot", "FILE", "draw every score against the candidates (.svg; .pdf and .png with matplotlib)"),
        Option("--table", "FORM", f"print a table for a paper: {', '.join(TABLE_FORMS)}", choices=TABLE_FORMS),
        *LIMITS,
        doing="data and candidates",
    ),
}
