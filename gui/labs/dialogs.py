"""The dialogs of labs: hand in one's answers; mark those of a class."""

import json
import re
import textwrap
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QPlainTextEdit, QVBoxLayout, QWidget

from core.files.atomic import write_atomically
from core.labs.answers import Answers
from core.labs.blocks.exercise import ExerciseBlock
from core.labs.blocks.predict import CurvePrediction
from core.labs.grading import Grades, Marked, iter_kernels, iter_repeats
from gui.background.task_runner import Failure, TaskControl, TaskRunner
from gui.labs.answers_view import AnswersView
from gui.labs.curves import PredictionPlot
from gui.text import sentence_text, translator
from gui.widgets.basics import FitsOnResize, LinkButton, named
from gui.widgets.dialogs import (
    Destination,
    Dialog,
    FolderMemory,
    SavedDialog,
    ask_save,
    open_by_system,
    reporting,
)
from gui.widgets.make import column, edit, label, row
from gui.widgets.messages import note, set_message
from gui.widgets.tables import (
    RECORD_ROLE,
    Column,
    Index,
    RecordModel,
    RecordTable,
    Role,
    open_by_keys,
)
from gui.widgets.theme import theme

_tr = translator("HandInDialog")

_HEADING = 16  # characters in a line
_HEADING_LINES = 3
_IDEAS = 6
_REMARK_WIDTH = 320  # pixels
_BEFORE_PARTS = 2  # columns: name, and how much is done
_TABLE_HEIGHT = 240  # pixels
# What no file system, or not each, has in names, and what would begin an option or a hidden file.
_NO_NAME = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]|^[-.]+')


class HandInDialog(Dialog):
    """Asks for a name, says in sentences what is handed in, and saves it.

    `saved(path)`; `step_asked(index)`: go to the step of what is missing.
    """

    saved = Signal(object)
    step_asked = Signal(int)

    def __init__(self, answers: Answers, memory: FolderMemory, parent: QWidget) -> None:
        title = self.tr("Hand in: {lab}").format(lab=answers.lab.title)
        said = self.tr("This is what your teacher will see. Nothing is sent: a file is saved.")
        if answers.kernels:
            said += " " + self.tr(
                "Of each kernel the best text that you have checked is handed in."
            )
        super().__init__(parent, title, "handInDialog", sentence=said)
        self._answers = answers
        self.name = edit(
            "handInName",
            self.tr("Your name or number"),
            self.tr("Your name or the number that your teacher gave you; it may stay empty."),
            self._on_name,
        )
        self.name.setReadOnly(answers.lab.varies)  # the runs were made with what follows from it
        self.view = AnswersView(answers, has_links=True)
        self.view.step_asked.connect(self._go_to)
        tip = self.tr("All that is handed in; nothing else about you or this computer.")
        self.content = named(QPlainTextEdit(), "handInContent", self.tr("The file's text"), tip)
        self.content.setReadOnly(True)
        self.content.setMinimumHeight(theme().px(160))
        text = self.tr("The file's text, for those who want to see it")
        self.fold = named(LinkButton(text, self.content), "handInFold", text, tip)
        # Only when it is looked at: the text may be megabytes.
        self.fold.toggled.connect(self._show_content)
        self.fold.toggled.connect(self.fit)
        kinds = [self.tr("Answers (*.json)")]
        self.destination = Destination(memory, self.tr("Hand in"), answers_name(answers), kinds)
        self.message = note("error", "handInMessage")
        self.set_main(
            self.tr("&Save"),
            "handInSave",
            self._save,
            tip=self.tr("Write the file now."),
            cancel=self.tr("Not yet"),
        )
        who = row(label(self.name.accessibleName(), wraps=False), (self.name, 1), spacing=12)
        below = self.destination, self.message
        self.show_parts(who, self.view, self.fold, self.content, scrolls=True, below=below)
        self.name.setText(answers.name)
        self.name.setFocus()

    def _on_name(self) -> None:
        self._answers.name = self.name.text().strip()[:100]
        self.destination.propose(answers_name(self._answers))
        if self.content.isVisible():
            self._show_content()

    def _show_content(self) -> None:
        self.content.setPlainText(json.dumps(self._answers.as_dict(), indent=1, ensure_ascii=False))

    def _go_to(self, index: int) -> None:
        self.step_asked.emit(index)
        self.reject()

    def _save(self) -> None:
        with reporting(self._show_failure):
            self._answers.save(self.destination.path)
            self.destination.remember()
            self.saved.emit(self.destination.path)
            self.accept()

    def _show_failure(self, text: str, tone: str) -> None:
        set_message(self.message, text)
        self.fit()


