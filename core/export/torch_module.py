"""A PyTorch module with its parameters, in one Python file."""

from typing import ClassVar

from core.export.channels_first import channels_first
from core.export.exporter import Exporter, ExportSource, activation_text, cannot_write, fold_temperature
from core.export.padding import image_padding
from core.export.python_text import check_size, encoded
from core.inference.model_file import Model
from core.network.layers import Layer, Shape
from core.network.layers.batch_norm import BatchNorm
from core.network.layers.convolution import Convolution
from core.network.layers.dense import Dense
from core.network.layers.dropout import Dropout
from core.network.layers.max_pool import MaxPool
from core.network.losses import find_loss
from core.version import VERSION
from kernels.activations import ACTIVATIONS
from kernels.normalization import EPSILON

_MODULE = '''"""The network {network} with its parameters, as a PyTorch module. Written by DigitLab {version}.

    network = load()                  # in evaluation mode
    network(x)                        # {output_note}
    network.{result}(x)
    safetensors.torch.save_file(network.state_dict(), "network.safetensors")   # DigitLab can import this

x: float32 {input_note}. {classes_note}
"""
import base64

import torch
from torch import nn

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
    print(load())
'''

# The running statistics of batch normalization are buffers; its number of batches is no float.
_WITH_STATISTICS = (
    "*network.parameters(), *(buffer for buffer in network.buffers() if buffer.is_floating_point())"
)


class TorchModule(Exporter):
    """Input: float32 (n, channels, height, width), pixels divided by 255, or (n, features)."""

    order = 2
    suffix = ".pt.py"
    title: ClassVar = "PyTorch module"

    def content(self, source: ExportSource) -> bytes:
        check_size(source.model)
        return _module(fold_temperature(source.model)).encode()


def _module(model: Model) -> str:
    network, is_image = model.network, len(model.network.input_shape) == 3
    activations = network.activations(model.activation, find_loss(model.loss, model.kind))
    modules = []
    flat = not is_image
    for layer, shape, activation in zip(network.layers, network.shapes, activations, strict=False):
        if isinstance(layer, Dense) and not flat:
            modules.append("nn.Flatten()")
            flat = True
        modules += _modules_of(layer, shape)
        if activation != "linear":
            modules.append(activation_text(activation, "torch"))
    layers = [arrays for arrays in channels_first(network, model.parameters) if arrays]
    arrays = [array for params in layers for array in params[:2]] + [
        array for params in layers for array in params[2:]
    ]
    normalizes = any(isinstance(layer, BatchNorm) for layer in network.layers)
    height, width, channels = network.input_shape if is_image else (0, 0, 0)
    classes = model.kind == "classes"
    return _MODULE.format(
        network=network.text,
        version=VERSION,
        classes=ascii(list(model.classes)),
        classes_note="The outputs are in the order of CLASSES." if classes else "The outputs are values.",
        input_note=f"(n, {channels}, {height}, {width}), pixels divided by 255" if is_image
        else f"(n, {network.input_shape[0]})",
        output_note="outputs before the softmax" if model.loss == "cross-entropy" else "outputs",
        result="probabilities" if classes else "values",
        output=_output(model),
        activation="".join(cls.torch_class for cls in ACTIVATIONS.values() if cls.torch in modules),
        layers=",\n            ".join(modules),
        tensors=_WITH_STATISTICS if normalizes else "*network.parameters()",
        parameters=encoded(arrays),
    )  # fmt: skip


def _modules_of(layer: Layer, shape: Shape) -> list[str]:
    """The PyTorch modules that compute a layer, without its activation."""
    if isinstance(layer, Dense):
        inputs = layer.weight_shape(shape)[0]
        return [f"nn.Linear({inputs}, {layer.units})"]
    if isinstance(layer, Convolution):
        top, left, bottom, right = image_padding(layer, shape)
        stride = f", stride={layer.stride}" if layer.stride != 1 else ""
        equal = (top, left) == (bottom, right)
        zeros = f", padding=({top}, {left})" if equal and (top, left) != (0, 0) else ""
        pad = [] if equal else [f"nn.ZeroPad2d(({left}, {right}, {top}, {bottom}))"]
        return [*pad, f"nn.Conv2d({shape[2]}, {layer.maps}, {layer.size}{stride}{zeros})"]
    if isinstance(layer, MaxPool):
        return [f"nn.MaxPool2d({layer.block})"]
    if isinstance(layer, BatchNorm):
        return [f"nn.BatchNorm{2 if len(shape) == 3 else 1}d({shape[-1]}, eps={EPSILON})"]
    if isinstance(layer, Dropout):
        return [f"nn.Dropout({layer.percent / 100})"]
    raise cannot_write(layer)


def _output(model: Model) -> str:
    if model.loss == "cross-entropy":
        return "return torch.softmax(self(x), 1)"
    if model.kind == "classes":
        return (
            "positive = torch.relu(self(x)) + 1e-12\n        return positive / positive.sum(1, keepdim=True)"
        )
    return "return self(x)"
