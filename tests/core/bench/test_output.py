"""Rows of a benchmark as CSV, JSON, PNG and SVG."""

import json

import pytest
from PIL import Image

from core.bench.output import draw, export, to_csv, to_json
from core.bench.rows import Bench, Chart, Row, Table

COLUMNS = (("device", "device"), ("n", "size, pixels"), ("s", "seconds"), ("theirs", "seconds, published"))
ROWS = [
    Row("t", {"device": device, "n": n, "s": n * factor, "theirs": 2.0 if n == 10 else None})
    for device, factor in (("a", 0.001), ("b", 0.5)) for n in (1, 10, 100)
]  # fmt: skip


def table(**chart):
    return Table("t", "Seconds against size", COLUMNS, Chart(**chart) if chart else None)


def axes_of(table, rows):
    return draw(table, rows).axes[0]


def test_a_line_for_each_series_and_the_published_points_once():
    axes = axes_of(
        table(x="n", y="s", series=("device",), x_log=True, y_log=True, published={"s": "theirs"}), ROWS
    )
    lines = {line.get_label(): line for line in axes.lines}
    assert set(lines) == {"a", "b", "published"}
    assert list(lines["b"].get_ydata()) == [0.5, 5, 50]
    assert list(lines["published"].get_xdata()) == [10]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert axes.get_xlabel() == "size, pixels"


def test_a_line_without_a_series_is_named():
    axes = axes_of(table(x="n", y="s"), ROWS[:3])
    assert [line.get_label() for line in axes.lines] == ["measured here"]


def test_text_is_drawn_as_bars_with_its_names():
    rows = [
        Row("t", {"device": f"an operator of some length, {k}", "n": 1, "s": float(k)}) for k in range(12)
    ]
    axes = axes_of(table(x="device", y="s"), rows)
    assert [bar.get_width() for bar in axes.patches] == [float(k) for k in range(12)]
    assert [label.get_text() for label in axes.get_yticklabels()] == [row.values["device"] for row in rows]


def test_a_logarithmic_axis_has_dots_instead_of_bars():
    rows = [Row("t", {"device": name, "n": 1, "s": s}) for name, s in (("a", 1.0), ("b", 1000.0))]
    axes = axes_of(table(x="device", y="s", y_log=True), rows)
    assert not axes.patches
    assert list(axes.lines[0].get_xdata()) == [1, 1000]


def test_a_timeline_has_a_lane_for_each_stream_and_a_color_for_each_kernel():
    columns = (("kernel", "kernel"), ("stream", "stream"), ("start", "begins"), ("end", "ends"))
    rows = [
        Row("t", {"kernel": name, "stream": stream, "start": start, "end": end})
        for name, stream, start, end in (("copy", 2, 0, 10), ("product", 1, 10, 100), ("sum", 1, 100, 100.01))
    ]
    axes = axes_of(Table("t", "A step", columns, Chart("start", "stream", ("kernel",), end="end")), rows)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["stream 2", "stream 1"]
    assert axes.get_legend_handles_labels()[1] == ["copy", "product", "sum"]
    assert [bar.get_x() for bar in axes.patches] == [0, 10, 100]
    assert [bar.get_width() for bar in axes.patches] == pytest.approx([10, 90, 0.01])


@pytest.mark.parametrize("rows", [[], [Row("t", {"device": "a", "n": 1, "s": None})]])
def test_no_chart_without_measurements(rows):
    assert draw(table(x="n", y="s"), rows) is None


@pytest.mark.parametrize("values", [(0.0,), (3.0, 3.0), (-1.0, 2.0), (0.0, 1e-9), (1e12,)])
@pytest.mark.parametrize("logarithmic", [False, True])
def test_any_numbers_can_be_drawn(values, logarithmic):
    rows = [Row("t", {"device": "a", "n": k, "s": value}) for k, value in enumerate(values)]
    draw(table(x="n", y="s", x_log=logarithmic, y_log=logarithmic), rows).canvas.draw()


def test_a_csv_has_headings_and_empty_cells_for_missing_values():
    lines = to_csv(table(), ROWS).splitlines()
    assert lines[0] == 'device,"size, pixels",seconds,"seconds, published"'
    assert lines[1:3] == ["a,1,0.001,", "a,10,0.01,2.0"]


def test_nan_and_infinity_are_null_in_json():
    rows = [Row("t", {"device": "a", "n": 1, "s": float("nan"), "theirs": float("inf")})]
    content = json.loads(to_json(Bench("b", "B", (table(),), lambda options: iter(rows)), rows))
    assert content["tables"]["t"]["rows"] == [{"device": "a", "n": 1, "s": None, "theirs": None}]


def test_each_table_is_written_as_csv_png_and_svg(tmp_path):
    bench = Bench("b", "B", (table(x="n", y="s"), Table("empty", "", COLUMNS)), lambda options: iter(ROWS))
    written = export(bench, ROWS, tmp_path / "new", ["a note"])
    assert [path.name for path in written] == ["b.json", "b-t.csv", "b-t.png", "b-t.svg"]
    content = json.loads(written[0].read_text(encoding="utf-8"))
    assert content["machine"]
    assert content["card"] is None
    assert content["remarks"] == ["a note"]
    assert content["tables"]["t"]["rows"] == [row.values for row in ROWS]
    with Image.open(written[2]) as image:
        assert image.size == (960, 600)
    assert b"<svg" in written[3].read_bytes()


def test_without_matplotlib_the_tables_are_written(tmp_path, monkeypatch):
    monkeypatch.setattr("core.bench.output.is_available", lambda: False)
    bench = Bench("b", "B", (table(x="n", y="s"),), lambda options: iter(ROWS))
    assert [path.name for path in export(bench, ROWS, tmp_path)] == ["b.json", "b-t.csv"]
