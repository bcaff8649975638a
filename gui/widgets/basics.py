"""Small widgets and functions that all parts of the window use."""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, TypeVar

from PySide6.QtCore import QLocale, QObject, Qt
from PySide6.QtGui import QKeySequence, QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QScrollArea,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from kernels.device_spec import DeviceInfo

Widget = TypeVar("Widget", bound=QObject)
_LONG_WORD = re.compile(r"[^\s/\\\u200b]{20}(?=[^\s/\\])")


def named(widget: Widget, name: str) -> Widget:
    """Set the object name and return the widget."""
    widget.setObjectName(name)
    return widget


def key_text(keys: str) -> str:
    """The name of a shortcut such as `Ctrl+Z` as this system writes it (⌘Z on macOS)."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def set_style_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet selects by, and apply the style sheet again."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def insert_in_tab_order(before: QWidget, page: QWidget) -> None:
    """Make the widgets of `page` follow `before` in the tab order.

    A page that is created later would otherwise be the last of the window.
    """
    widgets: list[QWidget] = []
    widget = page.nextInFocusChain()
    while widget is not None and widget is not page:
        takes_focus = widget.focusPolicy() != Qt.FocusPolicy.NoFocus and widget.focusProxy() is None
        if takes_focus and page.isAncestorOf(widget):
            widgets.append(widget)
        widget = widget.nextInFocusChain()
    for first, second in pairwise([before, *widgets]):
        QWidget.setTabOrder(first, second)


def heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "heading")
    return label


def note(role: str = "muted", name: str = "") -> QLabel:
    """A hidden label for a message; `set_message` sets its text. `role` selects its style: "muted" or "error"."""
    label = named(QLabel(), name)
    label.setProperty("role", role)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.hide()
    return label


def set_message(label: QLabel, text: str) -> None:
    """Show `text`, or hide the label where that is empty."""
    label.setText(breakable(text))
    label.setVisible(bool(text))


def breakable(text: str) -> str:
    """`text` with zero-width spaces in long words and paths, which would otherwise widen the whole column."""
    return _LONG_WORD.sub("\\g<0>\u200b", text)


def scroll_area(page: QWidget) -> QScrollArea:
    """A scroll area around `page` that takes no keyboard focus itself."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setMinimumSize(60, 60)
    area.setWidget(page)
    return area


def add_items(box: QComboBox, items: list[tuple[str, str, str]]) -> None:
    """Add items given as (data, text, tooltip)."""
    for data, text, tip in items:
        box.addItem(text, data)
        if tip:
            box.setItemData(box.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)


def show_availability(box: QComboBox, devices: Iterable[DeviceInfo]) -> None:
    """Enable the items of `box` that are available devices; the others have the reason as their tooltip."""
    model = box.model()
    for info in devices:
        index = box.findData(info.name)
        if index >= 0 and isinstance(model, QStandardItemModel):
            tip = (info.hardware or info.title) if info.available else info.reason
            box.setItemData(index, tip, Qt.ItemDataRole.ToolTipRole)
            model.item(index).setEnabled(info.available)


class QuietComboBox(QComboBox):
    """A combo box that ignores the mouse wheel, so that the page scrolls, until it has the focus."""

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

    def shown_text(self) -> str:
        """The chosen text, with an ellipsis where it is too long; the style would only cut it."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        field = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        # 4 pixels lie between the text and the frame.
        return self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, field.width() - 4
        )

    def paintEvent(self, event: object) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_text()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def choose(self, data: str) -> bool:
        """Select the item with this data; return whether there is one."""
        index = self.findData(data)
        if index >= 0:
            self.setCurrentIndex(index)
        return index >= 0


class QuietSpinBox(QSpinBox):
    """A spin box that ignores the mouse wheel, so that the page scrolls, until it has the focus."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Group separators get in the way of typing.
        self.setLocale(_locale_without_separators())

    def wheelEvent(self, event: Any) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


def _locale_without_separators() -> QLocale:
    locale = QLocale()
    locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
    return locale
