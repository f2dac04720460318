"""The commands about a dimension: dim, bounds, compare, decompose, prove, verify."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from algdim.cli.options import (
    FORMAT,
    FROM_INPUT,
    LIMITS,
    MEMORY,
    MODEL,
    MODEL_HELP,
    Command,
    Flag,
    OneOf,
    Option,
    add_file_name,
    format_heading,
    make_seconds_option,
    make_seed_option,
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
    "common-tables": "equations of tables in common, and of chains in time",
    "flattenings": "equations: independences, matrices of bounded rank",
    "koszul": "equations from larger matrices, of three groups",
    "binary-items": "a theorem on latent classes with binary items",
    "grids": "minors of inner tables that vanish on grids",
    "determinants": "equations from determinants of slices that are products",
    "margins": "a margin, and equations of what it leaves open",
    "differences": "one slice of a table, and the differences of the others",
    "supermodels": "symmetries of models that contain this one",
    "parts": "parts of a model that shows more: hidden variables, slices",
    "fewer-states": "a model with fewer states, from which ranks grow by equal steps",
    "normal-form": "elimination where mixing and weights make parameters constant",
    "surroundings": "symmetries around more hidden variables, by better local bounds",
    "symmetric-items": "a theorem on latent classes whose items have one table",
    "double-points": "latent classes: products of forms that vanish at points",
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
    answer = answer._replace(report=report)
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
        import shlex

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
    from algdim.display.document import format_matrix

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


def run_bounds(arguments: argparse.Namespace) -> int:
    """Print KZ02's bounds."""
    from algdim.families.discrete.boundsreport import bounds

    found = bounds(arguments.model, rank=not arguments.no_rank, seed=arguments.seed, max_memory=arguments.max_memory)
    return show(found, arguments, arguments.file)


def run_compare(arguments: argparse.Namespace) -> int:
    """Print a comparison."""
    from algdim.explanation.comparing import compare

    found = compare(arguments.first, arguments.second, seed=arguments.seed, max_memory=arguments.max_memory)
    return show(found, arguments)


def run_decompose(arguments: argparse.Namespace) -> int:
    """Print a proof tree."""
    from algdim.explanation.decomposing import decompose

    order = None if arguments.order is None else parse_names([arguments.order])
    found = decompose(
        arguments.model, seed=arguments.seed, max_memory=arguments.max_memory, order=order, at=arguments.at
    )
    return show(found, arguments, arguments.file)


def run_prove(arguments: argparse.Namespace) -> int:
    """Write a certificate, or say why there is none."""
    from algdim.certificate.exporting import prove

    certificate = prove(arguments.model, bounds=arguments.bounds, seed=arguments.seed, max_memory=arguments.max_memory)
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


COMMANDS: Mapping[str, Command] = {
    "dim": Command(
        run_dim,
        "the effective dimension of a model, and why",
        "algdim dim 3:2,2,2,2\n  algdim dim 'A -> C <- H -> D <- B; hidden H' --method rowreduce --show" + WORDS,
        *MODEL,
        Option(
            "--method", "NAME", "auto, table, probes, products, rational, rowreduce, symbolic or float", default="auto"
        ),
        Option(
            "--bounds",
            "NAMES",
            "auto (all, the default), no-proof (as --no-proof), or bounds to try, separated by commas; `algdim dim --bounds help` lists them",
            default="auto",
            action=BoundsOption,
        ),
        Flag(
            "--no-proof",
            "skip the search for a proof: only counting, ambient, mechanisms, pairwise, kruskal, trees, districts and chance",
        ),
        make_seed_option(),
        Option(
            "--at",
            "FILE",
            "also give the rank at the parameters in this .json or .toml file, and whether they are regular",
        ),
        MEMORY,
        make_seconds_option(),
        OneOf(
            Flag("--brief", "the answer in one line"),
            Flag("-v --verbose", "also lemmas, facts, points and primes, from which everything can be computed again"),
        ),
        Flag("--show", "with --method rowreduce: print the reduced matrix of the first point, pivots in brackets"),
        doing="the model, its map and its bounds",
    ),
    "bounds": Command(
        run_bounds,
        "the bounds ds, dc, dp and db of a latent class model, regularity and identifiability",
        "algdim bounds 3:2,2,2,2\n  algdim bounds 9:4,2,2 --json",
        Option("model", "MODEL", "a latent class model: notation such as '3:2,2,2,2', or a file"),
        *FORMAT,
        Flag("--no-rank", "skip identifiability, which may need a rank"),
        *LIMITS,
        doing="the bounds of the latent class model",
    ),
    "compare": Command(
        run_compare,
        "whether one of two models is nested in the other",
        "algdim compare 2:2,2,2,2 3:2,2,2,2\n  algdim compare 'A -> B -> C' 'C -> A -> B' --json",
        Option("first", "MODEL1", MODEL_HELP),
        Option("second", "MODEL2", "another model of the same observed variables"),
        *FORMAT,
        *LIMITS,
        doing="both models, and maps between them",
    ),
    "decompose": Command(
        run_decompose,
        "decompose a latent tree into latent class models, or a classifier into blocks, step by step",
        "algdim decompose '5(2,3(2,2),3(2,2))'\n  algdim decompose 'classifier Y: Y -> X1, X2' --order X2,X1",
        *MODEL,
        Option("--order", "NAMES", "the inputs of a classifier in the order of its blocks"),
        Option("--at", "FILE", "parameters of a classifier at which every step is evaluated"),
        *LIMITS,
        doing="the parts of the model",
    ),
    "prove": Command(
        run_prove,
        "a certificate of the dimension, for others to check",
        "algdim prove 3:2,2,2,2 -o 3-2222.json\n  algdim verify 3-2222.json",
        *MODEL,
        Option(
            "--bounds",
            "NAMES",
            "auto (all, the default), or bounds to try, separated by commas; `algdim dim --bounds help` lists them",
            default="auto",
            action=BoundsOption,
        ),
        Option("-o --output", "FILE", "the file to write (default: standard output)"),
        *LIMITS,
        doing="writing and checking the evidence",
        is_document=True,
    ),
    "verify": Command(
        run_verify,
        "verify certificates (exit code 0 valid, 1 invalid, 2 unreadable)",
        "algdim verify proofs/certificates/*.json\n  python3 -I -S proofs/check.py FILE   checks the same without algdim",
        Flag("--verified", "let Coq check them: needs Coq and `make coq`, see proofs/coq"),
        Option("files", "FILE", "a certificate that `algdim prove` wrote; - reads standard input", nargs="+"),
        doing="checking certificates",
    ),
}
