"""No activation."""

from collections.abc import Callable
from typing import Any

from kernels.activations.activation import Activation


class Linear(Activation):
    """y = z. Files for PyTorch and ONNX have no operator for it."""

    order = 5
    name = "linear"
    label = "linear"
    numpy = "{z}"

    @staticmethod
    def value(z: Any, number: Callable[[Any], Any]) -> Any:
        return z

    @staticmethod
    def derivative(y: Any, number: Callable[[Any], Any]) -> Any:
        return number(1)
