"""The completion of shells: the words are those of the parsers, and each shell that is here offers them."""

import shutil
import subprocess

import pytest

from algdim.cli import build_parser, main
from algdim.cli.completion import SHELLS

NAMES = set(next(action for action in build_parser()._actions if action.dest == "command").choices)


def script_of(shell, capsys):
    """The script that the command prints."""
    assert 0 == main(["completion", shell])
    return capsys.readouterr().out


def started(shell, *arguments, **more):
    """What a shell says; skipped where it is not installed."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    return subprocess.run(
        [shell, *arguments], capture_output=True, text=True, check=True, timeout=30, **more, encoding="utf-8"
    ).stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_all_commands_and_options_are_there(shell, capsys):
    """What a parser knows, the script knows."""
    script = script_of(shell, capsys)

    for name in (*NAMES, "max-memory", "no-proof", "threads"):
        assert name in script


def test_bash_offers_commands_options_and_files(capsys, tmp_path):
    """At the first word, after a dash, and elsewhere."""
    (tmp_path / "model.json").touch()
    script = script_of("bash", capsys)

    def offered(*words):
        quoted = " ".join(f"'{word}'" for word in words)
        ask = f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _algdim; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        return set(started("bash", "-c", f"{script}\n{ask}", cwd=tmp_path).split())

    assert offered("algdim", "") >= NAMES
    assert {"dim"} == offered("algdim", "di")
    assert {"--max-memory", "--max-seconds", "--method"} == offered("algdim", "dim", "2:2,2", "--m")
    assert {"model.json"} == offered("algdim", "dim", "mo")


def test_fish_offers_commands_and_options(capsys, tmp_path):
    """As bash."""
    script = script_of("fish", capsys)
    home = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": str(tmp_path)}

    def offered(line):
        found = started("fish", "-c", f"{script}\ncomplete -C '{line}'", env=home)
        return {row.split("\t")[0] for row in found.splitlines()}

    assert offered("algdim ") >= NAMES
    assert {"--max-memory", "--max-seconds", "--method"} == offered("algdim dim --m")


def test_zsh_offers_commands_and_options(capsys, tmp_path):
    """As bash: the function is called with what zsh gives it, compadd prints what it is given."""
    script = script_of("zsh", capsys)

    def offered(*words):
        ask = f"""
compdef() {{ :; }}
compadd() {{ shift; print -l -- $@; }}
_files() {{ print -l files; }}
{script}
words=({" ".join(f"'{word}'" for word in words)}); CURRENT={len(words)}; PREFIX='{words[-1]}'
_algdim
"""
        return set(started("zsh", "-f", "-c", ask, cwd=tmp_path).split())

    assert offered("algdim", "") >= NAMES
    assert {"--max-memory", "--method"} <= offered("algdim", "dim", "--m")
    assert {"files"} == offered("algdim", "dim", "m")


def test_an_unknown_shell_is_refused(capsys):
    """With the known ones."""
    with pytest.raises(SystemExit):
        main(["completion", "tcsh"])

    assert "fish" in capsys.readouterr().err
