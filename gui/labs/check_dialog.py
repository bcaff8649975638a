"""What the check of a lab finds, for the person who writes it."""

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QFileSystemWatcher, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from core.labs.blocks.block import LabFinding
from core.labs.check import iter_check
from core.labs.package import open_lab
from gui.background.task_runner import Failure, TaskControl, TaskRunner
from gui.text import count
from gui.widgets.basics import named
from gui.widgets.dialogs import Dialog
from gui.widgets.make import label


class LabCheckDialog(Dialog):
    """Checks the lab at `path` in the background: its blocks, its settings, and every figure by
    training.

    `is_busy`: whether something else is trained, which a check would slow down. `opened(path)`: try
    the lab.
    """

    opened = Signal(object)

    def __init__(self, path: Path, is_busy: Callable[[], bool], parent: QWidget) -> None:
        title = self.tr("Check of {name}").format(name=path.name)
        super().__init__(parent, title, "labCheckDialog", sentence=str(path))
        self.path = path
        self._is_busy = is_busy
        self._faults = 0
        self._is_stopped = False
        self._runner = TaskRunner(self, self._on_records, self._on_ended, low_priority=True)
        self._watcher = QFileSystemWatcher([str(path)], self)
        self._watcher.fileChanged.connect(self._on_file_changed)
        self.message = label("", "labCheckMessage")
        self.findings = named(
            QPlainTextEdit(),
            "labCheckFindings",
            self.tr("Findings"),
            self.tr("What the check has found, with the lines of the file."),
        )
        self.findings.setReadOnly(True)
        self.add_button(
            self.tr("&Open in editor"),
            self.edit,
            "labCheckEdit",
            self.tr("Open the file in the program that this system uses for Markdown files."),
        )
        self.again = self.add_button(
            self.tr("&Check again"),
            self.check,
            "labCheckAgain",
            self.tr("Check the file as it is now."),
        )
        self.stop = self.add_button(
            self.tr("&Stop"), self._cancel, "labCheckStop", self.tr("Stop the check.")
        )
        tip = self.tr("Open the lab in the window, as pupils see it.")
        close = self.tr("Close")
        self.set_main(self.tr("&Try it"), "labCheckTry", self._try, tip=tip, cancel=close)
        self.show_parts(self.message, (self.findings, 1), size=(680, 460))

    def _try(self) -> None:
        self.opened.emit(self.path)

    def edit(self) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.path))):
            text = self.tr("This system has no program for such files: open {path} in any editor.")
            self.message.setText(text.format(path=self.path))

    def check(self) -> None:
        """Check the file as it is now."""
        if self._is_busy():
            self.message.setText(
                self.tr("Something is being trained: stop it first, then check again.")
            )
            return
        self.findings.clear()
        self._faults = 0
        self._is_stopped = False
        self.message.setText(self.tr("Being checked: each run of the lab is trained…"))
        path = self.path

        def iter_findings(control: TaskControl) -> Generator[LabFinding]:
            lab = open_lab(path, control.progress)
            for finding in iter_check(lab):
                control.check()
                yield finding

        self._runner.start(iter_findings)
        self._refresh()

    def _cancel(self) -> None:
        self._is_stopped = True
        self._runner.cancel()

    def _refresh(self) -> None:
        self.again.setEnabled(not self._runner.busy)
        self.stop.setEnabled(self._runner.busy)

    def _on_records(self, records: list[Any]) -> None:
        for finding in records:
            self._faults += finding.fault
            mark = "✗ " if finding.fault else "✓ "
            self.findings.appendPlainText(mark + finding.text)

    def _on_ended(self, failure: Failure | None) -> None:
        self._refresh()
        if failure:
            self.message.setText(failure.text)
        elif self._is_stopped:
            self.message.setText(self.tr("Stopped: the lab was not checked to its end."))
        elif self._faults:
            text = self.tr(
                "Faults: {n}. They are marked with ✗; change the file, then check again."
            )
            self.message.setText(text.format(n=count(self._faults)))
        else:
            self.message.setText(self.tr("No fault was found."))

    def _on_file_changed(self) -> None:
        # Editors replace the file, and then it is watched no longer.
        self._watcher.addPath(str(self.path))
        if not self._runner.busy:
            self.message.setText(self.tr("The file has changed: check it again."))
