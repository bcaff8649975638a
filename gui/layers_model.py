"""The table of a network's layers: what each one is, what it gives, and how many numbers it learns."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from core.layers import Convolution, Dense, Dropout, Layer
from core.network import Network
from gui.words import count
from kernels.activations import NAMES as ACTIVATIONS

LAYER, ACTIVATION, OUTPUT, PARAMETERS = range(4)
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
            self.dataChanged.emit(self.index(0, 0), self.index(len(network.layers) - 1, PARAMETERS))

    @property
    def layers(self) -> tuple[Layer, ...]:
        return self.network.layers if self.network else ()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.layers)

    def columnCount(self, parent: Index | None = None) -> int:
        return 4

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return (self.tr("Layer"), self.tr("Activation"), self.tr("Output"), self.tr("Parameters"))[
                section
            ]
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
        if role == Qt.ItemDataRole.ToolTipRole and column in (LAYER, ACTIVATION):
            return self._tip(row)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if column == LAYER:
            return self._name(layer)
        if column == ACTIVATION:
            return self._activation(row, layer)
        if column == OUTPUT:
            return " × ".join(str(n) for n in self.network.shapes[row + 1])
        return count(self.network.parameters[row])

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
            return self.tr("{units} units").format(units=layer.units)
        if isinstance(layer, Convolution):
            return self.tr("{maps} maps {size}×{size}").format(maps=layer.maps, size=layer.size)
        if isinstance(layer, Dropout):
            return self.tr("dropout {percent} %").format(percent=layer.percent)
        return self.tr("pooling {size}×{size}").format(size=layer.size)

    def _activation(self, row: int, layer: Layer) -> str:
        if not isinstance(layer, Dense | Convolution):
            return ""
        return layer.activation or (self.output if row == len(self.layers) - 1 else self.activation)

    def _tip(self, row: int) -> str:
        if row == len(self.layers) - 1:
            return self.tr("The output: one unit for each class of the data.")
        return self.tr("Double-click to change it: 128 (units), or an activation of its own.")


def _marks(layer: Layer, text: str) -> str:
    """The old layer's activation, kept when only its size is typed anew."""
    activation = getattr(layer, "activation", None)
    return f":{activation}" if activation and ":" not in text else ""


def activation_items(own: str) -> list[tuple[str, str]]:
    """(value, text) for a layer's activation: the run's own first."""
    return [(OWN, own), *((name, name) for name in ACTIVATIONS)]
