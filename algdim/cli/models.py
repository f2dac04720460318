"""The command models: the catalogue."""

from __future__ import annotations

import argparse
from typing import Any

from algdim.cli.options import add_command, print_json
from algdim.errors import InputError


def add(commands: Any) -> None:
    """The command models."""
    parser = add_command(
        commands, "models", run, "the catalogue of named models", "algdim models w\n  algdim models verma"
    )
    parser.add_argument("name", nargs="?", metavar="WORD", help="only models with this word in name, title or citation")


def run(arguments: argparse.Namespace) -> int:
    """Print the catalogue."""
    from algdim.models.catalogue import entries

    word = (arguments.name or "").lower()
    found = [entry for entry in entries() if word in f"{entry.name} {entry.title} {entry.citation}".lower()]
    if not found:
        raise InputError(
            f"no model of the catalogue has {arguments.name!r} in its name, title or citation; `algdim models` lists all"
        )
    if arguments.json:
        fields = ("name", "title", "notation", "citation", "remark")
        print_json([{field: getattr(entry, field) for field in fields} for entry in found])
        return 0
    width = max(len(entry.name) for entry in found)
    for entry in found:
        print(f"{entry.name.ljust(width)}  {entry.title} [{entry.citation}]")
        print(f"{' ' * width}  {entry.notation}")
    return 0
