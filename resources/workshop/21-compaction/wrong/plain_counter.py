"""Two threads read the same number from the counter."""

from numba import cuda


@cuda.jit
def keep_ink(places, count, pixels):
    i = cuda.grid(1)
    if i < pixels.shape[0]:
        # load
        pixel = pixels[i]
        # compute
        if pixel > 0.5:
            place = count[0]
            count[0] = place + 1  # fault: race
            # store
            places[place] = i
