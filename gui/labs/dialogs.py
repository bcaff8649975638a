"""The dialogs of labs: hand in one's answers; mark those of a class."""

import json
from collections.abc import Generator
from itertools import chain
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QWidget

from core.labs.answers import Answers
from core.labs.grading import Grades, iter_kernels, iter_repeats
from gui.background.task_runner import Failure, TaskControl, TaskRunner
from gui.widgets.basics import named, note, resize_on_screen, set_message
from gui.widgets.dialogs import FolderMemory, InfoDialog, ask_folder, ask_save, reporting
from gui.widgets.make import column, edit, label
from gui.widgets.tables import Column, RecordModel, RecordTable


class HandInDialog(QDialog):
    """Asks for a name, shows all that the file will hold, and saves it. `saved`: with the path."""

    saved = Signal(str)

    def __init__(self, answers: Answers, memory: FolderMemory, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Hand in"))
        self._answers, self._memory = answers, memory
        tip = self.tr("Your name or the number that your teacher gave you; it may stay empty.")
        self.name = edit("handInName", self.tr("Name or number"), tip, self._on_name, placeholder=tip)
        self.content = named(QPlainTextEdit(), "handInContent", self.tr("What the file holds"),
                             self.tr("All that is handed in; nothing else about you or this computer."))  # fmt: skip
        self.content.setReadOnly(True)
        self.message = note("error", "handInMessage")
        exercises = answers.lab.exercises()
        text = self.tr("Done: {n} of {all} parts. This is all that the file will hold:")
        text = text.format(n=sum(map(answers.is_done, exercises)), all=len(exercises))
        if answers.kernels:
            best = self.tr("Of each kernel the best text that you have checked is handed in.")
            text = f"{best} {text}"
        standard = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(standard.Save | standard.Cancel)
        buttons.accepted.connect(self._save)
        buttons.rejected.connect(self.reject)
        title = label(self.tr("Name or number"))
        parts = title, self.name, label(text), (self.content, 1), self.message, buttons
        column(*parts, owner=self).setContentsMargins(14, 12, 14, 12)
        self.content.setPlainText(json.dumps(answers.as_dict(), indent=1, ensure_ascii=False))
        self.name.setText(answers.name)
        self.name.setReadOnly(answers.lab.varies)  # the runs were made with what follows from it
        resize_on_screen(self, 560, 520)

    def _on_name(self) -> None:
        self._answers.name = self.name.text().strip()[:100]
        # Only the line of the name is written anew: a file may be long.
        cursor = self.content.document().find(' "name": ')
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(f' "name": {json.dumps(self._answers.name, ensure_ascii=False)},')

    def _save(self) -> None:
        kinds = [self.tr("Answers (*.json)")]
        name = "".join(c if c.isalnum() or c in "-_" else "-" for c in self._answers.name) or "answers"
        if path := ask_save(self, self._memory, self.tr("Hand in"), f"{name[:60]}.json", kinds):
            with reporting(lambda text, tone: set_message(self.message, text)):
                self._answers.save(path)
                self.saved.emit(str(path))
                self.accept()


class GradeDialog(InfoDialog):
    """The table of a class's answers; attempts can be run again, and table and page be saved."""

    def __init__(self, grades: Grades, memory: FolderMemory, parent: QWidget) -> None:
        super().__init__(parent, self.tr("Answers to “{lab}”").format(lab=grades.lab.title))
        self._grades, self._memory = grades, memory
        self._runner = TaskRunner(self)
        self._runner.records.connect(self._on_records)
        self._runner.ended.connect(self._on_ended)
        headings, *rows = grades.rows()
        tip = self.tr("Click to sort by this column.")
        self.model = RecordModel([_column(k, str(text), tip) for k, text in enumerate(headings)], self)
        self.table = RecordTable(self.model, "gradeTable", self.tr("Who did what"), sorted_by=0)
        self.model.show_records(rows)
        self._rows = {id(marked): row for row, marked in enumerate(grades.marked)}
        wrong = [f"{n} × {idea}: “{choice}”" for _, idea, choice, n in grades.misconceptions() if n]
        self.ideas = label("\n".join(wrong[:8]), "gradeIdeas", selectable=True)
        self.message = note("muted", "gradeMessage")
        set_message(self.message, grades.summary())
        self.again = self.add_button(self.tr("Run attempts again"), self._repeat)
        tip = self.tr("Train each attempt again from its seed, and compare it with what the file says.")
        self.again.setToolTip(tip)
        self.add_button(self.tr("Save table and page…"), self._save)
        heading = label(self.tr("Wrong ideas, at the first try:") if wrong else "", role="heading")
        self.show_parts((self.table, 1), heading, self.ideas, self.message, size=(900, 560))

    def _repeat(self) -> None:
        def repeat(control: TaskControl) -> Generator[Any]:
            for done in chain(iter_kernels(self._grades), iter_repeats(self._grades, None)):
                control.check()
                yield done

        self.again.setEnabled(False)
        self._runner.start(repeat)

    def _on_records(self, records: list[Any]) -> None:
        for marked, title, text in records:
            set_message(self.message, f"{marked.name}, {title}: {text}")
            self.model.set_record(self._rows[id(marked)], self._grades.row(marked))

    def _on_ended(self, failure: Failure | None) -> None:
        self.again.setEnabled(True)
        for marked, row in zip(self._grades.marked, self._rows.values(), strict=True):
            self.model.set_record(row, self._grades.row(marked))
        set_message(self.message, failure.text if failure else self._grades.summary())

    def _save(self) -> None:
        if folder := ask_folder(self, self._memory, self.tr("Save table and page")):
            with reporting(lambda text, tone: set_message(self.message, text)):
                self._grades.write(folder)
                text = self.tr("Saved: grades.csv and grades.html in {folder}.")
                set_message(self.message, text.format(folder=folder))


def _column(index: int, heading: str, tip: str) -> Column[list[Any]]:
    return Column(heading, tip, lambda row: str(row[index]), lambda row: row[index])
