"""Dense layers as products by NumPy's BLAS, with the rest fused into one pass over the result.

NumPy hands a transposed view to BLAS as a flag: no transpose is ever copied.
"""

import numpy as np

from kernels.compiled import compiled_fast
from kernels.vectorized.activations import bias_and_activate, times_derivative


@compiled_fast
def _bias_gradient(dz: np.ndarray, out: np.ndarray) -> None:
    out[:] = 0
    for n in range(dz.shape[0]):
        for o in range(dz.shape[1]):
            out[o] += dz[n, o]


class DenseOperators:
    def dense(self, x: np.ndarray, w: np.ndarray, b: np.ndarray, activation: str, out: np.ndarray) -> None:
        np.matmul(x, w, out=out)
        bias_and_activate(out, b, activation)

    def dense_input_gradient(
        self, dz: np.ndarray, w: np.ndarray, y: np.ndarray, activation: str, out: np.ndarray
    ) -> None:
        if dz.shape[1] == 1:
            # NumPy hands a product over a single number to no BLAS.
            np.multiply(dz, w.T, out=out)
        else:
            np.matmul(dz, w.T, out=out)
        times_derivative(out, y, activation)

    def dense_weight_gradient(self, x: np.ndarray, dz: np.ndarray, out: np.ndarray) -> None:
        np.matmul(x.T, dz, out=out)

    def bias_gradient(self, dz: np.ndarray, out: np.ndarray) -> None:
        _bias_gradient(dz.reshape(-1, dz.shape[-1]), out)
