"""The training tab: one plot of accuracy or loss while a network trains, which run it shows, and its epochs."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import ceil, isnan, log, nan
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QSplitter, QToolButton, QWidget

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
from gui.runs.verdict import comparison_curves
from gui.text import count, number, percent
from gui.training.conclusion import Conclusion, Link, mistakes, run_text
from gui.training.epoch_table import EpochModel, EpochTable
from gui.training.replay import Replay
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
from gui.widgets.basics import NO_LIMIT, named, note, set_message
from gui.widgets.make import FlowLayout, action, button, column, label, row
from gui.widgets.pictures import series_icon
from gui.widgets.plots.curve import StepBins
from gui.widgets.plots.live_plot import LivePlot
from gui.widgets.plots.other_curves import MAX_OTHERS
from gui.widgets.plots.plot import export_plots, series_color
from gui.widgets.tab import PageChooser, Tab
from gui.widgets.theme import theme
from gui.words import explain, with_words

# At least 8 redraws per second; but redrawing takes at most this fraction of the time, which training needs.
REDRAW_SECONDS = 0.105
MAX_REDRAW_FRACTION = 0.1
# Pixels, at the least: room for curves, and for the heading and one row of the table. They fit a window of 640 by 320
# pixels: a screen of 1280 by 720 at 200 %.
_PLOT_HEIGHT = 62
_TABLE_HEIGHT = 58
SHOWN = ("accuracy", "loss", "both")
MAX_KEPT = 3  # earlier runs in the plot
_CHIP_WIDTH = 110  # pixels at a text size of 100 %: of the name of an earlier run
_KEPT_SERIES = (3, 4, 5)  # 0 to 2 are training, test and validation


class TrainingTab(Tab):
    """The band of the tab Training: receives the records of a run and redraws at intervals.

    shown_changed: another run, none, or other next steps are shown. replay: the slider of the epochs.
    """

    shown_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.loss_plot = LivePlot(self.tr("loss"), "lossPlot")
        self.accuracy_plot = LivePlot(self.tr("accuracy, %"), "accuracyPlot", percent=True)
        self._plots = (self.loss_plot, self.accuracy_plot)
        self.epochs = EpochModel(self)
        self.table = EpochTable(self.epochs)
        self._bins = StepBins()
        self._until = 0.0
        self.display = Display()
        self._changed = self._paused = False
        self._next_draw = 0.0
        # Settings and data of the run whose curves are shown, and the plan of the settings panel.
        self._shown: tuple[RunSettings, str] | None = None
        self._words = ""  # its layers, as the stage calls them
        self._plan: RunPlan | None = None
        self._kept: list[KeptRun] = []
        self._context: RunContext | None = None
        self._finished: Finished | None = None
        self._reached: Epoch | None = None  # the epoch whose result stands above the plots
        self._continued: Epoch | None = None  # the last epoch before the run was continued
        self._changes: list[
            tuple[int, RateChange]
        ] = []  # of the rate while the run trained, with their epochs
        self._model: Model | None = None  # the newest of the run
        self._parameters = KeptParameters()
        self._study: StudySpec | None = None  # the study that is shown in place of a run
        self.conclusion = Conclusion()
        self.conclusion.changed.connect(self.shown_changed)
        self._make_actions()
        self._lay_out()
        self.reset_layout()
        self.show_plots("accuracy")
        self._show_last_epoch()
        self.loss_plot.setToolTip(explain("loss, training images, test images, validation"))
        self.accuracy_plot.setToolTip(explain("accuracy, training images, test images"))
        for plot in self._plots:
            plot.zoomed.connect(partial(self._on_zoomed, plot))
            plot.fitted.connect(self.fit)
            plot.pointed.connect(partial(self._show_values, plot))
        theme().changed.connect(self._on_theme)

    def _make_actions(self) -> None:
        """The commands of the plots, which the menu View shows."""
        tip = self.tr(
            "Show loss and error on a logarithmic axis, on which small differences at the end are seen."
        )
        self.log_action = action(self, self.tr("L&ogarithmic"), keys=("Ctrl+L",), tip=tip)
        self.log_action.toggled.connect(self._set_logarithmic)
        self.log_action.setCheckable(True)
        tip = self.tr("Show where the curve ends, enlarged, instead of the whole run.")
        self.zoom_action = action(self, self.tr("&Zoom to the end"), keys=("Ctrl+Shift+L",), tip=tip)
        self.zoom_action.setCheckable(True)
        self.zoom_action.toggled.connect(self._set_last_only)
        tip = self.tr("Show the numbers of every epoch below the plot.")
        self.table_action = action(
            self, self.tr("&Table of epochs"), "tableAction", keys=("Ctrl+T",), tip=tip
        )
        self.table_action.setCheckable(True)
        self.table_action.toggled.connect(self._show_table)
        tip = self.tr("Show loss and accuracy, one below the other.")
        self.both_action = action(
            self, self.tr("Accuracy and l&oss"), "bothAction", keys=("B", "Ctrl+J"), tip=tip
        )
        self.both_action.triggered.connect(self._show_both)

    def _lay_out(self) -> None:
        """From left to right: the result, the plot, and what to do next."""
        self._result_part = self._make_result()
        self._plot_part = self._make_plot()
        self._next_part = self.conclusion.next_steps
        row(self._result_part, (self._plot_part, 1), self._next_part, owner=self, spacing=32)

    def _make_result(self) -> QWidget:
        tr = self.tr
        self.readout = label("", "plotReadout", "muted", wraps=False)
        self.readout.setToolTip(tr("The values of the curves at the pointer."))
        self.readout.hide()
        self.result = label("", "plotResult", "result", wraps=False)
        self.result.setToolTip(
            tr(
                "The accuracy on the test set, which it has not learned from: of the last epoch, or of the best one "
                "where a run with patience keeps its network."
            )
        )
        self.run_line = label("", "plotRun", "caption")
        self.mark = label("", "plotMark")
        self.mark.setToolTip(tr("The color of this run's curve on the test set."))
        self.epoch_line = label("", "plotEpoch", "muted")
        self.epoch_line.setToolTip(explain("epoch"))
        self.changed_note = note(name="plotChanged")
        self.changed_note.setToolTip(tr("Train shows what the new settings do, beside this run."))
        self.progress_part = QWidget()
        self.progress = column(owner=self.progress_part, spacing=6)  # the window fills it
        self._desk_parts: list[QWidget] = [self.epoch_line]  # hidden in presenter mode
        self._result_row = row(self.mark, self.result, None, spacing=10)
        part = QWidget()
        parts = (
            self._result_row, self.epoch_line, self.run_line, self.changed_note,
            self.conclusion, None,
        )  # fmt: skip
        self._result_column = column(*parts, owner=part, spacing=8)
        self.place_progress()
        return part

    def place_progress(self) -> None:
        """Show the progress of a run below its result."""
        self._result_column.insertWidget(1, self.progress_part)

    def _make_plot(self) -> QWidget:
        tr = self.tr
        self._chips = QWidget()
        self._chip_row = FlowLayout(spacing=6)
        self._chips.setLayout(self._chip_row)
        self.chooser = PageChooser("plotChooser", tr("Which plot is shown"))
        self.chooser.add_page(
            tr("Accuracy, %"), tr("The share of the images that is read right, by epoch."), tr("Accuracy")
        )
        self.chooser.add_page(tr("Loss"), tr("What training minimizes: how wrong the answers are, by epoch."))
        self.chooser.add_page(tr("Both"), tr("Loss and accuracy, one below the other."))
        self.chooser.currentChanged.connect(lambda index: self.show_plots(SHOWN[index]))
        self.chooser.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        tip = tr("Show where the curve ends, enlarged; press again for the whole run.")
        self.zoom_button = button(tr("Zoom to the end"), "zoomButton", tip, self._zoom_or_fit)
        self.zoom_button.hide()
        self._head = QWidget()
        self._head_row = row(self._chips, None, self.readout, self.zoom_button, owner=self._head, spacing=12)
        self.splitter = named(QSplitter(Qt.Orientation.Vertical), "plotSplitter")
        for widget in (*self._plots, self.table):
            self.splitter.addWidget(widget)
            widget.setMinimumHeight(_TABLE_HEIGHT if widget is self.table else _PLOT_HEIGHT)
        self.splitter.setChildrenCollapsible(False)
        self.table.hide()  # until its command is given
        self.replay = Replay()
        self.replay.moved.connect(self._draw_until)
        part = QWidget()
        self._plot_column = column(self._head, (self.splitter, 1), owner=part, spacing=4)
        self._frame: tuple[QWidget, ...] = ()
        self.place_switches()
        return part

    def place_switches(self) -> None:
        """Put the choice of the plot above it, and the replay below."""
        self._head_row.insertWidget(0, self.chooser)
        below = self._plot_column.indexOf(self.splitter) + 1
        self._plot_column.insertWidget(below, self.replay)
        both = SHOWN.index("both")
        self.chooser.setTabVisible(both, self.chooser.currentIndex() == both)

    def frame_plot(self, *frame: QWidget) -> None:
        """Show a widget above the plot, in place of its switches, and one below it; without widgets as usual."""
        for part in self._frame:
            part.hide()
            part.deleteLater()
        self._frame = frame
        self._head.setHidden(bool(frame))
        self.chooser.setHidden(bool(frame))
        self._show_titles()
        if frame:
            above, below = frame
            self._plot_column.insertWidget(0, above)
            self._plot_column.addWidget(below)

    def _show_titles(self) -> None:
        """Name the values above the axis where the chosen switch does not."""
        is_named = not self._frame
        for plot, page in zip((self.accuracy_plot, self.loss_plot), SHOWN, strict=False):
            plot.show_title(not (is_named and SHOWN[self.chooser.currentIndex()] == page))

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
        for part, width in ((self._result_part, result), (self._next_part, next_steps)):
            part.setVisible(width > 0)
            if width > 0:
                part.setFixedWidth(width)
        if not theme().presenting:
            self.place_result(above_plot=result == 0 and self.has_result)

    def place_result(self, *, above_plot: bool = False) -> None:
        """Put the result of a run above the plot, or beside it."""
        place = self._head_row if above_plot else self._result_row
        if place.indexOf(self.result) < 0:
            index = 1 if above_plot else 0
            place.insertWidget(index, self.mark)
            place.insertWidget(index + 1, self.result)

    def _on_theme(self) -> None:
        """Show the run in its new color; in presenter mode without table and switches."""
        self._show_kept()
        for part in self._desk_parts:
            part.setHidden(theme().presenting)
        self.conclusion.setMaximumHeight(0 if theme().presenting else NO_LIMIT)
        self._changed = True
        self._draw()
        self._show_table(self.table_action.isChecked())

    def _show_table(self, shown: bool) -> None:
        self.table.setVisible(shown and not theme().presenting)

    def _show_both(self) -> None:
        """Show both plots, or the accuracy alone where both are shown."""
        self.show_plots("accuracy" if self.chooser.currentIndex() == SHOWN.index("both") else "both")

    def reset_layout(self) -> None:
        self.splitter.setSizes([230, 230, 170])
        self.table_action.setChecked(False)
        self.show_plots("accuracy")

    def show_plots(self, shown: str) -> None:
        """Show one of SHOWN."""
        index = SHOWN.index(shown)
        self.chooser.setTabVisible(SHOWN.index("both"), shown == "both")
        self.chooser.setCurrentIndex(index)
        self.loss_plot.setVisible(shown != "accuracy")
        self.accuracy_plot.setVisible(shown != "loss")
        self.loss_plot.set_upper(shown == "both")
        self._show_titles()
        self._changed = True
        self._draw()

    def set_display(self, display: Display) -> None:
        """Show runs in this way from now on."""
        self.display = display
        for plot in self._plots:
            hint = self.tr("Press Train: the curve appears here.") if display.hint is None else display.hint
            plot.set_hint(hint)
        self._show_last_epoch()
        self._show_run_line()
        self.shown_changed.emit()

    def remember(self) -> Callable[[], None]:
        """A function that shows again what is shown now: curves, earlier runs, table, result, replay, sentence."""
        bins, until, shown, study = self._bins, self._until, self._shown, self._study
        context, finished, model, parameters = self._context, self._finished, self._model, self._parameters
        kept, records, kind = [*self._kept], [*self.epochs.records], self.epochs.kind
        page = self.chooser.currentIndex()
        moment = self.replay.slider.value()
        said = self.conclusion.said()
        display, can_replay = self.display, self.replay.can_replay
        continued, changes = self._continued, self._changes
        words = self._words
        plots = [plot.remember() for plot in self._plots]

        def put_back() -> None:
            self.clear()
            self.display = display
            self._bins, self._until, self._shown, self._study = bins, until, shown, study
            self._context, self._finished, self._model = context, finished, model
            self._parameters = parameters
            self._kept, self._continued, self._changes = [*kept], continued, changes
            self._words = words
            self._show_kind(kind)
            self.epochs.begin(kind)
            self.epochs.add(records)
            for put_plot_back in plots:
                put_plot_back()
            if self.epochs.best is not None and not display.name:
                self._mark_best(self.epochs.records[self.epochs.best])
            self._offer_replay(can_replay)
            self.replay.slider.setValue(moment)
            self._show_kept()
            self.set_display(display)
            self.conclusion.say(*said)
            self.show_plots(SHOWN[page])
            self.shown_changed.emit()

        return put_back

    def bring_forward(self, plot: LivePlot) -> None:
        """Show this plot, alone or below the other."""
        if not plot.isVisibleTo(self):
            self.show_plots("loss" if plot is self.loss_plot else "accuracy")

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
            for plot in self._plots:
                plot.forget()
            self._kept = []
        else:
            self._keep_run()
        self._show_kind(kind)
        self._shown = plan.settings, plan.data
        self._words = network_in_words(plan.parsed)
        guess = log(classes) if classes and plan.settings.loss == "cross-entropy" else 0.0
        for plot in self._plots:
            plot.start_run(plan.settings.epochs, guess)
        self._bins = StepBins()
        self._until = 0.0
        self.epochs.begin(kind)
        self._show_last_epoch()
        self._show_kept()
        self.shown_changed.emit()

    def _keep_run(self) -> None:
        """Keep the curves of the run that is shown beside those of the next one."""
        if self._shown is None or not any(len(curve) > 1 for curve in self.loss_plot.curves.values()):
            return
        used = {kept.series for kept in self._kept[1 - MAX_KEPT :]}
        series = self.accuracy_plot.series  # a run in one color keeps it
        if series is None:
            series = next(series for series in _KEPT_SERIES if series not in used)
        loss, accuracy = (plot.run_curve("", series) for plot in self._plots)
        source = source_of(*self._shown)
        title = run_title(*self._shown)
        score = nan if self._reached is None else self._reached.test_score
        kept = KeptRun(source, title, score, self.result.text(), series, (loss, accuracy))
        self._kept = [*self._kept, kept][-MAX_KEPT:]

    def _show_kept(self) -> None:
        """Show the kept runs in the plots and as buttons that remove them; each is named by what differs."""
        sources = [kept.source for kept in self._kept]
        names = short_names([*sources, source_of(*self._shown)] if self._shown else sources)
        names = names_of_kept(names, len(self._kept))
        for plot, index in zip(self._plots, (0, 1), strict=True):
            name = names[-1] if self._kept and self._shown else ""
            plot.name_run(self.display.name or name, self.display.series)
            curves = zip(self._kept, names, strict=False)
            plot.show_kept([replace(kept.curves[index], name=name) for kept, name in curves])
        while item := self._chip_row.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        for kept, name in zip(self._kept, names, strict=False):
            tip = self.tr("{run}: {result}. Press to remove it from the plot.").format(
                run=kept.title, result=kept.result
            )
            short = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, theme().px(_CHIP_WIDTH))
            chip = button(
                f"{short}   {kept.result}   ✕", "keptRun", tip, partial(self._drop, kept), kind=QToolButton
            )
            chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            chip.setIcon(series_icon(series_color(theme().colors, kept.series)))
            self._chip_row.addWidget(chip)
        self._chips.setVisible(bool(self._kept) and not any(plot.others.compared for plot in self._plots))
        self._show_run_line()

    def _drop(self, kept: KeptRun) -> None:
        self._kept.remove(kept)
        self._show_kept()
        self.fit()

    def clear(self) -> None:
        """Remove the curves, the table and the name of the run; the plots follow the next one."""
        self._follow(True)
        for plot in self._plots:
            plot.forget()
        self._bins = StepBins()
        self._until = 0.0
        self._shown = None
        self._kept = []
        self._study = self._model = None
        self._parameters = KeptParameters()
        self._offer_replay(False)
        self.conclusion.clear()
        self.epochs.begin(self.epochs.kind)
        self._show_last_epoch()
        self._show_kept()
        self._changed = True
        self._draw(hidden=True)
        self.shown_changed.emit()

    def show_plan(self, plan: RunPlan | None, kind: str) -> None:
        """Say whether the plots show a run with other settings than `plan`, which is for data of this kind."""
        self._plan = plan
        if self._shown is None:
            self._show_kind(kind)
        self._show_run_line()

    def _show_run_line(self) -> None:
        """Name the run that is shown, and say whether the settings above the stage are others by now."""
        exact = run_title(*self._shown, in_short=theme().presenting) if self._shown else ""
        text = exact
        if self._shown and self._words and not theme().presenting:
            text = plain_title(self._words, *self._shown)
        if self._study:
            varied = [name for name in self._study.vary if name != "seed"]
            source = source_of(self._study.plan.settings, self._study.plan.data)
            names = ("network", "data", "optimizer", "learning_rate", "epochs")
            same = ", ".join(short_value(name, source[name]) for name in names if name not in varied)
            text = self.tr("{setting} compared: {settings}")
            text = text.format(settings=same, setting=", ".join(map(setting_title, varied)))
        text = self.display.line or text
        self.run_line.setText(text)
        series = self.accuracy_plot.series
        color = series_color(theme().colors, series or 0)
        self.mark.setPixmap(series_icon(color).pixmap(theme().px(14)))
        self.mark.setVisible(self._shown is not None)
        if text:
            tip = self.tr("The run whose curves are shown: {run}.").format(run=exact or text)
            self.run_line.setToolTip(with_words(tip, f"{text} {exact}"))
        # During a run only the rate can change, and that belongs to the run.
        learns = self._context is not None and self._finished is None
        differs = (
            self._shown
            and self.display.notes_changes
            and not learns
            and (
                self._plan is None
                or _comparable(self._plan.settings, self._plan.data) != _comparable(*self._shown)
            )
        )
        set_message(self.changed_note, self.tr("The settings have changed since.") if differs else "")
        palette = self.changed_note.palette()
        palette.setColor(self.changed_note.foregroundRole(), QColor(theme().colors.notice))
        self.changed_note.setPalette(palette)

    def _show_last_epoch(self, until: int | None = None) -> None:
        """The result, and the last row of the table in one line; `until`: of the last epoch up to this one."""
        shown = [each for each in self.epochs.records if until is None or each.epoch <= until]
        last = shown[-1] if shown else None
        self._reached = self._kept_epoch() if until is None else last
        result = "" if self._reached is None else self._score(self._reached.test_score)
        self.result.setText(self.display.result or result)
        self.result.setVisible(bool(self.result.text()))
        where = ""
        if last is not None and self._shown:
            where = self.tr("of the test images, epoch {epoch} of {all}")
            if self.epochs.kind != "classes":
                where = self.tr("on the test set, epoch {epoch} of {all}")
            where = where.format(epoch=count(last.epoch), all=count(max(self._shown[0].epochs, last.epoch)))
            if self._reached is not None and self._reached is not last:
                where = self.tr("epoch {epoch}, kept as the best of {n}")
                where = where.format(epoch=count(self._reached.epoch), n=count(last.epoch))
        self.epoch_line.setText(where)
        self.epoch_line.setVisible(bool(where))

    def _score(self, score: float) -> str:
        return percent(score) if self.epochs.kind == "classes" else f"R² {number(score)}"

    def _show_kind(self, kind: str) -> None:
        if kind == "classes":
            self.accuracy_plot.set_quantity(self.tr("accuracy, %"), 100.0)
        else:
            self.accuracy_plot.set_quantity(self.tr("R²"), 1.0)
        if kind == "classes":
            self.chooser.rename(0, self.tr("Accuracy, %"), self.tr("Accuracy"))
        else:
            self.chooser.rename(0, self.tr("R²"))

    def add_records(self, records: list[Record]) -> None:
        for record in records:
            if isinstance(record, Finished):
                self._finished = record
                self._show_run_line()
            elif isinstance(record, StepsDone):
                self._until = record.epoch - 1 + record.position / record.images
                if record.rate_change:
                    images = float(record.step_metrics[:, 0].sum())
                    for plot in self._plots:
                        plot.mark_rate(self._until - images / record.images, record.learning_rate)
                    self._add_change(record.epoch, record.rate_change)
                for x, loss, score in self._bins.add(record):
                    self.loss_plot.add("train", x, loss)
                    self.accuracy_plot.add("train", x, None if record.score is None else score)
        done = [record for record in records if isinstance(record, EpochDone)]
        for record in done:
            self._parameters.add(record.epoch, record.checkpoint.parameters)
        self._add_epochs([record.numbers for record in done])
        if self._finished is not None:
            self._show_last_epoch()
        self._changed = True

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
        if epochs:
            self._show_last_epoch()
        # One of several runs that are compared has no best epoch of its own.
        if self.epochs.best is not None and not self.display.name:
            self._mark_best(self.epochs.records[self.epochs.best])

    def _mark_best(self, best: Epoch) -> None:
        """Mark the best epoch in both plots, and say by what where the curves do not show it."""
        highest = self.tr("best epoch")
        lowest = self.tr("highest accuracy")
        if self.epochs.kind != "classes":
            lowest = self.tr("highest R²")
        if best.validation_loss is not None:
            highest = self.tr("lowest validation loss")
            lowest = self.tr("best epoch")
        self.accuracy_plot.mark_best(best.epoch, highest)
        self.loss_plot.mark_best(best.epoch, lowest)

    def show_snapshot(self, model: Model, epoch_ended: bool) -> None:
        self._model = model

    def set_paused(self, paused: bool) -> None:
        """Draw the plots. While the run is paused they also show the last, incomplete bin of steps."""
        self._paused = paused
        self._changed = True
        self._offer_replay(paused)
        self._draw()

    def end_run(self) -> None:
        for plot in self._plots:
            plot.live_axes.has_ended = True
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
            name = short_names([self._kept[-1].source, source_of(*self._shown)])[0] or self.tr(
                "with the same settings"
            )
            before = name, self._kept[-1].score
        tr = self.tr
        links = [("inside", tr("Look inside"), tr("Show what the units have learned to look for."))]
        if self.display.compares:
            tip = tr("Train with several learning rates side by side.")
            links.append(("compare:learning_rate", tr("Try other rates…"), tip))
            if dataset.kind == "classes":
                tip = tr("One file for any telephone or computer, which reads what is drawn on it.")
                links.append(("share:page", tr("Share it as a page to draw on…"), tip))
        if dataset.kind == "classes" and (wrong := mistakes(last.test_score, len(dataset.test))):
            tip = tr("Show which test images are read wrong, and what is confused with what.")
            title = tr("See the mistake") if wrong == 1 else tr("See the {n} mistakes").format(n=count(wrong))
            links.insert(0, ("results", title, tip))
        text = run_text(
            last, dataset, before, ending=self._ending(), changes=changes_text(self._changes),
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

    def _ending(self) -> str:
        """Why this is not what the planned last epoch has reached, as a part of a sentence; empty if it is."""
        kept = self._kept_epoch()
        if self._shown is None or kept is None:
            return ""
        is_last = kept is self.epochs.records[-1]
        reason = self._finished.reason if self._finished else "stopped"
        if reason == "stopped":
            text = self.tr("Stopped in epoch {n} of {all}")
        elif reason == "diverged" and is_last:
            text = self.tr("It diverged in epoch {n} of {all}, so this is of the epoch before")
        elif reason == "diverged":
            text = self.tr("It diverged in epoch {n} of {all}, so this is of epoch {kept}, the best one")
        elif not is_last:
            text = self.tr("Epoch {kept} was the best one, so its network is kept")
        else:
            return ""
        planned = self._shown[0].epochs
        reached = min(max(ceil(self._until), 1), planned)
        return text.format(n=count(reached), all=count(planned), kept=count(kept.epoch))

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
        for plot in self._plots:
            plot.live_axes.has_ended = True
        self.set_paused(True)

    def _offer_replay(self, offered: bool) -> None:
        """Offer to go through the epochs of the run, from its end, or not."""
        self.replay.offer(self._model if offered else None, self._parameters.epochs)

    def _draw_until(self, epoch: int | None) -> None:
        """Draw the curves up to this epoch; None: to their end."""
        for plot in self._plots:
            plot.live_axes.until = epoch
        self._show_last_epoch(epoch)
        self._changed = True
        self._draw()

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
        groups = groups_of(spec, runs)
        last = groups[-MAX_OTHERS:]
        plans = [spec.plan_of(run.values) for group in last for run in group.runs]
        planned = max((plan.settings.epochs for plan in plans), default=spec.plan.settings.epochs)
        factor = 100.0 if self.epochs.kind == "classes" else 1.0
        for plot, quantity, times in zip(
            self._plots, ("test_loss", "test_score"), (1.0, factor), strict=True
        ):
            plot.show_others(comparison_curves(last, quantity, times), planned)
            plot.live_axes.has_ended = not active
        self._until = max((len(run.epochs) for run in runs), default=0)
        self._changed = True
        if active and not any(run.epochs for run in runs):
            self._draw()
            text = self.tr("Preparing {study}: the first curves appear after the first epoch.")
            self.conclusion.say(text.format(study=spec.name), [self._stop_link()])
        elif active:
            self.update_if_due()
            text = self.tr("Training {study}: {epochs} epochs, {n} of {all} runs have ended.").format(
                study=spec.name, epochs=count(sum(len(run.epochs) for run in runs)),
                n=count(sum(run.has_ended for run in runs)), all=count(spec.runs),
            )  # fmt: skip
            self.conclusion.say(text, [self._stop_link()])
        else:
            self._draw()
            self.conclusion.conclude_study(spec, groups, load)

    def _stop_link(self) -> Link:
        return "stop", self.tr("Stop"), self.tr("Stop the study; it can be continued under Compare.")

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
        # An export has the plots that are shown in the tab, be it hidden or not.
        if self.loss_plot.isVisibleTo(self):
            self.loss_plot.draw(self._until, (x, loss) if points else None)
        if self.accuracy_plot.isVisibleTo(self):
            self.accuracy_plot.draw(self._until, (x, score) if points and classes else None)
        self._show_zoom()
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
            plot.live_axes.last_only = on
        self.fit()

    def _zoom_or_fit(self) -> None:
        """Zoom to the end, or show the whole run again where a part of it is shown."""
        if self._is_zoomed():
            self.zoom_action.setChecked(False)
            self.fit()
        else:
            self.zoom_action.setChecked(True)

    def _is_zoomed(self) -> bool:
        return self.zoom_action.isChecked() or not self.loss_plot.follows

    def _show_zoom(self) -> None:
        """Offer to zoom once there is a curve that has an end."""
        self.zoom_button.setVisible(self._until >= 1 and not theme().presenting)
        self.zoom_button.setText(self.tr("Fit") if self._is_zoomed() else self.tr("Zoom to the end"))

    def _on_zoomed(self, zoomed: LivePlot) -> None:
        """Show the same epochs in both plots; they follow the curves no more."""
        self._follow(False)
        self._show_zoom()
        for plot in self._plots:
            if plot is not zoomed:
                plot.setXRange(*zoomed.viewRange()[0], padding=0)

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
        """Write the plots that are shown, with run and result, as SVG, or as PNG at twice the size on the screen."""
        self._draw(hidden=True)
        plots = [plot for plot in self._plots if plot.isVisibleTo(self)]
        title = self.run_line.text()
        for plot in plots:
            plot.show_title(True)
        export_plots(path, f"{title}: {self.result.text()}" if self.result.text() else title, plots)
        self._show_titles()


def _comparable(settings: RunSettings, data: str) -> tuple[RunSettings, str]:
    """What a run is, without where its schedule began: that follows from how it was continued."""
    return settings.change(schedule_epochs=""), data
