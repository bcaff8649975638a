"""Half of the threads swap two elements each: nobody else touches these."""

# args = "a: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "a = a[::-1]"

from numba import cuda


@cuda.jit
def reverse(a):
    i = cuda.grid(1)
    if i < a.shape[0] // 2:
        a[i], a[a.shape[0] - 1 - i] = a[a.shape[0] - 1 - i], a[i]
