"""The leaky rectified linear unit (Maas, Hannun, Ng 2013)."""

from typing import ClassVar

from kernels.activations.activation import LEAK, Activation, Number, Scalar


class LeakyReLU(Activation):
    """y = z, and 0.01 z below 0."""

    order = 3
    name = "leaky-relu"
    label = "leaky ReLU"
    numpy = f"(lambda z: np.where(z < 0, {LEAK} * z, z))({{z}})"
    javascript = f"z < 0 ? {LEAK} * z : z"
    torch = f"nn.LeakyReLU({LEAK})"
    onnx = "LeakyRelu"
    onnx_attributes: ClassVar = {"alpha": LEAK}

    @staticmethod
    def value(z: Scalar, number: Number) -> Scalar:
        return number(LEAK) * z if z < number(0) else z

    @staticmethod
    def derivative(y: Scalar, number: Number) -> Scalar:
        """0.01 or 1; y has the sign of z."""
        return number(LEAK) if y < number(0) else number(1)
