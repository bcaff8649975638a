"""The network on a stage of its own, and what is known about the chosen unit."""

import time
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from core.data.dataset import Dataset
from core.inference.engine import Engine
from core.inference.model_file import Model
from core.inspection.units import (
    Connections,
    ForwardFlow,
    ascend,
    exciting_inputs,
    filter_images,
    flow_through,
)
from core.network.parameters import views
from core.progress import Check
from gui.inside.map_grid import MapGrid, largest
from gui.inside.page import Computation, InspectedInput, Page, unit_name
from gui.stage.stage import Stage
from gui.text import number
from gui.widgets import make
from gui.widgets.basics import named, scroll_area

# test images that are shown, and among which they are looked for
EXAMPLES = 5
SEARCHED = 2000


NO_IMAGES = np.zeros((0, 1, 1), np.float32)


class Excitement(NamedTuple):
    """What excites a unit: an input made for it, and `indices` of test images with its `outputs`.

    `chosen`: its layer and index. `ascent`: (1, height, width). `images`: (n, height, width) in
    0..1; none without a data set. `labels`: their classes.
    """

    chosen: tuple[int, int] | None = None
    ascent: np.ndarray = NO_IMAGES
    indices: np.ndarray = NO_IMAGES
    outputs: np.ndarray = NO_IMAGES
    images: np.ndarray = NO_IMAGES
    labels: tuple[str, ...] = ()


def excitement(
    engine: Engine, check: Check, chosen: tuple[int, int], dataset: Dataset | None
) -> Excitement:
    ascent = ascend(engine, *chosen, check)[None, :, :, 0]
    if dataset is None:
        return Excitement(chosen, ascent)
    test = dataset.test
    indices, outputs = exciting_inputs(engine, test.inputs[:SEARCHED], *chosen, EXAMPLES, check)
    labels = tuple(
        dataset.classes[int(label)] if dataset.classes else "" for label in test.targets[indices]
    )
    images = test.inputs[indices, :, :, 0] / np.float32(255)
    return Excitement(chosen, ascent, indices, outputs, images, labels)


class UnitDetails(QWidget):
    """`example_chosen` of the grid `examples` gives the position of a test image in its row."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "unitDetails")
        self.heading = make.label(name="unitHeading", role="heading", wraps=False)
        self.connections = make.label(name="unitConnections")
        self.weights = MapGrid("unitWeights", self.tr("Weights of the unit"), side=64)
        self.examples = MapGrid("unitExamples", self.tr("Test images that excite it most"), side=56)
        self.examples.setToolTip(self.tr("Return or a click shows this test image to the network."))
        self.ascent = MapGrid("unitAscent", self.tr("Input made by gradient ascent"), side=64)
        self.excitement = Excitement()
        columns = [
            (make.column(make.label(title, role="muted"), grid, None), stretch)
            for grid, title, stretch in (
                (self.weights, self.tr("Weights"), 2),
                (self.examples, self.tr("Test images that excite it most"), 6),
                (self.ascent, self.tr("Made to excite it"), 2),
            )
        ]
        self.setContentsMargins(0, 4, 0, 0)
        make.column(
            self.heading, self.connections, make.row(*columns, spacing=12), owner=self, spacing=4
        )

    def show_unit(self, model: Model, layer: int, unit: int, flow: ForwardFlow) -> None:
        """What follows from the parameters and the present input."""
        self.connections.setText(self._connections(model, layer, unit, flow))
        params = views(model.network, model.parameters)[layer]
        images = NO_IMAGES
        if params is not None:
            images = filter_images(
                params.weights[..., unit : unit + 1], model.network.shapes[layer]
            )
        self.weights.show_values(images, largest(images), lambda *where: number(where[3], 3))

    def show_excitement(self, excitement: Excitement) -> None:
        self.excitement = excitement
        captions = [number(float(value), 3) for value in excitement.outputs]
        text = self.tr("Test image {n}, a {name}; Return or a click shows it to the network.")

        def describe(position: int, row: int, column: int, value: float) -> str:
            return text.format(n=excitement.indices[position], name=excitement.labels[position])

        self.examples.show_values(excitement.images, 1.0, describe, captions)
        self.ascent.show_values(excitement.ascent, 1.0)

    def _connections(self, model: Model, layer: int, unit: int, flow: ForwardFlow) -> str:
        """The strongest connections into a dense unit and out of it, in words."""
        incoming, *after = flow.connections[layer : layer + 2]
        outgoing = after[0] if after and len(model.network.shapes[layer + 1]) == 1 else None
        texts = []
        if incoming is not None and len(incoming.sources):
            names = [self._source(model, layer, int(source)) for source in incoming.sources]
            texts.append(self.tr("Strongest inputs: {list}.").format(list=_listed(names, incoming)))
        if outgoing is not None and len(outgoing.sources):
            names = [unit_name(model, layer + 1, int(target)) for target in outgoing.targets]
            texts.append(
                self.tr("It contributes most to: {list}.").format(list=_listed(names, outgoing))
            )
        return " ".join(texts)

    def _source(self, model: Model, layer: int, index: int) -> str:
        """An element of the layer's input."""
        shape = model.network.shapes[layer]
        if len(shape) == 1:
            return (
                unit_name(model, layer - 1, index)
                if layer
                else self.tr("input {n}").format(n=index)
            )
        position, channel = divmod(index, shape[2])
        row, column = divmod(position, shape[1])
        text = (
            self.tr("map {map} at {row}, {column}") if layer else self.tr("pixel {row}, {column}")
        )
        return text.format(map=channel, row=row, column=column)


