"""The command map: the parameterisation written out."""

from __future__ import annotations

import argparse
from typing import Any

from algdim.cli.options import add_command, add_model, print_json


def add(commands: Any) -> None:
    """The command map."""
    parser = add_command(
        commands, "map", run, "the parameterisation of a small model, written out", "algdim map 2:2,2 --jacobian"
    )
    add_model(parser)
    parser.add_argument("--jacobian", action="store_true", help="the symbolic Jacobian instead of the map")
    parser.add_argument("--latex", action="store_true", help="LaTeX instead of plain text")


def run(arguments: argparse.Namespace) -> int:
    """Print a map or its Jacobian."""
    from algdim.explanation.printing import plain, printed_map
    from algdim.maps.anymap import map_of
    from algdim.readers.anything import model

    printed = printed_map(map_of(model(arguments.model)))
    if arguments.json:
        document: dict[str, Any] = {
            "parameters": printed.parameters,
            "coordinates": dict(zip(printed.coordinates, map(plain, printed.expressions), strict=True)),
        }
        if printed.terms:
            document["treks"] = {
                name: terms.to_list() for name, terms in zip(printed.coordinates, printed.terms, strict=True)
            }
        if arguments.jacobian:
            document["jacobian"] = [[plain(value) for value in row] for row in printed.jacobian]
        print_json(document)
    elif arguments.jacobian:
        print(printed.jacobian_latex() if arguments.latex else printed.jacobian_text())
    else:
        print(printed.latex() if arguments.latex else printed)
    return 0
