"""Add the number of pixels above 0.5 to total[0].

This kernel has a fault: find and repair it.
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
            total[0] += 1
