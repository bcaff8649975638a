"""The curves of a run in its two plots, loss and score, drawn at intervals while they grow."""

import time
from collections.abc import Callable, Sequence
from math import inf

from PySide6.QtCore import QObject, Signal

from core.training.records import Epoch, Point, StepBins, StepsDone
from gui.widgets.plots.live_plot import LivePlot
from gui.widgets.plots.other_curves import OtherCurve

# At least 8 redraws per second; but redrawing takes at most this fraction of the time, which
# training needs.
REDRAW_SECONDS = 0.1
MAX_REDRAW_FRACTION = 0.1


class RunCurves(QObject):
    """`until`: the epochs that the run has reached. drawn: with `until`. reads_classes: its score
    is an accuracy.
    """

    drawn = Signal(float)

    def __init__(self, loss_plot: LivePlot, accuracy_plot: LivePlot) -> None:
        super().__init__(loss_plot)
        self.loss_plot = loss_plot
        self.accuracy_plot = accuracy_plot
        self.both = (loss_plot, accuracy_plot)
        self.until = 0.0
        self.reads_classes = True
        self._bins = StepBins()
        self._changed = False
        self._paused = False
        self._next_draw = 0.0

    def start_run(self, planned: int, guess: float) -> None:
        """Begin new curves. guess: the loss of guessing, 0: not known."""
        for plot in self.both:
            plot.start_run(planned, guess)
        self._bins = StepBins()
        self.until = 0.0

    def clear(self) -> None:
        """Remove all curves."""
        for plot in self.both:
            plot.forget()
        self._bins = StepBins()
        self.until = 0.0

    def remember(self) -> Callable[[], None]:
        """A function that shows again what is shown now."""
        bins = self._bins
        until = self.until
        curves = [plot.remember() for plot in self.both]

        def put_back() -> None:
            self._bins = bins
            self.until = until
            for put_curves_back in curves:
                put_curves_back()

        return put_back

    def add_steps(self, record: StepsDone) -> None:
        """Add the steps of a record to the curves of training, and mark a change of the rate."""
        self.until = record.epoch - 1 + record.position / record.images
        if record.rate_change:
            # The rate holds from the first of its steps on, and the record is of the last one.
            images = float(record.step_metrics[:, 0].sum())
            for plot in self.both:
                plot.rates.mark(self.until - images / record.images, record.learning_rate)
        self._add_batches(self._bins.add(record))
        self._changed = True

    def add_history(self, epochs: Sequence[Epoch], batches: Sequence[Point]) -> None:
        """Add what a run had learned before: its batches, and the epochs of which none are kept."""
        begin = batches[0][0] if batches else inf
        for epoch in epochs:
            if epoch.epoch < begin:
                self.loss_plot.add("train", epoch.epoch, epoch.train_loss)
                self.accuracy_plot.add("train", epoch.epoch, epoch.train_score)
        self._add_batches(batches)
        if batches:
            self.until = max(self.until, batches[-1][0])

    def _add_batches(self, batches: Sequence[Point]) -> None:
        for x, loss, score in batches:
            self.loss_plot.add("train", x, loss)
            self.accuracy_plot.add("train", x, score if self.reads_classes else None)

    def add_epochs(self, epochs: Sequence[Epoch]) -> None:
        """Add what the epochs have reached on the test set and in validation."""
        for epoch in epochs:
            self.until = max(self.until, float(epoch.epoch))
            self.loss_plot.add("test", epoch.epoch, epoch.test_loss)
            self.loss_plot.add("validation", epoch.epoch, epoch.validation_loss)
            self.accuracy_plot.add("test", epoch.epoch, epoch.test_score)
        self._changed = True

    def mark_best(self, best: Epoch) -> None:
        """Mark the best epoch in both plots, and say by what where the curves do not show it."""
        highest = self.tr("best epoch")
        lowest = self.tr("highest accuracy")
        if not self.reads_classes:
            lowest = self.tr("highest R²")
        if best.validation_loss is not None:
            highest = self.tr("lowest validation loss")
            lowest = self.tr("best epoch")
        self.accuracy_plot.run.mark_best(best.epoch, highest)
        self.loss_plot.run.mark_best(best.epoch, lowest)

    def show_comparison(
        self,
        loss: Sequence[OtherCurve],
        score: Sequence[OtherCurve],
        planned: int,
        until: float,
        *,
        active: bool,
    ) -> None:
        """Show the curves of a study. planned, until: the epochs of its runs; active: whether they
        still train.
        """
        for plot, curves in zip(self.both, (loss, score), strict=True):
            plot.show_others(curves, planned)
            plot.live_axes.has_ended = not active
        self.until = until
        self._changed = True

    def set_paused(self, paused: bool) -> None:
        """Draw the plots. While the run is paused they also show the last, incomplete bin of
        steps, which may be a single one; not at its end, where it would be a jump.
        """
        self._paused = paused and not self.loss_plot.live_axes.has_ended
        self.redraw()

    def end_run(self) -> None:
        """No more epochs follow."""
        for plot in self.both:
            plot.live_axes.has_ended = True

    def show_until(self, epoch: int | None) -> None:
        """Draw the curves up to this epoch; None: to their end."""
        for plot in self.both:
            plot.live_axes.until = epoch
        self.redraw()

    def update_if_due(self) -> None:
        if time.monotonic() >= self._next_draw:
            self.draw()

    def redraw(self, *, hidden: bool = False) -> None:
        """Draw the plots; hidden ones only where `hidden` is given, as for an export."""
        self._changed = True
        self.draw(hidden=hidden)

    def draw(self, *, hidden: bool = False) -> None:
        """Draw what has changed."""
        # Drawing takes time from the training: hidden plots are drawn when they are shown.
        if not self._changed or not (hidden or any(plot.isVisible() for plot in self.both)):
            return
        self._changed = False
        start = time.monotonic()
        points = self._bins.unfinished() if self._paused else []
        x, loss, score = points[0] if points else (0.0, 0.0, 0.0)
        # An export has the plots that are shown in the tab, be it hidden or not.
        if not self.loss_plot.isHidden():
            self.loss_plot.draw(self.until, (x, loss) if points else None)
        if not self.accuracy_plot.isHidden():
            self.accuracy_plot.draw(
                self.until, (x, score) if points and self.reads_classes else None
            )
        self.drawn.emit(self.until)
        end = time.monotonic()
        self._next_draw = start + max(REDRAW_SECONDS, (end - start) / MAX_REDRAW_FRACTION)
