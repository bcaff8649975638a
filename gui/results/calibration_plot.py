"""The calibration curve: the share of right answers by the confidence of the answers."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.inference.scores import ClassScores
from gui.results.plots import ValuePlot
from gui.text import count, percent
from gui.widgets.plots.plot import set_marks
from gui.widgets.plots.pyqtgraph_loader import pg


class CalibrationPlot(ValuePlot):
    """A point for each interval of confidence, and the diagonal on which confidence and share are equal."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("Calibration"), "calibrationPlot",
            self.tr("How often the network is right, by how certain it is: on the dashed line it is exactly as often "
                    "right as it says."),
            parent,
        )  # fmt: skip
        self.name_axes(self.tr("confidence, %"), self.tr("right, %"))
        self.show_horizontal_grid()
        self._diagonal = self.plot([0, 100], [0, 100])
        self._curve = self.plot()
        self.points = np.empty((0, 2))
        self._images = np.empty(0)
        self.pointed.connect(self.show_value)
        self.setRange(xRange=(0, 100), yRange=(0, 100), padding=0.03)
        self.recolor()

    def show_scores(self, scores: ClassScores) -> None:
        confidence, right, self._images = scores.calibration()
        self.points = 100 * np.column_stack([confidence, right])
        self._curve.setData(self.points[:, 0], self.points[:, 1])
        self.set_title(
            self.tr("Calibration (expected error {error})").format(error=percent(scores.calibration_error()))
        )

    def value_text(self, x: float, y: float) -> str:
        """The nearest point: confidence, share and number of images."""
        if not len(self.points):
            return ""
        index = self._nearest(self.points, x, y)
        confidence, right = self.points[index] / 100
        return self.tr("{n} images, {confidence} certain, {right} right").format(
            n=count(int(self._images[index])), confidence=percent(confidence), right=percent(right)
        )

    def recolor(self) -> None:
        super().recolor()
        colors = self.colors
        self._diagonal.setPen(pg.mkPen(colors.muted, width=1, style=Qt.PenStyle.DashLine))
        self._curve.setPen(pg.mkPen(colors.train, width=2))
        set_marks(self._curve, "o", 7, colors.train, colors.train)
