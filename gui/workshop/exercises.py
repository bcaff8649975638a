"""The list of exercises of the Workshop tab, with what the person has done of each."""

from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QLabel, QRadioButton, QSizePolicy, QVBoxLayout, QWidget

from core.labs.answers import Answers
from core.labs.answers_file import kept_answers
from core.labs.blocks.text import Text
from core.labs.forms import plain
from core.labs.lab import Parts
from core.labs.package import lessons, open_lab
from gui.background.task_runner import TaskRunner, single_record
from gui.widgets import make
from gui.widgets.basics import (
    ENTER_KEYS,
    MARGIN,
    SPACING,
    PrimaryButton,
    focus_is_by_key,
    named,
    scroll_area,
    see_through,
)
from gui.widgets.card import Card
from gui.widgets.messages import note, set_message
from gui.widgets.shapes import paint_rounded, smooth_painter
from gui.widgets.theme import theme

_RING = 22  # pixels at a text size of 100 %


class ProgressRing(QLabel):
    """As much of a circle as is done of the parts, and a tick where the kernels among them are
    right, or all is done where there is no kernel.
    """

    def __init__(self, answers: Answers, parts: Parts) -> None:
        super().__init__()
        asked = parts.exercises
        done = sum(map(answers.is_done, asked))
        self._share = done / len(asked)
        self.is_ticked = all(map(answers.is_done, parts.kernels or asked))
        self.setText("✓" if self.is_ticked else "")
        said = self.tr("{n} of {all} done").format(n=done, all=len(asked))
        self.setAccessibleName(said)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(_RING, _RING) * theme().scale

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        colors = theme().colors
        width = theme().px(3)
        circle = self.rect().adjusted(width, width, -width, -width)
        reached = colors.good if self.is_ticked else colors.accent
        with smooth_painter(self) as painter:
            for color, share in ((colors.line, 1.0), (reached, self._share)):
                painter.setPen(QPen(QColor(color), width))
                # In sixteenths of a degree, clockwise from the top.
                painter.drawArc(circle, 1440, round(-5760 * share))


class ExerciseRow(QRadioButton):
    """An exercise of the list: how much is done, its number, title and minutes. `is_solved`: its
    kernels are right. `opened`: by a double click.
    """

    opened = Signal()

    def __init__(self, number: int, path: Path, answers: Answers) -> None:
        super().__init__()
        self.path = path
        self.answers = answers
        lab = answers.lab
        self.title = f"{number}. {lab.title}"
        ring = ProgressRing(answers, lab.parts)
        self.is_solved = ring.is_ticked
        said = self.tr("{title}: {minutes} minutes, {done}")
        if ring.is_ticked:
            said = self.tr("{title}: {minutes} minutes, solved, {done}")
        done = ring.accessibleName()
        said = said.format(title=self.title, minutes=lab.minutes, done=done)
        named(self, f"exercise{number}", said, said)
        # Filled up with a space as wide as a digit.
        place = make.label(f"{number:\u2007>2}", role="muted", wraps=False)
        time = self.tr("{n} min").format(n=lab.minutes)
        minutes = make.label(time, role="muted", wraps=False)
        title = make.label(lab.title)
        box = make.row(ring, place, (title, 1), minutes, owner=self, spacing=SPACING)
        box.setContentsMargins(8, 6, 8, 6)

    def sizeHint(self) -> QSize:
        # Of the texts: a radio button of Qt asks for its circle and text alone.
        return QWidget.sizeHint(self)

    def minimumSizeHint(self) -> QSize:
        return QWidget.minimumSizeHint(self)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.opened.emit()

    def hitButton(self, pos: QPoint) -> bool:
        # The whole row is clicked.
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        back = colors.info_back if self.isChecked() else colors.base
        line = colors.accent if focus_is_by_key(self) else back
        with QPainter(self) as painter:
            paint_rounded(painter, self.rect(), line, back, 2)


