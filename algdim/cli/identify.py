"""The command identify: which parameters are determined, and what to fix."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from algdim.cli.options import add_command, add_items, add_model, add_seed_and_memory, data_as_asked, show


def add(commands: Any) -> None:
    """The command identify."""
    example = "algdim identify 'gaussian: F -> X1, X2, X3; hidden F'\n  algdim identify 2:2,2 --json"
    parser = add_command(commands, "identify", run, "which parameters the observed distribution determines", example)
    add_model(parser)
    parser.add_argument("--at", metavar="FILE", help="also at the parameters in this .json or .toml file")
    parser.add_argument(
        "--data",
        metavar="DATA",
        help="name the cells of a discrete model that do not occur in this .csv or .parquet file",
    )
    add_items(parser)
    add_seed_and_memory(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print what is determined."""
    from algdim.identifiability.identifying import identify

    data, model = data_as_asked(arguments), arguments.model
    if data is not None:
        from algdim.fitting.families import model_beside

        data, model = model_beside(data, model)
    for note in getattr(data, "notes", ()):
        print(f"algdim: note: {note}", file=sys.stderr)
    found = identify(
        model,
        at=arguments.at,
        data=data,
        seed=arguments.seed,
        max_memory=arguments.max_memory,
    )
    return show(found, arguments, arguments.file)
