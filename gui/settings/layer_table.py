"""The table of a network's layers, the editor of an activation in it, and the form of one layer below it."""

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from core.network.layers import KINDS, Layer
from core.network.layers.layer import FormField
from core.network.network import Network
from core.training.run_settings import BY_NAME
from gui.text import about, choice_title, count
from gui.widgets.basics import QuietComboBox, QuietSpinBox
from gui.widgets.make import combo, fill, spin
from gui.widgets.tables import Column, Index, RecordModel, Role
from gui.words import with_words
from kernels.activations import NAMES as ACTIVATIONS

LAYER, ACTIVATION, OUTPUT, PARAMETERS, MULTIPLY_ADDS = range(5)
NO_ACTIVATION = ""
"""Item value for a layer without an activation of its own, which applies the run's."""


class LayersModel(RecordModel):
    """One row for each layer of `network`; a record is its number. An edit emits `edited` with the new text."""

    edited = Signal(str)

    def __init__(self, parent: Any = None) -> None:
        self.network: Network | None = None
        self.activation, self.output = "relu", "softmax"
        super().__init__(self._make_columns(), parent)

    def show_network(self, network: Network | None, activation: str, output: str) -> None:
        """`activation`, `output`: what hidden layers and the last layer apply without an activation of their own."""
        self.network, self.activation, self.output = network, activation, output
        if len(self.layers) == len(self.records):
            self.refresh()
        else:
            self.show_records(range(len(self.layers)))

    @property
    def layers(self) -> tuple[Layer, ...]:
        return self.network.layers if self.network else ()

    def _make_columns(self) -> tuple[Column[int], ...]:
        tr = self.tr
        return (
            Column(tr("Layer"),
                   with_words(tr("The layer; select it to change it below, or double-click."), "layer"), self._caption,
                   cell_tip=self._tip, roles={Role.EditRole: lambda row: _short(self.layers[row])}),
            Column(tr("Acti-\nvation"), tr("The function applied to each weighted sum: the run's unless the layer has "
                   "its own."), self._activation, cell_tip=self._tip,
                   roles={Role.EditRole: lambda row: self.layers[row].activation or NO_ACTIVATION}),
            Column(tr("Output"), tr("The shape of the output."), self._shape, is_number=True),
            Column(tr("Para-\nmeters"), tr("The number of parameters: weights and biases."),
                   lambda row: about(self._network.parameters[row]), is_number=True,
                   cell_tip=lambda row: self._exact(self._network.parameters[row], tr("{n} parameter"),
                                                    tr("{n} parameters"))),
            Column(tr("Multiply-\nadds"), tr("The number of multiplications and additions for one image."),
                   lambda row: about(self._network.multiply_adds[row]), is_number=True,
                   cell_tip=lambda row: self._exact(self._network.multiply_adds[row], tr("{n} multiply-add an image"),
                                                    tr("{n} multiply-adds an image"))),
        )  # fmt: skip

    def flags(self, index: Index) -> Qt.ItemFlag:
        editable = index.column() == ACTIVATION and self.layers[index.row()].has_activation()
        editable = editable or (index.column() == LAYER and index.row() < len(self.layers) - 1)
        return super().flags(index) | (Qt.ItemFlag.ItemIsEditable if editable else Qt.ItemFlag.NoItemFlags)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not self.network:
            return False
        parts, layer = [layer.text for layer in self.layers], self.layers[index.row()]
        if index.column() == LAYER:
            # Another size typed without options keeps the activation.
            text = str(value).strip()
            kept = f":{layer.activation}" if layer.activation and ":" not in text else ""
            parts[index.row()] = text + kept
        elif layer.has_activation():
            parts[index.row()] = type(layer)(**{**layer.values(), "activation": value or None}).text
        self.edited.emit("-".join(parts))
        return True

    @property
    def _network(self) -> Network:
        assert self.network
        return self.network

    def _caption(self, row: int) -> str:
        layer = self.layers[row]
        return QCoreApplication.translate("Layer", layer.caption).format(**layer.values())

    def _activation(self, row: int) -> str:
        layer, last = self.layers[row], row == len(self.layers) - 1
        if not layer.has_activation() or self._network.gives_activation(row):
            return ""
        default = self.output if last else self._network.hidden_activations(self.activation)[row]
        return activation_title(layer.activation or default)

    def _shape(self, row: int) -> str:
        return "×".join(str(n) for n in self._network.shapes[row + 1])

    def _exact(self, number: int, one: str, several: str) -> str:
        return (one if number == 1 else several).format(n=count(number))

    def _tip(self, row: int) -> str:
        shown = f"{self._caption(row)}, {self._activation(row)}"
        if row == len(self.layers) - 1:
            return with_words(self.tr("The output: one unit for each class of the data."), shown)
        return with_words(self.tr(
            "Double-click to change it: 128 (units), 32C5 (32 maps of 5×5; :valid and :s2 for padding and stride), "
            "MP2 (pooling), D50 (dropout), BN (batch normalization), or an activation of its own."
        ), shown)  # fmt: skip


def _short(layer: Layer) -> str:
    """A layer as it is edited in the table: without options."""
    return layer.text.split(":")[0].removesuffix("N")


