"""Makes a model of imported layers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite, isqrt
from pathlib import Path

import numpy as np

from core.data.class_names import DIGITS, Classes
from core.data.dataset import Kind
from core.errors import InputError
from core.files.memory import installed_memory
from core.inference.model_file import Model
from core.network.layers import Layer, Shape
from core.network.layers.batch_norm import BatchNorm
from core.network.network import Network
from core.network.notation import parse
from core.network.parameters import Arrays, flat_parameters
from kernels.device import VARIANCE_EPSILON

MAX_BYTES = min(2_000_000_000, installed_memory() // 6)
"""Of an imported file. To read one takes up to three times its size, and at most half of the
memory.
"""


@dataclass(frozen=True, slots=True)
class Imported:
    """Layers with their own activations, the arrays of those that have parameters, as PyTorch
    arranges them.
    """

    input_shape: Shape
    layers: tuple[Layer, ...]
    arrays: tuple[Arrays, ...]
    loss: str
    kind: Kind
    classes: Classes = ()


def build_model(path: Path, imported: Imported) -> Model:
    """The model. Raises InputError where its layers do not fit each other or this program."""
    layers, activation = _with_common_activation(imported)
    try:
        network = Network(imported.input_shape, layers)
        # By way of the notation: a saved model keeps its network as this text only.
        network = parse(network.text, imported.input_shape, network.outputs)
        _check_shapes(network, imported.arrays)
    except InputError as error:
        raise InputError("{path}: {reason}", path=path, reason=error) from None
    parameters = flat_parameters(network, imported.arrays)
    # After the conversion to 32 bits, in which large 64-bit weights become infinite.
    if not np.isfinite(parameters).all():
        raise InputError("{path} has values that are not finite; choose another file.", path=path)
    classes = imported.classes
    # Names in the metadata may be of another network than the layers.
    if len(classes) != network.outputs:
        classes = (
            DIGITS if network.outputs == len(DIGITS) else tuple(map(str, range(network.outputs)))
        )
    return Model(
        network=network,
        activation=activation,
        loss=imported.loss,
        kind=imported.kind,
        classes=classes if imported.kind == "classes" else (),
        parameters=parameters,
    )


def with_normalized_pixels(imported: Imported, mean: float, deviation: float) -> Imported:
    """The layers behind a batch normalization that subtracts `mean` and divides by `deviation`."""
    # Written so that NaN is refused, too: every comparison with it is False.
    if not deviation**2 > VARIANCE_EPSILON or not isfinite(mean):
        raise InputError("The deviation of pixels must be at least 0.0032: divide pixels by 255.")
    channels = imported.input_shape[-1]
    # The normalization adds ε to the variance: the sum is the square of the deviation.
    values = (1, 0, mean, deviation**2 - VARIANCE_EPSILON)
    arrays = tuple(np.full(channels, value, np.float32) for value in values)
    return replace(
        imported,
        layers=(BatchNorm("linear"), *imported.layers),
        arrays=(arrays, *imported.arrays),
    )


def image_shape(features: int) -> Shape:
    """The shape of flat inputs: a square image of one channel where the number is that of MNIST's
    pixels.
    """
    side = isqrt(features)
    # Only of 784: 4 or 9 features of a table are squares as well, and no images.
    return (side, side, 1) if side == 28 and side * side == features else (features,)


def _with_common_activation(imported: Imported) -> tuple[tuple[Layer, ...], str]:
    """The layers without the activation that most of them have, and that activation as the
    run's.
    """
    layers = _with_activations_given(imported.layers)
    *hidden, last = layers
    if imported.loss == "cross-entropy" and last.activation not in (None, "linear"):
        raise InputError(
            "The last layer has the activation {activation} before the softmax; there must be "
            "none.",
            activation=last.activation,
        )
    # The last layer has the run's activation only with squared error of classes; see
    # `Loss.output_activation`.
    shares = imported.loss == "squared-error" and imported.kind == "classes"
    common = [
        layer.activation
        for before, layer in zip((None, *hidden), layers if shares else hidden, strict=False)
        if layer.activation and _default(before, layer, "") != "linear"
    ]
    # The most frequent one as the run's, so that the notation names as few as possible.
    activation = Counter(common).most_common(1)[0][0] if common else "relu"
    network = [
        # What stands before batch normalization needs its own activation, or it would give it away.
        layer if after.has_statistics else _without(layer, _default(before, layer, activation))
        for before, layer, after in zip((None, *hidden), hidden, (*hidden[1:], last), strict=False)
    ]
    return (*network, _without(last, activation if shares else "linear")), activation


def _with_activations_given(layers: Sequence[Layer]) -> list[Layer]:
    """The layers, in which those that are linear before a batch normalization leave the activation
    to it.
    """
    following = [*layers[1:], None]
    return [
        replace(layer, activation=None)  # type: ignore[type-var]
        if after is not None
        and after.has_statistics
        and after.activation
        and layer.activation == "linear"
        else layer
        for layer, after in zip(layers, following, strict=True)
    ]


def _default(before: Layer | None, layer: Layer, activation: str) -> str:
    """What `layer` applies without an activation of its own, where the run's is `activation`."""
    given = before is not None and before.has_activation() and before.activation is None
    return "linear" if layer.has_statistics and not given else activation


def _without(layer: Layer, activation: str) -> Layer:
    """The layer, without its own activation if it is this one."""
    return replace(layer, activation=None) if layer.activation == activation else layer  # type: ignore[type-var]


def torch_shape(shape: Shape) -> Shape:
    """The shape that weights of this shape have in PyTorch."""
    return (shape[3], shape[2], *shape[:2]) if len(shape) == 4 else shape[::-1]


def _check_shapes(network: Network, arrays: Sequence[Arrays]) -> None:
    """Raise InputError where the arrays of a layer have other shapes than the network needs."""
    needed = [
        (layer, shape)
        for layer, shape in zip(network.layers, network.weight_shapes, strict=True)
        if shape
    ]
    for (layer, shape), (weights, biases, *statistics) in zip(needed, arrays, strict=True):
        wanted = torch_shape(shape)
        if weights.shape != wanted or biases.shape != (shape[-1],):
            raise InputError(
                "The layer {layer} needs weights of shape {wanted} and {count} biases, and has "
                "{found} and {biases}.",
                layer=layer.text,
                wanted=wanted,
                count=shape[-1],
                found=weights.shape,
                biases=biases.shape,
            )
        usable = all(array.shape == biases.shape for array in statistics)
        if not usable or (statistics and (statistics[1] < 0).any()):
            raise InputError(
                "The layer {layer} needs {count} running means and as many variances, none of "
                "them negative.",
                layer=layer.text,
                count=shape[-1],
            )
