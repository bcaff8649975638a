"""The layer form changes one layer: its kind, its numbers and its activation."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QSpinBox, QWidget

from core.network.layers import Convolution, Dense, Dropout, Layer, MaxPool
from gui.settings.layer_table import activation_items
from gui.widgets.basics import QuietComboBox, QuietSpinBox, named

KERNELS = (1, 3, 5, 7, 9, 11)
POOLS = (2, 3)
MOST = 1_000_000


class LayerForm(QWidget):
    """`edited` asks for another layer in place of the one shown; hidden while there is none."""

    edited = Signal(object)  # Layer

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("layerForm")
        self._layer: Layer | None = None
        self.kind = self._box("layerKindBox", self.tr("Kind of layer"), self.tr(
            "Dense joins all to all; a convolution looks for small patterns everywhere; pooling keeps the strongest; "
            "dropout teaches not to rely on one."))  # fmt: skip
        for title, made in (
            (self.tr("Dense"), Dense), (self.tr("Convolution"), Convolution), (self.tr("Pooling"), MaxPool),
            (self.tr("Dropout"), Dropout),
        ):  # fmt: skip
            self.kind.addItem(title, made)
        self.units = self._number("layerUnitsBox", self.tr("Units"), MOST, self.tr(" units"), self.tr(
            "How many sums it makes of its inputs."))  # fmt: skip
        self.maps = self._number("layerMapsBox", self.tr("Maps"), MOST, self.tr(" maps"), self.tr(
            "How many patterns it looks for; each gives one map."))  # fmt: skip
        self.percent = self._number("layerPercentBox", self.tr("Share to drop"), 95, self.tr(" %"), self.tr(
            "The share of its inputs that each step of training leaves out at random."))  # fmt: skip
        self.kernel = self._box("layerSizeBox", self.tr("Size of the patterns"), self.tr(
            "How many pixels wide and high each pattern is."))  # fmt: skip
        self.block = self._box("layerBlockBox", self.tr("Size of the blocks"), self.tr(
            "Of each block of this size only the largest number is passed on."))  # fmt: skip
        for box, sizes in ((self.kernel, KERNELS), (self.block, POOLS)):
            for size in sizes:
                box.addItem(f"{size}×{size}", size)
        self.padding = self._box(
            "layerPaddingBox",
            self.tr("Padding"),
            self.tr(
                "Same: the edge is filled up with zeros. Valid: patterns stay inside, and the maps are smaller."
            ),
        )
        self.padding.addItem(self.tr("same"), "same")
        self.padding.addItem(self.tr("valid"), "valid")
        self.stride = self._box("layerStrideBox", self.tr("Stride"), self.tr(
            "How far a pattern moves between two places: 2 makes maps of half the size."))  # fmt: skip
        for stride in (1, 2):
            self.stride.addItem(self.tr("stride {n}").format(n=stride), stride)
        self.activation = self._box("layerActivationBox", self.tr("Activation of this layer"), self.tr(
            "The bend in its units: the run's own unless the layer has one."))  # fmt: skip
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(4)
        grid.addWidget(self.kind, 0, 0)
        for widget in (self.units, self.maps, self.percent, self.block):
            grid.addWidget(widget, 0, 1)
        grid.addWidget(self.kernel, 0, 2)
        grid.addWidget(self.padding, 1, 0)
        grid.addWidget(self.stride, 1, 1)
        for column in range(3):
            grid.setColumnStretch(column, 1)
        self.hide()

    def show_layer(self, layer: Layer | None, usual: str = "", *, last: bool = False) -> None:
        """`usual`: the activation of a layer that has none of its own. Of the last one only that can be changed."""
        self._layer = None  # what changes below was not changed by the person
        self.setVisible(layer is not None)
        if layer is None:
            return
        _choose(self.kind, type(layer))
        for widget, kinds in (
            (self.units, Dense), (self.maps, Convolution), (self.percent, Dropout), (self.block, MaxPool),
            (self.kernel, Convolution), (self.padding, Convolution), (self.stride, Convolution),
            (self.activation, Dense | Convolution),
        ):  # fmt: skip
            widget.setVisible(isinstance(layer, kinds))
        for widget in (self.kind, self.units):
            widget.setEnabled(not last)
        self._grid.addWidget(self.activation, 0 if isinstance(layer, Dense) else 1, 2)
        if isinstance(layer, Dense):
            _set(self.units, layer.units)
        elif isinstance(layer, Convolution):
            _set(self.maps, layer.maps)
            _choose(self.kernel, layer.size)
            _choose(self.padding, layer.padding)
            _choose(self.stride, layer.stride)
        elif isinstance(layer, Dropout):
            _set(self.percent, layer.percent)
        else:
            _choose(self.block, layer.size)
        if isinstance(layer, Dense | Convolution):
            self.activation.clear()
            for value, text in activation_items(self.tr("{name}, as the run").format(name=usual)):
                self.activation.addItem(text, value)
            _choose(self.activation, layer.activation or "")
            self.activation.view().setMinimumWidth(self.activation.view().sizeHintForColumn(0) + 24)
        self._layer = layer

    def _on_edit(self) -> None:
        if self._layer is None:
            return
        made, own = self.kind.currentData(), self.activation.currentData() or None
        changed = made is not type(self._layer)
        layer: Layer
        if made is Dense:
            layer = Dense(64) if changed else Dense(self.units.value(), own)
        elif made is Convolution:
            layer = Convolution(16, 5) if changed else Convolution(
                self.maps.value(), self.kernel.currentData(), own, self.padding.currentData(),
                self.stride.currentData(),
            )  # fmt: skip
        elif made is Dropout:
            layer = Dropout(25 if changed else self.percent.value())
        else:
            layer = MaxPool(POOLS[0] if changed else self.block.currentData())
        if layer != self._layer:
            self.edited.emit(layer)

    def _box(self, name: str, title: str, tip: str) -> QuietComboBox:
        box = named(QuietComboBox(), name)
        box.setAccessibleName(title)
        box.setToolTip(tip)
        box.currentIndexChanged.connect(self._on_edit)
        return box

    def _number(self, name: str, title: str, most: int, suffix: str, tip: str) -> QuietSpinBox:
        box = named(QuietSpinBox(), name)
        box.setAccessibleName(title)
        box.setToolTip(tip)
        box.setRange(1, most)
        box.setSuffix(suffix)
        box.setMinimumWidth(40)
        box.valueChanged.connect(self._on_edit)
        return box


def _choose(box: QComboBox, data: object) -> None:
    box.setCurrentIndex(max(box.findData(data), 0))


def _set(box: QSpinBox, value: int) -> None:
    # Setting the same number would still disturb one that is being typed.
    if box.value() != value:
        box.setValue(value)
