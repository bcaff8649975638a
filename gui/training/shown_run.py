"""The run whose curves the tab Training shows, and the earlier runs that are kept beside it."""

from collections.abc import Sequence
from dataclasses import replace
from math import nan

from core.inference.model_file import Model
from core.runs.names import short_names
from core.runs.plan import RunContext, RunPlan
from core.training.records import (
    Epoch,
    Finished,
    KeptParameters,
    RateChange,
    best_epoch,
    format_rate_changes,
    parse_rate_changes,
)
from core.training.run_settings import RunSettings
from gui.training.conclusion import ending_text
from gui.training.curves import RunCurves
from gui.training.shown import (
    Display,
    KeptRun,
    names_of_kept,
    network_in_words,
    plain_title,
    run_title,
    source_of,
)
from gui.widgets.plots.series import line_styles, run_series
from gui.widgets.theme import theme
from gui.words import in_plain_words

MAX_KEPT = 3  # earlier runs in the plot


class ShownRun:
    """What is known of a run: its `settings` and `data`, and `words`, its layers as the stage calls
    them.

    `series`: of its color, which follows its id. `context`: of its training; None for a run of the
    library. `model`: its newest. `parameters`: at the ends of epochs. `continued`: the last epoch
    before it was continued. `changes`: of the rate while it trained, with their epochs.
    """

    def __init__(self, plan: RunPlan, run_id: str, context: RunContext | None = None) -> None:
        self.settings = plan.settings
        self.data = plan.data
        self.series = run_series(run_id)
        self.words = network_in_words(plan.parsed)
        self.context = context
        self.finished: Finished | None = None
        self.model: Model | None = None
        self.parameters = KeptParameters()
        self.continued: Epoch | None = None
        self.changes: list[tuple[int, RateChange]] = []

    @property
    def source(self) -> dict[str, object]:
        """What it differs in from other runs, by name."""
        return source_of(self.settings, self.data)

    @property
    def learns(self) -> bool:
        return self.context is not None and self.finished is None

    @property
    def exact_line(self) -> str:
        """The run in one line, with all names of its settings."""
        return run_title(self.settings, self.data, in_short=theme().presenting)

    @property
    def plain_line(self) -> str:
        """The run in one line, in plain words where there are some."""
        if theme().presenting:
            return in_plain_words([self.exact_line], [self.settings.network])[0]
        return plain_title(self.words, self.settings, self.data) if self.words else self.exact_line

    def has_settings_of(self, plan: RunPlan | None) -> bool:
        """Whether it has these settings and data. Where its schedule began follows from a
        continuation.
        """
        if plan is None or plan.data != self.data:
            return False
        return _comparable(plan.settings) == _comparable(self.settings)

    def add_change(self, epoch: int, change: RateChange) -> None:
        """The rate was changed: name the run so. Of several changes in one epoch the last
        counts.
        """
        self.changes = [known for known in self.changes if known[0] != epoch] + [(epoch, change)]
        known = parse_rate_changes(self.settings.rate_changes)
        if change not in known:
            text = format_rate_changes(
                [each for each in known if each.step < change.step] + [change]
            )
            self.settings = self.settings.change(rate_changes=text)

    def kept_epoch(self, epochs: Sequence[Epoch]) -> Epoch | None:
        """The one of its epochs whose parameters it has kept; None before the first."""
        last = epochs[-1] if epochs else None
        best = best_epoch(epochs)
        if self.settings.patience is None or best is None:
            return last
        if self.context is None:  # a run of the library: its network has the score of its epoch
            has_ended = self.model is not None and self.model.test_score == best.test_score
        else:
            has_ended = self.finished is not None
        return best if has_ended else last

    def ending(self, kept: Epoch, epochs: Sequence[Epoch], until: float) -> str:
        """Why `kept` is not what the planned last epoch has reached, as a part of a sentence; empty
        if it is.
        """
        reason = self.finished.reason if self.finished else "stopped"
        return ending_text(reason, kept.epoch, kept is epochs[-1], until, self.settings.epochs)


def _comparable(settings: RunSettings) -> RunSettings:
    return settings.change(schedule_epochs="")


class EarlierRuns:
    """The runs that are kept beside the one that is shown in the plots of `curves`."""

    def __init__(self, curves: RunCurves) -> None:
        self._curves = curves
        self.runs: list[KeptRun] = []

    def keep(self, run: ShownRun, reached: Epoch | None, result: str) -> None:
        """Keep the curves of the run that is shown. reached: the epoch of its `result`."""
        # One point is no line: such a run would be a name without a curve.
        if not any(len(curve) > 1 for curve in self._curves.loss_plot.run.curves.values()):
            return
        series = self._curves.accuracy_plot.run.series
        assert series is not None  # since the run is shown
        loss, accuracy = (plot.run.as_other("", series) for plot in self._curves.both)
        score = nan if reached is None else reached.test_score
        title = run_title(run.settings, run.data)
        kept = KeptRun(run.source, title, score, result, series, (loss, accuracy))
        self.runs = [*self.runs, kept][-MAX_KEPT:]

    def drop(self, run: KeptRun) -> None:
        self.runs = [kept for kept in self.runs if kept is not run]

    def drop_continued(self, last: Epoch) -> None:
        """Keep no run that ends with this epoch: the run that continues it would stand beside
        itself.
        """
        self.runs = [kept for kept in self.runs if not kept.ends_with(last)]

    def show(self, run: ShownRun | None, display: Display) -> list[str]:
        """Show them in the plots, each named by what differs; returns their names, and then that of
        `run`.
        """
        sources = [kept.source for kept in self.runs]
        sources = [*sources, run.source] if run else sources
        names = in_plain_words(short_names(sources), {str(source["network"]) for source in sources})
        names = names_of_kept(names, len(self.runs))
        name = names[-1] if self.runs and run else ""
        series = display.series
        if series is None and run is not None:
            series = run.series
        _, *styles = line_styles([series or 0, *(kept.series for kept in self.runs)])
        for plot, index in zip(self._curves.both, (0, 1), strict=True):
            plot.name_run(display.name or name, series)
            curves = zip(self.runs, names, styles, strict=False)
            plot.show_kept(
                [
                    replace(kept.curves[index], name=name, style=style)
                    for kept, name, style in curves
                ]
            )
        return names
