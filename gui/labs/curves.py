"""What the plots show of the runs of a lab: their curves, beside those that were expected
before.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from core.labs.answers import Answers
from core.labs.attempt import Attempt, Point
from core.labs.blocks.predict import CurvePrediction, PredictBlock
from core.labs.blocks.run import RunBlock
from core.labs.lab import Lab, LabStep, Parts
from gui.labs.curve_drawer import CurveDrawer, DrawingHead, DrawnValues
from gui.labs.texts import value_text
from gui.text import translator
from gui.training.shown import Display
from gui.training.tab import TrainingTab
from gui.widgets.plots.live_plot import LivePlot
from gui.widgets.plots.other_curves import FIRST_OTHER, OtherCurve
from gui.widgets.plots.series import GRAY
from gui.widgets.theme import theme

_tr = translator("LabCurves")

_TRAINING_SERIES = 0  # where a part has one run
_TEST_SERIES = 1
_HEIGHT = 160  # pixels at a text size of 100 %: of a plot in a dialog


class PredictionPlot(LivePlot):
    """What was expected of a curve, and what it was, in a dialog."""

    def __init__(self, part: CurvePrediction, lab: Lab, title: str, name: str) -> None:
        super().__init__(title, name, percent=part.quantity.endswith("accuracy"))
        run = lab.predicted_run(part)
        self._series = _expected_series(run, part) if run else _TRAINING_SERIES
        self._highest = part.highest
        self.live_axes.from_zero = True
        self.live_axes.has_ended = True
        self.show_title(False)
        self.plotItem.setMouseEnabled(False, False)
        self.setFixedHeight(theme().px(_HEIGHT))

    def show_curves(
        self, expected: Sequence[tuple[str, Sequence[Point]]], real: Sequence[Point]
    ) -> None:
        """expected: curves with their names; those without one, of a class, are gray."""
        curves = []
        for name, points in expected:
            series = self._series if name else GRAY
            curves.append(OtherCurve(name, tuple(points), series, Qt.PenStyle.DashLine))
        curves.append(OtherCurve(self.tr("it was"), tuple(real), self._series))
        self.show_others([curve for curve in curves if curve.points], highest=self._highest)
        self.draw(0)


class LabCurves(QObject):
    """tab_asked(name): show this tab, where a curve is to be drawn."""

    tab_asked = Signal(str)

    def __init__(self, training: TrainingTab, parent: QObject) -> None:
        super().__init__(parent)
        self._answers: Answers | None = None  # to the lab that is open
        self._training = training
        self._plots = training.plots.accuracy_plot, training.plots.loss_plot

    def begin(self, answers: Answers | None) -> None:
        """Show the runs of these answers from now on; None: no lab is open."""
        self._answers = answers
        if answers is None:
            self._training.set_display(Display())
        else:
            self._training.clear()
            self._training.set_display(self._display())

    @property
    def _step(self) -> LabStep:
        assert self._answers
        return self._answers.shown_step

    @property
    def is_explained(self) -> bool:
        """Whether the step itself says what comes out of its runs: messages would give away the
        answers.
        """
        return self._answers is not None and bool(self._step.parts.runs)

    @property
    def _has_task(self) -> bool:
        """Whether the person chooses settings in the step."""
        return any(part.is_task for part in self._step.parts.trained)

    # -- drawing what is expected ------------------------------------------------------------------

    def drawer(self, part: CurvePrediction) -> CurveDrawer | None:
        """Draws the curve on the plot of its quantity; None where it is shown with the run by
        now.
        """
        assert self._answers
        run = self._answers.lab.predicted_run(part)
        assert run is not None  # a curve has one
        if self._answers.is_fixed(part):
            return None
        epochs = run.plans(self._answers.name)[part.variant].settings.epochs
        self.tab_asked.emit("training")
        plot = self._plot(part.quantity)
        self._training.plots.bring_forward(plot)
        name = _expected_name(run, part)
        curve = OtherCurve(name, (), _expected_series(run, part), Qt.PenStyle.DashLine)
        drawer = CurveDrawer(plot, curve, epochs, part.highest)
        unit = " %" if part.quantity.endswith("accuracy") else ""
        self._training.plots.frame_plot(DrawingHead(drawer), DrawnValues(drawer, unit))
        return drawer

    def end_drawing(self, drawer: CurveDrawer) -> None:
        """The curve cannot be drawn any more; it stays."""
        drawer.end()
        self._training.plots.frame_plot()

    def _plot(self, quantity: str) -> LivePlot:
        accuracy, loss = self._plots
        return accuracy if quantity.endswith("accuracy") else loss

    # -- runs --------------------------------------------------------------------------------------

    def _display(self, **changes: Any) -> Display:
        """How runs are shown in this step: without advice, and without what belongs to settings of
        one's own.
        """
        hint = None if self._has_task else self.tr("The curves of the lab appear here.")
        base = Display(
            concludes=not self.is_explained, compares=False, notes_changes=self._has_task, hint=hint
        )
        return replace(base, **changes)

    def show_step(self) -> None:
        """Show the curves of the step's runs, or none where predictions are still to be made."""
        assert self._answers
        parts = self._step.parts
        predicted = map(self._answers.lab.predicted_run, parts.curves)
        runs = [run for run in predicted if run is not None] + parts.runs
        ran = [run for run in runs if self._answers.has_begun(run)]
        asked = parts.predictions
        # Curves of an earlier step would suggest what is to be predicted here.
        if ran or not all(map(self._answers.is_fixed, asked)):
            self._training.clear()
        self._training.set_display(self._display())
        if ran:
            self.show_run(ran[-1])

    def show_run(self, run: RunBlock) -> None:
        """Show what the runs of the part have reached, beside what was expected, and name the
        best.
        """
        assert self._answers
        tried = [
            (index, self._answers.attempt_of(run, index)) for index in range(len(run.variants))
        ]
        shown = [(index, attempt) for index, attempt in tried if attempt is not None]
        if len(run.variants) > 1:
            self._training.clear()
            self._training.set_display(self._headline(run, shown))
        self._show_beside(run, shown)

    def _headline(self, run: RunBlock, shown: list[tuple[int, Attempt]]) -> Display:
        """Above the plots stands the best run of the part; a race has none."""
        values = {index: each.values(run.quantity) for index, each in shown}
        reached = {index: points[-1][1] for index, points in values.items() if points}
        if not reached or run.is_race:
            return self._display(
                line=self.tr("{n} runs", None, len(shown)).format(n=len(shown)) if shown else ""
            )
        highest = run.quantity.endswith("accuracy")
        # Of losses the lowest is the best.
        choose = max if highest else min
        best = choose(reached, key=lambda index: reached[index])
        attempt = next(each for index, each in shown if index == best)
        line = self.tr("the best of {n} runs: {run}").format(n=len(shown), run=run.titles[best])
        result = value_text(reached[best], attempt.shown_as(run.quantity))
        return self._display(line=line, result=result)

    def _show_beside(
        self, run: RunBlock, shown: list[tuple[int, Attempt]], is_live: bool = False
    ) -> None:
        """Show the expected curves and those of these attempts. `is_live`: another run of the part
        is trained.
        """
        assert self._answers
        beside: dict[LivePlot, list[OtherCurve]] = {plot: [] for plot in self._plots}
        highest = dict.fromkeys(self._plots, 0.0)
        # A dictionary keeps their order and each once.
        quantities = dict.fromkeys(["test_accuracy", "test_loss", run.quantity])
        drawn = shown
        if len(run.variants) == 1:
            # As while it was trained; then the plot draws it itself.
            quantities |= dict.fromkeys(["train_accuracy", "train_loss"])
            drawn = [] if is_live else shown
        for part in Parts(self._answers.lab.predictions_of(run)).curves:
            points = self._answers.given(part).points
            if points:
                plot = self._plot(part.quantity)
                name = _expected_name(run, part)
                beside[plot].append(
                    OtherCurve(
                        name, tuple(points), _expected_series(run, part), Qt.PenStyle.DashLine
                    )
                )
                highest[plot] = part.highest
                quantities[part.quantity] = None
        for quantity in quantities:
            for index, attempt in drawn:
                values = tuple(attempt.values(quantity))
                if values:
                    name = _curve_name(run, index, quantity)
                    curve = OtherCurve(name, values, _curve_series(run, index, quantity))
                    beside[self._plot(quantity)].append(curve)
        self._training.plots.bring_forward(self._plot(run.quantity))
        for plot in self._plots:
            plot.show_others(
                beside[plot], run.plans(self._answers.name)[0].settings.epochs, highest[plot]
            )

    def begin_run(self, run: RunBlock, variant: int) -> None:
        """A run of the part begins: show it beside what was expected, and beside the other runs of
        the part.
        """
        assert self._answers
        self._training.clear()
        title = run.titles[variant]
        count = len(run.variants)
        if count > 1:
            line = self.tr("run {n} of {all}: {run}").format(n=variant + 1, all=count, run=title)
            series = _curve_series(run, variant, "test_accuracy")
            self._training.set_display(self._display(name=title, series=series, line=line))
        else:
            self._training.set_display(self._display(series=_TEST_SERIES))
        tried = [
            (index, self._answers.attempt_of(run, index))
            for index in range(count)
            if index != variant
        ]
        shown = [(index, attempt) for index, attempt in tried if attempt is not None]
        self._show_beside(run, shown, is_live=True)

    def begin_attempt(self) -> None:
        """A run that the person started begins, and counts for the task: attempts are compared with
        each other.
        """
        self._training.set_display(self._display())
        for plot in self._plots:
            plot.show_others(())


def _curve_series(run: RunBlock, variant: int, quantity: str) -> int:
    """The color of a run's curve: its own for each run of a part; training and test have theirs
    where it has one.
    """
    if len(run.variants) > 1:
        return FIRST_OTHER + variant
    return _TEST_SERIES if quantity.startswith("test") else _TRAINING_SERIES


def _curve_name(run: RunBlock, variant: int, quantity: str) -> str:
    kind = _tr("training")
    if quantity.startswith("validation"):
        kind = _tr("validation")
    if len(run.variants) == 1:
        return _tr("test") if quantity.startswith("test") else kind
    title = run.titles[variant]
    return title if quantity.startswith("test") else f"{title}, {kind}"


def _expected_name(run: RunBlock, part: PredictBlock) -> str:
    """The name of a curve that was drawn before the run: it says of which run it is."""
    if len(run.variants) == 1:
        return _tr("expected")
    return _tr("expected: {run}").format(run=run.titles[part.variant])


def _expected_series(run: RunBlock, part: PredictBlock) -> int:
    """The color of the curve that is to be predicted, wherever it is shown."""
    return _curve_series(run, part.variant, part.quantity)
