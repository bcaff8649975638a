"""Reads ONNX files whose operators are layers of this program, one after the other."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from core.data.class_names import is_class_name
from core.data.dataset import Kind
from core.errors import InputError
from core.export.onnx_file import DOMAIN, function_of, import_onnx
from core.files.input_file import read_input
from core.importing.building import MAX_BYTES, Imported, build_model, image_shape
from core.importing.onnx_operators import GraphReader, Node, refused
from core.inference.model_file import MAX_NAME, Model
from core.network.layers import Shape
from kernels.activations import ACTIVATIONS

MAX_NODES = 2000
_KIND = "an ONNX file"


def read_onnx(path: Path) -> Model:
    """The model in an ONNX file. Raises InputError, naming the layer, where an operator is no layer of this program.

    Arrays in other files are not read. Nothing in the file is executed.
    """
    onnx = import_onnx()
    content = read_input(path, MAX_BYTES, _KIND)
    try:
        file = onnx.load_model_from_string(content)
    except Exception as error:  # protobuf raises several kinds of errors
        raise InputError(
            "{path} cannot be read as ONNX ({reason}): choose another file.",
            path=path,
            reason=str(error)[:200],
        ) from None
    graph = file.graph
    if len(graph.node) > MAX_NODES:
        raise InputError("{path} has {count:,} operators, more than {limit:,} that are read: choose another file.",
                         path=path, count=len(graph.node), limit=MAX_NODES)  # fmt: skip
    _check_operators(path, file)
    arrays = _arrays(onnx, path, graph)
    inputs = [value for value in graph.input if value.name not in arrays]
    if len(inputs) != 1 or len(graph.output) != 1:
        raise InputError(
            "{path} has {inputs} inputs and {outputs} outputs, and a network here has one each: choose another file.",
            path=path, inputs=len(inputs), outputs=len(graph.output),
        )  # fmt: skip
    reader = GraphReader(path, _input_shape(path, inputs[0]), arrays)
    value = inputs[0].name
    for node in graph.node:
        if node.op_type == "Constant":
            continue
        reader.add(Node(onnx, node), value)
        value = node.output[0]
    if value != graph.output[0].name:
        raise refused(path, value, "its output is not used")
    texts = {entry.key: entry.value for entry in file.metadata_props}
    return build_model(path, _imported(reader, texts))


def _imported(reader: GraphReader, texts: dict[str, str]) -> Imported:
    """What was read, with the kind of data and the classes that this program writes into the metadata."""
    layers, arrays = tuple(reader.layers), tuple(reader.arrays_of_layers)
    if not layers or not arrays:
        raise InputError("{path} holds no layers: choose another file.", path=reader.path)
    outputs = len(arrays[-1][1])
    regression = not reader.tail and (texts.get("kind") == "regression" or outputs == 1)
    own_output = layers[-1].activation not in (None, "linear")
    squared = reader.tail == "LpNormalization" or (not reader.tail and own_output)
    loss = "squared-error" if squared or regression else "cross-entropy"
    kind: Kind = "regression" if regression else "classes"
    return Imported(reader.input_shape, layers, arrays, loss, kind, _classes(texts.get("classes", "")))


def _classes(text: str) -> tuple[str, ...]:
    """The names of the classes, or nothing where one cannot stand in a model file."""
    try:
        names = json.loads(text) if len(text) < 1_000_000 else []
    except (ValueError, RecursionError):
        return ()
    valid = isinstance(names, list) and all(
        isinstance(name, str) and len(name) <= MAX_NAME and is_class_name(name) for name in names
    )
    return tuple(names) if valid and len(set(names)) == len(names) else ()


def _check_operators(path: Path, file: Any) -> None:
    """Refuse functions other than the activations that this program writes, and operators without an output."""
    own = [function_of(cls).SerializeToString() for cls in ACTIVATIONS.values() if cls.onnx_function]
    for function in file.functions:
        if function.SerializeToString() not in own:
            raise refused(path, f"{function.domain}.{function.name}", "a function of the file")
    known = {(DOMAIN, function.name) for function in file.functions}
    for node in file.graph.node:
        if not node.output:
            raise refused(path, node.name or node.op_type, "it has no output")
        if node.domain not in ("", "ai.onnx") and (node.domain, node.op_type) not in known:
            raise refused(path, node.name or node.op_type, f"{node.domain}.{node.op_type}")


def _arrays(onnx: Any, path: Path, graph: Any) -> dict[str, np.ndarray]:
    """The constants of the graph by name. Arrays that lie in other files are refused, not read."""
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant" and node.attribute and node.attribute[0].HasField("t"):
            tensors[node.output[0]] = node.attribute[0].t
    arrays = {}
    for name, tensor in tensors.items():
        if tensor.data_location == onnx.TensorProto.EXTERNAL or tensor.external_data:
            raise InputError(
                "{path}: “{name}” lies in another file; save the model in one file.", path=path, name=name
            )
        try:
            arrays[name] = onnx.numpy_helper.to_array(tensor)
        except Exception as error:  # the data do not fit their description
            raise InputError(
                "{path}: “{name}” cannot be read ({reason}); choose another file.",
                path=path, name=name, reason=str(error)[:200],
            ) from None  # fmt: skip
    return arrays


def _input_shape(path: Path, value: Any) -> Shape:
    """(height, width, channels) or (features,); the number of images may be anything."""
    sizes = [size.dim_value for size in value.type.tensor_type.shape.dim][1:]
    if len(sizes) not in (1, 3) or min(sizes) < 1:
        raise InputError(
            "{path} takes inputs of shape {shape}: needed are (n, channels, height, width) or (n, features).",
            path=path, shape=("n", *sizes),
        )  # fmt: skip
    return image_shape(sizes[0]) if len(sizes) == 1 else (sizes[1], sizes[2], sizes[0])
