"""A single unit or map of a layer: its connections, the images that excite it most, an input made for it."""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

import numpy as np

from core.inspection.inspector import Inspector

ASCENT_STEPS = 60
# The norm of a usual image of a digit, 0 to 1 for each pixel: 9.2 in MNIST.
INK_NORM = 9.0
_START, _STEP = 0.1, 0.5


@dataclass(frozen=True, slots=True)
class Connections:
    """The strongest connections into a layer: float32 contributions x[source] · weight, by falling magnitude.

    `sources`: indices into the flattened input of the layer; `targets`: units of the layer.
    """

    sources: np.ndarray
    targets: np.ndarray
    contributions: np.ndarray


def strongest_connections(
    x: np.ndarray, weights: np.ndarray, count: int, target: int | None = None, source: int | None = None
) -> Connections:
    """The `count` connections of a dense layer that contribute most to its sums, of either sign.

    x: the layer's input for one example, any shape; weights: (inputs, units). target, source: only those into this
    unit, or only those from this input.
    """
    contributions = x.reshape(-1, 1) * weights
    allowed = np.ones_like(contributions, bool)
    if target is not None:
        allowed &= np.arange(weights.shape[1]) == target
    if source is not None:
        allowed &= (np.arange(len(weights)) == source)[:, None]
    strength = np.where(allowed, np.abs(contributions), 0).ravel()
    count = min(count, int((strength > 0).sum()))
    best = np.argpartition(-strength, count - 1)[:count] if count else np.empty(0, int)
    best = best[np.argsort(-strength[best], kind="stable")]
    sources, targets = np.divmod(best, weights.shape[1])
    return Connections(sources, targets, contributions.ravel()[best])


def unit_outputs(outputs: np.ndarray, unit: int) -> np.ndarray:
    """(n,): the output of a unit; of a map the largest over all positions. `outputs`: (n, *output shape)."""
    values = outputs[..., unit]
    return values.reshape(len(values), -1).max(axis=1)


def exciting_inputs(
    inspector: Inspector, inputs: np.ndarray, layer: int, unit: int, count: int, check: Callable[[], None]
) -> tuple[np.ndarray, np.ndarray]:
    """Indices of the `count` inputs for which the unit's output is largest, and these outputs, both by falling output.

    inputs: (n, *input shape). `check` as in `Inspector.layer_outputs`.
    """
    values = unit_outputs(inspector.layer_outputs(inputs, layer, check), unit)
    best = np.argsort(-values, kind="stable")[:count]
    return best, values[best]


def ascend(inspector: Inspector, layer: int, unit: int, check: Callable[[], None]) -> np.ndarray:
    """An input made to excite a unit: float32 (*input shape) in 0..1, with no more ink than a usual digit.

    Gradient ascent on the unit's weighted sum, or on the mean of a map's sums, from a faint grey image; after each step
    values are clipped and the norm is limited to INK_NORM. Erhan et al. 2009, "Visualizing higher-layer features".
    """
    network = inspector.model.network
    shape = network.shapes[layer + 1]
    weights = np.zeros(shape, np.float32)
    weights[..., unit] = 1 / prod(shape[:-1])
    x = np.full(network.input_shape, _START, np.float32)
    for _ in range(ASCENT_STEPS):
        check()
        gradient = inspector.input_gradient(x[None], layer, weights, by_sums=True)[0]
        norm = float(np.linalg.norm(gradient))
        if not 0 < norm < np.inf:
            break
        x = np.clip(x + _STEP * gradient / norm, 0, 1)
        ink = float(np.linalg.norm(x))
        if ink > INK_NORM:
            x *= INK_NORM / ink
    return x