def activation_title(name: str) -> str:
    """An activation as it is shown: `ReLU` for `relu`."""
    setting = BY_NAME["activation"]
    return choice_title(setting, name) if name in setting.choices else name


def fill_with_activations(box: QuietComboBox, run_activation: str) -> None:
    """Offer the activations of a layer; the first is the run's."""
    default = QCoreApplication.translate("LayerForm", "{name} (run)")
    fill(box, [
        (NO_ACTIVATION, default.format(name=activation_title(run_activation))),
        *((name, activation_title(name)) for name in ACTIVATIONS),
    ])  # fmt: skip


class ActivationDelegate(QStyledItemDelegate):
    """Offers the activations in a combo box; a choice is taken at once."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        box = QuietComboBox(parent)
        model = index.model()
        assert isinstance(model, LayersModel)
        fill_with_activations(box, model.activation)
        box.view().setMinimumWidth(box.view().sizeHintForColumn(0) + 24)
        box.choose(index.data(Role.EditRole))
        box.activated.connect(lambda: self.commitData.emit(box))
        box.activated.connect(lambda: self.closeEditor.emit(box))
        return box

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        assert isinstance(editor, QComboBox)
        model.setData(index, editor.currentData())

    def updateEditorGeometry(self, editor: QWidget, option: Any, index: Index) -> None:
        editor.setGeometry(option.rect)


COLUMNS = 3


class LayerForm(QWidget):
    """Shows one layer; hidden while there is none. `edited` is emitted with the layer that replaces it."""

    edited = Signal(object)  # Layer

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("layerForm")
        self._layer: Layer | None = None
        tip = " ".join(_tr(kind.help) for kind in KINDS)
        kinds = [(kind, _tr(kind.title)) for kind in KINDS]
        self.kind = combo("layerKindBox", self.tr("Kind of layer"), tip, kinds, self._on_edit)
        self._boxes: dict[str, QuietComboBox | QuietSpinBox] = {}
        for field in (field for kind in KINDS for field in kind.fields):
            if field.name not in self._boxes:
                self._boxes[field.name] = self._make_box(field)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(4)
        self._grid.addWidget(self.kind, 0, 0)
        for column in range(COLUMNS):
            self._grid.setColumnStretch(column, 1)
        self.hide()

    def show_layer(self, layer: Layer | None, run_activation: str = "", *, last: bool = False) -> None:
        """Show `layer`. `run_activation`: what it applies without an activation of its own.

        Of the last layer only the activation can be changed.
        """
        self._layer = None  # changes of the widgets below are not edits
        self.setVisible(layer is not None)
        if layer is None:
            return
        self.kind.choose(type(layer))
        self.kind.setEnabled(not last)
        names = {field.name for field in layer.fields}
        for name, box in self._boxes.items():
            box.setVisible(name in names)  # hiding a box for a moment would take the focus from it
        for position, field in enumerate(layer.fields, 1):
            box = self._boxes[field.name]
            self._grid.addWidget(box, position // COLUMNS, position % COLUMNS)
            self._show_value(field, getattr(layer, field.name), run_activation)
            box.setEnabled(field.optional or not last)
        self._layer = layer

    @property
    def boxes(self) -> dict[str, QuietComboBox | QuietSpinBox]:
        """The widgets of the shown layer's fields, by the name of the field."""
        return {field.name: self._boxes[field.name] for field in self._layer.fields} if self._layer else {}

    def _show_value(self, field: FormField, value: Any, run_activation: str) -> None:
        box = self._boxes[field.name]
        box.setAccessibleName(_tr(field.label))
        box.setToolTip(_tr(field.help))
        if isinstance(box, QuietSpinBox):
            box.setMaximum(field.maximum)
            # Setting the same text or number would still move the cursor of a number that is being typed.
            if box.suffix() != _tr(field.suffix):
                box.setSuffix(_tr(field.suffix))
            if box.value() != value:
                box.setValue(value)
            return
        if field.optional:
            fill_with_activations(box, run_activation)
        else:
            fill(box, [(choice, _tr(text)) for choice, text in field.choices])
        box.view().setMinimumWidth(box.view().sizeHintForColumn(0) + 24)
        box.choose(NO_ACTIVATION if value is None else value)

    def _on_edit(self) -> None:
        if self._layer is None:
            return
        kind: type[Layer] = self.kind.currentData()
        same = kind is type(self._layer)
        layer = kind(**{field.name: self._value(field) for field in kind.fields}) if same else kind()
        if layer != self._layer:
            self.edited.emit(layer)

    def _value(self, field: FormField) -> Any:
        box = self._boxes[field.name]
        value = box.value() if isinstance(box, QuietSpinBox) else box.currentData()
        return None if value == NO_ACTIVATION else value

    def _make_box(self, field: FormField) -> QuietComboBox | QuietSpinBox:
        """An empty box for all fields of this name."""
        name = f"layer{field.name.capitalize()}Box"
        box: QuietComboBox | QuietSpinBox
        if field.choices:
            box = combo(name, "", "", slot=self._on_edit)
        else:
            box = spin(name, "", "", 1, field.maximum, slot=self._on_edit)
            box.setMinimumWidth(40)
        box.setParent(self)
        return box


def _tr(text: str) -> str:
    """The translation of a text that a layer kind declares."""
    return QCoreApplication.translate("Layer", text) if text else ""
