"""The base class of the pages of the Devices tab: a measurement in the background, with its
buttons.
"""

from collections.abc import Callable, Generator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from core.bench.rows import Bench, Row
from core.data.dataset import Dataset
from core.data.dataset_cache import DatasetCache
from core.progress import Check
from core.runs.plan import RunPlan
from core.training.run_settings import RunSettings
from gui.background.task_runner import (
    Failure,
    Task,
    TaskControl,
    TaskRunner,
    call_each,
    single_record,
)
from gui.widgets import make
from gui.widgets.banner import Banner
from gui.widgets.basics import named
from gui.widgets.card import Card
from gui.widgets.dialogs import LastFolder, ask_folder
from gui.widgets.make import tip_with_key
from gui.widgets.messages import note, set_message
from gui.widgets.theme import theme
from kernels.registry import DeviceInfo

# Of the button that starts, in pixels, at the least; in a large window.
START = QSize(144, 44)
LARGE_START = QSize(184, 52)
# What is exported: the tables, their rows, and notes about them.
ExportContent = tuple[Bench, list[Row], list[str]]


class DataChoice(Protocol):
    def source(self) -> str: ...
    def summary(self) -> str: ...
    def is_available(self) -> bool: ...


class RunInputs(Protocol):
    """`changed` is emitted when another run or other data are chosen."""

    @property
    def changed(self) -> SignalInstance: ...
    @property
    def data(self) -> DataChoice: ...
    @property
    def plan(self) -> RunPlan | None: ...


class KnownDevices(Protocol):
    """`chosen` is emitted when more is known about the devices."""

    @property
    def chosen(self) -> SignalInstance: ...
    def known(self) -> list[DeviceInfo]: ...


# The form, the data sets in memory, and the devices.
Inputs = tuple[RunInputs, DatasetCache, KnownDevices]


