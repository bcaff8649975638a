"""The Gaussian error linear unit (Hendrycks, Gimpel 2016), in the form with tanh."""

import math
from typing import ClassVar

from kernels.activations.activation import Activation, Number, Scalar

SLOPE = math.sqrt(2 / math.pi)
CUBIC = 0.044715


class GELU(Activation):
    """y = ½ z (1 + tanh u), u = √(2/π) (z + 0.044715 z³): nearly z times the normal distribution
    function of z.
    """

    order = 6
    name = "gelu"
    label = "GELU"
    is_monotonic = False
    needs_z = True
    numpy = f"(lambda z: 0.5 * z * (1 + np.tanh({SLOPE} * (z + {CUBIC} * z**3))))({{z}})"
    javascript = f"0.5 * z * (1 + Math.tanh({SLOPE} * (z + {CUBIC} * z ** 3)))"
    torch = 'nn.GELU(approximate="tanh")'
    onnx = "GeluTanh"
    onnx_function: ClassVar = (
        ("Constant", (), "half", {"value_float": 0.5}),
        ("Constant", (), "one", {"value_float": 1.0}),
        ("Constant", (), "slope", {"value_float": SLOPE}),
        ("Constant", (), "cubic", {"value_float": CUBIC}),
        ("Mul", ("z", "z"), "square", {}),
        ("Mul", ("square", "z"), "cube", {}),
        ("Mul", ("cube", "cubic"), "small", {}),
        ("Add", ("z", "small"), "sum", {}),
        ("Mul", ("sum", "slope"), "u", {}),
        ("Tanh", ("u",), "t", {}),
        ("Add", ("t", "one"), "above", {}),
        ("Mul", ("above", "half"), "share", {}),
        ("Mul", ("z", "share"), "y", {}),
    )

    @staticmethod
    def value(z: Scalar, number: Number) -> Scalar:
        u = number(SLOPE) * (z + number(CUBIC) * z * z * z)
        return number(0.5) * z * (number(1) + number(math.tanh(u)))

    @staticmethod
    def derivative(z: Scalar, number: Number) -> Scalar:
        """f' = ½ (1 + t) + ½ z (1 - t²) du/dz with t = tanh u and du/dz = √(2/π) (1 + 3 · 0.044715
        z²).
        """
        t = number(math.tanh(number(SLOPE) * (z + number(CUBIC) * z * z * z)))
        slope = number(SLOPE) * (number(1) + number(3 * CUBIC) * z * z)
        return number(0.5) * (number(1) + t) + number(0.5) * z * (number(1) - t * t) * slope
