"""The stage for a screen reader: a list of layers, each a list of the units or maps that are shown."""

from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect, QTimer
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

from gui.stage.captions import layer_text, unit_text
from gui.widgets.basics import announce

if TYPE_CHECKING:
    from gui.stage.stage import Stage

SPEECH_MILLISECONDS = 500  # after which an answer is said


class AnswerSpeech(QTimer):
    """Lets a screen reader say the answer of the stage, which is its description, once the pen has stopped."""

    def __init__(self, stage: QWidget) -> None:
        super().__init__(stage, singleShot=True, interval=SPEECH_MILLISECONDS)
        self._stage = stage
        self.timeout.connect(self._say)

    def _say(self) -> None:
        announce(self._stage, self._stage.accessibleDescription())


class _StageItem(QAccessibleWidget):
    """The stage: its children are the layers."""

    def __init__(self, stage: "Stage") -> None:
        super().__init__(stage, QAccessible.Role.List, stage.accessibleName())
        self._stage = stage
        self._items: dict[int, _LayerItem] = {}

    def childCount(self) -> int:
        content = self._stage.picture.content
        return len(content.columns) if content else 0

    def child(self, index: int) -> QAccessibleInterface:
        if index not in self._items:
            self._items[index] = _LayerItem(self._stage, self, index)
        return self._items[index]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return child.index if isinstance(child, _LayerItem) else -1


class _Item(QAccessibleInterface):
    """A part of the stage without a widget of its own."""

    def __init__(self, stage: "Stage", above: QAccessibleInterface, index: int) -> None:
        super().__init__()
        self._stage = stage
        self._above = above
        self.index = index

    def object(self) -> QObject | None:  # type: ignore[override]
        return None

    def isValid(self) -> bool:
        return self._stage.picture.content is not None

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

    def state(self) -> QAccessible.State:
        return QAccessible.State()

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """The words follow from what is shown."""

    def _global(self, area: QRect) -> QRect:
        corner = self._stage.mapToGlobal(area.topLeft() - QPoint(self._stage.picture.offset, 0))
        return QRect(corner, area.size())


class _LayerItem(_Item):
    """A layer: its children are the units or maps that are shown."""

    def __init__(self, stage: "Stage", above: QAccessibleInterface, index: int) -> None:
        super().__init__(stage, above, index)
        self._items: dict[int, _UnitItem] = {}

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def text(self, kind: QAccessible.Text) -> str:
        content = self._stage.picture.content
        if kind != QAccessible.Text.Name or content is None or self.index >= len(content.columns):
            return ""
        return layer_text(content, self.index)

    def rect(self) -> QRect:
        layout = self._stage.picture.layout
        if layout is None or self.index >= len(layout.blocks):
            return QRect()
        return self._global(layout.blocks[self.index].area)

    def childCount(self) -> int:
        content = self._stage.picture.content
        if content is None or self.index >= len(content.columns):
            return 0
        return len(content.columns[self.index].shown)

    def child(self, index: int) -> QAccessibleInterface:
        if index not in self._items:
            self._items[index] = _UnitItem(self._stage, self, index)
        return self._items[index]


class _UnitItem(_Item):
    """A unit or map of a layer."""

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def text(self, kind: QAccessible.Text) -> str:
        content = self._stage.picture.content
        layer = self._layer
        if kind != QAccessible.Text.Name or content is None or layer >= len(content.columns):
            return ""
        if self.index >= len(content.columns[layer].shown):
            return ""
        return unit_text(content, layer, self.index)

    def rect(self) -> QRect:
        layout = self._stage.picture.layout
        if layout is None or self._layer >= len(layout.blocks):
            return QRect()
        tiles = layout.blocks[self._layer].tiles
        return self._global(tiles[self.index]) if self.index < len(tiles) else QRect()

    @property
    def _layer(self) -> int:
        above = self._above
        return above.index if isinstance(above, _Item) else 0


def _make(name: str, widget: QObject) -> QAccessibleInterface | None:
    from gui.stage.stage import Stage

    if not isinstance(widget, Stage):
        return None
    if widget.accessible_item is None:  # Qt does not keep Python's objects
        widget.accessible_item = _StageItem(widget)
    return widget.accessible_item


@cache
def install_accessibility() -> None:
    """Tell Qt, once, what screen readers are told of a stage."""
    QAccessible.installFactory(_make)


def say_chosen(stage: "Stage") -> None:
    """Let a screen reader say the chosen layer or unit."""
    content = stage.picture.content
    marks = stage.marks
    if content is None or marks.layer < 0 or not stage.hasFocus():
        return
    text = layer_text(content, marks.layer)
    if marks.unit >= 0:
        text = unit_text(content, marks.layer, marks.unit)
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleEvent(stage, QAccessible.Event.NameChanged))
    announce(stage, text)
