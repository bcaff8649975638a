"""Dense layers in plain loops: the readable oracle."""

import numpy as np

from kernels.activations import CODES
from kernels.compiled import compiled
from kernels.sequential.activations import activate, derivative


@compiled
def _dense(x: np.ndarray, w: np.ndarray, b: np.ndarray, code: int, out: np.ndarray) -> None:
    rows, inputs = x.shape
    units = w.shape[1]
    for n in range(rows):
        for o in range(units):
            out[n, o] = b[o]
        for i in range(inputs):
            for o in range(units):
                out[n, o] += x[n, i] * w[i, o]
        for o in range(units):
            out[n, o] = activate(out[n, o], code)


@compiled
def _input_gradient(grad_z: np.ndarray, w: np.ndarray, y: np.ndarray, code: int, out: np.ndarray) -> None:
    rows, units = grad_z.shape
    inputs = w.shape[0]
    for n in range(rows):
        for i in range(inputs):
            total = grad_z.dtype.type(0)
            for o in range(units):
                total += grad_z[n, o] * w[i, o]
            out[n, i] = total * derivative(y[n, i], code)


@compiled
def _weight_gradient(x: np.ndarray, grad_z: np.ndarray, out: np.ndarray) -> None:
    rows, inputs = x.shape
    units = grad_z.shape[1]
    for i in range(inputs):
        for o in range(units):
            out[i, o] = 0
    for n in range(rows):
        for i in range(inputs):
            for o in range(units):
                out[i, o] += x[n, i] * grad_z[n, o]


@compiled
def _bias_gradient(grad_z: np.ndarray, out: np.ndarray) -> None:
    rows, units = grad_z.shape
    for o in range(units):
        out[o] = 0
    for n in range(rows):
        for o in range(units):
            out[o] += grad_z[n, o]


class DenseOperators:
    def dense(self, x: np.ndarray, w: np.ndarray, b: np.ndarray, activation: str, out: np.ndarray) -> None:
        _dense(x, w, b, CODES[activation], out)

    def dense_input_gradient(
        self, grad_z: np.ndarray, w: np.ndarray, y: np.ndarray, activation: str, out: np.ndarray
    ) -> None:
        # With "linear" y is not to be read and may be anything: `out` stands in, times 1.
        if activation == "linear":
            out.fill(0)
            y = out
        _input_gradient(grad_z, w, y, CODES[activation], out)

    def dense_weight_gradient(self, x: np.ndarray, grad_z: np.ndarray, out: np.ndarray) -> None:
        _weight_gradient(x, grad_z, out)

    def bias_gradient(self, grad_z: np.ndarray, out: np.ndarray) -> None:
        _bias_gradient(grad_z.reshape(-1, grad_z.shape[-1]), out)
