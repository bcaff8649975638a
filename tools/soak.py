"""Uses the window for a long time and reports what grows and what holds it up.

python -m tools.soak [--minutes N]: trains, draws, changes tabs, views, themes and settings, without
a screen. Every ten seconds a line of CSV: minutes, resident memory in MB, threads, open files, the
longest pause of the window's thread in ms, the longest part of a pause that was not spent waiting
for a processor. At the end: memory after five minutes, its largest value since, and every pause of
more than 100 ms with the place where the window's thread was.
"""

import argparse
import faulthandler
import os
import random
import re
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.widgets.theme import theme
from gui.window.application import collect_in_this_thread, configure_process, make_application
from gui.window.main_window import MainWindow
from tools.pictures import part

NETWORKS = ("784-128-10", "784-512-10", "784-64-64-10", "8C5-MP2-16C5-MP2-64N-10N")
PAUSE_SECONDS = 0.1
_FRAME = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)
SETTLED_MINUTES = 5


class Heartbeat:
    """Measures pauses of the window's thread: a timer beats there, a thread notes the stack when it
    is late.

    The program's own part of a pause is without the time in which one of its threads waited for a
    processor that other programs had. Linux tells that time; where it is unknown, the whole pause
    counts.
    """

    def __init__(self) -> None:
        self.longest = self.longest_own = 0.0
        self.long_pauses: list[str] = []
        self._main = threading.get_ident()
        self._begun = self._last = time.perf_counter()
        self._waits = _processor_waits()
        self._stack = ""
        self._timer = QTimer(interval=10)
        self._timer.timeout.connect(self._beat)
        self._timer.start()
        threading.Thread(target=self._watch, daemon=True).start()

    def take_longest(self) -> tuple[float, float]:
        """The longest pause since the last call, and the longest own part of one, in seconds."""
        longest = self.longest, self.longest_own
        self.longest = self.longest_own = 0.0
        return longest

    def _beat(self) -> None:
        now = time.perf_counter()
        waits = _processor_waits()
        pause = now - self._last - 0.01
        waited = max(
            (waits[thread] - self._waits.get(thread, 0.0) for thread in waits), default=0.0
        )
        own_pause = pause - waited
        if pause > PAUSE_SECONDS:
            minutes = (now - self._begun) / 60
            self.long_pauses.append(
                f"{minutes:6.2f} {1000 * pause:5.0f} {1000 * own_pause:5.0f} {self._stack}"
            )
        self.longest = max(self.longest, pause)
        self.longest_own = max(self.longest_own, own_pause)
        self._last = now
        self._waits = waits
        self._stack = ""

    def _watch(self) -> None:
        noted = 0.0
        while True:
            time.sleep(0.02)
            last = self._last
            if time.perf_counter() - last > PAUSE_SECONDS + 0.01 and last != noted:
                noted = last
                self._stack = " < ".join(self._places()[:4])

    def _places(self) -> list[str]:
        """Where the window's thread is in our files, innermost first.

        Not by `sys._current_frames`: while a frame is held here, the QPainter of a paintEvent
        outlives it, and Qt crashes.
        """
        with tempfile.TemporaryFile("w+") as file:
            faulthandler.dump_traceback(file, all_threads=True)
            file.seek(0)
            _, _, stack = file.read().partition(f"0x{self._main:016x} ")
        places = []
        for path, line, function in _FRAME.findall(stack.partition("\n\n")[0]):
            if "site-packages" not in path and not path.startswith("<"):
                places.append(f"{Path(path).name}:{line} {function}")
        return places


def _processor_waits() -> dict[str, float]:
    """For each thread of the program, how long it has been ready to run without a processor, in
    seconds.
    """
    waits = {}
    for path in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError, IndexError, ValueError):  # the thread has ended
            waits[path.parent.name] = int(path.read_text().split()[1]) / 1e9
    return waits


