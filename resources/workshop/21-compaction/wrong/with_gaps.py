"""Each number stands at its own place: the list has gaps."""

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
            places[i] = i  # fault: wrong-result
