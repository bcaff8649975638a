"""syncthreads_count tells all threads how many had a true condition."""

# args = "a: float32[n], out: int32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=8,16"

from numba import cuda


@cuda.jit
def positive_in_block(a, out):
    i = cuda.grid(1)
    out[i] = cuda.syncthreads_count(1 if a[i] > 0 else 0)
