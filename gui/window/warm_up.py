"""The warm-up makes ready, while nobody waits, what the first run would be waited for: its data and its loops."""

from threading import Event

from PySide6.QtCore import QObject

from core.data.dataset_cache import DatasetCache
from core.progress import Progress
from gui.background.task import Worker
from gui.background.thread_priority import give_way
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
        self._worker: Worker | None = None

    @property
    def busy(self) -> bool:
        return self._worker is not None

    def begin(self) -> None:
        """For the settings as they stand."""
        run, data = self._settings.run(), self._settings.data
        name = self._devices.would_run_on()
        if self.busy or run is None or not device_spec(name).on_host or not data.is_available():
            return
        source = data.source()

        def work(progress: Progress, cancelled: Event) -> None:
            give_way()
            dataset = self._dataset_cache.get(source, progress)
            from core.training.warm_up import warm_up
            from kernels.registry import open_device

            device = open_device(name)
            try:
                warm_up(run, dataset, device, lambda: progress(0, 0))
            finally:
                device.close()

        self._worker = Worker(work, self)
        self._worker.done.connect(self._on_done)
        self._worker.start()

    def close(self) -> None:
        """Something is to be measured, which this would falsify."""
        if self._worker:
            self._worker.cancel()

    def close_background(self) -> None:
        if self._worker:
            self._worker.close()
            self._worker = None

    def _on_done(self, _: object) -> None:
        self._worker = None
