"""The training tab: plots of loss and score while a network trains, and the table of epochs."""

import time
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QColor, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QSplitter, QWidget

from core.data.sources import data_title
from core.runs.plan import RunContext, RunPlan
from core.training.records import Epoch, EpochDone, Record, StepsDone
from core.training.run_settings import BY_NAME, RunSettings
from gui.text import choice_title, count, number
from gui.training.epoch_table import EpochModel, EpochTable
from gui.training.live_plot import LivePlot, StepBins
from gui.widgets.basics import SwitchButton, named
from gui.widgets.make import action, column, label, row
from gui.widgets.pictures import paint_to_file
from gui.widgets.tab import Tab
from gui.widgets.theme import theme

# At least 8 redraws per second; but redrawing takes at most this fraction of the time, which training needs.
REDRAW_SECONDS = 0.105
MAX_REDRAW_FRACTION = 0.1
# Pixels, at the least: room for curves, and for the heading and one row of the table. They fit a window of 640 by 320
# pixels: a screen of 1280 by 720 at 200 %.
_PLOT_HEIGHT, _TABLE_HEIGHT = 62, 58


class TrainingTab(Tab):
    """Receives the records of a run and redraws at intervals."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.loss_plot = LivePlot(self.tr("loss"), "lossPlot")
        self.accuracy_plot = LivePlot(self.tr("accuracy, %"), "accuracyPlot", percent=True)
        self.accuracy_plot.setXLink(self.loss_plot)
        self._plots = (self.loss_plot, self.accuracy_plot)
        self.epochs = EpochModel(self)
        self.table = EpochTable(self.epochs)
        self._bins = StepBins()
        self._until = 0.0
        self._changed = self._paused = False
        self._next_draw = 0.0
        # Settings and data of the run whose curves are shown, and the plan of the settings panel.
        self._shown: tuple[RunSettings, str] | None = None
        self._plan: RunPlan | None = None
        tip = self.tr(
            "Show loss and error on a logarithmic axis, on which small differences at the end are seen."
        )
        self.log_action = action(self, self.tr("L&ogarithmic"), keys=("Ctrl+L",), tip=tip)
        self.log_action.toggled.connect(self._set_logarithmic)
        tip = self.tr("Show the last five epochs instead of the whole run.")
        self.last_action = action(self, self.tr("Las&t epochs"), keys=("Ctrl+Shift+L",), tip=tip)
        self.last_action.toggled.connect(self._set_last_only)
        self._lay_out()
        self.reset_layout()
        for plot in self._plots:
            plot.zoomed.connect(lambda: self._follow(False))
            plot.fitted.connect(self.fit)
            plot.pointed.connect(partial(self._show_values, plot))

    def _lay_out(self) -> None:
        self.readout = label("", "plotReadout", "muted", wraps=False)
        self.readout.setToolTip(self.tr("The values of the curves at the pointer."))
        self.readout.hide()
        self.run_line = label("", "plotRun", wraps=False)
        for text in (self.run_line, self.readout):  # they must not widen the window
            text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        top = row((self.run_line, 1), (self.readout, 1))
        for switch, name in ((self.log_action, "logarithmicButton"), (self.last_action, "lastEpochsButton")):
            switch.setCheckable(True)
            made = named(SwitchButton(), name)
            made.setDefaultAction(switch)
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            top.addWidget(made)
        self.splitter = named(QSplitter(Qt.Orientation.Vertical), "plotSplitter")
        for widget in (*self._plots, self.table):
            self.splitter.addWidget(widget)
            widget.setMinimumHeight(_TABLE_HEIGHT if widget is self.table else _PLOT_HEIGHT)
        self.splitter.setChildrenCollapsible(False)
        column(top, (self.splitter, 1), owner=self, spacing=2).setContentsMargins(0, 4, 0, 0)

    def reset_layout(self) -> None:
        self.splitter.setSizes([230, 230, 170])

    def title(self) -> str:
        return self.tr("Training")

    # -- a run ----------------------------------------------------------------------------------------------

    def start_run(self, context: RunContext) -> None:
        """Begin new curves and a new table."""
        kind = context.dataset.kind
        if kind != self.epochs.kind:
            for plot in self._plots:
                plot.forget()
        self._show_kind(kind)
        for plot in self._plots:
            plot.start_run()
        self._bins = StepBins()
        self._until = 0.0
        self.epochs.begin(kind)
        self._shown = context.plan.settings, context.plan.data
        self._show_run_line()

    def clear(self) -> None:
        """Remove the curves, the table and the name of the run."""
        for plot in self._plots:
            plot.forget()
        self._bins, self._until, self._shown = StepBins(), 0.0, None
        self.epochs.begin(self.epochs.kind)
        self.run_line.setText("")
        self._changed = True
        self._draw(hidden=True)

    def show_plan(self, plan: RunPlan | None, kind: str) -> None:
        """Say whether the plots show a run with other settings than `plan`, which is for data of this kind."""
        self._plan = plan
        if self._shown is None:
            self._show_kind(kind)
        self._show_run_line()

    def _show_run_line(self) -> None:
        if self._shown is None:
            return
        text = run_title(*self._shown)
        if self._plan is None or (self._plan.settings, self._plan.data) != self._shown:
            text = self.tr("{run} – the settings have changed since").format(run=text)
        self.run_line.setText(text)
        self.run_line.setToolTip(self.tr("The run whose curves are shown: {run}.").format(run=text))

    def _show_kind(self, kind: str) -> None:
        if kind == "classes":
            self.accuracy_plot.set_quantity(self.tr("accuracy, %"), 100.0)
        else:
            self.accuracy_plot.set_quantity(self.tr("R²"), 1.0)

    def add_records(self, records: list[Record]) -> None:
        for record in records:
            if isinstance(record, StepsDone):
                self._until = record.epoch - 1 + record.position / record.images
                if record.rate_change:
                    images = float(record.step_metrics[:, 0].sum())
                    for plot in self._plots:
                        plot.mark_rate(self._until - images / record.images, record.learning_rate)
                for x, loss, score in self._bins.add(record):
                    self.loss_plot.add("train", x, loss)
                    self.accuracy_plot.add("train", x, None if record.score is None else score)
        self._add_epochs([record.numbers for record in records if isinstance(record, EpochDone)])
        self._changed = True

    def show_history(self, epochs: list[Epoch]) -> None:
        """Show the epochs of a saved run that continues."""
        for epoch in epochs:
            self.loss_plot.add("train", epoch.epoch, epoch.train_loss)
            self.accuracy_plot.add("train", epoch.epoch, epoch.train_score)
        self._add_epochs(epochs)
        self._changed = True

    def _add_epochs(self, epochs: list[Epoch]) -> None:
        for epoch in epochs:
            self._until = max(self._until, float(epoch.epoch))
            self.loss_plot.add("test", epoch.epoch, epoch.test_loss)
            self.loss_plot.add("validation", epoch.epoch, epoch.validation_loss)
            self.accuracy_plot.add("test", epoch.epoch, epoch.test_score)
        self.epochs.add(epochs)
        if self.epochs.best is not None:
            for plot in self._plots:
                plot.mark_best(self.epochs.records[self.epochs.best].epoch)

    def set_paused(self, paused: bool) -> None:
        """Draw the plots. While the run is paused they also show the last, incomplete bin of steps."""
        self._paused, self._changed = paused, True
        self._draw()

    def end_run(self) -> None:
        self.set_paused(True)

    # -- drawing --------------------------------------------------------------------------------------------

    def update_if_due(self) -> None:
        if time.monotonic() >= self._next_draw:
            self._draw()

    def _draw(self, *, hidden: bool = False) -> None:
        """Draw what has changed; a hidden tab is drawn only for an export."""
        if not self._changed or not (hidden or self.isVisible()):
            return
        self._changed = False
        start = time.monotonic()
        points = self._bins.unfinished() if self._paused else []
        x, loss, score = points[0] if points else (0.0, 0.0, 0.0)
        classes = self.epochs.kind == "classes"
        self.loss_plot.draw(self._until, (x, loss) if points else None)
        self.accuracy_plot.draw(self._until, (x, score) if points and classes else None)
        end = time.monotonic()
        self._next_draw = start + max(REDRAW_SECONDS, (end - start) / MAX_REDRAW_FRACTION)

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what has changed while another tab was shown."""
        super().showEvent(event)
        self._draw()

    def fit(self) -> None:
        """Show the whole run again after zooming."""
        self._follow(True)
        self._changed = True
        self._draw()

    def _set_logarithmic(self, on: bool) -> None:
        for plot in self._plots:
            plot.set_logarithmic(on)
        self.fit()

    def _set_last_only(self, on: bool) -> None:
        for plot in self._plots:
            plot.last_only = on
        self.fit()

    def _follow(self, follows: bool) -> None:
        """Let both plots follow the curves or not: they have the same axis of epochs."""
        for plot in self._plots:
            plot.follows = follows

    def _show_values(self, pointed: LivePlot, x: float, y: float) -> None:
        """Mark x in both plots and show the values in the one at the pointer. NaN or a negative x hides both."""
        for plot in self._plots:
            plot.show_pointer(x)
        values = pointed.values_at(x)
        self.readout.setText(self.tr("epoch {x}").format(x=number(x, 3)) + f"   {values}" if values else "")
        self.readout.setVisible(bool(values))
        self.run_line.setVisible(not values)

    def export_plots(self, path: Path) -> None:
        """Write both plots, one below the other, as SVG, or as PNG at twice the size on the screen."""
        self._draw(hidden=True)
        title, width = (run_title(*self._shown) if self._shown else ""), self.loss_plot.width()
        top = 2 * self.fontMetrics().height() if title else 0
        size = QSize(width, top + sum(plot.height() for plot in self._plots))
        with paint_to_file(path, size) as painter:
            painter.fillRect(0, 0, width, top, QColor(theme().colors.base))
            painter.setPen(QColor(theme().colors.text))
            title = self.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, width - 16)
            painter.drawText(8, 0, width - 16, top, Qt.AlignmentFlag.AlignVCenter, title)
            for plot in self._plots:
                plot.paint(painter, top)
                top += plot.height()


def run_title(settings: RunSettings, data: str) -> str:
    """A run in one line: `784-32-10, Adam 0.003, Built-in digits, 5 epochs`."""
    one = QCoreApplication.translate("TrainingTab", "{network}, {optimizer} {rate}, {data}, one epoch")
    several = QCoreApplication.translate("TrainingTab", "{network}, {optimizer} {rate}, {data}, {n} epochs")
    return (one if settings.epochs == 1 else several).format(
        network=settings.network, optimizer=choice_title(BY_NAME["optimizer"], settings.optimizer),
        rate=number(settings.learning_rate), data=data_title(data), n=count(settings.epochs),
    )  # fmt: skip
