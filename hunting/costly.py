"""Breed short texts that cost time and memory, and rank them.

    python -m hunting.costly --count 20000 --seconds 3600 --seed 0      from the folder of the project

Each text is given to the command in a process of its own, a copy of one that has loaded everything. The system says how
much time of the processor and how much memory it took; what takes more than is allowed is ended. The costliest texts of
each family and command have children. All outcomes stand in `build/costly/SEED.jsonl`, one on a line; the same command
resumes stopped, and `--count 0` only ranks. `--again` runs the texts that were ended once more, with what a
command may take (the promise), and says which of them are a fault: they end without a word, in a traceback, or not at all.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import importlib
import json
import os
import random
import re
import resource
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from algdim.errors import AlgdimError, InputError
from hunting.short_texts import COMMANDS, FAMILIES, MODEL, STUDIO, Choices, bred, draw_sweep, draw_words

PROMISED_SECONDS, PROMISED_MEMORY = 120.0, 2 << 30
"""What no short text may need without saying what it does."""

SECONDS, MEMORY = 5.0, 1 << 30
"""What a text may need while others are waiting."""

ELDERS = 8
"""How many texts of a family and a command have children."""

REFUSAL = 0.3
"""What counts as many seconds of a family and a command as a text that it refuses: one that refuses all comes seldom."""

ROWS = 30

ASK, ANSWERED = signal.SIGUSR1, 0.3
"""The signal by which a process is asked what it does before it is ended, and the seconds that it has to answer."""

FRAMES = 12
"""So many functions are kept of its answer."""

FOR_FILES = (
    *(f"algdim.checking.{name}" for name in ("reading", "running")),
    *(f"algdim.fitting.{name}" for name in ("diagnostics", "estimator", "scoring", "simulating")),
    "algdim.scores.bootstrap",
    *(f"algdim.selection.{name}" for name in ("choosing", "searches")),
)
"""What commands load that are given files."""


@dataclass(frozen=True, slots=True)
class Run:
    """What became of one text."""

    number: int
    family: str
    command: str
    words: tuple[str, ...]
    choices: tuple[float, ...]
    seconds: float
    memory: int
    outcome: str
    """The exit code, or `time`, `memory`, `traceback`, `killed`."""
    said: str
    """The end of what stood on standard error."""
    where: str = ""
    """What it was doing when it was ended: functions, each called by the next."""

    @property
    def cost(self) -> float:
        """The greater of its parts of what is promised."""
        return max(self.seconds / PROMISED_SECONDS, self.memory / PROMISED_MEMORY)

    @property
    def ended(self) -> bool:
        """Whether it was not let to its end."""
        return self.outcome in ("time", "memory")


def load_everything() -> None:
    """Run small commands, so that copies of this process have nothing to load."""
    for module in FOR_FILES:  # before silence: what is missing is told
        importlib.import_module(module)
    from algdim.cli import main

    texts = (
        "2:2,2",
        "A -> X <- H -> Y; hidden H",
        "gaussian: H -> A, B; hidden H",
        "max: {A},{B} -> E",
        "poisson: {A} -> E",
    )
    texts += (
        "latent-profile: H -> X; hidden H",
        "loglinear: {A,H}, {B,H}; hidden H",
        "classifier Y: Y -> X",
        "sigmoid: A -> B",
    )
    texts += ("polynomial: parameters a; coordinates 1/a",)
    silence()
    for text in texts:
        for forms in COMMANDS.values():
            for form in forms:
                if form[0] != STUDIO and not any(" of " in word for word in form):
                    words = [text if word == MODEL else word for word in form]
                    try:
                        main([*words, "--quiet"])
                    except SystemExit:
                        continue
    main(["sweep", "lc cells<=8", "--list", "--quiet"])
    from algdim.studio.answering import FIRST, answer_question

    for question in FIRST:
        answer_question(question)
    gc.collect()
    gc.freeze()


def silence() -> None:
    """Let nothing be printed by this process and its copies, but by the stream that is kept for the list."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.close(null)


