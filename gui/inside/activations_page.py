"""The outputs of all layers for one image: each map as an image, each unit as a square."""

from functools import partial

import numpy as np
from PySide6.QtWidgets import QWidget

from core.inference.model_file import Model
from gui.inside.map_grid import MapGrid, ValueLegend, largest
from gui.inside.page import Computation, InspectedInput, Page, layer_title, show_parts, unit_name
from gui.text import number
from gui.widgets import make
from gui.widgets.basics import scroll_area


class ActivationsPage(Page):
    """Each layer has a color scale of its own, because the sizes of the values differ between layers."""

    def __init__(self) -> None:
        super().__init__(
            "activationsPage",
            self.tr("Activations"),
            self.tr(
                "What every layer makes of this image: each small picture is the output of one filter, each square "
                "that of one unit. Blue is positive, orange negative."
            ),
        )
        self.rows: list[_LayerRow] = []
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
            self.rows = [_LayerRow(model, index) for index in range(len(model.network.layers))]
            show_parts(self._scroll, self.rows)
        self._model = model
        for row, output in zip(self.rows, result, strict=True):
            row.show_output(model, output[0])


class _LayerRow(QWidget):
    """The outputs of one layer, below its title and its color scale."""

    def __init__(self, model: Model, layer: int) -> None:
        super().__init__()
        self._layer = layer
        self.title = make.label(layer_title(model, layer), role="heading")
        self.legend = ValueLegend(f"legend{layer}")
        self.grid = MapGrid(f"layerMaps{layer}", self.title.text())
        make.column(make.row((self.title, 1), self.legend), self.grid, 4, owner=self, spacing=2)

    def show_output(self, model: Model, output: np.ndarray) -> None:
        """`output`: (height, width, maps) or (units,)."""
        values = np.moveaxis(output, 2, 0) if output.ndim == 3 else output.reshape(-1, 1, 1)
        bound = largest(output)
        names = model.classes if self._layer == len(model.network.layers) - 1 else ()
        self.grid.show_values(values, bound, partial(self._describe, model), names)
        self.legend.show_bound(bound, bool((output < 0).any()))

    def _describe(self, model: Model, unit: int, row: int, column: int, value: float) -> str:
        name = unit_name(model, self._layer, unit)
        if self.grid.values.shape[1:] == (1, 1):
            return f"{name}: {number(value, 3)}"
        text = self.tr("{map}, row {row}, column {column}: {value}")
        return text.format(map=name, row=row, column=column, value=number(value, 3))
