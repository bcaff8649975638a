"""A measuring page has a button that starts a measurement in the background and one that stops it."""

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QProgressBar, QPushButton, QVBoxLayout, QWidget

from gui.background.failure import Failure
from gui.background.task_runner import Task, TaskRunner
from gui.widgets.banner import Banner
from gui.widgets.basics import named, note, set_message
from gui.widgets.colours import Colours
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.icons import themed_icon


@dataclass(frozen=True, slots=True)
class Waiting:
    """A record that only says what is done before the next measurement."""

    text: str


class MeasuringPage(QWidget):
    """Derived pages say what to measure (`task`) and show what comes (`take`, `rest`)."""

    busy_changed = Signal()

    def __init__(self, name: str, start: str, tip: str) -> None:
        super().__init__()
        self.setObjectName(name)
        keys = QKeySequence("Ctrl+Return")
        self._tip = f"{tip} ({keys.toString(QKeySequence.SequenceFormat.NativeText)})"
        self._refusal = ""
        self.runner = TaskRunner(self)
        self.runner.records.connect(self._on_records)
        self.runner.ended.connect(self._on_ended)
        self.start_button = self._button(start, f"{name}Start", tip, self.start)
        self.start_button.setShortcut(keys)
        self.start_button.setProperty("role", "primary")
        self.stop_button = self._button(self.tr("Sto&p"), f"{name}Stop", "", self.stop)
        self.stop_button.setToolTip(self.tr("End it; what was measured so far stays."))
        self.reason = note(name=f"{name}Reason")
        self.waiting = note(name=f"{name}Waiting")
        self.bar = named(QProgressBar(), f"{name}Progress")
        self.bar.setAccessibleName(self.tr("Progress"))
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.banner = Banner()
        self.buttons = FlowLayout()
        self.buttons.addWidget(self.start_button)
        self.buttons.addWidget(self.stop_button)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(2, 8, 2, 2)
        self.column.setSpacing(8)

    def add_controls(self) -> None:
        """The buttons and what belongs to them, below what the page has so far."""
        self.column.addLayout(self.buttons)
        for widget in (self.reason, self.waiting, self.bar, self.banner):
            self.column.addWidget(widget)
        self.refresh()

    # -- for the derived page -----------------------------------------------------------------------------

    def task(self) -> Task | None:
        """What the thread is to do, or None after having said why nothing can be measured."""
        raise NotImplementedError

    def take(self, records: list[Any]) -> None:
        raise NotImplementedError

    def rest(self, stopped: bool) -> None:
        """It is over, without a failure."""

    def refuse_with(self, text: str) -> None:
        self.banner.show_text(text, "bad")

    # -- what happens -------------------------------------------------------------------------------------

    def refuse(self, reason: str) -> None:
        """Why nothing may be measured now; empty: it may."""
        self._refusal = reason
        self.refresh()

    def start(self) -> None:
        if self._refusal or self.runner.busy:
            return
        self.banner.hide()
        task = self.task()
        if task:
            self._stopped = False
            self.runner.start(task)
            self._wait(self.tr("starting…"))
            had_focus = self.start_button.hasFocus()
            self.refresh()
            if had_focus:
                self.stop_button.setFocus()
            self.busy_changed.emit()

    def stop(self) -> None:
        if self.runner.busy:
            self._stopped = True
            self.runner.cancel()
            self._wait(self.tr("stopping after this measurement…"))
            self.refresh()

    def close_background(self) -> None:
        self.runner.close()

    def refresh(self) -> None:
        busy = self.runner.busy
        self.start_button.setEnabled(not busy and not self._refusal)
        self.start_button.setToolTip(self._refusal or self._tip)
        self.stop_button.setEnabled(busy and not self.runner.cancelling)
        set_message(self.reason, self._refusal)

    def apply_theme(self, colours: Colours) -> None:
        self.start_button.setIcon(themed_icon("play", colours.on_accent, colours.muted))
        self.stop_button.setIcon(themed_icon("stop", colours.text, colours.muted))

    def _on_records(self, records: list[Any]) -> None:
        found = [record for record in records if not isinstance(record, Waiting)]
        if not self.runner.cancelling:
            said = [record for record in records if isinstance(record, Waiting)]
            self._wait(said[-1].text if said and said[-1] is records[-1] else "")
        if found:
            self.take(found)

    def _wait(self, text: str) -> None:
        set_message(self.waiting, text)
        self.bar.setRange(0, 0)
        self.bar.setVisible(bool(text))

    def _on_ended(self, failure: Failure | None) -> None:
        self._wait("")
        had_focus = self.stop_button.hasFocus()
        self.refresh()
        if had_focus:
            self.start_button.setFocus()
        if failure:
            self.banner.show_text(failure.text, "bad", failure.details)
        else:
            self.rest(self._stopped)
        self.busy_changed.emit()

    def _button(self, text: str, name: str, tip: str, slot: object) -> QPushButton:
        button = named(QPushButton(text), name)
        button.setToolTip(tip)
        button.setIconSize(QSize(14, 14))
        button.setAutoDefault(False)
        button.clicked.connect(lambda: slot())  # type: ignore[operator]
        return button
