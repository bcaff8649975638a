"""Pictures of handwriting: drawings on a plain background, photographs, and scans."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.data.drawing import grey_of, plain_ink, read_grey, without_ringing
from core.data.pictures.page import is_uneven, page_ink

if TYPE_CHECKING:
    from PIL.Image import Image

_MIN_PAGE = 100  # the least side of a photograph, in pixels
_MAX_INK = 0.6  # where more than this is ink, the "ink" is paper that lies on a dark table
_MARGIN = 0.08  # around the ink of a photograph, as a fraction of its longer side


@dataclass(frozen=True, slots=True)
class Picture:
    """The ink of a picture, float32 (height, width) in 0..1.

    Of a photograph or scan it is only the part with ink: `left` and `top` are the place of that part in the whole
    picture of `width` and `height`, in pixels of `ink`.
    """

    ink: np.ndarray
    left: int
    top: int
    width: int
    height: int


def read_picture(path: str | Path) -> Picture:
    """The picture in a file. Raises InputError when it is none in one of `drawing.FORMATS`, damaged or too large."""
    grey, is_lossy = read_grey(path)
    return _picture(grey, is_lossy)


def picture_from_image(image: "np.ndarray | Image") -> Picture:
    """A picture in memory; see `core.data.drawing.ink_from_image` for arrays."""
    return _picture(grey_of(image), False)


def _picture(grey: np.ndarray, is_lossy: bool) -> Picture:
    height, width = grey.shape
    if min(grey.shape) >= _MIN_PAGE and is_uneven(grey):
        return _cropped(page_ink(grey))
    ink = plain_ink(grey)
    if min(grey.shape) >= _MIN_PAGE and float((ink > 0.5).mean()) > _MAX_INK:
        return _cropped(page_ink(grey))
    return Picture(without_ringing(ink) if is_lossy else ink, 0, 0, width, height)


def _cropped(ink: np.ndarray) -> Picture:
    height, width = ink.shape
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return Picture(ink, 0, 0, width, height)
    margin = round(_MARGIN * max(np.ptp(rows), np.ptp(columns)))
    top, left = max(rows[0] - margin, 0), max(columns[0] - margin, 0)
    part = ink[top : rows[-1] + 1 + margin, left : columns[-1] + 1 + margin]
    return Picture(part, int(left), int(top), width, height)
