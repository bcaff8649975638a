"""Comparisons: the measurements of the source systems repeated on this machine, with their published values."""

from collections.abc import Generator, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QHeaderView,
    QScrollArea,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from core.bench import NAMES
from core.bench.output import quantities
from core.bench.rows import FULL, QUICK, Bench, Note, Options, Row, Table
from gui.background.task_runner import Task, TaskControl
from gui.devices.benchmark_chart import BenchmarkChart, describe_ratio, format_cells, time_heading
from gui.devices.measurement_page import ExportContent, KnownDevices, MeasurementPage, Waiting
from gui.widgets.basics import (
    CollapsibleButton,
    QuietComboBox,
    QuietSpinBox,
    add_items,
    named,
    note,
    set_message,
    show_availability,
)
from gui.widgets.flow_layout import FlowLayout, labeled
from gui.widgets.tables import LEFT, RIGHT, set_up_table

# Those that compare with PyTorch.
_WITH_TORCH = ("dense", "convolution", "cuda")


class BenchmarkPage(MeasurementPage):
    def __init__(self, devices: KnownDevices) -> None:
        super().__init__(
            "bench", self.tr("Run"), self.tr("Measure this on all devices that are here, one after another.")
        )
        self._devices = devices
        self.bench: Bench | None = None
        self.rows: list[Row] = []
        self._torch_python: Path | None = None
        self._follows = True
        self.box = self._combo_box("benchBox", self.tr("Comparison"),
            self.tr("What to measure; the published figures are shown beside those of this machine."))  # fmt: skip
        self.size_box = self._combo_box("benchSizeBox", self.tr("Sizes"),
            self.tr("Quick leaves the largest sizes out; full has all that were published."))  # fmt: skip
        self.table_box = self._combo_box("benchTableBox", self.tr("Table"),
            self.tr("Which of the comparison's tables is shown."))  # fmt: skip
        self.quantity_box = self._combo_box("benchQuantityBox", self.tr("Quantity"),
            self.tr("Which column of the table the chart shows."))  # fmt: skip
        self.about = note(name="benchAbout")
        self.chart = BenchmarkChart()
        self.table = BenchmarkTable()
        self.remarks = note(name="benchRemarks")
        self._fill_boxes()
        self._create_more()
        self._lay_out()
        devices.chosen.connect(self._show_devices)
        self._show_devices()
        self._describe()

    def _combo_box(self, name: str, title: str, tip: str) -> QuietComboBox:
        box = named(QuietComboBox(), name)
        box.setAccessibleName(title)
        box.setToolTip(tip)
        if name != "benchSizeBox":
            box.setMinimumContentsLength(16)
        if name == "benchTableBox":
            # Its titles are long: where there is no space beside it, the next box goes to the next line.
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        return box

    def _fill_boxes(self) -> None:
        titles = {
            "operators": self.tr("Matrix product and sum against size"),
            "batch-size": self.tr("Time and accuracy against batch size"),
            "data-parallel": self.tr("Speed-up of workers; R²"),
            "devices": self.tr("Each device against plain loops"),
            "convolution": self.tr("Convolutional network against PyTorch"),
            "augmentation": self.tr("Cost of augmentation"),
            "dense": self.tr("Dense network against PyTorch"),
            "cuda": self.tr("What makes the graphics card fast"),
        }
        add_items(self.box, [(name, titles.get(name, name), titles.get(name, "")) for name in NAMES])
        self.box.currentIndexChanged.connect(self._describe)
        add_items(self.size_box, [("quick", self.tr("quick"), ""), ("full", self.tr("full"), "")])
        self.size_box.currentIndexChanged.connect(self._describe)
        self.table_box.activated.connect(self._choose_table)
        self.quantity_box.activated.connect(self._draw_chart)
        for box in (self.table_box, self.quantity_box):
            box.hide()

    def _create_more(self) -> None:
        """Create the options that are rarely changed; a button shows them."""
        self.seed_box = self._spin_box("benchSeedBox", 0, 2**31 - 1, 0, self.tr("Seed"),
            self.tr("The seed of all random numbers of the measurement."))  # fmt: skip
        self.block_box = self._spin_box("benchBlockBox", 2, 32, 16, self.tr("Block side"),
            self.tr("For the graphics card: threads along each side of a block of the naive kernels."))  # fmt: skip
        self.torch_button = self.add_button(
            self.tr("P&yTorch…"), "benchTorchButton",
            self.tr("Choose a Python interpreter that has PyTorch, to compare with it."), self._ask_torch,
        )  # fmt: skip
        self.torch_label = note(name="benchTorch")
        self.busy_box = named(QCheckBox(self.tr("Beside b&usy programs")), "benchBusyBox")
        self.busy_box.setToolTip(
            self.tr(
                "For the dense network: measure also while another program keeps each processor core busy."
            )
        )
        self.more = QWidget()
        row = FlowLayout()
        row.addWidget(labeled(self.tr("S&eed"), self.seed_box))
        row.addWidget(labeled(self.tr("&Block side"), self.block_box))
        row.addWidget(self.torch_button)
        row.addWidget(self.torch_label)
        row.addWidget(self.busy_box)
        self.more.setLayout(row)
        self.more_button = named(CollapsibleButton(self.tr("More options"), self.more), "benchMoreButton")
        self.more_button.setToolTip(self.tr("Seed, block side, PyTorch and busy programs."))

    def _spin_box(
        self, name: str, minimum: int, maximum: int, value: int, title: str, tip: str
    ) -> QuietSpinBox:
        box = named(QuietSpinBox(), name)
        box.setRange(minimum, maximum)
        box.setValue(value)
        box.setAccessibleName(title)
        box.setToolTip(tip)
        return box

    def _lay_out(self) -> None:
        row = FlowLayout()
        row.addWidget(labeled(self.tr("&What"), self.box, grows=True))
        row.addWidget(labeled(self.tr("Si&zes"), self.size_box))
        self.column.addLayout(row)
        self.column.addWidget(self.about)
        self.column.addWidget(self.more_button)
        self.column.addWidget(self.more)
        self.add_export_button()
        self.add_controls()
        row = FlowLayout()
        for box in (self.table_box, self.quantity_box):
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            row.addWidget(box)
        self.column.addLayout(row)
        self.column.addWidget(self.chart, 1)
        self.column.addWidget(self.table)
        self.column.addWidget(self.remarks)
        self.add_empty_state(
            self.tr("Choose a comparison and press Run: table and chart appear here while it is measured."),
            self.table_box, self.chart, self.table,
        )  # fmt: skip

    def _describe(self) -> None:
        """Show what is measured, and how long it takes."""
        name = self.box.currentData()
        if self.size_box.currentData() == "quick":
            length = self.tr("under half a minute on two cores")
        else:
            length = self.tr("under eight minutes") if name == "cuda" else self.tr("some minutes")
        text = NAMES.get(name, "")
        set_message(
            self.about, self.tr("{what}. Takes {time}.").format(what=text[:1].upper() + text[1:], time=length)
        )
        self.block_box.setEnabled(name == "cuda")
        self.torch_button.setEnabled(name in _WITH_TORCH)
        self.busy_box.setEnabled(name == "dense")

    def _show_devices(self) -> None:
        """Disable the comparison `cuda` where the device of that name is not available."""
        show_availability(self.box, self._devices.known())

    def _ask_torch(self) -> None:
        title = self.tr("Choose a Python interpreter that has PyTorch")
        path, _ = QFileDialog.getOpenFileName(self, title)
        if path:
            self._torch_python = Path(path)
            set_message(self.torch_label, path)

    # -- measuring ----------------------------------------------------------------------------------------

    def task(self) -> Task | None:
        name = str(self.box.currentData())
        sizes = QUICK if self.size_box.currentData() == "quick" else FULL
        seed, block, torch_python = self.seed_box.value(), self.block_box.value(), self._torch_python
        busy = self.busy_box.isEnabled() and self.busy_box.isChecked()
        measuring = self.tr("measuring…")
        self.bench, self.rows = None, []

        def measure(control: TaskControl) -> Generator[Any]:
            yield Waiting(measuring)
            from core.bench import find_bench, iter_bench

            bench = find_bench(name)
            yield bench
            yield Waiting(measuring)
            options = Options(
                sizes, seed=seed, block=block, torch_python=torch_python, busy=busy, check=control.check
            )
            for row in iter_bench(bench, options):
                yield row
                yield Waiting(measuring)

        return measure

    def show_records(self, records: list[Any]) -> None:
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
            self.show_results()
            self._show_table()
            self.refresh()

    def _begin(self, bench: Bench) -> None:
        self.bench = bench
        self._follows = True
        self.table_box.clear()
        add_items(self.table_box, [(table.name, table.title, table.title) for table in bench.tables])
        set_message(self.remarks, "")

    def on_finished(self, stopped: bool) -> None:
        if stopped:
            self.banner.show_text(self.tr("Stopped; the measurements so far are kept."))

    def refresh(self) -> None:
        super().refresh()
        for widget in (self.box, self.size_box, self.more):
            widget.setEnabled(not self.runner.busy)

    def export_content(self) -> ExportContent | None:
        if self.bench is None or not self.rows:
            return None
        return self.bench, list(self.rows), self.remarks.text().splitlines()

    # -- showing ------------------------------------------------------------------------------------------

    def _choose_table(self) -> None:
        """Keep the table that was chosen, instead of following the measurement."""
        self._follows = False
        self._show_table()

    def _shown_rows(self) -> tuple[Table, list[Row]] | None:
        if self.bench is None:
            return None
        table = self.bench.table(str(self.table_box.currentData()))
        return table, [row for row in self.rows if row.table == table.name]

    def _show_table(self) -> None:
        if shown := self._shown_rows():
            self.table.show_rows(*shown)
            self._fill_quantities(*shown)
            self._draw_chart()

    def _fill_quantities(self, table: Table, rows: list[Row]) -> None:
        """List the columns that can be drawn; the chosen one stays chosen if the table has it."""
        keys = quantities(table, rows)
        if keys and keys != [self.quantity_box.itemData(k) for k in range(self.quantity_box.count())]:
            before = self.quantity_box.currentData()
            self.quantity_box.clear()
            add_items(self.quantity_box, [(key, time_heading(table.heading(key)), "") for key in keys])
            self.quantity_box.choose(before if before in keys else keys[0])
        self.quantity_box.setVisible(len(keys) > 1)

    def _draw_chart(self) -> None:
        if shown := self._shown_rows():
            table, rows = shown
            self.chart.setVisible(bool(rows) and table.chart is not None)
            self.chart.show_rows(table, rows, str(self.quantity_box.currentData() or ""))


