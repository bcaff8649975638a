"""The table of a network's layers: what each is and gives, what it learns, and what it costs to compute."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from core.network.layers import Convolution, Dense, Dropout, Layer
from core.network.network import Network
from gui.text import about, count
from kernels.activations import NAMES as ACTIVATIONS

LAYER, ACTIVATION, OUTPUT, PARAMETERS, MULTIPLY_ADDS = range(5)
OWN = ""  # the run's activation

Index = QModelIndex | QPersistentModelIndex


class LayersModel(QAbstractTableModel):
    """Rows are the layers of `network`, or none. An edit asks for a new text through `edited`."""

    edited = Signal(str)

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.network: Network | None = None
        self.activation = "relu"
        self.output = "softmax"

    def show_network(self, network: Network | None, activation: str, output: str) -> None:
        """`activation`, `output`: what hidden layers and the last one have unless they say otherwise."""
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
                self.tr("Layer"), self.tr("Activation"), self.tr("Output"), self.tr("Learns"), self.tr("Costs"),
            )[section]  # fmt: skip
        if role == Qt.ItemDataRole.ToolTipRole:
            return (
                self.tr("What the layer is; choose it to change it below, or double-click."),
                self.tr("The bend in its units: the run's own unless the layer has one."),
                self.tr("The shape of what it passes on."),
                self.tr("How many parameters it learns: weights and biases."),
                self.tr("How many multiplications and additions one image takes."),
            )[section]
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        last = index.row() == len(self.layers) - 1
        layer = self.layers[index.row()]
        editable = (index.column() == LAYER and not last) or (
            index.column() == ACTIVATION and isinstance(layer, Dense | Convolution)
        )
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not self.network or not index.isValid():
            return None
        row, column = index.row(), index.column()
        layer = self.layers[row]
        if role == Qt.ItemDataRole.TextAlignmentRole and column >= OUTPUT:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.EditRole:
            return self._short(layer) if column == LAYER else getattr(layer, "activation", None) or OWN
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row) if column in (LAYER, ACTIVATION) else self._exactly(row, column)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if column == LAYER:
            return self._name(layer)
        if column == ACTIVATION:
            return self._activation(row, layer)
        if column == OUTPUT:
            return "×".join(str(n) for n in self.network.shapes[row + 1])
        return about(self._number(row, column))

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not self.network:
            return False
        parts = [layer.text for layer in self.layers]
        layer = self.layers[index.row()]
        if index.column() == LAYER:
            parts[index.row()] = str(value).strip() + _marks(layer, str(value))
        elif isinstance(layer, Dense):
            parts[index.row()] = Dense(layer.units, str(value) or None).text
        elif isinstance(layer, Convolution):
            made = Convolution(layer.maps, layer.size, str(value) or None, layer.padding, layer.stride)
            parts[index.row()] = made.text
        self.edited.emit("-".join(parts))
        return True

    def rearranged(self, layers: list[Layer]) -> str:
        """The text for these layers in place of the present ones."""
        return "-".join(layer.text for layer in layers)

    def _short(self, layer: Layer) -> str:
        return layer.text.split(":")[0].removesuffix("N")

    def _name(self, layer: Layer) -> str:
        if isinstance(layer, Dense):
            template = self.tr("{units} unit") if layer.units == 1 else self.tr("{units} units")
            return template.format(units=layer.units)
        if isinstance(layer, Convolution):
            one = layer.maps == 1
            template = self.tr("{maps} map {size}×{size}") if one else self.tr("{maps} maps {size}×{size}")
            return template.format(maps=layer.maps, size=layer.size)
        if isinstance(layer, Dropout):
            return self.tr("dropout {percent} %").format(percent=layer.percent)
        return self.tr("pooling {size}×{size}").format(size=layer.size)

    def _activation(self, row: int, layer: Layer) -> str:
        if not isinstance(layer, Dense | Convolution):
            return ""
        return layer.activation or (self.output if row == len(self.layers) - 1 else self.activation)

    def _number(self, row: int, column: int) -> int:
        assert self.network
        if column == PARAMETERS:
            return self.network.parameters[row]
        return self.layers[row].multiply_adds(self.network.shapes[row])

    def _exactly(self, row: int, column: int) -> str:
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
            "MP2 (pooling), D50 (dropout), or an activation of its own."
        )


def _marks(layer: Layer, text: str) -> str:
    """The old layer's activation, kept when only its size is typed anew."""
    activation = getattr(layer, "activation", None)
    return f":{activation}" if activation and ":" not in text else ""


def activation_items(own: str) -> list[tuple[str, str]]:
    """(value, text) for a layer's activation: the run's own first."""
    return [(OWN, own), *((name, name) for name in ACTIVATIONS)]
