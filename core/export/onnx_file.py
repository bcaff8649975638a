"""ONNX files: the layers as standard operators, with the program's name of the network among the
metadata.
"""

import json
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from core.errors import InputError
from core.export.exporter import Exporter, ExportSource, activation_text, cannot_write
from core.inference.model_file import Model, preprocessing_of
from core.network.parameters import channels_first
from core.version import VERSION
from kernels.activations import ACTIVATIONS, Activation
from kernels.installation import install_command

OPSET = 17
IR_VERSION = 8  # the first with functions in the model
DOMAIN = "digitlab"
MAX_PARAMETERS = 450_000_000  # protobuf allows files below 2 GB
TINY = 1e-12  # added to the outputs of a network with squared error, so that their sum is not 0


def import_onnx() -> Any:
    """The package onnx. Raises InputError, naming the extra, where it is not installed."""
    try:
        import onnx
    except ImportError:
        raise InputError(
            "ONNX files need the package onnx: install it by `{command}`, or choose another kind.",
            command=install_command("onnx"),
        ) from None
    return onnx


def function_of(activation: type[Activation]) -> Any:
    """An activation that ONNX lacks as a function of the file."""
    helper = import_onnx().helper
    nodes = [
        helper.make_node(kind, x, [y], **options)
        for kind, x, y, options in activation.onnx_function
    ]
    opsets = [helper.make_opsetid("", OPSET)]
    return helper.make_function(DOMAIN, activation.onnx, ["z"], ["y"], nodes, opsets)


@dataclass
class _Graph:
    """Nodes in order, each on the output of the one before it."""

    onnx: Any
    value: str
    nodes: list[Any] = field(default_factory=list)
    arrays: list[Any] = field(default_factory=list)

    def add(self, operator: str, name: str, *arrays: np.ndarray, **attributes: object) -> None:
        inputs = [self.value]
        for array, kind in zip(arrays, ("weight", "bias", "mean", "variance"), strict=False):
            inputs.append(f"{name}.{kind}")
            self.arrays.append(self.onnx.numpy_helper.from_array(np.asarray(array), inputs[-1]))
        node = self.onnx.helper.make_node(
            operator, inputs, [f"{name}.output"], name=name, **attributes
        )
        self.nodes.append(node)
        self.value = f"{name}.output"


class OnnxFile(Exporter):
    """Input: float32 (n, channels, height, width), pixels divided by 255, or (n, features).

    Output: float32 (n, outputs), probabilities, or values for regression. Dropout is left out.
    """

    order = 0
    suffix = ".onnx"
    title: ClassVar = "ONNX"
    use: ClassVar = "Open reads it again, and so do other programs that read ONNX."

    def content(self, source: ExportSource) -> bytes:
        # ONNX knows no temperature of a model: the weights of the last layer have to hold it.
        model = source.model.with_temperature_in_weights()
        onnx = import_onnx()
        if model.network.parameter_count > MAX_PARAMETERS:
            raise InputError(
                "The network has {count:,} parameters, and an ONNX file holds {limit:,}: choose "
                "another kind.",
                count=model.network.parameter_count,
                limit=MAX_PARAMETERS,
            )
        graph = _Graph(onnx, "input")
        _add_layers(graph, model)
        _add_output(graph, model)
        # Whatever operator is the last, other programs find the result under one name.
        graph.nodes[-1].output[0] = "output"
        file = _model(onnx, graph, model)
        # A file that other programs refuse is found here, before it is passed on.
        onnx.checker.check_model(file, full_check=True)
        return file.SerializeToString()


def _add_layers(graph: _Graph, model: Model) -> None:
    network = model.network
    arrays = channels_first(network, model.parameters)
    layers = zip(network.layers, network.shapes, model.activations, strict=False)
    for number, (layer, shape, activation) in enumerate(layers, 1):
        name = f"layer{number}"
        nodes = layer.onnx_nodes(shape)
        if nodes is None:
            raise cannot_write(layer.text)
        # Only the last node of a layer has its parameters.
        for operator, attributes in nodes[:-1]:
            graph.add(operator, f"{name}.{operator}", **attributes)
        for operator, attributes in nodes[-1:]:
            graph.add(operator, name, *(arrays[number - 1] or ()), **attributes)
        if activation != "linear":
            operator = activation_text(activation, "onnx")
            cls = ACTIVATIONS[activation]
            domain = {"domain": DOMAIN} if cls.onnx_function else {}
            graph.add(operator, f"{name}.activation", **cls.onnx_attributes, **domain)


def _add_output(graph: _Graph, model: Model) -> None:
    """What makes probabilities of the outputs; see `Loss.predictions`."""
    if model.loss == "cross-entropy":
        graph.add("Softmax", "probabilities", axis=1)
    elif model.kind == "classes":
        graph.add("Relu", "positive")
        graph.add("Add", "above", np.array(TINY, np.float32))
        graph.add("LpNormalization", "probabilities", axis=1, p=1)


def _model(onnx: Any, graph: _Graph, model: Model) -> Any:
    helper = onnx.helper
    number = onnx.TensorProto.FLOAT
    shape = model.network.input_shape
    # ONNX has the channels before height and width.
    inputs = (shape[2], *shape[:2]) if len(shape) == 3 else shape
    described = helper.make_graph(
        graph.nodes,
        "DigitLab",
        [helper.make_tensor_value_info("input", number, ["n", *inputs])],
        [helper.make_tensor_value_info("output", number, ["n", model.network.outputs])],
        graph.arrays,
    )
    # Only the functions that are used: a file without them needs no domain of its own.
    used = {node.op_type for node in graph.nodes if node.domain == DOMAIN}
    file = helper.make_model(
        described,
        ir_version=IR_VERSION,
        producer_name="DigitLab",
        producer_version=VERSION,
        opset_imports=[
            helper.make_opsetid("", OPSET),
            *([helper.make_opsetid(DOMAIN, 1)] if used else []),
        ],
        functions=[function_of(cls) for cls in ACTIVATIONS.values() if cls.onnx in used],
    )
    texts = {
        "kind": model.kind,
        "network": model.network.text,
        "data": model.data,
        "classes": json.dumps(model.classes, ensure_ascii=False),
        "preprocessing": preprocessing_of(model.network),
    }
    helper.set_model_props(file, texts)
    return file
