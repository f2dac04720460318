"""The command line: results to standard output, diagnostics to standard error.

Exit codes: 0; 1 a check that failed; 2 input that cannot be read or is wrong; 3 refused because of a limit.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
from collections.abc import Callable
from typing import Any

from algdim.about import VERSION
from algdim.errors import AlgdimError, InputError, LimitError
from algdim.memory import memory_size

FAILED_CHECK = 1
INTERRUPTED = 130

MODEL_HELP = "a model: notation such as '3:2,2,2,2' or 'A -> C <- H -> B; hidden H', a name that `algdim models` lists, or a .json or .toml file"


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a sign that the terminal lacks is no reason to fail
    parser = build_parser()
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        parser.print_help()
        return InputError.exit_code
    if arguments.threads is not None:
        set_threads(arguments.threads)
    run: Callable[[argparse.Namespace], int] = arguments.run
    try:
        return run(arguments)
    except AlgdimError as error:
        print(f"algdim: {printable(str(error))}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("algdim: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader has gone, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # a full disk, a folder that may not be written
        print(f"algdim: {error}", file=sys.stderr)
        return InputError.exit_code
    except MemoryError:
        print("algdim: out of memory; give a smaller --max-memory to be told before", file=sys.stderr)
        return LimitError.exit_code


def printable(text: str) -> str:
    """A message without control characters, which a file could use to write to the terminal."""
    return "".join(sign if sign.isprintable() or sign == "\n" else repr(sign)[1:-1] for sign in text)


def build_parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    parser = argparse.ArgumentParser(
        prog="algdim",
        description="The exact effective dimension of statistical models with hidden variables.",
        epilog="Every command has --help with an example.",
    )
    parser.add_argument("--version", action="version", version=f"algdim {VERSION}")
    parser.set_defaults(threads=None)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    add_dim(commands)
    add_bounds(commands)
    add_decompose(commands)
    add_map(commands)
    add_explain(commands)
    add_constraints(commands)
    add_prove(commands)
    add_verify(commands)
    add_models(commands)
    add_reproduce(commands)
    add_table(commands)
    return parser


def add_command(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int], help_text: str, example: str
) -> argparse.ArgumentParser:
    """Add a command with the options that all have."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help_text,
        description=help_text[0].upper() + help_text[1:] + ".",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    parser.add_argument("--json", action="store_true", help="print JSON for machines")
    parser.add_argument("--threads", type=positive, metavar="N", help="threads of the linear algebra (default: all)")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    return parser


def positive(text: str) -> int:
    """A positive integer of the command line."""
    if not re.fullmatch(r"[1-9][0-9]{0,5}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 999999")
    return int(text)


def seed_option(text: str) -> int | str:
    """A seed: an integer, or `random` to draw one from the system."""
    if text == "random":
        from algdim.exact.draws import drawn_seed

        return drawn_seed(text)
    if not re.fullmatch(r"-?[0-9]{1,100}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is neither an integer nor the word random")
    return int(text)


