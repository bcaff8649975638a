"""Counter-based random numbers: each is a function of seed, step, layer and index (cf. Salmon et
al. 2011).

Nothing is stored between steps and each number can be computed on its own. All of it is arithmetic
on integers below 2³², so every device draws the same numbers. These functions are plain Python;
each device compiles them itself. The hash is the 32-bit integer hash "lowbias32" by C. Wellons
(2018), which was found by a search for the smallest bias.
"""

MASK = 0xFFFFFFFF
_FIRST = 0x7FEB352D
_SECOND = 0x846CA68B


def stream(seed: int, step: int, layer: int) -> int:
    """The key, below 2³², of all random numbers of one layer in one step; the seed is from 0 to 2⁶³
    - 1.
    """
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
    """The random number at `index` of the stream with this key, uniform on 0 .. 2³² - 1."""
    h = (index ^ key) & MASK
    h = ((h ^ (h >> 16)) * _FIRST) & MASK
    h = ((h ^ (h >> 15)) * _SECOND) & MASK
    # The key is used twice: if it were used once, two streams would have the same numbers in
    # another order.
    h = ((h ^ (h >> 16)) + key) & MASK
    h = ((h ^ (h >> 16)) * _FIRST) & MASK
    h = ((h ^ (h >> 15)) * _SECOND) & MASK
    return h ^ (h >> 16)


def threshold(percent: int) -> int:
    """The number that a draw is below with a probability of `percent` %."""
    return percent * (MASK + 1) // 100
