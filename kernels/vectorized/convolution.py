"""Convolutions on the CPU in blocks of images that stay in cache; the blocks are divided among the
threads of the pool.

A thread takes a block through all operations (patches or Winograd points, product, back, bias and
activation) before it begins the next one. Blocks and the order of all sums follow from the shapes,
not from the number of threads. A convolution of stride 1 with a kernel of 3 x 3, 5 x 5 or 7 x 7 is
computed at points (`winograd`), every other one from patches: the inputs under each output, k x l x
c of them, as a matrix (im2col).
"""

from collections.abc import Callable
from math import prod

import numpy as np

from kernels.compiled import compiled_fast, compiled_part
from kernels.device import zeros_above_and_left
from kernels.vectorized import winograd
from kernels.vectorized.activations import bias_and_activate, times_derivative
from kernels.vectorized.instructions import InstructionDevice
from kernels.vectorized.native import copy_sixteen

# Bytes of scratch memory of a block: half of a usual second-level cache.
BLOCK_BYTES = 1 << 20
# Sums over the batch are computed in up to this many parts at the same time; the parts are added in
# order.
PARTS = 8
PARTS_BYTES = 1 << 26
# With fewer channels than this, the sums of the products at points are too short to be fast.
MIN_CHANNELS = 4
# Products are cut into pieces of few rows, below the size from which OpenBLAS uses several threads.
# The pieces are part of the result: OpenBLAS rounds small products in another way than large ones.
# Multiply-adds of a piece: up to here OpenBLAS uses one thread (SMP_THRESHOLD_MIN ·
# GEMM_MULTITHREAD_THRESHOLD).
PIECE_PRODUCTS = 1 << 18
# With fewer rows than this, pieces are slower than the whole product.
MIN_PIECE_ROWS = 16

Finish = Callable[[np.ndarray, slice], None]


def _by_points(kernel: tuple[int, ...], stride: int) -> bool:
    """Whether a kernel of this shape, (k, l, channels, maps), is computed at points."""
    rows, columns, channels, maps = kernel
    square = rows == columns and rows in winograd.SIZES
    return square and stride == 1 and min(channels, maps) >= MIN_CHANNELS


