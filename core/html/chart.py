"""Charts of lines, horizontal bars and timelines as SVG, in a file or in an HTML page, and as PNG.

A chart is drawn by calls of a canvas, of which there are two: `_Svg` writes SVG, `_Png` paints by Pillow.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import pairwise
from math import ceil, cos, dist, floor, log10, pi, sin
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from core.colors import SERIES_ON_LIGHT

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont, ImageFont

Point = tuple[float, float]
Points = Sequence[Point]

# Pixels: a chart in a page and in a file, its margins, a lane with a bar, a line of the legend, a letter's mean width.
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
_FONTS = ("DejaVuSans.ttf", "LiberationSans-Regular.ttf", "NotoSans-Regular.ttf", "arial.ttf", "Arial.ttf")
# Numbers beyond this are left out: the steps between them would be infinite.
_LARGEST = 1e300


@dataclass(frozen=True, slots=True)
class Line:
    """The points of one line; those that cannot be drawn are left out.

    `marks`: with a mark at each point. `published`: dashed with hollow marks. `series`: the index of its color and
    mark; None: that of the line in the chart. `listed`: in the legend. `width`: in pixels. `opacity`: from 0 to 1.
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
    """A horizontal bar in a lane, counted from the top; with `dot`, a dot at its end instead. `text`: beside it."""

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
        """Whether the bars are spans of time, of several series; otherwise they have one length each, and a text."""
        return bool(self.bars) and not any(bar.text for bar in self.bars)


def figure_html(figure: Figure) -> str:
    """The chart as an element of an HTML page, or a paragraph where it has nothing to draw."""
    if not figure.bars and not any(_points(figure, line) for line in figure.lines):
        return f"<p>{escape(figure.title)}: –</p>"
    canvas = _Svg(*_size_of(figure, _PAGE_SIZE), figure.title, page=True)
    _draw(figure, canvas)
    return f"<figure>\n{canvas.content().decode()}\n</figure>"


def chart_file(figure: Figure, suffix: str) -> bytes:
    """The chart as a file of this suffix: .svg or .png."""
    size = _size_of(figure, _FILE_SIZE)
    canvas = _Svg(*size, figure.title, page=False) if suffix == ".svg" else _Png(*size)
    _draw(figure, canvas, figure.title)
    return canvas.content()


class _Svg:
    """A canvas; coordinates in pixels from the upper left corner. Colors: #rrggbb, `text`, `grid`, or empty for none.

    `page`: for an HTML page, whose style decides on the color of texts and of the grid.
    """

    def __init__(self, width: float, height: float, title: str, page: bool) -> None:
        self.width = width
        self.height = height
        self._colors = {"text": "currentColor", "grid": "var(--line)"} if page else _COLORS
        start = f'<svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(title)}"'
        if not page:
            start += (
                f' xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
                f'font-family="sans-serif" font-size="{_FONT}"><rect width="100%" height="100%" fill="white"/'
            )
        self._parts = [start + ">"]

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
        stroke = f'fill="none" stroke="{self._colors.get(color, color)}" stroke-width="{width:g}"{dashes}'
        kind, inner = ("polyline", f"<title>{escape(name)}</title>") if name else ("path", "")
        places = _pairs(points) if name else "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        self._parts.append(f'<{kind} {"points" if name else "d"}="{places}" {stroke}>{inner}</{kind}>')

    def polygon(self, points: Points, fill: str, edge: str) -> None:
        colors = (self._colors.get(color, color) or "none" for color in (fill, edge))
        self._parts.append('<polygon points="{}" fill="{}" stroke="{}"/>'.format(_pairs(points), *colors))

    def write(self, x: float, y: float, text: str, anchor: str) -> None:
        """A text, vertically centered at y; anchor: start, middle or end."""
        color = "" if self._colors["text"] == "currentColor" else f' fill="{self._colors["text"]}"'
        place = f'x="{x:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}"{color}'
        self._parts.append(f"<text {place}>{escape(text)}</text>")

    def content(self) -> bytes:
        return "".join((*self._parts, "</svg>")).encode(errors="replace")


