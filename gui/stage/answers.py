"""The answers at the right end of the stage: a bar for each class, and the answer itself in large
type.
"""

from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QObject, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from core.inspection.stage_content import StageContent
from core.reading.reader import Reading
from gui.stage.colors import stage_colors
from gui.stage.layout import Answers, StageLayout
from gui.text import number, short_probability, translator, with_sign
from gui.widgets.answer_text import answer_text
from gui.widgets.shapes import paint_bar
from gui.widgets.theme import theme

_tr = translator("Stage")

_LEAST_BAR = 0.005  # probability from which on another class than the answer has a bar
_DIGIT = 112  # pixels at the small size
_VALUE = 56


@dataclass(frozen=True, slots=True)
class Answer:
    """What is read. `name`: in large type; empty for a question mark. `sentence`, `details`: below
    it.

    `probabilities`: of the rows; None without an input. `row`: that of the answer; -1 for none.
    `errors`: of the rows, shown in place of the probabilities: what is too much, and too little.
    `is_value`: the name is the number of a regression.
    """

    name: str = ""
    sentence: str = ""
    details: str = ""
    # An array has no single truth value: comparing two answers would raise.
    probabilities: np.ndarray | None = field(default=None, compare=False)
    row: int = -1
    is_value: bool = False
    is_grey: bool = True
    errors: np.ndarray | None = field(default=None, compare=False)

    @property
    def text(self) -> str:
        """All of it, for a screen reader."""
        return ", ".join(part for part in (self.name, self.sentence, self.details) if part)


def answer_of(content: StageContent, reading: Reading | None, truth: float | None) -> Answer:
    """The answer of the content. `truth`: of a regression."""
    column = content.columns[-1]
    answers = content.answers
    if content.input is None or answers is None:
        is_drawn = len(content.network.input_shape) == 3
        return Answer(sentence=_tr("no drawing yet") if is_drawn else "")
    if not content.classes:
        below = "" if truth is None else _tr("true: {value}").format(value=number(truth, 4))
        return Answer(number(float(answers[0]), 4), "", below, is_value=True, is_grey=False)
    rejected = reading is not None and reading.rejected
    several = reading.number if reading is not None else None
    words = answer_text(answers, content.classes, rejected=rejected, number=several)
    if len(column.shown) and max(column.shown) >= len(answers):
        return Answer(words.name, words.sentence, words.details, is_grey=not words.name)
    shares = answers[list(column.shown)]
    is_answer = words.sureness in ("sure", "likely", "not sure")
    row = int(shares.argmax()) if is_answer else -1
    return Answer(words.name, words.sentence, words.details, shares, row, is_grey=not words.name)


