"""The self-test: uses the program like a person, in a window on the offscreen platform.

It learns for one epoch from the built-in digits, reads a drawing, saves, exports and imports, looks
inside of the network, learns a function and opens each tab, in a folder of its own that is removed
afterwards; only compiled loops stay where the program keeps them.
"""

import os
import tempfile
import time
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.files.log import log_path
from core.text import format_percent

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from gui.window.main_window import MainWindow

_LIMIT_SECONDS = 240
_LOOK_MILLISECONDS = 20
# Small enough for an epoch in seconds on any machine; whatever the default preset is.
_NETWORK = "784-64-10"
# Of the grid on which it learns a function.
_SIDE = 20
# A one, in parts of the canvas's square.
_STROKE = [(0.52, 0.15 + 0.7 * step / 20) for step in range(21)]


@dataclass(slots=True)
class Report:
    """`stages`: what was reached, with seconds since the start. `fault` is empty where all went
    well.
    """

    stages: list[tuple[str, float]] = field(default_factory=list)
    fault: str = ""
    began: float = field(default_factory=time.perf_counter)

    def reach(self, stage: str) -> None:
        self.stages.append((stage, time.perf_counter() - self.began))


def main() -> int:
    """Print the stages that the program reached in a window without a screen; return 0 if it
    reached all.
    """
    report = run_self_test()
    for stage, seconds in report.stages:
        print(f"{seconds:7.2f} s  {stage}")
    print(f"self-test failed: {report.fault}" if report.fault else "self-test passed")
    return 1 if report.fault else 0


def run_self_test() -> Report:
    """Run the test, which ends within five minutes, and return its report."""
    report = Report()
    # Count from the start of the process: so far it has not waited, so its processor time is the
    # time since then.
    report.began -= time.process_time()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory(
        prefix="digitlab-self-test-", ignore_cleanup_errors=True
    ) as folder:
        os.environ["DIGITLAB_HOME"] = folder
        # Import Qt and Numba only now, because they read these environment variables.
        from gui.window.application import run_window

        code = run_window(["digitlab"], lambda window: _drive(window, report, Path(folder)))
        if not report.fault and code != 0:
            report.fault = f"the program ended with {code}"
        if not report.fault:
            report.fault = _first_warning()
    return report


def _drive(window: "MainWindow", report: Report, folder: Path) -> None:
    """Do the next action as soon as it is possible, which a timer checks every few milliseconds."""
    from PySide6.QtCore import QTimer

    report.reach("main loop")
    deadline = time.perf_counter() + _LIMIT_SECONDS
    acts = _iter_actions(window, report, folder)
    timer = QTimer(window, interval=_LOOK_MILLISECONDS)

    def look() -> None:
        try:
            next(acts)
            if time.perf_counter() < deadline:
                return
            report.fault = f"nothing more came after: {report.stages[-1][0]}"
        except StopIteration:
            pass
        except Exception as error:
            report.fault = f"after {report.stages[-1][0]}: {type(error).__name__}: {error}"
        timer.stop()
        window.close()

    timer.timeout.connect(look)
    timer.start()


def _iter_actions(window: "MainWindow", report: Report, folder: Path) -> Generator[None]:
    """Do one action after another; each `yield` waits for the next tick of the timer."""
    from core.inference.model_file import load_model
    from gui.training.session import State

    _draw(part(window, "canvas"))
    report.reach("drawing taken")
    part(window, "datasetBox").setCurrentIndex(part(window, "datasetBox").findData("builtin"))
    part(window, "networkEdit").setText(_NETWORK)
    part(window, "epochsBox").setProperty("value", 1)
    device = os.environ.get("DIGITLAB_SELF_TEST_DEVICE", "auto")
    while (index := part(window, "deviceBox").findData(device)) < 0:
        yield
    part(window, "deviceBox").setCurrentIndex(index)
    while not part(window, "trainButton").isEnabled():
        yield
    part(window, "trainButton").click()
    while not part(window, "stopButton").isEnabled():
        yield
    report.reach("run begun")
    while window.session.state is State.PREPARING:
        yield
    report.reach(f"data and device ready: {device}")
    while part(window, "stopButton").isEnabled():
        yield
    report.reach("epoch done")
    while not window.drawing.stage.accessibleDescription()[:1].isdigit():
        yield
    report.reach("drawing read as " + window.drawing.stage.accessibleDescription())
    path = folder / "self-test.safetensors"
    window.saving.save_to(path)
    score = load_model(path).test_score or 0.0
    report.reach(f"model saved, {format_percent(score, 1)} of the test digits right")
    if score < 0.5:
        report.fault = f"the network learned nothing: {format_percent(score, 1)}"
        return
    yield from _results(window, report, "%")
    yield from _export(window, folder)
    report.reach("plots and results exported, an exported picture opened")
    yield from _export_model(window, folder)
    report.reach("model exported for other programs, and imported")
    yield from _ask_units(window)
    report.reach("units of all layers asked")
    part(window, "presetBox").setCurrentIndex(part(window, "presetBox").findData("coursework"))
    window.settings.data.side_box.setValue(_SIDE)
    part(window, "epochsBox").setProperty("value", 1)
    while not part(window, "trainButton").isEnabled():
        yield
    part(window, "trainButton").click()
    while part(window, "stopButton").isEnabled():
        yield
    yield from _results(window, report, "R²")
    yield from _compare(window)
    report.reach("three learning rates compared")
    window.tabs.setCurrentWidget(window.measuring)
    while not window.measuring.pages:
        yield
    for index in range(window.tabs.count()):
        window.tabs.setCurrentIndex(index)
        yield
    window.tabs.setCurrentWidget(window.compare)
    while window.compare.table.model().rowCount() < 2:
        yield
    report.reach("all tabs opened, two runs in the library")
    while window.warm_up.busy:  # what another process compiles is kept
        yield
    report.reach("what reading needs is compiled")


