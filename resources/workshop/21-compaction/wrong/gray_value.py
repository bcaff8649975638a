"""Keeps the pixel, not its number."""

from numba import cuda, int32


@cuda.jit
def keep_ink(places, count, pixels):
    i = cuda.grid(1)
    if i < pixels.shape[0]:
        # load
        pixel = pixels[i]
        # compute
        if pixel > 0.5:
            place = cuda.atomic.add(count, 0, 1)
            # store
            places[place] = int32(pixel * 255)  # fault: wrong-result
