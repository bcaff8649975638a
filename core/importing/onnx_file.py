"""Reads ONNX files whose operators are layers of this program, one after the other."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from core.data.class_names import is_class_name
from core.data.dataset import Kind
from core.errors import InputError
from core.export.onnx_file import DOMAIN, TINY, function_of, import_onnx
from core.files.input_file import open_input, read_input
from core.files.reasons import reason_of
from core.importing.building import MAX_BYTES, Imported, build_model, image_shape
from core.inference.model_file import Model
from core.network.layers import Layer, Shape
from core.network.layers.average_pool import AveragePool
from core.network.layers.batch_norm import BatchNorm
from core.network.layers.convolution import SIZES, Convolution
from core.network.layers.dense import Dense
from core.network.layers.max_pool import MaxPool
from core.network.layers.pooling import BLOCKS, Pooling
from core.network.parameters import Arrays
from core.text import format_bytes
from kernels.activations import ACTIVATIONS
from kernels.device import VARIANCE_EPSILON

_ACTIVATIONS = {cls.onnx: cls for cls in ACTIVATIONS.values() if cls.onnx}
_POOLINGS: dict[str, type[Pooling]] = {"MaxPool": MaxPool, "AveragePool": AveragePool}
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
        self.name: str = node.name or (node.output[0] if node.output else node.op_type)
        self.inputs: list[str] = list(node.input)
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


def _padding_of(node: Node, shape: Shape, layer: Convolution) -> str | None:
    """`same` or `valid`, whichever has the node's zeros around an image of this shape; None:
    neither has.
    """
    automatic = node.attributes.get("auto_pad", b"NOTSET")
    pads = tuple(node.numbers("pads", [0, 0, 0, 0]))
    for padding, name in (("valid", b"VALID"), ("same", b"SAME_UPPER")):
        zeros = replace(layer, padding=padding).zeros_around(shape)
        if automatic == name or (automatic == b"NOTSET" and pads == zeros):
            return padding
    return None


class GraphReader:
    """Takes the nodes of a chain in order and collects layers and their arrays, as PyTorch arranges
    them.

    `tail`: the operator that makes probabilities of the outputs, if any.
    """

    def __init__(self, path: Path, input_shape: Shape, arrays: dict[str, np.ndarray]) -> None:
        self.path = path
        self.input_shape = input_shape
        self._arrays = arrays
        self.layers: list[Layer] = []
        self.arrays_of_layers: list[Arrays] = []
        self.tail = ""
        self._shape = input_shape
        self._is_flat = False  # whether an image has been flattened
        # Operators so far that make positive outputs, of squared error.
        self._positive: list[str] = []

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
        """Whether the node computes a shape, as for `x.view(x.size(0), -1)`: its result is then a
        constant, `output`.

        The number of images is unknown: it is 0, with which a Reshape keeps what its input has.
        """
        try:
            if node.operator == "Shape" and node.inputs == [value]:
                sizes = (
                    [prod(self._shape)] if self._is_flat else [*self._shape[2:], *self._shape[:2]]
                )
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

        An activation that rises commutes with max pooling: it may come after it as well as before
        it. No other activation does, and none commutes with average pooling.
        """
        activation = _ACTIVATIONS[node.operator]
        index = next(
            (i for i in reversed(range(len(self.layers))) if self.layers[i].has_activation()), None
        )
        if index is None:
            raise self._refused(node, f"{node.operator} on the input")
        for name, value in activation.onnx_attributes.items():
            given = node.attributes.get(name, value)
            if not (isinstance(given, float) and np.isclose(given, value)):
                raise self._refused(node, f"{node.operator} {given}")
        above = self.layers[index + 1 :]
        commutes = activation.is_monotonic and all(type(layer) is MaxPool for layer in above)
        if above and not commutes:
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
        if (
            weights.ndim != 4
            or weights.shape[2] != weights.shape[3]
            or weights.shape[2] not in SIZES
        ):
            raise self._refused(node, f"Conv with filters of shape {weights.shape[2:]}")
        strides = node.numbers("strides", [1, 1])
        plain = (
            node.has(group=1, dilations=[1, 1])
            and strides in ([1, 1], [2, 2])
            and not self._is_flat
        )
        if not plain or len(self._shape) != 3 or weights.shape[1] != self._shape[2]:
            raise self._refused(node, f"Conv with {node.attributes}")
        maps = weights.shape[0]
        size = weights.shape[2]
        padding = _padding_of(
            node, self._shape, Convolution(maps, size, "linear", stride=strides[0])
        )
        if padding is None:
            raise self._refused(
                node, f"Conv with padding {tuple(node.numbers('pads', [0, 0, 0, 0]))}"
            )
        layer = Convolution(maps, size, "linear", padding, strides[0])
        biases = constants[1] if len(constants) > 1 else np.zeros(maps, np.float32)
        self._append(layer, (weights, biases))

    def _add_pooling(self, node: Node, constants: list[np.ndarray]) -> None:
        self._check_open(node)
        kernel = node.numbers("kernel_shape", [])
        plain = node.has(
            ceil_mode=0, dilations=[1, 1], storage_order=0, auto_pad=b"NOTSET", pads=[0, 0, 0, 0]
        )
        square = len(kernel) == 2 and kernel[0] == kernel[1] and kernel[0] in BLOCKS
        if not plain or not square or node.numbers("strides", [1, 1]) != kernel or self._is_flat:
            raise self._refused(node, f"{node.operator} with {node.attributes}")
        self._append(_POOLINGS[node.operator](kernel[0]), None)

    def _add_normalization(self, node: Node, constants: list[np.ndarray]) -> None:
        self._check_open(node)
        channels = self._shape[-1]
        plain = node.has(training_mode=0) and not self._is_flat
        if (
            not plain
            or len(constants) != 4
            or any(array.shape != (channels,) for array in constants)
        ):
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
        if (
            after_relu
            and len(constants) == 1
            and constants[0].size == 1
            and 0 <= constants[0].item() <= TINY
        ):
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
        # An exporter that was given several images writes their number; the features then say what
        # is flattened.
        known = len(shape) == 2 and (shape[0] in (-1, 0, 1) or shape[1] in (-1, prod(self._shape)))
        if not (node.has(axis=1) if node.operator == "Flatten" else known):
            raise self._refused(
                node, f"{node.operator} to {shape}" if shape else f"{node.operator}"
            )
        self._is_flat = self._is_flat or len(self._shape) == 3

    def _cast(self, node: Node, constants: list[np.ndarray]) -> None:
        """Floats to floats, as scikit-learn's exporter casts inputs; fewer bits would change the
        answers.
        """
        if node.attributes.get("to") not in FLOATS[:2]:
            raise self._refused(node, "Cast to other numbers")

    def _end(self, node: Node, constants: list[np.ndarray]) -> None:
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

    _READERS: ClassVar[dict[str, Callable[["GraphReader", Node, list[np.ndarray]], None]]] = {
        "Conv": _add_convolution,
        **dict.fromkeys(_POOLINGS, _add_pooling),
        "BatchNormalization": _add_normalization,
        "Cast": _cast,
        "Gemm": _add_dense,
        "MatMul": _add_dense,
        "Add": _add_constant,
        **dict.fromkeys(FLAT, _flatten),
        **dict.fromkeys(("Softmax", "LogSoftmax", "LpNormalization"), _end),
    }


