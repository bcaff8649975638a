"""Types of numbers as Numba has them, and indices that are no whole numbers."""

import math

import numpy as np
from numba import cuda, float32, int16, int32, uint64

MULTIPLIER = 6364136223846793005


# kernel = "contrast_of_pixels"
# args = "out: float32[n], a: uint8[n] < 256, b: uint8[n] < 256"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# expect = "out = (a - b) / 2"
@cuda.jit
def contrast_of_pixels(out, a, b):
    """With one signed number the difference is signed."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = (int32(a[i]) - b[i]) / 2


# kernel = "contrast_without_sign"
# args = "out: float32[n], a: uint8[n] < 256, b: uint8[n] < 256"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=40"
# expect = "out = (a - b) / 2"
@cuda.jit
def contrast_without_sign(out, a, b):
    """The difference of two unsigned numbers is unsigned in Numba: below zero it is about 1.8e19."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = (a[i] - b[i]) / 2  # fault: wrong-result


# kernel = "generator_of_64_bits"
# args = "states: uint64[n] < 1000000"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# reference = '''
# def states(states):
#     found = [(int(s) * 6364136223846793005 + 1442695) % 18446744073709551616 for s in states]
#     return np.array(found, np.uint64)
# '''
@cuda.jit
def generator_of_64_bits(states):
    """All parts are uint64, so the product wraps around."""
    i = cuda.grid(1)
    if i < states.size:
        states[i] = states[i] * uint64(MULTIPLIER) + uint64(1442695)


# kernel = "generator_with_plain_numbers"
# args = "states: uint64[n] < 1000000"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=40"
# reference = '''
# def states(states):
#     found = [(int(s) * 6364136223846793005 + 1442695) % 18446744073709551616 for s in states]
#     return np.array(found, np.uint64)
# '''
@cuda.jit
def generator_with_plain_numbers(states):
    """A uint64 and an int64 give an int64, which has the same bits."""
    i = cuda.grid(1)
    if i < states.size:
        states[i] = states[i] * MULTIPLIER + 1442695


# kernel = "every_second_by_true_division"
# args = "out: float32[n], a: float32[(n + 1) // 2]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# expect = "out = np.repeat(a, 2)[:out.size]"
@cuda.jit
def every_second_by_true_division(out, a):
    """A quotient by / is a floating-point number, which is no index."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i / 2]  # fault: type


# kernel = "every_second"
# args = "out: float32[n], a: float32[(n + 1) // 2]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# expect = "out = np.repeat(a, 2)[:out.size]"
@cuda.jit
def every_second(out, a):
    """// gives a whole number."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i // 2]


# kernel = "wrapped_days"
# args = "out: int32[n], days: int32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=40"
# expect = "out = np.mod(days, 7) * 100 + np.floor_divide(days, 7)"
@cuda.jit
def wrapped_days(out, days):
    """Quotient and rest of negative numbers are Python's: rounded down, and never negative."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = days[i] % 7 * 100 + days[i] // 7


# kernel = "wrapped_as_in_c"
# args = "out: int32[n], days: int32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=40"
# expect = "out = np.mod(days, 7)"
@cuda.jit
def wrapped_as_in_c(out, days):
    """fmod has the sign of the dividend, as % in C."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = int(math.fmod(float(days[i]), 7.0))  # fault: wrong-result


# kernel = "mean_in_sixteen_bits"
# args = "out: float32[1], a: int16[n] < 1000"
# grid = "1"
# block = "1"
# sizes = "n=100"
# expect = "out = np.mean(a)"
@cuda.jit
def mean_in_sixteen_bits(out, a):
    """A sum that is cast to int16 in each step overflows."""
    total = int16(0)
    for i in range(a.size):
        total = int16(total + a[i])
    out[0] = total / a.size  # fault: wrong-result


