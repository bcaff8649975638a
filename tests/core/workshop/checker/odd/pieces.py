"""Each thread takes a piece of neighboring elements, the last one a shorter one."""

# args = "a: float32[n], out: float32[n]"
# grid = "1"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = a - 1"

from numba import cuda


@cuda.jit
def pieces(a, out):
    n = a.shape[0]
    length = (n + cuda.gridsize(1) - 1) // cuda.gridsize(1)
    first = cuda.grid(1) * length
    for i in range(first, min(first + length, n)):
        out[i] = a[i] - 1
