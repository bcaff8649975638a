"""Dropout and its gradient. `kernels.noise` decides which elements are dropped, so no mask is
stored.
"""

from kernels import noise
from kernels.cuda.operators.activations import derivative
from kernels.cuda.operators.base import OperatorGroup
from kernels.cuda.toolkit import cuda, device_function, float32, kernel
from kernels.device import Array

_stream = device_function(noise.stream)
_draw = device_function(noise.draw)


@kernel()
def _dropout(x, threshold, scale, seed, layer, counters, out):  # noqa: ANN001, ANN202 - compiled
    """out[k] = x[k] · scale, or 0 where the noise of element k is below `threshold`; flat
    arrays.
    """
    k = cuda.grid(1)
    if k < out.shape[0]:
        key = _stream(seed, int(counters[1]), layer)
        out[k] = x[k] * scale if _draw(key, k) >= threshold else float32(0)


@kernel()
def _dropout_gradient(grad_y, threshold, scale, seed, layer, counters, y, code, out):  # noqa: ANN001, ANN202
    """out[k] = grad_y[k] · scale · f'(y[k]), or 0 where `_dropout` dropped element k; flat
    arrays.
    """
    k = cuda.grid(1)
    if k < out.shape[0]:
        key = _stream(seed, int(counters[1]), layer)
        out[k] = (
            grad_y[k] * scale * derivative(y[k], code) if _draw(key, k) >= threshold else float32(0)
        )


class DropoutOperators(OperatorGroup):
    """Dropout, see `kernels.device.Device`."""

    def dropout(
        self, x: Array, percent: int, seed: int, layer: int, counters: Array, out: Array
    ) -> None:
        arguments = (x, *_threshold_and_scale(percent), seed, layer, counters, out)
        self._launch_per_element(_dropout, arguments, (out,), flat=True)

    def dropout_gradient(
        self,
        grad_y: Array,
        percent: int,
        seed: int,
        layer: int,
        counters: Array,
        y: Array,
        activation: str,
        out: Array,
    ) -> None:
        y = grad_y if y is None else y  # of "linear", whose derivative is 1 everywhere
        arguments = (
            grad_y,
            *_threshold_and_scale(percent),
            seed,
            layer,
            counters,
            y,
            activation,
            out,
        )
        self._launch_per_element(_dropout_gradient, arguments, (out,), flat=True)


def _threshold_and_scale(percent: int) -> tuple[int, float]:
    return noise.threshold(percent), 100 / (100 - percent)
