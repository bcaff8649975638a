"""The interface between the Inside tab and its views, and the texts about layers that the views
share.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QCoreApplication, QSignalBlocker, Signal
from PySide6.QtWidgets import QScrollArea, QWidget

from core.data.dataset import Dataset
from core.inference.engine import Engine
from core.inference.model_file import Model
from core.inspection.health import starting_parameters
from core.progress import Check
from core.training.run_settings import BY_NAME
from gui.inside.map_grid import MapGrid
from gui.text import choice_title
from gui.widgets import make
from gui.widgets.basics import QuietComboBox, named

# (epoch, parameters) of a run.
Kept = tuple[tuple[int, np.ndarray], ...]


@dataclass(frozen=True, slots=True)
class InspectedInput:
    """What the views show. `input`: (*input shape), uint8 image or float32 point; None for an empty
    canvas.

    `dataset`: fits the model; None if not read. `kept`: of the model's run. `training`: whether it
    still learns; `diverged`: whether its run ended because the loss was not finite.
    """

    model: Model
    input: np.ndarray | None
    dataset: Dataset | None
    kept: Kept = ()
    training: bool = False
    diverged: bool = False


# Runs in a background thread. The second argument is to be called now and then; it raises
# Cancelled.
Computation = Callable[[Engine, Check], Any]


class Page(QWidget):
    """A view. The tab calls `computation` when the subject has changed, and `show_result` with what
    it returned.
    """

    recompute = Signal()  # a control of the page was changed
    # Number of a test example that the user wants the network to be shown.
    example_wanted = Signal(int)
    # Subject and a Computation that takes long; `show_slow` gets its result.
    slow = Signal(object, object)

    needs_input: ClassVar[bool] = True
    needs_dataset: ClassVar[bool] = False
    needs_image: ClassVar[bool] = False  # a network that classifies images
    # While a network learns, its newest parameters are shown this often. A drawing is followed at
    # once.
    snapshot_milliseconds: ClassVar[int] = 500

    def __init__(self, name: str, title: str, explanation: str) -> None:
        super().__init__()
        named(self, name, title)
        self.title = title
        self.explanation = explanation

    @property
    def wants_dataset(self) -> bool:
        """Whether the page would show more with a data set."""
        return self.needs_dataset

    def computation(self, subject: InspectedInput) -> Computation:
        """What to compute for the subject; called in the window's thread."""
        raise NotImplementedError

    def show_result(self, subject: InspectedInput, result: Any) -> None:
        """Show what the computation returned."""
        raise NotImplementedError

    def show_slow(self, result: Any) -> None:
        """Show what a slow computation returned."""

    def show_all_units(self, wanted: bool) -> None:
        """Show all units of each layer where the page shows some of them."""


def show_parts(area: QScrollArea, parts: Iterable[QWidget]) -> None:
    """Replace the contents of `area` by these widgets, one below the other, each with its name and
    legend above it.
    """
    body = QWidget()
    columns = []
    body.setContentsMargins(0, 0, 6, 0)
    for part in parts:
        title = make.label(part.accessibleName(), role="heading")
        head: make.Part = title
        stretch = 1
        if isinstance(part, MapGrid):
            head = make.row((title, 1), part.legend)
            stretch = 0  # a grid has the height that its images need
        columns.append((make.column(head, (part, stretch), 4, spacing=2), stretch))
    make.column(*columns, None, owner=body)
    area.setWidget(body)


def free_height(area: QScrollArea, parts: Iterable[QWidget]) -> int:
    """Pixels that `parts` have together in `area`: its height without all else in it."""
    body = area.widget()
    layout = body.layout() if body is not None else None
    if layout is None:
        return 0
    layout.invalidate()
    needed = layout.sizeHint().height()
    if layout.hasHeightForWidth():
        needed = layout.totalHeightForWidth(area.maximumViewportSize().width())
    return area.maximumViewportSize().height() - needed + sum(part.height() for part in parts)


