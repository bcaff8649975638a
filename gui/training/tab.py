"""The training tab: loss and accuracy as they come, and a table of epochs."""

import time
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from core.files.atomic import atomic_path
from core.inference.run_context import RunContext
from core.training.records import EpochDone, Record, StepsDone
from gui.training.epoch_table import EpochModel, EpochTable
from gui.training.live_plot import LivePlot
from gui.widgets.basics import named
from gui.widgets.colours import Colours
from gui.widgets.paint_to_file import paint_to_file
from gui.widgets.tab import Tab

# A redraw of both plots takes about 7 ms from the processors that train.
REDRAW_SECONDS = 0.1


class TrainingTab(Tab):
    """Is given records as they are drained from the queue, and redraws at a pace that leaves room to train."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.loss_plot = LivePlot(self.tr("loss"), "lossPlot")
        self.accuracy_plot = LivePlot(self.tr("accuracy, %"), "accuracyPlot", share=True)
        self.accuracy_plot.setXLink(self.loss_plot)
        self.epochs = EpochModel(self)
        self.table = EpochTable(self.epochs)
        self._until = 0.0
        self._changed = False
        self._drawn_at = 0.0
        self.splitter = named(QSplitter(Qt.Orientation.Vertical), "plotSplitter")
        for widget in (self.loss_plot, self.accuracy_plot, self.table):
            self.splitter.addWidget(widget)
        self.splitter.setChildrenCollapsible(False)
        self.loss_plot.setMinimumHeight(110)
        self.accuracy_plot.setMinimumHeight(110)
        self.table.setMinimumHeight(72)
        self.log_action = QAction(self.tr("L&ogarithmic loss"), self)
        self.log_action.setCheckable(True)
        self.log_action.setShortcut("Ctrl+L")
        self.log_action.toggled.connect(self._set_logarithmic)
        self.reset_layout()
        for plot in (self.loss_plot, self.accuracy_plot):
            plot.zoomed.connect(lambda: self._follow(False))
            plot.fitted.connect(self.fit)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.splitter)

    def reset_layout(self) -> None:
        self.splitter.setSizes([230, 230, 170])

    def title(self) -> str:
        return self.tr("Training")

    def start_run(self, context: RunContext) -> None:
        """Begin new curves and a new table."""
        kind = context.dataset.kind
        classes = kind == "classes"
        if kind != self.epochs.kind:
            for plot in (self.loss_plot, self.accuracy_plot):
                plot.forget()
        self._name_score(classes)
        for plot in (self.loss_plot, self.accuracy_plot):
            plot.begin()
        self._until = 0.0
        self.epochs.begin(kind)

    def expect(self, kind: str) -> None:
        """Data of this kind were chosen: as long as no curve is shown, the lower plot has their score's name."""
        if not len(self.loss_plot.train):
            self._name_score(kind == "classes")

    def _name_score(self, classes: bool) -> None:
        self.accuracy_plot.name_quantity(self.tr("accuracy, %") if classes else self.tr("R²"), classes)

    def end_run(self) -> None:
        """Draw the last records."""
        self._draw()

    def add_records(self, records: list[Record]) -> None:
        loss, accuracy = self.loss_plot, self.accuracy_plot
        for record in records:
            if isinstance(record, StepsDone):
                self._until = x = record.epoch - 1 + record.position / record.images
                loss.add(loss.train, x, record.loss)
                accuracy.add(accuracy.train, x, record.score)
            elif isinstance(record, EpochDone):
                self._until = float(record.epoch)
                loss.add(loss.test, record.epoch, record.test_loss)
                accuracy.add(accuracy.test, record.epoch, record.test_score)
        self.epochs.add([record for record in records if isinstance(record, EpochDone)])
        self._changed = True

    def update_if_due(self) -> None:
        if time.monotonic() - self._drawn_at >= REDRAW_SECONDS:
            self._draw()

    def _draw(self) -> None:
        if self._changed and self.isVisible():
            self._draw_now()

    def _draw_now(self) -> None:
        if self._changed:
            self._changed = False
            self._drawn_at = time.monotonic()
            self.loss_plot.draw(self._until)
            self.accuracy_plot.draw(self._until)

    def showEvent(self, event: QShowEvent) -> None:
        """Behind another tab nothing was drawn."""
        super().showEvent(event)
        self._draw()

    def fit(self) -> None:
        """Show the whole run again after zooming."""
        self._follow(True)
        self._changed = True
        self._draw()

    def _set_logarithmic(self, on: bool) -> None:
        self.loss_plot.set_logarithmic(on)
        self.fit()

    def _follow(self, follows: bool) -> None:
        """Both or neither: the plots share the axis of epochs."""
        for plot in (self.loss_plot, self.accuracy_plot):
            plot.follows = follows

    def apply_theme(self, colours: Colours) -> None:
        for plot in (self.loss_plot, self.accuracy_plot):
            plot.apply_theme(colours)

    def export_plots(self, path: Path) -> None:
        """Both plots one below the other, as SVG or at twice the screen's size as PNG."""
        self._draw_now()  # behind another tab they have not followed the run
        plots = (self.loss_plot, self.accuracy_plot)
        size = QSize(self.loss_plot.width(), sum(plot.height() for plot in plots))
        with atomic_path(path) as temporary, paint_to_file(temporary, size, path.suffix) as painter:
            for plot, top in zip(plots, (0, self.loss_plot.height()), strict=True):
                plot.paint(painter, top)
