"""The command query: rows of the store of a sweep."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algdim.cli.options import add_command, positive, print_json
from algdim.cli.table import TABLE_FORMS, add_formulas, rendered
from algdim.errors import InputError
from algdim.wholefiles import whole_file, write_text

if TYPE_CHECKING:
    from algdim.tables.grid import Cell

SUFFIXES = (".csv", ".parquet")


def add(commands: Any) -> None:
    """The command query."""
    example = (
        "algdim query results.sqlite --where 'dimension < best_bound' --table markdown\n"
        "  algdim query results.sqlite --columns all -o results.parquet"
    )
    parser = add_command(commands, "query", run, "rows of the store of a sweep, as a table", example)
    parser.add_argument("store", metavar="STORE", help="the file that `algdim sweep --store` has written")
    parser.add_argument("--where", default="", metavar="CONDITION", help="only rows of which this holds")
    parser.add_argument(
        "--columns", metavar="NAMES", help="columns, separated by commas, or `all` (see docs/sweeps.md)"
    )
    parser.add_argument(
        "--sort", default="number", metavar="NAME", help="the column to sort by; --sort=-NAME for falling order"
    )
    parser.add_argument("--limit", type=positive, metavar="N", help="at most so many rows")
    parser.add_argument("--table", choices=TABLE_FORMS, default="text", metavar="FORM", help=", ".join(TABLE_FORMS))
    parser.add_argument("--count", action="store_true", help="only how many rows there are")
    parser.add_argument("-o", "--output", metavar="FILE", help="write a .csv or .parquet file instead")
    add_formulas(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print rows, or write them."""
    from algdim.sweeping.querying import PLAIN, query, write_parquet

    suffix = "" if arguments.output is None else Path(arguments.output).suffix.lower()
    if arguments.output is not None and suffix not in SUFFIXES:
        raise InputError(f"-o {arguments.output}: a file that ends in {' or '.join(SUFFIXES)} is expected")
    columns = None
    if arguments.columns is not None:
        columns = list(PLAIN) if arguments.columns == "all" else [n.strip() for n in arguments.columns.split(",")]
    grid = query(
        arguments.store,
        where=arguments.where,
        columns=columns,
        sort=arguments.sort,
        limit=arguments.limit,
        lemmas=arguments.json,
    )
    if arguments.count:
        print_json({"count": len(grid.rows)}) if arguments.json else print(len(grid.rows))
    elif suffix == ".parquet":
        with whole_file(arguments.output) as path:
            write_parquet(grid, path)
    elif suffix:
        write_text(arguments.output, grid.csv(formulas=arguments.formulas) + "\n")
    elif arguments.json:
        print_json([row_dict(grid.columns, row) for row in grid.rows])
    else:
        print(rendered(grid, arguments.table, arguments))
    return 0


def row_dict(columns: Sequence[str], row: Sequence[Cell]) -> dict[str, Any]:
    """A row for machines, with the lemmas beside the status."""
    cells = dict(zip(columns, row, strict=True))
    lemmas = {"lemmas": list(cells["status"].lemmas)} if "status" in cells else {}
    return {**{column: cell.value for column, cell in cells.items()}, **lemmas}
