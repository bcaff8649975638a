"""A flow is a row that goes on below where it has no room, so that a narrow page need not be scrolled sideways."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QSizePolicy,
    QStyle,
    QWidget,
)

ACROSS = Qt.Orientation.Horizontal
BETWEEN = 5  # pixels between two lines


class FlowLayout(QLayout):
    """Widgets from left to right, line below line; those that can grow across share what their line has left.

    `spacing`: between two of a line.
    """

    def __init__(self, spacing: int = 8) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return ACROSS

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = self._lines(width)
        return sum(map(_height, lines)) + BETWEEN * max(len(lines) - 1, 0)

    def sizeHint(self) -> QSize:
        """All in one line."""
        items = self._shown()
        gaps = self.spacing() * max(len(items) - 1, 0)
        return QSize(sum(item.sizeHint().width() for item in items) + gaps, _height(items))

    def minimumSize(self) -> QSize:
        """A line for the widest."""
        items = self._shown()
        return QSize(max((item.minimumSize().width() for item in items), default=0), _height(items))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        top = rect.top()
        for line in self._lines(rect.width()):
            widths = [min(item.sizeHint().width(), rect.width()) for item in line]
            growing = [place for place, item in enumerate(line) if item.expandingDirections() & ACROSS]
            left_over = rect.width() - sum(widths) - self.spacing() * (len(line) - 1)
            for place in growing:
                widths[place] += left_over // len(growing)
            left, height = rect.left(), _height(line)
            for item, width in zip(line, widths, strict=True):
                own = min(item.sizeHint().height(), height)
                shape = QRect(left, top + (height - own) // 2, width, own)
                item.setGeometry(QStyle.visualRect(self._direction(), rect, shape))
                left += width + self.spacing()
            top += height + BETWEEN

    def _direction(self) -> Qt.LayoutDirection:
        parent = self.parentWidget()
        return parent.layoutDirection() if parent else Qt.LayoutDirection.LeftToRight

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        used = 0
        for item in self._shown():
            needed = self.spacing() + item.sizeHint().width()
            if lines and used + needed <= width:
                lines[-1].append(item)
                used += needed
            else:
                lines.append([item])
                used = needed - self.spacing()
        return lines


def labeled(text: str, box: QComboBox, *, grows: bool = False) -> QWidget:
    """A box and its label, which stay beside each other."""
    pair = QWidget()
    row = QHBoxLayout(pair)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    label = QLabel(text)
    label.setBuddy(box)
    row.addWidget(label)
    row.addWidget(box, 1)
    policy = QSizePolicy.Policy
    pair.setSizePolicy(policy.Expanding if grows else policy.Maximum, policy.Fixed)
    return pair


def _height(items: list[QLayoutItem]) -> int:
    return max((item.sizeHint().height() for item in items), default=0)
