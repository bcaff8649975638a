"""The user's own digits: drawings saved with their labels, as a folder of pictures to learn from."""

from io import BytesIO
from itertools import count
from pathlib import Path

import numpy as np

from core.data import image_folder
from core.data.class_names import DIGITS
from core.data.drawing import normalise
from core.errors import InputError
from core.files.atomic import write_new
from core.files.paths import data_folder

NAME = "mine"
TITLE = "My digits"
MINIMUM = 6
"""This many drawings of one digit give the first test picture (see core.data.image_folder)."""


def folder() -> Path:
    """The folder of the drawings, with a subfolder per digit. It is not created here."""
    return data_folder() / "my-digits"


def save_drawing(ink: np.ndarray, digit: int) -> Path:
    """Save a drawing, uint8 (height, width) with 0 for the background, as a PNG, dark on white; returns its path.

    The files of a digit are numbered. Programs that run at the same time never overwrite each other's files.
    Raises InputError when there is too little ink to be read, or when the file cannot be written.
    """
    from PIL import Image

    if normalise(ink) is None:
        raise InputError("There is too little ink to keep: draw a digit first.")
    content = BytesIO()
    Image.fromarray(255 - ink).save(content, "PNG")
    target = folder() / DIGITS[digit]
    numbers = [int(path.stem) for path in image_folder.pictures_in(target) if path.stem.isdecimal()]
    for number in count(max(numbers, default=0) + 1):
        path = target / f"{number:05}.png"
        if write_new(path, content.getvalue()):
            return path
    raise AssertionError


def counts() -> tuple[int, ...]:
    """The number of drawings of each digit, 0 to 9."""
    return tuple(len(image_folder.pictures_in(folder() / digit)) for digit in DIGITS)


def enough() -> bool:
    """Whether there are enough drawings for a training and a test split."""
    return max(counts()) >= MINIMUM
