"""From a picture to ink, and from ink to a 28x28 image like those of MNIST.

`core.drawing.loops` compiles `shrunk` and `centered`.

The steps are those of MNIST (LeCun, Cortes, Burges: yann.lecun.com/exdb/mnist): crop to the ink,
scale the longest side to 20 pixels keeping the aspect ratio, and shift the center of mass to the
middle. In MNIST's test images the center of mass, rounded to whole pixels, lies at pixel index 14.
Ink is an array (height, width): uint8 0..255 or float 0..1, with 0 for the background.
"""

from typing import Any

import numpy as np

SIDE = 28
INK_SIDE = 20
MIDDLE = 14
THRESHOLD = 0.1
MIN_SIZE = 1 / 8
"""Ink whose longest side is less than this fraction of the picture's shorter side is a dot, not a
digit.
"""

USUAL_THICKNESS = 2.3 / 20
"""Thickness of MNIST's strokes divided by the longest side of the ink; see
`core.drawing.rendering.PEN`.
"""

THINNEST = 0.6 * USUAL_THICKNESS
THICKEST = 1.6 * USUAL_THICKNESS
"""Strokes between these are left as they are."""

MEASURED_SIDE = 120
"""Longest side of the ink, in pixels, at which its thickness is measured and changed."""

_STROKE = 0.4  # level from which a pixel belongs to a stroke

FORMATS = {
    "PNG": (".png",),
    "JPEG": (".jpg", ".jpeg"),
    "BMP": (".bmp",),
    "GIF": (".gif",),
    "TIFF": (".tif", ".tiff"),
    "WEBP": (".webp",),
}
"""The formats of pictures by Pillow's names, with their suffixes.

Pillow may try no others: some, such as EPS, start another program to read the file.
"""

_WORKING_SIDE = 1024
_LOSSY = ("JPEG", "MPO", "WEBP")
_RIPPLES = 0.2  # of the darkest ink
_COLORED = 1.5  # times the contrast of the brightness
NORMAL = 1.4826  # standard deviations in the median deviation of a normal distribution
NOISE = 6  # standard deviations of the paper: what differs by more is ink
ROUNDING = 1 / 255  # least standard deviation: levels are rounded
_PAPER = 4  # standard deviations that are paper beside ink


# -- from a picture to ink -------------------------------------------------------------------------


def gray_of_file(image: Any) -> tuple[np.ndarray, bool]:
    """The gray of a file that Pillow has opened, at most 1024 pixels a side; and whether its format
    is lossy.
    """
    from PIL import Image, ImageOps

    image.draft("RGB", (_WORKING_SIDE, _WORKING_SIDE))  # decodes JPEG at a reduced size
    small = image if image.mode in ("L", "RGB", "RGBA") else _to_gray_or_rgba(image)
    small.thumbnail((_WORKING_SIDE, _WORKING_SIDE), Image.Resampling.BOX)
    return gray_of(ImageOps.exif_transpose(small)), image.format in _LOSSY


