"""Count the pixels with ink, above 0.5: all threads add to one number, one after the other.

`total[0] += 1` is three things: read, add, write. Two threads that do them at the same time read the same
old number, and one of them is lost. An atomic addition cannot be interrupted.
"""

from numba import cuda


@cuda.jit
def count_ink(pixels, total):
    i = cuda.grid(1)
    if i < pixels.shape[0]:
        # load
        pixel = pixels[i]
        # compute
        if pixel > 0.5:
            # store
            cuda.atomic.add(total, 0, 1)
