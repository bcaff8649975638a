"""Small widgets and habits that all parts of the window share."""

import re
from itertools import pairwise
from typing import Any, TypeVar

from PySide6.QtCore import QLocale, QObject, Qt
from PySide6.QtWidgets import QComboBox, QFrame, QLabel, QScrollArea, QSpinBox, QWidget

Widget = TypeVar("Widget", bound=QObject)
_LONG_WORD = re.compile(r"[^\s/\\\u200b]{26}(?=[^\s/\\])")


def named(widget: Widget, name: str) -> Widget:
    """`widget`, found by this name from now on."""
    widget.setObjectName(name)
    return widget


def set_style_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet asks for, and let the style look again."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def insert_in_tab_order(before: QWidget, page: QWidget) -> None:
    """Let the Tab key lead from `before` into `page`, made later: it would come last of all in the window."""
    inside: list[QWidget] = []
    widget = page.nextInFocusChain()
    while widget is not None and widget is not page:
        takes = widget.focusPolicy() != Qt.FocusPolicy.NoFocus and widget.focusProxy() is None
        if takes and page.isAncestorOf(widget):
            inside.append(widget)
        widget = widget.nextInFocusChain()
    for first, second in pairwise([before, *inside]):
        QWidget.setTabOrder(first, second)


def heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "heading")
    return label


def note(role: str = "muted", name: str = "") -> QLabel:
    """An empty wrapping line of small print, or of an error, that takes no room while empty."""
    label = named(QLabel(), name)
    label.setProperty("role", role)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.hide()
    return label


def set_message(label: QLabel, text: str) -> None:
    label.setText(breakable(text))
    label.setVisible(bool(text))


def breakable(text: str) -> str:
    """`text` that may be broken in long words and paths too, which would make a whole column as wide as they are."""
    return _LONG_WORD.sub("\\g<0>\u200b", text)


def scroll_area(page: QWidget) -> QScrollArea:
    """`page` as large as it needs to be, in as much room as there is; the Tab key passes the area itself."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setMinimumSize(60, 60)
    area.setWidget(page)
    return area


def add_items(box: QComboBox, items: list[tuple[str, str, str]]) -> None:
    """Items from (data, text, tooltip)."""
    for data, text, tip in items:
        box.addItem(text, data)
        if tip:
            box.setItemData(box.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)


class QuietComboBox(QComboBox):
    """A combo box that leaves the wheel to the page it is on until it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)

    def wheelEvent(self, event: object) -> None:
        if self.hasFocus():
            super().wheelEvent(event)  # type: ignore[arg-type]
        else:
            event.ignore()  # type: ignore[attr-defined]

    def choose(self, data: str) -> bool:
        """Select the item with this data, if there is one."""
        index = self.findData(data)
        if index >= 0:
            self.setCurrentIndex(index)
        return index >= 0


class QuietSpinBox(QSpinBox):
    """A spin box that leaves the wheel to the page until it has the focus."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Digits in groups are hard to type into.
        self.setLocale(_plain_locale())

    def wheelEvent(self, event: Any) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


def _plain_locale() -> QLocale:
    locale = QLocale()
    locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
    return locale
