"""Texts about the layers of a network, and the box that lists them."""

from PySide6.QtCore import QCoreApplication, Qt

from core.inference.model_file import Model
from core.network.losses import find_loss
from core.training.run_settings import BY_NAME
from gui.text import choice_title
from gui.widgets.basics import QuietComboBox, named


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