def show_handed_in(
    path: Path, next_lesson: str, go_on: Callable[[], object], parent: QWidget
) -> None:
    """Say that the answers are saved. next_lesson: the title of the lesson after this one; empty
    for none.
    """
    text = _tr("Give the file to your teacher, as you agreed.")
    if next_lesson:
        after = _tr("The next lesson asks: {title}")
        text = f"{text} {after.format(title=next_lesson)}"
    title = _tr("Your answers are saved")
    shown = SavedDialog(parent, title, path, text)
    if next_lesson:
        done = _tr("Done")

        def open_next() -> None:
            shown.accept()
            go_on()

        text = _tr("&Next lesson")
        shown.set_main(text, "handInNext", open_next, cancel=done)
    shown.show_saved()


def answers_name(answers: Answers) -> str:
    """The name of the file that is handed in: of the person and the lab, so that none overwrites
    another.

    Only with characters that all systems accept.
    """
    texts = answers.name or _tr("Answers"), answers.lab.title
    # Windows takes no name that ends in a space or a point.
    person, lab = (" ".join(_NO_NAME.sub(" ", text).split())[:60].strip(" .") for text in texts)
    return f"{person} - {lab}.json"


@dataclass(frozen=True, slots=True)
class _Row:
    """What the table shows of a file. cells, rights: of each part; rights: None for what is neither
    right nor wrong.
    """

    marked: Marked
    done: int
    cells: list[str]
    rights: list[bool | None]
    again: str
    outcomes: str
    remarks: str

    @classmethod
    def of(cls, marked: Marked, parts: Sequence[ExerciseBlock]) -> "_Row":
        judged = marked.judged()
        if judged is None:
            nothing = [""] * len(parts)
            return cls(marked, 0, nothing, [None] * len(parts), "", "", marked.remarks())
        given = [(part, judged.given(part), marked.marks(part)) for part in parts]
        rights = [part.is_right(said, marks) for part, said, marks in given]
        signs = {True: "✓ ", False: "✗ ", None: ""}
        texts = [part.outcome(said, marks) for part, said, marks in given]
        cells = [signs[right] + text for right, text in zip(rights, texts, strict=True)]
        done = len(parts) - len(judged.missing())
        return cls(
            marked, done, cells, rights, _again_text(marked), marked.outcomes(), marked.remarks()
        )


def _again_text(marked: Marked) -> str:
    """How many of a person's attempts were found again."""
    repeats = [*marked.repeats.values()]
    if not repeats:
        return "; ".join(f"{part}: {text}" for part, text in [*marked.kernels.items()])
    same = sum(repeat.is_same for repeat in repeats)
    text = QCoreApplication.translate(
        "GradeDialog", "{n} of {all} runs the same to the bit", None, len(repeats)
    )
    return text.format(n=same, all=len(repeats))


def _color(is_right: bool | None) -> QColor | None:
    colors = theme().colors
    shown = {True: colors.good, False: colors.bad}
    return None if is_right is None else QColor(shown[is_right])


class GradeTable(FitsOnResize, RecordTable):
    """The columns of the parts share the width, so that the table is not scrolled sideways; long
    texts are wrapped.

    A column without a text in any row is hidden.
    """

    def __init__(self, model: RecordModel, part_count: int) -> None:
        # `fit` is called by the base class.
        self._parts = range(_BEFORE_PARTS, _BEFORE_PARTS + part_count)
        title = QCoreApplication.translate("GradeDialog", "Who did what")
        super().__init__(model, "gradeTable", title, sorted_by=0)
        self.setWordWrap(True)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def fit(self) -> None:
        needs: dict[int, int] = {}
        remark = len(self.record_model.columns) - 1
        for place, described in enumerate(self.record_model.columns):
            if place in self._parts or any(map(described.text, self.record_model.records)):
                needs[place] = max(self.sizeHintForColumn(place), self.heading_width(place))
        if remark in needs:
            needs[remark] = theme().px(_REMARK_WIDTH)
        others = sum(width for place, width in needs.items() if place not in self._parts)
        share = (self.viewport().width() - others) // max(len(self._parts), 1)
        if sum(needs.values()) > self.viewport().width():
            for place in self._parts:
                needs[place] = max(share, self.heading_width(place))
        self.fit_columns(needs, stretch=(remark,) if remark in needs else self._parts)


