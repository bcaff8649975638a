"""Networks that learn with a kernel of the workshop, and the script that checks a kernel elsewhere."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.data.dataset import Dataset, Split
from core.errors import InputError
from core.inference.model_file import load_model
from core.labs.blocks.kernel import KernelBlock
from core.labs.package import open_lab
from core.workshop.launch import parse_launch
from core.workshop.script import script
from core.workshop.use import KernelComparison, choose_mode, iter_use, iter_use_apart, plan_for
from main import main
from tests.limits import SECONDS

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
    assert choose_mode("auto", source, launch.kernel)[0] == mode
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


def test_a_kernel_that_waits_is_not_compiled():
    source, launch, _ = exercise("12-tiles")
    with pytest.raises(InputError, match=r"cuda\.shared\.array cannot be compiled"):
        choose_mode("compiled", source, launch.kernel)


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


@pytest.mark.parametrize("folder", ["03-two-dimensions", "19-update"])
def test_the_script_of_an_exercise_finds_right_and_wrong_in_the_simulator(folder: str, tmp_path):
    pytest.importorskip("numba_cuda")
    source, launch, _ = exercise(folder)
    for text, word in (
        (source, "right"),
        (source.replace(" - rate[0]", " + rate[0]").replace("max(", "min("), "WRONG"),
    ):
        path = tmp_path / "script.py"
        path.write_text(script(text, launch), "utf-8")
        environment = {"NUMBA_ENABLE_CUDASIM": "1", "PATH": ""}
        done = subprocess.run(
            [sys.executable, str(path)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert done.stdout.count("\n") == len(launch.shapes), done.stderr
        assert word in done.stdout


def test_nothing_else_of_a_strangers_file_is_in_the_script():
    source, launch, _ = exercise("19-update")
    stranger = "import os\nos.system('evil')\n" + source.replace(
        "def sgd(p,", "def sgd(p: print('evil'),"
    )
    text = script(stranger, launch)
    assert "evil" not in text
    assert "def sgd(p, g, rate, l2, weight_count):" in text
    assert "#" not in text.partition("def sgd(")[2].partition("\n\n")[0]
    for character in "\v\f\x1c\x1d\x1e\x7f\x85\u2028\u2029":
        hidden = source.replace("    i = ", f"    # one{character}    import os\n    i = ", 1)
        with pytest.raises(InputError, match=f"U.{ord(character):04X}"):
            script(hidden, launch)


def test_a_script_has_the_signatures_and_rows_of_the_file(tmp_path):
    pytest.importorskip("numba_cuda")
    source = (
        'from numba import cuda, float32\n@cuda.jit("float32(float32[:], int32)", device=True)\n'
        "def total(row, extra):\n    s = float32(extra)\n    for j in range(row.size):\n        s += row[j]\n"
        "    return s\n"
        '@cuda.jit("void(float32[:], float32[:, :])", fastmath=True)\ndef rows(out, a):\n    i = cuda.grid(1)\n'
        "    if i < out.size:\n        out[i] = total(a[i], 1)\n"
    )
    arguments = "out: float32[n], a: float32[n, 3]"
    launch = parse_launch(
        "rows",
        arguments,
        "(n + 7) // 8",
        "8",
        "n=1,9",
        "def out(a):\n    return a.sum(axis=1) + 1\n",
    )
    text = script(source, launch)
    assert "@cuda.jit(['float32(float32[:], int32, )'], device=True)" in text
    assert "fastmath" not in text
    (tmp_path / "script.py").write_text(text, "utf-8")
    done = subprocess.run([sys.executable, str(tmp_path / "script.py")], env={"NUMBA_ENABLE_CUDASIM": "1", "PATH": ""},
                          capture_output=True, text=True, timeout=SECONDS)  # fmt: skip
    assert done.stdout.count("right") == 2, done.stderr
