"""A Python script that reads a picture file and classifies it with NumPy and Pillow alone.

The parameters are in the script, as the last line: it is one file that cannot lose its parameters,
and its code stands above them.
"""

from textwrap import indent
from typing import ClassVar

import numpy as np

from core.errors import InputError
from core.export.exporter import (
    Exporter,
    ExportSource,
    activation_text,
    cannot_write,
    check_size,
    encoded,
)
from core.export.picture_code import READ_PICTURE, picture_code
from core.inference.model_file import Model, reads_drawings
from core.network.parameters import views
from core.version import VERSION

_HEAD = '''"""Classifies a picture: python THIS_FILE PICTURE. Needs NumPy and Pillow.
Network {network}, written by DigitLab {version}; its parameters are near the end of the file.
"""
import base64, sys
import numpy as np
from PIL import Image

CLASSES = {classes}
'''

_NETWORK = """
def network(x):  # the probability of each class for an image, (28, 28, 1) from 0 to 1
    p = np.frombuffer(base64.b64decode(PARAMETERS), "<f4")
    {layers}
    return {output}

PARAMETERS = {parameters}
if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"Give the path of a picture: python {{sys.argv[0]}} PICTURE")
{read}    y = network(prepare(ink)[:, :, None])
    print(", ".join(f"{{CLASSES[i]}} {{100 * y[i]:.1f}} %" for i in np.argsort(-y)[:3]))
"""


class NumpyScript(Exporter):
    """`python FILE PICTURE` prints the class. Dropout is left out."""

    order = 1
    suffix = ".py"
    title: ClassVar = "Python, NumPy only"
    use: ClassVar = (
        "Python runs it: with the name of a picture it says what the picture shows. Open does not "
        "read it; share a model of DigitLab for that."
    )

    def content(self, source: ExportSource) -> bytes:
        model = source.model.with_temperature_in_weights()
        if not reads_drawings(model.kind, model.network.input_shape):
            raise InputError(
                "A script reads pictures of 28x28, and this model does not: choose the suffix "
                ".onnx or .pt.py."
            )
        check_size(model)
        network = model.network
        parameters = views(network, model.parameters)
        arrays: list[np.ndarray] = []
        lines = []
        layers = zip(network.layers, network.shapes, parameters, model.activations, strict=False)
        for layer, shape, params, activation in layers:
            names = []
            for array in (
                (params.weights, params.biases, params.means, params.variances) if params else ()
            ):
                if array is None:
                    continue
                start = sum(a.size for a in arrays)
                shaped = f".reshape{array.shape}" if array.ndim > 1 else ""
                names.append(f"p[{start}:{start + array.size}]{shaped}")
                arrays.append(array)
            z = layer.numpy_code(shape, names)
            if z is None:
                raise cannot_write(layer.text)
            y = activation_text(activation, "numpy").format(z=z)
            lines += [f"x = {y}"] if y != "x" else []
        functions = {layer.numpy_function: None for layer in network.layers}  # each once, in order
        head = _HEAD.format(
            network=network.text, version=VERSION, classes=ascii(list(model.classes))
        )
        main = _NETWORK.format(
            layers="\n    ".join(lines),
            output=_output(model),
            parameters=encoded(arrays),
            read=indent(READ_PICTURE, "    "),
        )
        return (head + picture_code(model.classes) + "".join(functions) + main).encode()


def _output(model: Model) -> str:
    if model.loss == "cross-entropy":
        return "np.exp(x - x.max()) / np.exp(x - x.max()).sum()"
    return "(np.maximum(x, 0) + 1e-12) / (np.maximum(x, 0) + 1e-12).sum()"
