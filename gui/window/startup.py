"""What follows the start in the background: creating the pages of the tabs, and compiling."""

from collections.abc import Generator
from dataclasses import replace
from importlib import import_module

from PySide6.QtCore import QObject, QTimer, Signal

from core.data.dataset_cache import DatasetCache
from core.program import module_name
from core.runs.compiling import iter_compiling
from core.runs.plan import RunPlan
from gui.background.task_runner import TaskControl, TaskRunner
from gui.drawing.panel import DrawingPanel
from gui.settings.device_picker import DevicePicker
from gui.settings.panel import SettingsPanel
from gui.widgets.tab import Tab

# The modules of the pages, and what these import at their first use.
MODULES = (
    "core.bench.reports", "core.measure.race",
    "gui.devices.race_page", "gui.devices.benchmark_page", "gui.devices.profile_page", "gui.inside.layer_pages",
    "gui.inside.health_page", "gui.inside.network_page", "gui.inside.why_page",
    "gui.studies.dialog", "gui.results.classification_page", "gui.workshop.exercises", "gui.workshop.bench",
)  # fmt: skip
# Time between two steps, for what the user does meanwhile.
STEP_MILLISECONDS = 100


class PageBuilder(QObject):
    """Imports the modules of the pages in a background thread, then creates the pages in the window's thread.

    Between two strokes: the pen would wait for a page.
    """

    def __init__(self, tabs: tuple[Tab, ...], drawing: DrawingPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._tabs = tabs
        self._drawing = drawing
        self._importer = TaskRunner(self, low_priority=True)
        self._timer = QTimer(self, interval=STEP_MILLISECONDS)
        self._timer.timeout.connect(self._create_next)
        # Errors are not shown: the tab itself will report them.
        self._importer.ended.connect(lambda failure: None if failure else self._timer.start())

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
    """Compiles what a run needs in another process; when one is likely, also loads its data and code into this one.

    Loading trains on a few examples on the device that a run would use, and discards the result. Errors are not shown:
    the run itself will report them.
    """

    loaded = Signal()

    def __init__(
        self, settings: SettingsPanel, dataset_cache: DatasetCache, devices: DevicePicker, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._dataset_cache = dataset_cache
        self._devices = devices
        self._is_likely = False
        self._loaded: RunPlan | None = None
        self._runner = TaskRunner(self, low_priority=True)
        self._runner.ended.connect(self.loaded)

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
            yield from iter_compiling(replace(plan, device=name))
            if not self._is_likely:
                return
            self._loaded = plan
            dataset = self._dataset_cache.get(plan.data, control.progress)
            yield
            from core.training.trainer import warm_up
            from kernels.registry import open_device

            device = open_device(name)
            try:
                warm_up(plan.settings, dataset, device, control.check)
            finally:
                device.close()

        self._runner.start(prepare)

    def cancel(self) -> None:
        """Stop it, because it would disturb a measurement or take the processor from a run."""
        self._runner.cancel()
