"""A Python script that reads a picture file and classifies it with NumPy and Pillow alone.

The parameters are in the script, as the last line: it is one file that cannot lose its parameters, and its code
stands above them.
"""

from typing import ClassVar

import numpy as np

from core.errors import InputError
from core.export.exporter import Exporter, ExportSource, activation_text, cannot_write, fold_temperature
from core.export.padding import image_padding
from core.export.picture_code import picture_code
from core.export.python_text import check_size, encoded
from core.inference.model_file import Model, reads_drawings
from core.network.layers import Layer, Shape
from core.network.layers.batch_norm import BatchNorm
from core.network.layers.convolution import Convolution
from core.network.layers.dense import Dense
from core.network.layers.dropout import Dropout
from core.network.layers.max_pool import MaxPool
from core.network.losses import find_loss
from core.network.parameters import views
from core.version import VERSION
from kernels.normalization import EPSILON

_HEAD = '''"""Classifies a picture: python THIS_FILE PICTURE. Needs NumPy and Pillow.
Network {network}, written by DigitLab {version}; its parameters are near the end of the file.
"""
import base64, sys
import numpy as np
from PIL import Image

CLASSES = {classes}
'''

_CONVOLUTION = """
def convolve(x, w, b, stride, zeros):  # x (height, width, channels), w (size, size, channels, maps)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, (*zeros, (0, 0))), w.shape[:2], (0, 1))
    return np.tensordot(windows[::stride, ::stride], w, ((3, 4, 2), (0, 1, 2))) + b
"""

_POOLING = """
def max_pool(x, k):
    height, width, maps = x.shape
    return x[: height // k * k, : width // k * k].reshape(height // k, k, width // k, k, maps).max((1, 3))
"""

_NETWORK = """
def network(x):  # the probability of each class for an image, (28, 28, 1) from 0 to 1
    p = np.frombuffer(base64.b64decode(PARAMETERS), "<f4")
    {layers}
    return {output}

PARAMETERS = {parameters}
if __name__ == "__main__":
    y = network(prepare(read_ink(sys.argv[1]))[:, :, None])
    print(", ".join(f"{{CLASSES[i]}} {{y[i]:.1%}}" for i in np.argsort(-y)[:3]))
"""


class NumpyScript(Exporter):
    """`python FILE PICTURE` prints the class. Dropout is left out."""

    order = 1
    suffix = ".py"
    title: ClassVar = "Python, NumPy only"

    def content(self, source: ExportSource) -> bytes:
        model = fold_temperature(source.model)
        if not reads_drawings(model.kind, model.network.input_shape):
            raise InputError(
                "A script reads pictures of 28x28, and this model does not: choose the suffix .onnx or .pt.py."
            )
        check_size(model)
        return _script(model).encode()


def _script(model: Model) -> str:
    network = model.network
    parameters = views(network, model.parameters)
    activations = network.activations(model.activation, find_loss(model.loss, model.kind))
    arrays: list[np.ndarray] = []
    lines = []
    for layer, shape, params, activation in zip(
        network.layers, network.shapes, parameters, activations, strict=False
    ):
        names = []
        for array in (params.weights, params.biases, params.means, params.variances) if params else ():
            if array is None:
                continue
            start = sum(a.size for a in arrays)
            names.append(
                f"p[{start}:{start + array.size}].reshape{array.shape}".removesuffix(
                    f".reshape({array.size},)"
                )
            )
            arrays.append(array)
        z = _layer_code(layer, shape, names)
        lines += [f"x = {activation_text(activation, 'numpy').format(z=z)}"] if z else []
    kinds = {type(layer) for layer in network.layers}
    head = _HEAD.format(network=network.text, version=VERSION, classes=ascii(list(model.classes)))
    layers = (_CONVOLUTION if Convolution in kinds else "") + (_POOLING if MaxPool in kinds else "")
    main = _NETWORK.format(layers="\n    ".join(lines), output=_output(model), parameters=encoded(arrays))
    return head + picture_code(model.classes) + layers + main


def _layer_code(layer: Layer, shape: Shape, parameters: list[str]) -> str:
    """The weighted sums, or the output, of a layer for `x` of `shape`; empty for dropout."""
    if isinstance(layer, Dense):
        return "x.ravel() @ {} + {}".format(*parameters)
    if isinstance(layer, Convolution):
        top, left, bottom, right = image_padding(layer, shape)
        return (
            "convolve(x, {}, {}, ".format(*parameters)
            + f"{layer.stride}, (({top}, {bottom}), ({left}, {right})))"
        )
    if isinstance(layer, MaxPool):
        return f"max_pool(x, {layer.block})"
    if isinstance(layer, BatchNorm):
        scale, shift, mean, variance = parameters
        return f"{scale} * (x - {mean}) / np.sqrt({variance} + {EPSILON}) + {shift}"
    if isinstance(layer, Dropout):
        return ""
    raise cannot_write(layer)


def _output(model: Model) -> str:
    if model.loss == "cross-entropy":
        return "np.exp(x - x.max()) / np.exp(x - x.max()).sum()"
    return "(np.maximum(x, 0) + 1e-12) / (np.maximum(x, 0) + 1e-12).sum()"
