"""Small widgets and functions that all parts of the window use."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, TypeVar

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QLocale,
    QObject,
    QPoint,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFocusEvent,
    QFont,
    QHelpEvent,
    QKeySequence,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QStandardItemModel,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFrame,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStylePainter,
    QTabBar,
    QToolButton,
    QToolTip,
    QWidget,
)

from gui.widgets.shapes import paint_chevron, paint_rounded
from gui.widgets.theme import theme
from kernels.device_spec import DeviceInfo

Widget = TypeVar("Widget", bound=QObject)
Label = TypeVar("Label", bound=QLabel)
# Pixels between two parts of a group, and between groups or to the edge of a page.
SPACING, MARGIN = 8, 12
# The steps across and down of the arrow keys.
ARROW_KEYS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
NO_LIMIT = 16_777_215  # pixels: Qt's own limit of a widget's size
_ROLES = {"muted": QPalette.ColorRole.PlaceholderText, "error": QPalette.ColorRole.BrightText}
# Data of an item of a combo box: the text of the closed box, where it differs from that in the
# list.
SHORT_TEXT = Qt.ItemDataRole.UserRole + 1


def named(widget: Widget, name: str, title: str = "", tip: str = "") -> Widget:
    """Set the object name, the accessible name and the tooltip, and return the widget."""
    widget.setObjectName(name)
    if isinstance(widget, QWidget):
        if title:
            # Screen readers would read the mark of the key.
            widget.setAccessibleName(title.replace("&", ""))
        if tip:
            widget.setToolTip(tip)
    return widget


def announce(widget: QWidget, text: str) -> None:
    """Let a screen reader say `text`, once it has said what it is saying."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def key_text(keys: str) -> str:
    """The name of a shortcut such as `Ctrl+Z` as this system writes it (⌘Z on macOS)."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def delayed(owner: QObject, slot: Callable[[], object], milliseconds: int = 0) -> QTimer:
    """A timer that calls `slot` once, so long after each of its starts."""
    timer = QTimer(owner, singleShot=True, interval=milliseconds)
    timer.timeout.connect(slot)
    return timer


def paint_border(painter: QPainter, area: QRectF, color: QColor | str) -> None:
    """Paint a border of one pixel inside `area`.

    A rectangle drawn with a pen lies half outside, and is cut off there when the display is scaled
    by 1.25 or 1.5.
    """
    border = QPainterPath()
    border.addRect(area)
    border.addRect(area.adjusted(1, 1, -1, -1))
    painter.fillPath(border, QColor(color))


def mark_wrong(editor: QWidget, wrong: bool) -> None:
    """Outline `editor` in the color of errors, or as usual. Call it again when the theme has
    changed.
    """
    palette = QPalette()  # without own colors: the application's are used
    if wrong:
        color = QApplication.palette().color(QPalette.ColorRole.BrightText)
        palette.setColor(QPalette.ColorRole.Mid, color)
        palette.setColor(QPalette.ColorRole.Highlight, color)  # the outline with the focus
    editor.setPalette(palette)


def insert_in_tab_order(before: QWidget, page: QWidget) -> None:
    """Make the widgets of `page` follow `before` in the tab order, in the order in which they were
    added to the page.

    A page that is created later would otherwise be the last of the window.
    """
    # Not by QWidget.nextInFocusChain: PySide takes the widget that it returns for a child of the
    # one before. It then declares layout items that are in use deleted, and ends the program at
    # their next use.
    widgets = [
        widget
        for widget in page.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.focusProxy() is None
        and page.isAncestorOf(widget)  # False for what is in a menu of the page
    ]
    for first, second in pairwise([before, *widgets]):
        QWidget.setTabOrder(first, second)


class CaptionLabel(QLabel):
    """Secondary text in small type. The theme has a font for this class."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        with_role(self, "muted")


class HeadingLabel(QLabel):
    """The heading of a group. The theme has a font for this class."""


class TitleLabel(QLabel):
    """The title of a page or of what it shows. The theme has a font for this class."""


class ResultLabel(QLabel):
    """A result in large type. The theme has a font for this class."""


