"""The studio in this process, and its page in a browser: drawn on, typed into, asked."""

from __future__ import annotations

import json
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Thread
from time import monotonic, sleep

import pytest
from browser import browsing

from algdim.studio.serving import HOST, bind_port, build_app, make_server, make_token

PATIENCE = 90
"""Seconds: other work on the machine must not fail a test."""
FEW = {"read": 1}
"""Fewer processes than readers get: every one has to be started."""


class Served:
    """A studio that runs: its port, its token, its address."""

    def __init__(self, port, lanes):
        self.socket, self.token = bind_port(port), make_token()
        self.port = self.socket.getsockname()[1]
        self.guard = build_app(self.token, self.port, lanes)
        self.server = make_server(self.guard)
        self.thread = Thread(target=lambda: self.server.run(sockets=[self.socket]), daemon=True)

    @property
    def address(self):
        """What is opened in a browser."""
        return f"http://{HOST}:{self.port}/{self.token}/"

    @property
    def studio(self):
        """What answers, behind the guard."""
        return self.guard.app.router.lifespan_context.__self__

    def request(self, method, path, body=None, **headers):
        """Send a request, and return status, headers and body; names of headers are written with underscores."""
        connection = HTTPConnection(HOST, self.port, timeout=PATIENCE)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def ask(self, _path="ask", **fields):
        """The answer to a question, asked as the page asks it."""
        body = json.dumps(fields)
        status, _, answer = self.request("POST", f"/{self.token}/{_path}", body, origin=f"http://{HOST}:{self.port}")
        return status, json.loads(answer)


@contextmanager
def serving(port=0, lanes=FEW):
    """A studio that is ended afterwards."""
    served = Served(port, lanes)
    served.thread.start()
    wait_until(lambda: served.server.started)
    try:
        yield served
    finally:
        served.server.should_exit = True
        served.thread.join(PATIENCE)
        served.socket.close()


def wait_until(holds, describe=lambda: "it"):
    """Wait until a condition holds, and return what it is then."""
    deadline = monotonic() + PATIENCE
    while monotonic() < deadline:
        found = holds()
        if found:
            return found
        sleep(0.01)
    raise AssertionError(f"{describe()} did not come")


class Sheet:
    """The page of the studio, opened in a browser."""

    def __init__(self, page):
        self.page = page

    def show(self, address, **how):
        """Open it, and wait until its script is ready."""
        self.page.visit("about:blank")
        self.page.visit(address, **how)
        self.wait("document.documentElement.dataset.ready === 'yes'")
        return self

    def forget(self, address):
        """Let the browser know of nothing that was drawn."""
        self.page.visit("about:blank")
        origin = "/".join(address.split("/")[:3])
        self.page.send("Storage.clearDataForOrigin", origin=origin, storageTypes="local_storage")

    def ask(self, expression):
        """The value of an expression on the page."""
        return self.page.ask(expression)

    def wait(self, expression):
        """Wait until an expression is true there, and return its value."""
        return wait_until(
            lambda: self.page.ask(expression),
            lambda: f"{expression}, on a page that says {self.page.ask('document.body.innerText')!r},",
        )

    @property
    def text(self):
        """The model as text."""
        return self.ask("document.getElementById('text').value")

    @property
    def names(self):
        """The variables that are drawn."""
        return self.ask("[...document.querySelectorAll('#ground [data-name]')].map((one) => one.dataset.name)")

    def wait_for_names(self, *names):
        """Wait until these variables are drawn."""
        wait_until(lambda: [*names] == self.names, lambda: f"{names}, on a page with {self.names} and {self.text!r},")

    def shown(self, name):
        """What an element says."""
        return self.ask(f"document.getElementById({json.dumps(name)}).textContent")

    def wait_for_dimension(self, number, status="proved"):
        """Wait until the page says this dimension, with this status."""
        number, status = json.dumps(str(number)), json.dumps(status)
        self.wait(
            f"['number', 'status'].map((one) => document.getElementById(one).textContent).join() === {number} + ',' + {status}"
        )

    def type(self, text):
        """Replace the text by another one, as a hand does."""
        self.ask("document.getElementById('text').focus(); document.getElementById('text').select()")
        self.page.type(text)

    def click(self, name):
        """Click a button."""
        self.ask(f"document.getElementById({json.dumps(name)}).click()")

    def find_middle(self, selector):
        """Where the middle of an element is in the window, when what was to be drawn is drawn."""
        return self.ask(
            "(async () => { await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));"
            f"const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )

    def find_variable(self, name):
        """Where a variable is in the window."""
        return self.find_middle(f'#ground [data-name="{name}"] .shape')

    def select(self, name):
        """Click a variable, and wait until it is selected: what is done next may overtake the click."""
        self.touch(name)
        name = json.dumps(name)
        self.wait(f"document.querySelector('#ground .selected')?.dataset.name === {name}")

    def touch(self, name):
        """Click a variable, whatever that does."""
        self.page.drag(self.find_variable(name))

    def join(self, name):
        """Click the variable where an arrow that was begun ends, and wait until it is drawn."""
        count = "document.querySelectorAll('#ground .link').length"
        before = self.ask(count)
        self.touch(name)
        self.wait(f"{count} === {before + 1}")

    def rename(self, name, wanted):
        """Give a variable another name, in place."""
        self.select(name)
        self.page.press("F2")
        self.wait("document.activeElement.id === 'name'")
        self.page.type(wanted)
        self.wait(f"document.getElementById('name').value === {json.dumps(wanted)}")
        self.page.press("Enter")
        self.wait("document.getElementById('name').hidden")


@contextmanager
def another_tab(page):
    """A second tab: what is asked meanwhile is asked of it."""
    first = page.session
    page.session = None
    target = page.send("Target.createTarget", url="about:blank")["targetId"]
    page.session = page.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for name in ("Page", "Runtime", "Log"):
        page.send(f"{name}.enable")
    try:
        yield
    finally:
        page.session = None
        page.send("Target.closeTarget", targetId=target)
        page.session = first


@pytest.fixture(scope="module")
def served():
    """One studio for all tests of a module."""
    with serving() as found:
        yield found


@pytest.fixture(scope="module")
def browser():
    """One browser for all tests of a module."""
    with browsing() as page:
        yield page


@pytest.fixture
def sheet(served, browser):
    """The page with nothing drawn; nothing may go wrong on it."""
    found = Sheet(browser)
    found.forget(served.address)
    found.show(served.address)
    browser.problems.clear()
    yield found
    assert not browser.problems, browser.problems
