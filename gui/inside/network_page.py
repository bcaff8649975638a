"""The picture of the network with the values that flow through it, and what is known about the chosen unit."""

import time

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QSplitter, QVBoxLayout

from core.data.dataset import Dataset
from core.inference.model_file import Model
from core.inspection.flow import ForwardFlow
from gui.inside.network_picture import NetworkPicture
from gui.inside.page import Computation, InspectedInput, Page
from gui.inside.unit_details import Excitement, UnitDetails, excitement
from gui.widgets.basics import named, scroll_area, with_role

# While a network learns, what excites the chosen unit is computed again this often.
EXCITEMENT_SECONDS = 5.0


class NetworkPage(Page):
    """`example_wanted`: number of a test example that the user wants the network to be shown."""

    example_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__(
            "networkPage",
            self.tr("Network"),
            self.tr(
                "The values that flow from the pixels to the answer. Lines are the strongest connections: a blue one "
                "raises the unit at its right end, an orange one lowers it."
            ),
        )
        self.picture = NetworkPicture()
        self.details = UnitDetails()
        self.hint = named(
            QLabel(self.tr("Click on a unit or map, or use the arrow keys, to see what it does.")), "hint"
        )
        with_role(self.hint, "muted")
        self.hint.setWordWrap(True)
        self._subject: InspectedInput | None = None
        self._flow: ForwardFlow | None = None
        self._excited: tuple[Model, Dataset | None, int, int] | None = None
        self._excited_at = 0.0
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.picture)
        self._below = scroll_area(self.details)
        self._below.setMinimumHeight(120)
        self.splitter.addWidget(self._below)
        self.splitter.setSizes([330, 200])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.splitter, 1)
        column.addWidget(self.hint)
        self._below.hide()
        self.picture.chosen.connect(self._on_chosen)
        self.details.examples.chosen.connect(self._on_example)

    @property
    def wants_dataset(self) -> bool:
        return self.picture.selected is not None

    def computation(self, subject: InspectedInput) -> Computation:
        values, chosen = subject.input, self.picture.selected
        assert values is not None
        self._subject = subject
        if chosen is not None and not self._has(subject.model, *chosen):
            chosen = self.picture.selected = None

        def compute(inspector: object, check: object) -> ForwardFlow:
            from core.inspection.flow import Inspector, flow_through

            assert isinstance(inspector, Inspector)
            return flow_through(inspector, values, chosen)

        return compute

    def show_result(self, subject: InspectedInput, result: ForwardFlow) -> None:
        self._flow = result
        assert subject.input is not None
        values = subject.input
        self.picture.show_flow(
            subject.model, values / np.float32(255) if values.dtype == np.uint8 else values, result
        )
        chosen = self.picture.selected
        self._below.setVisible(chosen is not None)
        self.hint.setVisible(chosen is None)
        # Another unit may have been chosen since the computation began; then its own result follows.
        if chosen is not None and chosen == result.chosen:
            self.details.show_unit(subject.model, *chosen, result)
            self._excite(subject, *chosen)

    def show_slow(self, result: Excitement) -> None:
        if self._subject is not None and self.picture.selected == (result.layer, result.unit):
            self.details.show_excitement(result, self._subject.dataset)

    @staticmethod
    def _has(model: Model, layer: int, unit: int) -> bool:
        shapes = model.network.shapes[1:]
        return layer < len(shapes) and unit < shapes[layer][-1]

    def _on_chosen(self, layer: int, unit: int) -> None:
        self.details.show_excitement(None, None)
        self._excited = None
        self.recompute.emit()

    def _excite(self, subject: InspectedInput, layer: int, unit: int) -> None:
        """Look for what excites the unit, unless that is known or was looked for a moment ago."""
        wanted = (subject.model, subject.dataset, layer, unit)
        if self._excited is not None:
            model, dataset, *where = self._excited
            soon = time.monotonic() - self._excited_at < EXCITEMENT_SECONDS
            same = where == [layer, unit] and dataset is subject.dataset
            if same and (model is subject.model or soon):
                return
        self._excited, self._excited_at = wanted, time.monotonic()
        is_image = len(subject.model.network.input_shape) == 3
        self.slow.emit(excitement(layer, unit, subject.dataset, is_image))

    def _on_example(self, index: int) -> None:
        if index < len(self.details.indices):
            self.example_wanted.emit(int(self.details.indices[index]))
