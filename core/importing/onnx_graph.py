"""Interprets the operators of an ONNX file as layers of this program, one after the other.

Operators whose inputs are constants are computed when the file is read. Operators that only arrange
values, such as Transpose and Reshape, are applied to the places of the values; a dense layer then
takes its weights in the order of the places. Sums and products with constants become a part of the
weights before or after them, or else a batch normalization.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from core.errors import InputError
from core.export.onnx_file import TINY
from core.importing.building import MAX_BYTES
from core.network.layers import Layer, Shape
from core.network.layers.average_pool import AveragePool
from core.network.layers.batch_norm import BatchNorm
from core.network.layers.convolution import SIZES, Convolution
from core.network.layers.dense import Dense
from core.network.layers.max_pool import MaxPool
from core.network.layers.pooling import BLOCKS, Pooling
from core.network.parameters import Arrays
from kernels.activations import ACTIVATIONS
from kernels.device import VARIANCE_EPSILON, Size, sides

_ACTIVATIONS = {cls.onnx: cls for cls in ACTIVATIONS.values() if cls.onnx}
_POOLINGS: dict[str, type[Pooling]] = {"MaxPool": MaxPool, "AveragePool": AveragePool}
NO_LAYER = ("Identity", "Dropout")
_AVERAGES = ("GlobalAveragePool", "ReduceMean")
_OTHER_ACTIVATION = re.compile(
    "Celu|Elu|Gelu|Hard|LeakyRelu|Mish|PRelu|Selu|Softplus|Softsign|Swish|Thresholded"
)
FLOATS = (1, 11, 10)  # ONNX's numbers of 32, 64 and 16 bits
_NUMBERS = {1: np.float32, 11: np.float64, 6: np.int32, 7: np.int64}
_IMAGES = 2  # whose places are followed: with one, an operator that mixes images would be missed
MAX_VALUES = 2**24  # of an image between two layers
MAX_DIMENSIONS = 8  # of a shape that is computed
Compute = Callable[..., np.ndarray]
"""Computes the result of a node, a function of the node and its inputs."""
Constants = list[np.ndarray]
"""The inputs of a node that are known when the file is read."""
Change = tuple[np.ndarray, np.ndarray]
"""A product and a sum by which values are changed."""
_BYTES = 0.1  # inputs that are multiplied by less than this are bytes, from 0 to 255


def refused(path: Path, layer: str, what: str) -> InputError:
    """The error for an operator that is no layer of this program."""
    if _OTHER_ACTIVATION.match(what):
        return InputError(
            "{path}: the layer “{layer}” ({what}) is none that this program has: train the network "
            "with one of {names}, and export it again.",
            path=path,
            layer=layer,
            what=what,
            names=list(ACTIVATIONS),
        )
    return InputError(
        "{path}: the layer “{layer}” ({what}) is none that this program has, so the file cannot "
        "be imported.",
        path=path,
        layer=layer,
        what=what,
    )


class Node:
    """A node of the graph with its attributes by name."""

    def __init__(self, onnx: Any, node: Any) -> None:
        self.operator: str = node.op_type
        self.output: str = node.output[0]
        self.name: str = node.name or self.output
        # ONNX writes an optional input that is left out as an empty name.
        self.inputs = [name for name in node.input if name]
        self.attributes = {a.name: _value(onnx, a) for a in node.attribute}

    def numbers(self, name: str, default: list[int]) -> list[int]:
        """The whole numbers of an attribute; an empty list where it holds something else."""
        values = self.attributes.get(name, default)
        return (
            list(values)
            if isinstance(values, list | tuple) and all(type(v) is int for v in values)
            else []
        )

    def has(self, **defaults: object) -> bool:
        """Whether each attribute is absent or has this value."""
        return all(self.attributes.get(name, value) == value for name, value in defaults.items())


def _value(onnx: Any, attribute: Any) -> Any:
    """The value of an attribute; None where it is of an unknown kind."""
    try:
        return onnx.helper.get_attribute_value(attribute)
    except ValueError:
        return None


def _transposed(node: Node, x: np.ndarray) -> np.ndarray:
    return x.transpose(node.attributes.get("perm"))


def _reshaped(node: Node, x: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    shape = [x.shape[i] if size == 0 else size for i, size in enumerate(sizes.ravel().tolist())]
    return x.reshape(shape)


def _flattened(node: Node, x: np.ndarray) -> np.ndarray:
    return x.reshape(prod(x.shape[: node.attributes.get("axis", 1)]), -1)


def _squeezed(node: Node, x: np.ndarray, *axes: np.ndarray) -> np.ndarray:
    return np.squeeze(x, tuple(_axes(node, axes)))


def _unsqueezed(node: Node, x: np.ndarray, *axes: np.ndarray) -> np.ndarray:
    return np.expand_dims(x, tuple(_axes(node, axes)))


def _axes(node: Node, axes: tuple[np.ndarray, ...]) -> list[int]:
    """The axes, which are an attribute up to ONNX's version 12 and an input from 13 on."""
    return axes[0].ravel().tolist() if axes else node.numbers("axes", [])


