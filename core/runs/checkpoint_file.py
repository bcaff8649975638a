"""Reads and writes a checkpoint as a safetensors file."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import InputError
from core.files.tensors import TensorFile, open_tensors, write_tensors
from core.network.network import Network
from core.training.optimizers import OPTIMIZERS
from core.training.records import Checkpoint, parse_rate_changes, rate_changes_text
from core.training.run_settings import RunSettings

CHECKPOINT_FORMAT = "digitlab-checkpoint"
_SCALARS = ("step", "epoch", "position", "seconds", "best_loss", "best_epoch", "epoch_metrics")
# Names in the file, which earlier versions read too.
_TEXT_NAMES = {"epoch_metrics": "epoch_tally"}


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write `checkpoint` to `path`. The old file stays if that fails."""
    arrays = {"parameters": checkpoint.parameters}
    arrays |= {f"optimizer.{i}": state for i, state in enumerate(checkpoint.optimizer_state, 1)}
    if checkpoint.best_parameters is not None:
        arrays["best_parameters"] = checkpoint.best_parameters
    # json writes floats by repr, so that they are read back exactly.
    texts = {_TEXT_NAMES.get(name, name): json.dumps(getattr(checkpoint, name)) for name in _SCALARS}
    changes = rate_changes_text(checkpoint.rate_changes)
    texts |= {"format": CHECKPOINT_FORMAT, "rate_changes": changes}
    write_tensors(path, arrays, texts)


def read_checkpoint(path: Path, network: Network, settings: RunSettings) -> Checkpoint:
    """The checkpoint in the file at `path`.

    Raises InputError if it cannot be read, or does not fit the network or the run's optimizer.
    """
    with open_tensors(path) as file:
        if file.text("format") != CHECKPOINT_FORMAT:
            raise InputError("{path} is no checkpoint: choose another run.", path=file.path)
        try:
            return _checkpoint(file, network.parameter_count, OPTIMIZERS[settings.optimizer].state_arrays)
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise InputError(
                "{path}: its numbers cannot be read ({reason}); choose another run.",
                path=file.path, reason=error,
            ) from None  # fmt: skip


def _checkpoint(file: TensorFile, size: int, states: int) -> Checkpoint:
    values: dict[str, Any] = {name: json.loads(file.text(_TEXT_NAMES.get(name, name))) for name in _SCALARS}
    optimizer = [file.array(f"optimizer.{i}", (size,)) for i in range(1, states + 1)]
    loss, right = values["epoch_metrics"]
    if not all(0 <= int(values[name]) < 1 << 31 for name in ("step", "epoch", "position", "best_epoch")):
        raise ValueError("a count is out of range")
    if not (0 <= float(values["seconds"]) < float("inf") and np.isfinite([float(loss), float(right)]).all()):
        raise ValueError("a time or loss is no finite number")
    if np.isnan(float(values["best_loss"])):
        raise ValueError("the best loss is no number")
    return Checkpoint(
        parameters=file.array("parameters", (size,)),
        optimizer_state=np.stack(optimizer) if optimizer else np.empty((0, size), np.float32),
        step=int(values["step"]),
        epoch=int(values["epoch"]),
        position=int(values["position"]),
        seconds=float(values["seconds"]),
        best_loss=float(values["best_loss"]),
        best_epoch=int(values["best_epoch"]),
        best_parameters=(
            file.array("best_parameters", (size,)) if "best_parameters" in file.shapes else None
        ),
        epoch_metrics=(float(loss), float(right)),
        rate_changes=parse_rate_changes(file.texts.get("rate_changes", "[]")),
    )
