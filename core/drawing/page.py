"""The ink on a photographed or scanned page: uneven light and ruled lines are removed.

The light is estimated as the brightness of the paper in each neighborhood (a maximum filter closes
the strokes, a blur makes it smooth); Otsu's threshold (1979, IEEE Trans. SMC 9) separates ink from
paper and from faint lines.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.drawing.ink import NOISE, NORMAL, ROUNDING, THRESHOLD, border_of

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, slots=True)
class Components:
    """The 8-connected components of a mask, numbered from 1 by their uppermost rows. n: their
    number.

    `labels`: int32 (height, width), 0 outside of all components. `boxes`: int64 (n, 4), left, top,
    right, bottom; right and bottom are exclusive. `areas`: int64 (n,), in pixels.
    """

    labels: np.ndarray
    boxes: np.ndarray
    areas: np.ndarray

    def __len__(self) -> int:
        return len(self.areas)

    @property
    def sides(self) -> np.ndarray:
        """int64 (n, 2): widths and heights."""
        return self.boxes[:, 2:] - self.boxes[:, :2]

    def mask(self, keep: np.ndarray) -> np.ndarray:
        """bool (height, width): the pixels of the components that the bool array `keep` (n,)
        names.
        """
        return np.concatenate(([False], keep))[self.labels]


def components(mask: np.ndarray) -> Components:
    """The components of the bool array `mask` (height, width)."""
    height, width = mask.shape
    rows, starts, ends = _runs(mask)
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


def _runs(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The row, the first column and the column after the last one of each run of pixels, row by
    row.
    """
    change = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, starts = np.nonzero(change == 1)
    return rows, starts, np.nonzero(change == -1)[1]


