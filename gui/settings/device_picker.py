"""The device box: the devices of this machine, their hardware, and why others are not available."""

from collections.abc import Generator

from PySide6.QtCore import QObject, Signal

from gui.background.task_runner import TaskControl, TaskRunner
from gui.text import device_title
from gui.widgets.basics import SHORT_TEXT, QuietComboBox, show_availability
from gui.widgets.make import fill
from kernels.registry import (
    DeviceInfo,
    all_device_names,
    default_cpu_device,
    device_names,
    is_cpu_device,
    probe,
)


class DevicePicker(QObject):
    """Fills `box`. A background thread probes the cards, because that means computing on each."""

    # For the tooltip of the progress: the device of a run, and the reason or what is known of it.
    chosen = Signal(str, str)
    probed = Signal()
    advised = Signal(str)  # a device could be made available: what to do

    def __init__(self, box: QuietComboBox, parent: QObject) -> None:
        super().__init__(parent)
        self._box = box
        self._known: dict[str, DeviceInfo] = {}
        self._runner = TaskRunner(self, self._on_probed)
        automatic = self.tr("The graphics card if one is available, else the CPU.")
        names = ((name, device_title(name)) for name in device_names())
        fill(box, [("auto", self.tr("automatic"), automatic), *names])
        box.setItemData(0, self.tr("the processor"), SHORT_TEXT)  # until cards have been looked for
        box.currentIndexChanged.connect(self._show_choice)

    def choice(self) -> str:
        return self._box.currentData()

    def expected_device(self) -> str:
        """The device on which a run would be started, as far as it is known."""
        available = [info.name for info in self._known.values() if info.available]
        if self.choice() != "auto" or not available:
            return default_cpu_device() if self.choice() == "auto" else self.choice()
        # Of several cards the first.
        return max(available, key=lambda name: device_names().index(_kind(name)))

    def known(self) -> list[DeviceInfo]:
        """The results of probing so far."""
        return list(self._known.values())

    def show_running(self, name: str) -> None:
        """Show the device that a run uses. If `auto` took another one than expected, show the
        reason.
        """
        if self._known and self.choice() == "auto" and name != self.expected_device():
            self._start_probing()
        else:
            self.chosen.emit(self._title(name), self._describe(name))

    def show_notice(self, text: str) -> None:
        """Show that the device of the run computes in an unusual way; `text` explains it."""
        name = self.expected_device()
        self.chosen.emit(
            self.tr("{device}, slower than usual").format(device=self._title(name)), text
        )

    def probe(self) -> None:
        self._show_choice()
        self._start_probing()

    def _start_probing(self) -> None:
        # A device that was chosen at an earlier start is listed although it need not be there any
        # more.
        listed = [self._box.itemData(index) for index in range(1, self._box.count())]

        def probe_all(control: TaskControl) -> Generator[list[DeviceInfo]]:
            devices: list[DeviceInfo] = []
            for name in dict.fromkeys([*all_device_names(), *listed]):
                control.check()
                if is_cpu_device(name):
                    # Every machine has it, and computing on it would import a compiler.
                    devices.append(DeviceInfo(name, device_title(name), True))
                else:
                    devices.append(probe(name))
            yield devices

        self._runner.start(probe_all)

    def _on_probed(self, records: list[list[DeviceInfo]]) -> None:
        (devices,) = records
        self._known = {info.name: info for info in devices}
        for info in devices:
            if self._box.findData(info.name) < 0:
                self._box.addItem(device_title(info.name), info.name)
            index = self._box.findData(info.name)
            if info.hardware:
                text = self.tr("{device}: {hardware}")
                text = text.format(device=device_title(info.name), hardware=info.hardware)
                self._box.setItemText(index, text)
                self._box.setItemData(index, info.title.replace("NVIDIA ", ""), SHORT_TEXT)
        show_availability(self._box, devices)
        # The list may be wider than the box, whose width does not follow the names of cards.
        view = self._box.view()
        view.setMinimumWidth(view.sizeHintForColumn(0) + 2 * view.frameWidth())
        self._show_choice()
        self.probed.emit()
        for info in devices:
            if info.advice:
                self.advised.emit(info.advice)

    def _title(self, name: str) -> str:
        info = self._known.get(name)
        return info.title if info and info.available else device_title(name)

    def _describe(self, name: str) -> str:
        info = self._known.get(name)
        if info is None:
            return ""
        return (info.hardware or info.title) if info.available else info.reason

    def _show_choice(self) -> None:
        """Show the device that a run would use, and the reason if a faster one is not available."""
        name = self.expected_device()
        where = self.tr("the processor")
        if not is_cpu_device(name):
            where = self._title(name).replace("NVIDIA ", "")
        self._box.setItemData(self._box.findData("auto"), where, SHORT_TEXT)
        self._box.update()
        best = self._known.get(name)
        fastest = self._known.get(device_names()[-1])
        if self.choice() == "auto" and (best is None or fastest is None):
            self.chosen.emit(self.tr("automatic"), "")
        elif (
            best is None
            or fastest is None
            or _kind(name) == fastest.name
            or self.choice() != "auto"
        ):
            self.chosen.emit(self._title(name), self._describe(name))
        else:
            text = self.tr("{device} (no {missing})")
            self.chosen.emit(text.format(device=best.title, missing=fastest.title), fastest.reason)


def _kind(name: str) -> str:
    """`cuda` for `cuda:1`."""
    return name.partition(":")[0]