def fill(area: QScrollArea, grids: Sequence[MapGrid]) -> None:
    """Let the images of `grids` share the height of `area`, in proportion to what they need at
    their usual size.
    """
    least = [grid.places(1.0).height for grid in grids]
    free = free_height(area, grids)
    for grid, height in zip(grids, least, strict=True):
        grid.set_room(max(free * height // max(sum(least), 1), 1))


def _tr(text: str, n: int = -1) -> str:
    return QCoreApplication.translate("Inside", text, None, n)


def layer_title(model: Model, index: int) -> str:
    """`Layer 2: 32C5, 32 maps of 14×14, ReLU`, or `Layer 3: 128, 128 units, ReLU`."""
    network = model.network
    *size, count = network.shapes[index + 1]
    template = _tr("{n} maps of {size}", count) if size else _tr("{n} units", count)
    shape = template.format(n=count, size="×".join(map(str, size)))
    layer = network.layers[index]
    text = _tr("Layer {n}: {layer}, {shape}").format(n=index + 1, layer=layer.text, shape=shape)
    if not layer.has_activation():
        return text
    is_last = index == len(network.layers) - 1
    scores = is_last and model.loss == "cross-entropy" and model.kind == "classes"
    return f"{text}, " + (
        _tr("scores before the softmax") if scores else activation_of(model, index)[1]
    )


def activation_of(model: Model, layer: int) -> tuple[str, str]:
    """The layer's activation, and as it is shown."""
    name = model.activations[layer]
    return name, choice_title(BY_NAME["activation"], name)


def unit_name(model: Model, layer: int, unit: int) -> str:
    """`map 3`, `unit 17`; `class 7` for the last layer."""
    network = model.network
    if layer == len(network.layers) - 1 and model.classes:
        return _tr("class {name}").format(name=model.classes[unit])
    template = _tr("map {n}") if len(network.shapes[layer + 1]) == 3 else _tr("unit {n}")
    return template.format(n=unit)


class LayerBox(QuietComboBox):
    """Lists the layers of a network. The data of an item is the index of its layer."""

    def __init__(self, name: str, tip: str) -> None:
        super().__init__()
        named(self, name, _tr("Layer"), tip)
        self.setMinimumContentsLength(16)
        self._model: Model | None = None

    @property
    def layer(self) -> int:
        """The index of the chosen layer; -1 for none."""
        return -1 if self.currentData() is None else int(self.currentData())

    def show_layers(self, model: Model, *, weights_only: bool = False) -> bool:
        """List the layers of `model`, unless they are listed already. Returns whether the list is
        new; no signal.
        """
        known = self._model is not None and model.computes_like(self._model)
        self._model = model
        if known:
            return False
        text = _tr("Layer {n}: {layer}")
        with QSignalBlocker(self):
            self.clear()
            make.fill(
                self,
                [
                    (index, text.format(n=index + 1, layer=layer.text), layer_title(model, index))
                    for index, layer in enumerate(model.network.layers)
                    if model.network.weight_shapes[index] is not None or not weights_only
                ],
            )
        return True


# Name and parameters.
Moment = tuple[str, np.ndarray]


def start_name() -> str:
    return _tr("start")


def moments_of(subject: InspectedInput) -> list[Moment]:
    """All moments that are known, in order; the last one has the subject's own parameters."""
    start = starting_parameters(subject.model)
    moments = [] if start is None else [(start_name(), start)]
    moments += [(_tr("epoch {n}").format(n=epoch), array) for epoch, array in subject.kept]
    # In a replay the model has the parameters of one of the moments.
    now = subject.model.parameters
    known = any(array is now for _, array in moments) or (
        start is not None and np.array_equal(start, now)
    )
    if not known and not (subject.kept and np.array_equal(subject.kept[-1][1], now)):
        moments.append((_tr("now"), subject.model.parameters))
    return moments
