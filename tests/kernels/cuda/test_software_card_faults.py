"""Faults of the graphics card, each through `main.py` in a child process: what the user reads, what
is left of the run.

The software card lets a chosen call of its driver fail (`tests/card/driver/faults.c`). Whatever
fails: one sentence, no traceback, no hanging, and afterwards the run can be continued, or repeated
to the bit.
"""

import os
import random
import subprocess
import sys

import numpy as np
import pytest
from safetensors.numpy import load_file

from tests.kernels.cuda.test_software_card import ROOT, environment
from tests.limits import SECONDS

pytestmark = pytest.mark.slow

MEMORY = "not enough memory"
DRIVER = "The graphics driver is too old"
KERNEL = "A computation on the graphics card failed"
TIMEOUT = "took too long"
LOST = "The graphics card stopped answering"
BUSY = "Another program has the graphics card"
TOOLKIT = "do not fit together"
CAPTURE = "could not capture the training step as a graph"

# Settings of the card, and what the program then says; no run begins.
AT_THE_START = [
    ({"faults": "cuInit=NO_DEVICE"}, "it finds no card"),
    ({"capabilities": ""}, "it finds no card"),
    ({"faults": "cuInit=SYSTEM_DRIVER_MISMATCH"}, "of different versions. Restart the computer"),
    ({"faults": "cuInit=UNKNOWN"}, "the NVIDIA driver does not start"),
    ({"faults": "cuInit=OPERATING_SYSTEM"}, "the NVIDIA driver does not start"),
    ({"driver": 11040}, "supports CUDA up to 11.4"),
    ({"capabilities": "3.5"}, "has compute capability 3.5; the installed CUDA toolkit needs"),
    (
        {"capabilities": "99.0"},
        "has compute capability 99.0, which the installed CUDA toolkit does not know yet",
    ),
    ({"faults": "cuDevicePrimaryCtxRetain=DEVICE_UNAVAILABLE"}, BUSY),
    ({"faults": "cuDevicePrimaryCtxRetain=OUT_OF_MEMORY"}, MEMORY),
    ({"faults": "cuDevicePrimaryCtxRetain=ECC_UNCORRECTABLE"}, LOST),
    ({"faults": "cuDeviceGetAttribute=INVALID_DEVICE"}, LOST),
    ({"faults": "cuLibraryLoadData=NO_BINARY_FOR_GPU"}, DRIVER),
    ({"faults": "cuLibraryLoadData=UNSUPPORTED_PTX_VERSION"}, DRIVER),
    ({"faults": "cuLibraryLoadData=JIT_COMPILER_NOT_FOUND"}, TOOLKIT),
    ({"faults": "cuLibraryLoadData=OUT_OF_MEMORY"}, MEMORY),
    ({"faults": "cuMemAlloc=OUT_OF_MEMORY"}, MEMORY),
    ({"faults": "cuStreamCreateWithPriority=OUT_OF_MEMORY"}, MEMORY),
    ({"faults": "cuLaunchKernelEx=LAUNCH_FAILED"}, KERNEL),
    ({"faults": "cuMemcpyHtoDAsync=INVALID_VALUE"}, "reported the error INVALID_VALUE"),
    ({"faults": "cuMemFree=INVALID_VALUE"}, "reported the error INVALID_VALUE"),
    ({"memory": 40_000}, MEMORY),
]

# Calls that fail during a run. The call of that number is made in the second or a later epoch.
IN_A_RUN = [
    ("cuStreamSynchronize:25=ILLEGAL_ADDRESS", KERNEL),
    ("cuStreamSynchronize:25=LAUNCH_FAILED", KERNEL),
    ("cuStreamSynchronize:25=MISALIGNED_ADDRESS", KERNEL),
    ("cuStreamSynchronize:25=LAUNCH_TIMEOUT", TIMEOUT),
    ("cuStreamSynchronize:25=ECC_UNCORRECTABLE", LOST),
    ("cuStreamSynchronize:25=HARDWARE_STACK_ERROR", LOST),
    ("cuStreamSynchronize:25=UNKNOWN", LOST),
    ("cuStreamSynchronize:25-=CONTEXT_IS_DESTROYED", LOST),
    ("cuStreamSynchronize:25=INVALID_HANDLE", "reported the error INVALID_HANDLE"),
    ("cuGraphLaunch:20=ILLEGAL_ADDRESS", KERNEL),
    ("cuGraphLaunch:20=LAUNCH_OUT_OF_RESOURCES", KERNEL),
    ("cuGraphLaunch:20=INVALID_VALUE", "reported the error INVALID_VALUE"),
    ("cuMemcpyDtoHAsync:15=LAUNCH_FAILED", KERNEL),
    ("cuMemcpyDtoHAsync:15=INVALID_VALUE", "reported the error INVALID_VALUE"),
    ("cuMemcpyHtoDAsync:25=ILLEGAL_ADDRESS", KERNEL),
    # Before the first checkpoint.
    ("cuLaunchKernelEx:200=LAUNCH_FAILED", KERNEL),
    ("cuLaunchKernelEx:200=INVALID_HANDLE", "reported the error INVALID_HANDLE"),
    ("cuGraphInstantiate=OUT_OF_MEMORY", MEMORY),
    ("cuGraphDestroy=INVALID_VALUE", "reported the error INVALID_VALUE"),
    ("cuMemAlloc:30-=OUT_OF_MEMORY", MEMORY),
    ("cuEventCreate:50=OUT_OF_MEMORY", MEMORY),
    ("cuEventRecord:50=INVALID_HANDLE", "reported the error INVALID_HANDLE"),
]