def _same(node: Node, x: np.ndarray, *unused: np.ndarray) -> np.ndarray:
    return x


def _cast(node: Node, x: np.ndarray) -> np.ndarray:
    return x.astype(_NUMBERS[node.attributes["to"]])


def _gathered(node: Node, x: np.ndarray, places: np.ndarray) -> np.ndarray:
    return np.take(_small(x), _small(places), node.attributes.get("axis", 0))


def _concatenated(node: Node, *inputs: np.ndarray) -> np.ndarray:
    return np.concatenate([_small(x) for x in inputs], node.attributes["axis"])


def _sliced(
    node: Node, x: np.ndarray, starts: np.ndarray, ends: np.ndarray, *axes: np.ndarray
) -> np.ndarray:
    if len(axes) > 1 or (axes and axes[0].tolist() != [0]):
        raise ValueError("only a part of the first axis is taken")
    return x[slice(*starts.tolist(), *ends.tolist())]


def _small(x: np.ndarray) -> np.ndarray:
    """x if it is as small as a shape. Raises ValueError for more elements: a chain of operators
    that copy them could fill the memory.
    """
    if x.size > MAX_DIMENSIONS:
        raise ValueError(f"{x.size} numbers are no shape")
    return x


def _of_elements(function: Compute) -> Compute:
    """A function of constants of which no result is larger than the largest of them."""

    def compute(node: Node, *inputs: np.ndarray) -> np.ndarray:
        shapes = [x.shape for x in inputs]
        # A row and a column give a table: a few of these would fill the memory.
        if np.broadcast_shapes(*shapes) not in shapes:
            raise ValueError(f"{shapes} do not fit each other")
        return function(*inputs)

    return compute


# What only arranges numbers, of constants and of the network's values alike.
_ARRANGEMENTS: dict[str, Compute] = {
    "Transpose": _transposed,
    "Reshape": _reshaped,
    "Flatten": _flattened,
    "Squeeze": _squeezed,
    "Unsqueeze": _unsqueezed,
    **dict.fromkeys(NO_LAYER, _same),
}
# What is computed of constants alone, beside those.
_OF_CONSTANTS: dict[str, Compute] = {
    **_ARRANGEMENTS,
    "Cast": _cast,
    "Gather": _gathered,
    "Concat": _concatenated,
    "Slice": _sliced,
    "Add": _of_elements(np.add),
    "Sub": _of_elements(np.subtract),
    "Mul": _of_elements(np.multiply),
    "Div": _of_elements(np.divide),
    "Sqrt": _of_elements(np.sqrt),
}


def _size(shape: Sequence[int]) -> Size:
    """The size of a filter or block; 0, which no layer has, where it has not two dimensions."""
    rows, columns = shape if len(shape) == 2 else (0, 0)
    return rows if rows == columns else (rows, columns)


