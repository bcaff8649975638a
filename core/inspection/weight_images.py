"""Arranges the weights of a layer as images."""

from math import ceil, sqrt

import numpy as np


def filter_images(weights: np.ndarray, input_shape: tuple[int, ...]) -> np.ndarray:
    """float32 (outputs, height, width): the weights of each unit or map as one image.

    weights: (inputs, outputs) of a dense layer, (k, k, channels, maps) of a convolution, or (outputs,) of batch
    normalization, whose images have one pixel; `input_shape`: of the layer's input. Where the input is an image of
    several channels, the images of the channels lie side by side with a column of NaN between them. Inputs that are no
    image fill rows of about the same length, and NaN the rest.
    """
    outputs = weights.shape[-1]
    if weights.ndim == 4:
        return _side_by_side(weights)
    if weights.ndim == 1:
        return weights.reshape(outputs, 1, 1)
    if len(input_shape) == 3:
        return _side_by_side(weights.reshape(*input_shape, outputs))
    inputs = len(weights)
    width = ceil(sqrt(inputs))
    height = -(-inputs // width)
    padded = np.full((height * width, outputs), np.nan, np.float32)
    padded[:inputs] = weights
    return np.moveaxis(padded.reshape(height, width, outputs), 2, 0)


def _side_by_side(weights: np.ndarray) -> np.ndarray:
    """(height, width, channels, outputs) as (outputs, height, channels · (width + 1) - 1)."""
    height, width, channels, outputs = weights.shape
    strips = np.full((outputs, height, channels, width + 1), np.nan, np.float32)
    strips[:, :, :, :width] = weights.transpose(3, 0, 2, 1)
    return strips.reshape(outputs, height, channels * (width + 1))[:, :, :-1]
