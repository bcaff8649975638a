"""The layers of a network as images: their outputs, their weights, and the arithmetic of one
output.
"""

from functools import partial

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from core.inference.model_file import Model
from core.inspection.units import Arithmetic, arithmetic, filter_images
from core.network.parameters import views
from gui.inside.map_grid import MapGrid, largest
from gui.inside.page import (
    Computation,
    InspectedInput,
    LayerBox,
    Moment,
    Page,
    activation_of,
    fill,
    layer_title,
    moments_of,
    show_parts,
    start_name,
    unit_name,
)
from gui.text import number
from gui.widgets import make
from gui.widgets.basics import QuietSpinBox, scroll_area


class ActivationsPage(Page):
    """Each layer has a color scale of its own, because the sizes of the values differ between
    layers.
    """

    def __init__(self) -> None:
        super().__init__(
            "activationsPage",
            self.tr("Activations"),
            self.tr(
                "What every layer makes of this image: each small picture is the output of one "
                "filter, each square that of one unit. Blue is positive, orange negative."
            ),
        )
        self.grids: list[MapGrid] = []
        self._model: Model | None = None
        self._scroll = scroll_area(QWidget())
        make.column(self._scroll, owner=self)

    def computation(self, subject: InspectedInput) -> Computation:
        assert subject.input is not None
        batch = subject.input[None]
        return lambda engine, check: engine.outputs(batch)

    def show_result(self, subject: InspectedInput, result: list[np.ndarray]) -> None:
        model = subject.model
        if self._model is None or not model.computes_like(self._model):
            titles = [layer_title(model, k) for k in range(len(result))]
            self.grids = [
                MapGrid(f"layerMaps{k}", title, legend=f"legend{k}")
                for k, title in enumerate(titles)
            ]
            show_parts(self._scroll, self.grids)
        self._model = model
        for layer, (grid, output) in enumerate(zip(self.grids, result, strict=True)):
            values = np.moveaxis(output[0], 2, 0) if output.ndim == 4 else output.reshape(-1, 1, 1)
            names = model.classes if layer == len(result) - 1 else ()
            grid.show_values(values, largest(values), partial(self._describe, model, layer), names)
        fill(self._scroll, self.grids)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fill(self._scroll, self.grids)

    def _describe(
        self, model: Model, layer: int, unit: int, row: int, column: int, value: float
    ) -> str:
        name = unit_name(model, layer, unit)
        if len(model.network.shapes[layer + 1]) == 1:
            return f"{name}: {number(value, 3)}"
        text = self.tr("{map}, row {row}, column {column}: {value}")
        return text.format(map=name, row=row, column=column, value=number(value, 3))


