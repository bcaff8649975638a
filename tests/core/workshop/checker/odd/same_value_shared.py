"""Every thread sets the shared counter to 0."""

# args = "out: int32[(n + 7) // 8], n"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# warns = "same-value"
# expect = "out = np.minimum(n - 8 * np.arange(out.shape[0]), 8)"

from numba import cuda, int32


@cuda.jit
def active(out, n):
    counter = cuda.shared.array(1, int32)
    counter[0] = 0
    cuda.syncthreads()
    if cuda.grid(1) < n:
        cuda.atomic.add(counter, 0, 1)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        out[cuda.blockIdx.x] = counter[0]
