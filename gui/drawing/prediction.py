"""What the network sees of the drawing, what it reads, and the probability of each class."""

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from core.reading.reader import Reading
from gui.text import probability
from gui.widgets import make
from gui.widgets.answer_text import answer_text
from gui.widgets.basics import named, paint_border
from gui.widgets.theme import ink_image, mix, theme

# Pixels at a text size of 100 %: the image that the network sees; a digit that is read, and in presenter mode.
SEEN = 58
DIGIT = 96
PRESENTED_DIGIT = 160
Role = QPalette.ColorRole


class NetworkInputView(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        tip = self.tr("These 28 x 28 numbers, from 0 for paper to 1 for ink, are all that the network gets.")
        named(self, "seenImage", self.tr("What the network sees"), tip)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._pixels: np.ndarray | None = None

    def sizeHint(self) -> QSize:
        return QSize(theme().px(SEEN), theme().px(SEEN))

    def show_image(self, pixels: np.ndarray | None) -> None:
        """`pixels`: uint8 (28, 28), or None for an empty frame."""
        if pixels is None and self._pixels is None:
            return
        self._pixels = pixels
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        palette = self.palette()
        side = min(self.width(), self.height())
        painter.fillRect(QRect(0, 0, side, side), palette.color(QPalette.ColorRole.Base))
        if self._pixels is not None:
            painter.drawImage(QRect(1, 1, side - 2, side - 2), ink_image(self._pixels, palette))
        paint_border(painter, QRectF(0, 0, side, side), palette.color(QPalette.ColorRole.Mid))


class PredictionLabel(QLabel):
    """Paints the digit or number that is read. `sentence` and `details` are labels below it, which it fills.

    Its text is all of that together, for screen readers. Without a prediction it paints a question mark.
    """

    def __init__(self) -> None:
        super().__init__()
        named(self, "predictionLabel", self.tr("What the network reads"))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.prediction = ""  # the class or number that is shown; empty for a message
        self.sentence = make.label(name="sentenceLabel", role="title", wraps=False)
        self.details = make.label(name="answerDetails", role="muted")
        self._side = DIGIT
        self._asks = False

    def set_side(self, side: int) -> None:
        """The height of a digit in pixels."""
        if side != self._side:
            self._side = side
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(64), self._side + 4)

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def show_message(self, text: str) -> None:
        """Show a message instead of a prediction."""
        self._show("", "", text)

    def _show(self, prediction: str, sentence: str, details: str) -> None:
        self.prediction = prediction
        self._asks = bool(sentence) and not prediction
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        self.details.setText(details)
        self.hide_details()
        self.setText("  ".join(filter(None, (prediction, sentence, details))))
        self.update()

    def hide_details(self) -> None:
        """Leave the sentence all the room in presenter mode."""
        self.details.setHidden(theme().presenting and bool(self.sentence.text()))

    def show_recognition(self, reading: Reading) -> None:
        """Show what `answer_text` says of the reading."""
        assert reading.probabilities is not None
        shown = answer_text(
            reading.probabilities, reading.classes, rejected=reading.rejected, number=reading.number
        )
        self._show(shown.name, shown.sentence, shown.details)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill the height with the glyphs themselves, which are lower than their font."""
        text, role = (self.prediction, Role.WindowText) if self.prediction else ("?", Role.PlaceholderText)
        if not self.prediction and not self._asks:
            return
        font = QFont(self.font())
        font.setBold(True)
        font.setPixelSize(100)
        ink = QFontMetrics(font).tightBoundingRect(text)
        height = min(self.height() - 4, self._side)
        # Long names are as large as the width allows.
        scale = min(height / max(ink.height(), 70), (self.width() - 4) / max(ink.width(), 1))
        font.setPixelSize(max(12, int(100 * scale)))
        ink = QFontMetrics(font).tightBoundingRect(text)
        painter = QPainter(self)
        painter.setFont(font)
        painter.setPen(self.palette().color(role))
        painter.drawText(-ink.left() + 2, (self.height() - ink.height()) // 2 - ink.top(), text)


MAX_ROWS = 10


class ProbabilityBars(QWidget):
    """Shows at most MAX_ROWS classes in one column, in their order; of more classes the most probable ones."""

    def __init__(self) -> None:
        super().__init__()
        tip = self.tr("The probability of each class; together 100 %.")
        named(self, "probabilityBars", self.tr("Probability of each class"), tip)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        self._classes: tuple[str, ...] = tuple(str(digit) for digit in range(10))
        self._probabilities: np.ndarray | None = None
        self._is_answer = True

    def show_probabilities(
        self, classes: tuple[str, ...], probabilities: np.ndarray | None, *, is_answer: bool = True
    ) -> None:
        """`probabilities`: (classes,) in 0..1, or None for empty bars. is_answer: False draws all bars in gray."""
        if probabilities is None and self._probabilities is None and classes in ((), self._classes):
            return  # painting empty bars for each new snapshot of a training would cost it time
        self._is_answer = is_answer
        if classes != self._classes and classes:
            self._classes = classes
            self.updateGeometry()
        self._probabilities = probabilities
        shown = [] if probabilities is None else self._order()
        self.setAccessibleDescription(", ".join(f"{self._classes[i]}: {self._percent(i)} %" for i in shown))
        self.update()

    def _order(self) -> list[int]:
        """Indices of the classes that are shown, ascending."""
        if self._probabilities is None or len(self._classes) <= MAX_ROWS:
            return list(range(min(len(self._classes), MAX_ROWS)))
        return sorted(np.argsort(-self._probabilities, kind="stable")[:MAX_ROWS].tolist())

    def _percent(self, index: int) -> str:
        assert self._probabilities is not None
        return probability(float(self._probabilities[index])).removesuffix(" %")

    @property
    def _rows(self) -> int:
        return min(len(self._classes), MAX_ROWS)

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(90), self._rows * self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plain = self.font()
        bold = self.font()
        bold.setBold(True)
        metrics = self.fontMetrics()
        width = self.width()
        names = min(max(map(metrics.horizontalAdvance, self._classes)) + 8, round(width * 0.45))
        # In the font of the most probable class.
        numbers = QFontMetrics(bold).horizontalAdvance(probability(1.0).removesuffix(" %")) + 8
        shares = None if self._probabilities is None else np.clip(self._probabilities, 0, 1).tolist()
        best = shares.index(max(shares)) if shares is not None and self._is_answer else None
        palette = self.palette()
        text, muted, accent = (palette.color(r) for r in (Role.WindowText, Role.PlaceholderText, Role.Accent))
        empty, low = (mix(palette, Role.Base, Role.WindowText, share) for share in (0.1, 0.45))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        height = min(self.height() / self._rows, 2 * metrics.height())
        thick = min(round(height * 0.6), theme().px(12))
        for row, class_index in enumerate(self._order()):
            cell = QRectF(0, row * height, width, height)
            track = QRectF(names, round(cell.center().y() - thick / 2), width - names - numbers, thick)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(empty)
            painter.drawRoundedRect(track, thick / 2, thick / 2)
            painter.setFont(bold if class_index == best else plain)
            painter.setPen(text)
            name = self._classes[class_index]
            if len(name) > 1:
                name = metrics.elidedText(name, Qt.TextElideMode.ElideRight, int(names) - 4)
            painter.drawText(cell, left, name)
            if shares is not None:
                filled = QRectF(track.left(), track.top(), track.width() * shares[class_index], thick)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(accent if class_index == best else low)
                painter.drawRoundedRect(filled, thick / 2, thick / 2)
                painter.setPen(text if class_index == best else muted)
                painter.drawText(cell, right, self._percent(class_index))
