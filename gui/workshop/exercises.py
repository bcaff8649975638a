"""The list of exercises of the Workshop tab, with what the person has done of each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QWidget

from core.labs.answers import Answers
from core.labs.answers_file import kept_answers
from core.labs.blocks.text import Text
from core.labs.forms import plain
from core.labs.lab import Lab
from core.labs.package import lessons, open_lab
from gui.background.task_runner import TaskRunner, single_record
from gui.text import count
from gui.widgets import make
from gui.widgets.basics import MARGIN, PrimaryButton, scroll_area, see_through
from gui.widgets.card import Card
from gui.widgets.messages import note, set_message
from gui.widgets.tables import Column, RecordModel, RecordTable


@dataclass(frozen=True, slots=True)
class ListedExercise:
    """A row of the list, with what the person has done of it. `is_solved`: its kernels are
    right.
    """

    number: int
    path: Path
    answers: Answers
    done: int
    is_solved: bool

    @property
    def lab(self) -> Lab:
        return self.answers.lab


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
        self.table.selectionModel().selectionChanged.connect(self._show_chosen)
        self.about = scroll_area(QWidget())
        self.reading = note(name="workshopReading")
        tip = tr("Open the exercise that is chosen in the list.")
        self.open_button = make.button(
            tr("Open"), "workshopOpen", tip, self._open_chosen, kind=PrimaryButton
        )
        title = make.label(tr("The kernel workshop"), role="title")
        text = make.label(tr("Programs for graphics cards, checked without a card"), role="muted")
        listed, chosen = QWidget(), QWidget()
        make.column(title, text, (self.table, 1), owner=listed)
        make.column((self.about, 1), make.row(self.open_button, self.reading, None), owner=chosen)
        cards = Card(listed, name="workshopListCard"), Card(chosen, name="workshopChosenCard")
        see_through(self.about)
        box = make.row((cards[0], 3), (cards[1], 2), owner=self, spacing=MARGIN)
        box.setContentsMargins(0, MARGIN, 0, 0)

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

    def _show_chosen(self) -> None:
        """Say beside the list what the chosen exercise is about, and what is to be done."""
        chosen = self.table.selected()
        if not chosen:
            return
        exercise = chosen[0]
        lab = exercise.lab
        # By the exact type: the texts for teachers and for afterwards are kinds of it.
        texts = [make.label(part.markdown) for part in lab.steps[0].parts if type(part) is Text]
        for text in texts:
            text.setTextFormat(Qt.TextFormat.MarkdownText)
        tasks = []
        for part in lab.parts.exercises:
            is_done = exercise.answers.is_done(part)
            mark = make.label("✓" if is_done else "○", role="muted", wraps=False)
            mark.setAccessibleName(self.tr("done") if is_done else self.tr("missing"))
            asked = make.label(plain(part.ask) or lab.step_of(part).title)
            tasks.append(make.row(mark, (asked, 1)))
        title = make.label(f"{exercise.number}. {lab.title}", role="title")
        what = make.label(self.tr("What you do"), role="heading")
        page = QWidget()
        make.column(title, *texts, what, *tasks, None, owner=page, spacing=MARGIN)
        self.about.setWidget(page)
        see_through(self.about)
        is_begun = 0 < exercise.done < len(tasks)
        self.open_button.setText(self.tr("Go on") if is_begun else self.tr("Open"))

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
        found.append(ListedExercise(index, path, answers, len(done), is_solved))
    return found


def _progress_text(exercise: ListedExercise) -> str:
    """How many parts are done, with a mark where the kernel is."""
    parts = len(exercise.lab.parts.exercises)
    done = f"{exercise.done} / {parts}" if exercise.done else ""
    return f"✓ {done}" if exercise.is_solved else done
