"""Feed hostile texts to every reader.

    python -m hunting.fuzz --seconds 60 --seed 0          from the folder of the project, with tests/ on the path
    python -m hunting.fuzz --target data --number 17      one case again, written to standard output

Allowed is a clean `InputError` or `LimitError` (of certificates: a verdict), within time and memory, nothing executed, no
file opened but the one that is read. Everything else is printed, made smaller. The exit code is 1 if there was anything.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import sys
import sysconfig
import tempfile
from collections import Counter
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import Any

from algdim.errors import InputError, LimitError
from hunting.mutations import case, giants
from hunting.targets import Target, all_targets

SECONDS = 10
"""Of the processor's time, for one case."""

SECONDS_FOR_GIANTS = 60
MEMORY = 4 << 30
LONGEST_MESSAGE = 5000

READABLE = (
    *(sysconfig.get_path("stdlib"), sysconfig.get_path("platlib"), str(Path(__file__).parents[1] / "algdim")),
    *(place for place in sys.path if place.endswith(".zip")),
)
"""What may be read, as late imports do: the files of some folders, and archives."""

FORBIDDEN = (
    "subprocess.",
    "socket.",
    "os.",
    "shutil.",
    "pty.",
    "ctypes.",
    "pickle.",
    "webbrowser.",
    "urllib.",
    "ftplib.",
)
USUAL = (
    os.sep + "ast.py",
    str(Path("networkx", "utils", "decorators.py")),
    str(Path("sympy", "polys", "monomials.py")),
)
HARMLESS = frozenset({"os.listdir", "os.scandir"})


class TooSlow(BaseException):
    """A case took too long; no error, so that nothing catches it."""


