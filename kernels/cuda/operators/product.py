"""The matrix product C (m, n) = A (m, k) · B (k, n) as one template, of which all products here are made.

A block of threads computes one tile of C (`kernels.cuda.operators.tiles`). It walks along k in steps of `depth`:

    global memory ──fetch──► registers ──► shared memory (two halves) ──► patches in registers

While it multiplies from one half, the next step's numbers are already on their way to registers; they are put
into the other half when the multiplication is done. So one barrier a step is enough: what is written now was
last read before the barrier that ended the step before.

Shared memory holds both operands with k outermost, `[k][row]` and `[k][column]`, so that a thread reads its
patch by 16-byte loads. Each k begins four floats later than the tile is wide (one, where patches are too small
for such loads): where A's rows are contiguous along k, neighbouring threads load neighbouring k and store a
column apart, and the extra floats put those stores on different banks. A thread's patch of 8 is two fours half
a tile apart, so that the 16-byte reads of neighbouring threads are neighbours too.

Which matrices are multiplied is for three functions, inlined: `fetch_a(a, row, k)`, `fetch_b(b, k, column)`
and `finish(total, extra, row, column)`. No transpose is ever made: NN, NT and TN differ in the fetches
alone, and a convolution fetches from images as if the matrix of its patches existed.

In a sliced product a tile's sum is cut along k (gridDim.z slices). Each block stores its share; the block that takes
the tile's last ticket adds the shares in the order of their slices, so the result does not depend on which
came last. Tickets are back at 0 at the end. (NVIDIA's sample threadFenceReduction shows the pattern.)
"""

from functools import cache
from typing import Any

from numba import float32, int32, uint64

from kernels.cuda.operators.tiles import Tile
from kernels.cuda.toolkit import ALIGNMENT, Kernel, cuda, inlined, kernel, load4


