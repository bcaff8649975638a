"""The form below the table of layers: the kind of one layer and the fields that this kind declares."""

from typing import Any

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QSpinBox, QWidget

from core.network.layers import KINDS, Layer
from core.network.layers.layer import FormField
from gui.settings.layer_table import NO_ACTIVATION, activation_items, activation_title
from gui.widgets.basics import QuietComboBox, QuietSpinBox, named

COLUMNS = 3


class LayerForm(QWidget):
    """Shows one layer; hidden while there is none. `edited` is emitted with the layer that replaces it."""

    edited = Signal(object)  # Layer

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("layerForm")
        self._layer: Layer | None = None
        self.kind = named(QuietComboBox(self), "layerKindBox")
        self.kind.setAccessibleName(self.tr("Kind of layer"))
        self.kind.setToolTip(" ".join(_tr(kind.help) for kind in KINDS))
        for kind in KINDS:
            self.kind.addItem(_tr(kind.title), kind)
        self.kind.currentIndexChanged.connect(self._on_edit)
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
        _choose(self.kind, type(layer))
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
        if isinstance(box, QSpinBox):
            box.setMaximum(field.maximum)
            # Setting the same text or number would still move the cursor of a number that is being typed.
            if box.suffix() != _tr(field.suffix):
                box.setSuffix(_tr(field.suffix))
            if box.value() != value:
                box.setValue(value)
        elif isinstance(box, QComboBox):
            items = [(choice, _tr(text)) for choice, text in field.choices]
            if field.optional:
                default = self.tr("{name} (run)").format(name=activation_title(run_activation))
                items = activation_items(default)
            box.clear()
            for choice, text in items:
                box.addItem(text, choice)
            box.view().setMinimumWidth(box.view().sizeHintForColumn(0) + 24)
            _choose(box, NO_ACTIVATION if value is None else value)

    def _on_edit(self) -> None:
        if self._layer is None:
            return
        kind: type[Layer] = self.kind.currentData()
        if kind is type(self._layer):
            layer = kind(**{field.name: self._value(field) for field in kind.fields})
        else:
            layer = kind()
        if layer != self._layer:
            self.edited.emit(layer)

    def _value(self, field: FormField) -> Any:
        box = self._boxes[field.name]
        value = box.value() if isinstance(box, QSpinBox) else box.currentData()
        return None if value == NO_ACTIVATION else value

    def _make_box(self, field: FormField) -> QuietComboBox | QuietSpinBox:
        """An empty box for all fields of this name."""
        box: QuietComboBox | QuietSpinBox
        if field.choices:
            box = QuietComboBox()
            box.currentIndexChanged.connect(self._on_edit)
        else:
            box = QuietSpinBox()
            box.setMinimum(1)
            box.setMinimumWidth(40)
            box.valueChanged.connect(self._on_edit)
        box.setParent(self)
        return named(box, f"layer{field.name.capitalize()}Box")


def _tr(text: str) -> str:
    """The translation of a text that a layer kind declares."""
    return QCoreApplication.translate("Layer", text) if text else ""


def _choose(box: QComboBox, data: object) -> None:
    box.setCurrentIndex(max(box.findData(data), 0))
