"""The choice of a preset."""

from PySide6.QtCore import QCoreApplication, QPoint, QSignalBlocker, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from core.training.presets import PRESETS, find_preset
from gui.widgets.basics import QuietComboBox, named
from gui.words import in_plain_words

CUSTOM = ""  # the data of the entry for settings that belong to no preset


class PresetBox(QuietComboBox):
    """Its data are the names of presets, or CUSTOM. `base`: the preset from which the settings were
    changed.
    """

    def __init__(self) -> None:
        super().__init__()
        tip = self.tr(
            "A network and settings that are known to work, to start from. Change the network "
            "below the picture: a click on a layer shows its settings, and + adds one."
        )
        named(self, "presetBox", self.tr("Preset"), tip)
        self.elide_mode = Qt.TextElideMode.ElideMiddle  # a changed one says so at its end
        for preset in PRESETS:
            self.addItem(QCoreApplication.translate("Preset", preset.title), preset.name)
        self.menu = QMenu(self)
        # Qt hides the tooltips of menus unless it is asked for them.
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self._fill_menu)
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
        self.menu.setMinimumWidth(self.width())
        self.menu.popup(self.mapToGlobal(QPoint(0, self.height())))

    def _fill_menu(self) -> None:
        """List the presets by their groups, and the published networks one level down."""
        self.menu.clear()
        self._entries = QActionGroup(self.menu)
        place = self.menu
        group = ""
        for index, preset in enumerate(PRESETS):
            if preset.group != group:
                group = preset.group
                title = QCoreApplication.translate("Preset", group)
                if group == "Published networks":
                    self.menu.addSeparator()
                    place = self.menu.addMenu(title)
                    place.setToolTipsVisible(True)
                else:
                    self.menu.addAction(title).setEnabled(False)
            summary = in_plain_words([preset.summary], [preset.settings.network])[0]
            entry = self._add_entry(place, index, summary)
            entry.setToolTip(QCoreApplication.translate("Preset", preset.description))
        self.menu.addSeparator()
        for index in range(self._own, self.count()):
            if self.itemData(index) != CUSTOM or index == self.currentIndex():
                self._add_entry(self.menu, index)

    def _add_entry(self, menu: QMenu, index: int, summary: str = "") -> QAction:
        """Add the entry with this index to the menu; what follows a tab is at the right edge."""
        entry = menu.addAction("\t".join(filter(None, (self.itemText(index), summary))))
        entry.setCheckable(True)
        entry.setChecked(index == self.currentIndex())
        entry.triggered.connect(lambda: self.setCurrentIndex(index))
        self._entries.addAction(entry)
        return entry
