"""A single unit or map of a layer: how it gets its value, its weights, the images that excite it
most.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, nan, prod, sqrt

import numpy as np

from core.inference.engine import Engine
from core.inference.model_file import Model
from core.inspection.stage_content import passed_on
from core.network.layers.layer import Area, LayerParameters
from core.network.network import Network
from core.network.parameters import views
from core.progress import Check
from kernels.device import VARIANCE_EPSILON

ASCENT_STEPS = 60
# The norm of a usual image of a digit, 0 to 1 for each pixel: 9.2 in MNIST.
INK_NORM = 9.0
_START = 0.1
_STEP = 0.5


@dataclass(frozen=True, slots=True)
class Normalization:
    """Of batch normalization: y = (x - `mean`) / `deviation` · `scale` + `shift`."""

    mean: float
    deviation: float
    scale: float
    shift: float


@dataclass(frozen=True, slots=True)
class UnitValue:
    """How a layer gets one of its outputs: y = f(z), z = Σ `inputs` · `weights` + `bias`.

    `unit`: unit or map; `other`: the unit whose weights, bias and values are subtracted, or -1;
    `row`, `column`: in the map. `inputs`, `weights`: float32 (height, width, channels) or
    (features,). `inputs` are None without an input of the network, and z and y NaN. `weights` are
    None where the layer has none: then y is the largest of the inputs, or the only one. Batch
    normalization has the single weight scale / deviation. `area`: what the inputs are of the
    layer's input, where that is an image; `seen`: what they depend on in the network's input.
    """

    layer: int
    unit: int
    other: int
    row: int
    column: int
    area: Area
    seen: Area
    inputs: np.ndarray | None
    weights: np.ndarray | None
    bias: float
    z: float
    y: float
    normalization: Normalization | None = None

    @property
    def products(self) -> np.ndarray | None:
        """float32, as `inputs`."""
        if self.inputs is None or self.weights is None:
            return None
        return self.inputs * self.weights

    @property
    def sums(self) -> np.ndarray | None:
        """float32: the sum of the products of each channel of an image, or each product."""
        products = self.products
        if products is None or products.ndim == 1:
            return products
        return products.sum(axis=(0, 1))

    @property
    def taken(self) -> int:
        """Index of the largest input, in their flattened order, where that is the output; or -1."""
        if self.inputs is None or self.weights is not None:
            return -1
        return int(self.inputs.argmax())


def unit_value(
    model: Model,
    values: Sequence[np.ndarray],
    layer: int,
    unit: int,
    place: tuple[int, int] | None = None,
    *,
    other: int = -1,
) -> UnitValue:
    """How an output is computed.

    values: the network's input and the outputs of all layers for it, of one example; empty without
    an input. unit, place: unit or map of the layer, row and column in it; None for the place of the
    largest output behind the layers that follow and pass on each number. other: compare with this
    unit.

    >>> from core.inference.model_file import bundled_model
    >>> engine = Engine(bundled_model())
    >>> x = np.ones((28, 28, 1), np.float32)
    >>> outputs = [output[0] for output in engine.outputs(x[None])]
    >>> found = unit_value(engine.model, [x, *outputs], 0, 3, (5, 7))
    >>> abs(found.y - outputs[0][5, 7, 3]) < 1e-4
    True
    """
    network = model.network
    row, column = place or _strongest_place(network, values, layer, unit)
    area = network.layers[layer].area_before(
        network.shapes[layer], (row, column, row + 1, column + 1)
    )
    params = views(network, model.parameters)[layer]
    x = values[layer] if values else np.zeros(network.shapes[layer], np.float32)
    terms, weights, bias = network.layers[layer].terms(x, params, unit, row, column)
    y = _at(values[layer + 1], unit, row, column) if values else nan
    if other >= 0:
        _, others, other_bias = network.layers[layer].terms(x, params, other, row, column)
        assert weights is not None
        assert others is not None
        weights = weights - others
        bias -= other_bias
        y -= _at(values[layer + 1], other, row, column) if values else nan
    z = y
    if values and weights is not None:
        z = float((terms * weights).sum(dtype=np.float64)) + bias
    return UnitValue(
        layer,
        unit,
        other,
        row,
        column,
        area,
        area_seen(network, layer, row, column),
        terms if values else None,
        weights,
        bias,
        z,
        y,
        _normalization(params, unit),
    )


def _at(output: np.ndarray, unit: int, row: int, column: int) -> float:
    return float(output[row, column, unit] if output.ndim == 3 else output[unit])


def _strongest_place(
    network: Network, values: Sequence[np.ndarray], layer: int, unit: int
) -> tuple[int, int]:
    """Row and column of a map's largest output; without values its middle, where there usually is
    ink.
    """
    shape = network.shapes[layer + 1]
    if len(shape) == 1:
        return 0, 0
    if not values:
        return shape[0] // 2, shape[1] // 2
    output = np.nan_to_num(values[passed_on(network, layer) + 1][..., unit])
    row, column = np.unravel_index(int(output.argmax()), output.shape)
    return int(row), int(column)


def _normalization(params: LayerParameters | None, unit: int) -> Normalization | None:
    if params is None or params.means is None or params.variances is None:
        return None
    deviation = sqrt(float(params.variances[unit]) + VARIANCE_EPSILON)
    mean, scale, shift = (
        float(each[unit]) for each in (params.means, params.weights, params.biases)
    )
    return Normalization(mean, deviation, scale, shift)


def area_seen(network: Network, layer: int, row: int, column: int) -> Area:
    """The part of the network's input, an image, on which an output of the layer depends."""
    area = row, column, row + 1, column + 1
    for index in range(layer, -1, -1):
        shape = network.shapes[index]
        area = network.layers[index].area_before(shape, area)
        if len(shape) == 3:
            top, left, bottom, right = area
            area = max(top, 0), max(left, 0), min(bottom, shape[0]), min(right, shape[1])
    return area


