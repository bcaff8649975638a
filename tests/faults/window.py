"""The campaign of random actions in the window: clicks, keys, strokes, texts and dropped files,
while it trains.
"""

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import (
    QMimeData,
    QPoint,
    QPointF,
    Qt,
    QTimer,
    QtMsgType,
    QUrl,
    qInstallMessageHandler,
)
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QTabWidget,
    QWidget,
)

from gui.settings.panel import CUSTOM
from gui.window.application import collect_in_this_thread, configure_process, make_application
from gui.window.main_window import MainWindow
from tests.faults.case import Case, seconds_without_processor
from tests.faults.command_lines import NUMBERS
from tests.faults.readers import NETWORKS, Readers
from tools.pictures import part

HARMLESS = ("This plugin does not support",)
# Actions that end the window, or open another program.
AVOIDED = ("quit", "exit", "close", "manual", "web", "folder", "licen", "print")
TEXTS = (*NETWORKS, *NUMBERS, "784-16-10", "784-16-10", "0.1", "0.01", "64")
MAX_PAUSE = 5.0


class Window:
    """Makes cases: one action each in one window, which stays open and often trains."""

    def __init__(self, folder: Path) -> None:
        self._files = Readers(folder / "files")
        self._folder = folder
        self._faults: list[str] = []
        self._detail = ""
        configure_process()
        self._app = make_application(["digitlab"])
        self._collector = collect_in_this_thread()  # as the program does
        self._collector.__enter__()
        sys.excepthook = self._on_error
        sys.unraisablehook = self._on_hook
        threading.excepthook = self._on_hook
        qInstallMessageHandler(self._on_qt_message)
        for name in ("getOpenFileName", "getSaveFileName"):
            setattr(QFileDialog, name, self._chosen_file)
        setattr(QFileDialog, "getOpenFileNames", self._chosen_files)  # noqa: B010
        QFileDialog.getExistingDirectory = _no_folder
        self._random = Random(0)
        self._window = MainWindow()
        self._window.show()
        self._closer = QTimer(interval=30)
        self._closer.timeout.connect(self._close_dialogs)
        self._closer.start()
        self._actions = [
            self._click,
            self._click,
            self._type,
            self._choose,
            self._step,
            self._draw,
            self._drop,
            self._tab,
            self._key,
            self._menu,
            self._resize,
            self._train,
        ]

    def case(self, random: Random) -> Case:
        self._random = random
        action = random.choice(self._actions)
        return Case(action.__name__, 200_000_000, lambda: self._run(action))

    def _run(self, action: object) -> str | None:
        self._detail = ""
        started = time.perf_counter() - seconds_without_processor()
        action()
        end = time.perf_counter() + self._random.choice((0, 0.005, 0.02))
        self._app.processEvents()
        while time.perf_counter() < end:
            self._app.processEvents()
        if not self._window.isVisible():
            self._window.show()
        pause = time.perf_counter() - seconds_without_processor() - started
        faults = self._faults
        self._faults = []
        # Others may use the machine.
        processors = os.cpu_count() or 1
        limit = MAX_PAUSE * max(1.0, os.getloadavg()[0] / processors)
        if pause > limit:
            faults.append(f"a pause of {pause:.1f} s")
        return "\n".join((self._detail, *faults)) if faults else None

    # -- actions -----------------------------------------------------------------------------------

    def _pick(self, kind: type) -> Any:
        candidates = [w for w in self._window.findChildren(kind) if w.isVisible() and w.isEnabled()]
        return self._random.choice(candidates) if candidates else None

    def _click(self) -> None:
        button = self._pick(QAbstractButton)
        if button is not None and not _is_avoided(button.text() + button.objectName()):
            self._detail = button.objectName() or button.text()
            button.click()

    def _type(self) -> None:
        edit = self._pick(QLineEdit)
        if (
            edit is not None
            and not edit.isReadOnly()
            and not isinstance(edit.parent(), QAbstractSpinBox)
        ):
            edit.setText(self._random.choice(TEXTS)[:300])
            edit.textEdited.emit(edit.text())
            edit.editingFinished.emit()

    def _choose(self) -> None:
        box = self._pick(QComboBox)
        if box is None:
            return
        rows = [
            row
            for row in range(box.count())
            if box.model().index(row, 0).flags() & Qt.ItemFlag.ItemIsEnabled
        ]
        if rows:
            box.setCurrentIndex(self._random.choice(rows))
            box.activated.emit(box.currentIndex())

    def _step(self) -> None:
        box = self._pick(QAbstractSpinBox)
        if box is not None and "epochs" not in box.objectName().lower():
            box.stepBy(self._random.choice((-10, -1, 1, 10)))

    def _draw(self) -> None:
        canvas = self._window.findChild(QWidget, "canvas")
        if not isinstance(canvas, QWidget) or not canvas.isVisible():
            return
        points = [
            QPoint(self._random.randrange(canvas.width()), self._random.randrange(canvas.height()))
            for _ in range(4)
        ]
        button = self._random.choice((Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton))
        QTest.mousePress(canvas, button, pos=points[0])
        for point in points[1:]:
            QTest.mouseMove(canvas, point)
        QTest.mouseRelease(canvas, button, pos=points[-1])

    def _drop(self) -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(self._damaged_file()))])
        actions = Qt.DropAction.CopyAction
        buttons = Qt.MouseButton.LeftButton
        keys = Qt.KeyboardModifier.NoModifier
        enter = QDragEnterEvent(QPoint(5, 5), actions, data, buttons, keys)
        QApplication.sendEvent(self._window, enter)
        QApplication.sendEvent(
            self._window, QDropEvent(QPointF(5, 5), actions, data, buttons, keys)
        )

    def _tab(self) -> None:
        tabs = self._pick(QTabWidget)
        if tabs is not None:
            tabs.setCurrentIndex(self._random.randrange(tabs.count()))

    def _key(self) -> None:
        keys = (
            Qt.Key.Key_Tab,
            Qt.Key.Key_Return,
            Qt.Key.Key_Escape,
            Qt.Key.Key_Up,
            Qt.Key.Key_Down,
            Qt.Key.Key_Space,
            Qt.Key.Key_Delete,
            Qt.Key.Key_Z,
            Qt.Key.Key_5,
            Qt.Key.Key_Home,
            Qt.Key.Key_PageDown,
        )
        modifiers = (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.ControlModifier,
            Qt.KeyboardModifier.ShiftModifier,
        )
        QTest.keyClick(
            self._window.focusWidget() or self._window,
            self._random.choice(keys),
            self._random.choice(modifiers),
        )

    def _menu(self) -> None:
        actions = [
            action
            for menu in self._window.menuBar().findChildren(QMenu)
            for action in menu.actions()
            if action.isEnabled()
            and not action.isSeparator()
            and action.menu() is None
            and not _is_avoided(action.text() + action.objectName())
        ]
        if actions:
            action = self._random.choice(actions)
            self._detail = action.objectName() or action.text()
            action.trigger()

    def _resize(self) -> None:
        self._window.resize(
            self._random.choice((600, 1000, 1600)), self._random.choice((400, 800, 1100))
        )

    def _train(self) -> None:
        """A short run, so that there is something to show, or the end of one."""
        if self._window.session.active:
            if self._random.random() < 0.5:
                part(self._window, "stopButton").click()
            return
        button = part(self._window, "trainButton")
        if not button.isEnabled():
            self._let_train()
        part(self._window, "networkEdit").setText("784-16-10")
        part(self._window, "epochsBox").setValue(2)
        self._wait_until(button.isEnabled)
        button.click()

    def _let_train(self) -> None:
        """Undo what keeps runs from starting: a lab with runs of its own, and settings that are
        wrong.
        """
        self._window.labs.close_lab()
        self._window.tabs.setCurrentWidget(self._window.page)
        presets = part(self._window, "presetBox")
        presets.setCurrentIndex(presets.findData(CUSTOM))
        presets.setCurrentIndex(presets.findData("default"))

    def _wait_until(self, is_over: Callable[[], bool]) -> None:
        """Let the window go on, for a second at most."""
        end = time.perf_counter() + 1
        while not is_over() and time.perf_counter() < end:
            self._app.processEvents()

    # -- surroundings ------------------------------------------------------------------------------

    def _damaged_file(self) -> Path:
        """A file that a reader's campaign has damaged, moved to where the next case does not remove
        it.
        """
        self._files.damaged_file(self._random)
        (made,) = (self._folder / "files" / "case").iterdir()
        target = self._folder / "dropped" / str(self._random.randrange(20)) / made.name
        shutil.rmtree(target.parent, ignore_errors=True)
        target.parent.mkdir(parents=True)
        made.rename(target)
        return target

    def _chosen_file(self, *_: object, **__: object) -> tuple[str, str]:
        if self._random.random() < 0.3:
            return "", ""
        return str(self._damaged_file()), ""

    def _chosen_files(self, *_: Any, **__: Any) -> tuple[list[str], str]:
        path, _ = self._chosen_file()
        return [path] if path else [], ""

    def _close_dialogs(self) -> None:
        for widget in (QApplication.activePopupWidget(), QApplication.activeModalWidget()):
            if widget is not None:
                widget.close()

    def _on_error(self, kind: object, error: object, trace: object) -> None:
        import traceback

        self._faults.append("".join(traceback.format_exception(kind, error, trace)))

    def _on_hook(self, what: object) -> None:
        """What the interpreter tells of an error in a thread or in the end of an object."""
        self._on_error(what.exc_type, what.exc_value, what.exc_traceback)

    def _on_qt_message(self, kind: QtMsgType, context: object, message: str) -> None:
        if kind != QtMsgType.QtDebugMsg and not any(words in message for words in HARMLESS):
            self._faults.append(f"Qt: {message}")


def _no_folder(*_: object, **__: object) -> str:
    """In place of the dialog that asks for a folder: none is chosen."""
    return ""


def _is_avoided(text: str) -> bool:
    return any(word in text.lower().replace("&", "") for word in AVOIDED)
