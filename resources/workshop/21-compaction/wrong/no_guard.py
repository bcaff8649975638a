"""Threads beyond the end read pixels."""

from numba import cuda


@cuda.jit
def keep_ink(places, count, pixels):
    i = cuda.grid(1)
    if i >= 0:
        # load
        pixel = pixels[i]  # fault: bounds
        # compute
        if pixel > 0.5:
            place = cuda.atomic.add(count, 0, 1)
            # store
            places[place] = i
