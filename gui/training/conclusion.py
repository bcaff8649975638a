"""What a run or a comparison has shown: one sentence, and what to do next as buttons."""

from collections.abc import Callable, Generator, Sequence

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from core.data.dataset import Dataset
from core.errors import InputError
from core.inference.model_file import Model, load_model
from core.inspection.health import (
    Finding,
    HealthMeter,
    diagnose,
    relative_change,
    starting_parameters,
)
from core.progress import Progress
from core.runs.library import RunLibrary
from core.studies.conclusion import (
    Group,
    Judgement,
    compared,
    differ_by_chance,
    judge,
    learns_by_heart,
    until_same_epoch,
)
from core.studies.spec import StudySpec
from core.training.checks import has_learned
from core.training.records import Epoch
from gui.background.task_runner import TaskControl, TaskRunner
from gui.text import count, finding_fact, number, percent
from gui.widgets.make import button, column, label
from gui.widgets.plots.live_plot import MAX_OTHERS, OtherCurve
from gui.widgets.shapes import paint_chevron, paint_rounded
from gui.widgets.theme import theme
from gui.words import explain

Link = tuple[str, str, str]  # what `asked` is emitted with, text and tooltip of a button

_STEP_HEIGHT = 36  # pixels at a text size of 100 %


def _tr(text: str) -> str:
    return QCoreApplication.translate("Conclusion", text)


class NextStepButton(QPushButton):
    """A tinted row with an arrow at its right end."""

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(width + theme().px(48), theme().px(_STEP_HEIGHT))

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
            paint_chevron(painter, arrow, colors.accent, "right")
            painter.setPen(QColor(colors.text))
            shown = QFontMetrics(self.font()).elidedText(
                self.text(), Qt.TextElideMode.ElideRight, text.width()
            )
            painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, shown)


class Conclusion(QWidget):
    """Hidden until there is something to say. `asked`: the key of a link was pressed."""

    asked = Signal(str)
    changed = Signal()  # other links are shown
    found = Signal(object)  # the most important Finding about the network of the run that has ended

    def __init__(self) -> None:
        super().__init__()
        self.text = label("", "conclusionText", selectable=True)
        self._links = column(spacing=8)
        self._shown_links: list[Link] = []
        column(self.text, owner=self)
        self.next_steps = QWidget()
        self._next_title = label(_tr("What next?"), "nextTitle", "heading")
        column(self._next_title, self._links, None, owner=self.next_steps, spacing=10)
        self._runner = TaskRunner(self, low_priority=True)
        self._runner.records.connect(lambda records: records[-1]())
        self.hide()

    def say(self, text: str, links: Sequence[Link] = ()) -> None:
        """Show a sentence with these links; an empty text hides both."""
        self.text.setText(text.replace(" %", "\N{NO-BREAK SPACE}%"))
        self.text.setToolTip(explain(text))
        self.setVisible(bool(text))
        if [*links] == self._shown_links:  # buttons that are replaced cannot be pressed
            return
        self._shown_links = [*links]
        while item := self._links.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        for key, title, tip in links:
            name = "conclusion" + key.partition(":")[0].capitalize()
            self._links.addWidget(
                button(title, name, tip, lambda *_, key=key: self.asked.emit(key), kind=NextStepButton)
            )
        self._next_title.setVisible(bool(links))
        self.changed.emit()

    @property
    def has_links(self) -> bool:
        return bool(self._shown_links)

    def said(self) -> tuple[str, list[Link]]:
        """The sentence and its links, as `say` takes them."""
        return self.text.text(), self._shown_links

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
            if finding := examined(model, dataset, diverged=diverged):
                yield lambda: self._add(finding, text, links)

        self._runner.start_latest(examine)

    def _add(self, finding: Finding, text: str, links: Sequence[Link]) -> None:
        self.say(_tr("{text} Inside: {finding}.").format(text=text, finding=finding_fact(finding)), links)
        self.found.emit(finding)

    def conclude_study(
        self, spec: StudySpec, groups: "list[Group]", load: Callable[[str, Progress | None], Dataset]
    ) -> None:
        """Say which value learned best, and what is wrong with those that did not; of a long study, where it is."""
        tip = _tr("Show the runs of this study, with all their numbers.")
        links: list[Link] = [("studies", _tr("Show in Studies"), tip)]
        if not any(group.last for group in groups) or len(groups) > MAX_OTHERS:
            self.say(
                _tr("The runs of {study} are compared under Compare, Studies.").format(study=spec.name), links
            )
            return

        def examine(control: TaskControl) -> Generator[Callable[[], None]]:
            source = str(groups[0].runs[0].values.get("data", spec.plan.data))
            dataset = load(source, control.progress)
            findings: dict[str, Finding | None] = {}
            for group in groups:
                if group.learns_nothing(dataset):
                    run = group.runs[0]
                    path = RunLibrary().folder_of(run.id).model_path
                    try:
                        diverged = run.state == "diverged"
                        findings[group.name] = examined(load_model(path), dataset, diverged=diverged)
                    except (InputError, OSError):
                        findings[group.name] = None
            text, best = comparison_text(groups, compared(spec), dataset, findings)
            if best is not None:
                title = _tr("Use {value}").format(value=best.name)
                tip = _tr("Take the settings with this value, to train with them.")
                links.insert(0, (f"use:{best.runs[0].number}", title, tip))
            yield lambda: self.say(text, links)

        self._runner.start_latest(examine)


