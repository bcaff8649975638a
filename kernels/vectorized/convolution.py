"""Convolutions on the CPU in blocks of images, which are divided among the threads of the pool.

A convolution of stride 1 with a kernel of 3 x 3, 5 x 5 or 7 x 7 is computed at points (`winograd`).
Every other one is a product of each row of outputs: the pixels under an output are k rows of l · c
numbers of the image, which are multiplied where they lie. Blocks and the order of all sums follow
from the shapes, not from the number of threads.
"""

from collections.abc import Callable
from math import prod

import numpy as np
from numpy.lib.stride_tricks import as_strided

from kernels.compiled import compiled_fast
from kernels.device import zeros_above_and_left
from kernels.vectorized import native, winograd
from kernels.vectorized.activations import bias_and_activate, times_derivative
from kernels.vectorized.instructions import InstructionDevice
from kernels.vectorized.vectors import LANES, multiply

# Bytes of the inputs and outputs of a block.
BLOCK_BYTES = 1 << 19
# Bytes of the values at points of a block whose products are summed: the more images a block has,
# the less often the sums are read and written.
SUM_BYTES = 1 << 21
# Sums over the batch are computed in up to this many parts at the same time; the parts are added in
# order.
PARTS = 8
PARTS_BYTES = 1 << 26
# With fewer channels than this, the sums of the products at points are too short to be fast.
MIN_CHANNELS = 4


def _by_points(kernel: tuple[int, ...], stride: int) -> bool:
    """Whether a kernel of this shape, (k, l, channels, maps), is computed at points."""
    rows, columns, channels, maps = kernel
    square = rows == columns and rows in winograd.SIZES
    is_long = min(channels, maps) >= MIN_CHANNELS
    return square and stride == 1 and is_long and native.find() is not None


