"""The command verify: check certificates."""

from __future__ import annotations

import argparse
from typing import Any

from algdim.cli.options import add_command, print_json


def add(commands: Any) -> None:
    """The command verify."""
    example = "algdim verify proofs/certificates/*.json\n  python3 -I -S proofs/check.py FILE   checks the same without algdim"
    parser = add_command(commands, "verify", run, "check certificates: exit 0, 1 invalid, 2 unreadable", example)
    parser.add_argument(
        "--verified", action="store_true", help="let Coq check them: needs Coq and `make coq`, see proofs/coq"
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a certificate that `algdim prove` wrote")


def run(arguments: argparse.Namespace) -> int:
    """Check certificates; the exit code is the worst."""
    if arguments.verified:
        from algdim.certificate.verified import verify_by_coq as verify_file
    else:
        from algdim.certificate.verifying import verify_file

    results = [(file, verify_file(file)) for file in arguments.files]
    if arguments.json:
        print_json([{"file": file, **result.to_dict()} for file, result in results])
    else:
        for file, result in results:
            print(f"{file}: {result}")
    return max(result.code for _, result in results)
