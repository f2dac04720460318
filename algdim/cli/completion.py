"""The command completion: what lets a shell complete commands, options and files.

The script that is printed has all words in it, so that no Python starts when a key is pressed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any

from algdim.cli.options import add_command


def add_completion(commands: Any) -> None:
    """The command completion."""
    example = (
        'eval "$(algdim completion bash)"              # in ~/.bashrc\n'
        '  eval "$(algdim completion zsh)"               # in ~/.zshrc, after compinit\n'
        "  algdim completion fish > ~/.config/fish/completions/algdim.fish"
    )
    parser = add_command(commands, "completion", run, "commands and options for the completion of a shell", example)
    parser.add_argument("shell", choices=tuple(SHELLS), metavar="SHELL", help="bash, zsh or fish")
    parser.set_defaults(commands=commands)


def run(arguments: argparse.Namespace) -> int:
    """Print the script of a shell."""
    print(SHELLS[arguments.shell](collect_words(arguments.commands)), end="")
    return 0


def collect_words(commands: Any) -> dict[str, tuple[str, ...]]:
    """The options of each command, long ones, as its parser has them."""
    return {
        name: tuple(word for action in parser._actions for word in action.option_strings if word.startswith("--"))  # noqa: SLF001  # argparse has no other way
        for name, parser in commands.choices.items()
    }


def collect_helps(commands: Any) -> dict[str, str]:
    """What each command does, in the words of its parser."""
    return {one.dest: one.help or "" for one in commands._choices_actions}  # noqa: SLF001  # argparse has no other way


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
