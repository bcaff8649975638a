"""The rows of a benchmark as files and charts: JSON for all tables, and for each a CSV, a PNG and an SVG."""

import csv
import io
import json
import logging
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.bench.machine import card_info, machine_name
from core.bench.rows import Bench, Chart, Row, Table
from core.colors import SERIES_ON_LIGHT
from core.files.atomic import atomic_path, write_atomically
from core.version import VERSION

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def export(bench: Bench, rows: Sequence[Row], folder: Path, notes: Sequence[str] = ()) -> list[Path]:
    """Write `<bench>.json`, and `<bench>-<table>.csv`, `.png` and `.svg` for each table that has rows.

    Returns the paths written. Charts are left out where matplotlib is not installed. Raises InputError where
    the folder cannot be written.
    """
    path = folder / f"{bench.name}.json"
    write_atomically(path, to_json(bench, rows, notes).encode())
    written = [path]
    for table in bench.tables:
        table_rows = [row for row in rows if row.table == table.name]
        if not table_rows:
            continue
        path = folder / f"{bench.name}-{table.name}.csv"
        write_atomically(path, to_csv(table, table_rows).encode())
        written.append(path)
        if is_available():
            written += save_chart(table, table_rows, path)
    return written


def to_csv(table: Table, rows: Sequence[Row]) -> str:
    """Headings and rows, separated by commas; a value that does not apply is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([heading for _, heading in table.columns])
    for row in rows:
        writer.writerow([row.values.get(key) for key, _ in table.columns])
    return text.getvalue()


def to_json(bench: Bench, rows: Sequence[Row], notes: Sequence[str] = ()) -> str:
    """The machine, the card if one was measured, the notes, and the columns and rows of each table."""
    tables = {
        table.name: {
            "title": table.title, "columns": dict(table.columns),
            "rows": [_finite(row.values) for row in rows if row.table == table.name],
        }
        for table in bench.tables if any(row.table == table.name for row in rows)
    }  # fmt: skip
    content: dict[str, Any] = {
        "bench": bench.name, "title": bench.title, "version": VERSION,
        "time": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine_name(),
        "system": platform.platform(), "python": platform.python_version(),
        "card": card_info() if _uses_card(bench, rows) else None,
        "remarks": list(notes), "tables": tables,
    }  # fmt: skip
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False, default=str) + "\n"


def _finite(values: dict[str, Any]) -> dict[str, Any]:
    """Replaces NaN and infinity, which JSON does not have, by None."""
    return {k: None if isinstance(v, float) and not isfinite(v) else v for k, v in values.items()}


def _uses_card(bench: Bench, rows: Sequence[Row]) -> bool:
    """Whether CUDA was started by the measurement: it must not be started only to name the card."""
    return bench.name == "cuda" or any(row.values.get("device") == "cuda" for row in rows)


Points = list[tuple[float, float]]

# A column other than the chart's own y gets a logarithmic axis above this ratio of its largest to smallest value.
_WIDE = 50


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def has_text_axis(chart: Chart, rows: Sequence[Row]) -> bool:
    """Whether x is text, so that each row is a horizontal bar."""
    return bool(rows) and isinstance(rows[0].values[chart.x], str)


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
        and any(is_number(row.values.get(key)) for row in rows)
    ]
    return [chart.y, *others]


def is_logarithmic(chart: Chart, quantity: str, values: Sequence[float]) -> bool:
    if not values or min(values) <= 0:
        return False
    return chart.y_log if quantity == chart.y else max(values) > _WIDE * min(values)


def series_of(
    table: Table, rows: Sequence[Row], quantity: str
) -> tuple[dict[str, Points], dict[str, Points]]:
    """(measured, published) points by name of the series, x ascending.

    A chart without series has one series named "". Published points that are the same for several measured
    series are returned once, under "".
    """
    chart = table.chart
    assert chart
    key = chart.published.get(quantity)
    measured: dict[str, Points] = {}
    published: dict[str, Points] = {}
    for row in rows:
        if not is_number(row.values.get(quantity)):
            continue
        name, x = series_name(table, row), float(row.values[chart.x])
        measured.setdefault(name, []).append((x, float(row.values[quantity])))
        if key and is_number(row.values.get(key)):
            published.setdefault(name, []).append((x, float(row.values[key])))
    if _are_common(published):
        published = {"": sorted({point for points in published.values() for point in points})}
    return (
        {name: sorted(points) for name, points in measured.items()},
        {name: sorted(points) for name, points in published.items()},
    )


def published_bars(chart: Chart, rows: Sequence[Row], quantity: str) -> dict[int, float]:
    """Published values of `quantity` by the index of their row."""
    key = chart.published.get(quantity)
    return {
        index: float(row.values[key])
        for index, row in enumerate(rows)
        if key and is_number(row.values.get(key))
    }


def series_name(table: Table, row: Row) -> str:
    """Name of the series that a row belongs to: texts as they are, numbers with their heading."""
    assert table.chart
    parts = []
    for key in table.chart.series:
        value = row.values.get(key)
        if value is None:
            continue
        numeric = is_number(value) or str(value).isdigit()
        parts.append(f"{value} {table.heading(key)}" if numeric else str(value))
    return ", ".join(parts)


def _are_common(published: dict[str, Points]) -> bool:
    """Whether several series share x values and have equal published values there."""
    values: dict[float, set[float]] = {}
    for points in published.values():
        for x, y in points:
            values.setdefault(x, set()).add(y)
    shared = sum(map(len, published.values())) > len(values)
    return shared and all(len(ys) == 1 for ys in values.values())


_MARKERS = "osD^vP*"
_SIZE = (9.6, 6.0)  # inches at 100 dots per inch
_BAR_INCHES = 0.3  # height for one horizontal bar


def is_available() -> bool:
    """Whether matplotlib is installed: a machine that only computes may lack it."""
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def save_chart(table: Table, rows: Sequence[Row], path: Path) -> list[Path]:
    """Write the table's chart to `path` with the suffixes .png and .svg; the paths written.

    Writes nothing where the table has no chart or no row has a number to draw.
    """
    figure = draw(table, rows)
    written = []
    for suffix in ("png", "svg") if figure else ():
        target = path.with_suffix(f".{suffix}")
        with atomic_path(target) as temporary:
            figure.savefig(temporary, format=suffix, dpi=100)  # type: ignore[union-attr]
        written.append(target)
    return written


def draw(table: Table, rows: Sequence[Row]) -> "Figure | None":
    """The table's chart, or None where it has none or no row has a number to draw."""
    chart = table.chart
    rows = [row for row in rows if chart and is_number(row.values.get(chart.y))]
    if chart is None or not rows:
        return None
    from matplotlib.figure import Figure

    # The packaged program has one of the fonts that it looks for, and replaces the others by it.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    width, height = _SIZE
    bars = has_text_axis(chart, rows) and not chart.end
    figure = Figure((width, max(height if not bars else 2.5, 1.5 + _BAR_INCHES * len(rows) * bars)))
    figure.set_layout_engine("constrained")
    axes = figure.add_subplot()
    axes.set_title(table.title, loc="left")
    axes.grid(color="#dddddd")
    axes.set_axisbelow(True)
    if chart.end:
        _draw_timeline(axes, table, chart, rows)
    elif bars:
        _draw_bars(axes, table, chart, rows)
    else:
        _draw_lines(axes, table, chart, rows)
    handles, labels = axes.get_legend_handles_labels()
    if labels:
        figure.legend(handles, labels, loc="outside right upper", frameon=False)
    return figure