def gray_of(image: object) -> np.ndarray:
    """A picture of Pillow's or an array as gray, float32 (height, width) in 0..1.

    Gray is the brightness, or the red, green or blue part in which ink and paper differ much more.
    Arrays are (height, width) or (height, width, 1..4), uint8 or float 0..1: gray or RGB, with or
    without alpha.
    """
    values = _unit(np.asarray(image if isinstance(image, np.ndarray) else _to_gray_or_rgba(image)))
    if values.ndim == 2:
        return values
    colors = values
    if values.shape[2] in (2, 4):
        alpha = values[..., -1:]
        colors = values[..., :-1]
        if float(alpha.min()) < 1:
            # White shows through behind dark ink, black behind light ink.
            bright = float((_brightness(colors) * alpha[..., 0]).sum())
            behind = 1.0 if bright <= 0.5 * float(alpha.sum()) else 0.0
            colors = colors * alpha + behind * (1 - alpha)
    # Ink changes over the width of a stroke; light that falls off hardly does.
    step = max(1, colors.shape[1] // 16)
    sample = colors[:: 1 + colors.shape[0] // 200]
    changes = (sample[:, step:] - sample[:, :-step]).reshape(-1, colors.shape[2])
    # By third powers the few strong changes, those of ink, count more than many weak ones.
    contrasts = [float(np.vdot(change * change, np.abs(change))) for change in changes.T]
    change = _brightness(changes)
    if max(contrasts) > _COLORED**3 * float(np.vdot(change * change, np.abs(change))):
        return colors[..., int(np.argmax(contrasts))]
    return _brightness(colors)


def _brightness(colors: np.ndarray) -> np.ndarray:
    weights = (0.299, 0.587, 0.114) if colors.shape[-1] == 3 else (1,)
    return colors @ np.array(weights, np.float32)


def _to_gray_or_rgba(image: Any) -> Any:
    """The picture as 8-bit gray or RGBA, the modes that `gray_of` accepts. Gray of more bits is
    stretched to 0..255.
    """
    if image.mode in ("L", "RGBA"):
        return image
    if image.mode.startswith(("I", "F")):
        from PIL.Image import fromarray

        values = np.asarray(image)
        low = float(values.min())
        high = float(values.max())
        gray = np.zeros(values.shape, np.uint8)
        with np.errstate(invalid="ignore"):  # NaN
            for row, target in zip(values, gray, strict=True):
                target[:] = (row.astype(np.float64) - low) * (255 / max(high - low, 1e-9))
        return fromarray(gray)
    return image.convert("L" if image.mode == "1" else "RGBA")


def _unit(values: np.ndarray) -> np.ndarray:
    """`values` as float32 in 0..1. Integers are divided by 255; NaN becomes 0."""
    if values.dtype == np.bool_:
        return values.astype(np.float32)
    if np.issubdtype(values.dtype, np.integer):
        return values.astype(np.float32) * np.float32(1 / 255)
    return np.nan_to_num(values.astype(np.float32), nan=0.0, posinf=1.0, neginf=0.0)


def plain_ink(gray: np.ndarray, is_lossy: bool = False) -> np.ndarray:
    """The ink of a gray picture, as float32 (height, width) in 0..1: what differs from the paper,
    darker or lighter.

    The paper is the median of the border, and its noise the median deviation from it. Ink is
    stretched to the full range, so that a pencil gives the same values as a pen. A picture without
    contrast has no ink. `is_lossy`: remove the faint ripples that lossy formats leave around
    strokes, which would widen the crop.
    """
    border = border_of(gray)
    paper = float(np.median(border))
    noise = NORMAL * float(np.median(np.abs(border - paper)))
    ink = gray - paper
    # A third power keeps the sign, and the strong differences decide: light ink on dark paper.
    if float(np.vdot(ink * ink, ink)) < 0:
        ink = -ink
    peak = float(ink.max())
    if peak < NOISE * max(noise, ROUNDING):
        return np.zeros_like(ink)
    least = max(_PAPER * noise, _RIPPLES * peak if is_lossy else 0)
    return np.maximum(ink - least, 0) / (peak - least)


def border_of(gray: np.ndarray) -> np.ndarray:
    """The pixels at the four edges."""
    return np.concatenate((gray[0], gray[-1], gray[:, 0], gray[:, -1]))


# -- from ink to 28x28 -----------------------------------------------------------------------------


def normalize(ink: np.ndarray, *, usual_thickness: bool = False) -> np.ndarray | None:
    """Crop, scale and center `ink`; returns uint8 (28, 28) with maximum 255.

    Returns None when there is no ink, or only a dot: small (see MIN_SIZE), or about as wide as tall
    and nearly full of ink. `usual_thickness`: strokes that are far too thin or thick are brought to
    the thickness of MNIST's strokes, unless the ink has hardly more pixels than the result.

    >>> ink = np.zeros((200, 100), np.float32)
    >>> ink[40:160, 45:55] = 1  # a vertical stroke
    >>> image = normalize(ink)
    >>> rows = np.flatnonzero(image.max(axis=1)).tolist()
    >>> rows == list(range(4, 24))  # 20 pixels tall, in the middle
    True
    """
    box = _crop(ink)
    if not box.size or max(box.shape) < MIN_SIZE * min(ink.shape):
        return None
    if min(box.shape) > 0.6 * max(box.shape) and float(box.mean()) > 0.75:
        return None
    if usual_thickness and max(box.shape) > 2 * INK_SIDE:
        box = _usually_thick(box)
    return centered(shrunk(box, INK_SIDE / max(box.shape)))


def fill_frame(ink: np.ndarray) -> np.ndarray | None:
    """`ink` cropped, its longest side scaled to 28, and put in the middle, as uint8 (28, 28), peak
    255.

    None where nothing is drawn. Fashion-MNIST's images are made like this (Xiao, Rasul, Vollgraf
    2017, arXiv:1708.07747, section 2).
    """
    box = _crop(ink)
    if not box.size:
        return None
    small = shrunk(box, SIDE / max(box.shape))
    image = np.zeros((SIDE, SIDE), np.uint8)
    top, left = ((SIDE - side) // 2 for side in small.shape)
    image[top : top + small.shape[0], left : left + small.shape[1]] = np.rint(
        small * 255.0 / small.max()
    )
    return image


def raw(ink: np.ndarray) -> np.ndarray:
    """Shrink the picture to uint8 (28, 28) without cropping or centering, for comparison with
    `normalize`.

    A picture that is not square is first put in the middle of an empty square.
    """
    values = _unit(ink)
    side = max(values.shape)
    square = np.zeros((side, side))
    top = (side - values.shape[0]) // 2
    left = (side - values.shape[1]) // 2
    square[top : top + values.shape[0], left : left + values.shape[1]] = values
    # `shrunk` gives sums over areas.
    means = shrunk(square, SIDE / side) * (SIDE / side) ** 2
    return np.rint(np.clip(means, 0, 1) * 255).astype(np.uint8)


def shrunk(box: np.ndarray, scale: float) -> np.ndarray:
    """`box`, float64 (height, width), with both sides multiplied by `scale`: float64, sums over
    areas.

    Each pass sums along the first axis of the transposed values: along the rows first, then along
    the columns.
    """
    sums = box
    for _ in range(2):
        lines = np.ascontiguousarray(sums.T)
        size = len(lines)
        count = max(1, round(size * scale))
        sums = np.zeros((count, lines.shape[1]))
        for cell in range(count):
            total = sums[cell]  # a view
            low = cell * (size / count)
            high = (cell + 1) * (size / count)
            for line in range(int(low), min(int(high) + 1, size)):
                share = max(min(high, line + 1.0) - max(low, float(line)), 0.0)
                total += share * lines[line]
    return sums


def centered(small: np.ndarray) -> np.ndarray:
    """uint8 (28, 28), peak 255: `small`, of at most 28x28, with its center of mass at MIDDLE,
    rounded.

    All of it stays inside.
    """
    rows, columns = small.shape
    # Running sums add in one order on every machine.
    values = small.ravel()
    places = np.arange(values.size)
    total = np.cumsum(values)[-1]
    moment_y = np.cumsum(values * (places // columns))[-1]
    moment_x = np.cumsum(values * (places % columns))[-1]
    top = min(max(MIDDLE - round(moment_y / total), 0), SIDE - rows)
    left = min(max(MIDDLE - round(moment_x / total), 0), SIDE - columns)
    image = np.zeros((SIDE, SIDE), np.uint8)
    # Added, because Numba takes seconds to compile the errors of an assignment to a part of an
    # array.
    place = image[top : top + rows, left : left + columns]
    place += np.rint(small * 255.0 / values.max()).astype(np.uint8)
    return image


def rows_and_columns(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows and the columns in which `mask` is not 0, in ascending order."""
    return np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))


def _crop(ink: np.ndarray) -> np.ndarray:
    """The smallest box around the ink above THRESHOLD, float64 in 0..1; without pixels where there
    is none.
    """
    mask = ink > (int(THRESHOLD * 255) if np.issubdtype(ink.dtype, np.integer) else THRESHOLD)
    rows, columns = rows_and_columns(mask)
    if not len(rows):
        return np.zeros((0, 0))
    return _unit(ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]).astype(np.float64)


# -- the thickness of strokes ----------------------------------------------------------------------


def _usually_thick(box: np.ndarray) -> np.ndarray:
    """`box` with strokes of about the usual thickness, cropped again; `box` itself where they have
    it.

    Strokes that are far too thin are widened by a maximum filter, strokes that are far too thick
    are narrowed by a minimum filter, unless they would vanish.
    """
    ink = shrunk(box, min(1.0, MEASURED_SIDE / max(box.shape))).astype(np.float32)
    ink /= ink.max()
    width = thickness(ink)
    side = max(ink.shape)
    if not width or THINNEST <= width / side <= THICKEST:
        return box
    # Removing d pixels from both edges of the strokes removes them from both edges of the picture
    # as well: width - 2 d = USUAL_THICKNESS (side - 2 d).
    change = (width - USUAL_THICKNESS * side) / (2 * (1 - USUAL_THICKNESS))
    steps = round(abs(change))
    ink = (
        _eroded(np.pad(ink, 1), steps)
        if change > 0
        else 1 - _eroded(1 - np.pad(ink, steps + 1), steps)
    )
    return _crop(ink) if float(ink.max()) > _STROKE else box


def thickness(ink: np.ndarray) -> float:
    """The mean thickness of the strokes of `ink`, float 0..1, in pixels; 0 without ink.

    The distance from the edge, averaged over a stroke of thickness w, is w / 4.
    """
    distances = depths(ink > _STROKE)
    area = np.count_nonzero(distances)
    # A pixel that the k-th erosion removes has a distance of k - 1/2.
    return 4 * (int(distances.sum()) / area - 0.5) if area else 0.0


def depths(mask: np.ndarray) -> np.ndarray:
    """Which erosion removes each pixel of the bool array `mask`, int32 (height, width); 0 outside
    of it.
    """
    left = np.pad(mask, 1)
    result = left.astype(np.int32)
    for step in range(max(mask.shape)):
        left = _eroded(left, 1, step)
        if not left.any():
            break
        result += left
    return result[1:-1, 1:-1]


def _eroded(values: np.ndarray, steps: int, first: int = 0) -> np.ndarray:
    """The minimum of `values` over octagons of radius `steps`: squares and crosses of 3x3 by turns,
    from `first` on.
    """
    for step in range(first, first + steps):
        inner = values.copy()
        inner[1:] = np.minimum(inner[1:], values[:-1])
        inner[:-1] = np.minimum(inner[:-1], values[1:])
        across = inner if step % 2 else values
        result = inner.copy()
        result[:, 1:] = np.minimum(result[:, 1:], across[:, :-1])
        result[:, :-1] = np.minimum(result[:, :-1], across[:, 1:])
        values = result
    return values
