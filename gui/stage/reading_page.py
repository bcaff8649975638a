"""The page of the band that shows how a drawing is read: the steps from a picture to the pixels of
the network; of a number its line, the answers for each of its columns, and what becomes of them.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from core.data.class_names import DIGITS
from core.drawing.picture import TILE, with_pixels
from core.reading.line_reader import SeenLine
from core.reading.reader import REJECTED, Reading
from gui.stage.colors import ink_colors, map_colors, values_image
from gui.stage.sheet import Sheet, SheetView, muted
from gui.text import probability, translator
from gui.widgets.band import BandPage
from gui.widgets.theme import theme

_tr = translator("ReadingPage")

_COLUMN, _ROW = 4, 7.5  # pixels of an answer's cell
_INK = slice(2, 22)  # the rows of the image in which the ink stands
_LABELS = 40  # before the cells
_BELOW = 16  # for what is read
_STEP = 132  # width of a step of a picture
_GAP = 10  # between two of them
_TEXTS = 600  # width of what is said beside them


class ReadingPage(BandPage):
    """Follows what is read while it is shown; it is closed where there is nothing to show of it any
    more.
    """

    def __init__(self) -> None:
        title = _tr("How this is read")
        super().__init__("readingPage", title)
        self.show_title(title, _tr("From ink to the pixels that the network gets."))
        self.steps = SheetView("readingSteps", _tr("Steps of reading"))
        self.add_leaf(self.steps)

    def show_reading(self, reading: Reading, steps: np.ndarray | None) -> None:
        """Show how this was read. steps: of its picture, see `core.drawing.picture.picture_steps`;
        None: it is drawn.
        """
        seen = () if reading.number is None else reading.number.seen
        if steps is not None or seen:
            self.steps.show_sheet(partial(_write, steps, reading.image, seen))
        elif self.isVisible():
            self.close_asked.emit()


def _write(
    steps: np.ndarray | None, image: np.ndarray | None, seen: Sequence[SeenLine], sheet: Sheet
) -> str:
    """`steps` and the `image` that they lead to, and below them the lines."""
    rows = []
    if steps is not None:
        names = (_tr("picture"), _tr("ink"), _tr("part with ink"), _tr("28×28 pixels"))
        size = QSizeF(len(names) * _STEP, _STEP - _GAP + _BELOW)
        paint = partial(_paint_steps, with_pixels(steps, image), names)
        texts = (
            _tr(
                "The picture in gray. Of colors it is the part in which ink and paper differ most."
            ),
            _tr("Ink is what differs from the paper. Shadows, lines and frames are taken away."),
            _tr("Only the part with ink counts, wherever it stands in the picture."),
            _tr("A digit is scaled to 20 pixels, and its center of mass is put in the middle."),
        )
        picture = sheet.picture(size, paint, " \N{RIGHTWARDS ARROW} ".join(names))
        rows.append(sheet.parts(picture, _numbered(sheet, texts)))
    if seen:
        lines = []
        for line in seen:
            columns, labels = line.answers.shape
            height = 20 * _COLUMN / 2 + _ROW * labels + _BELOW
            size = QSizeF(_LABELS + _COLUMN * columns + 20, height)
            lines.append(sheet.picture(size, partial(_paint_line, line), _words(line)))
        explained = (
            _tr("No digit is cut out: a small network looks at every place of the line."),
            _tr("For each column it answers: a digit, another sign (?), or nothing (–)."),
            _tr("The framed answers are those of the best path from left to right."),
            _tr("Equal answers side by side are one digit, and “nothing” is left out."),
            _tr("Where a frame is pale, or another row has color too, it is unsure."),
        )
        rows.append(sheet.parts(*lines, _numbered(sheet, explained)))
    return "".join(rows)


def _numbered(sheet: Sheet, texts: Sequence[str]) -> str:
    lines = [muted(f"{number}  {text}") for number, text in enumerate(texts, 1)]
    return sheet.text(_TEXTS, *lines)


def _paint_steps(steps: np.ndarray, names: Sequence[str], painter: QPainter) -> None:
    """The steps side by side, each above its name."""
    height, width = steps.shape
    picture = QImage(steps.tobytes(), width, height, width, QImage.Format.Format_Grayscale8)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.setFont(theme().font())
    painter.setPen(theme().colors.muted)
    for index, name in enumerate(names):
        place = QRectF(index * _STEP, 0, _STEP - _GAP, _STEP - _GAP)
        painter.drawImage(place, picture, QRectF(index * TILE, 0, TILE, TILE))
        place = QRectF(place.left(), place.bottom(), place.width(), _BELOW)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, name)


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
    painter.setPen(theme().colors.muted)
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    for row in range(rows):
        end = _LABELS - (5 if row % 2 else 18)  # the rows are lower than a text
        place = QRectF(0, heat.top() + row * _ROW - 4, end, _ROW + 8)
        painter.drawText(place, right, _name(row, rows))
    font.setBold(True)
    font.setPixelSize(13)
    painter.setFont(font)
    for digit in seen.digits:
        symbol = digit.symbol
        left = _LABELS + symbol.start * _COLUMN
        width = (symbol.end - symbol.start) * _COLUMN
        painter.setPen(QPen(QColor(theme().colors.accent), 1.5))
        painter.drawRect(QRectF(left, heat.top() + symbol.label * _ROW, width, _ROW))
        painter.setPen(theme().colors.text)
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
    for digit in seen.digits:
        symbol = digit.symbol
        percent = probability(float(symbol.probabilities[symbol.label]))
        name = _name(symbol.label, seen.answers.shape[1])
        words.append(
            text.format(name=name, percent=percent, first=symbol.start + 1, last=symbol.end)
        )
    return "\n".join(words)
