"""The health of a network: what is wrong in words, and how its weights, outputs and gradients are
distributed.
"""

import time
from collections.abc import Generator

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.data.dataset import Dataset
from core.inference.model_file import Model
from core.inspection.health import Finding, Health, HealthMeter, diagnose, relative_change
from core.progress import Check
from gui.background.history import Inspected, RunHistory, moments_of, start_name
from gui.background.task_runner import Failure, TaskControl, TaskRunner
from gui.stage.captions import layer_caption
from gui.stage.colors import values_image, weight_colors
from gui.text import finding_text, number, percent
from gui.widgets import make
from gui.widgets.basics import PaintedWidget, delayed, named, scroll_area
from gui.widgets.theme import theme

INTERVAL_MILLISECONDS = 2000  # between two measurements of a network that learns

# The names of the moments, the health at each of them, and what is wrong.
Report = tuple[Model, list[str], list[Health], list[Finding]]


class HealthPage(QWidget):
    """Measures each epoch of a network once, and only while it is shown."""

    def __init__(self, history: RunHistory) -> None:
        super().__init__()
        named(self, "healthPage", self.tr("Could it learn?"))
        self._history = history
        text = self.tr(
            "Whether all parts of the network can learn. Each strip shows from left to right how "
            "the values of a layer have spread since the start: the darker, the more values."
        )
        explanation = make.label(text, "healthExplanation", "muted")
        self.findings = make.label(name="healthFindings")
        tip = self.tr(
            "What the strips show: weights, outputs, or gradients of the loss by the weights."
        )
        names = ("weights", "outputs", "gradients")
        items = zip(
            names, (self.tr("Weights"), self.tr("Outputs"), self.tr("Gradients")), strict=True
        )
        title = self.tr("What the strips show")
        self.box = make.combo("healthQuantity", title, tip, items, self._show, characters=12)
        self.strips: list[HistogramStrip] = []
        self._wanted: tuple[Model, Dataset] | None = None
        self._model: Model | None = None  # of the strips
        self._names: list[str] = []
        self._healths: list[Health] = []
        # Used by the background thread alone: what it has measured for which input, and by what.
        self._before: tuple[Inspected, HealthMeter, list[tuple[np.ndarray, Health]]] | None = None
        self._scroll = scroll_area(QWidget())
        make.column(explanation, self.findings, make.row(self.box, None), self._scroll, owner=self)
        self._measured_at = 0.0
        self._runner = TaskRunner(self, self._on_records, self._on_ended, low_priority=True)
        self._later = delayed(self, self._measure)

    def show_model(self, model: Model, dataset: Dataset) -> None:
        """Measure this model, at once or when the last measurement is old enough."""
        self._wanted = model, dataset
        if self.isVisible() and not self._later.isActive():
            passed = 1000 * (time.monotonic() - self._measured_at)
            self._later.start(max(round(INTERVAL_MILLISECONDS - passed), 0))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._later.start(0)

    def _measure(self) -> None:
        if self._wanted is None or not self.isVisible():
            return
        self._measured_at = time.monotonic()
        inspected = self._history.inspect(*self._wanted)

        def task(control: TaskControl) -> Generator[Report]:
            yield self._report(inspected, control.check)

        self._runner.start_latest(task)

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            self.findings.setText(failure.text)

    def _on_records(self, records: list[Report]) -> None:
        model, self._names, self._healths, findings = records[-1]
        # Only for another network: new strips would lose the place that was scrolled to.
        if self._model is None or not model.computes_like(self._model):
            network = model.network
            self.strips = [
                HistogramStrip(f"healthStrip{each.layer}", layer_caption(network, each.layer).text)
                for each in self._healths[-1].layers
            ]
            body = QWidget()
            parts: list[make.Part] = []
            for strip in self.strips:
                title = make.label(strip.accessibleName(), role="heading")
                parts += [title, (strip, 1)]
            make.column(*parts, None, owner=body, spacing=2)
            self._scroll.setWidget(body)
        self._model = model
        lines = [f"\N{WARNING SIGN} {finding_text(each)}" for each in findings] or [
            self.tr("Nothing is wrong: every layer is active and gets a gradient.")
        ]
        self.findings.setText("\n".join(lines))
        self._show()

    def _report(self, inspected: Inspected, check: Check) -> Report:
        before = self._before
        model = inspected.model
        dataset = inspected.dataset
        assert dataset
        if before and before[0].dataset is dataset and model.computes_like(before[0].model):
            _, meter, measured = before
        else:
            meter = HealthMeter(model, dataset.train.inputs, dataset.train.targets)
            measured = []
        moments = moments_of(inspected)
        known = []
        for _, parameters in moments:
            check()
            health = next((h for array, h in measured if np.array_equal(array, parameters)), None)
            known.append((parameters, health or meter.measure(parameters)))
        self._before = inspected, meter, known
        healths = [health for _, health in known]
        start = change = None
        if moments[0][0] == start_name():
            start = healths[0]
            if inspected.kept or len(moments) > 1:
                change = relative_change(model.network, moments[0][1], model.parameters)
        learning = inspected.training and not inspected.kept
        findings = diagnose(
            healths[-1], start, None if learning else change, diverged=inspected.diverged
        )
        return model, [name for name, _ in moments], healths, findings

    def _show(self) -> None:
        quantity = self.box.currentData()
        for index, strip in enumerate(self.strips):
            strip.show_moments(
                [getattr(h.layers[index], quantity) for h in self._healths], self._names
            )


