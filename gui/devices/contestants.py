"""Check boxes for the contestants of a race: devices, and numbers of workers."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QWidget

from core.training.run_settings import BY_NAME, RunSettings
from gui.text import device_description, label
from gui.widgets.basics import named, note, set_message
from gui.widgets.flow_layout import FlowLayout
from kernels.host import processor_count
from kernels.registry import DeviceInfo, default_cpu_device, device_spec, device_specs

# Device name and number of workers.
Choice = tuple[str, int]


def worker_counts(maximum: int) -> list[int]:
    """2, 4, 8, ... and `maximum` itself."""
    powers = [2**k for k in range(1, 8) if 2**k < maximum]
    return [*powers, maximum] if maximum > 1 else []


class Contestants(QWidget):
    """`changed` is emitted when a box is checked or unchecked."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        self.boxes: dict[Choice, QCheckBox] = {}
        self._device_row, workers = FlowLayout(14), FlowLayout(14)
        self._last_device_box: QCheckBox | None = None
        self._shared = default_cpu_device()
        for spec in device_specs():
            self._add_device(spec.name)
        for count in worker_counts(processor_count()):
            workers.addWidget(self._box((self._shared, count), self.tr("{n} workers").format(n=count), ""))
        top = Qt.AlignmentFlag.AlignTop
        grid.addWidget(QLabel(self.tr("Devices")), 0, 0, top)
        grid.addLayout(self._device_row, 0, 1)
        if any(count > 1 for _, count in self.boxes):
            grid.addWidget(QLabel(self.tr("Workers")), 1, 0, top)
            grid.addLayout(workers, 1, 1)
        grid.setColumnStretch(1, 1)
        self.hint = note(name="workersHint")
        grid.addWidget(self.hint, 2, 0, 1, 2)
        for name in (device_specs()[0].name, self._shared):
            self.boxes[name, 1].setChecked(True)

    def chosen(self) -> tuple[Choice, ...]:
        return tuple(
            choice for choice, box in self.boxes.items() if box.isChecked() and box.isEnabledTo(self)
        )

    def show_devices(self, known: list[DeviceInfo]) -> None:
        """Add boxes for further cards; disable the devices that are not available, with the reason as their tooltip."""
        infos = {info.name: info for info in known}
        for name in infos:
            if (name, 1) not in self.boxes:
                self._add_device(name)
        for (name, count), box in self.boxes.items():
            if count > 1:
                continue
            spec, info = device_spec(name), infos.get(name)
            # A device that not every machine has is disabled until its probe has succeeded.
            box.setEnabled(info.available if info else spec.probe is None)
            if info:
                box.setToolTip((info.hardware or device_description(spec)) if info.available else info.reason)

    def show_run(self, settings: RunSettings | None) -> None:
        """Disable the numbers of workers for which the run's group has too few batches."""
        if settings is None:
            return
        group = settings.group
        workers = [(choice, box) for choice, box in self.boxes.items() if choice[1] > 1]
        for (_, count), box in workers:
            box.setEnabled(count <= group)
            tip = self.tr("{n} threads share the batches of a group on {device}.")
            if count > group:
                tip = self.tr("{n} workers need a group of at least as many batches.")
            box.setToolTip(tip.format(n=count, device=self._shared))
        text = self.tr("To race workers too, let a group have several batches: “{setting}” in More settings.")
        set_message(self.hint, text.format(setting=label(BY_NAME["group"])) if workers and group == 1 else "")

    def _add_device(self, name: str) -> None:
        previous = self._last_device_box
        box = self._last_device_box = self._box((name, 1), name, device_description(device_spec(name)))
        self._device_row.addWidget(box)
        if previous:
            self.setTabOrder(previous, box)

    def _box(self, choice: Choice, text: str, tip: str) -> QCheckBox:
        box = named(QCheckBox(text, self), f"race-{choice[0]}-{choice[1]}")
        box.setToolTip(tip)
        box.toggled.connect(self.changed)
        self.boxes[choice] = box
        return box
