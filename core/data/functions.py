"""A function as a data set: a grid of points to learn from, random points to test on."""

import re

import numpy as np

from core.data.dataset import Dataset, Split
from core.errors import InputError

NAME, TITLE = "rastrigin", "Rastrigin's function"

# The square on which the function is learnt: ± this in both directions (Rastrigin 1974).
REACH = 5.12
DEFAULT_SIDE = 200
LEAST_SIDE, MOST_SIDE = 2, 600
TEST_POINTS = 5000

# Everybody tests on the same points, whatever the run's seed.
_TEST_SEED = 20240607

_NAME = re.compile(r"rastrigin(?::(?P<side>.*))?$", re.I | re.S)


def is_function(name: str) -> bool:
    """Whether `name` asks for a function: `rastrigin`, or `rastrigin:400` for a grid of 400 x 400 points."""
    return _NAME.match(name) is not None


def rastrigin(points: np.ndarray) -> np.ndarray:
    """20 + Σ (x² - 10 cos 2πx) over both coordinates of points (n, 2): (n, 1), from 0 to about 80."""
    return 20 + (points**2 - 10 * np.cos(2 * np.pi * points)).sum(axis=1, keepdims=True)


def grid(side: int) -> np.ndarray:
    """float64 (side², 2): the points of a regular grid on the square, row by row, its edges included."""
    axis = np.linspace(-REACH, REACH, side)
    return np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)


def load_function(name: str) -> Dataset:
    """The data set that `rastrigin[:N]` names, or an InputError.

    Inputs are the coordinates and targets the function's values as they are, not standardised, float32.
    """
    side = _side(name)
    test = np.random.default_rng(_TEST_SEED).uniform(-REACH, REACH, (TEST_POINTS, 2))
    return Dataset(
        f"{NAME}:{side}",
        f"{TITLE}, {side} x {side} points",
        "regression",
        (),
        _split(grid(side)),
        _split(test),
    )


def _side(name: str) -> int:
    found = _NAME.match(name)
    text = found["side"] if found else ""
    if text is None:
        return DEFAULT_SIDE
    if text.isascii() and text.isdigit() and LEAST_SIDE <= int(text[:9]) <= MOST_SIDE:
        return int(text)
    raise InputError(
        "{name}: the side of the grid must be a whole number from {least} to {most}, as in rastrigin:400.",
        name=name, least=LEAST_SIDE, most=MOST_SIDE,
    )  # fmt: skip


def _split(points: np.ndarray) -> Split:
    return Split(points.astype(np.float32), rastrigin(points).astype(np.float32))
