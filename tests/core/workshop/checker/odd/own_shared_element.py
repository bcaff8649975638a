"""Each thread reads only the shared element that it wrote: no barrier needed."""

# args = "a: float32[n], out: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = a + 10"

from numba import cuda, float32


@cuda.jit
def add_ten(a, out):
    shared = cuda.shared.array(8, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if i < a.shape[0]:
        shared[t] = a[i]
        out[i] = shared[t] + float32(10)
