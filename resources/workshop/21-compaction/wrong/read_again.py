"""Others have increased the counter before it is read again."""

from numba import cuda


@cuda.jit
def keep_ink(places, count, pixels):
    i = cuda.grid(1)
    if i < pixels.shape[0]:
        # load
        pixel = pixels[i]
        # compute
        if pixel > 0.5:
            cuda.atomic.add(count, 0, 1)
            # store
            places[count[0] - 1] = i  # fault: race
