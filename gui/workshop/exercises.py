"""The list of exercises of the Workshop tab, with what the person has done of each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHeaderView, QWidget

from core.labs.answers_file import kept_answers
from core.labs.lab import Lab
from core.labs.package import lessons, open_lab
from gui.background.task_runner import TaskRunner, single_record
from gui.text import count
from gui.widgets import make
from gui.widgets.basics import MARGIN, PrimaryButton
from gui.widgets.messages import note, set_message
from gui.widgets.tables import Column, RecordModel, RecordTable


@dataclass(frozen=True, slots=True)
class ListedExercise:
    """A row of the list. `done`: how many of the `parts` the person has done; `is_solved`: its
    kernels are right.
    """

    number: int
    path: Path
    lab: Lab
    done: int
    parts: int
    is_solved: bool


class ExerciseList(QWidget):
    """`lab_asked(path)`: open the lab of an exercise. `failed(failure)`: the exercises could not be
    read.
    """

    lab_asked = Signal(object)
    failed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.reader = TaskRunner(self, low_priority=True)
        self.reader.records.connect(self._show_last)
        self.reader.ended.connect(self._report)
        tr = self.tr
        columns = (
            Column[ListedExercise](
                "", tr("In this order."), lambda e: str(e.number), is_number=True
            ),
            Column[ListedExercise](tr("Exercise"), tr("Its title."), lambda e: e.lab.title),
            Column[ListedExercise](
                tr("Minutes"),
                tr("About how long it takes."),
                lambda e: count(e.lab.minutes),
                is_number=True,
            ),
            Column[ListedExercise](tr("Progress"), tr("What you have done of it."), _progress_text),
        )
        self.table = RecordTable(RecordModel(columns, self), "workshopList", tr("Exercises"))
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.activated.connect(self._open_chosen)
        self.reading = note(name="workshopReading")
        tip = tr("Open the exercise that is chosen in the list.")
        self.open_button = make.button(
            tr("Open"), "workshopOpen", tip, self._open_chosen, kind=PrimaryButton
        )
        text = tr(
            "A kernel is a function that thousands of threads of a graphics card run at once. "
            "Write some in Python: each is checked here without a card, for races, barriers, "
            "wrong indices, wrong results, and what its memory accesses cost. Begin with the first."
        )
        title = make.label(tr("The kernel workshop"), role="title")
        below = make.row(self.open_button, self.reading, None)
        box = make.column(title, make.label(text), (self.table, 1), below, owner=self)
        box.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)

    def read(self) -> None:
        """Read the exercises and the progress in the background, and show them."""
        is_empty = not self.table.record_model.records
        self.open_button.setEnabled(not is_empty)
        set_message(self.reading, self.tr("The exercises are being read…") if is_empty else "")
        self.reader.start_latest(single_record(lambda control: read_exercises(control.check)))

    def _show_last(self, records: Sequence[list[ListedExercise]]) -> None:
        """Fill the list, and select the first exercise that is not solved."""
        exercises = records[-1]
        self.table.record_model.show_records(exercises)
        self.open_button.setEnabled(bool(exercises))
        self.reading.hide()
        row = next((row for row, exercise in enumerate(exercises) if not exercise.is_solved), 0)
        self.table.selectRow(row)

    def _report(self, failure: object) -> None:
        if failure is not None:
            self.failed.emit(failure)

    def _open_chosen(self) -> None:
        chosen = self.table.selected() or self.table.record_model.records[:1]
        if chosen:
            self.lab_asked.emit(chosen[0].path)


def read_exercises(check: Callable[[], None]) -> list[ListedExercise]:
    """The exercises that come with the program, with the person's progress."""
    found = []
    for index, (_, path) in enumerate(lessons("workshop"), 1):
        check()
        lab = open_lab(path)
        answers = kept_answers(lab)
        parts = lab.parts.exercises
        done = [part for part in parts if answers.is_done(part)]
        is_solved = all(part in done for part in lab.parts.kernels)
        found.append(ListedExercise(index, path, lab, len(done), len(parts), is_solved))
    return found


def _progress_text(exercise: ListedExercise) -> str:
    """How many parts are done, with a mark where the kernel is."""
    done = f"{exercise.done} / {exercise.parts}" if exercise.done else ""
    return f"✓ {done}" if exercise.is_solved else done
