"""How much each pixel of an image speaks for an answer: occlusion, gradient times input, integrated
gradients.

The score that they explain is the output of one class, or that output minus another class's. It is
taken before the softmax, where contributions of pixels add up.
"""

from collections.abc import Callable

import numpy as np

from core.inference.engine import Engine

PATCH = 5  # pixels: the side of the square that occlusion covers
STEPS = 32  # of integrated gradients

Method = Callable[[Engine, np.ndarray, np.ndarray], np.ndarray]


def occlusion(engine: Engine, image: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The fall of the score Σ `weights` ⊙ outputs when a square of PATCH x PATCH pixels around a
    pixel is blanked.

    image: float32 (height, width, 1). Returns float32 (height, width). Zeiler, Fergus 2014
    (arXiv:1311.2901).
    """
    height, width = image.shape[:2]
    reach = PATCH // 2
    covered = np.repeat(image[None], height * width, axis=0)
    for row in range(height):
        for column in range(width):
            top = max(row - reach, 0)
            left = max(column - reach, 0)
            covered[row * width + column, top : row + reach + 1, left : column + reach + 1] = 0
    # A square without ink changes nothing.
    changed = np.flatnonzero((covered != image).any(axis=(1, 2, 3)))
    fall = np.zeros(height * width, np.float32)
    last = len(engine.model.network.layers) - 1
    score = engine.layer_outputs(image[None], last)[0] @ weights
    if len(changed):
        fall[changed] = score - engine.layer_outputs(covered[changed], last) @ weights
    return fall.reshape(height, width)


def gradient_times_input(engine: Engine, image: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The gradient of the score by each pixel times the pixel: its effect if the network were
    linear.

    Arguments and result as `occlusion`. Shrikumar et al. 2016 (arXiv:1605.01713).
    """
    last = len(engine.model.network.layers) - 1
    return (engine.input_gradient(image[None], last, weights)[0] * image)[:, :, 0]


def integrated_gradients(engine: Engine, image: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The mean gradient on the way from an empty image to this one, times the image.

    Its sum over all pixels is the score of the image minus that of the empty image, but for the
    error of the sum of STEPS midpoints. Arguments and result as `occlusion`. Sundararajan, Taly,
    Yan 2017 (arXiv:1703.01365).
    """
    parts = ((np.arange(STEPS, dtype=np.float32) + 0.5) / STEPS).reshape(-1, 1, 1, 1)
    last = len(engine.model.network.layers) - 1
    gradients = engine.input_gradient(parts * image, last, weights)
    return (gradients.mean(axis=0) * image)[:, :, 0]


METHODS: dict[str, Method] = {
    "integrated": integrated_gradients,
    "gradient": gradient_times_input,
    "occlusion": occlusion,
}
