"""Strokes to 28x28 images like those of MNIST.

The canvas, the pen strokes in files and the built-in digits are all rendered here. Only operations
that IEEE 754 rounds correctly are used, and places are rounded to 1/256 pixel, so that strokes give
the same image on every machine.
"""

from collections.abc import Callable, Sequence

import numpy as np

from core.drawing.ink import INK_SIDE, SIDE, THRESHOLD, centered, rows_and_columns, shrunk
from core.drawing.strokes import MIN_EXTENT, PenStroke, Polylines, join, smooth, visible

PEN = 2.3
"""The usual width of the pen in pixels of the 28x28 image, as of MNIST's strokes."""

FACTOR = 2
"""Side of the squares of pixels that are painted for one pixel of the image."""

BOX = FACTOR * INK_SIDE
MIN_ASPECT = 0.35
MAX_WIDENING = 2.0
"""A digit that is narrower than this share of its height is widened to it, but at most so many
times.

Few sevens are narrower. With a greater share a 1 with a flag becomes as wide as a 7, and is read as
one.
"""

_MARGIN = 3
CANVAS = BOX + 2 * _MARGIN
_THRESHOLD = int(THRESHOLD * 255)
FEW = 64
"""Up to so many images are rendered with NumPy, which needs no compiler but takes ten times as
long.
"""

_loops: dict[str, Callable[..., None]] = {}
"""What has rendered many images, by its name: once it is loaded, it renders few as well, and the
same.
"""

# Lines that are painted at once: more of a wide pen would not fit into a processor's cache.
_AT_ONCE = 64


def render(
    lines: Polylines, width: "np.ndarray | float" = PEN, pressure: "np.ndarray | float" = 1.0
) -> np.ndarray:
    """The images of `lines`, uint8 (n, 28, 28): the longest side of the ink is 20, its center of
    mass at 14.

    Narrow digits are widened (see MIN_ASPECT), because the pen would fill their loops.

    `width`: of the pen in pixels of the image, a number or float (n,). `pressure` multiplies it, a
    number or float (p,).
    """
    images = np.zeros((len(lines), SIDE, SIDE), np.uint8)
    if len(lines):
        counts = np.diff(lines.offsets)
        radius = np.broadcast_to(np.asarray(width, float) * (FACTOR / 2), (len(lines),))
        points = _fit(lines, radius, counts)
        radii = np.rint(np.repeat(radius, counts) * pressure * 256) / 256
        ink = np.zeros((CANVAS, CANVAS), np.uint8)
        draw = _loops.get("draw")
        if len(lines) > FEW:
            # Imported here, because it imports a compiler.
            from core.drawing.loops import draw
        if draw is not None:
            draw(
                # Contiguous: for other arrays the loop would be compiled a second time.
                points[:, 0].copy(),
                points[:, 1].copy(),
                radii,
                lines.joined,
                lines.offsets,
                ink,
                images,
            )
            _loops["draw"] = draw
            return images
        starts = np.flatnonzero(lines.joined | _are_alone(lines))
        ends = starts + lines.joined[starts]
        splits = np.searchsorted(starts, lines.offsets)
        for image, first, last in zip(images, splits, splits[1:], strict=False):
            ink[:] = 0
            some = slice(first, last)
            paint(ink, points[starts[some]], points[ends[some]], radii[starts[some]])
            image[:] = normalized(ink)
    return images


def load_loops() -> None:
    """Load the compiled loops, or compile them: from now on few images are rendered by them,
    too.
    """
    render(join([[np.zeros((1, 2))]] * (FEW + 1)))


def render_strokes(strokes: Sequence[PenStroke], side: float) -> np.ndarray | None:
    """The image of a drawing, uint8 (28, 28); None where there is no ink, or only a dot. `side`: of
    the canvas.

    The pen's width in the image is always the usual one: small and large digits, drawn with any
    pen, look the same.
    """
    drawn = visible(strokes, side)
    if not drawn:
        return None
    lines = join([drawn])
    if lines.extents()[0] < side * MIN_EXTENT:
        return None
    return render(lines)[0]


