"""The arithmetic of one output of a layer: inputs times weights, their sum, the activation."""

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from core.inference.model_file import Model
from core.inspection.units import Arithmetic, arithmetic
from gui.inside.map_grid import MapGrid, ValueLegend, largest
from gui.inside.page import Computation, InspectedInput, LayerBox, Page, activation_of, unit_name
from gui.text import number
from gui.widgets import make
from gui.widgets.basics import QuietSpinBox, scroll_area
from gui.widgets.flow_layout import FlowLayout

SIDE = 170  # pixels of an image
TERMS = 6


class ArithmeticPage(Page):
    """Shows the numbers of one channel of the input, and the sum over all channels."""

    def __init__(self) -> None:
        super().__init__(
            "arithmeticPage",
            self.tr("Arithmetic"),
            self.tr(
                "How one output is computed: each input times its weight, all products and the bias added up, and "
                "the activation of the sum."
            ),
        )
        self.layer_box = LayerBox("arithmeticLayer", self.tr("The layer whose output is computed."))
        tips = {
            "unit": (self.tr("Unit or map"), self.tr("Which unit or map of the layer.")),
            "row": (self.tr("Row"), self.tr("Row of the output in its map, from 0.")),
            "column": (self.tr("Column"), self.tr("Column of the output in its map, from 0.")),
            "channel": (self.tr("Channel"), self.tr("Which channel of the layer's input is shown.")),
        }
        self.boxes: dict[str, QuietSpinBox] = {}
        for key, (title, tip) in tips.items():
            name = f"arithmetic{key.capitalize()}"
            box = self.boxes[key] = make.spin(name, title, tip, 0, 99, slot=self.recompute)
            box.setPrefix(f"{title} ")
        self.result, self.terms = make.label(name="arithmeticResult"), make.label(name="arithmeticTerms")
        self.grid = MapGrid("arithmeticImages", self.tr("Inputs, weights and products"), side=SIDE)
        self.grid.shows_numbers = True
        self.legend = ValueLegend("arithmeticLegend")
        self._model: Model | None = None
        body = QWidget()
        make.column(self.result, self.legend, self.grid, self.terms, None, owner=body)
        make.column(FlowLayout(self.layer_box, *self.boxes.values()), scroll_area(body), owner=self)
        self.layer_box.currentIndexChanged.connect(self._on_layer)

    def computation(self, subject: InspectedInput) -> Computation:
        model, x = subject.model, subject.input
        self._model = model
        if self.layer_box.show_layers(model):
            self._fit_boxes()
        assert x is not None
        layer = self.layer_box.layer
        indices = {key: box.value() for key, box in self.boxes.items()}
        return lambda engine, check: (layer, indices["unit"], arithmetic(engine, x, layer, **indices))

    def show_result(self, subject: InspectedInput, result: tuple[int, int, Arithmetic]) -> None:
        layer, unit, sums = result
        name, captions, images, terms = (
            unit_name(subject.model, layer, unit),
            [self.tr("inputs")],
            [sums.inputs],
            "",
        )
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
        bound = largest(np.stack(images))
        self.grid.show_values(np.stack(images), bound, self._describe, captions)
        self.legend.show_bound(bound)
        self.result.setText(text)
        self.terms.setText(terms)

    def _on_layer(self) -> None:
        self._fit_boxes()
        self.recompute.emit()

    def _fit_boxes(self) -> None:
        """Limit the boxes to the layer's shapes, and show those that the layer has."""
        layer = self.layer_box.layer
        if self._model is None or layer < 0:
            return
        shapes = self._model.network.shapes
        below, shape = shapes[layer], shapes[layer + 1]
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

    def _describe(self, image: int, row: int, column: int, value: float) -> str:
        return number(value, 4) if np.isfinite(value) else ""

    def _equation(self, model: Model, layer: int, name: str, sums: Arithmetic, products: np.ndarray) -> str:
        """The sum in one line, then the activation."""
        parts = [number(float(np.nansum(products)), 4) + " " + self.tr("(products)")]
        if sums.others:
            parts.append(number(sums.others, 4) + " " + self.tr("(other channels)"))
        parts.append(number(sums.bias, 4) + " " + self.tr("(bias)"))
        text = self.tr("{unit}: sum z = {parts} = {z}").format(
            unit=name, parts=" + ".join(parts), z=number(sums.z, 4)
        )
        activation, title = activation_of(model, layer)
        if activation == "linear":
            return text + "."
        return text + self.tr("; output {f}(z) = {y}.").format(f=title, y=number(sums.y, 4))

    def _largest_terms(self, inputs: np.ndarray, weights: np.ndarray, products: np.ndarray) -> str:
        strength = np.nan_to_num(np.abs(products)).ravel()
        best = [k for k in np.argsort(-strength, kind="stable")[:TERMS] if strength[k] > 0]
        terms = [
            "{} × {} = {}".format(*(number(float(array.flat[k]), 3) for array in (inputs, weights, products)))
            for k in best
        ]
        return self.tr("The largest products: {terms}.").format(terms="; ".join(terms)) if terms else ""
