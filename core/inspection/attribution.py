"""How much each pixel of an image speaks for an answer: occlusion, gradient times input, integrated
gradients.

The score that they explain is the output of one class, or that output minus another class's. It is
taken before the softmax, where contributions of pixels add up.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.inference.engine import Engine

PATCH = 5  # pixels: the side of the square that occlusion covers
STEPS = 32  # of integrated gradients

Method = Callable[[Engine, np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True, slots=True)
class Explanation:
    """`relevance`: float32 (height, width), how much each pixel raises the score; negative where it
    lowers it.

    `score`: of the image; `blank`: of an empty image. `probabilities`: float32 (classes,).
    """

    relevance: np.ndarray
    score: float
    blank: float
    probabilities: np.ndarray
    label: int
    other: int | None


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


def explain(
    engine: Engine,
    image: np.ndarray,
    method: str,
    label: int | None = None,
    other: int | None = None,
) -> Explanation:
    """Why the network answers `label` for an image, and not `other`.

    image: (height, width, 1), uint8 or float32 in 0..1. method: a key of METHODS. label: None for
    the most probable class. other: None for no comparison, -1 for the most probable class beside
    `label`.
    """
    pixels = image / np.float32(255) if image.dtype == np.uint8 else image.astype(np.float32)
    last = len(engine.model.network.layers) - 1
    outputs = engine.layer_outputs(np.stack([pixels, np.zeros_like(pixels)]), last)
    probabilities = engine.probabilities(outputs)[0]
    label = int(probabilities.argmax()) if label is None else label
    if other == -1:
        others = outputs[0].copy()
        others[label] = -np.inf
        other = int(others.argmax())
    weights = np.zeros(len(probabilities), np.float32)
    weights[label] = 1
    if other is not None and other != label:
        weights[other] = -1
    else:
        other = None
    relevance = METHODS[method](engine, pixels, weights)
    score, blank = outputs @ weights
    return Explanation(relevance, float(score), float(blank), probabilities, label, other)
