"""Compares runs of the library: their curves in one plot, and what can be shared of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget

from core.runs import comparison as compare
from core.runs.comparison import legends
from core.runs.library import RunEntry
from core.studies.conclusion import Group, groups_of_runs
from core.training.records import Epoch
from gui.background.task_runner import TaskRunner, single_record
from gui.runs.verdict import comparison_curves, plain_groups
from gui.widgets.make import column, combo, menu_button, row
from gui.widgets.plots.live_plot import LivePlot
from gui.widgets.plots.other_curves import OtherCurve
from gui.widgets.plots.plot import export_plots
from gui.words import in_plain_words

_ALL_EPOCHS = 1 << 31
_MAX_NAME = 60  # characters


@dataclass(frozen=True, slots=True)
class ReadRuns:
    """Runs with their histories, and their tables for other programs."""

    entries: Sequence[RunEntry] = ()
    histories: Sequence[list[Epoch]] = ()

    @property
    def have_epochs(self) -> bool:
        """Whether an epoch of any run has ended."""
        return any(self.histories)

    def epochs_csv(self) -> str:
        return compare.curves_csv(self.entries, self.histories)

    def results_csv(self) -> str:
        return compare.results_csv(self.entries)

    def report(self) -> str:
        """The web page about the runs."""
        return compare.comparison_report(self.entries, self.histories)


class Comparison(QWidget):
    """Shows one quantity of the selected runs, whose folders are read in the background: of
    repetitions the mean, with a band from the lowest to the highest.

    `shown` is emitted with the groups of the runs when their curves are drawn.
    """

    shown = Signal(list)  # of Groups

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[RunEntry] = []
        self.groups: list[Group] = []
        self._study = ""
        self.runs = ReadRuns()  # whose curves are shown
        self._runner = TaskRunner(self, self._on_read)
        tr = self.tr
        self.quantity_box = combo(
            "runsQuantityBox",
            tr("Quantity"),
            tr("The quantity of the curves; the accuracy of values is R²."),
            [
                ("test_score", tr("test accuracy")),
                ("test_loss", tr("test loss")),
                ("train_score", tr("training accuracy")),
                ("train_loss", tr("training loss")),
                ("validation_loss", tr("validation loss")),
            ],
            self.draw,
        )
        self.more = QMenu(self)
        self.more.setToolTipsVisible(True)
        tip = tr("What can be done with the selected runs.")
        self.more_button = menu_button(tr("More"), "runsMore", tip, self.more)
        self.plot = LivePlot(tr("Curves of the selected runs"), "runsPlot")
        self.plot.live_axes.has_ended = True
        self.plot.fitted.connect(self.draw)
        self.plot.setMinimumHeight(110)
        head = row(self.quantity_box, None, self.more_button, spacing=8)
        column(head, (self.plot, 1), owner=self, spacing=6)
        self.show_entries([])

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 90)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.draw()

    def show_entries(self, entries: list[RunEntry], study: str = "") -> None:
        """Compare these runs; nothing is read where they are shown as they are on the disk.

        study: the name of the study whose runs they are.
        """
        self._study = study
        if entries == self.entries and entries:
            return
        self.entries = entries
        # What is still read is of runs that are not chosen any more.
        self._runner.cancel(discard=True)
        self._runner.start_latest(single_record(lambda control: _read(entries)))

    def _on_read(self, records: list[ReadRuns]) -> None:
        entries = records[-1].entries
        histories = records[-1].histories
        # Others may have been chosen while these were read.
        if entries == self.entries:
            self.runs = records[-1]
            networks = {entry.info.network for entry in entries}
            self.show_groups(plain_groups(groups_of_runs(entries, histories), networks))

    def show_groups(self, groups: list[Group]) -> None:
        """Draw the curves of these groups of runs."""
        self.groups = groups
        self.draw()
        self.shown.emit(groups)

    # -- the plot ----------------------------------------------------------------------------------

    @property
    def has_curve(self) -> bool:
        """Whether a run has any value of the quantity."""
        return bool(self.plot.drawn())

    def draw(self) -> None:
        quantity = self.quantity_box.currentData()
        epochs = [epoch for group in self.groups for run in group.runs for epoch in run.epochs]
        are_shares = quantity.endswith("score") and any(
            epoch.train_score is not None for epoch in epochs
        )
        title = self.quantity_box.currentText()
        ceiling = 1.0 if quantity.endswith("score") else None
        if are_shares:
            title = f"{title}, %"
            ceiling = 100.0
        self.plot.set_quantity(title, ceiling)
        curves = comparison_curves(self.groups, quantity, 100.0 if are_shares else 1.0)
        hint = self.tr("Choose runs in the list: here appear their curves, named by what differs.")
        if self.groups:
            hint = self.tr("No epoch of these runs has ended that has such a value.")
        self.plot.hint.setText(hint)
        self.plot.forget()
        self.plot.show_others(self._named(curves))
        self.plot.draw(0)

    def _named(self, curves: Sequence[OtherCurve]) -> list[OtherCurve]:
        """Those that have points; as many have names as there is room for."""
        shown = [curve for curve in curves if curve.points]
        most = max(self.plot.height() // self.plot.fontMetrics().height() - 2, 2)
        if len(shown) <= most:
            return shown
        hidden = len(shown) - most + 1
        more = self.tr("and {n} more", None, hidden).format(n=hidden)
        names = [*(curve.name for curve in shown[: most - 1]), more, *[""] * (hidden - 1)]
        return [replace(curve, name=name) for curve, name in zip(shown, names, strict=True)]

    # -- what can be shared ------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """What people call the runs together: the name of their study, or their own names."""
        networks = {entry.info.network for entry in self.entries}
        names = ", ".join(in_plain_words(legends(self.entries), networks))
        name = self._study or names
        return name if len(name) <= _MAX_NAME else name[: _MAX_NAME - 1] + "…"

    def write_curves(self, path: Path) -> None:
        """Write the picture of the curves."""
        title = self.quantity_box.currentText()
        settings = compare.common_settings(self.runs.entries)
        export_plots(path, f"{title}: {settings}" if settings else title, [self.plot])


def _read(entries: list[RunEntry]) -> ReadRuns:
    return ReadRuns(entries, [entry.folder.read_history(_ALL_EPOCHS) for entry in entries])
