"""The interface between the Inside tab and its views, and the texts about layers that the views share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QWidget

from core.data.dataset import Dataset
from core.inference.model_file import Model
from core.inspection.kept_parameters import starting_parameters
from core.network.losses import find_loss
from core.training.run_settings import BY_NAME
from gui.text import choice_title
from gui.widgets.basics import QuietComboBox, named

if TYPE_CHECKING:
    from core.inference.engine import Engine


@dataclass(frozen=True, slots=True)
class InspectedInput:
    """What the views show. `input`: (*input shape), uint8 image or float32 point; None for an empty canvas.

    `answer`: the label or target of a test example; None for a drawing. `dataset`: fits the model; None if not read.
    `kept`: (epoch, parameters) of the model's run, as far as they are kept. `training`: whether it still learns;
    `diverged`: whether its run ended because the loss was not finite.
    """

    model: Model
    input: np.ndarray | None
    answer: Any
    dataset: Dataset | None
    kept: tuple[tuple[int, np.ndarray], ...] = ()
    training: bool = False
    diverged: bool = False


# Runs in a background thread. The second argument is to be called now and then; it raises Cancelled.
Computation = Callable[["Engine", Callable[[], None]], Any]


class Page(QWidget):
    """A view. The tab calls `computation` when the subject has changed, and `show_result` with what it returned."""

    recompute = Signal()  # a control of the page was changed
    slow = Signal(object)  # a Computation that takes long; `show_slow` is called with its result

    needs_input: ClassVar[bool] = True
    needs_dataset: ClassVar[bool] = False
    needs_image: ClassVar[bool] = False
    """Whether it needs a network that classifies images."""

    snapshot_milliseconds: ClassVar[int] = 500
    """While a network learns, its newest parameters are shown this often. A drawing is followed at once."""

    def __init__(self, name: str, title: str, explanation: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.title, self.explanation = title, explanation
        self.setAccessibleName(title)

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


def _tr(text: str) -> str:
    return QCoreApplication.translate("Inside", text)


def shape_text(shape: tuple[int, ...]) -> str:
    """`12 maps of 28×28`, or `128 units`."""
    if len(shape) == 3:
        return _tr("{n} maps of {height}×{width}").format(n=shape[2], height=shape[0], width=shape[1])
    return _tr("{n} units").format(n=shape[0])


def layer_title(model: Model, index: int) -> str:
    """`Layer 2: 32C5, 32 maps of 14×14, ReLU`."""
    network = model.network
    names = network.activations(model.activation, find_loss(model.loss, model.kind))
    text = _tr("Layer {n}: {layer}, {shape}").format(
        n=index + 1, layer=network.layers[index].text, shape=shape_text(network.shapes[index + 1])
    )
    if not network.layers[index].has_activation():
        return text
    last = index == len(network.layers) - 1
    if last and model.loss == "cross-entropy" and model.kind == "classes":
        return f"{text}, " + _tr("scores before the softmax")
    return f"{text}, {choice_title(BY_NAME['activation'], names[index])}"


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
        named(self, name)
        self.setAccessibleName(_tr("Layer"))
        self.setToolTip(tip)
        self.setMinimumContentsLength(16)
        self._model: Model | None = None

    @property
    def layer(self) -> int:
        """The index of the chosen layer; -1 for none."""
        return -1 if self.currentData() is None else int(self.currentData())

    def show_layers(self, model: Model, *, weights_only: bool = False) -> bool:
        """List the layers of `model`, unless they are listed already. Returns whether the list is new; no signal."""
        known = self._model is not None and model.computes_like(self._model)
        self._model = model
        if known:
            return False
        blocked = self.blockSignals(True)
        self.clear()
        for index, shape in enumerate(model.network.weight_shapes):
            if shape is not None or not weights_only:
                self.addItem(
                    _tr("Layer {n}: {layer}").format(n=index + 1, layer=model.network.layers[index].text),
                    index,
                )
                self.setItemData(self.count() - 1, layer_title(model, index), Qt.ItemDataRole.ToolTipRole)
        self.blockSignals(blocked)
        return True


# Name and parameters.
Moment = tuple[str, np.ndarray]


def start_name() -> str:
    return QCoreApplication.translate("Inside", "start")


def moments_of(subject: InspectedInput) -> list[Moment]:
    """All moments that are known, in order; the last one has the subject's own parameters."""
    start = starting_parameters(subject.model)
    moments = [] if start is None else [(start_name(), start)]
    epoch_name = QCoreApplication.translate("Inside", "epoch {n}")
    moments += [(epoch_name.format(n=epoch), array) for epoch, array in subject.kept]
    if not subject.kept or not np.array_equal(subject.kept[-1][1], subject.model.parameters):
        moments.append((QCoreApplication.translate("Inside", "now"), subject.model.parameters))
    return moments
