"""The stage for a screen reader: a list of layers, each a list of the units or maps that are
shown.
"""

from functools import cache

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget

from gui.stage.captions import layer_text, unit_text
from gui.stage.picture import StagePicture
from gui.widgets.basics import PaintedWidget


class SpokenPicture(PaintedWidget):
    """Base of a widget that shows `picture`, so that screen readers are told of its layers and
    units.
    """

    def __init__(self, name: str, title: str) -> None:
        super().__init__(name, title)
        self.setAccessibleName(title)
        self.picture = StagePicture()
        # Qt does not keep Python's objects.
        self.accessible_item: QAccessibleInterface | None = None
        _install()

    def on_screen(self, area: QRect) -> QRect:
        """A part of the columns in pixels of the screen."""
        return QRect(self.mapToGlobal(area.topLeft() - QPoint(self.picture.offset, 0)), area.size())


class _PictureItem(QAccessibleWidget):
    """The widget: its children are the layers."""

    def __init__(self, widget: SpokenPicture) -> None:
        super().__init__(widget, QAccessible.Role.List, widget.accessibleName())
        self._widget = widget
        self._items: dict[int, _LayerItem] = {}

    def childCount(self) -> int:
        content = self._widget.picture.content
        return len(content.columns) if content else 0

    def child(self, index: int) -> QAccessibleInterface:
        if index not in self._items:
            self._items[index] = _LayerItem(self._widget, self, index)
        return self._items[index]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return child.index if isinstance(child, _LayerItem) else -1


class _Item(QAccessibleInterface):
    """A part of the picture without a widget of its own."""

    def __init__(self, widget: SpokenPicture, above: QAccessibleInterface, index: int) -> None:
        super().__init__()
        self._widget = widget
        self._above = above
        self.index = index

    def object(self) -> QObject | None:  # type: ignore[override]
        return None

    def isValid(self) -> bool:
        return self._widget.picture.content is not None

    def parent(self) -> QAccessibleInterface:
        return self._above

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return child.index if isinstance(child, _Item) else -1

    def childCount(self) -> int:
        return 0

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        return QAccessible.State()

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """The words follow from what is shown."""


class _LayerItem(_Item):
    """A layer: its children are the units or maps that are shown."""

    def __init__(self, widget: SpokenPicture, above: QAccessibleInterface, index: int) -> None:
        super().__init__(widget, above, index)
        self._items: dict[int, _UnitItem] = {}

    def text(self, kind: QAccessible.Text) -> str:
        content = self._widget.picture.content
        if kind != QAccessible.Text.Name or content is None or self.index >= len(content.columns):
            return ""
        return layer_text(content, self.index)

    def rect(self) -> QRect:
        layout = self._widget.picture.layout
        if layout is None or self.index >= len(layout.blocks):
            return QRect()
        return self._widget.on_screen(layout.blocks[self.index].area)

    def childCount(self) -> int:
        content = self._widget.picture.content
        if content is None or self.index >= len(content.columns):
            return 0
        return len(content.columns[self.index].shown)

    def child(self, index: int) -> QAccessibleInterface:
        if index not in self._items:
            self._items[index] = _UnitItem(self._widget, self, index)
        return self._items[index]


class _UnitItem(_Item):
    """A unit or map of the layer `above`."""

    def __init__(self, widget: SpokenPicture, above: _LayerItem, index: int) -> None:
        super().__init__(widget, above, index)
        self._layer = above.index

    def text(self, kind: QAccessible.Text) -> str:
        content = self._widget.picture.content
        if kind != QAccessible.Text.Name or content is None or self._layer >= len(content.columns):
            return ""
        if self.index >= len(content.columns[self._layer].shown):
            return ""
        return unit_text(content, self._layer, self.index)

    def rect(self) -> QRect:
        layout = self._widget.picture.layout
        if layout is None or self._layer >= len(layout.blocks):
            return QRect()
        tiles = layout.blocks[self._layer].tiles
        return self._widget.on_screen(tiles[self.index]) if self.index < len(tiles) else QRect()


def _make(name: str, widget: QObject) -> QAccessibleInterface | None:
    if not isinstance(widget, SpokenPicture):
        return None
    if widget.accessible_item is None:
        widget.accessible_item = _PictureItem(widget)
    return widget.accessible_item


@cache
def _install() -> None:
    """Tell Qt, once, what screen readers are told of a picture."""
    QAccessible.installFactory(_make)