class ElidedLabel(QLabel):
    """One line that ends with an ellipsis where it is too long, and never widens the window."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            text = self.fontMetrics().elidedText(
                self.text(), Qt.TextElideMode.ElideRight, self.width()
            )
            painter.drawText(self.rect(), self.alignment(), text)


def with_role(label: Label, role: str) -> Label:
    """Write the text of `label` as "muted" secondary text or as an "error"; return the label."""
    label.setForegroundRole(_ROLES[role])
    return label


_LABELS: dict[str, type[QLabel]] = {
    "caption": CaptionLabel,
    "heading": HeadingLabel,
    "line": ElidedLabel,
    "result": ResultLabel,
    "title": TitleLabel,
}


def label_of_role(role: str, text: str = "") -> QLabel:
    """A label. role: one of _LABELS or as in `with_role`; empty for body text."""
    if role in _LABELS:
        return _LABELS[role](text)
    made = QLabel(text)
    return with_role(made, role) if role else made


def scroll_area(page: QWidget) -> QScrollArea:
    """A scroll area around `page` that takes no keyboard focus itself."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setMinimumSize(60, 60)
    area.setWidget(page)
    return area


def see_through(area: QScrollArea) -> None:
    """Show the background of what is behind a scroll area, such as a card."""
    page = area.widget()
    assert page is not None
    for part in (area.viewport(), page):
        part.setAutoFillBackground(False)


def empty(layout: QLayout) -> None:
    """Delete the widgets of a layout. They are hidden at once: Qt deletes them only later, and they
    would be seen beside the new ones.
    """
    while item := layout.takeAt(0):
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()


def lay_out_now() -> None:
    """Apply all changes of layouts at once; Qt does so in the next turn of the event loop."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)


def resize_on_screen(window: QWidget, width: int, height: int) -> None:
    """Give `window` this size in pixels, or the size of its screen where that is smaller."""
    title_bar = QSize(0, 40)
    window.resize(QSize(width, height).boundedTo(window.screen().availableSize() - title_bar))


def show_availability(box: QComboBox, devices: Iterable[DeviceInfo]) -> None:
    """Enable the items of `box` that are available devices; the others have the reason as their
    tooltip.
    """
    model = box.model()
    for info in devices:
        index = box.findData(info.name)
        if index >= 0 and isinstance(model, QStandardItemModel):
            tip = (info.hardware or info.title) if info.available else info.reason
            box.setItemData(index, tip, Qt.ItemDataRole.ToolTipRole)
            model.item(index).setEnabled(info.available)


class PaintedWidget(QWidget):
    """Base of widgets that paint themselves; the tooltip names what is painted at the pointer."""

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        named(self, name, title)

    def tip_at(self, point: QPoint) -> str:
        """The tooltip at `point`; empty for the widget's own."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        if asked := tip_asked(event):
            text = self.tip_at(asked.pos())
            if text:
                QToolTip.showText(asked.globalPos(), text, self)
                return True
            QToolTip.hideText()
        return super().event(event)


def tip_asked(event: QEvent) -> QHelpEvent | None:
    """The event if it asks for a tooltip, with the place of the pointer."""
    is_asked = event.type() == QEvent.Type.ToolTip
    return event if is_asked and isinstance(event, QHelpEvent) else None


class PrimaryButton(QPushButton):
    """The main action of a page. The theme has a palette for this class."""

    main_changed = Signal()

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.is_main = True
        font = self.font()
        font.setWeight(QFont.Weight.DemiBold)
        self.setFont(font)

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(16, 8)

    def set_main(self, main: bool) -> None:
        """Mark the button in color, or not: another button of the window is the main one."""
        self.is_main = main
        self.main_changed.emit()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a plain rectangle: the style would mix the color with gray."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        if not self.is_main:
            # In place of the class's own palette, which has the accent color.
            option.palette = QApplication.palette()
            if not self.isEnabled():
                option.palette.setCurrentColorGroup(QPalette.ColorGroup.Disabled)
        color = option.palette.color(QPalette.ColorRole.Button)
        if option.state & QStyle.StateFlag.State_Sunken:
            color = color.darker(115)
        marked = self.isEnabled() and (self.hasFocus() or self.underMouse())
        width = 2 if self.hasFocus() else 1
        plain = (
            color
            if self.is_main and self.isEnabled()
            else option.palette.color(QPalette.ColorRole.Mid)
        )
        line = option.palette.color(QPalette.ColorRole.WindowText) if marked else plain
        painter = QStylePainter(self)
        paint_rounded(painter, self.rect(), line, color, width)
        painter.drawControl(QStyle.ControlElement.CE_PushButtonLabel, option)


