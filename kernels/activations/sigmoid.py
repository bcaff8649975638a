"""The logistic function."""

from math import exp

from kernels.activations.activation import Activation, Number, Scalar


class Sigmoid(Activation):
    """y = 1 / (1 + e⁻ᶻ), from 0 to 1."""

    order = 0
    name = "sigmoid"
    label = "sigmoid"
    limits = (0.0, 1.0)
    numpy = "0.5 + 0.5 * np.tanh(0.5 * ({z}))"  # exp(-z) would overflow
    javascript = "1 / (1 + Math.exp(-z))"
    torch = "nn.Sigmoid()"
    onnx = "Sigmoid"

    @staticmethod
    def value(z: Scalar, number: Number) -> Scalar:
        return number(1) / (number(1) + number(exp(-z)))

    @staticmethod
    def derivative(y: Scalar, number: Number) -> Scalar:
        """f' = e⁻ᶻ / (1 + e⁻ᶻ)² = y (1 - y), since 1 - y = e⁻ᶻ / (1 + e⁻ᶻ)."""
        return y * (number(1) - y)
