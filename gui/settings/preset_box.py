"""The box of presets: their titles in groups, in the list with a line of text below each."""

from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPalette, QStandardItemModel
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from core.training.presets import PRESETS
from gui.widgets.basics import SHORT_TEXT, QuietComboBox, named

CUSTOM = ""  # the data of the entry for settings that belong to no preset
_SUMMARY_ROLE = SHORT_TEXT + 1
_MARGIN = 6

Index = QModelIndex | QPersistentModelIndex


class PresetBox(QuietComboBox):
    """Its data are the names of presets, or CUSTOM."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "presetBox")
        self.setAccessibleName(self.tr("Preset"))
        self.setToolTip(self.tr("A network and settings that are known to work, to start from."))
        self.setMaxVisibleItems(20)
        self.setItemDelegate(_PresetDelegate(self))
        group = ""
        for preset in PRESETS:
            if preset.group != group:
                group = preset.group
                self._add_heading(QCoreApplication.translate("Preset", group))
            self.addItem(QCoreApplication.translate("Preset", preset.title), preset.name)
            index = self.count() - 1
            self.setItemData(index, preset.description, Qt.ItemDataRole.ToolTipRole)
            self.setItemData(index, preset.summary, _SUMMARY_ROLE)
        self.insertSeparator(self.count())
        self.addItem(self.tr("My own settings"), CUSTOM)

    def _add_heading(self, text: str) -> None:
        self.addItem(text)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        model.item(self.count() - 1).setEnabled(False)


class _PresetDelegate(QStyledItemDelegate):
    """Paints group headings in bold, and the summary of a preset below its title."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        summary = index.data(_SUMMARY_ROLE)
        if summary:
            width = option.fontMetrics.horizontalAdvance(summary) + 5 * _MARGIN
            size = QSize(max(size.width(), width), 2 * option.fontMetrics.height() + _MARGIN)
        return size

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        summary = index.data(_SUMMARY_ROLE)
        if not summary:
            self._paint_heading(painter, option, index)
            return
        self.initStyleOption(option, index)
        title, option.text = option.text, ""
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.Text
        area = option.rect.adjusted(3 * _MARGIN, _MARGIN // 2, -_MARGIN, 0)
        height = option.fontMetrics.height()
        style.drawItemText(painter, area, Qt.AlignmentFlag.AlignTop, option.palette, True, title, role)
        painter.save()
        painter.setOpacity(0.7)
        below = QRect(area.x(), area.y() + height, area.width(), height)
        text = option.fontMetrics.elidedText(summary, Qt.TextElideMode.ElideRight, area.width())
        style.drawItemText(painter, below, Qt.AlignmentFlag.AlignTop, option.palette, True, text, role)
        painter.restore()

    def _paint_heading(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        option.font.setBold(not index.flags() & Qt.ItemFlag.ItemIsEnabled)
        super().paint(painter, option, index)