def _compare(window: "MainWindow") -> Generator[None]:
    """Train the comparison that the dialog offers, without a change, and wait until its runs are
    complete.
    """
    window.study_actions.ask("learning_rate")
    part(window, "compareStart").click()
    yield
    while window.studies.busy:
        yield
    if not all(run.is_complete for run in window.studies.runs) or len(window.studies.runs) < 3:
        raise RuntimeError(
            f"the comparison has {len(window.studies.runs)} runs: {window.banner.text.text()}"
        )


def _export(window: "MainWindow", folder: Path) -> Generator[None]:
    """Write plots and results in all formats, and wait until one of the pictures is on the
    canvas.
    """
    for name in ("plots.svg", "plots.png"):
        window.training.plots.export(folder / name, window.training.result.heading)
    window.results.page.export(folder / "results")
    files = [folder / "plots.svg", folder / "plots.png", *(folder / "results").iterdir()]
    empty = [file.name for file in files if not file.stat().st_size]
    if len(files) < 4 or empty:
        raise RuntimeError(f"the export wrote {len(files)} files, of which {empty} are empty")
    drawings = window.drawing.undo_stack.count()
    window.drawing.pictures.open_image(str(folder / "results" / "confusion-matrix.png"))
    while window.drawing.undo_stack.count() == drawings:
        yield


def _export_model(window: "MainWindow", folder: Path) -> Generator[None]:
    """Write the model as each kind of file, and read the ONNX file, where the package onnx is
    installed.
    """
    from importlib.util import find_spec

    from core.export import KINDS
    from gui.background.task_runner import TaskControl
    from gui.window.share import export_task

    has_onnx = find_spec("onnx") is not None
    model = window.saving.model
    assert model is not None
    for kind in KINDS:
        path = folder / f"model{kind.suffix}"
        if (kind.suffix == ".onnx" and not has_onnx) or kind.suffix == ".ipynb":  # of a run
            continue
        for _ in export_task(model, None, window.dataset_cache, path)(TaskControl()):
            yield
    if has_onnx:
        window.files.import_model(folder / "model.onnx")
        while window.files.tasks.busy:
            yield
        if window.saving.model is model or window.saving.model is None:
            raise RuntimeError(f"model.onnx was not read: {window.banner.text.text()}")


def _ask_units(window: "MainWindow") -> Generator[None]:
    """Ask a unit of each layer, for the drawing and in general."""
    stage = window.drawing.stage
    window.chooser.show_stage()
    while stage.is_waiting or stage.picture.content is None:
        yield
    for leaf in range(2):
        window.ask.leaves.setCurrentIndex(leaf)
        for position in range(len(stage.picture.content.columns)):
            stage.ask(position)
            yield
            if not window.ask.isVisible():
                raise RuntimeError(f"the unit of column {position} is not shown")
    stage.leave()


def part(window: "MainWindow", name: str) -> Any:
    """The widget with this object name."""
    from PySide6.QtWidgets import QWidget

    return window.findChild(QWidget, name)


def _results(window: "MainWindow", report: Report, unit: str) -> Generator[None]:
    """Open the Results tab and wait for its summary."""
    window.tabs.setCurrentWidget(window.results)
    while unit not in window.results.summary.text():
        yield
    report.reach(f"results: {window.results.summary.text()}")


def _draw(canvas: "QObject") -> None:
    from PySide6.QtCore import QEvent, QPointF, Qt
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication, QWidget

    assert isinstance(canvas, QWidget)
    side = min(canvas.width(), canvas.height())
    left, top = (canvas.width() - side) / 2, (canvas.height() - side) / 2
    points = [QPointF(left + x * side, top + y * side) for x, y in _STROKE]
    button, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    kinds = [(QEvent.Type.MouseButtonPress, button, button, points[0])]
    kinds += [(QEvent.Type.MouseMove, none, button, point) for point in points]
    kinds += [(QEvent.Type.MouseButtonRelease, button, none, points[-1])]
    for kind, changed, pressed, point in kinds:
        global_point = QPointF(canvas.mapToGlobal(point))
        event = QMouseEvent(
            kind, point, global_point, changed, pressed, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(canvas, event)


def _first_warning() -> str:
    """The first warning or error in the log, or the reason why there is no log."""
    try:
        lines = log_path().read_text("utf-8").splitlines()
    except OSError as error:
        return f"there is no log: {error}"
    bad = [
        line
        for line in lines
        if any(f" {level} " in line for level in ("WARNING", "ERROR", "CRITICAL"))
    ]
    return f"the log complains: {bad[0]}" if bad else ""
