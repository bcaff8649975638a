"""Dropout and its gradient in plain loops (Srivastava et al. 2014).

Whether an element is dropped follows from the seed, the step, the layer and the element's index
alone (`kernels.noise`), so the gradient computes it again and no mask is stored.
"""

import numpy as np

from kernels import noise
from kernels.activations import CODES
from kernels.compiled import compiled
from kernels.sequential.activations import derivative

_stream = compiled(noise.stream)
_draw = compiled(noise.draw)


@compiled
def _dropout(x: np.ndarray, dropped: int, scale: float, key: int, out: np.ndarray) -> None:
    factor = x.dtype.type(scale)
    for k in range(x.size):
        out[k] = x[k] * factor if _draw(key, k) >= dropped else 0


@compiled
def _gradient(
    grad_y: np.ndarray,
    dropped: int,
    scale: float,
    key: int,
    y: np.ndarray,
    code: int,
    out: np.ndarray,
) -> None:
    factor = grad_y.dtype.type(scale)
    for k in range(grad_y.size):
        out[k] = grad_y[k] * factor * derivative(y[k], code) if _draw(key, k) >= dropped else 0


class DropoutOperators:
    """Dropout of `percent` % of the elements; `counters[1]` is the number of steps done."""

    def dropout(
        self,
        x: np.ndarray,
        percent: int,
        seed: int,
        layer: int,
        counters: np.ndarray,
        out: np.ndarray,
    ) -> None:
        """out = x with `percent` % of the elements set to 0, the others times 100 / (100 -
        percent).

        The factor keeps the expected value of each element, so that inference needs no factor.
        """
        scale = 100 / (100 - percent)
        key = _stream(seed, int(counters[1]), layer)
        _dropout(x.reshape(-1), noise.threshold(percent), scale, key, out.reshape(-1))

    def dropout_gradient(
        self,
        grad_y: np.ndarray,
        percent: int,
        seed: int,
        layer: int,
        counters: np.ndarray,
        y: np.ndarray,
        activation: str,
        out: np.ndarray,
    ) -> None:
        """The gradient by z of the layer below; y is that layer's output, which is the input of
        dropout.

        Derivation: out[k] = s · y[k] for an element that is kept and 0 for one that is dropped, so
        by the chain rule ∂E/∂y[k] = s · grad_y[k] or 0, with s = 100 / (100 - percent). Multiplying
        by f'(y[k]) gives the gradient by z.
        """
        # With "linear" y may be None: `grad_y` is passed instead, and its derivative is 1.
        y = grad_y if activation == "linear" else y
        scale = 100 / (100 - percent)
        key = _stream(seed, int(counters[1]), layer)
        _gradient(
            grad_y.reshape(-1),
            noise.threshold(percent),
            scale,
            key,
            y.reshape(-1),
            CODES[activation],
            out.reshape(-1),
        )
