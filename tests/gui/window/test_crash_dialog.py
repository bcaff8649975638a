"""An error that nobody answered for is shown once, with details to copy, and the window stays."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from core.files.log import open_log
from gui.window.application import CrashDialog, show_crashes
from tests.limits import SECONDS

ROOT = Path(__file__).parents[3]


def dialogs():
    return [
        w for w in QApplication.topLevelWidgets() if isinstance(w, CrashDialog) and w.isVisible()
    ]


@pytest.fixture
def quiet_hooks(monkeypatch):
    """What the error's hooks were before says nothing."""
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    monkeypatch.setattr(threading, "excepthook", lambda *_: None)


def raise_unseen(text):
    try:
        raise RuntimeError(text)
    except RuntimeError as error:
        sys.excepthook(type(error), error, error.__traceback__)


def test_it_names_the_error_and_copies_the_details(qtbot, quiet_hooks):
    with open_log() as log, show_crashes(log):
        raise_unseen("the cat sat on the keyboard")
        qtbot.waitUntil(lambda: len(dialogs()) == 1)
        dialog = dialogs()[0]
        assert not dialog.isModal()
        dialog.copy_button.click()
        copied = QGuiApplication.clipboard().text()
        assert "RuntimeError: the cat sat on the keyboard" in copied
        assert "DigitLab" in copied
        dialog.close()
    assert "the cat sat on the keyboard" in log.read_text("utf-8")


def test_an_error_at_every_redraw_opens_one_dialog(qtbot, quiet_hooks):
    with show_crashes(None):
        for _ in range(20):
            raise_unseen("again")
        qtbot.waitUntil(lambda: bool(dialogs()))
        QApplication.sendPostedEvents()  # the other errors'
        assert len(dialogs()) == 1
        dialogs()[0].close()


def test_an_error_after_the_dialog_was_closed_is_shown_again(qtbot, quiet_hooks):
    with show_crashes(None):
        for text in ("the first", "the second"):
            raise_unseen(text)
            qtbot.waitUntil(lambda: len(dialogs()) == 1)
            assert text in dialogs()[0].details.toPlainText()
            dialogs()[0].close()


def test_an_error_on_another_thread_is_shown_too(qtbot, quiet_hooks):
    def fail():
        raise ValueError("far away")

    with show_crashes(None):
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        qtbot.waitUntil(lambda: len(dialogs()) == 1)
        assert "far away" in dialogs()[0].details.toPlainText()
        dialogs()[0].close()


OVERRIDE = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget
from gui.window.application import CrashDialog, make_application, show_crashes

class Wrong(QWidget):
    def showEvent(self, event):
        int("an error of C code")

application = make_application(["digitlab"])
wrong = Wrong()
QTimer.singleShot(0, wrong.show)

def look():
    for window in application.topLevelWidgets():
        if isinstance(window, CrashDialog) and window.isVisible():
            print(window.details.toPlainText())
            application.quit()

timer = QTimer(interval=20)
timer.timeout.connect(look)
timer.start()
with show_crashes(None):
    application.exec()
"""


def test_an_error_of_c_code_in_an_override_does_not_end_the_process():
    """With Python 3.11 PySide6 would end the process: see `gui.overrides`."""
    done = subprocess.run(
        [sys.executable, "-c", OVERRIDE], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0, done.stderr
    assert "an error of C code" in done.stdout


def test_the_hooks_before_are_back_afterwards(quiet_hooks):
    before = sys.excepthook, threading.excepthook
    with show_crashes(None):
        assert sys.excepthook is not before[0]
    assert (sys.excepthook, threading.excepthook) == before
