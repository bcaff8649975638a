"""Converts drawings and pictures to ink, and ink to 28x28 images like those of MNIST.

The steps are those of MNIST (LeCun, Cortes, Burges: yann.lecun.com/exdb/mnist): crop to the ink, scale the longest
side to 20 pixels keeping the aspect ratio, and shift the center of mass to the middle. In MNIST's test images the
center of mass, rounded to whole pixels, lies at pixel index 14.
"""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.drawing import thickness
from core.errors import InputError
from core.files.input_file import open_input

if TYPE_CHECKING:
    from PIL.Image import Image

SIDE = 28
INK_SIDE = 20
MIDDLE = 14
THRESHOLD = 0.1
MIN_SIZE = 1 / 8
"""Ink whose longest side is less than this fraction of the picture's shorter side is a dot, not a digit."""

FORMATS = ("PNG", "JPEG", "BMP", "GIF", "TIFF", "WEBP")
"""The only formats that Pillow may try: others, such as EPS, start another program to read the file."""

MAX_BYTES = 100_000_000
_MAX_PIXELS = 35_000_000
_MAX_JPEG_PIXELS = 60_000_000  # JPEG files are decoded at a reduced size
_WORKING_SIDE = 1024
_LOSSY = ("JPEG", "MPO", "WEBP")


def normalize(ink: np.ndarray, *, usual_thickness: bool = False) -> np.ndarray | None:
    """Crop, scale and center `ink`; returns uint8 (28, 28) with maximum 255.

    `ink` is (height, width), uint8 0..255 or float 0..1, with 0 for the background. Returns None when there is no
    ink, or only a dot (see MIN_SIZE and `_is_dot`). `usual_thickness`: strokes that are far too thin or thick are
    brought to the thickness of MNIST's strokes, unless the ink has hardly more pixels than the result.
    """
    box = _crop(ink)
    if box is None or max(box.shape) < MIN_SIZE * min(ink.shape) or _is_dot(box):
        return None
    if usual_thickness and max(box.shape) > 2 * INK_SIDE:
        box = _crop_to_usual_thickness(box)
    small = _shrink(box, INK_SIDE / max(box.shape))
    image = np.zeros((SIDE, SIDE), np.float32)
    top, left = _corner(small)
    image[top : top + small.shape[0], left : left + small.shape[1]] = small
    return np.rint(image * (255 / small.max())).astype(np.uint8)


