"""One half adds atomically, the other half does not."""

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
            if i % 2 == 0:
                cuda.atomic.add(total, 0, 1)
            else:
                total[0] += 1  # fault: race
