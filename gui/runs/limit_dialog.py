"""The dialog for the limit of the library, and for its trash."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QMessageBox,
    QPushButton,
    QWidget,
)

from core.errors import InputError
from core.runs.library import RunLibrary
from core.runs.limit import TRASH_DAYS, apply_limit, read_limit, write_limit
from core.text import format_bytes
from gui.text import sentence
from gui.widgets.basics import QuietSpinBox, named, note, set_message

_MEGABYTE = 1_000_000
_MAXIMUM = 10_000_000  # megabytes


class LimitDialog(QDialog):
    """`changed` is called when runs have moved."""

    def __init__(
        self, library: RunLibrary, changed: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("limitDialog")
        self.setWindowTitle(self.tr("Space for runs"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._library, self._changed = library, changed
        text = QLabel(self.tr(
            "When the runs without a star take more than this, the oldest go to the trash. A run without a star leaves "
            "the trash for good after {days} days. Runs with a star are never moved or removed."
        ).format(days=TRASH_DAYS))  # fmt: skip
        text.setWordWrap(True)
        self.box = named(QuietSpinBox(), "limitBox")
        self.box.setRange(0, _MAXIMUM)
        self.box.setSuffix(self.tr(" MB"))
        self.box.setSpecialValueText(self.tr("no limit"))
        self.box.setValue(round(read_limit(library) / _MEGABYTE))
        self.box.setToolTip(self.tr("What runs without a star may take on the disk; 0: no limit."))
        self.empty_button = named(QPushButton(self.tr("&Empty the trash…")), "emptyTrash")
        self.empty_button.setToolTip(self.tr("Remove the deleted runs from the disk for good."))
        self.empty_button.clicked.connect(self._empty)
        self.error = note("error", "limitError")
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self._save)
        buttons.rejected.connect(self.reject)
        form = QFormLayout(self)
        form.addRow(text)
        form.addRow(self.tr("&At most"), self.box)
        form.addRow(self.empty_button)
        form.addRow(self.error)
        form.addRow(buttons)
        self.setMinimumWidth(420)
        self._show_trash()

    def _show_trash(self) -> None:
        self.empty_button.setEnabled(bool(self._library.trashed()))

    def _save(self) -> None:
        try:
            write_limit(self._library, self.box.value() * _MEGABYTE)
            apply_limit(self._library)
        except InputError as error:
            set_message(self.error, sentence(error))
            return
        self._changed()
        self.accept()

    def _empty(self) -> None:
        trashed = self._library.trashed()
        text = self.tr("Remove the runs in the trash ({n}, {size}) for good?").format(
            n=len(trashed), size=format_bytes(sum(entry.size for entry in trashed))
        )
        button = QMessageBox.StandardButton
        if QMessageBox.question(self, self.windowTitle(), text) == button.Yes:
            self._library.empty_trash()
            self._changed()
            self._show_trash()
