"""Draws pictures of the window.

python -m tools.pictures documents [FOLDER]
python -m tools.pictures window FOLDER [SIZE ...]
python -m tools.pictures stage FOLDER [--models FOLDER] [--only NAME ...]

`documents`: those of the documentation (`make screenshots`). `window`: every tab at all sizes and
in all themes, with the lowest contrast of a text in each, then large text, presenter mode, and what
the last row of a room sees of it. `stage`: the stage with all kinds of networks, states, looks and
sizes, with the milliseconds that each picture took; the networks learn from the built-in digits for
an epoch and are kept in the folder of models.

Each picture is taken when a condition on the window holds, so that it does not depend on the speed
of the machine.
"""

import argparse
import itertools
import math
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QEventLoop, QPoint, QPointF, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QScrollArea, QWidget

from core import commands
from core.drawing.strokes import smooth
from core.inference.model_file import Model, load_model
from core.labs.package import lessons
from core.reading.reader import DrawingReader
from gui.drawing.canvas import Canvas
from gui.drawing.document import Document, Dot
from gui.stage.stage import Stage
from gui.training.session import State
from gui.widgets.theme import theme
from gui.window.application import collect_in_this_thread, configure_process, make_application
from gui.window.main_window import MainWindow

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"
SIZE = QSize(1280, 720)
# Learns fast, but not so fast that the run could end between two checks.
NETWORK = "8C5-MP2-16C5-MP2-64N-10N"
EPOCHS = 5
RACE = 6  # the number of an exercise that begins with a race
ASKED = 2  # column of which a unit is asked
# A value of the progress bar, which counts to 1000, within the fourth of five epochs.
FOURTH_EPOCH = 650
# The points of a three, as fractions of the canvas's side.
THREE = (
    (0.3, 0.25), (0.42, 0.17), (0.58, 0.18), (0.66, 0.3), (0.6, 0.42), (0.47, 0.47), (0.62, 0.53),
    (0.69, 0.66), (0.62, 0.79), (0.46, 0.84), (0.3, 0.77),
)  # fmt: skip
# The points of a curve that somebody expects, as fractions of the plot's width and height.
EXPECTED = ((0.02, 0.1), (0.15, 0.6), (0.3, 0.8), (0.6, 0.9), (0.98, 0.93))
MOVES_A_DRAWING = 60  # after which the canvas is cleared
TIMEOUT_SECONDS = 180
CHECK_MILLISECONDS = 20

SIZES = ("1024x700", "1280x720", "1920x1080", "2560x1440")
THEMES = (("light", False), ("dark", False), ("light", True), ("dark", True))
LAST_ROW = 0.14
# The least contrast of texts, of lines and marks, and of grid lines.
TEXT = 4.5
LINE = 3.0
GRID = 1.25
STAGE_NETWORKS = {
    "linear": "784-10",
    "dense": "784-128-10",
    "wide": "784-512-10",
    "small": "8C5-MP2-16C5-MP2-64N-10N",
    "blog": "32C5-MP2-64C5-MP2-512N-10N",
    "deep": "784-64-48-48-32-32-32-24-10",
    "norm": "8C3-BN-MP2-16C3-D25-64N-BN-D50-10N",
    "dead": "784-64-32-10",
    "tanh": "784-32:tanh-10",
}
STAGE_SIZES = {"1280": (1248, 356), "1920": (1872, 568)}
STAGE_LOOKS = {
    "light": ("light", False, 100),
    "dark": ("dark", False, 100),
    "contrast": ("dark", True, 100),
    "large": ("light", False, 160),
}
SCRAWL = (
    (0.2, 0.2),
    (0.8, 0.8),
    (0.2, 0.8),
    (0.8, 0.2),
    (0.5, 0.1),
    (0.1, 0.5),
    (0.5, 0.9),
    (0.9, 0.5),
    (0.2, 0.2),
)

# Writes a picture with this name once the condition holds. The last argument: whether the picture
# keeps changing.
Take = Callable[[str, Callable[[], bool], bool], None]


def part(window: QWidget, name: str) -> Any:
    """The widget with this object name. Raises LookupError if there is none."""
    found = window.findChild(QWidget, name)
    if found is None:
        raise LookupError(f"the window has no part {name}")
    return found


def wait_for(condition: Callable[[], bool], state: str, seconds: float = TIMEOUT_SECONDS) -> None:
    """Run the event loop until `condition` holds. The wait of QTest would hold the interpreter
    lock.
    """
    deadline = time.monotonic() + seconds
    while True:
        loop = QEventLoop()
        QTimer.singleShot(CHECK_MILLISECONDS, loop.quit)
        loop.exec()
        if condition():
            return
        if time.monotonic() > deadline:
            raise SystemExit(f"the window never came into the state “{state}”")


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


