"""Charts of lines, horizontal bars and timelines as SVG: in a file, in an HTML page, and in the
window.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, cos, floor, log10, pi, sin
from typing import Any, NamedTuple

from core.colors import SERIES_ON_LIGHT

Point = tuple[float, float]
Points = Sequence[Point]

# Pixels: a chart in a page and in a file, its margins, a lane with a bar, a line of the legend, a
# letter's mean width.
_PAGE_SIZE = (900, 320)
_FILE_SIZE = (960, 600)
_LEFT = 70
_RIGHT = 20
_TOP = 12
_BOTTOM = 44
_LANE = 28
_LEGEND = 20
_LETTER = 6.2
_FONT = 11
_TICKS = 6
_DASHES: tuple[tuple[int, ...], ...] = ((), (7, 4), (2, 3), (9, 3, 2, 3))
_PUBLISHED_DASH = (6, 4)
# Corners of the mark of a series, and the direction of the first one in quarter turns.
_MARKS = ((16, 0.0), (4, 0.5), (4, 0.0), (3, -1.0), (3, 1.0), (5, -1.0), (6, 0.0))
# Numbers beyond this are left out: the steps between them would be infinite.
_LARGEST = 1e300


@dataclass(frozen=True, slots=True)
class Line:
    """The points of one line; those that cannot be drawn are left out.

    `marks`: with a mark at each point. `published`: dashed with hollow marks. `series`: the index
    of its color and mark; None: that of the line in the chart. `listed`: in the legend. `width`: in
    pixels. `opacity`: from 0 to 1.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    marks: bool = False
    published: bool = False
    series: int | None = None
    listed: bool = True
    width: float = 2.0
    opacity: float = 1.0

    @classmethod
    def through(cls, name: str, points: Iterable[Point], **options: Any) -> "Line":
        x, y = zip(*points, strict=True)
        return cls(name, x, y, **options)


@dataclass(frozen=True, slots=True)
class Bar:
    """A horizontal bar in a lane, counted from the top; with `dot`, a dot at its end instead.
    `text`: beside it.
    """

    lane: int
    start: float
    end: float
    text: str = ""
    series: int = 0
    dot: bool = False
    published: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    """`ticks`: (position, text); empty for round numbers. `zero`: a linear axis begins at zero."""

    title: str = ""
    logarithmic: bool = False
    zero: bool = False
    ticks: Sequence[tuple[float, str]] = ()

    def place(self, value: float) -> float | None:
        """Where `value` is on an axis that is linear; None if it cannot be drawn."""
        if not abs(value) < _LARGEST or (self.logarithmic and value <= 0):
            return None
        return log10(value) if self.logarithmic else value


@dataclass(frozen=True, slots=True)
class Figure:
    """Lines, or bars in lanes that `lanes` names. `legend`: names of the series of bars."""

    title: str
    x: Axis
    y: Axis
    lines: Sequence[Line] = ()
    bars: Sequence[Bar] = ()
    lanes: Sequence[str] = ()
    legend: Sequence[str] = ()

    @property
    def is_timeline(self) -> bool:
        """Whether the bars are spans of time, of several series; otherwise they have one length
        each, and a text.
        """
        return bool(self.bars) and not any(bar.text for bar in self.bars)


def figure_html(figure: Figure) -> str:
    """The chart as an element of an HTML page, or a paragraph where it has nothing to draw."""
    if not figure.bars and not any(_points(figure, line) for line in figure.lines):
        return f"<p>{escape(figure.title)}: –</p>"
    canvas = _Svg(*_size_of(figure, _PAGE_SIZE), figure.title, page=True)
    _draw(figure, canvas)
    return f"<figure>\n{canvas.content().decode()}\n</figure>"


def chart_svg(
    figure: Figure,
    title: str = "",
    size: tuple[int, int] = _FILE_SIZE,
    colors: "ChartColors | None" = None,
) -> bytes:
    """The chart as an SVG file, in the colors of a file by default. size: pixels; lanes and a
    legend add to it.
    """
    canvas = _Svg(*_size_of(figure, size), figure.title, page=False, colors=colors or FILE_COLORS)
    _draw(figure, canvas, title)
    return canvas.content()


class ChartColors(NamedTuple):
    """Colors as SVG has them; `series`: of lines and bars."""

    text: str
    grid: str
    ground: str
    series: Sequence[str] = SERIES_ON_LIGHT


FILE_COLORS = ChartColors("#222222", "#dddddd", "white")

# The style of the page decides on the color of texts and of the grid.
PAGE_COLORS = ChartColors("currentColor", "var(--line)", "none")


