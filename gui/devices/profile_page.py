"""Where the time goes: the share of each operator in a training step, on the chosen device."""

from collections.abc import Generator
from contextlib import closing
from typing import TYPE_CHECKING, Any

from core.data.dataset import Dataset
from core.data.dataset_cache import DatasetCache
from core.training.optimizers import OPTIMIZERS
from core.training.run_settings import RunSettings
from gui.background.task_runner import Task
from gui.devices.inputs import KnownDevices, RunInputs
from gui.devices.measurement_page import ExportContent
from gui.devices.network_page import Check, NetworkPage
from gui.devices.operator_descriptions import describe_operator
from gui.text import common_unit, count, in_unit, number
from gui.widgets.bar_table import BarTable
from gui.widgets.basics import QuietComboBox, add_items, note, set_message, show_availability
from gui.widgets.flow_layout import FlowLayout, labeled
from kernels.registry import default_cpu_device, device_names

if TYPE_CHECKING:
    from core.measure.profile import Profile


class ProfilePage(NetworkPage):
    def __init__(self, settings: RunInputs, dataset_cache: DatasetCache, devices: KnownDevices) -> None:
        super().__init__(
            "profile", self.tr("Measure"),
            self.tr("Run some steps of the network on this device and time each operator by itself."),
            settings, dataset_cache, devices,
        )  # fmt: skip
        self._profile: Profile | None = None
        self._subject, self._batch_size = "", 1
        self.box = QuietComboBox()
        self.verdict = note("heading", "profileVerdict")
        self.caution = note(name="profileCaution")
        self.table = BarTable(
            "profileTable", self.tr("Operators"),
            (self.tr("Operator"), self.tr("Share of a step"), self.tr("Calls"), self.tr("Time")),
            hide_first=(2,),
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
        self.add_export_button()
        self.add_controls()
        for widget in (self.verdict, self.table, self.caution):
            self.column.addWidget(widget)
        self.add_empty_state(
            self.tr(
                "A step is made of some ten operators: products of matrices, the loss, the update. Press Measure: "
                "each is timed by itself, on copies of the network, and shown as its share of a step."
            ),
            self.verdict, self.table, self.caution,
        )  # fmt: skip
        self.column.addStretch(1)

    def describe(self, settings: RunSettings, data: str) -> str:
        text = self.tr("A step of {network} on {data}: {batch} images, {optimizer}")
        return text.format(
            network=settings.network,
            data=data,
            batch=settings.batch_size,
            optimizer=OPTIMIZERS[settings.optimizer].label,
        )

    def _show_devices(self) -> None:
        known = self._devices.known()
        for info in known:  # further cards are known only after probing
            if self.box.findData(info.name) < 0:
                self.box.addItem(info.name, info.name)
        show_availability(self.box, known)

    def task(self) -> Task | None:
        run = self.ready_run()
        if run is None:
            return None
        name = str(self.box.currentData())
        self._profile = None

        def measure(dataset: Dataset, check: Check) -> Generator[Any]:
            from core.measure.profile import iter_profile
            from kernels.registry import open_device

            self._subject = f"{run.network} on {dataset.title}, {name}"
            with closing(open_device(name)) as device:
                yield from iter_profile(run, dataset, device)

        self._batch_size = run.batch_size
        return self.task_on_data(measure)

    def show_records(self, records: list[Any]) -> None:
        self._profile = records[-1]
        self.show_results()
        self._show(records[-1])

    def refresh(self) -> None:
        super().refresh()
        self.box.setEnabled(not self.runner.busy)

    def export_content(self) -> ExportContent | None:
        from core.bench.reports import profile_rows, profile_tables
        from core.bench.rows import Bench

        if self._profile is None:
            return None
        bench = Bench("profile", "Profile", profile_tables(self._subject), lambda options: iter(()))
        return bench, profile_rows(self._profile), [self._profile.warning] if self._profile.warning else []

    def _show(self, profile: "Profile") -> None:
        longest, *_ = profile.operators
        timed = sum(operator.seconds for operator in profile.operators)
        text = self.tr(
            "A step takes {step} ms, so {speed} images a second. The largest share: {name}, {share} %."
        )
        name, _ = describe_operator(longest.name)
        set_message(
            self.verdict,
            text.format(
                step=number(1000 * profile.step_seconds, 3), name=name, share=round(100 * longest.share),
                speed=count(self._batch_size / profile.step_seconds),
            ),
        )  # fmt: skip
        caution = self.tr(
            "Means over {steps} steps, ± half the distance of their quartiles. The times of the operators add up to "
            "{timed} ms, because each is timed alone; the time of the step is measured without this timing."
        )
        caution = caution.format(steps=profile.steps, timed=number(1000 * timed, 3))
        set_message(self.caution, f"{profile.warning} {caution}".strip())
        self.table.set_rows(len(profile.operators))
        unit = common_unit([operator.seconds for operator in profile.operators])
        for row, operator in enumerate(profile.operators):
            title, tip = describe_operator(operator.name)
            share = f"{100 * operator.share:.1f}".replace(".", self.locale().decimalPoint()) + " %"
            time = self.tr("{time} ± {spread}").format(
                time=in_unit(operator.seconds, unit), spread=in_unit(operator.spread, unit)
            )
            texts = (title, share, number(operator.calls, 3), time)
            self.table.show_row(row, texts, operator.share, tip=tip)