class GradeDialog(Dialog):
    """The table of a class's answers; attempts can be run again, and table and page be saved."""

    def __init__(self, grades: Grades, memory: FolderMemory, parent: QWidget) -> None:
        title = self.tr("Answers to “{lab}”").format(lab=grades.lab.title)
        said = self.tr(
            "A double click on a person shows the answers. A click on a heading sorts by it."
        )
        super().__init__(parent, title, "gradeDialog", sentence=said)
        self._grades = grades
        self._memory = memory
        self._runner = TaskRunner(self, self._on_records, self._on_ended)
        self.model = RecordModel(self._columns(), self)
        self.table = GradeTable(self.model, len(grades.lab.parts.exercises))
        open_by_keys(self.table, self._open)
        self.model.show_records([self._row(marked) for marked in grades.marked])
        self.table.fit()
        # By identity: a marked file changes, and so has no hash.
        self._rows = {id(marked): place for place, marked in enumerate(grades.marked)}
        self.message = note("muted", "gradeMessage")
        self.again = self.add_button(
            self.tr("Run attempts again"),
            self._repeat,
            "gradeAgain",
            self.tr(
                "Train each attempt again from its seed, and compare it with what the file says."
            ),
        )
        self.set_main(
            self.tr("&Save…"),
            "gradeSave",
            self._save,
            tip=self.tr("Save a page for the class, and the table for a spreadsheet."),
            cancel=self.tr("Close"),
        )
        below = row((self._ideas(), 1), (self._curves(), 1), spacing=24)
        self.table.setMinimumHeight(theme().px(_TABLE_HEIGHT))
        size = (1320, 640)
        self.show_parts((self.table, 1), below, size=size, scrolls=True, below=[self.message])
        set_message(self.message, self._summary())
        self.table.setFocus()
        self.table.selectRow(0)

    def _summary(self) -> str:
        return " ".join(map(sentence_text, self._grades.sentences()))

    def _row(self, marked: Marked) -> _Row:
        return _Row.of(marked, self._grades.lab.parts.exercises)

    # -- the table ---------------------------------------------------------------------------------

    def _columns(self) -> list[Column[_Row]]:
        tr = self.tr
        parts = self._grades.lab.parts.exercises
        tip = tr("How many of the {n} parts are done.", None, len(parts)).format(n=len(parts))
        of_all = tr("{n} of {all}")
        done = Column[_Row](
            tr("Done"),
            tip,
            lambda row: of_all.format(n=row.done, all=len(parts)),
            attrgetter("done"),
        )
        again = Column[_Row](
            tr("Run again"),
            tr("What running the attempts again has given."),
            attrgetter("again"),
            cell_tip=attrgetter("outcomes"),
        )
        remark = Column[_Row](
            tr("Remark"),
            tr("What is odd about the file, and which attempts do not count."),
            attrgetter("remarks"),
        )
        name = Column[_Row](
            tr("Name"),
            tr("Rest the pointer on a name for the name of the file."),
            attrgetter("marked.name"),
            cell_tip=attrgetter("marked.file"),
        )
        questions = (self._column(place, part) for place, part in enumerate(parts))
        return [name, done, *questions, again, remark]

    def _column(self, place: int, part: ExerciseBlock) -> Column[_Row]:
        """The column of a part: its question as the heading, right and wrong with a sign and in
        color.
        """
        title = self._grades.title_of(part)
        lines = textwrap.wrap(title, _HEADING, max_lines=_HEADING_LINES, placeholder="…")
        colors: dict[int, Callable[[_Row], Any]] = {
            int(Role.ForegroundRole): lambda row: _color(row.rights[place])
        }
        return Column("\n".join(lines), title, lambda row: row.cells[place], roles=colors)

    def _open(self, index: Index) -> None:
        row = index.data(RECORD_ROLE)
        # A file that could not be read has only its remark.
        if row is not None and row.marked.answers is not None:
            PersonDialog(row.marked, self).show()

    # -- the class ---------------------------------------------------------------------------------

    def _ideas(self) -> QVBoxLayout:
        """The wrong ideas that the class has."""
        wrong = [
            self.tr("{n} × {idea}: “{choice}”").format(n=n, idea=idea, choice=choice)
            for _, idea, choice, n in self._grades.misconceptions()
            if n
        ]
        text = "\n".join(wrong[:_IDEAS]) or "–"
        # The lab is a stranger's: its choices must not be read as HTML.
        self.ideas = label(text, "gradeIdeas", selectable=True, plain=True)
        heading = label(self.tr("Wrong ideas, at the first try"), role="heading")
        return column(heading, self.ideas, None, spacing=6)

    def _curves(self) -> QVBoxLayout:
        """The curves that the class expected, thin, and the real one."""
        parts: list[QWidget] = []
        self.plots: list[tuple[CurvePrediction, PredictionPlot]] = []
        for part in self._grades.lab.parts.curves:
            title = self._grades.title_of(part)
            plot = PredictionPlot(part, self._grades.lab, title, f"gradeCurves-{part.id}")
            self.plots.append((part, plot))
            asked = label(title, role="muted", plain=True)
            parts += [label(self.tr("What the class expected"), role="heading"), asked, plot]
        self._show_curves()
        return column(*parts, None, spacing=6)

    def _show_curves(self) -> None:
        for part, plot in self.plots:
            drawn = [("", points) for _, points in self._grades.predictions(part)]
            plot.show_curves(drawn, self._grades.real_curve(part))

    # -- running again, saving ---------------------------------------------------------------------

    def _repeat(self) -> None:
        def repeat(control: TaskControl) -> Generator[tuple[Marked, str, str]]:
            for done in chain(iter_kernels(self._grades), iter_repeats(self._grades, None)):
                control.check()
                yield done

        self.again.setEnabled(False)
        self._runner.start(repeat)

    def _on_records(self, records: list[tuple[Marked, str, str]]) -> None:
        for marked, title, text in records:
            set_message(self.message, f"{marked.name}, {title}: {text}")
            self.model.set_record(self._rows[id(marked)], self._row(marked))

    def _on_ended(self, failure: Failure | None) -> None:
        self.again.setEnabled(True)
        # All rows: from now on only what was run again counts, also of persons without a run.
        self.model.update_records([self._row(marked) for marked in self._grades.marked])
        self.table.fit()
        self._show_curves()
        set_message(self.message, failure.text if failure else self._summary())

    def _save(self) -> None:
        kinds = [self.tr("Web page, with the table beside it (*.html)")]
        path = ask_save(
            self,
            self._memory,
            self.tr("Save the marks as a page and a table"),
            "grades.html",
            kinds,
        )
        if path:
            table = path.with_suffix(".csv")
            with reporting(lambda text, tone: set_message(self.message, text)):
                write_atomically(table, self._grades.csv().encode(errors="replace"))
                write_atomically(path, self._grades.html().encode(errors="replace"))
                text = self.tr("The table, for a spreadsheet, lies beside it: {table}.").format(
                    table=table.name
                )
                shown = SavedDialog(self, self.tr("The page is saved"), path, text)
                shown.set_main(
                    self.tr("Open it"),
                    "savedOpen",
                    partial(open_by_system, path),
                    cancel=self.tr("Done"),
                )
                shown.show_saved()


class PersonDialog(Dialog):
    """The answers of one person of a class, as they count."""

    def __init__(self, marked: Marked, parent: QWidget) -> None:
        judged = marked.judged()
        assert judged is not None
        super().__init__(parent, marked.name, "personDialog", sentence=marked.file)
        remarks = note("error", "personRemarks")
        again = note("muted", "personAgain")
        view = AnswersView(judged, has_links=False)
        self.show_parts(remarks, view, again, scrolls=True)
        set_message(remarks, marked.remarks())
        set_message(again, self._repeats(marked))

    def _repeats(self, marked: Marked) -> str:
        """What running the attempts again has given; where all are the same, without their
        names.
        """
        if marked.repeats and all(repeat.is_same for repeat in marked.repeats.values()):
            return self.tr("Run again: {result}.").format(result=_again_text(marked))
        return marked.outcomes()
