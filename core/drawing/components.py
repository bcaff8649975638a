"""Connected components of a mask, by union of the runs of its rows (Rosenfeld, Pfaltz 1966)."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Components:
    """The 8-connected components of a mask, numbered from 1 by their uppermost rows. n: their number.

    `labels`: int32 (height, width), 0 outside of all components. `boxes`: int64 (n, 4), left, top, right, bottom; right
    and bottom are exclusive. `areas`: int64 (n,), in pixels.
    """

    labels: np.ndarray
    boxes: np.ndarray
    areas: np.ndarray

    def __len__(self) -> int:
        return len(self.areas)

    def mask(self, keep: np.ndarray) -> np.ndarray:
        """bool (height, width): the pixels of the components that the bool array `keep` (n,) names."""
        return np.concatenate(([False], keep))[self.labels]


def components(mask: np.ndarray) -> Components:
    """The components of the bool array `mask` (height, width)."""
    height, width = mask.shape
    padded = np.zeros((height, width + 2), np.int8)
    padded[:, 1:-1] = mask
    change = np.diff(padded, axis=1)
    rows, starts = np.nonzero(change == 1)
    ends = np.nonzero(change == -1)[1]
    parents = _unite(len(rows), *_touching(rows, starts, ends, height))
    roots, numbers = np.unique(parents, return_inverse=True)
    lengths = ends - starts
    boxes = np.empty((len(roots), 4), np.int64)
    for column, (values, reduce) in enumerate(
        ((starts, np.minimum), (rows, np.minimum), (ends, np.maximum), (rows + 1, np.maximum))
    ):
        boxes[:, column] = -1 if reduce is np.maximum else max(height, width)
        reduce.at(boxes[:, column], numbers, values)
    labels = np.zeros((height, width), np.int32)
    labels[mask] = np.repeat(numbers + 1, lengths)
    areas = np.bincount(numbers, lengths, len(roots)).astype(np.int64)
    return Components(labels, boxes, areas)


def _touching(
    rows: np.ndarray, starts: np.ndarray, ends: np.ndarray, height: int
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of runs in neighboring rows that touch, corners included: the runs below, and those above."""
    first = np.searchsorted(rows, np.arange(height + 1))
    stride = int(ends.max(initial=0)) + 2
    # A run of the row above touches if it ends at or after this run's start, and starts at or before its end.
    above = rows - 1
    low = np.searchsorted(rows * stride + ends, above * stride + starts)
    high = np.searchsorted(rows * stride + starts, above * stride + ends, side="right")
    low = np.maximum(low, first[np.maximum(above, 0)])
    counts = np.where(above >= 0, np.maximum(high - low, 0), 0)
    below = np.repeat(np.arange(len(rows)), counts)
    offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return below, np.repeat(low, counts) + offsets


def _unite(count: int, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """int64 (count,): the least run that each run is connected with."""
    parents = list(range(count))

    def root(run: int) -> int:
        while parents[run] != run:
            parents[run] = parents[parents[run]]
            run = parents[run]
        return run

    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        a, b = root(a), root(b)
        if a != b:
            parents[max(a, b)] = min(a, b)
    return np.array([root(run) for run in range(count)], np.int64)
