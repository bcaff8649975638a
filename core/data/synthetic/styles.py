"""The handwriting styles of the built-in digits: each is the strokes of one digit through a few
points.

`resources/strokes/styles.txt` lists them, and says how they are written.

The strokes of each style are sampled at a fixed number of places, each a weighted sum of four of
its points. Between two points the curve is the cubic spline of Catmull and Rom (1974), which passes
through all points. At a corner the point is used twice, which makes the curve stop and turn there.
The weights do not depend on the coordinates of the points, so any number of digits with moved
points is sampled by one gather and four products.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import dist

import numpy as np

from core.program import RESOURCES


@dataclass(frozen=True, slots=True)
class Style:
    """One style of one digit. `frequency` is relative to the other styles of the same digit."""

    digit: int
    frequency: float
    strokes: str


def _read_styles() -> Iterator[Style]:
    for line in (RESOURCES / "strokes" / "styles.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            digit, frequency, strokes = line.split(" ", 2)
            yield Style(int(digit), float(frequency), strokes)


STYLES = tuple(_read_styles())

SAMPLES = 60
"""Samples per style, distributed by length: a step is about a fortieth of the digit's height."""


@dataclass(frozen=True, slots=True)
class Curves:
    """All styles, padded to the same number of points. h: number of styles, p: points, s:
    samples.
    """

    digits: np.ndarray  # int64 (h,)
    frequencies: np.ndarray  # float64 (h,)
    points: np.ndarray  # float64 (h, p, 2), x and y, the digit's height is 1
    ends: np.ndarray  # bool (h, p), first and last points of a stroke
    sources: np.ndarray  # int64 (h, s, 4), the points that a sample depends on
    weights: np.ndarray  # float64 (h, s, 4)
    joined: np.ndarray  # bool (h, s), whether the pen draws from this sample to the next


@cache
def all_curves() -> Curves:
    """The curves of STYLES, computed once."""
    parsed = [_parse(style.strokes) for style in STYLES]
    count = max(len(points) for points, _, _ in parsed)
    points = np.zeros((len(STYLES), count, 2))
    ends = np.zeros((len(STYLES), count), bool)
    tables = []
    for row, (style_points, stroke_ends, spans) in enumerate(parsed):
        points[row, : len(style_points)] = np.array(style_points) / 100
        points[row, len(style_points) :] = points[row, len(style_points) - 1]
        ends[row, list(stroke_ends)] = True
        tables.append(_sample(style_points, spans))
    sources, weights, joined = (np.stack(column) for column in zip(*tables, strict=True))
    return Curves(
        digits=np.array([style.digit for style in STYLES]),
        frequencies=np.array([style.frequency for style in STYLES], float),
        points=points,
        ends=ends,
        sources=sources,
        weights=weights,
        joined=joined,
    )


Point = tuple[int, int]
Span = tuple[int, int, int, int]


def _parse(text: str) -> tuple[list[Point], set[int], list[list[Span]]]:
    """Points, indices of stroke ends, and the spans of each stroke: four indices, of a curve
    between the inner two.
    """
    points: list[Point] = []
    ends: set[int] = set()
    strokes = []
    for stroke in text.split("|"):
        path = []
        for word in stroke.split():
            x, y = word.rstrip("!").split(",")
            path += [len(points)] * (2 if word.endswith("!") else 1)
            points.append((int(x), int(y)))
        ends |= {path[0], path[-1]}
        padded = [path[0], *path, path[-1]]
        spans = list(zip(padded, padded[1:], padded[2:], padded[3:], strict=False))
        strokes.append([span for span in spans if span[1] != span[2]])
    return points, ends, strokes


def _sample(
    points: list[Point], strokes: list[list[Span]]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`sources`, `weights` and `joined` of SAMPLES samples. Each stroke begins and ends on its
    first and last point.
    """
    spans = [span for stroke in strokes for span in stroke]
    counts = _distribute(
        [dist(points[span[1]], points[span[2]]) for span in spans], SAMPLES - len(strokes)
    )
    sources = []
    weights = []
    joined = []
    number = iter(counts)
    for stroke in strokes:
        for span in stroke:
            count = next(number)
            for step in range(count):
                sources.append(span)
                weights.append(_catmull_rom(step / count))
                joined.append(True)
        sources.append(stroke[-1])
        weights.append(_catmull_rom(1.0))
        joined.append(False)
    return np.array(sources), np.array(weights), np.array(joined)


def _distribute(lengths: list[float], total: int) -> list[int]:
    """`total` split into integers proportional to `lengths`, each at least 1."""
    counts = [max(1, int(total * length / sum(lengths))) for length in lengths]
    while sum(counts) != total:
        errors = [
            total * length / sum(lengths) - count
            for length, count in zip(lengths, counts, strict=True)
        ]
        if sum(counts) < total:
            counts[errors.index(max(errors))] += 1
        else:
            counts[errors.index(min(e for e, c in zip(errors, counts, strict=True) if c > 1))] -= 1
    return counts


def _catmull_rom(t: float) -> tuple[float, float, float, float]:
    """The weights of four points for the place `t` (0..1) between the second and the third."""
    return (
        ((2 - t) * t - 1) * t / 2,
        ((3 * t - 5) * t * t + 2) / 2,
        ((4 - 3 * t) * t + 1) * t / 2,
        (t - 1) * t * t / 2,
    )
