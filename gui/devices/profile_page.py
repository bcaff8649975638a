"""Where the time goes: the share of each operator in a step, on the chosen device."""

from collections.abc import Generator
from contextlib import closing
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel

from core.data.dataset import Dataset
from core.data.dataset_cache import DatasetCache
from core.training.run import Run
from gui.background.task_runner import Task
from gui.devices.network_page import Check, NetworkPage
from gui.devices.operator_descriptions import operator_words
from gui.settings.device_picker import DeviceList
from gui.settings.panel import SettingsPanel
from gui.text import count, duration, number
from gui.widgets.bar_table import BarTable
from gui.widgets.basics import QuietComboBox, add_items, note, set_message
from gui.widgets.flow_layout import FlowLayout, labeled
from kernels.registry import default_cpu_device, device_names

if TYPE_CHECKING:
    from core.measure.profile import Profile


class ProfilePage(NetworkPage):
    def __init__(self, settings: SettingsPanel, dataset_cache: DatasetCache, devices: DeviceList) -> None:
        super().__init__(
            "profile", self.tr("Measure"),
            self.tr("Run some steps of the network on this device and time each operator by itself."),
            settings, dataset_cache, devices,
        )  # fmt: skip
        self._run: Run | None = None
        self.box = QuietComboBox()
        self.verdict = note("heading", "profileVerdict")
        self.caution = note(name="profileCaution")
        self.table = BarTable(
            "profileTable", self.tr("Operators"),
            (self.tr("Operator"), self.tr("Share of a step"), self.tr("Calls"), self.tr("Time")),
            spare=(2,),
        )  # fmt: skip
        self._lay_out()
        settings.changed.connect(self.show_subject)
        devices.chosen.connect(self._show_devices)
        self._show_devices()
        self.show_subject()

    def _lay_out(self) -> None:
        add_items(self.box, [(name, name, "") for name in device_names()])
        self.box.setObjectName("profileDeviceBox")
        self.box.setAccessibleName(self.tr("Device to measure"))
        self.box.setToolTip(self.tr("Where the steps are run and timed."))
        self.box.choose(default_cpu_device())
        row = FlowLayout()
        row.addWidget(labeled(self.tr("&Where"), self.box))
        self.column.addLayout(row)
        self.add_controls()
        for widget in (self.verdict, self.table, self.caution):
            self.column.addWidget(widget)
        self.table.hide()
        set_message(
            self.caution,
            self.tr(
                "A step is made of some ten operators: products of matrices, the loss, the update. Each is timed by "
                "itself, on copies of the network, and shown as its share of a step."
            ),
        )
        self.column.addStretch(1)

    def describe(self, run: Run, data: str) -> str:
        text = self.tr("A step of {network} on {data}: {batch} images, {optimizer}")
        return text.format(network=run.network, data=data, batch=run.batch_size, optimizer=run.optimizer)

    def _show_devices(self) -> None:
        model = self.box.model()
        for info in self._devices.known():
            place = self.box.findData(info.name)
            tip = info.title if info.available else info.reason
            self.box.setItemData(place, tip, Qt.ItemDataRole.ToolTipRole)
            if isinstance(model, QStandardItemModel):
                model.item(place).setEnabled(info.available)

    def task(self) -> Task | None:
        run = self._run = self.ready_run()
        if run is None:
            return None
        name = str(self.box.currentData())

        def measure(dataset: Dataset, _: Check) -> Generator[Any]:
            from core.measure.profile import iter_profile
            from kernels.registry import open_device

            with closing(open_device(name)) as device:
                yield from iter_profile(run, dataset, device)

        return self.on_data(measure)

    def take(self, records: list[Any]) -> None:
        self._show(records[-1])

    def refresh(self) -> None:
        super().refresh()
        self.box.setEnabled(not self.runner.busy)

    def _show(self, profile: "Profile") -> None:
        assert self._run
        longest, *_ = profile.operators
        timed = sum(operator.seconds for operator in profile.operators)
        text = self.tr(
            "A step takes {step} ms, so {speed} images a second. The largest share: {name}, {share} %."
        )
        name, _ = operator_words(longest.name)
        set_message(
            self.verdict,
            text.format(
                step=number(1000 * profile.step_seconds, 3), name=name, share=round(100 * longest.share),
                speed=count(self._run.batch_size / profile.step_seconds),
            ),
        )  # fmt: skip
        caution = self.tr(
            "Means over {steps} steps. Timed one by one the operators add up to {timed} ms; training itself is "
            "not timed, and loses nothing."
        )
        set_message(self.caution, caution.format(steps=profile.steps, timed=number(1000 * timed, 3)))
        self.table.show()
        self.table.set_rows(len(profile.operators))
        for row, operator in enumerate(profile.operators):
            title, tip = operator_words(operator.name)
            share = f"{100 * operator.share:.1f}".replace(".", self.locale().decimalPoint()) + " %"
            texts = (title, share, number(operator.calls, 3), duration(operator.seconds))
            self.table.show_row(row, texts, operator.share, tip=tip)
