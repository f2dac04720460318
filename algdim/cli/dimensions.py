"""The commands about a dimension: dim, bounds, compare, decompose, prove, verify."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from algdim.cli.options import (
    FROM_INPUT,
    MODEL_HELP,
    add_command,
    add_file_name,
    add_format,
    add_memory,
    add_model,
    add_seconds,
    add_seed,
    add_seed_and_memory,
    format_heading,
    parse_names,
    print_json,
    read_input_bytes,
    show,
    with_seed,
)
from algdim.cli.printing import is_terminal, print_text
from algdim.errors import InputError

WORDS = """

what is printed:
  dimension   in how many independent directions the parameters can move the
              observed distribution: the generic rank of the Jacobian
  proved      the lower bound and the upper bound are theorems, and meet
  probable    the dimension could be greater, with the probability printed
  parameters  free parameters (`standard` in JSON)
  saturated   dimension of the saturated model (`complete` in JSON)
  expected    the smaller of the two, printed where the dimension is less
  df          degrees of freedom: saturated - dimension; counting parameters
              gives saturated - parameters"""


BOUNDS: Mapping[str, str] = {
    "counting": "the number of parameters",
    "ambient": "the dimension of the saturated model, less structural zeros",
    "mechanisms": "effects of mechanisms: the products that their parameters enter",
    "pairwise": "latent classes: two groups of items, a matrix of bounded rank",
    "equal-cells": "distinct cells, where items are exchangeable",
    "equal-states": "distinct cells, where all variables can exchange states",
    "span": "mixtures: the linear space that contains all distributions",
    "one-interaction": "log-linear models: hidden variables are summed out",
    "class-tables": "classifiers: parameters of tables, and a rank for the others",
    "containing": "the parameters of a model that contains this one",
    "flattenings": "equations: independences, matrices of bounded rank",
    "koszul": "equations from larger matrices, of three groups",
    "binary-items": "a theorem on latent classes with binary items",
    "grids": "minors of inner tables that vanish on grids",
    "supermodels": "symmetries of models that contain this one",
    "symmetric-items": "a theorem on latent classes whose items have one table",
    "nested": "the parameters of the nested Markov model",
    "minors": "Gaussian models: vanishing minors of the covariance matrix",
    "half-trek": "Gaussian models, nothing latent: the half-trek criterion",
    "units": "discrete and Gaussian variables: scales and origins of factors",
    "shifts": "sums: parameters that can be moved between summands",
    "symmetry": "directions of the parameters in which nothing observed changes",
    "settimi-smith": "two items, or trees of binary variables: a formula",
    "defective": "families of latent class models known to be defective",
    "symbolic": "elimination over the polynomials; tiny models",
    "linear-map": "classifiers: the rank of a linear map",
    "kruskal": "a lower bound: large latent class models are identified",
    "trees": "a latent tree decomposes into latent class models",
    "districts": "the model decomposes into districts, whose dimensions add",
    "chance": "no greater rank at further points: never a proof",
}
"""What each bound is, for `--bounds help`."""


class BoundsOption(argparse.Action):
    """The option --bounds, whose value `help` prints what there is and ends the command."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, *_: Any) -> None:
        """Keep the value, or print."""
        if values == "help":
            wide = max(map(len, BOUNDS))
            print(*(f"{name:{wide}}  {words}" for name, words in BOUNDS.items()), sep="\n")
            parser.exit()
        setattr(namespace, self.dest, values)


def add_dim(commands: Any) -> None:
    """The command dim."""
    example = "algdim dim 3:2,2,2,2\n  algdim dim 'A -> C <- H -> D <- B; hidden H' --method rowreduce --show" + WORDS
    parser = add_command(commands, "dim", run_dim, "the effective dimension of a model, and why", example)
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
        action=BoundsOption,
        help="auto (all, the default), no-proof (as --no-proof), or bounds to try, separated by commas; `algdim dim --bounds help` lists them",
    )
    parser.add_argument(
        "--no-proof",
        action="store_true",
        help="skip the search for a proof: only counting, ambient, mechanisms, pairwise, kruskal, trees, districts and chance",
    )
    add_seed(parser)
    parser.add_argument(
        "--at",
        metavar="FILE",
        help="also give the rank at the parameters in this .json or .toml file, and whether they are regular",
    )
    add_memory(parser)
    add_seconds(parser)
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--brief", action="store_true", help="the answer in one line")
    forms.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="also lemmas, facts, points and primes, from which everything can be computed again",
    )
    parser.add_argument(
        "--show",
        action="store_true",
        help="with --method rowreduce: print the reduced matrix of the first point, pivots in brackets",
    )


