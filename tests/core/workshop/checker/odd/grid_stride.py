"""Fewer threads than elements."""

# args = "a: float32[n], out: float32[n]"
# grid = "2"
# block = "8"
# sizes = "n=1,16,17,50"
# expect = "out = a * a"

from numba import cuda


@cuda.jit
def square(a, out):
    for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
        out[i] = a[i] * a[i]
