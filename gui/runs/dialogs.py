"""Two dialogs of the tab Compare: how a run is continued, and how much disk space runs may take."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFormLayout, QRadioButton, QWidget

from core.errors import InputError
from core.files.trash import TRASH_DAYS
from core.runs.library import RunEntry, RunLibrary, apply_limit, read_limit, write_limit
from core.runs.plan import RunPlan
from core.runs.recorder import Start
from core.runs.training import continued
from core.text import format_bytes
from core.training.run_settings import BY_NAME, MAX_COUNT
from gui.runs.rows import plain_title
from gui.text import choice_title, count, editable, number, sentence
from gui.text import label as setting_label
from gui.widgets.dialogs import Dialog, confirm
from gui.widgets.make import button, combo, edit, spin
from gui.widgets.messages import note, set_message


class ContinueDialog(Dialog):
    """Continues `entry` with other epochs, another rate, optimizer or device. `outcome`: what was
    chosen.

    devices: (name, title) of those that can be chosen.
    """

    def __init__(self, entry: RunEntry, devices: list[tuple[str, str]], parent: QWidget) -> None:
        tr = self.tr
        summary = entry.summary
        done, best = (summary.last.epoch, summary.best.epoch) if summary else (0, 0)
        planned = entry.info.plan.settings.epochs
        said = tr("{run}: {n} of {all} epochs are done.", None, planned)
        said = said.format(run=plain_title(entry), n=count(done), all=count(planned))
        super().__init__(parent, tr("Continue a run"), "continueDialog", sentence=said)
        start_tip = tr("Train it further with what is chosen here.")
        self.start_button = self.set_main(
            tr("&Continue"), "continueStart", self.accept, tip=start_tip
        )
        self.problem = note("error", "continueError")
        self._entry = entry
        self.outcome: tuple[RunPlan, Start] | None = None
        settings = entry.info.plan.settings
        text = tr("from the &last epoch ({n})").format(n=done)
        last_tip = tr("Go on where the run stopped.")
        self.last = button(text, "continueLast", last_tip, kind=QRadioButton)
        self.last.setChecked(True)
        best_tip = tr("Go back to the best epoch: a branch, with a folder of its own.")
        text = tr("from the &best epoch ({n})").format(n=best)
        self.best = button(text, "continueBest", best_tip, kind=QRadioButton)
        self.best.setEnabled(entry.folder.best.exists)
        # A run at its end could not go on with the number of epochs that it has.
        more = 2 * settings.epochs if done >= settings.epochs else settings.epochs
        epochs_tip = tr("The number of epochs in all, with those that are done.")
        title = tr("&Epochs in all")
        self.epochs = spin("continueEpochs", title, epochs_tip, 1, MAX_COUNT, more)
        rate_tip = tr("The learning rate from here on; another one makes a branch.")
        self.rate = edit("continueRate", setting_label(BY_NAME["learning_rate"]), rate_tip)
        self.rate.setText(editable(settings.learning_rate))
        setting = BY_NAME["optimizer"]
        choices = [(choice, choice_title(setting, choice)) for choice in setting.choices]
        optimizer_tip = tr("Another optimizer starts anew, and makes a branch.")
        self.optimizer = combo("continueOptimizer", setting_label(setting), optimizer_tip, choices)
        self.optimizer.choose(settings.optimizer)
        device_tip = tr("Another device makes a branch: its numbers differ in the last bits.")
        self.device = combo("continueDevice", tr("&Device"), device_tip, devices)
        self.device.choose(entry.info.plan.device)
        schedule_tip = tr(
            "Whether the schedule goes on as if the run had not stopped, or begins anew for the "
            "epochs left."
        )
        choices = [("finish", tr("goes on to its end")), ("restart", tr("begins anew"))]
        self.schedule = combo(
            "continueSchedule", setting_label(BY_NAME["schedule"]), schedule_tip, choices
        )
        self.schedule.setEnabled(settings.schedule != "constant")
        if done >= settings.epochs and settings.schedule not in ("constant", "step"):
            # At its end the rate is so small that nothing is learned.
            self.schedule.choose("restart")
        self.branch_note = note(name="continueBranchNote")
        self._lay_out()
        self._refresh()

    def _lay_out(self) -> None:
        form = _form()
        form.addRow(self.tr("Go on"), self.last)
        form.addRow("", self.best)
        form.addRow(self.tr("&Epochs in all"), self.epochs)
        for editor in (self.rate, self.schedule, self.optimizer):
            form.addRow(editor.accessibleName(), editor)
        form.addRow(self.tr("&Device"), self.device)
        self.show_parts(form, self.problem, self.branch_note, scrolls=True)
        boxes = self.optimizer, self.device, self.schedule
        changes = [box.currentIndexChanged for box in boxes]
        for signal in (
            self.last.toggled,
            self.epochs.valueChanged,
            self.rate.textChanged,
            *changes,
        ):
            signal.connect(self._refresh)

    def _refresh(self) -> None:
        """Check what is chosen, and say whether it makes a branch."""
        # Some languages write a comma before the decimals.
        rate = self.rate.text().strip().replace(",", ".")
        optimizer = self.optimizer.currentData()
        changes = {"epochs": self.epochs.value(), "learning_rate": rate, "optimizer": optimizer}
        device = str(self.device.currentData() or "auto")
        restart = self.schedule.currentData() == "restart"
        best = self.best.isChecked()
        self.outcome = None
        problem = ""
        texts = []
        try:
            self.outcome = continued(
                self._entry, changes, best=best, device=device, restart=restart
            )
        except InputError as error:
            problem = sentence(error)
        if self.outcome and self.outcome[1].branch:
            text = self.tr(
                "A branch: a new run that begins with the epochs of this one, which stays as it is."
            )
            texts.append(text)
        if self.outcome and self.schedule.isEnabled():
            settings = self.outcome[0].settings
            done = self._entry.done_epochs(best=best)
            first, last = (number(settings.rate_of(k), 3) for k in (done, settings.epochs - 1))
            text = self.tr("Learning rate: {first} in epoch {next}, {last} in epoch {end}.")
            texts.append(text.format(first=first, next=done + 1, last=last, end=settings.epochs))
        set_message(self.problem, problem)
        set_message(self.branch_note, "\n".join(texts))
        self.start_button.setEnabled(self.outcome is not None)


def _form() -> QFormLayout:
    """The rows of a dialog: fields as wide as there is room, names beside them."""
    form = QFormLayout()
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    form.setHorizontalSpacing(16)
    form.setVerticalSpacing(10)
    return form


def device_items(box: QComboBox) -> list[tuple[str, str]]:
    """(name, title) of the devices in the settings' list that can be used."""
    enabled = Qt.ItemFlag.ItemIsEnabled
    model = box.model()
    rows = (row for row in range(box.count()) if model.index(row, 0).flags() & enabled)
    return [(str(box.itemData(row)), box.itemText(row)) for row in rows]


