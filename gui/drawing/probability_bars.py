"""Shows the probability of each class as a bar, of the most probable class in the accent color."""

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.text import probability
from gui.widgets.palette import mix

MAX_ROWS = 10
GAP = 14
Role = QPalette.ColorRole


class ProbabilityBars(QWidget):
    """Shows at most MAX_ROWS classes, the most probable ones: short names in two columns, long ones in one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("probabilityBars")
        self.setAccessibleName(self.tr("Probability of each class"))
        self.setToolTip(self.tr("The probability of each class; together 100 %."))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._classes: tuple[str, ...] = tuple(str(digit) for digit in range(10))
        self._probabilities: np.ndarray | None = None

    def show_probabilities(self, classes: tuple[str, ...], probabilities: np.ndarray | None) -> None:
        """`probabilities`: (classes,) in 0..1, or None for empty bars."""
        if classes != self._classes and classes:
            self._classes = classes
            self.updateGeometry()
        self._probabilities = probabilities
        self.setAccessibleDescription(
            "" if probabilities is None
            else ", ".join(f"{self._classes[i]}: {self._percent(i)} %" for i in self._order())
        )  # fmt: skip
        self.update()

    def _order(self) -> list[int]:
        """Indices of the classes that are shown, ascending."""
        if self._probabilities is None or len(self._classes) <= MAX_ROWS:
            return list(range(min(len(self._classes), MAX_ROWS)))
        return sorted(np.argsort(-self._probabilities, kind="stable")[:MAX_ROWS].tolist())

    def _percent(self, index: int) -> str:
        assert self._probabilities is not None
        return probability(float(self._probabilities[index]))

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
        names = min(max(map(self._width_of, self._classes)) + 8, round(width * 0.45))
        numbers = self._width_in_bold(probability(1.0)) + 8
        shares = None if self._probabilities is None else np.clip(self._probabilities, 0, 1).tolist()
        best = None if shares is None else shares.index(max(shares))
        plain, bold = self.font(), self.font()
        bold.setBold(True)
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
            painter.setFont(bold if class_index == best else plain)
            painter.setPen(text)
            painter.drawText(cell, left, self._short(class_index, int(names) - 4))
            if shares is not None:
                filled = QRectF(track.left(), track.top(), track.width() * shares[class_index], 8)
                painter.fillRect(filled, accent if class_index == best else low)
                painter.setPen(text if class_index == best else muted)
                painter.drawText(cell, right, self._percent(class_index))

    def _width_in_bold(self, text: str) -> int:
        """The width of the text in the font of the most probable class."""
        font = self.font()
        font.setBold(True)
        return QFontMetrics(font).horizontalAdvance(text)

    def _width_of(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text)

    def _short(self, index: int, width: int) -> str:
        name = self._classes[index]
        if len(name) == 1:
            return name
        return self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, width)
