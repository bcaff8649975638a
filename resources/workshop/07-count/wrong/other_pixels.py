"""Counts the other pixels."""

from numba import cuda


@cuda.jit
def count_ink(pixels, total):
    i = cuda.grid(1)
    if i < pixels.shape[0]:
        # load
        pixel = pixels[i]
        # compute
        if pixel <= 0.5:
            # store
            cuda.atomic.add(total, 0, 1)  # fault: wrong-result