def _blocks(count: int, bytes_of_one: int) -> list[slice]:
    """0 .. count in slices of equal length (except the last) that need at most BLOCK_BYTES if more
    than one element.
    """
    length = min(count, max(1, BLOCK_BYTES // bytes_of_one))
    return [slice(first, min(first + length, count)) for first in range(0, count, length)]


@compiled_fast
def _gather_rows(
    x: np.ndarray,
    first: int,
    rows: int,
    columns: int,
    stride: int,
    pad: tuple[int, int],
    size: tuple[int, int],
    out: np.ndarray,
) -> None:
    """out (r·columns, k·l·c) = the patches of r rows of outputs, from row `first` of all images on.

    x is (n, h, w, c), (k, l) is `size`, `rows` and `columns` are the outputs of one image; outside
    an image there are zeros. For many channels.
    """
    _, height, width, channels = x.shape
    for r in range(out.shape[0] // columns):
        image = (first + r) // rows
        i = (first + r) % rows
        for j in range(columns):
            patch = out[r * columns + j]
            left = j * stride - pad[1]
            # Of the patch's columns those from low to high lie inside the image.
            low = max(0, -left)
            high = min(size[1], width - left)
            for a in range(size[0]):
                row = i * stride - pad[0] + a
                to = a * size[1] * channels
                if row < 0 or row >= height:
                    patch[to : to + size[1] * channels] = 0
                else:
                    patch[to : to + low * channels] = 0
                    for e in range(max(low, 0), high):
                        start = to + e * channels
                        pixel = x[image, row, left + e]
                        for channel in range(channels):
                            patch[start + channel] = pixel[channel]
                    patch[to + high * channels : to + size[1] * channels] = 0


@compiled_part
def _copy_line(source: np.ndarray, at: int, target: np.ndarray, to: int, count: int) -> None:
    """target[to : to + count] = source[at : at + count]; the last vector may lie over the one
    before it.
    """
    if count >= 16:
        for first in range(0, count - 16, 16):
            copy_sixteen(source, at + first, target, to + first)
        copy_sixteen(source, at + count - 16, target, to + count - 16)
    else:
        for i in range(count):
            target[to + i] = source[at + i]


@compiled_fast
def _gather_columns(
    x: np.ndarray,
    first: int,
    rows: int,
    columns: int,
    stride: int,
    pad: tuple[int, int],
    size: tuple[int, int],
    out: np.ndarray,
) -> None:
    """`_gather_rows`, transposed: out (k·l·c, r·columns). For few channels: neighboring outputs are
    one copy.
    """
    _, height, width, channels = x.shape
    pixels = x.reshape(-1)
    places = out.reshape(-1)
    # With indices that the compiler knows are not negative, it omits the test for indices from the
    # end.
    columns = max(columns, 0)
    step = stride * channels  # from the pixel of an output to that of the next
    # For each column of the kernel: the outputs from low to high see a pixel there, the others
    # zeros.
    lows = np.empty(size[1], np.int64)
    highs = np.empty(size[1], np.int64)
    for e in range(size[1]):
        lows[e] = min(columns, max(0, -((e - pad[1]) // stride)))
        highs[e] = max(lows[e], min(columns, (width - 1 - e + pad[1]) // stride + 1))
    for r in range(out.shape[1] // columns):
        image = (first + r) // rows
        i = (first + r) % rows
        at = r * columns
        for a in range(size[0]):
            row = i * stride - pad[0] + a
            inside = 0 <= row < height
            for e in range(size[1]):
                low = lows[e]
                high = highs[e] if inside else low
                start = max(low * stride + e - pad[1], 0)
                for channel in range(channels):
                    line = (a * size[1] + e) * channels + channel
                    for j in range(low):
                        out[line, at + j] = 0
                    pixel = max(((image * height + row) * width + start) * channels + channel, 0)
                    place = max(line * out.shape[1] + at + low, 0)
                    if channels == 1 and stride == 1:
                        _copy_line(pixels, pixel, places, place, high - low)
                    else:
                        for j in range(high - low):
                            places[place + j] = pixels[pixel + j * step]
                    for j in range(high, columns):
                        out[line, at + j] = 0


@compiled_fast
def _add_patches(
    patches: np.ndarray,
    rows: int,
    columns: int,
    stride: int,
    pad: tuple[int, int],
    size: tuple[int, int],
    out: np.ndarray,
) -> None:
    """out (n, h, w, c) = the sum of what patches (n·rows·columns, k·l·c) hold for each input."""
    images, height, width, channels = out.shape
    out[:] = 0
    for image in range(images):
        for i in range(rows):
            for j in range(columns):
                at = (image * rows + i) * columns + j
                left = j * stride - pad[1]
                for a in range(size[0]):
                    row = i * stride - pad[0] + a
                    if 0 <= row < height:
                        for e in range(max(0, -left), min(size[1], width - left)):
                            start = (a * size[1] + e) * channels
                            for channel in range(channels):
                                out[image, row, left + e, channel] += patches[at, start + channel]


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
        maps = w.shape[3]
        pad = zeros_above_and_left(x.shape, w.shape, stride, padding)
        if _by_points(w.shape, stride):
            values = self._kernel_values(w, flipped=False)
            self._convolve_points(
                x,
                values,
                w.shape[0],
                pad,
                out,
                lambda part, _: bias_and_activate(part, b, activation),
            )
            return
        rows, columns = out.shape[1:3]
        kernel = w.reshape(-1, maps)
        lines = out.reshape(-1, columns * maps)
        blocks = _blocks(len(lines), columns * kernel.shape[0] * x.itemsize)

        def work(worker: int, piece: int) -> None:
            block = blocks[piece]
            part = lines[block].reshape(-1, maps)
            patches = self._patches(worker, x, block, (rows, columns), stride, pad, w.shape[:2])
            _product(patches, kernel, out=part)
            bias_and_activate(part, b, activation)

        self.pool.map(len(blocks), work)

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
        tall, wide, channels, maps = w.shape
        pad = zeros_above_and_left(out.shape, w.shape, stride, padding)

        def finish(part: np.ndarray, block: slice) -> None:
            if activation != "linear":
                times_derivative(part, y[block].reshape(-1, channels), activation)

        if _by_points(w.shape, stride):
            # The gradient is the convolution of grad_z with the flipped kernel, channels and maps
            # exchanged.
            flipped = self._kernel_values(w, flipped=True)
            values = self.pool.scratch(0, "flipped", (len(flipped), maps, channels), w.dtype)
            np.copyto(values, flipped.transpose(0, 2, 1))
            # Padding of the transposed convolution: what the forward one leaves of size - 1.
            zeros = tall - 1 - pad[0], wide - 1 - pad[1]
            self._convolve_points(grad_z, values, tall, zeros, out, finish)
            return
        rows, columns = grad_z.shape[1:3]
        kernel = w.reshape(-1, maps).T
        blocks = _blocks(len(grad_z), rows * columns * kernel.shape[1] * grad_z.itemsize)

        def work(worker: int, piece: int) -> None:
            block = blocks[piece]
            rows_of_block = grad_z[block].reshape(-1, maps)
            patches = self.pool.scratch(
                worker, "patches", (len(rows_of_block), kernel.shape[1]), grad_z.dtype
            )
            _product(rows_of_block, kernel, out=patches)
            _add_patches(patches, rows, columns, stride, pad, (tall, wide), out[block])
            finish(out[block].reshape(-1, channels), block)

        self.pool.map(len(blocks), work)

    def convolve_weight_gradient(
        self, x: np.ndarray, grad_z: np.ndarray, stride: int, padding: str, out: np.ndarray
    ) -> None:
        tall, wide, channels, maps = out.shape
        pad = zeros_above_and_left(x.shape, out.shape, stride, padding)
        if _by_points(out.shape, stride):
            values = self._sum_points(x, grad_z, tall, pad)
            matrix = winograd.kernel_matrix(tall, False, out.dtype)
            np.matmul(matrix.T, values.reshape(len(values), -1), out=out.reshape(tall * wide, -1))
            return
        rows, columns = grad_z.shape[1:3]
        length = tall * wide * channels
        lines = grad_z.reshape(-1, columns * maps)
        blocks = _blocks(len(lines), columns * length * x.itemsize)

        def work(worker: int, block: slice, part: np.ndarray) -> None:
            patches = self._patches(worker, x, block, (rows, columns), stride, pad, (tall, wide))
            _product_over_rows(patches, lines[block].reshape(-1, maps), out=part)

        np.copyto(out.reshape(length, maps), self._sum(blocks, (length, maps), x.dtype, work))

    def _patches(
        self,
        worker: int,
        x: np.ndarray,
        lines: slice,
        outputs: tuple[int, int],
        stride: int,
        pad: tuple[int, int],
        size: tuple[int, int],
    ) -> np.ndarray:
        """(r, k·l·c): the patches of some rows of outputs, numbered through all images."""
        rows, columns = outputs
        count = (lines.stop - lines.start) * columns
        length = size[0] * size[1] * x.shape[3]
        if x.shape[3] < MIN_CHANNELS:
            patches = self.pool.scratch(worker, "patches", (length, count), x.dtype)
            _gather_columns(x, lines.start, rows, columns, stride, pad, size, patches)
            return patches.T
        patches = self.pool.scratch(worker, "patches", (count, length), x.dtype)
        _gather_rows(x, lines.start, rows, columns, stride, pad, size, patches)
        return patches

    def _kernel_values(self, w: np.ndarray, flipped: bool) -> np.ndarray:
        """(64, channels, maps): the kernels' values at the points."""
        size, _, channels, maps = w.shape
        values = self.pool.scratch(0, "kernels", (winograd.POINTS**2, channels, maps), w.dtype)
        matrix = winograd.kernel_matrix(size, flipped, w.dtype)
        np.matmul(matrix, w.reshape(size * size, -1), out=values.reshape(len(values), -1))
        return values

    def _convolve_points(
        self,
        x: np.ndarray,
        kernels: np.ndarray,
        size: int,
        pad: tuple[int, int],
        out: np.ndarray,
        finish: Finish,
    ) -> None:
        """out (n, h, w, maps) = x (n, ., ., c) by kernels (64, c, maps), then finish(rows of out,
        their images).
        """
        points, channels, maps = kernels.shape
        m, across, count = _tiling(out.shape, size)
        blocks = _blocks(len(x), points * count * (channels + maps) * x.itemsize)

        def work(worker: int, piece: int) -> None:
            block = blocks[piece]
            images = out[block]
            tiles, values, products = self._points_scratch(
                worker, len(images) * count, channels, maps, x.dtype
            )
            winograd.evaluate_inputs(x[block], pad, m, across, values, tiles)
            # The last row of each point is room that keeps the points apart in the cache.
            np.matmul(values[:, :-1], kernels, out=products[:, :-1])
            winograd.interpolate_outputs(products, m, across, images, tiles)
            finish(images.reshape(-1, maps), block)

        self.pool.map(len(blocks), work)

    def _sum_points(
        self, x: np.ndarray, grad_z: np.ndarray, size: int, pad: tuple[int, int]
    ) -> np.ndarray:
        """(64, c, maps): at each point the sum over all tiles of inputs times output gradients."""
        points = winograd.POINTS**2
        channels = x.shape[3]
        maps = grad_z.shape[3]
        m, across, count = _tiling(grad_z.shape, size)
        blocks = _blocks(len(x), points * count * (channels + maps) * x.itemsize)

        def work(worker: int, block: slice, part: np.ndarray) -> None:
            given = grad_z[block]
            tiles, values, spread = self._points_scratch(
                worker, len(given) * count, channels, maps, x.dtype
            )
            winograd.evaluate_inputs(x[block], pad, m, across, values, tiles)
            winograd.spread_outputs(given, m, across, spread, tiles)
            np.matmul(values[:, :-1].transpose(0, 2, 1), spread[:, :-1], out=part)

        return self._sum(blocks, (points, channels, maps), x.dtype, work)

    def _points_scratch(
        self, worker: int, tiles: int, channels: int, maps: int, dtype: np.dtype
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A worker's memory: three tiles, and the values at the points of so many inputs and
        outputs (`winograd`).
        """
        points = winograd.POINTS**2
        return (
            self.pool.scratch(worker, "tiles", (3, winograd.TILE), dtype),
            self.pool.scratch(worker, "inputs", (points, tiles + 1, channels), dtype),
            self.pool.scratch(worker, "outputs", (points, tiles + 1, maps), dtype),
        )

    def _sum(
        self,
        blocks: list[slice],
        shape: tuple[int, ...],
        dtype: np.dtype,
        work: Callable[[int, slice, np.ndarray], None],
    ) -> np.ndarray:
        """The sum of what work(worker, block, part) writes to its parts, in an order that follows
        from the blocks.
        """
        room = PARTS_BYTES // (prod(shape) * dtype.itemsize)
        parts = self.pool.scratch(
            0, "parts", (max(1, min(PARTS, room, len(blocks))), *shape), dtype
        )

        def add(worker: int, piece: int) -> None:
            work(worker, blocks[piece], parts[piece])
            for block in blocks[piece + len(parts) :: len(parts)]:
                more = self.pool.scratch(worker, "more", shape, dtype)
                work(worker, block, more)
                np.add(parts[piece], more, out=parts[piece])

        self.pool.map(len(parts), add)
        for part in parts[1:]:
            np.add(parts[0], part, out=parts[0])
        return parts[0]


def _tiling(outputs: tuple[int, ...], size: int) -> tuple[int, int, int]:
    """(pixels from one tile to the next, tiles in a row, tiles of an image) for outputs (n, h, w,
    maps).
    """
    m = winograd.POINTS + 1 - size
    across = -(-outputs[2] // m)
    return m, across, -(-outputs[1] // m) * across


def _piece(multiply_adds_of_a_row: int, rows: int) -> int:
    """Rows of a piece; all rows where a piece would have too few."""
    piece = PIECE_PRODUCTS // multiply_adds_of_a_row
    return piece if MIN_PIECE_ROWS <= piece < rows else rows


def _product(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    """out (r, n) = a (r, k) · b (k, n), in pieces along r. `a` may be a transposed view."""
    rows = len(a)
    piece = _piece(b.size, rows)
    full = rows // piece * piece  # rows in full pieces
    stacked = out[:full].reshape(-1, piece, out.shape[1])
    np.matmul(_stack(a[:full], piece), b, out=stacked)
    if full < rows:
        np.matmul(a[full:], b, out=out[full:])


def _product_over_rows(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    """out (k, n) = aᵀ (k, r) · b (r, n): the sum of the products of pieces along r."""
    rows = len(a)
    piece = _piece(out.size, rows)
    full = rows // piece * piece  # rows in full pieces
    parts = np.matmul(_stack(a[:full], piece).transpose(0, 2, 1), _stack(b[:full], piece))
    np.sum(parts, axis=0, out=out)
    if full < rows:
        out += a[full:].T @ b[full:]


def _stack(a: np.ndarray, piece: int) -> np.ndarray:
    """a (r, k) as a view (r / piece, piece, k), whichever of its axes is the inner one."""
    if a.flags.c_contiguous:
        return a.reshape(-1, piece, a.shape[1])
    return a.T.reshape(a.shape[1], -1, piece).transpose(1, 2, 0)