# Calls whose failure a run survives, and what it then says.
SURVIVED = [
    ("cuStreamBeginCapture=STREAM_CAPTURE_UNSUPPORTED", CAPTURE),
    ("cuStreamBeginCapture=NOT_SUPPORTED", CAPTURE),
    ("cuEventRecord:5=STREAM_CAPTURE_INVALIDATED", CAPTURE),
    ("cuStreamWaitEvent:5=STREAM_CAPTURE_ISOLATION", CAPTURE),
    ("cuGraphInstantiate=NOT_SUPPORTED", CAPTURE),
    ("cuDevicePrimaryCtxSetFlags=PRIMARY_CONTEXT_ACTIVE", ""),
    ("cuGraphExecDestroy=INVALID_VALUE", ""),
    ("cuMemFree:15-=INVALID_VALUE", ""),
]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A table of numbers: the last column is to be found from the four before it."""
    generator = random.Random(0)
    lines = ["a,b,c,d,sum"]
    for _ in range(300):
        values = [generator.gauss(0, 1) for _ in range(4)]
        lines.append(",".join(f"{value:.3f}" for value in (*values, sum(values))))
    path = tmp_path_factory.mktemp("data") / "table.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def train(table, folder, *arguments, device="cuda", **settings):
    """`main.py train` on the software card; `folder` is the run's."""
    values = ("--data", table, "--network", "4-8-1", "--epochs", 4, "--batch-size", 10, "--seed", 3)
    chosen = arguments or ("--run", folder, *values)
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "train", "--device", device, *map(str, chosen)],
        cwd=table.parent,
        env={**environment(**settings), "DIGITLAB_HOME": os.environ["DIGITLAB_HOME"]},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def parameters(folder):
    return load_file(folder / "model.safetensors")


def assert_same(found, expected):
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_array_equal(found[name], value)


@pytest.fixture(scope="module")
def expected(table, tmp_path_factory):
    """The parameters of the run without a fault."""
    folder = tmp_path_factory.mktemp("good") / "run"
    done = train(table, folder)
    assert done.returncode == 0, done.stderr
    return parameters(folder)


def assert_one_sentence(done, words):
    assert done.returncode in (1, 2), done.stdout + done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert (
        len([line for line in done.stderr.splitlines() if line.startswith("main.py train: ")]) <= 2
    )


@pytest.mark.parametrize(("settings", "words"), AT_THE_START, ids=str)
def test_a_card_that_cannot_be_used_is_said_to_be_so(settings, words, table, tmp_path):
    assert_one_sentence(train(table, tmp_path / "run", **settings), words)


def test_one_of_two_cards_is_too_old(table, tmp_path):
    done = train(table, tmp_path / "run", device="cuda:1", capabilities="9.0,3.5")
    assert_one_sentence(done, "has compute capability 3.5")
    assert train(table, tmp_path / "run", capabilities="9.0,3.5").returncode == 0


@pytest.mark.parametrize(("fault", "words"), IN_A_RUN)
def test_a_run_that_fails_can_be_continued(fault, words, table, tmp_path, expected):
    """Or, where it had no checkpoint yet, begun again in its folder, as the program says."""
    folder = tmp_path / "run"
    assert_one_sentence(train(table, folder, faults=fault), words)
    continued = train(table, folder, "--resume", folder)
    if "was ended before its first checkpoint: begin it again" in continued.stderr:
        continued = train(table, folder)
    assert continued.returncode == 0, continued.stderr
    assert_same(parameters(folder), expected)


@pytest.mark.parametrize(("fault", "words"), SURVIVED)
def test_a_run_survives(fault, words, table, tmp_path, expected):
    folder = tmp_path / "run"
    done = train(table, folder, faults=fault)
    assert done.returncode == 0, done.stderr
    assert words in done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    assert_same(parameters(folder), expected)
