"""Views of arrays, local and dynamic shared memory, constant memory, fences, types."""

import math

import numpy as np
from numba import cuda, float32, int8, int32, uint8

SIDE = 8
SHIFTED = 1 << 4
WEIGHTS = np.array([1.0, 2.0, 1.0], np.float32)


@cuda.jit(device=True)
def mean_of(values):
    total = 0.0
    for k in range(values.shape[0]):
        total += values[k]
    return total / values.shape[0]


@cuda.jit(device=True)
def fill(values, value):
    for k in range(len(values)):
        values[k] = value


# kernel = "mean_of_rows_and_columns"
# args = "rows: float32[n], columns: float32[m], a: float32[n, m]"
# grid = "(max(n, m) + 31) // 32"
# block = "32"
# sizes = "n=1,40 m=3,33"
# expect = "rows = np.mean(a, axis=1); columns = np.mean(a, axis=0)"
@cuda.jit
def mean_of_rows_and_columns(rows, columns, a):
    """A device function takes rows and columns alike."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        rows[i] = mean_of(a[i])
    if i < a.shape[1]:
        columns[i] = mean_of(a[:, i])


# kernel = "fill_row_by_each_thread"
# args = "a: int32[n, m]"
# grid = "n"
# block = "4"
# sizes = "n=1,3 m=2,5"
# expect = "a = np.repeat(np.arange(a.shape[0]), a.shape[1]).reshape(a.shape)"
# warns = "same-value"
@cuda.jit
def fill_row_by_each_thread(a):
    """Four threads fill the same row with the same number."""
    fill(a[cuda.blockIdx.x], cuda.blockIdx.x)


# kernel = "fill_row_with_own_number"
# args = "a: int32[n, m]"
# grid = "n"
# block = "4"
# sizes = "n=1,3 m=2,5"
# expect = "a = np.zeros(a.shape)"
@cuda.jit
def fill_row_with_own_number(a):
    """The view leads to the same elements in all threads."""
    row = a[cuda.blockIdx.x]
    for k in range(row.shape[0]):
        row[k] = cuda.threadIdx.x  # fault: race


# kernel = "differences_of_a_row"
# args = "out: float32[n, m], a: float32[n, m]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,9 m=1,6"
# expect = "out = np.concatenate([a[:, 1:] - a[:, :-1], a[:, -1:]], axis=1)"
@cuda.jit
def differences_of_a_row(out, a):
    """The element behind the row is that of the next row, and behind the last row nothing."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        row = a[i]
        for k in range(row.shape[0]):
            out[i, k] = row[k + 1] - row[k]  # fault: bounds


# kernel = "pairs_of_a_part"
# args = "out: float32[n], a: float32[4 * n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,9"
# expect = "out = np.mean(a.reshape(-1, 4), axis=1)"
@cuda.jit
def pairs_of_a_part(out, a):
    """A part of an array with limits, as a view."""
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = mean_of(a[4 * i : 4 * i + 4])


# kernel = "middle_of_a_tile"
# args = "out: float32[6, 6], a: float32[8, 8]"
# grid = "1"
# block = "6, 6"
# expect = "out = a[1:-1, 1:-1]"
@cuda.jit
def middle_of_a_tile(out, a):
    """A view without the edge."""
    middle = a[1:-1, 1:-1]
    x, y = cuda.grid(2)
    out[y, x] = middle[y, x]


