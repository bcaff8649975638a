"""The regression page: predicted against actual values, and over two inputs the surface true, learned and wrong."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QGridLayout, QWidget

from core.data import functions
from core.data.dataset import Dataset
from core.inference.model_file import Model
from core.inference.scores import MOST_TESTED, ValueScores, score_values
from core.inference.surface import SIDE, Surface, surface_of
from gui.background.task_runner import Task, TaskControl
from gui.results.export import write_picture, write_table
from gui.results.plots import Picture, Scatter, error_colours, value_colours
from gui.text import count, number
from gui.widgets.colours import Colours

MOST_DRAWN = 2000
EXPORTED = QSize(880, 720)


class RegressionPage(QWidget):
    """Shows the answers to the first points of the test split, which lie in no order, the same all through a run."""

    pause = 500  # milliseconds from one answer to the next
    at_epochs_only = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scatter = Scatter(
            self.tr("Predictions"), "scatterPlot",
            self.tr("Each dot is a test point, predicted against actual value; on the dashed line both are equal."),
        )  # fmt: skip
        self.scatter.name_axes(self.tr("actual"), self.tr("predicted"))
        self.true = Picture(
            self.tr("True"), "truePicture",
            self.tr("What is to be learnt, over both inputs; bright is high."), value_colours,
        )  # fmt: skip
        self.learned = Picture(
            self.tr("Learned"), "learnedPicture",
            self.tr("What the network gives at each place, in the colours of the true picture."), value_colours,
        )  # fmt: skip
        self.error = Picture(
            self.tr("Error"), "errorPicture",
            self.tr("Learned less true: blue where the network gives too little, orange where too much, and no colour "
                    "where it is right."),
            error_colours,
        )  # fmt: skip
        self._pictures = (self.true, self.learned, self.error)
        for picture in self._pictures[1:]:
            picture.setXLink(self.true)
            picture.setYLink(self.true)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(6)
        self._dataset: Dataset | None = None
        self._surface: Surface | None = None
        self._scores: ValueScores | None = None
        self._colours: Colours | None = None
        self._worst = 0.0

    def begin(self, dataset: Dataset) -> None:
        """Empty, for models of this data set."""
        self._dataset, self._scores = dataset, None
        self._surface = surface_of(dataset)
        self._arrange(self._surface is not None)
        self.scatter.clear_points()
        if self._surface is not None:
            self._show_truth(dataset, self._surface)

    def task(self, model: Model) -> Task:
        """The background task that yields what `show_answer` takes."""
        assert self._dataset
        split = self._dataset.test.first(MOST_TESTED)
        grid = None if self._surface is None else self._surface.grid

        def score(control: TaskControl) -> Generator[ValueScores]:
            yield score_values(model, split, grid, control.cancelled)

        return score

    def show_answer(self, scores: Any) -> str:
        """Show it, and say in words what it means."""
        assert isinstance(scores, ValueScores)
        assert self._dataset
        if not np.isfinite(scores.predicted).all():
            return self.tr("The network's numbers are no longer finite: lower the learning rate.")
        self._scores = scores
        actual = self._dataset.test.answers[: len(scores.predicted)]
        drawn = MOST_DRAWN // actual.shape[1]
        self.scatter.show_values(actual[:drawn].ravel(), scores.predicted[:drawn].ravel(), scores.r2)
        if self._surface is not None and scores.learned is not None:
            self._show_learned(self._surface, scores)
        off = float(np.sqrt(np.mean((scores.predicted - actual) ** 2, dtype=float)))
        text = self.tr("R² {r2} on {n} test points; the predictions are off by {off} (root mean square).")
        return text.format(r2=number(scores.r2), n=count(len(actual)), off=number(off, 3))

    @property
    def answered(self) -> bool:
        return self._scores is not None

    def export(self, folder: Path) -> list[Path]:
        """All predictions as a table, beside what they should be, and the plots as a picture; the files written."""
        assert self._dataset
        assert self._scores
        predicted = self._scores.predicted
        actual = self._dataset.test.answers[: len(predicted)]
        numbers = [f"_{k + 1}" for k in range(predicted.shape[1])] if predicted.shape[1] > 1 else [""]
        names = [f"{what}{k}" for what in ("actual", "predicted") for k in numbers]
        rows = np.hstack([actual, predicted]).tolist()
        return [
            write_table(folder / "predictions.csv", [names, *rows]),
            write_picture(folder / "regression.png", self._at_its_best(), self),
        ]

    def _at_its_best(self) -> QWidget:
        """The same as large as a picture should be, however small the window is."""
        assert self._dataset
        page = RegressionPage()
        page.begin(self._dataset)
        page.show_answer(self._scores)
        if self._colours:
            page.apply_theme(self._colours)
        page.resize(EXPORTED)
        return page

    def apply_theme(self, colours: Colours) -> None:
        self._colours = colours
        for plot in (self.scatter, *self._pictures):
            plot.apply_theme(colours)

    def _arrange(self, plane: bool) -> None:
        """Two by two, which gives each picture the most room; without a plane the scatter has all of it."""
        for picture in self._pictures:
            self._grid.removeWidget(picture)
            picture.setVisible(plane)
        self._grid.removeWidget(self.scatter)
        self._grid.addWidget(self.scatter, int(plane), int(plane))
        if plane:
            for picture, (row, column) in zip(self._pictures, ((0, 0), (0, 1), (1, 0)), strict=True):
                self._grid.addWidget(picture, row, column)
        for line in (0, 1):
            self._grid.setRowStretch(line, int(plane or line == 0))
            self._grid.setColumnStretch(line, int(plane or line == 0))

    def _show_truth(self, dataset: Dataset, surface: Surface) -> None:
        function = functions.is_function(dataset.name)
        names = (
            ("x₁", "x₂") if function else (self.tr("input 1, standardised"), self.tr("input 2, standardised"))
        )
        for picture in self._pictures:
            picture.frame(surface.low, surface.high)
            picture.name_axes(*names)
        truth = surface.values if surface.true is None else surface.true
        for picture in (self.true, self.learned):
            picture.scale(float(truth.min()), float(truth.max()))
        self._worst = 0.0
        if surface.true is None:
            self.true.show_points(surface.points, surface.values)
        else:
            self.true.show_grid(surface.true.reshape(SIDE, SIDE))

    def _show_learned(self, surface: Surface, scores: ValueScores) -> None:
        assert scores.learned is not None
        self.learned.show_grid(scores.learned.reshape(SIDE, SIDE))
        truth = surface.values if surface.true is None else surface.true
        learned = scores.predicted[: len(truth), 0] if surface.true is None else scores.learned
        error = learned - truth
        # The scale of the first answer stays, so that the error is seen to fade; a larger error widens it.
        self._worst = max(self._worst, float(np.abs(error).max()))
        self.error.scale(-self._worst, self._worst)
        if surface.true is None:
            self.error.show_points(surface.points, error)
        else:
            self.error.show_grid(error.reshape(SIDE, SIDE))
