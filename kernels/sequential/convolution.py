"""Convolutions and their gradients in plain loops (LeCun et al. 1989).

As usual for neural networks this is a cross-correlation: kernels are not flipped. Symbols: n
images, (h, w) pixels, c channels of the input, `maps` of the output, (k, l) the kernel's size, s
the stride, (t, u) the zeros above and to the left (`kernels.device`). Output pixel (i, j) sees the
input pixels (s·i + a - t, s·j + e - u) with 0 <= a < k and 0 <= e < l.
"""

import numpy as np

from kernels.activations import CODES
from kernels.compiled import compiled
from kernels.device import zeros_above_and_left
from kernels.sequential.activations import activate, derivative


@compiled
def _convolve(
    x: np.ndarray,
    w: np.ndarray,
    b: np.ndarray,
    stride: int,
    pad: tuple[int, int],
    code: int,
    out: np.ndarray,
) -> None:
    """out[n, i, j, o] = f(b[o] + Σ x[n, s·i + a - t, s·j + e - u, c] · w[a, e, c, o]) over a, e,
    c.
    """
    _, height, width, channels = x.shape
    tall, wide = w.shape[:2]
    images, rows, columns, maps = out.shape
    for n in range(images):
        for i in range(rows):
            for j in range(columns):
                for o in range(maps):
                    out[n, i, j, o] = b[o]
                for a in range(tall):
                    for c in range(wide):
                        row, column = i * stride + a - pad[0], j * stride + c - pad[1]
                        if 0 <= row < height and 0 <= column < width:
                            for channel in range(channels):
                                for o in range(maps):
                                    out[n, i, j, o] += (
                                        x[n, row, column, channel] * w[a, c, channel, o]
                                    )
                for o in range(maps):
                    out[n, i, j, o] = activate(out[n, i, j, o], code)


@compiled
def _input_gradient(
    grad_z: np.ndarray,
    w: np.ndarray,
    stride: int,
    pad: tuple[int, int],
    y: np.ndarray,
    code: int,
    out: np.ndarray,
) -> None:
    """out[n, p, q, c] = f'(y[n, p, q, c]) · Σ grad_z[n, i, j, o] · w[a, e, c, o].

    The sum is over o and the (i, j, a, e) for which output (i, j) has the input pixel (p, q) at (a,
    e) of its patch.
    """
    images, height, width, channels = out.shape
    tall, wide = w.shape[:2]
    _, rows, columns, maps = grad_z.shape
    for n in range(images):
        for row in range(height):
            for column in range(width):
                for channel in range(channels):
                    # 0.0 would make it a sum in float64.
                    total = grad_z.dtype.type(0)
                    for a in range(tall):
                        for c in range(wide):
                            # The output whose patch has this input at (a, c), if there is one.
                            i, j = row + pad[0] - a, column + pad[1] - c
                            if i % stride == 0 and j % stride == 0:
                                i, j = i // stride, j // stride
                                if 0 <= i < rows and 0 <= j < columns:
                                    for o in range(maps):
                                        total += grad_z[n, i, j, o] * w[a, c, channel, o]
                    out[n, row, column, channel] = total * derivative(
                        y[n, row, column, channel], code
                    )


@compiled
def _weight_gradient(
    x: np.ndarray, grad_z: np.ndarray, stride: int, pad: tuple[int, int], out: np.ndarray
) -> None:
    """out[a, e, c, o] = Σ x[n, s·i + a - t, s·j + e - u, c] · grad_z[n, i, j, o] over n, i, j."""
    _, height, width, channels = x.shape
    tall, wide = out.shape[:2]
    images, rows, columns, maps = grad_z.shape
    for a in range(tall):
        for c in range(wide):
            for channel in range(channels):
                for o in range(maps):
                    out[a, c, channel, o] = 0
            for n in range(images):
                for i in range(rows):
                    for j in range(columns):
                        row, column = i * stride + a - pad[0], j * stride + c - pad[1]
                        if 0 <= row < height and 0 <= column < width:
                            for channel in range(channels):
                                for o in range(maps):
                                    out[a, c, channel, o] += (
                                        x[n, row, column, channel] * grad_z[n, i, j, o]
                                    )


class ConvolutionOperators:
    """The operators of convolutional layers; the gradient by the biases is `bias_gradient` of
    grad_z.
    """

    def convolve(
        self,
        x: np.ndarray,
        w: np.ndarray,
        b: np.ndarray,
        stride: int,
        padding: str,
        activation: str,
        out: np.ndarray,
    ) -> None:
        """The layer's output: out (n, h', w', maps) from x (n, h, w, c), w (k, l, c, maps) and b
        (maps,).
        """
        _convolve(
            x,
            w,
            b,
            stride,
            zeros_above_and_left(x.shape, w.shape, stride, padding),
            CODES[activation],
            out,
        )

    def convolve_input_gradient(
        self,
        grad_z: np.ndarray,
        w: np.ndarray,
        stride: int,
        padding: str,
        y: np.ndarray,
        activation: str,
        out: np.ndarray,
    ) -> None:
        """The gradient by z of the layer below, out (n, h, w, c); y = f(z) is that layer's output.

        Derivation: input pixel (p, q) enters output (i, j) with the weight w[a, e], where s·i + a -
        t = p and s·j + e - u = q. By the chain rule ∂E/∂y[p, q, c] is the sum of grad_z[i, j, o] ·
        w[a, e, c, o] over all such (i, j), a, e and o: for each (a, e) there is at most one (i, j),
        i = (p + t - a) / s if that is an integer inside the output. Multiplying by f'(y) gives the
        gradient by z.
        """
        # With "linear" y may be None: `out` is passed instead, and its derivative is 1.
        y = out if activation == "linear" else y
        pad = zeros_above_and_left(out.shape, w.shape, stride, padding)
        _input_gradient(grad_z, w, stride, pad, y, CODES[activation], out)

    def convolve_weight_gradient(
        self, x: np.ndarray, grad_z: np.ndarray, stride: int, padding: str, out: np.ndarray
    ) -> None:
        """The gradient by the kernels: out (k, l, c, maps).

        Derivation: w[a, e, c, o] enters output (n, i, j, o) of every image and position with the
        factor x[n, s·i + a - t, s·j + e - u, c], so by the chain rule the gradient is the sum of
        the factor times grad_z.
        """
        _weight_gradient(
            x, grad_z, stride, zeros_above_and_left(x.shape, out.shape, stride, padding), out
        )