def read_model(text: str) -> Any:
    """A model in the notation, or in that of the other programs from which short texts come."""
    import algdim

    return algdim.model(text, format="macaulay2") if text.startswith("R = QQ") else algdim.model(text)


def write_data(text: str, path: Path) -> None:
    """Some rows for the observed variables of a model, always the same."""
    whole = read_model(text)
    known = getattr(whole, "variables", None) or getattr(getattr(whole, "network", whole), "variables", None)
    known = known or getattr(whole, "items", None)
    if known is None:
        raise InputError("formulas have no data")
    variables = [one for one in known if getattr(one, "observed", True)]
    source = random.Random(len(variables))
    columns = [one.name for one in variables]
    states = [getattr(one, "states", None) for one in variables]
    if hasattr(whole, "effect"):
        columns, states = [*columns, whole.effect], [*states, 0 if whole.family == "normal" else 9]
    labels = [getattr(one, "labels", None) for one in variables] + [None]
    with path.open("w", encoding="utf-8") as file:
        print(*columns, sep=",", file=file)
        for _ in range(ROWS):
            drawn = [source.randrange(one) if one else f"{source.gauss(0, 1):.3f}" for one in states]
            print(
                *(str(known[one]) if known else str(one) for one, known in zip(drawn, labels, strict=False)),
                sep=",",
                file=file,
            )


def write_claims(text: str, path: Path) -> None:
    """A table with one model."""
    import csv

    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("model", "dimension", "df"), (text, "7", "3")])


def write_point(text: str, path: Path) -> None:
    """Parameters: a fit that has hardly begun."""
    import algdim

    data = path.with_suffix(".csv")
    write_data(text, data)
    found = algdim.fit(data, read_model(text), starts=1, iterations=1)
    path.write_text(json.dumps(found.to_dict()), encoding="utf-8")


FILES = {"data": (write_data, ".csv"), "claims": (write_claims, ".csv"), "point": (write_point, ".json")}


def ask_studio(question: str, text: str) -> int:
    """What the page asks of a model: of its last variable, where it asks for one."""
    from algdim.studio.answering import answer_question

    fields = {"question": question, "text": text}
    if question in ("lecture", "certificate"):
        fields |= {"question": "write", "form": question}
    if question == "what-if":
        known = getattr(read_model(text), "variables", ())
        fields |= {"variables": [known[-1].name]} if known else {"parameter": "a"}
    answer = answer_question(fields)
    if str(answer.get("error", "")).startswith("a bug"):
        raise AssertionError(answer["error"])
    return {"limit": 3, "input": 2}.get(str(answer.get("kind")), 0) if "error" in answer else 0


def act(words: Sequence[str], errors: Path, seconds: float) -> int:
    """Be the copy that runs one command."""
    from algdim.cli import main

    file = os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 2)
    sys.stderr = open(2, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 5, int(seconds) + 5))
    given = list(words)
    if given[0] == STUDIO:
        return ask_studio(given[1], given[2])
    for place, word in enumerate(given):
        kind, _, text = word.partition(" of ")
        if text and kind in FILES:
            write, suffix = FILES[kind]
            path = errors.with_suffix(suffix)
            write(text, path)
            given[place] = str(path)
    return main([*given, "--threads", "1"])


