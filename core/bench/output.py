"""The rows of a benchmark as files and charts: JSON for all tables, and for each a CSV and an
SVG.
"""

import json
import platform
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from math import log10
from pathlib import Path
from typing import Any

from core.bench import NAMES
from core.bench.rows import Bench, Chart, Row, Table
from core.files.atomic import write_atomically
from core.files.csv_text import csv_text
from core.files.json_text import without_nan
from core.html.chart import PUBLISHED, Axis, Bar, Figure, Line, chart_svg
from core.version import VERSION
from kernels.host import arithmetic, blas_variables, processor_count
from kernels.registry import probe


def machine_name() -> str:
    """Processor and number of cores, for the caption of a table."""
    return f"{_processor()}, {processor_count()} cores"


def card_info() -> dict[str, str]:
    """Name, driver and memory of the graphics card; starts CUDA if it is not started yet."""
    info = probe("cuda")
    return {"name": info.title, **info.details}


def _processor() -> str:
    """The name under which the processor is sold, or its architecture where the system does not
    tell.
    """
    try:
        if sys.platform == "win32":
            name = _windows_processor()
        elif sys.platform == "darwin":
            command = ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]
            name = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        else:
            lines = Path("/proc/cpuinfo").read_text().splitlines()
            name = next(
                (line.partition(":")[2] for line in lines if line.startswith("model name")), ""
            )
    except (OSError, subprocess.CalledProcessError):
        name = ""
    return name.strip() or platform.processor() or platform.machine()


def _windows_processor() -> str:
    if sys.platform != "win32":
        return ""
    import winreg

    with winreg.OpenKey(
        winreg.HKEY_LOCAL_MACHINE, r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
    ) as key:
        return str(winreg.QueryValueEx(key, "ProcessorNameString")[0])


def export(
    bench: Bench, rows: Sequence[Row], folder: Path, notes: Sequence[str] = ()
) -> list[Path]:
    """Write `<bench>.json`, and `<bench>-<table>.csv` and `.svg` for each table that has rows.

    Returns the paths written. Raises InputError where the folder cannot be written.
    """
    path = folder / f"{bench.name}.json"
    write_atomically(path, _json(bench, rows, notes).encode())
    written = [path]
    for table in bench.tables:
        table_rows = [row for row in rows if row.table == table.name]
        if not table_rows:
            continue
        path = folder / f"{bench.name}-{table.name}.csv"
        lines = ([row.values.get(key) for key, _ in table.columns] for row in table_rows)
        write_atomically(
            path, csv_text([[heading for _, heading in table.columns], *lines]).encode()
        )
        written.append(path)
        figure = figure_of(table, table_rows)
        if figure is not None:
            path = path.with_suffix(".svg")
            write_atomically(path, chart_svg(figure, figure.title))
            written.append(path)
    return written


