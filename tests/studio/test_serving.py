"""The server of the studio: who is answered, how much at once, and what becomes of questions that nobody waits for."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import pytest
from amount import IS_ALL
from packages import ROOT

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

import studio_page
from studio_page import FEW, PATIENCE, wait_until

from algdim.errors import InputError
from algdim.studio.serving import HOST, LANES, MOST_AT_ONCE, MOST_BODY, MOST_DATA, PORT, REST, bind_port, read_page
from algdim.studio.workers import GoneError, Lane, Memory, Worker

served = studio_page.served

W = "A -> C <- H -> D <- B; hidden H"


def test_questions_are_answered(served):
    """The same one at once, the second time."""
    status, answer = served.ask(question="dim", text=W)

    assert (200, 9, "proved") == (status, answer["dimension"], answer["status"])
    assert (status, answer) == served.ask(text=W, question="dim")
    assert 1 == sum(b'"reasons"' in one for one in served.studio.remembered.answers.values())


def test_models_that_differ_in_names_have_one_answer(served):
    """The second one is remembered, and has its own names; without them the answer has numbers."""

    def ask(text):
        found = served.ask(question="read", text=text)[1]["canonical"]
        return found, served.ask(question="dim", **found)[1]

    found, first = ask("gaussian: Up -> Ux, Uy; hidden Up; means off")
    count = len(served.studio.remembered.answers)
    _, second = ask("gaussian: G -> b2, b1; hidden G; means off")

    assert 1 == len(served.studio.remembered.answers) - count  # what was read
    assert {"b(Up->Ux)", "b(Up->Uy)"} <= {one["parameter"] for one in first["lost"]}
    assert {"b(G->b1)", "b(G->b2)"} <= {one["parameter"] for one in second["lost"]}
    assert [["G"], ["b1"], ["b2"], ["G", "b1"], ["G", "b2"]] == sorted(
        (one["owners"] for one in second["lost"]), key=lambda one: (len(one), one)
    )
    assert "b(q" in str(served.ask(question="dim", text=found["text"])[1]["lost"])


def test_the_page_is_given_with_a_strict_policy(served):
    """Scripts and styles from here alone, none in the page; no frame, no other site; what has no name here is not there."""
    for name in ("", *read_page()):
        status, headers, body = served.request("GET", f"/{served.token}/{name}")
        assert 200 == status
        assert body
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert ("no-referrer", "nosniff") == (headers["referrer-policy"], headers["x-content-type-options"])
        assert (
            not any(word in body for word in (b"://", b"eval(", b"innerHTML", b" style=", b'onclick="'))
            or name == "canvas.js"
        )
    for name in ("../serving.py", "..%2fserving.py", "%2e%2e/serving.py", "/etc/passwd", "serving.py", "index.html/x"):
        assert 404 == served.request("GET", f"/{served.token}/{name}")[0]


def test_who_is_refused(served):
    """Without the token, with another one, at another host's name, from another origin or none, from another site."""
    own, body = f"http://{HOST}:{served.port}", json.dumps({"question": "read", "text": "2:2"})
    path = f"/{served.token}/ask"

    def post(path=path, **headers):
        return served.request("POST", path, body, **headers)[0]

    assert 200 == post(origin=own)
    assert 200 == post(origin=own, sec_fetch_site="same-origin")
    for way in (
        "/",
        "/ask",
        "//ask",
        f"/{served.token[:-1]}/ask",
        f"/{served.token}x/ask",
        f"/x/{served.token}/ask",
        f"/?{served.token}",
    ):
        assert 403 == post(way, origin=own)
        assert 403 == served.request("GET", way)[0]
    for origin in (
        None,
        "null",
        "http://evil.example",
        f"http://{HOST}",
        f"https://{HOST}:{served.port}",
        f"{own}.evil.example",
        f"{own}/",
    ):
        assert 403 == post(**({} if origin is None else {"origin": origin}))
    for host in ("evil.example", f"evil.example:{served.port}", HOST, f"{HOST}:{served.port + 1}"):
        assert 403 == post(origin=own, host=host)
    assert 403 == post(origin=own, sec_fetch_site="cross-site")
    assert (
        403
        == served.request("GET", f"/{served.token}/main.js", sec_fetch_site="cross-site", sec_fetch_mode="no-cors")[0]
    )
    assert 200 == served.request("GET", f"/{served.token}/", sec_fetch_site="cross-site", sec_fetch_mode="navigate")[0]
    assert served.token.encode() not in served.request("GET", "/")[2]


