"""The dialogs of the Runs tab: how a run is continued, and how much disk space runs may take."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QMessageBox,
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
from gui.text import choice_title, editable, sentence
from gui.text import label as setting_label
from gui.widgets.basics import note, set_message
from gui.widgets.make import button, combo, edit, label, spin


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
        tr = self.tr
        self._entry = entry
        self.outcome: tuple[RunPlan, Start] | None = None
        settings, summary = entry.info.plan.settings, entry.summary
        done, best = (summary.last.epoch, summary.best.epoch) if summary else (0, 0)
        text, tip = tr("from the &last epoch ({n})").format(n=done), tr("Go on where the run stopped.")
        self.last = button(text, "continueLast", tip, kind=QRadioButton)
        self.last.setChecked(True)
        tip = tr("Go back to the best epoch: a branch, with a folder of its own.")
        text = tr("from the &best epoch ({n})").format(n=best)
        self.best = button(text, "continueBest", tip, kind=QRadioButton)
        self.best.setEnabled(entry.folder.has_best)
        titles = (
            tr("&Epochs in all"), setting_label(BY_NAME["learning_rate"]), setting_label(BY_NAME["optimizer"]),
            tr("&Device"),
        )  # fmt: skip
        more = 2 * settings.epochs if done >= settings.epochs else settings.epochs
        tip = tr("The number of epochs in all, with those that are done.")
        self.epochs = spin("continueEpochs", titles[0], tip, 1, MAX_COUNT, more)
        tip = tr("The learning rate from here on; another one makes a branch.")
        self.rate = edit("continueRate", titles[1], tip)
        self.rate.setText(editable(settings.learning_rate))
        choices = [
            (choice, choice_title(BY_NAME["optimizer"], choice)) for choice in BY_NAME["optimizer"].choices
        ]
        tip = tr("Another optimizer starts anew, and makes a branch.")
        self.optimizer = combo("continueOptimizer", titles[2], tip, choices)
        self.optimizer.choose(settings.optimizer)
        tip = tr("Another device makes a branch: its numbers differ in the last bits.")
        self.device = combo("continueDevice", titles[3], tip, devices)
        self.device.choose(entry.info.plan.device)
        self.problem = note("error", "continueError")
        self.branch_note = note(name="continueBranchNote")
        buttons = QDialogButtonBox()
        self.start_button = buttons.addButton(tr("&Continue"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.start_button.setObjectName("continueStart")
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form = QFormLayout()
        for title, widget in zip(titles, (self.epochs, self.rate, self.optimizer, self.device), strict=True):
            form.addRow(title, widget)
        layout = QVBoxLayout(self)
        for widget in (label(f"{entry.title}: {entry.info.network}"), self.last, self.best):
            layout.addWidget(widget)
        layout.addLayout(form)
        for widget in (self.problem, self.branch_note, buttons):
            layout.addWidget(widget)
        self.setMinimumWidth(380)
        for signal in (
            self.last.toggled, self.epochs.valueChanged, self.rate.textChanged,
            self.optimizer.currentIndexChanged, self.device.currentIndexChanged,
        ):  # fmt: skip
            signal.connect(self._refresh)
        self._refresh()

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
    return [
        (str(box.itemData(index)), box.itemText(index))
        for index in range(box.count())
        if box.model().index(index, 0).flags() & Qt.ItemFlag.ItemIsEnabled
    ]


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
        tr = self.tr
        text = tr(
            "When the runs without a star take more than this, the oldest go to the trash. A run without a star leaves "
            "the trash for good after {days} days. Runs with a star are never moved or removed."
        )
        tip = tr("What runs without a star may take on the disk; 0: no limit.")
        megabytes = round(read_limit(library) / _MEGABYTE)
        self.box = spin("limitBox", tr("At most"), tip, 0, _MAXIMUM, megabytes)
        self.box.setSuffix(tr(" MB"))
        self.box.setSpecialValueText(tr("no limit"))
        tip = tr("Remove the deleted runs from the disk for good.")
        self.empty_button = button(tr("&Empty the trash…"), "emptyTrash", tip, lambda: self._empty())
        self.error = note("error", "limitError")
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self._save)
        buttons.rejected.connect(self.reject)
        form = QFormLayout(self)
        form.addRow(label(text.format(days=TRASH_DAYS)))
        form.addRow(tr("&At most"), self.box)
        for widget in (self.empty_button, self.error, buttons):
            form.addRow(widget)
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
        if QMessageBox.question(self, self.windowTitle(), text) == QMessageBox.StandardButton.Yes:
            self._library.empty_trash()
            self._changed()
            self._show_trash()
