"""Pictures of the window's main states, light and dark, for the documentation: `make screenshots`."""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, QPoint, QSize, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from gui.window.app import make_application
from gui.window.main_window import MainWindow
from gui.window.tour import Tour, show_tour

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"
SIZE = QSize(1280, 720)
# Learns fast enough for pictures of a run under way.
NETWORK = "784-128-10"
# A three, in parts of the canvas's square.
THREE = (
    (0.3, 0.25), (0.42, 0.17), (0.58, 0.18), (0.66, 0.3), (0.6, 0.42), (0.47, 0.47), (0.62, 0.53),
    (0.69, 0.66), (0.62, 0.79), (0.46, 0.84), (0.3, 0.77),
)  # fmt: skip
LONGEST_WAIT_SECONDS = 120


def take_all(folder: Path) -> None:
    """Write a picture of each state that `_visit` brings the window into, in both schemes, into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = make_application(["digitlab"])
    for scheme in ("light", "dark"):
        with tempfile.TemporaryDirectory() as home:
            os.environ["DIGITLAB_HOME"] = home
            window = MainWindow()
            window.resize(SIZE)
            window.choose_theme(scheme)
            window.show()
            try:
                _visit(
                    window, lambda state, window=window, scheme=scheme: _take(window, folder, state, scheme)
                )
            finally:
                window.close()
            app.processEvents()


def _visit(window: MainWindow, take: Callable[[str], None]) -> None:
    """Bring the window into each state, as a person would."""
    _wait(lambda: window.trainButton.isEnabled())
    take("start")
    show_tour(window)
    take("tour")
    for tour in window.findChildren(Tour):
        tour.close_tour()
    _draw(window.canvas)
    window.datasetBox.setCurrentIndex(window.datasetBox.findData("builtin"))
    window.networkEdit.setText(NETWORK)
    window.epochsBox.setProperty("value", 5)
    window.trainButton.click()
    _wait(lambda: window.training.epochs.rowCount() >= 2)
    _rest(700)
    take("training")
    _wait(lambda: not window.stopButton.isEnabled())
    _rest(300)
    take("trained")
    window.tabs.setCurrentWidget(window.results)
    _rest(2500)
    take("results")
    window.tabs.setCurrentWidget(window.measuring)
    _rest(300)
    window.measuring.race.start_button.click()
    _wait(lambda: not window.measuring.busy)
    take("race")
    window.tabs.setCurrentWidget(window.training)
    window.networkEdit.setText("784-0-10")
    take("refusal")


def _draw(canvas: QWidget) -> None:
    side = min(canvas.width(), canvas.height())
    left, top = (canvas.width() - side) / 2, (canvas.height() - side) / 2
    points = [QPoint(round(left + x * side), round(top + y * side)) for x, y in THREE]
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=points[0])
    for point in points[1:]:
        QTest.mouseMove(canvas, point)
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=points[-1])


def _rest(milliseconds: int) -> None:
    """Let the window live for so long. QTest's own wait would hold up all other threads."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def _wait(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONGEST_WAIT_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit("the window never came into the next state")
        _rest(20)


def _take(window: MainWindow, folder: Path, state: str, scheme: str) -> None:
    _rest(150)
    path = folder / f"{state}-{scheme}.png"
    if not window.grab().save(str(path)):
        raise SystemExit(f"{path} could not be written")
    print(path)


if __name__ == "__main__":
    take_all(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
