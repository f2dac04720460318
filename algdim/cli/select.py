"""The command select: candidates scored on data, and the one that is best."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algdim.cli.options import add_command, add_items, add_seed_and_memory, data_as_asked, print_or_write, show
from algdim.cli.score import add_prior
from algdim.cli.table import TABLE_FORMS
from algdim.errors import InputError, listed
from algdim.wholefiles import whole_file, write_text

if TYPE_CHECKING:
    from algdim.selection.choosing import Selection


def add(commands: Any) -> None:
    """The command select."""
    example = (
        "algdim select data.csv --classes 1..8 --by bic+ -o best.json\n"
        "  algdim select data.csv --tree '2(2,2(2,2),2(2,2))' --by cs+ --score bic,cs,cs+ --plot scores.svg"
    )
    help_text = "choose a model for data: every score of every candidate, weights, the best one"
    parser = add_command(commands, "select", run, help_text, example)
    parser.add_argument("data", metavar="DATA", help="a .csv or .parquet file, maybe with a column `count`")
    add_items(parser)
    parser.add_argument("--classes", metavar="A..B", help="latent class models with so many classes, as 1..8")
    parser.add_argument("--tree", metavar="MODEL", help="climb over the hidden states of this tree, from 2 each")
    parser.add_argument(
        "--structures",
        action="append",
        default=[],
        metavar="F1,F2,…",
        help="model files, or one model; may be repeated",
    )
    parser.add_argument(
        "--rival", action="store_true", help="also the best network without hidden variables, by greedy search"
    )
    parser.add_argument(
        "--class",
        dest="label",
        metavar="NAME",
        help="naive Bayes classifiers of this column, inputs chosen by the score",
    )
    parser.add_argument("--by", default="cs+", metavar="NAME", help="the score that decides (default cs+)")
    parser.add_argument("--score", default="all", metavar="NAMES", help="all (default), or names separated by commas")
    add_prior(parser)
    parser.add_argument(
        "--tolerance",
        type=float,
        default=0.1,
        metavar="T",
        help="of candidates of equal dimension within T of the best the smallest is chosen (default 0.1)",
    )
    parser.add_argument("--missing", action="store_true", help="entries may be missing")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the best model here, as a model file (.json)")
    parser.add_argument(
        "--fit", metavar="FILE", help="write the fit of the best model here (.json), as `--at` takes it"
    )
    parser.add_argument(
        "--plot", metavar="FILE", help="draw every score against the candidates (.svg; .pdf and .png with matplotlib)"
    )
    parser.add_argument(
        "--table", choices=TABLE_FORMS, metavar="FORM", help=f"print a table for a paper: {', '.join(TABLE_FORMS)}"
    )
    add_seed_and_memory(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the table, and write what was asked for."""
    from algdim.models.modelfile import to_dict
    from algdim.plots.figures import FORMS
    from algdim.selection.choosing import select

    if arguments.plot is not None and Path(arguments.plot).suffix.lower()[1:] not in {"svg", *FORMS}:
        raise InputError(
            f"--plot {arguments.plot}: a file ending in .svg, or in {listed(FORMS)} with matplotlib, is expected"
        )
    if arguments.table is not None and arguments.json:
        raise InputError("--table and --json are two forms; give one of them")
    found = select(
        data_as_asked(arguments),
        classes=arguments.classes,
        tree=arguments.tree,
        structures=[model for text in arguments.structures for model in model_list(text)],
        rival=arguments.rival,
        label=arguments.label,
        by=arguments.by,
        score=arguments.score,
        alpha=arguments.alpha,
        ess=arguments.ess,
        tolerance=arguments.tolerance,
        missing=arguments.missing,
        seed=arguments.seed,
        max_memory=arguments.max_memory,
        progress=arguments.progress.say,
    )
    arguments.progress.wipe()
    if arguments.output is not None:
        write_json(arguments.output, to_dict(found.best.fit.model))
    if arguments.fit is not None:
        write_json(arguments.fit, found.best.fit.to_dict())
    if arguments.plot is not None:
        write_plot(arguments.plot, found)
    if arguments.table is not None:
        return print_or_write(getattr(found.table(), arguments.table)(), None)
    return show(found, arguments)


def write_plot(target: str, found: Selection) -> None:
    """A file of the form that its suffix says."""
    form = Path(target).suffix.lower()[1:]
    if form == "svg":
        write_text(target, found.plot())
        return
    with whole_file(target) as path:
        found.figure().savefig(path, format=form)


def model_list(text: str) -> list[str]:
    """The models of one option: files separated by commas, or one notation, which has commas itself.

    >>> model_list("a.json,b.toml"), model_list("2:2,2,2")
    (['a.json', 'b.toml'], ['2:2,2,2'])
    """
    from algdim.readers.files import suffix_of

    pieces = text.split(",")
    return pieces if all(suffix_of(piece) for piece in pieces) else [text]


def write_json(path: str, value: dict[str, Any]) -> None:
    """Write one JSON document."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")
