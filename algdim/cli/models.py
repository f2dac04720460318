"""The commands about one model: models, map, rowreduce, explain, constraints, identify, export."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from algdim.cli.options import (
    add_command,
    add_items,
    add_memory,
    add_model,
    add_seconds,
    add_seed,
    add_seed_and_memory,
    parse_positive,
    print_json,
    print_or_write,
    read_data,
    show,
    with_seed,
)
from algdim.cli.printing import is_in_colour, print_text, tell
from algdim.errors import InputError, describe_closest_word


def add_models(commands: Any) -> None:
    """The command models."""
    parser = add_command(
        commands, "models", run_models, "the catalogue of named models", "algdim models w\n  algdim models verma"
    )
    parser.add_argument("name", nargs="?", metavar="WORD", help="only models with this word in name, title or citation")


def run_models(arguments: argparse.Namespace) -> int:
    """Print the catalogue."""
    from algdim.models.catalogue import list_catalogue_entries

    word = (arguments.name or "").lower()
    found = [
        entry for entry in list_catalogue_entries() if word in f"{entry.name} {entry.title} {entry.citation}".lower()
    ]
    if not found:
        close = describe_closest_word(word, [entry.name for entry in list_catalogue_entries()])
        raise InputError(
            f"the name, title and citation of no model contain {arguments.name!r}{close}; `algdim models` lists all"
        )
    if arguments.json:
        fields = ("name", "title", "notation", "citation", "remark")
        print_json([{field: getattr(entry, field) for field in fields} for entry in found])
        return 0
    width = max(len(entry.name) for entry in found)
    for entry in found:
        print_text(f"{entry.name.ljust(width)}  {entry.title} [{entry.citation}]")
        print_text(f"{' ' * width}  {entry.notation}")
    return 0


def add_map(commands: Any) -> None:
    """The command map."""
    parser = add_command(
        commands, "map", run_map, "the parametrisation of a small model", "algdim map 2:2,2 --jacobian"
    )
    add_model(parser)
    parser.add_argument("--jacobian", action="store_true", help="the symbolic Jacobian instead of the map")
    parser.add_argument("--expand", action="store_true", help="expand the coordinates (default: factored form)")
    parser.add_argument("--latex", action="store_true", help="LaTeX instead of plain text")


def run_map(arguments: argparse.Namespace) -> int:
    """Print a map or its Jacobian."""
    from algdim.explanation.parametrizing import parametrization
    from algdim.explanation.printing import format_expression

    found = parametrization(arguments.model)
    if arguments.expand:
        if arguments.jacobian:
            raise InputError("--expand is about the coordinates, whose derivatives stay in factored form; leave it out")
        found = found.expand()
    if arguments.json:
        document = found.to_dict()
        if arguments.jacobian:
            document["jacobian"] = [[format_expression(value) for value in row] for row in found.printed.jacobian]
        print_json(document)
    elif arguments.jacobian:
        print(found.jacobian_latex()) if arguments.latex else print_text(found.jacobian_text())
    else:
        print(found.latex()) if arguments.latex else print_text(found)
    return 0


def add_rowreduce(commands: Any) -> None:
    """The command rowreduce."""
    help_text = "the Jacobian reduced at random points, exactly or modulo a prime: ranks, pivots, matrices"
    example = "algdim rowreduce w-structure\n  algdim rowreduce 2:2,2 --prime 101 --points 3 --show"
    parser = add_command(commands, "rowreduce", run_rowreduce, help_text, example)
    add_model(parser)
    parser.add_argument("--points", type=parse_positive, default=10, metavar="N", help="number of points (default 10)")
    parser.add_argument("--prime", type=parse_prime, metavar="P", help="compute modulo this prime (default: over ℚ)")
    parser.add_argument(
        "--point", metavar="FILE", help="reduce at the parameters in this .json or .toml file instead of random points"
    )
    parser.add_argument(
        "--show", action="store_true", help="also print the first point, the Jacobian there, and the reduced matrix"
    )
    add_seed_and_memory(parser)


def parse_prime(text: str) -> int:
    """A prime of the command line; whether it is one, the work sees."""
    if not text.isascii() or not text.isdigit() or len(text) > MOST_DIGITS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a prime")
    return int(text)


MOST_DIGITS = 20


def run_rowreduce(arguments: argparse.Namespace) -> int:
    """Print ranks and matrices."""
    from algdim.explanation.parametrizing import RATIONAL, reduce_at_points
    from algdim.maps import map_of
    from algdim.readers.anything import model

    found = reduce_at_points(
        map_of(model(arguments.model)),
        arguments.points,
        RATIONAL if arguments.prime is None else arguments.prime,
        arguments.seed,
        at=arguments.point,
        max_memory=arguments.max_memory,
    )
    arguments.progress.finish()
    if arguments.json:
        print_json(with_seed(found.to_dict(), arguments))
        return 0
    print_text("\n".join(found.lines()))
    if arguments.show:
        print(f"\n{found.matrices()}")  # rows of a matrix are not folded
    return 0


FORMS = {
    "markdown": "Markdown",
    "latex": "a LaTeX document",
    "html": "a page that stands by itself, without network",
}
PICTURES = ("network", "jacobian", "derivation", "fibre", "states")


def add_explain(commands: Any) -> None:
    """The command explain."""
    help_text = "a model and its dimension step by step: drawing, map, matrix, bounds, equations, redundant parameters"
    example = (
        "algdim explain 2:2,2\n  algdim explain 3:2,2,2,2 --html -o page.html\n  algdim explain 3:2,2,2,2 --svg network"
    )
    parser = add_command(commands, "explain", run_explain, help_text, example)
    add_model(parser)
    forms = parser.add_mutually_exclusive_group()
    for form, words in FORMS.items():
        forms.add_argument(f"--{form}", action="store_const", dest="form", const=form, help=words)
    forms.add_argument(
        "--svg",
        choices=PICTURES,
        metavar="NAME",
        help=f"one picture as SVG: {', '.join(PICTURES)} (see docs/teaching.md)",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write (default: standard output)")
    add_seed_and_memory(parser)
    add_seconds(parser)


def run_explain(arguments: argparse.Namespace) -> int:
    """Print an explanation, or write it to a file."""
    from algdim.explanation.explaining import draw_picture, explain

    if arguments.json and (arguments.form or arguments.svg):
        raise InputError(f"--json and --{arguments.form or 'svg'} are two forms; give one of them")
    if arguments.json and arguments.output:
        raise InputError("--json goes to standard output; leave -o out")
    if arguments.svg:
        return print_or_write(draw_picture(arguments.model, arguments.svg, seed=arguments.seed), arguments.output)
    found = explain(arguments.model, seed=arguments.seed, max_memory=arguments.max_memory)
    arguments.progress.finish()
    if arguments.json:
        print_json(with_seed(found.to_dict(), arguments))
        return 0
    if arguments.form:
        return print_or_write(getattr(found, arguments.form)(), arguments.output)
    if arguments.output is not None:
        return print_or_write(found.text(), arguments.output)
    print_text(found.text(colour=is_in_colour(sys.stdout)))
    return 0


def add_constraints(commands: Any) -> None:
    """The command constraints."""
    example = "algdim constraints 'gaussian: H -> X1, X2, X3, X4; hidden H'\n  algdim constraints verma --latex"
    help_text = "the equations that a model implies: tetrads and larger minors, independences, flattenings, Verma's"
    parser = add_command(commands, "constraints", run_constraints, help_text, example)
    add_model(parser)
    parser.add_argument("--latex", action="store_true", help="all equations in LaTeX instead of plain text")
    parser.add_argument("--all", action="store_true", help="print all equations, not only the first of each kind")
    parser.add_argument(
        "--size",
        type=parse_positive,
        default=4,
        metavar="N",
        help="minors with up to N rows (Gaussian models; default 4)",
    )
    parser.add_argument(
        "--data", metavar="DATA", help="test each equation on this .csv or .parquet file, with corrected p-values"
    )
    add_items(parser)
    add_seed(parser, "the point")
    add_memory(parser)
    add_seconds(parser)


def run_constraints(arguments: argparse.Namespace) -> int:
    """Print equations."""
    from algdim.explanation.constraints import constraints

    found = constraints(arguments.model, size=arguments.size, data=read_data(arguments), seed=arguments.seed)
    arguments.progress.finish()
    for note in () if found.tests is None else found.tests.notes:
        tell(f"algdim: note: {note}")
    if arguments.json:
        print_json(with_seed(found.to_dict(), arguments))
    elif arguments.latex:
        print(found.latex())
    else:
        print_text("\n".join(found.lines(None)) if arguments.all else found)
    return 0


def add_identify(commands: Any) -> None:
    """The command identify."""
    example = "algdim identify 'gaussian: F -> X1, X2, X3; hidden F'\n  algdim identify 2:2,2 --json"
    parser = add_command(
        commands, "identify", run_identify, "which parameters are identified, what to fix, degrees of freedom", example
    )
    add_model(parser)
    parser.add_argument("--at", metavar="FILE", help="also give verdicts at the parameters in this .json or .toml file")
    parser.add_argument(
        "--data",
        metavar="DATA",
        help="name the cells of a discrete model that do not occur in this .csv or .parquet file",
    )
    add_items(parser)
    add_seed_and_memory(parser)
    add_seconds(parser)


def run_identify(arguments: argparse.Namespace) -> int:
    """Print what is determined."""
    from algdim.identifiability.identifying import identify

    data, model = read_data(arguments), arguments.model
    if data is not None:
        from algdim.fitting.problems import read_described_model

        data, model = read_described_model(data, model)
    for note in getattr(data, "notes", ()):
        tell(f"algdim: note: {note}")
    found = identify(
        model,
        at=arguments.at,
        data=data,
        seed=arguments.seed,
        max_memory=arguments.max_memory,
    )
    return show(found, arguments, arguments.file)


def add_export(commands: Any) -> None:
    """The command export."""
    example = "algdim export 3:2,2,2,2 --to macaulay2 > model.m2\n  algdim export model.lav --to dagitty"
    help_text = "write a model as a program or file for Macaulay2, Singular, Mathematica, Maple, Julia, sympy, lavaan, dagitty, BIF or JSON"
    parser = add_command(commands, "export", run_export, help_text, example)
    add_model(parser)
    parser.add_argument(
        "--to",
        required=True,
        metavar="NAME",
        help="macaulay2, singular, mathematica, maple, julia, sympy, lavaan, dagitty, bif or json",
    )


def run_export(arguments: argparse.Namespace) -> int:
    """Print the text."""
    from algdim.writers import export

    text = export(arguments.model, arguments.to)
    if arguments.json:
        print_json({"format": arguments.to, "text": text})
    else:
        print(text, end="")
    return 0
