"""The settings panel: data set, network, and a form of all settings, derived from their declarations."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QCoreApplication, QPoint, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QScrollArea,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.data import builtin
from core.data.dataset import Kind
from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.network.losses import find_loss
from core.runs.plan import RunPlan
from core.training.checks import check_settings
from core.training.presets import PRESETS, Preset, find_preset, fit_preset
from core.training.run_settings import BY_NAME, DEFAULT_VALIDATION, SETTINGS, RunSettings, without_effect
from gui.settings.dataset_picker import DatasetPicker
from gui.settings.fields import (
    KINDS,
    AugmentationSection,
    Cell,
    Field,
    SchedulePreview,
    field_label,
    label_of,
)
from gui.settings.network_editor import NetworkEditor
from gui.text import label, sentence
from gui.widgets.basics import (
    SHORT_TEXT,
    CaptionLabel,
    CollapsibleButton,
    HeadingLabel,
    LinkButton,
    QuietComboBox,
    lay_out_now,
    named,
    note,
    see_through,
    set_message,
)
from gui.widgets.dialogs import FolderMemory, LastFolder
from gui.widgets.make import FlowLayout, column, combo
from gui.widgets.tables import Index
from gui.widgets.theme import theme
from kernels.augmentation import AugmentationParams

CUSTOM = ""  # the data of the entry for settings that belong to no preset
_SUMMARY_ROLE = SHORT_TEXT + 1


class PresetBox(QuietComboBox):
    """Its data are the names of presets, or CUSTOM."""

    def __init__(self) -> None:
        super().__init__()
        tip = self.tr("A network and settings that are known to work, to start from.")
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
            self.setItemData(self.count() - 1, preset.summary, _SUMMARY_ROLE)
        self.insertSeparator(self.count())
        self.addItem(self.tr("My own settings"), CUSTOM)


class _PresetDelegate(QStyledItemDelegate):
    """Shows the headings of groups in bold, and the summary of a preset below its title."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if summary := index.data(_SUMMARY_ROLE):
            option.text = f"  {option.text}\N{LINE SEPARATOR}      {summary}"
        else:  # a heading, a separator, or the settings that belong to no preset
            option.font.setBold(not index.flags() & Qt.ItemFlag.ItemIsEnabled)


@dataclass(frozen=True, slots=True)
class StartProblem:
    """`text`: one sentence. `editor`: the field in which the problem can be solved.

    `is_wrong`: something has to be corrected; else the problem ends by itself.
    """

    text: str
    editor: QWidget
    is_wrong: bool = True


# What the settings line shows, in this order; `data`, `preset`, `network` and `device` are no fields of the form.
LINE = ("data", "preset", "device", "activation", "learning_rate", "batch_size", "epochs")
# The drawer of all settings shows these, and folded below them those for experts.
DRAWER = ("loss", "optimizer", "momentum", "schedule")
# The letter that, with Alt, moves the focus there; F, E, V, T and H open the menus.
LETTERS = {
    "activation": "a", "loss": "l", "optimizer": "o", "momentum": "m", "learning_rate": "r", "schedule": "s",
    "batch_size": "b", "epochs": "c",
}  # fmt: skip
AUGMENTATION = AugmentationParams._fields
EXPERTS = tuple(s.name for s in SETTINGS if s.name not in ("network", *LINE, *DRAWER, *AUGMENTATION))
FIELDS = tuple(name for name in (*LINE, *DRAWER, *EXPERTS) if name in BY_NAME)
# Pixels at a text size of 100 %: how wide a setting is in the line, and in the drawer.
WIDTHS = {
    "data": 176,
    "preset": 200,
    "activation": 104,
    "learning_rate": 92,
    "batch_size": 80,
    "epochs": 72,
    "device": 128,
}
IN_DRAWER = 132
EDITOR_HEIGHT = 32  # at the least
_AROUND_TEXT = 14


