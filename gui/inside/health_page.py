"""The health of a network: what is wrong in words, and how its weights, outputs and gradients are distributed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from core.inference.model_file import Model
from core.inspection.diagnosis import Finding, diagnose, relative_change
from gui.inside.histogram_strip import HistogramStrip
from gui.inside.layer_text import layer_title
from gui.inside.moments import moments_of, start_name
from gui.inside.page import Computation, InspectedInput, Page
from gui.widgets.basics import QuietComboBox, named, scroll_area, with_role

if TYPE_CHECKING:
    from core.inspection.health import Health, HealthMeter


@dataclass(frozen=True, slots=True)
class Report:
    """`moments`: their names; `healths`: measured at these moments."""

    moments: list[str]
    healths: list["Health"]
    findings: list[Finding]


class HealthPage(Page):
    """Measures each epoch once."""

    needs_input = False
    needs_dataset = True
    snapshot_milliseconds = 2000

    def __init__(self) -> None:
        super().__init__(
            "healthPage",
            self.tr("Health"),
            self.tr(
                "Whether all parts of the network can learn. Each strip shows from left to right how the values of a "
                "layer have spread since the start: the darker, the more values."
            ),
        )
        self.findings = named(QLabel(), "healthFindings")
        self.findings.setWordWrap(True)
        self.box = named(QuietComboBox(), "healthQuantity")
        self.box.setAccessibleName(self.tr("What the strips show"))
        self.box.setToolTip(
            self.tr("What the strips show: weights, outputs, or gradients of the loss by the weights.")
        )
        self.box.setMinimumContentsLength(12)
        for text, key in ((self.tr("Weights"), "weights"), (self.tr("Outputs"), "outputs"),
                          (self.tr("Gradients"), "gradients")):  # fmt: skip
            self.box.addItem(text, key)
        self.strips: list[HistogramStrip] = []
        self._strips_of: Model | None = None
        self._report: Report | None = None
        # Used by the background thread alone.
        self._meter: HealthMeter | None = None
        self._measured: list[tuple[np.ndarray, Health]] = []
        self._measured_for: InspectedInput | None = None
        self._list = QWidget()
        self._column = QVBoxLayout(self._list)
        self._column.setContentsMargins(0, 0, 6, 0)
        self._column.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.findings)
        column.addWidget(self.box)
        column.addWidget(scroll_area(self._list))
        self.box.currentIndexChanged.connect(self._show)

    def computation(self, subject: InspectedInput) -> Computation:
        return lambda inspector, check: self._measure(subject, check)

    def show_result(self, subject: InspectedInput, result: Report) -> None:
        if self._strips_of is None or not subject.model.computes_like(self._strips_of):
            self._make_strips(subject.model, result)
        self._strips_of, self._report = subject.model, result
        if result.findings:
            lines = ["\N{WARNING SIGN} " + _text(finding) for finding in result.findings]
        else:
            lines = [self.tr("Nothing is wrong: every layer is active and gets a gradient.")]
        self.findings.setText("\n".join(lines))
        self._show()

    def _measure(self, subject: InspectedInput, check: Callable[[], None]) -> Report:
        from core.inspection.health import HealthMeter

        assert subject.dataset
        before, model = self._measured_for, subject.model
        if before is None or before.dataset is not subject.dataset or not model.computes_like(before.model):
            train = subject.dataset.train
            self._meter, self._measured = HealthMeter(model, train.inputs, train.answers), []
        self._measured_for = subject
        assert self._meter
        moments, known = moments_of(subject), []
        for _, parameters in moments:
            check()
            measured = next((h for array, h in self._measured if np.array_equal(array, parameters)), None)
            known.append((parameters, measured or self._meter.measure(parameters)))
        self._measured = known
        healths = [health for _, health in known]
        start = change = None
        if moments[0][0] == start_name():
            start = healths[0]
            if subject.kept or len(moments) > 1:
                change = relative_change(model.network, moments[0][1], model.parameters)
        learning = subject.training and not subject.kept
        findings = diagnose(healths[-1], start, None if learning else change, diverged=subject.diverged)
        return Report([name for name, _ in moments], healths, findings)

    def _make_strips(self, model: Model, report: Report) -> None:
        while self._column.count() > 1:
            item = self._column.takeAt(0)
            widget = item.widget() if item else None
            if widget:
                widget.hide()
                widget.deleteLater()
        self.strips = []
        for layer_health in report.healths[-1].layers:
            title = QLabel(layer_title(model, layer_health.layer))
            with_role(title, "heading")
            title.setWordWrap(True)
            strip = HistogramStrip(f"healthStrip{layer_health.layer}", title.text())
            for widget in (title, strip):
                self._column.insertWidget(self._column.count() - 1, widget)
            self.strips.append(strip)

    def _show(self) -> None:
        report, quantity = self._report, self.box.currentData()
        if report is None:
            return
        for index, strip in enumerate(self.strips):
            strip.show_moments([getattr(h.layers[index], quantity) for h in report.healths], report.moments)


def _text(finding: Finding) -> str:
    return QCoreApplication.translate("Finding", finding.text).format(**finding.values)
