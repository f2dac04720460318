"""The server: on this machine only, behind a token, for its own page only; it reads no file, and keeps nothing that a kill loses.

Every request needs the token in its path and the host that was bound; one that asks for an answer needs the page's own origin,
too, so that no other site and no name that points here can ask. Bodies are bounded before they are read.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from contextlib import asynccontextmanager
from hashlib import sha256
from importlib.resources import files
from secrets import compare_digest, token_urlsafe
from socket import AF_INET, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, socket
from typing import TYPE_CHECKING, Any

from algdim.errors import InputError
from algdim.studio.renaming import read_renaming, translate_answer
from algdim.studio.workers import BusyError, GoneError, Lane, Memory

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

HOST = "127.0.0.1"
PORT, PORTS = 8741, 10
"""The page keeps the drawing by its address, the port with it: the same one is taken whenever it is free."""

TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
LECTURE_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""Of the page of `explain`, whose scripts stand in it: an origin of its own, from which nothing can be asked."""
LECTURE_HEADERS = {"content-security-policy": LECTURE_POLICY, "x-frame-options": "SAMEORIGIN"}
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}

MOST_BODY, MOST_DATA = 512 << 10, 8 << 20
"""Bytes of a question, and of one with data."""
BODY_SECONDS = 30.0
MOST_AT_ONCE = 64
"""Requests for answers; further ones are refused before anything of them is read."""
MOST_DATA_AT_ONCE = 2

