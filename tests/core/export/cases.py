"""Networks to export, images, and functions that compute what the exported files answer."""

import os
import sys
from importlib.util import find_spec

import numpy as np

from core.export import ExportSource, find_exporter
from core.inference.engine import Engine
from core.inference.model_file import Model
from core.network.notation import parse
from core.network.parameters import views
from kernels.activations import NAMES
from tests.core.network.layer_kinds import iter_layers

# A Python with PyTorch, None where there is none: it need not be the one that runs the tests.
TORCH_PYTHON = os.environ.get("DIGITLAB_TORCH_PYTHON") or (
    sys.executable if find_spec("torch") else None
)

TOGETHER = {
    "dense": ("784-20-10", "sigmoid", "cross-entropy"),
    "squared error": ("784-20-10", "clipped-leaky-relu", "squared-error"),
    "linear outputs": ("16N-10N:linear", "tanh", "squared-error"),
    "convolutions": ("6C5-MP2-D20-8C5:valid:tanh-MP3-12N:leaky-relu-10N", "relu", "cross-entropy"),
    "normalized": (
        "BN-4C3-BN-MP2-BN-5C3:relu-BN:tanh-MP3-12N-BN-10N",
        "leaky-relu",
        "cross-entropy",
    ),
    "strides": ("4C5:s2-6C3:s2:valid-5C7-10N", "leaky-relu", "cross-entropy"),
}
# Network, activation and loss: several layers together, every kind of layer alone, and every
# activation.
NETWORKS = {
    **TOGETHER,
    **{
        f"layer {layer.text}": (f"3C5:s2-{layer.text}-10N", "tanh", "cross-entropy")
        for layer in iter_layers()
    },
    **{f"activation {name}": (f"12N-9N:{name}-10N", name, "squared-error") for name in NAMES},
}


def make_model(name: str) -> Model:
    text, activation, loss = NETWORKS[name]
    network = parse(text, (28, 28, 1), 10)
    parameters = np.random.default_rng(3).normal(size=network.parameter_count) * 0.1
    for layer in views(network, parameters):
        if layer is not None and layer.variances is not None:
            layer.variances[:] = np.abs(layer.variances) + 0.01
    return Model(
        network=network,
        activation=activation,
        loss=loss,
        kind="classes",
        classes=tuple("0123456789"),
        parameters=parameters.astype(np.float32),
        data="mnist",
        temperature=1.3 if name == "strides" else 1.0,  # one of them is enough
    )


def make_value_model() -> Model:
    """A network that predicts a value from two numbers."""
    network = parse("2-8-1", (2,), 1)
    parameters = np.random.default_rng(4).normal(size=network.parameter_count).astype(np.float32)
    return Model(
        network=network, activation="tanh", loss="squared-error", kind="regression", classes=(),
        parameters=parameters, data="rastrigin:20",
    )  # fmt: skip


def some_images(count: int = 40) -> np.ndarray:
    """uint8 (count, 28, 28, 1): blots of random pixels."""
    random = np.random.default_rng(5)
    images = random.integers(0, 256, (count, 28, 28, 1)) * (random.random((count, 28, 28, 1)) < 0.4)
    return images.astype(np.uint8)


def answers(model: Model, inputs: np.ndarray) -> np.ndarray:
    """What the program answers."""
    engine = Engine(model, threads=1)
    try:
        return engine.predict(inputs)
    finally:
        engine.close()


def export_to(folder, model: Model, suffix: str):
    path = folder / f"model{suffix}"
    path.write_bytes(find_exporter(path).content(ExportSource(model)))
    return path


def as_tensor(inputs: np.ndarray) -> np.ndarray:
    """Images as PyTorch and ONNX take them."""
    if inputs.ndim != 4:
        return inputs.astype(np.float32)
    return np.ascontiguousarray(inputs.transpose(0, 3, 1, 2)) / np.float32(255)


def onnx_answers(path, inputs: np.ndarray) -> np.ndarray:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    parts = [as_tensor(inputs[start : start + 500]) for start in range(0, len(inputs), 500)]
    return np.concatenate([session.run(None, {"input": part})[0] for part in parts])
