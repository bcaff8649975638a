"""The activations y = f(z) and their derivatives for one number, as compiled loops use them.

Comparisons are written so that NaN propagates, so that divergence is visible.
"""

from math import exp, tanh
from typing import Any

from kernels.activations import CLIPPED_LEAKY_RELU, LEAK, LEAKY_RELU, RELU, SIGMOID, TANH
from kernels.compiled import compiled


@compiled
def activate(z: Any, code: int) -> Any:
    """f(z) for the activation with this code (`kernels.activations.CODES`).

    sigmoid 1 / (1 + e⁻ᶻ); tanh; relu max(z, 0); leaky relu z, and 0.01 z below 0; clipped leaky relu also
    1 + 0.01 (z - 1) above 1; linear z.
    """
    if code == SIGMOID:
        return 1.0 / (1.0 + exp(-z))
    if code == TANH:
        return tanh(z)
    if code == RELU:
        return 0.0 if z < 0 else z
    if code == LEAKY_RELU:
        return LEAK * z if z < 0 else z
    if code == CLIPPED_LEAKY_RELU:
        if z < 0:
            return LEAK * z
        return 1.0 + LEAK * (z - 1.0) if z > 1 else z
    return z


@compiled
def derivative(y: Any, code: int) -> Any:
    """f'(z), computed from y = f(z), so that a layer need not keep z.

    Sigmoid: f' = e⁻ᶻ / (1 + e⁻ᶻ)² = y (1 - y), since 1 - y = e⁻ᶻ / (1 + e⁻ᶻ). Tanh: f' = 1 / cosh² z = 1 - y².
    The others are straight lines: f' is 1 or LEAK (0 for relu), and y has the sign of z. At a corner, where
    there is no derivative, the value is that of one side.
    """
    if code == SIGMOID:
        return y * (1.0 - y)
    if code == TANH:
        return 1.0 - y * y
    if code == RELU:
        return 1.0 if y > 0 else 0.0
    if code == LEAKY_RELU:
        return LEAK if y < 0 else 1.0
    if code == CLIPPED_LEAKY_RELU:
        return LEAK if y < 0 or y > 1 else 1.0
    return 1.0
