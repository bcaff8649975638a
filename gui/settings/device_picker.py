"""The list of devices: what there is to compute on here, and why the rest cannot."""

from collections.abc import Generator

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QComboBox

from gui.background.task_runner import TaskControl, TaskRunner
from gui.widgets.basics import add_items, show_availability
from kernels.registry import DeviceInfo, default_cpu_device, device_names


class DeviceList(QObject):
    """Fills `box`; what the devices are is found out by a thread, since it means computing on each."""

    chosen = Signal(str, str)  # for the status bar: the device, and what is known of it
    probed = Signal()

    def __init__(self, box: QComboBox, parent: QObject) -> None:
        super().__init__(parent)
        self._box = box
        self._known: dict[str, DeviceInfo] = {}
        self._runner = TaskRunner(self)
        self._runner.records.connect(self._on_probed)
        automatic = self.tr("The graphics card where one answers, else the CPU.")
        add_items(box, [("auto", "auto", automatic), *((name, name, "") for name in device_names())])
        box.currentIndexChanged.connect(self._show)

    def choice(self) -> str:
        return self._box.currentData()

    def would_run_on(self) -> str:
        """What the choice comes to, as far as probing has found out."""
        if self.choice() != "auto":
            return self.choice()
        available = [name for name in device_names() if name in self._known and self._known[name].available]
        return available[-1] if available else default_cpu_device()

    def known(self) -> list[DeviceInfo]:
        """What probing has found so far."""
        return list(self._known.values())

    def probe(self) -> None:
        def probe_all(control: TaskControl) -> Generator[list[DeviceInfo]]:
            from kernels.registry import probe

            devices: list[DeviceInfo] = []
            for name in device_names():
                control.check()
                devices.append(probe(name))
            yield devices

        self._show()
        self._runner.start(probe_all)

    def close_background(self) -> None:
        self._runner.close()

    def name_running(self, name: str) -> None:
        """The device that a run really uses."""
        self.chosen.emit(self._title(name), self._describe(name))

    def _on_probed(self, records: list[list[DeviceInfo]]) -> None:
        (devices,) = records
        self._known = {info.name: info for info in devices}
        show_availability(self._box, devices)
        self._show()
        self.probed.emit()

    def _title(self, name: str) -> str:
        info = self._known.get(name)
        return info.title if info and info.available else name

    def _describe(self, name: str) -> str:
        info = self._known.get(name)
        return (info.title if info.available else info.reason) if info else ""

    def _show(self) -> None:
        """Name the device that a run would take, and what stands against a faster one."""
        name = self.choice()
        if name != "auto":
            self.chosen.emit(self._title(name), self._describe(name))
            return
        best = self._known.get(self.would_run_on())
        fastest = self._known.get(device_names()[-1])
        if best is None or fastest is None:
            self.chosen.emit(self.tr("auto"), "")
        elif best == fastest:
            self.chosen.emit(best.title, self._describe(best.name))
        else:
            text = self.tr("{device} (no {missing})")
            self.chosen.emit(text.format(device=best.title, missing=fastest.title), fastest.reason)
