"""Values that the source systems published, to compare the measured ones with. Accuracies are all
of MNIST.

T: thesis, Kazan 2022, a card of 2022 (model not given). U: Unicamp 2017, a card and a multicore CPU
(models not given). C: coursework, Kyiv 2024, AMD Ryzen 7 5800H with 8 cores, Python's
multiprocessing.
"""

# U: how many times as fast the second device was as the first. Its `sequential` is uncompiled
# Python.
UNICAMP_DENSE = {
    ("sequential", "cuda"): 25.6,
    ("sequential", "vectorized"): 77.0,
    ("vectorized", "cuda"): 0.33,
}
UNICAMP_CNN = {("vectorized", "cuda"): 62.5}

# C, table 5.2: seconds an epoch of one process divided by those of eight processes, by points.
COURSEWORK_SPEED_UP = {
    2_500: 0.374,
    10_000: 0.902,
    40_000: 1.513,
    90_000: 1.398,
    160_000: 1.415,
    250_000: 1.460,
    360_000: 1.586,
}

# C, table 5.3: speed-up over one process, by (processes, batches a group), at 40,000 points.
COURSEWORK_GROUPS = {
    (2, 2): 1.028, (2, 4): 0.992, (2, 8): 1.155,
    (4, 4): 1.299, (4, 8): 1.245, (4, 16): 1.341,
    (8, 8): 1.268, (8, 16): 1.278, (8, 32): 1.379,
}  # fmt: skip

# C, table 2.1: R² on 5,000 random points, by (epochs, points), one process.
COURSEWORK_R2 = {
    (100, 40_000): 0.5388, (100, 90_000): 0.5522, (100, 160_000): 0.6733,
    (200, 40_000): 0.5824, (200, 90_000): 0.6750, (200, 160_000): 0.7927,
    (300, 40_000): 0.5877, (300, 90_000): 0.7606, (300, 160_000): 0.9549,
}  # fmt: skip

# T, section 3: seconds of an epoch at batch 100, and test accuracy after it (given as over 92 %).
THESIS_BATCH_SECONDS = {100: 13.0}
THESIS_BATCH_ACCURACY = {100: 0.92}

# T, section 3 and conclusion: seconds of training to 95 % of the test images, 512 hidden, ReLU,
# batch 100.
THESIS_SECONDS_TO_95 = {
    "thesis: PyTorch, CPU": 102.38,
    "thesis: its CUDA": 32.3,
    "thesis: PyTorch, CUDA": 26.86,
}

# T, sections 3 and 4: seconds an epoch by (variant, batch). The batch of the first two is not
# given; 100 is assumed, which the thesis chose before. The names of the variants are those of
# `core.bench.cuda.ladder`.
THESIS_LADDER = {
    ("numba transposes", 100): 195.0,
    ("NT and TN kernels", 100): 17.0,
    ("NT and TN kernels", 1000): 9.7,
    ("pinned, two streams", 1000): 6.5,
}
