"""No activation."""

from typing import Any

from kernels.activations.activation import Activation, Number


class Linear(Activation):
    """y = z. Files for PyTorch and ONNX have no operator for it."""

    order = 5
    name = "linear"
    label = "linear"
    numpy = "{z}"
    javascript = "z"

    @staticmethod
    def value(z: Any, number: Number) -> Any:
        return z

    @staticmethod
    def derivative(y: Any, number: Number) -> Any:
        return number(1)
