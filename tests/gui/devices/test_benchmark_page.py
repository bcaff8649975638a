"""The comparisons of the Devices tab, used as a person uses them."""

import re

from PySide6.QtWidgets import QApplication

from gui.text import count
from tests.gui.person import choose, choose_files
from tests.limits import LONG


def lines(page):
    """The points of the chart's lines by their names."""
    return {line.name: list(zip(line.x, line.y, strict=True)) for line in page.chart.figure.lines}


def test_a_comparison_is_stopped_and_exported(window, tab, qtbot, tmp_path):
    tab.chooser.setCurrentIndex(1)
    page = tab.comparisons
    assert not page.export_button.isEnabled()
    choose(page.box, "operators")
    assert "half a minute" in page.about.text()
    page.start_button.click()
    qtbot.waitUntil(lambda: len(page.rows) >= 4, timeout=LONG)
    page.stop_button.click()
    qtbot.waitUntil(lambda: not tab.busy, timeout=LONG)
    assert page.banner.text.text().startswith("Stopped")
    assert page.chart.isVisible()
    assert {"sequential", "vectorized"} <= set(lines(page))
    assert page.table.model().rowCount() == sum(
        row.table == page.rows[-1].table for row in page.rows
    )
    choose_files(tmp_path)
    page.export_button.click()
    qtbot.waitUntil(lambda: page.banner.text.text().startswith("Written"), timeout=LONG)
    assert (tmp_path / "operators-product.csv").read_text().startswith("device,size,seconds")
    assert (tmp_path / "operators-product.svg").stat().st_size > 1000


def test_published_values_are_drawn_with_the_measured_ones(tab):
    from core.bench import find_bench
    from core.bench.rows import Row

    page = tab.comparisons
    tab.chooser.setCurrentIndex(1)
    bench = find_bench("data-parallel")
    rows = [
        Row("points", {"points": n, "workers": 2, "speed_up": s, "published": p})
        for n, s, p in ((2500, 1.5, 0.374), (10000, 1.6, 0.902))
    ]
    page.show_records([bench, *rows])
    assert lines(page)["measured here"] == [(2500, 1.5), (10000, 1.6)]
    assert lines(page)["published"] == [(2500, 0.374), (10000, 0.902)]
    page.show_records(
        [
            Row("groups", {"workers": "2", "group": g, "speed_up": 1.5, "published": 1.1})
            for g in (2, 4)
        ]
    )
    assert page.table_box.currentData() == "groups"
    assert set(lines(page)) == {"2 workers", "2 workers, published"}
    page.show_records(
        [Row("groups", {"workers": "4", "group": 8, "speed_up": 1.9, "published": 1.3})]
    )
    assert set(lines(page)) == {
        "2 workers", "4 workers", "2 workers, published", "4 workers, published",
    }  # fmt: skip


def test_no_heading_names_a_source_by_a_letter():
    from core.bench import NAMES, find_bench

    for table in (table for name in NAMES for table in find_bench(name).tables):
        for text in (table.title, *dict(table.columns).values()):
            assert not re.search(r"\b[TULCB]\b", text), text


def test_rows_with_names_are_drawn_one_below_the_other(tab):
    from core.bench import find_bench
    from core.bench.rows import Row

    tab.chooser.setCurrentIndex(1)
    page = tab.comparisons
    page.show_records([find_bench("devices"), *(
        Row("dense", {"device": name, "images_per_second": speed})
        for name, speed in (("sequential", 1234.5), ("vectorized", 56789.0))
    )])  # fmt: skip
    assert list(page.chart.figure.lanes) == ["sequential", "vectorized"]
    assert [bar.end for bar in page.chart.figure.bars] == [1234.5, 56789.0]
    assert page.table.model().index(1, 1).data() == count(56789)


