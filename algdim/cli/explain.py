"""The command explain: a model step by step."""

from __future__ import annotations

import argparse
from typing import Any

from algdim.cli.options import add_command, add_model, add_seed_and_memory, show


def add(commands: Any) -> None:
    """The command explain."""
    help_text = "a model and its dimension step by step: parameters, map, what a rank proves, derivation"
    parser = add_command(commands, "explain", run, help_text, "algdim explain 2:2,2")
    add_model(parser)
    add_seed_and_memory(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print an explanation."""
    from algdim.explanation.explaining import explain

    found = explain(arguments.model, seed=arguments.seed, max_memory=arguments.max_memory)
    return show(found, as_json=arguments.json)
