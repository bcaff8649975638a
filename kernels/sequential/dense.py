"""Dense (fully connected) layers in plain loops: y = f(z), z = x · w + b.

Symbols: n examples of a batch, i inputs, o outputs; E is the batch's loss, grad_z is ∂E/∂z.
"""

import numpy as np

from kernels.activations import CODES
from kernels.compiled import compiled, compiled_operator
from kernels.sequential.activations import activate, derivative


@compiled
def _dense(x: np.ndarray, w: np.ndarray, b: np.ndarray, code: int, out: np.ndarray) -> None:
    """out[n, o] = f(b[o] + Σᵢ x[n, i] · w[i, o])."""
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
def _input_gradient(
    grad_z: np.ndarray, w: np.ndarray, y: np.ndarray, code: int, out: np.ndarray
) -> None:
    """out[n, i] = (Σₒ grad_z[n, o] · w[i, o]) · f'(y[n, i])."""
    rows, units = grad_z.shape
    inputs = w.shape[0]
    for n in range(rows):
        for i in range(inputs):
            # 0.0 would make it a sum in float64.
            total = grad_z.dtype.type(0)
            for o in range(units):
                total += grad_z[n, o] * w[i, o]
            out[n, i] = total * derivative(y[n, i], code)


@compiled
def _bias_gradient(grad_z: np.ndarray, out: np.ndarray) -> None:
    """out[o] = Σₙ grad_z[n, o]."""
    rows, units = grad_z.shape
    for o in range(units):
        out[o] = 0
    for n in range(rows):
        for o in range(units):
            out[o] += grad_z[n, o]


class DenseOperators:
    """The operators of dense layers. Source: Rumelhart, Hinton and Williams (1986), with a batch's
    sums as products.
    """

    def dense(
        self, x: np.ndarray, w: np.ndarray, b: np.ndarray, activation: str, out: np.ndarray
    ) -> None:
        """The layer's output: out (n, o) = f(x (n, i) · w (i, o) + b (o,))."""
        _dense(x, w, b, CODES[activation], out)

    def dense_input_gradient(
        self, grad_z: np.ndarray, w: np.ndarray, y: np.ndarray, activation: str, out: np.ndarray
    ) -> None:
        """The gradient by z of the layer below: out (n, i) = (grad_z (n, o) · wᵀ) ⊙ f'(y (n, i)).

        Derivation: z[n, o] = b[o] + Σᵢ y[n, i] · w[i, o], where y is the output of the layer below.
        By the chain rule

            ∂E/∂y[n, i] = Σₒ ∂E/∂z[n, o] · ∂z[n, o]/∂y[n, i] = Σₒ grad_z[n, o] · w[i, o].

        Since y = f(z below), one more factor f'(z below) gives the gradient by the layer below's z.
        """
        # With "linear" y may be None: `out` is passed instead, and its derivative is 1.
        if activation == "linear":
            out.fill(0)
            y = out
        _input_gradient(grad_z, w, y, CODES[activation], out)

    @compiled_operator
    def dense_weight_gradient(x: np.ndarray, grad_z: np.ndarray, out: np.ndarray) -> None:
        """The gradient by the weights: out (i, o) = xᵀ (i, n) · grad_z (n, o).

        Derivation: w[i, o] enters z[n, o] of every example n, with ∂z[n, o]/∂w[i, o] = x[n, i]. By
        the chain rule ∂E/∂w[i, o] = Σₙ ∂E/∂z[n, o] · x[n, i].
        """
        rows, inputs = x.shape
        units = grad_z.shape[1]
        for i in range(inputs):
            for o in range(units):
                out[i, o] = 0
        for n in range(rows):
            for i in range(inputs):
                for o in range(units):
                    out[i, o] += x[n, i] * grad_z[n, o]

    def bias_gradient(self, grad_z: np.ndarray, out: np.ndarray) -> None:
        """The gradient by the biases: out (o,) = sum of grad_z (n, ..., o) over all axes but the
        last.

        Derivation: b[o] enters z[n, ..., o] of every example and position with the factor 1, so the
        chain rule gives the sum. A convolution's biases are the same case.
        """
        _bias_gradient(grad_z.reshape(-1, grad_z.shape[-1]), out)