MOST_SHOWN = 24
"""A longer model is not written into a command that is proposed."""


def run_dim(arguments: argparse.Namespace) -> int:
    """Print a report."""
    from algdim.identifiability.answers import answer_dimension
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
    known = len(arguments.allowance.untried)
    answer = answer_dimension(report, arguments.max_memory, looks_for_lost=arguments.method == "auto")
    report = replace(report, untried=(*report.untried, *arguments.allowance.since(known)))
    answer = replace(answer, report=report)
    arguments.progress.finish()
    if arguments.json:
        shown = (
            {"reduced": describe_matrix(*compute_first_matrix(report, arguments.max_memory))} if arguments.show else {}
        )
        print_json(add_file_name({**report.to_dict(), **answer.to_dict(), **shown}, arguments.file))
        return 0
    if arguments.brief:
        line = f"{format_heading(arguments.file)}{answer.brief}"
        print_text(line) if is_terminal(sys.stdout) else print(line)
        return 0
    print_text(f"{format_heading(arguments.file)}{answer.text(verbose=arguments.verbose)}")
    if is_terminal(sys.stdout) and isinstance(arguments.model, str) and len(arguments.model) <= MOST_SHOWN:
        print_text(f"\n  algdim explain {shlex.quote(arguments.model)} --html -o page.html   shows each step")
    if arguments.show:
        print_text(render_matrix(*compute_first_matrix(report, arguments.max_memory)))
    return 0


def compute_first_matrix(report: Any, max_memory: int | None) -> tuple[tuple[str, ...], Any]:
    """The parameters and the reduced matrix of the first point."""
    from algdim.rank import reduce_first_jacobian

    pmap = report.preparation.relevant_map
    return pmap.parameters, reduce_first_jacobian(pmap, report.seed, max_memory)


def render_matrix(parameters: tuple[str, ...], reduced: Any) -> str:
    """The reduced matrix as RowReduce shows it."""
    from algdim.explanation.printing import format_matrix

    columns = ", ".join(parameters[column] for _, column in reduced.pivots)
    size = f"{len(reduced.matrix)} × {len(parameters)}"
    heading = f"\nreduced row echelon form at the first point: {size}, pivots at {columns}"
    return f"{heading}\n{format_matrix(reduced.matrix, reduced.pivots)}"


def describe_matrix(parameters: tuple[str, ...], reduced: Any) -> dict[str, Any]:
    """The reduced matrix for machines: entries as text, so that fractions are exact; pivots as row and column."""
    return {
        "parameters": parameters,
        "matrix": [[str(value) for value in row] for row in reduced.matrix],
        "pivots": reduced.pivots,
    }


def add_bounds(commands: Any) -> None:
    """The command bounds."""
    example = "algdim bounds 3:2,2,2,2\n  algdim bounds 9:4,2,2 --json"
    help_text = "the bounds ds, dc, dp and db of a latent class model, regularity and identifiability"
    parser = add_command(commands, "bounds", run_bounds, help_text, example)
    add_model(parser, "a latent class model: notation such as '3:2,2,2,2', or a file")
    parser.add_argument("--no-rank", action="store_true", help="skip identifiability, which may need a rank")
    add_seed_and_memory(parser)
    add_seconds(parser)


def run_bounds(arguments: argparse.Namespace) -> int:
    """Print KZ02's bounds."""
    from algdim.families.discrete.boundsreport import bounds

    found = bounds(arguments.model, rank=not arguments.no_rank, seed=arguments.seed, max_memory=arguments.max_memory)
    return show(found, arguments, arguments.file)


