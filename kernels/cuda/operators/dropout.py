"""Dropout and its gradient. `kernels.noise` decides which elements are dropped, so no mask is stored."""

from typing import Any

import numpy as np
from numba import float32

from kernels import noise
from kernels.activations import CODES
from kernels.cuda.operators.activations import derivative
from kernels.cuda.operators.base import OperatorGroup, flat
from kernels.cuda.toolkit import cuda, device_function, kernel, require_float32

_stream = device_function(noise.stream)
_draw = device_function(noise.draw)


@kernel()
def _dropout(x, threshold, scale, seed, layer, counters, out):  # noqa: ANN001, ANN202 - compiled
    """out[k] = x[k] · scale, or 0 where the noise of element k is below `threshold`; flat arrays."""
    k = cuda.grid(1)
    if k < out.shape[0]:
        key = _stream(seed, int(counters[1]), layer)
        out[k] = x[k] * scale if _draw(key, k) >= threshold else float32(0)


@kernel()
def _dropout_gradient(grad_y, threshold, scale, seed, layer, counters, y, code, out):  # noqa: ANN001, ANN202
    """out[k] = grad_y[k] · scale · f'(y[k]), or 0 where `_dropout` dropped element k; flat arrays."""
    k = cuda.grid(1)
    if k < out.shape[0]:
        key = _stream(seed, int(counters[1]), layer)
        out[k] = grad_y[k] * scale * derivative(y[k], code) if _draw(key, k) >= threshold else float32(0)


class DropoutOperators(OperatorGroup):
    """Dropout, see `kernels.device.Device`."""

    def dropout(self, x: Any, percent: int, seed: int, layer: int, counters: Any, out: Any) -> None:
        require_float32(x, out)
        arguments = (flat(x), *_threshold_and_scale(percent), seed, layer, counters, flat(out))
        self._launch_per_element(_dropout, out.size, arguments, (x, counters), (out,))

    def dropout_gradient(
        self,
        grad_y: Any,
        percent: int,
        seed: int,
        layer: int,
        counters: Any,
        y: Any,
        activation: str,
        out: Any,
    ) -> None:
        # With "linear", y may be None; the derivative is 1 and does not depend on it.
        y = grad_y if activation == "linear" else y
        require_float32(grad_y, y, out)
        arguments = (
            flat(grad_y), *_threshold_and_scale(percent), seed, layer, counters, flat(y), CODES[activation], flat(out)
        )  # fmt: skip
        self._launch_per_element(_dropout_gradient, out.size, arguments, (grad_y, y, counters), (out,))


def _threshold_and_scale(percent: int) -> tuple[int, np.float32]:
    return noise.threshold(percent), np.float32(100 / (100 - percent))
