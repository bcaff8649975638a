"""Measures the Inside tab: what each of its views costs training, and how soon a view follows a drawing meanwhile.

python -m tools.inside_cost [--data builtin] [--rounds 3] [--epochs 8] [--moves 300]

784-512-10 trains in the window (offscreen). Blocks of epochs with the Devices tab in front, which shows nothing of the
run, alternate with blocks with a view of the Inside tab. Then the bundled network reads the canvas, and the time from
a mouse move to the new result of a view is measured.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median

import numpy as np
from PySide6.QtCore import QEventLoop, Qt, QTimer

from core.training.records import EpochDone, Record
from gui.inside.page import InspectedInput, Page
from gui.window.application import SWITCH_SECONDS, configure_process, make_application
from gui.window.main_window import MainWindow
from tools.parts import part
from tools.window_cost import MOVE_MILLISECONDS, draw_moves, make_window

# The views that follow a drawing; WHY is measured with the gradient.
FOLLOWING = ("activationsPage", "networkPage", "whyPage")
# A move that leaves the picture as it is gives no new result.
UNCHANGED_SECONDS = 0.4


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", default="builtin", help="data set to learn from (default: builtin)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=8, help="epochs a block; the first one is not counted")
    parser.add_argument("--moves", type=int, default=300)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    configure_process()  # as the program does
    sys.setswitchinterval(SWITCH_SECONDS)
    with tempfile.TemporaryDirectory() as home:
        os.environ.setdefault("DIGITLAB_HOME", home)
        app = make_application(["digitlab"])
        window = make_window(options.data, 10_000)
        try:
            _until(lambda: bool(window.inside._model))
            window.tabs.setCurrentWidget(window.inside)  # makes the views
            part(window, "trainButton").click()
            seconds = _collect(window)
            _until(lambda: len(seconds) > 1)
            draw = draw_moves(window)
            for _ in range(30):
                next(draw)
            for number in range(len(window.inside.pages)):
                _measure_cost(window, number, seconds, options.rounds, options.epochs)
            window.model_selector.choose("built-in")
            for number, page in enumerate(window.inside.pages):
                if page.objectName() in FOLLOWING:
                    _measure_wait(window, number, page, options.moves)
        finally:
            window.close()
            app.processEvents()


def _collect(window: MainWindow) -> list[float]:
    """The seconds of each epoch, while they come."""
    seconds: list[float] = []

    def take(records: list[Record]) -> None:
        seconds.extend(record.epoch_seconds for record in records if isinstance(record, EpochDone))

    window.session.records.connect(take)
    return seconds


def _measure_cost(window: MainWindow, number: int, seconds: list[float], rounds: int, epochs: int) -> None:
    ratios = []
    for _ in range(rounds):
        window.tabs.setCurrentWidget(window.measuring)
        without = _block(seconds, epochs)
        window.tabs.setCurrentWidget(window.inside)
        window.inside.chooser.setCurrentIndex(number)
        ratios.append(_block(seconds, epochs) / without)
    name = window.inside.pages[number].objectName()
    print(
        f"{name}: {100 * (median(ratios) - 1):.1f} % of an epoch "
        f"({', '.join(f'{ratio:.3f}' for ratio in ratios)})",
        flush=True,
    )


def _block(seconds: list[float], epochs: int) -> float:
    """The median of the next epochs, without the first, which began before."""
    start = len(seconds) + 1
    _until(lambda: len(seconds) >= start + epochs)
    return median(seconds[start : start + epochs])


def _measure_wait(window: MainWindow, number: int, page: Page, moves: int) -> None:
    """Print the milliseconds from mouse moves to the new result."""
    window.inside.chooser.setCurrentIndex(number)
    if page.objectName() == "whyPage":
        page.method_box.setCurrentIndex(page.method_box.findData("gradient"))  # type: ignore[attr-defined]
    waits: list[float] = []
    sent = 0.0
    last = np.zeros(0)
    show_result = page.show_result
    hand = draw_moves(window)

    def shown(subject: InspectedInput, result: object) -> None:
        nonlocal sent, last
        show_result(subject, result)
        page.repaint()
        if sent and subject.input is not None and not np.array_equal(subject.input, last):
            waits.append(1000 * (time.perf_counter() - sent))
            sent = 0.0
            last = subject.input

    def move() -> None:
        nonlocal sent
        if not sent or time.perf_counter() - sent > UNCHANGED_SECONDS:
            sent = time.perf_counter()
            next(hand)

    clock = QTimer(window, interval=MOVE_MILLISECONDS, timerType=Qt.TimerType.PreciseTimer)
    clock.timeout.connect(move)
    page.show_result = shown  # type: ignore[method-assign]
    clock.start()
    try:
        _until(lambda: len(waits) >= moves)
    finally:
        clock.stop()
        page.show_result = show_result  # type: ignore[method-assign]
    figures = ", ".join(
        f"{name} {np.percentile(waits, q):.1f}" for name, q in (("median", 50), ("p90", 90), ("p99", 99))
    )
    print(
        f"{page.objectName()}: milliseconds from a mouse move to the view of it: {figures}, "
        f"maximum {max(waits):.1f}",
        flush=True,
    )


def _until(condition: Callable[[], bool]) -> None:
    """Handle events until the condition holds."""
    loop = QEventLoop()
    clock = QTimer(interval=20)
    clock.timeout.connect(lambda: loop.quit() if condition() else None)
    clock.start()
    loop.exec()
    clock.stop()


if __name__ == "__main__":
    main()
