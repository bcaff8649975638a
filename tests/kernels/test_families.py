"""Numbers on each family of processors: OpenBLAS has other code for each, which sums in another
order.

A child process computes, because OPENBLAS_CORETYPE has to be set before NumPy is imported. The code
for Zen is that for Haswell.
"""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from kernels.vectorized.device import Vectorized

ROOT = Path(__file__).parents[2]
FAMILIES = (None, "Haswell", "Sandybridge", "Nehalem", "SkylakeX")
THREADS = (1, 2, 3, 5, 8)
# Batch, inputs, units: of presets and labs, with last batches of an epoch that are shorter.
SHAPES = (
    (100, 784, 512),
    (90, 784, 512),
    (100, 784, 128),
    (100, 784, 256),
    (60, 784, 100),
    (1000, 784, 64),
    (10, 784, 512),
    (1, 784, 512),
    (256, 128, 128),
    (200, 3136, 100),
    (100, 1024, 512),
    (33, 3136, 512),
    (1000, 784, 10),
    (500, 512, 1),
)
CODE = "from tests.kernels.test_families import print_digests; print_digests()"


def digests_of(device, shape, activation):
    """Of the outputs and gradients of a layer that is computed by a recorded step and by calls."""
    rng, (n, i, o) = np.random.default_rng(0), shape
    x, w = rng.random((n, i), np.float32), rng.standard_normal((i, o)).astype(np.float32) / 9
    b, out = rng.standard_normal(o).astype(np.float32), np.empty((n, o), np.float32)
    grad_w, grad_x = np.empty_like(w), np.empty_like(x)

    def step():
        device.dense(x, w, b, activation, out)
        device.dense_weight_gradient(x, out, grad_w)
        device.dense_input_gradient(out, w, x, activation, grad_x)

    digests = []
    for run in (device.record(step), step):
        run()
        digests.append(
            sha256(b"".join(array.tobytes() for array in (out, grad_w, grad_x))).hexdigest()[:8]
        )
    return digests


def print_digests():
    """A line for each layer: the family, what it is, and the digests for each number of threads."""
    family = threadpool_info()[0].get("architecture")
    devices = [Vectorized(threads) for threads in THREADS]
    for number, shape in enumerate(SHAPES):
        activation = ("relu", "tanh", "sigmoid", "linear")[number % 4]
        digests = [digest for device in devices for digest in digests_of(device, shape, activation)]
        print(family, *shape, activation, *digests)
    for device in devices:
        device.close()


@pytest.mark.parametrize("family", FAMILIES, ids=str)
def test_results_do_not_depend_on_the_number_of_threads(family):
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS_")
    }
    if family is not None:
        environment["OPENBLAS_CORETYPE"] = family
    command = [sys.executable, "-c", CODE]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) == len(SHAPES)
    if family is not None and lines[0][0] != family:
        pytest.skip(f"this BLAS has no code for {family}")
    assert [line[:5] for line in lines if len({*line[5:]}) > 1] == []
