"""A surface is the part of the plane that two inputs span: where a network is asked, and what is true there."""

from dataclasses import dataclass

import numpy as np

from core.data import functions
from core.data.dataset import Dataset

SIDE = 128
MOST_POINTS = 2000
MARGIN = 0.04  # around points that lie anywhere, so that none is cut


@dataclass(frozen=True, slots=True)
class Surface:
    """`grid`: float32 (SIDE², 2), row by row from the lowest corner. `low`, `high`: float (2,), the corners.

    The truth is known on the grid (`true`: float32 (SIDE², ), of a function) or at `points`, float32 (n, 2), of
    the test split, whose `values` are float32 (n,).
    """

    grid: np.ndarray
    low: np.ndarray
    high: np.ndarray
    true: np.ndarray | None
    points: np.ndarray
    values: np.ndarray


def surface_of(dataset: Dataset) -> Surface | None:
    """None where there are not two inputs."""
    if dataset.kind != "regression" or dataset.input_shape != (2,):
        return None
    low, high = dataset.train.inputs.min(axis=0), dataset.train.inputs.max(axis=0)
    # A column that never changes still needs some width to be drawn.
    high = np.where(high > low, high, low + 1)
    function = functions.is_function(dataset.name)
    margin = 0 if function else MARGIN * (high - low)
    low, high = low - margin, high + margin
    axes = [np.linspace(a, b, SIDE, dtype=np.float32) for a, b in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    true = None
    if function:
        true = functions.rastrigin(grid.astype(float))[:, 0].astype(np.float32)
    test = dataset.test.first(MOST_POINTS)
    return Surface(grid, low.astype(float), high.astype(float), true, test.inputs, test.answers[:, 0])