class _Png:
    """A canvas with the methods of `_Svg`, painted at twice the size, so that lines are smooth."""

    _SCALE = 2

    def __init__(self, width: float, height: float) -> None:
        from PIL import Image, ImageDraw

        self.width = width
        self.height = height
        self._image = Image.new("RGB", (round(width) * self._SCALE, round(height) * self._SCALE), "white")
        self._paint = ImageDraw.Draw(self._image)

    def line(
        self,
        points: Points,
        color: str,
        width: float,
        dash: Sequence[int],
        name: str,
        opacity: float = 1.0,
    ) -> None:
        color = _on_white(_COLORS.get(color, color), opacity)
        thick = round(width * self._SCALE)
        for part in _dashed(points, dash):
            self._paint.line(self._scaled(part), color, thick, joint="curve")

    def polygon(self, points: Points, fill: str, edge: str) -> None:
        fill, edge = (_COLORS.get(color, color) for color in (fill, edge))
        self._paint.polygon(self._scaled(points), fill or None, edge or None, width=self._SCALE)

    def write(self, x: float, y: float, text: str, anchor: str) -> None:
        (font, complete) = _font(_FONT * self._SCALE)
        color = _COLORS["text"]
        text = text if complete else normalize("NFKD", text).encode("ascii", "ignore").decode()
        width = font.getlength(text)
        left = x * self._SCALE - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        self._paint.text((left, (y - _FONT * 0.6) * self._SCALE), text, color, font)

    def _scaled(self, points: Points) -> list[Point]:
        return [(x * self._SCALE, y * self._SCALE) for x, y in points]

    def content(self) -> bytes:
        file = io.BytesIO()
        self._image.reduce(self._SCALE).save(file, "PNG")
        return file.getvalue()


Canvas = _Svg | _Png
_COLORS = {"text": "#222222", "grid": "#dddddd"}


@cache
def _font(size: int) -> "tuple[FreeTypeFont | ImageFont, bool]":
    """A font of the system that has more than ASCII, and True; or Pillow's own, which has no more, and False."""
    from PIL import ImageFont

    for name in _FONTS:
        with suppress(OSError):
            return ImageFont.truetype(name, size), True
    return ImageFont.load_default(size), False


def _on_white(color: str, opacity: float) -> str:
    """What a color of this opacity looks like on white."""
    levels = [round(255 + (level - 255) * opacity) for level in bytes.fromhex(color.removeprefix("#"))]
    return f"#{bytes(levels).hex()}"


def _pairs(points: Points) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _dashed(points: Points, dash: Sequence[int]) -> Iterator[list[Point]]:
    """The parts of a line that are drawn when it is dashed: lengths of ink and of gaps by turns."""
    if not dash:
        yield list(points)
        return
    number = 0
    left = float(dash[0])
    part = list(points[:1])
    for start, end in pairwise(points):
        length = dist(start, end)
        done = 0.0
        while length - done > left:
            done += left
            x, y = (a + (b - a) * done / length for a, b in zip(start, end, strict=True))
            if number % 2 == 0:
                yield [*part, (x, y)]
            part = [(x, y)]
            number = number + 1
            left = float(dash[number % len(dash)])
        left -= length - done
        part.append(end)
    if number % 2 == 0:
        yield part


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


def _draw(figure: Figure, canvas: Canvas, title: str = "") -> None:
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
    left = max(_LEFT, 34 + _LETTER * max(len(text) for _, text in y_ticks)) if figure.lanes else _LEFT
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
            canvas.line([(left, y), (right, y)], "grid", 1, (), "")
        canvas.write(left - 6, y, text, "end")
    for value, text in x_ticks:
        x, _ = to_pixels(value, y_low)
        if figure.lanes:
            canvas.line([(x, top), (x, bottom)], "grid", 1, (), "")
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


def _draw_line(canvas: Canvas, line: Line, index: int, points: Points, marks: Points, name: str) -> None:
    series = index if line.series is None else line.series
    color = _color(series)
    dash = _PUBLISHED_DASH if line.published else _DASHES[series // len(SERIES_ON_LIGHT) % len(_DASHES)]
    canvas.line(points, color, 1 if line.published else line.width, dash, name, line.opacity)
    for point in marks if line.marks else ():
        canvas.polygon(_mark(series, point, 4.5), "" if line.published else color, color)


def _draw_bar(canvas: Canvas, bar: Bar, start: Point, end: Point) -> None:
    color = _color(bar.series)
    if bar.published:
        canvas.polygon(_mark(2, end, 6), "", "text")
    elif bar.dot:
        canvas.polygon(_mark(0, end, 5), color, color)
    else:
        canvas.polygon(_box(start[0], end[0], start[1], 0.3 * _LANE), color, color)
    if bar.text:
        canvas.write(end[0] + 8, end[1], bar.text, "start")


def _draw_sample(canvas: Canvas, figure: Figure, index: int, place: Point) -> None:
    x, y = place
    middle = (x + 13, y)
    if figure.lines:
        _draw_line(canvas, figure.lines[index], index, [(x, y), (x + 26, y)], [middle], "")
    elif figure.legend[index] == PUBLISHED:
        canvas.polygon(_mark(2, middle, 6), "", "text")
    else:
        canvas.polygon(_box(x, x + 26, y, 5), _color(index), _color(index))


PUBLISHED = "published"  # the name of published values in the legend of bars


def _color(series: int) -> str:
    return SERIES_ON_LIGHT[series % len(SERIES_ON_LIGHT)]


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
            ticks = [(at, f"{power:,.0f}" if 1000 <= power < 1e6 else f"{power:.3g}") for at, power in powers]
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
