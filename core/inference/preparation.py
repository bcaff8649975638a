"""Prepares a picture for a model in the way in which the images of its data set were prepared."""

import numpy as np

from core.data.class_names import CLOTHES
from core.data.drawing import fill_frame, normalise
from core.inference.model_file import Model


def prepare(ink: np.ndarray, model: Model) -> np.ndarray | None:
    """`ink`, float32 (height, width) in 0..1, as uint8 (28, 28). None if nothing is drawn.

    The longest side of a digit takes 20 of the 28 pixels of MNIST's images, and its centre of mass lies in the
    middle; strokes that are far too thin or thick get the usual thickness.
    Fashion-MNIST's pieces fill the whole frame (Xiao, Rasul, Vollgraf 2017, arXiv:1708.07747, section 2).
    """
    return fill_frame(ink) if model.classes == CLOTHES else normalise(ink, usual_thickness=True)
