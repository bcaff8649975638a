"""The grid of points on which a network with two inputs is computed and drawn, with the true values there."""

from dataclasses import dataclass

import numpy as np

from core.data import functions
from core.data.dataset import Dataset

SIDE = 128
"""Grid points along each axis."""
MAX_POINTS = 2000
MARGIN = 0.04
"""Part of the width and height that is added around points of a table, so that none is cut off."""


@dataclass(frozen=True, slots=True)
class Surface:
    """`grid`: float32 (SIDE², 2), row by row from the lowest corner. `low`, `high`: float (2,), the corners.

    `true`: float32 (SIDE²,), the values on the grid where the data come from a known function; otherwise None.
    `points`: float32 (n, 2), inputs of the test split, with their `values`, float32 (n,).
    """

    grid: np.ndarray
    low: np.ndarray
    high: np.ndarray
    true: np.ndarray | None
    points: np.ndarray
    values: np.ndarray


def surface_of(dataset: Dataset) -> Surface | None:
    """The surface of a regression data set with two inputs, otherwise None."""
    if dataset.kind != "regression" or dataset.input_shape != (2,):
        return None
    low, high = dataset.train.inputs.min(axis=0), dataset.train.inputs.max(axis=0)
    # A constant column needs some width to be drawn.
    high = np.where(high > low, high, low + 1)
    function = functions.is_function(dataset.name)
    margin = 0 if function else MARGIN * (high - low)
    low, high = low - margin, high + margin
    axes = [np.linspace(a, b, SIDE, dtype=np.float32) for a, b in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    true = None
    if function:
        true = functions.rastrigin(grid.astype(float))[:, 0].astype(np.float32)
    test = dataset.test.first(MAX_POINTS)
    return Surface(grid, low.astype(float), high.astype(float), true, test.inputs, test.answers[:, 0])