class SettingsPanel(QScrollArea):
    """The drawer of all settings, and `line`: those that are always in sight, which the window places elsewhere.

    `changed` is emitted after every change of `plan`, when the errors of the new settings have been shown. memory:
    knows the folder that was used last. `preset_replaced` is emitted with the preset whose settings are shown instead
    of those that do not fit newly chosen data.
    """

    changed = Signal()
    preset_replaced = Signal(object)  # Preset

    def __init__(self, dataset_cache: DatasetCache, memory: FolderMemory | None = None) -> None:
        super().__init__()
        self.setObjectName("settingsScroll")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.plan: RunPlan | None = None  # what would be trained now; None while a setting is not valid
        self.errors: list[InputError] = []  # of the settings, without those of the network's text
        self._filling = False
        self._kind: Kind = "classes"
        self.data = DatasetPicker(dataset_cache, memory or LastFolder())
        self.preset_box = PresetBox()
        self._made_for: Kind | None = None  # the kind of data that the settings are for; None: not known
        self.network = NetworkEditor()
        self.fields: dict[str, Field] = {
            name: KINDS[BY_NAME[name].kind](BY_NAME[name]) for name in (*FIELDS, *AUGMENTATION)
        }
        amounts = {name: self.fields[name] for name in AUGMENTATION}
        self.augmentation = AugmentationSection(amounts, dataset_cache)
        self._in_line: tuple[str, ...] = LINE
        tip = self.tr("Where the numbers are computed; auto takes the fastest one here.")
        self.device_box = combo("deviceBox", self.tr("Device"), tip)
        self.problem = note("error", "settingsError")
        self._names: Collection[str] | None = None  # the settings that are shown; None: all
        self._unused: set[str] = set()  # those that have no effect, and are not shown
        self._lay_out()
        # Show no errors before the first run is shown.
        self._filling = True
        self._connect()
        self._on_data()
        self._filling = False
        first = find_preset("default")
        self.show_run(first.settings, first.name)

    def _lay_out(self) -> None:
        tr = self.tr
        self.schedule = SchedulePreview()
        tip = tr("Loss, optimizer, schedule, initial weights, regularization, when to stop, workers, seed.")
        self.more_button = named(LinkButton(tr("All settings"), self), "moreButton", tip=tip)
        self._more_cell = Cell(
            CaptionLabel(), self.more_button
        )  # as high as the fields, below an empty caption
        self.cells = self._make_cells()
        self._network_title = label_of(self.network.edit, HeadingLabel(tr("What it is ma&de of")))
        self._network_part = QWidget()
        column(self._network_title, self.network, self.problem, owner=self._network_part, spacing=4)
        self._line_cells = FlowLayout(spacing=12)
        cells = QWidget()
        cells.setLayout(self._line_cells)
        self.line = QWidget()
        self._data_part = QWidget()
        column(self.data, owner=self._data_part)
        column(cells, self._data_part, owner=self.line, spacing=4)
        self._drawer_cells = FlowLayout(spacing=12)
        self._expert_cells = FlowLayout(spacing=12)
        drawer = QWidget()
        drawer.setLayout(self._drawer_cells)
        experts = QWidget()
        experts.setLayout(self._expert_cells)
        tip = tr("Initial weights, regularization, validation, when to stop, workers, seed.")
        self.experts_button = named(CollapsibleButton(tr("For experts"), experts), "expertsButton", tip=tip)
        page = QWidget()
        column(
            self._network_part, 6, HeadingLabel(tr("How it learns")), drawer, self.schedule, self.augmentation,
            self.experts_button, experts, None,
            owner=page, spacing=6,
        ).setContentsMargins(12, 10, 12, 10)  # fmt: skip
        self.setWidget(page)
        see_through(self)
        self._place(LINE)
        self._fit_cells()
        theme().changed.connect(self._fit_cells)

    def _make_cells(self) -> dict[str, QWidget]:
        """A caption with its editor for each setting, by name."""
        data = label_of(self.data.box, CaptionLabel(self.tr("It lear&ns from")))
        preset = label_of(self.preset_box, CaptionLabel(self.tr("with")))
        device = label_of(self.device_box, CaptionLabel(self.tr("on")))
        cells: dict[str, QWidget] = {
            "data": Cell(data, self.data.box),
            "preset": Cell(preset, self.preset_box),
            "device": Cell(device, self.device_box),
        }
        for name in FIELDS:
            caption = field_label(self.fields[name], LETTERS.get(name, ""), CaptionLabel)
            cells[name] = Cell(caption, self.fields[name], self._phrase(name))
        return cells

    def _phrase(self, name: str) -> str:
        """What a setting of the drawer means, in a few plain words; empty for those of the line and for experts."""
        phrases = {
            "loss": self.tr("how wrong an answer is"),
            "optimizer": self.tr("how a step is made"),
            "momentum": self.tr("how much of a step stays in the next"),
            "schedule": self.tr("how the learning rate changes"),
        }
        return phrases.get(name, "")

    def _place(self, in_line: Sequence[str]) -> None:
        """Put these settings into the line, and the others into the drawer."""
        self._in_line = tuple(in_line)
        if "network" in in_line:
            self._line_cells.addWidget(self._network_part)
        else:
            page = self.widget()
            assert page is not None
            drawer = page.layout()
            assert isinstance(drawer, QBoxLayout)
            drawer.insertWidget(0, self._network_part)
        for name, cell in self.cells.items():
            if name in in_line or name in LINE:
                self._line_cells.addWidget(cell)
            elif name in DRAWER:
                self._drawer_cells.addWidget(cell)
            else:
                self._expert_cells.addWidget(cell)
        self._line_cells.addWidget(self._more_cell)
        for cells in (self._line_cells, self._drawer_cells, self._expert_cells):
            editors = [self._editor(name) for name, cell in self.cells.items() if cells.indexOf(cell) >= 0]
            for first, second in pairwise(editors):
                QWidget.setTabOrder(first, second)
        self._fit_cells()

    def _editor(self, name: str) -> QWidget:
        others = {"data": self.data.box, "preset": self.preset_box, "device": self.device_box}
        return others[name] if name in others else self.fields[name].editor

    def _fit_cells(self) -> None:
        """Give each setting the width of its place, and the height that its text needs."""
        height = max(EDITOR_HEIGHT, self.fontMetrics().height() + _AROUND_TEXT)
        for name, cell in self.cells.items():
            is_in_line = name in self._in_line or name in LINE
            width = WIDTHS.get(name, IN_DRAWER) if is_in_line else IN_DRAWER
            cell.setFixedWidth(theme().px(width))
            self._editor(name).setMinimumHeight(height)
        self.more_button.setMinimumHeight(height)

    def show_only(self, names: Collection[str] | None) -> None:
        """Show these settings only, in the line, `data` and `network` among them; None: all."""
        self._names = names
        self._place(LINE if names is None else tuple(names))
        self._more_cell.setVisible(names is None)
        if names is not None:
            self.more_button.setChecked(False)
        self._show_rows()
        self.line.setVisible(names is None or bool(names))

    def _show_rows(self) -> None:
        """Show the settings that are wanted and have an effect."""
        every = self._names is None
        wanted = {*self.cells, *AUGMENTATION, "network"} if self._names is None else {*self._names}
        for name, cell in self.cells.items():
            cell.setVisible(name in wanted and name not in self._unused)
        self._network_part.setVisible("network" in wanted)
        self._data_part.setVisible("data" in wanted)
        varies = self.fields["schedule"].raw() != "constant"
        self.schedule.setVisible(varies and every)
        # Only images can be augmented.
        self.augmentation.setVisible(self._learns_from_images() and bool(wanted & {*AUGMENTATION}))

    def _connect(self) -> None:
        self.preset_box.currentIndexChanged.connect(self._show_preset)
        self.data.changed.connect(self._on_data)
        self.network.changed.connect(self._on_edit)
        for field in self.fields.values():
            field.changed.connect(self._on_edit)
        self.device_box.currentIndexChanged.connect(self._on_device)
        # `clicked`, not `toggled`: do not scroll when the program unfolds a section.
        self.experts_button.clicked.connect(lambda: self._scroll_to(self.experts_button))
        self.augmentation.button.clicked.connect(lambda: self._scroll_to(self.augmentation))
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    def _on_focus(self, before: QWidget | None, focused: QWidget | None) -> None:
        """Scroll to an editor that gets the focus, as Qt does for the Tab key only; without one keep none in place."""
        page = self.widget()
        if focused is not None and page is not None and page.isAncestorOf(focused):
            self.ensureWidgetVisible(focused, 0, 20)
        elif page is not None:
            page.setMinimumHeight(0)

    def _scroll_to(self, widget: QWidget) -> None:
        # The layout of the page is updated only after this event.
        QTimer.singleShot(0, widget, lambda: self.ensureWidgetVisible(widget))

    def _show_preset(self) -> None:
        name = self.preset_box.currentData()
        if self._filling or not name:
            return
        preset = find_preset(name)
        self._filling = True
        if preset.data and self.data.has(preset.data):
            self.data.choose(preset.data)
        elif not self._learns_from_images():
            self.data.choose(builtin.NAME)
        self._filling = False
        self.show_run(self._settings_of(preset), name)

    def _settings_of(self, preset: Preset) -> RunSettings:
        """The settings of a preset, with its network fitted to the chosen data."""
        return fit_preset(preset.settings, preset.kind, *self.data.shape())

    def _replace_settings(self, kind: Kind) -> None:
        """Show a preset for data of this kind if the settings were made for others and cannot be used.

        With settings for values no network learns classes, even where its layers fit.
        """
        unusable = self._made_for == "regression" or self.network.network is None
        if unusable and self._made_for not in (None, kind):
            preset = find_preset("coursework" if kind == "regression" else "default")
            self.show_run(self._settings_of(preset), preset.name)
            self.preset_replaced.emit(preset)

    def _matches(self, preset: Preset) -> bool:
        """Whether the fields show the preset: its settings, and its data set where that is on this machine."""
        if preset.data and self.data.has(preset.data):
            data_match = self.data.source() == preset.data
        else:
            data_match = self._learns_from_images()
        settings = self._settings_of(preset)
        fields_match = all(field.holds(getattr(settings, name)) for name, field in self.fields.items())
        return data_match and fields_match and self.network.complete_text == settings.network

    def show_run(self, settings: RunSettings, preset: str = CUSTOM) -> None:
        """Show the settings of a run; `preset` is chosen as long as its settings are shown."""
        self._made_for = find_preset(preset).kind if preset else self.data.kind()
        self._filling = True
        values = settings.as_dict()
        self.network.edit.setText(values.pop("network"))
        for name, value in values.items():
            self.fields[name].show_value(value)
        self.preset_box.choose(preset)
        self._filling = False
        self._on_edit()

    def remember(self) -> Callable[[], None]:
        """A function that shows again what the fields hold now, be it valid or not."""
        source = self.data.source()
        preset = self.preset_box.currentData()
        device = self.device_box.currentData()
        network = self.network.edit.text()
        made_for = self._made_for
        fields = [field.remember() for field in self.fields.values()]

        def put_back() -> None:
            self._made_for = None  # so that `_replace_settings` does nothing
            self.data.choose(source)
            self._filling = True
            self.network.edit.setText(network)
            for put_field_back in fields:
                put_field_back()
            self.device_box.setCurrentIndex(max(self.device_box.findData(device), 0))
            self.preset_box.choose(preset)
            self._filling = False
            self._made_for = made_for
            self._on_edit()

        return put_back

    def restore(self, source: str, settings: RunSettings, preset: str = CUSTOM) -> None:
        """Show a data set, unless `source` is empty, and the settings that were saved with it."""
        self._made_for = None  # so that `_replace_settings` does nothing
        if source:
            # Before `show_run`, because a preset is chosen only with its data set. A path is read in the background.
            self.data.choose(source)
        self.show_run(settings, preset if preset and self.preset_box.findData(preset) >= 0 else CUSTOM)
        if source and self.data.source() != source:
            self._made_for = None  # the kind of the data is known when they have been read

    def _on_data(self) -> None:
        # No errors until the text of the network has been fitted to the data.
        filling = self._filling
        self._filling = True
        self.network.set_data(*self.data.shape())
        self._filling = filling
        self.augmentation.set_source(self.data.source() if self.data.is_available() else "")
        before = self._kind
        kind = self._kind = self.data.kind()
        if kind != before and not self._filling:
            self._replace_settings(kind)
        self._made_for = self._made_for or kind
        self._on_edit()

    def _on_device(self) -> None:
        if self.plan:
            self.plan = replace(self.plan, device=self.device())
            self.changed.emit()

    def _on_edit(self) -> None:
        if self._filling:
            return
        name = self.preset_box.currentData()
        if name != CUSTOM and not self._matches(find_preset(name)):
            self.preset_box.choose(CUSTOM)
        with self._focused_in_place():
            self._refresh()

    @contextmanager
    def _focused_in_place(self) -> Iterator[None]:
        """Scroll so that the focused editor stays where it is when a message above it appears or disappears."""
        page = self.widget()
        focused = QApplication.focusWidget()
        bar = self.verticalScrollBar()
        if focused is None or page is None or not page.isAncestorOf(focused):
            yield
            return
        before = focused.mapTo(self, QPoint()).y()
        yield
        page.setMinimumHeight(0)
        for _ in range(3):  # a message with several lines, and rows of fields, get their heights one by one
            lay_out_now()
        value = bar.value() + focused.mapTo(self, QPoint()).y() - before
        # The page gets its new height in the next turn of the event loop only.
        highest = max(page.heightForWidth(page.width()) - self.viewport().height(), 0)
        if value > highest:
            page.setMinimumHeight(self.viewport().height() + value)
            lay_out_now()
        bar.setValue(value)

    def _refresh(self) -> None:
        values = self.data.kind() == "regression"
        loss = find_loss(self.fields["loss"].raw(), self.data.kind())
        with QSignalBlocker(self.network):
            self.network.set_activation(self.fields["activation"].raw(), loss)
        self._unused = without_effect(self.fields["optimizer"].raw(), self.fields["schedule"].raw())
        self._unused |= {"loss"} if values else set()
        self._show_rows()
        self._show_validation()
        self.plan = self._make_plan()
        self._show_schedule()
        self._show_errors()
        self.changed.emit()

    def _show_schedule(self) -> None:
        """Draw the schedule; that of the last valid settings while a field that it does not depend on is wrong."""
        names = ("learning_rate", "schedule", "decay", "decay_epochs", "epochs", "schedule_epochs")
        if self.plan or any(error.setting in names for error in self.errors):
            self.schedule.show_schedule(self.plan.settings if self.plan else None)

    def _show_validation(self) -> None:
        """Show the validation share that patience sets where none was chosen."""
        field = self.fields["validation"]
        if self.fields["patience"].raw() is not None and field.holds(0.0):
            with QSignalBlocker(field):
                field.show_value(DEFAULT_VALIDATION)

    def _make_plan(self) -> RunPlan | None:
        """The plan of the settings, or None with all `errors`, the topmost first."""
        values: dict[str, Any] = {}
        self.errors = []
        for name, field in self.fields.items():
            try:
                values[name] = field.value()
            except InputError as error:
                # A setting that is disabled or hidden has no effect, so its default can be used.
                values[name] = BY_NAME[name].default
                if self._is_used(name):
                    self.errors.append(error)
        if not self._learns_from_images():
            values |= AugmentationParams()._asdict()
        network = self.network.network
        if self.errors or network is None:
            return None
        try:
            settings = RunSettings(network=network.text, **values)
            check_settings(settings, network, self.data.kind())
        except InputError as error:
            self.errors = [error]
            return None
        return RunPlan(settings, self.data.source(), self.device(), network)

    def device(self) -> str:
        return str(self.device_box.currentData() or "auto")

    def start_problem(self) -> StartProblem | None:
        """The topmost reason why no run can start, with the label of its field; None if one can."""
        if self.data.is_reading:
            text = self.tr("The data are being read. Train is free as soon as they are there.")
            return StartProblem(text, self.data.box, is_wrong=False)
        if not self.data.is_available():
            return StartProblem(self.data.unavailable_reason(), self.data.box)
        text = self.network.problem
        field = None
        if not text and self.errors:
            text = sentence(self.errors[0])
            field = self.fields.get(self.errors[0].setting)
        if not text:
            return None
        title = label(field.setting) if field else self.tr("Network")
        if title.lower() not in text.lower():
            text = f"{title}: {text}"
        return StartProblem(text, field.editor if field else self.network.edit)

    def _show_errors(self) -> None:
        """Show each error below its field; errors of no field below the form."""
        texts = {error.setting: sentence(error) for error in self.errors}
        for name, field in self.fields.items():
            text = texts.pop(name, "")
            if text and not field.error.text():
                self._unfold(name)
            field.show_error(text)
        set_message(self.problem, " ".join(texts.values()))

    def show_start_problem(self) -> None:
        """Unfold, show and focus the field because of which no run can start."""
        start_problem = self.start_problem()
        if start_problem is None:
            return
        editors = {name: field.editor for name, field in self.fields.items()} | {"network": self.network.edit}
        self._unfold(next((name for name, editor in editors.items() if editor is start_problem.editor), ""))
        start_problem.editor.setFocus(Qt.FocusReason.TabFocusReason)
        self._scroll_to(start_problem.editor)

    def _unfold(self, name: str) -> None:
        is_in_line = name in (*LINE, *self._in_line)
        if name and not is_in_line:
            self.more_button.setChecked(True)
        self.experts_button.setChecked(self.experts_button.isChecked() or name in EXPERTS)
        self.augmentation.button.setChecked(self.augmentation.button.isChecked() or name in AUGMENTATION)

    def _is_used(self, name: str) -> bool:
        """Whether the setting has an effect with the data and the other settings."""
        return self._learns_from_images() if name in AUGMENTATION else name not in self._unused

    def _learns_from_images(self) -> bool:
        return len(self.data.shape()[0]) == 3

    def lock(self, locked: bool) -> None:
        """Disable everything but the learning rate, which may be changed during a run."""
        for widget in (self.data, self.data.box, self.preset_box, self.network, self.device_box):
            widget.setEnabled(not locked)
        for name, field in self.fields.items():
            field.editor.setEnabled(not locked or name == "learning_rate")