def run(words: Sequence[str], folder: Path, seconds: float, memory: int) -> tuple[float, int, str, str, str]:
    """Time, memory, outcome and last words of a command that a copy of this process runs, and where it was ended."""
    errors = folder / "errors"
    errors.write_bytes(b"")
    errors.with_suffix(".stack").write_bytes(b"")
    process = os.fork()
    if process == 0:
        code = 70
        faulthandler.register(ASK, errors.with_suffix(".stack").open("w", encoding="utf-8"), all_threads=False)
        try:
            code = act(words, errors, seconds)
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 2
        except AlgdimError as error:  # of a model for which there should have been data
            sys.stderr.write(f"{error}\n")
            code = error.exit_code
        except BaseException:  # a traceback is a finding
            import traceback

            traceback.print_exc()
            code = 71
        finally:
            sys.stderr.flush()
            os._exit(code)
    forced, wait, tick = "", 0.001, os.sysconf("SC_CLK_TCK")
    while True:
        ended, status, used = os.wait4(process, os.WNOHANG)
        if ended:
            break
        sleep(wait)
        wait = min(2 * wait, 0.05)
        taken, size = look_at(process)
        if taken / tick > seconds or size > memory:
            forced = "memory" if size > memory else "time"
            os.kill(process, ASK)
            sleep(ANSWERED)
            os.kill(process, signal.SIGKILL)
            _, status, used = os.wait4(process, 0)
            break
    code = os.waitstatus_to_exitcode(status)
    said = errors.read_text(encoding="utf-8", errors="replace")[-600:]
    outcome = forced or ("traceback" if code in (70, 71) else "killed" if code < 0 else str(code))
    where = read_stack(errors.with_suffix(".stack").read_text(encoding="utf-8", errors="replace"))
    return used.ru_utime + used.ru_stime, used.ru_maxrss << 10, outcome, said, where


def read_stack(text: str) -> str:
    r"""The functions of algdim in a stack as `faulthandler` writes it, the innermost one first.

    >>> read_stack('  File "/x/algdim/rank.py", line 9 in draw\n  File "/x/numpy/a.py", line 1 in f\n')
    'rank.draw'
    """
    found = re.findall(r'File "[^"]*/algdim/([^"]*)\.py", line \d+ in (\S+)', text)
    return " < ".join(f"{module.replace('/', '.')}.{name}" for module, name in found[:FRAMES])


