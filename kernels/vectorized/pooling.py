"""Pooling and its gradients in vector lanes along the maps; blocks of images are divided among threads."""

import numpy as np

from kernels.compiled import compiled_fast
from kernels.vectorized.activations import times_derivative
from kernels.vectorized.instructions import InstructionDevice

# Bytes of a block of images: few enough that the next pass over them finds them in cache.
BLOCK_BYTES = 1 << 19


@compiled_fast
def _max_pool(x: np.ndarray, size: int, out: np.ndarray) -> None:
    images, rows, columns, maps = out.shape
    for n in range(images):
        for i in range(rows):
            for j in range(columns):
                for o in range(maps):
                    out[n, i, j, o] = x[n, i * size, j * size, o]
                for a in range(size):
                    for c in range(size):
                        for o in range(maps):
                            value = x[n, i * size + a, j * size + c, o]
                            largest = out[n, i, j, o]
                            # NaN is kept, so that a run that diverges shows it.
                            keep = (largest >= value) | (largest != largest)
                            out[n, i, j, o] = largest if keep else value


@compiled_fast
def _gradient(x: np.ndarray, y: np.ndarray, grad_y: np.ndarray, size: int, out: np.ndarray) -> None:
    images, height, width, maps = x.shape
    _, rows, columns, _ = y.shape
    zero = out.dtype.type(0)
    for n in range(images):
        for row in range(height):
            i = row // size
            for column in range(width):
                j = column // size
                if i < rows and j < columns:
                    for o in range(maps):
                        largest = x[n, row, column, o] == y[n, i, j, o]
                        out[n, row, column, o] = grad_y[n, i, j, o] if largest else zero
                else:
                    for o in range(maps):
                        out[n, row, column, o] = zero


@compiled_fast
def _average_pool(x: np.ndarray, size: int, out: np.ndarray) -> None:
    images, rows, columns, maps = out.shape
    share = out.dtype.type(1) / (size * size)
    for n in range(images):
        for i in range(rows):
            for j in range(columns):
                for o in range(maps):
                    out[n, i, j, o] = 0
                for a in range(size):
                    for c in range(size):
                        for o in range(maps):
                            out[n, i, j, o] += x[n, i * size + a, j * size + c, o]
                for o in range(maps):
                    out[n, i, j, o] *= share


@compiled_fast
def _average_gradient(grad_y: np.ndarray, size: int, out: np.ndarray) -> None:
    images, height, width, maps = out.shape
    _, rows, columns, _ = grad_y.shape
    share = out.dtype.type(1) / (size * size)
    for n in range(images):
        for row in range(height):
            i = row // size
            for column in range(width):
                j = column // size
                if i < rows and j < columns:
                    for o in range(maps):
                        out[n, row, column, o] = grad_y[n, i, j, o] * share
                else:
                    for o in range(maps):
                        out[n, row, column, o] = 0


class PoolingOperators(InstructionDevice):
    """Pooling; see `kernels.device` for formulas and shapes."""

    def max_pool(self, x: np.ndarray, size: int, out: np.ndarray) -> None:
        blocks = _blocks(x)
        self.pool.map(len(blocks), lambda _, piece: _max_pool(x[blocks[piece]], size, out[blocks[piece]]))

    def max_pool_gradient(
        self, x: np.ndarray, y: np.ndarray, grad_y: np.ndarray, size: int, activation: str, out: np.ndarray
    ) -> None:
        blocks = _blocks(x)
        maps = x.shape[3]

        def work(_: int, piece: int) -> None:
            block = blocks[piece]
            _gradient(x[block], y[block], grad_y[block], size, out[block])
            times_derivative(out[block].reshape(-1, maps), x[block].reshape(-1, maps), activation)

        self.pool.map(len(blocks), work)

    def average_pool(self, x: np.ndarray, size: int, out: np.ndarray) -> None:
        blocks = _blocks(x)

        def work(_: int, piece: int) -> None:
            _average_pool(x[blocks[piece]], size, out[blocks[piece]])

        self.pool.map(len(blocks), work)

    def average_pool_gradient(
        self, x: np.ndarray, grad_y: np.ndarray, size: int, activation: str, out: np.ndarray
    ) -> None:
        blocks = _blocks(x)
        maps = x.shape[3]

        def work(_: int, piece: int) -> None:
            block = blocks[piece]
            _average_gradient(grad_y[block], size, out[block])
            times_derivative(out[block].reshape(-1, maps), x[block].reshape(-1, maps), activation)

        self.pool.map(len(blocks), work)


def _blocks(x: np.ndarray) -> list[slice]:
    length = max(1, BLOCK_BYTES // max(1, x[0].nbytes))
    return [slice(first, first + length) for first in range(0, len(x), length)]