def _touching(
    rows: np.ndarray, starts: np.ndarray, ends: np.ndarray, height: int
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of runs in neighboring rows that touch, corners included: the runs below, and those
    above.
    """
    first = np.searchsorted(rows, np.arange(height + 1))
    # Row and column as one ascending number, so that one search finds the runs of all rows.
    stride = int(ends.max(initial=0)) + 2
    # A run of the row above touches if it ends at or after this run's start, and starts at or
    # before its end.
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
        a = root(a)
        b = root(b)
        if a != b:
            parents[max(a, b)] = min(a, b)
    return np.array([root(run) for run in range(count)], np.int64)


UNEVEN = 0.1
"""A border whose gray varies by more than this part of the ink's contrast is not plain paper."""

_BLOCKS = 96  # along the longer side; the light is estimated on blocks
_CLOSED = 13  # blocks: wider than a stroke, narrower than a shadow
_DARKEST = 0.3  # light below this is not compensated fully: noise would be ink
_EDGE = 0.1  # of the sides: a table there may be much darker than the ink
_FAINT = 0.1  # of the greatest darkness: ruled lines
_SURE_INK = 0.75  # of the darkest ink
_SPECK = 0.03  # of the area of the largest component


def is_uneven(gray: np.ndarray) -> bool:
    """Whether the border of `gray`, float (height, width) in 0..1, is no plain paper: shadows,
    lines, other things.
    """
    low, paper, high = np.percentile(border_of(gray), (2, 50, 98))
    return bool(high - low > UNEVEN * np.abs(gray - paper).max())


def page_ink(gray: np.ndarray) -> np.ndarray:
    """The ink of a page, float32 (height, width) in 0..1, 0 for paper.

    `gray` is float32 (height, width) in 0..1, dark on light or light on dark. What touches the
    border is dropped, for example the table below the page, unless nothing else is there; so are
    specks.
    """
    darkness = _darkness(gray)
    threshold = _threshold(darkness)
    if threshold is None:
        return np.zeros_like(gray)
    mask = darkness > threshold
    mask &= ~frames(mask)
    mask &= ~(ruled_lines(mask) | ruled_lines(mask.T).T)
    parts = components(mask)
    if not len(parts):
        return np.zeros_like(gray)
    mask = parts.mask(_kept(parts))
    peak = float(np.percentile(darkness[mask], 75))
    return np.where(_widened(mask), np.clip(darkness / peak, 0, 1), 0).astype(np.float32)


def _darkness(gray: np.ndarray) -> np.ndarray:
    """How much darker each pixel is than the paper around it: 0 to 1. Light ink on a dark page is
    inverted first.
    """
    from PIL import ImageFilter

    picture = gray_image(gray).filter(ImageFilter.MedianFilter(3))
    values = np.asarray(picture, np.float32) / 255
    scale = _BLOCKS / max(picture.size)
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    small = picture.reduce(max(1, max(picture.size) // _BLOCKS)).resize(size)
    around = small.filter(ImageFilter.GaussianBlur(6))
    difference = values - _enlarged(around, picture.size)
    difference -= np.median(difference)
    if float((difference**3).mean()) > 0:
        from PIL import ImageOps

        values = 1 - values
        small = ImageOps.invert(small)
    closed = small.filter(ImageFilter.MaxFilter(_CLOSED)).filter(ImageFilter.MinFilter(_CLOSED))
    light = _enlarged(closed.filter(ImageFilter.GaussianBlur(1.5)), picture.size)
    return np.clip((light - values) / np.maximum(light, _DARKEST), 0, 1)


def gray_image(gray: np.ndarray) -> "Image":
    """`gray`, (height, width) in 0..1, as an image of Pillow."""
    from PIL.Image import fromarray

    return fromarray(np.rint(np.clip(gray, 0, 1) * 255).astype(np.uint8))


def _enlarged(picture: "Image", size: tuple[int, int]) -> np.ndarray:
    """float32 (height, width) in 0..1, interpolated between the pixels of `picture`."""
    from PIL.Image import Resampling

    return np.asarray(picture.resize(size, Resampling.BICUBIC), np.float32) / 255


def _threshold(darkness: np.ndarray) -> float | None:
    """The darkness above which a pixel is ink; None where nothing is."""
    sample = darkness[::2, ::2]
    middle = float(np.median(sample))
    noise = NORMAL * float(np.median(np.abs(sample - middle)))
    least = middle + max(NOISE * max(noise, ROUNDING), _FAINT * (float(sample.max()) - middle))
    rows, columns = (round(side * _EDGE) for side in darkness.shape)
    inner = darkness[rows : -rows or None, columns : -columns or None]
    marks = inner[inner > least]
    if len(marks) < 30:
        return None
    # Where all marks are ink, Otsu's threshold is in the midst of it.
    return min(otsu(marks), _SURE_INK * float(np.percentile(marks, 95)))


def otsu(values: np.ndarray) -> float:
    """The threshold that separates `values`, float in 0..1, into two classes of the greatest
    variance between them.
    """
    counts, edges = np.histogram(values, 256, (0, 1))
    middles = (edges[:-1] + edges[1:]) / 2
    below = np.cumsum(counts)
    above = below[-1] - below
    sums = np.cumsum(counts * middles)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = below * above * (sums / below - (sums[-1] - sums) / above) ** 2
    return float(edges[int(np.nanargmax(np.where(np.isfinite(variance), variance, -1))) + 1])


def _kept(parts: Components) -> np.ndarray:
    """bool (n,): the components that may be digits: no specks, and none at the border unless there
    are no others.
    """
    height, width = parts.labels.shape
    boxes = parts.boxes
    inside = (boxes[:, :2] > 1).all(axis=1) & (boxes[:, 2] < width - 1) & (boxes[:, 3] < height - 1)
    large = parts.areas > 30
    inside = inside if (inside & large).any() else np.ones(len(parts), bool)
    return inside & (parts.areas >= _SPECK * parts.areas[inside].max())


def _widened(mask: np.ndarray) -> np.ndarray:
    """`mask` with the pixels at its edge, whose darkness lies between ink and paper."""
    from PIL import ImageFilter

    return np.asarray(gray_image(mask).filter(ImageFilter.MaxFilter(5))) > 0


_THICKEST = 1 / 150  # of the height
_SEGMENT = 0.03  # least length of a piece of a line, as a fraction of the width
_LINE = 0.35  # least covered part of the width
_REACH = 0.6  # least distance of the first and the last piece, as a fraction of the width


def ruled_lines(mask: np.ndarray, thickest: int = 0) -> np.ndarray:
    """bool (height, width): the pixels of `mask` on nearly horizontal lines that cross most of its
    width.

    `thickest`: pixels of a line's thickness, at most; 0: of a ruled page of this height.

    A pixel of a line has only few dark pixels above and below it; the crossings of lines and
    strokes are kept. The pieces of a line lie on a parabola, because a lens bends straight lines.
    """
    height, width = mask.shape
    thickest = thickest or max(3, round(height * _THICKEST))
    thin = mask & (_column_runs(mask) <= thickest)
    parts = components(thin)
    lengths, heights = parts.sides.T
    shortest = max(_SEGMENT * width, thickest)
    pieces = np.flatnonzero((lengths >= shortest) & (heights < thickest + 0.15 * lengths))
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
        # Also where the curve has left it behind: it begins no other line.
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


_FRAME = 1 / 6  # least side of a frame, as a fraction of the picture's shorter side
_SPARSE = 0.6  # most of a frame's box that is ink
_SIDES = 0.5  # least part of two opposite sides that are lines
_APART = 0.5  # least distance of these, as a fraction of the component's height
_CONTENT = 3  # least size of what a frame holds, as a multiple of its lines' thickness


def without_frames(ink: np.ndarray) -> np.ndarray:
    """`ink`, float32 (height, width) in 0..1, without the lines of frames and grids of cells."""
    mask = ink > THRESHOLD
    lines = frames(mask)
    if not lines.any():
        return ink
    return np.where(_widened(lines) & (mask == lines), 0, ink)


def frames(mask: np.ndarray) -> np.ndarray:
    """bool (height, width): the lines in `mask` of frames and grids of cells that hold something.

    A frame is a component with a line on each of its four sides; digits may cross them.
    """
    result = np.zeros_like(mask)
    parts = components(mask)
    is_large = (parts.sides >= _FRAME * min(mask.shape)).all(axis=1)
    is_sparse = parts.areas < _SPARSE * parts.sides.prod(axis=1)
    for number in np.flatnonzero(is_large & is_sparse).tolist():
        left, top, right, bottom = parts.boxes[number].tolist()
        place = np.s_[top:bottom, left:right]
        own = parts.labels[place] == number + 1
        result[place] |= _frame_lines(own, mask[place])
    return result


def _frame_lines(own: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The lines of the component `own` in the ink `mask` of its box; none where it is no frame that
    holds something.
    """
    thickest = 2 + round(1.5 * max(_edge_thickness(own), _edge_thickness(own.T)))
    across = ruled_lines(own, thickest)
    down = ruled_lines(own.T, thickest).T
    if min(_between_lines(across), _between_lines(down.T)) < _SIDES:
        return np.zeros_like(own)
    lines = across | down
    rest = components(mask & ~lines)
    lengths = rest.sides.max(axis=1)
    if not (lengths >= _CONTENT * thickest).any():
        return np.zeros_like(own)
    # A crossing of two lines is long in both directions.
    return lines | (own & rest.mask(lengths <= 2 * thickest))


def _edge_thickness(own: np.ndarray) -> float:
    """The median thickness of the uppermost or the lowest line, whichever is thinner."""
    runs = _column_runs(own)
    columns = np.arange(own.shape[1])
    first = runs[own.argmax(axis=0), columns]
    last = runs[::-1][own[::-1].argmax(axis=0), columns]
    return float(np.median(np.minimum(first, last)))


def _between_lines(lines: np.ndarray) -> float:
    """The part of the columns in which a line is far above another one."""
    height = len(lines)
    first = np.where(lines.any(axis=0), lines.argmax(axis=0), height)
    last = height - 1 - lines[::-1].argmax(axis=0)
    return float((last - first >= _APART * height).mean())


def _fit(labels: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The coefficients of a line, or of a parabola where they reach far, through the components
    `numbers`.
    """
    rows, columns = np.nonzero(np.isin(labels, numbers))
    degree = 2 if np.ptp(columns) > 0.5 * labels.shape[1] else 1
    return np.polyfit(columns, rows, degree)


def _column_runs(mask: np.ndarray) -> np.ndarray:
    """int (height, width): the length of the run of pixels in its column that each pixel of `mask`
    belongs to.
    """
    _, starts, ends = _runs(mask.T)
    lengths = ends - starts
    runs = np.zeros(mask.T.shape, np.int64)
    runs[mask.T] = np.repeat(lengths, lengths)
    return runs.T
