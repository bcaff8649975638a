"""A file with several kernels."""

# args = "a: float32[n], out: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# kernel = "second"
# expect = "out = a * 2"

from numba import cuda


@cuda.jit
def first(a, out):
    out[0] = a[100]


@cuda.jit
def second(a, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i] * 2
