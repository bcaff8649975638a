"""Makers of widgets, and layouts: one call sets the object name, text, tooltip, shortcut,
accessible name and slot.

Texts are given translated. A tooltip ends with the shortcut, if there is one. `slot` is called with
what the widget's signal carries: `clicked` of a button, `triggered` of an action, `toggled` of a
check box, `currentIndexChanged` of a combo box, `valueChanged` of a spin box or slider,
`textChanged` of a line edit.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, TypeVar, overload

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QSlider,
    QStyle,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.widgets.basics import (
    QuietComboBox,
    QuietSpinBox,
    key_text,
    label_of_role,
    named,
)
from gui.widgets.pictures import set_icon

Button = TypeVar("Button", bound=QAbstractButton)
Made = TypeVar("Made", bound=QWidget)
# Data, text and, where there is one, tooltip of an item of a combo box.
Item = tuple[Any, str] | tuple[Any, str, str]
# A widget or layout, a widget with its stretch factor, pixels of space, or None for the remaining
# space.
Part = QWidget | QLayout | tuple[QWidget | QLayout, int] | int | None


def tip_with_key(tip: str, *keys: str) -> str:
    """`tip` with the first of `keys`, as this system writes it: `Undo the last stroke (Ctrl+Z)`."""
    return f"{tip.removesuffix('.')} ({key_text(keys[0])})." if keys and keys[0] else tip


@overload
def button(
    text: str, name: str, tip: str = "", slot: Any = None, *, key: str = "", icon: str = "",
) -> QPushButton: ...  # fmt: skip
@overload
def button(
    text: str, name: str, tip: str = "", slot: Any = None, *, key: str = "", icon: str = "",
    kind: type[Button],
) -> Button: ...  # fmt: skip
def button(
    text: str,
    name: str,
    tip: str = "",
    slot: Any = None,
    *,
    key: str = "",
    icon: str = "",
    kind: type[QAbstractButton] = QPushButton,
) -> QAbstractButton:
    """A button of this kind. Its accessible name is its text, also after `setText`. icon: see
    `set_icon`.
    """
    made = named(kind(), name, tip=tip_with_key(tip, key))
    made.setText(text)
    if key:
        made.setShortcut(QKeySequence(key))
    if isinstance(made, QPushButton):
        made.setAutoDefault(False)  # Return in a dialog would click it
    if icon:
        set_icon(made, icon)
    return _connected(made, made.clicked, slot)


def _connected(made: Made, signal: Any, slot: Any) -> Made:
    if slot is not None:
        signal.connect(slot)
    return made


def menu_button(text: str, name: str, tip: str, menu: QMenu, *, title: str = "") -> QToolButton:
    """A button that opens `menu`, and can be reached with the Tab key."""
    made = button(text, name, tip, kind=QToolButton)
    if title:
        made.setAccessibleName(title)
    made.setMenu(menu)
    made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return made


def action(
    owner: QObject,
    text: str,
    name: str = "",
    slot: Any = None,
    *,
    keys: Sequence[str] = (),
    tip: str = "",
) -> QAction:
    """An action of `owner` with these shortcuts. A widget as the owner lists it among its actions,
    too.
    """
    made = QAction(text, owner)
    made.setObjectName(name)
    made.setShortcuts([QKeySequence(key) for key in keys])
    if tip:
        made.setToolTip(tip_with_key(tip, *keys))
    if slot is not None:
        made.triggered.connect(slot)
    if isinstance(owner, QWidget):
        owner.addAction(made)
    return made


def combo(
    name: str,
    title: str,
    tip: str,
    items: Iterable[Item] = (),
    slot: Any = None,
    *,
    characters: int = 6,
) -> QuietComboBox:
    """A combo box that is at least `characters` wide. `title` is for screen readers; a label may
    show it.
    """
    made = named(QuietComboBox(), name, title, tip)
    made.setMinimumContentsLength(characters)
    fill(made, items)
    return _connected(made, made.currentIndexChanged, slot)


def fill(box: QuietComboBox, items: Iterable[Item]) -> None:
    """Replace the items of `box` without a signal. The chosen item stays chosen, if it is among
    them.
    """
    chosen = box.currentData()
    blocked = box.blockSignals(True)
    box.clear()
    for data, text, *tips in items:
        box.addItem(text, data)
        if tips and tips[0]:
            box.setItemData(box.count() - 1, tips[0], Qt.ItemDataRole.ToolTipRole)
    if chosen is not None:
        box.choose(chosen)
    box.blockSignals(blocked)


def spin(
    name: str, title: str, tip: str, low: int, high: int, value: int | None = None, slot: Any = None
) -> QuietSpinBox:
    """A box for a whole number from `low` to `high`; at first `value`, or `low` without one."""
    made = named(QuietSpinBox(), name, title, tip)
    made.setRange(low, high)
    made.setValue(low if value is None else value)
    return _connected(made, made.valueChanged, slot)


def slider(name: str, title: str, tip: str, low: int, high: int, slot: Any = None) -> QSlider:
    """A horizontal slider."""
    made = named(QSlider(Qt.Orientation.Horizontal), name, title, tip)
    made.setRange(low, high)
    return _connected(made, made.valueChanged, slot)


def entry(
    menu: QMenu,
    text: str,
    slot: Callable[..., object],
    *keys: QKeySequence.StandardKey | str,
    checked: bool | None = None,
) -> QAction:
    """Add an entry to a menu with `keys`, and all that the system has for a standard key.

    checked: the state of an entry that is on or off, whose slot is called with the new state.
    """
    made = menu.addAction(text)
    standard = QKeySequence.StandardKey
    found = (
        QKeySequence.keyBindings(key) if isinstance(key, standard) else [QKeySequence(key)]
        for key in keys
    )
    made.setShortcuts(list(dict.fromkeys(chain.from_iterable(found))))
    if checked is None:
        made.triggered.connect(ignoring_arguments(slot))
    else:
        made.setCheckable(True)
        made.setChecked(checked)
        made.toggled.connect(slot)
    return made


def ignoring_arguments(slot: Callable[[], object]) -> Callable[..., None]:
    """A slot for a signal whose values `slot` does not take, such as `clicked`."""

    def call(*_: object) -> None:
        slot()

    return call


def edit(name: str, title: str, tip: str, slot: Any = None, *, placeholder: str = "") -> QLineEdit:
    made = named(QLineEdit(), name, title, tip)
    made.setPlaceholderText(placeholder)
    return _connected(made, made.textChanged, slot)


def check(text: str, name: str, tip: str, slot: Any = None) -> QCheckBox:
    made = button(text, name, tip, kind=QCheckBox)
    return _connected(made, made.toggled, slot)


def label(
    text: str = "",
    name: str = "",
    role: str = "",
    *,
    wraps: bool = True,
    selectable: bool = False,
    plain: bool = False,
) -> QLabel:
    """A label. role: see `label_of_role`; empty for body text.

    selectable: by mouse and keyboard. plain: never read as HTML, as is needed where the text may
    have a “<” of others.
    """
    made = named(label_of_role(role, text), name)
    made.setWordWrap(wraps)
    if plain:
        made.setTextFormat(Qt.TextFormat.PlainText)
    if selectable:
        flags = Qt.TextInteractionFlag
        made.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
    return made


def row(*parts: Part, owner: QWidget | None = None, spacing: int = -1) -> QHBoxLayout:
    """A row without margins; it becomes the layout of `owner`. spacing: pixels, -1 for the
    style's.
    """
    return _filled(QHBoxLayout(owner) if owner else QHBoxLayout(), parts, spacing)


def column(*parts: Part, owner: QWidget | None = None, spacing: int = -1) -> QVBoxLayout:
    """A column without margins; it becomes the layout of `owner`. spacing: pixels, -1 for the
    style's.
    """
    return _filled(QVBoxLayout(owner) if owner else QVBoxLayout(), parts, spacing)


Box = TypeVar("Box", bound=QBoxLayout)


def _filled(box: Box, parts: Sequence[Part], spacing: int) -> Box:
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(spacing)
    for part in parts:
        item, stretch = part if isinstance(part, tuple) else (part, 0)
        if item is None:
            box.addStretch(1)
        elif isinstance(item, int):
            box.addSpacing(item)
        elif isinstance(item, QLayout):
            box.addLayout(item, stretch)
        else:
            box.addWidget(item, stretch)
    return box


_HORIZONTAL = Qt.Orientation.Horizontal
_LINE_SPACING = 5  # pixels


class FlowLayout(QLayout):
    """A row that wraps into further lines where it is too narrow; widgets that expand share the
    rest of their line.

    spacing: pixels between two widgets of a line.
    """

    def __init__(self, *widgets: QWidget, spacing: int = 8) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}  # by width, until something has changed
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
        return _HORIZONTAL

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """Layouts around this one ask for it a hundred times when a text beside it changes."""
        if width not in self._heights:
            lines = self._lines(width)
            self._heights[width] = sum(map(_height, lines)) + _LINE_SPACING * max(len(lines) - 1, 0)
        return self._heights[width]

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

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
            growing = [
                index for index, item in enumerate(line) if item.expandingDirections() & _HORIZONTAL
            ]
            left_over = rect.width() - sum(widths) - self.spacing() * (len(line) - 1)
            for place, index in enumerate(growing):
                most = line[index].maximumSize().width() - widths[index]
                # What one widget cannot take is left for those after it.
                added = min(left_over // (len(growing) - place), most)
                widths[index] += added
                left_over -= added
            left = rect.left()
            height = _height(line)
            for item, width in zip(line, widths, strict=True):
                item_height = height
                if not item.expandingDirections() & Qt.Orientation.Vertical:
                    item_height = min(item.sizeHint().height(), height)
                shape = QRect(left, top + (height - item_height) // 2, width, item_height)
                # Mirrored where the language is written from right to left.
                item.setGeometry(QStyle.visualRect(direction, rect, shape))
                left += width + self.spacing()
            top += height + _LINE_SPACING

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
    """A widget with `box` and its label to the left. `grows`: whether it expands horizontally in a
    FlowLayout.
    """
    pair = QWidget()
    title = QLabel(text)
    title.setBuddy(box)
    row(title, (box, 1), owner=pair, spacing=6)
    policy = QSizePolicy.Policy
    pair.setSizePolicy(policy.Expanding if grows else policy.Maximum, policy.Fixed)
    return pair


def _height(items: list[QLayoutItem]) -> int:
    return max((item.sizeHint().height() for item in items), default=0)
