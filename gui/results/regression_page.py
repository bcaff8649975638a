"""The results of a regression: predicted against actual values, and for two inputs the learned
surface.
"""

from collections.abc import Callable
from functools import partial
from itertools import permutations
from pathlib import Path

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QGridLayout, QWidget

from core.data import functions
from core.data.dataset import Dataset
from core.inference.model_file import Model
from core.inference.scores import (
    MAX_TESTED,
    Surface,
    ValueScores,
    score_values,
    surface_of,
    write_regression,
)
from gui.background.task_runner import TaskControl
from gui.results.plots import DiagonalPlot, HeatMap
from gui.text import count, number
from gui.widgets.pictures import write_picture

MAX_DRAWN = 2000
EXPORTED = QSize(880, 720)


class RegressionPage(QWidget):
    """Plots the predictions for the first points of the test split, which is in random order."""

    interval_milliseconds = 500  # between two computations
    only_at_epoch_ends = False

    def __init__(self) -> None:
        super().__init__()
        self.scatter = DiagonalPlot(
            self.tr("Predictions"),
            "scatterPlot",
            self.tr(
                "Each dot is a test point, predicted against actual value; on the dashed line both "
                "are equal."
            ),
            self._prediction,
        )
        self.scatter.name_axes(self.tr("actual"), self.tr("predicted"))
        self.true = HeatMap(
            self.tr("True"),
            "truePicture",
            self.tr("The function to learn, over both inputs; bright is high."),
        )
        self.learned = HeatMap(
            self.tr("Learned"),
            "learnedPicture",
            self.tr("The network's prediction at each point, in the colors of the true picture."),
        )
        self.error = HeatMap(
            self.tr("Error"),
            "errorPicture",
            self.tr(
                "Learned minus true: orange where the prediction is too low, blue where it is too "
                "high, and no color where it is right."
            ),
            diverging=True,
        )
        self._pictures = (self.true, self.learned, self.error)
        for picture, other in permutations(self._pictures, 2):
            # The same place in all pictures: they are compared.
            picture.pointed.connect(other.show_value)
        for picture in self._pictures[1:]:
            picture.setXLink(self.true)
            picture.setYLink(self.true)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(6)
        for place, plot in enumerate((*self._pictures, self.scatter)):
            self._grid.addWidget(plot, *divmod(place, 2))
        self._grid.setRowStretch(1, 1)
        self._grid.setColumnStretch(1, 1)
        self._dataset: Dataset | None = None
        self._surface: Surface | None = None
        self.scores: ValueScores | None = None
        self._largest_error = 0.0

    def set_dataset(self, dataset: Dataset) -> None:
        """Remove the scores, and prepare for models that are tested on this data set."""
        self._dataset = dataset
        self.scores = None
        self._surface = surface_of(dataset)
        has_surface = self._surface is not None
        for picture in self._pictures:
            picture.setVisible(has_surface)
        # Without a surface the scatter plot, in the second row and column, takes the whole page.
        self._grid.setRowStretch(0, int(has_surface))
        self._grid.setColumnStretch(0, int(has_surface))
        self.scatter.show_dots(np.empty((0, 2)), (0, 1), "")
        if self._surface is not None:
            self._show_truth(dataset, self._surface)

    def scoring(self, model: Model) -> Callable[[TaskControl], Callable[[], str]]:
        """A function that scores the model, and returns one that shows the scores."""
        assert self._dataset
        split = self._dataset.test.first(MAX_TESTED)
        grid = None if self._surface is None else self._surface.grid
        return lambda control: partial(
            self.show_scores, score_values(model, split, grid, control.check)
        )

    def show_scores(self, scores: ValueScores) -> str:
        """Show the scores, and return a summary in one sentence."""
        assert self._dataset
        if not np.isfinite(scores.predicted).all():
            return self.tr("The network's numbers are no longer finite: lower the learning rate.")
        self.scores = scores
        actual = self._dataset.test.targets[: len(scores.predicted)]
        # Each target of a point is a dot.
        drawn = MAX_DRAWN // actual.shape[1]
        points = np.column_stack([actual[:drawn].ravel(), scores.predicted[:drawn].ravel()])
        # By the actual values: predictions of a network at its start would move the axes.
        ends = float(points[:, 0].min()), float(points[:, 0].max())
        self.scatter.show_dots(points, ends, self.tr("R² {value}").format(value=number(scores.r2)))
        if self._surface is not None and scores.learned is not None:
            self._show_learned(self._surface, scores)
        # Summed in 64 bits: many squares in 32 bits lose digits.
        rms_error = float(np.sqrt(np.mean((scores.predicted - actual) ** 2, dtype=float)))
        text = self.tr(
            "R² {r2} on {n} test points; the predictions have a root mean square error of {error}.",
            None,
            len(actual),
        )
        return text.format(r2=number(scores.r2), n=count(len(actual)), error=number(rms_error, 3))

    def _prediction(self, actual: float, predicted: float, index: int) -> str:
        text = self.tr("{actual} predicted as {predicted}")
        return text.format(actual=number(actual, 3), predicted=number(predicted, 3))

    def export(self, folder: Path) -> list[Path]:
        """Write actual and predicted values as CSV and the plots as PNG; return the files."""
        assert self._dataset
        assert self.scores
        table = write_regression(folder, self._dataset, self.scores.predicted)
        page = RegressionPage()  # a copy in the size of the picture
        page.set_dataset(self._dataset)
        page.show_scores(self.scores)
        page.resize(EXPORTED)
        return [table, write_picture(folder / "regression.png", page, self)]

    def _show_truth(self, dataset: Dataset, surface: Surface) -> None:
        standardized = (self.tr("input 1, standardized"), self.tr("input 2, standardized"))
        names = ("x₁", "x₂") if functions.is_function(dataset.name) else standardized
        for picture in self._pictures:
            picture.set_surface(surface)
            picture.name_axes(*names)
        actual = surface.values if surface.true is None else surface.true
        for picture in (self.true, self.learned):
            picture.set_levels(float(actual.min()), float(actual.max()))
        self._largest_error = 0.0
        self.true.show_values(actual)

    def _show_learned(self, surface: Surface, scores: ValueScores) -> None:
        assert scores.learned is not None
        self.learned.show_values(scores.learned)
        actual = surface.values if surface.true is None else surface.true
        learned = scores.predicted[: len(actual), 0] if surface.true is None else scores.learned
        error = learned - actual
        # The scale never shrinks, so that the colors fade while the error falls.
        self._largest_error = max(self._largest_error, float(np.abs(error).max()))
        self.error.set_levels(-self._largest_error, self._largest_error)
        self.error.show_values(error)
