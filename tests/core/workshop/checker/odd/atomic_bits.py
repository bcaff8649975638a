"""Atomic bit operations; what they return is not used."""

# args = "flags: int32[1] = 0, n"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"

from numba import cuda


@cuda.jit
def set_bits(flags, n):
    i = cuda.grid(1)
    if i < n:
        cuda.atomic.or_(flags, 0, 1 << (i % 8))