def paint_strokes(strokes: Sequence[PenStroke], shape: tuple[int, ...]) -> np.ndarray:
    """The ink of strokes of a pen on a canvas of this shape, uint8 (height, width): the same on
    every machine.
    """
    ink = np.zeros(shape, np.uint8)
    for stroke in strokes:
        points = smooth(stroke.points)
        ends = points[1:] if len(points) > 1 else points
        paint(ink, points[: len(ends)], ends, np.full(len(ends), stroke.width / 2))
    return ink


def _are_alone(lines: Polylines) -> np.ndarray:
    """bool (p,): the points that are a stroke of their own."""
    follows = np.concatenate(([False], lines.joined[:-1]))
    follows[lines.offsets[:-1]] = False
    return ~lines.joined & ~follows


def normalized(ink: np.ndarray) -> np.ndarray:
    """uint8 (28, 28): uint8 `ink` cropped, scaled and centered; empty without ink."""
    rows, columns = rows_and_columns(ink > _THRESHOLD)
    if not len(rows):
        return np.zeros((SIDE, SIDE), np.uint8)
    box = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float64)
    return centered(shrunk(box, INK_SIDE / max(box.shape)))


def _fit(lines: Polylines, radius: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The points, scaled so that the longest side of the ink is BOX, in the middle of the
    canvas.
    """
    low, high = lines.boxes()
    width, height = (high - low).T
    # A single point has no size.
    scale = (BOX - 2 * radius) / np.maximum(np.maximum(width, height), 1e-9)
    held = np.maximum(width, np.minimum(MAX_WIDENING * width, MIN_ASPECT * height))
    widening = held / np.maximum(width, 1e-9)
    # A vertical line has no width that could be widened.
    scales = np.stack((scale * np.where(width > 0, widening, 1.0), scale), axis=1)
    middle = (low + high) / 2
    points = (lines.points - np.repeat(middle, counts, axis=0)) * np.repeat(scales, counts, axis=0)
    return np.rint((points + CANVAS / 2) * 256) / 256


def paint(ink: np.ndarray, starts: np.ndarray, ends: np.ndarray, radii: np.ndarray) -> None:
    """Draw lines with round ends into uint8 (height, width) `ink`, keeping the darker of old and
    new.

    `starts`, `ends`: float (s, 2), x to the right, y down. `radii`: float (s,). A pixel's ink falls
    from 255 to 0 over one pixel at the edge.
    """
    for first in range(0, len(starts), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        _paint(ink, starts[some], ends[some], radii[some])


def _paint(ink: np.ndarray, starts: np.ndarray, ends: np.ndarray, radii: np.ndarray) -> None:
    """Draw all lines at once: an element for each pixel of each line's box."""
    reach = radii[:, None] + 1.0
    low = np.maximum((np.minimum(starts, ends) - reach).astype(np.int64), 0)
    high = np.minimum((np.maximum(starts, ends) + reach).astype(np.int64) + 1, ink.shape[::-1])
    columns, rows = np.maximum(high - low, 0).T
    sizes = columns * rows
    line = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(len(line)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    row, column = np.divmod(place, columns[line])
    row += low[line, 1]
    column += low[line, 0]
    px = column + 0.5 - starts[line, 0]
    py = row + 0.5 - starts[line, 1]
    dx, dy = (ends - starts).T
    length = dx * dx + dy * dy
    length[length == 0] = 1.0  # of a point: all projections are 0
    along = np.clip((px * dx[line] + py * dy[line]) / length[line], 0.0, 1.0)
    ex = px - along * dx[line]
    ey = py - along * dy[line]
    distance = np.sqrt(ex * ex + ey * ey)
    edge = (radii + 0.5)[line]
    inked = np.flatnonzero(distance < edge)
    level = np.minimum(255.0 * np.minimum(edge[inked] - distance[inked], 1.0), 255.0).astype(
        np.uint8
    )
    # `at`, because lines overlap, and a pixel may be named several times.
    np.maximum.at(ink.reshape(-1), (row * ink.shape[1] + column)[inked], level)
