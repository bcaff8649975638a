"""The operators of an ONNX graph as layers of this program."""

from collections.abc import Callable
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from core.errors import InputError
from core.export.onnx_file import TINY
from core.network.layers import Layer, Shape
from core.network.layers.batch_norm import BatchNorm
from core.network.layers.convolution import SIZES, Convolution
from core.network.layers.dense import Dense
from core.network.layers.max_pool import BLOCKS, MaxPool
from core.network.parameters import Arrays
from kernels.activations import ACTIVATIONS
from kernels.device import VARIANCE_EPSILON

_ACTIVATIONS = {cls.onnx: cls for cls in ACTIVATIONS.values() if cls.onnx}
NO_LAYER = ("Identity", "Dropout")
FLOATS = (1, 11, 10)  # ONNX's numbers of 32, 64 and 16 bits
FLAT = ("Flatten", "Reshape")
MAX_DIMENSIONS = 8  # of a shape that is computed
_OF_SHAPES: dict[str, Callable[[list[np.ndarray]], np.ndarray]] = {
    "Gather": lambda inputs: inputs[0][inputs[1]],
    "Unsqueeze": lambda inputs: inputs[0].reshape(1),
    "Concat": np.concatenate,
}


def refused(path: Path, layer: str, what: str) -> InputError:
    """The error for an operator that is no layer of this program."""
    return InputError(
        "{path}: the layer “{layer}” ({what}) is none that this program has, so the file cannot be imported.",
        path=path, layer=layer, what=what,
    )  # fmt: skip


class Node:
    """A node of the graph with its attributes by name."""

    def __init__(self, onnx: Any, node: Any) -> None:
        self.operator: str = node.op_type
        self.name: str = node.name or (node.output[0] if node.output else node.op_type)
        self.inputs: list[str] = list(node.input)
        self.attributes = {a.name: _value(onnx, a) for a in node.attribute}

    def numbers(self, name: str, default: list[int]) -> list[int]:
        """The whole numbers of an attribute; an empty list where it holds something else."""
        values = self.attributes.get(name, default)
        return (
            list(values) if isinstance(values, list | tuple) and all(type(v) is int for v in values) else []
        )

    def has(self, **defaults: Any) -> bool:
        """Whether each attribute is absent or has this value."""
        return all(self.attributes.get(name, value) == value for name, value in defaults.items())


def _value(onnx: Any, attribute: Any) -> Any:
    """The value of an attribute; None where it is of an unknown kind."""
    try:
        return onnx.helper.get_attribute_value(attribute)
    except ValueError:
        return None