# kernel = "mean_in_one_thread"
# args = "out: float32[1], a: int16[n] < 1000"
# grid = "1"
# block = "1"
# sizes = "n=1,100"
# expect = "out = np.mean(a)"
@cuda.jit
def mean_in_one_thread(out, a):
    """The sum is an int64."""
    total = 0
    for i in range(a.size):
        total += a[i]
    out[0] = total / a.size


# kernel = "bits_of_a_number"
# args = "out: int32[n, 4], a: uint32[n] < 1000000"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# reference = '''
# def out(a):
#     rows = []
#     for value in a:
#         digits = [value >> k & 1 for k in range(32)]
#         high = max([k for k in range(32) if digits[k]] + [-1])
#         low = min([k for k in range(32) if digits[k]] + [32])
#         rows = rows + [[sum(digits), 31 - high, low % 32 + 1 if low < 32 else 0, value & 255]]
#     return np.array(rows)
# '''
@cuda.jit
def bits_of_a_number(out, a):
    """How many, zeros above, the lowest one, and the last byte."""
    i = cuda.grid(1)
    if i < out.shape[0]:
        value = a[i]
        out[i, 0] = cuda.popc(value)
        out[i, 1] = cuda.clz(value)
        out[i, 2] = cuda.ffs(value)
        out[i, 3] = value & 0xFF


# kernel = "distance_of_colors"
# args = "out: float32[n], a: float32[n, 3], b: float32[n, 3]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# expect = "out = np.sqrt(np.sum((a - b) ** 2, axis=1))"
@cuda.jit
def distance_of_colors(out, a, b):
    """Powers with constant exponents."""
    i = cuda.grid(1)
    if i < out.size:
        total = np.float32(0)
        for k in range(3):
            total += (a[i, k] - b[i, k]) ** 2
        out[i] = total**0.5


# kernel = "hypotenuse_overwritten"
# args = "out: float32[n], a: float32[n], b: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=40"
# expect = "out = np.hypot(a, b)"
@cuda.jit
def hypotenuse_overwritten(out, a, b):
    """`=` where `+=` is meant."""
    i = cuda.grid(1)
    if i < out.size:
        total = a[i] * a[i]
        total = b[i] * b[i]
        out[i] = math.sqrt(total)  # fault: wrong-result


# kernel = "indices_of_another_array"
# args = "out: float32[n], a: float32[n, 2]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# expect = "out = a[:, 0] * a[:, 1]"
@cuda.jit
def indices_of_another_array(out, a):
    """The product of two rows is no number."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] * a[i, 1]  # fault: type


# kernel = "julia_with_complex_numbers"
# args = "counts: int32[rows, columns]"
# grid = "(columns + 7) // 8, (rows + 7) // 8"
# block = "8, 8"
# sizes = "rows=8 columns=5"
# reference = '''
# def counts(counts):
#     found = np.zeros(counts.shape, np.int64)
#     for y in range(counts.shape[0]):
#         for x in range(counts.shape[1]):
#             re, im, k = x * 0.2 - 1.5, y * 0.2 - 1, 0
#             for step in range(20):
#                 if re * re + im * im < 4:
#                     re, im, k = re * re - im * im - 0.8, 2 * re * im + 0.156, k + 1
#             found[y, x] = k
#     return found
# '''
@cuda.jit
def julia_with_complex_numbers(counts):
    """As Numba's own examples write it."""
    x, y = cuda.grid(2)
    if y < counts.shape[0] and x < counts.shape[1]:
        z = complex(x * 0.2 - 1.5, y * 0.2 - 1)
        k = 0
        while k < 20 and z.real * z.real + z.imag * z.imag < 4:
            z = z * z + complex(-0.8, 0.156)
            k += 1
        counts[y, x] = k


