"""Dense layers as products by NumPy's BLAS, with the rest fused into one pass over the result.

NumPy hands a transposed view to BLAS as a flag: no transpose is ever copied. Where there is a crew, it shares
out what is large, in pieces that follow from the shapes alone, so that a sum's order does not depend on threads.
"""

import numpy as np

from kernels.compiled import compiled_fast
from kernels.vectorized.activations import bias_and_activate, times_derivative
from kernels.vectorized.thread_pool import PIECES, Crewed

# Numbers from which adding them up by pieces is worth waking the crew, about a third of a millisecond.
_WORTH_SHARING = 1 << 18


@compiled_fast
def loop_bias_gradient(grad_z: np.ndarray, out: np.ndarray) -> None:
    out[:] = 0
    for n in range(grad_z.shape[0]):
        for o in range(grad_z.shape[1]):
            out[o] += grad_z[n, o]


class DenseOperators(Crewed):
    def dense(self, x: np.ndarray, w: np.ndarray, b: np.ndarray, activation: str, out: np.ndarray) -> None:
        self.product(x, w, out)
        bias_and_activate(out, b, activation)

    def dense_input_gradient(
        self, grad_z: np.ndarray, w: np.ndarray, y: np.ndarray, activation: str, out: np.ndarray
    ) -> None:
        if grad_z.shape[1] == 1:
            # NumPy hands a product over a single number to no BLAS.
            np.multiply(grad_z, w.T, out=out)
        else:
            self.product(grad_z, w.T, out)
        times_derivative(out, y, activation)

    def dense_weight_gradient(self, x: np.ndarray, grad_z: np.ndarray, out: np.ndarray) -> None:
        self.product(x.T, grad_z, out)

    def bias_gradient(self, grad_z: np.ndarray, out: np.ndarray) -> None:
        rows = grad_z.reshape(-1, grad_z.shape[-1])
        if not self.has_crew or rows.size < _WORTH_SHARING:
            loop_bias_gradient(rows, out)
            return
        length = -(-len(rows) // PIECES)
        sums = self.pool.scratch(0, "bias", (PIECES, rows.shape[1]), rows.dtype)
        self.pool.share(
            PIECES,
            lambda _, piece: loop_bias_gradient(rows[piece * length : (piece + 1) * length], sums[piece]),
        )
        loop_bias_gradient(sums, out)