MAX_NODES = 2000
_DOMAINS = ("", "ai.onnx", "ai.onnx.ml")
_TO_LABELS = ("ArgMax", "ZipMap")
_OF_LABELS = ("ArrayFeatureExtractor", "Cast", "Reshape", "Identity")
_KIND = "an ONNX file"
_KIND_EXTERNAL = "an ONNX file that has the file of its weights in the same folder"


def read_onnx(path: Path) -> Model:
    """The model in an ONNX file. Raises InputError, naming the layer, where an operator is no layer
    of this program.

    Arrays in another file are read where that lies in the same folder. Nothing in the file is
    executed.
    """
    onnx = import_onnx()
    file = _loaded(onnx, path)
    graph = file.graph
    if len(graph.node) > MAX_NODES:
        raise InputError(
            "{path} has {count:,} operators, more than {limit:,} that are read: choose another "
            "file.",
            path=path,
            count=len(graph.node),
            limit=MAX_NODES,
        )
    nodes, labels = _split_labels(graph)
    _check_operators(path, file, nodes)
    arrays = _arrays(onnx, path, graph)
    inputs = [value for value in graph.input if value.name not in arrays]
    made = {name for node in labels for name in node.output}
    outputs = [output.name for output in graph.output if output.name not in made]
    if len(inputs) != 1 or len(outputs) > 1 or not graph.output:
        raise InputError(
            "{path} has {inputs} inputs and {outputs} outputs, and a network here has one each: "
            "choose another file.",
            path=path,
            inputs=len(inputs),
            outputs=len(outputs),
        )
    reader = GraphReader(path, _input_shape(path, inputs[0]), arrays)
    value = inputs[0].name
    ends: set[str] = set()  # the values that are the network's outputs
    for node in nodes:
        operator = Node(onnx, node)
        if node.op_type == "Constant" or reader.add_shape(operator, node.output[0], value):
            continue
        reader.add(operator, value)
        value = node.output[0]
        ends = {*(ends if node.op_type in NO_LAYER else ()), value}
    if outputs not in ([], [value]):
        raise refused(path, value, "its output is not used")
    texts = {entry.key: entry.value for entry in file.metadata_props}
    for node in labels:
        if not {*ends, *made}.intersection(node.input):
            raise refused(path, node.name or node.op_type, f"{node.op_type} before the last layer")
        if node.op_type == "ArrayFeatureExtractor" and node.input[0] in arrays:
            texts.setdefault(
                "classes", json.dumps([str(n) for n in arrays[node.input[0]].ravel().tolist()])
            )
    imported = _imported(reader, texts)
    # Each is as large as the weights or holds them, and the model needs as much again.
    del file, graph, node, nodes, labels, arrays, inputs, reader
    return build_model(path, imported)


