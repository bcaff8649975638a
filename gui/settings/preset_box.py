"""The choice of a preset."""

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from core.training.presets import PRESETS, find_preset
from gui.widgets.basics import SHORT_TEXT, QuietComboBox, named
from gui.widgets.tables import Index
from gui.words import in_plain_words

CUSTOM = ""  # the data of the entry for settings that belong to no preset
_SUMMARY_ROLE = SHORT_TEXT + 1


class PresetBox(QuietComboBox):
    """Its data are the names of presets, or CUSTOM. `base`: the preset from which the settings were
    changed.
    """

    def __init__(self) -> None:
        super().__init__()
        tip = self.tr(
            "A network and settings that are known to work, to start from. Change the network in "
            "the picture: a click on a layer shows its settings, and + adds one."
        )
        named(self, "presetBox", self.tr("Preset"), tip)
        self.setMaxVisibleItems(20)
        self.elide_mode = Qt.TextElideMode.ElideMiddle  # a changed one says so at its end
        self.setItemDelegate(_PresetDelegate(self))
        group = ""
        for preset in PRESETS:
            if preset.group != group:
                group = preset.group
                self.addItem(QCoreApplication.translate("Preset", group))
                # No flags: disabled.
                self.setItemData(self.count() - 1, 0, Qt.ItemDataRole.UserRole - 1)
            self.addItem(QCoreApplication.translate("Preset", preset.title), preset.name)
            self.setItemData(self.count() - 1, preset.description, Qt.ItemDataRole.ToolTipRole)
            summary = in_plain_words([preset.summary], [preset.settings.network])[0]
            self.setItemData(self.count() - 1, summary, _SUMMARY_ROLE)
        self.insertSeparator(self.count())
        # The entries from here on are for settings that belong to no preset.
        self._own = self.count()
        self.base = CUSTOM
        self.show_changed(CUSTOM)

    def show_changed(self, base: str) -> None:
        """Choose the entry for settings that belong to no preset: those of `base` with changes,
        which can be undone.
        """
        self.base = base
        with QSignalBlocker(self):
            while self.count() > self._own:
                self.removeItem(self._own)
            title = self.tr("My own settings")
            if base != CUSTOM:
                preset = QCoreApplication.translate("Preset", find_preset(base).title)
                self.addItem(self.tr("Back to {preset}").format(preset=preset), base)
                title = self.tr("{preset}, changed").format(preset=preset)
            self.addItem(title, CUSTOM)
            self.choose(CUSTOM)

    def show_preset(self, name: str) -> None:
        """Choose a preset, or CUSTOM for settings that were made from none."""
        self.show_changed(CUSTOM)
        with QSignalBlocker(self):
            self.choose(name)

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
