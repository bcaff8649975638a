"""The training tab: one plot of accuracy or loss while a network trains, which run it shows, and its epochs."""

from collections.abc import Callable
from dataclasses import replace
from math import isnan, log, nan
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core.data.dataset import Dataset
from core.inference.model_file import Model
from core.progress import Progress
from core.runs.folder import kept_of
from core.runs.names import short_names, short_value
from core.runs.plan import RunContext, RunPlan
from core.studies.conclusion import groups_of
from core.studies.spec import StudySpec
from core.studies.study import StudyRun
from core.training.records import (
    Epoch,
    EpochDone,
    Finished,
    KeptParameters,
    RateChange,
    Record,
    StepsDone,
    best_epoch,
    format_rate_changes,
    parse_rate_changes,
)
from core.training.run_settings import RunSettings
from gui.runs.rows import setting_title
from gui.runs.verdict import comparison_curves, plain_groups
from gui.text import count, number, percent
from gui.training.conclusion import Conclusion, Link, ending_text, next_steps, run_text, saved_text
from gui.training.epoch_table import EpochModel, EpochTable
from gui.training.kept_runs import KeptRuns
from gui.training.plots import SHOWN, RunPlots
from gui.training.result import RunResult
from gui.training.shown import (
    Display,
    KeptRun,
    changes_text,
    names_of_kept,
    network_in_words,
    plain_title,
    run_title,
    source_of,
)
from gui.widgets.basics import NO_LIMIT
from gui.widgets.make import row
from gui.widgets.plots.other_curves import MAX_OTHERS
from gui.widgets.tab import Tab
from gui.widgets.theme import theme
from gui.words import in_plain_words

MAX_KEPT = 3  # earlier runs in the plot
_KEPT_SERIES = (3, 4, 5)  # 0 to 2 are training, test and validation


