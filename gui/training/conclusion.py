"""What a run or a comparison has shown: one sentence, and what to do next as buttons."""

from collections.abc import Callable, Generator, Sequence
from math import ceil

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from core.data.dataset import Dataset
from core.inference.model_file import Model
from core.inspection.health import Finding, main_fault
from core.progress import Progress
from core.runs.plan import RunPlan
from core.studies.conclusion import (
    Group,
    differ_by_chance,
    findings_of,
    learns_by_heart,
    setting_of,
)
from core.studies.spec import StudySpec, Value, has_values
from core.training.checks import has_learned
from core.training.records import Epoch
from gui.background.task_runner import TaskControl, TaskRunner
from gui.runs.verdict import Verdict, verdict_of
from gui.text import count, finding_fact, number, percent, translator, unbroken
from gui.widgets.basics import NO_LIMIT, empty, named, scroll_area, see_through
from gui.widgets.make import button, column, label
from gui.widgets.plots.other_curves import MAX_OTHERS
from gui.widgets.shapes import paint_chevron, paint_rounded
from gui.widgets.theme import theme
from gui.words import explain

_tr = translator("Conclusion")

Link = tuple[str, str, str]  # what `asked` is emitted with, text and tooltip of a button
Statement = tuple[str, list[Link]]  # a sentence and its links; an empty text hides both

_STEP_HEIGHT = 36  # pixels at a text size of 100 %


