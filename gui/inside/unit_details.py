"""Everything about one unit or map: its weights, its connections, what excites it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from core.data.dataset import Dataset
from core.inference.model_file import Model
from core.inspection.flow import ForwardFlow
from core.inspection.weight_images import filter_images
from core.network.parameters import views
from gui.inside.layer_text import unit_name
from gui.inside.map_grid import MapGrid
from gui.inside.page import Computation
from gui.text import number
from gui.widgets.basics import named, with_role
from gui.widgets.value_colors import largest

EXAMPLES, SEARCHED = 5, 2000  # test images that are shown, and among which they are looked for


@dataclass(frozen=True, slots=True)
class Excitement:
    """What excites a unit. `examples`: indices of test images; None without them. `ascent`: an input made for it."""

    layer: int
    unit: int
    examples: np.ndarray | None
    values: np.ndarray | None
    ascent: np.ndarray | None


def excitement(layer: int, unit: int, dataset: Dataset | None, image: bool) -> Computation:
    """The computation of an Excitement. image: whether the network's input is an image."""

    def compute(inspector: object, check: Callable[[], None]) -> Excitement:
        from core.inspection.units import Inspector, ascend, exciting_inputs

        assert isinstance(inspector, Inspector)
        made = ascend(inspector, layer, unit, check) if image else None
        if dataset is None or not image:
            return Excitement(layer, unit, None, None, made)
        inputs = dataset.test.inputs[:SEARCHED]
        examples, values = exciting_inputs(inspector, inputs, layer, unit, EXAMPLES, check)
        return Excitement(layer, unit, examples, values, made)

    return compute


class UnitDetails(QWidget):
    """`example_chosen` of the grid `examples` gives the position of a test image in its row."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("unitDetails")
        self.heading = named(QLabel(), "unitHeading")
        with_role(self.heading, "heading")
        self.connections = named(QLabel(), "unitConnections")
        self.connections.setWordWrap(True)
        self.weights = MapGrid("unitWeights", self.tr("Weights of the unit"), side=64)
        self.examples = MapGrid("unitExamples", self.tr("Test images that excite it most"), side=56)
        self.examples.setToolTip(self.tr("Return or a click shows this test image to the network."))
        self.ascent = MapGrid("unitAscent", self.tr("Input made by gradient ascent"), side=64)
        self.indices = np.empty(0, int)
        row = QHBoxLayout()
        row.setSpacing(12)
        parts = (
            (self.weights, self.tr("Weights"), 2),
            (self.examples, self.tr("Test images that excite it most"), 6),
            (self.ascent, self.tr("Made to excite it"), 2),
        )
        for grid, title, stretch in parts:
            part = QVBoxLayout()
            label = QLabel(title)
            with_role(label, "muted")
            label.setWordWrap(True)
            part.addWidget(label)
            part.addWidget(grid)
            part.addStretch(1)
            row.addLayout(part, stretch)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.heading)
        column.addWidget(self.connections)
        column.addLayout(row)

    def show_unit(self, model: Model, layer: int, unit: int, flow: ForwardFlow) -> None:
        """What follows from the parameters and the present input."""
        output = flow.outputs[layer][..., unit]
        text = self.tr("Layer {n}, {unit}: output {value}")
        name = unit_name(model, layer, unit)
        self.heading.setText(text.format(n=layer + 1, unit=name, value=number(float(output.max()), 3)))
        self.connections.setText(self._connections(model, layer, unit, flow))
        params = views(model.network, model.parameters)[layer]
        images = np.zeros((0, 1, 1), np.float32)
        if params is not None:
            images = filter_images(params.weights[..., unit : unit + 1], model.network.shapes[layer])
        self.weights.show_values(images, largest(images), lambda *where: number(where[3], 3))

    def show_excitement(self, result: Excitement | None, dataset: Dataset | None) -> None:
        """Show what excites the unit; None clears it."""
        empty: np.ndarray = np.zeros((0, 1, 1), np.float32)
        images, captions = empty, []
        self.indices = np.empty(0, int)
        if (
            result is not None
            and result.examples is not None
            and result.values is not None
            and dataset is not None
        ):
            self.indices = result.examples
            images = dataset.test.inputs[result.examples, :, :, 0] / np.float32(255)
            captions = [number(float(value), 3) for value in result.values]
        self.examples.show_values(images, 1.0, self._describe(dataset), captions)
        made = empty if result is None or result.ascent is None else result.ascent[None, :, :, 0]
        self.ascent.show_values(made, 1.0)

    def _describe(self, dataset: Dataset | None) -> Callable[[int, int, int, float], str]:
        def text(position: int, row: int, column: int, value: float) -> str:
            assert dataset
            index = int(self.indices[position])
            name = dataset.classes[int(dataset.test.answers[index])] if dataset.classes else ""
            return self.tr("Test image {n}, a {name}; Return or a click shows it to the network.").format(
                n=index, name=name
            )

        return text

    def _connections(self, model: Model, layer: int, unit: int, flow: ForwardFlow) -> str:
        """The strongest connections into a dense unit and out of it, in words."""
        parts = []
        incoming = flow.connections[layer]
        if incoming is not None and len(incoming.sources):
            pairs = zip(incoming.sources, incoming.contributions, strict=True)
            named_pairs = [(self._source(model, layer, int(i)), float(v)) for i, v in pairs]
            parts.append(self.tr("Strongest inputs: {list}.").format(list=_listed(named_pairs)))
        outgoing = flow.connections[layer + 1] if layer + 1 < len(flow.connections) else None
        if outgoing is not None and len(model.network.shapes[layer + 1]) == 1 and len(outgoing.sources):
            pairs = zip(outgoing.targets, outgoing.contributions, strict=True)
            named_pairs = [(unit_name(model, layer + 1, int(j)), float(v)) for j, v in pairs]
            parts.append(self.tr("It contributes most to: {list}.").format(list=_listed(named_pairs)))
        return " ".join(parts)

    def _source(self, model: Model, layer: int, index: int) -> str:
        """An element of the layer's input."""
        shape = model.network.shapes[layer]
        if len(shape) == 1:
            return unit_name(model, layer - 1, index) if layer else self.tr("input {n}").format(n=index)
        position, channel = divmod(index, shape[2])
        row, column = divmod(position, shape[1])
        text = self.tr("map {map} at {row}, {column}") if layer else self.tr("pixel {row}, {column}")
        return text.format(map=channel, row=row, column=column)


def _listed(pairs: list[tuple[str, float]]) -> str:
    return ", ".join(f"{name} ({'+' if value > 0 else ''}{number(value, 2)})" for name, value in pairs[:5])
