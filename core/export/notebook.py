"""A notebook that repeats a run in plain PyTorch: data, network, initial weights, order of images,
loop and curve.

The data and the initial weights are in a file beside it.
"""

import io
import json
import os
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from core.data.dataset import Dataset, Split
from core.errors import InputError
from core.export.exporter import Exporter, ExportSource, activation_text, cannot_write
from core.files.json_text import JsonObject
from core.inference.model_file import Model
from core.network.initialization import initial_parameters
from core.network.losses import find_loss
from core.network.parameters import channels_first
from core.runs.folder import RunInfo
from core.training.optimizers import OPTIMIZERS
from core.training.records import Epoch, parse_rate_changes
from core.training.run_settings import BY_NAME, RunSettings
from core.version import VERSION
from kernels.activations import ACTIVATIONS

_TEXT = """\
# {network} in PyTorch

A run of DigitLab {version} on the data “{data}”: the same initial weights, order of images, steps.
{note}It needs `pip install torch numpy matplotlib safetensors` and, in the same folder, `{file}`.
"""
_DATA = """\
import numpy as np
import torch
from torch import nn

data = np.load("{file}")
x, y, test_x, test_y = (torch.from_numpy(data[name]) for name in ("x", "y", "test_x", "test_y"))

def inputs(examples):
    return {inputs}

x.shape, test_x.shape"""
_MAX_POOL = """\
class _Largest(torch.autograd.Function):
    @staticmethod
    def forward(context, x, size):
        y = nn.functional.max_pool2d(x, size)
        context.save_for_backward(x, y)
        context.size = size
        return y

    @staticmethod
    def backward(context, gradient):
        x, y = context.saved_tensors

        def spread(values):
            values = values.repeat_interleave(context.size, 2).repeat_interleave(context.size, 3)
            right, below = x.shape[3] - values.shape[3], x.shape[2] - values.shape[2]
            return nn.functional.pad(values, (0, right, 0, below))

        return spread(gradient) * (x == spread(y)), None


class MaxPool(nn.Module):
    # nn.MaxPool2d gives the gradient to the first of equal pixels, DigitLab to each of them.
    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, x):
        return _Largest.apply(x, self.size)


"""
_NETWORK = """\
{definitions}network = nn.Sequential(
    {layers},
)
with torch.no_grad():  # the initial weights of the run
    for number, parameter in enumerate(network.parameters()):
        parameter.copy_(torch.from_numpy(data[f"initial{{number}}"]))
network"""
_TRAINING = """\
def loss_of(outputs, targets):
    return {loss}

def score_of(outputs, targets):
    return {score}

weights = [parameter for name, parameter in network.named_parameters() if name.endswith("weight")]
biases = [parameter for name, parameter in network.named_parameters() if name.endswith("bias")]
groups = [{{"params": weights, "weight_decay": {l2}}}, {{"params": biases}}]
rates = {rates}  # of each epoch
changes = {changes}  # the rate from a step on; None: that of the epoch again
optimizer = torch.optim.{optimizer}
step, changed, curve = 0, None, []
for epoch, rate in enumerate(rates):
    order = np.random.default_rng([{seed}, 1, epoch]).permutation(len(x))
    network.train()
    total = 0.0
    for start in range(0, len(x), {batch}):
        batch = order[start : start + {batch}]
        changed = changes.get(step, changed)
        for group in optimizer.param_groups:
            group["lr"] = rate if changed is None else changed
        loss = loss_of(network(inputs(x[batch])), y[batch])
        optimizer.zero_grad()
        {penalized}.backward()
        optimizer.step()
        total += loss.item() * len(batch)
        step += 1
    network.eval()
    with torch.no_grad():
        outputs = torch.cat([network(inputs(part)) for part in test_x.split(500)])
    test_loss, score = loss_of(outputs, test_y).item(), score_of(outputs, test_y).item()
    curve.append((total / len(x), test_loss, score))
    print(f"Epoch {{epoch + 1}}: loss {{total / len(x):.4f}}, test {{test_loss:.4f}}, {{score:.4f}}")"""
