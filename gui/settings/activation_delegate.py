"""The editor of a layer's activation in the table of layers."""

from typing import Any

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.settings.layer_table import Index, LayersModel, activation_items, activation_title


class ActivationDelegate(QStyledItemDelegate):
    """Offers the activations in a combo box; a choice is taken at once."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        box = QComboBox(parent)
        model = index.model()
        assert isinstance(model, LayersModel)
        default = self.tr("{name} (run)").format(name=activation_title(model.activation))
        for value, text in activation_items(default):
            box.addItem(text, value)
        box.view().setMinimumWidth(box.view().sizeHintForColumn(0) + 24)
        box.activated.connect(lambda: self._commit(box))
        return box

    def _commit(self, box: QWidget) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        assert isinstance(editor, QComboBox)
        editor.setCurrentIndex(max(editor.findData(index.data(Qt.ItemDataRole.EditRole)), 0))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        assert isinstance(editor, QComboBox)
        model.setData(index, editor.currentData())

    def updateEditorGeometry(self, editor: QWidget, option: Any, index: Index) -> None:
        editor.setGeometry(option.rect)
