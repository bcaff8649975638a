"""The same as +=, written out."""

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
            before = total[0]
            total[0] = before + 1  # fault: race