_CURVE = """\
import matplotlib.pyplot as plt

epochs = range(1, len(curve) + 1)
plt.plot(epochs, [row[1] for row in curve], label="test loss, PyTorch")
plt.plot(epochs, data["curve"][:, 1], "--", label="test loss, DigitLab")
plt.xlabel("epoch")
plt.legend()
print("largest difference of a loss:", np.abs(np.array(curve) - data["curve"])[:, :2].max())"""
_SAVE = """\
from safetensors.torch import save_file

save_file(network.state_dict(), "network.safetensors")  # File, Open in DigitLab reads it"""

_OF_LOSSES = {
    ("cross-entropy", "classes"): "nn.functional.cross_entropy(outputs, targets)",
    ("squared-error", "classes"): "0.5 * ((outputs - nn.functional.one_hot(targets, "
    "outputs.shape[1])) ** 2).sum(1).mean()",
    ("squared-error", "regression"): "0.5 * ((outputs - targets) ** 2).sum(1).mean()",
}
_SCORES = {
    "classes": "(outputs.argmax(1) == targets).float().mean()",
    "regression": "1 - ((outputs - targets) ** 2).sum() / ((targets - targets.mean(0)) ** 2).sum()",
}


class Notebook(Exporter):
    """The cells of Jupyter's format 4.5, without outputs."""

    order = 1
    suffix = ".ipynb"
    title: ClassVar = "Notebook of the run in PyTorch"
    use: ClassVar = (
        "Jupyter runs it: the same training as PyTorch code, with the same curve but for rounding. "
        "Its data are in the second file, which stays beside it. Open does not read it; share a "
        "model of DigitLab for that."
    )

    def content(self, source: ExportSource) -> bytes:
        return self._cells(source, "run-data.npz")[0]

    def files(self, source: ExportSource, path: Path) -> dict[Path, bytes]:
        """The notebook, and its data as NumPy's .npz, which replace only a notebook's data."""
        beside = path.with_name(f"{path.stem}-data.npz")
        # Beside a notebook of this name they are its own data, which may be replaced.
        if os.path.exists(beside) and not os.path.exists(path):
            raise InputError(
                "{path} is there already, and the notebook's data would replace it: choose another "
                "name for the notebook.",
                path=beside,
            )
        notebook, arrays = self._cells(source, beside.name)
        content = io.BytesIO()
        np.savez_compressed(content, allow_pickle=False, **arrays)
        return {path: notebook, beside: content.getvalue()}

    def _cells(self, source: ExportSource, file: str) -> tuple[bytes, dict[str, np.ndarray]]:
        model = source.model
        folder = source.run_folder
        if folder is None or source.load_dataset is None:
            raise InputError(
                "This network has no run in the library, and a notebook repeats a run: train it, "
                "or choose another kind."
            )
        info = folder.read_info()
        rows = folder.read_history()
        settings = info.repeatable_plan().settings
        # Before the data are loaded, which may take long.
        _check(info, rows)
        dataset = source.load_dataset(info.plan.data)
        arrays = _arrays(model, settings, dataset, rows)
        texts = {**_texts(model, settings, rows), "file": file, "version": VERSION}
        texts["data"] = dataset.title
        cells = [
            _cell(text.format(**texts), "code" if number else "markdown", number)
            for number, text in enumerate((_TEXT, _DATA, _NETWORK, _TRAINING, _CURVE, _SAVE))
        ]
        notebook = {
            "cells": cells,
            "metadata": {"language_info": {"name": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        return json.dumps(notebook, indent=1).encode(), arrays


def _cell(text: str, kind: str, number: int) -> JsonObject:
    """A cell of a notebook."""
    cell: JsonObject = {"cell_type": kind, "id": f"cell{number}", "metadata": {}}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return {**cell, "source": text.splitlines(keepends=True)}


def _check(info: RunInfo, rows: list[Epoch]) -> None:
    """Raise InputError for a run that PyTorch cannot repeat."""
    settings = info.plan.settings
    if not rows:
        raise InputError("The run has no complete epoch: let it train on, or choose another one.")
    if info.parent is not None:
        raise InputError(
            "The run continues another one from its checkpoint, and a notebook begins with new "
            "weights: choose a run from the beginning."
        )
    random = [name for name in settings.augmentation._fields if getattr(settings, name)]
    for name in [*random, *(["group"] if settings.group > 1 else [])]:
        raise InputError(
            "A notebook has no code for the setting {label}: choose a run without it.",
            label=BY_NAME[name].label,
        )


def _arrays(
    model: Model, settings: RunSettings, dataset: Dataset, rows: list[Epoch]
) -> dict[str, np.ndarray]:
    """The data as PyTorch arranges them, the initial parameters, and the curve of the run."""
    held_out = round(len(dataset.train) * settings.validation)
    # As in training, where the validation images are the last ones.
    learned = dataset.train.first(len(dataset.train) - held_out)
    x, y = _examples(learned)
    test_x, test_y = _examples(dataset.test)
    curve = np.array([(row.train_loss, row.test_loss, row.test_score) for row in rows])
    parameters = initial_parameters(model.network, settings.initialization, settings.seed)
    layers = [arrays for arrays in channels_first(model.network, parameters) if arrays]
    # Weights and biases alone are parameters in PyTorch; running statistics are buffers.
    initial = [array for arrays in layers for array in arrays[:2]]
    return {
        "x": x,
        "y": y,
        "test_x": test_x,
        "test_y": test_y,
        "curve": curve,
        **{f"initial{number}": array for number, array in enumerate(initial)},
    }


def _examples(split: Split) -> tuple[np.ndarray, np.ndarray]:
    """Inputs, of images with their channels first, and targets."""
    x = split.inputs
    targets = split.targets
    if x.ndim == 4:
        x = np.ascontiguousarray(x.transpose(0, 3, 1, 2))
    # PyTorch's cross-entropy takes classes as int64 only.
    return x, targets.astype(np.int64) if targets.ndim == 1 else targets


def _texts(model: Model, settings: RunSettings, rows: list[Epoch]) -> dict[str, Any]:
    """What stands in the cells."""
    network = model.network
    modules: list[str] = []
    for layer, shape, name in zip(network.layers, network.shapes, model.activations, strict=False):
        of_layer = layer.torch_modules(shape)
        if of_layer is None:
            raise cannot_write(layer.text)
        modules += [*of_layer, *([activation_text(name, "torch")] if name != "linear" else [])]
    classes = (cls for cls in ACTIVATIONS.values() if cls.torch in modules)
    max_pool = _MAX_POOL if any(module.startswith("MaxPool") for module in modules) else ""
    is_random = any("Dropout" in module for module in modules)
    loss = find_loss(settings.loss, model.kind)
    values = {name: repr(getattr(settings, name)) for name in ("momentum", "nesterov")}
    return {
        "network": network.text,
        "note": "Dropout draws other random numbers here, so its curve is a little different.\n"
        if is_random
        else "",
        "inputs": "examples.float() / 255" if len(network.input_shape) == 3 else "examples",
        "definitions": "".join([max_pool, *(cls.torch_class for cls in classes)]).lstrip("\n"),
        "layers": ",\n    ".join(modules),
        "loss": _OF_LOSSES[loss.name, loss.kind],
        "score": _SCORES[model.kind],
        # Only of the epochs that were made: the run may have ended early.
        "rates": [settings.rate_of(epoch) for epoch in range(len(rows))],
        "changes": {
            change.step: change.learning_rate
            for change in parse_rate_changes(settings.rate_changes)
        },
        "optimizer": OPTIMIZERS[settings.optimizer].torch.format(**values),
        "l2": settings.l2,
        "penalized": f"(loss + {settings.l1} * sum(weight.abs().sum() for weight in weights))"
        if settings.l1
        else "loss",
        "batch": settings.batch_size,
        "seed": settings.seed,
    }
