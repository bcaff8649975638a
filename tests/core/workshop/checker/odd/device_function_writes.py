"""A device function that writes to an array of its caller."""

# args = "a: float32[n], out: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = -a"

from numba import cuda


@cuda.jit(device=True)
def store(array, at, value):
    array[at] = value


@cuda.jit
def negate(a, out):
    i = cuda.grid(1)
    if i < a.shape[0]:
        store(out, i, -a[i])