class TrainingTab(Tab):
    """The band of the tab Training: receives the records of a run and redraws at intervals.

    shown_changed: another run, none, or other next steps are shown. replay: the slider of the epochs.
    """

    shown_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.epochs = EpochModel(self)
        self._chips = KeptRuns()
        self._chips.removed.connect(self._drop)
        self.plots = RunPlots(self._chips, EpochTable(self.epochs))
        self.curves = self.plots.curves
        self.plots.pointed.connect(self._on_pointed)
        self.plots.replay.moved.connect(self._show_last_epoch)
        self.display = Display()
        # Settings and data of the run whose curves are shown, and the plan of the settings panel.
        self._shown: tuple[RunSettings, str] | None = None
        self._words = ""  # its layers, as the stage calls them
        self._plan: RunPlan | None = None
        self._kept: list[KeptRun] = []
        self._context: RunContext | None = None
        self._finished: Finished | None = None
        self._reached: Epoch | None = None  # the epoch whose result stands above the plots
        self._continued: Epoch | None = None  # the last epoch before the run was continued
        # Of the rate while the run trained, with their epochs.
        self._changes: list[tuple[int, RateChange]] = []
        self._model: Model | None = None  # the newest of the run
        self._parameters = KeptParameters()
        self._study: StudySpec | None = None  # the study that is shown in place of a run
        self.conclusion = Conclusion()
        self.conclusion.changed.connect(self.shown_changed)
        self.result = RunResult(self.conclusion)
        # From left to right: the result, the plot, and what to do next.
        row(self.result, (self.plots, 1), self.conclusion.next_steps, owner=self, spacing=32)
        self.plots.reset_layout()
        self._show_last_epoch()
        theme().changed.connect(self._on_theme)

    @property
    def has_shown(self) -> bool:
        """Whether there is a run or a study to show."""
        return self._shown is not None or self._study is not None

    @property
    def shows_comparison(self) -> bool:
        """Whether several values of a setting are shown in place of a run."""
        return self._study is not None

    @property
    def has_result(self) -> bool:
        """Whether there is a result beside the plot; a step of a lab that explains its runs shows it in its text."""
        return self.has_shown and self.display.concludes

    @property
    def has_next_steps(self) -> bool:
        return self.conclusion.has_links

    def set_widths(self, result: int, next_steps: int) -> None:
        """The widths of the columns beside the plot in pixels; 0 hides one. Then the result is above the plot."""
        for part, width in ((self.result, result), (self.conclusion.next_steps, next_steps)):
            part.setVisible(width > 0)
            if width > 0:
                part.setFixedWidth(width)
        if not theme().presenting:
            above_plots = result == 0 and self.has_result
            self.result.place_score(self.plots.head_row if above_plots else None)

    def _on_theme(self) -> None:
        """Show the run in its new color; in presenter mode without table and switches."""
        self._show_kept()
        self.result.epoch_line.setHidden(theme().presenting)
        self.conclusion.setMaximumHeight(0 if theme().presenting else NO_LIMIT)
        self.curves.redraw()

    def set_display(self, display: Display) -> None:
        """Show runs in this way from now on."""
        self.display = display
        hint = self.tr("Press Train: the curve appears here.") if display.hint is None else display.hint
        for plot in self.curves.both:
            plot.hint.setText(hint)
        self._show_last_epoch()
        self._show_run_line()
        self.shown_changed.emit()

    def remember(self) -> Callable[[], None]:
        """A function that shows again what is shown now: curves, earlier runs, table, result, replay, sentence."""
        shown = self._shown
        study = self._study
        context = self._context
        finished = self._finished
        model = self._model
        parameters = self._parameters
        kept = [*self._kept]
        records = [*self.epochs.records]
        kind = self.epochs.kind
        page = self.plots.chooser.currentIndex()
        moment = self.plots.replay.slider.value()
        can_replay = self.plots.replay.can_replay
        said = self.conclusion.said()
        display = self.display
        continued = self._continued
        changes = self._changes
        words = self._words
        put_plots_back = self.curves.remember()

        def put_back() -> None:
            self.clear()
            self.display = display
            self._shown = shown
            self._study = study
            self._context = context
            self._finished = finished
            self._model = model
            self._parameters = parameters
            self._kept = [*kept]
            self._continued = continued
            self._changes = changes
            self._words = words
            self.plots.show_kind(kind)
            self.epochs.begin(kind)
            self.epochs.add(records)
            put_plots_back()
            if self.epochs.best is not None and not display.name:
                self.curves.mark_best(self.epochs.records[self.epochs.best])
            self._offer_replay(can_replay)
            self.plots.replay.slider.setValue(moment)
            self._show_kept()
            self.set_display(display)
            self.conclusion.say(*said)
            self.plots.show_plots(SHOWN[page])
            self.shown_changed.emit()

        return put_back

    def title(self) -> str:
        return self.tr("Training")

    # -- a run ----------------------------------------------------------------------------------------------

    def start_run(self, context: RunContext) -> None:
        """Begin new curves and a new table."""
        self._begin(context.plan, context.dataset.kind, len(getattr(context.dataset, "classes", ())))
        self._context = context

    def _begin(self, plan: RunPlan, kind: str, classes: int) -> None:
        """Begin the curves of a run. classes: of its data, 0 if that is not known."""
        if self._study:
            self.clear()
        self.conclusion.clear()
        self._context = self._finished = self._model = None
        self._continued, self._changes = None, []
        self._parameters = KeptParameters()
        self._offer_replay(False)
        if kind != self.epochs.kind:
            for plot in self.curves.both:
                plot.forget()
            self._kept = []
        else:
            self._keep_run()
        self.plots.show_kind(kind)
        self._shown = plan.settings, plan.data
        self._words = network_in_words(plan.parsed)
        guess = log(classes) if classes and plan.settings.loss == "cross-entropy" else 0.0
        self.curves.start_run(plan.settings.epochs, guess)
        self.epochs.begin(kind)
        self._show_last_epoch()
        self._show_kept()
        self.shown_changed.emit()

    def _keep_run(self) -> None:
        """Keep the curves of the run that is shown beside those of the next one."""
        if self._shown is None or not any(
            len(curve) > 1 for curve in self.plots.loss_plot.run.curves.values()
        ):
            return
        used = {kept.series for kept in self._kept[1 - MAX_KEPT :]}
        series = self.plots.accuracy_plot.run.series  # a run in one color keeps it
        if series is None:
            series = next(series for series in _KEPT_SERIES if series not in used)
        loss, accuracy = (plot.run.as_other("", series) for plot in self.curves.both)
        source = source_of(*self._shown)
        title = run_title(*self._shown)
        score = nan if self._reached is None else self._reached.test_score
        kept = KeptRun(source, title, score, self.result.score.text(), series, (loss, accuracy))
        self._kept = [*self._kept, kept][-MAX_KEPT:]

    def _show_kept(self) -> None:
        """Show the kept runs in the plots and as buttons that remove them; each is named by what differs."""
        sources = [kept.source for kept in self._kept]
        sources = [*sources, source_of(*self._shown)] if self._shown else sources
        names = in_plain_words(short_names(sources), {str(source["network"]) for source in sources})
        names = names_of_kept(names, len(self._kept))
        for plot, index in zip(self.curves.both, (0, 1), strict=True):
            name = names[-1] if self._kept and self._shown else ""
            plot.name_run(self.display.name or name, self.display.series)
            curves = zip(self._kept, names, strict=False)
            plot.show_kept([replace(kept.curves[index], name=name) for kept, name in curves])
        self._chips.show_runs(self._kept, names)
        is_compared = any(plot.others.compared for plot in self.curves.both)
        self._chips.setVisible(bool(self._kept) and not is_compared)
        self._show_run_line()

    def _drop(self, kept: KeptRun) -> None:
        self._kept.remove(kept)
        self._show_kept()
        self.plots.zoom.fit()

    def clear(self) -> None:
        """Remove the curves, the table and the name of the run; the plots follow the next one."""
        self.plots.zoom.follow(True)
        self.curves.clear()
        self._shown = None
        self._kept = []
        self._study = self._model = None
        self._parameters = KeptParameters()
        self._offer_replay(False)
        self.conclusion.clear()
        self.epochs.begin(self.epochs.kind)
        self._show_last_epoch()
        self._show_kept()
        self.curves.redraw(hidden=True)
        self.shown_changed.emit()

    def show_plan(self, plan: RunPlan | None, kind: str) -> None:
        """Say whether the plots show a run with other settings than `plan`, which is for data of this kind."""
        self._plan = plan
        if self._shown is None:
            self.plots.show_kind(kind)
        self._show_run_line()

    def _show_run_line(self) -> None:
        """Name the run that is shown, and say whether the settings above the stage are others by now."""
        exact = run_title(*self._shown, in_short=theme().presenting) if self._shown else ""
        text = exact
        if self._shown and theme().presenting:
            text = in_plain_words([exact], [self._shown[0].network])[0]
        elif self._shown and self._words:
            text = plain_title(self._words, *self._shown)
        if self._study:
            varied = [name for name in self._study.vary if name != "seed"]
            source = source_of(self._study.plan.settings, self._study.plan.data)
            names = ("network", "data", "optimizer", "learning_rate", "epochs")
            same = ", ".join(short_value(name, source[name]) for name in names if name not in varied)
            exact = same
            same = in_plain_words([same], [str(source["network"])])[0]
            text = self.tr("{setting} compared: {settings}")
            text = text.format(settings=same, setting=", ".join(map(setting_title, varied)))
        text = self.display.line or text
        series = None if self._shown is None else self.plots.accuracy_plot.run.series or 0
        self.result.show_run(text, exact, series)
        # During a run only the rate can change, and that belongs to the run.
        learns = self._context is not None and self._finished is None
        notes = self._shown is not None and self.display.notes_changes and not learns
        self.result.show_changed(notes and not self._shows_plan())

    def _shows_plan(self) -> bool:
        """Whether the run that is shown has the settings above the stage."""
        if self._plan is None or self._shown is None:
            return False
        return _comparable(self._plan.settings, self._plan.data) == _comparable(*self._shown)

    def _show_last_epoch(self, until: int | None = None) -> None:
        """The result, and the last row of the table in one line; `until`: of the last epoch up to this one."""
        shown = [each for each in self.epochs.records if until is None or each.epoch <= until]
        last = shown[-1] if shown else None
        self._reached = self._kept_epoch() if until is None else last
        result = "" if self._reached is None else self._score(self._reached.test_score)
        where = ""
        if last is not None and self._shown:
            where = self.tr("of the test images, epoch {epoch} of {all}")
            if self.epochs.kind != "classes":
                where = self.tr("on the test set, epoch {epoch} of {all}")
            where = where.format(epoch=count(last.epoch), all=count(max(self._shown[0].epochs, last.epoch)))
            if self._reached is not None and self._reached is not last:
                where = self.tr("epoch {epoch}, kept as the best of {n}")
                where = where.format(epoch=count(self._reached.epoch), n=count(last.epoch))
        self.result.show_score(self.display.result or result, where)

    def _score(self, score: float) -> str:
        return percent(score) if self.epochs.kind == "classes" else f"R² {number(score)}"

    def add_records(self, records: list[Record]) -> None:
        for record in records:
            if isinstance(record, Finished):
                self._finished = record
                self._show_run_line()
            elif isinstance(record, StepsDone):
                self.curves.add_steps(record)
                if record.rate_change:
                    self._add_change(record.epoch, record.rate_change)
        done = [record for record in records if isinstance(record, EpochDone)]
        for record in done:
            self._parameters.add(record.epoch, record.checkpoint.parameters)
        self._add_epochs([record.numbers for record in done])
        if self._finished is not None:
            self._show_last_epoch()

    def _add_change(self, epoch: int, change: RateChange) -> None:
        """The rate was changed: name the run so. Of several changes in one epoch the last counts."""
        self._changes = [known for known in self._changes if known[0] != epoch] + [(epoch, change)]
        if self._shown:
            settings, data = self._shown
            known = parse_rate_changes(settings.rate_changes)
            if change not in known:
                text = format_rate_changes([each for each in known if each.step < change.step] + [change])
                self._shown = settings.change(rate_changes=text), data
        self._show_kept()

    def show_history(self, epochs: list[Epoch]) -> None:
        """Show the epochs of a saved run, or those before it is continued."""
        if self._context is not None and epochs:
            self._continued = epochs[-1]
            self._kept = [kept for kept in self._kept if not kept.ends_with(epochs[-1])]
            self._show_kept()
        self.curves.add_history(epochs)
        self._add_epochs(epochs)

    def _add_epochs(self, epochs: list[Epoch]) -> None:
        self.curves.add_epochs(epochs)
        self.epochs.add(epochs)
        if epochs:
            self._show_last_epoch()
        # One of several runs that are compared has no best epoch of its own.
        if self.epochs.best is not None and not self.display.name:
            self.curves.mark_best(self.epochs.records[self.epochs.best])

    def show_snapshot(self, model: Model, epoch_ended: bool) -> None:
        self._model = model

    def set_paused(self, paused: bool) -> None:
        """Draw the plots, and offer the replay of a run that is paused."""
        self._offer_replay(paused)
        self.curves.set_paused(paused)

    def end_run(self) -> None:
        self.curves.end_run()
        self.set_paused(True)
        if self.display.concludes:
            self._conclude()

    def _conclude(self) -> None:
        """Say what the run has shown, and what to do next."""
        last = self._kept_epoch()
        if last is None or self._context is None or self._model is None or self._shown is None:
            return
        dataset = self._context.dataset
        before = None
        if self._kept and not isnan(self._kept[-1].score) and self._kept[-1].source["data"] == self._shown[1]:
            sources = [self._kept[-1].source, source_of(*self._shown)]
            names = in_plain_words(short_names(sources), {str(source["network"]) for source in sources})
            name = names[0] or self.tr("with the same settings")
            before = name, self._kept[-1].score
        links = next_steps(dataset.kind, last, len(dataset.test), compares=self.display.compares)
        text = run_text(
            last, dataset, before, ending=self._ending(last), changes=changes_text(self._changes),
            continued=self._continued,
        )  # fmt: skip
        diverged = self._finished is not None and self._finished.reason == "diverged"
        self.conclusion.conclude_run(text, links, self._model, dataset, diverged)

    def _kept_epoch(self) -> Epoch | None:
        """The epoch whose parameters the run has kept; None before the first."""
        last = self.epochs.records[-1] if self.epochs.records else None
        best = best_epoch(self.epochs.records)
        if self._shown is None or self._shown[0].patience is None or best is None:
            return last
        if self._context is None:  # a run of the library: its network has the score of its epoch
            has_ended = self._model is not None and self._model.test_score == best.test_score
        else:
            has_ended = self._finished is not None
        return best if has_ended else last

    def _ending(self, kept: Epoch) -> str:
        """Why this is not what the planned last epoch has reached, as a part of a sentence; empty if it is."""
        assert self._shown is not None
        reason = self._finished.reason if self._finished else "stopped"
        is_last = kept is self.epochs.records[-1]
        return ending_text(reason, kept.epoch, is_last, self.curves.until, self._shown[0].epochs)

    # -- replay ---------------------------------------------------------------------------------------------

    def show_saved(self, plan: RunPlan, epochs: list[Epoch], model: Model) -> None:
        """Show a run of the library; its replay has the epochs of which its folder keeps the parameters."""
        self._begin(plan, model.kind, len(model.classes))
        self._model = model
        self._words = network_in_words(model.network)
        self._show_run_line()
        self.show_history(epochs)
        for epoch, parameters in kept_of(model):
            self._parameters.add(epoch, parameters)
        self.curves.end_run()
        self.set_paused(True)
        last = self._kept_epoch()
        if last is not None and self.display.concludes:
            links = next_steps(model.kind, last, None, compares=self.display.compares)
            self.conclusion.say(saved_text(last, model.kind), links)

    def _offer_replay(self, offered: bool) -> None:
        """Offer to go through the epochs of the run, from its end, or not."""
        self.plots.replay.offer(self._model if offered else None, self._parameters.epochs)

    # -- studies --------------------------------------------------------------------------------------------

    def show_study(
        self,
        spec: StudySpec,
        runs: list[StudyRun],
        active: bool,
        load: Callable[[str, Progress | None], Dataset],
    ) -> None:
        """Show the runs of a study, of a long one the last, in place of a run.

        active: whether they are still being trained. load: reads the data set of this name.
        """
        if not (runs or active):  # it could not be begun
            self.clear()
            return
        if self._study is None or self._study.name != spec.name:
            self.clear()
            self._study = spec
            self._show_run_line()
            self.shown_changed.emit()
        groups = plain_groups(groups_of(spec, runs), {str(run.values.get("network", "")) for run in runs})
        last = groups[-MAX_OTHERS:]
        plans = [spec.plan_of(run.values) for group in last for run in group.runs]
        planned = max((plan.settings.epochs for plan in plans), default=spec.plan.settings.epochs)
        factor = 100.0 if self.epochs.kind == "classes" else 1.0
        loss = comparison_curves(last, "test_loss", 1.0)
        score = comparison_curves(last, "test_score", factor)
        until = max((len(run.epochs) for run in runs), default=0)
        self.curves.show_comparison(loss, score, planned, until, active=active)
        if active and not any(run.epochs for run in runs):
            self.curves.redraw()
            text = self.tr("Preparing {study}: the first curves appear after the first epoch.")
            self.conclusion.say(text.format(study=spec.name), [self._stop_link()])
        elif active:
            self.curves.update_if_due()
            epochs = sum(len(run.epochs) for run in runs)
            text = self.tr("Training {study}: {epochs} epochs, {n} of {all} runs have ended.", None, epochs).format(
                study=spec.name, epochs=count(epochs),
                n=count(sum(run.has_ended for run in runs)), all=count(spec.runs),
            )  # fmt: skip
            self.conclusion.say(text, [self._stop_link()])
        else:
            self.curves.redraw()
            self.conclusion.conclude_study(spec, groups, load)

    def _stop_link(self) -> Link:
        return "stop", self.tr("Stop"), self.tr("Stop the study; it can be continued under Compare.")

    def update_if_due(self) -> None:
        self.curves.update_if_due()

    def _on_pointed(self, shown: bool) -> None:
        """The values at the pointer take the place of the name of the run."""
        self.result.run_line.setVisible(not shown)

    def export_plots(self, path: Path) -> None:
        """Write the plots that are shown, with run and result, as SVG, or as PNG at twice the size on the screen."""
        parts = (self.result.run_line.text(), self.result.score.text())
        heading = ": ".join(filter(None, parts))
        self.plots.export(path, heading)


def _comparable(settings: RunSettings, data: str) -> tuple[RunSettings, str]:
    """What a run is, without where its schedule began: that follows from how it was continued."""
    return settings.change(schedule_epochs=""), data
