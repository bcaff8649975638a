"""The comparisons of the Devices tab, used as a person uses them."""

import re

from PySide6.QtWidgets import QApplication, QScrollArea

from tests.gui.person import choose, choose_files
from tests.limits import LONG


def test_a_comparison_is_stopped_and_exported(window, tab, qtbot, tmp_path):
    tab.more.click()
    page = tab.comparisons
    assert not page.export_button.isEnabled()
    choose(page.box, "operators")
    assert "half a minute" in page.about.text()
    page.start_button.click()
    qtbot.waitUntil(lambda: len(page.rows) >= 4, timeout=LONG)
    page.stop_button.click()
    qtbot.waitUntil(lambda: not tab.busy, timeout=LONG)
    assert page.banner.text.text().startswith("Stopped")
    assert {row.values["device"] for row in page.rows} >= {"sequential", "vectorized"}
    assert page.table.model().rowCount() == sum(
        row.table == page.rows[-1].table for row in page.rows
    )
    choose_files(tmp_path)
    page.export_button.click()
    qtbot.waitUntil(lambda: page.banner.text.text().startswith("Written"), timeout=LONG)
    assert (tmp_path / "operators-product.csv").read_text().startswith("device,size,seconds")


def test_published_values_stand_beside_the_measured_ones(tab):
    from core.bench import find_bench
    from core.bench.rows import Row

    page = tab.comparisons
    tab.more.click()
    rows = [
        Row("points", {"points": n, "workers": 2, "speed_up": s, "published": p})
        for n, s, p in ((2500, 1.5, 0.374), (10000, 1.6, 0.902))
    ]
    page.begin(find_bench("data-parallel"))
    for row in rows:
        page.add_row(row)
    model = page.table.model()
    texts = {model.index(1, column).data() for column in range(model.columnCount())}
    assert {"1.6", "0.902"} <= texts
    group = {"workers": "2", "group": 2, "speed_up": 1.5, "published": 1.1}
    page.add_row(Row("groups", group))
    assert page.table_box.currentData() == "groups"


def test_no_heading_names_a_source_by_a_letter():
    from core.bench import NAMES, find_bench

    for table in (table for name in NAMES for table in find_bench(name).tables):
        for text in (table.title, *dict(table.columns).values()):
            assert not re.search(r"\b[TULCB]\b", text), text


def test_the_table_shows_all_rows_and_the_page_scrolls_to_the_current_one(tab, qtbot):
    from core.bench import find_bench
    from core.bench.rows import Row

    tab.more.click()
    page = tab.comparisons
    page.begin(find_bench("operators"))
    for k in range(12):
        seconds = 1.482e-6 * 2**k
        values = {"device": "sequential", "size": 2**k, "seconds": seconds, "speed_up": 0.0531}
        page.add_row(Row("product", values))
    QApplication.processEvents()
    assert page.table.model().index(0, 2).data() == "1.48 µs"
    assert page.table.model().index(0, 4).data() == "0.0531"
    assert page.table.verticalScrollBar().maximum() == 0
    area = tab.findChild(QScrollArea)
    inside = area.widget()
    # The page grows with its table.
    qtbot.waitUntil(
        lambda: page.table.mapTo(inside, page.table.rect().bottomLeft()).y() < inside.height(),
        timeout=LONG,
    )
    page.table.setFocus()
    page.table.setCurrentIndex(page.table.model().index(11, 0))
    last = page.table.visualRect(page.table.model().index(11, 0))
    seen = page.table.viewport().mapTo(area.viewport(), last.center())
    assert area.viewport().rect().contains(seen)


def test_a_long_measurement_can_be_stopped(tab, qtbot):
    tab.more.click()
    page = tab.comparisons
    choose(page.box, "data-parallel")
    choose(page.size_box, "full")
    page.start_button.click()
    qtbot.waitUntil(lambda: page.bench is not None, timeout=LONG)
    page.stop_button.click()
    qtbot.waitUntil(lambda: not tab.busy, timeout=LONG)
    assert page.banner.text.text().startswith("Stopped")
