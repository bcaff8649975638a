"""The bench `cuda` without a card: refusal, data, the script for PyTorch."""

import subprocess
import sys
from pathlib import Path

import pytest

from core.bench import timing, torch_script
from core.bench.cuda import ladder
from core.bench.rows import Note, Options, Sizes
from core.bench.timing import noise_images
from core.data.sources import SourceInfo
from core.errors import InputError
from kernels.registry import DeviceInfo, probe
from tests.core.export.cases import TORCH_PYTHON
from tests.core.export.test_exports import needs_torch


@pytest.fixture
def no_card(monkeypatch):
    info = DeviceInfo(
        "cuda", "NVIDIA graphics card", False, "cuda: no NVIDIA driver was found. Install it."
    )
    monkeypatch.setattr(ladder, "probe", lambda name: info)


def test_without_a_card_the_bench_is_refused_with_the_reason(no_card):
    with pytest.raises(InputError, match=r"no NVIDIA driver was found\. Install it"):
        next(ladder.iter_rows(Options()))


def test_without_the_reader_of_mnist_the_built_in_digits_are_used(monkeypatch):
    def load(name):
        if name == "mnist":
            raise ModuleNotFoundError("No module named 'mnist'")
        return noise_images(20)

    monkeypatch.setattr(
        timing, "list_sources", lambda: [SourceInfo("mnist", "MNIST", True, "here")]
    )
    monkeypatch.setattr(timing, "load_dataset", load)
    data, sentence = timing.load_digits()
    assert len(data.train) == 20
    assert sentence.startswith(
        "MNIST could not be read (No module named 'mnist'): on the built-in digits"
    )


@needs_torch
def test_pytorch_times_its_epochs():
    questions = "eager 300\ngraph\neager 200\n"
    done = subprocess.run([TORCH_PYTHON, "-P", torch_script.__file__, "300", "1", "cpu", "dense"],
                          input=questions, text=True,
                          capture_output=True, check=True)  # fmt: skip
    version, *seconds = done.stdout.splitlines()
    assert "on the CPU" in version
    assert len(seconds) == 3
    assert seconds[1].startswith("! ValueError")
    assert float(seconds[0]) > 0
    assert float(seconds[2]) > 0


def test_nothing_of_cuda_is_imported_with_the_bench():
    code = (
        "import sys, core.bench.cuda.ladder\n"
        "print([m for m in sys.modules if m.startswith(('numba.cuda', 'cuda.', 'kernels.cuda.'))])"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
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

    def measure(name, table, x, y, budget):
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
