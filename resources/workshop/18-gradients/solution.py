"""Weight gradient of a dense layer, xᵀ · grad_z: each thread adds some of the examples, then the block adds
its threads.

A block computes 16 elements of one row of the result. The thread (tx, ty) adds the examples ty, ty + 16,
... in a variable of its own. After the barrier 16 threads add the 16 partial sums. No element has two
writers, and the order of the additions is the same in each run, so the result is, too, to the last bit:
atomic additions do not promise that.
"""

from numba import cuda, float32

TILE = 16


@cuda.jit
def dense_weight_gradient(x, grad_z, out):
    partial = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    o = cuda.grid(1)
    i = cuda.blockIdx.y
    total = float32(0)
    if o < out.shape[1]:
        for n in range(ty, x.shape[0], TILE):
            # load, compute
            total += x[n, i] * grad_z[n, o]
    partial[ty, tx] = total
    # wait
    cuda.syncthreads()
    # compute
    if ty == 0 and o < out.shape[1]:
        total = float32(0)
        for k in range(TILE):
            total += partial[k, tx]
        # store
        out[i, o] = total
