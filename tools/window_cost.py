"""Measure how much the window slows training down, and training the window: `make window-cost`.

Epochs of 784-512-10 on the command line and in the window (offscreen) alternate. Then, during training, the processor
time of each thread is measured for some seconds, without a hand on the canvas (Linux); and with one, the time from a
mouse move to the painting of its answer on the stage.
"""

import argparse
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from core.training.records import EpochDone, Record
from gui.background.task_runner import TaskControl
from gui.drawing.recognizer import Recognizer
from gui.stage.answers import AnswerPainter
from gui.training.session import TrainingTask, Yielded
from gui.window.application import collect_in_this_thread, configure_process, make_application
from gui.window.main_window import MainWindow
from tools.parts import part

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = {"network": "784-512-10", "learning_rate": "0.1"}
# Time between two mouse moves. A fast hand sends about 60 a second, and Qt joins those that wait.
MOVE_MILLISECONDS = 23
# Moves after which the drawing is cleared.
MOVES_A_DRAWING = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="builtin", help="data set to learn from (default: builtin)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument(
        "--seconds", type=float, default=10, help="of training whose processor time is measured"
    )
    parser.add_argument("--moves", type=int, default=900)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    configure_process()  # as the program does
    with collect_in_this_thread(), tempfile.TemporaryDirectory() as home:
        os.environ.setdefault("DIGITLAB_HOME", home)
        app = make_application(["digitlab"])
        _in_window(app, options.data, 1)  # draws the data, compiles the loops
        ratios = []
        for _ in range(options.rounds):
            alone = median(_on_command_line(options.data, options.epochs))
            beside = median(_in_window(app, options.data, options.epochs))
            ratios.append(beside / alone)
            print(
                f"an epoch: {alone:.3f} s on the command line, {beside:.3f} s in the window, {beside / alone:.3f}"
            )
        print(f"the window costs training {100 * (median(ratios) - 1):.1f} %")
        if sys.platform == "linux":
            for name, seconds in _processor_times(app, options.data, options.seconds).items():
                print(f"processor time of {name}: {1000 * seconds:.0f} ms a second of training")
        waits = _latencies(app, options.data, options.moves)
        shares = ", ".join(
            f"{name} {np.percentile(waits, q):.1f}" for name, q in (("median", 50), ("p99", 99))
        )
        print(
            f"milliseconds from a mouse move to its bars, {len(waits)} moves: {shares}, maximum {max(waits):.1f}"
        )


def _on_command_line(data: str, epochs: int) -> list[float]:
    """Seconds of each epoch."""
    command = [
        sys.executable,
        "main.py",
        "train",
        "--data",
        data,
        "--network",
        SETTINGS["network"],
        "--epochs",
        str(epochs),
        "--json",
    ]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return [event["seconds"] for event in events if event["event"] == "epoch"]


def _in_window(app: QApplication, data: str, epochs: int) -> list[float]:
    window = make_window(data, epochs)
    seconds: list[float] = []

    def take(records: list[Record]) -> None:
        seconds.extend(record.epoch_seconds for record in records if isinstance(record, EpochDone))

    window.session.records.connect(take)
    window.session.ended.connect(lambda outcome: QTimer.singleShot(0, window.close))
    part(window, "trainButton").click()
    app.exec()
    return seconds


def _processor_times(app: QApplication, data: str, seconds: float) -> dict[str, float]:
    """Seconds of processor time, by kind of thread, for each second in which the window shows a training."""
    training: set[str] = set()
    iter_records = TrainingTask.iter_records

    def noted(task: TrainingTask, control: TaskControl) -> Generator[Yielded]:
        training.add(str(threading.get_native_id()))
        return iter_records(task, control)

    TrainingTask.iter_records = noted  # type: ignore[method-assign]
    samples: list[tuple[float, dict[str, float]]] = []
    try:
        window = make_window(data, 10_000)

        def sample() -> None:
            is_over = bool(samples) and time.perf_counter() - samples[0][0] >= seconds
            if is_over or (not samples and window.training.epochs.rowCount()):
                samples.append((time.perf_counter(), _times_of_threads(training)))
            if is_over:
                clock.stop()
                window.close()

        clock = QTimer(window, interval=500)
        clock.timeout.connect(sample)
        clock.start()
        part(window, "trainButton").click()
        app.exec()
    finally:
        TrainingTask.iter_records = iter_records  # type: ignore[method-assign]
    start, before = samples[0]
    end, after = samples[-1]
    return {name: (after[name] - before.get(name, 0.0)) / (end - start) for name in after}


