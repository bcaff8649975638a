"""Starts the program by `main([])` and uses its window as a person would. Prints what it saw as one
JSON object.
"""

import json
import sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

import main
from core.training.records import StepsDone
from gui.training.session import State
from gui.window.application import make_application
from gui.window.main_window import MainWindow
from tests.gui.hand import draw
from tests.gui.person import choose_simple_run, part

TICK_MILLISECONDS = 10


def actions(window, report):
    """Train, pause, make one step, resume, stop and draw. Each `yield` gives a condition to wait
    for.
    """
    steps = report["steps"] = []
    window.session.records.connect(
        lambda records: steps.extend(
            record.step for record in records if isinstance(record, StepsDone)
        )
    )
    ticks = [0]  # since the last record
    window.session.records.connect(lambda records: ticks.__setitem__(0, 0))
    window.session.ticked.connect(lambda: ticks.__setitem__(0, ticks[0] + 1))
    choose_simple_run(window)
    part(window, "epochsBox").setValue(100_000)
    yield part(window, "trainButton").isEnabled
    part(window, "trainButton").click()
    yield lambda: len(steps) > 3
    part(window, "pauseButton").click()
    # Records that were queued before the pause may still arrive.
    yield lambda: window.session.state is State.PAUSED and ticks[0] > 5
    first = steps[-1]
    part(window, "stepButton").click()
    yield lambda: steps[-1] > first and window.session.state is State.PAUSED
    report["single_step"] = steps[-1] - first
    resumed = len(steps)
    part(window, "pauseButton").click()
    yield lambda: len(steps) > resumed + 3
    part(window, "stopButton").click()
    yield lambda: not window.session.active
    report["message"] = window.banner.text.text()
    report["can_train_again"] = part(window, "trainButton").isEnabled()
    draw(part(window, "canvas"), "1")
    stage = window.drawing.stage
    yield (
        lambda: (
            stage.accessibleDescription()[:1].isdigit()
            or stage.accessibleDescription().startswith("no idea yet")
        )
    )  # it has trained for a moment
    report["read"] = stage.accessibleDescription()


def drive(report):
    window = next((w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)), None)
    if window is None:
        QTimer.singleShot(TICK_MILLISECONDS, lambda: drive(report))
        return
    waits = actions(window, report)
    condition = next(waits)
    timer = QTimer(window, interval=TICK_MILLISECONDS)

    def tick():
        nonlocal condition
        try:
            if condition():
                condition = next(waits)
        except StopIteration:
            window.close()
        except BaseException:
            window.close()
            raise

    timer.timeout.connect(tick)
    timer.start()


if __name__ == "__main__":
    app = make_application(["digitlab"])
    seen: dict[str, object] = {}
    QTimer.singleShot(0, lambda: drive(seen))
    code = main.main([])
    print(json.dumps(seen))
    sys.exit(code)
