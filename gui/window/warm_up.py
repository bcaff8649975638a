"""The warm-up makes ready, while nobody waits, what the first run would be waited for: its data and its loops."""

from collections.abc import Generator

from PySide6.QtCore import QObject

from core.data.dataset_cache import DatasetCache
from gui.background.task_runner import TaskControl, TaskRunner
from gui.settings.device_picker import DeviceList
from gui.settings.panel import SettingsPanel
from kernels.registry import device_spec


class WarmUp(QObject):
    """On the CPU only: a card belongs to the thread that trains. What fails here is told by the run itself."""

    def __init__(
        self, settings: SettingsPanel, dataset_cache: DatasetCache, devices: DeviceList, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._settings, self._dataset_cache, self._devices = settings, dataset_cache, devices
        self._runner = TaskRunner(self, low_priority=True)

    @property
    def busy(self) -> bool:
        return self._runner.busy

    def begin(self) -> None:
        """For the settings as they stand."""
        run, data = self._settings.run(), self._settings.data
        name = self._devices.would_run_on()
        if self.busy or run is None or not device_spec(name).on_host or not data.is_available():
            return
        source = data.source()

        def prepare(control: TaskControl) -> Generator[None]:
            dataset = self._dataset_cache.get(source, control.progress)
            yield
            from core.training.warm_up import warm_up
            from kernels.registry import open_device

            device = open_device(name)
            try:
                warm_up(run, dataset, device, control.check)
            finally:
                device.close()

        self._runner.start(prepare)

    def close(self) -> None:
        """Something is to be measured, which this would falsify."""
        self._runner.cancel()

    def close_background(self) -> None:
        self._runner.close()
