"""The plots of a run: accuracy and loss, which of them is shown, and the table of epochs below."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSizePolicy, QSplitter, QWidget

from gui.text import number
from gui.training.curves import RunCurves
from gui.training.epoch_table import EpochTable
from gui.training.replay import Replay
from gui.training.zoom import PlotZoom
from gui.widgets.basics import named
from gui.widgets.make import action, column, label, row
from gui.widgets.plots.live_plot import LivePlot
from gui.widgets.plots.plot import export_plots
from gui.widgets.tab import PageChooser
from gui.widgets.theme import theme
from gui.words import explain

# Pixels, at the least: room for curves, and for the heading and one row of the table. They fit a
# window of 640 by 320 pixels: a screen of 1280 by 720 at 200 %.
_PLOT_HEIGHT = 62
_TABLE_HEIGHT = 58
SHOWN = ("accuracy", "loss")


class RunPlots(QWidget):
    """Two plots with their curves. `head`: a widget at the left of the line above them.

    pointed: whether the values at the pointer are shown.
    """

    pointed = Signal(bool)

    def __init__(self, head: QWidget, table: EpochTable) -> None:
        super().__init__()
        self.loss_plot = LivePlot(self.tr("loss"), "lossPlot")
        self.accuracy_plot = LivePlot(self.tr("accuracy, %"), "accuracyPlot", percent=True)
        self.curves = RunCurves(self.loss_plot, self.accuracy_plot)
        self.table = table
        self._frame: tuple[QWidget, ...] = ()
        self.zoom = PlotZoom(self.curves.both, self)
        self.zoom.changed.connect(self.curves.redraw)
        self.curves.drawn.connect(lambda until: self.zoom.offer())
        self._make_actions()
        self._lay_out(head)
        self.place_switches()
        self.loss_plot.setToolTip(explain("loss, training images, test images, validation"))
        self.accuracy_plot.setToolTip(explain("accuracy, training images, test images"))
        for plot in self.curves.both:
            plot.pointed.connect(partial(self._show_values, plot))
        theme().changed.connect(self._show_table)

    def _make_actions(self) -> None:
        """The command that shows the table, in the menu View."""
        tip = self.tr("Show the numbers of every epoch below the plot.")
        self.table_action = action(
            self, self.tr("&Table of epochs"), "tableAction", keys=("Ctrl+T",), tip=tip
        )
        self.table_action.setCheckable(True)
        self.table_action.toggled.connect(self._show_table)

    def _lay_out(self, head: QWidget) -> None:
        tr = self.tr
        self.readout = label("", "plotReadout", "muted", wraps=False)
        self.readout.setToolTip(tr("The values of the curves at the pointer."))
        self.readout.hide()
        self.chooser = PageChooser("plotChooser", tr("Which plot is shown"), is_whole=True)
        self.chooser.add_page(
            tr("Accuracy, %"),
            tr("The share of the images that is read right, by epoch."),
            tr("Accuracy"),
        )
        self.chooser.add_page(
            tr("Loss"), tr("What training minimizes: how wrong the answers are, by epoch.")
        )
        self.chooser.currentChanged.connect(lambda index: self.show_plots(SHOWN[index]))
        self.chooser.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._head = QWidget()
        self.head_row = row(
            head, None, self.readout, *self.zoom.buttons, owner=self._head, spacing=8
        )
        self.splitter = named(QSplitter(Qt.Orientation.Vertical), "plotSplitter")
        for widget in (*self.curves.both, self.table):
            self.splitter.addWidget(widget)
            widget.setMinimumHeight(_TABLE_HEIGHT if widget is self.table else _PLOT_HEIGHT)
        self.splitter.setChildrenCollapsible(False)
        self.table.hide()  # until its command is given
        self.replay = Replay()
        self.replay.moved.connect(self.curves.show_until)
        self._column = column(self._head, (self.splitter, 1), owner=self, spacing=4)

    def place_switches(self) -> None:
        """Put the choice of the plot above it, and the replay below."""
        self.head_row.insertWidget(0, self.chooser)
        below = self._column.indexOf(self.splitter) + 1
        self._column.insertWidget(below, self.replay)

    def frame_plot(self, *frame: QWidget) -> None:
        """Show a widget above the plot, in place of its switches, and one below it; without widgets
        as usual.
        """
        for part in self._frame:
            part.hide()
            part.deleteLater()
        self._frame = frame
        self._head.setHidden(bool(frame))
        self.chooser.setHidden(bool(frame))
        self._show_titles()
        if frame:
            above, below = frame
            self._column.insertWidget(0, above)
            self._column.addWidget(below)

    def _show_titles(self) -> None:
        """Name the values above the axis where the chosen switch does not."""
        is_named = not self._frame
        for plot, page in zip((self.accuracy_plot, self.loss_plot), SHOWN, strict=True):
            plot.show_title(not (is_named and SHOWN[self.chooser.currentIndex()] == page))

    def _show_table(self) -> None:
        """Show the table where it is wanted, but not in presenter mode."""
        self.table.setVisible(self.table_action.isChecked() and not theme().presenting)

    def reset_layout(self) -> None:
        self.splitter.setSizes([230, 230, 170])
        self.table_action.setChecked(False)
        self.show_plots("accuracy")

    def show_plots(self, shown: str) -> None:
        """Show one of SHOWN."""
        self.chooser.setCurrentIndex(SHOWN.index(shown))
        self.loss_plot.setVisible(shown == "loss")
        self.accuracy_plot.setVisible(shown == "accuracy")
        self._show_titles()
        self.curves.redraw()

    def bring_forward(self, plot: LivePlot) -> None:
        """Show this plot."""
        if not plot.isVisibleTo(self):
            self.show_plots("loss" if plot is self.loss_plot else "accuracy")

    def show_kind(self, kind: str) -> None:
        """Show the score of networks that read classes, or of those that predict values."""
        self.curves.reads_classes = kind == "classes"
        if self.curves.reads_classes:
            self.accuracy_plot.set_quantity(self.tr("accuracy, %"), 100.0)
            self.chooser.rename(0, self.tr("Accuracy, %"), self.tr("Accuracy"))
        else:
            self.accuracy_plot.set_quantity(self.tr("R²"), 1.0)
            self.chooser.rename(0, self.tr("R²"))

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what has changed while another tab was shown."""
        super().showEvent(event)
        self.curves.draw()

    def _show_values(self, plot: LivePlot, x: float, y: float) -> None:
        """Mark x in both plots and show the values in the one at the pointer. NaN or a negative x
        hides both.
        """
        for each in self.curves.both:
            each.pointer.show_at(x)
        values = plot.values_at(x)
        self.readout.setText(
            self.tr("epoch {x}").format(x=number(x, 3)) + f"   {values}" if values else ""
        )
        self.readout.setVisible(bool(values))
        self.pointed.emit(bool(values))

    def export(self, path: Path, heading: str) -> None:
        """Write the plots that are shown as SVG, or as PNG at twice the size on the screen."""
        self.curves.redraw(hidden=True)
        plots = [plot for plot in self.curves.both if not plot.isHidden()]
        for plot in plots:
            # The switch that names the values is not in the picture.
            plot.show_title(True)
        export_plots(path, heading, plots)
        self._show_titles()
