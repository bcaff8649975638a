"""What follows the start in the background: creating the pages of the tabs, and compiling."""

from collections.abc import Generator
from contextlib import closing, suppress
from functools import partial
from importlib import import_module
from typing import Any

from PySide6.QtCore import QObject, QSize, QTimer, Signal
from PySide6.QtWidgets import QMainWindow, QSplitter

from core.data.dataset_cache import DatasetCache
from core.files.log import logger
from core.program import module_name
from core.progress import Cancelled
from core.runs.compiling import compile_elsewhere, load_for_reading
from core.runs.plan import RunPlan
from core.training.presets import find_preset
from core.training.run_settings import RunSettings
from gui.background.task_runner import TaskControl, TaskRunner, single_record
from gui.drawing.panel import DrawingPanel
from gui.preferences import Preferences
from gui.settings.device_picker import DevicePicker
from gui.settings.panel import SettingsPanel
from gui.settings.preset_box import CUSTOM
from gui.widgets.basics import resize_on_screen
from gui.widgets.tab import Tab
from kernels.registry import is_device_name

# The modules of the pages, and what these import at their first use.
MODULES = (
    "core.bench.reports",
    "core.measure.race",
    "gui.devices.race_page",
    "gui.devices.benchmark_page",
    "gui.devices.profile_page",
    "gui.studies.dialog",
    "gui.results.classification_page",
    "gui.results.health_page",
    "gui.workshop.exercises",
    "gui.workshop.bench",
)
# Time between two steps, for what the user does meanwhile.
STEP_MILLISECONDS = 100


