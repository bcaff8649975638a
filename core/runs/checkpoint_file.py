"""The files of a run folder that hold arrays: checkpoints, the parameters at the ends of epochs,
and the curve of training.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from core.errors import InputError
from core.files.atomic import without_link
from core.files.json_text import JsonObject
from core.files.reasons import refusing
from core.files.tensors import TensorFile, open_tensors, write_tensors
from core.network.network import Network
from core.training import records
from core.training.optimizers import OPTIMIZERS
from core.training.records import FILE_LIMIT_BYTES, Checkpoint, KeptParameters, Point
from core.training.run_settings import RunSettings

CHECKPOINT_FORMAT = "digitlab-checkpoint"
_KEPT_FORMAT = "digitlab-epochs"
MAX_POINTS = 20_000
"""Of a curve of training in a file."""
_NUMBERS = ("step", "epoch", "position", "seconds", "best_loss", "best_epoch")
# Fields with their names in the file, which earlier versions read too.
_CHECKPOINT_NUMBERS = {name: name for name in _NUMBERS} | {"epoch_metrics": "epoch_tally"}


class CheckpointFile:
    """A checkpoint on disk: the last one of a run, or that of its best epoch."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def exists(self) -> bool:
        return self.path.exists()

    def write(self, checkpoint: Checkpoint) -> None:
        """Replace the file. The old one stays if that fails."""
        arrays = {"parameters": checkpoint.parameters}
        arrays |= {f"optimizer.{i}": state for i, state in enumerate(checkpoint.optimizer_state, 1)}
        if checkpoint.best_parameters is not None:
            arrays["best_parameters"] = checkpoint.best_parameters
        # json writes floats by repr, so that they are read back exactly.
        texts = {
            name: json.dumps(getattr(checkpoint, field))
            for field, name in _CHECKPOINT_NUMBERS.items()
        }
        texts["format"] = CHECKPOINT_FORMAT
        changes = checkpoint.rate_changes
        texts["rate_changes"] = records.format_rate_changes(changes)
        write_tensors(without_link(self.path), arrays, texts)

    def read(self, network: Network, settings: RunSettings) -> Checkpoint | None:
        """The checkpoint, or None if the run did not reach one.

        Raises InputError if it cannot be read, or does not fit the network or the run's optimizer.
        """
        if not self.exists:
            return None
        with open_tensors(self.path) as file:
            if file.text("format") != CHECKPOINT_FORMAT:
                raise InputError("{path} is no checkpoint: choose another run.", path=file.path)
            with refusing(
                "{path}: its numbers cannot be read ({reason}); choose another run.", path=file.path
            ):
                states = OPTIMIZERS[settings.optimizer].state_arrays
                return _read_checkpoint(file, network.parameter_count, states)

    def begun_epochs(self) -> int:
        """How many epochs the checkpoint has begun. Raises InputError."""
        with open_tensors(self.path) as file:
            epoch = file.text("epoch")
            position = file.text("position")
            if not (epoch.isdigit() and position.isdigit()):
                raise InputError(
                    "{path}: its numbers cannot be read; choose another run.", path=file.path
                )
        done = int(epoch)
        return done if int(position) == 0 else done + 1


class KeptFile:
    """The parameters at the ends of some epochs of a run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, kept: KeptParameters) -> None:
        """Write the parameters at the ends of epochs; none where they are larger than
        FILE_LIMIT_BYTES.
        """
        arrays = {str(epoch): array for epoch, array in kept.epochs if np.isfinite(array).all()}
        if sum(array.nbytes for array in arrays.values()) <= FILE_LIMIT_BYTES:
            write_tensors(without_link(self.path), arrays, {"format": _KEPT_FORMAT})

    def read(self, network: Network) -> tuple[tuple[int, np.ndarray], ...]:
        """(epoch, float32 (parameters,)), ascending; empty where the file is missing or cannot be
        read.
        """
        with suppress(InputError), open_tensors(self.path) as file:
            if file.text("format") == _KEPT_FORMAT:
                epochs = sorted(
                    int(name) for name in file.shapes if name.isdecimal() and len(name) < 10
                )
                return tuple(
                    (epoch, file.array(str(epoch), (network.parameter_count,))) for epoch in epochs
                )
        return ()


class BatchesFile:
    """The curve of training: the points of `StepBins`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, points: Sequence[Point]) -> None:
        """Replace the file; of too many points only some are kept."""
        table = np.reshape(points, (-1, 3))
        table = table[np.isfinite(table).all(axis=1)]
        kept = table[:: len(table) // MAX_POINTS + 1]
        write_tensors(without_link(self.path), {"points": kept}, {})

    def read(self) -> list[Point]:
        """The points; none where the file is missing or cannot be read."""
        with suppress(InputError, LookupError, ValueError), open_tensors(self.path) as file:
            points = file.array("points", (min(file.shapes["points"][0], MAX_POINTS), 3))
            return [(x, loss, score) for x, loss, score in points.tolist()]
        return []


def _read_checkpoint(file: TensorFile, size: int, states: int) -> Checkpoint:
    values: JsonObject = {f: json.loads(file.text(name)) for f, name in _CHECKPOINT_NUMBERS.items()}
    optimizer = [file.array(f"optimizer.{i}", (size,)) for i in range(1, states + 1)]
    loss, right = map(float, values["epoch_metrics"])
    counts = {name: int(values[name]) for name in ("step", "epoch", "position", "best_epoch")}
    seconds = float(values["seconds"])
    best_loss = float(values["best_loss"])
    for is_right, problem in (
        (all(0 <= count < 1 << 31 for count in counts.values()), "a count is out of range"),
        (counts["best_epoch"] <= counts["epoch"], "the best epoch comes after the last one"),
        (0 <= seconds < float("inf"), "a time is no finite number"),
        (np.isfinite([loss, right]).all(), "a loss is no finite number"),
        (not np.isnan(best_loss), "the best loss is no number"),
    ):
        if not is_right:
            raise ValueError(problem)
    return Checkpoint(
        file.array("parameters", (size,)),
        np.stack(optimizer) if optimizer else np.empty((0, size), np.float32),
        **counts,
        seconds=seconds,
        best_loss=best_loss,
        best_parameters=file.array("best_parameters", (size,))
        if "best_parameters" in file.shapes
        else None,
        epoch_metrics=(loss, right),
        rate_changes=records.read_rate_changes(file.texts.get("rate_changes", "")),
    )
