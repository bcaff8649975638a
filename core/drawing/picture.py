"""Pictures of handwriting in files: drawings on a plain background, photographs, and scans."""

import warnings
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.drawing.ink import FORMATS, MIN_SIZE, SIDE, gray_of_file, plain_ink, rows_and_columns
from core.drawing.page import gray_image, is_uneven, page_ink, without_frames
from core.errors import InputError
from core.files.input_file import open_input
from core.files.reasons import reason_of

MEDIA_TYPES = {
    suffix: f"image/{name.lower()}" for name, suffixes in FORMATS.items() for suffix in suffixes
}
"""The suffixes of pictures, in small letters, with their media types as pages name them."""

PICTURE_SUFFIXES = tuple(MEDIA_TYPES)

MAX_BYTES = 30_000_000
"""Pillow reads the Exif segments of larger files in quadratic time."""
_MAX_PIXELS = 35_000_000
_MAX_JPEG_PIXELS = 60_000_000  # JPEG files are decoded at a reduced size
_MIN_PAGE = 100  # the least side of a photograph, in pixels
_MAX_INK = 0.6  # where more than this is ink, the "ink" is paper that lies on a dark table
TILE = 10 * SIDE
"""Side of each step of `picture_steps`, in pixels."""

_AVERAGED = 4  # pixels a side: ink that noise hides shows in their mean
_MARGIN = 0.08  # around the ink of a photograph, as a fraction of its longer side


@dataclass(frozen=True, slots=True)
class Picture:
    """The ink of a picture, float32 (height, width) in 0..1.

    Of a photograph or scan it is only the part with ink: `left` and `top` are the place of that
    part in the whole picture of `width` and `height`, in pixels of `ink`.
    """

    ink: np.ndarray
    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class GrayPicture:
    """A picture before its ink is found. `gray`: float32 (height, width) in 0..1. `is_lossy`: by
    its file format.
    """

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
        found = self.plain_picture()
        return replace(found, ink=without_frames(found.ink))

    def plain_picture(self) -> Picture:
        """The picture's ink, where it is known to be on a plain background."""
        height, width = self.gray.shape
        return Picture(plain_ink(self.gray, self.is_lossy), 0, 0, width, height)

    def why_unread(self, ink: np.ndarray) -> InputError | None:
        """Why `ink`, found in this picture, is too little to be read; None where it is not."""
        rows, columns = np.nonzero(ink)
        if len(rows) and max(np.ptp(rows), np.ptp(columns)) >= MIN_SIZE * min(ink.shape):
            return None
        if len(rows):
            return InputError("The ink is too small to be read: crop the picture, or come closer.")
        height, width = (side // _AVERAGED * _AVERAGED for side in self.gray.shape)
        if min(height, width):
            blocks = self.gray[:height, :width].reshape(
                height // _AVERAGED, _AVERAGED, width // _AVERAGED, _AVERAGED
            )
            # The levels of means are rounded less.
            if plain_ink(_AVERAGED * blocks.mean(axis=(1, 3))).any():
                return InputError("The ink is too faint: take a darker pen, or more light.")
        return InputError("The picture is empty: choose one that shows a digit or a number.")


def read_image(path: str | Path) -> np.ndarray:
    """The ink of an image file on a plain background, at most 1024 pixels a side. Raises InputError
    as `read_gray`.
    """
    return read_gray(path).plain_picture().ink


def read_gray(path: str | Path) -> GrayPicture:
    """The picture in a file, at most 1024 pixels a side.

    Raises InputError when the file is not a picture in one of FORMATS, is damaged, or is too large.
    """
    from PIL import Image, UnidentifiedImageError

    path = Path(path)
    # About damaged files: either an error follows, or an image.
    warnings.filterwarnings("ignore", module=r"PIL\.")
    try:
        with (
            open_input(path, MAX_BYTES, "an image file") as file,
            Image.open(file, formats=tuple(FORMATS)) as image,
        ):
            limit = _MAX_JPEG_PIXELS if image.format in ("JPEG", "MPO") else _MAX_PIXELS
            if image.width * image.height > limit:
                raise InputError(
                    "{path} has {pixels:,} pixels, more than {limit:,}: shrink the picture first.",
                    path=path,
                    pixels=image.width * image.height,
                    limit=limit,
                )
            return GrayPicture(*gray_of_file(image))
    except UnidentifiedImageError:
        *others, last = FORMATS
        raise InputError(
            "{path} is not a picture: choose a {formats} file.",
            path=path,
            formats=f"{', '.join(others)} or {last}",
        ) from None
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise InputError(
            "{path} is too large ({reason}): shrink the picture first.", path=path, reason=error
        ) from None
    except InputError:
        raise
    except Exception as error:  # Pillow's decoders raise many kinds of errors for damaged files
        raise InputError(
            "{path} cannot be read as a picture ({reason}): save it again, as PNG for instance.",
            path=path,
            reason=reason_of(error),
        ) from None


def picture_steps(gray: GrayPicture, picture: Picture) -> np.ndarray:
    """How the ink of a picture is found, side by side, as uint8 (TILE, 3 * TILE): the picture as it
    is compared with its paper; its ink, dark; the part with ink.
    """
    whole = np.zeros((picture.height, picture.width), np.float32)
    height, width = picture.ink.shape
    whole[picture.top : picture.top + height, picture.left : picture.left + width] = picture.ink
    levels = (gray.gray, 1 - whole, 1 - _cropped(picture.ink).ink)
    return np.hstack([*map(_tile, levels)])


def with_pixels(steps: np.ndarray, image: np.ndarray | None) -> np.ndarray:
    """The steps of `picture_steps`, and right of them `image`, what the network gets, as uint8
    (TILE, 4 * TILE).
    """
    return np.hstack([steps, _tile(np.zeros((SIDE, SIDE)) if image is None else image / 255)])


def _tile(gray: np.ndarray) -> np.ndarray:
    """`gray`, in 0..1, as uint8 (TILE, TILE), with gray beside what is not square."""
    from PIL import ImageOps
    from PIL.Image import Resampling

    return np.asarray(ImageOps.pad(gray_image(gray), (TILE, TILE), Resampling.BOX, color=128))


def _cropped(ink: np.ndarray) -> Picture:
    height, width = ink.shape
    rows, columns = rows_and_columns(ink)
    if not len(rows):
        return Picture(ink, 0, 0, width, height)
    margin = round(_MARGIN * max(np.ptp(rows), np.ptp(columns)))
    top = max(rows[0] - margin, 0)
    left = max(columns[0] - margin, 0)
    part = ink[top : rows[-1] + 1 + margin, left : columns[-1] + 1 + margin]
    return Picture(part, int(left), int(top), width, height)