class Watch:
    """What code does while a case runs: an audit hook, which cannot be taken away again."""

    def __init__(self) -> None:
        """Begin with nothing allowed."""
        self.active, self.allowed, self.writable, self.seen = False, "", "", list[str]()
        sys.addaudithook(self.hook)

    def hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Note what is not allowed."""
        if not self.active:
            return
        if event == "open":
            path, mode, flags = str(arguments[0]), arguments[1], arguments[2]
            writes = (mode is not None and set("wax+") & set(str(mode))) or flags & (
                os.O_WRONLY | os.O_RDWR | os.O_CREAT
            )
            if path == self.writable:
                return
            if writes or (path != self.allowed and not path.startswith(READABLE)):
                self.seen.append(f"open {path} {mode}")
        elif event in ("exec", "compile"):
            if not self.is_usual():
                self.seen.append(f"{event} {str(arguments[0])[:100]}")
        elif event.startswith(FORBIDDEN) and event not in HARMLESS:
            self.seen.append(f"{event} {str(arguments)[:100]}")

    @staticmethod
    def is_usual() -> bool:
        """Whether an import is going on, a text is only parsed, or networkx or sympy make functions of their own ready."""
        frame: FrameType | None = sys._getframe()
        while frame is not None:
            if frame.f_code.co_filename.endswith(USUAL) or "importlib" in frame.f_code.co_filename:
                return True
            frame = frame.f_back
        return False


def complaint(target: Target, data: bytes, path: Path, watch: Watch, seconds: float = SECONDS) -> str | None:
    """What a reader did that it must not, in one line; ``None`` if all is well."""
    given: Any = target.prepared(data)
    if target.suffix is not None:
        path.with_suffix(target.suffix).write_bytes(given)
        given = path.with_suffix(target.suffix)
    watch.allowed, watch.seen = str(given) if target.suffix else "", []
    watch.writable = f"{given}{target.beside}" if target.beside else ""
    said: str | None = None
    watch.active = True
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        target.run(given)
    except (InputError, LimitError) as error:
        said = "a message that is too long" if len(str(error)) > LONGEST_MESSAGE else None
    except TooSlow:
        said = f"more than {seconds:.0f} seconds"
    except Exception as error:
        said = f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        watch.active = False
    return f"not allowed: {watch.seen[0]}" if watch.seen else said


def smaller(target: Target, data: bytes, kind: str, path: Path, watch: Watch) -> bytes:
    """A shorter text with a complaint that begins alike."""
    end, size, begins = perf_counter() + 60, max(1, len(data) // 2), kind.split(":", maxsplit=1)[0]
    while size and perf_counter() < end:
        start = 0
        while start < len(data) and perf_counter() < end:
            less = data[:start] + data[start + size :]
            said = complaint(target, less, path, watch)
            if said is not None and said.startswith(begins):
                data = less
            else:
                start += size
        size //= 2
    return data


def made(targets: dict[str, Target], name: str, seed: str, number: int) -> bytes:
    """The text of one case."""
    return case(targets[name].seeds, random.Random(f"fuzz/{seed}/{name}/{number}"))


def fuzz(seconds: float, seed: str, most: int, only: str, *, with_giants: bool) -> int:
    """Run cases until the time is over, and return how many were bad, each kind once."""
    targets = all_targets()
    names = [name for name, target in targets.items() for _ in range(target.share) if name.startswith(only)]
    count, bad, slowest = Counter[str](), dict[tuple[str, str], int](), (0.0, "")
    signal.signal(signal.SIGPROF, on_alarm)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        path, watch = Path(folder) / "case", Watch()
        for name in dict.fromkeys(names):  # once unwatched: what is imported late is imported now
            for data in targets[name].seeds[:5]:
                complaint(targets[name], data, path, watch)
        began = perf_counter()
        for title, (name, data) in giants().items() if with_giants else ():
            at = perf_counter()
            said = complaint(targets[name], data, path, watch, SECONDS_FOR_GIANTS)
            print(f"  {title}: {said or 'clean'}, {perf_counter() - at:.1f} s", flush=True)
            count["giants"] += 1
            if said:
                bad[name, said.split(":")[0]] = 1
        number = 0
        while perf_counter() - began < seconds and number < most:
            name = names[number % len(names)]
            data = made(targets, name, seed, number)
            at = perf_counter()
            said = complaint(targets[name], data, path, watch)
            slowest = max(slowest, (perf_counter() - at, f"--target '{name}' --seed {seed} --number {number}"))
            count[name] += 1
            if said is not None:
                key = name, said[:60]
                bad[key] = bad.get(key, 0) + 1
                if bad[key] == 1:
                    small = smaller(targets[name], data, said, path, watch)
                    print(f"FOUND {name}: {said}\n  {small[:300]!r}")
                    print(
                        f"  again: python -m hunting.fuzz --target '{name}' --seed {seed} --number {number}", flush=True
                    )
            number += 1
            if number % 100_000 == 0:
                print(f"  {number} cases in {perf_counter() - began:.0f} s", flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{count.total()} cases in {perf_counter() - began:.0f} s (seed {seed}), at most {peak} MB, slowest {slowest[0]:.2f} s: {slowest[1]}"
    )
    print("  " + ", ".join(f"{name} {times}" for name, times in count.items()))
    print(f"  {len(bad)} kinds of complaint, {sum(bad.values())} in all")
    return len(bad)


def on_alarm(signum: int, frame: FrameType | None) -> None:
    """Give one case up."""
    del signum, frame
    raise TooSlow


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Feed hostile texts to every reader.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--most", type=int, default=10**9, help="this many cases at most")
    parser.add_argument("--target", default="", help="only readers whose name begins so")
    parser.add_argument("--number", type=int, help="write the text of this case")
    parser.add_argument("--giants", action="store_true", help="begin with single large cases")
    given = parser.parse_args()
    if given.number is not None:
        sys.stdout.buffer.write(made(all_targets(), given.target, given.seed, given.number))
        return 0
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    return int(bool(fuzz(given.seconds, given.seed, given.most, given.target, with_giants=given.giants)))


if __name__ == "__main__":
    sys.exit(main())
