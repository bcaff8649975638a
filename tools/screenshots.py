"""Takes the pictures of the window in the documentation: `make screenshots`.

Each picture is taken when a condition on the window holds, so that it does not depend on the speed of the machine.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEventLoop, QPoint, QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QWidget

from core.labs.package import lessons
from gui.devices.race_page import RacePage
from gui.inside.network_page import NetworkPage
from gui.training.session import State
from gui.widgets.theme import theme
from gui.window.application import make_application
from gui.window.main_window import MainWindow
from tools.parts import part

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"
SIZE = QSize(1280, 720)
# Learns fast, but not so fast that the run could end between two checks.
NETWORK = "784-128-10"
EPOCHS = 5
RACE = 6  # the number of an exercise that begins with a race
UNIT = (1, 3)  # layer and unit that are shown in the Inside tab
FOURTH_EPOCH = 650  # a value of the progress bar, which counts to 1000, within the fourth of five epochs
# The points of a three, as fractions of the canvas's side.
THREE = (
    (0.3, 0.25), (0.42, 0.17), (0.58, 0.18), (0.66, 0.3), (0.6, 0.42), (0.47, 0.47), (0.62, 0.53),
    (0.69, 0.66), (0.62, 0.79), (0.46, 0.84), (0.3, 0.77),
)  # fmt: skip
# The points of a curve that somebody expects, as fractions of the plot's width and height.
EXPECTED = ((0.02, 0.1), (0.15, 0.6), (0.3, 0.8), (0.6, 0.9), (0.98, 0.93))
TIMEOUT_SECONDS = 180
CHECK_MILLISECONDS = 20

# Writes a picture with this name once the condition holds. The last argument: whether the picture keeps changing.
Take = Callable[[str, Callable[[], bool], bool], None]


def take_all(folder: Path) -> None:
    """Write a picture of each state that `_visit` brings the window into, into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with opened_window() as window:
        window.resize(SIZE)
        theme().choose("light")
        _visit(window, partial(_take, window, folder))