@dataclass(frozen=True, slots=True)
class Excitement:
    """What excites a unit among n inputs: `indices` of those with the largest `outputs`, falling;
    `places`, (count, 2), row and column of these in a map.

    `all_outputs`: float32 (n,), of a map the largest one of each input.
    """

    indices: np.ndarray
    outputs: np.ndarray
    places: np.ndarray
    all_outputs: np.ndarray


_SEARCHED_AT_ONCE = 500  # inputs: the outputs of a wide layer take megabytes


def excitement(
    engine: Engine, inputs: np.ndarray, layer: int, unit: int, count: int, check: Check
) -> Excitement:
    """What excites a unit or map of a layer most among the inputs, (n, *input shape).

    `check` as in `Engine.layer_outputs`.
    """
    values = np.empty(len(inputs), np.float32)
    flat = np.empty(len(inputs), np.int64)
    shape = engine.model.network.shapes[layer + 1]
    for start in range(0, len(inputs), _SEARCHED_AT_ONCE):
        rows = slice(start, start + _SEARCHED_AT_ONCE)
        outputs = engine.layer_outputs(inputs[rows], layer, check)[..., unit]
        outputs = outputs.reshape(len(outputs), -1)
        flat[rows] = outputs.argmax(axis=1)
        values[rows] = outputs.max(axis=1)
    best = np.argsort(-values, kind="stable")[:count]
    width = shape[1] if len(shape) == 3 else 1
    places = np.stack(np.divmod(flat[best], width), axis=1)
    return Excitement(best, values[best], places, values)


def ascend(engine: Engine, layer: int, unit: int, check: Check) -> np.ndarray:
    """An input made to excite a unit: float32 (*input shape) in 0..1, with no more ink than a usual
    digit.

    Gradient ascent on the unit's weighted sum, or on the mean of a map's sums, from a faint gray
    image; after each step values are clipped and the norm is limited to INK_NORM. Erhan et al.
    2009, "Visualizing higher-layer features".
    """
    network = engine.model.network
    # Pooling and dropout pass on the map or unit below, whose sums have a gradient also where its
    # ReLU has none.
    while layer > 0 and network.weight_shapes[layer] is None:
        layer -= 1
    shape = network.shapes[layer + 1]
    weights = np.zeros(shape, np.float32)
    weights[..., unit] = 1 / prod(shape[:-1])
    x = np.full(network.input_shape, _START, np.float32)
    for _ in range(ASCENT_STEPS):
        check()
        gradient = engine.input_gradient(x[None], layer, weights, by_sums=True)[0]
        norm = float(np.linalg.norm(gradient))
        # A unit that no pixel reaches, or a network that diverged, has no direction to go to.
        if not 0 < norm < np.inf:
            break
        x = np.clip(x + _STEP * gradient / norm, 0, 1)
        ink = float(np.linalg.norm(x))
        if ink > INK_NORM:
            x *= INK_NORM / ink
    return x


def pixel_parts(engine: Engine, image: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """How much each pixel adds to the score Σ `weights` ⊙ outputs, before the softmax: the gradient
    of the score by the pixel times the pixel, its effect if the network were linear.

    image: float32 (height, width, 1). Returns float32 (height, width). Shrikumar et al. 2016
    (arXiv:1605.01713).
    """
    last = len(engine.model.network.layers) - 1
    return (engine.input_gradient(image[None], last, weights)[0] * image)[:, :, 0]


def filter_images(weights: np.ndarray, input_shape: tuple[int, ...]) -> np.ndarray:
    """float32 (outputs, height, width): the weights of each unit or map as one image.

    weights: (inputs, outputs) of a dense layer, (k, k, channels, maps) of a convolution, or
    (outputs,) of batch normalization, whose images have one pixel; `input_shape`: of the layer's
    input. Where the input is an image of several channels, the images of the channels form a square
    with lines of NaN between them. Inputs that are no image fill rows of about the same length, and
    NaN the rest.
    """
    outputs = weights.shape[-1]
    if weights.ndim == 4:
        return _in_a_square(weights)
    if weights.ndim == 1:
        return weights.reshape(outputs, 1, 1)
    if len(input_shape) == 3:
        return _in_a_square(weights.reshape(*input_shape, outputs))
    inputs = len(weights)
    width = ceil(sqrt(inputs))
    height = -(-inputs // width)
    padded = np.full((height * width, outputs), np.nan, np.float32)
    padded[:inputs] = weights
    return np.moveaxis(padded.reshape(height, width, outputs), 2, 0)


def _in_a_square(weights: np.ndarray) -> np.ndarray:
    """(height, width, channels, outputs) as (outputs, rows · (height + 1) - 1, columns · (width +
    1) - 1).
    """
    height, width, channels, outputs = weights.shape
    columns = ceil(sqrt(channels))
    rows = -(-channels // columns)
    tiles = np.full((rows * columns, outputs, height + 1, width + 1), np.nan, np.float32)
    tiles[:channels, :, :height, :width] = weights.transpose(2, 3, 0, 1)
    tiles = tiles.reshape(rows, columns, outputs, height + 1, width + 1).transpose(2, 0, 3, 1, 4)
    return tiles.reshape(outputs, rows * (height + 1), columns * (width + 1))[:, :-1, :-1]