def _listed(names: list[str], connections: Connections) -> str:
    signed = (
        f"{'+' if value > 0 else ''}{number(float(value), 2)}"
        for value in connections.contributions
    )
    return ", ".join(
        f"{name} ({value})" for name, value in list(zip(names, signed, strict=True))[:5]
    )


# While a network learns, what excites the chosen unit is computed again this often.
EXCITEMENT_SECONDS = 5.0


class NetworkPage(Page):
    def __init__(self) -> None:
        super().__init__(
            "networkPage",
            self.tr("Network"),
            self.tr(
                "The values that flow from the pixels to the answer. Lines are the strongest "
                "connections: a blue one raises the unit at its right end, an orange one lowers it."
            ),
        )
        self.stage = Stage(keeps_choice=True)
        self._chosen: tuple[int, int] | None = None  # a layer, and a unit or map of it
        self._model: Model | None = None
        self.details = UnitDetails()
        text = self.tr("Click on a unit or map, or use the arrow keys, to see what it does.")
        self.hint = make.label(text, "hint", "muted")
        self._excited: tuple[Model, Dataset | None] | None = None
        self._excited_at = 0.0
        self._below = scroll_area(self.details)
        self._below.setMinimumHeight(120)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        for part in (self.stage, self._below):
            self.splitter.addWidget(part)
        self.splitter.setSizes([330, 200])
        make.column((self.splitter, 1), self.hint, owner=self)
        self._below.hide()
        self.stage.unit_activated.connect(self._choose)
        self.details.examples.chosen.connect(
            lambda position: self.example_wanted.emit(
                int(self.details.excitement.indices[position])
            )
        )

    @property
    def wants_dataset(self) -> bool:
        return self._chosen is not None

    def computation(self, subject: InspectedInput) -> Computation:
        values = subject.input
        assert values is not None
        if self._model is not None and not subject.model.computes_like(self._model):
            self._chosen = None
        chosen = self._chosen
        return lambda engine, check: flow_through(engine, values, chosen)

    def show_result(self, subject: InspectedInput, result: ForwardFlow) -> None:
        assert subject.input is not None
        self._model = subject.model
        self.stage.scene.set_model(subject.model)
        self.stage.scene.show_point(subject.input)
        chosen = self._chosen
        self._below.setVisible(chosen is not None)
        self.hint.setVisible(chosen is None)
        # Another unit may have been chosen since the computation began; then its own result
        # follows.
        if chosen is not None and chosen == result.chosen:
            self.details.heading.setText(self._unit_text(subject.model, result, chosen))
            self.details.show_unit(subject.model, *chosen, result)
            self._excite(subject, chosen)

    def _unit_text(self, model: Model, flow: ForwardFlow, chosen: tuple[int, int]) -> str:
        """The output of a unit, or the largest of a map."""
        layer, unit = chosen
        values = flow.outputs[layer]
        text = self.tr("Layer {n}, {unit}: outputs up to {value}")
        if values.ndim == 1:
            text = self.tr("Layer {n}, {unit}: output {value}")
        value = number(float(values[..., unit].max()), 3)
        return text.format(n=layer + 1, unit=unit_name(model, layer, unit), value=value)

    def show_slow(self, result: Excitement) -> None:
        if self._chosen == result.chosen:
            self.details.show_excitement(result)

    def show_all_units(self, wanted: bool) -> None:
        self.stage.scene.show_all_units(wanted)

    def _choose(self, layer: int, unit: int) -> None:
        self._chosen = (layer, unit)
        self.details.show_excitement(Excitement())
        self._excited = None
        self.recompute.emit()

    def _excite(self, subject: InspectedInput, chosen: tuple[int, int]) -> None:
        """Look for what excites a unit of a network for images, unless it was looked for a moment
        ago or is known.

        `_excited` is None after another unit was chosen.
        """
        soon = time.monotonic() - self._excited_at < EXCITEMENT_SECONDS
        known = self._excited is not None and self._excited[1] is subject.dataset
        if known and (soon or self._excited[0] is subject.model):  # type: ignore[index]
            return
        self._excited = (subject.model, subject.dataset)
        self._excited_at = time.monotonic()
        if len(subject.model.network.input_shape) == 3:
            self.slow.emit(
                subject, lambda engine, check: excitement(engine, check, chosen, subject.dataset)
            )
