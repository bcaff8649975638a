"""A run after a warm-up compiles nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

from core.training.presets import find_preset
from tests.limits import SECONDS

ROOT = Path(__file__).resolve().parents[3]

# In a process of its own, where no loop has been compiled, or loaded from the cache, for any types
# yet.
WARMED_UP = """
import gc, json, sys
import numpy as np
from numba.core.dispatcher import Dispatcher
from core.data.dataset import Dataset, Split
from core.training.trainer import warm_up
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.registry import open_device

def compiled():
    loops = [each for each in gc.get_objects() if isinstance(each, Dispatcher)]
    return {f"{loop.py_func.__qualname__}{types}" for loop in loops for types in loop.signatures}

random = np.random.default_rng(0)
def split(count):
    return Split(random.integers(0, 256, (count, 28, 28, 1), np.uint8), random.integers(0, 10, count, np.int32))

run = RunSettings.from_dict(json.loads(sys.argv[1])).change(epochs=1)
data = Dataset("noise", "Noise", "classes", tuple("0123456789"), split(250), split(130))
device = open_device("vectorized")
warm_up(run, data, device, lambda: None)
warmed_up = compiled()
list(iter_training(run, data, device))
device.close()
print(json.dumps([len(warmed_up), sorted(compiled() - warmed_up)]))
"""


def test_a_run_compiles_nothing_after_its_warm_up():
    settings = find_preset("default").settings
    done = subprocess.run(
        [sys.executable, "-c", WARMED_UP, json.dumps(settings.as_dict())],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    warmed_up, later = json.loads(done.stdout)
    assert warmed_up > 10
    assert later == []