def add_compare(commands: Any) -> None:
    """The command compare."""
    example = "algdim compare 2:2,2,2,2 3:2,2,2,2\n  algdim compare 'A -> B -> C' 'C -> A -> B' --json"
    parser = add_command(commands, "compare", run_compare, "whether one of two models is nested in the other", example)
    parser.add_argument("first", metavar="MODEL1", help=MODEL_HELP)
    parser.add_argument("second", metavar="MODEL2", help="another model of the same observed variables")
    add_format(parser)
    add_seed_and_memory(parser)
    add_seconds(parser)


def run_compare(arguments: argparse.Namespace) -> int:
    """Print a comparison."""
    from algdim.explanation.comparing import compare

    found = compare(arguments.first, arguments.second, seed=arguments.seed, max_memory=arguments.max_memory)
    return show(found, arguments)


def add_decompose(commands: Any) -> None:
    """The command decompose."""
    help_text = "decompose a latent tree into latent class models, or a classifier into blocks, step by step"
    example = "algdim decompose '5(2,3(2,2),3(2,2))'\n  algdim decompose 'classifier Y: Y -> X1, X2' --order X2,X1"
    parser = add_command(commands, "decompose", run_decompose, help_text, example)
    add_model(parser)
    parser.add_argument("--order", metavar="NAMES", help="the inputs of a classifier in the order of its blocks")
    parser.add_argument("--at", metavar="FILE", help="parameters of a classifier at which every step is evaluated")
    add_seed_and_memory(parser)
    add_seconds(parser)


def run_decompose(arguments: argparse.Namespace) -> int:
    """Print a proof tree."""
    from algdim.explanation.decomposing import decompose

    order = None if arguments.order is None else parse_names([arguments.order])
    found = decompose(
        arguments.model, seed=arguments.seed, max_memory=arguments.max_memory, order=order, at=arguments.at
    )
    return show(found, arguments, arguments.file)


def add_prove(commands: Any) -> None:
    """The command prove."""
    example = "algdim prove 3:2,2,2,2 -o 3-2222.json\n  algdim verify 3-2222.json"
    parser = add_command(commands, "prove", run_prove, "a certificate of the dimension, for others to check", example)
    add_model(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write (default: standard output)")
    add_seed_and_memory(parser)
    add_seconds(parser)


def run_prove(arguments: argparse.Namespace) -> int:
    """Write a certificate, or say why there is none."""
    from algdim.certificate.exporting import prove

    certificate = prove(arguments.model, seed=arguments.seed, max_memory=arguments.max_memory)
    arguments.progress.finish()
    if arguments.output is None:
        print(certificate.text, end="")
        return 0
    certificate.save(arguments.output)
    if arguments.json:
        print_json(with_seed({"file": arguments.output, "claim": certificate.data["claim"]}, arguments))
    elif not arguments.quiet:
        print_text(certificate)
    return 0


def add_verify(commands: Any) -> None:
    """The command verify."""
    example = "algdim verify proofs/certificates/*.json\n  python3 -I -S proofs/check.py FILE   checks the same without algdim"
    parser = add_command(
        commands, "verify", run_verify, "verify certificates (exit code 0 valid, 1 invalid, 2 unreadable)", example
    )
    parser.add_argument(
        "--verified", action="store_true", help="let Coq check them: needs Coq and `make coq`, see proofs/coq"
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a certificate that `algdim prove` wrote; - reads standard input"
    )


def verify_input() -> Any:
    """Check the certificate that standard input has."""
    from algdim.certificate.verifying import verify

    return verify(read_input_bytes())


def run_verify(arguments: argparse.Namespace) -> int:
    """Check certificates; the exit code is the worst."""
    if arguments.verified:
        from algdim.certificate.verifying import verify_by_coq as verify_file
    else:
        from algdim.certificate.verifying import verify_file

    if arguments.files.count(FROM_INPUT) > 1:
        raise InputError("'-' stands for standard input, which can be read once")
    results = [(file, verify_input() if file == FROM_INPUT else verify_file(file)) for file in arguments.files]
    if arguments.json:
        print_json([{"file": file, **result.to_dict()} for file, result in results])
    else:
        for file, result in results:
            print_text(f"{file}: {result}")
    return max(result.code for _, result in results)
