"""The leaky rectified linear unit (Maas, Hannun, Ng 2013)."""

from typing import Any, ClassVar

from kernels.activations.activation import LEAK, Activation, Number


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
    def value(z: Any, number: Number) -> Any:
        return number(LEAK) * z if z < number(0) else z

    @staticmethod
    def derivative(y: Any, number: Number) -> Any:
        """0.01 or 1; y has the sign of z."""
        return number(LEAK) if y < number(0) else number(1)
