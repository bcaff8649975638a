"""A chart is a picture of a table: lines over a number, bars over names, a timeline with a lane a stream."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

from core.bench.rows import Chart, Row, Table

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

WIDTH, HEIGHT = 960, 600
_LEFT, _TOP, _RIGHT, _BOTTOM = 110, 60, 230, 70

# Okabe and Ito 2008: told apart by colour-blind eyes too.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
# More bars than these lie down, with their names at the left.
_STANDING, _WIDE_LEFT = 6, 330

_INK, _GRID = "#222222", "#dddddd"

_Point = tuple[float, float]


def draw(table: Table, rows: Sequence[Row]) -> "Image | None":
    """The table's chart, WIDTH x HEIGHT pixels, or None where it has none or no row has a number."""
    chart = table.chart
    rows = [row for row in rows if chart and _is_number(row.values.get(chart.y))]
    if chart is None or not rows:
        return None
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    picture = _Picture(ImageDraw.Draw(image))
    picture.write((_LEFT, 22), table.title, size=18, anchor="lm")
    if chart.until is not None:
        _lanes(picture, table, rows)
    elif isinstance(rows[0].values[chart.x], str):
        (_bars if len(rows) <= _STANDING else _lying_bars)(picture, table, rows)
    else:
        _lines(picture, table, rows)
    return image


def _lines(picture: "_Picture", table: Table, rows: Sequence[Row]) -> None:
    chart = table.chart
    assert chart
    series: dict[str, list[_Point]] = {}
    for row in rows:
        name = _series(chart, row)
        series.setdefault(name or "measured here", []).append((row.values[chart.x], row.values[chart.y]))
        if chart.published and _is_number(row.values.get(chart.published)):
            theirs = f"{name}, published" if name else "published"
            point = (row.values[chart.x], row.values[chart.published])
            if point not in series.setdefault(theirs, []):
                series[theirs].append(point)
    points = [point for line in series.values() for point in line]
    x = _Axis([p[0] for p in points], chart.x_log)
    y = _Axis([p[1] for p in points], chart.y_log, from_zero=not chart.y_log)
    picture.axes(x, y, table.heading(chart.x), table.heading(chart.y))
    for number, (name, line) in enumerate(sorted(series.items())):
        picture.line(
            number, name, [(picture.across(x.share(a)), picture.up(y.share(b))) for a, b in sorted(line)]
        )


def _bars(picture: "_Picture", table: Table, rows: Sequence[Row]) -> None:
    chart = table.chart
    assert chart
    y = _Axis([row.values[chart.y] for row in rows], chart.y_log, from_zero=not chart.y_log)
    picture.axes(None, y, "", table.heading(chart.y))
    for number, row in enumerate(rows):
        value = row.values[chart.y]
        picture.bar(number, len(rows), str(row.values[chart.x]), y.share(value), f"{value:.3g}")


def _lying_bars(picture: "_Picture", table: Table, rows: Sequence[Row]) -> None:
    """Names at the left, one below the other: more than a few have no room side by side."""
    chart = table.chart
    assert chart
    picture.left = _WIDE_LEFT
    x = _Axis([row.values[chart.y] for row in rows], chart.y_log, from_zero=not chart.y_log)
    picture.axes(x, None, table.heading(chart.y), "")
    for number, row in enumerate(rows):
        value = row.values[chart.y]
        picture.lying_bar(number, len(rows), str(row.values[chart.x]), x.share(value), f"{value:.3g}")


def _lanes(picture: "_Picture", table: Table, rows: Sequence[Row]) -> None:
    chart = table.chart
    assert chart
    assert chart.until
    spans = [(row.values[chart.x], row.values[chart.until]) for row in rows]
    x = _Axis([place for span in spans for place in span])
    picture.axes(x, None, table.heading(chart.x), "")
    lanes = sorted({row.values[chart.y] for row in rows})
    names = list(dict.fromkeys(_series(chart, row) for row in rows))
    for place, lane in enumerate(lanes):
        picture.lane(place, len(lanes), f"{table.heading(chart.y)} {lane}")
    for row, (begin, end) in zip(rows, spans, strict=True):
        place, number = lanes.index(row.values[chart.y]), names.index(_series(chart, row))
        picture.span(place, len(lanes), x.share(begin), x.share(end), number)
    for number, name in enumerate(names):
        picture.key(number, name)


class _Axis:
    """Numbers to shares of an axis' length, with places for ticks."""

    def __init__(self, values: Sequence[float], logarithmic: bool = False, from_zero: bool = False) -> None:
        self._log = logarithmic and min(values) > 0
        low, high = min(values), max(values)
        if self._log:
            first, last = floor(log10(low)), max(ceil(log10(high)), floor(log10(low)) + 1)
            self._low, self._high = float(first), float(last)
            self.ticks = [10.0**k for k in range(first, last + 1)]
            return
        low = min(low, 0) if from_zero else low
        step = _round_step((high - low or abs(high) or 1) / 5)
        self._low, self._high = step * floor(low / step), step * ceil(high / step)
        if self._low == self._high:
            self._high += step
        self.ticks = [self._low + k * step for k in range(round((self._high - self._low) / step) + 1)]

    def share(self, value: float) -> float:
        place = log10(value) if self._log else value
        return (place - self._low) / (self._high - self._low)


