"""The kernel of all matrix products, C (m, n) = epilogue(A (m, k) · B (k, n)), as a template.

A block computes one tile of C (`kernels.cuda.operators.tiles`) in steps of `depth` along k:

    global memory ──load──► registers ──store──► shared memory (double buffer) ──► registers of a
    thread ──► sums

While a block multiplies from one half of shared memory, the elements of the next step are on their
way to registers; they are stored to the other half after the multiplications. So one barrier a step
is enough.

Shared memory holds both operands with k as the first axis, [k][row] and [k][column], so that a
thread loads its rows and columns with 16-byte loads. The rows of these arrays are padded by four
floats (one, where a thread has too few rows for such loads): where consecutive threads load
consecutive k, they store a row of shared memory apart, and the padding puts these stores into
different banks for the largest tile; smaller ones store two or four to a bank. Of 8 rows a thread
has two groups of four, half a tile apart, so that the 16-byte loads of consecutive threads are
consecutive.

Device functions say what A and B are: load_a(a, row, k, sizes) and load_b(b, k, column, sizes). NN,
NT, TN products and convolutions differ in these alone; no transpose and no patch matrix is stored.
The same scheme is described in NVIDIA's CUTLASS documentation, "Efficient GEMM in CUDA".

Split-K: the blocks of a tile (gridDim.z slices) each sum over a part of k and store partial sums.
The last of them to arrive adds the partial sums in the order of the slices, so the result does not
depend on which block is last. (NVIDIA's sample threadFenceReduction.)
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from kernels.activations import LINEAR
from kernels.cuda.launcher import Launcher, Scratch
from kernels.cuda.operators.activations import identity
from kernels.cuda.operators.tiles import Multiprocessors, Tile, plan
from kernels.cuda.toolkit import (
    ALIGNMENT,
    SIMULATED,
    DeviceFunction,
    Kernel,
    cuda,
    device_function,
    divide,
    float32,
    int32,
    is_last_block,
    kernel,
    load4,
    require_float32,
    store4,
    uint32,
    uint64,
)
from kernels.device import Array


class MatrixProducts:
    """Launches matrix products on a card with these multiprocessors."""

    def __init__(
        self, launcher: Launcher, multiprocessors: Multiprocessors, tile: Tile | None = None
    ) -> None:
        """`tile` replaces the planned tiles; tests choose small ones for the simulator."""
        self._launcher = launcher
        self._multiprocessors = multiprocessors
        self._tile = tile

    def launch(
        self,
        form: "Form",
        arrays: tuple[Array, Array, Array],
        extra: Array = None,
        code: int = LINEAR,
        sizes: tuple[int, ...] = (0,),
        l2: float = 0.0,
    ) -> None:
        """c (m, n) = epilogue(A (m, k) · B (k, n)), float32, or see `Form.descends`.

        `arrays`: a, b and c; b has as many elements as B. `extra`: the array of an epilogue that
        reads one; `code`: its activation; `sizes`: what the loads of a convolution take.
        """
        a, b, c = arrays
        # A kernel takes an array in any case; an epilogue that needs none does not read it.
        extra = c if extra is None else extra
        require_float32(a, b, c, extra)
        m, n = c.shape
        k = b.size // n
        chosen = plan(m, n, k, self._multiprocessors, self._tile)
        tile = chosen.tile
        # Rows along x: a convolution has more row tiles than the 65,535 blocks that y and z allow.
        grid = (-(-m // tile.rows), -(-n // tile.columns), chosen.slices)
        # Of fours of results that lie together, each is stored by one instruction.
        by_fours = n % 4 == 0 and (SIMULATED or c.ptr % 16 == 0)
        numbers = (np.float32(l2), code, int(by_fours), tuple(map(np.uint32, sizes)))
        arguments = (a, b, c, m, n, k, extra, *numbers)
        scratch = (Scratch.PARTIALS, Scratch.ARRIVALS)
        kernel = product_kernel(tile, form)
        self._launcher.launch(kernel, grid, (tile.threads, 1, 1), arguments, (c,), scratch)


class Form(NamedTuple):
    """What a kernel multiplies, whatever the sizes are."""

    loads: tuple[DeviceFunction, DeviceFunction]
    """load_a(a, row, k, sizes) and load_b(b, k, column, sizes) return elements of A and B from the
    arrays `a` and `b`.
    """
    along_k: tuple[bool, bool]
    """For A and B, whether consecutive addresses are along k."""
    epilogue: DeviceFunction
    """epilogue(total, extra, row, column, code)."""
    descends: bool = False
    """Whether the products are the gradients of c, which a step of SGD changes; `extra` is then the
    rate.
    """


@dataclass(frozen=True, slots=True)
class _Operand:
    """How a block loads `size` rows of A (or columns of B) by `depth` of k, and how its threads
    read them.

    `count` elements a thread, `step` rows (or k) apart. In shared memory k is `pitch` floats from k
    + 1, and `half` is the size of one half of it. A thread reads groups of `group` elements that
    are `stride` apart.
    """

    along_k: bool
    size: int
    count: int
    step: int
    group: int
    stride: int
    pitch: int
    half: int


def _operand(size: int, per_thread: int, tile: Tile, along_k: bool) -> _Operand:
    group = min(per_thread, 4)
    pitch = size + (4 if group == 4 else 1)
    return _Operand(
        along_k=along_k,
        size=size,
        count=size * tile.depth // tile.threads,
        step=tile.threads // (tile.depth if along_k else size),
        group=group,
        stride=group * (size // per_thread),
        pitch=pitch,
        half=tile.depth * pitch,
    )


@cache
def product_kernel(tile: Tile, form: Form) -> Kernel:
    """The kernel of a form for this tile.

    Launch with grid (row tiles, column tiles, slices) and `tile.threads` threads. Arguments: arrays
    a, b, c (m, n) float32; m, n, k; `extra`; l2, float32; `code` of the epilogue; `by_fours`, 1
    where n is a multiple of 4 and c aligned to 16 bytes, else 0; `sizes`, uint32, of the loads;
    partials (slices · tiles · tile.rows · tile.columns,) float32 and arrivals (tiles,) int32, all
    0; both are unused with one slice.
    """
    load_a, load_b = form.loads
    in_a = _operand(tile.rows, tile.thread_rows, tile, form.along_k[0])
    in_b = _operand(tile.columns, tile.thread_columns, tile, form.along_k[1])
    move_a = _Transfer(
        in_a,
        _first_element(in_a, tile.depth),
        _loader(in_a, tile.depth, _swapped(load_a)),
        _store(in_a),
    )
    move_b = _Transfer(
        in_b, _first_element(in_b, tile.depth), _loader(in_b, tile.depth, load_b), _store(in_b)
    )
    write_results = _results(tile, in_a, in_b, form.epilogue, form.descends)
    return _kernel_of(tile, move_a, move_b, write_results)


class _Transfer(NamedTuple):
    """An operand, and the device functions that bring it from global memory to shared memory."""

    operand: _Operand
    first_element: DeviceFunction
    load_next: DeviceFunction
    store: DeviceFunction


def _kernel_of(
    tile: Tile, move_a: _Transfer, move_b: _Transfer, write_results: DeviceFunction
) -> Kernel:
    """The kernel, from its parts."""
    rows = tile.rows
    columns = tile.columns
    depth = tile.depth
    thread_rows = tile.thread_rows
    thread_columns = tile.thread_columns
    sums = thread_rows * thread_columns
    in_a, a_first, load_next_a, store_a = move_a
    in_b, b_first, load_next_b, store_b = move_b
    a_size = 2 * in_a.half
    b_size = 2 * in_b.half
    a_count = in_a.count
    b_count = in_b.count
    is_split = tile.is_split
    steps_of_slice = _steps_of_slice(depth, is_split)
    read_places = _read_places(tile, in_a, in_b)
    multiply_step = _multiplication(tile, in_a, in_b)
    add_partial_sums = _partial_sums(tile)

    @kernel(tile.threads, tile.blocks_per_multiprocessor)
    def product(a, b, c, m, n, k, extra, l2, code, by_fours, sizes, partials, arrivals):  # noqa: ANN001, ANN202 - compiled
        a_shared = cuda.shared.array(a_size, dtype=float32, alignment=ALIGNMENT)
        b_shared = cuda.shared.array(b_size, dtype=float32, alignment=ALIGNMENT)
        flag = cuda.shared.array(1, dtype=int32)
        total = cuda.local.array(sums, dtype=float32)
        a_next = cuda.local.array(a_count, dtype=float32)
        b_next = cuda.local.array(b_count, dtype=float32)
        a_thread = cuda.local.array(thread_rows, dtype=float32)
        b_thread = cuda.local.array(thread_columns, dtype=float32)
        for e in range(sums):
            total[e] = float32(0)
        a_k, a_row = a_first(cuda.threadIdx.x)
        b_k, b_column = b_first(cuda.threadIdx.x)
        places = read_places(cuda.threadIdx.x)
        down, across = places
        first_row = cuda.blockIdx.x * rows + a_row
        first_column = cuda.blockIdx.y * columns + b_column
        begin, end = steps_of_slice(k)
        # The step before the first only loads.
        for step in range(begin - 1, end):
            more = step + 1 < end
            if more:
                k_next = (step + 1) * depth
                load_next_a(a, a_next, first_row, m, k_next + a_k, k, sizes)
                load_next_b(b, b_next, first_column, n, k_next + b_k, k, sizes)
            if step >= begin:
                multiply_step(a_shared, b_shared, step, down, across, a_thread, b_thread, total)
            if more:
                store_a(a_shared, step + 1, a_k, a_row, a_next)
                store_b(b_shared, step + 1, b_k, b_column, b_next)
            cuda.syncthreads()
        is_whole = not is_split or cuda.gridDim.z == 1
        if is_whole or add_partial_sums(total, partials, arrivals, flag):
            write_results(c, total, extra, l2, code, places, (m, n), by_fours)

    return product


# Kernels share the device functions below, each of which is compiled once.


@cache
def _steps_of_slice(depth: int, is_split: bool) -> DeviceFunction:
    """The first step of the block's slice, and the step after its last; all steps unless
    `is_split`.
    """

    @device_function
    def steps_of_slice(k):  # noqa: ANN001, ANN202 - compiled
        steps = (k + depth - 1) // depth
        if not is_split:
            return 0, steps
        per_slice, _ = divide(steps + cuda.gridDim.z - 1, cuda.gridDim.z)
        begin = cuda.blockIdx.z * per_slice
        return begin, min(begin + per_slice, steps)

    return steps_of_slice


@cache
def _swapped(load_a: DeviceFunction) -> DeviceFunction:
    """load_a with k before the row, as load_b has it before the column."""

    @device_function
    def load(a, at, row, sizes):  # noqa: ANN001, ANN202 - compiled
        return load_a(a, row, at, sizes)

    return load


@cache
def _first_element(operand: _Operand, depth: int) -> DeviceFunction:
    """(k, row or column) within a step of the first element that a thread loads."""
    along_k = operand.along_k
    size = operand.size

    @device_function
    def first_element(thread):  # noqa: ANN001, ANN202 - compiled
        if along_k:
            return thread % depth, thread // depth
        return thread // size, thread % size

    return first_element


@cache
def _read_places(tile: Tile, in_a: _Operand, in_b: _Operand) -> DeviceFunction:
    """(row, column) within the tile of the first group of rows, and of columns, that a thread
    multiplies.
    """
    threads_across = tile.columns // tile.thread_columns
    row_group = in_a.group
    column_group = in_b.group

    @device_function
    def read_places(thread):  # noqa: ANN001, ANN202 - compiled
        return thread // threads_across * row_group, thread % threads_across * column_group

    return read_places


@cache
def _loader(operand: _Operand, depth: int, load: DeviceFunction) -> DeviceFunction:
    """Loads a thread's elements of the next step into registers, 0 beyond the end of k.

    Rows and columns beyond the last are loaded from the last; their sums are not stored. Indices
    are cast to 32 bits at each sum: a card needs two instructions to add 64 bits.
    """
    along_k = operand.along_k
    count = operand.count
    step = operand.step

    @device_function
    def load_next(array, registers, first, lines, k_first, k, sizes):  # noqa: ANN001, ANN202 - compiled
        last = int32(lines - 1)
        length = int32(k)
        for e in range(count):
            line = int32(min(int32(first + (e * step if along_k else 0)), last))
            at = int32(k_first + (0 if along_k else e * step))
            registers[e] = load(array, at, line, sizes) if at < length else float32(0)

    return load_next


@cache
def _store(operand: _Operand) -> DeviceFunction:
    """Stores a thread's elements to the half of shared memory that belongs to the step: they take
    turns.
    """
    along_k = operand.along_k
    count = operand.count
    step = operand.step
    pitch = operand.pitch
    half = operand.half

    @device_function
    def store(shared, number, k, line, registers):  # noqa: ANN001, ANN202 - compiled
        start = (number & 1) * half
        for e in range(count):
            if along_k:
                shared[uint64(start + k * pitch + line + e * step)] = registers[e]
            else:
                shared[uint64(start + (k + e * step) * pitch + line)] = registers[e]

    return store


@cache
def _multiplication(tile: Tile, in_a: _Operand, in_b: _Operand) -> DeviceFunction:
    """Adds the products of one step, which lies in its half of shared memory, to a thread's sums.

    Some k are unrolled by hand: a loop over k would cost as much as its body, and the compiler does
    not unroll it.
    """
    depth = tile.depth
    a_half = in_a.half
    a_pitch = in_a.pitch
    b_half = in_b.half
    b_pitch = in_b.pitch
    multiply = _one_multiplication(tile, in_a, in_b)
    # With 64 sums the loop is a small part of its body, and unrolling needs more registers than
    # there are.
    limit = 2 if tile.thread_rows * tile.thread_columns >= 64 else 8
    unrolled = 1
    while unrolled < limit and depth % (2 * unrolled) == 0:
        multiply = _twice(multiply, unrolled * a_pitch, unrolled * b_pitch)
        unrolled *= 2

    @device_function
    def multiply_step(a_shared, b_shared, step, down, across, a_thread, b_thread, total):  # noqa: ANN001, ANN202
        a_at = (step & 1) * a_half + down
        b_at = (step & 1) * b_half + across
        for _ in range(depth // unrolled):
            multiply(a_shared, b_shared, a_at, b_at, a_thread, b_thread, total)
            a_at += unrolled * a_pitch
            b_at += unrolled * b_pitch

    return multiply_step


def _one_multiplication(tile: Tile, in_a: _Operand, in_b: _Operand) -> DeviceFunction:
    """Adds the products of one k, at a_at and b_at in shared memory, to a thread's sums."""
    thread_rows = tile.thread_rows
    thread_columns = tile.thread_columns
    a_group = in_a.group
    a_stride = in_a.stride
    b_group = in_b.group
    b_stride = in_b.stride

    @device_function
    def multiply(a_shared, b_shared, a_at, b_at, a_thread, b_thread, total):  # noqa: ANN001, ANN202 - compiled
        if a_group == 4:
            for g in range(thread_rows // 4):
                a_thread[4 * g], a_thread[4 * g + 1], a_thread[4 * g + 2], a_thread[4 * g + 3] = (
                    load4(a_shared, a_at + g * a_stride)
                )
        else:
            for i in range(thread_rows):
                a_thread[i] = a_shared[uint64(a_at + i)]
        if b_group == 4:
            for g in range(thread_columns // 4):
                b_thread[4 * g], b_thread[4 * g + 1], b_thread[4 * g + 2], b_thread[4 * g + 3] = (
                    load4(b_shared, b_at + g * b_stride)
                )
        else:
            for j in range(thread_columns):
                b_thread[j] = b_shared[uint64(b_at + j)]
        for i in range(thread_rows):
            for j in range(thread_columns):
                total[i * thread_columns + j] += a_thread[i] * b_thread[j]

    return multiply


def _twice(multiply: DeviceFunction, a_step: int, b_step: int) -> DeviceFunction:
    """The device function that calls `multiply` here and these steps on in both operands."""

    @device_function
    def twice(a_shared, b_shared, a_at, b_at, a_thread, b_thread, total):  # noqa: ANN001, ANN202 - compiled
        multiply(a_shared, b_shared, a_at, b_at, a_thread, b_thread, total)
        multiply(a_shared, b_shared, a_at + a_step, b_at + b_step, a_thread, b_thread, total)

    return twice


@cache
def _partial_sums(tile: Tile) -> DeviceFunction:
    """Device function for the end of a split-K product; all threads of the block call it.

    Stores the block's partial sums. In the last block of the tile to arrive it sets `total` to the
    sum over all slices and returns True; in the others it returns False. `flag`: shared int32 array
    of one element.
    """
    threads = tile.threads
    elements = tile.rows * tile.columns
    sums = tile.thread_rows * tile.thread_columns
    # Slices that are loaded together, as far as registers allow.
    at_once = max(1, 16 // sums)
    loaded_size = at_once * sums

    @device_function
    def add_partial_sums(total, partials, arrivals, flag):  # noqa: ANN001, ANN202 - compiled
        loaded = cuda.local.array(loaded_size, dtype=float32)
        tile_index = cuda.blockIdx.y * cuda.gridDim.x + cuda.blockIdx.x
        tiles = cuda.gridDim.x * cuda.gridDim.y
        # Four sums e of thread t are at (e // 4 * threads + t) * 4: those of consecutive threads
        # follow each other.
        first = tile_index * elements + cuda.threadIdx.x * 4
        of_slice = first + cuda.blockIdx.z * tiles * elements
        for g in range(sums // 4):
            e = 4 * g
            store4(partials, of_slice + e * threads, total, e)
        if not is_last_block(arrivals, tile_index, cuda.gridDim.z, flag):
            return False
        for e in range(sums):
            total[e] = float32(0)
        slices = cuda.gridDim.z
        for part in range(0, slices, at_once):
            for e in range(loaded_size):
                loaded[e] = float32(0)
            # All loads before the first addition, so that their latency is paid once.
            for g in range(loaded_size // 4):
                e = 4 * g
                number = part + e // sums
                if number < slices:
                    loaded[e], loaded[e + 1], loaded[e + 2], loaded[e + 3] = load4(
                        partials, first + number * tiles * elements + e % sums * threads
                    )
            for e in range(loaded_size):
                total[e % sums] += loaded[e]
        return True

    return add_partial_sums


@cache
def _place_of_sum(tile: Tile, in_a: _Operand, in_b: _Operand) -> DeviceFunction:
    """Row and column of a thread's sum e."""
    rows = tile.rows
    columns = tile.columns
    thread_columns = tile.thread_columns
    row_group = in_a.group
    row_stride = in_a.stride
    column_group = in_b.group
    column_stride = in_b.stride

    @device_function
    def place(places, e):  # noqa: ANN001, ANN202 - compiled
        down, across = places
        i = e // thread_columns
        j = e % thread_columns
        row = cuda.blockIdx.x * rows + down + (i // row_group) * row_stride + i % row_group
        column = cuda.blockIdx.y * columns + across + (j // column_group) * column_stride
        return int32(row), int32(column + j % column_group)

    return place


@cache
def _results(
    tile: Tile, in_a: _Operand, in_b: _Operand, epilogue: DeviceFunction, descends: bool
) -> DeviceFunction:
    """Stores a thread's sums in c, after the epilogue, as far as they lie inside of it.

    An epilogue has the code of all activations, so its loop is not unrolled. An array that is
    indexed cannot be in registers: its sums are copied to one first.
    """
    thread_rows = tile.thread_rows
    thread_columns = tile.thread_columns
    sums = thread_rows * thread_columns
    column_group = in_b.group
    is_plain = epilogue is identity
    place = _place_of_sum(tile, in_a, in_b)

    @device_function
    def write_results(c, total, extra, l2, code, places, size, by_fours):  # noqa: ANN001, ANN202 - compiled
        m = int32(size[0])
        n = int32(size[1])
        results = cuda.local.array(sums, dtype=float32)
        values = total if is_plain else results
        for i in range(thread_rows):
            for j in range(thread_columns):
                e = i * thread_columns + j
                row, column = place(places, e)
                if not is_plain:
                    results[e] = total[e]
                elif descends and row < m and column < n:
                    old = c[uint64(row), uint64(column)]
                    total[e] = old - extra[0] * (total[e] + l2 * old)
        if not is_plain:
            for e in range(sums):
                row, column = place(places, e)
                if row < m and column < n:
                    results[e] = epilogue(results[e], extra, row, column, code)
        for g in range(sums // column_group):
            e = g * column_group
            row, column = place(places, e)
            if column_group == 4 and by_fours == 1:
                if row < m and column < n:
                    store4(c, uint32(row * n + column), values, e)
            else:
                for i in range(column_group):
                    if row < m and int32(column + i) < n:
                        c[uint64(row), uint64(column + i)] = values[e + i]

    return write_results