def examined(model: Model, dataset: Dataset, *, diverged: bool = False) -> Finding | None:
    """The most important fault of the network; None if there is none."""
    meter = HealthMeter(model, dataset.train.inputs, dataset.train.targets)
    first = starting_parameters(model)
    change = None if first is None else relative_change(model.network, first, model.parameters)
    start = None if first is None else meter.measure(first)
    return next(iter(diagnose(meter.measure(model.parameters), start, change, diverged=diverged)), None)


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

    last: the epoch whose parameters it has kept. before: name and score of the run before. ending: why that is not the
    last planned epoch, as a part of a sentence; changes: of the rate while it trained, likewise. continued: the epoch
    after which it was continued.
    """
    examples = len(dataset.test)
    classes = dataset.kind == "classes"
    if classes:
        wrong = mistakes(last.test_score, examples)
        text = _tr("{score} of {n} test images read right, {wrong} wrong.").format(
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
        more = _tr("Of its training images it reads {score}: it learns them by heart (overfitting).")
        text += " " + more.format(score=percent(last.train_score))
    return text


def _change_text(score: float, before: float, name: str, changes: str, dataset: Dataset) -> str:
    """How much better or worse a result is than one before. changes: what else happened, as a part of a sentence."""
    classes, points = dataset.kind == "classes", abs(score - before)
    change = _tr("{n} points") if classes else "{n}"
    change = change.format(n=number(100 * points if classes else points, 2))
    template = _tr("That is {change} less than {name}")
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


# -- comparisons ------------------------------------------------------------------------------------------


def comparison_curve(group: Group, quantity: str, factor: float, series: int) -> OtherCurve:
    """The mean of a quantity over the runs by epoch, with a band from the lowest to the highest."""
    points, band = [], []
    for epochs in zip(*(run.epochs for run in group.runs if run.epochs), strict=False):
        values = [factor * float(getattr(epoch, quantity)) for epoch in epochs]
        points.append((float(epochs[0].epoch), sum(values) / len(values)))
        band.append((float(epochs[0].epoch), min(values), max(values)))
    shown = tuple(band) if len(group.runs) > 1 else ()
    return OtherCurve(group.name, tuple(points), series, band=shown)


def comparison_curves(groups: Sequence[Group], quantity: str, factor: float) -> list[OtherCurve]:
    series = (_SERIES[k % len(_SERIES)] for k in range(len(groups)))
    return [
        comparison_curve(group, quantity, factor, each) for group, each in zip(groups, series, strict=True)
    ]


_SERIES = (0, 1, 2, 3, 4, 5)


def comparison_text(
    groups: Sequence[Group], setting: str, dataset: Dataset, findings: dict[str, Finding | None]
) -> tuple[str, Group | None]:
    """The sentence, and the best group to use; None if there is none.

    setting: in which the groups differ, empty for several. findings: of those that have learned nothing.
    """
    groups, stopped = until_same_epoch(groups)
    if not any(group.last for group in groups) and not any(group.has("diverged") for group in groups):
        return _tr("No run has completed an epoch."), None
    judged = judge(groups, setting, dataset)
    best = next((group for group, judgement in judged if judgement in ("best", "alone")), None)
    seeds = [group for group, judgement in judged if judgement == "seed"]
    parts = [_seeds_text(seeds, dataset)] if seeds else []
    for group, judgement in judged:
        if judgement != "seed":
            parts.append(_group_text(group, judgement, dataset, findings.get(group.name)))
    text = "; ".join(parts) + "."
    text = text[:1].upper() + text[1:]
    if stopped:
        so_far = _tr("Stopped: so far, after epoch {n}, {text}")
        text = so_far.format(n=count(stopped), text=text[:1].lower() + text[1:])
    return text, best


def _group_text(group: Group, judgement: Judgement, dataset: Dataset, finding: Finding | None) -> str:
    """What is said of a group, as a part of a sentence."""
    templates: dict[Judgement, str] = {
        "best": _tr("{value} learns best: {result}"),
        "alone": _tr("{value}: {result}"),
        "as good": _tr("{value} is as good within chance: {result}"),
        "not trained": _tr("{value} has not been trained"),
        "failed": _tr("{value} could not be trained"),
        "diverged": _tr("{value} diverges: its numbers grow beyond all limits"),
        "nothing": _tr("{value} learns nothing"),
        "not begun": _tr("{value} is too slow: {result}, it has hardly begun to learn"),
        "too large: nothing": _tr("{value} is too large: it learns nothing"),
        "too large: jumps": _tr("{value} is too large: {result}, it jumps from epoch to epoch"),
        "too large: spread": _tr("{value} is too large: {result}, its runs differ widely"),
        "jumps": _tr("{value} jumps from epoch to epoch: {result}"),
        "spread": _tr("{value} depends on the random start: {result}"),
        "by heart": _tr("{value} learns more by heart: {result}, and {train} of the training images"),
        "too slow": _tr("{value} is too slow: {result}, and still learning"),
        "still learning": _tr("{value} is still learning: {result}"),
        "less": _tr("{value} reaches less: {result}"),
    }
    if judgement == "best" and group.still_learns:
        templates["best"] = _tr("{value} learns best: {result}, and still learns")
    train = [epoch.train_score for epoch in group.last if epoch.train_score is not None]
    mean = percent(sum(train) / len(train), 1) if train else ""
    result = result_text(group, dataset) if group.last else ""
    text = templates[judgement].format(value=group.name, result=result, train=mean)
    if finding and judgement in ("nothing", "too large: nothing"):
        text = _tr("{text}, {reason}").format(text=text, reason=finding_fact(finding))
    return text


def _seeds_text(groups: Sequence[Group], dataset: Dataset) -> str:
    """What is said of runs that differ in the random start only: none of them is better."""
    every = Group("", tuple(run for group in groups for run in group.runs), keeps_best=groups[0].keeps_best)
    if len(groups) == 1:
        return f"{groups[0].name}: {result_text(every, dataset)}"
    text = _tr("only the random start differs, so this is chance: {result}")
    return text.format(result=result_text(every, dataset))


def result_text(group: Group, dataset: Dataset) -> str:
    """The score of a group: `90.7 %`, or with repetitions `90.7 % (89.9 % to 91.2 %)`."""

    def shown(score: float) -> str:
        return percent(score, 1) if dataset.kind == "classes" else f"R² {number(score, 3)}"

    if len(group.scores) < 2:
        return shown(group.score)
    text = _tr("{mean} ({low} to {high})")
    return text.format(mean=shown(group.score), low=shown(min(group.scores)), high=shown(max(group.scores)))
