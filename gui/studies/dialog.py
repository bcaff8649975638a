"""The dialog of a new comparison: the form, what all runs have in common, and what starts them."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from core.errors import InputError
from core.files.atomic import write_atomically
from core.runs.plan import RunPlan
from core.studies.spec import StudySpec
from core.training.run_settings import BY_NAME
from gui.runs.rows import value_text
from gui.studies.form import DATA, StudyEditor
from gui.text import count, data_title, label, sentence
from gui.widgets.dialogs import Dialog, FolderMemory, ask_save, reporting, short_path
from gui.widgets.messages import note, set_message


class ComparisonDialog(Dialog):
    """Asks what is to be compared. `accepted_study` is emitted with the study to train.

    plan: the settings of all runs.
    """

    accepted_study = Signal(object)  # StudySpec

    def __init__(self, plan: RunPlan, memory: FolderMemory, parent: QWidget | None = None) -> None:
        super().__init__(
            parent, self.tr("New comparison"), "compareDialog", sentence=_common(plan, ())
        )
        tr = self.tr
        self._plan = plan
        self._memory = memory
        self._file: StudySpec | None = None  # that was opened, and cannot be changed here
        self.editor = StudyEditor()
        self.problem = note("error", "compareProblem")
        self.hint = note(name="compareHint")
        tip = tr("Train all of them, and show their curves in one plot.")
        self.start = self.set_main(tr("&Train side by side"), "compareStart", self._accept, tip=tip)
        self.save_button = self.add_button(tr("Sa&ve…"), self.ask_save, "studySave")
        self.save_button.setToolTip(
            tr("Save the comparison as a file, to send it or to train it without a window.")
        )
        self.editor.changed.connect(self._on_changed)
        self.show_parts(self.editor, scrolls=True, below=(self.hint, self.problem))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._check()
        first = self.editor.rows[0].values_edit
        first.setFocus()
        first.selectAll()

    def show_file(self, spec: StudySpec) -> None:
        """Show a study as its file describes it."""
        self.editor.show_like(spec)
        self.editor.name_edit.setText(spec.name)
        # A file may have what the form cannot show, such as settings of all runs.
        self.editor.setEnabled(False)
        self._file = spec
        self._check()
        self._say(
            self.tr(
                "This comparison is trained as its file describes it. To change it, edit the file "
                "in a text editor, or begin a new comparison."
            )
        )

    def spec(self) -> StudySpec:
        """The study to train. Raises InputError where the form is not valid."""
        return self._file or self.editor.spec(self._plan)

    def _on_changed(self) -> None:
        set_message(self.hint, "")  # what was saved is another comparison by now
        self._check()

    def _check(self) -> None:
        varied = [row.name for row in self.editor.rows]
        self.sentence.setText(_common(self._plan, varied))
        try:
            spec = self.spec()
            problem = ""
        except InputError as error:
            problem = sentence(error)
        if not problem:
            text = self.tr(
                "{n} runs; a part of the training images is kept aside to compare them "
                "(validation).",
                None,
                spec.runs,
            )
            set_message(self.editor.count_note, text.format(n=count(spec.runs)))
        else:
            set_message(self.editor.count_note, "")
        # Said once: what is wrong with a row stands below it.
        shown_at_row = not all(row.error.isHidden() for row in self.editor.rows)
        set_message(self.problem, "" if shown_at_row else problem)
        self.start.setEnabled(not problem)
        self.save_button.setEnabled(not problem)

    def _accept(self) -> None:
        self.accepted_study.emit(self.spec())
        self.accept()

    def ask_save(self) -> None:
        spec = self.spec()
        title = self.tr("Save comparison")
        kinds = [self.tr("Studies (*.toml)")]
        if path := ask_save(self, self._memory, title, f"{spec.name}.toml", kinds):
            with reporting(self._say_problem):
                write_atomically(path, spec.text.encode())
                self._say(self.tr("Saved as {path}.").format(path=short_path(path)))

    def _say_problem(self, text: str, tone: str) -> None:
        set_message(self.problem, text)
        self.fit()

    def _say(self, text: str) -> None:
        set_message(self.hint, text)
        self.fit()


def _common(plan: RunPlan, varied: Sequence[str]) -> str:
    """What all runs have in common. varied: the names of what they differ in."""
    parts = [] if DATA in varied else [data_title(plan.data)]
    for name in ("network", "optimizer", "learning_rate", "batch_size", "epochs"):
        if name not in varied:
            value = value_text(name, getattr(plan.settings, name))
            parts.append(f"{label(BY_NAME[name]).lower()} {value}")
    text = QCoreApplication.translate("ComparisonDialog", "All else is the same: {settings}.")
    return text.format(settings=", ".join(parts))