def padding_of(node: Node, shape: Shape, layer: Convolution) -> str | None:
    """The padding that has the node's zeros around an image of this shape; None: none has."""
    automatic = node.attributes.get("auto_pad", b"NOTSET")
    pads = tuple(node.numbers("pads", [0, 0, 0, 0]))
    for padding, name in (("valid", b"VALID"), ("same", b"SAME_UPPER"), ("beside", b"")):
        zeros = replace(layer, padding=padding).zeros_around(shape)
        if automatic == name or (automatic == b"NOTSET" and pads == zeros):
            return padding
    return None


def _is_unpadded(node: Node, shape: Shape, block: Size) -> bool:
    """Whether pooling adds nothing at the edges of an image of this shape."""
    if node.attributes.get("auto_pad", b"NOTSET") == b"SAME_UPPER":
        rows, columns = sides(block)
        return shape[0] % rows == 0 == shape[1] % columns
    return node.has(auto_pad=b"NOTSET", pads=[0, 0, 0, 0]) or node.has(auto_pad=b"VALID")


def in_order(shape: Shape) -> np.ndarray:
    """The places of the values of images of this shape, (images, channels, height, width) or
    (images, features): 0, 1, 2, …
    """
    axes = (shape[2], *shape[:2]) if len(shape) == 3 else shape
    return np.arange(_IMAGES * prod(shape), dtype=np.int32).reshape(_IMAGES, *axes)


