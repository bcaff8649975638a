"""The dialogs of the Runs tab: how a run is continued, and how much disk space runs may take."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from core.errors import InputError
from core.runs.library import TRASH_DAYS, RunEntry, RunLibrary, apply_limit, read_limit, write_limit
from core.runs.plan import RunPlan
from core.runs.recorder import Start
from core.runs.training import continued
from core.text import format_bytes
from core.training.run_settings import BY_NAME, MAX_COUNT
from gui.text import choice_title, editable, label, sentence
from gui.widgets.basics import QuietComboBox, QuietSpinBox, named, note, set_message


class ContinueDialog(QDialog):
    """Continues `entry` with other epochs, another rate, optimizer or device. `outcome`: what was chosen.

    devices: (name, title) of those that can be chosen.
    """

    def __init__(
        self, entry: RunEntry, devices: list[tuple[str, str]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("continueDialog")
        self.setWindowTitle(self.tr("Continue a run"))
        self._entry = entry
        self.outcome: tuple[RunPlan, Start] | None = None
        run, summary = entry.info.plan.settings, entry.summary
        done = summary.last.epoch if summary else 0
        self.last = named(QRadioButton(self.tr("from the &last epoch ({n})").format(n=done)), "continueLast")
        self.last.setToolTip(self.tr("Go on where the run stopped."))
        self.last.setChecked(True)
        best = summary.best.epoch if summary else 0
        self.best = named(QRadioButton(self.tr("from the &best epoch ({n})").format(n=best)), "continueBest")
        self.best.setToolTip(self.tr("Go back to the best epoch: a branch, with a folder of its own."))
        self.best.setEnabled(entry.folder.has_best)
        self.epochs = named(QuietSpinBox(), "continueEpochs")
        self.epochs.setRange(1, MAX_COUNT)
        more = 2 * run.epochs if done >= run.epochs else run.epochs
        self.epochs.setValue(more)
        self.epochs.setToolTip(self.tr("The number of epochs in all, with those that are done."))
        self.rate = named(QLineEdit(editable(run.learning_rate)), "continueRate")
        self.rate.setToolTip(self.tr("The learning rate from here on; another one makes a branch."))
        self.optimizer = named(QuietComboBox(), "continueOptimizer")
        optimizer = BY_NAME["optimizer"]
        for choice in optimizer.choices:
            self.optimizer.addItem(choice_title(optimizer, choice), choice)
        self.optimizer.choose(run.optimizer)
        self.optimizer.setToolTip(self.tr("Another optimizer starts anew, and makes a branch."))
        self.device = named(QuietComboBox(), "continueDevice")
        for name, title in devices:
            self.device.addItem(title, name)
        self.device.choose(entry.info.plan.device)
        self.device.setToolTip(self.tr("Another device makes a branch: its numbers differ in the last bits."))
        self.problem = note("error", "continueError")
        self.branch_note = note(name="continueBranchNote")
        self.buttons = QDialogButtonBox()
        self.start_button = self.buttons.addButton(
            self.tr("&Continue"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.start_button.setObjectName("continueStart")
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()
        for signal in (
            self.last.toggled, self.epochs.valueChanged, self.rate.textChanged,
            self.optimizer.currentIndexChanged, self.device.currentIndexChanged,
        ):  # fmt: skip
            signal.connect(self._refresh)
        self._refresh()

    def _lay_out(self) -> None:
        form = QFormLayout()
        rows: tuple[tuple[str, QWidget], ...] = (
            (self.tr("&Epochs in all"), self.epochs), (label(BY_NAME["learning_rate"]), self.rate),
            (label(BY_NAME["optimizer"]), self.optimizer), (self.tr("&Device"), self.device),
        )  # fmt: skip
        for text, widget in rows:
            form.addRow(text, widget)
            widget.setAccessibleName(text.replace("&", ""))
        column = QVBoxLayout(self)
        title = QLabel(f"{self._entry.title}: {self._entry.info.network}")
        title.setWordWrap(True)
        column.addWidget(title)
        column.addWidget(self.last)
        column.addWidget(self.best)
        column.addLayout(form)
        column.addWidget(self.problem)
        column.addWidget(self.branch_note)
        column.addWidget(self.buttons)
        self.setMinimumWidth(380)

    def _refresh(self) -> None:
        """Check what is chosen, and say whether it makes a branch."""
        changes = {
            "epochs": self.epochs.value(),
            "learning_rate": self.rate.text().strip().replace(",", "."),
            "optimizer": self.optimizer.currentData(),
        }
        device = str(self.device.currentData() or "auto")
        self.outcome = None
        problem = branch = ""
        try:
            plan, start = continued(self._entry, changes, best=self.best.isChecked(), device=device)
        except InputError as error:
            problem = sentence(error)
        else:
            self.outcome = plan, start
            if start.branch:
                branch = self.tr(
                    "A branch: a new run that begins with the epochs of this one, which stays as it is."
                )
        set_message(self.problem, problem)
        set_message(self.branch_note, branch)
        self.start_button.setEnabled(self.outcome is not None)


def device_items(box: QComboBox) -> list[tuple[str, str]]:
    """(name, title) of the devices in the settings' list that can be used."""
    items = []
    for index in range(box.count()):
        item = box.model().index(index, 0)
        if item.flags() & Qt.ItemFlag.ItemIsEnabled:
            items.append((str(box.itemData(index)), box.itemText(index)))
    return items


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
