"""What the chosen runs have shown: the best value, what is wrong with the others, and what to do
next.
"""

from collections.abc import Callable, Generator, Sequence
from functools import partial

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QProgressBar, QPushButton, QScrollArea, QSizePolicy, QWidget

from core.data.dataset_cache import DatasetCache
from core.runs.library import RunEntry
from core.runs.plan import RunPlan
from core.studies.conclusion import Group, findings_of, setting_of
from core.studies.spec import Value, has_values
from core.studies.study import best_run
from gui.background.task_runner import Failure, TaskControl, TaskRunner
from gui.runs.rows import plain_title, score_text, setting_title, state_text
from gui.runs.verdict import Verdict, result_text, series_of, verdict_of
from gui.text import count, data_title, number, unbroken
from gui.widgets.basics import PrimaryButton, empty, named, scroll_area, see_through
from gui.widgets.make import button, column, label, row
from gui.widgets.messages import note, set_message
from gui.widgets.plots.other_curves import MAX_OTHERS
from gui.widgets.plots.series import series_color
from gui.widgets.shapes import smooth_painter
from gui.widgets.theme import theme
from gui.words import explain, network_words

_DOT = 12  # pixels at a text size of 100 %
_BUTTON = 40
_MOST_CHARACTERS = 16  # of a value that has room in the button
SEED = "seed"


class Dot(QWidget):
    """A round sample of the color of a curve."""

    def __init__(self, series: int) -> None:
        super().__init__()
        self._series = series
        self.setFixedWidth(theme().px(_DOT))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def paintEvent(self, event: QPaintEvent) -> None:
        radius = theme().px(_DOT) / 2
        with smooth_painter(self) as painter:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(series_color(theme().colors, self._series))
            painter.drawEllipse(QPointF(radius, self.fontMetrics().height() / 2), radius, radius)