def _json(bench: Bench, rows: Sequence[Row], notes: Sequence[str]) -> str:
    """The machine, the card if one was measured, the notes, and the columns and rows of each table.

    NaN and infinity, which JSON does not have, become null.
    """
    tables: dict[str, dict[str, Any]] = {}
    for row in rows:
        table = bench.table(row.table)
        shown = {"title": table.title, "columns": dict(table.columns), "rows": []}
        tables.setdefault(table.name, shown)["rows"].append(without_nan(row.values))
    # CUDA must not be started only to name the card.
    uses_card = bench.name == "cuda" or any(row.values.get("device") == "cuda" for row in rows)
    content: dict[str, Any] = {
        "bench": bench.name,
        "title": NAMES.get(bench.name, bench.name.capitalize()),
        "version": VERSION,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine_name(),
        "arithmetic": arithmetic(),
        "variables": blas_variables(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "card": card_info() if uses_card else None,
        "remarks": list(notes),
        "tables": tables,
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False, default=str) + "\n"


Points = list[tuple[float, float]]

MEASURED = "measured here"
"""The name of what is not published, where it needs one."""

# A column other than the chart's own y gets a logarithmic axis above this ratio of its largest to
# smallest value.
_WIDE = 50

# Minimum distance of two ticks at measured values, as a fraction of the axis.
_TICK_GAP = 0.06


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def quantities(table: Table, rows: Sequence[Row]) -> list[str]:
    """Keys of the columns that can be drawn, the chart's own y first."""
    chart = table.chart
    if chart is None:
        return []
    if chart.end:
        return [chart.y]
    others = [
        key
        for key, _ in table.columns
        if key not in (chart.x, chart.y, *chart.series, *chart.published.values())
        and any(_is_number(row.values.get(key)) for row in rows)
    ]
    return [chart.y, *others]


def _is_logarithmic(chart: Chart, quantity: str, values: Sequence[float]) -> bool:
    if not values or min(values) <= 0:
        return False
    return chart.y_log if quantity == chart.y else max(values) > _WIDE * min(values)


def _series_of(
    table: Table, rows: Sequence[Row], quantity: str
) -> tuple[dict[str, Points], dict[str, Points]]:
    """(measured, published) points by name of the series, x ascending.

    A chart without series has one series named "". Published points that are the same for several
    measured series are returned once, under "".
    """
    chart = table.chart
    assert chart
    key = chart.published.get(quantity)
    measured: dict[str, Points] = {}
    published: dict[str, Points] = {}
    for row in rows:
        if not _is_number(row.values.get(quantity)):
            continue
        name = _series_name(table, row)
        x = float(row.values[chart.x])
        measured.setdefault(name, []).append((x, float(row.values[quantity])))
        if key and _is_number(row.values.get(key)):
            published.setdefault(name, []).append((x, float(row.values[key])))
    points = [point for found in published.values() for point in found]
    shared = dict(points)
    if len(shared) < len(points) and all(shared[x] == y for x, y in points):
        published = {"": [*shared.items()]}
    return (
        {name: sorted(points) for name, points in measured.items()},
        {name: sorted(points) for name, points in published.items()},
    )


def _series_name(table: Table, row: Row) -> str:
    """Name of the series that a row belongs to: texts as they are, numbers with their heading."""
    assert table.chart
    parts = []
    for key in table.chart.series:
        value = row.values.get(key)
        if value is None:
            continue
        numeric = _is_number(value) or str(value).isdigit()
        parts.append(f"{value} {table.heading(key)}" if numeric else str(value))
    return ", ".join(parts)


def figure_of(table: Table, rows: Sequence[Row], quantity: str = "") -> Figure | None:
    """The table's chart, or None where it has none or no row has a number to draw.

    quantity: the column to draw; empty for the chart's own.
    """
    chart = table.chart
    if chart is None:
        return None
    quantity = quantity or chart.y
    rows = [row for row in rows if chart.end or _is_number(row.values.get(quantity))]
    if not rows:
        return None
    if chart.end:
        return _timeline(table, chart, rows)
    draw = _bars if isinstance(rows[0].values[chart.x], str) else _lines
    return draw(table, chart, rows, quantity)


def _lines(table: Table, chart: Chart, rows: Sequence[Row], quantity: str) -> Figure:
    measured, published = _series_of(table, rows, quantity)
    indices = {name: series for series, name in enumerate(measured)}
    lines = []
    for found, suffix in ((measured, ""), (published, PUBLISHED)):
        for name, points in found.items():
            title = ", ".join(filter(None, (name, suffix))) or MEASURED
            index = indices.get(name, len(indices))
            x, y = zip(*points, strict=True)
            lines.append(Line(title, x, y, True, bool(suffix), index))
    xs = [value for line in lines for value in line.x]
    ys = [value for line in lines for value in line.y]
    x_log = chart.x_log and min(xs) > 0
    x_ticks = (
        _spaced_ticks(sorted({x for points in measured.values() for x, _ in points}))
        if x_log
        else ()
    )
    return Figure(
        table.title,
        Axis(table.heading(chart.x), x_log, ticks=x_ticks),
        Axis(table.heading(quantity), _is_logarithmic(chart, quantity, ys), zero=min(ys) >= 0),
        lines,
    )


def _spaced_ticks(values: Sequence[float]) -> list[tuple[float, str]]:
    """Ticks of a logarithmic axis at the measured values, as far as there is room."""
    ticks: list[tuple[float, str]] = []
    for value in values:
        if not ticks or log10(value / ticks[-1][0]) > _TICK_GAP * log10(values[-1] / values[0]):
            ticks.append((value, f"{value:,g}"))
    return ticks


def _bars(table: Table, chart: Chart, rows: Sequence[Row], quantity: str) -> Figure:
    """Horizontal bars; dots on a logarithmic axis, where a bar's length has no meaning."""
    values = [float(row.values[quantity]) for row in rows]
    key = chart.published.get(quantity)
    published = {
        lane: float(row.values[key])
        for lane, row in enumerate(rows)
        if key and _is_number(row.values.get(key))
    }
    logarithmic = _is_logarithmic(chart, quantity, [*values, *published.values()])
    bars = [
        Bar(
            lane,
            value if logarithmic else 0.0,
            value,
            f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}",
            dot=logarithmic,
        )
        for lane, value in enumerate(values)
    ]
    bars += [Bar(lane, value, value, published=True) for lane, value in published.items()]
    names = [
        ", ".join(filter(None, (_series_name(table, row), str(row.values[chart.x]))))
        for row in rows
    ]
    axis = Axis(table.heading(quantity), logarithmic, zero=True)
    legend = (MEASURED, PUBLISHED) if published else ()
    return Figure(table.title, axis, Axis(), bars=bars, lanes=names, legend=legend)


def _timeline(table: Table, chart: Chart, rows: Sequence[Row]) -> Figure:
    assert chart.end
    lanes = list(dict.fromkeys(row.values[chart.y] for row in rows))
    names = list(dict.fromkeys(_series_name(table, row) for row in rows))
    bars = [
        Bar(
            lanes.index(row.values[chart.y]),
            float(row.values[chart.x]),
            float(row.values[chart.end]),
            series=names.index(_series_name(table, row)),
        )
        for row in rows
    ]
    titles = [f"{table.heading(chart.y)} {lane}" for lane in lanes]
    return Figure(
        table.title, Axis(table.heading(chart.x)), Axis(), bars=bars, lanes=titles, legend=names
    )
