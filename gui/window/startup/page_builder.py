"""Creates the pages of the tabs after the start, a part at a time, so that a tab is shown at once when it is chosen."""

from collections.abc import Generator
from importlib import import_module

from PySide6.QtCore import QObject, QTimer

from gui.background.failure import Failure
from gui.background.task_runner import TaskControl, TaskRunner
from gui.widgets.tab import Tab

# The modules of the pages, and what these import at their first use.
MODULES = (
    "core.bench.reports", "core.measure.race",
    "gui.devices.race_page", "gui.devices.benchmark_page", "gui.devices.profile_page", "gui.inside.activations_page",
    "gui.inside.arithmetic_page", "gui.inside.health_page", "gui.inside.map_page", "gui.inside.network_page",
    "gui.inside.weights_page", "gui.inside.why_page", "gui.studies.page", "gui.results.classification_page",
)  # fmt: skip
# Time between two steps, for what the user does meanwhile.
STEP_MILLISECONDS = 100


class PageBuilder(QObject):
    """Imports the modules of the pages in a background thread, then creates the pages in the window's thread."""

    def __init__(self, tabs: tuple[Tab, ...], parent: QObject) -> None:
        super().__init__(parent)
        self._tabs = tabs
        self._importer = TaskRunner(self, low_priority=True)
        self._importer.ended.connect(self._on_imported)
        self._timer = QTimer(self, interval=STEP_MILLISECONDS)
        self._timer.timeout.connect(self._create_next)

    def begin(self) -> None:
        def import_all(control: TaskControl) -> Generator[None]:
            for name in MODULES:
                import_module(name)
                yield

        self._importer.start(import_all)

    def _on_imported(self, failure: Failure | None) -> None:
        """Errors are not shown: the tab itself will report them."""
        if failure is None:
            self._timer.start()

    def _create_next(self) -> None:
        if self._importer.is_shut_down or not any(tab.create_next() for tab in self._tabs):
            self._timer.stop()
