"""The user's own digits: drawings saved with their labels, as a folder of pictures to learn
from.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import count
from pathlib import Path

import numpy as np

from core.data.class_names import DIGITS
from core.data.dataset import Split
from core.data.formats import image_folder
from core.drawing.ink import normalize
from core.drawing.picture import MAX_BYTES, read_image
from core.errors import InputError
from core.files.atomic import write_new
from core.files.input_file import read_input
from core.files.paths import data_folder
from core.files.reasons import refusing
from core.progress import Check, never_cancel

NAME = "mine"
TITLE = "My digits"
MINIMUM = 6
"""This many drawings of one digit give the first test picture (see
core.data.formats.image_folder).
"""


def folder() -> Path:
    """The folder of the drawings, with a subfolder per digit. It is not created here."""
    return data_folder() / "my-digits"


def save_drawing(ink: np.ndarray, digit: int) -> Path:
    """Save a drawing, uint8 (height, width) with 0 for the background, as a PNG, dark on white;
    returns its path.

    The files of a digit are numbered. Programs that run at the same time never overwrite each
    other's files. Raises InputError when there is too little ink to be read, or when the file
    cannot be written.
    """
    from PIL import Image

    if normalize(ink) is None:
        raise InputError("There is too little ink to keep: draw a digit first.")
    content = BytesIO()
    Image.fromarray(255 - ink).save(content, "PNG")
    return _write(content.getvalue(), digit)


def _write(content: bytes, digit: int) -> Path:
    """Write a picture as the next one of this digit; returns its path."""
    target = folder() / DIGITS[digit]
    numbers = [int(path.stem) for path in image_folder.pictures_in(target) if path.stem.isdecimal()]
    for number in count(max(numbers, default=0) + 1):
        path = target / f"{number:05}.png"
        # False where another program has taken the number meanwhile: the next one is tried.
        if write_new(path, content):
            return path
    raise AssertionError


@dataclass(frozen=True, slots=True)
class OwnDrawing:
    """A kept drawing: its file, and the digit that the user says it is."""

    path: Path
    digit: int


def drawings() -> list[OwnDrawing]:
    """All kept drawings, by digit and then in the order in which they were kept."""
    pictures = image_folder.pictures_in
    return [OwnDrawing(path, int(digit)) for digit in DIGITS for path in pictures(folder() / digit)]


def images(chosen: Sequence[OwnDrawing], check: Check = never_cancel) -> Split:
    """The drawings as a network sees them; those without ink are left out. `check` is called before
    each.

    Raises InputError when a file cannot be read, or when there is no drawing.
    """
    labeled = []
    for drawing in chosen:
        check()
        image = normalize(read_image(drawing.path), usual_thickness=True)
        if image is not None:
            labeled.append((image, drawing.digit))
    if not labeled:
        raise InputError("There are no drawings of yours: draw a digit and press its key.")
    return image_folder.labeled_split(labeled)


def delete(chosen: Sequence[OwnDrawing]) -> None:
    """Delete the files of these drawings. Raises InputError when one cannot be deleted."""
    for drawing in chosen:
        with refusing(
            "{path} was not deleted ({reason}): close the program that uses it.",
            OSError,
            path=drawing.path,
        ):
            drawing.path.unlink(missing_ok=True)


def relabel(chosen: Sequence[OwnDrawing], digit: int) -> None:
    """Keep these drawings as `digit` from now on. Raises InputError when a file cannot be written
    or deleted.
    """
    for drawing in chosen:
        if drawing.digit != digit:
            # Written before the other is deleted: a drawing is never lost in between.
            _write(read_input(drawing.path, MAX_BYTES, "a drawing"), digit)
            delete([drawing])


def counts() -> tuple[int, ...]:
    """The number of drawings of each digit, 0 to 9."""
    return tuple(len(image_folder.pictures_in(folder() / digit)) for digit in DIGITS)


def enough() -> bool:
    """Whether there are enough drawings for a training and a test split."""
    return max(counts()) >= MINIMUM