def _times_of_threads(training: set[str]) -> dict[str, float]:
    """Seconds that each kind of thread has run so far; `training`: numbers of threads of the run."""
    computing = {
        str(thread.native_id) for thread in threading.enumerate() if thread.name in ("vectorized", "pool")
    }
    times = {"the window's thread": 0.0, "the training": 0.0, "other threads": 0.0}
    for folder in Path("/proc/self/task").iterdir():
        nanoseconds = int((folder / "schedstat").read_text().split()[0])
        is_training = folder.name in training or folder.name in computing
        name = "the training" if is_training else "other threads"
        times["the window's thread" if folder.name == str(os.getpid()) else name] += nanoseconds / 1e9
    return times


def _latencies(app: QApplication, data: str, moves: int) -> list[float]:
    """Milliseconds from each mouse move to the painting of the bars after its recognition."""
    waits: list[float] = []
    sent = [0.0]
    is_read = [False]
    painting = AnswerPainter.paint

    def painted(answers: AnswerPainter, *given: Any) -> None:
        painting(answers, *given)
        if sent[0] and is_read[0]:
            waits.append(1000 * (time.perf_counter() - sent[0]))
            sent[0] = 0.0

    AnswerPainter.paint = painted  # type: ignore[method-assign]  # before there is an object
    try:
        window = make_window(data, 10_000)
        recognizer = window.findChild(Recognizer)
        assert recognizer
        recognizer.recognized.connect(lambda reading: is_read.__setitem__(0, True))
        hand = draw_moves(window)

        def move() -> None:
            if len(waits) >= moves:
                window.close()
                return
            if window.training.epochs.rowCount():
                is_read[0] = False
                sent[0] = time.perf_counter()
                next(hand)
            clock.start()

        clock = QTimer(
            window, singleShot=True, interval=MOVE_MILLISECONDS, timerType=Qt.TimerType.PreciseTimer
        )
        clock.timeout.connect(move)
        part(window, "trainButton").click()
        move()
        app.exec()
    finally:
        AnswerPainter.paint = painting  # type: ignore[method-assign]
    return waits


def make_window(data: str, epochs: int) -> MainWindow:
    window = MainWindow()
    window.resize(1240, 690)
    window.show()
    part(window, "presetBox").setCurrentIndex(part(window, "presetBox").findData("dense"))
    part(window, "datasetBox").setCurrentIndex(part(window, "datasetBox").findData(data))
    part(window, "networkEdit").setText(SETTINGS["network"])
    part(window, "learningRateEdit").setText(SETTINGS["learning_rate"])
    for box, choice in (
        (part(window, "optimizerBox"), "sgd"),
        (window.settings.fields["schedule"].editor, "constant"),
    ):
        box.setCurrentIndex(box.findData(choice))
    part(window, "epochsBox").setProperty("value", epochs)
    return window


def draw_moves(window: MainWindow) -> Iterator[None]:
    """Post mouse events that draw loops; clear the canvas now and then."""
    canvas = part(window, "canvas")
    side = min(canvas.width(), canvas.height())
    none = Qt.MouseButton.NoButton
    left = Qt.MouseButton.LeftButton

    def position(k: int) -> QPointF:
        turn = 0.21 * k
        wide = 0.3 * (1 - 0.3 * math.sin(0.05 * k))
        return QPointF(
            canvas.width() / 2 + wide * side * math.cos(turn),
            canvas.height() / 2 + 0.35 * side * math.sin(turn),
        )

    def post(kind: QEvent.Type, button: Qt.MouseButton, held: Qt.MouseButton, at: QPointF) -> None:
        screen = QPointF(canvas.mapToGlobal(at))
        event = QMouseEvent(kind, at, screen, button, held, Qt.KeyboardModifier.NoModifier)
        QApplication.postEvent(canvas, event)

    for k in itertools.count():
        if k % MOVES_A_DRAWING == 0:
            part(window, "clearButton").click()
            post(QEvent.Type.MouseButtonPress, left, left, position(k))
        post(QEvent.Type.MouseMove, none, left, position(k + 1))
        if k % MOVES_A_DRAWING == MOVES_A_DRAWING - 1:
            post(QEvent.Type.MouseButtonRelease, left, none, position(k + 1))
        yield


if __name__ == "__main__":
    main()