class AnswerPainter(QObject):
    """Paints an answer. `changed`: it has to be painted again."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.answer = Answer()

    def show(self, answer: Answer) -> None:
        if answer is not self.answer:
            self.answer = answer
            self.changed.emit()

    def _shown(self) -> np.ndarray:
        """The lengths of the bars, as shares."""
        shares = self.answer.errors
        if shares is None:
            shares = self.answer.probabilities
        return np.zeros(0) if shares is None else np.clip(np.abs(shares), 0, 1)

    def paint(self, painter: QPainter, layout: StageLayout, content: StageContent) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if content.classes:
            self._paint_bars(painter, layout, content)
        self._paint_answer(painter, layout)

    def _paint_bars(self, painter: QPainter, layout: StageLayout, content: StageContent) -> None:
        places = layout.answers
        shown = self._shown()
        row_of_answer = self.answer.row
        plain = _fitting(theme().font(), places)
        bold = _fitting(theme().font(bold=True), places)
        text = QColor(theme().colors.text)
        muted = QColor(theme().colors.muted)
        for row, class_index in enumerate(content.columns[-1].shown[: len(places.rows)]):
            bar = QRectF(places.bar_at(row))
            error = None if self.answer.errors is None else float(self.answer.errors[row])
            wins = row == row_of_answer
            painter.setFont(bold if wins else plain)
            painter.setPen(text)
            line = painter.fontMetrics().height()
            name_area = QRectF(
                places.left + 8, places.rows[row] - line / 2, places.name_width + 4, line
            )
            name = str(class_index)
            if class_index < len(content.classes):
                name = content.classes[class_index]
            room = places.name_width + 4
            name = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, room)
            painter.drawText(name_area, Qt.AlignmentFlag.AlignVCenter, name)
            share = float(shown[row]) if row < len(shown) else 0.0
            is_empty = not wins and share < _LEAST_BAR and error is None
            if not is_empty:
                # Below its height a bar with round ends would have another form.
                least = bar.height() if error is None else 2.0
                share = max(share, least / bar.width())
            paint_bar(painter, bar, 0.0 if is_empty else share, _bar_color(wins, error))
            if is_empty:
                continue
            if not places.has_percent:
                continue
            if error is None:
                assert self.answer.probabilities is not None
                percent = short_probability(float(self.answer.probabilities[row]))
            else:
                percent = with_sign(error)
            painter.setPen(text if wins else muted)
            percent_area = QRectF(bar.right() + 8, name_area.top(), 90 * theme().scale, line)
            painter.drawText(percent_area, Qt.AlignmentFlag.AlignVCenter, percent)

    def _paint_answer(self, painter: QPainter, layout: StageLayout) -> None:
        """The digit, or a question mark, and its sentence below, at the top of the column."""
        area = layout.answer
        answer = self.answer
        side = round((_VALUE if answer.is_value else _DIGIT) * min(layout.scale, 1.6))
        font = QFont(theme().font(bold=True))
        font.setBold(True)
        font.setPixelSize(side)
        name = answer.name or "?"
        wide = QFontMetrics(font).horizontalAdvance(name)
        if wide > area.width():
            font.setPixelSize(max(round(side * area.width() / wide), 12))
        metrics = QFontMetrics(font)
        # Centered by its ink: a font's own height has room for letters with tails.
        ink = metrics.tightBoundingRect(name)
        painter.setFont(font)
        painter.setPen(stage_colors().edge if answer.is_grey else QColor(theme().colors.text))
        height = min(round(side * 0.73), ink.height() + round(side * 0.2))
        middle = layout.top + round(side * 0.34)
        painter.drawText(
            round(area.center().x() - ink.width() / 2 - ink.left()),
            round(middle - ink.height() / 2 - ink.top()),
            name,
        )
        below = QRect(
            area.left() - 12,
            middle + height // 2 + round(side * 0.16),
            area.width() + 24,
            area.height(),
        )
        self._paint_words(painter, below)

    def _paint_words(self, painter: QPainter, area: QRect) -> None:
        answer = self.answer
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
        colors = theme().colors
        is_title = bool(answer.name) or answer.row >= 0 or answer.probabilities is not None
        title = theme().title_font() if is_title else theme().font()
        painter.setFont(title)
        painter.setPen(colors.text if is_title else colors.muted)
        first, space, last = answer.sentence.rpartition(" ")
        # No word stands alone below.
        sentence = f"{first}\N{NO-BREAK SPACE}{last}" if space else last
        if painter.fontMetrics().horizontalAdvance(sentence.rpartition(" ")[2]) > area.width():
            sentence = answer.sentence
        used = painter.boundingRect(area, flags, sentence)
        painter.drawText(area, flags, sentence)
        if answer.details and not (answer.row >= 0 and answer.name and not answer.is_value):
            painter.setFont(theme().font())
            painter.setPen(colors.muted)
            top = used.bottom() + 6 if answer.sentence else area.top()
            painter.drawText(
                QRect(area.left(), top, area.width(), area.height()), flags, answer.details
            )


def _bar_color(wins: bool, error: float | None) -> QColor:
    if error is not None:
        colors = stage_colors(errors=True)
        return colors.positive if error > 0 else colors.negative
    return QColor(theme().colors.accent) if wins else stage_colors().mark


def _fitting(font: QFont, places: Answers) -> QFont:
    """The font, smaller where its lines are higher than the rows of the answers are apart."""
    rows = places.rows
    if len(rows) > 1:
        height = QFontMetrics(font).height()
        apart = rows[1] - rows[0]
        if height > apart:
            font.setPointSizeF(max(font.pointSizeF() * apart / height, 6))
    return font
