"""A leaky rectified linear unit that is also leaky above 1."""

from kernels.activations.activation import LEAK, Activation, Number, Scalar


class ClippedLeakyReLU(Activation):
    """y = 0.01 z below 0, z up to 1, 1 + 0.01 (z - 1) above."""

    order = 4
    name = "clipped-leaky-relu"
    label = "clipped leaky ReLU"
    numpy = f"(lambda z: {LEAK} * z + {1 - LEAK} * np.clip(z, 0, 1))({{z}})"
    javascript = f"z < 0 ? {LEAK} * z : z > 1 ? 1 + {LEAK} * (z - 1) : z"
    torch = "ClippedLeakyReLU()"
    torch_class = f'''
class ClippedLeakyReLU(nn.Module):
    """z between 0 and 1, with slope {LEAK} outside."""

    def forward(self, z):
        return {LEAK} * z + {1 - LEAK} * z.clamp(0, 1)

'''
    onnx = "ClippedLeakyRelu"
    onnx_function = (  # 0.01 z + 0.99 · clip(z, 0, 1)
        ("Constant", (), "zero", {"value_float": 0.0}),
        ("Constant", (), "one", {"value_float": 1.0}),
        ("Constant", (), "leak", {"value_float": LEAK}),
        ("Constant", (), "rest", {"value_float": 1 - LEAK}),
        ("Clip", ("z", "zero", "one"), "clipped", {}),
        ("Mul", ("clipped", "rest"), "inside", {}),
        ("Mul", ("z", "leak"), "outside", {}),
        ("Add", ("inside", "outside"), "y", {}),
    )

    @staticmethod
    def value(z: Scalar, number: Number) -> Scalar:
        high = number(1) + number(LEAK) * (z - number(1)) if z > number(1) else z
        return number(LEAK) * z if z < number(0) else high

    @staticmethod
    def derivative(y: Scalar, number: Number) -> Scalar:
        """0.01 or 1: y is below 0 or above 1 where z is."""
        return number(LEAK) if y < number(0) or y > number(1) else number(1)
