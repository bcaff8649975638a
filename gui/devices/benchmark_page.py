"""Comparisons: the measurements of the source systems repeated on this machine, with their
published values.
"""

import re
from collections.abc import Generator, Sequence
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any

from PySide6.QtCore import QCoreApplication, QModelIndex, Qt
from PySide6.QtSvgWidgets import QSvgWidget
from PySide6.QtWidgets import (
    QComboBox,
    QScrollArea,
    QSizePolicy,
)

from core.bench import NAMES
from core.bench.output import figure_of
from core.bench.rows import FULL, QUICK, Bench, Options, Row, Table
from core.html.chart import figure_svg
from gui.background.task_runner import Task, TaskControl
from gui.devices.measurement_page import ExportContent, Inputs, MeasurementPage
from gui.text import about, common_unit, count, in_unit, number
from gui.widgets import make
from gui.widgets.basics import FitsOnResize, named, show_availability
from gui.widgets.dialogs import ask_open
from gui.widgets.messages import note, set_message
from gui.widgets.tables import Column, RecordModel, RecordTable
from gui.widgets.theme import theme

# Those that compare with PyTorch.
_WITH_TORCH = ("dense", "convolution")
_CHART_HEIGHT = 240  # pixels at a text size of 100 %


class BenchmarkPage(MeasurementPage):
    def __init__(self, inputs: Inputs) -> None:
        start_tip = self.tr("Measure this on all devices that are here, one after another.")
        super().__init__("bench", self.tr("Run"), start_tip, inputs)
        self.bench: Bench | None = None
        self.rows: list[Row] = []
        self._torch_python: Path | None = None
        self._follows = True
        titles = {
            "operators": self.tr("Matrix product and sum against size"),
            "batch-size": self.tr("Time and accuracy against batch size"),
            "data-parallel": self.tr("Speed-up of workers; R²"),
            "devices": self.tr("Each device against plain loops"),
            "convolution": self.tr("Convolutional network against PyTorch"),
            "dense": self.tr("Dense network against PyTorch"),
            "cuda": self.tr("The thesis's steps to a fast graphics card"),
        }
        items = [(name, titles.get(name, name), titles.get(name, "")) for name in NAMES]
        box_tip = self.tr(
            "What to measure; the published figures are shown beside those of this machine."
        )
        self.box = make.combo(
            "benchBox", self.tr("Comparison"), box_tip, items, self._describe, characters=16
        )
        size_tip = self.tr("Quick leaves the largest sizes out; full has all that were published.")
        items = [("quick", self.tr("quick"), ""), ("full", self.tr("full"), "")]
        self.size_box = make.combo(
            "benchSizeBox", self.tr("Sizes"), size_tip, items, self._describe
        )
        table_tip = self.tr("Which of the comparison's tables is shown.")
        self.table_box = make.combo("benchTableBox", self.tr("Table"), table_tip, characters=16)
        # Its titles are long: where there is no space beside it, the next box goes to the next
        # line.
        self.table_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.table_box.activated.connect(self._choose_table)
        self.about = note(name="benchAbout")
        self.table = BenchmarkTable()
        self.chart = named(QSvgWidget(), "benchChart", self.tr("Chart of the measurements"))
        self.chart.setMinimumHeight(theme().px(_CHART_HEIGHT))
        self.remarks = note(name="benchRemarks")
        self.torch_button = make.button(
            self.tr("P&yTorch…"),
            "benchTorchButton",
            self.tr("Choose a Python interpreter that has PyTorch, to compare with it."),
            self._ask_torch,
        )
        self.torch_label = note(name="benchTorch")
        self.locked = (self.box, self.size_box)
        self.notes = (self.remarks,)
        what = make.FlowLayout(make.labeled(self.tr("&What"), self.box, grows=True))
        what.addWidget(make.labeled(self.tr("Si&zes"), self.size_box))
        self.table_box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        what.addWidget(self.torch_button)
        hint = self.tr(
            "Choose a comparison and press Run: table and chart appear here while it is measured."
        )
        above = (what, self.about, self.torch_label)
        results = self.table_box, self.chart, self.table, self.remarks
        self.lay_out(self.tr("Comparisons"), above, results, hint)
        self._describe()

    def show_devices(self) -> None:
        """Disable the comparison `cuda` where the device of that name is not available."""
        show_availability(self.box, self._devices.known())

    def _describe(self) -> None:
        name = self.box.currentData()
        length = self.tr("some minutes")
        if self.size_box.currentData() == "quick":
            length = self.tr("under half a minute on two cores")
        what = NAMES.get(name, "")
        text = self.tr("{what}. Takes {time}.")
        set_message(self.about, text.format(what=what[:1].upper() + what[1:], time=length))
        self.torch_button.setVisible(name in _WITH_TORCH)

    def _ask_torch(self) -> None:
        path = ask_open(self, self._folder, self.tr("Choose a Python interpreter that has PyTorch"))
        if path:
            self._torch_python = path
            set_message(self.torch_label, str(path))

    def task(self) -> Task | None:
        name = str(self.box.currentData())
        sizes = QUICK if self.size_box.currentData() == "quick" else FULL
        torch = self._torch_python
        measuring = partial(self.say, self.tr("measuring…"))
        self.bench = None
        self.rows = []

        def measure(control: TaskControl) -> Generator[Any]:
            yield measuring
            from core.bench import find_bench, iter_bench

            bench = find_bench(name)
            yield partial(self.begin, bench)
            yield measuring
            for row in iter_bench(bench, Options(sizes, torch_python=torch, check=control.check)):
                yield partial(row.add_to, self)
                yield measuring

        return measure

    def begin(self, bench: Bench) -> None:
        self.bench = bench
        self._follows = True
        items = [(table.name, table.title, table.title) for table in bench.tables]
        make.fill(self.table_box, items)
        set_message(self.remarks, "")

    def add_note(self, text: str) -> None:
        before = self.remarks.text()
        set_message(self.remarks, f"{before}\n{text}" if before else text)

    def add_row(self, row: Row) -> None:
        self.rows.append(row)
        if self._follows:
            self.table_box.choose(row.table)
        self.show_results()
        self._show_table()
        self.refresh()

    def on_finished(self, stopped: bool) -> None:
        if stopped:
            self.banner.show_text(self.tr("Stopped; the measurements so far are kept."))

    def export_content(self) -> ExportContent | None:
        if self.bench is None or not self.rows:
            return None
        # A copy: it is written in another thread while rows are added.
        return self.bench, list(self.rows), self.remarks.text().splitlines()

    def _choose_table(self) -> None:
        """Keep the table that was chosen, instead of following the measurement."""
        self._follows = False
        self._show_table()

    def _show_table(self) -> None:
        if self.bench is None:
            return
        table = self.bench.table(str(self.table_box.currentData()))
        rows = [row for row in self.rows if row.table == table.name]
        self.table.show_rows(table, rows)
        figure = figure_of(table, rows)
        self.chart.setVisible(figure is not None)
        if figure is not None:
            colors = theme().colors
            self.chart.load(figure_svg(figure, colors.text, colors.grid))
            self.chart.renderer().setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)