def _draw_lines(axes: "Axes", table: Table, chart: Chart, rows: Sequence[Row]) -> None:
    measured, published = series_of(table, rows, chart.y)
    indices = {name: series for series, name in enumerate(measured)}
    for name, points in measured.items():
        style = _style(indices[name])
        axes.plot(*zip(*points, strict=True), label=name or "measured here", **style)
    for name, points in published.items():
        style = (
            {**_style(indices[name]), "fillstyle": "none"} if name else {"color": "#666666", "marker": "o"}
        )
        label = f"{name}, published" if name else "published"
        axes.plot(*zip(*points, strict=True), label=label, **{**style, "linestyle": "--"})
    values = [y for points in (*measured.values(), *published.values()) for _, y in points]
    if chart.x_log and all(x > 0 for points in measured.values() for x, _ in points):
        axes.set_xscale("log")
        ticks = sorted({x for points in measured.values() for x, _ in points})
        axes.set_xticks(ticks, [f"{x:,g}" for x in ticks])
        axes.set_xticks([], minor=True)
    if is_logarithmic(chart, chart.y, values):
        axes.set_yscale("log")
    elif min(values) >= 0:
        axes.set_ylim(bottom=0)
    axes.set_xlabel(table.heading(chart.x))
    axes.set_ylabel(table.heading(chart.y))


def _draw_bars(axes: "Axes", table: Table, chart: Chart, rows: Sequence[Row]) -> None:
    """Horizontal bars; dots on a logarithmic axis, where a bar's length has no meaning."""
    values = [float(row.values[chart.y]) for row in rows]
    published = published_bars(chart, rows, chart.y)
    positions = range(len(rows))
    if is_logarithmic(chart, chart.y, [*values, *published.values()]):
        axes.set_xscale("log")
        axes.plot(values, positions, "o", color=SERIES_ON_LIGHT[0], markersize=9, linestyle="none")
    else:
        axes.barh(positions, values, 0.6, color=SERIES_ON_LIGHT[0])
    if published:
        axes.plot(
            list(published.values()),
            list(published),
            "D",
            color="#222222",
            fillstyle="none",
            label="published",
        )
    for position, value in zip(positions, values, strict=True):
        label = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
        axes.annotate(label, (value, position), (8, 0), textcoords="offset points", va="center")
    axes.margins(x=0.15, y=0.5 / len(rows))
    names = [", ".join(filter(None, (series_name(table, row), str(row.values[chart.x])))) for row in rows]
    axes.set_yticks(positions, names)
    axes.invert_yaxis()
    axes.set_xlabel(table.heading(chart.y))


def _draw_timeline(axes: "Axes", table: Table, chart: Chart, rows: Sequence[Row]) -> None:
    assert chart.end
    lanes = list(dict.fromkeys(row.values[chart.y] for row in rows))
    names = list(dict.fromkeys(series_name(table, row) for row in rows))
    for series, name in enumerate(names):
        spans = [row.values for row in rows if series_name(table, row) == name]
        axes.barh(
            [lanes.index(values[chart.y]) for values in spans],
            [values[chart.end] - values[chart.x] for values in spans],
            0.6, [values[chart.x] for values in spans], label=name, linewidth=0.5,
            color=_color(series), hatch="" if series < len(SERIES_ON_LIGHT) else "//", edgecolor="white",
        )  # fmt: skip
    axes.set_yticks(range(len(lanes)), [f"{table.heading(chart.y)} {lane}" for lane in lanes])
    axes.invert_yaxis()
    axes.set_xlabel(table.heading(chart.x))


def _style(index: int) -> dict[str, Any]:
    return {"color": _color(index), "marker": _MARKERS[index % len(_MARKERS)]}


def _color(index: int) -> str:
    return SERIES_ON_LIGHT[index % len(SERIES_ON_LIGHT)]
