"""Charts of lines as SVG: in an HTML page, whose style decides on font and color of the texts, or
alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import Any

from core.colors import SERIES_ON_LIGHT

Point = tuple[float, float]

# Pixels: a chart without its legend, its margins, a line of the legend, a letter's mean width.
_WIDTH = 900
_HEIGHT = 320
_LEFT = 70
_RIGHT = 20
_TOP = 32
_BOTTOM = 44
_LEGEND = 20
_LETTER = 6.2
_MARK = 4.5
_TICKS = 6
_DASHES = ("", "7 4", "2 3", "9 3 2 3")
# Numbers beyond this are left out: the steps between them would be infinite.
_LARGEST = 1e300


@dataclass(frozen=True, slots=True)
class Line:
    """The points of one line; those that cannot be drawn are left out.

    `marks`: with a mark at each point. `series`: the index of its color and dash; None: that of the
    line in the chart. `listed`: in the legend. `width`: in pixels. `opacity`: from 0 to 1.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    marks: bool = False
    series: int | None = None
    listed: bool = True
    width: float = 2.0
    opacity: float = 1.0

    @classmethod
    def through(cls, name: str, points: Iterable[Point], **options: Any) -> "Line":
        x, y = zip(*points, strict=True)
        return cls(name, x, y, **options)


@dataclass(frozen=True, slots=True)
class Axis:
    title: str = ""
    logarithmic: bool = False

    def place(self, value: float) -> float | None:
        """Where `value` is on an axis that is linear; None if it cannot be drawn."""
        if not abs(value) < _LARGEST or (self.logarithmic and value <= 0):
            return None
        return log10(value) if self.logarithmic else value

    def ticks(self, low: float, high: float) -> list[tuple[float, str]]:
        """Round numbers at their places on a linear axis, from `low` or less to `high` or more."""
        places = _round_numbers(low, high)
        if not self.logarithmic:
            return [(place, f"{place:.6g}") for place in places]
        # A larger power than 300 has no value.
        powers = [(place, 10.0 ** min(place, 300.0)) for place in places]
        return [
            (at, f"{power:,.0f}" if 1000 <= power < 1e6 else f"{power:.3g}") for at, power in powers
        ]


@dataclass(frozen=True, slots=True)
class Figure:
    title: str
    x: Axis
    y: Axis
    lines: Sequence[Line]


def figure_html(figure: Figure) -> str:
    """The chart as an element of an HTML page, or a paragraph where it has nothing to draw."""
    if not any(_points(figure, line) for line in figure.lines):
        return f"<p>{escape(figure.title)}: –</p>"
    label = f'role="img" aria-label="{escape(figure.title)}"'
    return f"<figure>\n{_svg(figure, label)}\n</figure>"


def figure_svg(figure: Figure, text: str, grid: str) -> bytes:
    """The chart as a file, or for a widget; `text`, `grid`: colors. It must have a point."""
    style = (
        f'xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="12" fill="{text}"'
    )
    return _svg(figure, style).replace("var(--line)", grid).encode()


def _svg(figure: Figure, attributes: str) -> str:
    lines = [_points(figure, line) for line in figure.lines]
    legend = _legend_rows(figure.lines)
    height = _HEIGHT + _LEGEND * len(legend)
    parts = [f'<svg viewBox="0 0 {_WIDTH} {height}" {attributes}>', *_parts(figure, lines)]
    for row, entries in enumerate(legend):
        y = height - _LEGEND * (len(legend) - row) + 6.0
        for x, index, name in entries:
            style = _style(figure.lines[index], index)
            parts.append(f'<path d="M{x:.1f} {y:.1f} h26" {style}/>')
            parts.append(_text(x + 32, y, name, "start"))
    # Half of a character of UTF-16, which a name from a file may hold, cannot be written.
    return "".join((*parts, "</svg>")).encode(errors="replace").decode()