class VerdictCard(QWidget):
    """Judges the runs in the background, on the test images that they were tested on.

    values_asked: use these values of settings. other_values_asked: compare other values of this
    setting.
    """

    values_asked = Signal(dict)
    other_values_asked = Signal(str)
    open_asked = Signal()
    continue_asked = Signal()
    stop_asked = Signal()

    def __init__(self, dataset_cache: DatasetCache) -> None:
        super().__init__()
        self._dataset_cache = dataset_cache
        self._groups: Sequence[Group] = ()
        self._is_left = False
        self._plan: RunPlan | None = None  # of the settings under Training
        self._best_name = ""
        self._best_values: dict[
            str, Value
        ] = {}  # which the main button offers; empty: it does something else
        self._slots: dict[QPushButton, Callable[[], None]] = {}
        self.title = label("", "verdictTitle", "title")
        self.text = label("", "verdictText", selectable=True)
        self._parts = column(spacing=12)
        self.bands = note(name="verdictBands")
        self.bar = named(QProgressBar(), "studyBar", self.tr("Progress of the comparison"))
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(theme().px(6))
        self.progress_note = note(name="studyProgress")
        tip = self.tr("Stop the comparison; it can be continued, also after a restart.")
        self.stop_button = button(self.tr("Sto&p"), "studyStop", tip, self.stop_asked, icon="stop")
        self.main_button = button("", "verdictMain", "", kind=PrimaryButton)
        self.other_button = button("", "verdictOther", "")
        for each in (self.main_button, self.other_button):
            # Connected once: what a button does changes with the runs.
            each.clicked.connect(lambda checked, each=each: self._slots[each]())
        for each in (self.main_button, self.other_button, self.stop_button):
            each.setMinimumHeight(theme().px(_BUTTON))
        page = QWidget()
        column(self.title, self.text, self._parts, self.bands, None, owner=page, spacing=12)
        self._scroll: QScrollArea = scroll_area(page)
        see_through(self._scroll)
        buttons = row(
            (self.main_button, 1), (self.other_button, 1), (self.stop_button, 1), spacing=12
        )
        column(
            (self._scroll, 1), self.bar, self.progress_note, buttons, owner=self, spacing=8
        ).setContentsMargins(8, 8, 8, 8)
        self._runner = TaskRunner(self, self._on_judged, self._on_ended, low_priority=True)
        self.show_progress("", 0, 0)
        self.show_nothing()

    # -- what is shown -----------------------------------------------------------------------------

    def show_nothing(self) -> None:
        """Say how runs are compared."""
        text = self.tr(
            "Choose several runs in the list to see their curves side by side, or let the program "
            "train with several values of a setting: New comparison…"
        )
        self._show(self.tr("Compare"), text)

    def show_run(self, entry: RunEntry) -> None:
        """Tell what a single run has reached."""
        settings = entry.info.plan.settings
        text = self.tr("{score} of the test images after epoch {n} of {all}.")
        if entry.info.kind == "regression":
            text = self.tr("{score} on the test set after epoch {n} of {all}.")
        text = text.format(
            score=score_text(entry, "test_score"),
            n=count(entry.done_epochs()),
            all=count(settings.epochs),
        )
        if not entry.done_epochs():
            text = self.tr("None of its {all} epochs has ended: it has not been tested yet.")
            text = text.format(all=count(settings.epochs))
        more = self.tr("{network}, learned from {data}; {state}.").format(
            network=network_words(entry.info.network),
            data=data_title(entry.info.plan.data),
            state=state_text(entry),
        )
        self._show(plain_title(entry), text)
        self.title.setToolTip(entry.info.network)
        set_message(self.bands, more)
        tip = self.tr("Show its curves, and let it read the drawing.")
        self._offer(self.main_button, self.tr("Open"), tip, self.open_asked.emit)
        if entry.folder.checkpoint.exists:
            tip = self.tr("Train it for more epochs, from its last or best one.")
            self._offer(self.other_button, self.tr("Continue…"), tip, self.continue_asked.emit)

    def show_growing(self) -> None:
        """Say what is to be seen while the runs are being trained."""
        self._show(
            self.tr("Comparing…"), self.tr("The curves grow as the networks learn, all by turns.")
        )

    def show_groups(self, groups: Sequence[Group], source: str, *, is_left: bool = False) -> None:
        """Judge these groups of runs, which learned from this data set.

        is_left: runs of a study are not at their end.
        """
        self._groups = groups
        self._is_left = is_left
        self._show(self.tr("Comparison"), self.tr("Looking at the curves…"))
        setting = setting_of(groups)

        def judge(control: TaskControl) -> Generator[tuple[Verdict, str]]:
            dataset = self._dataset_cache.get(source, control.progress)
            verdict = verdict_of(groups, setting, dataset, findings_of(groups, dataset))
            best = verdict.best
            yield (
                verdict,
                "" if best is None else result_text(best, dataset, names_epoch=not verdict.epoch),
            )

        if len(groups) > MAX_OTHERS or not source:
            self._show_many()
        else:
            self._runner.start_latest(judge)

    def show_progress(self, text: str, done: int, total: int) -> None:
        """Show how far a comparison that is being trained is; an empty text: none is."""
        self.bar.setVisible(total > 0)
        self.bar.setRange(0, max(total, 1))
        self.bar.setValue(done)
        set_message(self.progress_note, text)
        self.stop_button.setVisible(bool(text))
        if text:
            self.main_button.hide()
            self.other_button.hide()

    def show_plan(self, plan: RunPlan | None) -> None:
        """The settings under Training, which need not be offered again."""
        self._plan = plan
        if self._best_values:
            self._offer_best()

    def _show(self, title: str, text: str) -> None:
        """Show a title and a sentence without buttons, and forget what is being judged."""
        self._runner.cancel(discard=True)
        self.title.setText(title)
        self.title.setToolTip("")
        self.text.setText(unbroken(text))
        self.text.setToolTip(explain(text))
        empty(self._parts)
        set_message(self.bands, "")
        self._best_values = {}
        self.main_button.setEnabled(True)
        for each in (self.main_button, self.other_button):
            each.hide()

    def _offer(self, shown: QPushButton, text: str, tip: str, slot: Callable[[], None]) -> None:
        shown.setText(text)
        shown.setToolTip(tip)
        # While something is trained, only Stop is offered.
        shown.setVisible(self.stop_button.isHidden())
        self._slots[shown] = slot

    # -- judging -----------------------------------------------------------------------------------

    def _show_many(self) -> None:
        """Of many values, or of several data sets, the best one is named by its validation loss."""
        best = best_run(run for group in self._groups for run in group.runs)
        found = next((group for group in self._groups if best in group.runs), None)
        if best is None or found is None:
            self._show(self.tr("Comparison"), self.tr("The curves stand side by side."))
            return
        text = self.tr(
            "The lowest loss on the images kept aside (validation): {loss}, of {n} values.",
            None,
            len(self._groups),
        )
        text = text.format(loss=number(best.loss or 0.0), n=count(len(self._groups)))
        self._show(self.tr("Best: {value}").format(value=found.name), text)
        self._offer_values(found)

    def _on_judged(self, records: list[tuple[Verdict, str]]) -> None:
        verdict, result = records[-1]
        best = verdict.best
        if best is None:
            self._show(self.tr("Comparison"), verdict.text)
            return
        text = self.tr("{result} on the test set.").format(result=result)
        if verdict.epoch:
            text = self.tr("After epoch {n}: {result} on the test set.")
            text = text.format(result=result, n=count(verdict.epoch))
        self._show(self.tr("Best: {value}").format(value=best.name), text)
        for group, said in verdict.parts:
            if group is not best and len(verdict.parts) > 1:
                self._add_part(group, said)
        repeats = max(len(group.runs) for group in self._groups)
        if repeats > 1:
            text = self.tr(
                "The bands: the lowest and the highest of {n} runs that begin with different "
                "random weights.",
                None,
                repeats,
            )
            set_message(self.bands, text.format(n=count(repeats)))
        self._offer_values(best)

    def _add_part(self, group: Group | None, text: str) -> None:
        """Say what is wrong with a value, beside the color of its curve."""
        shown = label(unbroken(text[:1].upper() + text[1:] + "."))
        shown.setToolTip(explain(text))
        part = QWidget()
        if group is not None:
            row(Dot(series_of(group)), (shown, 1), owner=part, spacing=12)
        else:
            row((shown, 1), owner=part)
        self._parts.addWidget(part)

    def _offer_values(self, group: Group) -> None:
        # The seed is chance: no value of it is better.
        self._best_values = {
            name: value for name, value in group.runs[0].values.items() if name != SEED
        }
        if not self._best_values:
            return
        self._best_name = group.name
        self._offer_best()
        if self._is_left:
            continue_tip = self.tr("Train the runs that are left.")
            self._offer(
                self.other_button, self.tr("Continue"), continue_tip, self.continue_asked.emit
            )
            return
        setting = setting_of(self._groups)
        varied = setting_title(setting).lower() if setting else self.tr("a setting")
        other_tip = self.tr("Train with several values of {setting} side by side.").format(
            setting=varied
        )
        ask = setting or "learning_rate"
        self._offer(
            self.other_button,
            self.tr("Try other values…"),
            other_tip,
            lambda: self.other_values_asked.emit(ask),
        )

    def _offer_best(self) -> None:
        """Offer the values of the best group, unless the settings under Training have them."""
        name = self._best_name
        title = self.tr("Use {value}").format(value=name)
        if len(name) > _MOST_CHARACTERS:
            title = self.tr("Use these settings")
        tip = self.tr("Take the settings of {value}, to train with them.").format(value=name)
        is_used = self._plan is not None and has_values(self._plan, self._best_values)
        if is_used:
            tip = self.tr("The settings under Training are those already.")
        self._offer(
            self.main_button, title, tip, partial(self.values_asked.emit, self._best_values)
        )
        self.main_button.setEnabled(not is_used)

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            self._show(self.tr("Comparison"), failure.text)
