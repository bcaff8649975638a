"""A row of widgets that wraps into further lines where it is too narrow."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLabel, QLayout, QLayoutItem, QSizePolicy, QStyle, QWidget

from gui.widgets import make

HORIZONTAL = Qt.Orientation.Horizontal
LINE_SPACING = 5  # pixels


class FlowLayout(QLayout):
    """Lays widgets out from left to right in lines; those that expand horizontally share the rest of their line.

    spacing: pixels between two widgets of a line.
    """

    def __init__(self, *widgets: QWidget, spacing: int = 8) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return HORIZONTAL

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = self._lines(width)
        return sum(map(_height, lines)) + LINE_SPACING * max(len(lines) - 1, 0)

    def sizeHint(self) -> QSize:
        """The size of all widgets in one line."""
        items = self._visible_items()
        gaps = self.spacing() * max(len(items) - 1, 0)
        return QSize(sum(item.sizeHint().width() for item in items) + gaps, _height(items))

    def minimumSize(self) -> QSize:
        """The size of the widest widget."""
        items = self._visible_items()
        return QSize(max((item.minimumSize().width() for item in items), default=0), _height(items))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        parent = self.parentWidget()
        direction = parent.layoutDirection() if parent else Qt.LayoutDirection.LeftToRight
        top = rect.top()
        for line in self._lines(rect.width()):
            widths = [min(item.sizeHint().width(), rect.width()) for item in line]
            growing = [index for index, item in enumerate(line) if item.expandingDirections() & HORIZONTAL]
            left_over = rect.width() - sum(widths) - self.spacing() * (len(line) - 1)
            for index in growing:
                widths[index] += left_over // len(growing)
            left, height = rect.left(), _height(line)
            for item, width in zip(line, widths, strict=True):
                item_height = min(item.sizeHint().height(), height)
                shape = QRect(left, top + (height - item_height) // 2, width, item_height)
                item.setGeometry(QStyle.visualRect(direction, rect, shape))
                left += width + self.spacing()
            top += height + LINE_SPACING

    def _visible_items(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        line_width = 0
        for item in self._visible_items():
            needed = self.spacing() + item.sizeHint().width()
            if lines and line_width + needed <= width:
                lines[-1].append(item)
                line_width += needed
            else:
                lines.append([item])
                line_width = needed - self.spacing()
        return lines


def labeled(text: str, box: QWidget, *, grows: bool = False) -> QWidget:
    """A widget with `box` and its label to the left. `grows`: whether it expands horizontally in a FlowLayout."""
    pair = QWidget()
    label = QLabel(text)
    label.setBuddy(box)
    make.row(label, (box, 1), owner=pair, spacing=6)
    policy = QSizePolicy.Policy
    pair.setSizePolicy(policy.Expanding if grows else policy.Maximum, policy.Fixed)
    return pair


def _height(items: list[QLayoutItem]) -> int:
    return max((item.sizeHint().height() for item in items), default=0)
