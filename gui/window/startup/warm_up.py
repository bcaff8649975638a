"""Compiles the kernels of the first run in the background beforehand."""

from collections.abc import Generator

from PySide6.QtCore import QObject

from core.data.dataset_cache import DatasetCache
from gui.background.task_runner import TaskControl, TaskRunner
from gui.settings.device_picker import DevicePicker
from gui.settings.panel import SettingsPanel


class WarmUp(QObject):
    """Trains on a few examples on the device that a run would use, and discards the result.

    Errors are not shown: the run itself will report them.
    """

    def __init__(
        self, settings: SettingsPanel, dataset_cache: DatasetCache, devices: DevicePicker, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._settings, self._dataset_cache, self._devices = settings, dataset_cache, devices
        self._runner = TaskRunner(self, low_priority=True)

    @property
    def busy(self) -> bool:
        return self._runner.busy

    def begin(self) -> None:
        """Start for the current settings, unless a warm-up is under way."""
        plan = self._settings.plan
        name = self._devices.expected_device()
        if self.busy or plan is None or not self._settings.data.is_available():
            return

        def prepare(control: TaskControl) -> Generator[None]:
            dataset = self._dataset_cache.get(plan.data, control.progress)
            yield
            from core.training.warm_up import warm_up
            from kernels.registry import open_device

            device = open_device(name)
            try:
                warm_up(plan.settings, dataset, device, control.check)
            finally:
                device.close()

        self._runner.start(prepare)

    def cancel(self) -> None:
        """Stop the warm-up, because it would disturb a measurement."""
        self._runner.cancel()
