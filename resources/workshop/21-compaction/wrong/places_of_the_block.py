"""Each block begins at the first place."""

from numba import cuda, int32


@cuda.jit
def keep_ink(places, count, pixels):
    i = cuda.grid(1)
    shared = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        shared[0] = 0
    # wait
    cuda.syncthreads()
    if i < pixels.shape[0]:
        # load
        pixel = pixels[i]
        # compute
        if pixel > 0.5:
            cuda.atomic.add(count, 0, 1)
            place = cuda.atomic.add(shared, 0, 1)
            # store
            places[place] = i  # fault: block-race
