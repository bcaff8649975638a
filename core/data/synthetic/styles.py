"""The handwriting styles of the built-in digits: each is the strokes of one digit through a few
points.

Points are "x,y" in hundredths of the digit's height, x to the right and y down; a smooth curve
passes through them, with a corner at each point marked "!". Strokes are separated by "|".

The strokes of each style are sampled at a fixed number of places, each a weighted sum of four of
its points. Between two points the curve is the cubic spline of Catmull and Rom (1974), which passes
through all points. At a corner the point is used twice, which makes the curve stop and turn there.
The weights do not depend on the coordinates of the points, so any number of digits with moved
points is sampled by one gather and four products.
"""

from dataclasses import dataclass
from functools import cache
from math import dist

import numpy as np


@dataclass(frozen=True, slots=True)
class Style:
    """One style of one digit. `frequency` is relative to the other styles of the same digit."""

    digit: int
    frequency: float
    strokes: str


STYLES = (
    # 0: round, with a hook inside at the start, open at the top, slashed
    Style(0, 4, "30,0 10,15 0,50 10,85 30,100 50,85 60,50 50,15 30,0"),
    Style(0, 3, "44,8 25,2 6,22 1,55 10,88 30,99 52,82 59,48 50,14 30,3 20,12"),
    Style(0, 2, "36,4 12,12 0,45 6,82 28,100 50,88 60,52 52,18 42,8"),
    Style(0, 2, "14,10 2,40 4,80 24,100 48,88 60,56 56,18 36,0 16,8 8,24"),
    Style(0, 1, "62,2 46,10 20,4 4,34 6,80 28,100 52,86 58,48 46,16 26,6"),
    Style(0, 0.3, "30,0 10,15 0,50 10,85 30,100 50,85 60,50 50,15 30,0|54,8 6,94"),
    # 1: a bar, with a short flag, a long one, a hooked one, a wide one, with a hook as foot, with a
    # foot
    Style(1, 5, "30,0 30,33 30,66 30,100"),
    Style(1, 2.5, "20,16 26,10 34,0! 33,50 32,100"),
    Style(1, 1.5, "4,38 18,22 34,0! 34,50 34,100"),
    Style(1, 0.8, "6,32 6,26 20,20 38,0! 36,50 34,100"),
    Style(1, 0.7, "0,28 24,22 46,0! 42,50 38,100"),
    Style(1, 0.8, "10,24 24,12 36,0! 35,50 32,84 22,98 8,99"),
    Style(1, 0.6, "14,18 34,0! 34,50 34,100|10,100 34,99 60,100"),
    # 2: a corner at the base, a small loop, a large loop, a wave, like a Z
    Style(2, 3, "4,22 14,5 34,0 52,10 54,30 38,58 4,98! 30,96 62,97"),
    Style(2, 3, "4,20 18,3 40,2 52,18 46,42 26,72 8,92 2,84 10,76 26,84 44,95 66,90"),
    Style(2, 2, "2,28 12,6 36,0 54,14 50,40 32,70 12,96 0,86 14,68 32,80 48,95 70,82"),
    Style(2, 2, "6,24 22,2 48,6 54,30 36,62 6,94! 24,86 42,94 66,92"),
    Style(2, 1.5, "4,8 34,2 54,10 48,34 26,66 2,97! 34,98 66,98"),
    Style(2, 1, "10,14 26,0 44,8 46,34 34,66 10,92 24,84 44,94 64,98"),
    Style(2, 2, "2,30 4,10 26,0 44,14 40,44 24,76 8,90 0,80 12,70 30,78 60,96"),
    Style(2, 2, "28,36 8,28 8,10 26,0 50,6 54,30 36,60 10,90 0,78 12,64 30,76 44,92 62,88"),
    Style(2, 2, "4,22 22,0 44,6 46,38 22,82 2,92 2,68 20,62 36,80 58,86"),
    # 3: a cusp between the bows, a flat top, a small loop, soft
    Style(3, 3, "6,12 24,0 48,6 50,28 22,46! 50,56 58,78 38,99 14,98 2,86"),
    Style(3, 1, "4,4 28,4 52,4! 24,42! 50,52 56,76 36,99 4,92"),
    Style(3, 2, "6,14 26,0 50,12 42,36 22,46 16,42 24,40 46,54 54,78 32,100 2,88"),
    Style(3, 3, "8,8 34,0 50,18 36,40 20,46 40,50 56,70 44,94 20,100 0,90"),
    Style(3, 1, "0,18 20,2 44,2 52,22 30,44! 44,46 56,62 54,86 32,100 8,96"),
    # 4: open and angular, open and round, closed, in one stroke
    Style(4, 3, "8,4 4,30 4,52! 30,51 58,50|46,0 44,50 42,100"),
    Style(4, 3, "6,2 2,34 12,52 32,52 52,46|52,4 46,50 42,100"),
    Style(4, 1.5, "42,0 20,34 0,64! 32,64 64,62|42,0 42,50 42,100"),
    Style(4, 3, "6,4 2,38 16,54 40,46 52,6! 48,50 44,100"),
    Style(4, 1.5, "20,2 10,28 0,56! 30,54 62,50|44,20 42,60 40,100"),
    Style(4, 1.2, "50,30 28,38 6,50 22,30 44,0! 44,50 44,100|6,50 30,54 60,52"),
    Style(4, 1, "36,2 20,26 4,50! 26,52 44,46|44,4 44,50 40,100"),
    # 5: cap first, cap last, like an S, with a straight neck
    Style(5, 3, "14,4 10,44! 34,38 54,54 52,82 30,100 2,90|14,4 34,4 56,2"),
    Style(5, 3, "60,2 36,2 14,4! 10,42! 36,38 54,58 48,86 22,100 0,88"),
    Style(5, 2, "56,4 24,6 12,24 26,42 48,58 46,86 20,100 0,90"),
    Style(5, 2, "20,8 12,44 36,46 50,62 42,90 20,100 2,94|20,8 44,6 70,0"),
    Style(5, 1, "66,0 40,4 22,12! 14,40 34,50 42,70 30,94 4,98"),
    Style(5, 1.5, "72,4 46,4 20,6! 16,40! 44,38 66,58 54,88 22,100 0,88"),
    # 6: a large bow, a tall straight back, a hook at the top, a small closed loop
    Style(6, 3, "46,2 22,22 4,58 8,90 30,100 50,86 48,62 26,54 8,72"),
    Style(6, 3, "34,0 12,36 2,74 18,99 44,94 52,72 34,56 10,70"),
    Style(6, 1.5, "52,10 40,0 18,18 2,58 10,92 34,100 52,82 44,60 22,60 6,78"),
    Style(6, 2, "26,0 10,44 6,84 26,100 46,86 38,66 18,72 8,88"),
    Style(6, 1, "40,0 14,30 0,68 12,98 46,98 62,80 44,66 18,80"),
    Style(6, 1.5, "16,0 4,40 6,82 28,100 58,90 66,66 48,52 26,66 16,92"),
    Style(6, 1.5, "14,0 4,34 0,78 12,98 40,96 64,78 54,58 34,66 26,94"),
    # 7: plain, barred, with a serif, with a wave, steep
    Style(7, 4, "2,6 30,5 56,4! 38,44 24,100"),
    Style(7, 1.2, "2,6 30,5 56,4! 38,44 24,100|8,54 32,50 58,48"),
    Style(7, 2, "2,20 4,4! 30,4 56,4! 32,50 22,100"),
    Style(7, 2, "0,14 16,2 36,8 56,2! 36,46 28,100"),
    Style(7, 2, "4,14 20,4 44,2 54,14 46,50 38,100"),
    Style(7, 1, "2,2 28,2 54,2! 36,50 14,100"),
    Style(7, 1.5, "0,24 6,4! 16,2 34,10 58,4! 38,50 26,100"),
    Style(7, 0.7, "0,20 8,6! 30,8 54,4! 36,44 26,100|4,56 28,52 56,46"),
    # 8: from the top right, as two rings, open at the top, from the middle
    Style(8, 4, "50,12 32,0 10,10 10,30 30,46 52,66 50,90 28,100 6,88 8,66 30,46 50,26 50,12"),
    Style(8, 1, "30,0 12,12 14,36 30,46 48,34 46,10 30,0|30,46 6,64 8,92 30,100 54,90 52,62 30,46"),
    Style(8, 3, "46,4 20,3 8,20 26,44 50,64 52,88 28,100 6,90 6,68 26,48 48,28 58,6"),
    Style(8, 2, "28,46 8,26 18,2 44,2 50,22 30,46 8,70 14,96 40,98 50,76 28,46"),
    Style(8, 1.5, "54,10 36,0 16,12 20,34 38,56 40,84 24,100 8,84 20,60 42,36 54,12"),
    # 9: a straight tail, a curved one, a slanting one, a separate stem
    Style(9, 4, "50,14 28,0 6,14 6,40 26,50 46,36 52,8! 48,50 44,100"),
    Style(9, 1.5, "50,16 30,0 6,16 8,42 30,48 48,30 52,10 52,50 44,88 22,100 4,90"),
    Style(9, 3, "48,10 24,0 2,22 12,44 36,38 48,8! 42,54 28,100"),
    Style(9, 2, "46,18 30,2 8,18 12,42 34,44 50,22 48,56 42,100"),
    Style(9, 1.5, "44,20 26,16 8,30 14,46 36,42 54,0! 46,50 36,100"),
    Style(9, 1, "40,4 10,10 2,34 22,46 44,34 38,4 42,40 44,100"),
    Style(9, 1.5, "46,6 20,4 2,24 14,44 36,38 48,14 46,56 30,98 6,92"),
    Style(9, 2, "42,6 14,4 2,26 10,46 34,40 52,12! 46,56 38,100"),
    Style(9, 1.5, "34,2 8,10 4,34 22,44 44,26 56,0! 46,50 42,100"),
    Style(9, 1, "4,6 2,34 22,44 44,34 54,10 26,2 4,10|50,8 50,54 46,100"),
)


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
