"""The style of all standard controls: Fusion with flat shapes, one border and the colors of the
theme.

Some buttons paint themselves: `PrimaryButton` and `LinkButton` in gui/widgets/basics.py, `TextLink`
in gui/widgets/dialogs.py, and others in the files of their areas.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPainter, QPalette, QPen
from PySide6.QtWidgets import (
    QProxyStyle,
    QStyle,
    QStyleOptionToolButton,
    QWidget,
)

from gui.widgets.shapes import paint_bar, paint_chevron, paint_rounded
from gui.widgets.theme import theme

# PySide hands over the subclass of QStyleOption that belongs to what is painted.
Option = Any
# Qt paints some parts without a widget, which the declarations of PySide do not know.
Widget = Option
Paint = Callable[[QPainter, Option, Widget], None]
State, Primitive, Control = QStyle.StateFlag, QStyle.PrimitiveElement, QStyle.ControlElement
Element = QStyle.SubElement
Complex, Contents, Part = QStyle.ComplexControl, QStyle.ContentsType, QStyle.SubControl
Role = QPalette.ColorRole
# Pixels.
_FIELD_ROOM, _BUTTON_ROOM = 16, 14  # height of a field and of a button without its line of text
_TEXT_MARGIN = 8  # at the sides of the text of a field
_CELL_MARGIN = 4  # at the sides of a cell of a table, beside Fusion's own
_CHEVRON = 22  # width of the part of a field with the chevron
_TRACK = 4  # of a slider and a progress bar
_HANDLE = 7  # radius of the handle of a slider
_LEAST_HANDLE = 28  # length of the handle of a scroll bar
_ROW_MARK = 3  # width of the bar beside a chosen row


def has(option: Option, *flags: QStyle.StateFlag) -> bool:
    """Whether the state of `option` has all these flags."""
    return all(option.state & flag for flag in flags)


def _is_in_table(widget: Widget) -> bool:
    return widget is not None and (widget.inherits("QTableView") or widget.inherits("QHeaderView"))


def _ink(option: Option) -> str:
    """The color of an arrow."""
    colors = theme().colors
    return colors.text if has(option, State.State_Enabled) else colors.muted


def _paint_disabled(painter: QPainter, option: Option) -> None:
    """A button or field that cannot be used."""
    is_dashed = theme().high_contrast
    paint_rounded(painter, option.rect, theme().colors.line, "transparent", dashed=is_dashed)


def _paint_button(painter: QPainter, option: Option, widget: Widget) -> None:
    """Of a push button, or of a tool button with a border."""
    colors = theme().colors
    if not has(option, State.State_Enabled):
        _paint_disabled(painter, option)
        return
    line = colors.border
    fill = colors.raised
    width = 1
    is_pressed = has(option, State.State_Sunken) or has(option, State.State_On)
    if is_pressed:
        line = colors.accent
    if is_pressed or has(option, State.State_MouseOver):
        fill = colors.info_back
    if has(option, State.State_HasFocus, State.State_KeyboardFocusChange):
        line = colors.accent
        width = 2
    paint_rounded(painter, option.rect, line, fill, width=width)


def _paint_tool(painter: QPainter, option: Option, widget: Widget) -> None:
    """A tool button; one that is raised by the pointer only has no border at rest."""
    if not has(option, State.State_AutoRaise):
        _paint_button(painter, option, widget)
        return
    colors = theme().colors
    has_focus = has(option, State.State_HasFocus, State.State_KeyboardFocusChange)
    is_on = has(option, State.State_Sunken) or has(option, State.State_On)
    is_pointed = has(option, State.State_MouseOver, State.State_Enabled)
    if has_focus or is_on or is_pointed:
        fill = colors.info_back if is_on or is_pointed else "transparent"
        line = colors.accent if has_focus or (is_on and theme().high_contrast) else fill
        paint_rounded(painter, option.rect, line, fill, width=2 if has_focus else 1)


def _paint_field(painter: QPainter, option: Option, widget: Widget) -> None:
    """The border and the background of what is typed in or chosen from; a wrong one has its own
    `Mid`.
    """
    colors = theme().colors
    if not has(option, State.State_Enabled):
        _paint_disabled(painter, option)
        return
    if has(option, State.State_HasFocus):
        paint_rounded(
            painter, option.rect, option.palette.color(Role.Highlight), colors.raised, width=2
        )
    else:
        paint_rounded(painter, option.rect, option.palette.color(Role.Mid), colors.raised)


def _paint_line_edit(painter: QPainter, option: Option, widget: Widget) -> None:
    """That of a spin box has no frame of its own."""
    if option.lineWidth > 0:
        _paint_field(painter, option, widget)


def _paint_check(painter: QPainter, option: Option, widget: Widget) -> None:
    colors = theme().colors
    is_on = has(option, State.State_On) or has(option, State.State_NoChange)
    enabled = has(option, State.State_Enabled)
    line = colors.border if enabled else colors.line
    if is_on and enabled:
        line = colors.accent
    box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(line)
    painter.setBrush(colors.accent if is_on and enabled else colors.raised)
    painter.drawRoundedRect(box, 3, 3)
    if not is_on:
        return
    painter.setPen(QPen(QColor(colors.on_accent if enabled else colors.muted), theme().line(1.8)))
    unit = box.width() / 14
    corners = ((3, 7.2), (6, 10), (11, 4.2))
    if has(option, State.State_NoChange):
        corners = ((3, 7), (7, 7), (11, 7))
    painter.drawPolyline([QPointF(box.left() + x * unit, box.top() + y * unit) for x, y in corners])


def _paint_radio(painter: QPainter, option: Option, widget: Widget) -> None:
    colors = theme().colors
    enabled = has(option, State.State_Enabled)
    box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5)
    width = 1.0
    line = colors.border if enabled else colors.line
    if has(option, State.State_On):
        width = box.width() / 3.2
        line = colors.accent if enabled else colors.muted
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(line), width))
    painter.setBrush(colors.raised)
    inset = (width - 1) / 2
    painter.drawEllipse(box.adjusted(inset, inset, -inset, -inset))


def _paint_focus(painter: QPainter, option: Option, widget: Widget) -> None:
    if has(option, State.State_KeyboardFocusChange):
        paint_rounded(painter, option.rect, theme().colors.accent, "transparent", width=2)


def _paint_frame(painter: QPainter, option: Option, widget: Widget) -> None:
    """Around a text that can be typed in; tables and pages have none, but in high contrast."""
    colors = theme().colors
    if widget is None or not widget.inherits("QAbstractItemView"):
        paint_rounded(painter, option.rect, colors.border, "transparent")
    elif theme().high_contrast:
        painter.setPen(colors.line)
        painter.drawRect(option.rect.adjusted(0, 0, -1, -1))


def _arrow(direction: str) -> Paint:
    def paint(painter: QPainter, option: Option, widget: Widget) -> None:
        paint_chevron(painter, option.rect, _ink(option), direction)

    return paint


def _paint_sort_arrow(painter: QPainter, option: Option, widget: Widget) -> None:
    is_up = option.sortIndicator == option.SortIndicator.SortUp
    paint_chevron(painter, option.rect, theme().colors.muted, "up" if is_up else "down")


def _paint_head(painter: QPainter, option: Option, widget: Widget) -> None:
    """A flat heading; a line separates headings from rows."""
    colors = theme().colors
    painter.fillRect(option.rect, colors.base)
    painter.setPen(colors.line)
    if has(option, State.State_Horizontal):
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())


def _paint_splitter(painter: QPainter, option: Option, widget: Widget) -> None:
    """A short line in the middle of the gap."""
    middle = QRectF(option.rect).center()
    size = QSize(24, 3)
    if option.rect.width() < option.rect.height():
        size = QSize(3, 24)
    line = QRectF(middle - QPointF(size.width() / 2, size.height() / 2), size)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().colors.border)
    painter.drawRoundedRect(line, 1.5, 1.5)


def _paint_progress(painter: QPainter, option: Option, widget: Widget) -> None:
    height = theme().px(_TRACK) + 1
    track = QRectF(option.rect)
    track.setTop(track.center().y() - height / 2)
    track.setHeight(height)
    span = option.maximum - option.minimum
    # A bar without a range is that of a task whose length is not known.
    share = (option.progress - option.minimum) / span if span > 0 else 0.3
    paint_bar(painter, track, min(max(share, 0.0), 1.0))


def _paint_row_mark(painter: QPainter, option: Option, widget: Widget) -> None:
    """A bar at the left of a chosen row of a table."""
    is_first = option.rect.left() <= 0 < option.rect.right()
    if is_first and has(option, State.State_Selected) and _is_in_table(widget):
        mark = QRect(0, option.rect.top(), _ROW_MARK, option.rect.height())
        painter.fillRect(mark, theme().colors.accent)


def _paint_nothing(painter: QPainter, option: Option, widget: Widget) -> None:
    """The whole is painted at once elsewhere."""


_PRIMITIVES: dict[QStyle.PrimitiveElement, Paint] = {
    Primitive.PE_PanelButtonCommand: _paint_button,
    Primitive.PE_PanelButtonTool: _paint_tool,
    Primitive.PE_PanelLineEdit: _paint_line_edit,
    Primitive.PE_Frame: _paint_frame,
    Primitive.PE_FrameFocusRect: _paint_focus,
    Primitive.PE_IndicatorCheckBox: _paint_check,
    Primitive.PE_IndicatorRadioButton: _paint_radio,
    Primitive.PE_IndicatorHeaderArrow: _paint_sort_arrow,
    Primitive.PE_IndicatorArrowDown: _arrow("down"),
    Primitive.PE_IndicatorArrowUp: _arrow("up"),
    Primitive.PE_IndicatorArrowLeft: _arrow("left"),
    Primitive.PE_IndicatorArrowRight: _arrow("right"),
}
_CONTROLS: dict[QStyle.ControlElement, Paint] = {
    Control.CE_HeaderSection: _paint_head,
    Control.CE_HeaderEmptyArea: _paint_head,
    Control.CE_Splitter: _paint_splitter,
    Control.CE_ProgressBarGroove: _paint_nothing,
    Control.CE_ProgressBarContents: _paint_progress,
}
_ROOM: dict[QStyle.ContentsType, int] = {
    Contents.CT_ComboBox: _FIELD_ROOM,
    Contents.CT_LineEdit: _FIELD_ROOM,
    Contents.CT_SpinBox: _FIELD_ROOM,
    Contents.CT_PushButton: _BUTTON_ROOM,
}
_CELLS = (Contents.CT_HeaderSection, Contents.CT_ItemViewItem)
_DIALOG_ICONS = frozenset(
    icon for icon in QStyle.StandardPixmap if icon.name.startswith("SP_Dialog")
)


class FlatStyle(QProxyStyle):
    """Underlines the letters of menus and labels while Alt is held down only; buttons of dialogs
    have no icons.
    """

    def __init__(self) -> None:
        super().__init__("Fusion")

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: Option,
        painter: QPainter,
        widget: Widget = None,
    ) -> None:
        paint = _PRIMITIVES.get(element)
        if paint is None:
            super().drawPrimitive(element, option, painter, widget)
            if element == Primitive.PE_PanelItemViewItem:
                _paint_row_mark(painter, option, widget)
        else:
            _paint_apart(paint, painter, option, widget)

    def drawControl(
        self,
        element: QStyle.ControlElement,
        option: Option,
        painter: QPainter,
        widget: Widget = None,
    ) -> None:
        paint = _CONTROLS.get(element)
        if element == Control.CE_HeaderLabel:
            room = option.rect
            option.rect = room.adjusted(_CELL_MARGIN, 0, -_CELL_MARGIN, 0)
            super().drawControl(element, option, painter, widget)
            option.rect = room
        elif paint is None:
            super().drawControl(element, option, painter, widget)
        else:
            _paint_apart(paint, painter, option, widget)

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: Option,
        painter: QPainter,
        widget: Widget = None,
    ) -> None:
        paint = {
            Complex.CC_ComboBox: self._paint_combo,
            Complex.CC_SpinBox: self._paint_spin,
            Complex.CC_Slider: self._paint_slider,
            Complex.CC_ScrollBar: self._paint_scroll_bar,
            Complex.CC_ToolButton: self._paint_tool_button,
        }.get(control)
        if paint is None:
            super().drawComplexControl(control, option, painter, widget)
        else:
            _paint_apart(paint, painter, option, widget)

    def drawItemText(
        self,
        painter: QPainter,
        rect: QRect,
        flags: int,
        palette: QPalette | Qt.GlobalColor | QColor,
        enabled: bool,
        text: str,
        textRole: QPalette.ColorRole = QPalette.ColorRole.NoRole,  # noqa: N803
    ) -> None:
        shows = Qt.TextFlag.TextShowMnemonic.value
        if flags & shows and not theme().shows_letters:
            flags = (flags & ~shows) | Qt.TextFlag.TextHideMnemonic.value
        super().drawItemText(painter, rect, flags, palette, enabled, text, textRole)

    def standardIcon(
        self, icon: QStyle.StandardPixmap, option: Option = None, widget: Widget = None
    ) -> QIcon:
        return QIcon() if icon in _DIALOG_ICONS else super().standardIcon(icon, option, widget)

    def sizeFromContents(
        self, kind: QStyle.ContentsType, option: Option, size: QSize, widget: Widget = None
    ) -> QSize:
        made = super().sizeFromContents(kind, option, size, widget)
        room = _ROOM.get(kind)
        if room is not None:
            made.setHeight(option.fontMetrics.height() + room)
            if kind in (Contents.CT_SpinBox, Contents.CT_ComboBox):
                made.setWidth(made.width() + 2 * _TEXT_MARGIN)
        elif kind in _CELLS and _is_in_table(widget):
            made.setWidth(made.width() + 2 * _CELL_MARGIN)
        elif kind == Contents.CT_ToolButton:
            made = _tool_size(option, made)
        return made

    def subElementRect(
        self, element: QStyle.SubElement, option: Option, widget: Widget = None
    ) -> QRect:
        found = super().subElementRect(element, option, widget)
        if element == Element.SE_LineEditContents:
            found.adjust(_TEXT_MARGIN - 2, 0, 2 - _TEXT_MARGIN, 0)
        elif element == Element.SE_ItemViewItemText and _is_in_table(widget):
            found.adjust(_CELL_MARGIN, 0, -_CELL_MARGIN, 0)
        elif element == Element.SE_ItemViewItemDecoration and _is_in_table(widget):
            found.translate(_CELL_MARGIN, 0)
        return found

    def subControlRect(
        self,
        control: QStyle.ComplexControl,
        option: Option,
        part: QStyle.SubControl,
        widget: Widget = None,
    ) -> QRect:
        if control == Complex.CC_ScrollBar:
            return _scroll_bar_part(option, part)
        found = super().subControlRect(control, option, part, widget)
        if control == Complex.CC_ComboBox and part == Part.SC_ComboBoxEditField:
            room = option.rect.adjusted(_TEXT_MARGIN, 1, -theme().px(_CHEVRON), -1)
            return self.visualRect(option.direction, option.rect, room)
        return found

    def _paint_combo(self, painter: QPainter, option: Option, widget: Widget) -> None:
        _paint_field(painter, option, widget)
        width = theme().px(_CHEVRON)
        area = option.rect.adjusted(option.rect.width() - width - 2, 0, -2, 0)
        paint_chevron(painter, self.visualRect(option.direction, option.rect, area), _ink(option))

    def _paint_spin(self, painter: QPainter, option: Option, widget: Widget) -> None:
        _paint_field(painter, option, widget)
        colors = theme().colors
        for part, direction in ((Part.SC_SpinBoxUp, "up"), (Part.SC_SpinBoxDown, "down")):
            area = self.subControlRect(Complex.CC_SpinBox, option, part, widget).adjusted(
                -3, 0, -3, 0
            )
            if option.activeSubControls == part and has(option, State.State_Enabled):
                painter.fillRect(area.adjusted(0, 2, 0, -2), colors.info_back)
            paint_chevron(painter, area, _ink(option), direction)

    def _paint_slider(self, painter: QPainter, option: Option, widget: Widget) -> None:
        colors = theme().colors
        groove = QRectF(
            self.subControlRect(Complex.CC_Slider, option, Part.SC_SliderGroove, widget)
        )
        handle = QRectF(
            self.subControlRect(Complex.CC_Slider, option, Part.SC_SliderHandle, widget)
        )
        track = QRectF(groove.left(), groove.center().y() - _TRACK / 2, groove.width(), _TRACK)
        share = (handle.center().x() - groove.left()) / max(groove.width(), 1)
        is_upright = option.orientation == Qt.Orientation.Vertical
        if is_upright:
            track = QRectF(groove.center().x() - _TRACK / 2, groove.top(), _TRACK, groove.height())
            share = 0
        paint_bar(painter, track, share)
        enabled = has(option, State.State_Enabled)
        painter.setPen(QPen(QColor(colors.accent if enabled else colors.border), 2))
        has_focus = has(option, State.State_HasFocus)
        painter.setBrush(colors.accent if has_focus else colors.raised)
        radius = min(theme().px(_HANDLE), min(handle.width(), handle.height()) / 2 - 1)
        painter.drawEllipse(handle.center(), radius, radius)

    def _paint_scroll_bar(self, painter: QPainter, option: Option, widget: Widget) -> None:
        handle = QRectF(_scroll_bar_part(option, Part.SC_ScrollBarSlider)).adjusted(4, 4, -4, -4)
        if option.maximum <= option.minimum:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        colors = theme().colors
        painter.setBrush(colors.muted if has(option, State.State_MouseOver) else colors.border)
        radius = min(handle.width(), handle.height()) / 2
        painter.drawRoundedRect(handle, radius, radius)

    def _paint_tool_button(self, painter: QPainter, option: Option, widget: Widget) -> None:
        _paint_tool(painter, option, widget)
        label = QStyleOptionToolButton(option)
        features = QStyleOptionToolButton.ToolButtonFeature
        has_menu = option.features & (features.HasMenu | features.MenuButtonPopup)
        if has_menu:
            area = option.rect.adjusted(option.rect.width() - theme().px(_CHEVRON) + 2, 0, -2, 0)
            label.rect = option.rect.adjusted(0, 0, -area.width(), 0)
            paint_chevron(painter, area, _ink(option))
        super().drawControl(Control.CE_ToolButtonLabel, label, painter, widget)


def _paint_apart(paint: Paint, painter: QPainter, option: Option, widget: Widget) -> None:
    painter.save()
    paint(painter, option, widget)
    painter.restore()


def _tool_size(option: Option, size: QSize) -> QSize:
    """The size of a tool button: with a border as high as other buttons, or as fields if it opens a
    menu.
    """
    features = QStyleOptionToolButton.ToolButtonFeature
    has_menu = bool(option.features & (features.HasMenu | features.MenuButtonPopup))
    width = size.width() + (theme().px(_CHEVRON) - 6 if has_menu else 0)
    if has(option, State.State_AutoRaise):
        return QSize(width, size.height())
    room = _FIELD_ROOM if has_menu else _BUTTON_ROOM
    return QSize(width + _TEXT_MARGIN, option.fontMetrics.height() + room)


def _scroll_bar_part(option: Option, part: QStyle.SubControl) -> QRect:
    """The rectangle of a part of a scroll bar, which has no arrow buttons."""
    room: QRect = option.rect
    if part == Part.SC_ScrollBarGroove:
        return QRect(room)
    is_level = option.orientation == Qt.Orientation.Horizontal
    length = room.width() if is_level else room.height()
    span = option.maximum - option.minimum
    handle = length
    if span > 0:
        handle = min(
            max(option.pageStep * length // (span + option.pageStep), _LEAST_HANDLE), length
        )
    start = QStyle.sliderPositionFromValue(
        option.minimum, option.maximum, option.sliderPosition, length - handle, option.upsideDown
    )
    pieces = {
        Part.SC_ScrollBarSlider: (start, handle),
        Part.SC_ScrollBarSubPage: (0, start),
        Part.SC_ScrollBarAddPage: (start + handle, length - start - handle),
    }
    first, size = pieces.get(part, (0, 0))
    if is_level:
        return QRect(room.left() + first, room.top(), size, room.height())
    return QRect(room.left(), room.top() + first, room.width(), size)


class LetterKeys(QObject):
    """Shows the underlined letters of menus and labels while Alt is held down in `window`."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowDeactivate:
            self._show(False)
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt:
            self._show(event.type() != QEvent.Type.KeyRelease)
        return False

    def _show(self, shown: bool) -> None:
        if theme().shows_letters != shown:
            theme().shows_letters = shown
            self._window.update()
