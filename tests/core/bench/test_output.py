"""Rows of a benchmark as CSV and JSON; and the name of the processor in captions."""

import json
import subprocess
from types import SimpleNamespace

import pytest

from core.bench import output
from core.bench.output import export, figure_of
from core.bench.rows import Bench, Chart, Row, Table

COLUMNS = {
    "device": "device",
    "n": "size, pixels",
    "s": "seconds",
    "theirs": "seconds, published",
}
ROWS = [
    Row("t", {"device": device, "n": n, "s": n * factor, "theirs": 2.0 if n == 10 else None})
    for device, factor in (("a", 0.001), ("b", 0.5)) for n in (1, 10, 100)
]  # fmt: skip
TABLE = Table("t", "Seconds against size", COLUMNS)


def test_a_csv_has_headings_and_empty_cells_for_missing_values(tmp_path):
    export(Bench("b", (TABLE,), lambda options: iter(ROWS)), ROWS, tmp_path)
    lines = (tmp_path / "b-t.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == 'device,"size, pixels",seconds,"seconds, published"'
    assert lines[1:3] == ["a,1,0.001,", "a,10,0.01,2.0"]


def test_nan_and_infinity_are_null_in_json(tmp_path):
    rows = [Row("t", {"device": "a", "n": 1, "s": float("nan"), "theirs": float("inf")})]
    export(Bench("b", (TABLE,), lambda options: iter(rows)), rows, tmp_path)
    content = json.loads((tmp_path / "b.json").read_text(encoding="utf-8"))
    assert content["tables"]["t"]["rows"] == [{"device": "a", "n": 1, "s": None, "theirs": None}]


def test_each_table_with_rows_is_written_as_csv(tmp_path):
    bench = Bench("b", (TABLE, Table("empty", "", COLUMNS)), lambda options: iter(ROWS))
    written = export(bench, ROWS, tmp_path / "new", ["a note"])
    assert [path.name for path in written] == ["b.json", "b-t.csv"]
    content = json.loads(written[0].read_text(encoding="utf-8"))
    assert content["machine"]
    assert content["card"] is None
    assert content["remarks"] == ["a note"]
    assert content["tables"]["t"]["rows"] == [row.values for row in ROWS]


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


def test_a_chart_has_a_line_for_each_device_and_one_for_the_published_values(tmp_path):
    chart = Chart("size", "seconds", "device", "thesis", is_logarithmic=True)
    columns = {key: key for key in ("device", "size", "seconds", "thesis")}
    table = Table("product", "Product", columns, chart)
    bench = Bench("operators", (table,), lambda options: iter(()))
    rows = [
        Row("product", {"device": device, "size": n, "seconds": n / 1000, "thesis": n / 500})
        for device in ("vectorized", "sequential")
        for n in (50, 100)
    ]
    written = export(bench, rows, tmp_path)
    text = next(path for path in written if path.suffix == ".svg").read_text()
    assert text.count("<polyline") == 4
    assert "vectorized, published" in text
    assert figure_of(table, []) is None
