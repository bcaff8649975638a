"""The hyperbolic tangent."""

import math

from kernels.activations.activation import Activation, Number, Scalar


class Tanh(Activation):
    """y = tanh z, from -1 to 1."""

    order = 1
    name = "tanh"
    label = "tanh"
    limits = (-1.0, 1.0)
    numpy = "np.tanh({z})"
    javascript = "Math.tanh(z)"
    torch = "nn.Tanh()"
    onnx = "Tanh"

    @staticmethod
    def value(z: Scalar, number: Number) -> Scalar:
        return number(math.tanh(z))

    @staticmethod
    def derivative(y: Scalar, number: Number) -> Scalar:
        """f' = 1 / cosh² z = 1 - y²."""
        return number(1) - y * y
