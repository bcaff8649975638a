"""Rows of a benchmark as CSV, JSON and SVG; and the name of the processor in captions."""

import json
import subprocess
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from core.bench import output
from core.bench.output import export, figure_of
from core.bench.rows import Bench, Chart, Row, Table
from core.html.chart import chart_svg

COLUMNS = (
    ("device", "device"),
    ("n", "size, pixels"),
    ("s", "seconds"),
    ("theirs", "seconds, published"),
)
ROWS = [
    Row("t", {"device": device, "n": n, "s": n * factor, "theirs": 2.0 if n == 10 else None})
    for device, factor in (("a", 0.001), ("b", 0.5)) for n in (1, 10, 100)
]  # fmt: skip


def table(**chart):
    return Table("t", "Seconds against size", COLUMNS, Chart(**chart) if chart else None)


def test_a_line_for_each_series_and_the_published_points_once():
    figure = figure_of(
        table(x="n", y="s", series=("device",), x_log=True, y_log=True, published={"s": "theirs"}),
        ROWS,
    )
    lines = {line.name: line for line in figure.lines}
    assert set(lines) == {"a", "b", "published"}
    assert list(lines["b"].y) == [0.5, 5, 50]
    assert list(lines["published"].x) == [10]
    assert figure.x.logarithmic
    assert figure.y.logarithmic
    assert figure.x.title == "size, pixels"
    drawn = chart_svg(figure, figure.title).decode()
    assert drawn.count("<polyline") == 3
    assert all(
        f">{text}</text>" in drawn
        for text in ("a", "b", "published", "size, pixels", "Seconds against size")
    )


def test_a_line_without_a_series_is_named():
    assert [line.name for line in figure_of(table(x="n", y="s"), ROWS[:3]).lines] == [
        "measured here"
    ]


def test_text_is_drawn_as_bars_with_its_names():
    rows = [
        Row("t", {"device": f"an operator of some length, {k}", "n": 1, "s": float(k)})
        for k in range(12)
    ]
    figure = figure_of(table(x="device", y="s"), rows)
    assert [(bar.start, bar.end) for bar in figure.bars] == [(0, float(k)) for k in range(12)]
    assert list(figure.lanes) == [row.values["device"] for row in rows]
    assert all(
        f">{name}</text>" in chart_svg(figure, figure.title).decode() for name in figure.lanes
    )


def test_a_logarithmic_axis_has_dots_instead_of_bars():
    rows = [Row("t", {"device": name, "n": 1, "s": s}) for name, s in (("a", 1.0), ("b", 1000.0))]
    figure = figure_of(table(x="device", y="s", y_log=True), rows)
    assert [(bar.end, bar.dot) for bar in figure.bars] == [(1, True), (1000, True)]


def test_a_timeline_has_a_lane_for_each_stream_and_a_color_for_each_kernel():
    columns = (("kernel", "kernel"), ("stream", "stream"), ("start", "begins"), ("end", "ends"))
    rows = [
        Row("t", {"kernel": name, "stream": stream, "start": start, "end": end})
        for name, stream, start, end in (
            ("copy", 2, 0, 10),
            ("product", 1, 10, 100),
            ("sum", 1, 100, 100.01),
        )
    ]
    figure = figure_of(
        Table("t", "A step", columns, Chart("start", "stream", ("kernel",), end="end")), rows
    )
    assert list(figure.lanes) == ["stream 2", "stream 1"]
    assert list(figure.legend) == ["copy", "product", "sum"]
    assert [(bar.lane, bar.start, bar.end, bar.series) for bar in figure.bars] == [
        (0, 0, 10, 0), (1, 10, 100, 1), (1, 100, 100.01, 2)
    ]  # fmt: skip


@pytest.mark.parametrize("rows", [[], [Row("t", {"device": "a", "n": 1, "s": None})]])
def test_no_chart_without_measurements(rows):
    assert figure_of(table(x="n", y="s"), rows) is None


@pytest.mark.parametrize(
    "values", [(0.0,), (3.0, 3.0), (-1.0, 2.0), (0.0, 1e-9), (1e12,), (1e308, 1.0), (5e-324, 1.0)]
)
@pytest.mark.parametrize("logarithmic", [False, True])
@pytest.mark.parametrize("x", ["n", "device"])
def test_any_numbers_can_be_drawn(values, logarithmic, x):
    rows = [Row("t", {"device": "a", "n": k, "s": value}) for k, value in enumerate(values)]
    figure = figure_of(table(x=x, y="s", x_log=logarithmic, y_log=logarithmic), rows)
    ElementTree.fromstring(chart_svg(figure, figure.title))


def test_a_csv_has_headings_and_empty_cells_for_missing_values(tmp_path):
    export(Bench("b", (table(),), lambda options: iter(ROWS)), ROWS, tmp_path)
    lines = (tmp_path / "b-t.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == 'device,"size, pixels",seconds,"seconds, published"'
    assert lines[1:3] == ["a,1,0.001,", "a,10,0.01,2.0"]


def test_nan_and_infinity_are_null_in_json(tmp_path):
    rows = [Row("t", {"device": "a", "n": 1, "s": float("nan"), "theirs": float("inf")})]
    export(Bench("b", (table(),), lambda options: iter(rows)), rows, tmp_path)
    content = json.loads((tmp_path / "b.json").read_text(encoding="utf-8"))
    assert content["tables"]["t"]["rows"] == [{"device": "a", "n": 1, "s": None, "theirs": None}]


def test_each_table_is_written_as_csv_and_svg(tmp_path):
    bench = Bench(
        "b", (table(x="n", y="s"), Table("empty", "", COLUMNS)), lambda options: iter(ROWS)
    )
    written = export(bench, ROWS, tmp_path / "new", ["a note"])
    assert [path.name for path in written] == ["b.json", "b-t.csv", "b-t.svg"]
    content = json.loads(written[0].read_text(encoding="utf-8"))
    assert content["machine"]
    assert content["card"] is None
    assert content["remarks"] == ["a note"]
    assert content["tables"]["t"]["rows"] == [row.values for row in ROWS]
    assert b'width="960" height="600"' in written[2].read_bytes()


def test_macos_is_asked_for_the_name_of_the_processor(monkeypatch):
    monkeypatch.setattr(output, "sys", SimpleNamespace(platform="darwin"))
    monkeypatch.setattr(
        output.subprocess,
        "run",
        lambda command, **_: subprocess.CompletedProcess(command, 0, "Apple M3\n", ""),
    )
    assert output.machine_name().startswith("Apple M3, ")


def test_windows_is_asked_for_the_name_of_the_processor(monkeypatch):
    monkeypatch.setattr(output, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setattr(output, "_windows_processor", lambda: "Intel Core i5-1240P ")
    assert output.machine_name().startswith("Intel Core i5-1240P, ")


@pytest.mark.parametrize("error", [OSError(), subprocess.CalledProcessError(1, "sysctl")])
def test_without_an_answer_the_architecture_is_named(monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(output, "sys", SimpleNamespace(platform="darwin"))
    monkeypatch.setattr(output.subprocess, "run", fail)
    assert len(output.machine_name().partition(",")[0]) > 1
