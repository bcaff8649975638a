"""An obstacle keeps a run from beginning: one sentence, and the field in which that can be changed."""

from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from gui.widgets.basics import named, note, set_message

# The field itself tells all of it.
MOST_LETTERS = 160


@dataclass(frozen=True, slots=True)
class StartProblem:
    text: str
    editor: QWidget


def labelled(label: str, text: str) -> str:
    """`text`, beginning with what it is about unless it says so already."""
    return text if label.lower() in text.lower() else f"{label}: {text}"


class StartProblemButton(QPushButton):
    """The sentence as a button without a frame, over several lines where needed, that leads to the field."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("obstacleButton")
        self.setProperty("role", "obstacle")
        self.setFlat(True)
        # So that the return key presses it too.
        self.setAutoDefault(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(self.tr("Go to the field that keeps the run from beginning."))
        self.label = named(note("error"), "obstacleText")
        self.label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(4, 3, 4, 3)
        self._column.addWidget(self.label)
        self.hide()

    def show_text(self, text: str) -> None:
        """Nothing is shown where there is no obstacle."""
        short = text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1].rstrip() + "…"
        set_message(self.label, short)
        self.setAccessibleName(text)
        self.setVisible(bool(text))

    def sizeHint(self) -> QSize:
        # A button would ask for the room of its own text, which is empty.
        return self._column.totalSizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._column.totalMinimumSize()
