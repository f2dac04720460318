"""The command prove: write a certificate."""

from __future__ import annotations

import argparse
from typing import Any

from algdim.cli.options import add_command, add_model, add_seed, memory_option, print_json, with_seed


def add(commands: Any) -> None:
    """The command prove."""
    example = "algdim prove 3:2,2,2,2 -o 3-2222.json\n  algdim verify 3-2222.json"
    parser = add_command(commands, "prove", run, "a certificate of the dimension, for others to check", example)
    add_model(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write (default: standard output)")
    add_seed(parser)
    parser.add_argument("--max-memory", type=memory_option, metavar="SIZE", help="refuse what needs more, e.g. 4G")


def run(arguments: argparse.Namespace) -> int:
    """Write a certificate, or say why there is none."""
    from algdim.certificate.exporting import prove

    certificate = prove(arguments.model, seed=arguments.seed, max_memory=arguments.max_memory)
    if arguments.output is None:
        print(certificate.text, end="")
        return 0
    certificate.save(arguments.output)
    if arguments.json:
        print_json(with_seed({"file": arguments.output, "claim": certificate.data["claim"]}, arguments))
    elif not arguments.quiet:
        print(certificate)
    return 0