class MeasurementPage(QWidget):
    """Derived pages implement what raises NotImplementedError and, if needed, `on_finished` and
    `describe`.

    `subject`: a line that says what would be measured; it does not change during a measurement.
    The records of a task are functions without arguments, which are called in this thread.
    """

    busy_changed = Signal()
    locked: tuple[QWidget, ...] = ()  # widgets that are disabled during a measurement
    notes: tuple[QWidget, ...] = ()  # of the results, those that are visible while they have a text

    def __init__(
        self,
        name: str,
        start: str,
        tip: str,
        inputs: Inputs,
        kind: type[QPushButton] = QPushButton,
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self._settings, self._dataset_cache, self._devices = inputs
        self._settings.changed.connect(self.show_subject)
        self._devices.chosen.connect(self.show_devices)
        self.subject = note("muted", f"{name}Subject")
        self._disabled_reason = ""
        self._folder = LastFolder()
        self.banner = Banner()
        self.runner = TaskRunner(self, call_each, self._on_ended)
        self._writer = TaskRunner(
            self, lambda records: self._show_written(records[-1]), self.banner.show_failure
        )
        self._writer.ended.connect(self.refresh)
        theme().changed.connect(self._follow_theme)
        self.start_button = make.button(
            start,
            f"{name}Start",
            tip,
            self.start,
            icon="play",
            kind=kind,
        )
        self._tip = tip_with_key(tip, "Ctrl+Return")
        key = QShortcut("Ctrl+Return", self, self.start)
        key.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.stop_button = make.button(
            self.tr("Sto&p"),
            f"{name}Stop",
            self.tr("Stop it; the measurements so far are kept."),
            self.stop,
            icon="stop",
        )
        self.reason = note(name=f"{name}Reason")
        self.waiting = note(name=f"{name}Waiting")
        self.bar = named(QProgressBar(), f"{name}Progress", self.tr("Progress"))
        self.bar.setTextVisible(False)
        self.bar.hide()
        self._results: Sequence[QWidget] = ()
        tip = self.tr("Save the tables as CSV and JSON.")
        self.export_button = make.button(self.tr("Sh&are…"), f"{name}Export", tip, self.export)
        self.buttons = make.FlowLayout(self.start_button, self.stop_button)
        self._follow_theme()

    def _follow_theme(self) -> None:
        self.start_button.setMinimumSize(LARGE_START if theme().is_large else START)

    def lay_out(
        self,
        title: str,
        above: Sequence[make.Part],
        results: Sequence[QWidget],
        hint: str,
    ) -> None:
        """Fill the card of the page: a title, the parts `above` the buttons, and the `results`.

        The hint is shown in place of the results until `show_results` is called.
        """
        self.buttons.addWidget(self.export_button)
        messages = (self.reason, self.waiting, self.bar, self.banner)
        controls = QWidget()
        self.hint = make.label(hint, f"{self.objectName()}Empty", "muted")
        make.column(
            make.label(title, role="heading"),
            self.subject,
            *above,
            self.buttons,
            *messages,
            self.hint,
            *results,
            None,
            owner=controls,
            spacing=10,
        )
        card = Card(controls, name=f"{self.objectName()}Card")
        self._results = [part for part in results if part not in self.notes]
        for widget in self._results:
            widget.hide()
        make.column(card, owner=self)
        self.show_devices()
        self.show_subject()
        self.refresh()

    def show_results(self) -> None:
        self.say("")
        self.hint.hide()
        for widget in self._results:
            widget.show()

    # -- for the derived page ----------------------------------------------------------------------

    def task(self) -> Task | None:
        """The measurement, or None after a message that says why it cannot start."""
        raise NotImplementedError

    def on_finished(self, stopped: bool) -> None:
        """Called when the measurement has ended without an error."""

    def export_content(self) -> ExportContent | None:
        """What the export button writes; None while there is nothing."""
        raise NotImplementedError

    # -- starting and stopping ---------------------------------------------------------------------

    def disable(self, reason: str) -> None:
        """Disable the start button and show `reason`; an empty text enables it."""
        self._disabled_reason = reason
        self.refresh()

    def start(self) -> None:
        if self._disabled_reason or self.runner.busy:
            return
        self.banner.hide()
        task = self.task()
        if task:
            self._stopped = False
            self.runner.start(task)
            self._wait(self.tr("starting…"))
            # Asked before `refresh`, which disables the button: Qt then moves the focus anywhere.
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

    def export(self) -> None:
        """Ask for a folder, and write the present results to it in the background."""
        folder = ask_folder(self, self._folder, self.tr("Choose a folder for the tables"))
        # After the question for the folder, during which rows may have been added.
        content = self.export_content()
        if folder is None or content is None or self._writer.busy:
            return

        def write(control: TaskControl) -> list[Path]:
            from core.bench.output import export

            return export(content[0], content[1], folder, content[2])

        self._writer.start(single_record(write))
        self.refresh()

    def _show_written(self, paths: list[Path]) -> None:
        names = ", ".join(path.name for path in paths)
        text = self.tr("Written to {folder}: {files}.").format(folder=paths[0].parent, files=names)
        self.banner.show_text(text, "good")

    def refresh(self) -> None:
        busy = self.runner.busy
        self.start_button.setEnabled(not busy and not self._disabled_reason)
        self.start_button.setToolTip(self._disabled_reason or self._tip)
        self.stop_button.setEnabled(busy and not self.runner.cancelling)
        self.stop_button.setVisible(busy)
        for widget in self.locked:
            widget.setEnabled(not busy)
        set_message(self.reason, self._disabled_reason)
        has_results = self.export_content() is not None
        self.export_button.setEnabled(not self._writer.busy and has_results)
        self.export_button.setVisible(has_results)

    def say(self, text: str) -> None:
        """Show what is done before the next result; empty for nothing."""
        if not self.runner.cancelling:
            self._wait(text)

    def _wait(self, text: str) -> None:
        set_message(self.waiting, text)
        # A range of nothing shows that something goes on whose end is not known.
        self.bar.setRange(0, 0)
        self.bar.setVisible(bool(text))

    def _on_ended(self, failure: Failure | None) -> None:
        self._wait("")
        # Asked before `refresh`, which hides the button: Qt then moves the focus anywhere.
        had_focus = self.stop_button.hasFocus()
        self.refresh()
        if had_focus:
            self.start_button.setFocus()
        self.banner.show_failure(failure)
        if not failure:
            self.on_finished(self._stopped)
        self.busy_changed.emit()

    # -- of the chosen network and data ------------------------------------------------------------

    def describe(self, settings: RunSettings, data: str) -> str:
        """The text of `subject` for a run and the summary of its data."""
        return ""

    def show_devices(self) -> None:
        """Offer the devices that are known now."""
        raise NotImplementedError

    def show_subject(self) -> None:
        plan = self._settings.plan
        data = self._settings.data.summary()
        if not self.runner.busy:
            set_message(self.subject, self.describe(plan.settings, data) if plan else "")

    def ready_settings(self) -> RunSettings | None:
        """The chosen settings, or None after a message that says why it cannot be measured."""
        plan = self._settings.plan
        if plan is not None and self._settings.data.is_available():
            return plan.settings
        text = self.tr("A setting is wrong: correct what is marked in red in the tab Training.")
        if plan is not None:
            text = self.tr(
                "The data set is not on this machine yet: download it, or choose another."
            )
        self.banner.show_text(text, "bad")
        return None

    def task_on_data(self, measure: Callable[[Dataset, Check], Generator[Any]]) -> Task:
        """A task that loads the chosen data and then yields what `measure` yields."""
        name = self._settings.data.source()
        reading = self.tr("reading the data…")
        preparing = self.tr("preparing…")

        def task(control: TaskControl) -> Generator[Any]:
            yield partial(self.say, reading)
            dataset = self._dataset_cache.get(name, control.progress)
            # Loading may have taken long, and Stop been pressed meanwhile.
            control.check()
            yield partial(self.say, preparing)
            yield from measure(dataset, control.check)

        return task
