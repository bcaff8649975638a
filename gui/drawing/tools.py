"""The tools of the drawing panel: undo, pen, eraser, its width, pictures, and the width of the
canvas.
"""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QCursor
from PySide6.QtWidgets import QMenu, QToolButton, QToolTip, QWidget, QWidgetAction

from gui.drawing.canvas import Canvas
from gui.drawing.document import PEN_WIDTHS, Document
from gui.widgets import make
from gui.widgets.basics import SPACING
from gui.widgets.pictures import set_icon


class DrawingTools(QWidget):
    """Pen, eraser, undo and clear, and a menu with all the others. `more`: what the menu shows,
    from top to bottom.
    """

    open_asked = Signal()
    paste_asked = Signal()
    save_asked = Signal()

    def __init__(
        self, canvas: Canvas, document: Document, undo_action: QAction, redo_action: QAction
    ) -> None:
        super().__init__()
        self._canvas = canvas
        tr = self.tr
        tool = self._tool
        # The keys are those of the panel's actions.
        tip = make.tip_with_key(tr("Undo the last step."), "Ctrl+Z")
        self.undoButton = tool("undo", tr("Undo"), tip, undo_action.trigger)
        tip = make.tip_with_key(tr("Redo what was undone."), "Ctrl+Y")
        self.redoButton = tool("redo", tr("Redo"), tip, redo_action.trigger)
        tip = tr("Draw with the left button; Space puts the pen down where the keyboard moved it.")
        self.penButton = tool("pen", tr("Pen"), tip, lambda: canvas.tool.set_eraser(False))
        tip = tr("Erase instead of drawing (E); the right button always erases.")
        self.eraserButton = tool("eraser", tr("Eraser"), tip, lambda: canvas.tool.set_eraser(True))
        pens = (self.penButton, self.eraserButton)
        for button in pens:
            button.setCheckable(True)
            button.setAutoExclusive(True)
        tip = tr("Read a picture from a file; you can also drop it on the canvas.")
        self.openButton = tool("openImage", tr("Open image"), tip, self.open_asked.emit)
        tip = tr("Read the picture on the clipboard, such as a screenshot of a digit.")
        self.pasteButton = tool("pasteImage", tr("Paste image"), tip, self.paste_asked.emit)
        tip = tr("Save the drawing as a PNG file, as dark ink on white paper.")
        self.saveButton = tool("saveImage", tr("Save drawing"), tip, self.save_asked.emit)
        tip = tr("Empty the canvas (Delete); undo brings the drawing back.")
        self.clearButton = tool("clear", tr("Clear"), tip, document.clear)
        tip = tr(
            "How wide the pen is on the canvas ([ and ]). Digits are read alike with any width: "
            "their strokes get the usual one first, unless “raw” is chosen."
        )
        low, _, high = PEN_WIDTHS
        title = tr("Pen width")
        self.widthSlider = make.slider(
            "penWidthSlider", title, tip, low, high, canvas.tool.set_pen_width
        )
        self.widthSlider.setMinimumWidth(120)
        tip = make.tip_with_key(
            tr("A canvas twice as wide, for numbers of several digits."), "Ctrl+Shift+W"
        )
        self.wideBox = make.check(tr("Wide canvas"), "wideBox", tip)
        self._lay_out(pens)
        canvas.tool_changed.connect(self._show_pen)
        self._show_pen()

    def _lay_out(self, pens: tuple[QToolButton, QToolButton]) -> None:
        tr = self.tr
        width = make.row(
            make.label(tr("Pen width"), wraps=False), (self.widthSlider, 1), spacing=SPACING
        )
        files = (self.openButton, self.pasteButton, self.saveButton)
        page = QWidget()
        others = make.row(self.redoButton, *files, None, spacing=4)
        self.more = make.column(width, others, self.wideBox, owner=page, spacing=SPACING)
        self.more.setContentsMargins(12, 10, 12, 10)
        menu = QMenu(self)
        menu.setObjectName("canvasMenu")
        entry = QWidgetAction(menu)
        entry.setDefaultWidget(page)
        menu.addAction(entry)
        tip = tr("Pen width, pictures, a wide canvas, and keeping the drawing as a digit of yours.")
        more_button = make.menu_button("…", "moreCanvasButton", tip, menu, title=tr("More"))
        more_button.setAutoRaise(True)
        make.row(*pens, self.undoButton, self.clearButton, more_button, None, owner=self, spacing=4)

    @staticmethod
    def _tool(name: str, title: str, tip: str, slot: Callable[[], object] | None) -> QToolButton:
        button = make.button("", f"{name}Button", tip, slot, kind=QToolButton)
        button.setAccessibleName(title)
        button.setAutoRaise(True)
        set_icon(button, name.removesuffix("Image"), 20)
        return button

    def _show_pen(self) -> None:
        (self.eraserButton if self._canvas.tool.eraser else self.penButton).setChecked(True)
        self.widthSlider.setValue(self._canvas.tool.pen_width)
        width = self.tr("{width} px").format(width=round(self._canvas.shown_pen_width))
        self.widthSlider.setAccessibleDescription(width)
        if self.widthSlider.isSliderDown():
            QToolTip.showText(QCursor.pos(), width, self.widthSlider)