@cache
def product_kernel(
    tile: Tile, fetch_a: Any, fetch_b: Any, finish: Any, a_along_k: bool, b_along_k: bool, sliced: bool
) -> Kernel:
    """The kernel for this tile; `a_along_k`, `b_along_k`: neighbours in memory are neighbours along k.

    Launch with grid (row tiles, column tiles, slices) and `tile.threads` threads. Arguments: a, b, c (m, n)
    float32, m, n, k, extra for `finish`, shares (slices · tiles · tile.rows · tile.columns,) float32
    and tickets (tiles,) int32 at 0, both unused unless `sliced`.
    """
    rows, columns, depth = tile.rows, tile.columns, tile.depth
    row_patch, column_patch, threads = tile.row_patch, tile.column_patch, tile.threads
    threads_across, threads_down = columns // column_patch, rows // row_patch
    # Patches are read in groups of four, or whole if smaller.
    row_group, column_group = min(row_patch, 4), min(column_patch, 4)
    row_stride, column_stride = row_group * threads_down, column_group * threads_across
    a_count, b_count = rows * depth // threads, columns * depth // threads
    a_step = threads // depth if a_along_k else threads // rows
    b_step = threads // depth if b_along_k else threads // columns
    a_pitch = rows + (4 if row_group == 4 else 1)
    b_pitch = columns + (4 if column_group == 4 else 1)
    a_half, b_half = depth * a_pitch, depth * b_pitch
    a_size, b_size = 2 * a_half, 2 * b_half

    @inlined
    def multiply(a_shared, b_shared, a_at, b_at, a_patch, b_patch, total):  # noqa: ANN001, ANN202 - compiled
        """Add one k's products to the sums."""
        if row_group == 4:
            for g in range(row_patch // 4):
                a_patch[4 * g], a_patch[4 * g + 1], a_patch[4 * g + 2], a_patch[4 * g + 3] = load4(
                    a_shared, a_at + g * row_stride
                )
        else:
            for i in range(row_patch):
                a_patch[i] = a_shared[uint64(a_at + i)]
        if column_group == 4:
            for g in range(column_patch // 4):
                b_patch[4 * g], b_patch[4 * g + 1], b_patch[4 * g + 2], b_patch[4 * g + 3] = load4(
                    b_shared, b_at + g * column_stride
                )
        else:
            for j in range(column_patch):
                b_patch[j] = b_shared[uint64(b_at + j)]
        for i in range(row_patch):
            for j in range(column_patch):
                total[i, j] += a_patch[i] * b_patch[j]

    # A loop over k would cost as much as what it repeats, and the compiler does not unroll it by itself.
    @inlined
    def two(a_shared, b_shared, a_at, b_at, a_patch, b_patch, total):  # noqa: ANN001, ANN202
        multiply(a_shared, b_shared, a_at, b_at, a_patch, b_patch, total)
        multiply(a_shared, b_shared, a_at + a_pitch, b_at + b_pitch, a_patch, b_patch, total)

    @inlined
    def four(a_shared, b_shared, a_at, b_at, a_patch, b_patch, total):  # noqa: ANN001, ANN202
        two(a_shared, b_shared, a_at, b_at, a_patch, b_patch, total)
        two(a_shared, b_shared, a_at + 2 * a_pitch, b_at + 2 * b_pitch, a_patch, b_patch, total)

    @inlined
    def eight(a_shared, b_shared, a_at, b_at, a_patch, b_patch, total):  # noqa: ANN001, ANN202
        four(a_shared, b_shared, a_at, b_at, a_patch, b_patch, total)
        four(a_shared, b_shared, a_at + 4 * a_pitch, b_at + 4 * b_pitch, a_patch, b_patch, total)

    # A large patch hides a short loop, and needs the registers.
    at_once = 2 if row_patch * column_patch >= 64 else 8
    while depth % at_once:
        at_once //= 2
    multiply_some = {1: multiply, 2: two, 4: four, 8: eight}[at_once]

    @kernel(threads, tile.blocks_per_multiprocessor)
    def product(a, b, c, m, n, k, extra, shares, tickets):  # noqa: ANN001, ANN202 - compiled
        thread = cuda.threadIdx.x
        across = thread % threads_across
        down = thread // threads_across
        first_row = cuda.blockIdx.x * rows
        first_column = cuda.blockIdx.y * columns
        a_shared = cuda.shared.array(a_size, dtype=float32, alignment=ALIGNMENT)
        b_shared = cuda.shared.array(b_size, dtype=float32, alignment=ALIGNMENT)
        last_ticket = cuda.shared.array(1, dtype=float32)
        total = cuda.local.array((row_patch, column_patch), dtype=float32)
        a_next = cuda.local.array(a_count, dtype=float32)
        b_next = cuda.local.array(b_count, dtype=float32)
        a_patch = cuda.local.array(row_patch, dtype=float32)
        b_patch = cuda.local.array(column_patch, dtype=float32)
        for i in range(row_patch):
            for j in range(column_patch):
                total[i, j] = float32(0)

        # Which element of a step's slice of A and B this thread loads first; the others follow at a distance.
        if a_along_k:
            a_k, a_row = thread % depth, thread // depth
        else:
            a_k, a_row = thread // rows, thread % rows
        if b_along_k:
            b_k, b_column = thread % depth, thread // depth
        else:
            b_k, b_column = thread // columns, thread % columns

        # A row or column beyond the last reads the last one: what comes of it is never stored. Indices are of 32 bits,
        # which Numba has to be told at each sum: a card needs two instructions to add 64.
        last_row, last_column, length = int32(m - 1), int32(n - 1), int32(k)
        steps = (k + depth - 1) // depth
        begin, end = 0, steps
        if sliced:
            per_slice = (steps + cuda.gridDim.z - 1) // cuda.gridDim.z
            begin = cuda.blockIdx.z * per_slice
            end = min(begin + per_slice, steps)
        for step in range(begin - 1, end):
            more = step + 1 < end
            if more:
                k_next = (step + 1) * depth
                for e in range(a_count):
                    row = int32(min(int32(first_row + a_row + (e * a_step if a_along_k else 0)), last_row))
                    at = int32(k_next + a_k + (0 if a_along_k else e * a_step))
                    a_next[e] = fetch_a(a, row, at) if at < length else float32(0)
                for e in range(b_count):
                    column = int32(
                        min(int32(first_column + b_column + (e * b_step if b_along_k else 0)), last_column)
                    )
                    at = int32(k_next + b_k + (0 if b_along_k else e * b_step))
                    b_next[e] = fetch_b(b, at, column) if at < length else float32(0)
            if step >= begin:
                a_at = (step & 1) * a_half + down * row_group
                b_at = (step & 1) * b_half + across * column_group
                for _ in range(depth // at_once):
                    multiply_some(a_shared, b_shared, a_at, b_at, a_patch, b_patch, total)
                    a_at += at_once * a_pitch
                    b_at += at_once * b_pitch
            if more:
                a_at = ((step + 1) & 1) * a_half
                b_at = ((step + 1) & 1) * b_half
                for e in range(a_count):
                    if a_along_k:
                        a_shared[uint64(a_at + a_k * a_pitch + a_row + e * a_step)] = a_next[e]
                    else:
                        a_shared[uint64(a_at + (a_k + e * a_step) * a_pitch + a_row)] = a_next[e]
                for e in range(b_count):
                    if b_along_k:
                        b_shared[uint64(b_at + b_k * b_pitch + b_column + e * b_step)] = b_next[e]
                    else:
                        b_shared[uint64(b_at + (b_k + e * b_step) * b_pitch + b_column)] = b_next[e]
            cuda.syncthreads()

        if sliced:
            tile_number = cuda.blockIdx.y * cuda.gridDim.x + cuda.blockIdx.x
            tiles = cuda.gridDim.x * cuda.gridDim.y
            # Element e of thread t lies at e * threads + t: neighbouring threads store neighbouring floats.
            own = (cuda.blockIdx.z * tiles + tile_number) * rows * columns + thread
            for i in range(row_patch):
                for j in range(column_patch):
                    shares[own + (i * column_patch + j) * threads] = total[i, j]
            cuda.threadfence()
            cuda.syncthreads()
            if thread == 0:
                ticket = cuda.atomic.add(tickets, tile_number, 1)
                last_ticket[0] = float32(1) if ticket == cuda.gridDim.z - 1 else float32(0)
            cuda.syncthreads()
            if last_ticket[0] == float32(0):
                return
            cuda.threadfence()
            for i in range(row_patch):
                for j in range(column_patch):
                    total[i, j] = float32(0)
            for part in range(cuda.gridDim.z):
                its = (part * tiles + tile_number) * rows * columns + thread
                for i in range(row_patch):
                    for j in range(column_patch):
                        total[i, j] += shares[its + (i * column_patch + j) * threads]
            if thread == 0:
                tickets[tile_number] = 0

        for i in range(row_patch):
            row = first_row + (i // row_group) * row_stride + down * row_group + i % row_group
            for j in range(column_patch):
                column = (
                    first_column
                    + (j // column_group) * column_stride
                    + across * column_group
                    + j % column_group
                )
                if row < m and column < n:
                    c[row, column] = finish(total[i, j], extra, row, column)

    return product
