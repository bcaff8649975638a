"""Comparisons: the source systems' measurements repeated on this machine, their figures beside ours."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QSizePolicy

from core.bench.catalogue import NAMES
from core.bench.rows import FULL, QUICK, Bench, Note, Options, Row, Table
from core.bench.series import quantities
from gui.background.failure import Failure
from gui.background.task_runner import Task, TaskControl, TaskRunner
from gui.devices.benchmark_chart import RowChart
from gui.devices.benchmark_format import titled
from gui.devices.benchmark_table import RowTable
from gui.devices.measurement_page import MeasuringPage, Waiting
from gui.settings.device_picker import DeviceList
from gui.widgets.basics import QuietComboBox, add_items, note, set_message
from gui.widgets.colours import Colours
from gui.widgets.flow_layout import FlowLayout, labeled

# Those that compare devices with each other; the others need a PyTorch beside us.
SHOWN = ("operators", "batch-size", "data-parallel", "devices", "cuda")


class ComparisonsPage(MeasuringPage):
    def __init__(self, devices: DeviceList) -> None:
        super().__init__(
            "bench", self.tr("Run"), self.tr("Measure this on all devices that are here, one after another.")
        )
        self._devices = devices
        self.bench: Bench | None = None
        self.rows: list[Row] = []
        self._exporter = TaskRunner(self)
        self._exporter.records.connect(self._on_written)
        self._exporter.ended.connect(self._on_exported)
        self._follows = True
        self._titles = {
            "operators": self.tr("Matrix product and sum against size"),
            "batch-size": self.tr("Time and accuracy against the size of batches"),
            "data-parallel": self.tr("Speed-up of workers; R²"),
            "devices": self.tr("Each device against plain loops"),
            "cuda": self.tr("What makes the graphics card fast"),
        }
        some = self.tr("some minutes")
        self._lengths = {
            "operators": some, "batch-size": some, "data-parallel": some,
            "devices": some, "cuda": self.tr("under eight minutes"),
        }  # fmt: skip
        self.box, self.size_box = QuietComboBox(), QuietComboBox()
        self.about = note(name="benchAbout")
        self.table_box = QuietComboBox()
        self.quantity_box = QuietComboBox()
        self.chart = RowChart()
        self.table = RowTable()
        self.remarks = note(name="benchRemarks")
        self.export_button = self._button(
            self.tr("E&xport…"), "benchExport", self.tr("Save the tables as CSV and the charts as PNG."),
            self._ask_folder,
        )  # fmt: skip
        self._fill_boxes()
        self._lay_out()
        devices.chosen.connect(self._show_card)
        self._show_card()
        self._describe()

    def _fill_boxes(self) -> None:
        names = [name for name in SHOWN if name in NAMES]
        add_items(self.box, [(name, self._titles[name], "") for name in names])
        self.box.setObjectName("benchBox")
        self.box.setAccessibleName(self.tr("Comparison"))
        self.box.setToolTip(
            self.tr("What to measure; the published figures stand beside what is found here.")
        )
        self.box.currentIndexChanged.connect(self._describe)
        self.size_box.setObjectName("benchSizeBox")
        self.size_box.setAccessibleName(self.tr("Sizes"))
        self.size_box.setToolTip(
            self.tr("Quick leaves the largest sizes out; full has all that were published.")
        )
        add_items(self.size_box, [("quick", self.tr("quick"), ""), ("full", self.tr("full"), "")])
        self.size_box.currentIndexChanged.connect(self._describe)
        self.table_box.setObjectName("benchTableBox")
        self.table_box.setAccessibleName(self.tr("Table"))
        self.table_box.setToolTip(self.tr("Which of the comparison's tables is shown."))
        self.table_box.activated.connect(self._choose_table)
        self.quantity_box.setObjectName("benchQuantityBox")
        self.quantity_box.setAccessibleName(self.tr("Quantity"))
        self.quantity_box.setToolTip(self.tr("Which column of the table the chart shows."))
        self.quantity_box.activated.connect(self._draw_chart)
        for box in (self.table_box, self.quantity_box):
            box.hide()
        for box in (self.box, self.table_box, self.quantity_box):
            box.setMinimumContentsLength(18)

    def _lay_out(self) -> None:
        row = FlowLayout()
        row.addWidget(labeled(self.tr("&What"), self.box, grows=True))
        row.addWidget(labeled(self.tr("Si&zes"), self.size_box))
        self.column.addLayout(row)
        self.column.addWidget(self.about)
        self.buttons.addWidget(self.export_button)
        self.add_controls()
        row = FlowLayout()
        for box in (self.table_box, self.quantity_box):
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            row.addWidget(box)
        self.column.addLayout(row)
        self.column.addWidget(self.chart, 1)
        self.column.addWidget(self.table)
        self.column.addWidget(self.remarks)
        self.column.addStretch(0)
        self._show_table()

    def _describe(self) -> None:
        """What is measured, and how long that takes."""
        name = self.box.currentData()
        quick = self.size_box.currentData() == "quick"
        length = self.tr("under half a minute on two cores") if quick else self._lengths.get(name, "")
        text = NAMES.get(name, "")
        set_message(
            self.about, self.tr("{what}. Takes {time}.").format(what=text[:1].upper() + text[1:], time=length)
        )

    def _show_card(self) -> None:
        """What only a card can answer cannot be chosen without one."""
        place, model = self.box.findData("cuda"), self.box.model()
        known = {info.name: info for info in self._devices.known()}
        if place >= 0 and "cuda" in known:
            model.item(place).setEnabled(known["cuda"].available)  # type: ignore[attr-defined]
            self.box.setItemData(place, known["cuda"].reason, Qt.ItemDataRole.ToolTipRole)

    # -- measuring ----------------------------------------------------------------------------------------

    def task(self) -> Task | None:
        name, quick = str(self.box.currentData()), self.size_box.currentData() == "quick"
        measuring = self.tr("measuring…")
        self.bench, self.rows = None, []

        def measure(control: TaskControl) -> Generator[Any]:
            yield Waiting(measuring)
            from core.bench.catalogue import find_bench

            bench = find_bench(name)
            yield bench
            yield Waiting(measuring)
            for row in _from(bench, Options(QUICK if quick else FULL, check=control.check)):
                yield row
                yield Waiting(measuring)

        return measure

    def take(self, records: list[Any]) -> None:
        for record in records:
            if isinstance(record, Bench):
                self._begin(record)
            elif isinstance(record, Note):
                text = self.remarks.text()
                set_message(self.remarks, f"{text}\n{record.text}" if text else record.text)
            else:
                self.rows.append(record)
        if self.rows:
            if self._follows:
                self.table_box.choose(self.rows[-1].table)
            self._show_table()
            self.refresh()

    def _begin(self, bench: Bench) -> None:
        self.bench = bench
        self._follows = True
        self.table_box.clear()
        add_items(self.table_box, [(table.name, table.title, "") for table in bench.tables])
        set_message(self.remarks, "")
        self._show_table()

    def rest(self, stopped: bool) -> None:
        if stopped:
            self.banner.show_text(self.tr("Stopped; what was measured before stays."))

    def refresh(self) -> None:
        super().refresh()
        busy = self.runner.busy
        for box in (self.box, self.size_box):
            box.setEnabled(not busy)
        self.export_button.setEnabled(bool(self.rows) and not self._exporter.busy)

    # -- showing ------------------------------------------------------------------------------------------

    def _choose_table(self) -> None:
        """From now on the table that the person chose stays."""
        self._follows = False
        self._show_table()

    def _show_table(self) -> None:
        """Nothing but room before there is a row."""
        for part in (self.table_box, self.chart, self.table):
            part.setVisible(bool(self.rows))
        if self.bench is None:
            return
        table = self.bench.table(str(self.table_box.currentData()))
        rows = [row for row in self.rows if row.table == table.name]
        self.table.show_rows(table, rows)
        self._fill_quantities(table, rows)
        self._draw_chart()

    def _fill_quantities(self, table: Table, rows: list[Row]) -> None:
        """The choice stays as long as the table has such a column."""
        keys = quantities(table, rows)
        if keys and keys != [self.quantity_box.itemData(k) for k in range(self.quantity_box.count())]:
            before = self.quantity_box.currentData()
            self.quantity_box.clear()
            add_items(self.quantity_box, [(key, titled(table.heading(key)), "") for key in keys])
            self.quantity_box.choose(before if before in keys else keys[0])
        self.quantity_box.setVisible(len(keys) > 1)

    def _draw_chart(self) -> None:
        if self.bench is None:
            return
        table = self.bench.table(str(self.table_box.currentData()))
        rows = [row for row in self.rows if row.table == table.name]
        self.chart.setVisible(bool(rows) and table.chart is not None)
        self.chart.show_rows(table, rows, str(self.quantity_box.currentData() or ""))

    def _ask_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder for the tables and charts"))
        if folder:
            self.export(Path(folder))

    def export(self, folder: Path) -> None:
        """Write what there is into `folder`, in the background."""
        bench, rows, remarks = self.bench, list(self.rows), self.remarks.text().splitlines()
        if bench is None or self._exporter.busy:
            return

        def write(control: TaskControl) -> Generator[list[Path]]:
            from core.bench.export import export

            yield export(bench, rows, folder, remarks)

        self._exporter.start(write)
        self.refresh()

    def _on_written(self, records: list[list[Path]]) -> None:
        (paths,) = records
        text = self.tr("Written to {folder}: {files}.")
        names = ", ".join(path.name for path in paths)
        self.banner.show_text(text.format(folder=paths[0].parent, files=names), "good")

    def _on_exported(self, failure: Failure | None) -> None:
        self.refresh()
        if failure:
            self.banner.show_text(failure.text, "bad", failure.details)

    def close_background(self) -> None:
        super().close_background()
        self._exporter.close()

    def apply_theme(self, colours: Colours) -> None:
        super().apply_theme(colours)
        self.chart.apply_theme(colours)


def _from(bench: Bench, options: Options) -> Generator[Any]:
    """The bench's rows; closing this closes them."""
    yield from bench.iter_rows(options)
