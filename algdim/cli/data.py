"""The commands about a model and data: fit, simulate, score, select."""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from algdim.cli.options import (
    add_command,
    add_items,
    add_memory,
    add_model,
    add_seconds,
    add_seed,
    add_seed_and_memory,
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
    from algdim.selection.choosing import Selection


DATA_HELP = "data: a .csv or .parquet file, a column for each observed variable; an optional column `count` has the frequency of each row; - reads CSV from standard input"


def add_fit(commands: Any) -> None:
    """The command fit."""
    example = "algdim fit data.csv 3:2,2,2,2\n  algdim fit data.csv 'H -> A, B, C; hidden H' --prior alpha=1.01 --json > fit.json"
    parser = add_command(commands, "fit", run_fit, "estimate the parameters of a model from data", example)
    parser.add_argument("data", metavar="DATA", help=DATA_HELP)
    add_model(parser)
    add_items(parser)
    parser.add_argument(
        "--prior",
        default="ml",
        metavar="P",
        help="ml (default: none), alpha=A (Dirichlet on every row) or ess=S (BDeu)",
    )
    parser.add_argument(
        "--coordinates",
        default="probability",
        metavar="C",
        help="coordinates of the prior density: probability (default: EM adds α − 1) or softmax (EM adds α)",
    )
    parser.add_argument(
        "--starts", type=parse_starts, default="auto", metavar="N", help="auto, staged, or a number of random starts"
    )
    parser.add_argument("--method", default="auto", metavar="NAME", help="auto, em or scoring")
    parser.add_argument(
        "--absolute", type=float, default=1e-8, metavar="G", help="absolute tolerance on the objective (default 1e-8)"
    )
    parser.add_argument(
        "--relative",
        type=float,
        default=0.0,
        metavar="G",
        help="relative tolerance on the log-likelihood (default 0)",
    )
    parser.add_argument(
        "--iterations",
        type=parse_positive,
        default=10_000,
        metavar="N",
        help="maximum number of steps of one start (default 10000)",
    )
    parser.add_argument("--missing", action="store_true", help="allow missing values (empty, NaN or NA)")
    parser.add_argument("--resume", metavar="FILE", help="continue from these parameters, or from the JSON of a fit")
    parser.add_argument(
        "--posterior", metavar="FILE", help="write the data here (.csv), each row with the probabilities of its classes"
    )
    parser.add_argument(
        "--residuals",
        action="store_true",
        help="also print bivariate residuals: the pairs of items that are not explained",
    )
    parser.add_argument(
        "--bootstrap",
        type=parse_positive,
        metavar="N",
        help="also test the fit by N data sets drawn from it: by G², or with --against by the likelihood ratio (BLRT)",
    )
    parser.add_argument("--against", metavar="MODEL", help="the larger model of --bootstrap, as one with another class")
    add_seed(parser, "the starts")
    add_memory(parser)
    add_seconds(parser)


def parse_starts(text: str) -> int | str:
    """A number of starts, or the name of a strategy."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else text


def run_fit(arguments: argparse.Namespace) -> int:
    """Print a fit."""
    from algdim.fitting.fitting import fit

    if arguments.against is not None and arguments.bootstrap is None:
        raise InputError("--against is the larger model of --bootstrap; give --bootstrap N, too")
    data = read_data(arguments)
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
    return show(FitWithTests(found, *examine_fit(data, found, arguments)), arguments)


class FitWithTests(NamedTuple):
    """A fit, and what was asked of it beside its estimates."""

    fit: Fit
    residuals: Sequence[Residual] | None
    bootstrap: Bootstrap | None

    def to_dict(self) -> dict[str, Any]:
        """The form of --json."""
        more: dict[str, Any] = {}
        if self.residuals is not None:
            more["residuals"] = [one.to_dict() for one in self.residuals]
        if self.bootstrap is not None:
            more["bootstrap"] = self.bootstrap.to_dict()
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
            data, arguments.model, against=arguments.against, draws=arguments.bootstrap, seed=arguments.seed
        )
    return residuals, tested


def add_simulate(commands: Any) -> None:
    """The command simulate."""
    example = "algdim simulate 2:2,2,2 --at parameters.json -n 1000 --seed 1 > data.csv"
    help_text = "draw data from a model at given parameters, as CSV"
    parser = add_command(commands, "simulate", run_simulate, help_text, example)
    add_model(parser)
    parser.add_argument(
        "--at", required=True, metavar="FILE", help="the parameters: a .json or .toml file, or the JSON of a fit"
    )
    parser.add_argument("-n", type=int, required=True, metavar="N", help="the number of cases")
    add_seed(parser, "the draws")


def run_simulate(arguments: argparse.Namespace) -> int:
    """Print the cases."""
    from algdim.fitting.simulating import simulate

    found = simulate(arguments.model, arguments.at, arguments.n, seed=arguments.seed)
    if arguments.json:
        return show(found, arguments)
    arguments.progress.finish()
    print(found)  # a document, which is never folded
    return 0


def add_score(commands: Any) -> None:
    """The command score."""
    example = "algdim score data.csv 3:2,2,2,2\n  algdim score data.csv 2:2^4 --score bic+,cs+ --ess 1 --json"
    help_text = (
        "scores of a model on data: BIC, Draper, Cheeseman-Stutz, Laplace, exact, with the right dimension; G² and X²"
    )
    parser = add_command(commands, "score", run_score, help_text, example)
    parser.add_argument(
        "data", metavar="DATA", help="a .csv or .parquet file: a column for each observed variable, optionally `count`"
    )
    add_model(parser, "a discrete model: notation such as '3:2,2,2,2', or a file")
    add_items(parser)
    parser.add_argument("--at", metavar="FILE", help="evaluate at these parameters instead of fitting")
    parser.add_argument("--score", default="all", metavar="NAMES", help="all (default), or names separated by commas")
    add_prior(parser)
    parser.add_argument(
        "--prior-network",
        nargs=2,
        metavar=("MODEL", "FILE"),
        help="BDe: a model of the same variables and its parameters",
    )
    parser.add_argument("--missing", action="store_true", help="allow missing values (empty, NaN or NA)")
    parser.add_argument("--force", action="store_true", help="Laplace's approximation even if parameters are redundant")
    add_seed_and_memory(parser)
    add_seconds(parser)


def add_prior(parser: argparse.ArgumentParser) -> None:
    """The two options of the prior."""
    prior = parser.add_mutually_exclusive_group()
    prior.add_argument("--alpha", type=parse_amount, metavar="A", help="a Dirichlet(A) prior on every row")
    prior.add_argument("--ess", type=parse_amount, metavar="S", help="a BDeu prior (default, with S = 1)")


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
        missing=arguments.missing,
        seed=arguments.seed,
        max_memory=arguments.max_memory,
    )
    return show(found, arguments)


def add_select(commands: Any) -> None:
    """The command select."""
    example = (
        "algdim select data.csv --classes 1..8 --by bic+ -o best.json\n"
        "  algdim select data.csv --tree '2(2,2(2,2),2(2,2))' --by cs+ --score bic,cs,cs+ --plot scores.svg"
    )
    help_text = "choose a model for data: scores of all candidates, weights, the best one"
    parser = add_command(commands, "select", run_select, help_text, example)
    parser.add_argument("data", metavar="DATA", help="a .csv or .parquet file, optionally with a column `count`")
    add_items(parser)
    parser.add_argument(
        "--classes",
        metavar="A..B",
        help="latent class models with these numbers of classes, e.g. 1..8 (default, where no candidates are given: 1..4, and more while the score rises)",
    )
    parser.add_argument(
        "--tree",
        metavar="MODEL",
        help="hill-climb over the numbers of hidden states of this tree, starting from 2 each",
    )
    parser.add_argument(
        "--structures",
        action="append",
        default=[],
        metavar="F1,F2,…",
        help="model files, or one model; may be repeated",
    )
    parser.add_argument(
        "--rival", action="store_true", help="also consider the best network without hidden variables (greedy search)"
    )
    parser.add_argument(
        "--class",
        dest="label",
        metavar="NAME",
        help="naive Bayes classifiers of this column, inputs chosen by the score",
    )
    parser.add_argument("--by", default="cs+", metavar="NAME", help="the score to choose by (default cs+)")
    parser.add_argument(
        "--score",
        metavar="NAMES",
        help="all, or names separated by commas (default: all are computed; bic, bic+ and cs+ are printed)",
    )
    add_prior(parser)
    parser.add_argument(
        "--tolerance",
        type=float,
        default=0.1,
        metavar="T",
        help="choose the smallest candidate with the dimension of the best one and a score within T of it (default 0.1)",
    )
    parser.add_argument("--missing", action="store_true", help="allow missing values (empty, NaN or NA)")
    parser.add_argument(
        "--all-answers", action="store_true", help="treat labels such as -99 as answers, not as missing values"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write the best model here, as a model file (.json)")
    parser.add_argument(
        "--fit", metavar="FILE", help="write the fit of the best model here (.json), for use with `--at`"
    )
    parser.add_argument(
        "--plot", metavar="FILE", help="draw every score against the candidates (.svg; .pdf and .png with matplotlib)"
    )
    parser.add_argument(
        "--table", choices=TABLE_FORMS, metavar="FORM", help=f"print a table for a paper: {', '.join(TABLE_FORMS)}"
    )
    add_seed_and_memory(parser)
    add_seconds(parser)


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
