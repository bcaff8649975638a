"""The choice of a preset."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QPoint, QSignalBlocker, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QMenu, QWidgetAction

from core.runs.library import RunLibrary
from core.runs.plan import RunPlan
from core.training.presets import PRESETS, Preset, find_preset
from gui.background.task_runner import TaskRunner, single_record
from gui.runs.rows import score_text
from gui.text import translator
from gui.widgets.basics import QuietComboBox, named
from gui.widgets.theme import theme
from gui.words import hidden_sizes, in_plain_words

_tr = translator("Preset")

CUSTOM = ""  # the data of the entry for settings that belong to no preset
_BAR = 8  # width in pixels of the mark of the row that Return would choose


class _Row(QLabel):
    """A preset in the menu."""

    def __init__(self, preset: Preset, menu: QMenu) -> None:
        super().__init__()
        self.preset = preset
        self.menu = menu
        self.entry = QWidgetAction(menu)
        self.entry.setDefaultWidget(self)
        self.entry.setToolTip(_tr(preset.description))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        # Qt paints the row again where another one becomes active.
        if self.menu.activeAction() is self.entry:
            colors = theme().colors
            with QPainter(self) as painter:
                painter.fillRect(self.rect(), colors.info_back)
                painter.fillRect(0, 0, _BAR, self.height(), colors.accent)
        super().paintEvent(event)


class PresetBox(QuietComboBox):
    """Its data are the names of presets, or CUSTOM. `base`: the preset from which the settings were
    changed. plan_of: what is trained where a preset is chosen.
    """

    def __init__(self, plan_of: Callable[[Preset], RunPlan]) -> None:
        super().__init__()
        self._plan_of = plan_of
        self._library = RunLibrary()
        self._results: Mapping[RunPlan, str] | None = None  # None: not read yet
        self._reader = TaskRunner(self, self._show_results)
        tip = self.tr(
            "A network and settings that are known to work, to start from. Change the network "
            "below the picture: a click on a layer shows its settings, and + adds one."
        )
        named(self, "presetBox", self.tr("Preset"), tip)
        self.elide_mode = Qt.TextElideMode.ElideMiddle  # a changed one says so at its end
        for preset in PRESETS:
            self.addItem(_tr(preset.title), preset.name)
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
                preset = _tr(find_preset(base).title)
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
        # Clearing leaves the menus one level down, with their rows.
        for submenu in self.menu.findChildren(QMenu):
            submenu.deleteLater()
        self.menu.clear()
        place = self.menu
        group = ""
        for index, preset in enumerate(PRESETS):
            if preset.group != group:
                group = preset.group
                title = _tr(group)
                if group == "Published networks":
                    self.menu.addSeparator()
                    place = self.menu.addMenu(title)
                    place.setToolTipsVisible(True)
                else:
                    self.menu.addAction(title).setEnabled(False)
            row = _Row(preset, place)
            self._add_entry(place, index, row.entry)
        self.menu.addSeparator()
        for index in range(self._own, self.count()):
            if self.itemData(index) != CUSTOM or index == self.currentIndex():
                self._add_entry(self.menu, index, QAction(self.itemText(index), self.menu))
        self._show_rows()
        self._reader.start_latest(single_record(lambda control: _results_in(self._library)))

    def _add_entry(self, menu: QMenu, index: int, entry: QAction) -> None:
        menu.addAction(entry)
        entry.setCheckable(True)
        entry.setChecked(index == self.currentIndex())
        entry.triggered.connect(lambda: self.setCurrentIndex(index))

    def _show_results(self, records: Sequence[Mapping[RunPlan, str]]) -> None:
        self._results = records[-1]
        self._show_rows()

    def _show_rows(self) -> None:
        """Say of each preset what it is made of, and what the newest run with its settings has
        reached.
        """
        colors = theme().colors
        for row in self.menu.findChildren(_Row):
            preset = row.preset
            network = preset.settings.network
            title = _tr(preset.title)
            summary = in_plain_words([preset.summary], [network])[0]
            color = colors.muted
            said = "" if self._results is None else self.tr("not trained yet")
            score = (self._results or {}).get(self._plan_of(preset))
            if score:
                color = colors.good
                said = self.tr("yours: {score}").format(score=score)
            row.entry.setText(f"{title}\t{summary}\t{said}")
            mark = "✓" if row.entry.isChecked() else ""
            cell = "<td style='vertical-align: middle'"
            row.setText(
                f"<table width={theme().px(560)} cellpadding=4 cellspacing=0><tr>"
                f"{cell} width={theme().px(30)} align=center>{mark}"
                f"{cell} width={theme().px(80)}>{_picture_of(network)}"
                f"{cell}><b>{title}</b><br>"
                f"<span style='color: {colors.muted}'>{summary}</span>"
                f"<td style='vertical-align: middle; color: {color}' align=right>{said}</table>"
            )


def _results_in(library: RunLibrary) -> dict[RunPlan, str]:
    """What the runs have reached; of several with the same settings the newest."""
    return {
        RunPlan(run.info.plan.settings, run.info.plan.data): score_text(run, "test_score")
        for run in reversed(library.entries())
        if run.summary
    }


def _picture_of(network: str) -> str:
    """A column for each hidden layer, wider for a large one, and one for the answers, as HTML:
    squares of filters, dots of units.
    """
    colors = theme().colors
    cells = ""
    for are_filters, size in (*hidden_sizes(network), (True, "")):
        shape, rows, side, many = ("■", 4, 8, 8) if are_filters else ("●", 7, 4, 64)
        width = 2 if size and int(size) > many else 1
        color = colors.accent if size else colors.muted
        column = "<br>".join([width * shape] * rows)
        cells += f"<td style='font-size: {theme().px(side)}px; color: {color}'>{column}"
    return f"<table cellpadding=0 cellspacing=3><tr>{cells}</table>"
