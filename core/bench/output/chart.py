"""Charts of benchmark tables as PNG and SVG files, drawn by matplotlib."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.bench.output.series import (
    has_text_axis,
    is_logarithmic,
    is_number,
    published_bars,
    series_name,
    series_of,
)
from core.bench.rows import Chart, Row, Table
from core.colors import SERIES_ON_LIGHT
from core.files.atomic import atomic_path

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
