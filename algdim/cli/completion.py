"""The command completion: what lets a shell complete commands, options and files.

The script that is printed has all words in it, so that no Python starts when a key is pressed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from algdim.cli.options import Command, Option, collect_words


def run(arguments: argparse.Namespace) -> int:
    """Print the script of a shell."""
    from algdim.cli import COMMANDS, load_command

    print(SHELLS[arguments.shell]({name: collect_words(load_command(name)) for name in COMMANDS}), end="")
    return 0


def write_bash(words: Mapping[str, tuple[str, ...]]) -> str:
    """For bash: the first word is a command, words with a dash are its options, all others files."""
    cases = "\n".join(f'    {name}) words="{" ".join(options)}" ;;' for name, options in words.items())
    return f"""_algdim() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{" ".join(words)} --help --version" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}}
complete -o filenames -F _algdim algdim
"""


def write_zsh(words: Mapping[str, tuple[str, ...]]) -> str:
    """For zsh, in the same way."""
    cases = "\n".join(f"    {name}) options=({' '.join(options)}) ;;" for name, options in words.items())
    return f"""_algdim() {{
  local -a options
  if (( CURRENT == 2 )); then
    compadd -- {" ".join(words)} --help --version
    return
  fi
  case $words[2] in
{cases}
  esac
  if [[ $PREFIX == -* ]]; then compadd -- $options; else _files; fi
}}
compdef _algdim algdim
"""


def write_fish(words: Mapping[str, tuple[str, ...]]) -> str:
    """For fish: one line for each command and for each of its options."""
    lines = [f"complete -c algdim -n __fish_use_subcommand -f -a {name}" for name in words]
    lines += [
        f"complete -c algdim -n '__fish_seen_subcommand_from {name}' -l {option.removeprefix('--')}"
        for name, options in words.items()
        for option in options
    ]
    return "\n".join([*lines, ""])


SHELLS: Mapping[str, Callable[[Mapping[str, tuple[str, ...]]], str]] = {
    "bash": write_bash,
    "zsh": write_zsh,
    "fish": write_fish,
}
"""What makes the script of each shell."""

COMMANDS: Mapping[str, Command] = {
    "completion": Command(
        run,
        "commands and options for the completion of a shell",
        'eval "$(algdim completion bash)"              # in ~/.bashrc\n  eval "$(algdim completion zsh)"               # in ~/.zshrc, after compinit\n  algdim completion fish > ~/.config/fish/completions/algdim.fish',
        Option("shell", "SHELL", "bash, zsh or fish", choices=tuple(SHELLS)),
        is_document=True,
    )
}