def _loaded(onnx: Any, path: Path) -> Any:
    """The ModelProto that the file holds. Raises InputError where it holds none."""
    content = read_input(path, MAX_BYTES, _KIND)
    try:
        return onnx.load_model_from_string(content)
    except Exception as error:  # protobuf raises several kinds of errors
        raise InputError(
            "{path} cannot be read as ONNX ({reason}): choose another file.",
            path=path,
            reason=reason_of(error),
        ) from None


def _imported(reader: GraphReader, texts: dict[str, str]) -> Imported:
    """What was read, with the kind of data and the classes that this program writes into the
    metadata.
    """
    layers = tuple(reader.layers)
    arrays = tuple(reader.arrays_of_layers)
    if not layers or not arrays:
        raise InputError("{path} holds no layers: choose another file.", path=reader.path)
    outputs = len(arrays[-1][1])
    regression = not reader.tail and (texts.get("kind") == "regression" or outputs == 1)
    own_output = layers[-1].activation not in (None, "linear")
    squared = reader.tail == "LpNormalization" or (not reader.tail and own_output)
    loss = "squared-error" if squared or regression else "cross-entropy"
    kind: Kind = "regression" if regression else "classes"
    return Imported(
        reader.input_shape, layers, arrays, loss, kind, _classes(texts.get("classes", ""))
    )


def _classes(text: str) -> tuple[str, ...]:
    """The names of the classes, or nothing where one cannot stand in a model file."""
    try:
        names = json.loads(text) if len(text) < 1_000_000 else []
    except (ValueError, RecursionError):
        return ()
    valid = isinstance(names, list) and all(map(is_class_name, names))
    return tuple(names) if valid and len(set(names)) == len(names) else ()


def _split_labels(graph: Any) -> tuple[list[Any], list[Any]]:
    """The operators of the network, and those after it that turn its outputs into labels, as
    scikit-learn's have.
    """
    nodes = []
    labels = []
    made: set[str] = set()
    for node in graph.node:
        of_labels = node.op_type in _OF_LABELS and made.intersection(node.input)
        if node.domain in _DOMAINS and node.output and (node.op_type in _TO_LABELS or of_labels):
            made.update(node.output)
            labels.append(node)
        else:
            nodes.append(node)
    return nodes, labels


