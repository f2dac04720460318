"""Chromium driven by its protocol over two pipes: open a page, evaluate, press keys, take a picture."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from select import select

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
OPTIONS = (
    "--headless --no-sandbox --disable-gpu --disable-background-networking --disable-dev-shm-usage --no-first-run "
    "--disable-extensions --hide-scrollbars --remote-debugging-pipe"
).split()
PATIENCE = 60
"""Seconds for one answer."""
KEYS = {
    "ArrowRight": 39, "ArrowLeft": 37, "PageDown": 34, "PageUp": 33, " ": 32, "End": 35, "Home": 36,
    "Enter": 13, "Escape": 27, "Tab": 9, "Delete": 46,
}  # fmt: skip


class Page:
    """A page that is open; ``problems`` are the exceptions and refusals that it reported."""

    def __init__(self, process, into, out):
        self.process, self.into, self.out = process, into, out
        self.waiting, self.count, self.session, self.problems = b"", 0, None, []

    def send(self, method, **parameters):
        """Call the protocol, and return what it answers."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.into, json.dumps(message).encode() + b"\0")
        while True:
            found = self.read()
            if found.get("id") == self.count:
                assert "error" not in found, f"{method}: {found['error']}"
                return found["result"]

    def read(self):
        """The next message; what goes wrong on the page is kept."""
        while b"\0" not in self.waiting:
            ready, _, _ = select([self.out], [], [], PATIENCE)
            assert ready, "the browser does not answer"
            self.waiting += os.read(self.out, 1 << 20)
        first, _, self.waiting = self.waiting.partition(b"\0")
        found = json.loads(first)
        if found.get("method") == "Runtime.exceptionThrown":
            self.problems.append(found["params"]["exceptionDetails"].get("exception", {}).get("description"))
        if found.get("method") == "Log.entryAdded" and found["params"]["entry"]["level"] == "error":
            self.problems.append(found["params"]["entry"]["text"])
        return found

    def visit(self, file, *, width=1280, height=720, query=""):
        """Show a file, or an address, and wait until its script has run."""
        address = file if str(file).startswith(("http://", "about:")) else Path(file).as_uri()
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Page.navigate", url=f"{address}{query}")
        while self.read().get("method") != "Page.loadEventFired":
            pass
        return self

    def ask(self, expression):
        """The value of an expression."""
        found = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def press(self, *keys, modifiers=0):
        """Press and release keys; of Alt, Ctrl, Meta and Shift those that are held are 1, 2, 4 and 8."""
        for key in keys:
            code = {" ": "Space"}.get(key, f"Key{key.upper()}" if key.isalpha() and len(key) == 1 else key)
            more = {"key": key, "windowsVirtualKeyCode": KEYS.get(key, ord(key[0].upper())), "code": code}
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else None)
            more |= {"text": text} if text and not modifiers else {}
            self.send("Input.dispatchKeyEvent", type="keyDown", modifiers=modifiers, **more)
            self.send("Input.dispatchKeyEvent", type="keyUp", modifiers=modifiers, **more)

    def type(self, text):
        """Put a text where the cursor is."""
        self.send("Input.insertText", text=text)

    def drag(self, *places):
        """Press the mouse at the first place, move it along, release it at the last; a click where there is one place."""
        more = {"button": "left", "clickCount": 1, "buttons": 1}
        (x, y), *others = places
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.send("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, **more)
        for x, y in others:
            self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left", buttons=1)
        self.send("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, **more)

    def picture(self, file, *, whole=False):
        """Write a picture of the window, or of the whole page."""
        found = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        Path(file).write_bytes(base64.b64decode(found["data"]))


@contextmanager
def browsing():
    """A page in a browser of its own, which is ended afterwards."""
    to_child, into = os.pipe()
    out, from_child = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:

        def place():
            """The protocol speaks over file descriptors 3 and 4."""
            first, second = os.dup(to_child), os.dup(from_child)
            os.dup2(first, 3)
            os.dup2(second, 4)

        process = subprocess.Popen(
            [BROWSER, *OPTIONS, f"--user-data-dir={folder}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=place,  # noqa: PLW1509 (two pipes are to be 3 and 4)
            close_fds=False,
        )
        os.close(to_child)
        os.close(from_child)
        page = Page(process, into, out)
        try:
            (target,) = [one for one in page.send("Target.getTargets")["targetInfos"] if one["type"] == "page"]
            page.session = page.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
            for name in ("Page", "Runtime", "Log"):
                page.send(f"{name}.enable")
            yield page
        finally:
            process.kill()
            process.wait()
            os.close(into)
            os.close(out)