def test_the_table_shows_all_rows_and_the_page_scrolls_to_the_current_one(tab):
    from core.bench import find_bench
    from core.bench.rows import Row

    tab.chooser.setCurrentIndex(1)
    page = tab.comparisons
    page.show_records(
        [
            find_bench("operators"),
            *(
                Row(
                    "product",
                    {
                        "device": "sequential",
                        "size": 2**k,
                        "seconds": 1.482e-6 * 2**k,
                        "speed_up": 0.0531,
                    },
                )
                for k in range(12)
            ),
        ]
    )
    QApplication.processEvents()
    assert page.table.model().index(0, 2).data() == "1.48 µs"
    assert page.table.model().index(0, 4).data() == "1/19"
    assert "slower" in page.table.record_model.tip(page.table.record_model.records[0], 4)
    assert page.table.verticalScrollBar().maximum() == 0
    area = tab.stack.currentWidget()
    page.table.setFocus()
    page.table.setCurrentIndex(page.table.model().index(11, 0))
    last = page.table.visualRect(page.table.model().index(11, 0))
    seen = page.table.viewport().mapTo(area.viewport(), last.center())
    assert area.viewport().rect().contains(seen)


def test_published_ratios_stand_beside_the_baseline_that_they_were_measured_against(tab):
    """Unicamp's sequential loops were uncompiled, so its 77 belongs to plain Python and not to
    `sequential`.
    """
    from core.bench import find_bench
    from core.bench.rows import Row

    tab.chooser.setCurrentIndex(1)
    page = tab.comparisons
    page.show_records(
        [
            find_bench("devices"),
            *(
                Row(
                    "dense",
                    {
                        "device": name,
                        "images_per_second": speed,
                        "over_uncompiled": 100 * over,
                        "over_sequential": over,
                        "published_sequential": published,
                    },
                )
                for name, speed, over, published in (
                    ("sequential", 10.0, 1.0, None),
                    ("vectorized", 90.0, 9.0, 77.0),
                )
            ),
        ]
    )
    for quantity, factor, is_published in (
        ("over_uncompiled", 100, True),
        ("over_sequential", 1, False),
    ):
        choose(page.quantity_box, quantity)
        page.quantity_box.activated.emit(page.quantity_box.currentIndex())
        bars = page.chart.figure.bars
        assert [bar.end for bar in bars if not bar.published][1] == 9 * factor
        assert [(bar.lane, bar.end) for bar in bars if bar.published] == (
            [(1, 77)] if is_published else []
        )


def test_a_timeline_has_a_lane_for_each_stream_and_a_legend_entry_for_each_kernel(tab):
    from core.bench.rows import Bench, Chart, Row, Table

    columns = (
        ("kernel", "kernel"),
        ("stream", "stream"),
        ("start", "begins, µs"),
        ("end", "ends, µs"),
    )
    table = Table("step", "A step", columns, Chart("start", "stream", ("kernel",), end="end"))
    rows = [
        Row("step", {"kernel": kernel, "stream": stream, "start": start, "end": start + 5.0})
        for kernel, stream, start in (("copy", 1, 0.0), ("dense", 2, 3.0), ("copy", 1, 8.0))
    ]
    tab.chooser.setCurrentIndex(1)
    tab.comparisons.show_records([Bench("timeline", (table,), lambda options: iter(rows)), *rows])
    figure = tab.comparisons.chart.figure
    assert list(figure.lanes) == ["stream 1", "stream 2"]
    assert list(figure.legend) == ["copy", "dense"]
    assert [(bar.lane, bar.start, bar.end) for bar in figure.bars] == [
        (0, 0, 5),
        (1, 3, 8),
        (0, 8, 13),
    ]


def test_a_long_measurement_can_be_stopped(tab, qtbot):
    tab.chooser.setCurrentIndex(1)
    page = tab.comparisons
    choose(page.box, "data-parallel")
    choose(page.size_box, "full")
    page.start_button.click()
    qtbot.waitUntil(lambda: page.bench is not None, timeout=LONG)
    page.stop_button.click()
    qtbot.waitUntil(lambda: not tab.busy, timeout=LONG)
    assert page.banner.text.text().startswith("Stopped")
