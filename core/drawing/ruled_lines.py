"""Finds the lines of ruled or squared paper in a mask of dark pixels."""

import numpy as np

from core.drawing.components import components

_THICKEST = 1 / 150  # of the height
_SEGMENT = 0.03  # least length of a piece of a line, as a fraction of the width
_LINE = 0.35  # least covered part of the width
_REACH = 0.6  # least distance of the first and the last piece, as a fraction of the width


def ruled_lines(mask: np.ndarray) -> np.ndarray:
    """bool (height, width): the pixels of `mask` on nearly horizontal lines that cross most of its width.

    A pixel of a line has only few dark pixels above and below it; the crossings of lines and strokes are kept. The
    pieces of a line lie on a parabola, because a lens bends straight lines.
    """
    height, width = mask.shape
    thickest = max(3, round(height * _THICKEST))
    thin = mask & (_column_runs(mask) <= thickest)
    parts = components(thin)
    lengths, heights = parts.boxes[:, 2] - parts.boxes[:, 0], parts.boxes[:, 3] - parts.boxes[:, 1]
    pieces = np.flatnonzero((lengths >= _SEGMENT * width) & (heights < thickest + 0.15 * lengths))
    middles = (parts.boxes[pieces, 0::2].mean(axis=1), parts.boxes[pieces, 1::2].mean(axis=1))
    result = np.zeros_like(mask)
    free = np.ones(len(pieces), bool)
    columns = np.arange(width)
    for seed in np.argsort(-lengths[pieces], kind="stable"):
        if not free[seed]:
            continue
        members = np.array([seed])
        curve = None
        for tolerance in (2.0, 1.0, 1.0):
            curve = _fit(parts.labels, pieces[members] + 1)
            near = np.abs(np.polyval(curve, middles[0]) - middles[1]) <= tolerance * thickest
            members = np.flatnonzero(near & free)
            if not len(members):
                break
        free[seed] = False
        chosen = pieces[members]
        if not len(members) or curve is None:
            continue
        covered = lengths[chosen].sum()
        reach = parts.boxes[chosen, 2].max() - parts.boxes[chosen, 0].min()
        if covered < _LINE * width or reach < _REACH * width:
            continue
        free[members] = False
        rows = np.polyval(_fit(parts.labels, chosen + 1), columns)
        distance = np.abs(np.arange(height)[:, None] - rows[None])
        result |= thin & (distance <= thickest)
    return result


def _fit(labels: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The coefficients of a line, or of a parabola where they reach far, through the components `numbers`."""
    rows, columns = np.nonzero(np.isin(labels, numbers))
    degree = 2 if np.ptp(columns) > 0.5 * labels.shape[1] else 1
    return np.polyfit(columns, rows, degree)


def _column_runs(mask: np.ndarray) -> np.ndarray:
    """int (height, width): the length of the run of pixels in its column that each pixel of `mask` belongs to."""
    padded = np.zeros((mask.shape[1], mask.shape[0] + 2), np.int8)
    padded[:, 1:-1] = mask.T
    change = np.diff(padded, axis=1)
    lengths = np.nonzero(change == -1)[1] - np.nonzero(change == 1)[1]
    runs = np.zeros(mask.T.shape, np.int64)
    runs[mask.T] = np.repeat(lengths, lengths)
    return runs.T