class GraphReader:
    """Takes the nodes of a chain in order and collects layers and their arrays, as PyTorch arranges them.

    `tail`: the operator that makes probabilities of the outputs, if any.
    """

    def __init__(self, path: Path, input_shape: Shape, arrays: dict[str, np.ndarray]) -> None:
        self.path, self.input_shape = path, input_shape
        self._arrays = arrays
        self.layers: list[Layer] = []
        self.arrays_of_layers: list[Arrays] = []
        self.tail = ""
        self._shape = input_shape
        self._is_flat = False  # whether an image has been flattened
        self._positive: list[str] = []  # operators so far that make positive outputs, of squared error

    def add(self, node: Node, value: str) -> None:
        """Add the layer of a node whose input must be `value`, the output of the node before it."""
        if node.operator not in (*_ACTIVATIONS, *self._READERS, *NO_LAYER):
            raise self._refused(node, node.operator)
        if value not in node.inputs[: 2 if node.operator == "Add" else 1] or (
            self.tail and node.operator not in NO_LAYER
        ):
            raise self._refused(node, f"{node.operator}, not on the output of the layer before it")
        others = [name for name in node.inputs if name and name != value]
        missing = [name for name in others if name not in self._arrays]
        if missing:
            raise self._refused(node, f"{node.operator} of two computed values")
        constants = [self._arrays[name] for name in others]
        if node.operator not in FLAT and any(array.dtype.kind != "f" for array in constants):
            raise self._refused(node, "its numbers are no floats")
        if not isinstance(node.attributes.get("epsilon", VARIANCE_EPSILON), float):
            raise self._refused(node, f"{node.operator} with an epsilon that is no number")
        if node.operator in _ACTIVATIONS:
            self._add_activation(node)
        elif node.operator in self._READERS:
            self._READERS[node.operator](self, node, constants)

    def add_shape(self, node: Node, output: str, value: str) -> bool:
        """Whether the node computes a shape, as for `x.view(x.size(0), -1)`: its result is then a constant, `output`.

        The number of images is unknown: it is 0, with which a Reshape keeps what its input has.
        """
        try:
            if node.operator == "Shape" and node.inputs == [value]:
                sizes = [prod(self._shape)] if self._is_flat else [*self._shape[2:], *self._shape[:2]]
                part = slice(node.attributes.get("start", 0), node.attributes.get("end"))
                self._arrays[output] = np.array([0, *sizes], np.int64)[part]
                return True
            inputs = [self._arrays[name] for name in node.inputs]
            if any(array.dtype != np.int64 or array.size > MAX_DIMENSIONS for array in inputs):
                return False
            self._arrays[output] = _OF_SHAPES[node.operator](inputs)
        except (KeyError, IndexError, TypeError, ValueError):
            return False
        return True

    def _refused(self, node: Node, what: str) -> InputError:
        return refused(self.path, node.name, what)

    def _append(self, layer: Layer, arrays: Arrays | None) -> None:
        try:
            self._shape = layer.output_shape(self._shape)
        except InputError as error:
            raise InputError("{path}: {reason}", path=self.path, reason=error) from None
        self.layers.append(layer)
        if arrays:
            self.arrays_of_layers.append(arrays)

    def _add_activation(self, node: Node) -> None:
        """Give the activation to the last layer that can have one.

        An activation that rises commutes with max pooling: it may come after it as well as before it.
        """
        activation = _ACTIVATIONS[node.operator]
        index = next((i for i in reversed(range(len(self.layers))) if self.layers[i].has_activation()), None)
        if index is None:
            raise self._refused(node, f"{node.operator} on the input")
        for name, value in activation.onnx_attributes.items():
            given = node.attributes.get(name, value)
            if not (isinstance(given, float) and np.isclose(given, value)):
                raise self._refused(node, f"{node.operator} {given}")
        if not activation.is_monotonic and index < len(self.layers) - 1:
            raise self._refused(node, f"{node.operator} after {self.layers[-1].text}")
        layer = self.layers[index]
        if layer.activation != "linear":
            if node.operator != "Relu":
                raise self._refused(node, f"{node.operator} after {layer.activation}")
            self._positive.append("Relu")
            return
        self.layers[index] = replace(layer, activation=activation.name)  # type: ignore[type-var]

    def _add_convolution(self, node: Node, constants: list[np.ndarray]) -> None:
        weights = constants[0] if constants else np.empty(0)
        self._check_open(node)
        if weights.ndim != 4 or weights.shape[2] != weights.shape[3] or weights.shape[2] not in SIZES:
            raise self._refused(node, f"Conv with filters of shape {weights.shape[2:]}")
        strides = node.numbers("strides", [1, 1])
        plain = node.has(group=1, dilations=[1, 1]) and strides in ([1, 1], [2, 2]) and not self._is_flat
        if not plain or len(self._shape) != 3 or weights.shape[1] != self._shape[2]:
            raise self._refused(node, f"Conv with {node.attributes}")
        maps, size = weights.shape[0], weights.shape[2]
        layer = Convolution(maps, size, "linear", self._padding(node, maps, size, strides[0]), strides[0])
        biases = constants[1] if len(constants) > 1 else np.zeros(maps, np.float32)
        self._append(layer, (weights, biases))

    def _padding(self, node: Node, maps: int, size: int, stride: int) -> str:
        """`same` or `valid`, whichever has the node's zeros around the image."""
        automatic = node.attributes.get("auto_pad", b"NOTSET")
        pads = tuple(node.numbers("pads", [0, 0, 0, 0]))
        for padding, name in (("valid", b"VALID"), ("same", b"SAME_UPPER")):
            layer = Convolution(maps, size, None, padding, stride)
            zeros = layer.zeros_around(self._shape)
            if automatic == name or (automatic == b"NOTSET" and pads == zeros):
                return padding
        raise self._refused(node, f"Conv with padding {pads}")

    def _add_pooling(self, node: Node, constants: list[np.ndarray]) -> None:
        self._check_open(node)
        kernel = node.numbers("kernel_shape", [])
        plain = node.has(
            ceil_mode=0, dilations=[1, 1], storage_order=0, auto_pad=b"NOTSET", pads=[0, 0, 0, 0]
        )
        square = len(kernel) == 2 and kernel[0] == kernel[1] and kernel[0] in BLOCKS
        if not plain or not square or node.numbers("strides", [1, 1]) != kernel or self._is_flat:
            raise self._refused(node, f"MaxPool with {node.attributes}")
        self._append(MaxPool(kernel[0]), None)

    def _add_normalization(self, node: Node, constants: list[np.ndarray]) -> None:
        self._check_open(node)
        channels = self._shape[-1]
        plain = node.has(training_mode=0) and not self._is_flat
        if not plain or len(constants) != 4 or any(array.shape != (channels,) for array in constants):
            raise self._refused(node, f"BatchNormalization with {node.attributes}")
        scale, shift, mean, variance = constants
        # The program has one ε; the difference is a part of the variance.
        variance = variance + (node.attributes.get("epsilon", VARIANCE_EPSILON) - VARIANCE_EPSILON)
        self._append(BatchNorm("linear"), (scale, shift, mean, variance.astype(scale.dtype)))

    def _add_dense(self, node: Node, constants: list[np.ndarray]) -> None:
        self._check_open(node)
        weights = constants[0] if constants else np.empty(0)
        if weights.ndim != 2 or not node.has(transA=0, alpha=1.0, beta=1.0):
            raise self._refused(node, f"{node.operator} with {node.attributes}")
        if len(self._shape) == 3 and not self._is_flat and self.layers:
            raise self._refused(node, f"{node.operator} on an image")
        if not node.attributes.get("transB", 0):
            weights = weights.T
        biases = constants[1].ravel() if len(constants) > 1 else np.zeros(len(weights), np.float32)
        self._append(Dense(len(weights), "linear"), (weights, biases))
        self._is_flat = False

    def _add_constant(self, node: Node, constants: list[np.ndarray]) -> None:
        """The biases after a MatMul, or the small number before a sum of positive outputs."""
        after_relu = self._positive or (self.layers and self.layers[-1].activation == "relu")
        if after_relu and len(constants) == 1 and constants[0].size == 1 and 0 <= constants[0].item() <= TINY:
            self._positive = ["Relu", "Add"]
            return
        dense = bool(self.layers) and isinstance(self.layers[-1], Dense) and not self._positive
        if not dense or self.layers[-1].activation != "linear" or len(constants) != 1:
            raise self._refused(node, "Add")
        weights, biases = self.arrays_of_layers[-1][:2]
        if constants[0].size != len(biases) or biases.any():
            raise self._refused(node, f"Add of an array of shape {constants[0].shape}")
        self.arrays_of_layers[-1] = (weights, constants[0].ravel())

    def _flatten(self, node: Node, constants: list[np.ndarray]) -> None:
        self._check_open(node)
        shape = constants[0].ravel().tolist() if constants else []
        # An exporter that was given several images writes their number; the features then say what is flattened.
        known = len(shape) == 2 and (shape[0] in (-1, 0, 1) or shape[1] in (-1, prod(self._shape)))
        if not (node.has(axis=1) if node.operator == "Flatten" else known):
            raise self._refused(node, f"{node.operator} to {shape}" if shape else f"{node.operator}")
        self._is_flat = self._is_flat or len(self._shape) == 3

    def _cast(self, node: Node, constants: list[np.ndarray]) -> None:
        """Floats to floats, as scikit-learn's exporter casts inputs; fewer bits would change the answers."""
        if node.attributes.get("to") not in FLOATS[:2]:
            raise self._refused(node, "Cast to other numbers")

    def _end(self, node: Node, constants: list[np.ndarray]) -> None:
        """The operator that makes probabilities of the outputs."""
        axis = node.attributes.get("axis", -1)
        squared = node.operator == "LpNormalization"
        if axis not in (1, -1) or (squared and not (node.has(p=1) and self._positive == ["Relu", "Add"])):
            raise self._refused(node, f"{node.operator} with {node.attributes}")
        if not squared:
            self._check_open(node)
        self.tail = node.operator

    def _check_open(self, node: Node) -> None:
        """Refuse a layer after the operators that end a network."""
        if self._positive:
            raise self._refused(node, f"{node.operator} after two activations")

    _READERS: ClassVar[dict[str, Callable[["GraphReader", Node, list[np.ndarray]], None]]] = {
        "Conv": _add_convolution, "MaxPool": _add_pooling, "BatchNormalization": _add_normalization,
        "Cast": _cast, "Gemm": _add_dense, "MatMul": _add_dense, "Add": _add_constant, **dict.fromkeys(FLAT, _flatten),
        **dict.fromkeys(("Softmax", "LogSoftmax", "LpNormalization"), _end),
    }  # fmt: skip
