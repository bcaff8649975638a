"""The list of keyboard shortcuts; those of menu commands are read from the menus."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QHeaderView, QMainWindow, QMenu, QTableWidget, QVBoxLayout
from PySide6.QtWidgets import QTableWidgetItem as Item

from gui.widgets.basics import key_text, resize_on_screen
from gui.widgets.tables import set_up_table


class ShortcutsDialog(QDialog):
    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keys"))
        rows = _menu_keys(window) + self._canvas_keys()
        table = QTableWidget(len(rows), 3)
        table.setHorizontalHeaderLabels([self.tr("Where"), self.tr("What"), self.tr("Key")])
        set_up_table(table, "shortcutsTable", self.tr("Keys"))
        table.setAlternatingRowColors(True)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.horizontalHeader().setStretchLastSection(True)
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                table.setItem(row, column, Item(text))
        column_box = QVBoxLayout(self)
        column_box.addWidget(table)
        resize_on_screen(self, 460, 520)

    def _canvas_keys(self) -> list[tuple[str, str, str]]:
        canvas = self.tr("Canvas")
        return [
            (canvas, self.tr("Move the pen"), self.tr("Arrow keys")),
            (canvas, self.tr("Put the pen down or lift it"), key_text("Space")),
            (canvas, self.tr("Eraser on or off"), key_text("E")),
            (canvas, self.tr("Thinner and thicker pen"), "[  ]"),
            (canvas, self.tr("Keep the drawing as this digit"), "0 … 9"),
            (canvas, self.tr("Empty the canvas"), key_text("Del")),
            (self.tr("Devices"), self.tr("Race, run or measure"), key_text("Ctrl+Return")),
            (self.tr("Layers"), self.tr("Add a layer"), key_text("Ins")),
            (self.tr("Layers"), self.tr("Remove the chosen layer"), key_text("Del")),
        ]


def _menu_keys(window: QMainWindow) -> list[tuple[str, str, str]]:
    rows = []
    for top in window.menuBar().actions():
        menu = top.menu()
        if not isinstance(menu, QMenu):
            continue
        for action in menu.actions():
            if not action.shortcut().isEmpty():
                text = action.text().replace("&", "").rstrip("…")
                native = QKeySequence.SequenceFormat.NativeText
                keys = ", ".join(key.toString(native) for key in action.shortcuts())
                rows.append((top.text().replace("&", ""), text, keys))
    return rows
