"""The block's counter does not begin at 0."""

from numba import cuda, int32


@cuda.jit
def count_ink(pixels, total):
    shared = cuda.shared.array(1, int32)
    i = cuda.grid(1)
    if i < pixels.shape[0]:
        # load
        pixel = pixels[i]
        # compute
        if pixel > 0.5:
            cuda.atomic.add(shared, 0, 1)  # fault: uninitialized
    # wait
    cuda.syncthreads()
    # store
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, shared[0])
