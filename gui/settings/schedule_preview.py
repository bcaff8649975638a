"""The learning rate of each epoch of a run, drawn before the run."""

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.training.run_settings import RunSettings
from core.training.schedules import learning_rate
from gui.text import number
from gui.widgets.colors import colors_of

HEIGHT = 40  # pixels
_MARGIN = 3  # pixels
_MAX_POINTS = 400


class SchedulePreview(QWidget):
    """A line from the first epoch to the last, on a linear axis from 0. The tooltip names the rate at the pointer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("schedulePreview")
        self.setAccessibleName(self.tr("Learning rate of each epoch"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.epochs = np.empty(0, int)
        self.rates = np.empty(0)

    def sizeHint(self) -> QSize:
        return QSize(160, HEIGHT)

    def show_schedule(self, settings: RunSettings | None) -> None:
        """Draw the schedule of these settings; nothing for None."""
        self.epochs, self.rates = np.empty(0, int), np.empty(0)
        text = ""
        if settings is not None:
            points = min(settings.epochs, _MAX_POINTS)
            self.epochs = np.unique(np.linspace(0, settings.epochs - 1, points).round().astype(int))
            self.rates = np.array([learning_rate(settings, int(epoch)) for epoch in self.epochs])
            text = self.tr("{first} in epoch 1, {last} in epoch {epochs}").format(
                first=number(self.rates[0], 3), last=number(self.rates[-1], 3), epochs=settings.epochs
            )
        self.setAccessibleDescription(text)
        self.setToolTip(text)
        self.update()

    def rate_at(self, x: float) -> str:
        """The epoch and its rate at `x` pixels from the left edge."""
        fraction = (x - _MARGIN) / max(self.width() - 2 * _MARGIN, 1)
        index = round(min(max(fraction, 0), 1) * (len(self.epochs) - 1))
        return self.tr("Epoch {epoch}: learning rate {rate}").format(
            epoch=int(self.epochs[index]) + 1, rate=number(self.rates[index], 3)
        )

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and len(self.rates):
            text = f"{self.rate_at(event.pos().x())}\n{self.toolTip()}"
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not len(self.rates):
            return
        colors = colors_of(self.palette())
        width, height = self.width() - 2 * _MARGIN, self.height() - 2 * _MARGIN
        count = len(self.rates)
        across = np.linspace(0, 1, count) if count > 1 else np.array([0.0, 1.0])
        up = np.resize(self.rates, len(across)) / self.rates.max()
        line = QPolygonF(
            [
                QPointF(_MARGIN + x * width, _MARGIN + (1 - y) * height)
                for x, y in zip(across, up, strict=True)
            ]
        )
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colors.line), 1))
            painter.drawLine(
                _MARGIN, self.height() - _MARGIN, self.width() - _MARGIN, self.height() - _MARGIN
            )
            color = colors.train if self.isEnabled() else colors.muted
            painter.setPen(QPen(QColor(color), 2))
            painter.drawPolyline(line)
