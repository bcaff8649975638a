"""One thread of each block adds, but there are several blocks."""

from numba import cuda, int32


@cuda.jit
def count_ink(pixels, total):
    shared = cuda.shared.array(1, int32)
    i = cuda.grid(1)
    if cuda.threadIdx.x == 0:
        shared[0] = 0
    # wait
    cuda.syncthreads()
    if i < pixels.shape[0]:
        # load
        pixel = pixels[i]
        # compute
        if pixel > 0.5:
            cuda.atomic.add(shared, 0, 1)
    # wait
    cuda.syncthreads()
    # store
    if cuda.threadIdx.x == 0:
        total[0] += shared[0]  # fault: block-race
