"""Painted widgets for a screen reader: their parts, which have no widgets of their own."""

from functools import cache
from typing import Any

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget

from gui.widgets.basics import PaintedWidget

Path = tuple[int, ...]
"""Which part: the index of a part of the widget, of a part of that, and so on."""


class SpokenWidget(PaintedWidget):
    """Base of painted widgets whose parts screen readers are told of."""

    def __init__(self, name: str, title: str) -> None:
        super().__init__(name, title)
        # Qt does not keep Python's objects.
        self.accessible_item: QAccessibleInterface | None = None
        _install()

    def count_parts(self, path: Path) -> int:
        """How many parts the part at `path` has, () for the widget."""
        raise NotImplementedError

    def words_of(self, path: Path) -> str:
        """What is said of a part."""
        raise NotImplementedError

    def area_of(self, path: Path) -> QRect:
        """Where a part is in the widget."""
        raise NotImplementedError


class _Parts:
    """What has parts: a widget or a part of it. Their items are kept once they are made."""

    def hold(self, widget: SpokenWidget, path: Path) -> None:
        self._widget = widget
        self.path = path
        self._items: dict[int, _PartItem] = {}

    def childCount(self) -> int:
        return self._widget.count_parts(self.path)

    def child(self: Any, index: int) -> QAccessibleInterface:
        if index not in self._items:
            self._items[index] = _PartItem(self._widget, self, (*self.path, index))
        return self._items[index]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return child.path[-1] if isinstance(child, _PartItem) else -1


class _WidgetItem(_Parts, QAccessibleWidget):
    """The widget: its children are its parts."""

    def __init__(self, widget: SpokenWidget) -> None:
        super().__init__(widget, QAccessible.Role.List, widget.accessibleName())
        self.hold(widget, ())


class _PartItem(_Parts, QAccessibleInterface):
    """A part without a widget of its own."""

    def __init__(self, widget: SpokenWidget, above: QAccessibleInterface, path: Path) -> None:
        super().__init__()
        self.hold(widget, path)
        self._above = above

    def object(self) -> QObject | None:  # type: ignore[override]
        return None

    def isValid(self) -> bool:
        # Items are kept, also where fewer units are shown by now.
        return self.path[-1] < self._widget.count_parts(self.path[:-1])

    def parent(self) -> QAccessibleInterface:
        return self._above

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        return QAccessible.State()

    def text(self, kind: QAccessible.Text) -> str:
        if kind != QAccessible.Text.Name or not self.isValid():
            return ""
        return self._widget.words_of(self.path)

    def rect(self) -> QRect:
        if not self.isValid():
            return QRect()
        area = self._widget.area_of(self.path)
        return QRect(self._widget.mapToGlobal(area.topLeft()), area.size())

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """The words follow from what is shown."""


def _make(name: str, widget: QObject) -> QAccessibleInterface | None:
    if not isinstance(widget, SpokenWidget):
        return None
    if widget.accessible_item is None:
        widget.accessible_item = _WidgetItem(widget)
    return widget.accessible_item


@cache
def _install() -> None:
    """Tell Qt, once, what screen readers are told of painted widgets."""
    QAccessible.installFactory(_make)
