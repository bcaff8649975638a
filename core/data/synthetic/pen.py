"""The pen varies a hand: every digit gets its own wobble, slant, size and thickness.

Only exact arithmetic is used (no sine, no logarithm, no library product of matrices), and the result is rounded
to 1/256 pixel, so that a seed gives the same digits on every machine.
"""

from dataclasses import dataclass

import numpy as np

from core.data.synthetic.curves import SAMPLES, all_curves

BOX = 40
"""Pixels of the longest side of the ink: twice that of a normalised digit."""

MARGIN = 3
CANVAS = BOX + 2 * MARGIN

# Spreads are standard deviations. Lengths are in heights of the digit; slant and turn are tangents.
_POINT_WOBBLE = 0.02
_END_WOBBLE = 0.035
_BEND = 0.035
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
    joined: np.ndarray  # bool (n, s), whether ink leads from this sample to the next


def write(count: int, rng: np.random.Generator) -> Lines:
    """`count` digits, each class equally likely, in hands by their shares."""
    curves = all_curves()
    labels = rng.integers(0, 10, count)
    hands = _choose(labels, rng)
    points = _wobble(curves.points[hands], curves.ends[hands], rng)
    x, y = _follow(_lean(_bend(points, rng), rng), hands)
    thickness = np.clip(_THICKNESS_MEAN + _THICKNESS * _bell(rng, (count,)), _THINNEST, _THICKEST)
    radius = thickness * (BOX / 20 / 2)
    x, y = _fit(x, y, radius)
    pressure = _PRESSURE * _bell(rng, (count, 1)) * np.linspace(-1, 1, SAMPLES)
    radii = np.rint(radius[:, None] * np.clip(1 + pressure, 0.6, 1.4) * 256) / 256
    return Lines(labels.astype(np.int32), x, y, radii, curves.joined[hands])


def _bell(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Mean 0, standard deviation 1, never beyond 3: the sum of three uniform numbers."""
    first, second, third = rng.random((3, *shape))
    return 2 * (first + second + third) - 3


def _choose(labels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    curves = all_curves()
    draws = rng.random(len(labels))
    hands = np.empty(len(labels), np.int64)
    for digit in range(10):
        own = np.flatnonzero(curves.digits == digit)
        bounds = np.cumsum(curves.shares[own])
        mask = labels == digit
        hands[mask] = own[np.searchsorted(bounds[:-1] / bounds[-1], draws[mask], side="right")]
    return hands


def _wobble(points: np.ndarray, ends: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Each point for itself, the ends of strokes more: loops stay open, bars overshoot."""
    return points + np.where(ends, _END_WOBBLE, _POINT_WOBBLE)[..., None] * _bell(rng, points.shape)


def _bend(points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The plane itself, by polynomials of second and third degree; halves of the digit grow and shrink."""
    u, v = points[..., 0] * 3 - 1, points[..., 1] * 2 - 1
    terms = (u * u, u * v, v * v, u * u * v, u * v * v, v * v * v - v, u * u * u - u)
    amounts = _BEND * _bell(rng, (2, len(terms), len(points), 1))
    x, y = u / 3, v / 2
    for place, term in enumerate(terms):
        x = x + amounts[0, place] * term
        y = y + amounts[1, place] * term
    halves = _HALVES * _bell(rng, (len(points), 1))
    waist = _WAIST * _bell(rng, (len(points), 1))
    return np.stack((x * (1 + halves * v), y + waist * (1 - v * v)), axis=-1)


def _lean(points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Width, slant, then a turn: (1 - t²)/(1 + t²) and 2t/(1 + t²) are cosine and sine of twice atan t."""
    count = (len(points), 1)
    width = np.clip(_WIDTH_MEAN + _WIDTH * _bell(rng, count), 0.45, 1.6)
    slant = _SLANT_MEAN + _SLANT * _bell(rng, count)
    t = _TURN * _bell(rng, count)
    x = points[..., 0] * width - points[..., 1] * slant
    y = points[..., 1]
    cosine, sine = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    return np.stack((cosine * x - sine * y, sine * x + cosine * y), axis=-1)


def _follow(points: np.ndarray, hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The samples of every digit's curve: x and y, float64 (n, s)."""
    curves = all_curves()
    sources, weights = curves.sources[hands], curves.weights[hands]
    rows = np.arange(len(hands))[:, None]
    x = np.zeros(sources.shape[:2])
    y = np.zeros(sources.shape[:2])
    for place in range(4):
        chosen = points[rows, sources[..., place]]
        x += weights[..., place] * chosen[..., 0]
        y += weights[..., place] * chosen[..., 1]
    return x, y


def _fit(x: np.ndarray, y: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Scaled so that the longest side of the ink is BOX pixels, and put into the middle of the canvas."""
    low_x, high_x, low_y, high_y = x.min(axis=1), x.max(axis=1), y.min(axis=1), y.max(axis=1)
    scale = (BOX - 2 * radius) / np.maximum(np.maximum(high_x - low_x, high_y - low_y), 1e-3)
    x = (x - ((low_x + high_x) / 2)[:, None]) * scale[:, None] + CANVAS / 2
    y = (y - ((low_y + high_y) / 2)[:, None]) * scale[:, None] + CANVAS / 2
    return np.rint(x * 256) / 256, np.rint(y * 256) / 256
