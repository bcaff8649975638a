"""A curve is a hand's strokes as a fixed number of samples, each a weighted sum of four of the hand's points.

Between two points runs the cubic of Catmull and Rom (1974), which passes through all points. At a corner the point
counts twice, which makes the curve stop and turn there. Because the weights do not depend on where the points are,
any number of hands with moved points is sampled by one gather and four products.
"""

from dataclasses import dataclass
from functools import cache
from math import dist

import numpy as np

from core.data.synthetic.hands import HANDS

SAMPLES = 60
"""Samples a hand, shared out by length: a step is about a fortieth of the digit's height."""


@dataclass(frozen=True, slots=True)
class Curves:
    """All hands, padded to the same number of points. h: hands, p: points, s: samples."""

    digits: np.ndarray  # int64 (h,)
    shares: np.ndarray  # float64 (h,)
    points: np.ndarray  # float64 (h, p, 2), x and y, the digit's height is 1
    ends: np.ndarray  # bool (h, p), first and last points of a stroke
    sources: np.ndarray  # int64 (h, s, 4), the points that a sample depends on
    weights: np.ndarray  # float64 (h, s, 4)
    joined: np.ndarray  # bool (h, s), whether ink leads from this sample to the next


@cache
def all_curves() -> Curves:
    """The curves of all hands, computed once."""
    parsed = [_parse(hand.strokes) for hand in HANDS]
    most = max(len(points) for points, _, _ in parsed)
    points = np.zeros((len(HANDS), most, 2))
    ends = np.zeros((len(HANDS), most), bool)
    tables = []
    for row, (own, last, spans) in enumerate(parsed):
        points[row, : len(own)] = np.array(own) / 100
        points[row, len(own) :] = points[row, len(own) - 1]
        ends[row, list(last)] = True
        tables.append(_sample(own, spans))
    sources, weights, joined = (np.stack(column) for column in zip(*tables, strict=True))
    return Curves(
        digits=np.array([hand.digit for hand in HANDS]),
        shares=np.array([hand.share for hand in HANDS], float),
        points=points,
        ends=ends,
        sources=sources,
        weights=weights,
        joined=joined,
    )


Point = tuple[int, int]
Span = tuple[int, int, int, int]


def _parse(text: str) -> tuple[list[Point], set[int], list[list[Span]]]:
    """Points, the indices of stroke ends, and a stroke's spans: four indices, the curve runs between the inner two."""
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


def _sample(points: list[Point], strokes: list[list[Span]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sources, weights and joins of SAMPLES samples; every stroke begins and ends on its own points."""
    spans = [span for stroke in strokes for span in stroke]
    counts = _share_out([dist(points[span[1]], points[span[2]]) for span in spans], SAMPLES - len(strokes))
    sources, weights, joined = [], [], []
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


def _share_out(lengths: list[float], total: int) -> list[int]:
    """`total` in whole parts proportional to `lengths`, each at least one."""
    counts = [max(1, int(total * length / sum(lengths))) for length in lengths]
    while sum(counts) != total:
        wanted = [
            total * length / sum(lengths) - count for length, count in zip(lengths, counts, strict=True)
        ]
        short = sum(counts) < total
        place = wanted.index(
            max(wanted) if short else min(w for w, c in zip(wanted, counts, strict=True) if c > 1)
        )
        counts[place] += 1 if short else -1
    return counts


def _catmull_rom(t: float) -> tuple[float, float, float, float]:
    return (
        ((2 - t) * t - 1) * t / 2,
        ((3 * t - 5) * t * t + 2) / 2,
        ((4 - 3 * t) * t + 1) * t / 2,
        (t - 1) * t * t / 2,
    )
