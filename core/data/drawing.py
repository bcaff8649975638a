"""Normalising: turns ink of any size and place into the 28x28 image that MNIST's makers would have made.

Their recipe (LeCun, Cortes, Burges: yann.lecun.com/exdb/mnist): crop to the ink, scale the longest side to 20 pixels
keeping the aspect ratio, and shift so that the centre of mass lies in the middle. Measured on their test
images, "the middle" is pixel index 14 after rounding to whole pixels.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import InputError

if TYPE_CHECKING:
    from PIL.Image import Image

SIDE = 28
INK_SIDE = 20
MIDDLE = 14
THRESHOLD = 0.1
SMALLEST_SHARE = 1 / 8
"""Ink whose longest side is less than this share of the picture's shorter side is a dot, not a digit."""

_MOST_PIXELS = 50_000_000
_WORKING_SIDE = 1024
_LOSSY = ("JPEG", "MPO", "WEBP")


def normalise(ink: np.ndarray) -> np.ndarray | None:
    """`ink` (height, width), uint8 0..255 or float 0..1 with 0 the background, as uint8 (28, 28), peak 255.

    None when nothing, or nothing larger than a dot, is drawn (see SMALLEST_SHARE and `_is_dot`).
    """
    box = _crop(ink)
    if box is None or max(box.shape) < SMALLEST_SHARE * min(ink.shape) or _is_dot(box):
        return None
    small = _shrink(box, INK_SIDE / max(box.shape))
    image = np.zeros((SIDE, SIDE), np.float32)
    top, left = _corner(small)
    image[top : top + small.shape[0], left : left + small.shape[1]] = small
    return np.rint(image * (255 / small.max())).astype(np.uint8)


def raw(ink: np.ndarray) -> np.ndarray:
    """The whole picture shrunk to uint8 (28, 28), neither cropped nor centred: what a naive program feeds.

    A picture that is not square is first put in the middle of an empty square.
    """
    values = _unit(ink)
    side = max(values.shape)
    square = np.zeros((side, side), np.float32)
    top, left = (side - values.shape[0]) // 2, (side - values.shape[1]) // 2
    square[top : top + values.shape[0], left : left + values.shape[1]] = values
    small = _averaged(_averaged(square, SIDE).T, SIDE).T
    return np.rint(np.clip(small, 0, 1) * 255).astype(np.uint8)


