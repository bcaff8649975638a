"""Networks that learn with a kernel of the workshop."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from core.data.dataset import Dataset, Split
from core.errors import InputError
from core.inference.model_file import load_model
from core.labs.blocks.kernel import KernelBlock
from core.labs.package import open_lab
from core.workshop import use
from core.workshop.use import KernelComparison, choose_mode, iter_use, iter_use_apart, plan_for
from kernels.device_spec import DeviceInfo
from main import main

EXERCISES = Path(__file__).resolve().parents[3] / "resources" / "workshop"
WITHOUT_BARRIERS = (
    "03-two-dimensions",
    "11-product",
    "15-softmax-loss",
    "16-pooling",
    "17-convolution",
    "19-update",
)
WITH_BARRIERS = ("12-tiles", "13-transposed-operand", "14-dense", "18-gradients")


def exercise(folder: str):
    """Kernel text, launch and operator of the solution."""
    found = next(
        part for part in open_lab(EXERCISES / folder).parts if isinstance(part, KernelBlock)
    ).exercise
    return found.solution.read_text("utf-8"), found.launch, found.operator


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    """Bars at ten places."""
    generator = np.random.default_rng(0)
    labels = np.arange(60) % 10
    images = generator.integers(0, 60, (60, 28, 28, 1)).astype(np.uint8)
    for image, label in zip(images, labels, strict=True):
        image[2 * label : 2 * label + 4] = 250
    splits = (
        Split(images, labels.astype(np.int32)),
        Split(images[:20], labels[:20].astype(np.int32)),
    )
    return Dataset("bars", "Bars", "classes", tuple("0123456789"), *splits)


@pytest.mark.parametrize("folder", [*WITHOUT_BARRIERS, *WITH_BARRIERS])
def test_a_network_learns_the_same_with_the_kernel_of_an_exercise(folder: str, dataset: Dataset):
    source, launch, operator = exercise(folder)
    mode = "compiled" if folder in WITHOUT_BARRIERS else "interpreter"
    assert choose_mode(source, launch.kernel)[0] == mode
    *_, comparison = iter_use(source, launch, operator, "interpreter", plan_for(operator), dataset)
    assert isinstance(comparison, KernelComparison)
    assert comparison.is_same
    assert comparison.usage.calls


@pytest.mark.parametrize("folder", ["11-product", "19-update"])
def test_a_kernel_without_barriers_is_compiled(folder: str, dataset: Dataset):
    source, launch, operator = exercise(folder)
    *_, comparison = iter_use(source, launch, operator, "compiled", plan_for(operator), dataset)
    assert comparison.is_same


def test_a_kernel_that_learns_nothing_is_told_apart(dataset: Dataset):
    source, launch, operator = exercise("19-update")
    wrong = source.replace("value - rate[0]", "value + rate[0]")
    assert wrong != source
    *_, comparison = iter_use(wrong, launch, operator, "interpreter", plan_for(operator), dataset)
    assert not comparison.is_same


def test_a_card_without_a_compiler_is_not_used(monkeypatch, uninstall):
    monkeypatch.setattr(use, "probe", lambda name: DeviceInfo(name, "Card", True))
    uninstall("numba_cuda")
    source, launch, _ = exercise("19-update")
    mode, reason = choose_mode(source, launch.kernel)
    assert mode == "compiled"
    assert "has to be compiled first" in reason


def test_a_kernel_that_waits_is_not_compiled():
    source, launch, _ = exercise("12-tiles")
    mode, reason = choose_mode(source, launch.kernel)
    assert mode == "interpreter"
    assert "cuda.shared.array cannot be compiled" in reason


def test_a_kernel_that_leaves_an_array_ends_the_training(dataset: Dataset):
    source, launch, operator = exercise("11-product")
    wrong = source.replace("range(x.shape[1])", "range(x.shape[1] + 1)")
    for mode, message in (("compiled", "left an array"), ("interpreter", "x has")):
        with pytest.raises(InputError, match=message):
            list(iter_use(wrong, launch, operator, mode, plan_for(operator), dataset))


def test_a_kernel_of_no_operator_is_refused():
    with pytest.raises(InputError, match="--operator"):
        plan_for("")


def test_a_process_that_does_not_start_is_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    with pytest.raises(InputError, match="The training could not be started"):
        next(iter_use_apart("", tmp_path, "k", tmp_path / "model"))


@pytest.mark.slow
def test_the_command_keeps_the_network_that_the_kernel_trained(tmp_path, capsys):
    file, model = EXERCISES / "11-product" / "solution.py", tmp_path / "mine.safetensors"
    assert main(["workshop", "use", str(file), "--json", "--model", str(model)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0]["mode"] == "compiled"
    assert lines[-1]["same"]
    assert load_model(model).test_score == pytest.approx(lines[-1]["accuracy"])


def test_a_place_for_the_network_is_checked_before_the_training(tmp_path, capsys):
    file = EXERCISES / "11-product" / "solution.py"
    assert main(["workshop", "use", str(file), "--model", str(tmp_path)]) != 0
    assert capsys.readouterr().out == ""


def test_a_kernel_with_faults_is_not_trained_with(capsys):
    file = EXERCISES / "12-tiles" / "wrong" / "no_second_wait.py"
    assert main(["workshop", "use", str(file)]) != 0
    assert "Repair it first" in capsys.readouterr().err