class User:
    """Random actions, one every 150 ms; a stroke takes as long as 12 of its points, one every 15
    ms.
    """

    def __init__(self, window: MainWindow, seed: int) -> None:
        self._window = window
        self._random = random.Random(seed)
        self._timer = QTimer(interval=150)
        self._timer.timeout.connect(self._act)
        self._timer.start()
        self._points: list[QPoint] = []
        self._pen = QTimer(interval=15)
        self._pen.timeout.connect(self._move)

    def stop(self) -> None:
        self._timer.stop()
        self._pen.stop()

    def _act(self) -> None:
        if self._pen.isActive():
            return
        window = self._window
        chance = self._random.random()
        if chance < 0.6:
            self._draw_stroke()
        elif chance < 0.7:
            part(window, "clearButton").click()
        elif chance < 0.76:
            window.tabs.setCurrentIndex(self._random.randrange(window.tabs.count()))
        elif chance < 0.78:
            window.chooser.setCurrentIndex(self._random.randrange(window.chooser.count()))
        elif chance < 0.8:
            part(window, "moreButton").click()
        elif chance < 0.815:
            theme().choose(self._random.choice(("light", "dark", "system")))
        elif chance < 0.83:
            part(window, "learningRateEdit").setText(self._random.choice(("0.01", "0.05", "0.1")))
        elif chance < 0.85:
            part(window, "pauseButton").click()
        elif chance < 0.853:
            part(window, "stopButton").click()
        elif not window.session.active:
            part(window, "networkEdit").setText(self._random.choice(NETWORKS))
            part(window, "epochsBox").setValue(self._random.choice((2, 5, 20)))
            part(window, "trainButton").click()

    def _draw_stroke(self) -> None:
        """Begin a stroke; where the canvas is not in sight, bring it there instead."""
        canvas = part(self._window, "canvas")
        if not canvas.isVisible():
            self._window.tabs.setCurrentIndex(0)
            self._window.chooser.setCurrentIndex(2)  # network and curve
            return
        x = self._random.randrange(20, max(21, canvas.width() - 20))
        y = self._random.randrange(20, max(21, canvas.height() - 20))
        QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(x, y))
        for _ in range(12):
            x += self._random.randrange(-9, 10)
            y += self._random.randrange(-9, 10)
            self._points.insert(0, QPoint(x, y))
        self._pen.start()

    def _move(self) -> None:
        point = self._points.pop()
        QTest.mouseMove(part(self._window, "canvas"), point)
        if not self._points:
            self._pen.stop()
            QTest.mouseRelease(part(self._window, "canvas"), Qt.MouseButton.LeftButton, pos=point)


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    configure_process()
    with tempfile.TemporaryDirectory() as home:
        os.environ["DIGITLAB_HOME"] = home
        app = make_application(["digitlab"])
        with collect_in_this_thread() as exempt_present_objects:  # as the program does
            memory, pauses, long_pauses = _use(
                app, exempt_present_objects, options.minutes, options.seed
            )
    settled = [
        size for minutes, size in memory if minutes >= min(SETTLED_MINUTES, options.minutes / 2)
    ]
    print(
        f"memory: {settled[0]:.0f} MB when settled, at most {max(settled):.0f} MB since, "
        f"{settled[-1]:.0f} MB at last"
    )
    longest = 1000 * max(pause for pause, _ in pauses)
    own_pause = 1000 * max(own for _, own in pauses)
    print(
        f"longest pause of the window's thread: {longest:.0f} ms; {own_pause:.0f} ms not waiting "
        "for a processor"
    )
    print("minute, ms, ms not waiting for a processor, place of each pause of more than 100 ms:")
    print("\n".join(long_pauses) or "none")


def _use(
    app: QApplication, exempt_present_objects: Callable[[], None], minutes: float, seed: int
) -> tuple[list[tuple[float, float]], list[tuple[float, float]], list[str]]:
    window = MainWindow()
    window.devices.probed.connect(exempt_present_objects)  # as the program does
    window.show()
    heart = Heartbeat()
    user = User(window, seed)
    memory: list[tuple[float, float]] = []
    pauses: list[tuple[float, float]] = []
    begun = time.perf_counter()

    def report() -> None:
        passed = (time.perf_counter() - begun) / 60
        memory.append((passed, resident_megabytes()))
        pauses.append(heart.take_longest())
        threads = len(os.listdir("/proc/self/task"))
        files = len(os.listdir("/proc/self/fd"))
        print(
            f"{passed:.2f},{memory[-1][1]:.0f},{threads},{files},"
            + ",".join(f"{1000 * pause:.0f}" for pause in pauses[-1]),
            flush=True,
        )
        if passed >= minutes:
            user.stop()
            timer.stop()
            window.close()
            app.quit()

    timer = QTimer(interval=10_000)
    timer.timeout.connect(report)
    timer.start()
    print("minutes,MB,threads,files,pause_ms,own_pause_ms")
    app.exec()
    return memory, pauses, heart.long_pauses


if __name__ == "__main__":
    main()
