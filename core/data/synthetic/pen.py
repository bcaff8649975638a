"""Generates digits as polylines: varies the points of a style at random in position, slant, size
and thickness.

Only operations that IEEE 754 rounds correctly are used (no sine, logarithm or matrix product), so
that a seed gives the same digits on every machine.

Half of the digits come from a shape model: clusters of pen strokes, each a mean curve and its
principal components. A digit is mean + Σ_k c_k · component_k with random c_k of variance 1: the
point distribution model of Cootes, Taylor, Cooper and Graham (1995, "Active shape models").
`tools/models/shape_model.py` builds it from pen strokes.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.data.synthetic.styles import SAMPLES, all_curves
from core.drawing.ink import INK_SIDE
from core.drawing.strokes import Polylines
from core.program import RESOURCES


def approximate_normal(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Random numbers of mean 0 and standard deviation 1 within ±3: sums of three uniform
    numbers.
    """
    first, second, third = rng.random((3, *shape))
    return 2 * (first + second + third) - 3


def choose(
    labels: np.ndarray, row_labels: np.ndarray, frequencies: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """int64 (n,): for each label a random row with that label, by the rows' frequencies."""
    draws = rng.random(len(labels))
    rows = np.empty(len(labels), np.int64)
    for label in range(10):
        candidates = np.flatnonzero(row_labels == label)
        bounds = np.cumsum(frequencies[candidates])
        mask = labels == label
        rows[mask] = candidates[
            np.searchsorted(bounds[:-1] / bounds[-1], draws[mask], side="right")
        ]
    return rows


COMPONENTS = 12

PATH = RESOURCES / "strokes" / "shapes.safetensors"


@dataclass(frozen=True, slots=True)
class ShapeModel:
    """c clusters of curves with s samples; lengths are in longest sides of a digit, y grows
    downwards.
    """

    labels: np.ndarray  # int (c,), the digits
    counts: np.ndarray  # int (c,), how many drawings a cluster was made from
    joined: np.ndarray  # bool (c, s), whether the pen draws from this sample to the next
    means: np.ndarray  # float64 (c, s, 2), x and y
    components: np.ndarray  # float64 (c, COMPONENTS, s, 2), each times its standard deviation

    def draw(
        self, labels: np.ndarray, spread: float, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Random digits: their samples, float64 (n, s, 2), and `joined`, bool (n, s). `spread`
        multiplies all c_k.
        """
        clusters = choose(labels, self.labels, self.counts, rng)
        factors = spread * approximate_normal(rng, (COMPONENTS, len(labels), 1, 1))
        samples = self.means[clusters]
        for number in range(COMPONENTS):  # in this order: float additions are not associative
            samples += factors[number] * self.components[clusters, number]
        return samples, self.joined[clusters]


@cache
def shape_model(path: Path = PATH) -> ShapeModel:
    """The model in the file at `path`, which comes with the program."""
    from safetensors.numpy import load_file

    arrays = load_file(path)
    return ShapeModel(
        arrays["labels"].astype(np.int64),
        arrays["counts"].astype(np.int64),
        arrays["joined"].astype(bool),
        arrays["means"].astype(float),
        arrays["components"].astype(float),
    )


# Spreads are standard deviations. Lengths are in heights of the digit; slant and turn are tangents.
_POINT_JITTER = 0.02
_END_JITTER = 0.035
_WARP = 0.035
_SLANT_MEAN = 0.17
_SLANT = 0.22
_TURN = 0.055
_WIDTH_MEAN = 1.08
_WIDTH = 0.22
_NARROW_SHARE = 0.2
_NARROWEST = 0.45
_HALVES = 0.13
_WAIST = 0.12
_THICKNESS_MEAN = 2.6
_THICKNESS = 0.8
_THINNEST = 1.1
_THICKEST = 6.5
_PRESSURE = 0.12
_LOOP = 0.28  # of a digit's width, at most, is its pen's width: more would fill the loops
_LOOP_LEAST = 1.5
_LEANS = (-0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8)

STYLE_SHARE = 0.5
SHAPE_SPREAD = 1.0
SHAPE_WARP = 0.02
SHAPE_HALVES = 0.08
SHAPE_WAIST = 0.06


@dataclass(frozen=True, slots=True)
class Writing:
    """n digits as polylines, in heights of a digit. s: samples of each."""

    labels: np.ndarray  # int32 (n,)
    lines: Polylines  # of n · s points
    widths: np.ndarray  # float64 (n,), of the pen, in pixels of the 28x28 image
    pressure: np.ndarray  # float64 (n · s,), multiplies the pen's width

    def images(self) -> np.ndarray:
        """The digits, uint8 (n, 28, 28)."""
        from core.drawing.rendering import render

        return render(self.lines, self.widths, self.pressure)


def write(count: int, rng: np.random.Generator, model: ShapeModel | None = None) -> Writing:
    """`count` random digits: all classes are equally likely, styles and clusters by their
    frequencies.
    """
    model = model or shape_model()
    labels = rng.integers(0, 10, count)
    from_style = rng.random(count) < STYLE_SHARE
    samples = np.empty((count, SAMPLES, 2))
    joined = np.empty((count, SAMPLES), bool)
    samples[from_style], joined[from_style] = _from_styles(labels[from_style], rng)
    samples[~from_style], joined[~from_style] = _from_shapes(labels[~from_style], model, rng)
    widths = np.clip(
        _THICKNESS_MEAN + _THICKNESS * approximate_normal(rng, (count,)), _THINNEST, _THICKEST
    )
    widths = np.where(
        labels == 1,
        widths,
        np.minimum(widths, np.maximum(_LOOP * _loop_width(samples), _LOOP_LEAST)),
    )
    change = _PRESSURE * approximate_normal(rng, (count, 1)) * np.linspace(-1, 1, SAMPLES)
    lines = Polylines(samples.reshape(-1, 2), joined.ravel(), np.arange(count + 1) * SAMPLES)
    return Writing(labels.astype(np.int32), lines, widths, np.clip(1 + change, 0.6, 1.4).ravel())


def _loop_width(samples: np.ndarray) -> np.ndarray:
    """The width of each digit without its slant, in pixels of the 28x28 image, float64 (n,).
    samples: (n, s, 2).

    It is the least width among those of the digit and of the digit leant back by each of _LEANS.
    """
    x = samples[..., 0]
    y = samples[..., 1]
    longest = np.maximum(np.ptp(x, axis=1), np.ptp(y, axis=1))
    widths = [np.ptp(x + lean * y, axis=1) for lean in _LEANS]
    return INK_SIDE * np.minimum.reduce(widths) / np.maximum(longest, 1e-9)


def _from_styles(labels: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Samples, float64 (n, s, 2), and `joined`, bool (n, s), of digits in the hand-made styles."""
    curves = all_curves()
    styles = choose(labels, curves.digits, curves.frequencies, rng)
    points = _jitter(curves.points[styles], curves.ends[styles], rng)
    points = _slant(_warp(points, _WARP, _HALVES, _WAIST, rng), _SLANT_MEAN, rng)
    return _sample(points, styles), curves.joined[styles]


def _from_shapes(
    labels: np.ndarray, model: ShapeModel, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Samples and `joined` of digits from the shape model."""
    samples, joined = model.draw(labels, SHAPE_SPREAD, rng)
    samples = samples + np.array((1 / 3, 1 / 2))
    return _slant(_warp(samples, SHAPE_WARP, SHAPE_HALVES, SHAPE_WAIST, rng), 0.0, rng), joined


def _jitter(points: np.ndarray, ends: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Moves each point independently, the ends of strokes further: loops may stay open, bars
    overshoot.
    """
    return points + np.where(ends, _END_JITTER, _POINT_JITTER)[..., None] * approximate_normal(
        rng, points.shape
    )


def _warp(
    points: np.ndarray,
    spread: float,
    halves_spread: float,
    waist_spread: float,
    rng: np.random.Generator,
) -> np.ndarray:
    """Warps the plane by polynomials of second and third degree, and scales the upper and lower
    half.
    """
    u = points[..., 0] * 3 - 1
    v = points[..., 1] * 2 - 1
    terms = (u * u, u * v, v * v, u * u * v, u * v * v, v * v * v - v, u * u * u - u)
    amounts = spread * approximate_normal(rng, (2, len(terms), len(points), 1))
    x = u / 3
    y = v / 2
    for number, term in enumerate(terms):
        x = x + amounts[0, number] * term
        y = y + amounts[1, number] * term
    halves = halves_spread * approximate_normal(rng, (len(points), 1))
    waist = waist_spread * approximate_normal(rng, (len(points), 1))
    return np.stack((x * (1 + halves * v), y + waist * (1 - v * v)), axis=-1)


def _slant(points: np.ndarray, mean: float, rng: np.random.Generator) -> np.ndarray:
    """Scales the width, shears, then rotates by 2 atan t: its cosine is (1 - t²)/(1 + t²), its sine
    2t/(1 + t²).
    """
    count = (len(points), 1)
    width = np.clip(_WIDTH_MEAN + _WIDTH * approximate_normal(rng, count), 0.45, 1.6)
    narrow = 1 - (1 - _NARROWEST) * rng.random(count)
    width = np.where(rng.random(count) < _NARROW_SHARE, width * narrow, width)
    slant = mean + _SLANT * approximate_normal(rng, count)
    t = _TURN * approximate_normal(rng, count)
    x = points[..., 0] * width - points[..., 1] * slant
    y = points[..., 1]
    cosine = (1 - t * t) / (1 + t * t)
    sine = 2 * t / (1 + t * t)
    return np.stack((cosine * x - sine * y, sine * x + cosine * y), axis=-1)


def _sample(points: np.ndarray, styles: np.ndarray) -> np.ndarray:
    """The samples of each digit's curve, float64 (n, s, 2)."""
    curves = all_curves()
    sources = curves.sources[styles]
    weights = curves.weights[styles]
    rows = np.arange(len(styles))[:, None]
    samples = np.zeros((*sources.shape[:2], 2))
    for number in range(4):
        samples += weights[..., number, None] * points[rows, sources[..., number]]
    return samples
