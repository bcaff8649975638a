"""The software card (`tests/card`): its driver, trainings on it, and faults that it has to find.

`python -m tests.card` runs the tests that need a card on it. Each test here starts a child process
that finds the card's driver in place of NVIDIA's.
"""

import importlib.util
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.card.library import environment
from tests.kernels.cuda.software_card_mistakes import MISTAKES
from tests.limits import SECONDS

ROOT = Path(__file__).parents[3]

if importlib.util.find_spec("numba_cuda") is None:
    pytest.skip("numba-cuda is not installed: uv run --extra cuda pytest", allow_module_level=True)
if shutil.which("gcc") is None or platform.machine() != "x86_64" or sys.platform != "linux":
    pytest.skip("the software card needs gcc and Linux on x86-64", allow_module_level=True)

PYTEST = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]


def run(*arguments, **settings):
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        env=environment(**settings) | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


@pytest.mark.parametrize(
    "command",
    [
        [*PYTEST, "tests/kernels/cuda/software_card_driver.py"],
        [*PYTEST, "tests/kernels/cuda/software_card_errors.py"],
        pytest.param(
            [*PYTEST, "tests/kernels/cuda/software_card_training.py"], marks=pytest.mark.slow
        ),
        pytest.param([*PYTEST, "tests/gui/window/software_card_window.py"], marks=pytest.mark.slow),
    ],
    ids=["use-of-the-driver", "errors-of-the-driver", "trainings", "window"],
)
def test_the_cuda_tests_on_the_software_card(command):
    done = run(*command)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " skipped" not in done.stdout


@pytest.mark.parametrize(
    ("kernel", "words", "code"),
    [
        ("a_race", "a race", "LAUNCH_FAILED"),
        ("beyond_the_array", "outside of all arrays", "ILLEGAL_ADDRESS"),
        ("beyond_a_part_of_an_array", "outside of all arrays", "ILLEGAL_ADDRESS"),
        ("barriers_that_not_all_reach", "different barriers", "LAUNCH_FAILED"),
        ("freed_memory", "outside of all arrays", "ILLEGAL_ADDRESS"),
        ("a_block_that_nobody_is", "all blocks wait for each other", "LAUNCH_FAILED"),
        (
            "a_block_that_does_not_fit_onto_the_card",
            "all blocks that fit onto the card wait",
            "LAUNCH_FAILED",
        ),
    ],
)
def test_a_faulty_kernel_is_found(kernel, words, code):
    done = run("-m", "tests.kernels.cuda.software_card_kernels", kernel, multiprocessors=1)
    assert words in done.stderr
    assert f"CUDA_ERROR_{code}" in done.stderr
    assert "no fault" not in done.stdout


@pytest.mark.parametrize("kernel", ["no_race", "blocks_that_meet"])
def test_a_kernel_without_fault_passes(kernel):
    done = run("-m", "tests.kernels.cuda.software_card_kernels", kernel)
    assert done.stdout == "no fault\n", done.stderr


def test_blocks_find_each_other_unfinished():
    """A barrier that lets a block through before the last one has stored its number."""
    module = "tests.kernels.cuda.software_card_kernels"
    done = run("-m", module, "a_barrier_that_opens_too_early", seed=1)
    assert "no fault" not in done.stdout
    assert "AssertionError" in done.stderr


@pytest.mark.slow
def test_few_launches_of_a_step_wait_for_each_other():
    """The table is the one of docs/performance.md."""
    done = run("-m", "tests.kernels.cuda.launches")
    assert "784-512-10: 9 launches a step" in done.stdout, done.stderr
    assert "10N: 22 launches a step" in done.stdout
    assert "\n3 a step in a graph of 20" in done.stdout
    assert "\n20 steps have 1 launches" in done.stdout
    assert "\n13 a step in a graph of 20" in done.stdout


def test_cards_are_listed_as_the_driver_describes_them():
    done = run("main.py", "devices", capabilities="9.0,6.1", memory=2_000_000_000)
    assert done.returncode == 0, done.stderr
    for words in (
        "cuda ",
        "cuda:1",
        "Software card",
        "2.0 GB",
        "compute capability 9.0",
        "compute capability 6.1",
    ):
        assert words in done.stdout


@pytest.mark.parametrize(
    "mistake", ["none", *(pytest.param(name, marks=pytest.mark.slow) for name in MISTAKES)]
)
def test_planted_mistakes_of_the_host_code_are_found(mistake):
    """Nothing is done before the host waits, so that what a mistake leaves to chance always goes
    wrong.
    """
    module = "tests.kernels.cuda.software_card_mistakes"
    done = run("-m", module, mistake, capabilities="9.0,9.0", lazy=1, seed=1)
    assert (done.stdout == "nothing found\n") == (mistake == "none"), done.stdout + done.stderr