def draw_three(canvas: QWidget) -> None:
    side = min(canvas.width(), canvas.height())
    left = (canvas.width() - side) / 2
    top = (canvas.height() - side) / 2
    _draw(canvas, [QPoint(round(left + x * side), round(top + y * side)) for x, y in THREE])


def draw_moves(window: MainWindow) -> Iterator[None]:
    """Draw loops on the canvas, move by move; clear it now and then."""
    canvas = part(window, "canvas")
    side = min(canvas.width(), canvas.height())
    middle = canvas.rect().center()
    left = Qt.MouseButton.LeftButton
    for k in itertools.count():
        wide = 0.3 * (1 - 0.3 * math.sin(0.05 * k))
        place = middle + QPoint(
            round(wide * side * math.cos(0.21 * k)), round(0.35 * side * math.sin(0.21 * k))
        )
        if k % MOVES_A_DRAWING == 0:
            part(window, "clearButton").click()
            QTest.mousePress(canvas, left, pos=place)
        QTest.mouseMove(canvas, place)
        if k % MOVES_A_DRAWING == MOVES_A_DRAWING - 1:
            QTest.mouseRelease(canvas, left, pos=place)
        yield


def _draw(widget: QWidget, points: Sequence[QPoint]) -> None:
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=points[0])
    for point in points[1:]:
        QTest.mouseMove(widget, point)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=points[-1])


# -- the documentation -----------------------------------------------------------------------------


def take_all(folder: Path) -> None:
    """Write a picture of each state that `_visit` brings the window into, into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with opened_window() as window:
        window.resize(SIZE)
        theme().choose("light")
        _visit(window, partial(_take, window, folder))


def _visit(window: MainWindow, take: Take) -> None:
    """Bring the window into each state, as a user would, and take a picture of it."""
    wait_for(
        lambda: part(window, "trainButton").isEnabled() and bool(window.devices.known()), "start"
    )
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
    window.chooser.show_stage()
    window.drawing.stage.ask(ASKED)
    take("ask", lambda: not window.drawing.stage.is_waiting and window.ask.isVisible(), False)
    window.drawing.stage.leave()
    window.tabs.setCurrentWidget(window.measuring)
    comparisons = window.measuring.comparisons
    window.measuring.more.click()
    _choose(comparisons.box, "operators")
    comparisons.start_button.click()
    wait_for(lambda: not comparisons.runner.busy and bool(comparisons.rows), "comparisons")
    bar = window.measuring.findChild(QScrollArea).verticalScrollBar()
    take("comparisons", lambda: bar.setValue(comparisons.y()) or bar.value() > 0, False)
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
    part(window, f"exercise{RACE}").click()
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


def _is_past_third_epoch(window: MainWindow) -> bool:
    """Whether a run is going on, and the window shows three epochs and a part of the fourth."""
    is_running = window.session.state is State.RUNNING
    # The progress bar alone does not tell: it shows the preparation before.
    return is_running and _epochs(window) >= 3 and window.status.progress.value() >= FOURTH_EPOCH


def _epochs(window: MainWindow) -> int:
    return window.training.epochs.rowCount()


def _choose(box: QComboBox, data: str) -> None:
    box.setCurrentIndex(box.findData(data))


def _take(
    window: MainWindow, folder: Path, state: str, condition: Callable[[], bool], moving: bool
) -> None:
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


# -- all tabs --------------------------------------------------------------------------------------


def draw_all(folder: Path, sizes: Sequence[str] = SIZES) -> None:
    """Train a small network, draw a digit, and write all pictures into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with opened_window() as window:
        prepare(window)
        for size in sizes:
            window.resize(QSize(*map(int, size.split("x"))))
            for look in THEMES:
                draw_tabs(window, folder, size, *look)
        theme().choose("light", high_contrast=False)
        draw_room(window, folder)


def prepare(window: MainWindow) -> None:
    """Train, so that every tab has something to show."""
    wait_for(lambda: part(window, "trainButton").isEnabled(), "start")
    part(window, "networkEdit").setText("784-32-10")
    part(window, "trainButton").click()
    wait_for(lambda: not window.session.active and window.training.epochs.rowCount() > 0, "trained")
    window.resize(1280, 720)
    draw_three(part(window, "canvas"))
    wait_for(lambda: bool(window.drawing.stage.answers.answer.name), "read")
    window.banner.hide()


