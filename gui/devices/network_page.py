"""The base class of pages that measure the run of the settings panel on its data."""

from collections.abc import Callable, Generator
from typing import Any

from core.data.dataset import Dataset
from core.data.dataset_cache import DatasetCache
from core.training.run_settings import RunSettings
from gui.background.task_runner import Task, TaskControl
from gui.devices.inputs import KnownDevices, RunInputs
from gui.devices.measurement_page import MeasurementPage, Waiting
from gui.widgets.basics import note, set_message

# Raises Cancelled after the page was stopped.
Check = Callable[[], None]


class NetworkPage(MeasurementPage):
    """`subject` is a line that says what would be measured; it does not change during a measurement."""

    def __init__(
        self,
        name: str,
        start: str,
        tip: str,
        settings: RunInputs,
        dataset_cache: DatasetCache,
        devices: KnownDevices,
    ) -> None:
        super().__init__(name, start, tip)
        self._settings, self._dataset_cache, self._devices = settings, dataset_cache, devices
        self.subject = note(name=f"{name}Subject")
        self.column.addWidget(self.subject)

    def describe(self, settings: RunSettings, data: str) -> str:
        """The text of `subject` for a run and the summary of its data."""
        raise NotImplementedError

    def show_subject(self) -> None:
        run = self._settings.run()
        if not self.runner.busy:
            set_message(self.subject, self.describe(run, self._settings.data.summary()) if run else "")

    def ready_run(self) -> RunSettings | None:
        """The chosen run, or None after a message that says why it cannot be measured."""
        run = self._settings.run()
        if run is None:
            self.show_error(self.tr("A setting is wrong: correct what is marked in red on the left."))
        elif not self._settings.data.is_available():
            self.show_error(
                self.tr("The data set is not on this machine yet: download it, or choose another.")
            )
            return None
        return run

    def task_on_data(self, measure: Callable[[Dataset, Check], Generator[Any]]) -> Task:
        """A task that loads the chosen data and then yields what `measure` yields."""
        name = self._settings.data.source()
        reading, preparing = self.tr("reading the data…"), self.tr("preparing…")

        def load_and_measure(control: TaskControl) -> Generator[Any]:
            yield Waiting(reading)
            dataset = self._dataset_cache.get(name, control.progress)
            control.check()
            yield Waiting(preparing)
            yield from measure(dataset, control.check)

        return load_and_measure
