"""A PyTorch module with its parameters, in one Python file."""

from textwrap import indent
from typing import ClassVar

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
from core.network.parameters import channels_first
from core.version import VERSION
from kernels.activations import ACTIVATIONS

_MODULE = '''"""The network {network} with its parameters, as a PyTorch module. Written by DigitLab {version}.

    network = load()                  # in evaluation mode
    network(x)                        # {output_note}
    network.{result}(x)
    safetensors.torch.save_file(network.state_dict(), "network.safetensors")   # DigitLab can import this

x: float32 {input_note}. {classes_note}
"""
import base64

try:
    import torch
    from torch import nn
except ImportError:
    if __name__ != "__main__":
        raise
    raise SystemExit("PyTorch is not installed, which this network needs: python -m pip install torch") from None

CLASSES = {classes}

{activation}
class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            {layers},
        )

    def forward(self, x):
        return self.layers(x)

    def {result}(self, x):
        {output}


def load():
    """The trained network."""
    network = Network()
    values = torch.frombuffer(bytearray(base64.b64decode(PARAMETERS)), dtype=torch.float32)
    parameters = [{tensors}]
    sizes = [parameter.numel() for parameter in parameters]
    with torch.no_grad():
        for parameter, part in zip(parameters, values.split(sizes)):
            parameter.copy_(part.view_as(parameter))
    return network.eval()


PARAMETERS = {parameters}

if __name__ == "__main__":
{main}
'''
_READS_PICTURES = """\
# Run as a program: python FILE PICTURE. Needs NumPy and Pillow, unlike the module.
import os, sys

if len(sys.argv) != 2:
    sys.exit(f"Give the path of a picture: python {{sys.argv[0]}} PICTURE")
if not os.path.isfile(sys.argv[1]):
    sys.exit(f"There is no file {{sys.argv[1]}}: give the path of a picture.")
try:
    import numpy as np
    from PIL import Image
except ImportError as error:
    sys.exit(f"{{error.name}} is not installed, which reads pictures: python -m pip install numpy pillow")

{picture_code}

{read}
image = torch.from_numpy(prepare(ink)).reshape(1, 1, 28, 28)
with torch.no_grad():
    y = load().probabilities(image)[0].tolist()
best = sorted(range(len(y)), key=lambda index: -y[index])[:3]
print(", ".join(f"{{CLASSES[i]}} {{100 * y[i]:.1f}} %" for i in best))
"""
_READS_NONE = """\
import sys

if len(sys.argv) != 1:
    sys.exit("This network reads no pictures: import this file in Python, and call load().")
print(load())
"""

# The running statistics of batch normalization are buffers; its number of batches is no float.
_WITH_STATISTICS = (
    "*network.parameters(), *(buffer for buffer in network.buffers() if buffer.is_floating_point())"
)


class TorchModule(Exporter):
    """Input: float32 (n, channels, height, width), pixels divided by 255, or (n, features)."""

    order = 2
    suffix = ".pt.py"
    title: ClassVar = "PyTorch module"
    use: ClassVar = (
        "A program with PyTorch imports it: load() gives the network with its parameters. Open "
        "does not read it; share a model of DigitLab for that."
    )

    def content(self, source: ExportSource) -> bytes:
        check_size(source.model)
        model = source.model.with_temperature_in_weights()
        network = model.network
        is_image = len(model.network.input_shape) == 3
        modules: list[str] = []
        for layer, shape, activation in zip(
            network.layers, network.shapes, model.activations, strict=False
        ):
            of_layer = layer.torch_modules(shape)
            if of_layer is None:
                raise cannot_write(layer.text)
            modules += of_layer
            if activation != "linear":
                modules.append(activation_text(activation, "torch"))
        layers = [arrays for arrays in channels_first(network, model.parameters) if arrays]
        arrays = [
            array
            for part in (slice(2), slice(2, None))
            for params in layers
            for array in params[part]
        ]
        normalizes = any(layer.has_statistics for layer in network.layers)
        height, width, channels = network.input_shape if is_image else (0, 0, 0)
        classes = model.kind == "classes"
        return _MODULE.format(
            network=network.text,
            version=VERSION,
            classes=ascii(list(model.classes)),
            classes_note="The outputs are in the order of CLASSES."
            if classes
            else "The outputs are values.",
            input_note=f"(n, {channels}, {height}, {width}), pixels divided by 255"
            if is_image
            else f"(n, {network.input_shape[0]})",
            output_note="outputs before the softmax"
            if model.loss == "cross-entropy"
            else "outputs",
            result="probabilities" if classes else "values",
            output=_output(model),
            activation="".join(
                cls.torch_class for cls in ACTIVATIONS.values() if cls.torch in modules
            ),
            layers=",\n            ".join(modules),
            tensors=_WITH_STATISTICS if normalizes else "*network.parameters()",
            parameters=encoded(arrays),
            main=indent(_main(model).rstrip(), "    "),
        ).encode()


def _main(model: Model) -> str:
    """What the file does when it is run as a program."""
    if not reads_drawings(model.kind, model.network.input_shape):
        return _READS_NONE
    return _READS_PICTURES.format(
        picture_code=picture_code(model.classes).strip(), read=READ_PICTURE
    )


def _output(model: Model) -> str:
    if model.loss == "cross-entropy":
        return "return torch.softmax(self(x), 1)"
    if model.kind == "classes":
        y = "torch.relu(self(x)) + 1e-12"
        return f"positive = {y}\n        return positive / positive.sum(1, keepdim=True)"
    return "return self(x)"