def draw_tabs(
    window: MainWindow, folder: Path, size: str, choice: str, high_contrast: bool
) -> None:
    """Write a picture of each tab in this theme."""
    theme().choose(choice, high_contrast=high_contrast)
    for index in range(window.tabs.count()):
        window.tabs.setCurrentIndex(index)
        if window.tabs.currentWidget() is window.results:
            wait_for(window.results.export_button.isEnabled, "results")
        name = f"{size}-{'contrast-' if high_contrast else ''}{choice}-{window.tabs.tabText(index)}"
        _save(window, folder / f"{name}.png")
    window.tabs.setCurrentIndex(0)


def draw_room(window: MainWindow, folder: Path) -> None:
    """Write pictures of large text and of presenter mode at 1280x720, and the latter as the last
    row sees it.
    """
    window.resize(1280, 720)
    theme().choose("light", text_size=200)
    _save(window, folder / "text-200.png")
    theme().choose("light", text_size=100)
    window.presenter.trigger()
    window.setWindowState(Qt.WindowState.WindowNoState)  # of the size of a screen
    window.resize(1280, 720)
    image = _save(window, folder / "presenter.png")
    seen = image.scaledToWidth(
        round(image.width() * LAST_ROW), Qt.TransformationMode.SmoothTransformation
    )
    seen.save(str(folder / "last-row.png"))
    window.presenter.trigger()


def _save(window: MainWindow, path: Path) -> QImage:
    before = QImage()
    # The second of two equal pictures: what is computed in the background has arrived.
    for _ in range(20):
        wait_for(partial(bool, True), "drawn")
        image = window.grab().toImage()
        if image == before:
            break
        before = image
    image.save(str(path))
    lowest = min(texts(window), default=(21.0, ""))
    print(f"{path.name}: lowest contrast of a text {lowest[0]:.2f} ({lowest[1]})")
    return image


def texts(window: QWidget) -> Iterator[tuple[float, str]]:
    """The contrast of each text that is shown in `window`, and its widget's name or its
    beginning.
    """
    image = window.grab().toImage()
    for widget in window.findChildren(QWidget):
        if (
            isinstance(widget, (QLabel, QAbstractButton, QLineEdit, QComboBox))
            and widget.isVisible()
        ):
            text = widget.currentText() if isinstance(widget, QComboBox) else widget.text()
            area = QRect(
                widget.mapTo(window, QPoint()), widget.visibleRegion().boundingRect().size()
            )
            if text.strip() and area.width() > 12 and area.height() > 8:
                yield (
                    contrast_in(image, area.adjusted(4, 3, -4, -3)),
                    widget.objectName() or text[:30],
                )


def contrast_in(image: QImage, area: QRect) -> float:
    """The contrast of WCAG 2 between the most frequent color of this part of a picture and the one
    farthest from it.
    """
    part = image.copy(area).convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(part.constBits(), np.uint8).reshape(part.height(), part.bytesPerLine())
    pixels = rows[:, : 3 * part.width()].reshape(-1, 3)
    colors, counts = np.unique(pixels, axis=0, return_counts=True)
    light = luminance(colors)
    ground = light[counts.argmax()]
    low = np.minimum(light, ground)
    high = np.maximum(light, ground)
    return float(((high + 0.05) / (low + 0.05)).max())


def luminance(colors: np.ndarray) -> np.ndarray:
    """The relative luminance of WCAG 2. `colors`: uint8 (n, 3)."""
    share = colors / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


# -- the stage -------------------------------------------------------------------------------------


def trained(models: Path, name: str) -> Model:
    """The network of this name, from a file or learned now."""
    path = models / f"{name}.safetensors"
    if not path.exists():
        _train(models, name)
    return load_model(path)


def _train(models: Path, name: str) -> None:
    models.mkdir(parents=True, exist_ok=True)
    settings = "--data builtin --optimizer adam --epochs 1 --learning-rate 0.002"
    network = ["--network", STAGE_NETWORKS[name]]
    commands.run(
        ["train", *settings.split(), *network, "--save", str(models / f"{name}.safetensors")]
    )