class _Svg:
    """A canvas; coordinates in pixels from the upper left corner. Colors: as in SVG, or empty for
    none.

    `page`: for an HTML page, which has its own font.
    """

    def __init__(
        self, width: float, height: float, title: str, page: bool, colors: ChartColors = PAGE_COLORS
    ) -> None:
        self.width = width
        self.height = height
        self.colors = colors
        start = (
            f'<svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(title)}"'
        )
        if not page:
            start += (
                f' xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
                f'font-family="sans-serif" font-size="{_FONT}">'
                f'<rect width="{width:.0f}" height="{height:.0f}" fill="{colors.ground}"/'
            )
        self._parts = [start + ">"]

    def series_color(self, series: int) -> str:
        return self.colors.series[series % len(self.colors.series)]

    def line(
        self,
        points: Points,
        color: str,
        width: float,
        dash: Sequence[int],
        name: str,
        opacity: float = 1.0,
    ) -> None:
        """A line through the points. `name`: shown where the pointer rests on it."""
        dashes = f' stroke-dasharray="{" ".join(map(str, dash))}"' if dash else ""
        if opacity < 1:
            dashes += f' stroke-opacity="{opacity:g}"'
        stroke = f'fill="none" stroke="{color}" stroke-width="{width:g}"{dashes}'
        kind, inner = ("polyline", f"<title>{escape(name)}</title>") if name else ("path", "")
        places = _pairs(points) if name else "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        self._parts.append(
            f'<{kind} {"points" if name else "d"}="{places}" {stroke}>{inner}</{kind}>'
        )

    def polygon(self, points: Points, fill: str, edge: str) -> None:
        colors = (color or "none" for color in (fill, edge))
        self._parts.append(
            '<polygon points="{}" fill="{}" stroke="{}"/>'.format(_pairs(points), *colors)
        )

    def write(self, x: float, y: float, text: str, anchor: str) -> None:
        """A text, vertically centered at y; anchor: start, middle or end."""
        color = "" if self.colors.text == "currentColor" else f' fill="{self.colors.text}"'
        place = f'x="{x:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}"{color}'
        self._parts.append(f"<text {place}>{escape(text)}</text>")

    def content(self) -> bytes:
        return "".join((*self._parts, "</svg>")).encode(errors="replace")


def _pairs(points: Points) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _points(figure: Figure, line: Line) -> list[Point]:
    """The points on linear axes, without those that cannot be drawn."""
    places = ((figure.x.place(x), figure.y.place(y)) for x, y in zip(line.x, line.y, strict=True))
    return [(x, y) for x, y in places if x is not None and y is not None]


def _legend_rows(figure: Figure, width: float) -> list[list[tuple[float, int, str]]]:
    """Rows of (x, index, name)."""
    rows: list[list[tuple[float, int, str]]] = []
    x = width
    for index, name in enumerate([line.name for line in figure.lines] or figure.legend):
        if figure.lines and not figure.lines[index].listed:
            continue
        room = 44 + _LETTER * len(name)
        if not rows or x + room > width - _RIGHT:
            rows.append([])
            x = _LEFT
        rows[-1].append((x, index, name))
        x += room
    return rows


def _size_of(figure: Figure, size: tuple[int, int]) -> tuple[float, float]:
    """The size of a chart of lines with its legend; of bars, with its lanes."""
    width, height = size
    below = _LEGEND * len(_legend_rows(figure, width))
    if figure.lanes:
        return width, _TOP + _BOTTOM + 24 + _LANE * len(figure.lanes) + below
    return width, height if size == _FILE_SIZE else height + below


def _draw(figure: Figure, canvas: _Svg, title: str = "") -> None:
    legend = _legend_rows(figure, canvas.width)
    bars = [(bar, figure.x.place(bar.start), figure.x.place(bar.end)) for bar in figure.bars]
    lines = [_points(figure, line) for line in figure.lines]
    xs = [x for points in lines for x, _ in points]
    for _, start, end in bars:
        xs += [x for x in (start, end) if x is not None]
    ys = [y for points in lines for _, y in points]
    x_ticks, x_low, x_high = _scale(figure.x, xs)
    y_ticks, y_low, y_high = _scale(figure.y, ys)
    if figure.lanes:
        y_ticks = [(float(-n), name) for n, name in enumerate(figure.lanes)]
        y_low = 0.5 - len(figure.lanes)
        y_high = 0.5
    left = (
        max(_LEFT, 34 + _LETTER * max(len(text) for _, text in y_ticks)) if figure.lanes else _LEFT
    )
    # Room for the numbers beside the bars.
    right = canvas.width - _RIGHT - (60 if any(bar.text for bar in figure.bars) else 0)
    top = float(_TOP) + (24 if title else 0) + (20 if figure.y.title else 0)
    bottom = canvas.height - _BOTTOM - _LEGEND * len(legend)

    x_range = x_high - x_low or 1
    y_range = y_high - y_low or 1

    def to_pixels(x: float, y: float) -> Point:
        across = (x - x_low) / x_range
        up = (y - y_low) / y_range
        return left + across * (right - left), bottom - up * (bottom - top)

    canvas.write(left, _TOP + 4, title, "start")
    for value, text in y_ticks:
        _, y = to_pixels(x_low, value)
        if not figure.lanes:
            canvas.line([(left, y), (right, y)], canvas.colors.grid, 1, (), "")
        canvas.write(left - 6, y, text, "end")
    for value, text in x_ticks:
        x, _ = to_pixels(value, y_low)
        if figure.lanes:
            canvas.line([(x, top), (x, bottom)], canvas.colors.grid, 1, (), "")
        canvas.write(x, bottom + 12, text, "middle")
    canvas.write((left + right) / 2, bottom + 30, figure.x.title, "middle")
    canvas.write(8, top - 15, figure.y.title, "start")
    for index, (line, points) in enumerate(zip(figure.lines, lines, strict=True)):
        if points:
            places = [to_pixels(*point) for point in points]
            _draw_line(canvas, line, index, places, places, line.name)
    for bar, start, end in bars:
        if start is not None and end is not None:
            _draw_bar(canvas, bar, to_pixels(start, -bar.lane), to_pixels(end, -bar.lane))
    for row, entries in enumerate(legend):
        y = canvas.height - _LEGEND * (len(legend) - row) + 6
        for x, index, name in entries:
            _draw_sample(canvas, figure, index, (x, y))
            canvas.write(x + 32, y, name, "start")