def memory_option(text: str) -> int:
    """A size such as 500M, 4G or a number of bytes."""
    try:
        return memory_size(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def set_threads(count: int) -> None:
    """Bound the threads of BLAS; works because numpy is not imported yet."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(count)


def print_json(value: Any) -> None:
    """Print one JSON document; a count of cells may have more digits than Python prints unless told to."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        print(json.dumps(value, ensure_ascii=False, indent=1))
    finally:
        sys.set_int_max_str_digits(limit)


def show(found: Any, *, as_json: bool) -> int:
    """Print a record for people or for machines."""
    if as_json:
        print_json(found.to_dict())
    else:
        print(found)
    return 0


def add_dim(commands: Any) -> None:
    """The command dim."""
    example = "algdim dim 3:2,2,2,2\n  algdim dim 'A -> C <- H -> D <- B; hidden H' --method rowreduce --show"
    parser = add_command(commands, "dim", run_dim, "the effective dimension of a model, and why", example)
    parser.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    parser.add_argument(
        "--method", default="auto", metavar="NAME", help="auto, table, probes, rational, rowreduce, symbolic or float"
    )
    parser.add_argument(
        "--bounds",
        default="auto",
        metavar="NAMES",
        help="auto (all, the default), no-proof (as --no-proof), or bounds to try, separated by commas: counting, ambient, pairwise, containing, flattenings, koszul, "
        "binary-items, nested, minors, symmetry, settimi-smith, defective, symbolic, kruskal, trees, districts, chance",
    )
    parser.add_argument(
        "--no-proof",
        action="store_true",
        help="skip the search for a proof: only counting, ambient, pairwise, districts and chance",
    )
    parser.add_argument(
        "--seed", type=seed_option, default=0, metavar="S", help="seed of all random choices (default 0), or `random`"
    )
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


def run_dim(arguments: argparse.Namespace) -> int:
    """Print a report."""
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
    if arguments.json:
        shown = {"reduced": matrix_document(*first_matrix(report, arguments.max_memory))} if arguments.show else {}
        print_json({**report.to_dict(), **shown})
        return 0
    print(report)
    if arguments.show:
        print(shown_matrix(*first_matrix(report, arguments.max_memory)))
    return 0


def first_matrix(report: Any, max_memory: int | None) -> tuple[tuple[str, ...], Any]:
    """The parameters and the reduced matrix of the first point."""
    from algdim.maps.anymap import map_of
    from algdim.models.pruning import without_irrelevant
    from algdim.rank import reduced_first

    pmap = map_of(without_irrelevant(report.model)[0], report.model)
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


def add_seed_and_memory(parser: argparse.ArgumentParser) -> None:
    """The options of what takes ranks."""
    parser.add_argument(
        "--seed", type=seed_option, default=0, metavar="S", help="seed of all random choices (default 0), or `random`"
    )
    parser.add_argument("--max-memory", type=memory_option, metavar="SIZE", help="refuse what needs more, e.g. 4G")


def add_bounds(commands: Any) -> None:
    """The command bounds."""
    example = "algdim bounds 3:2,2,2,2\n  algdim bounds 9:4,2,2 --json"
    help_text = "the bounds ds, dc, dp and db of a latent class model, whether it is regular, and what is identifiable"
    parser = add_command(commands, "bounds", run_bounds, help_text, example)
    parser.add_argument("model", metavar="MODEL", help="a latent class model: notation such as '3:2,2,2,2', or a file")
    parser.add_argument("--no-rank", action="store_true", help="only what needs no rank: leave identifiability out")
    add_seed_and_memory(parser)


def run_bounds(arguments: argparse.Namespace) -> int:
    """Print KZ02's bounds."""
    from algdim.identifiability.latentclasses import bounds

    found = bounds(arguments.model, rank=not arguments.no_rank, seed=arguments.seed, max_memory=arguments.max_memory)
    return show(found, as_json=arguments.json)


def add_decompose(commands: Any) -> None:
    """The command decompose."""
    help_text = "a latent tree reduced and cut into latent class models, with every step"
    parser = add_command(commands, "decompose", run_decompose, help_text, "algdim decompose '5(2,3(2,2),3(2,2))'")
    parser.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    add_seed_and_memory(parser)


def run_decompose(arguments: argparse.Namespace) -> int:
    """Print a proof tree."""
    from algdim.explanation.decomposing import decompose

    found = decompose(arguments.model, seed=arguments.seed, max_memory=arguments.max_memory)
    return show(found, as_json=arguments.json)


def add_map(commands: Any) -> None:
    """The command map."""
    parser = add_command(
        commands, "map", run_map, "the parameterisation of a small model, written out", "algdim map 2:2,2 --jacobian"
    )
    parser.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    parser.add_argument("--jacobian", action="store_true", help="the symbolic Jacobian instead of the map")
    parser.add_argument("--latex", action="store_true", help="LaTeX instead of plain text")


def run_map(arguments: argparse.Namespace) -> int:
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
        if printed.treks:
            document["treks"] = {
                name: [term.to_dict() for term in terms]
                for name, terms in zip(printed.coordinates, printed.treks, strict=True)
            }
        if arguments.jacobian:
            document["jacobian"] = [[plain(value) for value in row] for row in printed.jacobian]
        print_json(document)
    elif arguments.jacobian:
        print(printed.jacobian_latex() if arguments.latex else printed.jacobian_text())
    else:
        print(printed.latex() if arguments.latex else printed)
    return 0


def add_explain(commands: Any) -> None:
    """The command explain."""
    help_text = "a model and its dimension step by step: parameters, map, what a rank proves, derivation"
    parser = add_command(commands, "explain", run_explain, help_text, "algdim explain 2:2,2")
    parser.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    add_seed_and_memory(parser)


def run_explain(arguments: argparse.Namespace) -> int:
    """Print an explanation."""
    from algdim.explanation.explaining import explain

    found = explain(arguments.model, seed=arguments.seed, max_memory=arguments.max_memory)
    return show(found, as_json=arguments.json)


def add_constraints(commands: Any) -> None:
    """The command constraints."""
    example = "algdim constraints 'gaussian: H -> X1, X2, X3, X4; hidden H'\n  algdim constraints verma --latex"
    help_text = "the equations that a model implies: tetrads and larger minors, independences, flattenings, Verma's"
    parser = add_command(commands, "constraints", run_constraints, help_text, example)
    parser.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    parser.add_argument("--latex", action="store_true", help="all equations in LaTeX instead of plain text")
    parser.add_argument("--all", action="store_true", help="print all equations, not the first ones of each kind")
    parser.add_argument(
        "--size", type=positive, default=4, metavar="N", help="minors with up to N rows (Gaussian models; default 4)"
    )
    parser.add_argument(
        "--seed", type=seed_option, default=0, metavar="S", help="seed of the point (default 0), or `random`"
    )


def run_constraints(arguments: argparse.Namespace) -> int:
    """Print equations."""
    from algdim.explanation.constraints import constraints

    found = constraints(arguments.model, size=arguments.size, seed=arguments.seed)
    if arguments.json:
        print_json(found.to_dict())
    elif arguments.latex:
        print(found.latex())
    else:
        print("\n".join(found.lines(None)) if arguments.all else found)
    return 0


def add_prove(commands: Any) -> None:
    """The command prove."""
    example = "algdim prove 3:2,2,2,2 -o 3-2222.json\n  algdim verify 3-2222.json"
    parser = add_command(commands, "prove", run_prove, "a certificate of the dimension, for others to check", example)
    parser.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write (default: standard output)")
    parser.add_argument(
        "--seed", type=seed_option, default=0, metavar="S", help="seed of all random choices (default 0), or `random`"
    )
    parser.add_argument("--max-memory", type=memory_option, metavar="SIZE", help="refuse what needs more, e.g. 4G")


def run_prove(arguments: argparse.Namespace) -> int:
    """Write a certificate, or say why there is none."""
    from algdim.certificate.exporting import prove

    certificate = prove(arguments.model, seed=arguments.seed, max_memory=arguments.max_memory)
    if arguments.output is None:
        print(certificate.text, end="")
        return 0
    try:
        certificate.save(arguments.output)
    except OSError as error:
        raise InputError(f"{arguments.output} cannot be written: {error.strerror}; name another file") from None
    if arguments.json:
        print_json({"file": arguments.output, "claim": certificate.data["claim"]})
    elif not arguments.quiet:
        print(certificate)
    return 0


def add_verify(commands: Any) -> None:
    """The command verify."""
    example = "algdim verify proofs/certificates/*.json\n  python3 -I -S proofs/check.py FILE   checks the same without algdim"
    parser = add_command(commands, "verify", run_verify, "check certificates: exit 0, 1 invalid, 2 unreadable", example)
    parser.add_argument("files", nargs="+", metavar="FILE", help="a certificate that `algdim prove` wrote")


def run_verify(arguments: argparse.Namespace) -> int:
    """Check certificates; the exit code is the worst."""
    from algdim.certificate.verifying import verify_file

    results = [(file, verify_file(file)) for file in arguments.files]
    if arguments.json:
        print_json([{"file": file, "verdict": result.word, "reason": result.reason} for file, result in results])
    else:
        for file, result in results:
            print(f"{file}: {result}")
    return max(result.code for _, result in results)


def add_models(commands: Any) -> None:
    """The command models."""
    parser = add_command(
        commands, "models", run_models, "the catalogue of named models", "algdim models w\n  algdim models verma"
    )
    parser.add_argument("name", nargs="?", metavar="WORD", help="only models with this word in name, title or citation")


def run_models(arguments: argparse.Namespace) -> int:
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


def add_reproduce(commands: Any) -> None:
    """The command reproduce."""
    parser = add_command(
        commands, "reproduce", run_reproduce, "the papers' numbers, recomputed, with verdicts", "algdim reproduce KZ02"
    )
    parser.add_argument("papers", nargs="*", metavar="PAPER", help="GHM96, HM97, KZ02, CH96, MH97 (default: all)")
    parser.add_argument(
        "--seed", type=seed_option, default=0, metavar="S", help="seed of all random choices (default 0)"
    )


def run_reproduce(arguments: argparse.Namespace) -> int:
    """Judge the claims; a verdict that differs from the recorded one is a failed check."""
    from algdim.claims.judging import render, run, to_dict
    from algdim.claims.reading import claims, papers

    known = papers()
    for name in arguments.papers:
        if name not in known:
            raise InputError(f"there is no paper {name!r}; known are {', '.join(known)}")
    wanted = [claim for name in arguments.papers or known for claim in claims(name)]
    verdicts = []
    for number, verdict in enumerate(run(wanted, offers=("probes",), seed=arguments.seed), 1):
        verdicts.append(verdict)
        if not arguments.quiet and sys.stderr.isatty():
            print(
                f"\r{number}/{len(wanted)} {verdict.claim.id:<40}",
                end="\r" if number < len(wanted) else "\n",
                file=sys.stderr,
            )
    if arguments.json:
        print_json([to_dict(verdict) for verdict in verdicts])
    else:
        print(render(verdicts))
    return FAILED_CHECK if any(verdict.decided and not verdict.agrees for verdict in verdicts) else 0


def add_table(commands: Any) -> None:
    """The command table."""
    example = "algdim table kocka-zhang-1 --latex"
    parser = add_command(commands, "table", run_table, "a table of the literature, computed", example)
    parser.add_argument("name", metavar="NAME", help="kocka-zhang-1")
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument(
        "--latex", action="store_const", dest="form", const="latex", help="LaTeX, for the package booktabs"
    )
    forms.add_argument("--markdown", action="store_const", dest="form", const="markdown", help="Markdown")
    forms.add_argument(
        "--csv", action="store_const", dest="form", const="csv", help="comma-separated values, nothing bold"
    )
    parser.add_argument(
        "--seed", type=seed_option, default=0, metavar="S", help="seed of all random choices (default 0)"
    )


def run_table(arguments: argparse.Namespace) -> int:
    """Print a table in the form asked for."""
    from algdim.tables.named import table

    if arguments.json and arguments.form is not None:
        raise InputError(f"--json and --{arguments.form} are two forms; give one of them")
    grid = table(arguments.name, seed=arguments.seed)
    if arguments.json:
        print_json(grid.to_dict())
        return 0
    forms = {None: grid.text, "latex": grid.latex, "markdown": grid.markdown, "csv": grid.csv}
    print(forms[arguments.form]())
    return 0


if __name__ == "__main__":
    sys.exit(main())
