"""The list of the kept drawings, as pictures with their digits."""

import numpy as np
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QKeySequence, QPixmap, QShortcut
from PySide6.QtWidgets import QListView, QListWidget, QListWidgetItem, QWidget

from core.data.own_digits import OwnDrawing, drawings
from core.drawing.picture import read_image
from core.errors import InputError
from gui.widgets.palette import ink_table

SIDE = 48
_DRAWING = Qt.ItemDataRole.UserRole


class DrawingList(QListWidget):
    delete_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("ownDrawings")
        self.setAccessibleName(self.tr("My drawings"))
        self.setToolTip(
            self.tr(
                "The drawings that you kept, and the digit that each shows. Delete removes the chosen ones."
            )
        )
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMovement(QListView.Movement.Static)
        self.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.setUniformItemSizes(True)
        self.setIconSize(QSize(SIDE, SIDE))
        key = QShortcut(QKeySequence(Qt.Key.Key_Delete), self)
        key.setContext(Qt.ShortcutContext.WidgetShortcut)
        key.activated.connect(self.delete_pressed)

    def reload(self) -> None:
        """Show what is kept now."""
        self.clear()
        for drawing in drawings():
            item = QListWidgetItem(self._icon(drawing), str(drawing.digit))
            item.setData(_DRAWING, drawing)
            item.setToolTip(self.tr("A {digit}: {path}").format(digit=drawing.digit, path=drawing.path))
            self.addItem(item)

    def chosen(self) -> list[OwnDrawing]:
        """The drawings that are selected."""
        return [item.data(_DRAWING) for item in self.selectedItems()]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.count():
            for row in range(self.count()):
                item = self.item(row)
                item.setIcon(self._icon(item.data(_DRAWING)))

    def _icon(self, drawing: OwnDrawing) -> QIcon:
        """The drawing in the colors of the theme; empty for a file that is no picture."""
        try:
            levels = np.rint(read_image(drawing.path) * 255).astype(np.uint8)
        except InputError:
            return QIcon()
        side = round(SIDE * self.devicePixelRatioF())
        height, width = levels.shape
        ink = QImage(levels.tobytes(), width, height, width, QImage.Format.Format_Grayscale8).scaled(
            side, side, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        ink = ink.convertToFormat(QImage.Format.Format_Grayscale8)
        ink.reinterpretAsFormat(QImage.Format.Format_Indexed8)
        ink.setColorTable(ink_table(self.palette()))
        pixmap = QPixmap.fromImage(ink)
        pixmap.setDevicePixelRatio(self.devicePixelRatioF())
        return QIcon(pixmap)