_MEGABYTE = 1_000_000
_MAXIMUM = 10_000_000  # megabytes


class LimitDialog(Dialog):
    """`changed` is called when runs have moved."""

    def __init__(self, library: RunLibrary, changed: Callable[[], None], parent: QWidget) -> None:
        tr = self.tr
        text = tr(
            "When the runs without a star take more than this, the oldest go to the trash. A run "
            "without a star leaves the trash for good after {days} days. Runs with a star are "
            "never moved or removed."
        )
        text = text.format(days=TRASH_DAYS)
        super().__init__(parent, tr("Space for runs"), "limitDialog", sentence=text)
        self.set_main(
            tr("&Save"),
            "limitSave",
            self.accept,
            tip=tr("Keep this limit, and move the runs beyond it to the trash."),
        )
        self.problem = note("error", "limitError")
        self._library = library
        self._changed = changed
        megabytes = round(read_limit(library) / _MEGABYTE)
        self.box = spin(
            "limitBox",
            tr("At most"),
            tr("What runs without a star may take on the disk; 0: no limit."),
            0,
            _MAXIMUM,
            megabytes,
        )
        self.box.setSuffix(tr(" MB"))
        self.box.setSpecialValueText(tr("no limit"))
        tip = tr("Remove the deleted runs from the disk for good.")
        self.empty_button = self.add_button(tr("&Empty the trash…"), self._empty, "emptyTrash", tip)
        form = _form()
        form.addRow(tr("&At most"), self.box)
        self.show_parts(form, self.problem)
        self.empty_button.setEnabled(bool(library.trashed()))

    def accept(self) -> None:
        try:
            write_limit(self._library, self.box.value() * _MEGABYTE)
            apply_limit(self._library)
        except InputError as error:
            set_message(self.problem, sentence(error))
            # Stays open: the limit is to be corrected.
            return
        self._changed()
        super().accept()

    def _empty(self) -> None:
        trashed = self._library.trashed()
        text = self.tr("Remove the runs in the trash ({n}, {size}) for good?")
        size = sum(e.size for e in trashed)
        text = text.format(n=len(trashed), size=format_bytes(size))
        if confirm(self, self.tr("Empty the trash"), text, self.tr("Remove")):
            self._library.empty_trash()
            self._changed()
            self.empty_button.setEnabled(bool(self._library.trashed()))
