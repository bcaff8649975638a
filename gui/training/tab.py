"""The training tab: one plot of accuracy or loss while a network trains, which run it shows, and
its epochs.
"""

from collections.abc import Callable, Sequence
from copy import copy
from math import isnan, log

from PySide6.QtCore import Signal

from core.data.dataset import Dataset
from core.inference.model_file import Model
from core.progress import Progress
from core.runs.folder import RunFolder, kept_of
from core.runs.names import short_names, short_value
from core.runs.plan import RunContext, RunPlan
from core.studies.conclusion import groups_of
from core.studies.spec import StudySpec
from core.studies.study import StudyRun
from core.training.records import (
    Epoch,
    EpochDone,
    Finished,
    Point,
    Record,
    StepsDone,
)
from gui.runs.rows import setting_title
from gui.runs.verdict import comparison_curves, plain_groups
from gui.text import count
from gui.training.conclusion import (
    Conclusion,
    Statement,
    next_steps,
    run_text,
    saved_text,
)
from gui.training.epoch_table import EpochModel, EpochTable
from gui.training.kept_runs import KeptRuns
from gui.training.plots import SHOWN, RunPlots
from gui.training.result import RunResult
from gui.training.shown import (
    Display,
    changes_text,
    hint_of,
    network_in_words,
    score_text,
    source_of,
)
from gui.training.shown_run import EarlierRuns, ShownRun
from gui.widgets.make import row
from gui.widgets.plots.other_curves import MAX_OTHERS
from gui.widgets.tab import Tab
from gui.widgets.theme import theme
from gui.words import in_plain_words


