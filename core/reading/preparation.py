"""Prepares a picture for a model in the way in which the images of its data set were prepared."""

import numpy as np

from core.data.class_names import CLOTHES, DIGITS
from core.drawing.ink import fill_frame, normalize


def prepare(ink: np.ndarray, classes: tuple[str, ...]) -> np.ndarray | None:
    """`ink` for a model of these classes, as uint8 (28, 28). None if nothing is drawn.

    `ink`: (height, width), float 0..1 or uint8. Its longest side takes 20 of the 28 pixels of MNIST's images, and its
    center of mass lies in the middle; strokes of digits that are far too thin or thick get the usual thickness.
    Fashion-MNIST's pieces fill the whole frame (Xiao, Rasul, Vollgraf 2017, arXiv:1708.07747, section 2).
    """
    return fill_frame(ink) if classes == CLOTHES else normalize(ink, usual_thickness=classes == DIGITS)
