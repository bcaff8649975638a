"""Pictures of handwriting: drawings on a plain background, photographs, and scans."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.drawing.ink import gray_of, plain_ink, read_gray, without_ringing
from core.drawing.page import is_uneven, page_ink

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


@dataclass(frozen=True, slots=True)
class GrayPicture:
    """A picture before its ink is found. `gray`: float32 (height, width) in 0..1. `is_lossy`: by its file format."""

    gray: np.ndarray
    is_lossy: bool = False

    def is_page(self) -> bool:
        """Whether it is a photograph or scan, whose ink takes some tenths of a second to find."""
        if min(self.gray.shape) < _MIN_PAGE:
            return False
        return is_uneven(self.gray) or float((plain_ink(self.gray) > 0.5).mean()) > _MAX_INK

    def picture(self) -> Picture:
        """The picture's ink."""
        if self.is_page():
            return _cropped(page_ink(self.gray))
        height, width = self.gray.shape
        ink = plain_ink(self.gray)
        return Picture(without_ringing(ink) if self.is_lossy else ink, 0, 0, width, height)


def read_picture(path: str | Path) -> Picture:
    """The picture in a file. Raises InputError when it is none in one of `drawing.FORMATS`, damaged or too large."""
    return GrayPicture(*read_gray(path)).picture()


def picture_from_image(image: "np.ndarray | Image") -> Picture:
    """A picture in memory; see `core.drawing.ink.ink_from_image` for arrays."""
    return GrayPicture(gray_of(image)).picture()


def _cropped(ink: np.ndarray) -> Picture:
    height, width = ink.shape
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return Picture(ink, 0, 0, width, height)
    margin = round(_MARGIN * max(np.ptp(rows), np.ptp(columns)))
    top, left = max(rows[0] - margin, 0), max(columns[0] - margin, 0)
    part = ink[top : rows[-1] + 1 + margin, left : columns[-1] + 1 + margin]
    return Picture(part, int(left), int(top), width, height)