class ExerciseList(QWidget):
    """`lab_asked(path)`: open the lab of an exercise."""

    lab_asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.reader = TaskRunner(self, self._show_last, low_priority=True)
        tr = self.tr
        self.chosen: ExerciseRow | None = None
        self.list = scroll_area(QWidget())
        self.about = scroll_area(QWidget())
        self.reading = note(name="workshopReading")
        tip = tr("Open the exercise that is chosen in the list.")
        self.open_button = make.button(
            tr("Open"), "workshopOpen", tip, self._open_chosen, kind=PrimaryButton
        )
        title = make.label(tr("The kernel workshop"), role="title")
        text = make.label(tr("Programs for graphics cards, checked without a card"), role="muted")
        listed = QWidget()
        chosen = QWidget()
        make.column(title, text, (self.list, 1), owner=listed)
        make.column((self.about, 1), make.row(self.open_button, self.reading, None), owner=chosen)
        left = Card(listed, name="workshopListCard")
        right = Card(chosen, name="workshopChosenCard")
        see_through(self.list)
        see_through(self.about)
        box = make.row((left, 3), (right, 2), owner=self, spacing=MARGIN)
        box.setContentsMargins(0, MARGIN, 0, 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in ENTER_KEYS:
            self._open_chosen()

    def read(self) -> None:
        """Read the exercises and the progress in the background, and show them."""
        is_empty = self.chosen is None
        self.open_button.setEnabled(not is_empty)
        set_message(self.reading, self.tr("The exercises are being read…") if is_empty else "")
        self.reader.start_latest(single_record(lambda control: read_exercises(control.check)))

    def _show_last(self, records: Sequence[list[tuple[Path, Answers]]]) -> None:
        """Fill the list, and choose the first exercise that is not solved."""
        rows = [ExerciseRow(number, *found) for number, found in enumerate(records[-1], 1)]
        page = QWidget()
        # The arrow keys choose among the rows of both columns.
        choices = QButtonGroup(page)
        choices.buttonToggled.connect(self._show_chosen)
        for row in rows:
            choices.addButton(row)
            row.opened.connect(self._open_chosen)
        grouped = groupby(rows, lambda row: row.answers.lab.group)
        groups = [self._group(title, list(members)) for title, members in grouped]
        half = len(groups) // 2
        left = QWidget()
        right = QWidget()
        make.column(*groups[:half], None, owner=left)
        make.column(*groups[half:], None, owner=right)
        page.setLayout(make.FlowLayout(left, right, spacing=MARGIN))
        self.list.setWidget(page)
        see_through(self.list)
        self.open_button.setEnabled(True)
        self.reading.hide()
        next((row for row in rows if not row.is_solved), rows[0]).setChecked(True)

    def _group(self, title: str, rows: Sequence[ExerciseRow]) -> QVBoxLayout:
        """The rows under their heading, with how many of them are solved."""
        solved = sum(row.is_solved for row in rows)
        text = self.tr("{n} of {all}").format(n=solved, all=len(rows))
        progress = make.label(text, role="muted", wraps=False)
        heading = make.row(8, (make.label(title, role="heading"), 1), progress, 8)
        return make.column(MARGIN, heading, 4, *rows, spacing=0)

    def _show_chosen(self, row: ExerciseRow, on: bool) -> None:
        """Say beside the list what the chosen exercise is about, and what is to be done."""
        if not on:
            return
        self.chosen = row
        answers = row.answers
        lab = answers.lab
        # By the exact type: the texts for teachers and for afterwards are kinds of it.
        texts = [make.label(part.markdown) for part in lab.steps[0].parts if type(part) is Text]
        for text in texts:
            text.setTextFormat(Qt.TextFormat.MarkdownText)
        what = make.label(self.tr("What you do"), role="heading")
        page = QWidget()
        box = make.column(
            make.label(row.title, role="title"), *texts, what, owner=page, spacing=MARGIN
        )
        for step in lab.steps:
            if step.parts.exercises:
                ring = ProgressRing(answers, step.parts)
                asked = [make.label(plain(part.ask), role="muted") for part in step.parts.exercises]
                heading = make.label(step.title, role="heading")
                task = make.row(ring, (make.column(heading, *asked, spacing=2), 1))
                task.setAlignment(ring, Qt.AlignmentFlag.AlignTop)
                box.addLayout(task)
        box.addStretch()
        self.about.setWidget(page)
        see_through(self.about)
        self.list.ensureWidgetVisible(row)
        begun = self.tr("Go on: {step}").format(step=answers.shown_step.title)
        self.open_button.setText(begun if answers.step else self.tr("Open"))

    def _open_chosen(self) -> None:
        if self.chosen is not None:
            self.lab_asked.emit(self.chosen.path)


def read_exercises(check: Callable[[], None]) -> list[tuple[Path, Answers]]:
    """The exercises that come with the program, with the person's answers."""
    found = []
    for _, path in lessons("workshop"):
        check()
        found.append((path, kept_answers(open_lab(path))))
    return found
