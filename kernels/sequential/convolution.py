"""Convolutions and their gradients in plain loops: the readable oracle.

What the field calls a convolution is a cross-correlation: kernels are not turned.
"""

import numpy as np

from kernels.activations import CODES
from kernels.compiled import compiled
from kernels.padding import zeros
from kernels.sequential.activations import activate, derivative


@compiled
def _convolve(
    x: np.ndarray, w: np.ndarray, b: np.ndarray, stride: int, pad: tuple[int, int], code: int, out: np.ndarray
) -> None:
    _, height, width, channels = x.shape
    size = w.shape[0]
    images, rows, columns, maps = out.shape
    for n in range(images):
        for i in range(rows):
            for j in range(columns):
                for o in range(maps):
                    out[n, i, j, o] = b[o]
                for a in range(size):
                    for c in range(size):
                        row, column = i * stride + a - pad[0], j * stride + c - pad[1]
                        if 0 <= row < height and 0 <= column < width:
                            for channel in range(channels):
                                for o in range(maps):
                                    out[n, i, j, o] += x[n, row, column, channel] * w[a, c, channel, o]
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
    images, height, width, channels = out.shape
    size = w.shape[0]
    _, rows, columns, maps = grad_z.shape
    for n in range(images):
        for row in range(height):
            for column in range(width):
                for channel in range(channels):
                    total = grad_z.dtype.type(0)
                    for a in range(size):
                        for c in range(size):
                            # The outputs that saw this input through w[a, c], where there are any.
                            i, j = row + pad[0] - a, column + pad[1] - c
                            if i % stride == 0 and j % stride == 0:
                                i, j = i // stride, j // stride
                                if 0 <= i < rows and 0 <= j < columns:
                                    for o in range(maps):
                                        total += grad_z[n, i, j, o] * w[a, c, channel, o]
                    out[n, row, column, channel] = total * derivative(y[n, row, column, channel], code)


@compiled
def _weight_gradient(
    x: np.ndarray, grad_z: np.ndarray, stride: int, pad: tuple[int, int], out: np.ndarray
) -> None:
    _, height, width, channels = x.shape
    size = out.shape[0]
    images, rows, columns, maps = grad_z.shape
    for a in range(size):
        for c in range(size):
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
                                    out[a, c, channel, o] += x[n, row, column, channel] * grad_z[n, i, j, o]


class ConvolutionOperators:
    def convolve(
        self, x: np.ndarray, w: np.ndarray, b: np.ndarray, stride: int, padding: str, activation: str,
        out: np.ndarray,
    ) -> None:  # fmt: skip
        _convolve(x, w, b, stride, zeros(x.shape, w.shape[0], stride, padding), CODES[activation], out)

    def convolve_input_gradient(
        self, grad_z: np.ndarray, w: np.ndarray, stride: int, padding: str, y: np.ndarray, activation: str,
        out: np.ndarray,
    ) -> None:  # fmt: skip
        # With "linear" y may be anything, even None: `out` stands in, times 1.
        y = out if activation == "linear" else y
        pad = zeros(out.shape, w.shape[0], stride, padding)
        _input_gradient(grad_z, w, stride, pad, y, CODES[activation], out)

    def convolve_weight_gradient(
        self, x: np.ndarray, grad_z: np.ndarray, stride: int, padding: str, out: np.ndarray
    ) -> None:
        _weight_gradient(x, grad_z, stride, zeros(x.shape, out.shape[0], stride, padding), out)
