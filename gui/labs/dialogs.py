"""The dialogs of labs: hand in one's answers; mark those of a class."""

import json
import re
from collections.abc import Generator
from itertools import chain
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHeaderView, QPlainTextEdit, QWidget

from core.files.atomic import write_atomically
from core.labs.answers import Answers
from core.labs.blocks.exercise import ExerciseBlock
from core.labs.grading import Grades, iter_kernels, iter_repeats
from gui.background.task_runner import Failure, TaskControl, TaskRunner
from gui.labs.blocks import PartWidget, widget_class
from gui.labs.texts import OutcomeLabel
from gui.widgets.basics import named, note, resize_on_screen, set_message
from gui.widgets.dialogs import Dialog, FolderMemory, ask_save, reporting
from gui.widgets.make import column, edit, label
from gui.widgets.tables import Column, RecordModel, RecordTable
from gui.widgets.theme import theme

_MOST_MISSING = 8
_MOST_CHARACTERS = 90
_REMARK_WIDTH = 320  # pixels
# What no file system, or not each, has in names, and what would begin an option or a hidden file.
_NO_NAME = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]|^[-.]+')


class HandInDialog(QDialog):
    """Asks for a name, shows all that the file will hold, and saves it. `saved`: with the path."""

    saved = Signal(str)

    def __init__(self, answers: Answers, memory: FolderMemory, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Hand in"))
        self._answers = answers
        self._memory = memory
        tip = self.tr("Your name or the number that your teacher gave you; it may stay empty.")
        self.name = edit("handInName", self.tr("Name or number"), tip, self._on_name, placeholder=tip)
        self.content = named(
            QPlainTextEdit(),
            "handInContent",
            self.tr("What the file holds"),
            self.tr("All that is handed in; nothing else about you or this computer."),
        )
        self.content.setReadOnly(True)
        self.message = note("error", "handInMessage")
        exercises = answers.lab.exercises()
        missing = answers.missing()
        text = self.tr("Done: {n} of {all} parts.")
        text = text.format(n=len(exercises) - len(missing), all=len(exercises))
        if answers.kernels:
            best = self.tr("Of each kernel the best text that you have checked is handed in.")
            text = f"{text} {best}"
        self.missing = OutcomeLabel("handInMissing")
        lines = [_missing_text(answers, part) for part in missing[:_MOST_MISSING]]
        more = len(missing) - len(lines)
        if more:
            lines.append(self.tr("and {n} more").format(n=more))
        standard = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(standard.Save | standard.Cancel)
        buttons.accepted.connect(self._save)
        buttons.rejected.connect(self.reject)
        title = label(self.tr("Name or number"))
        below = label(self.tr("This is all that the file will hold:"))
        parts = title, self.name, label(text), self.missing, below, (self.content, 1), self.message, buttons
        column(*parts, owner=self).setContentsMargins(14, 12, 14, 12)
        if missing:
            self.missing.say(
                self.tr("Not done yet:") + "\n" + "\n".join(f"• {line}" for line in lines), False
            )
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
        path = ask_save(self, self._memory, self.tr("Hand in"), answers_name(self._answers), kinds)
        if path:
            with reporting(lambda text, tone: set_message(self.message, text)):
                self._answers.save(path)
                self.saved.emit(str(path))
                self.accept()


def answers_name(answers: Answers) -> str:
    """The name of the file that is handed in: of the person and the lab, so that none overwrites another.

    Only with characters that all systems accept.
    """
    texts = answers.name or QCoreApplication.translate("HandInDialog", "Answers"), answers.lab.title
    person, lab = (" ".join(_NO_NAME.sub(" ", text).split())[:60].strip(" .") for text in texts)
    return f"{person} - {lab}.json"


def _missing_text(answers: Answers, part: ExerciseBlock) -> str:
    """The step of a part and what it asks, in a line."""
    step = answers.lab.step_of(part).title
    kind = widget_class(part) or PartWidget
    text = kind.missing_text(part, answers)
    if len(text) > _MOST_CHARACTERS:
        text = text[: _MOST_CHARACTERS - 1] + "…"
    return f"{step}: {text}"


class GradeDialog(Dialog):
    """The table of a class's answers; attempts can be run again, and table and page be saved."""

    def __init__(self, grades: Grades, memory: FolderMemory, parent: QWidget) -> None:
        super().__init__(parent, self.tr("Answers to “{lab}”").format(lab=grades.lab.title))
        self._grades = grades
        self._memory = memory
        self._runner = TaskRunner(self)
        self._runner.records.connect(self._on_records)
        self._runner.ended.connect(self._on_ended)
        headings, *rows = grades.rows()
        tip = self.tr("Click to sort by this column.")
        asks = {part.id: " ".join(part.ask.split()) for part in grades.lab.exercises()}
        tips = ["\n".join(filter(None, (asks.get(str(text)), tip))) for text in headings]
        self.model = RecordModel([_column(k, str(text), tips[k]) for k, text in enumerate(headings)], self)
        self.table = RecordTable(self.model, "gradeTable", self.tr("Who did what"), sorted_by=0)
        self.table.setWordWrap(True)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.model.show_records(rows)
        if any(marked.remarks() for marked in grades.marked):
            self.table.setColumnWidth(headings.index("remark"), theme().px(_REMARK_WIDTH))
        self._rows = {id(marked): row for row, marked in enumerate(grades.marked)}
        wrong = [f"{n} × {idea}: “{choice}”" for _, idea, choice, n in grades.misconceptions() if n]
        self.ideas = label("\n".join(wrong[:8]), "gradeIdeas", selectable=True)
        self.message = note("muted", "gradeMessage")
        self.again = self.add_button(self.tr("Run attempts again"), self._repeat)
        tip = self.tr("Train each attempt again from its seed, and compare it with what the file says.")
        self.again.setToolTip(tip)
        self.add_button(self.tr("Save table and page…"), self._save)
        heading = label(self.tr("Wrong ideas, at the first try:") if wrong else "", role="heading")
        self.show_parts((self.table, 1), heading, self.ideas, self.message, size=(900, 560))
        set_message(self.message, grades.summary())  # it has a parent by now, and is no window of its own

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
        kinds = [self.tr("Web page, with the table beside it (*.html)")]
        path = ask_save(self, self._memory, self.tr("Save table and page"), "grades.html", kinds)
        if path:
            table = path.with_suffix(".csv")
            with reporting(lambda text, tone: set_message(self.message, text)):
                write_atomically(table, self._grades.csv().encode(errors="replace"))
                write_atomically(path, self._grades.html().encode(errors="replace"))
                text = self.tr("Saved: {table} and {page} in {folder}.")
                set_message(self.message, text.format(table=table.name, page=path.name, folder=path.parent))


def _column(index: int, heading: str, tip: str) -> Column[list[Any]]:
    return Column(heading, tip, lambda row: str(row[index]), lambda row: row[index])
