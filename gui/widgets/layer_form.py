"""The form of one layer of a network: its kind and its few settings."""

from itertools import pairwise
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from core.network.layers import KINDS, Layer
from core.network.layers.layer import FormField
from core.training.run_settings import BY_NAME
from gui.text import choice_title
from gui.widgets.basics import QuietComboBox, QuietSpinBox
from gui.widgets.make import combo, fill, label, spin
from kernels.activations import NAMES as ACTIVATIONS

_COLUMNS = 3
NO_ACTIVATION = ""
"""Item value for a layer without an activation of its own, which applies the run's."""


def activation_title(name: str) -> str:
    """An activation as it is shown: `ReLU` for `relu`."""
    setting = BY_NAME["activation"]
    return choice_title(setting, name) if name in setting.choices else name


def fill_with_activations(box: QuietComboBox, run_activation: str) -> None:
    """Offer the activations of a layer; the first is the run's."""
    default = QCoreApplication.translate("LayerForm", "{name} (default)")
    fill(
        box,
        [
            (
                NO_ACTIVATION,
                default.format(name=activation_title(run_activation)),
                QCoreApplication.translate(
                    "LayerForm", "The activation that is chosen for all layers of the run."
                ),
            ),
            *((name, activation_title(name)) for name in ACTIVATIONS),
        ],
    )


class LayerForm(QWidget):
    """Shows one layer; hidden while there is none. `edited` is emitted with the layer that replaces
    it.
    """

    edited = Signal(object)  # Layer

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("layerForm")
        self._layer: Layer | None = None
        tip = " ".join(_tr(kind.help) for kind in KINDS)
        kinds = [(kind, _tr(kind.title)) for kind in KINDS]
        self.kind = combo("layerKindBox", self.tr("Kind of layer"), tip, kinds, self._on_edit)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        self._grid.addWidget(label(self.tr("Kind of layer"), role="caption", wraps=False), 0, 0)
        self._grid.addWidget(self.kind, 1, 0)
        self._boxes: dict[str, QuietComboBox | QuietSpinBox] = {}
        self._captions: dict[str, QLabel] = {}
        for field in (field for kind in KINDS for field in kind.fields):
            if field.name not in self._boxes:
                self._boxes[field.name] = self._make_box(field)
                caption = label(_tr(field.label), role="caption", wraps=False)
                caption.setContentsMargins(0, 4, 0, 0)
                self._captions[field.name] = caption
        for number in range(_COLUMNS):
            self._grid.setColumnStretch(number, 1)
        self.hide()

    def show_layer(
        self, layer: Layer | None, run_activation: str = "", *, last: bool = False
    ) -> None:
        """Show `layer`. `run_activation`: what it applies without an activation of its own.

        Of the last layer only the activation can be changed.
        """
        self._layer = None  # changes of the widgets below are not edits
        self.setVisible(layer is not None)
        if layer is None:
            return
        self.kind.choose(type(layer))
        self.kind.setEnabled(not last)
        for position, field in enumerate(layer.fields, 1):
            box = self._boxes[field.name]
            row, column = divmod(position, _COLUMNS)
            self._captions[field.name].setText(_tr(field.label))
            self._grid.addWidget(self._captions[field.name], 2 * row, column)
            self._grid.addWidget(box, 2 * row + 1, column)
            self._show_value(field, getattr(layer, field.name), run_activation)
            box.setEnabled(field.optional or not last)
        # Once they have their parent, without which they would be windows.
        names = {field.name for field in layer.fields}
        for name, box in self._boxes.items():
            box.setVisible(name in names)  # hiding a box for a moment would take the focus from it
            self._captions[name].setVisible(name in names)
        self._layer = layer
        for before, after in pairwise((self.kind, *self.boxes.values())):
            QWidget.setTabOrder(before, after)

    def take_focus(self) -> None:
        """Give the keyboard to the first field that can be changed."""
        fields = (self.kind, *self.boxes.values())
        first = next((field for field in fields if field.isEnabled()), self.kind)
        first.setFocus(Qt.FocusReason.TabFocusReason)

    @property
    def boxes(self) -> dict[str, QuietComboBox | QuietSpinBox]:
        """The widgets of the shown layer's fields, by the name of the field."""
        return (
            {field.name: self._boxes[field.name] for field in self._layer.fields}
            if self._layer
            else {}
        )

    def _show_value(self, field: FormField, value: Any, run_activation: str) -> None:
        box = self._boxes[field.name]
        box.setAccessibleName(_tr(field.label))
        box.setToolTip(_tr(field.help))
        if isinstance(box, QuietSpinBox):
            box.setMaximum(field.maximum)
            # Setting the same text or number would still move the cursor of a number that is being
            # typed.
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
        layer = (
            kind(**{field.name: self._value(field) for field in kind.fields}) if same else kind()
        )
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