HEADING_WIDTH = 14  # letters in a line of a heading


class BenchmarkTable(FitsOnResize, RecordTable):
    """All its rows are visible. A record holds the texts of a row."""

    def __init__(self) -> None:
        super().__init__(RecordModel(()), "benchTable", self.tr("Measurements"), shows_all=True)
        self.setAlternatingRowColors(True)
        self.use_fixed_widths()
        # It would elide a heading of two lines.
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideNone)
        self.selectionModel().currentRowChanged.connect(self._scroll_to_row)

    def show_rows(self, table: Table, rows: Sequence[Row]) -> None:
        """Show `rows` of this table; texts are left-aligned, numbers right-aligned."""
        values = [[row.values.get(key) for row in rows] for key in table.columns]
        headings = [*table.columns.values()]
        texts = map(format_cells, headings, values)
        records = list(zip(*texts, strict=True))
        is_text = [any(isinstance(value, str) for value in column) for column in values]
        self.record_model.show_records(
            records, list(map(_column, range(len(values)), headings, is_text))
        )

    def fit(self) -> None:
        """Share the width among the columns."""
        self.fit_height()
        columns = range(len(self.record_model.columns))
        needs = {k: max(self.heading_width(k), self.sizeHintForColumn(k)) for k in columns}
        self.fit_columns(needs, stretch=tuple(columns))

    def _scroll_to_row(self, index: QModelIndex) -> None:
        """Scroll the page so that the row of the arrow keys is visible."""
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        page = area.widget() if area else None
        if area is None or page is None or not index.isValid():
            return
        cell = self.visualRect(index)
        center = self.viewport().mapTo(page, cell.center())
        area.ensureVisible(center.x(), center.y(), 0, cell.height())


def _column(index: int, heading: str, is_text: bool) -> Column[tuple[str, ...]]:
    return Column(
        fill(time_heading(heading), HEADING_WIDTH),
        "",
        lambda r: r[index],
        is_number=not is_text,
    )


_SECONDS = re.compile(r"\bseconds\b")


def time_heading(heading: str) -> str:
    """The heading without the unit of time, which the cells contain."""
    return _SECONDS.sub(QCoreApplication.translate("Figures", "time"), heading, count=1)


def format_cells(heading: str, values: Sequence[Any]) -> list[str]:
    """The cells of a column; times have one unit in the whole column."""
    if _SECONDS.search(heading):
        unit = common_unit([value for value in values if value is not None])
        return ["–" if value is None else in_unit(value, unit) for value in values]
    return list(map(_format_cell, values))


def _format_cell(value: Any) -> str:
    """`1,234`, `51.8 M`."""
    # Booleans first: to Python they are numbers.
    if value is None or isinstance(value, str | bool):
        return "–" if value is None else str(value)
    if abs(value) >= 1e6:
        return about(round(value))
    if value == int(value) or abs(value) >= 1000:
        return count(value)
    return number(value, 4)
