"""Dropout and its gradient in plain loops; the noise says who is dropped, so no mask is kept."""

import numpy as np

from kernels import noise
from kernels.activations import CODES
from kernels.compiled import compiled
from kernels.sequential.activations import derivative

_stream = compiled(noise.stream)
_draw = compiled(noise.draw)


@compiled
def _dropout(
    x: np.ndarray, dropped: int, scale: float, seed: int, layer: int, counters: np.ndarray, out: np.ndarray
) -> None:
    key = _stream(seed, int(counters[1]), layer)
    kept = x.dtype.type(scale)
    for k in range(x.size):
        out[k] = x[k] * kept if _draw(key, k) >= dropped else 0


@compiled
def _gradient(
    grad_y: np.ndarray, dropped: int, scale: float, seed: int, layer: int, counters: np.ndarray, y: np.ndarray,
    code: int, out: np.ndarray,
) -> None:  # fmt: skip
    key = _stream(seed, int(counters[1]), layer)
    kept = grad_y.dtype.type(scale)
    for k in range(grad_y.size):
        out[k] = grad_y[k] * kept * derivative(y[k], code) if _draw(key, k) >= dropped else 0


class DropoutOperators:
    def dropout(
        self, x: np.ndarray, percent: int, seed: int, layer: int, counters: np.ndarray, out: np.ndarray
    ) -> None:
        scale = 100 / (100 - percent)
        _dropout(x.reshape(-1), noise.threshold(percent), scale, seed, layer, counters, out.reshape(-1))

    def dropout_gradient(
        self, grad_y: np.ndarray, percent: int, seed: int, layer: int, counters: np.ndarray, y: np.ndarray,
        activation: str, out: np.ndarray,
    ) -> None:  # fmt: skip
        # With "linear" y is not to be read and may be anything: dy stands in, times 1.
        y = grad_y if activation == "linear" else y
        scale = 100 / (100 - percent)
        _gradient(
            grad_y.reshape(-1), noise.threshold(percent), scale, seed, layer, counters, y.reshape(-1),
            CODES[activation], out.reshape(-1),
        )  # fmt: skip