HEADING_WIDTH = 14  # letters in a line of a heading


class BenchmarkTable(QTableWidget):
    def __init__(self) -> None:
        super().__init__(0, 0)
        set_up_table(self, "benchTable", self.tr("Measurements"))
        self.setAlternatingRowColors(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.currentCellChanged.connect(self._scroll_to_row)

    def show_rows(self, table: Table, rows: Sequence[Row]) -> None:
        """Show `rows` of this table; texts are left-aligned, numbers right-aligned."""
        self.setColumnCount(len(table.columns))
        self.setRowCount(len(rows))
        self.setHorizontalHeaderLabels(
            [fill(time_heading(heading), HEADING_WIDTH) for _, heading in table.columns]
        )
        for column, (key, heading) in enumerate(table.columns):
            values = [row.values.get(key) for row in rows]
            side = LEFT if any(isinstance(value, str) for value in values) else RIGHT
            header = self.horizontalHeaderItem(column)
            assert header
            header.setTextAlignment(side)
            for row, (value, text) in enumerate(zip(values, format_cells(heading, values), strict=True)):
                item = QTableWidgetItem(text)
                item.setToolTip(describe_ratio(heading, value))
                item.setTextAlignment(side)
                self.setItem(row, column, item)
        self._fit_height(len(rows))
        self._fit_last_column()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_last_column()

    def _fit_last_column(self) -> None:
        """Extend the last column, and so the stripes, to the right edge where all columns have their room."""
        header, columns = self.horizontalHeader(), range(self.columnCount())
        needed = sum(max(header.sectionSizeHint(c), self.sizeHintForColumn(c)) for c in columns)
        header.setStretchLastSection(needed <= self.viewport().width())

    def _fit_height(self, rows: int) -> None:
        bars = self.horizontalScrollBar().sizeHint().height() + 2 * self.frameWidth()
        height = self.horizontalHeader().sizeHint().height() + bars
        self.setFixedHeight(height + rows * self.verticalHeader().defaultSectionSize())

    def _scroll_to_row(self, row: int, column: int) -> None:
        """Scroll the page so that the row of the arrow keys is visible."""
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        page = area.widget() if area else None
        if area is None or page is None or row < 0:
            return
        cell = self.visualRect(self.model().index(row, 0))
        center = self.viewport().mapTo(page, cell.center())
        area.ensureVisible(center.x(), center.y(), 0, cell.height())
