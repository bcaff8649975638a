"""The notebook of a run computes the same curve in PyTorch."""

import json
import subprocess
from dataclasses import replace

import numpy as np
import pytest

from core.data.sources import load_dataset
from core.errors import InputError
from core.export import ExportSource, find_exporter
from core.inference.model_file import load_model
from core.runs.plan import RunPlan
from core.runs.recorder import RunRecorder
from core.runs.training import iter_run
from core.training.run_settings import RunSettings
from kernels.activations import NAMES
from tests.core.export.cases import TOGETHER, TORCH_PYTHON, some_images
from tests.core.export.test_exports import needs_torch

# Runs all cells but those that plot and save, and prints the curve.
RUN = """
import json, os, sys
import torch
torch.set_num_threads(1)
for path in sys.argv[1:]:
    os.chdir(os.path.dirname(path))
    with open(path) as file:
        cells = json.load(file)["cells"]
    names = {"print": lambda *texts: None}
    for cell in cells[1:4]:
        exec("".join(cell["source"]), names)
    print(json.dumps(names["curve"]))
"""
FEW = {"epochs": 2, "batch_size": 7, "learning_rate": 0.01}  # the last batch is smaller
RUNS = {
    "l2": {"network": "784-20-10", "l2": 0.01, "schedule": "cosine", "validation": 0.2},
    "momentum": {"network": "784-20-10", "optimizer": "momentum", "nesterov": True, "l1": 0.001},
    "adam": {"network": "784-20-10", "optimizer": "adam", "rate_changes": "3:0.02, 12:schedule"},
    "rmsprop": {"network": "784-20-10", "optimizer": "rmsprop", "learning_rate": 0.001},
    "uniform": {"network": "784-20-10", "initialization": "uniform", "seed": 5},
    "activations": {"network": "-".join(f"9N:{name}" for name in NAMES) + "-10N"},
    "average pooling": {"network": "4C3-AP2-10N"},
    **{
        name: {"network": text, "activation": activation, "loss": loss, "batch_size": 20}
        for name, (text, activation, loss) in TOGETHER.items()
        if "D" not in text
    },
}


def few_digits():
    labels = (np.arange(60) % 10).astype(np.int32)
    data = load_dataset("rastrigin:20")
    split = replace(data.train, inputs=some_images(60), targets=labels)
    classes = tuple("0123456789")
    return replace(data, kind="classes", classes=classes, train=split, test=split.first(30))


def trained(folder, data, **settings):
    """The folder of a run."""
    recorder = RunRecorder(folder)
    plan = RunPlan(RunSettings(**{**FEW, **settings}), "few", "vectorized")
    for _ in iter_run(plan, data, recorder):
        pass
    return recorder.folder


def written(folder, data, run):
    folder.mkdir()
    source = ExportSource(load_model(run.model_path), run, lambda name: data)
    path = folder / "run.ipynb"
    for target, content in find_exporter(path).files(source, path).items():
        target.write_bytes(content)
    return path


@needs_torch
def test_the_curve_is_that_of_the_run(tmp_path):
    digits = few_digits()
    cases = {name: (digits, settings) for name, settings in RUNS.items()}
    points = {"network": "2-16-1", "activation": "tanh", "optimizer": "adam"}
    cases["regression"] = (load_dataset("rastrigin:20"), points)
    paths, curves = [], {}
    for number, (name, (data, settings)) in enumerate(cases.items()):
        run = trained(tmp_path / f"r{number}", data, **settings)
        rows = run.read_history()
        curves[name] = [(row.train_loss, row.test_loss, row.test_score) for row in rows]
        paths.append(written(tmp_path / f"n{number}", data, run))
    done = subprocess.run([TORCH_PYTHON, "-c", RUN, *paths], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for (name, ours), line in zip(curves.items(), done.stdout.splitlines(), strict=True):
        np.testing.assert_allclose(json.loads(line), ours, rtol=1e-4, atol=1e-5, err_msg=name)


def test_a_notebook_is_python_and_says_what_it_cannot_repeat(tmp_path):
    data = few_digits()
    run = trained(tmp_path / "run", data, network="4C3-D20-10N")
    notebook = json.loads(written(tmp_path / "n", data, run).read_text())
    for cell in notebook["cells"][1:]:
        compile("".join(cell["source"]), "cell", "exec")
    assert "Dropout draws other random numbers" in "".join(notebook["cells"][0]["source"])
    with pytest.raises(InputError, match="has no run in the library"):
        find_exporter("m.ipynb").content(ExportSource(load_model(run.model_path)))
    shifted = trained(tmp_path / "shifted", data, network="784-10", shift=2)
    with pytest.raises(InputError, match="no code for the setting Shift"):
        written(tmp_path / "s", data, shifted)
