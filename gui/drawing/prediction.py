"""What the network sees of the drawing, what it reads, and the probability of each class."""

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from core.reading.reader import Reading, verdict
from gui.text import probability
from gui.widgets.basics import named, paint_border
from gui.widgets.colors import ink_image, mix

SCALE = 3


class NetworkInputView(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        tip = self.tr("These 28 x 28 numbers, from 0 for paper to 1 for ink, are all that the network gets.")
        named(self, "seenImage", self.tr("What the network sees"), tip)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._pixels: np.ndarray | None = None

    def sizeHint(self) -> QSize:
        return QSize(28 * SCALE + 2, 28 * SCALE + 2)

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
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "predictionLabel", self.tr("What the network reads"))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.prediction = ""  # the class or number that is shown; empty for a message
        self._details = ""

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 60)

    def sizeHint(self) -> QSize:
        return QSize(140, 86)

    def show_message(self, text: str) -> None:
        """Show a message instead of a prediction."""
        self.prediction, self._details = "", text
        self.setText(text)

    def show_recognition(self, reading: Reading) -> None:
        """Show the most probable class with its probability; and the second one where the answer is not sure.

        Of a number show the digits, and the probability that all are right.
        """
        assert reading.probabilities is not None
        sureness = verdict(reading.probabilities, rejected=reading.rejected)
        if sureness == "no idea":
            self.show_message(self.tr("No idea yet: all answers are about equally likely."))
        elif reading.number is not None:
            self.prediction = "  ".join(reading.number.texts(reading.classes))
            percent = probability(reading.number.confidence)
            self._details = self.tr("{percent} that all digits are right").format(percent=percent)
            if reading.number.rejected:
                self._details = self.tr("? is no digit")
            self.setText(f"{self.prediction}  {self._details}")
        else:
            order = (-reading.probabilities).argsort(kind="stable")
            name = reading.classes[order[0]]
            if sureness == "no digit":
                text = self.tr("This is no digit. The most similar one is {name}.")
                self.show_message(text.format(name=name))
                return
            self.prediction, self._details = name, probability(float(reading.probabilities[order[0]]))
            if sureness == "not sure":
                text = self.tr("{percent} – not sure: {name} or {other}?")
                other = reading.classes[order[1]]
                self._details = text.format(percent=self._details, name=name, other=other)
            self.setText(f"{self.prediction}  {self._details}")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        palette = self.palette()
        area = QRectF(self.contentsRect())
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if not self.prediction:
            painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
            painter.drawText(area, left | Qt.TextFlag.TextWordWrap, self._details)
            return
        line = self.fontMetrics().height() + 4
        painter.setPen(palette.color(QPalette.ColorRole.WindowText))
        # Bold and as large as fits, 12 to 48 pixels.
        font, metrics = QFont(self.font()), self.fontMetrics()
        font.setBold(True)
        painted = metrics.horizontalAdvance(self.prediction) / metrics.height()
        height = min(int((area.height() - line) * 0.85), int(area.width() / max(painted * 1.25, 1e-9)))
        font.setPixelSize(max(12, min(48, height)))
        painter.setFont(font)
        painter.drawText(area.adjusted(0, 0, 0, -line), left, self.prediction)
        painter.setFont(self.font())
        area.setTop(area.bottom() - line)
        painter.drawText(area, left, self._details)


MAX_ROWS = 10
GAP = 14
Role = QPalette.ColorRole


class ProbabilityBars(QWidget):
    """Shows at most MAX_ROWS classes, the most probable ones: short names in two columns, long ones in one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        tip = self.tr("The probability of each class; together 100 %.")
        named(self, "probabilityBars", self.tr("Probability of each class"), tip)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
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
    def _columns(self) -> int:
        return 2 if max(map(len, self._classes)) <= 3 else 1

    @property
    def _rows(self) -> int:
        return -(-min(len(self._classes), MAX_ROWS) // self._columns)

    def _row_height(self) -> int:
        return self.fontMetrics().height() + (6 if self._columns == 2 else 1)

    def sizeHint(self) -> QSize:
        return QSize(240, self._rows * self._row_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(180, self._rows * self._row_height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = (self.width() - GAP * (self._columns - 1)) / self._columns
        plain, bold = self.font(), self.font()
        bold.setBold(True)
        metrics = self.fontMetrics()
        names = min(max(map(metrics.horizontalAdvance, self._classes)) + 8, round(width * 0.45))
        # In the font of the most probable class.
        numbers = QFontMetrics(bold).horizontalAdvance(probability(1.0).removesuffix(" %")) + 8
        shares = None if self._probabilities is None else np.clip(self._probabilities, 0, 1).tolist()
        best = shares.index(max(shares)) if shares is not None and self._is_answer else None
        palette = self.palette()
        text, muted, accent = (palette.color(r) for r in (Role.WindowText, Role.PlaceholderText, Role.Accent))
        empty, low = (mix(palette, Role.Window, Role.WindowText, share) for share in (0.09, 0.45))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        height = self._row_height()
        for number, class_index in enumerate(self._order()):
            column, row = divmod(number, self._rows)
            cell = QRectF(column * (width + GAP), row * height, width, height)
            track = QRectF(cell.left() + names, cell.center().y() - 4, width - names - numbers, 8)
            painter.fillRect(track, empty)
            paint_border(painter, track, palette.color(Role.Mid))
            painter.setFont(bold if class_index == best else plain)
            painter.setPen(text)
            name = self._classes[class_index]
            if len(name) > 1:
                name = metrics.elidedText(name, Qt.TextElideMode.ElideRight, int(names) - 4)
            painter.drawText(cell, left, name)
            if shares is not None:
                filled = QRectF(track.left(), track.top(), track.width() * shares[class_index], 8)
                painter.fillRect(filled, accent if class_index == best else low)
                painter.setPen(text if class_index == best else muted)
                painter.drawText(cell, right, self._percent(class_index))
