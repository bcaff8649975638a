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
    first_row, rows = (0, len(weights)) if source is None else (source, 1)
    first_column, columns = (0, weights.shape[1]) if target is None else (target, 1)
    contributions = (x.reshape(-1, 1) * weights)[
        first_row : first_row + rows, first_column : first_column + columns
    ]
    strength = np.nan_to_num(np.abs(contributions), copy=False)
    # The strongest are in the rows with the largest maxima: so few rows have to be searched.
    rows_kept = _largest(strength.max(axis=1), count)
    strength = strength[rows_kept].ravel()
    best = _largest(strength, min(count, int((strength > 0).sum())))
    best = best[np.argsort(-strength[best], kind="stable")]
    kept, column = np.divmod(best, columns)
    row = rows_kept[kept]
    return Connections(first_row + row, first_column + column, contributions[row, column])


def _largest(values: np.ndarray, count: int) -> np.ndarray:
    """The indices of the `count` largest of (n,), in any order."""
    rest = len(values) - count
    return np.argpartition(values, rest)[rest:] if 0 < count < len(values) else np.arange(len(values))[:count]


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

    Gradient ascent on the unit's weighted sum, or on the mean of a map's sums, from a faint gray image; after each step
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
