"""The bench `cuda` without a card: refusal, formulas, targets, the script for PyTorch."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core.bench import timing, torch_script
from core.bench.cuda import bench
from core.bench.cuda.bench import iter_targets
from core.bench.cuda.context import FULL, QUICK, Context
from core.bench.cuda.operators import work_of
from core.bench.cuda.trainings import EAGER, GRAPH
from core.bench.rows import Note, Options, Sizes
from core.bench.timing import noise_images
from core.bench.torch_process import TorchProcess
from core.data.sources import SourceInfo
from core.errors import InputError
from kernels.registry import DeviceInfo, probe
from tests.core.export.cases import TORCH_PYTHON
from tests.core.export.test_exports import needs_torch
from tests.systems import require_posix


@pytest.fixture
def no_card(monkeypatch):
    info = DeviceInfo("cuda", "NVIDIA graphics card", False, "cuda: no NVIDIA driver was found. Install it.")
    monkeypatch.setattr(bench, "probe", lambda name: info)


def test_without_a_card_the_bench_is_refused_with_the_reason(no_card):
    with pytest.raises(InputError, match=r"no NVIDIA driver was found\. Install it"):
        next(bench.iter_rows(Options()))


def test_without_the_reader_of_mnist_the_built_in_digits_are_used(monkeypatch):
    def load(name):
        if name == "mnist":
            raise ModuleNotFoundError("No module named 'mnist'")
        return noise_images(20)

    monkeypatch.setattr(timing, "list_sources", lambda: [SourceInfo("mnist", "MNIST", True, "here")])
    monkeypatch.setattr(timing, "load_dataset", load)
    data, sentence = timing.load_digits()
    assert len(data.train) == 20
    assert sentence.startswith("MNIST could not be read (No module named 'mnist'): on the built-in digits")


def test_all_sections_fit_into_eight_minutes():
    assert sum(seconds for _, seconds, _ in bench.SECTIONS) <= bench.MAX_SECONDS + 1 < 480
    assert QUICK.time < FULL.time == 1


def array(*shape, dtype=np.float32):
    return np.zeros(shape, dtype)


@pytest.mark.parametrize(
    ("name", "arguments", "bytes", "flops"),
    [
        ("dense", (array(100, 784), array(784, 512), array(512), "relu", array(100, 512)),
         4 * (100 * 784 + 784 * 512 + 512 + 100 * 512), 2 * 100 * 784 * 512),
        ("dense_weight_gradient", (array(100, 784), array(100, 512), array(784, 512)),
         4 * (100 * 784 + 100 * 512 + 784 * 512), 2 * 100 * 784 * 512),
        ("dense_input_gradient", (array(100, 10), array(512, 10), array(100, 512), "relu", array(100, 512)),
         4 * (100 * 10 + 512 * 10 + 2 * 100 * 512), 2 * 100 * 512 * 10),
        ("convolve", (array(2, 28, 28, 1), array(5, 5, 1, 32), array(32), 1, "same", "relu", array(2, 28, 28, 32)),
         4 * (2 * 784 + 25 * 32 + 32 + 2 * 784 * 32), 2 * 2 * 784 * 32 * 25),
        ("convolve_weight_gradient", (array(2, 14, 14, 8), array(2, 14, 14, 16), 1, "same", array(3, 3, 8, 16)),
         4 * (2 * 196 * 8 + 2 * 196 * 16 + 9 * 8 * 16), 2 * 2 * 196 * 16 * 9 * 8),
        ("gather", (array(600, 28, 28, 1, dtype=np.uint8), array(600, dtype=np.int32), None, array(100, 28, 28, 1)),
         100 * 784 * 5 + 400, 0),
        ("sgd", (array(407050), array(407050), array(1), 0.0, 407040), 3 * 4 * 407050, 0),
        ("bias_gradient", (array(100, 512), array(512)), 4 * (100 * 512 + 512), 0),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_bytes_and_multiplications_follow_from_the_shapes(name, arguments, bytes, flops):
    assert work_of(name, arguments) == (bytes, flops)


def targets(**results):
    rows = list(iter_targets(Context(Options(), FULL, None, results)))
    return {row.values["target"].split(",")[0] + row.values["aim"]: row.values["met"] for row in rows}


def test_a_target_is_met_or_not_or_not_measured():
    assert set(targets().values()) == {"not measured"}
    met = targets(**{
        "epoch this program": 0.02, f"epoch {EAGER}": 0.1, f"ours over {EAGER}": 0.2, f"epoch {GRAPH}": 0.015,
        f"ours over {GRAPH}": 1.33, "product": 3e13, "product PyTorch": 5e13, "accuracy cuda": 0.97,
        "accuracy vectorized": 0.974,
    })  # fmt: skip
    assert met == {
        "epochat most 0.25": "yes", "epochat most 1": "no", "epochnone": "not measured",
        "product 4096at least 0.5": "yes", "test accuracyat most 0.003": "no",
    }  # fmt: skip


@needs_torch
def test_pytorch_times_its_epochs_and_products():
    questions = "epoch eager 0 300\nproduct 0 16\n"
    done = subprocess.run([TORCH_PYTHON, "-P", torch_script.__file__, "300", "1", "cpu", "dense"],
                          input=questions, text=True,
                          capture_output=True, check=True)  # fmt: skip
    version, *seconds = done.stdout.splitlines()
    assert "on the CPU" in version
    assert len(seconds) == 2
    assert all(float(each) > 0 for each in seconds)


@pytest.fixture
def silent(tmp_path):
    """A Python whose PyTorch starts and then does not answer."""
    require_posix()
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho '0.0 on a card'\nread line\nexec sleep 600\n")
    python.chmod(0o755)
    return python


def test_a_pytorch_that_hangs_is_ended(silent):
    with closing(TorchProcess(silent, 1)) as torch, torch.ended_after(0.05), pytest.raises(InputError):
        torch.ask("product 0 16")


def test_nothing_of_cuda_is_imported_with_the_bench():
    code = (
        "import sys, core.bench.cuda.bench\n"
        "print([m for m in sys.modules if m.startswith(('numba.cuda', 'cuda.', 'kernels.cuda.'))])"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_reason_of_the_probe_is_shown_to_the_user(capfd):
    info = probe("cuda")
    if info.available:
        pytest.skip("a card answers here")
    from main import main

    assert main(["bench", "cuda"]) == 2
    found = capfd.readouterr()
    assert found.out == ""
    assert found.err.strip() == f"main.py bench: {info.reason}"


def test_no_launch_of_the_bench_comes_near_the_watchdog_of_a_card_with_a_screen(monkeypatch):
    """Windows resets the card after two seconds; the CPU may take longer."""
    from core.bench import operators

    asked = Sizes(matrices=(10, 20, 40), budget=0.0, max_seconds_per_call=8.0)
    sizes = []

    def measure(name, table, x, y, budget, block):
        sizes.append((name, len(x)))
        return [0.1 * (len(x) / 10) ** 3]

    monkeypatch.setattr(operators, "measure", measure)
    contestants = ("vectorized", "cuda", "cuda, naive kernel")
    rows = list(operators.iter_operator("product", contestants, Options(asked)))
    assert sizes == [
        ("vectorized", 10),
        ("cuda", 10),
        ("cuda, naive kernel", 10),
        ("vectorized", 20),
        ("vectorized", 40),
    ]
    notes = [row.text for row in rows if isinstance(row, Note)]
    assert "cuda, naive kernel: left out at size 20, where it would take more than 0.5 s." in notes