# kernel = "reverse_dynamic"
# args = "out: float32[n], a: float32[n]"
# grid = "1"
# block = "n"
# shared = "4 * n"
# sizes = "n=1,32,64"
# expect = "out = a[::-1]"
@cuda.jit
def reverse_dynamic(out, a):
    """The launch gives the size of the shared memory."""
    s = cuda.shared.array(0, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    cuda.syncthreads()
    out[t] = s[a.shape[0] - 1 - t]


# kernel = "reverse_dynamic_without_barrier"
# args = "out: float32[n], a: float32[n]"
# grid = "1"
# block = "n"
# shared = "4 * n"
# sizes = "n=32,64"
# expect = "out = a[::-1]"
@cuda.jit
def reverse_dynamic_without_barrier(out, a):
    """The other end may not be stored yet."""
    s = cuda.shared.array(shape=0, dtype=float32)
    t = cuda.threadIdx.x
    s[t] = a[t]  # fault: race
    out[t] = s[a.shape[0] - 1 - t]  # fault: race


# kernel = "weights_in_constant_memory"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=3,40"
# reference = '''
# def out(a):
#     padded = np.pad(a, 1)
#     return padded[:-2] + 2 * padded[1:-1] + padded[2:]
# '''
@cuda.jit
def weights_in_constant_memory(out, a):
    """A table of the program, in constant memory."""
    weights = cuda.const.array_like(WEIGHTS)
    i = cuda.grid(1)
    if i < a.shape[0]:
        total = float32(0)
        for k in range(3):
            if 0 <= i + k - 1 < a.shape[0]:
                total += weights[k] * a[i + k - 1]
        out[i] = total


# kernel = "weights_of_the_program"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=3,40"
# reference = '''
# def out(a):
#     padded = np.pad(a, 1)
#     return padded[:-2] + 2 * padded[1:-1] + padded[2:]
# '''
@cuda.jit
def weights_of_the_program(out, a):
    """An array outside of the kernel becomes a constant of it."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        total = float32(0)
        for k in range(3):
            if 0 <= i + k - 1 < a.shape[0]:
                total += WEIGHTS[k] * a[i + k - 1]
        out[i] = total


# kernel = "last_block_with_fence"
# args = "total: float32[1], parts: float32[(n + 31) // 32], done: int32[1] = 0, a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,100"
# expect = "total = np.sum(a)"
@cuda.jit
def last_block_with_fence(total, parts, done, a):
    """The fence makes a block's sum visible before its ticket: whoever has the last ticket may read all."""
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    own = a[i] if i < a.shape[0] else float32(0)
    offset = 16
    while offset > 0:
        own += cuda.shfl_down_sync(0xFFFFFFFF, own, offset)
        offset //= 2
    if t == 0:
        parts[cuda.blockIdx.x] = own
        cuda.threadfence()
        if cuda.atomic.add(done, 0, 1) == cuda.gridDim.x - 1:
            cuda.threadfence()
            result = float32(0)
            for block in range(cuda.gridDim.x):
                result += parts[block]
            total[0] = result


# kernel = "counter_behind_a_lock"
# args = "count: int32[1] = 0, lock: int32[1] = 0"
# grid = "4"
# block = "1"
# expect = "count = count + 4"
@cuda.jit
def counter_behind_a_lock(count, lock):
    """One thread of each block takes the lock; fences keep its accesses inside."""
    while cuda.atomic.cas(lock, 0, 0, 1) != 0:
        pass
    cuda.threadfence()
    count[0] += 1
    cuda.threadfence()
    cuda.atomic.exch(lock, 0, 0)


# kernel = "two_steps_with_grid_barrier"
# args = "out: int32[n], a: int32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"
# expect = "out = np.roll(a + 1, -1)"
@cuda.jit
def two_steps_with_grid_barrier(out, a):
    """All blocks of a cooperative launch wait for each other."""
    grid = cuda.cg.this_grid()
    i = cuda.grid(1)
    n = a.shape[0]
    a[i] += 1
    grid.sync()
    out[i] = a[(i + 1) % n]


# kernel = "classes_of_lanes"
# args = "counts: int32[n], labels: int32[n] < 4"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,64"
# expect = "counts = np.array([[np.sum(row == each) for each in row] for row in labels.reshape(-1, 32)]).reshape(-1)"
@cuda.jit
def classes_of_lanes(counts, labels):
    """How many lanes of the warp have the same label."""
    i = cuda.grid(1)
    counts[i] = cuda.popc(cuda.match_any_sync(0xFFFFFFFF, labels[i]))


# kernel = "constant_by_shift"
# args = "out: int32[n]"
# grid = "(n + 15) // 16"
# block = "16"
# sizes = "n=1,40"
# expect = "out = 16 * np.arange(out.size)"
@cuda.jit
def constant_by_shift(out):
    """A constant of the file that a shift computes."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = i * SHIFTED


# kernel = "sum_in_eight_bits"
# args = "out: int32[n], a: uint8[n, 8] < 256"
# grid = "(n + 15) // 16"
# block = "16"
# sizes = "n=1,40"
# expect = "out = np.sum(a, axis=1)"
@cuda.jit
def sum_in_eight_bits(out, a):
    """The shared sum has the type of the pixels, and wraps around."""
    sums = cuda.shared.array(16, uint8)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    sums[t] = 0
    if i < a.shape[0]:
        for k in range(8):
            sums[t] += a[i, k]
        out[i] = sums[t]  # fault: wrong-result


# kernel = "sum_of_eight_bits"
# args = "out: int32[n], a: uint8[n, 8] < 256"
# grid = "(n + 15) // 16"
# block = "16"
# sizes = "n=1,40"
# expect = "out = np.sum(a, axis=1)"
@cuda.jit
def sum_of_eight_bits(out, a):
    """A variable that begins with 0 is an int64."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        total = 0
        for k in range(8):
            total += a[i, k]
        out[i] = total


# kernel = "halves_by_truncation"
# args = "out: int32[n], a: int32[n]"
# grid = "(n + 15) // 16"
# block = "16"
# sizes = "n=40"
# expect = "out = a // 2"
@cuda.jit
def halves_by_truncation(out, a):
    """Storing a quotient truncates to zero: of odd negative numbers the result is one too high."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        out[i] = a[i] / 2  # fault: wrong-result


# kernel = "quantized"
# args = "out: int8[n], a: float32[n], scale: float32 = 0.02"
# grid = "(n + 15) // 16"
# block = "16"
# sizes = "n=1,40"
# expect = "out = np.clip(np.round(a.astype(np.float32) / np.float32(scale)), -128, 127)"
@cuda.jit
def quantized(out, a, scale):
    """Rounded, limited, stored in eight bits."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        value = math.floor(a[i] / scale + 0.5)
        out[i] = int8(min(max(value, -128), 127))


# kernel = "row_major_mistaken"
# args = "out: int32[6, 4]"
# grid = "1"
# block = "24"
# expect = "out = np.arange(24).reshape(6, 4)"
@cuda.jit
def row_major_mistaken(out):
    """Divided by the number of rows instead of columns."""
    t = cuda.threadIdx.x
    out[t // 6, t % 6] = t  # fault: bounds


# kernel = "row_and_column_from_thread"
# args = "out: int32[6, 4]"
# grid = "1"
# block = "24"
# expect = "out = np.arange(24).reshape(6, 4)"
@cuda.jit
def row_and_column_from_thread(out):
    """The quotient and the rest at once."""
    row, column = divmod(cuda.threadIdx.x, out.shape[1])
    out[row, column] = cuda.threadIdx.x


# kernel = "stack_in_local_memory"
# args = "out: int32[n], a: int32[n] < 200"
# grid = "(n + 15) // 16"
# block = "16"
# sizes = "n=1,40"
# reference = '''
# def out(a):
#     found = np.zeros(a.size, np.int64)
#     for i in range(a.size):
#         rest = a[i]
#         for k in range(8):
#             found[i] = found[i] * 2 + rest % 2
#             rest = rest // 2
#     return found
# '''
@cuda.jit
def stack_in_local_memory(out, a):
    """Bits are put on a stack and taken off: the first becomes the last."""
    stack = cuda.local.array(SIDE, int32)
    i = cuda.grid(1)
    if i >= a.shape[0]:
        return
    rest = a[i]
    depth = 0
    while depth < SIDE:
        stack[depth] = rest % 2
        rest //= 2
        depth += 1
    weight = 1
    result = 0
    while depth > 0:
        depth -= 1
        result += stack[depth] * weight
        weight *= 2
    out[i] = result


# kernel = "stack_too_small"
# args = "out: int32[n], a: int32[n] < 600"
# grid = "(n + 15) // 16"
# block = "16"
# sizes = "n=40"
# expect = "out = a"
@cuda.jit
def stack_too_small(out, a):
    """A number above 255 has more than eight bits."""
    stack = cuda.local.array(SIDE, int32)
    i = cuda.grid(1)
    if i >= a.shape[0]:
        return
    rest = a[i]
    depth = 0
    while rest > 0:
        stack[depth] = rest % 2  # fault: bounds
        rest //= 2
        depth += 1
    result = 0
    while depth > 0:
        depth -= 1
        result = result * 2 + stack[depth]  # fault: bounds
    out[i] = result
