"""A network page measures the network of the settings panel, on its data."""

from collections.abc import Callable, Generator
from typing import Any

from core.data.dataset import Dataset
from core.data.dataset_cache import DatasetCache
from core.training.run import Run
from gui.background.task_runner import Task, TaskControl
from gui.devices.measurement_page import MeasuringPage, Waiting
from gui.settings.device_picker import DeviceList
from gui.settings.panel import SettingsPanel
from gui.widgets.basics import note, set_message

# Raises once the page is stopped.
Check = Callable[[], None]


class NetworkPage(MeasuringPage):
    """`subject` says in a line what would be measured; while something is, it stays."""

    def __init__(
        self,
        name: str,
        start: str,
        tip: str,
        settings: SettingsPanel,
        dataset_cache: DatasetCache,
        devices: DeviceList,
    ) -> None:
        super().__init__(name, start, tip)
        self._settings, self._dataset_cache, self._devices = settings, dataset_cache, devices
        self.subject = note(name=f"{name}Subject")
        self.column.addWidget(self.subject)

    def describe(self, run: Run, data: str) -> str:
        """The line, for this run on data of this title."""
        raise NotImplementedError

    def show_subject(self) -> None:
        run = self._settings.run()
        if not self.runner.busy:
            set_message(self.subject, self.describe(run, self._settings.data.summary()) if run else "")

    def ready_run(self) -> Run | None:
        """The settings as they stand, or None after having said what is wrong with them."""
        run = self._settings.run()
        if run is None:
            self.refuse_with(self.tr("A setting is wrong: correct what is marked in red on the left."))
        elif not self._settings.data.is_available():
            self.refuse_with(
                self.tr("The data set is not on this machine yet: download it, or choose another.")
            )
            return None
        return run

    def on_data(self, measure: Callable[[Dataset, Check], Generator[Any]]) -> Task:
        """Reads the chosen data, then yields what `measure` yields, whose check ends it once it is stopped."""
        name = self._settings.data.source()
        reading, preparing = self.tr("reading the data…"), self.tr("preparing…")

        def records(control: TaskControl) -> Generator[Any]:
            yield Waiting(reading)
            dataset = self._dataset_cache.get(name, control.progress)
            control.check()
            yield Waiting(preparing)
            yield from measure(dataset, control.check)

        return records
