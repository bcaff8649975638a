"""The widgets of a step: its texts, and what a person predicts, runs, answers and tries."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QKeyEvent, QMouseEvent, QResizeEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QButtonGroup, QFrame, QLabel, QPushButton, QRadioButton, QTextBrowser, QWidget

from core.errors import InputError
from core.labs import lab as labs
from core.labs.answers import Answers
from core.text import Sentence, parse_number
from gui.text import count, duration, number, percent, sentence
from gui.widgets.basics import PrimaryButton, named, note, set_message
from gui.widgets.make import button, column, edit, label, row
from gui.widgets.plots.live_plot import LivePlot, OtherCurve

POINTS = 25
EXPECTED_SERIES = 6  # gray; 0 and 1 are those of the run
_KEY_STEPS = 50  # of the height of the axis


def lab_sentence(said: Sentence) -> str:
    return QCoreApplication.translate("Lab", said.template).format(**said.values)


def value_text(value: float, quantity: str) -> str:
    """A value of a quantity of a lab: accuracies are percentages. "r2": R²."""
    if quantity == "r2":
        return f"R² {number(value, 3)}"
    return percent(value / 100, 1) if quantity.endswith("accuracy") else number(value, 3)


class LabText(QTextBrowser):
    """Markdown as high as its text. HTML in it is shown as text; pictures come from `folder` only."""

    def __init__(self, markdown: str, folder: Path | None) -> None:
        super().__init__()
        self._folder = folder
        named(self, "labText", self.tr("Text of the lab"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setOpenLinks(False)
        self.anchorClicked.connect(self._open)
        self.document().setDocumentMargin(0)
        features = QTextDocument.MarkdownFeature
        self.document().setMarkdown(markdown, features.MarkdownDialectCommonMark | features.MarkdownNoHTML)
        # Qt gives code the size of the system's font: remove it, so that code grows with the text.
        cursor = QTextCursor(self.document())
        while not cursor.atEnd():
            cursor.clearSelection()
            cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
            style = cursor.charFormat()
            if style.hasProperty(style.Property.FontPointSize):
                style.clearProperty(style.Property.FontPointSize)
                cursor.setCharFormat(style)
        self._fit()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        url = QUrl(name)
        path = labs.inside(self._folder, url.toString()) if url.isRelative() else None
        return super().loadResource(kind, QUrl.fromLocalFile(str(path))) if path is not None else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.document().setTextWidth(self.viewport().width())
        self.setFixedHeight(round(self.document().size().height()) + 2)

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.height())

    def _open(self, url: QUrl) -> None:
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)


class PartWidget(QFrame):
    """What a person does at one part. `changed`: the answers have; `run_asked`: the part's runs are to start."""

    changed = Signal()
    run_asked = Signal(object)  # labs.RunBlock

    def __init__(self, part: labs.ExerciseBlock, answers: Answers) -> None:
        super().__init__()
        self.part, self.answers = part, answers
        self.setObjectName(f"part-{part.id}")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.box = column(owner=self)
        self.box.setContentsMargins(8, 8, 8, 8)
        if part.ask:
            self.box.addWidget(LabText(part.ask, answers.lab.folder))
        self.message = note("muted", f"lab-{part.id}Message")

    def refresh(self) -> None:
        """Show what the answers hold by now."""

    def finish(self) -> None:
        """The part is not shown any more."""

    def _add(self, *widgets: QWidget) -> None:
        """Add these, buttons at the left, and the message."""
        left = Qt.AlignmentFlag.AlignLeft
        for widget in (*widgets, self.message):
            is_button = isinstance(widget, QPushButton) and not isinstance(widget, PrimaryButton)
            self.box.addWidget(widget, 0, left if is_button else Qt.AlignmentFlag(0))

    def _choices(self, texts: Sequence[str], chosen: object) -> QButtonGroup:
        group, tip = QButtonGroup(self), self.tr("Choose this one.")
        for index, text in enumerate(texts):
            made = button("", f"lab-{self.part.id}Choice{index + 1}", tip, kind=QRadioButton)
            made.setAccessibleName(text)
            made.setChecked(text == chosen)
            group.addButton(made, index)
            self.box.addLayout(row(made, (_ChoiceText(text, made), 1)))
        return group


class _ChoiceText(QLabel):
    """The text of a choice, which a radio button would not wrap; a click on it chooses."""

    def __init__(self, text: str, choice: QRadioButton) -> None:
        super().__init__(text)
        self._choice = choice
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._choice.setFocus()
        self._choice.click()


