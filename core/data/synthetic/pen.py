"""Generates digits as polylines: varies the points of a style at random in position, slant, size and thickness.

Only operations that IEEE 754 rounds correctly are used (no sine, logarithm or matrix product), and the result is
rounded to 1/256 pixel, so that a seed gives the same digits on every machine.
"""

from dataclasses import dataclass

import numpy as np

from core.data.synthetic.curves import SAMPLES, all_curves

BOX = 40
"""Pixels of the longest side of the ink: twice that of a normalised digit."""

MARGIN = 3
CANVAS = BOX + 2 * MARGIN

# Spreads are standard deviations. Lengths are in heights of the digit; slant and turn are tangents.
_POINT_JITTER = 0.02
_END_JITTER = 0.035
_WARP = 0.035
_SLANT_MEAN, _SLANT = 0.17, 0.2
_TURN = 0.055
_WIDTH_MEAN, _WIDTH = 1.08, 0.22
_HALVES = 0.13
_WAIST = 0.12
_THICKNESS_MEAN, _THICKNESS = 2.4, 0.65
_THINNEST, _THICKEST = 1.1, 5.0
_PRESSURE = 0.12


@dataclass(frozen=True, slots=True)
class Lines:
    """n digits as polylines in pixels of a CANVAS x CANVAS picture. s: samples."""

    labels: np.ndarray  # int32 (n,)
    x: np.ndarray  # float64 (n, s)
    y: np.ndarray  # float64 (n, s)
    radii: np.ndarray  # float64 (n, s), half the pen's width
    joined: np.ndarray  # bool (n, s), whether the pen draws from this sample to the next


def write(count: int, rng: np.random.Generator) -> Lines:
    """`count` random digits: all classes are equally likely, styles by their frequencies."""
    curves = all_curves()
    labels = rng.integers(0, 10, count)
    styles = _choose(labels, rng)
    points = _jitter(curves.points[styles], curves.ends[styles], rng)
    x, y = _sample(_slant(_warp(points, rng), rng), styles)
    thickness = np.clip(_THICKNESS_MEAN + _THICKNESS * _bell(rng, (count,)), _THINNEST, _THICKEST)
    radius = thickness * (BOX / 20 / 2)
    x, y = _fit(x, y, radius)
    pressure = _PRESSURE * _bell(rng, (count, 1)) * np.linspace(-1, 1, SAMPLES)
    radii = np.rint(radius[:, None] * np.clip(1 + pressure, 0.6, 1.4) * 256) / 256
    return Lines(labels.astype(np.int32), x, y, radii, curves.joined[styles])


def _bell(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Random numbers of mean 0 and standard deviation 1 within ±3: sums of three uniform numbers."""
    first, second, third = rng.random((3, *shape))
    return 2 * (first + second + third) - 3


def _choose(labels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """int64 (n,): the row in `all_curves()` of a random style for each label."""
    curves = all_curves()
    draws = rng.random(len(labels))
    styles = np.empty(len(labels), np.int64)
    for digit in range(10):
        candidates = np.flatnonzero(curves.digits == digit)
        bounds = np.cumsum(curves.frequencies[candidates])
        mask = labels == digit
        styles[mask] = candidates[np.searchsorted(bounds[:-1] / bounds[-1], draws[mask], side="right")]
    return styles


def _jitter(points: np.ndarray, ends: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Moves each point independently, the ends of strokes further: loops may stay open, bars overshoot."""
    return points + np.where(ends, _END_JITTER, _POINT_JITTER)[..., None] * _bell(rng, points.shape)


def _warp(points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Warps the plane by polynomials of second and third degree, and scales the upper and lower half."""
    u, v = points[..., 0] * 3 - 1, points[..., 1] * 2 - 1
    terms = (u * u, u * v, v * v, u * u * v, u * v * v, v * v * v - v, u * u * u - u)
    amounts = _WARP * _bell(rng, (2, len(terms), len(points), 1))
    x, y = u / 3, v / 2
    for number, term in enumerate(terms):
        x = x + amounts[0, number] * term
        y = y + amounts[1, number] * term
    halves = _HALVES * _bell(rng, (len(points), 1))
    waist = _WAIST * _bell(rng, (len(points), 1))
    return np.stack((x * (1 + halves * v), y + waist * (1 - v * v)), axis=-1)


def _slant(points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Scales the width, shears, then rotates by 2 atan t: its cosine is (1 - t²)/(1 + t²), its sine 2t/(1 + t²)."""
    count = (len(points), 1)
    width = np.clip(_WIDTH_MEAN + _WIDTH * _bell(rng, count), 0.45, 1.6)
    slant = _SLANT_MEAN + _SLANT * _bell(rng, count)
    t = _TURN * _bell(rng, count)
    x = points[..., 0] * width - points[..., 1] * slant
    y = points[..., 1]
    cosine, sine = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    return np.stack((cosine * x - sine * y, sine * x + cosine * y), axis=-1)


def _sample(points: np.ndarray, styles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The samples of each digit's curve: x and y, float64 (n, s)."""
    curves = all_curves()
    sources, weights = curves.sources[styles], curves.weights[styles]
    rows = np.arange(len(styles))[:, None]
    x = np.zeros(sources.shape[:2])
    y = np.zeros(sources.shape[:2])
    for number in range(4):
        chosen = points[rows, sources[..., number]]
        x += weights[..., number] * chosen[..., 0]
        y += weights[..., number] * chosen[..., 1]
    return x, y


def _fit(x: np.ndarray, y: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Scales the longest side of the ink to BOX pixels and centres it on the canvas."""
    low_x, high_x, low_y, high_y = x.min(axis=1), x.max(axis=1), y.min(axis=1), y.max(axis=1)
    scale = (BOX - 2 * radius) / np.maximum(np.maximum(high_x - low_x, high_y - low_y), 1e-3)
    x = (x - ((low_x + high_x) / 2)[:, None]) * scale[:, None] + CANVAS / 2
    y = (y - ((low_y + high_y) / 2)[:, None]) * scale[:, None] + CANVAS / 2
    return np.rint(x * 256) / 256, np.rint(y * 256) / 256