def _points(figure: Figure, line: Line) -> list[Point]:
    """The points on linear axes, without those that cannot be drawn."""
    places = ((figure.x.place(x), figure.y.place(y)) for x, y in zip(line.x, line.y, strict=True))
    return [(x, y) for x, y in places if x is not None and y is not None]


def _legend_rows(lines: Sequence[Line]) -> list[list[tuple[float, int, str]]]:
    """Rows of (x, index, name)."""
    rows: list[list[tuple[float, int, str]]] = []
    x: float = _WIDTH
    for index, line in enumerate(lines):
        if not line.listed:
            continue
        room = 44 + _LETTER * len(line.name)
        if not rows or x + room > _WIDTH - _RIGHT:
            rows.append([])
            x = _LEFT
        rows[-1].append((x, index, line.name))
        x += room
    return rows


def _parts(figure: Figure, lines: Sequence[Sequence[Point]]) -> list[str]:
    """Axes and lines."""
    xs = [x for points in lines for x, _ in points]
    ys = [y for points in lines for _, y in points]
    x_ticks = figure.x.ticks(min(xs), max(xs))
    y_ticks = figure.y.ticks(min(ys), max(ys))
    x_low = x_ticks[0][0]
    y_low = y_ticks[0][0]
    x_range = x_ticks[-1][0] - x_low or 1
    y_range = y_ticks[-1][0] - y_low or 1
    right = _WIDTH - _RIGHT
    bottom = _HEIGHT - _BOTTOM

    def to_pixels(x: float, y: float) -> Point:
        across = (x - x_low) / x_range
        up = (y - y_low) / y_range
        return _LEFT + across * (right - _LEFT), bottom - up * (bottom - _TOP)

    parts = [
        _text((_LEFT + right) / 2, bottom + 30, figure.x.title, "middle"),
        _text(8, _TOP - 15, figure.y.title, "start"),
    ]
    for value, text in y_ticks:
        _, y = to_pixels(x_low, value)
        grid = f'<path d="M{_LEFT} {y:.1f} L{right} {y:.1f}" stroke="var(--line)"/>'
        parts += [grid, _text(_LEFT - 6, y, text, "end")]
    for value, text in x_ticks:
        parts.append(_text(to_pixels(value, y_low)[0], bottom + 12, text, "middle"))
    for index, (line, points) in enumerate(zip(figure.lines, lines, strict=True)):
        if points:
            parts.append(_line(line, index, [to_pixels(*point) for point in points]))
    return parts


def _color(line: Line, index: int) -> str:
    series = index if line.series is None else line.series
    return SERIES_ON_LIGHT[series % len(SERIES_ON_LIGHT)]


def _style(line: Line, index: int) -> str:
    series = index if line.series is None else line.series
    dash = _DASHES[series // len(SERIES_ON_LIGHT) % len(_DASHES)]
    return (
        f'fill="none" stroke="{_color(line, index)}" stroke-width="{line.width:g}" '
        f'stroke-dasharray="{dash}" stroke-opacity="{line.opacity:g}"'
    )


def _line(line: Line, index: int, points: Sequence[Point]) -> str:
    """A line with its marks; its name is shown where the pointer rests on it."""
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    title = f"<title>{escape(line.name)}</title>"
    parts = [f'<polyline points="{places}" {_style(line, index)}>{title}</polyline>']
    for x, y in points if line.marks else ():
        circle = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_MARK}" fill="{_color(line, index)}"/>'
        parts.append(circle)
    return "".join(parts)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    """A text, vertically centered at y; anchor: start, middle or end."""
    place = f'x="{x:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}"'
    return f"<text {place}>{escape(text)}</text>"


def _round_numbers(low: float, high: float) -> list[float]:
    """Round numbers from the last one at or below `low` to the first one at or above `high`."""
    # A step between equal numbers would be 0.
    if high - low < 1e-300:
        return [low - 0.5, low, low + 0.5] if low else [0.0, 1.0]
    rough = (high - low) / _TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return [n * step for n in range(floor(low / step), ceil(high / step) + 1)]
