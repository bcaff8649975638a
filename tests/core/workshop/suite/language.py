"""Forms of Python and of the launch that courses use."""

import math

import numba as nb
import numpy as np
from numba import cuda

TILE_SHAPE = (4, 4)
OFFSETS = (-1, 1)
LIMIT: int = 10


# kernel = "signature_in_a_text"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# expect = "out = np.sqrt(np.abs(a))"
@cuda.jit("void(float32[:], float32[:])")
def signature_in_a_text(out, a):
    """The types are given in advance."""
    i = cuda.grid(1)
    if i < a.size:
        out[i] = math.sqrt(abs(a[i]))


# kernel = "types_by_the_module"
# args = "out: float32[4 * n, 4], a: float32[4 * n, 4]"
# grid = "1, n"
# block = "4, 4"
# sizes = "n=1,3"
# expect = "out = a.reshape(-1, 4, 4).transpose(0, 2, 1).reshape(-1, 4)"
@cuda.jit
def types_by_the_module(out: nb.float32[:, :], a: nb.float32[:, :]) -> None:
    """Annotations, keywords and `nb.float32`."""
    tile = cuda.shared.array(shape=TILE_SHAPE, dtype=nb.float32)
    x, y = cuda.grid(2)
    tile[cuda.threadIdx.y, cuda.threadIdx.x] = a[y, x]
    cuda.syncthreads()
    out[y, x] = tile[cuda.threadIdx.x, cuda.threadIdx.y]


# kernel = "stops_at_the_first"
# args = "out: int32[n], a: int32[n, 9] < 5"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# reference = '''
# def out(a):
#     found = np.full(len(a), -1)
#     for i in range(len(a)):
#         for k in range(9):
#             if a[i, k] == 3:
#                 found[i] = k
#                 break
#     return found
# '''
@cuda.jit
def stops_at_the_first(out, a):
    """`else` of a loop that was not left by `break`."""
    i = cuda.grid(1)
    if i >= out.size:
        return
    for k in range(9):
        if a[i, k] == 3:
            out[i] = k
            break
    else:
        out[i] = -1


# kernel = "skips_in_a_loop"
# args = "out: int32[n], a: int32[n, 9] < 5"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# expect = "out = np.sum(np.where(a % 2 == 1, a, 0), axis=1)"
@cuda.jit
def skips_in_a_loop(out, a):
    """`continue`, and a loop from behind."""
    i = cuda.grid(1)
    if i >= out.size:
        return
    out[i] = 0
    for k in range(8, -1, -1):
        if a[i, k] % 2 == 0:
            continue
        out[i] += a[i, k]


# kernel = "increments_that_never_end"
# args = "out: int32[n], a: int32[n] < 5"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=8"
# expect = "out = a"
@cuda.jit
def increments_that_never_end(out, a):
    """A thread whose element is 0 steps over its end, and goes on for ever."""
    i = cuda.grid(1)
    if i < out.size:
        k = 0
        while k + 1 != a[i]:  # fault: unsupported
            k += 2
        out[i] = k


@cuda.jit(device=True, inline=True)
def clamp(value, low, high):
    return min(max(value, low), high)


@cuda.jit(device=True)
def laplacian(image, y, x):
    rows, columns = image.shape
    total = -4 * image[y, x]
    for k in range(-1, 2, 2):
        total += image[clamp(y + k, 0, rows - 1), x]
        total += image[y, clamp(x + k, 0, columns - 1)]
    return total


# kernel = "functions_of_functions"
# args = "out: float32[rows, columns], image: float32[rows, columns]"
# grid = "(columns + 7) // 8, (rows + 7) // 8"
# block = "8, 8"
# sizes = "rows=1,9 columns=3,8"
# reference = '''
# def out(image):
#     padded = np.pad(image, 1, mode="edge")
#     around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
#     return around - 4 * image
# '''
@cuda.jit
def functions_of_functions(out, image):
    """A device function that calls another one."""
    x, y = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = laplacian(image, y, x)


# kernel = "functions_with_sides_swapped"
# args = "out: float32[rows, columns], image: float32[rows, columns]"
# grid = "(columns + 7) // 8, (rows + 7) // 8"
# block = "8, 8"
# sizes = "rows=9 columns=3"
# expect = "out = image"
@cuda.jit
def functions_with_sides_swapped(out, image):
    """The function gets x and y in the wrong order."""
    x, y = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = second_difference(image, x, y)


@cuda.jit(device=True)
def second_difference(image, y, x):
    return image[y, x] - image[max(y - 1, 0), x]  # fault: bounds


# kernel = "offsets_in_a_tuple"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# reference = '''
# def out(a):
#     padded = np.pad(a, 1)
#     return padded[:-2] + padded[2:]
# '''
@cuda.jit
def offsets_in_a_tuple(out, a):
    """A constant tuple, by constant indices."""
    i = cuda.grid(1)
    if i < out.size:
        total = nb.float32(0)
        if i + OFFSETS[0] >= 0:
            total += a[i + OFFSETS[0]]
        if not i + OFFSETS[1] >= a.size:
            total += a[i + OFFSETS[1]]
        out[i] = total


# kernel = "offsets_by_a_loop"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# reference = '''
# def out(a):
#     padded = np.pad(a, 1)
#     return padded[:-2] + padded[2:]
# '''
@cuda.jit
def offsets_by_a_loop(out, a):
    """A constant tuple, by an index of a loop."""
    i = cuda.grid(1)
    if i < out.size:
        total = nb.float32(0)
        for k in range(len(OFFSETS)):
            place = i + OFFSETS[k]
            if 0 <= place < a.size:
                total += a[place]
        out[i] = total


# kernel = "several_in_a_line"
# args = "low: float32[n], high: float32[n], a: float32[n], b: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# expect = "low = np.minimum(a, b); high = np.maximum(a, b)"
@cuda.jit
def several_in_a_line(low, high, a, b):
    """Two elements are assigned at once, from two."""
    i = cuda.grid(1)
    if i < a.size:
        low[i], high[i] = (a[i], b[i]) if a[i] < b[i] else (b[i], a[i])


# kernel = "limit_with_annotation"
# args = "out: int32[n], a: int32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# expect = "out = np.clip(a, -10, 10)"
@cuda.jit
def limit_with_annotation(out, a):
    """A constant that has a type, and a chain of comparisons."""
    i: int = cuda.grid(1)
    if i < a.size:
        value = a[i]
        if not -LIMIT <= value <= LIMIT:
            value = LIMIT if value > 0 else -LIMIT
        out[i] = value


# kernel = "type_of_the_argument"
# args = "out: float64[n], a: float64[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# expect = "out = a * 3"
@cuda.jit
def type_of_the_argument(out, a):
    """`a.dtype` makes a number of the array's type."""
    i = cuda.grid(1)
    if i < a.size:
        total = a.dtype.type(0)
        for _ in range(3):
            total += a[i]
        out[i] = total


# kernel = "unit_vectors"
# args = "out: float32[n, 3], a: float32[n, 3]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# expect = "out = a / np.sqrt(np.sum(a * a, axis=1, keepdims=True))"
@cuda.jit
def unit_vectors(out, a):
    """Local memory for a vector."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        own = cuda.local.array(3, np.float32)
        square = 0.0
        for k in range(3):
            own[k] = a[i, k]
            square += own[k] * own[k]
        length = math.sqrt(square)
        for k in range(3):
            out[i, k] = own[k] / length
