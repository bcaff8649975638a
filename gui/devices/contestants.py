"""The contestants of a race to choose from: the devices that are here, and worker counts that share out a group."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QWidget

from core.bench.machine import core_count
from core.training.run import BY_NAME, Run
from gui.text import device_description, label
from gui.widgets.basics import named, note, set_message
from gui.widgets.flow_layout import FlowLayout
from kernels.registry import DeviceInfo, default_cpu_device, device_specs

# Device and number of workers.
Choice = tuple[str, int]


def worker_counts(most: int) -> list[int]:
    """2, 4, 8, ... and `most` itself."""
    found = [2**k for k in range(1, 8) if 2**k < most]
    return [*found, most] if most > 1 else []


class Contestants(QWidget):
    """`changed` fires when another choice is made."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        self.boxes: dict[Choice, QCheckBox] = {}
        devices, workers = FlowLayout(14), FlowLayout(14)
        self._shared = default_cpu_device()
        for spec in device_specs():
            devices.addWidget(self._box((spec.name, 1), spec.name, device_description(spec)))
        for count in worker_counts(core_count()):
            workers.addWidget(self._box((self._shared, count), self.tr("{n} workers").format(n=count), ""))
        top = Qt.AlignmentFlag.AlignTop
        grid.addWidget(QLabel(self.tr("Devices")), 0, 0, top)
        grid.addLayout(devices, 0, 1)
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
        """What probing has found: those that are not here cannot be chosen, and say why."""
        found = {info.name: info for info in known}
        for spec in device_specs():
            box, info = self.boxes[spec.name, 1], found.get(spec.name)
            # A device that not every machine has is disabled until its probe has succeeded.
            box.setEnabled(info.available if info else spec.probe is None)
            if info:
                box.setToolTip(device_description(spec) if info.available else info.reason)

    def show_run(self, run: Run | None) -> None:
        """How many workers the run's group leaves work for."""
        if run is None:
            return
        group = run.group
        workers = [(choice, box) for choice, box in self.boxes.items() if choice[1] > 1]
        for (_, count), box in workers:
            box.setEnabled(count <= group)
            tip = self.tr("{n} threads share out the batches of a group on {device}.")
            if count > group:
                tip = self.tr("{n} workers need a group of at least as many batches.")
            box.setToolTip(tip.format(n=count, device=self._shared))
        text = self.tr("To race workers too, let a group have several batches: “{setting}” in More settings.")
        short = workers and group < max(count for (_, count), _ in workers)
        set_message(self.hint, text.format(setting=label(BY_NAME["group"])) if short and group == 1 else "")

    def _box(self, choice: Choice, text: str, tip: str) -> QCheckBox:
        box = named(QCheckBox(text), f"race-{choice[0]}-{choice[1]}")
        box.setToolTip(tip)
        box.toggled.connect(self.changed)
        self.boxes[choice] = box
        return box
