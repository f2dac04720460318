"""Every example in README.md and docs/ is executed, and shows what really comes out.

A fence says what its block is. `python` blocks are interpreter sessions with ``>>>``, or programs that print nothing
and check themselves with ``assert``; `console` blocks are lines
``$ algdim …``, each followed by what the terminal shows, whole: nothing stands for what is left out, and a ``…`` is one
that was printed. ``> file`` sends standard output to a file. A command that does not end with 0 shows it as ``[exit 2]``. A document's blocks share names and folder, and `examples/`, `proofs/` are reached as from the project's
folder. Blocks that cannot be executed must say so by one of the words in ``NOT_RUN``.
"""

from __future__ import annotations

import doctest
import io
import re
import shlex
import traceback
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest
from packages import ROOT
from rounding import Checker, is_alike

DOCUMENTS = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])

NOT_RUN = frozenset("text sh json toml csv bibtex mermaid".split())
FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}|~{3,}) *(?P<word>\S*)[^`]*$")


class Block(NamedTuple):
    """One fenced block: the word on the fence, the text, the line it starts on."""

    word: str
    text: str
    line: int


def blocks_of(text):
    """Return the fenced blocks of a document, and raise if the last one is not closed."""
    blocks, opened, start, body = [], None, 0, []
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if opened is None:
            if fence:
                opened, start, body = fence, number, []
        elif fence and not fence["word"] and fence["ticks"].startswith(opened["ticks"]):
            blocks.append(Block(opened["word"], "".join(f"{row}\n" for row in body), start))
            opened = None
        else:
            body.append(line.removeprefix(opened["indent"]))
    if opened is not None:
        raise ValueError(f"line {start}: the block is not closed")
    return blocks


def matches(wanted, got):
    """Compare, but for blanks at the ends of lines and for rounding.

    >>> matches("a \\nb", "a\\nb\\n"), matches("a\\n…", "a\\nb"), matches("a…", "ab")
    (True, False, False)
    """
    return is_alike(*("\n".join(line.rstrip() for line in text.rstrip().splitlines()) for text in (wanted, got)))


def program_failures(block, names, place):
    """Run a program and yield a text if it raises, prints, or checks nothing."""
    out = io.StringIO()
    try:
        program = compile("\n" * block.line + block.text, place, "exec")
        with redirect_stdout(out):
            exec(program, names)
    except Exception:  # noqa: BLE001  # whatever goes wrong in an example is reported
        yield f"{place}: {traceback.format_exc()}"
        return
    if not re.search(r"^ *assert ", block.text, re.MULTILINE):
        yield f"{place}: a python block without >>> and without assert; show what comes out, or choose one of {sorted(NOT_RUN)}"
    if out.getvalue():
        yield f"{place}: a python block without >>> prints {out.getvalue()!r}; write it with >>>"


def session_failures(block, names, place):
    """Run an interpreter session and yield a text if anything differs."""
    test = doctest.DocTestParser().get_doctest(block.text, names, place, place, block.line)
    if not test.examples:
        yield from program_failures(block, names, place)
        return
    test.globs = names  # shared by the blocks of a document; get_doctest made a copy
    told = io.StringIO()
    doctest.DocTestRunner(Checker(), verbose=False).run(test, out=told.write, clear_globs=False)
    if told.getvalue():
        yield told.getvalue()


def commands_in(text):
    """Split a console block into pairs of a command and what follows it; output before a command has none."""
    pairs = []
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command = command[:-1] + next(lines, "")
            pairs.append((command, []))
        elif pairs:
            pairs[-1][1].append(line)
        elif line.strip():
            pairs.append((None, [line]))
    return [(command, "\n".join(output)) for command, output in pairs]


def run_command(main, words):
    """Return standard output, and standard error with the exit code if it is not 0."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as end:
            code = end.code
    code = 0 if code is None else code
    return out.getvalue(), err.getvalue() + (f"[exit {code}]\n" if code else "")


def console_failures(block, main, place):
    """Run the commands of a console block and yield a text for each that shows something else."""
    pairs = commands_in(block.text)
    if not pairs:
        yield f"{place}: a console block without a command"
    for command, wanted in pairs:
        words = shlex.split(command) if command is not None else []
        if words[:1] != ["algdim"] or {"|", "&&", ";"} & set(words):
            yield f"{place}: only lines `$ algdim …` can be run here, not {command or wanted!r}; use a sh or text block"
            continue
        target = None
        if len(words) > 2 and words[-2] == ">":
            target, words = words[-1], words[:-2]
        out, err = run_command(main, words[1:])
        if target is not None:
            Path(target).write_text(out, encoding="utf-8")
            out = ""
        if not matches(wanted, out + err):
            yield f"{place}: $ {command}\nwanted:\n{wanted}\ngot:\n{out}{err}"


def failures_in(text, name, main=None):
    """Run every block of a document and return what went wrong, as texts."""
    failures, names = [], {"__name__": "__main__"}
    for block in blocks_of(text):
        place = f"{name}:{block.line}"
        if block.word == "python":
            failures += session_failures(block, names, place)
        elif block.word == "console":
            if main is None:
                from algdim.cli import main
            failures += console_failures(block, main, place)
        elif block.word not in NOT_RUN:
            failures.append(f"{place}: ```{block.word} is not known; use python, console or one of {sorted(NOT_RUN)}")
    return failures


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_examples_show_what_comes_out(document, tmp_path, monkeypatch):
    """Each example of the document gives exactly what stands below it."""
    for folder in ("examples", "proofs"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS")  # as it is printed where there is no terminal
    failures = failures_in(document.read_text(encoding="utf-8"), document.name)

    assert not failures, "\n".join(failures)


def echo(words):
    """Stand in for the command line: repeat the words, complain about `bad`, leave by `exit`."""
    if words == ["exit"]:
        raise SystemExit(3)
    if words == ["bad"]:
        import sys

        print("it is bad", file=sys.stderr)
        return 2
    print(*words, sep="\n")
    return 0


RIGHT = {
    "a session": "```python\n>>> 1 + 1\n2\n```\n",
    "a session that prints …": "```python\n>>> print('a … b')\na … b\n```\n",
    "names are kept": "```python\n>>> a = 1\n```\ntext\n```python\n>>> a\n1\n```\n",
    "a program": "```python\na = 1\nassert a == 1\n```\n```python\n>>> a\n1\n```\n",
    "an exception": "```python\n>>> 1 / 0\nTraceback (most recent call last):\nZeroDivisionError: division by zero\n```\n",
    "a command": "```console\n$ algdim a 'b c'\na\nb c\n$ algdim d\nd\n```\n",
    "a command over two lines": "```console\n$ algdim a \\\n  b\na\nb\n```\n",
    "a command that prints …": "```console\n$ algdim a … d\na\n…\nd\n```\n",
    "a failing command": "```console\n$ algdim bad\nit is bad\n[exit 2]\n```\n",
    "a command that leaves": "```console\n$ algdim exit\n[exit 3]\n```\n",
    "a file": "```console\n$ algdim a > out.txt\n```\n```python\n>>> __import__('pathlib').Path('out.txt').read_text()\n'a\\n'\n```\n",
    "an indented block": "- so\n  ```console\n  $ algdim a\n  a\n  ```\n",
    "a block that is not run": "```text\n$ anything\n```\n",
    "no block": "only `words`\n",
}

WRONG = {
    "a session": "```python\n>>> 1 + 1\n3\n```\n",
    "a session that says nothing": "```python\n>>> 1 + 1\n```\n",
    "a session that raises": "```python\n>>> 1 / 0\n```\n",
    "the second of two": "```python\n>>> 1\n1\n```\n```python\n>>> 1\n2\n```\n",
    "a later block": "```text\n```\n```python\n>>> 1\n2\n```\n",
    "a program that checks nothing": "```python\nx = 1\n```\n",
    "a program that prints": "```python\nassert True\nprint(1)\n```\n",
    "a program that fails": "```python\nassert 1 == 2\n```\n",
    "a program that is none": "```python\nassert (\n```\n",
    "a command": "```console\n$ algdim a\nb\n```\n",
    "a command that says more": "```console\n$ algdim a b\na\n```\n",
    "a command that says less": "```console\n$ algdim a\na\nb\n```\n",
    "a command without its output": "```console\n$ algdim a\n```\n",
    "the second command": "```console\n$ algdim a\na\n$ algdim b\na\n```\n",
    "a failure that is not shown": "```console\n$ algdim bad\nit is bad\n```\n",
    "… for a line": "```console\n$ algdim a b c\na\n…\nc\n```\n",
    "… for words": "```python\n>>> print('after 0.3 s')\nafter … s\n```\n",
    "another program": "```console\n$ make test\n```\n",
    "a pipe": "```console\n$ algdim a | sort\na\n```\n",
    "output without a command": "```console\na\n```\n",
    "an empty console block": "```console\n```\n",
    "an unknown word": "```pycon\n>>> 1\n2\n```\n",
    "no word": "```\n>>> 1\n2\n```\n",
}


@pytest.mark.parametrize("example", RIGHT)
def test_right_examples_pass(example, tmp_path, monkeypatch):
    """An example that shows what comes out gives no failure."""
    monkeypatch.chdir(tmp_path)

    assert [] == failures_in(RIGHT[example], "here", echo)


@pytest.mark.parametrize("example", WRONG)
def test_wrong_examples_fail(example, tmp_path, monkeypatch):
    """An example that shows anything else, or that would not be run, gives exactly one failure."""
    monkeypatch.chdir(tmp_path)

    assert 1 == len(failures_in(WRONG[example], "here", echo))


def test_an_open_block_is_an_error():
    """A block that is never closed is not taken for text."""
    with pytest.raises(ValueError, match="line 2: the block is not closed"):
        blocks_of("text\n```python\n>>> 1\n2\n")