def test_what_is_no_question(served):
    """Too long, no JSON, no object, of another address; it is said, and the next question is answered."""
    own, path = f"http://{HOST}:{served.port}", f"/{served.token}/"

    def post(body, name="ask", **more):
        return served.request("POST", path + name, body, origin=own, **more)[0]

    assert 413 == post("x" * (MOST_BODY + 1))
    assert 413 == post(b"", content_length=str(MOST_DATA + 1), name="data")
    assert 413 == post(iter([b"x" * (MOST_BODY // 2)] * 3))
    assert {400} == {
        post(body) for body in ("{", "[]", "1", "[" * 100_000, json.dumps({"question": "score", "data": "X\n0\n"}))
    }
    assert 200 == post(json.dumps({"question": "score", "text": "2:2,2", "data": "X1,X2\n0,0\n1,1\n"}), "data")
    assert 404 == served.request("GET", path + "ask")[0]
    assert "there is no question" in served.ask(question="__class__")[1]["error"]
    assert 200 == served.ask(question="read", text="2:2")[0]


@pytest.mark.slow
def test_the_lecture_page_stands_in_a_sandbox(served):
    """An origin of its own, so that its scripts can ask nothing."""
    status, headers, body = served.request("GET", f"/{served.token}/lecture?text=2:2,2")

    assert 200 == status
    assert headers["content-security-policy"].startswith("sandbox allow-scripts; default-src 'none'")
    assert b"<h1>" in body
    assert 422 == served.request("GET", f"/{served.token}/lecture?text=%3Cscript%3E")[0]


def test_a_question_that_nobody_waits_for_ends_its_process(served):
    """Even one that would never answer; another process takes its place."""
    lane = served.studio.lanes[REST]
    (worker,) = lane.idle
    os.kill(worker.process.pid, signal.SIGSTOP)
    connection = HTTPConnection(HOST, served.port, timeout=PATIENCE)
    body = json.dumps({"question": "constraints", "text": "2:2,2,2,2,2"})
    connection.request("POST", f"/{served.token}/ask", body, {"origin": f"http://{HOST}:{served.port}"})
    wait_until(lambda: lane.busy)
    connection.close()

    assert 0 != worker.process.wait(PATIENCE)
    assert "equations" in served.ask(question="constraints", text="2:2,2,2,2,2")[1]
    assert worker not in lane.idle


def test_a_question_that_breaks_off(served, monkeypatch):
    """Its place is free again, and the server reports no error."""
    reported = []
    monkeypatch.setattr(logging.getLogger("uvicorn.error"), "handle", reported.append)
    connection = HTTPConnection(HOST, served.port, timeout=PATIENCE)
    headers = {"origin": f"http://{HOST}:{served.port}", "content-length": "1000"}
    connection.request("POST", f"/{served.token}/ask", b"{", headers)
    wait_until(lambda: served.studio.at_once)
    connection.close()
    wait_until(lambda: not served.studio.at_once)

    assert 200 == served.ask(question="read", text="2:2")[0]
    assert [] == reported


@pytest.mark.slow
def test_a_process_that_is_late_or_dies(served):
    """It says so, and is ended; the answer is not remembered."""
    late = Worker()
    assert b"not done after 0 s" in late.answer({"question": "read", "text": "2:2"}, 0.0)
    assert not late.is_alive
    served.ask(question="constraints", text="2:2,4")
    (worker,) = served.studio.lanes[REST].idle
    os.kill(worker.process.pid, signal.SIGKILL)

    assert "killed by SIGKILL" in served.ask(question="constraints", text="2:2,2,2")[1]["error"]
    assert "equations" in served.ask(question="constraints", text="2:2,2,2")[1]


def count_bytes(process):
    """The memory that a process holds."""
    return int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the memory of processes is read from /proc")
def test_two_hundred_at_once(served):
    """Each is answered or told that there are too many; no process is added, and memory stays within bounds."""
    lanes = served.studio.lanes.values()
    before = count_bytes("self")
    long = json.dumps({"question": "read", "text": "A -> B", "more": "x" * (MOST_BODY - 100)})

    def post(number):
        body = long.replace("A -> B", f"A -> B{number}")
        return served.request("POST", f"/{served.token}/ask", body, origin=f"http://{HOST}:{served.port}")[0]

    with ThreadPoolExecutor(200) as threads:
        found = list(threads.map(post, range(200)))

    assert {200, 503} >= set(found)
    assert MOST_AT_ONCE <= found.count(200)
    assert sum(FEW.values()) + 1 == sum(len(lane.idle) + len(lane.busy) for lane in lanes)
    assert (
        count_bytes("self") - before < (600 if IS_ALL else 400) << 20
    )  # 200 bodies are 100 MB here, sent and received
    assert all(count_bytes(worker.process.pid) < 1 << 30 for lane in lanes for worker in lane.idle)
    assert 200 == served.ask(question="read", text="2:2")[0]


def test_what_is_remembered_is_bounded():
    """The latest answers; one that is too long is not kept."""
    memory = Memory(100)
    for number in range(50):
        memory.keep(str(number), b"x" * 10)
    memory.keep("long", b"x" * 101)

    assert 100 == memory.size == sum(map(len, memory.answers.values()))
    assert ["40", "49"] == [next(iter(memory.answers)), next(reversed(memory.answers))]
    assert None is memory.find("long")


def test_ports():
    """One that is in use is refused, or the next one is taken where none was asked for."""
    with bind_port(0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port}: in use"):
            bind_port(port)
    with bind_port(None) as first:
        first.listen()
        with bind_port(None) as second:
            assert PORT <= first.getsockname()[1] < second.getsockname()[1]


@pytest.mark.slow
def test_a_lane_is_closed():
    """With its processes, and a question that waits is given up."""
    import asyncio

    async def use():
        lane, never, gone = Lane(1, 2, 60.0), asyncio.get_running_loop().create_future(), asyncio.Future()
        (worker,) = lane.idle
        os.kill(worker.process.pid, signal.SIGSTOP)
        first = asyncio.ensure_future(lane.ask({"question": "read", "text": "2:2"}, never))
        second = asyncio.ensure_future(lane.ask({"question": "read", "text": "2:2"}, gone))
        await asyncio.sleep(0)
        gone.set_result(None)
        with pytest.raises(GoneError):
            await second
        lane.close()
        answer = await first
        for one in lane.idle:
            one.close()
        return answer

    assert b"did not start" in asyncio.run(use())


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are looked up in /proc")
def test_a_killed_studio_leaves_no_process():
    """The command itself, killed: the processes that answered end with it, and its port is free again."""
    command = [sys.executable, "-m", "algdim", "studio", "--no-browser", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=ROOT) as process:
        lines = iter(process.stdout.readline, b"")
        found = json.loads(b"".join([next(lines) for _ in range(4)]))
        place = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        wait_until(lambda: len(place.read_text(encoding="ascii").split()) == sum(LANES.values()) + 1)
        children = place.read_text(encoding="ascii").split()
        process.kill()
    for child in children:
        status = Path(f"/proc/{child}/stat")
        wait_until(lambda status=status: not status.exists() or " Z " in status.read_text(encoding="utf-8"))
    with bind_port(found["port"]) as again:
        assert again.getsockname()[1] == found["port"]
