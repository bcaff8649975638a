"""The page of the band that shows how a number is read without cutting it: the line, the answers
for each of its columns, and what becomes of them.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QCoreApplication, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from core.data.class_names import DIGITS
from core.reading.line_reader import SeenLine
from core.reading.reader import REJECTED, Number
from gui.stage.colors import ink_colors, map_colors, values_image
from gui.stage.sheet import Sheet, SheetView, muted
from gui.text import probability
from gui.widgets.band import BandPage
from gui.widgets.theme import theme

_COLUMN, _ROW = 4, 7.5  # pixels of an answer's cell
_INK = slice(2, 22)  # the rows of the image in which the ink stands
_LABELS = 40  # before the cells
_BELOW = 16  # for what is read
_STEPS = 600  # width of what is said beside them


def _tr(text: str) -> str:
    return QCoreApplication.translate("NumberPage", text)


class NumberPage(BandPage):
    """Follows what is read while it is shown; it is closed where no number is read any more."""

    def __init__(self) -> None:
        title = _tr("How this number is read")
        super().__init__("numberPage", title)
        text = _tr("Nothing is cut: the same small network looks at every place of the line.")
        self.show_title(title, text)
        self.columns = SheetView("numberColumns", _tr("Answers for each column"))
        self.add_leaf(self.columns)

    def show_number(self, number: Number | None) -> None:
        """Show how this number was read; None: none was."""
        if number is not None and number.seen:
            self.columns.show_sheet(partial(_write, number.seen))
        elif self.isVisible():
            self.close_asked.emit()


def _write(seen: Sequence[SeenLine], sheet: Sheet) -> str:
    lines = []
    for line in seen:
        columns, rows = line.answers.shape
        height = 20 * _COLUMN / 2 + _ROW * rows + _BELOW
        size = QSizeF(_LABELS + _COLUMN * columns + 20, height)
        lines.append(sheet.picture(size, partial(_paint_line, line), _words(line)))
    steps = (
        _tr("For each column the network answers: a digit, another sign (?), or nothing (–)."),
        _tr("The framed answers are those of the best path from left to right."),
        _tr("Equal answers side by side are one digit, and “nothing” is left out."),
        _tr("Where a frame is pale, or another row has color too, it is unsure."),
    )
    texts = [muted(f"{number}  {text}") for number, text in enumerate(steps, 1)]
    return sheet.parts(*lines, sheet.text(_STEPS, *texts))


def _paint_line(seen: SeenLine, painter: QPainter) -> None:
    """The image of the line; below it the answers, a row for each, and what is read of them."""
    columns, rows = seen.answers.shape
    pixels = seen.pixels[_INK] / np.float32(255)
    tall = len(pixels) * _COLUMN / 2
    wide = columns * _COLUMN
    heat = QRectF(_LABELS, tall + 2, wide, _ROW * rows)
    painter.drawImage(QRectF(_LABELS, 0, wide, tall), values_image(pixels, 1.0, ink_colors()))
    painter.drawImage(heat, values_image(seen.answers.T, 1.0, map_colors()))
    font = theme().font()
    font.setPixelSize(11)
    painter.setFont(font)
    painter.setPen(QColor(theme().colors.muted))
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    for row in range(rows):
        end = _LABELS - (5 if row % 2 else 18)  # the rows are lower than a text
        place = QRectF(0, heat.top() + row * _ROW - 4, end, _ROW + 8)
        painter.drawText(place, right, _name(row, rows))
    font.setBold(True)
    font.setPixelSize(13)
    painter.setFont(font)
    for symbol in [digit.symbol for digit in seen.digits]:
        left = _LABELS + symbol.start * _COLUMN
        width = (symbol.end - symbol.start) * _COLUMN
        painter.setPen(QPen(QColor(theme().colors.accent), 1.5))
        painter.drawRect(QRectF(left, heat.top() + symbol.label * _ROW, width, _ROW))
        painter.setPen(QColor(theme().colors.text))
        place = QRectF(left + width / 2 - 20, heat.bottom(), 40, _BELOW)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, _name(symbol.label, rows))


def _name(label: int, rows: int) -> str:
    if label == rows - 1:
        return "–"
    return DIGITS[label] if label < len(DIGITS) else REJECTED


def _words(seen: SeenLine) -> str:
    """What was found in which columns."""
    text = _tr("{name}, {percent}: columns {first} to {last}")
    words = []
    for symbol in [digit.symbol for digit in seen.digits]:
        percent = probability(float(symbol.probabilities[symbol.label]))
        name = _name(symbol.label, seen.answers.shape[1])
        values = {"name": name, "percent": percent, "first": symbol.start + 1, "last": symbol.end}
        words.append(text.format(**values))
    return "\n".join(words)