def _draw_line(
    canvas: _Svg, line: Line, index: int, points: Points, marks: Points, name: str
) -> None:
    series = index if line.series is None else line.series
    color = canvas.series_color(series)
    dash = (
        _PUBLISHED_DASH
        if line.published
        else _DASHES[series // len(canvas.colors.series) % len(_DASHES)]
    )
    canvas.line(points, color, 1 if line.published else line.width, dash, name, line.opacity)
    for point in marks if line.marks else ():
        canvas.polygon(_mark(series, point, 4.5), "" if line.published else color, color)


def _draw_bar(canvas: _Svg, bar: Bar, start: Point, end: Point) -> None:
    color = canvas.series_color(bar.series)
    if bar.published:
        canvas.polygon(_mark(2, end, 6), "", canvas.colors.text)
    elif bar.dot:
        canvas.polygon(_mark(0, end, 5), color, color)
    else:
        canvas.polygon(_box(start[0], end[0], start[1], 0.3 * _LANE), color, color)
    if bar.text:
        canvas.write(end[0] + 8, end[1], bar.text, "start")


def _draw_sample(canvas: _Svg, figure: Figure, index: int, place: Point) -> None:
    x, y = place
    middle = (x + 13, y)
    if figure.lines:
        _draw_line(canvas, figure.lines[index], index, [(x, y), (x + 26, y)], [middle], "")
    elif figure.legend[index] == PUBLISHED:
        canvas.polygon(_mark(2, middle, 6), "", canvas.colors.text)
    else:
        canvas.polygon(
            _box(x, x + 26, y, 5), canvas.series_color(index), canvas.series_color(index)
        )


PUBLISHED = "published"  # the name of published values in the legend of bars


def _box(left: float, right: float, y: float, half: float) -> list[Point]:
    return [(left, y - half), (right, y - half), (right, y + half), (left, y + half)]


def _mark(series: int, place: Point, radius: float) -> list[Point]:
    corners, turn = _MARKS[series % len(_MARKS)]
    angles = [turn * pi / 2 + 2 * pi * corner / corners for corner in range(corners)]
    return [(place[0] + radius * cos(angle), place[1] + radius * sin(angle)) for angle in angles]


def _scale(axis: Axis, values: Sequence[float]) -> tuple[list[tuple[float, str]], float, float]:
    """Ticks at their places on a linear axis, and the least and the greatest place on it."""
    low = min(values, default=0.0)
    high = max(values, default=1.0)
    if axis.zero and not axis.logarithmic:
        low = min(low, 0.0)
        high = max(high, 0.0)
    if axis.ticks:
        places = [(axis.place(value), text) for value, text in axis.ticks]
        ticks = [(place, text) for place, text in places if place is not None]
    else:
        ticks = [(place, f"{place:.6g}") for place in _round_numbers(low, high)]
        if axis.logarithmic:  # a larger power than 300 has no value
            powers = [(place, 10.0 ** min(place, 300.0)) for place, _ in ticks]
            ticks = [
                (at, f"{power:,.0f}" if 1000 <= power < 1e6 else f"{power:.3g}")
                for at, power in powers
            ]
    margin = 0.03 * (high - low) if axis.ticks else 0.0
    return ticks, min(ticks[0][0], low - margin), max(ticks[-1][0], high + margin)


def _round_numbers(low: float, high: float) -> list[float]:
    """Round numbers from the last one at or below `low` to the first one at or above `high`."""
    if high - low < 1e-300:
        return [low - 0.5, low, low + 0.5] if low else [0.0, 1.0]
    rough = (high - low) / _TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return [n * step for n in range(floor(low / step), ceil(high / step) + 1)]
