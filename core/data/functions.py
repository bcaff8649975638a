"""Rastrigin's function as a data set: a grid of points to learn from, random points to test on."""

import re

import numpy as np

from core.data.dataset import Dataset, Split
from core.errors import InputError

NAME = "rastrigin"
TITLE = "Rastrigin's function"

# Half the side of the square on which the function is learned (Rastrigin 1974).
REACH = 5.12
DEFAULT_SIDE = 200
MIN_SIDE = 2
MAX_SIDE = 600
TEST_POINTS = 5000

STANDARD_REACH = 3.0
"""The same for inputs that are standardized, in standard deviations."""

# The test points do not depend on the run's seed.
_TEST_SEED = 20240607

_NAME = re.compile(r"rastrigin(?::(?P<side>.*))?$", re.I | re.S)


def is_function(name: str) -> bool:
    """Whether `name` is `rastrigin`, or `rastrigin:400` for a grid of 400 x 400 points."""
    return _NAME.match(name) is not None


def rastrigin(points: np.ndarray) -> np.ndarray:
    """20 + Σ (x² - 10 cos 2πx) over the two coordinates of `points` (n, 2); returns (n, 1), from 0
    to about 80.
    """
    return 20 + (points**2 - 10 * np.cos(2 * np.pi * points)).sum(axis=1, keepdims=True)


def grid(side: int) -> np.ndarray:
    """float64 (side², 2): the points of a regular grid on the square, edges included, row by
    row.
    """
    axis = np.linspace(-REACH, REACH, side)
    return np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)


def load_function(name: str) -> Dataset:
    """The data set named `rastrigin[:N]`. Raises InputError when N is not a side from MIN_SIDE to
    MAX_SIDE.

    Inputs are the coordinates, targets the function's values, both float32 and not standardized.
    """
    side = side_of(name)
    if side is None:
        raise InputError(
            "{name}: the side of the grid must be a whole number from {minimum} to {maximum}, as "
            "in rastrigin:400.",
            name=name,
            minimum=MIN_SIDE,
            maximum=MAX_SIDE,
        )
    test = np.random.default_rng(_TEST_SEED).uniform(-REACH, REACH, (TEST_POINTS, 2))
    points = [
        Split(x.astype(np.float32), rastrigin(x).astype(np.float32)) for x in (grid(side), test)
    ]
    return Dataset(
        f"{NAME}:{side}", f"{TITLE}, {side} x {side} points", "regression", (), points[0], points[1]
    )


def side_of(name: str) -> int | None:
    """N of `rastrigin:N`; None for other names, and for an N that is no side from MIN_SIDE to
    MAX_SIDE.
    """
    match = _NAME.match(name)
    if match is None or match["side"] is None:
        return DEFAULT_SIDE if match else None
    text = match["side"]
    return (
        int(text)
        if text.isascii() and text.isdigit() and MIN_SIDE <= int(text[:9]) <= MAX_SIDE
        else None
    )


def reach_of(name: str) -> float:
    """Half the side of the square on which the inputs of a data set with two of them lie; its
    middle is 0.
    """
    return REACH if is_function(name) else STANDARD_REACH


def value_at(name: str, point: np.ndarray) -> float | None:
    """The function's value at `point`, (2,); None for a data set that is no function."""
    if not is_function(name):
        return None
    return float(rastrigin(point[None].astype(np.float64))[0, 0])
