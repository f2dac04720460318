"""The command simulate: data drawn from a model."""

from __future__ import annotations

import argparse
from typing import Any

from algdim.cli.options import add_command, add_model, add_seed, show


def add(commands: Any) -> None:
    """The command simulate."""
    example = "algdim simulate 2:2,2,2 --at parameters.json -n 1000 --seed 1 > data.csv"
    help_text = "data drawn from a model at given parameters, as CSV"
    parser = add_command(commands, "simulate", run, help_text, example)
    add_model(parser)
    parser.add_argument(
        "--at", required=True, metavar="FILE", help="the parameters: a .json or .toml file, or the JSON of a fit"
    )
    parser.add_argument("-n", type=int, required=True, metavar="N", help="the number of cases")
    add_seed(parser, "the draws")


def run(arguments: argparse.Namespace) -> int:
    """Print the cases."""
    from algdim.fitting.simulating import simulate

    found = simulate(arguments.model, arguments.at, arguments.n, seed=arguments.seed)
    return show(found, arguments)
