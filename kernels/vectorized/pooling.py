"""Pooling and its gradients in vector lanes along the maps; blocks of images are divided among
threads.
"""

from collections.abc import Callable

import numpy as np

from kernels.compiled import compiled_fast
from kernels.device import Size, sides
from kernels.vectorized.activations import times_derivative
from kernels.vectorized.instructions import InstructionDevice

# Bytes of a block of images: few enough that the next pass over them finds them in cache.
BLOCK_BYTES = 1 << 19


@compiled_fast
def _max_pool(x: np.ndarray, size: tuple[int, int], out: np.ndarray) -> None:
    images, rows, columns, maps = out.shape
    for n in range(images):
        for i in range(rows):
            for j in range(columns):
                for o in range(maps):
                    out[n, i, j, o] = x[n, i * size[0], j * size[1], o]
                for a in range(size[0]):
                    for c in range(size[1]):
                        for o in range(maps):
                            value = x[n, i * size[0] + a, j * size[1] + c, o]
                            largest = out[n, i, j, o]
                            # NaN is kept, so that a run that diverges shows it.
                            keep = (largest >= value) | (largest != largest)
                            out[n, i, j, o] = largest if keep else value


@compiled_fast
def _gradient(
    x: np.ndarray, y: np.ndarray, grad_y: np.ndarray, size: tuple[int, int], out: np.ndarray
) -> None:
    images, height, width, maps = x.shape
    _, rows, columns, _ = y.shape
    zero = out.dtype.type(0)
    for n in range(images):
        for row in range(height):
            i = row // size[0]
            for column in range(width):
                j = column // size[1]
                if i < rows and j < columns:
                    for o in range(maps):
                        largest = x[n, row, column, o] == y[n, i, j, o]
                        out[n, row, column, o] = grad_y[n, i, j, o] if largest else zero
                else:
                    for o in range(maps):
                        out[n, row, column, o] = zero


@compiled_fast
def _average_pool(x: np.ndarray, size: tuple[int, int], out: np.ndarray) -> None:
    images, rows, columns, maps = out.shape
    share = out.dtype.type(1) / (size[0] * size[1])
    for n in range(images):
        for i in range(rows):
            for j in range(columns):
                for o in range(maps):
                    out[n, i, j, o] = 0
                for a in range(size[0]):
                    for c in range(size[1]):
                        for o in range(maps):
                            out[n, i, j, o] += x[n, i * size[0] + a, j * size[1] + c, o]
                for o in range(maps):
                    out[n, i, j, o] *= share


@compiled_fast
def _average_gradient(grad_y: np.ndarray, size: tuple[int, int], out: np.ndarray) -> None:
    images, height, width, maps = out.shape
    _, rows, columns, _ = grad_y.shape
    share = out.dtype.type(1) / (size[0] * size[1])
    for n in range(images):
        for row in range(height):
            i = row // size[0]
            for column in range(width):
                j = column // size[1]
                if i < rows and j < columns:
                    for o in range(maps):
                        out[n, row, column, o] = grad_y[n, i, j, o] * share
                else:
                    for o in range(maps):
                        out[n, row, column, o] = 0


class PoolingOperators(InstructionDevice):
    """Pooling; see `kernels.device` for formulas and shapes."""

    def max_pool(self, x: np.ndarray, size: Size, out: np.ndarray) -> None:
        self._for_blocks(x, lambda block: _max_pool(x[block], sides(size), out[block]))

    def max_pool_gradient(
        self,
        x: np.ndarray,
        y: np.ndarray,
        grad_y: np.ndarray,
        size: Size,
        activation: str,
        out: np.ndarray,
    ) -> None:
        def work(block: slice) -> None:
            _gradient(x[block], y[block], grad_y[block], sides(size), out[block])
            _times_derivative(out[block], x[block], activation)

        self._for_blocks(x, work)

    def average_pool(self, x: np.ndarray, size: Size, out: np.ndarray) -> None:
        self._for_blocks(x, lambda block: _average_pool(x[block], sides(size), out[block]))

    def average_pool_gradient(
        self, x: np.ndarray, grad_y: np.ndarray, size: Size, activation: str, out: np.ndarray
    ) -> None:
        def work(block: slice) -> None:
            _average_gradient(grad_y[block], sides(size), out[block])
            _times_derivative(out[block], x[block], activation)

        self._for_blocks(x, work)

    def _for_blocks(self, x: np.ndarray, work: Callable[[slice], None]) -> None:
        """work(block) for every block of images of x, on the threads of the pool."""
        length = max(1, BLOCK_BYTES // max(1, x[0].nbytes))
        blocks = [slice(first, first + length) for first in range(0, len(x), length)]

        def work_piece(_: int, piece: int) -> None:
            work(blocks[piece])

        self.pool.map(len(blocks), work_piece)


def _times_derivative(out: np.ndarray, x: np.ndarray, activation: str) -> None:
    """out = out ⊙ f'(x), both (n, h, w, maps)."""
    maps = x.shape[3]
    times_derivative(out.reshape(-1, maps), x.reshape(-1, maps), activation)