class GraphReader:
    """Takes the nodes of a chain in order and collects layers and their arrays, as PyTorch arranges
    them.

    `value`: the name of the last node's result, at first that of the input.
    `places`: for each number of the result the place that it has in the order of this program's
    exported files, channels first.
    `tail`: the operator that makes probabilities of the outputs, if any.
    """

    def __init__(
        self, path: Path, value: str, input_shape: Shape, places: np.ndarray, arrays: dict[str, Any]
    ) -> None:
        self.path = path
        self.input_shape = input_shape
        self.value = value
        self.layers: list[Layer] = []
        self.arrays_of_layers: list[Arrays] = []
        self.tail = ""
        self._arrays: dict[str, np.ndarray] = arrays
        self._computed_bytes = 0
        self._shape = input_shape
        self._places = places
        self._shapes = {value: places.shape}
        # A product and a sum by which the values are still to be changed, for each place.
        self._scale = np.ones(1)
        self._shift = np.zeros(1)
        # Operators so far that make positive outputs, of squared error.
        self._positive: list[str] = []

    def add(self, node: Node) -> None:
        """Compute the node if all its inputs are constants, otherwise add its layer."""
        if node.operator == "Shape" and node.inputs and node.inputs[0] in self._shapes:
            part = slice(node.attributes.get("start", 0), node.attributes.get("end"))
            self._arrays[node.output] = np.array(self._shapes[node.inputs[0]], np.int64)[part]
        elif node.operator in _OF_CONSTANTS and all(n in self._arrays for n in node.inputs):
            inputs = [self._arrays[name] for name in node.inputs]
            result = self._computed(_OF_CONSTANTS, node, *inputs)
            # A view shares the memory of its constant.
            self._computed_bytes += result.nbytes if result.base is None else 0
            if self._computed_bytes > MAX_BYTES:
                raise self._refused(node, f"{node.operator} of constants that are too large")
            self._arrays[node.output] = result
        else:
            self._add_to_chain(node)
            self.value = node.output
            self._shapes[self.value] = self._places.shape

    def end(self) -> None:
        """Check that the values are the outputs of the last layer, in their order."""
        if self._scale.size > 1 or not np.array_equal(self._places, in_order(self._shape)):
            raise refused(self.path, self.value, "its output is no output of a layer")

    def _computed(
        self,
        functions: dict[str, Compute],
        node: Node,
        *inputs: np.ndarray,
    ) -> np.ndarray:
        try:
            with np.errstate(all="ignore"):
                return functions[node.operator](node, *inputs)
        # Attributes come from the file: NumPy may find anything wrong in them.
        except (TypeError, ValueError, IndexError, KeyError, OverflowError):
            raise self._refused(node, node.operator) from None

    def _add_to_chain(self, node: Node) -> None:
        """Add the layer of a node whose input must be the output of the node before it."""
        readers = (*_ACTIVATIONS, *self._READERS, *_ARRANGEMENTS)
        if node.operator not in readers:
            raise self._refused(node, node.operator)
        # The second input of other operators than sums and products are the weights.
        places = 2 if node.operator in _ELEMENTWISE else 1
        if self.value not in node.inputs[:places] or (self.tail and node.operator not in NO_LAYER):
            raise self._refused(node, f"{node.operator}, not on the output of the layer before it")
        others = [name for name in node.inputs if name != self.value]
        if any(name not in self._arrays for name in others):
            is_swish = (
                node.operator == "Mul"
                and self.layers[-1:]
                and (self.layers[-1].activation == "sigmoid")
            )
            computed = f"{node.operator} of two computed values"
            raise self._refused(node, "Swish" if is_swish else computed)
        constants = [self._arrays[name] for name in others]
        if node.operator in _ARRANGEMENTS:
            self._arrange(node, constants)
            return
        # Constants of the averages are axes.
        kind = "i" if node.operator in _AVERAGES else "f"
        if any(array.dtype.kind != kind for array in constants):
            raise self._refused(node, "its numbers are of another type")
        if not isinstance(node.attributes.get("epsilon", VARIANCE_EPSILON), float):
            raise self._refused(node, f"{node.operator} with an epsilon that is no number")
        if node.operator in _ACTIVATIONS:
            self._add_activation(node)
        else:
            self._READERS[node.operator](self, node, constants)

    def _refused(self, node: Node, what: str) -> InputError:
        return refused(self.path, node.name, what)

    def _arrange(self, node: Node, constants: Constants) -> None:
        """Arrange the places. The first size of a shape is that of the images, whatever the file
        says.
        """
        if node.operator == "Reshape" and constants and constants[0].size > 1:
            rest = constants[0].ravel().tolist()[1:]
            # Only one size of a shape may be left open.
            constants = [np.array([_IMAGES if -1 in rest else -1, *rest])]
        places = self._computed(_ARRANGEMENTS, node, self._places, *constants)
        size = self._places.size // _IMAGES
        if places.shape[0] != _IMAGES or not np.array_equal(places[1], places[0] + size):
            raise self._refused(node, f"{node.operator} that mixes images")
        self._places = places

    def _append(self, layer: Layer, arrays: Arrays | None) -> None:
        try:
            self._shape = layer.output_shape(self._shape)
        except InputError as error:
            raise InputError("{path}: {reason}", path=self.path, reason=error) from None
        if prod(self._shape) > MAX_VALUES:
            raise InputError(
                "{path}: {layer} gives more than {limit:,} numbers: choose another file.",
                path=self.path,
                layer=layer.text,
                limit=MAX_VALUES,
            )
        # A layer gives its values in the program's own order again.
        self._places = in_order(self._shape)
        self.layers.append(layer)
        if arrays:
            self.arrays_of_layers.append(arrays)

    def _change_elements(self, node: Node, constants: Constants) -> None:
        """A sum or a product with a constant: of the weights before it, if nothing is between them,
        otherwise kept for the layer after it.
        """
        after_relu = self._positive or (self.layers and self.layers[-1].activation == "relu")
        tiny = len(constants) == 1 and constants[0].size == 1 and 0 <= constants[0].item() <= TINY
        if node.operator == "Add" and after_relu and tiny:
            self._positive = ["Relu", "Add"]
            return
        self._check_open(node)
        if len(constants) != 1:
            raise self._refused(node, node.operator)
        change = _ELEMENTWISE[node.operator]
        values = self._by_place(node, constants[0])
        scale, shift = change(values, node.inputs[0] == self.value)
        # Only where nothing is waiting: changes do not commute.
        if self._scale.size == 1 and self._change_weights(node, scale, shift):
            return
        self._scale = self._scale * scale
        # What was added before is multiplied as well.
        self._shift = self._shift * scale + shift

    def _by_place(self, node: Node, constant: np.ndarray) -> np.ndarray:
        """The constant's number for each place."""
        shape = self._places.shape
        try:
            if constant.ndim == len(shape) and constant.shape[0] != 1:
                raise ValueError("it would be another number for each image")
            spread = np.broadcast_to(constant, (1, *shape[1:]))
        except ValueError:
            what = f"{node.operator} of an array of shape {constant.shape}"
            raise self._refused(node, what) from None
        values = np.empty(spread.size)
        values[self._places[0].ravel()] = spread.ravel()
        return values

    def _of_channels(self, values: np.ndarray) -> np.ndarray | None:
        """The value of each channel; None where they differ within one."""
        channels = values.reshape(self._shape[-1], -1)
        return channels[:, 0] if (channels == channels[:, :1]).all() else None

    def _change_weights(self, node: Node, scale: np.ndarray, shift: np.ndarray) -> bool:
        """Whether the last layer's weights and biases can bring the change, and do."""
        # An activation between the weights and the change cannot be passed.
        if not self.layers or self.layers[-1].activation != "linear" or self._positive:
            return False
        scales = self._of_channels(scale)
        shifts = self._of_channels(shift)
        if scales is None or shifts is None:
            return False
        weights, biases, *statistics = self.arrays_of_layers[-1]
        if (scales != 1).any():
            weights = weights * scales.reshape(-1, *[1] * (weights.ndim - 1))
        self.arrays_of_layers[-1] = (weights, biases * scales + shifts, *statistics)
        return True

    def _take_change(self) -> Change:
        """Return the product and the sum that are still to be applied, and reset them.

        Pixels are from 0 to 1 in this program: those of a graph that divides by 255 are 255 times
        as large.
        """
        scale = self._scale
        shift = self._shift
        if not self.layers and np.abs(scale).max() < _BYTES:
            scale = scale * 255
        self._scale = np.ones(1)
        self._shift = np.zeros(1)
        return scale, shift

    def _begin_layer(self, node: Node) -> None:
        """Make what is still to be applied a layer, which normalizes with constants."""
        self._check_open(node)
        if self._scale.size == 1:
            return
        scale, shift = map(self._of_channels, self._take_change())
        if scale is None or shift is None:
            raise self._refused(node, f"{node.operator} after a sum of another number a pixel")
        # With ε the variance is 1: the layer only multiplies and adds.
        kept = (np.zeros(len(scale)), np.full(len(scale), 1 - VARIANCE_EPSILON))
        places = self._places
        self._append(BatchNorm("linear"), (scale, shift, *kept))
        self._places = places

    def _add_activation(self, node: Node) -> None:
        """Give the activation to the last layer that can have one.

        An activation that rises commutes with max pooling: it may come after it as well as before
        it. No other activation does, and none commutes with average pooling.
        """
        if self._scale.size > 1:
            self._begin_layer(node)
        activation = _ACTIVATIONS[node.operator]
        index = next(
            (i for i in reversed(range(len(self.layers))) if self.layers[i].has_activation()), None
        )
        if index is None:
            raise self._refused(node, f"{node.operator} on the input")
        for name, value in activation.onnx_attributes.items():
            given = node.attributes.get(name, value)
            # The file has 32 bits: 0.01 is not the same number there.
            if not (isinstance(given, float) and np.isclose(given, value)):
                raise self._refused(node, f"{node.operator} {given}")
        above = self.layers[index + 1 :]
        commutes = activation.is_monotonic and all(type(layer) is MaxPool for layer in above)
        if above and not commutes:
            raise self._refused(node, f"{node.operator} after {self.layers[-1].text}")
        layer = self.layers[index]
        if layer.activation != "linear":
            # A second activation is only one of squared error, which ends in Relu.
            if node.operator != "Relu":
                raise self._refused(node, f"{node.operator} after {layer.activation}")
            self._positive.append("Relu")
            return
        self.layers[index] = replace(layer, activation=activation.name)  # type: ignore[type-var]

    def _check_image(self, node: Node) -> None:
        ordered = in_order(self._shape)
        if ordered.ndim != 4 or not np.array_equal(self._places, ordered):
            raise self._refused(
                node, f"{node.operator} of values that are no image, channels first"
            )

    def _add_convolution(self, node: Node, constants: Constants) -> None:
        weights = constants[0] if constants else np.empty(0)
        self._begin_layer(node)
        self._check_image(node)
        size = _size(weights.shape[2:])
        if weights.ndim != 4 or size not in SIZES:
            raise self._refused(node, f"Conv with filters of shape {weights.shape[2:]}")
        strides = node.numbers("strides", [1, 1])
        plain = node.has(group=1, dilations=[1, 1]) and strides in ([1, 1], [2, 2])
        if not plain or weights.shape[1] != self._shape[2]:
            raise self._refused(node, f"Conv with {node.attributes}")
        maps = weights.shape[0]
        padding = padding_of(
            node, self._shape, Convolution(maps, size, "linear", stride=strides[0])
        )
        if padding is None:
            raise self._refused(
                node, f"Conv with padding {tuple(node.numbers('pads', [0, 0, 0, 0]))}"
            )
        layer = Convolution(maps, size, "linear", padding, strides[0])
        biases = constants[1] if len(constants) > 1 else np.zeros(maps, np.float32)
        self._append(layer, (weights, biases))

    def _add_pooling(self, node: Node, constants: Constants) -> None:
        self._begin_layer(node)
        self._check_image(node)
        kernel = node.numbers("kernel_shape", [])
        block = _size(kernel)
        plain = node.has(ceil_mode=0, dilations=[1, 1], storage_order=0)
        if (
            not plain
            or block not in BLOCKS
            # Blocks that overlap are no pooling of this program.
            or node.numbers("strides", [1, 1]) != kernel
            or not _is_unpadded(node, self._shape, block)
        ):
            raise self._refused(node, f"{node.operator} with {node.attributes}")
        self._append(_POOLINGS[node.operator](block), None)

    def _add_average(self, node: Node, constants: Constants) -> None:
        """The mean of each map, as a dense layer: pooling has no blocks of any size."""
        self._begin_layer(node)
        axes = [2, 3]
        if node.operator == "ReduceMean":
            # Axes may be counted from the end.
            axes = sorted(axis % self._places.ndim for axis in _axes(node, tuple(constants)))
        if self._places.ndim != 4 or axes not in ([1, 2], [2, 3]):
            raise self._refused(node, f"{node.operator} of other values than whole maps")
        self._places = np.moveaxis(self._places, axes, (2, 3))
        self._check_image(node)
        rows, columns, channels = self._shape
        pixels = rows * columns
        # The dense layer has a weight for each pixel and each pair of maps.
        if channels * channels * pixels > MAX_VALUES:
            raise self._refused(node, f"{node.operator} of too many maps")
        weights = np.repeat(np.eye(channels, dtype=np.float32), pixels, axis=1) / pixels
        self._append(Dense(channels, "linear"), (weights, np.zeros(channels, np.float32)))
        if node.operator == "GlobalAveragePool" or node.attributes.get("keepdims", 1):
            self._places = np.expand_dims(self._places, tuple(axes))

    def _add_normalization(self, node: Node, constants: Constants) -> None:
        self._begin_layer(node)
        channels = self._shape[-1]
        in_channels = np.array_equal(self._places, in_order(self._shape))
        if (
            not (in_channels and node.has(training_mode=0))
            or len(constants) != 4
            or any(array.shape != (channels,) for array in constants)
        ):
            raise self._refused(node, f"BatchNormalization with {node.attributes}")
        scale, shift, mean, variance = constants
        # The program has one ε; the difference is a part of the variance.
        variance = variance + (node.attributes.get("epsilon", VARIANCE_EPSILON) - VARIANCE_EPSILON)
        self._append(BatchNorm("linear"), (scale, shift, mean, variance.astype(scale.dtype)))

    def _add_dense(self, node: Node, constants: Constants) -> None:
        self._check_open(node)
        weights = constants[0] if constants else np.empty(0)
        if weights.ndim != 2 or not node.has(transA=0, alpha=1.0, beta=1.0):
            raise self._refused(node, f"{node.operator} with {node.attributes}")
        if self._places.ndim != 2:
            raise self._refused(node, f"{node.operator} on an image")
        if not node.attributes.get("transB", 0):
            weights = weights.T
        order = self._places[0]
        # Only where they are out of order: a copy of large weights takes memory.
        if weights.shape[1] == len(order) and (np.diff(order) != 1).any():
            weights = weights[:, np.argsort(order)]
        biases = constants[1].ravel() if len(constants) > 1 else np.zeros(len(weights), np.float32)
        if self._scale.size > 1 and weights.shape[1] == len(order):
            scale, shift = self._take_change()
            biases = biases + weights @ shift
            # After the biases, which need the weights as they are.
            weights = weights * scale
        self._append(Dense(len(weights), "linear"), (weights, biases))

    def _cast(self, node: Node, constants: Constants) -> None:
        """Floats to floats, as scikit-learn's exporter casts inputs; fewer bits would change the
        answers.
        """
        if node.attributes.get("to") not in FLOATS[:2]:
            raise self._refused(node, "Cast to other numbers")

    def _end(self, node: Node, constants: Constants) -> None:
        """The operator that makes probabilities of the outputs."""
        axis = node.attributes.get("axis", -1)
        squared = node.operator == "LpNormalization"
        if axis not in (1, -1) or (
            squared and not (node.has(p=1) and self._positive == ["Relu", "Add"])
        ):
            raise self._refused(node, f"{node.operator} with {node.attributes}")
        if not squared:
            self._check_open(node)
        self.tail = node.operator

    def _check_open(self, node: Node) -> None:
        """Refuse a layer after the operators that end a network."""
        if self._positive:
            raise self._refused(node, f"{node.operator} after two activations")

    _READERS: ClassVar[dict[str, Callable[["GraphReader", Node, Constants], None]]] = {
        "Conv": _add_convolution,
        **dict.fromkeys(_POOLINGS, _add_pooling),
        **dict.fromkeys(_AVERAGES, _add_average),
        "BatchNormalization": _add_normalization,
        "Cast": _cast,
        "Gemm": _add_dense,
        "MatMul": _add_dense,
        **dict.fromkeys(("Add", "Sub", "Mul", "Div"), _change_elements),
        **dict.fromkeys(("Softmax", "LogSoftmax", "LpNormalization"), _end),
    }


def _difference(c: np.ndarray, is_first: bool) -> Change:
    sign = np.ones_like(c)
    return (sign, -c) if is_first else (-sign, c)


def _quotient(c: np.ndarray, is_first: bool) -> Change:
    with np.errstate(all="ignore"):
        return 1 / c, np.zeros_like(c)


# (scale, shift) of x + c, x c, and x - c and x / c where x is the first of the two.
_ELEMENTWISE: dict[str, Callable[[np.ndarray, bool], Change]] = {
    "Add": lambda c, is_first: (np.ones_like(c), c),
    "Sub": _difference,
    "Mul": lambda c, is_first: (c, np.zeros_like(c)),
    "Div": _quotient,
}
