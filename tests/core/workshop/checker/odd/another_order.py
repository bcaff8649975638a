"""A sum of a thousand numbers in another order than NumPy's."""

# args = "a: float32[n], out: float32[1]"
# grid = "1"
# block = "32"
# sizes = "n=1,33,1000"
# expect = "out = np.sum(a)"

from numba import cuda, float32


@cuda.jit
def total(a, out):
    shared = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    value = float32(0)
    for i in range(a.shape[0] - 1 - t, -1, -32):
        value += a[i]
    shared[t] = value
    cuda.syncthreads()
    if t == 0:
        for k in range(1, 32):
            value += shared[k]
        out[0] = value
