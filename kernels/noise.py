"""Noise is a number that looks random and is a function of where it is used: seed, step, layer and index.

Nothing is stored between steps, any element can be computed by itself, and since all of it is arithmetic on
integers below 2³², every device draws the same. The functions are plain; each device compiles them itself.
The mixing is the 32-bit integer hash by C. Wellons ("lowbias32", 2018), found by search for the least bias.
"""

MASK = 0xFFFFFFFF
_FIRST, _SECOND = 0x7FEB352D, 0x846CA68B


def stream(seed: int, step: int, layer: int) -> int:
    """The key, below 2³², of all that one layer draws in one step; seed at least 0 and below 2⁶³."""
    h = (seed ^ (seed >> 32)) & MASK
    h = ((h ^ (h >> 16)) * _FIRST) & MASK
    h = ((h ^ (h >> 15)) * _SECOND) & MASK
    h = (h ^ (h >> 16) ^ step) & MASK
    h = ((h ^ (h >> 16)) * _FIRST) & MASK
    h = ((h ^ (h >> 15)) * _SECOND) & MASK
    h = ((h ^ (h >> 16)) + layer) & MASK
    h = ((h ^ (h >> 16)) * _FIRST) & MASK
    h = ((h ^ (h >> 15)) * _SECOND) & MASK
    return h ^ (h >> 16)


def draw(key: int, index: int) -> int:
    """The number at `index` of a stream, uniform on 0 .. 2³² - 1."""
    h = (index ^ key) & MASK
    h = ((h ^ (h >> 16)) * _FIRST) & MASK
    h = ((h ^ (h >> 15)) * _SECOND) & MASK
    # The key enters twice: by one entry, two streams would be the same numbers in another order.
    h = ((h ^ (h >> 16)) + key) & MASK
    h = ((h ^ (h >> 16)) * _FIRST) & MASK
    h = ((h ^ (h >> 15)) * _SECOND) & MASK
    return h ^ (h >> 16)


def threshold(percent: int) -> int:
    """What a draw stays below in `percent` of a hundred cases."""
    return percent * (MASK + 1) // 100