def fill_frame(ink: np.ndarray) -> np.ndarray | None:
    """`ink` (height, width) cropped, its longest side scaled to 28, and centered, as uint8 (28, 28), peak 255.

    None where nothing is drawn. Fashion-MNIST's images are made like this.
    """
    box = _crop(ink)
    if box is None:
        return None
    small = _shrink(box, SIDE / max(box.shape))
    image = np.zeros((SIDE, SIDE), np.float32)
    top, left = ((SIDE - side) // 2 for side in small.shape)
    image[top : top + small.shape[0], left : left + small.shape[1]] = small
    return np.rint(image * (255 / small.max())).astype(np.uint8)


def raw(ink: np.ndarray) -> np.ndarray:
    """Shrink the picture to uint8 (28, 28) without cropping or centring, for comparison with `normalize`.

    A picture that is not square is first put in the middle of an empty square.
    """
    values = _unit(ink)
    side = max(values.shape)
    square = np.zeros((side, side), np.float32)
    top, left = (side - values.shape[0]) // 2, (side - values.shape[1]) // 2
    square[top : top + values.shape[0], left : left + values.shape[1]] = values
    small = _averaged(_averaged(square, SIDE).T, SIDE).T
    return np.rint(np.clip(small, 0, 1) * 255).astype(np.uint8)


def ink_from_image(image: "np.ndarray | Image") -> np.ndarray:
    """The ink of a picture, dark on light or light on dark, as float32 (height, width) in 0..1.

    Arrays are (height, width) or (height, width, 1..4), uint8 or float 0..1: gray or RGB, with or without alpha.
    The background is the median of the border. Ink is stretched to the full range, so that a pencil gives the same
    values as a pen. A picture without contrast has no ink.
    """
    return plain_ink(gray_of(image))


def plain_ink(gray: np.ndarray) -> np.ndarray:
    """The ink (see `ink_from_image`) of a gray picture, float32 (height, width) in 0..1."""
    border = np.concatenate((gray[0], gray[-1], gray[:, 0], gray[:, -1]))
    background = float(np.median(border))
    ink = background - gray if background > 0.5 else gray - background
    np.maximum(ink, 0, out=ink)
    peak = float(ink.max())
    if peak < 0.15:
        return np.zeros_like(ink)
    return ink / peak


def read_image(path: str | Path) -> np.ndarray:
    """The ink (see `ink_from_image`) of an image file, at most 1024 pixels a side. Raises InputError as `read_gray`."""
    gray, is_lossy = read_gray(path)
    return without_ringing(plain_ink(gray)) if is_lossy else plain_ink(gray)


def read_gray(path: str | Path) -> tuple[np.ndarray, bool]:
    """The picture in a file, float32 (height, width) in 0..1, at most 1024 pixels a side; and whether it is lossy.

    Raises InputError when the file is not a picture in one of FORMATS, is damaged, or is too large.
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    path = Path(path)
    warnings.filterwarnings(
        "ignore", module=r"PIL\."
    )  # about damaged files: either an error follows, or an image
    try:
        with open_input(path, MAX_BYTES, "an image file") as file, Image.open(file, formats=FORMATS) as image:
            limit = _MAX_JPEG_PIXELS if image.format in ("JPEG", "MPO") else _MAX_PIXELS
            if image.width * image.height > limit:
                raise InputError(
                    "{path} has {pixels:,} pixels, more than {limit:,}: shrink the picture first.",
                    path=path, pixels=image.width * image.height, limit=limit,
                )  # fmt: skip
            image.draft("RGB", (_WORKING_SIDE, _WORKING_SIDE))
            small = image if image.mode in ("L", "RGB", "RGBA") else _to_gray_or_rgba(image)
            small.thumbnail((_WORKING_SIDE, _WORKING_SIDE), Image.Resampling.BOX)
            return gray_of(ImageOps.exif_transpose(small)), image.format in _LOSSY
    except UnidentifiedImageError:
        raise InputError("{path} is not a picture: choose a {formats} file.", path=path,
                         formats=" or ".join((", ".join(FORMATS[:-1]), FORMATS[-1]))) from None  # fmt: skip
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise InputError(
            "{path} is too large ({reason}): shrink the picture first.", path=path, reason=error
        ) from None
    except Exception as error:  # Pillow's decoders raise many kinds of errors for damaged files
        if isinstance(error, InputError):
            raise
        raise InputError(
            "{path} cannot be read as a picture ({reason}): save it again, as PNG for instance.",
            path=path, reason=str(error) or type(error).__name__,
        ) from None  # fmt: skip


def without_ringing(ink: np.ndarray) -> np.ndarray:
    """Remove the faint ripples that lossy formats leave around strokes, which would widen the crop."""
    return np.maximum(ink - 0.2, 0) / 0.8


def _to_gray_or_rgba(image: "Image") -> "Image":
    """The picture as 8-bit gray or RGBA, the modes that `gray_of` accepts. Gray of more bits is stretched to 0..255."""
    if image.mode in ("L", "RGBA"):
        return image
    if image.mode.startswith(("I", "F")):
        from PIL.Image import fromarray

        values = np.asarray(image)
        low, high = float(values.min()), float(values.max())
        gray = np.zeros(values.shape, np.uint8)
        with np.errstate(invalid="ignore"):  # NaN
            for row, target in zip(values, gray, strict=True):
                target[:] = (row.astype(np.float64) - low) * (255 / max(high - low, 1e-9))
        return fromarray(gray)
    return image.convert("L" if image.mode == "1" else "RGBA")


def gray_of(image: "np.ndarray | Image") -> np.ndarray:
    """A picture as gray, float32 (height, width) in 0..1. See `ink_from_image` for arrays."""
    values = _unit(np.asarray(image if isinstance(image, np.ndarray) else _to_gray_or_rgba(image)))
    if values.ndim == 2:
        return values
    if values.ndim != 3 or not 1 <= values.shape[2] <= 4:
        raise InputError(
            "A picture must be gray, RGB or RGBA, not an array of shape {shape}.", shape=values.shape
        )
    colors, alpha = values, None
    if values.shape[2] in (2, 4):
        colors, alpha = values[..., :-1], values[..., -1]
    weights = np.array([0.299, 0.587, 0.114], np.float32) if colors.shape[2] == 3 else np.ones(1, np.float32)
    gray = colors @ weights
    if alpha is not None and float(alpha.min()) < 1:
        gray = gray * alpha + _background(gray, alpha) * (1 - alpha)
    return gray


def _background(gray: np.ndarray, alpha: np.ndarray) -> float:
    """The gray to show through transparent pixels: white behind dark ink, black behind light ink."""
    return 1.0 if float((gray * alpha).sum()) <= 0.5 * float(alpha.sum()) else 0.0


def _unit(values: np.ndarray) -> np.ndarray:
    """`values` as float32 in 0..1. Integers are divided by 255; NaN becomes 0."""
    if values.dtype == np.bool_:
        return values.astype(np.float32)
    if np.issubdtype(values.dtype, np.integer):
        return values.astype(np.float32) * np.float32(1 / 255)
    return np.nan_to_num(values.astype(np.float32), nan=0.0, posinf=1.0, neginf=0.0)


def _crop(ink: np.ndarray) -> np.ndarray | None:
    """The smallest box around the ink above THRESHOLD, as float32; None if there is none."""
    if ink.ndim != 2:
        raise InputError("Ink must be an array of two dimensions, not of shape {shape}.", shape=ink.shape)
    if not ink.size:
        return None
    mask = ink > (int(THRESHOLD * 255) if np.issubdtype(ink.dtype, np.integer) else THRESHOLD)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    return _unit(ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _crop_to_usual_thickness(box: np.ndarray) -> np.ndarray:
    """`box` with strokes of the usual thickness, cropped again; `box` itself where they have it."""
    small = _shrink(box, min(1.0, thickness.SIDE / max(box.shape)))
    changed = thickness.with_usual_thickness(small)
    cropped = None if changed is None else _crop(changed)
    return box if cropped is None else cropped


def _is_dot(box: np.ndarray) -> bool:
    """Whether the box is about as wide as tall and nearly full of ink, as that of no digit is."""
    height, width = box.shape
    return min(height, width) > 0.6 * max(height, width) and float(box.mean()) > 0.75


def _shrink(box: np.ndarray, scale: float) -> np.ndarray:
    height, width = (max(1, round(side * scale)) for side in box.shape)
    return _averaged(_averaged(box, height).T, width).T


def _averaged(values: np.ndarray, count: int) -> np.ndarray:
    """Area averaging of float32 `values` along the first axis into `count` cells.

    Uses cumulative sums. A matrix product would start BLAS's threads, which may slow down a training in progress.
    """
    size = len(values)
    edges = np.arange(count + 1) * (size / count)
    rows = np.minimum(edges.astype(np.intp), size - 1)
    sums = np.zeros((size + 1, values.shape[1]), np.float32)
    np.cumsum(values, axis=0, out=sums[1:])
    sums_at_edges = sums[rows] + (edges - rows)[:, None].astype(np.float32) * values[rows]
    return np.diff(sums_at_edges, axis=0) * np.float32(count / size)


def _corner(small: np.ndarray) -> tuple[int, int]:
    """Row and column of the top left pixel, so that the center of mass rounds to MIDDLE and all ink stays inside."""
    total = float(small.sum())
    rows = float(small.sum(axis=1) @ np.arange(small.shape[0])) / total
    columns = float(small.sum(axis=0) @ np.arange(small.shape[1])) / total
    top = min(max(MIDDLE - round(rows), 0), SIDE - small.shape[0])
    left = min(max(MIDDLE - round(columns), 0), SIDE - small.shape[1])
    return top, left
