"""Drives headless Chromium by its own protocol through two pipes, so that tests of pages need no
other package.

python -m tools.browser PAGE.html PICTURE.png: a picture of a page with a digit drawn on it.
"""

import argparse
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
WHY_NOT = "no Chromium here: apt-get install chromium"
WAIT = 20.0  # seconds until an answer of the browser


class PageError(Exception):
    """The page's script failed, or the browser forbade it something."""


class Browser:
    """A browser with one page. `faults`: errors of scripts, what the page's policy refused, what it
    tried to load.
    """

    def __init__(self, folder: Path) -> None:
        read_commands, self._to = os.pipe()
        self._from, write_answers = os.pipe()
        # The browser reads commands from its file 3 and writes answers to 4. Other shells know no
        # file above 9.
        command = f'exec "$@" 3<&{read_commands} 4>&{write_answers}'
        self._process = subprocess.Popen(
            [
                "bash",
                "-c",
                command,
                "bash",
                CHROMIUM,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--remote-debugging-pipe",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--hide-scrollbars",
                f"--user-data-dir={folder / 'profile'}",
                "about:blank",
            ],
            pass_fds=(read_commands, write_answers),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_commands)
        os.close(write_answers)
        self._buffer = b""
        self._number = 0
        self._session = None
        self.faults: list[str] = []
        self.downloads = folder / "downloads"
        pages = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        self._session = self.call(
            "Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True
        )["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            self.call(f"{domain}.enable")
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)

    def call(self, method: str, **parameters: object) -> Any:
        """Send a command and wait for its result; what happens meanwhile is looked through for
        faults.
        """
        number = self._send(method, **parameters)
        end = time.monotonic() + WAIT
        while True:
            message = self._message()
            if message.get("id") == number:
                if "error" in message:
                    raise PageError(f"{method}: {message['error']}")
                return message["result"]
            self._look(message)
            if time.monotonic() > end:
                raise PageError(f"{method}: no answer")

    def _send(self, method: str, **parameters: object) -> int:
        """Send a command; returns its number."""
        self._number += 1
        command = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            command["sessionId"] = self._session
        os.write(self._to, json.dumps(command).encode() + b"\0")
        return self._number

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            if not select.select([self._from], [], [], WAIT)[0]:
                raise PageError("the browser does not answer")
            part = os.read(self._from, 1 << 20)
            if not part:
                raise PageError("the browser has ended")
            self._buffer += part
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def _look(self, message: dict[str, Any]) -> None:
        """Keep what a message says of faults."""
        method = message.get("method")
        values = message.get("params", {})
        if method == "Page.javascriptDialogOpening":  # the page asks whether to leave it
            self._send("Page.handleJavaScriptDialog", accept=True)
        elif method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.faults.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.faults.append(values["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = values["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:")):
                self.faults.append(f"loads {url}")

    def open(
        self,
        path: Path,
        width: int = 1280,
        height: int = 800,
        *,
        dark: bool = False,
        touch: bool = False,
    ) -> None:
        """Open a file in a window of this size, in CSS pixels; returns when it is loaded."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=touch,
        )
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=Path(path).resolve().as_uri())
        self.wait("document.readyState === 'complete' && location.protocol === 'file:'")

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression, as JSON; promises are awaited."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise PageError(answer["exceptionDetails"]["exception"].get("description", "failed"))
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        """Return when a JavaScript expression is true."""
        end = time.monotonic() + WAIT
        while not self.evaluate(condition):
            if time.monotonic() > end:
                raise PageError(f"never true: {condition}")
            time.sleep(0.02)

    def settle(self) -> None:
        """Wait until the page has shown what was drawn."""
        self.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def box(self, selector: str) -> list[float]:
        """left, top, width, height of an element, which is scrolled into the window."""
        self.evaluate(
            f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'nearest'}})"
        )
        return self.evaluate(
            f"(({{left, top, width, height}}) => [left, top, width, height])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )

    def click(self, selector: str) -> None:
        left, top, width, height = self.box(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self._mouse(kind, left + width / 2, top + height / 2)

    def draw(
        self, strokes: Sequence[Sequence[tuple[float, float]]], *, touch: bool = False
    ) -> None:
        """Draw strokes, points (x, y) as fractions of the canvas, with the mouse or a finger."""
        left, top, width, height = self.box("#pad")
        for stroke in strokes:
            points = [(left + x * width, top + y * height) for x, y in stroke]
            if touch:
                for kind, at in [
                    ("touchStart", points[:1]),
                    *(("touchMove", [p]) for p in points[1:]),
                    ("touchEnd", []),
                ]:
                    self.call(
                        "Input.dispatchTouchEvent",
                        type=kind,
                        touchPoints=[{"x": x, "y": y} for x, y in at],
                    )
                continue
            self._mouse("mousePressed", *points[0])
            for point in points[1:]:
                self._mouse("mouseMoved", *point)
            self._mouse("mouseReleased", *points[-1])
        self.settle()

    def _mouse(self, kind: str, x: float, y: float) -> None:
        self.call(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1
        )

    def keys(self, *names: str, modifiers: int = 0) -> None:
        """Press keys: "a", "ArrowLeft", "Tab", " ". `modifiers`: 2 for Ctrl, 8 for Shift."""
        codes = {
            "ArrowLeft": 37,
            "ArrowUp": 38,
            "ArrowRight": 39,
            "ArrowDown": 40,
            "Tab": 9,
            "Enter": 13,
            " ": 32,
            "Backspace": 8,
        }
        for name in names:
            text = {"text": name} if len(name) == 1 else {}
            if name == "Enter":
                text = {"text": "\r"}
            code = codes.get(name, ord(name[0].upper()))
            common = {"key": name, "windowsVirtualKeyCode": code, "modifiers": modifiers}
            self.call(
                "Input.dispatchKeyEvent",
                type="keyDown",
                **common,
                **({} if modifiers == 2 else text),
            )
            self.call("Input.dispatchKeyEvent", type="keyUp", **common)
        self.settle()

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        """Write a picture of the window as PNG, or of the `whole` page."""
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(picture["data"]))


def main() -> None:
    from tests.handwriting import STROKES

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path)
    parser.add_argument("picture", type=Path)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        closing(Browser(Path(folder))) as browser,
    ):
        browser.open(options.page, 1080, 860)
        browser.draw(STROKES["3"])
        browser.screenshot(options.picture)


if __name__ == "__main__":
    main()