def look_at(process: int) -> tuple[int, int]:
    """Ticks of the processor and bytes of memory that a process has taken so far; nothing if it has just ended."""
    try:
        words = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return int(words[11]) + int(words[12]), int(words[21]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0, 0


NICHES = [(family, command) for family in FAMILIES for command in COMMANDS] + [("sweep", "sweep")] * 3


class Search:
    """The elders of each family and command, and what they have as children."""

    def __init__(self, seed: str) -> None:
        """Begin with no elders."""
        self.seed, self.number, self.elders = seed, 0, defaultdict[tuple[str, str], list[Run]](list)
        self.spent = defaultdict[tuple[str, str], float](float)

    def take(self, found: Run) -> None:
        """Let a text be an elder, if it costs enough and was not ended: children of those would be ended as well."""
        self.number = max(self.number, found.number + 1)
        self.spent[found.family, found.command] += found.seconds + REFUSAL * (found.outcome == "2")
        if found.ended or found.outcome == "2":
            return
        elders = self.elders[found.family, found.command]
        elders.append(found)
        elders.sort(key=lambda one: -one.cost)
        del elders[ELDERS:]

    def next(self) -> tuple[str, str, list[str], list[float]]:
        """The words of the next command and the choices that they come from: new ones, or a child of elders."""
        for attempt in range(10_000):
            source = random.Random(f"costly/{self.seed}/{self.number}/{attempt}")
            weights = [1 / (1 + self.spent[niche]) for niche in NICHES]  # what is known to be costly comes less often
            family, command = source.choices(NICHES, weights)[0]
            elders = self.elders[family, command]
            if not elders or source.random() < 0.35:
                cousins = [
                    one
                    for (kin, other), all_of in self.elders.items()
                    if kin == family and other != command
                    for one in all_of
                ]
                given = list(source.choice(cousins).choices) if cousins and source.random() < 0.4 else []
            else:
                given = bred(source.choice(elders).choices, source.choice(elders).choices, source)
            draw = Choices(given, source)
            words = draw_sweep(draw) if family == "sweep" else draw_words(family, command, draw)
            if words is not None:
                return family, command, words, draw.made
        raise AssertionError("no text is short enough")


def read_runs(path: Path) -> Iterator[Run]:
    """The outcomes of a list; its last line may have been cut."""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            document = json.loads(line)
        except ValueError:
            continue
        yield Run(**{**document, "words": tuple(document["words"]), "choices": tuple(document["choices"])})


def is_fault(found: Run) -> bool:
    """Whether something must be mended: a command broke, or took more than is promised and did not say what it does."""
    return found.outcome in ("traceback", "killed", "memory", "time") or (found.cost > 1 and "algdim" not in found.said)


def rank(runs: Sequence[Run], count: int) -> str:
    """The costliest texts, each family and command once, as a table of Markdown."""
    kinds = dict[tuple[str, str], Run]()
    for one in sorted(runs, key=lambda one: -one.cost):
        kinds.setdefault((one.family, one.command), one)
    rows = ["| command | seconds | memory | exit | said |", "|---|---:|---:|---|---|"]
    for one in list(kinds.values())[:count]:
        words = " ".join(f"'{word}'" if " " in word or "{" in word else word for word in one.words).replace("|", "\\|")
        said = " ".join(one.said.split())[-160:].replace("|", "\\|")
        rows.append(f"| `{words}` | {one.seconds:.1f} | {one.memory >> 20} MB | {one.outcome} | {said} |")
    return "\n".join(rows)


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Breed short texts that cost time and memory.")
    parser.add_argument("--count", type=int, default=20_000, help="texts in all")
    parser.add_argument("--seconds", type=float, default=600, help="of this run")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--again", action="store_true", help="run those that were ended with what is promised")
    parser.add_argument("--folder", type=Path, default=Path("build") / "costly")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    os.environ["ALGDIM_THREADS"] = "1"
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    path = given.folder / (f"{given.seed}-again.jsonl" if given.again else f"{given.seed}.jsonl")
    runs = list(read_runs(path))
    load_everything()
    began = monotonic()
    with tempfile.TemporaryDirectory() as name, path.open("a", encoding="utf-8") as file:

        def record(family: str, command: str, words: Sequence[str], choices: Sequence[float], number: int) -> Run:
            limits = (PROMISED_SECONDS * 1.25, int(PROMISED_MEMORY * 1.25)) if given.again else (SECONDS, MEMORY)
            found = Run(number, family, command, tuple(words), tuple(choices), *run(words, Path(name), *limits))
            print(json.dumps(asdict(found)), file=file, flush=True)
            runs.append(found)
            if found.outcome in ("traceback", "killed", "memory", "time"):
                print(
                    f"{number}: {found.outcome}, {found.seconds:.1f} s, {found.memory >> 20} MB: {' '.join(words)}",
                    file=out,
                )
            return found

        if given.again:
            known = {one.words for one in runs}
            first = sorted(
                (one for one in read_runs(given.folder / f"{given.seed}.jsonl") if one.ended),
                key=lambda one: one.number,
            )
            for one in first:
                if one.words not in known and monotonic() - began < given.seconds:
                    known.add(one.words)
                    record(one.family, one.command, one.words, one.choices, one.number)
        else:
            search = Search(given.seed)
            for one in runs:
                search.take(one)
            while search.number < given.count and monotonic() - began < given.seconds:
                family, command, words, choices = search.next()
                search.take(record(family, command, words, choices, search.number))
    print(rank(runs, 10), file=out)
    faults = (
        [one for one in runs if is_fault(one)]
        if given.again
        else [one for one in runs if one.outcome in ("traceback", "killed")]
    )
    print(
        f"{len(runs)} texts (seed {given.seed}), {sum(one.ended for one in runs)} ended, {len(faults)} faults", file=out
    )
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
