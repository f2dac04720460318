"""The command studio: a page in the browser on which models are drawn."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from urllib.parse import quote

from algdim.cli.options import (
    FORMAT,
    MODEL_HELP,
    Command,
    Flag,
    Option,
    print_json,
)


def parse_port(text: str) -> int:
    """A port of the command line."""
    if not text.isascii() or not text.isdigit() or len(text) > 5 or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no port; a number from 0 to 65535 is allowed")
    return int(text)


def run_studio(arguments: argparse.Namespace) -> int:
    """Serve the page until somebody ends it."""
    from algdim.studio.serving import HOST, bind_port, build_app, check_installed, make_server, make_token

    check_installed()
    fragment = ""
    if arguments.model is not None:
        from algdim.models.notation import to_text
        from algdim.readers.anything import read_model

        fragment = f"#text={quote(to_text(read_model(arguments.model)))}"
    listening, token = bind_port(arguments.port), make_token()
    port = listening.getsockname()[1]
    address = f"http://{HOST}:{port}/{token}/{fragment}"
    if arguments.json:
        print_json({"address": address, "port": port})
    else:
        print(f"{address}\nOnly this machine can open it. Ctrl-C ends the studio; the page keeps what you drew.")
    sys.stdout.flush()
    arguments.progress.finish()
    if not arguments.no_browser:
        import webbrowser

        webbrowser.open_new_tab(address)
    try:
        make_server(build_app(token, port)).run(sockets=[listening])
    except KeyboardInterrupt:  # that is how it ends
        return 0
    return 0


COMMANDS: Mapping[str, Command] = {
    "studio": Command(
        run_studio,
        "draw a model in the browser and see its dimension while you draw",
        "algdim studio\n  algdim studio w-structure --port 9000",
        Option("model", "MODEL", MODEL_HELP, nargs="?"),
        *FORMAT,
        Option(
            "--port",
            "N",
            "the port on this machine (default: the first free one from 8741 on; 0: any)",
            type=parse_port,
        ),
        Flag("--no-browser", "print the address and open nothing"),
        doing="starting the studio",
    )
}
