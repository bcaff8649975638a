"""The picture of the network with the values that flow through it, and what is known about the chosen unit."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from core.data.dataset import Dataset
from core.inference.model_file import Model
from core.inspection.units import ForwardFlow, filter_images
from core.network.parameters import views
from core.progress import Check
from gui.inside.map_grid import MapGrid, largest
from gui.inside.network_picture import NetworkPicture
from gui.inside.page import Computation, InspectedInput, Page, unit_name
from gui.text import number
from gui.widgets import make
from gui.widgets.basics import scroll_area

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

    def compute(engine: object, check: Check) -> Excitement:
        from core.inference.engine import Engine
        from core.inspection.units import ascend, exciting_inputs

        assert isinstance(engine, Engine)
        made = ascend(engine, layer, unit, check) if image else None
        if dataset is None or not image:
            return Excitement(layer, unit, None, None, made)
        inputs = dataset.test.inputs[:SEARCHED]
        examples, values = exciting_inputs(engine, inputs, layer, unit, EXAMPLES, check)
        return Excitement(layer, unit, examples, values, made)

    return compute


class UnitDetails(QWidget):
    """`example_chosen` of the grid `examples` gives the position of a test image in its row."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("unitDetails")
        self.heading = make.label(name="unitHeading", role="heading", wraps=False)
        self.connections = make.label(name="unitConnections")
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
            row.addLayout(make.column(make.label(title, role="muted"), grid, None), stretch)
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
            name = dataset.classes[int(dataset.test.targets[index])] if dataset.classes else ""
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
        text = self.tr("Click on a unit or map, or use the arrow keys, to see what it does.")
        self.hint = make.label(text, "hint", "muted")
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
        make.column((self.splitter, 1), self.hint, owner=self)
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

        def compute(engine: object, check: object) -> ForwardFlow:
            from core.inference.engine import Engine
            from core.inspection.units import flow_through

            assert isinstance(engine, Engine)
            return flow_through(engine, values, chosen)

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
