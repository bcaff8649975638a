"""The first place is left out."""

from numba import cuda


@cuda.jit
def keep_ink(places, count, pixels):
    i = cuda.grid(1)
    if i < pixels.shape[0]:
        # load
        pixel = pixels[i]
        # compute
        if pixel > 0.5:
            place = cuda.atomic.add(count, 0, 1) + 1
            # store
            if place < places.shape[0]:
                places[place] = i  # fault: wrong-result
