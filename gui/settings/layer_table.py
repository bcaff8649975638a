"""The table model of a network's layers: kind, activation, output shape, parameters and multiply-adds."""

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from core.network.layers import Layer
from core.network.network import Network
from core.training.run_settings import BY_NAME
from gui.text import about, choice_title, count
from kernels.activations import NAMES as ACTIVATIONS

LAYER, ACTIVATION, OUTPUT, PARAMETERS, MULTIPLY_ADDS = range(5)
NO_ACTIVATION = ""
"""Item value for a layer without an activation of its own, which applies the run's."""

Index = QModelIndex | QPersistentModelIndex


class LayersModel(QAbstractTableModel):
    """One row for each layer of `network`. An edit emits `edited` with the new text of the network."""

    edited = Signal(str)

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.network: Network | None = None
        self.activation = "relu"
        self.output = "softmax"

    def show_network(self, network: Network | None, activation: str, output: str) -> None:
        """`activation`, `output`: what hidden layers and the last layer apply without an activation of their own."""
        same_size = self.network and network and len(self.network.layers) == len(network.layers)
        if not same_size:
            self.beginResetModel()
        self.network, self.activation, self.output = network, activation, output
        if not same_size:
            self.endResetModel()
        elif network:
            self.dataChanged.emit(self.index(0, 0), self.index(len(network.layers) - 1, MULTIPLY_ADDS))

    @property
    def layers(self) -> tuple[Layer, ...]:
        return self.network.layers if self.network else ()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.layers)

    def columnCount(self, parent: Index | None = None) -> int:
        return 5

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section >= OUTPUT else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.DisplayRole:
            return (
                self.tr("Layer"), self.tr("Acti-\nvation"), self.tr("Output"), self.tr("Para-\nmeters"),
                self.tr("Multiply-\nadds"),
            )[section]  # fmt: skip
        if role == Qt.ItemDataRole.ToolTipRole:
            return (
                self.tr("The layer; select it to change it below, or double-click."),
                self.tr("The function applied to each weighted sum: the run's unless the layer has its own."),
                self.tr("The shape of the output."),
                self.tr("The number of parameters: weights and biases."),
                self.tr("The number of multiplications and additions for one image."),
            )[section]
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.column() == LAYER:
            editable = index.row() < len(self.layers) - 1
        else:
            editable = index.column() == ACTIVATION and self.layers[index.row()].has_activation()
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not self.network or not index.isValid():
            return None
        row, column = index.row(), index.column()
        layer = self.layers[row]
        if role == Qt.ItemDataRole.TextAlignmentRole and column >= OUTPUT:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.EditRole:
            return _short(layer) if column == LAYER else layer.activation or NO_ACTIVATION
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row) if column in (LAYER, ACTIVATION) else self._exact(row, column)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if column == LAYER:
            return QCoreApplication.translate("Layer", layer.caption).format(**layer.values())
        if column == ACTIVATION:
            return self._activation(row)
        if column == OUTPUT:
            return "×".join(str(n) for n in self.network.shapes[row + 1])
        return about(self._number(row, column))

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not self.network:
            return False
        parts = [layer.text for layer in self.layers]
        layer = self.layers[index.row()]
        if index.column() == LAYER:
            # Another size typed without options keeps the activation.
            text = str(value).strip()
            kept = f":{layer.activation}" if layer.activation and ":" not in text else ""
            parts[index.row()] = text + kept
        elif layer.has_activation():
            parts[index.row()] = type(layer)(**{**layer.values(), "activation": value or None}).text
        self.edited.emit("-".join(parts))
        return True

    def _activation(self, row: int) -> str:
        layer = self.layers[row]
        if not layer.has_activation():
            return ""
        assert self.network
        if self.network.gives_activation(row):
            return ""
        hidden = self.network.hidden_activations(self.activation)[row]
        last = row == len(self.layers) - 1
        return activation_title(layer.activation or (self.output if last else hidden))

    def _number(self, row: int, column: int) -> int:
        assert self.network
        numbers = self.network.parameters if column == PARAMETERS else self.network.multiply_adds
        return numbers[row]

    def _exact(self, row: int, column: int) -> str:
        if column == OUTPUT:
            return self.data(self.index(row, OUTPUT))
        number = self._number(row, column)
        if column == PARAMETERS:
            template = self.tr("{n} parameter") if number == 1 else self.tr("{n} parameters")
        else:
            one = number == 1
            template = self.tr("{n} multiply-add an image") if one else self.tr("{n} multiply-adds an image")
        return template.format(n=count(number))

    def _tip(self, row: int) -> str:
        if row == len(self.layers) - 1:
            return self.tr("The output: one unit for each class of the data.")
        return self.tr(
            "Double-click to change it: 128 (units), 32C5 (32 maps of 5×5; :valid and :s2 for padding and stride), "
            "MP2 (pooling), D50 (dropout), BN (batch normalization), or an activation of its own."
        )


def _short(layer: Layer) -> str:
    """A layer as it is edited in the table: without options."""
    return layer.text.split(":")[0].removesuffix("N")


def activation_title(name: str) -> str:
    """An activation as it is shown: `ReLU` for `relu`."""
    setting = BY_NAME["activation"]
    return choice_title(setting, name) if name in setting.choices else name


def activation_items(default: str) -> list[tuple[str, str]]:
    """(value, text) for the activations of a layer; the first, with the text `default`, is the run's."""
    return [(NO_ACTIVATION, default), *((name, activation_title(name)) for name in ACTIVATIONS)]
