"""A prefix sum in place, with two barriers a round."""

# args = "a: float32[n], out: float32[n]"
# grid = "1"
# block = "16"
# sizes = "n=1,5,16"
# expect = "out = np.cumsum(a)"

from numba import cuda, float32


@cuda.jit
def scan(a, out):
    shared = cuda.shared.array(16, float32)
    t = cuda.threadIdx.x
    shared[t] = a[t] if t < a.shape[0] else float32(0)
    cuda.syncthreads()
    offset = 1
    while offset < 16:
        other = shared[t - offset] if t >= offset else float32(0)
        cuda.syncthreads()
        shared[t] += other
        cuda.syncthreads()
        offset *= 2
    if t < a.shape[0]:
        out[t] = shared[t]