class CurveDrawer(QObject):
    """Draws a curve by hand on the axes of a live plot: while it is active, the plot takes the pointer as a pencil."""

    def __init__(self, plot: LivePlot, name: str, epochs: int, highest: float = 0.0) -> None:
        super().__init__(plot)
        self._plot, self._name, self._highest = plot, name, highest or plot.highest
        self._end = highest
        self._epochs = np.linspace(0, epochs, POINTS)
        self._values = np.full(POINTS, np.nan)
        self._cursor = 0
        self._last: int | None = None
        plot.viewport().installEventFilter(self)
        plot.viewport().setCursor(Qt.CursorShape.CrossCursor)
        plot.show_others((), float(epochs), highest)

    def points(self) -> list[tuple[float, float]]:
        """What has been drawn; what was left out between two points is filled in evenly."""
        drawn = np.flatnonzero(np.isfinite(self._values))
        if not len(drawn):
            return []
        inside = slice(drawn[0], drawn[-1] + 1)
        values = np.interp(self._epochs[inside], self._epochs[drawn], self._values[drawn])
        # Rounded, as the file of answers is read by people.
        pairs = zip(self._epochs[inside].tolist(), values.tolist(), strict=True)
        return [(round(x, 4), round(y, 4)) for x, y in pairs]

    def show_points(self, points: list[tuple[float, float]]) -> None:
        """Go on with a curve that was drawn before."""
        for x, y in points:
            self._values[int(np.argmin(abs(self._epochs - x)))] = y
        self._show()

    def end(self) -> None:
        """Give the pointer back to the plot; the curve stays."""
        self._plot.viewport().removeEventFilter(self)
        self._plot.viewport().unsetCursor()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent):
            return event.type() == QEvent.Type.Wheel
        if event.type() == QEvent.Type.MouseButtonRelease:
            self._last = None
        elif event.buttons() & Qt.MouseButton.LeftButton:
            at = self._plot.plotItem.vb.mapSceneToView(self._plot.mapToScene(event.position().toPoint()))
            self._set(int(np.argmin(abs(self._epochs - at.x()))), at.y())
        return True

    def _set(self, index: int, value: float) -> None:
        """Set a point, and those that a fast pointer passed over."""
        value = min(max(value, 0.0), self._highest)
        start = index if self._last is None else self._last
        before = self._values[start] if np.isfinite(self._values[start]) else value
        for passed in range(min(start, index), max(start, index) + 1):
            share = (passed - start) / (index - start) if index != start else 1.0
            self._values[passed] = before + share * (value - before)
        self._last = self._cursor = index
        self._show()

    def press(self, key: int) -> bool:
        """Move the cursor along the epochs or change the value there; whether the key was one for that."""
        keys = Qt.Key
        moves = {keys.Key_Left: (-1, 0), keys.Key_Right: (1, 0), keys.Key_Up: (0, 1), keys.Key_Down: (0, -1)}
        if key not in moves:
            return False
        along, up = moves[keys(key)]
        points = self.points()
        value = float(np.interp(self._epochs[self._cursor], *np.array(points).T)) if points else 0.0
        self._cursor = min(max(self._cursor + along, 0), POINTS - 1)
        self._last = None
        self._set(self._cursor, value + up * self._highest / _KEY_STEPS)
        self._last = None
        return True

    def position(self) -> tuple[float, float]:
        value = self._values[self._cursor]
        return float(self._epochs[self._cursor]), float(value) if np.isfinite(value) else 0.0

    def _show(self) -> None:
        self._plot.show_others(
            [OtherCurve(self._name, tuple(self.points()), EXPECTED_SERIES, True)], self._epochs[-1], self._end
        )


