"""The command dim: the effective dimension."""

from __future__ import annotations

import argparse
from typing import Any

from algdim.cli.options import add_command, add_model, add_seed, memory_option, named, named_document, print_json
from algdim.errors import InputError

WORDS = """

what is printed:
  dimension   how many independent numbers the model can adjust
  proved      at least and at most so many are theorems, and meet
  probable    the dimension could be greater, with the chance that is given
  standard    the number of parameters
  complete    the dimension of everything that could be observed
  defect      the smaller of standard and complete, less the dimension
degrees of freedom: complete - dimension (`algdim identify` prints them)"""


def add(commands: Any) -> None:
    """The command dim."""
    example = "algdim dim 3:2,2,2,2\n  algdim dim 'A -> C <- H -> D <- B; hidden H' --method rowreduce --show" + WORDS
    parser = add_command(commands, "dim", run, "the effective dimension of a model, and why", example)
    add_model(parser)
    parser.add_argument(
        "--method",
        default="auto",
        metavar="NAME",
        help="auto, table, probes, products, rational, rowreduce, symbolic or float",
    )
    parser.add_argument(
        "--bounds",
        default="auto",
        metavar="NAMES",
        help="auto (all, the default), no-proof (as --no-proof), or bounds to try, separated by commas: counting, ambient, mechanisms, pairwise, containing, flattenings, koszul, "
        "binary-items, nested, minors, half-trek, shifts, symmetry, settimi-smith, defective, symbolic, linear-map, class-tables, kruskal, trees, districts, chance",
    )
    parser.add_argument(
        "--no-proof",
        action="store_true",
        help="skip the search for a proof: only counting, ambient, mechanisms, pairwise, districts and chance",
    )
    add_seed(parser)
    parser.add_argument(
        "--at",
        metavar="FILE",
        help="also the rank at the parameters in this .json or .toml file, and whether they are regular",
    )
    parser.add_argument(
        "--max-memory",
        type=memory_option,
        metavar="SIZE",
        help="refuse what needs more, e.g. 4G (default: half of the machine's)",
    )
    parser.add_argument(
        "--show",
        action="store_true",
        help="with --method rowreduce: print the reduced matrix of the first point, pivots in brackets",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a report."""
    from algdim.identifiability.rowspaces import lost_of
    from algdim.report import dimension

    if arguments.show and arguments.method != "rowreduce":
        raise InputError(f"--show prints the reduced matrix of --method rowreduce, not of {arguments.method}")
    if arguments.no_proof and arguments.bounds != "auto":
        raise InputError("--no-proof and --bounds contradict each other; give one of them")
    report = dimension(
        arguments.model,
        method=arguments.method,
        bounds="no-proof" if arguments.no_proof else arguments.bounds,
        seed=arguments.seed,
        at=arguments.at,
        max_memory=arguments.max_memory,
    )
    if arguments.show and report.parts:
        raise InputError("--show prints the matrix of the whole model; leave districts out of --bounds")
    # the methods that are there for comparison show what they find and no more
    lost = lost_of(report, arguments.max_memory) if arguments.method == "auto" else None
    if arguments.json:
        shown = {"reduced": matrix_document(*first_matrix(report, arguments.max_memory))} if arguments.show else {}
        in_lost = {"lost": lost and lost.names, "lost_trust": lost and lost.trust.to_dict()}
        print_json(named_document({**report.to_dict(), **in_lost, **shown}, arguments.file))
        return 0
    print(f"{named(arguments.file)}{report.text(*([str(lost)] if lost else []))}")
    if arguments.show:
        print(shown_matrix(*first_matrix(report, arguments.max_memory)))
    return 0


def first_matrix(report: Any, max_memory: int | None) -> tuple[tuple[str, ...], Any]:
    """The parameters and the reduced matrix of the first point."""
    from algdim.rank import reduced_first

    pmap = report.prepared.relevant_map
    return pmap.parameters, reduced_first(pmap, report.seed, max_memory)


def shown_matrix(parameters: tuple[str, ...], reduced: Any) -> str:
    """The reduced matrix as RowReduce shows it."""
    from algdim.explanation.printing import matrix_text

    columns = ", ".join(parameters[column] for _, column in reduced.pivots)
    size = f"{len(reduced.matrix)} × {len(parameters)}"
    heading = f"\nreduced row echelon form at the first point: {size}, pivots at {columns}"
    return f"{heading}\n{matrix_text(reduced.matrix, reduced.pivots)}"


def matrix_document(parameters: tuple[str, ...], reduced: Any) -> dict[str, Any]:
    """The reduced matrix for machines: entries as text, so that fractions are exact; pivots as row and column."""
    return {
        "parameters": parameters,
        "matrix": [[str(value) for value in row] for row in reduced.matrix],
        "pivots": reduced.pivots,
    }
