"""Trains small networks on the software card and writes their parameters to a file; run by
test_successor.py.

`python -m tests.kernels.cuda.software_card_parameters FILE`, with either compiler.
"""

import sys

import numpy as np

from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.cuda.device import Cuda
from tests.kernels.cuda.software_card_training import blots

RUNS = {
    "dense": RunSettings(
        network="36-20-3", batch_size=10, epochs=1, activation="relu", learning_rate=0.1
    ),
    "sigmoid": RunSettings(
        network="36-20-3", batch_size=10, epochs=1, activation="sigmoid", learning_rate=0.5
    ),
    "convolution": RunSettings(
        network="4C3-MP2-8N-3N", optimizer="adam", batch_size=10, epochs=1, learning_rate=0.01
    ),
    "squared-error": RunSettings(
        network="36-8-3", batch_size=16, epochs=1, loss="squared-error", optimizer="momentum"
    ),
}


def parameters(settings):
    device = Cuda()
    # They are only done as they were shipped, and round otherwise.
    device.hidden_layer_steps = lambda *arrays: None
    *_, last = iter_training(settings, blots(), device)
    device.close()
    return last.checkpoint.parameters


if __name__ == "__main__":
    np.savez(sys.argv[1], **{name: parameters(settings) for name, settings in RUNS.items()})
