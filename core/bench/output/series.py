"""What the chart of a table shows: pure functions from rows to series of points."""

from collections.abc import Sequence
from typing import Any

from core.bench.rows import Chart, Row, Table

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