class WeightsPage(Page):
    """One color scale for all images of the layer and all epochs, so that they can be compared."""

    needs_input = False

    def __init__(self) -> None:
        super().__init__(
            "weightsPage",
            self.tr("Weights"),
            self.tr(
                "What each filter or unit looks for: where its weights are blue, ink raises its "
                "output; where they are orange, ink lowers it. Move the slider to see how they "
                "were learned."
            ),
        )
        self.layer_box = LayerBox("weightsLayer", self.tr("The layer whose weights are shown."))
        tip = self.tr("Show what training has added to the random weights of the start.")
        self.change_box = make.check(
            self.tr("Change since the start"), "weightsChange", tip, self._show
        )
        tip = self.tr(
            "The epoch whose weights are shown, from the random start to now; the arrow keys move "
            "it."
        )
        self.slider = make.slider("weightsEpoch", self.tr("Epoch"), tip, 0, 99, self._show)
        self.moment_label = make.label(name="weightsMoment", wraps=False)
        self.grid = MapGrid("weightImages", self.tr("Weights"), side=56, legend="weightsLegend")
        self._model: Model | None = None
        self._moments: list[Moment] = []
        # Whether an epoch before the last is shown because the run is replayed.
        self._replays = False
        self._scroll = scroll_area(self.grid)
        make.column(
            make.FlowLayout(self.layer_box, self.change_box, self.grid.legend),
            make.row((self.slider, 1), self.moment_label),
            self._scroll,
            owner=self,
        )
        self.layer_box.currentIndexChanged.connect(self._show)

    def computation(self, subject: InspectedInput) -> Computation:
        return lambda engine, check: moments_of(subject)

    def show_result(self, subject: InspectedInput, result: list[Moment]) -> None:
        model = subject.model
        self.layer_box.show_layers(model, weights_only=True)
        self._model = model
        # A slider at its end stays there, and shows the newest parameters.
        at_end = self.slider.value() == self.slider.maximum() or not self._moments or self._replays
        # The replay of a run moves the slider.
        last = len(result) - 1
        now = model.parameters
        same = (k for k, (_, each) in enumerate(result) if each is now or np.array_equal(each, now))
        place = next(same, last)
        self._moments = result
        self._replays = place < last
        with QSignalBlocker(self.slider):
            self.slider.setMaximum(last)
            if at_end or self._replays:
                self.slider.setValue(place)
        self.slider.setEnabled(len(result) > 1)
        self.change_box.setEnabled(result[0][0] == start_name())
        self.change_box.setChecked(self.change_box.isChecked() and self.change_box.isEnabled())
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.grid.set_room(self._scroll.maximumViewportSize().height())

    def _show(self) -> None:
        model = self._model
        layer = self.layer_box.layer
        if model is None or layer < 0 or not self._moments:
            return
        name, parameters = self._moments[self.slider.value()]
        self.moment_label.setText(name)
        start, weights, newest = (
            views(model.network, each)[layer].weights  # type: ignore[union-attr]  # LayerBox lists layers with weights
            for each in (self._moments[0][1], parameters, self._moments[-1][1])
        )
        if self.change_box.isChecked():
            weights = weights - start
            newest = newest - start
        images = filter_images(weights, model.network.shapes[layer])

        def describe(unit: int, row: int, column: int, value: float) -> str:
            owner = unit_name(model, layer, unit)
            text = self.tr("{unit}: weight {value}").format(unit=owner, value=number(value, 3))
            return text if np.isfinite(value) else owner

        last = layer == len(model.network.layers) - 1
        self.grid.show_values(images, largest(newest), describe, model.classes if last else ())


SIDE = 170  # pixels of an image
TERMS = 6


def _describe(image: int, row: int, column: int, value: float) -> str:
    return number(value, 4) if np.isfinite(value) else ""