# kernel = "parts_of_a_tuple"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# expect = "out = 0.25 * a + 0.5 * a * a"
@cuda.jit
def parts_of_a_tuple(out, a):
    """Numbers of a tuple by constant indices, and the tuple taken apart."""
    weights = (0.25, 0.5)
    _, second = weights
    i = cuda.grid(1)
    if i < out.size:
        out[i] = weights[0] * a[i] + second * a[i] * a[i]


# kernel = "weights_of_a_tuple"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# reference = '''
# def out(a):
#     padded = np.pad(a, 1)
#     return 0.25 * padded[:-2] + 0.5 * padded[1:-1] + 0.25 * padded[2:]
# '''
@cuda.jit
def weights_of_a_tuple(out, a):
    """The index of a tuple is the variable of a loop, the same in all threads."""
    weights = (0.25, 0.5, 0.25)
    i = cuda.grid(1)
    if i < out.size:
        total = float32(0)
        for k in range(3):
            place = i + k - 1
            if place >= 0 and place < a.size:
                total += weights[k] * a[place]
        out[i] = total


# kernel = "weights_by_the_thread"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# expect = "out = a * np.where(np.arange(a.size) % 2 == 0, 0.25, 0.5)"
@cuda.jit
def weights_by_the_thread(out, a):
    """The index of a tuple of equal types may differ between the threads."""
    weights = (0.25, 0.5)
    i = cuda.grid(1)
    if i < out.size:
        out[i] = weights[i % 2] * a[i]


# kernel = "elements_with_their_numbers"
# args = "out: float32[n], a: float32[n, 4]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# expect = "out = a @ np.arange(4)"
@cuda.jit
def elements_with_their_numbers(out, a):
    """`enumerate` over a row."""
    i = cuda.grid(1)
    if i < out.size:
        total = 0.0
        for k, value in enumerate(a[i]):
            total += k * value
        out[i] = total


# kernel = "sum_over_the_elements"
# args = "out: float32[n], a: float32[n, 4]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,40"
# expect = "out = np.sum(a, axis=1)"
@cuda.jit
def sum_over_the_elements(out, a):
    """A loop over the elements of a row, without their indices."""
    i = cuda.grid(1)
    if i < out.size:
        total = 0.0
        for value in a[i]:
            total += value
        out[i] = total


# kernel = "generator_in_a_loop"
# args = "states: uint64[n] < 1000000"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=40"
# reference = '''
# def states(states):
#     found = []
#     for s in states:
#         x = int(s)
#         for k in range(3):
#             x = (x * 6364136223846793005 + 1) % 18446744073709551616
#         found = found + [x]
#     return np.array(found, np.uint64)
# '''
@cuda.jit
def generator_in_a_loop(states):
    """A variable that is a uint64 before the loop and an int64 in it is a float64 for Numba: low digits are lost."""
    i = cuda.grid(1)
    if i < states.size:
        x = states[i]
        for _ in range(3):
            x = x * MULTIPLIER + 1
        states[i] = x  # fault: wrong-result


# kernel = "generator_in_a_loop_with_casts"
# args = "states: uint64[n] < 1000000"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=40"
# reference = '''
# def states(states):
#     found = []
#     for s in states:
#         x = int(s)
#         for k in range(3):
#             x = (x * 6364136223846793005 + 1) % 18446744073709551616
#         found = found + [x]
#     return np.array(found, np.uint64)
# '''
@cuda.jit
def generator_in_a_loop_with_casts(states):
    """With numbers of its own type it stays a uint64."""
    i = cuda.grid(1)
    if i < states.size:
        x = states[i]
        for _ in range(3):
            x = x * uint64(MULTIPLIER) + uint64(1)
        states[i] = x


# kernel = "index_that_becomes_a_float"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=40"
# expect = "out = a"
@cuda.jit
def index_that_becomes_a_float(out, a):
    """A floating-point number in one branch makes the variable one everywhere: it is no index any more."""
    i = cuda.grid(1)
    if i < out.size:
        place = i
        if a[i] > 5:
            place = i / 2
        out[i] = a[place]  # fault: type
