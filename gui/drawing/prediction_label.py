"""The prediction label says what was read: plain text that begins with the class, which is drawn large."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QWidget

from gui.drawing.recognizer import Recognition

UNSURE = 0.2
"""A lead over the second class of less than this share is told as doubt."""


class PredictionLabel(QLabel):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("predictionLabel")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAccessibleName(self.tr("What the network reads"))
        self._name = self._rest = ""

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 60)

    def sizeHint(self) -> QSize:
        return QSize(140, 86)

    def say(self, text: str) -> None:
        """Words instead of a recognition."""
        self._name, self._rest = "", text
        self.setText(text)

    def show_recognition(self, recognition: Recognition) -> None:
        """The class, how sure the network is, and the next one where it is not."""
        assert recognition.probabilities is not None
        order = (-recognition.probabilities).argsort(kind="stable")
        best = float(recognition.probabilities[order[0]])
        self._name = recognition.classes[order[0]]
        digits = self.locale().toString(100 * best, "f", 1)
        self._rest = self.tr("{percent} %").format(percent=digits)
        if len(order) > 1 and best - float(recognition.probabilities[order[1]]) < UNSURE:
            other = recognition.classes[order[1]]
            self._rest = self.tr("{percent} % – or {other}?").format(percent=digits, other=other)
        self.setText(f"{self._name}  {self._rest}")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        palette = self.palette()
        area = QRectF(self.contentsRect())
        left = Qt.AlignmentFlag.AlignLeft
        if not self._name:
            painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
            painter.drawText(
                area, left | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, self._rest
            )
            return
        line = self.fontMetrics().height() + 4
        painter.setPen(palette.color(QPalette.ColorRole.WindowText))
        painter.setFont(self._fitting(area.width(), area.height() - line))
        top = QRectF(area.left(), area.top(), area.width(), area.height() - line)
        painter.drawText(top, left | Qt.AlignmentFlag.AlignVCenter, self._name)
        painter.setFont(self.font())
        bottom = QRectF(area.left(), area.bottom() - line, area.width(), line)
        painter.drawText(bottom, left | Qt.AlignmentFlag.AlignVCenter, self._rest)

    def _fitting(self, width: float, height: float) -> QFont:
        """As large as the name fits, but never larger than a digit should be."""
        font = QFont(self.font())
        font.setBold(True)
        font.setPixelSize(max(12, min(48, int(height * 0.85))))
        painted = self.fontMetrics().horizontalAdvance(self._name) / self.fontMetrics().height()
        while font.pixelSize() > 12 and painted * font.pixelSize() * 1.25 > width:
            font.setPixelSize(font.pixelSize() - 2)
        return font
