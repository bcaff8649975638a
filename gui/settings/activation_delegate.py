"""The activation delegate offers a layer's activations in the table of layers."""

from typing import Any

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.settings.layer_table import Index, LayersModel, activation_items


class ActivationDelegate(QStyledItemDelegate):
    """Edits a layer's activation in a list."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        box = QComboBox(parent)
        model = index.model()
        assert isinstance(model, LayersModel)
        own = self.tr("as the run ({name})").format(name=model.activation)
        for value, text in activation_items(own):
            box.addItem(text, value)
        box.view().setMinimumWidth(box.view().sizeHintForColumn(0) + 24)
        box.activated.connect(lambda: self._done(box))
        return box

    def _done(self, box: QWidget) -> None:
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