BINS = 40
# pixels
_LEFT = 58
# The height of the values of a layer: at the least, and of a strip at the most.
_HEIGHT = 92
_MOST = 300


def histograms(moments: list[np.ndarray]) -> tuple[np.ndarray, float, float]:
    """(shares, low, high): float (moments, BINS), the share of each moment's values in BINS equal
    bins of low..high.

    The range holds all finite values but the outermost thousandth at each end.
    """
    finite = [values[np.isfinite(values)] for values in moments]
    everything = np.concatenate(finite)
    if not everything.size:
        return np.zeros((len(moments), BINS)), 0.0, 1.0
    low, high = (float(limit) for limit in np.quantile(everything, (0.001, 0.999)))
    # Equal values, as of biases at the start, would give bins without a width.
    if low == high:
        low = low - 0.5
        high = high + 0.5
    clipped = (np.clip(values, low, high) for values in finite)
    shares = [
        np.histogram(values, BINS, (low, high))[0] / max(values.size, 1) for values in clipped
    ]
    return np.array(shares), low, high


class HistogramStrip(PaintedWidget):
    """`names`: of the moments, from left to right."""

    def __init__(self, name: str, title: str) -> None:
        super().__init__(name, title)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        self.setMaximumHeight(_MOST)
        self.shares = np.zeros((0, BINS))
        self.low = 0.0
        self.high = 1.0
        self.names: list[str] = []

    def sizeHint(self) -> QSize:
        return QSize(300, _HEIGHT + self.fontMetrics().height() + 4)

    def show_moments(self, moments: list[np.ndarray], names: list[str]) -> None:
        self.shares, self.low, self.high = histograms(moments)
        self.names = names
        self.update()

    def _area(self) -> QRect:
        below = self.fontMetrics().height() + 4
        return QRect(_LEFT, 1, max(self.width() - _LEFT - 2, 1), max(self.height() - below, 1))

    def tip_at(self, point: QPoint) -> str:
        area = self._area()
        if not len(self.shares) or not area.contains(point):
            return ""
        moment = (point.x() - area.left()) * len(self.shares) // area.width()
        # From below: large values are drawn at the top.
        bin = BINS - 1 - (point.y() - area.top()) * BINS // area.height()
        width = (self.high - self.low) / BINS
        return self.tr("{moment}: {share} of the values lie between {low} and {high}").format(
            moment=self.names[moment],
            share=percent(float(self.shares[moment, bin])),
            low=number(self.low + bin * width, 2),
            high=number(self.low + (bin + 1) * width, 2),
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        if not len(self.shares):
            return
        painter = QPainter(self)
        area = self._area()
        # The root makes rare values visible beside a bin that holds nearly all.
        values = np.sqrt(self.shares.T[::-1])
        painter.drawImage(area, values_image(values, float(values.max()), weight_colors()))
        painter.setPen(theme().colors.line)
        painter.drawRect(area)
        painter.setPen(theme().colors.muted)
        right = Qt.AlignmentFlag.AlignRight
        line = self.fontMetrics().height()
        labels = [(self.high, area.top()), (self.low, area.bottom() - line)]
        if self.low < 0 < self.high:
            zero = area.bottom() - round((0 - self.low) / (self.high - self.low) * area.height())
            painter.drawLine(area.left() - 4, zero, area.left(), zero)
            if area.top() + line < zero - line // 2 < area.bottom() - 2 * line:
                labels.append((0.0, zero - line // 2))
        for value, top in labels:
            painter.drawText(QRect(0, top, _LEFT - 6, line), right, number(value, 2))
        below = QRect(area.left(), area.bottom() + 2, area.width(), line)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, self.names[0])
        if len(self.names) > 1:
            painter.drawText(below, right, self.names[-1])