def _round_step(step: float) -> float:
    """The next of 1, 2, 5, 10, 20, ... and their tenths."""
    power = 10.0 ** floor(log10(step))
    return next(power * m for m in (1, 2, 5, 10) if power * m >= step * 0.999)


class _Picture:
    def __init__(self, canvas: "ImageDraw") -> None:
        self._canvas = canvas
        self.left = _LEFT

    def across(self, share: float) -> float:
        return self.left + share * (WIDTH - self.left - _RIGHT)

    def up(self, share: float) -> float:
        return HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM)

    def write(self, place: _Point, text: str, size: int = 13, anchor: str = "mm") -> None:
        from PIL import ImageFont

        self._canvas.text(place, text, _INK, ImageFont.load_default(size), anchor)

    def axes(self, x: _Axis | None, y: _Axis | None, x_title: str, y_title: str) -> None:
        for tick in y.ticks if y else ():
            height = self.up(y.share(tick)) if y else 0
            self._canvas.line([(_LEFT, height), (WIDTH - _RIGHT, height)], _GRID)
            self.write((_LEFT - 8, height), f"{tick:,.6g}", anchor="rm")
        for tick in x.ticks if x else ():
            place = self.across(x.share(tick)) if x else 0
            self._canvas.line([(place, _TOP), (place, HEIGHT - _BOTTOM)], _GRID)
            self.write((place, HEIGHT - _BOTTOM + 14), f"{tick:,.6g}")
        self.write(((self.left + WIDTH - _RIGHT) / 2, HEIGHT - 22), x_title)
        self.write((12, _TOP - 16), y_title, anchor="lm")

    def line(self, number: int, name: str, points: list[_Point]) -> None:
        colour = _COLOURS[number % len(_COLOURS)]
        self._canvas.line(points, colour, 2)
        for place in points:
            self._canvas.circle(place, 4, colour)
        height = _TOP + 10 + 22 * number
        self._canvas.line([(WIDTH - _RIGHT + 12, height), (WIDTH - _RIGHT + 34, height)], colour, 3)
        self.write((WIDTH - _RIGHT + 40, height), name, anchor="lm")

    def key(self, number: int, name: str) -> None:
        """A box of the colour and pattern of so many names, and the name beside it."""
        top = _TOP + 4 + 22 * number
        self._box((WIDTH - _RIGHT + 12, top, WIDTH - _RIGHT + 34, top + 13), number)
        self.write((WIDTH - _RIGHT + 40, top + 6), name, anchor="lm")

    def lane(self, place: int, count: int, name: str) -> None:
        top, bottom = self._lane(place, count)
        self._canvas.line([(self.left, bottom + 6), (WIDTH - _RIGHT, bottom + 6)], _GRID)
        self.write((self.left - 8, (top + bottom) / 2), name, anchor="rm")

    def span(self, place: int, count: int, begin: float, end: float, number: int) -> None:
        """In a lane, from share to share of the axis; a pixel at least, so that nothing short is lost."""
        top, bottom = self._lane(place, count)
        left = self.across(begin)
        self._box((left, top, max(self.across(end), left + 1), bottom), number)

    def lying_bar(self, number: int, count: int, name: str, share: float, label: str) -> None:
        height = (HEIGHT - _TOP - _BOTTOM) / count
        top = _TOP + number * height
        right = max(self.across(share), self.left + 1)
        self._canvas.rectangle([self.left, top + height * 0.15, right, top + height * 0.85], _COLOURS[0])
        self.write((right + 6, top + height / 2), label, anchor="lm")
        self.write((self.left - 8, top + height / 2), name, anchor="rm")

    def _lane(self, place: int, count: int) -> tuple[float, float]:
        height = min(90.0, (HEIGHT - _TOP - _BOTTOM) / count)
        return _TOP + place * height + 6, _TOP + (place + 1) * height - 6

    def _box(self, corners: tuple[float, float, float, float], number: int) -> None:
        """Filled; past the last colour they begin again, with stripes across."""
        left, top, right, bottom = corners
        self._canvas.rectangle(corners, _COLOURS[number % len(_COLOURS)])
        if number >= len(_COLOURS):
            for height in range(round(top) + 3, round(bottom), 5):
                self._canvas.line([(left, height), (right, height)], "white")

    def bar(self, number: int, count: int, name: str, share: float, label: str) -> None:
        left, right = self.across((number + 0.15) / count), self.across((number + 0.85) / count)
        top = min(self.up(share), self.up(0) - 1)
        self._canvas.rectangle([left, top, right, self.up(0)], _COLOURS[number % len(_COLOURS)])
        self.write(((left + right) / 2, top - 10), label)
        self.write(((left + right) / 2, HEIGHT - _BOTTOM + 14 + 16 * (number % 2)), name)


def _series(chart: Chart, row: Row) -> str:
    """The name of the line that a row belongs to; what does not apply to it is left out."""
    return ", ".join(str(row.values[key]) for key in chart.series if row.values[key] is not None)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
