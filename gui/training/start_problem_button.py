"""The button above "Train" that says why a run cannot start."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from gui.widgets.basics import named, note, set_message

# Longer texts are cut; the field shows the complete one.
MAX_CHARACTERS = 160


class StartProblemButton(QPushButton):
    """A flat button with text of several lines. Pressing it leads to the field that has to be changed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("obstacleButton")
        self.setFlat(True)
        # The return key presses it too.
        self.setAutoDefault(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(self.tr("Go to the field that prevents the run."))
        self.label = named(note("error"), "obstacleText")
        self.label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(4, 3, 4, 3)
        self._column.addWidget(self.label)
        self.hide()

    def show_text(self, text: str) -> None:
        """Show why a run cannot start. An empty text hides the button."""
        short = text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1].rstrip() + "…"
        set_message(self.label, short)
        self.setAccessibleName(text)
        self.setVisible(bool(text))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw an outline under the pointer and with the focus; the label has the text."""
        if self.underMouse() or self.hasFocus():
            with QPainter(self) as painter:
                painter.setPen(self.palette().color(QPalette.ColorRole.BrightText))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)

    def sizeHint(self) -> QSize:
        # QPushButton would compute the size of its own text, which is empty.
        return self._column.totalSizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._column.totalMinimumSize()
