"""A person's own digits: drawings kept with what they were meant to be, as a folder of pictures to learn from."""

from pathlib import Path

import numpy as np

from core.data import image_folder
from core.data.class_names import DIGITS
from core.data.drawing import normalise
from core.errors import InputError
from core.files.atomic import atomic_path
from core.files.paths import data_folder

NAME = "mine"
TITLE = "My digits"
LEAST = 6
"""So many of one digit give a first picture to test with (see core.data.image_folder)."""


def folder() -> Path:
    """Where they lie, a subfolder each digit. Not created here."""
    return data_folder() / "my-digits"


def keep(ink: np.ndarray, digit: int) -> Path:
    """Write the drawing, uint8 (height, width) with 0 for paper, as a PNG, dark on white; the file's path.

    An InputError when there is too little ink to be read, or when the folder or disk does not take it.
    """
    from PIL import Image

    if normalise(ink) is None:
        raise InputError("There is too little ink to keep: draw a digit first.")
    path = _next_free(folder() / DIGITS[digit])
    with atomic_path(path) as temporary:
        Image.fromarray(255 - ink).save(temporary, "PNG")
    return path


def counts() -> tuple[int, ...]:
    """How many are kept of each digit, 0 to 9."""
    return tuple(len(image_folder.in_folder(folder() / digit)) for digit in DIGITS)


def enough() -> bool:
    """Whether there are enough to learn from and to test with."""
    return max(counts()) >= LEAST


def _next_free(place: Path) -> Path:
    """Numbered, so that what is tested with is spread over the time of drawing."""
    numbers = [int(path.stem) for path in image_folder.in_folder(place) if path.stem.isdecimal()]
    return place / f"{max(numbers, default=0) + 1:05}.png"
