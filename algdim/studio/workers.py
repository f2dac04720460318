"""The processes that answer: few at once, a bounded queue before them, each ended when its time is over or nobody wants the answer.

Answers are remembered by their questions. The page asks about the canonical form of a model (`renaming.py`), so that models
that differ in names and order alone have equal questions, however they were written or drawn.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any

from algdim.sweeping.processes import START_SECONDS, Child, describe_exit

GRACE = 0.15
"""Seconds that an answer nobody waits for any more still gets: ending a process costs more, and the answer is remembered."""
MOST_REMEMBERED = 32 << 20
"""Bytes of answers."""
LONGEST_REMEMBERED = 2 << 20


class BusyError(Exception):
    """Too many questions are waiting."""


class GoneError(Exception):
    """Whoever asked has gone."""


class Worker(Child):
    """A process that answers one question after the other."""

    def __init__(self) -> None:
        """Start it."""
        super().__init__("algdim.studio.answering")
        self.is_new = True

    def answer(self, fields: dict[str, Any], seconds: float) -> bytes:
        """The answer as JSON, whatever becomes of the process; a process that is late is ended."""
        if self.is_new:
            self.is_new = False
            if not self.line(monotonic() + START_SECONDS):
                self.close()
                return encode_failure("the process for answers did not start")
        self.send(fields)
        line = self.line(monotonic() + seconds)
        if line:
            return line
        late = line is None
        self.close()
        if late:
            return encode_failure(f"not done after {seconds:g} s: ask `algdim dim`, which takes the time that it needs")
        return encode_failure(f"the process ended: {describe_exit(self.process.returncode)}")


def encode_failure(message: str) -> bytes:
    """An answer that is none, and is not remembered."""
    return json.dumps({"error": message, "kind": "failure"}).encode()


class Lane:
    """So many processes at once, and so many questions that wait for one of them."""

    def __init__(self, count: int, waiting: int, seconds: float) -> None:
        """Start the processes, so that the first question finds them ready."""
        self.seconds, self.most_waiting, self.waiting = seconds, waiting, 0
        self.slots = asyncio.Semaphore(count)
        self.threads = ThreadPoolExecutor(count)
        self.idle = [Worker() for _ in range(count)]
        self.busy: set[Worker] = set()
        self.is_open = True

    async def ask(self, fields: dict[str, Any], gone: asyncio.Future[Any]) -> bytes:
        """The answer; `BusyError` if too many wait, `GoneError` if nobody wants it any more."""
        if self.waiting >= self.most_waiting:
            raise BusyError
        self.waiting += 1
        turn = asyncio.ensure_future(self.slots.acquire())
        try:
            await asyncio.wait({turn, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.waiting -= 1
            if not turn.done():
                turn.cancel()
        if turn.cancelled() or not turn.done():
            raise GoneError
        try:
            return await self.ask_worker(fields, gone)
        finally:
            self.slots.release()

    async def ask_worker(self, fields: dict[str, Any], gone: asyncio.Future[Any]) -> bytes:
        """The answer of a process that is idle; it is ended if nobody wants the answer any more, and another one is started."""
        if gone.done() or not self.is_open:
            raise GoneError
        worker = self.idle.pop() if self.idle else Worker()
        self.busy.add(worker)
        work = asyncio.get_running_loop().run_in_executor(self.threads, worker.answer, fields, self.seconds)
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                await asyncio.wait({work}, timeout=GRACE)
            was_left = not work.done()
        except asyncio.CancelledError:
            was_left = True
        if was_left:
            worker.process.kill()  # its thread sees the end, and closes what it holds
        answer = await work
        self.busy.discard(worker)
        if self.is_open:
            self.idle.append(worker if worker.is_alive else Worker())
        else:
            worker.close()
        if was_left:
            raise GoneError
        return answer

    def close(self) -> None:
        """End all processes, and start no other."""
        self.is_open = False
        for worker in self.busy:
            worker.process.kill()
        for worker in self.idle:
            worker.close()
        self.threads.shutdown(wait=False)


class Memory:
    """Answers by their questions, the latest of them up to so many bytes."""

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        """Nothing yet."""
        self.most, self.size = most, 0
        self.answers: OrderedDict[str, bytes] = OrderedDict()

    def find(self, key: str) -> bytes | None:
        """The answer to a question that was asked lately."""
        if key in self.answers:
            self.answers.move_to_end(key)
        return self.answers.get(key)

    def keep(self, key: str, answer: bytes) -> None:
        """Remember an answer, and forget the oldest ones beyond the bytes; long ones are not kept.

        >>> memory = Memory(10)
        >>> for key in "ab":
        ...     memory.keep(key, b"123456")
        >>> memory.find("a"), memory.find("b"), memory.size
        (None, b'123456', 6)
        """
        if len(answer) > min(self.most, LONGEST_REMEMBERED) or key in self.answers:
            return
        self.answers[key] = answer
        self.size += len(answer)
        while self.size > self.most:
            _, oldest = self.answers.popitem(last=False)
            self.size -= len(oldest)