class PredictPart(PartWidget):
    """A choice, a number or a curve that is drawn on the plot of its quantity."""

    part: labs.PredictBlock

    def __init__(self, part: labs.PredictBlock, answers: Answers, drawer: CurveDrawer | None = None) -> None:
        super().__init__(part, answers)
        self._drawer = drawer
        self._group: QButtonGroup | None = None
        tip, kept = self.tr("Type the number that you expect."), answers.predictions.get(part.id)
        self._edit = edit(f"lab-{part.id}Number", self.tr("What you expect"), tip)
        tip = self.tr("Keep this as your prediction. You can change it until the run has shown what happens.")
        self.keep = button(self.tr("That is what I expect"), f"lab-{part.id}Keep", tip, self._keep)
        if part.kind == "choice":
            self._group = self._choices(part.choices, kept)
        elif part.kind == "number":
            unit = "%" if part.quantity.endswith("accuracy") else ""
            self.box.addLayout(row((self._edit, 1), label(unit)))
            self._edit.returnPressed.connect(self._keep)
            self._edit.setText(format(kept, "g") if isinstance(kept, float) else "")
        elif drawer:
            self.box.addWidget(_CurveKeys(drawer))
            if isinstance(kept, list):
                drawer.show_points(kept)
        self._add(self.keep)

    def _value(self) -> Any:
        if self._group is not None:
            chosen = self._group.checkedId()
            return self.part.choices[chosen] if chosen >= 0 else ""
        if self.part.kind == "number":
            try:
                return parse_number(self._edit.text().strip().replace(",", ".").removesuffix("%").strip())
            except ValueError:
                return ""
        return self._drawer.points() if self._drawer else []

    def _keep(self) -> None:
        value = self._value()
        if value in ("", []):
            set_message(self.message, self.tr("Choose, type or draw first what you expect."))
            return
        try:
            self.answers.predict(self.part, value)
        except InputError as error:
            set_message(self.message, sentence(error))
            return
        set_message(self.message, self.tr("Kept. You can change it until the run."))
        self.changed.emit()

    def refresh(self) -> None:
        said = self.answers.comparison(self.part, value_text)
        if said is not None:
            set_message(self.message, lab_sentence(said))
            self.keep.setEnabled(False)
            self._edit.setEnabled(False)
            self.finish()

    def finish(self) -> None:
        if self._drawer:
            self._drawer.end()


