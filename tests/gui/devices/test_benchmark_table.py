"""The table of a benchmark in narrow and wide pages."""

import pytest

from core.bench.rows import Row, Table
from gui.devices.benchmark_page import BenchmarkTable

COLUMNS = {"device": "device", "s": "seconds", "theirs": "over vectorized, Unicamp"}


@pytest.mark.parametrize("width", [150, 900])
def test_no_heading_is_cut_off(qtbot, width):
    table = BenchmarkTable()
    qtbot.addWidget(table)
    table.show_rows(Table("t", "Title", COLUMNS), [Row("t", {"device": "sequential", "s": 2.0})])
    table.resize(width, 200)
    table.show()
    header = table.horizontalHeader()
    assert all(header.sectionSize(column) >= header.sectionSizeHint(column) for column in range(3))
    assert header.length() >= table.viewport().width()  # the stripes go on to the edge
