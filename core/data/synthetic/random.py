"""Random numbers for digits, made of operations that IEEE 754 rounds correctly: the same on every machine."""

import numpy as np


def approximate_normal(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Random numbers of mean 0 and standard deviation 1 within ±3: sums of three uniform numbers."""
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
        rows[mask] = candidates[np.searchsorted(bounds[:-1] / bounds[-1], draws[mask], side="right")]
    return rows
