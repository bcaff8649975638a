"""The weights of a layer as images, and how they changed from epoch to epoch."""

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QResizeEvent

from core.inference.model_file import Model
from core.inspection.units import filter_images
from core.network.parameters import views
from gui.inside.map_grid import MapGrid, ValueLegend, largest
from gui.inside.page import (
    Computation,
    InspectedInput,
    LayerBox,
    Moment,
    Page,
    moments_of,
    start_name,
    unit_name,
)
from gui.text import number
from gui.widgets import make
from gui.widgets.basics import scroll_area
from gui.widgets.flow_layout import FlowLayout


class WeightsPage(Page):
    """One color scale for all images of the layer and all epochs, so that they can be compared."""

    needs_input = False

    def __init__(self) -> None:
        super().__init__(
            "weightsPage",
            self.tr("Weights"),
            self.tr(
                "What each filter or unit looks for: where its weights are blue, ink raises its output; where they "
                "are orange, ink lowers it. Move the slider to see how they were learned."
            ),
        )
        self.layer_box = LayerBox("weightsLayer", self.tr("The layer whose weights are shown."))
        tip = self.tr("Show what training has added to the random weights of the start.")
        self.change_box = make.check(self.tr("Change since the start"), "weightsChange", tip, self._show)
        self.legend = ValueLegend("weightsLegend")
        tip = self.tr(
            "The epoch whose weights are shown, from the random start to now; the arrow keys move it."
        )
        self.slider = make.slider("weightsEpoch", self.tr("Epoch"), tip, 0, 99, self._show)
        self.moment_label = make.label(name="weightsMoment", wraps=False)
        self.grid = MapGrid("weightImages", self.tr("Weights"), side=56)
        self._model: Model | None = None
        self._moments: list[Moment] = []
        self._scroll = scroll_area(self.grid)
        make.column(
            FlowLayout(self.layer_box, self.change_box, self.legend),
            make.row((self.slider, 1), self.moment_label), self._scroll, owner=self,
        )  # fmt: skip
        self.layer_box.currentIndexChanged.connect(self._show)

    def computation(self, subject: InspectedInput) -> Computation:
        return lambda engine, check: moments_of(subject)

    def show_result(self, subject: InspectedInput, result: list[Moment]) -> None:
        model = subject.model
        self.layer_box.show_layers(model, weights_only=True)
        self._model = model
        # A slider at its end stays there, and shows the newest parameters.
        at_end = self.slider.value() == self.slider.maximum() or not self._moments
        self._moments = result
        with QSignalBlocker(self.slider):
            self.slider.setMaximum(len(result) - 1)
            if at_end:
                self.slider.setValue(len(result) - 1)
        self.slider.setEnabled(len(result) > 1)
        knows_start = result[0][0] == start_name()
        self.change_box.setEnabled(knows_start)
        if not knows_start:
            self.change_box.setChecked(False)
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.grid.set_room(self._scroll.maximumViewportSize().height())

    def _show(self) -> None:
        model, layer = self._model, self.layer_box.layer
        if model is None or layer < 0 or not self._moments:
            return
        name, parameters = self._moments[self.slider.value()]
        self.moment_label.setText(name)
        start, weights, newest = (
            views(model.network, each)[layer].weights  # type: ignore[union-attr]  # LayerBox lists layers with weights
            for each in (self._moments[0][1], parameters, self._moments[-1][1])
        )
        if self.change_box.isChecked():
            weights, newest = weights - start, newest - start
        bound = largest(newest)
        images = filter_images(weights, model.network.shapes[layer])

        def describe(unit: int, row: int, column: int, value: float) -> str:
            owner = unit_name(model, layer, unit)
            if not np.isfinite(value):
                return owner
            return self.tr("{unit}: weight {value}").format(unit=owner, value=number(value, 3))

        last = layer == len(model.network.layers) - 1
        self.grid.show_values(images, bound, describe, model.classes if last else ())
        self.legend.show_bound(bound)