class NextStepButton(QPushButton):
    """A tinted row with an arrow at its right end; a long text takes several lines."""

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(width + theme().px(48), theme().px(_STEP_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setMinimumHeight(self.heightForWidth(self.width()))

    def heightForWidth(self, width: int) -> int:
        room = QRect(0, 0, width - theme().px(44), 0)
        lines = self.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, self.text())
        one_line = self.fontMetrics().height()
        return theme().px(_STEP_HEIGHT) + max(lines.height() - one_line, 0)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(80), self.fontMetrics().height() + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        is_marked = self.underMouse() or self.hasFocus() or theme().high_contrast
        line = colors.accent if is_marked else colors.info_back
        width = 2 if self.hasFocus() else 1
        arrow = self.rect().adjusted(self.width() - theme().px(32), 0, -theme().px(12), 0)
        text = self.rect().adjusted(theme().px(12), 0, -theme().px(32), 0)
        with QPainter(self) as painter:
            paint_rounded(painter, self.rect(), line, colors.info_back, width)
            if self.isEnabled():
                paint_chevron(painter, arrow, colors.accent, "right")
            painter.setPen(colors.text if self.isEnabled() else colors.muted)
            wraps = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(text, wraps, self.text())


class Conclusion(QWidget):
    """Hidden until there is something to say. `asked`: the key of a link was pressed."""

    asked = Signal(str)
    changed = Signal()  # other links are shown
    found = Signal(object)  # the most important Finding about the network of the run that has ended

    def __init__(self) -> None:
        super().__init__()
        self.text = label("", "conclusionText", selectable=True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._links = column(spacing=6)
        self._shown_links: list[Link] = []
        self._plan: RunPlan | None = None  # of the settings panel
        self._best_values: dict[str, Value] = {}  # that a link offers to use
        self._said: Statement = ("", [])
        self._instead: Statement | None = None
        self._area = named(scroll_area(self.text), "conclusionArea", _tr("What the run has shown"))
        see_through(self._area)
        self._area.setMinimumHeight(0)
        self._area.verticalScrollBar().rangeChanged.connect(self._let_keys_scroll)
        column(self._area, owner=self)
        self.next_steps = QWidget()
        self._next_title = label(_tr("What next?"), "nextTitle", "heading")
        column(self._next_title, self._links, None, owner=self.next_steps, spacing=8)
        self._runner = TaskRunner(self, lambda records: records[-1](), low_priority=True)
        self.hide()
        theme().changed.connect(self._on_theme)

    def _let_keys_scroll(self, least: int, most: int) -> None:
        """Only a text that is longer than its place takes the keyboard focus."""
        policy = Qt.FocusPolicy.TabFocus if most else Qt.FocusPolicy.NoFocus
        self._area.setFocusPolicy(policy)

    def _on_theme(self) -> None:
        """In presenter mode there is less to read."""
        self.setMaximumHeight(0 if theme().presenting else NO_LIMIT)

    def say(self, text: str, links: Sequence[Link] = ()) -> None:
        """Show a sentence with these links; an empty text hides both."""
        self._said = text, [*links]
        self._show()

    def say_instead(self, statement: Statement | None) -> None:
        """Show this in place of what is said of the end of a run; None: show that again."""
        self._instead = statement
        self._show()

    def _show(self) -> None:
        text, links = self._said if self._instead is None else self._instead
        self.text.setText(unbroken(text))
        self.text.setToolTip(explain(text))
        self.setVisible(bool(text))
        if links == self._shown_links:  # buttons that are replaced cannot be pressed
            return
        self._shown_links = links
        empty(self._links)
        for key, title, tip in links:
            name = "conclusion" + key.partition(":")[0].capitalize()
            self._links.addWidget(
                button(
                    title, name, tip, lambda *_, key=key: self.asked.emit(key), kind=NextStepButton
                )
            )
        self._enable_use()
        self._next_title.setVisible(bool(links))
        self.changed.emit()

    def show_plan(self, plan: RunPlan | None) -> None:
        """The settings above the stage, which need not be offered again."""
        self._plan = plan
        self._enable_use()

    def _enable_use(self) -> None:
        """Disable the link that offers values which the settings have already, and say so."""
        is_used = self._plan is not None and has_values(self._plan, self._best_values)
        for index, (key, _, tip) in enumerate(self._shown_links):
            item = self._links.itemAt(index)
            link = item.widget() if item else None
            if link is not None and key.startswith("use:"):
                link.setEnabled(not is_used)
                link.setToolTip(
                    _tr("The settings under Training are those already.") if is_used else tip
                )

    @property
    def has_links(self) -> bool:
        return bool(self._shown_links)

    @property
    def said(self) -> Statement:
        """What is said of the end of a run, be it shown or not."""
        return self._said

    def clear(self) -> None:
        """Say nothing more, also not of what is being examined."""
        self._runner.cancel(discard=True)
        self.say("")

    def conclude_run(
        self, text: str, links: Sequence[Link], model: Model, dataset: Dataset, diverged: bool
    ) -> None:
        """Show `text`, and add what is wrong inside of the network, if anything is."""
        self.say(text, links)

        def examine(control: TaskControl) -> Generator[Callable[[], None]]:
            if finding := main_fault(model, dataset, diverged=diverged):
                yield lambda: self._add(finding, text, links)

        self._runner.start_latest(examine)

    def _add(self, finding: Finding, text: str, links: Sequence[Link]) -> None:
        self.say(
            _tr("{text} Inside: {finding}.").format(text=text, finding=finding_fact(finding)), links
        )
        self.found.emit(finding)

    def conclude_study(
        self,
        spec: StudySpec,
        groups: "list[Group]",
        load: Callable[[str, Progress], Dataset],
    ) -> None:
        """Say which value learned best, and what is wrong with those that did not; of a long study,
        where it is.
        """
        tip = _tr("Show the runs of this study, with all their numbers.")
        links: list[Link] = [("compared", _tr("Show in Compare"), tip)]
        if not any(group.last for group in groups) or len(groups) > MAX_OTHERS:
            self.say(
                _tr("The runs of {study} stand side by side under Compare.").format(
                    study=spec.name
                ),
                links,
            )
            return

        def examine(control: TaskControl) -> Generator[Callable[[], None]]:
            source = str(groups[0].runs[0].values.get("data", spec.plan.data))
            dataset = load(source, control.progress)
            verdict = verdict_of(groups, setting_of(groups), dataset, findings_of(groups, dataset))
            if verdict.best is not None:
                title = _tr("Use {value}").format(value=verdict.best.name)
                tip = _tr("Take the settings with this value, to train with them.")
                links.insert(0, (f"use:{verdict.best.runs[0].number}", title, tip))
            yield lambda: self._say_verdict(verdict, links)

        self._runner.start_latest(examine)

    def _say_verdict(self, verdict: Verdict, links: list[Link]) -> None:
        values = {} if verdict.best is None else verdict.best.runs[0].values
        self._best_values = {name: value for name, value in values.items() if name != "seed"}
        self.say(verdict.text, links)


def run_text(
    last: Epoch,
    dataset: Dataset,
    before: tuple[str, float] | None = None,
    *,
    ending: str = "",
    changes: str = "",
    continued: Epoch | None = None,
) -> str:
    """What a run has reached.

    last: the epoch whose parameters it has kept. before: name and score of the run before. ending:
    why that is not the last planned epoch, as a part of a sentence; changes: of the rate while it
    trained, likewise. continued: the epoch after which it was continued.
    """
    examples = len(dataset.test)
    classes = dataset.kind == "classes"
    if classes:
        wrong = mistakes(last.test_score, examples)
        text = _tr("{score} of {n} test images read right, {wrong} wrong.", examples).format(
            score=percent(last.test_score), n=count(examples), wrong=count(wrong)
        )
    else:
        text = _tr("It explains {score} of the variance of the test values (R²).").format(
            score=number(last.test_score)
        )
    if ending:
        text = f"{ending}: {text}"
    if not has_learned(last.test_score, dataset.test, dataset.kind):
        text += " " + _tr("That is no more than by guessing.")
    if continued is not None:
        name = _tr("after epoch {n}, where it was continued").format(n=count(continued.epoch))
        text += " " + _change_text(last.test_score, continued.test_score, name, changes, dataset)
    elif before is not None:
        name, score = before
        name = _tr("the run before ({name})").format(name=name)
        text += " " + _change_text(last.test_score, score, name, changes, dataset)
    elif changes:
        text += " " + _tr("{changes}.").format(changes=changes[:1].upper() + changes[1:])
    if learns_by_heart(last, examples) and last.train_score is not None:
        more = _tr(
            "Of its training images it reads {score}: it learns them by heart (overfitting)."
        )
        text += " " + more.format(score=percent(last.train_score))
    return text


def saved_text(last: Epoch, kind: str) -> str:
    """What a run of the library has reached, without its data. last: the epoch whose parameters it
    has kept.
    """
    if kind != "classes":
        template = _tr("It explains {score} of the variance of the test values (R²).")
        return template.format(score=number(last.test_score))
    return _tr("{score} of the test images read right.").format(score=percent(last.test_score))


def _change_text(score: float, before: float, name: str, changes: str, dataset: Dataset) -> str:
    """How much better or worse a result is than one before. changes: what else happened, as a part
    of a sentence.
    """
    classes = dataset.kind == "classes"
    points = abs(score - before)
    change = _tr("{n} points") if classes else "{n}"
    change = change.format(n=number(100 * points if classes else points, 2))
    template = _tr("That is {change} less than {name}")
    # Both are means of floating-point numbers.
    if points < 1e-9:
        template = _tr("That is as much as {name}")
    elif score > before:
        template = _tr("That is {change} more than {name}")
    text = template.format(change=change, name=name)
    if changes:
        text += _tr(", after {changes}").format(changes=changes)
    elif classes and points > 1e-9 and differ_by_chance(score, before, len(dataset.test)):
        text += _tr(", which may be chance")
    return text + "."


def mistakes(score: float, examples: int) -> int:
    """How many test images are read wrong."""
    return round((1 - score) * examples)


def ending_text(reason: str, kept: int, is_last: bool, until: float, planned: int) -> str:
    """Why a run has not reached its planned last epoch, as a part of a sentence; empty if it has.

    kept: the epoch whose network is kept, the last one if `is_last`; until: how far the run came,
    in epochs.
    """
    if reason == "stopped":
        text = _tr("Stopped in epoch {n} of {all}")
    elif reason == "diverged" and is_last:
        text = _tr("It diverged in epoch {n} of {all}, so this is of the epoch before")
    elif reason == "diverged":
        text = _tr("It diverged in epoch {n} of {all}, so this is of epoch {kept}, the best one")
    elif not is_last:
        text = _tr("Epoch {kept} was the best one, so its network is kept")
    else:
        return ""
    reached = min(max(ceil(until), 1), planned)
    return text.format(n=count(reached), all=count(planned), kept=count(kept))


def next_steps(kind: str, last: Epoch, examples: int | None, *, compares: bool) -> list[Link]:
    """What to do after a run, the most useful first.

    examples: how many test images there are; None: not known. compares: also with other runs, and
    for others.
    """
    links = []
    reads_classes = kind == "classes"
    wrong = mistakes(last.test_score, examples or 0)
    if reads_classes and (wrong or (examples is None and last.test_score < 1)):
        tip = _tr("Show which test images are read wrong, and what is confused with what.")
        title = _tr("See the {n} mistakes", wrong).format(n=count(wrong))
        if examples is None:
            title = _tr("See the mistakes")
        links.append(("results", title, tip))
    links.append(("ask", _tr("Ask a unit"), _tr("Show how a filter or unit gets its value.")))
    if compares:
        tip = _tr("Train with several learning rates side by side.")
        links.append(("compare:learning_rate", _tr("Try other rates…"), tip))
    if compares and reads_classes:
        tip = _tr("One file for any telephone or computer, which reads what is drawn on it.")
        links.append(("share:page", _tr("Share it as a page to draw on…"), tip))
    return links
