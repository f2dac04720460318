"""The commands about one model: models, map, rowreduce, explain, constraints, identify, export."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from algdim.cli.options import (
    ITEMS,
    LIMITS,
    MEMORY,
    MODEL,
    Command,
    Flag,
    OneOf,
    Option,
    list_forms,
    make_seconds_option,
    make_seed_option,
    parse_positive,
    print_json,
    print_or_write,
    read_data,
    show,
    with_seed,
)
from algdim.cli.printing import is_in_colour, print_text, tell
from algdim.errors import InputError, describe_closest_word
from algdim.memory import ALLOW_MORE, check_memory


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
    from algdim.readers.anything import read_model

    found = reduce_at_points(
        map_of(read_model(arguments.model)),
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


PAGE_MEMORY = 20_000_000
"""What formulas and pictures take beside the matrices, on a page of a small model."""


def run_explain(arguments: argparse.Namespace) -> int:
    """Print an explanation, or write it to a file."""
    from algdim.explanation.explaining import draw_picture, explain

    if arguments.json and arguments.output:
        raise InputError("--json goes to standard output; leave -o out")
    if arguments.svg:
        return print_or_write(draw_picture(arguments.model, arguments.svg, seed=arguments.seed), arguments.output)
    if arguments.form == "html":
        check_memory(PAGE_MEMORY, arguments.max_memory, "a page has formulas and pictures", ALLOW_MORE)
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


def run_export(arguments: argparse.Namespace) -> int:
    """Print the text."""
    from algdim.writers import export

    text = export(arguments.model, arguments.to)
    if arguments.json:
        print_json({"format": arguments.to, "text": text})
    else:
        print(text, end="")
    return 0


COMMANDS: Mapping[str, Command] = {
    "models": Command(
        run_models,
        "the catalogue of named models",
        "algdim models w\n  algdim models verma",
        Option("name", "WORD", "only models with this word in name, title or citation", nargs="?"),
    ),
    "map": Command(
        run_map,
        "the parametrisation of a small model",
        "algdim map 2:2,2 --jacobian",
        *MODEL,
        Flag("--jacobian", "the symbolic Jacobian instead of the map"),
        Flag("--expand", "expand the coordinates (default: factored form)"),
        Flag("--latex", "LaTeX instead of plain text"),
        doing="writing out the coordinates",
    ),
    "rowreduce": Command(
        run_rowreduce,
        "the Jacobian reduced at random points, exactly or modulo a prime: ranks, pivots, matrices",
        "algdim rowreduce w-structure\n  algdim rowreduce 2:2,2 --prime 101 --points 3 --show",
        *MODEL,
        Option("--points", "N", "number of points (default 10)", type=parse_positive, default=10),
        Option("--prime", "P", "compute modulo this prime (default: over ℚ)", type=parse_prime),
        Option("--point", "FILE", "reduce at the parameters in this .json or .toml file instead of random points"),
        Flag("--show", "also print the first point, the Jacobian there, and the reduced matrix"),
        make_seed_option(),
        MEMORY,
        doing="reducing the matrices",
    ),
    "explain": Command(
        run_explain,
        "a model and its dimension step by step: drawing, map, matrix, bounds, equations, redundant parameters",
        "algdim explain 2:2,2\n  algdim explain 3:2,2,2,2 --html -o page.html\n  algdim explain 3:2,2,2,2 --svg network",
        *MODEL,
        OneOf(
            *list_forms(FORMS),
            Option(
                "--svg", "NAME", f"one picture as SVG: {', '.join(PICTURES)} (see docs/teaching.md)", choices=PICTURES
            ),
        ),
        Option("-o --output", "FILE", "the file to write (default: standard output)"),
        *LIMITS,
        doing="explaining the model",
    ),
    "constraints": Command(
        run_constraints,
        "the equations that a model implies: tetrads and larger minors, independences, flattenings, Verma's",
        "algdim constraints 'gaussian: H -> X1, X2, X3, X4; hidden H'\n  algdim constraints verma --latex",
        *MODEL,
        Flag("--latex", "all equations in LaTeX instead of plain text"),
        Flag("--all", "print all equations, not only the first of each kind"),
        Option("--size", "N", "minors with up to N rows (Gaussian models; default 4)", type=parse_positive, default=4),
        Option("--data", "DATA", "test each equation on this .csv or .parquet file, with corrected p-values"),
        *ITEMS,
        make_seed_option("the point"),
        MEMORY,
        make_seconds_option(),
        doing="lists of equations",
    ),
    "identify": Command(
        run_identify,
        "which parameters are identified, what to fix, degrees of freedom",
        "algdim identify 'gaussian: F -> X1, X2, X3; hidden F'\n  algdim identify 2:2,2 --json",
        *MODEL,
        Option("--at", "FILE", "also give verdicts at the parameters in this .json or .toml file"),
        Option("--data", "DATA", "name the cells of a discrete model that do not occur in this .csv or .parquet file"),
        *ITEMS,
        *LIMITS,
        doing="the kernel of the Jacobian",
    ),
    "export": Command(
        run_export,
        "write a model as a program or file for Macaulay2, Singular, Mathematica, Maple, Julia, sympy, lavaan, dagitty, BIF or JSON",
        "algdim export 3:2,2,2,2 --to macaulay2 > model.m2\n  algdim export model.lav --to dagitty",
        *MODEL,
        Option(
            "--to",
            "NAME",
            "macaulay2, singular, mathematica, maple, julia, sympy, lavaan, dagitty, bif or json",
            required=True,
        ),
        doing="writing out the coordinates",
        is_document=True,
    ),
}