SECONDS = 90.0
LANES = {"read": 1, "dim": 2, "what-if": 1}
"""The questions that have processes of their own, and how many: what is asked with every key waits for no dimension, a
dimension for no equation, one that is found quickly for none that is proved, and a what-if for nothing else."""
REST = "rest"
"""The lane of all others, with one process."""

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Guard:
    """What stands before everything: host, token, origin; and the headers of every answer."""

    def __init__(self, app: Any, token: str, port: int) -> None:
        """Take an application, the token of its addresses, and the port that was bound."""
        self.app, self.token = app, token
        self.hosts = {f"{name}:{port}" for name in (HOST, "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                more = {"content-security-policy": POLICY, **HEADERS}
                message["headers"] = [
                    *message["headers"],
                    *((name.encode(), value.encode()) for name, value in more.items() if name.encode() not in given),
                ]
            await send(message)

        why = self.find_refusal(scope)
        if why:
            from starlette.responses import PlainTextResponse

            await PlainTextResponse(f"{why}\n", 403)(scope, receive, send_with_headers)
            return
        await self.app(scope, receive, send_with_headers)

    def find_refusal(self, scope: Scope) -> str:
        """Why a request is refused; nothing if it is not."""
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
        if len(headers.get("host", ())) != 1 or headers["host"][0] not in self.hosts:
            return "the host is not the one that the studio was started for"
        first = scope["path"].lstrip("/").partition("/")[0]
        if not compare_digest(first.encode(), self.token.encode()):
            return "the address lacks the token: open the address that `algdim studio` printed; what you drew is kept"
        own = {f"http://{host}" for host in self.hosts}
        origins = headers.get("origin", [])
        if scope["method"] == "POST" and (len(origins) != 1 or origins[0] not in own):
            return "questions are answered to the studio's own page only"
        if not set(origins) <= own:
            return "another origin"
        is_visit = headers.get("sec-fetch-mode") == ["navigate"]
        if not set(headers.get("sec-fetch-site", ())) <= {"same-origin", "none"} and not is_visit:
            return "another site"
        return ""


class Studio:
    """What answers requests: the files of the page, the lanes of processes, the answers that are remembered."""

    def __init__(self, lanes: Mapping[str, int]) -> None:
        """Read the files of the page; processes start with the server."""
        self.page, self.counts = read_page(), {**lanes, REST: 1}
        self.lanes: dict[str, Lane] = {}
        self.remembered = Memory()
        self.at_once = self.data_at_once = 0

    @asynccontextmanager
    async def run(self, app: Starlette) -> AsyncIterator[None]:
        """Start the processes, and end them with the server."""
        del app
        self.lanes = {name: Lane(count, MOST_AT_ONCE, SECONDS) for name, count in self.counts.items()}
        try:
            yield
        finally:
            for lane in self.lanes.values():
                lane.close()

    async def give_page(self, request: Request) -> Response:
        """A file of the page."""
        from starlette.responses import PlainTextResponse, Response

        name = request.path_params.get("name") or "index.html"
        if name not in self.page:
            return PlainTextResponse("there is no such page\n", 404)
        return Response(self.page[name], media_type=TYPES[name.rpartition(".")[2]])

    async def give_answer(self, request: Request) -> Response:
        """The answer to a question, as JSON."""
        from starlette.requests import ClientDisconnect

        has_data = request.url.path.endswith("/data")
        if self.at_once >= MOST_AT_ONCE or (has_data and self.data_at_once >= MOST_DATA_AT_ONCE):
            return refuse("busy: too many questions at once", 503)
        self.at_once += 1
        self.data_at_once += has_data
        try:
            most = MOST_DATA if has_data else MOST_BODY
            try:
                body = await asyncio.wait_for(read_body(request, most), BODY_SECONDS)
            except (TimeoutError, ClientDisconnect):
                return refuse("the question did not come to its end", 408)
            if body is None:
                return refuse(f"a question has at most {most} bytes", 413)
            try:
                fields = json.loads(body)
            except (ValueError, RecursionError):
                return refuse("a question is JSON", 400)
            del body
            if not isinstance(fields, dict) or ("data" in fields) > has_data:
                return refuse("a question is an object; data go to their own address", 400)
            gone = asyncio.ensure_future(request.receive())  # what comes after the body is the end
            try:
                return await self.answer(fields, gone)
            finally:
                gone.cancel()
        finally:
            self.at_once -= 1
            self.data_at_once -= has_data

    async def answer(self, fields: dict[str, Any], gone: asyncio.Future[Any]) -> Response:
        """What a process answers, or answered before: to this question, or to one that differs in names alone."""
        from starlette.responses import Response

        renaming = read_renaming(fields.pop("as", None))
        key = sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()
        found = self.remembered.find(key)
        if found is None:
            try:
                found = await self.choose_lane(fields.get("question")).ask(fields, gone)
            except BusyError:
                return refuse("busy: too many questions at once", 503)
            except GoneError:
                return refuse("nobody waits for this any more", 499)
            if b'"kind": "failure"' not in found[-200:]:
                self.remembered.keep(key, found)
        if renaming is not None:
            found = translate_answer(found, renaming)
        return Response(found, media_type="application/json")

    def choose_lane(self, question: object) -> Lane:
        """The processes that answer a question."""
        return self.lanes[question if isinstance(question, str) and question in self.lanes else REST]

    async def give_lecture(self, request: Request) -> Response:
        """The page of `explain`, in a sandbox."""
        from starlette.responses import PlainTextResponse, Response

        text = request.query_params.get("text", "")
        if self.at_once >= MOST_AT_ONCE:
            return PlainTextResponse("busy\n", 503)
        self.at_once += 1
        fields = {"question": "write", "form": "lecture", "text": text}
        await request.receive()  # the empty body
        gone = asyncio.ensure_future(request.receive())
        try:
            answer = json.loads(bytes((await self.answer(fields, gone)).body))
        finally:
            gone.cancel()
            self.at_once -= 1
        if "content" not in answer:
            return PlainTextResponse(f"{answer.get('error')}\n", 422)
        return Response(answer["content"], media_type="text/html", headers=LECTURE_HEADERS)


def refuse(message: str, status: int) -> Response:
    """An answer that is an error, for the page."""
    from starlette.responses import JSONResponse

    return JSONResponse({"error": message, "kind": "failure"}, status)


async def read_body(request: Request, most: int) -> bytes | None:
    """The body, ``None`` of one with more bytes; what is too long is not kept."""
    said = request.headers.get("content-length", "0")
    if not said.isascii() or not said.isdigit() or int(said[:20]) > most:
        return None
    found = bytearray()
    async for piece in request.stream():
        found += piece
        if len(found) > most:
            return None
    return bytes(found)


def read_page() -> Mapping[str, bytes]:
    """The files of the page, by name; nothing else is given out."""
    folder = files("algdim.studio").joinpath("page")
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.name.rpartition(".")[2] in TYPES}


def build_app(token: str, port: int, lanes: Mapping[str, int] = LANES) -> Guard:
    """The application behind its guard."""
    from starlette.applications import Starlette
    from starlette.routing import Route

    studio = Studio(lanes)
    routes = [
        Route("/{token}/", studio.give_page),
        Route("/{token}/ask", studio.give_answer, methods=["POST"]),
        Route("/{token}/data", studio.give_answer, methods=["POST"]),
        Route("/{token}/lecture", studio.give_lecture),
        Route("/{token}/{name}", studio.give_page),
    ]
    return Guard(Starlette(routes=routes, lifespan=studio.run), token, port)


def bind_port(port: int | None) -> socket:
    """A socket on this machine: at the port that is asked for, or at the first of the usual ones that is free."""
    wanted = range(PORT, PORT + PORTS) if port is None else (port,)
    for number in wanted:
        found = socket(AF_INET, SOCK_STREAM)
        if os.name == "posix":
            found.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        try:
            found.bind((HOST, number))
        except OSError:
            found.close()
        else:
            return found
    ports = str(port) if port is not None else f"{PORT} to {PORT + PORTS - 1}"
    raise InputError(f"port {ports}: in use by another program; give a free one with --port, or 0 for any")


def make_token() -> str:
    """A token for one run."""
    return token_urlsafe(24)


def make_server(app: Guard) -> Any:
    """The server of an application, which `run(sockets=[…])` starts."""
    from uvicorn import Config, Server

    return Server(
        Config(
            app,
            log_level="warning",
            access_log=False,  # addresses have the token
            server_header=False,
            ws="none",
            lifespan="on",
            limit_concurrency=4 * MOST_AT_ONCE,
            timeout_graceful_shutdown=1,
        )
    )


def check_installed() -> None:
    """Raise unless the server's libraries are there."""
    try:
        import starlette
        import uvicorn
    except ImportError:
        raise InputError("the studio needs starlette and uvicorn; install them: pip install 'algdim[studio]'") from None
    del starlette, uvicorn