class ArithmeticPage(Page):
    """Shows the numbers of one channel of the input, and the sum over all channels."""

    def __init__(self) -> None:
        super().__init__(
            "arithmeticPage",
            self.tr("Arithmetic"),
            self.tr(
                "How one output is computed: each input times its weight, all products and the "
                "bias added up, and the activation of the sum."
            ),
        )
        self.layer_box = LayerBox("arithmeticLayer", self.tr("The layer whose output is computed."))
        self.boxes: dict[str, QuietSpinBox] = {}
        for key, title, tip in (
            ("unit", self.tr("Unit or map"), self.tr("Which unit or map of the layer.")),
            ("row", self.tr("Row"), self.tr("Row of the output in its map, from 0.")),
            ("column", self.tr("Column"), self.tr("Column of the output in its map, from 0.")),
            (
                "channel",
                self.tr("Channel"),
                self.tr("Which channel of the layer's input is shown."),
            ),
        ):
            name = f"arithmetic{key.capitalize()}"
            self.boxes[key] = make.spin(name, title, tip, 0, 99, slot=self.recompute)
            self.boxes[key].setPrefix(f"{title} ")
        self.result = make.label(name="arithmeticResult")
        self.terms = make.label(name="arithmeticTerms")
        title = self.tr("Inputs, weights and products")
        self.grid = MapGrid("arithmeticImages", title, side=SIDE, legend="arithmeticLegend")
        self.grid.shows_numbers = True
        self._model: Model | None = None
        body = QWidget()
        make.column(self.result, self.grid.legend, self.grid, self.terms, None, owner=body)
        self._scroll = scroll_area(body)
        make.column(make.FlowLayout(self.layer_box, *self.boxes.values()), self._scroll, owner=self)
        for slot in (self._fit_boxes, self.recompute):
            self.layer_box.currentIndexChanged.connect(slot)

    def computation(self, subject: InspectedInput) -> Computation:
        model = subject.model
        x = subject.input
        self._model = model
        if self.layer_box.show_layers(model):
            self._fit_boxes()
        assert x is not None
        layer = self.layer_box.layer
        indices = {key: box.value() for key, box in self.boxes.items()}
        return lambda engine, check: (
            layer,
            indices["unit"],
            arithmetic(engine, x, layer, **indices),
        )

    def show_result(self, subject: InspectedInput, result: tuple[int, int, Arithmetic]) -> None:
        layer, unit, sums = result
        name = unit_name(subject.model, layer, unit)
        terms = ""
        captions = [self.tr("inputs")]
        images = [sums.inputs]
        if sums.weights is None or sums.products is None:
            text = self.tr("{unit}: the input itself, {y}.")
            if sums.inputs.size > 1:
                text = self.tr("{unit}: the largest of these inputs, {y}.")
            text = text.format(unit=name, y=number(sums.y, 4))
        else:
            captions += [self.tr("× weights"), self.tr("= products")]
            images += [sums.weights, sums.products]
            text = self._equation(subject.model, layer, name, sums, sums.products)
            terms = self._largest_terms(sums.inputs, sums.weights, sums.products)
        values = np.stack(images)
        self.grid.show_values(values, largest(values), _describe, captions)
        self.result.setText(text)
        self.terms.setText(terms)
        fill(self._scroll, [self.grid])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fill(self._scroll, [self.grid])

    def _fit_boxes(self) -> None:
        """Limit the boxes to the layer's shapes, and show those that the layer has."""
        layer = self.layer_box.layer
        if self._model is None or layer < 0:
            return
        shapes = self._model.network.shapes
        below = shapes[layer]
        shape = shapes[layer + 1]
        # Batch normalization computes each map from the same map of its input.
        sums_channels = len(self._model.network.weight_shapes[layer] or ()) > 1
        counts = {
            "unit": shape[-1],
            "row": shape[0] if len(shape) == 3 else 1,
            "column": shape[1] if len(shape) == 3 else 1,
            "channel": below[2] if len(below) == 3 and sums_channels else 1,
        }
        for key, count in counts.items():
            box = self.boxes[key]
            with QSignalBlocker(box):
                box.setMaximum(count - 1)
                # In the middle of a map there usually is ink.
                if key in ("row", "column"):
                    box.setValue(count // 2)
            box.setVisible(count > 1)

    def _equation(
        self, model: Model, layer: int, name: str, sums: Arithmetic, products: np.ndarray
    ) -> str:
        """The sum in one line, then the activation."""
        parts = [number(float(np.nansum(products)), 4) + " " + self.tr("(products)")]
        if sums.others:
            parts.append(number(sums.others, 4) + " " + self.tr("(other channels)"))
        parts.append(number(sums.bias, 4) + " " + self.tr("(bias)"))
        text = self.tr("{unit}: sum z = {parts} = {z}")
        text = text.format(unit=name, parts=" + ".join(parts), z=number(sums.z, 4))
        activation, title = activation_of(model, layer)
        output = self.tr("; output {f}(z) = {y}.").format(f=title, y=number(sums.y, 4))
        return text + ("." if activation == "linear" else output)

    def _largest_terms(self, inputs: np.ndarray, weights: np.ndarray, products: np.ndarray) -> str:
        strength = np.nan_to_num(np.abs(products)).ravel()
        best = [k for k in np.argsort(-strength, kind="stable")[:TERMS] if strength[k] > 0]
        numbers = (
            [number(float(array.flat[k]), 3) for array in (inputs, weights, products)] for k in best
        )
        terms = ["{} × {} = {}".format(*each) for each in numbers]
        return (
            self.tr("The largest products: {terms}.").format(terms="; ".join(terms))
            if terms
            else ""
        )
