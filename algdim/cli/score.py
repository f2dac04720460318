"""The command score: every score of a model on data."""

from __future__ import annotations

import argparse
from typing import Any

from algdim.cli.options import add_command, add_items, add_model, add_seed_and_memory, data_as_asked, show


def add(commands: Any) -> None:
    """The command score."""
    example = "algdim score data.csv 3:2,2,2,2\n  algdim score data.csv 2:2^4 --score bic+,cs+ --ess 1 --json"
    help_text = (
        "scores of a model on data: BIC, Draper, Cheeseman-Stutz, Laplace, exact, with the right dimension; G² and X²"
    )
    parser = add_command(commands, "score", run, help_text, example)
    parser.add_argument(
        "data", metavar="DATA", help="a .csv or .parquet file: a column per observed variable, maybe `count`"
    )
    add_model(parser, "a discrete model: notation such as '3:2,2,2,2', or a file")
    add_items(parser)
    parser.add_argument("--at", metavar="FILE", help="score at the parameters of this file, nothing is fitted")
    parser.add_argument("--score", default="all", metavar="NAMES", help="all (default), or names separated by commas")
    add_prior(parser)
    parser.add_argument(
        "--prior-network",
        nargs=2,
        metavar=("MODEL", "FILE"),
        help="BDe: a model of the same variables and its parameters",
    )
    parser.add_argument("--missing", action="store_true", help="entries may be missing")
    parser.add_argument(
        "--force", action="store_true", help="Laplace's approximation also where parameters are redundant"
    )
    add_seed_and_memory(parser)


def add_prior(parser: argparse.ArgumentParser) -> None:
    """The two options of the prior."""
    prior = parser.add_mutually_exclusive_group()
    prior.add_argument("--alpha", type=amount, metavar="A", help="a Dirichlet(A) prior on every row")
    prior.add_argument("--ess", type=amount, metavar="S", help="a BDeu prior (default, with S = 1)")


def amount(text: str) -> float:
    """A positive number of the command line."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return value


def run(arguments: argparse.Namespace) -> int:
    """Print the scores."""
    from algdim.scores.scores import score

    found = score(
        data_as_asked(arguments),
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
