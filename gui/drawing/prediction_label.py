"""Shows the predicted class in large letters, and its probability."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QWidget

from core.inference.scores import SURE
from gui.drawing.recognizer import Recognition
from gui.text import probability


class PredictionLabel(QLabel):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("predictionLabel")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAccessibleName(self.tr("What the network reads"))
        self._name = self._details = ""

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 60)

    def sizeHint(self) -> QSize:
        return QSize(140, 86)

    def show_message(self, text: str) -> None:
        """Show a message instead of a prediction."""
        self._name, self._details = "", text
        self.setText(text)

    @property
    def prediction(self) -> str:
        """The class or number that is shown; empty for a message."""
        return self._name

    def show_recognition(self, recognition: Recognition) -> None:
        """Show the most probable class with its probability; and the second one if it is less than SURE.

        Of a number show the digits, and the probability that all are right.
        """
        if recognition.number is not None:
            self._name = "  ".join(recognition.number.texts(recognition.classes))
            percent = probability(recognition.number.confidence)
            self._details = self.tr("{percent} % that all digits are right").format(percent=percent)
            if recognition.number.refused:
                self._details = self.tr("? is no digit")
            self.setText(f"{self._name}  {self._details}")
            return
        assert recognition.probabilities is not None
        order = (-recognition.probabilities).argsort(kind="stable")
        best = float(recognition.probabilities[order[0]])
        name = recognition.classes[order[0]]
        if recognition.refused:
            self.show_message(self.tr("This is no digit. The most similar one is {name}.").format(name=name))
            return
        self._name = name
        digits = probability(best)
        self._details = self.tr("{percent} %").format(percent=digits)
        if len(order) > 1 and best < SURE:
            other = recognition.classes[order[1]]
            self._details = self.tr("{percent} % – not sure: {name} or {other}?").format(
                percent=digits, name=name, other=other
            )
        self.setText(f"{self._name}  {self._details}")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        palette = self.palette()
        area = QRectF(self.contentsRect())
        left = Qt.AlignmentFlag.AlignLeft
        if not self._name:
            painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
            painter.drawText(
                area, left | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, self._details
            )
            return
        line = self.fontMetrics().height() + 4
        painter.setPen(palette.color(QPalette.ColorRole.WindowText))
        painter.setFont(self._fitting(area.width(), area.height() - line))
        top = QRectF(area.left(), area.top(), area.width(), area.height() - line)
        painter.drawText(top, left | Qt.AlignmentFlag.AlignVCenter, self._name)
        painter.setFont(self.font())
        bottom = QRectF(area.left(), area.bottom() - line, area.width(), line)
        painter.drawText(bottom, left | Qt.AlignmentFlag.AlignVCenter, self._details)

    def _fitting(self, width: float, height: float) -> QFont:
        """A bold font in which the name fits, of 12 to 48 pixels."""
        font = QFont(self.font())
        font.setBold(True)
        font.setPixelSize(max(12, min(48, int(height * 0.85))))
        painted = self.fontMetrics().horizontalAdvance(self._name) / self.fontMetrics().height()
        while font.pixelSize() > 12 and painted * font.pixelSize() * 1.25 > width:
            font.setPixelSize(font.pixelSize() - 2)
        return font
