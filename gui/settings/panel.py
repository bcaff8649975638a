"""The settings panel: all that a run is made of, each field derived from its descriptor."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.data import builtin, functions
from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.network.layers import Shape
from core.network.notation import refitted
from core.training.presets import PRESETS, Preset, find_preset
from core.training.run import Run
from core.training.settings import BY_NAME, SETTINGS
from gui.settings.augmentation_section import AugmentationSection
from gui.settings.dataset_picker import DataArea
from gui.settings.fields import KINDS, Field, field_label
from gui.settings.network_editor import NetworkEditor, heading_label
from gui.settings.start_problem import StartProblem, labelled
from gui.text import label, sentence
from gui.widgets.basics import QuietComboBox, add_items, heading, named, note, set_message
from gui.widgets.collapsible import CollapsibleButton
from kernels.augmentation import AugmentationParams

# Setting and the letter that leads to it with Alt; F, E, V, T and H lead to the menus.
MAIN = (
    ("activation", "a"), ("loss", "l"), ("optimizer", "o"), ("momentum", "m"), ("nesterov", ""),
    ("learning_rate", "r"), ("schedule", "s"), ("decay", ""), ("decay_epochs", ""),
    ("batch_size", "b"), ("epochs", "c"),
)  # fmt: skip
AUGMENTATION = AugmentationParams._fields
MORE = tuple((s.name, "") for s in SETTINGS if s.name not in ("network", *dict(MAIN), *AUGMENTATION))
CUSTOM = ""
# What the presets' networks for images are written for.
DIGITS: tuple[Shape, int] = (28, 28, 1), 10


class SettingsPanel(QScrollArea):
    """`changed` fires on every change; `run` gives the settings or None while a field is wrong."""

    changed = Signal()

    def __init__(self, dataset_cache: DatasetCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settingsScroll")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._filling = False
        self.data = DataArea(dataset_cache)
        self.preset_box = QuietComboBox()
        self.preset_box.setObjectName("presetBox")
        self.preset_box.setAccessibleName(self.tr("Preset"))
        self.preset_box.setToolTip(self.tr("A network and settings that are known to work, to start from."))
        add_items(self.preset_box, [(p.name, p.title, p.description) for p in PRESETS])
        self.preset_box.addItem(self.tr("My own settings"), CUSTOM)
        self.network = NetworkEditor()
        self.fields: dict[str, Field] = {
            name: KINDS[BY_NAME[name].kind](BY_NAME[name])
            for name in (*dict(MAIN), *AUGMENTATION, *dict(MORE))
        }
        self.augmentation = AugmentationSection(
            {name: self.fields[name] for name in AUGMENTATION}, dataset_cache
        )
        self.device_box = QuietComboBox()
        self.device_box.setObjectName("deviceBox")
        self.device_box.setAccessibleName(self.tr("Device"))
        self.device_box.setToolTip(
            self.tr("Where the numbers are computed; auto takes the fastest one here.")
        )
        self.problem = note("error", "settingsError")
        self._lay_out()
        self._connect()
        self._on_data()

    # -- layout -------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 10, 10, 10)
        column.setSpacing(6)
        column.addWidget(self.data)
        column.addSpacing(6)
        column.addWidget(_heading_for(heading_label(self.network)))
        column.addWidget(self.preset_box)
        column.addWidget(self.network)
        column.addSpacing(6)
        column.addWidget(heading(self.tr("Training")))
        self._form = self._make_form(MAIN)
        device_label = QLabel(self.tr("Dev&ice"))
        device_label.setBuddy(self.device_box)
        self._form.addRow(device_label, self.device_box)
        column.addLayout(self._form)
        column.addWidget(self.problem)
        column.addWidget(self.augmentation)
        column.addWidget(self._make_fold())
        column.addWidget(self._more)
        column.addStretch(1)
        self.setWidget(page)
        self.setMinimumWidth(310)

    def _make_form(self, names: tuple[tuple[str, str], ...]) -> QFormLayout:
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(5)
        form.setHorizontalSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for name, letter in names:
            form.addRow(field_label(self.fields[name], letter), self.fields[name])
        return form

    def _make_fold(self) -> CollapsibleButton:
        self._more = QWidget()
        self._more.setLayout(self._make_form(MORE))
        self.more_button = named(CollapsibleButton(self.tr("More settings"), self._more), "moreButton")
        self.more_button.setToolTip(self.tr("Seed, first weights, L2, and when to stop early."))
        return self.more_button

    # -- behaviour ----------------------------------------------------------------------------------------

    def _connect(self) -> None:
        self.preset_box.currentIndexChanged.connect(self._take_preset)
        self.data.changed.connect(self._on_data)
        self.network.changed.connect(self._on_edit)
        for field in self.fields.values():
            field.changed.connect(self._on_edit)
        self.more_button.unfolded.connect(lambda: self._bring_into_sight(self._more))
        self.augmentation.shown.connect(lambda: self._bring_into_sight(self.augmentation))

    def _bring_into_sight(self, widget: QWidget) -> None:
        # Its place is known once the page has been laid out again.
        QTimer.singleShot(0, widget, lambda: self.ensureWidgetVisible(widget))

    def _take_preset(self) -> None:
        name = self.preset_box.currentData()
        if name == CUSTOM or self._filling:
            return
        preset = find_preset(name)
        self._filling = True
        if preset.data and self.data.has(preset.data):
            self.data.choose(preset.data)
        elif not self._learns_from_images():
            self.data.choose(builtin.NAME)
        self._filling = False
        self.show_run(self._run_of(preset), name)

    def _run_of(self, preset: Preset) -> Run:
        """The preset's run, its network made to fit the images that are chosen."""
        if functions.is_function(preset.data or ""):
            return preset.run
        return replace(preset.run, network=refitted(preset.run.network, DIGITS, self.data.shape()))

    def _stands(self, preset: Preset) -> bool:
        """Whether the fields hold the preset: its settings, and its data set where that is on this machine."""
        if preset.data and self.data.has(preset.data):
            fits = self.data.source() == preset.data
        else:
            fits = self._learns_from_images()
        run = self._run_of(preset)
        same = all(field.holds(getattr(run, name)) for name, field in self.fields.items())
        return fits and same and self.network.whole() == run.network

    def show_run(self, run: Run, preset: str = CUSTOM) -> None:
        """Put a run's settings into the fields; `preset` is their name as long as they are what it stands for."""
        self._filling = True
        values = run.as_dict()
        self.network.set_text(values.pop("network"))
        for name, value in values.items():
            self.fields[name].show_value(value)
        self.preset_box.choose(preset)
        self._filling = False
        self._on_edit()

    def _on_data(self) -> None:
        # Its network may be for the data before.
        filling, self._filling = self._filling, True
        self.network.set_data(*self.data.shape())
        self._filling = filling
        # Points have no pixels to move.
        self.augmentation.setVisible(self._learns_from_images())
        self.augmentation.set_source(self.data.source() if self.data.is_available() else "")
        self._on_edit()

    def _on_edit(self) -> None:
        if self._filling:
            return
        name = self.preset_box.currentData()
        if name != CUSTOM and not self._stands(find_preset(name)):
            self.preset_box.choose(CUSTOM)
        self._refresh()

    def _refresh(self) -> None:
        values = self.data.kind() == "regression"
        # Regression has one loss: half the squared error of a linear output.
        loss = "regression" if values else self.fields["loss"].raw()
        self.network.set_activation(self.fields["activation"].raw(), loss)
        optimizer, schedule = self.fields["optimizer"].raw(), self.fields["schedule"].raw()
        for name, shown in (
            ("momentum", optimizer == "momentum"), ("nesterov", optimizer == "momentum"),
            ("loss", not values), ("decay", schedule != "constant"), ("decay_epochs", schedule == "step"),
        ):  # fmt: skip
            self._form.setRowVisible(self.fields[name], shown)
        self.changed.emit()

    def run(self) -> Run | None:
        """The settings as a Run, or None; what is wrong stands beside its field."""
        values: dict[str, Any] = {}
        fine = self.network.network is not None
        for name, field in self.fields.items():
            try:
                values[name] = field.value()
            except InputError:
                # A setting that does not matter now, and is hidden, cannot be wrong either.
                values[name] = BY_NAME[name].default
                fine = fine and self._is_hidden(name)
        if not self._learns_from_images():
            values |= AugmentationParams()._asdict()
        set_message(self.problem, "")
        if not fine:
            return None
        try:
            return Run(network=self.network.whole(), **values)
        except InputError as error:
            self._place(error)
            return None

    def start_problem(self) -> StartProblem | None:
        """What keeps a run from beginning, the topmost first; None: one could begin."""
        if not self.data.is_available():
            return StartProblem(self.data.why_not(), self.data.box)
        if self.run() is not None:
            return None
        if self.network.problem:
            return StartProblem(labelled(self.tr("Network"), self.network.problem), self.network.edit)
        for name, field in self.fields.items():
            if field.problem and not self._is_hidden(name):
                return StartProblem(labelled(label(field.setting), field.problem), field.editor)
        return StartProblem(self.problem.text(), self.problem)

    def show_start_problem(self) -> None:
        """Unfold, show and focus the field that keeps a run from beginning."""
        start_problem = self.start_problem()
        if start_problem is None:
            return
        self._unfold(next((name for name, f in self.fields.items() if f.editor is start_problem.editor), ""))
        start_problem.editor.setFocus(Qt.FocusReason.TabFocusReason)
        self._bring_into_sight(start_problem.editor)

    def _unfold(self, name: str) -> None:
        self.more_button.setChecked(self.more_button.isChecked() or name in dict(MORE))
        self.augmentation.button.setChecked(self.augmentation.button.isChecked() or name in AUGMENTATION)

    def _is_hidden(self, name: str) -> bool:
        if name in AUGMENTATION:
            return not self._learns_from_images()
        return name in dict(MAIN) and not self._form.isRowVisible(self.fields[name])

    def _learns_from_images(self) -> bool:
        return len(self.data.shape()[0]) == 3

    def _place(self, error: InputError) -> None:
        """Show a refusal of several settings together at the one that it names."""
        for name in error.values:
            if name in self.fields:
                self.fields[name].show_error(sentence(error))
                self._unfold(name)
                return
        set_message(self.problem, sentence(error))

    def lock(self, locked: bool) -> None:
        """While a run is under way only the learning rate can be changed."""
        self.data.setEnabled(not locked)
        self.preset_box.setEnabled(not locked)
        self.network.setEnabled(not locked)
        self.device_box.setEnabled(not locked)
        for name, field in self.fields.items():
            field.editor.setEnabled(not locked or name == "learning_rate")

    def learning_rate(self) -> float | None:
        """The rate in its field, or None while it is wrong."""
        try:
            return self.fields["learning_rate"].value()
        except InputError:
            return None


def _heading_for(label: QLabel) -> QLabel:
    label.setProperty("role", "heading")
    return label
