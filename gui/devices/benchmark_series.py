"""What a chart of a bench's table shows: pure functions from rows to series of points."""

from collections.abc import Sequence
from typing import Any

from core.bench.rows import Chart, Row, Table

Points = list[tuple[float, float]]

# A quantity that the bench itself does not draw gets a logarithmic axis past this ratio.
_WIDE = 50


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def has_names(chart: Chart, rows: Sequence[Row]) -> bool:
    """Whether x is a text, so that bars take the place of lines."""
    return bool(rows) and isinstance(rows[0].values[chart.x], str)


def quantities(table: Table, rows: Sequence[Row]) -> list[str]:
    """The columns that can be drawn, the chart's own first."""
    chart = table.chart
    if chart is None:
        return []
    if chart.until:
        return [chart.y]
    others = [
        key
        for key, _ in table.columns
        if key not in (chart.x, chart.y, *chart.series)
        and not key.startswith("published")
        and any(is_number(row.values.get(key)) for row in rows)
    ]
    return [chart.y, *others]


def published_key(table: Table, quantity: str) -> str | None:
    """The column with others' figures for this quantity."""
    chart = table.chart
    if chart and chart.published and quantity == chart.y:
        return chart.published
    keys = dict(table.columns)
    names = (f"published_{quantity}", f"published_{quantity.removeprefix('over_')}")
    return next((name for name in names if name in keys), None)


def is_logarithmic(chart: Chart, quantity: str, values: Sequence[float]) -> bool:
    if not values or min(values) <= 0:
        return False
    return chart.y_log if quantity == chart.y else max(values) > _WIDE * min(values)


def series_of(
    table: Table, rows: Sequence[Row], quantity: str
) -> tuple[dict[str, Points], dict[str, Points]]:
    """Ours by the series' names, and the published; those under "" if they belong to no one series of ours.

    x ascends. A chart without series has one, called "".
    """
    chart = table.chart
    assert chart
    key = published_key(table, quantity)
    ours: dict[str, Points] = {}
    theirs: dict[str, Points] = {}
    for row in rows:
        if not is_number(row.values.get(quantity)):
            continue
        name, x = _name(table, chart, row), float(row.values[chart.x])
        ours.setdefault(name, []).append((x, float(row.values[quantity])))
        figure = row.values.get(key) if key else None
        if figure is not None and is_number(figure):
            theirs.setdefault(name, []).append((x, float(figure)))
    if _are_common(theirs):
        theirs = {"": sorted({point for points in theirs.values() for point in points})}
    return {name: sorted(points) for name, points in ours.items()}, {
        name: sorted(points) for name, points in theirs.items()
    }


def _are_common(theirs: dict[str, Points]) -> bool:
    """Whether the figures are the same beside each series of ours."""
    figures: dict[float, set[float]] = {}
    for points in theirs.values():
        for x, y in points:
            figures.setdefault(x, set()).add(y)
    meet = sum(map(len, theirs.values())) > len(figures)
    return meet and all(len(found) == 1 for found in figures.values())


def _name(table: Table, chart: Chart, row: Row) -> str:
    """Names as they are, numbers with their heading."""
    parts = []
    for key in chart.series:
        value = row.values.get(key)
        if value is None:
            continue
        numeric = is_number(value) or str(value).isdigit()
        parts.append(f"{value} {table.heading(key)}" if numeric else str(value))
    return ", ".join(parts)
