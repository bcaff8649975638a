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
    """Shows one layer; hidden while there is none. `edited` asks for another layer in its place."""

    edited = Signal(object)  # Layer

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("layerForm")
        self._layer: Layer | None = None
        self.kind = QuietComboBox()
        self._set_up(self.kind, "kind", self.tr("Kind of layer"), " ".join(_tr(kind.help) for kind in KINDS))
        for kind in KINDS:
            self.kind.addItem(_tr(kind.title), kind)
        self.kind.currentIndexChanged.connect(self._on_edit)
        self._boxes: dict[FormField, QuietComboBox | QuietSpinBox] = {}
        for field in dict.fromkeys(field for kind in KINDS for field in kind.fields):
            self._boxes[field] = self._make_box(field)
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
        for box in self._boxes.values():
            box.hide()
        for place, field in enumerate(layer.fields, 1):
            box = self._boxes[field]
            self._grid.addWidget(box, place // COLUMNS, place % COLUMNS)
            self._show_value(box, field, getattr(layer, field.name), run_activation)
            box.setEnabled(field.optional or not last)
            box.show()
        self._layer = layer

    @property
    def boxes(self) -> dict[str, QuietComboBox | QuietSpinBox]:
        """The widgets of the shown layer's fields, by the name of the field."""
        return {field.name: self._boxes[field] for field in self._layer.fields} if self._layer else {}

    def _show_value(self, box: QWidget, field: FormField, value: Any, run_activation: str) -> None:
        if isinstance(box, QSpinBox):
            # Setting the same number would still move the cursor of a number that is being typed.
            if box.value() != value:
                box.setValue(value)
        elif isinstance(box, QComboBox):
            if field.optional:
                box.clear()
                for item, text in activation_items(
                    self.tr("{name} (run)").format(name=activation_title(run_activation))
                ):
                    box.addItem(text, item)
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
        box = self._boxes[field]
        value = box.value() if isinstance(box, QSpinBox) else box.currentData()
        return None if value == NO_ACTIVATION else value

    def _make_box(self, field: FormField) -> QuietComboBox | QuietSpinBox:
        box: QuietComboBox | QuietSpinBox
        if field.choices:
            box = QuietComboBox()
            for value, text in field.choices:
                box.addItem(_tr(text), value)
            box.currentIndexChanged.connect(self._on_edit)
        else:
            box = QuietSpinBox()
            box.setRange(1, field.maximum)
            box.setSuffix(_tr(field.suffix))
            box.setMinimumWidth(40)
            box.valueChanged.connect(self._on_edit)
        self._set_up(box, field.name, _tr(field.label), _tr(field.help))
        return box

    def _set_up(self, box: QWidget, name: str, title: str, tip: str) -> None:
        named(box, f"layer{name.capitalize()}Box")
        box.setAccessibleName(title)
        box.setToolTip(tip)
        box.setParent(self)


def _tr(text: str) -> str:
    """The translation of a text that a layer kind declares."""
    return QCoreApplication.translate("Layer", text) if text else ""


def _choose(box: QComboBox, data: object) -> None:
    box.setCurrentIndex(max(box.findData(data), 0))
