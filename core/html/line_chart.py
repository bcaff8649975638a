"""A line chart as an SVG element for an HTML page."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10

from core.colors import SERIES_ON_LIGHT

_WIDTH, _HEIGHT = 900, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 20, 12, 44
_TICKS = 6
_DASHES = ("", "7 4", "2 3", "9 3 2 3")


@dataclass(frozen=True, slots=True)
class Line:
    """The points of one line; those that are not finite are left out."""

    name: str
    x: Sequence[float]
    y: Sequence[float]


def line_chart(
    title: str, lines: Sequence[Line], x_title: str, y_title: str, *, logarithmic: bool = False
) -> str:
    """A figure with the lines and a legend below; a logarithmic axis leaves out values that are not positive."""
    points = [_points(line, logarithmic) for line in lines]
    every = [point for each in points for point in each]
    if not every:
        return f"<p>{escape(title)}: –</p>"
    xs, ys = [x for x, _ in every], [y for _, y in every]
    x_ticks, y_ticks = _ticks(min(xs), max(xs)), _ticks(min(ys), max(ys))
    x_low, x_high = min(x_ticks[0], min(xs)), max(x_ticks[-1], max(xs))
    y_low, y_high = min(y_ticks[0], min(ys)), max(y_ticks[-1], max(ys))

    def to_pixels(x: float, y: float) -> tuple[float, float]:
        across = (x - x_low) / ((x_high - x_low) or 1)
        up = (y - y_low) / ((y_high - y_low) or 1)
        return _LEFT + across * (_WIDTH - _LEFT - _RIGHT), _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM)

    parts = [f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}">']
    for tick in y_ticks:
        _, y = to_pixels(x_low, tick)
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="var(--line)"/>'
        )
        label = f"{10**tick:.3g}" if logarithmic else f"{tick:.6g}"
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    for tick in x_ticks:
        x, _ = to_pixels(tick, y_low)
        parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{tick:.6g}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(x_title)}</text>')
    parts.append(
        f'<text x="14" y="{_HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 {_HEIGHT / 2})">'
        f"{escape(y_title)}</text>"
    )
    for index, each in enumerate(points):
        path = " ".join("{:.1f},{:.1f}".format(*to_pixels(*point)) for point in each)
        parts.append(f'<polyline points="{path}" fill="none" {_stroke(index)}><title>{escape(lines[index].name)}'
                     "</title></polyline>")  # fmt: skip
    parts.append("</svg>")
    return f"<figure>\n{''.join(parts)}\n<figcaption>{_legend(lines)}</figcaption>\n</figure>"


def _points(line: Line, logarithmic: bool) -> list[tuple[float, float]]:
    points = [(x, y) for x, y in zip(line.x, line.y, strict=True) if isfinite(x) and isfinite(y)]
    return [(x, log10(y)) for x, y in points if y > 0] if logarithmic else points


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from the last one at or below `low` to the first one at or above `high`."""
    if high <= low:
        return [low - 0.5, low, low + 0.5] if low else [0.0, 1.0]
    rough = (high - low) / _TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return [n * step for n in range(floor(low / step), ceil(high / step) + 1)]


def _stroke(index: int) -> str:
    """The stroke of a line: colors repeat with another dash."""
    color = SERIES_ON_LIGHT[index % len(SERIES_ON_LIGHT)]
    dash = _DASHES[index // len(SERIES_ON_LIGHT) % len(_DASHES)]
    return f'stroke="{color}" stroke-width="2"' + (f' stroke-dasharray="{dash}"' if dash else "")


def _legend(lines: Sequence[Line]) -> str:
    samples = (
        f'<svg viewBox="0 0 30 10" style="width:30px;height:10px"><line x1="0" x2="30" y1="5" y2="5" {_stroke(index)}/>'
        f"</svg> {escape(line.name)}"
        for index, line in enumerate(lines)
    )
    return " &emsp; ".join(samples)
