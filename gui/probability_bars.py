"""Probability bars show how sure the network is of each class, the most probable one in the accent colour."""

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.palette_mix import mix

MOST_ROWS = 10
GAP = 14
Role = QPalette.ColorRole


class ProbabilityBars(QWidget):
    """Ten at most, the most probable ones. Short names stand in two columns, long ones in one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("probabilityBars")
        self.setAccessibleName(self.tr("Probability of each class"))
        self.setToolTip(self.tr("How sure the network is of each class; together they make 100 %."))
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
        """Places of the classes that are shown, in their own order."""
        if self._probabilities is None or len(self._classes) <= MOST_ROWS:
            return list(range(min(len(self._classes), MOST_ROWS)))
        return sorted(np.argsort(-self._probabilities, kind="stable")[:MOST_ROWS].tolist())

    def _percent(self, place: int) -> str:
        assert self._probabilities is not None
        return self.locale().toString(100 * float(self._probabilities[place]), "f", 1)

    @property
    def _columns(self) -> int:
        return 2 if max(map(len, self._classes)) <= 3 else 1

    @property
    def _rows(self) -> int:
        return -(-min(len(self._classes), MOST_ROWS) // self._columns)

    def _row_height(self) -> int:
        return self.fontMetrics().height() + (6 if self._columns == 2 else 1)

    def sizeHint(self) -> QSize:
        return QSize(240, self._rows * self._row_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(180, self._rows * self._row_height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = painter.fontMetrics()
        width = (self.width() - GAP * (self._columns - 1)) / self._columns
        names = min(max(metrics.horizontalAdvance(name) for name in self._classes) + 8, round(width * 0.45))
        numbers = metrics.horizontalAdvance("100.0") + 6
        best = None if self._probabilities is None else int(np.argmax(self._probabilities))
        for number, place in enumerate(self._order()):
            column, row = divmod(number, self._rows)
            cell = QRectF(column * (width + GAP), row * self._row_height(), width, self._row_height())
            self._paint_row(painter, cell, place, names, numbers, place == best)

    def _paint_row(
        self, painter: QPainter, cell: QRectF, place: int, names: float, numbers: float, best: bool
    ) -> None:
        palette = self.palette()
        font = painter.font()
        font.setBold(best)
        painter.setFont(font)
        painter.setPen(palette.color(Role.WindowText))
        name = painter.fontMetrics().elidedText(
            self._classes[place], Qt.TextElideMode.ElideRight, int(names) - 4
        )
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(cell, Qt.AlignmentFlag.AlignLeft | middle, name)
        track = QRectF(cell.left() + names, cell.center().y() - 4, cell.width() - names - numbers, 8)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mix(palette, Role.Window, Role.WindowText, 0.09))
        painter.drawRoundedRect(track, 3, 3)
        if self._probabilities is None:
            return
        share = min(max(float(self._probabilities[place]), 0.0), 1.0)
        if track.width() * share >= 0.5:
            colour = palette.color(Role.Accent) if best else mix(palette, Role.Window, Role.WindowText, 0.45)
            painter.setBrush(colour)
            bar = QRectF(track.left(), track.top(), track.width() * share, track.height())
            radius = min(3.0, bar.width() / 2)
            painter.drawRoundedRect(bar, radius, radius)
        painter.setPen(palette.color(Role.WindowText if best else Role.PlaceholderText))
        painter.drawText(cell, Qt.AlignmentFlag.AlignRight | middle, self._percent(place))