def _check_operators(path: Path, file: Any, nodes: list[Any]) -> None:
    """Refuse functions other than the activations that this program writes, and operators without
    an output.
    """
    own = [
        function_of(cls).SerializeToString() for cls in ACTIVATIONS.values() if cls.onnx_function
    ]
    for function in file.functions:
        if function.SerializeToString() not in own:
            raise refused(path, f"{function.domain}.{function.name}", "a function of the file")
    known = {(DOMAIN, function.name) for function in file.functions}
    for node in nodes:
        if not node.output:
            raise refused(path, node.name or node.op_type, "it has no output")
        if node.domain not in ("", "ai.onnx") and (node.domain, node.op_type) not in known:
            raise refused(path, node.name or node.op_type, f"{node.domain}.{node.op_type}")


def _arrays(onnx: Any, path: Path, graph: Any) -> dict[str, np.ndarray]:
    """The constants of the graph by name. Raises InputError where one cannot be read, or lies in
    another folder.
    """
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant" and node.attribute and node.attribute[0].HasField("t"):
            tensors[node.output[0]] = node.attribute[0].t
    arrays = {}
    external_bytes = 0
    for name, tensor in tensors.items():
        try:
            if tensor.data_location == onnx.TensorProto.EXTERNAL or tensor.external_data:
                dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
                size = prod(tensor.dims) * dtype.itemsize
                external_bytes += max(size, 0)  # in all, since many arrays may name the same bytes
                content = _read_external(path, tensor, size, external_bytes)
                arrays[name] = np.frombuffer(content, dtype.newbyteorder("<")).reshape(tensor.dims)
            else:
                arrays[name] = onnx.numpy_helper.to_array(tensor)
        except InputError:
            raise
        except Exception as error:  # the data do not fit their description
            raise InputError(
                "{path}: “{name}” cannot be read ({reason}); choose another file.",
                path=path,
                name=name,
                reason=reason_of(error),
            ) from None
    return arrays


def _read_external(path: Path, tensor: Any, size: int, total: int) -> bytes:
    """The `size` bytes of a tensor whose data lie in another file, which is in the folder of the
    model.

    PyTorch's exporter writes this form by default: all weights of `net.onnx` in `net.onnx.data`.
    Raises InputError for a file elsewhere, a link, and `total` bytes above the limit; ValueError
    where the bytes are not those of the tensor.
    """
    texts = {entry.key: entry.value for entry in tensor.external_data}
    location = texts.get("location", "")
    start = texts.get("offset", "0")
    length = texts.get("length", str(size))
    file_path = path.parent / location
    if (
        location in ("", ".", "..")
        or any(c in location for c in "/\\:\0")
        or os.path.islink(file_path)
    ):
        raise InputError(
            "{path}: “{name}” lies in another file, which is not in the folder of the model or is "
            "a link; save the model in one file.",
            path=path,
            name=tensor.name,
        )
    if total > MAX_BYTES:
        raise InputError(
            "{path}: its weights are larger than {limit}, the most that is read: choose another "
            "file.",
            path=path,
            limit=format_bytes(MAX_BYTES),
        )
    if length != str(size) or not (start.isascii() and start.isdecimal() and len(start) < 16):
        raise ValueError(f"{length} bytes from {start} on, where {size} are needed")
    with open_input(file_path, MAX_BYTES, _KIND_EXTERNAL) as file:
        file.seek(int(start))
        content = file.read(size)
    if len(content) != size:
        raise ValueError(f"{location} ends before it does")
    return content


def _input_shape(path: Path, value: Any) -> Shape:
    """(height, width, channels) or (features,); the number of images may be anything."""
    sizes = [size.dim_value for size in value.type.tensor_type.shape.dim][1:]
    if (
        len(sizes) not in (1, 3)
        or min(sizes) < 1
        or value.type.tensor_type.elem_type not in (0, *FLOATS)
    ):
        raise InputError(
            "{path} takes inputs of shape {shape}: needed are floats, (n, channels, height, "
            "width) or (n, features).",
            path=path,
            shape=("n", *sizes),
        )
    return image_shape(sizes[0]) if len(sizes) == 1 else (sizes[1], sizes[2], sizes[0])
