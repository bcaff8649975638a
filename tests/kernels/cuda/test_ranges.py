"""NVTX ranges of a training nest as docs/cuda.md says; in the simulator, with a stand-in for nvtx
that records.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernels.cuda.installed import has_compiler

ROOT = Path(__file__).parents[3]

PROGRAM = """
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

said = []
recorder = ModuleType("nvtx")
recorder.__spec__ = ModuleSpec("nvtx", None)
recorder.push_range = lambda name, domain: said.append(name)
recorder.pop_range = lambda domain: said.append("end")
sys.modules["nvtx"] = recorder

import numpy as np
from core.data.dataset import Dataset, Split
from core.training.records import EpochDone, TrainingControl
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.cuda.device import Cuda
from kernels.cuda.operators.tiles import Tile

inputs = np.zeros((6, 2, 1, 1), np.uint8)
split = Split(inputs, np.zeros(6, np.int32))
data = Dataset("zeros", "Zeros", "classes", ("a", "b"), split, split)
device = Cuda(tile=Tile(4, 4, 4, 2, 2))
records = iter_training(RunSettings(network="2-2", batch_size=3, epochs=3), data, device, TrainingControl(chunk=1))
for record in records:
    if isinstance(record, EpochDone) and record.epoch == 2:
        break
records.close()
device.close()
print(" ".join(said))
"""


def words_of_a_training(**settings):
    if not has_compiler():
        pytest.skip("numba-cuda is not installed: uv run --extra cuda pytest")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"} | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_ranges_of_copies_lie_in_chunks_and_those_in_epochs():
    open_ranges, seen, epochs = [], set(), 0
    for word in words_of_a_training(DIGITLAB_NVTX="1"):
        if word == "end":
            open_ranges.pop()
            continue
        open_ranges.append(word)
        seen.add(tuple(open_ranges))
        epochs += open_ranges == ["epoch"]
    assert not open_ranges, "a range is still open"
    assert epochs == 2
    assert {("upload",), ("epoch", "write"), ("epoch", "chunk"), ("epoch", "chunk", "read")} <= seen
    assert ("chunk",) not in seen


def test_without_the_switch_nvtx_is_not_called():
    assert words_of_a_training(DIGITLAB_NVTX="0") == []
