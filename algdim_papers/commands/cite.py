"""The command cite: how to cite algdim and the papers."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from algdim.cli.options import add_command, print_json
from algdim.cli.printing import print_text
from algdim.errors import InputError


def add(commands: Any) -> None:
    """The command cite."""
    parser = add_command(commands, "cite", run, "how to cite algdim and the papers", "algdim cite algdim KZ02 --bibtex")
    parser.add_argument("works", nargs="*", metavar="KEY", help="algdim, GHM96, HM97, KZ02, CH96, MH97 (default: all)")
    parser.add_argument("--bibtex", action="store_true", help="BibTeX entries")


def run(arguments: argparse.Namespace) -> int:
    """Print references as text or for BibTeX."""
    from algdim_papers.references import select_references

    if arguments.json and arguments.bibtex:
        raise InputError("--json and --bibtex are two forms; give one of them")
    works = select_references(arguments.works)
    if arguments.json:
        print_json([asdict(work) for work in works])
    elif arguments.bibtex:
        print("\n\n".join(work.bibtex() for work in works))
    else:
        width = max(len(work.key) for work in works)
        print_text("\n".join(f"{work.key.ljust(width)}  {work.text()}" for work in works))
    return 0