def split(ink: np.ndarray) -> list[np.ndarray]:
    """The digits of a number from left to right: float32 (height, width) pieces, cut where columns hold no ink.

    A gap counts when it is at least a twentieth of the ink's height, so that a pen's skip cuts nothing.
    Empty list for an empty picture. Digits that touch or overhang each other stay together.
    """
    box = _crop(ink)
    if box is None:
        return []
    inked = np.flatnonzero((box > THRESHOLD).any(axis=0))
    least_gap = max(2, box.shape[0] // 20)
    cuts = np.flatnonzero(np.diff(inked) > least_gap)
    starts = inked[np.concatenate(([0], cuts + 1))]
    ends = inked[np.concatenate((cuts, [len(inked) - 1]))] + 1
    return [box[:, start:end] for start, end in zip(starts, ends, strict=True)]


def ink_from_image(image: "np.ndarray | Image") -> np.ndarray:
    """Ink, float32 (height, width) in 0..1, of a picture: grey, RGB or with alpha; dark on light or light on dark.

    Arrays: (height, width) or (height, width, 1..4), uint8 or float 0..1. The background is what most of
    the border is. Ink is stretched to the full range, so that pencil counts like a pen; a picture without
    contrast has no ink.
    """
    grey = _grey(np.asarray(image if isinstance(image, np.ndarray) else _plain_mode(image)))
    border = np.concatenate((grey[0], grey[-1], grey[:, 0], grey[:, -1]))
    background = float(np.median(border))
    ink = background - grey if background > 0.5 else grey - background
    np.maximum(ink, 0, out=ink)
    peak = float(ink.max())
    if peak < 0.15:
        return np.zeros_like(ink)
    return ink / peak


def read_image(path: str | Path) -> np.ndarray:
    """The ink (see `ink_from_image`) of an image file, at most 1024 pixels a side. Raises InputError for others."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    path = Path(path)
    try:
        with Image.open(path) as image:
            if image.width * image.height > _MOST_PIXELS:
                raise InputError(
                    "{path} has {pixels:,} pixels, more than {most:,}: shrink the picture first.",
                    path=path,
                    pixels=image.width * image.height,
                    most=_MOST_PIXELS,
                )
            image.draft("RGB", (_WORKING_SIDE, _WORKING_SIDE))
            small = image if image.mode in ("L", "RGB", "RGBA") else _plain_mode(image)
            small.thumbnail((_WORKING_SIDE, _WORKING_SIDE), Image.Resampling.BOX)
            ink = ink_from_image(ImageOps.exif_transpose(small))
            return _without_ringing(ink) if image.format in _LOSSY else ink
    except FileNotFoundError:
        raise InputError("{path} does not exist: choose an image file.", path=path) from None
    except IsADirectoryError:
        raise InputError("{path} is a folder: choose an image file.", path=path) from None
    except UnidentifiedImageError:
        raise InputError(
            "{path} is no picture: choose a PNG, JPEG, BMP, GIF or TIFF file.", path=path
        ) from None
    except (
        OSError,
        SyntaxError,
        ValueError,
        EOFError,
        Image.DecompressionBombError,
        Image.DecompressionBombWarning,
    ) as error:
        raise InputError(
            "{path} cannot be read as a picture ({reason}): save it again, as PNG for instance.",
            path=path,
            reason=error,
        ) from None


def _without_ringing(ink: np.ndarray) -> np.ndarray:
    """Lossy formats leave faint ripples around strokes, which would widen the crop."""
    return np.maximum(ink - 0.2, 0) / 0.8


def _plain_mode(image: "Image") -> "Image":
    """The picture as 8-bit grey or RGBA, the only two modes that `_grey` need know."""
    if image.mode in ("L", "RGBA"):
        return image
    if image.mode.startswith(("I", "F")):
        from PIL.Image import fromarray

        values = np.asarray(image, np.float64)
        low, high = values.min(), values.max()
        return fromarray(((values - low) * (255 / max(high - low, 1e-9))).astype(np.uint8))
    return image.convert("L" if image.mode == "1" else "RGBA")


def _grey(values: np.ndarray) -> np.ndarray:
    values = _unit(values)
    if values.ndim == 2:
        return values
    if values.ndim != 3 or not 1 <= values.shape[2] <= 4:
        raise InputError(
            "A picture must be grey, RGB or RGBA, not an array of shape {shape}.", shape=values.shape
        )
    colours, alpha = values, None
    if values.shape[2] in (2, 4):
        colours, alpha = values[..., :-1], values[..., -1]
    weights = np.array([0.299, 0.587, 0.114], np.float32) if colours.shape[2] == 3 else np.ones(1, np.float32)
    grey = colours @ weights
    if alpha is not None and float(alpha.min()) < 1:
        paper = _paper(grey, alpha)
        grey = grey * alpha + paper * (1 - alpha)
    return grey


def _paper(grey: np.ndarray, alpha: np.ndarray) -> float:
    """White paper behind dark ink, black behind light ink: transparent pixels have no colour of their own."""
    return 1.0 if float((grey * alpha).sum()) <= 0.5 * float(alpha.sum()) else 0.0


def _unit(values: np.ndarray) -> np.ndarray:
    """float32 in 0..1 (integers count from 0 to 255); not finite numbers count as no ink."""
    if values.dtype == np.bool_:
        return values.astype(np.float32)
    if np.issubdtype(values.dtype, np.integer):
        return values.astype(np.float32) * np.float32(1 / 255)
    return np.nan_to_num(values.astype(np.float32), nan=0.0, posinf=1.0, neginf=0.0)


def _crop(ink: np.ndarray) -> np.ndarray | None:
    """The smallest box, float32, around what is darker than the threshold; None where nothing is."""
    if ink.ndim != 2:
        raise InputError("Ink must be an array of two dimensions, not of shape {shape}.", shape=ink.shape)
    if not ink.size:
        return None
    limit: Any = THRESHOLD
    if np.issubdtype(ink.dtype, np.integer):
        limit = int(THRESHOLD * 255)
    mask = ink > limit
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    return _unit(ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _is_dot(box: np.ndarray) -> bool:
    """A blob about as wide as tall and nearly full: no digit fills its own box so."""
    height, width = box.shape
    return min(height, width) > 0.6 * max(height, width) and float(box.mean()) > 0.75


def _shrink(box: np.ndarray, scale: float) -> np.ndarray:
    height, width = (max(1, round(side * scale)) for side in box.shape)
    return _averaged(_averaged(box, height).T, width).T


def _averaged(values: np.ndarray, count: int) -> np.ndarray:
    """Area averaging of float32 `values` along the first axis into `count` cells.

    By running sums: a product would wake BLAS's threads, which a training in progress needs more.
    """
    size = len(values)
    edges = np.arange(count + 1) * (size / count)
    whole = np.minimum(edges.astype(np.intp), size - 1)
    sums = np.zeros((size + 1, values.shape[1]), np.float32)
    np.cumsum(values, axis=0, out=sums[1:])
    at = sums[whole] + (edges - whole)[:, None].astype(np.float32) * values[whole]
    return np.diff(at, axis=0) * np.float32(count / size)


def _corner(small: np.ndarray) -> tuple[int, int]:
    """Where the top left pixel goes, so that the centre of mass rounds to the middle and all stays inside."""
    total = float(small.sum())
    rows = float(small.sum(axis=1) @ np.arange(small.shape[0])) / total
    columns = float(small.sum(axis=0) @ np.arange(small.shape[1])) / total
    top = min(max(MIDDLE - round(rows), 0), SIDE - small.shape[0])
    left = min(max(MIDDLE - round(columns), 0), SIDE - small.shape[1])
    return top, left