class Scene:
    """A stage with a canvas, and the reader of what is drawn there."""

    def __init__(self, model: Model, size: str, *, canvas: bool = True) -> None:
        self.model = model
        self.document = Document()
        self.stage = Stage(moves=False)
        if canvas:
            self.stage.parts.place(Canvas(self.document), QLabel(""))
        self.stage.resize(*STAGE_SIZES[size])
        self.stage.show()
        self._reader = DrawingReader()

    def show(self, points: Sequence[tuple[float, float]] | None = None) -> None:
        """Show the model with this drawing."""
        self.stage.scene.set_model(self.model)
        if points is not None:
            self.draw(points)
        self.wait()

    def draw(self, points: Sequence[tuple[float, float]]) -> None:
        side = self.document.width
        first, *others = [
            Dot(x, y, 0.08 * side) for x, y in smooth(side * np.array(points)).tolist()
        ]
        self.document.begin_stroke(first)
        for dot in others:
            self.document.extend_stroke(dot)
        self.document.finish_stroke()
        self.stage.scene.begin_stroke()
        self.stage.scene.show_reading(
            self._reader.read(self.model, self.document.ink.pixels(), self.document.strokes())
        )

    def wait(self) -> None:
        """Handle events until the stage has nothing to compute."""
        wait_for(lambda: not self.stage.is_waiting, "shown")

    def save(self, path: Path) -> None:
        self.stage.grab().save(str(path))
        print(path.name, f"{self.stage.renderer.milliseconds:.1f} ms", flush=True)


def use_look(look: str) -> None:
    choice, contrast, text = STAGE_LOOKS[look]
    theme().choose(choice, high_contrast=contrast, text_size=text)


def draw_networks(folder: Path, models: Path) -> None:
    """Each network with a drawing and without one, at both sizes."""
    use_look("light")
    for name in STAGE_NETWORKS:
        model = trained(models, name)
        for size in STAGE_SIZES:
            scene = Scene(model, size)
            scene.show()
            scene.save(folder / f"{name}-{size}-empty.png")
            scene.draw(THREE)
            scene.wait()
            scene.save(folder / f"{name}-{size}.png")
            scene.stage.close()


def draw_looks(folder: Path, models: Path) -> None:
    for look in STAGE_LOOKS:
        use_look(look)
        for name in ("small", "dense", "linear"):
            for points in (None, THREE):
                scene = Scene(trained(models, name), "1280")
                scene.show(points)
                scene.save(folder / f"{name}-{look}-{'empty' if points is None else 'drawing'}.png")
                scene.stage.close()
    use_look("light")


def draw_states(folder: Path, models: Path) -> None:
    """No digit, a moment of a replay, changed settings, a chosen layer, a regression, without a
    canvas.
    """
    use_look("light")
    model = trained(models, "small")
    scene = Scene(model, "1280")
    scene.show(SCRAWL)
    scene.save(folder / "state-no-digit.png")
    scene = Scene(model, "1280")
    scene.show(THREE)
    scene.stage.parts.show_moment("epoch 2 of 4")
    scene.save(folder / "state-moment.png")
    scene.stage.parts.show_moment("")
    scene.stage.choose(2)
    scene.save(folder / "state-chosen.png")
    scene = Scene(model, "1920", canvas=False)
    scene.show(THREE)
    scene.save(folder / "state-without-canvas.png")
    if (models / "regression.safetensors").exists():
        scene = Scene(load_model(models / "regression.safetensors"), "1280", canvas=False)
        scene.show()
        scene.stage.scene.show_point(np.array([0.5, -1.25], np.float32), truth=24.06)
        scene.wait()
        scene.save(folder / "state-regression.png")


STAGE_PICTURES: dict[str, Callable[[Path, Path], None]] = {
    "networks": draw_networks,
    "looks": draw_looks,
    "states": draw_states,
}


def draw_stage(folder: Path, models: Path, only: Sequence[str]) -> None:
    """Write the pictures of these names in STAGE_PICTURES, or all, into `folder`."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    configure_process()
    make_application(["digitlab"])
    folder.mkdir(parents=True, exist_ok=True)
    # A worker that collects garbage would destroy the widgets of earlier scenes.
    with collect_in_this_thread():
        for name in only or STAGE_PICTURES:
            STAGE_PICTURES[name](folder, models)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    documents = kinds.add_parser("documents")
    documents.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    window = kinds.add_parser("window")
    window.add_argument("folder", type=Path)
    window.add_argument("sizes", nargs="*", default=SIZES, metavar="WIDTHxHEIGHT")
    stage = kinds.add_parser("stage")
    stage.add_argument("folder", type=Path)
    stage.add_argument("--models", type=Path)
    stage.add_argument("--only", nargs="*", default=[], choices=tuple(STAGE_PICTURES))
    options = parser.parse_args()
    if options.kind == "documents":
        take_all(options.folder)
    elif options.kind == "window":
        draw_all(options.folder, options.sizes)
    else:
        draw_stage(options.folder, options.models or options.folder / "models", options.only)


if __name__ == "__main__":
    main()
