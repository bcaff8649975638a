"""Reads ONNX files whose operators are layers of this program, one after the other."""

import json
import os
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from core.data.class_names import Classes, is_class_name
from core.data.dataset import Kind
from core.errors import InputError
from core.export.onnx_file import DOMAIN, function_of, import_onnx
from core.files.input_file import open_input, read_input
from core.files.reasons import refusing
from core.importing.building import MAX_BYTES, Imported, image_shape
from core.importing.onnx_graph import (
    FLOATS,
    MAX_VALUES,
    NO_LAYER,
    GraphReader,
    Node,
    in_order,
    refused,
)
from core.network.layers import Shape
from core.text import format_bytes
from kernels.activations import ACTIVATIONS

COLORS = (1, 3, 4)  # numbers of channels
MAX_NODES = 2000
_DOMAINS = ("", "ai.onnx", "ai.onnx.ml")
_TO_LABELS = ("ArgMax", "ZipMap")
_OF_LABELS = ("ArrayFeatureExtractor", "Cast", "Reshape", "Identity")
_KIND = "an ONNX file"
_KIND_EXTERNAL = "an ONNX file that has the file of its weights in the same folder"


def read_onnx(path: Path) -> Imported:
    """The layers in an ONNX file. Raises InputError, naming the layer, where an operator is none of
    this program.

    Arrays in another file are read where that lies in the same folder. Nothing in the file is
    executed.
    """
    onnx = import_onnx()
    file = _loaded(onnx, path)
    graph = file.graph
    # Before they are read: a small file may name any number of them.
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
    shape, places = _input(path, inputs[0])
    reader = GraphReader(path, inputs[0].name, shape, places, arrays)
    ends: set[str] = set()  # the values that are the network's outputs
    for node in nodes:
        # `_arrays` has read them.
        if node.op_type == "Constant":
            continue
        before = reader.value
        reader.add(Node(onnx, node))
        if reader.value != before:
            ends = {*(ends if node.op_type in NO_LAYER else ()), reader.value}
    # Layers after the named output are no part of what the file answers.
    if outputs not in ([], [reader.value]):
        raise refused(path, reader.value, "its output is not used")
    if reader.layers:
        reader.end()
    texts = {entry.key: entry.value for entry in file.metadata_props}
    for node in labels:
        if not {*ends, *made}.intersection(node.input):
            raise refused(path, node.name or node.op_type, f"{node.op_type} before the last layer")
        if node.op_type == "ArrayFeatureExtractor" and node.input[0] in arrays:
            texts.setdefault(
                "classes", json.dumps([str(n) for n in arrays[node.input[0]].ravel().tolist()])
            )
    return _imported(reader, texts)


def _loaded(onnx: Any, path: Path) -> Any:
    """The ModelProto that the file holds. Raises InputError where it holds none."""
    content = read_input(path, MAX_BYTES, _KIND)
    # Protobuf raises several kinds of errors.
    with refusing(
        "{path} cannot be read as ONNX ({reason}): choose another file.", Exception, path=path
    ):
        return onnx.load_model_from_string(content)


def _imported(reader: GraphReader, texts: dict[str, str]) -> Imported:
    """What was read, with the kind of data and the classes that this program writes into the
    metadata.
    """
    layers = tuple(reader.layers)
    arrays = tuple(reader.arrays_of_layers)
    if not layers or not arrays:
        raise InputError("{path} holds no layers: choose another file.", path=reader.path)
    # As many as biases of the last layer with parameters: pooling after it has none.
    outputs = len(arrays[-1][1])
    # What makes probabilities is of classes, whatever the metadata say.
    regression = not reader.tail and (texts.get("kind") == "regression" or outputs == 1)
    own_output = layers[-1].activation not in (None, "linear")
    squared = reader.tail == "LpNormalization" or (not reader.tail and own_output)
    loss = "squared-error" if squared or regression else "cross-entropy"
    kind: Kind = "regression" if regression else "classes"
    return Imported(
        reader.input_shape, layers, arrays, loss, kind, _classes(texts.get("classes", ""))
    )


def _classes(text: str) -> Classes:
    """The names of the classes, or nothing where one cannot stand in a model file."""
    try:
        names = json.loads(text) if len(text) < 1_000_000 else []
    except (ValueError, RecursionError):
        return ()
    valid = isinstance(names, list) and all(map(is_class_name, names))
    # Two classes of one name could not be told apart.
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
        # Compared byte by byte: a function may have the name of an activation and compute another
        # one.
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
        # The data may not fit their description in many ways.
        with refusing(
            "{path}: “{name}” cannot be read ({reason}); choose another file.",
            Exception,
            path=path,
            name=name,
        ):
            if tensor.data_location == onnx.TensorProto.EXTERNAL or tensor.external_data:
                dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
                size = prod(tensor.dims) * dtype.itemsize
                external_bytes += max(size, 0)  # in all, since many arrays may name the same bytes
                content = _read_external(path, tensor, size, external_bytes)
                arrays[name] = np.frombuffer(content, dtype.newbyteorder("<")).reshape(tensor.dims)
            else:
                arrays[name] = onnx.numpy_helper.to_array(tensor)
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
        # Separators and drives of both systems: a path must not lead out of the folder.
        or any(c in location for c in "/\\:\0")
        or os.path.islink(file_path)
    ):
        raise InputError(
            "{path}: “{name}” lies in another file, which is not in the folder of the model or is "
            "a link; save the model in one file.",
            path=path,
            name=tensor.name,
        )
    # Before reading: sizes and offsets are only said by the file.
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


def _input(path: Path, value: Any) -> tuple[Shape, np.ndarray]:
    """The shape of an input, (height, width, channels) or (features,), and the places of its
    values in the file. The number of images may be anything.

    An image without channels has one; channels are last where their number is that of gray or of
    colors there, and not in front.
    """
    sizes = [size.dim_value for size in value.type.tensor_type.shape.dim][1:]
    if (
        len(sizes) not in (1, 2, 3)
        or min(sizes) < 1
        or prod(sizes) > MAX_VALUES
        or value.type.tensor_type.elem_type not in (0, *FLOATS)
    ):
        raise InputError(
            "{path} takes inputs of shape {shape}: needed are floats, (n, channels, height, "
            "width), (n, height, width, channels), (n, height, width) or (n, features).",
            path=path,
            shape=("n", *sizes),
        )
    if len(sizes) == 1:
        return image_shape(sizes[0]), in_order((sizes[0],))
    if len(sizes) == 2:
        return (*sizes, 1), in_order((*sizes, 1))[:, 0]
    if sizes[2] in COLORS and sizes[0] not in COLORS:
        return (*sizes,), in_order((*sizes,)).transpose(0, 2, 3, 1)
    shape = (sizes[1], sizes[2], sizes[0])
    return shape, in_order(shape)
