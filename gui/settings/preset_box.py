"""The choice of a preset."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from core.training.presets import PRESETS
from gui.widgets.basics import SHORT_TEXT, QuietComboBox, named
from gui.widgets.tables import Index
from gui.words import in_plain_words

CUSTOM = ""  # the data of the entry for settings that belong to no preset
_SUMMARY_ROLE = SHORT_TEXT + 1


class PresetBox(QuietComboBox):
    """Its data are the names of presets, or CUSTOM."""

    def __init__(self) -> None:
        super().__init__()
        tip = self.tr(
            "A network and settings that are known to work, to start from. Change the network in the picture: a click "
            "on a layer shows its settings, and + adds one."
        )
        named(self, "presetBox", self.tr("Preset"), tip)
        self.setMaxVisibleItems(20)
        self.setItemDelegate(_PresetDelegate(self))
        group = ""
        for preset in PRESETS:
            if preset.group != group:
                group = preset.group
                self.addItem(QCoreApplication.translate("Preset", group))
                self.setItemData(self.count() - 1, 0, Qt.ItemDataRole.UserRole - 1)  # no flags: disabled
            self.addItem(QCoreApplication.translate("Preset", preset.title), preset.name)
            self.setItemData(self.count() - 1, preset.description, Qt.ItemDataRole.ToolTipRole)
            summary = in_plain_words([preset.summary], [preset.settings.network])[0]
            self.setItemData(self.count() - 1, summary, _SUMMARY_ROLE)
        self.insertSeparator(self.count())
        self.addItem(self.tr("My own settings"), CUSTOM)

    def showPopup(self) -> None:
        """Show the list as wide as its texts."""
        view = self.view()
        view.setMinimumWidth(view.sizeHintForColumn(0) + 2 * view.frameWidth())
        super().showPopup()


class _PresetDelegate(QStyledItemDelegate):
    """Shows the headings of groups in bold, and the summary of a preset below its title."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if summary := index.data(_SUMMARY_ROLE):
            option.text = f"  {option.text}\N{LINE SEPARATOR}      {summary}"
        else:  # a heading, a separator, or the settings that belong to no preset
            option.font.setBold(not index.flags() & Qt.ItemFlag.ItemIsEnabled)
