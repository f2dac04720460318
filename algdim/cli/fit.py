"""The command fit: the parameters of a model that fit data best."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any

from algdim.cli.options import add_command, add_items, add_model, add_seed, data_as_asked, positive, show

DATA_HELP = "data: a .csv or .parquet file, columns named as the observed variables; a column `count` says how often each row stands"


def add(commands: Any) -> None:
    """The command fit."""
    example = "algdim fit data.csv 3:2,2,2,2\n  algdim fit data.csv 'H -> A, B, C; hidden H' --prior alpha=1.01 --json > fit.json"
    parser = add_command(commands, "fit", run, "the parameters of a model that fit data best", example)
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
        help="of the prior's density: probability (default: EM adds α − 1) or softmax (EM adds α)",
    )
    parser.add_argument(
        "--starts", type=starts_option, default="auto", metavar="N", help="auto, staged, or a number of random starts"
    )
    parser.add_argument("--method", default="auto", metavar="NAME", help="auto, em or scoring")
    parser.add_argument(
        "--absolute", type=float, default=1e-8, metavar="G", help="stop when a step gains no more (default 1e-8)"
    )
    parser.add_argument(
        "--relative",
        type=float,
        default=0.0,
        metavar="G",
        help="or no more than this part of the log-likelihood (default 0)",
    )
    parser.add_argument(
        "--iterations", type=positive, default=10_000, metavar="N", help="steps of one start at most (default 10000)"
    )
    parser.add_argument("--missing", action="store_true", help="entries may be missing (empty, NaN or NA)")
    parser.add_argument("--resume", metavar="FILE", help="go on from these parameters, or from the JSON of a fit")
    add_seed(parser, "the starts")


def starts_option(text: str) -> int | str:
    """A number of starts, or the name of a strategy."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else text


def run(arguments: argparse.Namespace) -> int:
    """Print a fit."""
    from algdim.fitting.fitting import fit

    found = fit(
        data_as_asked(arguments),
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
        print(f"algdim: note: {note}", file=sys.stderr)
    return show(found, arguments)
