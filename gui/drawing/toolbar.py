"""The buttons below the canvas: undo, redo, pen, eraser, clear, pen width, open, paste and save."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSlider, QToolButton, QVBoxLayout, QWidget

from gui.drawing.strokes import PEN_WIDTHS
from gui.widgets.basics import key_text, named
from gui.widgets.icons import set_icon


class DrawingTools(QWidget):
    """Two rows of buttons. The panel connects them."""

    def __init__(self) -> None:
        super().__init__()
        self.undoButton = self._tool(
            "undo",
            self.tr("Undo"),
            self.tr("Undo the last step ({key}).").format(key=key_text("Ctrl+Z")),
        )
        self.redoButton = self._tool(
            "redo",
            self.tr("Redo"),
            self.tr("Redo what was undone ({key}).").format(key=key_text("Ctrl+Y")),
        )
        self.penButton = self._tool(
            "pen", self.tr("Pen"),
            self.tr("Draw with the left button; Space puts the pen down where the keyboard moved it."),
        )  # fmt: skip
        self.eraserButton = self._tool(
            "eraser",
            self.tr("Eraser"),
            self.tr("Erase instead of drawing (E); the right button always erases."),
        )
        for button in (self.penButton, self.eraserButton):
            button.setCheckable(True)
            button.setAutoExclusive(True)
        self.openButton = self._tool(
            "openImage", self.tr("Open image"),
            self.tr("Read a picture from a file; you can also drop it on the canvas."),
        )  # fmt: skip
        self.pasteButton = self._tool(
            "pasteImage", self.tr("Paste image"),
            self.tr("Read the picture on the clipboard, such as a screenshot of a digit."),
        )  # fmt: skip
        self.saveButton = self._tool(
            "saveImage", self.tr("Save drawing"),
            self.tr("Save the drawing as a PNG file, as dark ink on white paper."),
        )  # fmt: skip
        self.clearButton = named(QPushButton(self.tr("Clear")), "clearButton")
        self.clearButton.setToolTip(self.tr("Empty the canvas (Delete); undo brings the drawing back."))
        self.widthSlider = named(QSlider(Qt.Orientation.Horizontal), "penWidthSlider")
        self.widthSlider.setRange(PEN_WIDTHS[0], PEN_WIDTHS[2])
        self.widthSlider.setAccessibleName(self.tr("Pen width"))
        self.widthSlider.setToolTip(
            self.tr("How wide the pen is ([ and ]): MNIST's strokes are about a tenth of the digit's height.")
        )
        self.widthLabel = QLabel()
        self.widthLabel.setMinimumWidth(self.fontMetrics().horizontalAdvance("40 px"))
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(6)
        rows.addLayout(
            row(
                self.undoButton, self.redoButton, 8, self.penButton, self.eraserButton, None, self.clearButton
            )
        )
        rows.addLayout(
            row(self.widthSlider, 4, self.widthLabel, 8, self.openButton, self.pasteButton, self.saveButton)
        )

    def show_pen(self, width: int, *, erases: bool) -> None:
        (self.eraserButton if erases else self.penButton).setChecked(True)
        self.widthSlider.setValue(width)
        self.widthLabel.setText(self.tr("{width} px").format(width=width))

    def _tool(self, name: str, text: str, tip: str) -> QToolButton:
        button = named(QToolButton(), f"{name}Button")
        button.setAutoRaise(True)
        button.setIconSize(QSize(20, 20))
        button.setAccessibleName(text)
        button.setToolTip(tip)
        set_icon(button, name.removesuffix("Image"))
        return button


def row(*items: QWidget | int | None) -> QHBoxLayout:
    """A horizontal layout of widgets; a number stands for that many pixels of space, None for a stretch."""
    row = QHBoxLayout()
    row.setSpacing(2)
    for item in items:
        if item is None:
            row.addStretch(1)
        elif isinstance(item, int):
            row.addSpacing(item)
        else:
            row.addWidget(item)
    return row
