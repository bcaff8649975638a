"""No activation."""

from kernels.activations.activation import Activation, Number, Scalar


class Linear(Activation):
    """y = z. Files for PyTorch and ONNX have no operator for it."""

    order = 5
    name = "linear"
    label = "linear"
    numpy = "{z}"
    javascript = "z"

    @staticmethod
    def value(z: Scalar, number: Number) -> Scalar:
        return z

    @staticmethod
    def derivative(y: Scalar, number: Number) -> Scalar:
        return number(1)
