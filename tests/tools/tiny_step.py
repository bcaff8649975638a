"""Step times at a tiny size, for a process that runs Numba's simulator."""

import numpy as np

from core.bench import timing
from core.data.dataset import Dataset, Split
from tools import first_card


def measure(steps):
    """`tools.first_card.step_times` with batches of three images of 4 x 4 pixels."""
    split = Split(np.zeros((9, 4, 4, 1), np.uint8), np.zeros(9, np.int32))
    data = Dataset("noise", "Noise", "classes", tuple("0123456789"), split, split)
    assert callable(timing.noise_images)
    timing.noise_images = lambda count: data
    return first_card.step_times(0, steps, batch=3, images=9, epochs=1, network="16-4-10")
