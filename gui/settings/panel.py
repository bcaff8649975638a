"""The settings panel: data set, network, and a form of all settings, derived from their
declarations.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QWidget

from core.data import builtin
from core.data.dataset import Kind
from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.network.layers import Shape
from core.network.losses import find_loss
from core.network.network import Network
from core.runs.plan import RunPlan
from core.training.checks import check_settings
from core.training.presets import IMAGES, Preset, find_preset, fit_preset
from core.training.run_settings import BY_NAME, DEFAULT_VALIDATION, RunSettings, without_effect
from gui.settings.cells import AUGMENTATION, FIELDS, LINE, SettingCells
from gui.settings.dataset_picker import DatasetPicker
from gui.settings.fields import (
    KINDS,
    AugmentationForm,
    Field,
    SchedulePreview,
    label_of,
)
from gui.settings.network_editor import NetworkEditor
from gui.settings.preset_box import CUSTOM, PresetBox
from gui.text import label, sentence
from gui.widgets.band import BandPage
from gui.widgets.basics import CaptionLabel
from gui.widgets.dialogs import FolderMemory, LastFolder
from gui.widgets.make import button, column, combo
from gui.widgets.messages import note, set_message
from gui.words import with_words
from kernels.augmentation import AugmentationParams

_AUGMENTATION_LEAF = 1  # of the page


@dataclass(frozen=True, slots=True)
class StartProblem:
    """`text`: one sentence. `editor`: the field in which the problem can be solved.

    `is_wrong`: something has to be corrected; else the problem ends by itself.
    """

    text: str
    editor: QWidget
    is_wrong: bool = True


class SettingsPanel(BandPage):
    """The page of all settings, and `line`: those that are always in sight, which the window
    places elsewhere, as it does `network_place`, with the network as text.

    `changed` is emitted after every change of `plan`, when the errors of the new settings have been
    shown. memory: knows the folder that was used last. `preset_replaced` is emitted with the preset
    whose settings are shown instead of those that do not fit newly chosen data. `network_asked`:
    show the text of the network.
    """

    changed = Signal()
    preset_replaced = Signal(object)  # Preset
    network_asked = Signal()

    def __init__(self, dataset_cache: DatasetCache, memory: FolderMemory | None = None) -> None:
        title = QCoreApplication.translate("SettingsPanel", "All settings")
        super().__init__("allSettings", title)
        self.show_title(title, self.tr("What the line above leaves out."))
        tip = self.tr("Show what the preset has, in place of what was changed on this page.")
        text = self.tr("As the preset has them")
        self.tools.addWidget(button(text, "presetAgainButton", tip, self._show_preset_again))
        # What would be trained now; None while a setting is not valid.
        self.plan: RunPlan | None = None
        self.errors: list[InputError] = []  # of the settings, without those of the network's text
        self._filling = False
        self.data = DatasetPicker(dataset_cache, memory or LastFolder())
        self._data_form: tuple[Kind, Shape] = ("classes", IMAGES[0])
        self.preset_box = PresetBox(self._plan_of)
        # The kind of data that the settings are for; None: not known.
        self._made_for: Kind | None = None
        self._awaited = ""  # the data of the restored settings while they are being read
        self.network = NetworkEditor()
        self.fields: dict[str, Field] = {
            name: KINDS[BY_NAME[name].kind](BY_NAME[name]) for name in (*FIELDS, *AUGMENTATION)
        }
        amounts = {name: self.fields[name] for name in AUGMENTATION}
        self.augmentation = AugmentationForm(amounts)
        self.device_box = combo(
            "deviceBox",
            self.tr("Device"),
            self.tr("Where the numbers are computed; auto takes the fastest one here."),
        )
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
        boxes = {
            "data": (tr("It lear&ns from"), self.data.box),
            "preset": (tr("with"), self.preset_box),
            "device": (tr("on"), self.device_box),
        }
        self._cells = SettingCells(self.fields, boxes, self.schedule, self)
        self.more_button = self._cells.more_button
        title = label_of(self.network.edit, CaptionLabel(tr("Network as te&xt")))
        self._network_part = QWidget()
        column(title, self.network, None, owner=self._network_part, spacing=4)
        self.network_place = QWidget()
        self._network_row = column(owner=self.network_place)
        cells = QWidget()
        cells.setLayout(self._cells.line)
        self.line = QWidget()
        self._data_part = QWidget()
        column(self.data, owner=self._data_part)
        self._line_rows = column(cells, self._data_part, owner=self.line, spacing=4)
        columns = QWidget()
        columns.setLayout(self._cells.page)
        learning = QWidget()
        column(self.problem, columns, None, owner=learning)
        self.add_leaf(learning, tr("How it learns"), tr("Error, rate, stop, and start."))
        tip = tr("Vary the training images at random (augmentation).")
        self.add_leaf(self.augmentation, tr("Images, varied"), with_words(tip, tip))
        self._place(())

    def _place(self, in_line: Sequence[str]) -> None:
        """Put these settings into the line, and the others onto the page."""
        if "network" in in_line:
            self._line_rows.addWidget(self._network_part)
        else:
            self._network_row.addWidget(self._network_part)
        self._cells.place(in_line)

    def fold_line(self, width: int | None) -> None:
        """Leave in one row of this width what fits, and move the other settings onto the page;
        None: move none.
        """
        self._cells.fold(width if self._names is None else None, self._unused)

    def show_only(self, names: Collection[str] | None) -> None:
        """Show these settings only, in the line, `data` and `network` among them; None: all."""
        self._names = names
        self._place(() if names is None else tuple(names))
        self._cells.show_more_button(names is None)
        self._show_rows()
        self.line.setVisible(names is None or bool(names))

    def _show_rows(self) -> None:
        """Show the settings that are wanted and have an effect."""
        wanted = (
            {*LINE, *FIELDS, *AUGMENTATION, "network"} if self._names is None else {*self._names}
        )
        self._cells.show_settings(wanted - self._unused)
        self._network_part.setVisible("network" in wanted)
        self._data_part.setVisible("data" in wanted)
        self.schedule.setVisible(self.fields["schedule"].raw() != "constant")
        # Only images can be augmented.
        self.leaves.setTabVisible(_AUGMENTATION_LEAF, self._learns_from_images())

    def _connect(self) -> None:
        self.preset_box.currentIndexChanged.connect(self._show_preset)
        self.data.changed.connect(self._on_data)
        self.network.changed.connect(self._on_edit)
        for field in self.fields.values():
            field.changed.connect(self._on_edit)
        self.device_box.currentIndexChanged.connect(self._on_device)
        self.closed.connect(lambda: self.more_button.setChecked(False))

    def _show_preset(self) -> None:
        name = self.preset_box.currentData()
        if self._filling or not name:
            return
        preset = find_preset(name)
        data = self._plan_of(preset).data
        self._filling = True
        if data != self.data.source():
            self.data.choose(data)
        self._filling = False
        self.show_run(self._settings_of(preset), name)

    def _settings_of(self, preset: Preset) -> RunSettings:
        """The settings of a preset, with its network fitted to the chosen data."""
        return fit_preset(preset.settings, preset.kind, *self.data.shape())

    def _plan_of(self, preset: Preset) -> RunPlan:
        """What is trained where the preset is chosen: its data if they are on this machine, or any
        images.
        """
        data = self.data.source() if self._learns_from_images() else builtin.NAME
        if preset.data and self.data.has(preset.data):
            data = preset.data
        is_chosen = data == self.data.source()
        return RunPlan(self._settings_of(preset) if is_chosen else preset.settings, data)

    def _replace_settings(self, kind: Kind) -> None:
        """Show a preset for data of this kind if the settings were made for others, or for images
        instead of a table, and cannot be used.

        With settings for values no network learns classes, even where its layers fit.
        """
        is_other = self._made_for != kind
        is_table = len(self.data.shape()[0]) == 1
        unusable = (self._made_for == "regression" and is_other) or self.network.network is None
        if unusable and self._made_for is not None and (is_other or is_table):
            self._show_preset_for(kind)

    def _show_preset_for(self, kind: Kind) -> None:
        """Show a preset that fits the chosen data, which are of this kind."""
        name = "dense" if len(self.data.shape()[0]) == 1 else "default"
        preset = find_preset("coursework" if kind == "regression" else name)
        self.show_run(self._settings_of(preset), preset.name)
        self.preset_replaced.emit(preset)

    def _show_preset_again(self) -> None:
        """Show what the preset has in the fields of this page."""
        name = self.preset_box.currentData() or self.preset_box.base
        settings = self._settings_of(find_preset(name)) if name != CUSTOM else RunSettings()
        self._filling = True
        for name, field in self.fields.items():
            if not self._cells.is_in_line(name):
                field.show_value(getattr(settings, name))
        self._filling = False
        self._on_edit()

    def _matches(self, preset: Preset) -> bool:
        """Whether the fields show the preset, and the data are those that belong to it."""
        plan = self._plan_of(preset)
        settings = plan.settings
        fields_match = all(
            field.holds(getattr(settings, name)) for name, field in self.fields.items()
        )
        data_match = self.data.source() == plan.data
        return data_match and fields_match and self.network.complete_text == settings.network

    def show_run(self, settings: RunSettings, preset: str = CUSTOM) -> None:
        """Show the settings of a run; `preset` is chosen as long as its settings are shown, then
        named as changed.
        """
        self._made_for = find_preset(preset).kind if preset else self.data.kind()
        self._filling = True
        values = settings.as_dict()
        self.network.edit.setText(values.pop("network"))
        for name, value in values.items():
            self.fields[name].show_value(value)
        self.preset_box.show_preset(preset)
        self._filling = False
        self._on_edit()

    def remember(self) -> Callable[[], None]:
        """A function that shows again what the fields hold now, be it valid or not."""
        source = self._awaited or self.data.source()
        preset = self.preset_box.currentData()
        base = self.preset_box.base
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
            self.preset_box.show_preset(preset or base)
            self._filling = False
            self._made_for = made_for
            self._on_edit()

        return put_back

    def restore(self, source: str, settings: RunSettings, preset: str = CUSTOM) -> None:
        """Show a data set, unless `source` is empty, and the settings that were saved with it."""
        self._made_for = None  # so that `_replace_settings` does nothing
        if source:
            # Before `show_run`, because a preset is chosen only with its data set. A path is read
            # in the background.
            self.data.choose(source)
        self.show_run(
            settings, preset if preset and self.preset_box.findData(preset) >= 0 else CUSTOM
        )
        if source and self.data.source() != source:
            self._made_for = None  # the kind of the data is known when they have been read
        self._awaited = source if self.data.is_reading else ""

    def _on_data(self) -> None:
        # No errors until the text of the network has been fitted to the data.
        filling = self._filling
        self._filling = True
        self.network.set_data(*self.data.shape())
        self._filling = filling
        before = self._data_form
        kind = self.data.kind()
        self._data_form = (kind, self.data.shape()[0])
        if self._awaited and not self.data.is_reading:
            # Others than those of the restored settings were chosen, or these cannot be read.
            is_other = self.data.source() != self._awaited
            self._awaited = ""
            if is_other:
                self._show_preset_for(kind)
        elif self._data_form != before and not self._filling:
            self._replace_settings(kind)
        self._made_for = self._made_for or kind
        self._on_edit()

    def _on_device(self) -> None:
        if self.plan:
            self.plan = replace(self.plan, device=self.device())
            self.changed.emit()

    def _on_edit(self) -> None:
        # Many fields change at once: only the last state is read.
        if self._filling:
            return
        chosen = self.preset_box.currentData()
        name = chosen or self.preset_box.base
        if name != CUSTOM:
            matches = self._matches(find_preset(name))
            # What was changed has been changed back.
            if matches and not chosen:
                self.preset_box.show_preset(name)
            elif chosen and not matches:
                self.preset_box.show_changed(name)
        self._refresh()

    def _refresh(self) -> None:
        kind = self.data.kind()
        loss = find_loss(self.fields["loss"].raw(), kind)
        # Its signal would read all fields once more, in the middle of this.
        with QSignalBlocker(self.network):
            self.network.set_activation(self.fields["activation"].raw(), loss)
        self._unused = without_effect(self.fields["optimizer"].raw(), self.fields["schedule"].raw())
        self._unused |= {"loss"} if kind == "regression" else set()
        self._show_rows()
        _show_validation(self.fields)
        used = set(self.fields) - self._unused
        if not self._learns_from_images():
            used -= {*AUGMENTATION}
        settings, self.errors = _settings_of_fields(self.fields, used, self.network.network, kind)
        # Not the last valid one: that is not what is shown.
        self.plan = None
        if settings is not None:
            self.plan = RunPlan(settings, self.data.source(), self.device(), self.network.network)
        self._show_schedule()
        self._show_errors()
        self.changed.emit()

    def _show_schedule(self) -> None:
        """Draw the schedule; that of the last valid settings while a field that it does not depend
        on is wrong.
        """
        names = ("learning_rate", "schedule", "decay", "decay_epochs", "epochs", "schedule_epochs")
        if self.plan or any(error.setting in names for error in self.errors):
            self.schedule.show_schedule(self.plan.settings if self.plan else None)

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
        # Many sentences name the setting already.
        if title.lower() not in text.lower():
            text = f"{title}: {text}"
        return StartProblem(text, field.editor if field else self.network.edit)

    def _show_errors(self) -> None:
        """Show each error below its field; errors of no field below the form."""
        texts = {error.setting: sentence(error) for error in self.errors}
        for name, field in self.fields.items():
            text = texts.pop(name, "")
            # Only where the error is new: what a person has folded stays folded.
            if text and not field.error.text():
                self._unfold(name)
            field.show_error(text)
        set_message(self.problem, " ".join(texts.values()))

    def show_start_problem(self) -> None:
        """Unfold, show and focus the field because of which no run can start."""
        start_problem = self.start_problem()
        if start_problem is None:
            return
        editors = {name: field.editor for name, field in self.fields.items()} | {
            "network": self.network.edit
        }
        self._unfold(
            next((name for name, editor in editors.items() if editor is start_problem.editor), "")
        )
        start_problem.editor.setFocus(Qt.FocusReason.TabFocusReason)
        self.show_widget(start_problem.editor)

    def _unfold(self, name: str) -> None:
        """Show the place of this setting."""
        if not name or self._cells.is_in_line(name):
            return
        if name == "network":
            self.network_asked.emit()
        else:
            self.more_button.setChecked(True)
            self.leaves.setCurrentIndex(_AUGMENTATION_LEAF if name in AUGMENTATION else 0)

    def take_focus(self) -> None:
        """Give the keyboard to the first field of the page."""
        first = self._cells.first_editor()
        first.setFocus(Qt.FocusReason.TabFocusReason)

    def _learns_from_images(self) -> bool:
        return len(self.data.shape()[0]) == 3

    def lock(self, locked: bool) -> None:
        """Disable everything but the learning rate, which may be changed during a run, and close
        the page.
        """
        for widget in (self.data, self.data.box, self.preset_box, self.network, self.device_box):
            widget.setEnabled(not locked)
        for name, field in self.fields.items():
            field.editor.setEnabled(not locked or name == "learning_rate")
        if locked:
            self.more_button.setChecked(False)


def _show_validation(fields: Mapping[str, Field]) -> None:
    """Show the validation share that patience sets where none was chosen."""
    field = fields["validation"]
    if fields["patience"].raw() is not None and field.holds(0.0):
        # Else the change would come back as one by a person, in the middle of reading the fields.
        with QSignalBlocker(field):
            field.show_value(DEFAULT_VALIDATION)


def _settings_of_fields(
    fields: Mapping[str, Field], used: Collection[str], network: Network | None, kind: Kind
) -> tuple[RunSettings | None, list[InputError]]:
    """The settings that the fields hold, or None with all errors, the topmost first.

    used: the fields that have an effect; of the others, which are disabled or hidden, the defaults
    are taken.
    """
    values: dict[str, Any] = {}
    errors: list[InputError] = []
    for name, field in fields.items():
        try:
            values[name] = field.value()
        except InputError as error:
            values[name] = BY_NAME[name].default
            if name in used:
                errors.append(error)
    if not {*AUGMENTATION} & {*used}:
        values |= AugmentationParams()._asdict()
    if errors or network is None:
        return None, errors
    try:
        settings = RunSettings(network=network.text, **values)
        check_settings(settings, network, kind)
    except InputError as error:
        return None, [error]
    return settings, []
