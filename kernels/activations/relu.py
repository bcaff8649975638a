"""The rectified linear unit (Nair, Hinton 2010)."""

from kernels.activations.activation import Activation, Number, Scalar


class ReLU(Activation):
    """y = max(z, 0)."""

    order = 2
    name = "relu"
    label = "ReLU"
    can_die = True
    numpy = "np.maximum({z}, 0)"
    javascript = "z < 0 ? 0 : z"
    torch = "nn.ReLU()"
    onnx = "Relu"

    @staticmethod
    def value(z: Scalar, number: Number) -> Scalar:
        return number(0) if z < number(0) else z

    @staticmethod
    def derivative(y: Scalar, number: Number) -> Scalar:
        """1 where y is positive, else 0, also at z = 0, where there is no derivative."""
        return number(1) if y > number(0) else number(0)