class TrainingTab(Tab):
    """The band of the tab Training: receives the records of a run and redraws at intervals.

    shown_changed: another run, none, or other next steps are shown. replay: the slider of the
    epochs.
    """

    shown_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.epochs = EpochModel(self)
        self._chips = KeptRuns()
        self.plots = RunPlots(self._chips, EpochTable(self.epochs))
        self.curves = self.plots.curves
        self.plots.replay.moved.connect(self._show_moment)
        self.display = Display()
        self._run: ShownRun | None = None
        self._earlier = EarlierRuns(self.curves)
        self._chips.removed.connect(self._earlier.drop)
        self._chips.removed.connect(self._show_kept)
        self._chips.removed.connect(self.plots.zoom.fit)
        self._plan: RunPlan | None = None  # of the settings panel
        self._reached: Epoch | None = None  # the epoch whose result stands above the plots
        self._study: StudySpec | None = None  # the study that is shown in place of a run
        self.is_preparing = False  # the data or the device of a run
        self.conclusion = Conclusion()
        self.conclusion.changed.connect(self.shown_changed)
        self.result = RunResult(self.conclusion)
        # The values at the pointer take its place.
        self.plots.pointed.connect(self.result.run_line.setHidden)
        # From left to right: the result, the plot, and what to do next.
        row(self.result, (self.plots, 1), self.conclusion.next_steps, owner=self, spacing=32)
        self.plots.reset_layout()
        self._show_last_epoch()
        theme().changed.connect(self._show_kept)  # in its new color
        theme().changed.connect(self.curves.redraw)

    @property
    def has_shown(self) -> bool:
        """Whether there is a run or a study to show."""
        return self._run is not None or self._study is not None

    @property
    def shows_comparison(self) -> bool:
        """Whether several values of a setting are shown in place of a run."""
        return self._study is not None

    @property
    def shown_name(self) -> str:
        """What people call the run or the study that is shown; empty for none."""
        if self._study is not None:
            return self._study.name
        return "" if self._run is None else self._run.words or self._run.exact_line

    def result_of(self, plan: RunPlan | None) -> str:
        """What the run that is shown has reached, where it has these settings; else an empty
        text.
        """
        run = self._run
        if run is None or self._reached is None or not run.has_settings_of(plan):
            return ""
        return score_text(self._reached.test_score, self.epochs.kind)

    @property
    def has_result(self) -> bool:
        """Whether there is a result beside the plot; a step of a lab that explains its runs shows
        it in its text.
        """
        return self.has_shown and self.display.concludes

    def set_widths(self, result: int, next_steps: int) -> None:
        """The widths of the columns beside the plot in pixels; 0 hides one. Then the result is
        above the plot.
        """
        for part, width in ((self.result, result), (self.conclusion.next_steps, next_steps)):
            part.setVisible(width > 0)
            if width > 0:
                part.setFixedWidth(width)
        if not theme().presenting:
            above_plots = result == 0 and self.has_result
            self.result.place_score(self.plots.head_row if above_plots else None)

    def set_preparing(self, on: bool) -> None:
        """Let the result of the run before step back while the next one is prepared."""
        self.is_preparing = on
        self.conclusion.say_instead(("", []) if on else None)
        self.set_display(self.display)

    def set_display(self, display: Display) -> None:
        """Show runs in this way from now on."""
        self.display = display
        for plot in self.curves.both:
            plot.hint.setText(hint_of(display, is_preparing=self.is_preparing))
        self._show_last_epoch()
        self._show_run_line()
        self.shown_changed.emit()

    def remember(self) -> Callable[[], None]:
        """A function that shows again what is shown now: curves, earlier runs, table, result,
        replay, sentence.
        """
        run = copy(self._run)
        study = self._study
        compared = self.epochs.compared
        earlier = self._earlier.runs
        records = [*self.epochs.records]
        kind = self.epochs.kind
        page = self.plots.chooser.currentIndex()
        moment = self.plots.replay.slider.value()
        can_replay = self.plots.replay.can_replay
        said = self.conclusion.said
        display = self.display
        put_plots_back = self.curves.remember()

        def put_back() -> None:
            self.clear()
            self.display = display
            self._run = run
            self._study = study
            self._earlier.runs = earlier
            self.plots.show_kind(kind)
            self.epochs.begin(kind)
            self.epochs.add(records)
            self.epochs.compared = compared
            put_plots_back()
            if self.epochs.best is not None and not display.name:
                self.curves.mark_best(self.epochs.records[self.epochs.best])
            if run is not None and can_replay:
                self.plots.replay.offer(run.model, run.parameters.epochs)
            self.conclusion.say(*said)
            self.plots.replay.slider.setValue(moment)
            self._show_kept()
            self.set_display(display)
            self.plots.show_plots(SHOWN[page])
            self.shown_changed.emit()

        return put_back

    def title(self) -> str:
        return self.tr("Training")

    # -- a run -------------------------------------------------------------------------------------

    def start_run(self, context: RunContext) -> None:
        """Begin new curves and a new table."""
        classes = len(getattr(context.dataset, "classes", ()))
        self._begin(ShownRun(context.plan, context.run_id, context), context.dataset.kind, classes)

    def _begin(self, run: ShownRun, kind: str, classes: int) -> None:
        """Begin the curves of a run. classes: of its data, 0 if that is not known."""
        if self._study:
            self.clear()
        self.conclusion.clear()
        self.plots.replay.offer()
        if kind != self.epochs.kind:
            for plot in self.curves.both:
                plot.forget()
            self._earlier.runs = []
        elif self._run is not None:
            reached = self._reached
            result = "" if reached is None else score_text(reached.test_score, kind)
            self._earlier.keep(self._run, reached, self.display.result or result)
        self.plots.show_kind(kind)
        self._run = run
        guess = log(classes) if classes and run.settings.loss == "cross-entropy" else 0.0
        self.curves.start_run(run.settings.epochs, guess)
        self.epochs.begin(kind)
        self._show_last_epoch()
        self._show_kept()
        self.shown_changed.emit()

    def _show_kept(self) -> None:
        """Show the kept runs in the plots and as buttons that remove them; each is named by what
        differs.
        """
        names = self._earlier.show(self._run, self.display)
        self._chips.show_runs(self._earlier.runs, names)
        is_compared = any(plot.others.compared for plot in self.curves.both)
        self._chips.setVisible(bool(self._earlier.runs) and not is_compared)
        self._show_run_line()

    def clear(self) -> None:
        """Remove the curves, the table and the name of the run; the plots follow the next one."""
        self.plots.zoom.follow(True)
        self.curves.clear()
        self._run = None
        self._earlier.runs = []
        self._study = None
        self.plots.replay.offer()
        self.conclusion.clear()
        self.epochs.begin(self.epochs.kind)
        self._show_last_epoch()
        self._show_kept()
        self.curves.redraw(hidden=True)
        self.shown_changed.emit()

    def show_plan(self, plan: RunPlan | None, kind: str) -> None:
        """Say whether the plots show a run with other settings than `plan`, which is for data of
        this kind.
        """
        self._plan = plan
        self.conclusion.show_plan(plan)
        if self._run is None:
            self.plots.show_kind(kind)
        self._show_run_line()

    def _show_run_line(self) -> None:
        """Name the run that is shown, and say whether the settings above the stage are others by
        now.
        """
        run = self._run
        exact = "" if run is None else run.exact_line
        text = "" if run is None else run.plain_line
        if self._study:
            varied = [name for name in self._study.vary if name != "seed"]
            source = source_of(self._study.plan.settings, self._study.plan.data)
            names = ("network", "data", "optimizer", "learning_rate", "epochs")
            same = ", ".join(
                short_value(name, source[name]) for name in names if name not in varied
            )
            exact = same
            same = in_plain_words([same], [str(source["network"])])[0]
            text = self.tr("{setting} compared: {settings}")
            text = text.format(settings=same, setting=", ".join(map(setting_title, varied)))
        text = self.display.line or text
        series = None if run is None else self.plots.accuracy_plot.run.series or 0
        self.result.show_run(text, exact, series)
        # During a run only the rate can change, and that belongs to the run.
        notes = (
            run is not None
            and self.display.notes_changes
            and not run.learns
            and not self.is_preparing
        )
        self.result.show_changed(run is not None and notes and not run.has_settings_of(self._plan))

    def _show_last_epoch(self, until: int | None = None) -> None:
        """The result, and the last row of the table in one line; `until`: of the last epoch up to
        this one.
        """
        shown = [each for each in self.epochs.records if until is None or each.epoch <= until]
        last = shown[-1] if shown else None
        self._reached = last
        if until is None and self._run is not None:
            self._reached = self._run.kept_epoch(self.epochs.records)
        result = (
            "" if self._reached is None else score_text(self._reached.test_score, self.epochs.kind)
        )
        where = ""
        if self.is_preparing:
            result = ""
        elif last is not None and self._run is not None:
            where = self.tr("of the test images, epoch {epoch} of {all}")
            if self.epochs.kind != "classes":
                where = self.tr("on the test set, epoch {epoch} of {all}")
            where = where.format(
                epoch=count(last.epoch), all=count(max(self._run.settings.epochs, last.epoch))
            )
            if self._reached is not None and self._reached is not last:
                where = self.tr("epoch {epoch}, kept as the best of {n}")
                where = where.format(epoch=count(self._reached.epoch), n=count(last.epoch))
        self.result.show_score(self.display.result or result, where)

    def add_records(self, records: list[Record]) -> None:
        for record in records:
            if isinstance(record, Finished) and self._run is not None:
                self._run.finished = record
                self._show_run_line()
            elif isinstance(record, StepsDone):
                self.curves.add_steps(record)
                if record.rate_change and self._run is not None:
                    self._run.add_change(record.epoch, record.rate_change)
                    self._show_kept()
        # All at once: several epochs of a small network may end within a tick.
        done = [record for record in records if isinstance(record, EpochDone)]
        for record in done:
            if self._run is not None:
                self._run.parameters.add(record.epoch, record.checkpoint.parameters)
        self._add_epochs([record.numbers for record in done])
        if self._run is not None and self._run.finished is not None:
            self._show_last_epoch()

    def show_history(self, epochs: Sequence[Epoch], batches: Sequence[Point]) -> None:
        """Show the epochs and batches of a saved run, or those before it is continued."""
        # Only a run that trains continues another one; one of the library is shown whole.
        if self._run is not None and self._run.context is not None and epochs:
            self._run.continued = epochs[-1]
            self._earlier.drop_continued(epochs[-1])
            self._show_kept()
        self.curves.add_history(epochs, batches)
        self._add_epochs(epochs)

    def _add_epochs(self, epochs: Sequence[Epoch]) -> None:
        self.curves.add_epochs(epochs)
        self.epochs.add(epochs)
        if epochs:
            self._show_last_epoch()
        # One of several runs that are compared has no best epoch of its own.
        if self.epochs.best is not None and not self.display.name:
            self.curves.mark_best(self.epochs.records[self.epochs.best])

    def show_snapshot(self, model: Model, epoch_ended: bool) -> None:
        if self._run is not None:
            self._run.model = model

    def set_paused(self, paused: bool) -> None:
        """Draw the plots, and offer the replay of a run that is paused."""
        if paused and self._run is not None:
            self.plots.replay.offer(self._run.model, self._run.parameters.epochs)
        else:
            self.plots.replay.offer()
        self.curves.set_paused(paused)

    def end_run(self) -> None:
        self.curves.end_run()
        self.set_paused(True)
        if self.display.concludes:
            self._conclude()

    def _conclude(self) -> None:
        """Say what the run has shown, and what to do next."""
        run = self._run
        last = None if run is None else run.kept_epoch(self.epochs.records)
        if run is None or last is None or run.context is None or run.model is None:
            return
        dataset = run.context.dataset
        before = None
        earlier = self._earlier.runs[-1] if self._earlier.runs else None
        if earlier is not None and not isnan(earlier.score) and earlier.source["data"] == run.data:
            sources = [earlier.source, run.source]
            names = in_plain_words(
                short_names(sources), {str(source["network"]) for source in sources}
            )
            name = names[0] or self.tr("with the same settings")
            before = name, earlier.score
        links = next_steps(dataset.kind, last, len(dataset.test), compares=self.display.compares)
        text = run_text(
            last, dataset, before, ending=run.ending(last, self.epochs.records, self.curves.until),
            changes=changes_text(run.changes), continued=run.continued,
        )  # fmt: skip
        diverged = run.finished is not None and run.finished.reason == "diverged"
        self.conclusion.conclude_run(text, links, run.model, dataset, diverged)

    # -- replay ------------------------------------------------------------------------------------

    def _show_moment(self, epoch: int | None) -> None:
        """Let the result, the sentence and its links speak of this epoch; None: of the end."""
        self._show_last_epoch(epoch)
        if not self.is_preparing:
            self.conclusion.say_instead(None if epoch is None else self._statement_of_moment())

    def _statement_of_moment(self) -> Statement:
        """What the epoch reached that is replayed; nothing at the random start, or where nothing is
        said of the end.
        """
        run = self._run
        reached = self._reached
        if run is None or reached is None or not self.conclusion.said[0]:
            return "", []
        moment = self.tr("After epoch {n}").format(n=count(reached.epoch))
        dataset = None if run.context is None else run.context.dataset
        if dataset is None:
            text = f"{moment}: {saved_text(reached, self.epochs.kind)}"
        else:
            text = run_text(reached, dataset, ending=moment)
        examples = None if dataset is None else len(dataset.test)
        return text, next_steps(self.epochs.kind, reached, examples, compares=self.display.compares)

    def show_saved(self, folder: RunFolder, plan: RunPlan, model: Model) -> None:
        """Show a run of the library; its replay has the epochs of which its folder keeps the
        parameters.
        """
        run = ShownRun(plan, folder.path.name)
        run.model = model
        run.words = network_in_words(model.network)
        self._begin(run, model.kind, len(model.classes))
        self.show_history(folder.read_history(), folder.batches.read())
        for epoch, parameters in kept_of(model):
            run.parameters.add(epoch, parameters)
        self.curves.end_run()
        self.set_paused(True)
        last = run.kept_epoch(self.epochs.records)
        if last is not None and self.display.concludes:
            links = next_steps(model.kind, last, None, compares=self.display.compares)
            self.conclusion.say(saved_text(last, model.kind), links)

    # -- studies -----------------------------------------------------------------------------------

    def show_study(
        self,
        spec: StudySpec,
        runs: list[StudyRun],
        active: bool,
        load: Callable[[str, Progress], Dataset],
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
        groups = plain_groups(
            groups_of(spec, runs), {str(run.values.get("network", "")) for run in runs}
        )
        self.epochs.compared = groups
        last = groups[-MAX_OTHERS:]
        plans = [spec.plan_of(run.values) for group in last for run in group.runs]
        planned = max((plan.settings.epochs for plan in plans), default=spec.plan.settings.epochs)
        factor = 100.0 if self.epochs.kind == "classes" else 1.0
        loss = comparison_curves(last, "test_loss", 1.0)
        score = comparison_curves(last, "test_score", factor)
        begun = [run.begun[-1][0] for run in runs if run.begun]
        until = max([0, *begun, *(len(run.epochs) for run in runs)])
        self.curves.show_comparison(loss, score, planned, until, active=active)
        if active and not any(run.epochs for run in runs):
            self.curves.update_if_due()
            text = self.tr("Preparing {study}…")
            if begun:
                text = self.tr("Training {study}: in the first epoch the curves are of training.")
            self.conclusion.say(text.format(study=spec.name))
        elif active:
            self.curves.update_if_due()
            epochs = sum(len(run.epochs) for run in runs)
            # How many runs have ended is said at the progress.
            text = self.tr("Training {study}: {epochs} epochs so far.", None, epochs)
            text = text.format(study=spec.name, epochs=count(epochs))
            self.conclusion.say(text)
        else:
            self.curves.redraw()
            self.conclusion.conclude_study(spec, groups, load)

    def update_if_due(self) -> None:
        self.curves.update_if_due()
