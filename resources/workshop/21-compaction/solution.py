"""List the numbers of the pixels with ink, above 0.5, in any order.

An atomic addition returns what was there before. Each thread gets another number, so it is a place in the list that no
other thread has.
"""

from numba import cuda


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
            places[place] = i