def focus_is_by_key(widget: QWidget) -> bool:
    """Whether `widget` has the focus, and somebody goes through the window by keys.

    Qt also gives a widget the focus where the one before is hidden by a click.
    """
    return widget.hasFocus() and widget.window().testAttribute(
        Qt.WidgetAttribute.WA_KeyboardFocusChange
    )


class KeyFocus(QTabBar):
    """A tab bar that knows whether it has the focus by the keyboard: then it shows so, and not
    after a click.
    """

    has_key_focus = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        reason = event.reason()
        # Of a window that becomes active, after a dialog, the state before stays.
        if reason not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.has_key_focus = reason != Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)

    def shows_focus(self) -> bool:
        return self.has_key_focus and focus_is_by_key(self)


class FitsOnResize:
    """A widget that calls its method `fit` whenever its size has changed."""

    def resizeEvent(self: Any, event: QResizeEvent) -> None:
        super().resizeEvent(event)  # type: ignore[misc]
        self.fit()


class _Quiet:
    """Ignores the mouse wheel, so that the page scrolls, until it has the focus."""

    def wheelEvent(self: Any, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)  # type: ignore[misc]
        else:
            event.ignore()


class QuietComboBox(_Quiet, QComboBox):
    elide_mode = Qt.TextElideMode.ElideRight

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)

    def shown_text(self) -> str:
        """The chosen text, with an ellipsis where it is too long; the style would only cut it."""
        text = self.currentData(SHORT_TEXT) or self.currentText()
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        field = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        # The style leaves out a pixel at each side.
        return self.fontMetrics().elidedText(text, self.elide_mode, field.width() - 2)

    def event(self, event: QEvent) -> bool:
        if asked := tip_asked(event):
            QToolTip.showText(asked.globalPos(), self.full_tooltip(), self)
            return True
        return super().event(event)

    def full_tooltip(self) -> str:
        """The tooltip, after the chosen text where that is not shown as a whole."""
        text = self.currentText()
        return self.toolTip() if self.shown_text() == text else f"{text}\n{self.toolTip()}".strip()

    def paintEvent(self, event: object) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_text()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def choose(self, data: object) -> bool:
        """Select the item with this data; return whether there is one."""
        # Qt's `findData` compares tuples by identity.
        found = [index for index in range(self.count()) if self.itemData(index) == data]
        if found:
            self.setCurrentIndex(found[0])
        return bool(found)


class QuietSpinBox(_Quiet, QSpinBox):
    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        locale = QLocale()
        # It gets in the way of typing.
        locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
        self.setLocale(locale)


class LinkButton(QToolButton):
    """Shows `body` while it is checked: a text in the accent color, with an arrow that points down
    while `body` is hidden.
    """

    def __init__(self, text: str, body: QWidget) -> None:
        super().__init__()
        self.setText(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.toggled.connect(body.setVisible)
        body.hide()

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(width + theme().px(32), self.fontMetrics().height() + 8)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        text_width = self.fontMetrics().horizontalAdvance(self.text())
        with QPainter(self) as painter:
            painter.setPen(colors.accent)
            painter.drawText(
                self.rect().adjusted(4, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.text()
            )
            arrow = self.rect().adjusted(text_width + 4, 0, 0, 0)
            direction = "up" if self.isChecked() else "down"
            paint_chevron(painter, arrow, colors.accent, direction)
            if self.hasFocus():
                paint_border(painter, QRectF(self.rect()), colors.accent)