def _blocks(count: int, bytes_of_one: int, most: int = BLOCK_BYTES) -> list[slice]:
    """0 .. count in slices of equal length (except the last) that need at most `most` bytes if more
    than one element.
    """
    length = min(count, max(1, most // bytes_of_one))
    return [slice(first, min(first + length, count)) for first in range(0, count, length)]


@compiled_fast
def _convolve(
    x: np.ndarray,
    w: np.ndarray,
    zeros: tuple[int, int],
    stride: int,
    padded: np.ndarray,
    out: np.ndarray,
) -> None:
    """out (n, h', w', maps) = x (n, h, w, c) by w (k, l·c, maps)."""
    line, pixel, number = padded.strides
    shape = out.shape[1], out.shape[2], w.shape[0], w.shape[1]
    # The pixels under each output, which share the memory of the image.
    windows = as_strided(padded, shape, (stride * line, stride * pixel, line, number))
    for n in range(len(x)):
        winograd.place(x[n], zeros[0], zeros[1], padded)
        for i in range(len(windows)):
            multiply(windows[i], w, out[n, i], False)


@compiled_fast
def _sum_windows(
    x: np.ndarray,
    grad_z: np.ndarray,
    zeros: tuple[int, int],
    stride: int,
    padded: np.ndarray,
    out: np.ndarray,
) -> None:
    """out (k, l·c, maps) += the pixels under each output times its gradient."""
    line, pixel, number = padded.strides
    shape = out.shape[0], out.shape[1], grad_z.shape[1], grad_z.shape[2]
    windows = as_strided(padded, shape, (line, number, stride * line, stride * pixel))
    for n in range(len(x)):
        winograd.place(x[n], zeros[0], zeros[1], padded)
        for a in range(len(windows)):
            multiply(windows[a], grad_z[n], out[a], True)


class ConvolutionOperators(InstructionDevice):
    """The operators of convolutional layers; see `kernels.device` for formulas and shapes."""

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
        zeros = zeros_above_and_left(x.shape, w.shape, stride, padding)
        correlate = self._correlation(w, zeros, stride, out.shape)

        def work(worker: int, block: slice) -> None:
            correlate(worker, x[block], out[block])
            bias_and_activate(out[block].reshape(-1, len(b)), b, activation)

        self._for_blocks_of(x, out, work)

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
        """The gradient is the convolution of grad_z with the flipped kernel, channels and maps
        exchanged.

        With a stride s, only every s-th row and column of the kernel meets an input: which ones
        depends on the remainder of the input's row and column by s.
        """
        above, left = zeros_above_and_left(out.shape, w.shape, stride, padding)
        parts = []
        for row in range(stride):
            for column in range(stride):
                i, a = divmod(row + above, stride)
                j, e = divmod(column + left, stride)
                kernel = w[a::stride, e::stride][::-1, ::-1].transpose(0, 1, 3, 2)
                zeros = len(kernel) - 1 - i, kernel.shape[1] - 1 - j
                parts.append((row, column, self._correlation(kernel, zeros, 1, out.shape)))
        lines = -1, out.shape[3]
        # With "linear" y is not read and may be None.
        below = out if activation == "linear" else y

        def work(worker: int, block: slice) -> None:
            for row, column, correlate in parts:
                correlate(worker, grad_z[block], out[block, row::stride, column::stride])
            times_derivative(out[block].reshape(lines), below[block].reshape(lines), activation)

        self._for_blocks_of(grad_z, out, work)

    def convolve_weight_gradient(
        self, x: np.ndarray, grad_z: np.ndarray, stride: int, padding: str, out: np.ndarray
    ) -> None:
        rows, columns, channels, maps = out.shape
        zeros = zeros_above_and_left(x.shape, out.shape, stride, padding)
        if not _by_points(out.shape, stride):
            shape = rows, columns * channels, maps

            def add(worker: int, block: slice, total: np.ndarray) -> None:
                padded = self._padded(worker, out.shape, stride, grad_z)
                _sum_windows(x[block], grad_z[block], zeros, stride, padded, total)

            blocks = _blocks(len(x), x[0].nbytes + grad_z[0].nbytes)
            np.copyto(out.reshape(shape), self._sum(blocks, shape, x.dtype, add))
            return

        m = winograd.outputs_of_tile(out.shape, grad_z.shape)

        def add_tiles(worker: int, block: slice, total: np.ndarray) -> None:
            tiles = self._tiles(worker, out.shape, m, grad_z[block], len(x[block]))
            winograd.sum_tiles(x[block], grad_z[block], zeros, m, tiles, total)

        matrix = winograd.kernel_matrix(rows, m, out.dtype)
        values = self._tiles(0, out.shape, m, grad_z, 1)[2:4]
        blocks = _blocks(len(x), sum(each.nbytes for each in values), SUM_BYTES)
        sums = self._sum(blocks, (len(matrix), channels, maps), x.dtype, add_tiles)
        np.matmul(matrix.T, sums.reshape(len(sums), -1), out=out.reshape(rows * columns, -1))

    def _correlation(
        self, w: np.ndarray, zeros: tuple[int, int], stride: int, outputs: tuple[int, ...]
    ) -> Callable[[int, np.ndarray, np.ndarray], None]:
        """A function of a worker, x (n, h, w, c) and out (n, h', w', maps) that fills `out`.

        `zeros` lie above and to the left of the images; `outputs`: the shape of all outputs.
        """
        rows, columns, channels, maps = w.shape
        if not _by_points(w.shape, stride):
            kernel = np.ascontiguousarray(w).reshape(rows, columns * channels, maps)

            def correlate(worker: int, x: np.ndarray, out: np.ndarray) -> None:
                padded = self._padded(worker, w.shape, stride, out)
                _convolve(x, kernel, zeros, stride, padded, out)

            return correlate
        m = winograd.outputs_of_tile(w.shape, outputs)
        matrix = winograd.kernel_matrix(rows, m, w.dtype)
        values = (matrix @ w.reshape(rows * columns, -1)).reshape(-1, channels, maps)

        def correlate_tiles(worker: int, x: np.ndarray, out: np.ndarray) -> None:
            tiles = self._tiles(worker, w.shape, m, out, 1)
            winograd.convolve_tiles(x, values, zeros, m, tiles, out)

        return correlate_tiles

    def _padded(
        self, worker: int, kernel: tuple[int, ...], stride: int, outputs: np.ndarray
    ) -> np.ndarray:
        """Memory for an image and the zeros around it that such outputs (n, h', w', maps) see."""
        _, height, width, _ = outputs.shape
        rows, columns, channels, _ = kernel
        shape = (height - 1) * stride + rows, (width - 1) * stride + columns, channels
        return self.pool.scratch(worker, "padded", shape, outputs.dtype)

    def _tiles(
        self, worker: int, kernel: tuple[int, ...], m: int, outputs: np.ndarray, images: int
    ) -> tuple[np.ndarray, ...]:
        """A worker's memory for `winograd`, with the values at the points of so many images."""
        _, height, width, maps = outputs.shape
        size, _, channels, _ = kernel
        points = m + size - 1
        down = -(-height // m)
        across = -(-width // m)
        # Whole vectors of channels and of maps.
        channels = -(-channels // LANES) * LANES
        maps = -(-maps // LANES) * LANES
        columns = across * m + size - 1
        shapes = {
            "padded": (down * m + size - 1, columns, channels),
            "lines": (points * columns * max(channels, maps),),
            "values": (images * down * across, points**2 + 1, channels),
            "products": (images * down * across, points**2 + 1, maps),
            "outputs": (down * m, across * m, maps),
        }
        return tuple(
            self.pool.scratch(worker, name, shape, outputs.dtype) for name, shape in shapes.items()
        )

    def _for_blocks_of(
        self, inputs: np.ndarray, outputs: np.ndarray, work: Callable[[int, slice], None]
    ) -> None:
        """work(worker, block) for blocks of images, on the threads of the pool."""
        blocks = _blocks(len(inputs), inputs[0].nbytes + outputs[0].nbytes)
        self.pool.map(len(blocks), lambda worker, piece: work(worker, blocks[piece]))

    def _sum(
        self,
        blocks: list[slice],
        shape: tuple[int, ...],
        dtype: np.dtype,
        work: Callable[[int, slice, np.ndarray], None],
    ) -> np.ndarray:
        """The sum of what work(worker, block, total) adds to its totals, in an order that follows
        from the blocks.
        """
        room = PARTS_BYTES // (prod(shape) * dtype.itemsize)
        count = max(1, min(PARTS, room, len(blocks)))
        parts = self.pool.scratch(0, "parts", (count, *shape), dtype)

        def add(worker: int, piece: int) -> None:
            parts[piece] = 0
            for block in blocks[piece::count]:
                work(worker, block, parts[piece])

        self.pool.map(count, add)
        for part in parts[1:]:
            np.add(parts[0], part, out=parts[0])
        return parts[0]