class PageBuilder(QObject):
    """Imports the modules of the pages in a background thread, then creates the pages in the
    window's thread.

    Between two strokes: the pen would wait for a page.
    """

    def __init__(self, tabs: tuple[Tab, ...], drawing: DrawingPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._tabs = tabs
        self._drawing = drawing
        self._timer = QTimer(self, interval=STEP_MILLISECONDS)
        self._timer.timeout.connect(self._create_next)
        # Errors are not shown: the tab itself will report them.
        self._importer = TaskRunner(
            self,
            on_ended=lambda failure: None if failure else self._timer.start(),
            low_priority=True,
        )

    def begin(self) -> None:
        def import_all(control: TaskControl) -> Generator[None]:
            for name in MODULES:
                import_module(module_name(name))
                yield

        self._importer.start(import_all)

    def _create_next(self) -> None:
        if self._drawing.is_drawing:
            return
        if self._importer.is_shut_down or not any(tab.create_next() for tab in self._tabs):
            self._timer.stop()


class WarmUp(QObject):
    """Compiles what a run needs in another process; when one is likely, also loads its data and
    code into this one.

    Loading trains on a few examples on the device that a run would use, and discards the result.
    Errors are not shown: the run itself will report them.
    """

    loaded = Signal()

    def __init__(
        self,
        settings: SettingsPanel,
        dataset_cache: DatasetCache,
        devices: DevicePicker,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._dataset_cache = dataset_cache
        self._devices = devices
        self._is_likely = False
        self._loaded: RunPlan | None = None
        self._runner = TaskRunner(self, on_ended=self.loaded, low_priority=True)

    @property
    def busy(self) -> bool:
        return self._runner.busy

    def expect_run(self) -> None:
        """A run is likely: load what it needs, after what is being compiled."""
        self._is_likely = True
        self.begin()

    def begin(self) -> None:
        """Start for the current settings, unless that is under way or done."""
        plan = self._settings.plan
        if self.busy or plan in (None, self._loaded) or not self._settings.data.is_available():
            return
        name = self._devices.expected_device()

        def prepare(control: TaskControl) -> Generator[None]:
            compile_elsewhere(plan, control.check)
            if self._is_likely:
                self._loaded = plan
                self._load(plan, name, control)
                yield
            compile_elsewhere(None, control.check)

        self._runner.start(prepare)

    def _load(self, plan: RunPlan, device_name: str, control: TaskControl) -> None:
        """Called in the background thread."""
        dataset = self._dataset_cache.get(plan.data, control.progress)
        from core.training.trainer import warm_up
        from kernels.registry import open_device

        def check() -> None:
            control.check()
            if not self._is_likely:
                raise Cancelled

        with closing(open_device(device_name)) as device, suppress(Cancelled):
            warm_up(plan.settings, dataset, device, check)

    def give_way(self) -> None:
        """A run has begun, which waits for what is being compiled and read, and loads the rest."""
        self._is_likely = False

    def load_for_reading(self) -> None:
        """A run has loaded the compiler: compiled loops can read the drawing from now on."""

        def load(control: TaskControl) -> None:
            compile_elsewhere(None, control.check)
            load_for_reading()

        self._runner.start_latest(single_record(load))

    def cancel(self) -> None:
        """Stop it, because it would disturb a measurement."""
        self._runner.cancel()


# What the settings in one line, the network and the lessons below it need.
_LEAST = QSize(1280, 720)
_SCREEN_SHARE = 0.8  # of a screen on which that is more than the least
_WHOLE_WIDTH = 1920  # pixels: a screen of this width or less is filled at the first start


def settings_values(panel: SettingsPanel) -> dict[str, Any]:
    """The values of the settings that `restore_settings` shows again."""
    return {
        "run": panel.plan.settings.as_dict() if panel.plan else None,  # None: not valid
        "preset": panel.preset_box.currentData() or panel.preset_box.base,
        "data": panel.data.source(),
        "device": panel.device_box.currentData(),
    }


def restore_settings(panel: SettingsPanel, values: dict[str, Any]) -> None:
    """Show saved settings; those that cannot be used are replaced by those of the default
    preset.
    """
    default = find_preset("default")
    run = default.settings
    preset = default.name
    try:
        if values.get("run") is not None:
            run = RunSettings.from_dict(values["run"])
            preset = str(values.get("preset", CUSTOM))
    except Exception as error:  # the file may hold anything
        logger.info("the saved settings cannot be used: %s", error)
    source = values.get("data")
    panel.restore(source if isinstance(source, str) else "", run, preset)
    device = str(values.get("device", "auto"))
    if panel.device_box.findData(device) < 0 and is_device_name(device):
        # One of several cards: they are listed when they have been probed.
        panel.device_box.addItem(device, device)
    panel.device_box.setCurrentIndex(max(panel.device_box.findData(device), 0))


def restore_drawing(drawing: DrawingPanel, preferences: Preferences) -> None:
    """Show the last drawing, and from now on keep each change of it, also if the program is
    killed.
    """

    def keep_drawing() -> None:
        preferences.drawing = drawing.drawing_text()

    drawing.set_wide(preferences.wide_canvas)
    # Undo must not go back to the width before this start.
    drawing.undo_stack.clear()
    # By the program, not by a person: the hint is still shown.
    drawing.canvas.document.was_changed = False
    drawing.restore(preferences.drawing)
    # Only now, so that restoring does not write what it has just read.
    drawing.canvas.document.edited.connect(keep_drawing)
    drawing.wide_changed.connect(partial(setattr, preferences, "wide_canvas"))


def restore_layout(window: QMainWindow, rows: QSplitter, preferences: Preferences) -> None:
    """Take the size and the place of the last start, or a part of the screen. rows: the plots, one
    below the other.
    """
    size = (window.screen().availableSize() * _SCREEN_SHARE).expandedTo(_LEAST)
    resize_on_screen(window, size.width(), size.height())
    for name, restore in (("window", window.restoreGeometry), ("rows", rows.restoreState)):
        state = preferences.layout(name)
        if state is not None:
            restore(state)


def show_window(window: QMainWindow, preferences: Preferences) -> None:
    """Show the window as it was at its last end. At the first start it fills the screen, unless
    that is very large.
    """
    is_whole = window.screen().availableSize().width() <= _WHOLE_WIDTH
    if is_whole and preferences.layout("window") is None:
        window.showMaximized()
    else:
        window.show()


def save_layout(window: QMainWindow, rows: QSplitter, preferences: Preferences) -> None:
    """Keep size and place for `restore_layout`."""
    preferences.save_layout(window=window.saveGeometry(), rows=rows.saveState())