@contextmanager
def opened_window() -> Iterator[MainWindow]:
    """A window with a home of its own, off the screen."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = make_application(["digitlab"])
    # A blinking text cursor would make two pictures of the same state differ.
    app.setCursorFlashTime(0)
    with tempfile.TemporaryDirectory() as home:
        os.environ["DIGITLAB_HOME"] = home
        window = MainWindow()
        window.show()
        try:
            yield window
        finally:
            window.close()
        app.processEvents()


def _visit(window: MainWindow, take: Take) -> None:
    """Bring the window into each state, as a user would, and take a picture of it."""
    wait_for(lambda: part(window, "trainButton").isEnabled() and bool(window.devices.known()), "start")
    draw_three(part(window, "canvas"))
    _choose(part(window, "datasetBox"), "builtin")
    part(window, "networkEdit").setText(NETWORK)
    part(window, "epochsBox").setProperty("value", EPOCHS)
    part(window, "trainButton").click()
    take("training", lambda: _is_past_third_epoch(window), True)
    wait_for(lambda: not window.session.active and _epochs(window) == EPOCHS, "trained")
    window.banner.hide()
    window.tabs.setCurrentWidget(window.results)
    take("results", window.results.export_button.isEnabled, False)
    window.tabs.setCurrentWidget(window.inside)
    take("inside", partial(_shows_unit, window), False)
    window.tabs.setCurrentWidget(window.measuring)
    race = window.measuring.race
    race.start_button.click()
    take("race", lambda: race.runner.busy and _epochs_of_slowest(race) >= 2, True)
    race.stop_button.click()
    wait_for(lambda: not race.runner.busy, "race stopped")
    comparisons = window.measuring.comparisons
    window.measuring.chooser.setCurrentIndex(1)
    _choose(comparisons.box, "operators")
    comparisons.start_button.click()
    take("comparisons", lambda: not comparisons.runner.busy and bool(comparisons.rows), False)
    _predict(window)
    take("lab", lambda: not window.session.active and bool(window.labs.answers.attempts), False)
    _check_a_race(window)
    take("workshop", lambda: part(window, "lookRace").isVisible(), False)


def _check_a_race(window: MainWindow) -> None:
    """Check what exercise RACE begins with, and go to the race in Look."""
    window.tabs.setCurrentWidget(window.workshop)
    workshop = window.workshop.bench
    assert workshop is not None
    wait_for(part(window, "workshopOpen").isEnabled, "exercises")
    rows = part(window, "workshopList")
    rows.setCurrentIndex(rows.model().index(RACE - 1, 1))
    before = workshop.block
    part(window, "workshopOpen").click()
    wait_for(lambda: workshop.block not in (before, None), "exercise")
    workshop.check()
    wait_for(lambda: workshop.verdict is not None and not workshop.tasks.runner.busy, "verdict")
    workshop.findings.chooser.setCurrentIndex(1)


def _predict(window: MainWindow) -> None:
    """Open the first lesson, choose and draw what is expected, and start its runs."""
    window.labs.open(lessons()[0][1])
    wait_for(window.labs.isVisible, "lab")
    part(window, "labNext").click()
    part(window, "lab-bestChoice1").click()
    plot = window.training.plots.accuracy_plot
    wait_for(plot.isVisible, "plot")
    area = plot.plotItem.vb.sceneBoundingRect()
    points = [
        plot.mapFromScene(area.bottomLeft() + QPointF(x * area.width(), -y * area.height()))
        for x, y in EXPECTED
    ]
    _draw(plot.viewport(), points)
    part(window, "labNext").click()
    part(window, "lab-ratesStart").click()


def _shows_unit(window: MainWindow) -> bool:
    """Choose UNIT in the picture of the network; return whether its values and the images that excite it are shown."""
    inside = window.inside
    network = next(page for page in inside.pages if isinstance(page, NetworkPage))
    inside.chooser.setCurrentIndex(inside.pages.index(network))
    layer, unit = UNIT
    content = network.stage.picture.content
    if content is not None and network.stage.marks.layer != layer:
        network.stage.choose(layer, content.columns[layer].shown.index(unit))
    has_values = content is not None and content.answers is not None
    return has_values and len(network.details.examples.values) > 0


def _is_past_third_epoch(window: MainWindow) -> bool:
    """Whether a run is going on, and the window shows three epochs and a part of the fourth."""
    is_running = window.session.state is State.RUNNING
    # The progress bar alone does not tell: it shows the preparation before.
    return is_running and _epochs(window) >= 3 and window.status.progress.value() >= FOURTH_EPOCH


def _epochs(window: MainWindow) -> int:
    return window.training.epochs.rowCount()


def _epochs_of_slowest(race: RacePage) -> int:
    """The number of test results that are drawn of each contestant at least; 0 before the race begins."""
    return min((len(curves.tested) for curves in race.plot.contestants.values()), default=0)


def _choose(box: QComboBox, data: str) -> None:
    box.setCurrentIndex(box.findData(data))


def draw_three(canvas: QWidget) -> None:
    side = min(canvas.width(), canvas.height())
    left = (canvas.width() - side) / 2
    top = (canvas.height() - side) / 2
    _draw(canvas, [QPoint(round(left + x * side), round(top + y * side)) for x, y in THREE])


def _draw(widget: QWidget, points: Sequence[QPoint]) -> None:
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=points[0])
    for point in points[1:]:
        QTest.mouseMove(widget, point)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=points[-1])


def _take(window: MainWindow, folder: Path, state: str, condition: Callable[[], bool], moving: bool) -> None:
    """Write a picture once `condition` holds; unless `moving`, once two in succession are equal."""
    wait_for(condition, state)
    image = window.grab().toImage()
    before = QImage()
    while not moving and image != before:
        wait_for(condition, state)
        before = image
        image = window.grab().toImage()
    path = folder / f"{state}-light.png"
    if not image.save(str(path)):
        raise SystemExit(f"{path} could not be written")
    print(path)


def wait_for(condition: Callable[[], bool], state: str) -> None:
    """Run the event loop until `condition` holds. The wait of QTest would hold the interpreter lock."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while True:
        loop = QEventLoop()
        QTimer.singleShot(CHECK_MILLISECONDS, loop.quit)
        loop.exec()
        if condition():
            return
        if time.monotonic() > deadline:
            raise SystemExit(f"the window never came into the state “{state}”")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    take_all(parser.parse_args().folder)


if __name__ == "__main__":
    main()