class _CurveKeys(QLabel):
    """Takes the arrow keys for the curve, and says where its cursor is."""

    def __init__(self, drawer: CurveDrawer) -> None:
        super().__init__()
        self.setText(self.tr("Draw it on the plot with the mouse, or here with the arrow keys."))
        tip = self.tr("The arrow keys draw while this has the focus.")
        named(self, "curveKeys", self.tr("The expected curve"), tip)
        self.setWordWrap(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._drawer = drawer

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._drawer.press(event.key()):
            super().keyPressEvent(event)
            return
        epoch, value = self._drawer.position()
        self.setText(self.tr("Epoch {epoch}: {value}").format(epoch=number(epoch, 3), value=number(value, 3)))


class RunPart(PartWidget):
    """Starts the runs, and shows what each has reached."""

    part: labs.RunBlock

    def __init__(self, part: labs.RunBlock, answers: Answers) -> None:
        super().__init__(part, answers)
        tip = self.tr("Train the network as this step sets it.")
        run = partial(self.run_asked.emit, part)
        self.start = button(self.tr("Run"), f"lab-{part.id}Start", tip, lambda: run(), kind=PrimaryButton)
        self.results = label("", f"lab-{part.id}Results")
        self.compared = label("", f"lab-{part.id}Compared")
        self._add(self.start, self.results, self.compared)

    def refresh(self) -> None:
        may_run = self.answers.may_run(self.part)
        self.start.setEnabled(may_run)
        self.start.set_main(not self.answers.is_done(self.part))
        missing = self.tr("First say what you expect.")
        if not self.answers.is_named:
            missing = self.tr("First type your name or number at the beginning of the lab.")
        set_message(self.message, "" if may_run else missing)
        part, lines, times = self.part, [], []
        is_race = part.show == "race" or part.devices
        for index, title in enumerate(part.titles):
            attempt = self.answers.attempt_of(part, index)
            if attempt is not None:
                values, shown = attempt.values(part.quantity), attempt.shown_as(part.quantity)
                reached = value_text(values[-1][1], shown) if values else attempt.result
                time = f"{duration(attempt.seconds)}; " if is_race else ""
                lines.append(f"{title or self.tr('The run')}: {time}{reached}")
                times.append((attempt.seconds, title))
        if is_race and len(times) == len(part.titles) > 1:
            (least, fast), *_, (most, slow) = sorted(times)
            text = self.tr("{fast} is {n} times as fast as {slow}.")
            lines.append(text.format(fast=fast, n=number(most / max(least, 1e-9), 2), slow=slow))
        set_message(self.results, "\n".join(lines))
        compared = map(lab_sentence, self.answers.comparisons(part, value_text))
        set_message(self.compared, "\n".join(compared))


class QuestionPart(PartWidget):
    """Choices; a wrong one is answered, and another try follows."""

    part: labs.QuestionBlock

    def __init__(self, part: labs.QuestionBlock, answers: Answers) -> None:
        super().__init__(part, answers)
        *_, last = answers.tries.get(part.id) or [""]
        self._group = self._choices([choice.text for choice in part.choices], last)
        tip = self.tr("Give this answer.")
        self.check = button(self.tr("Answer"), f"lab-{part.id}Answer", tip, self._answer)
        self._add(self.check)

    def _answer(self) -> None:
        chosen = self._group.checkedId()
        if chosen < 0:
            set_message(self.message, self.tr("Choose an answer first."))
            return
        said = self.answers.answer(self.part, self.part.choices[chosen].text)
        set_message(self.message, lab_sentence(said))
        self.changed.emit()

    def refresh(self) -> None:
        done = self.answers.is_done(self.part)
        self.check.setEnabled(not done)
        if done and not self.message.text():
            set_message(self.message, self.tr("Answered."))


class KernelPart(PartWidget):
    """Opens the kernel in the Workshop tab, and says what its last check found."""

    part: labs.KernelBlock

    def __init__(self, part: labs.KernelBlock, answers: Answers) -> None:
        super().__init__(part, answers)
        tip = self.tr("Show this kernel in the Workshop tab, and write it there.")
        text, show = self.tr("To the kernel"), partial(self.run_asked.emit, part)
        self._add(button(text, f"lab-{part.id}Open", tip, lambda: show()))

    def refresh(self) -> None:
        kept = self.answers.kernels.get(self.part.id)
        texts = {
            0: self.tr("☐ The last check found: {faults}."),
            1: self.tr("☑ Right. It could need less of the memory: see the verdict."),
            2: self.tr("☑ Right."),
        }
        text = self.tr("☐ Write it at the right, then press Check.")
        if kept is not None:
            text = texts[kept.points].format(faults=", ".join(kept.faults))
        set_message(self.message, text)


class TaskPart(PartWidget):
    """The goals, and how far the last attempt got. An attempt is any run that is made while the step is shown."""

    part: labs.TaskBlock

    def __init__(self, part: labs.TaskBlock, answers: Answers) -> None:
        super().__init__(part, answers)
        self.goals = label("", f"lab-{part.id}Goals")
        self._add(self.goals)

    def refresh(self) -> None:
        attempts = self.answers.attempts_of(self.part)
        best = next((each for each in reversed(attempts) if self.answers.meets(self.part, each)), None)
        shown = best or (attempts[-1] if attempts else None)
        lines, found = [], self.answers.goals(self.part, shown) if shown else {}
        for name, limit in self.part.goals.items():
            value, is_met = found.get(name, (None, False))
            met = "☑" if is_met else "☐"
            reached = "" if value is None else f"  ({_goal_value(name, value)})"
            goal = Sentence(labs.GOALS[name][1], {"value": _goal_value(name, limit)})
            lines.append(f"{met} {lab_sentence(goal)}{reached}")
        self.goals.setText("\n".join(lines))
        text = self.tr("Change the settings below, then press Train.")
        if best is not None:
            text = self.tr("Done, at attempt {n} of {all}.")
            text = text.format(n=attempts.index(best) + 1, all=len(attempts))
        elif attempts:
            text = self.tr("Attempt {n}: not yet. Change something and train again.").format(n=len(attempts))
        set_message(self.message, text)


def _goal_value(name: str, value: float) -> str:
    if name.startswith("test_accuracy"):
        return percent(value / 100, 1)
    return number(value, 3) if name.startswith(("test_loss", "seconds")) else count(value)


def part_widget(part: labs.Part, answers: Answers, drawer: CurveDrawer | None = None) -> QWidget | None:
    """The widget of a part, or None for one that only sets something."""
    if isinstance(part, labs.Text):
        return LabText(part.markdown, answers.lab.folder)
    if isinstance(part, labs.PredictBlock):
        return PredictPart(part, answers, drawer)
    kinds: dict[type, Any] = {labs.RunBlock: RunPart, labs.QuestionBlock: QuestionPart}
    kinds |= {labs.TaskBlock: TaskPart, labs.KernelBlock: KernelPart}
    return kinds[type(part)](part, answers) if type(part) in kinds else None
