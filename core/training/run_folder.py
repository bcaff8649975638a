"""A run's folder holds one training: run.json, history.csv, model.safetensors, checkpoint.safetensors.

Each file is replaced whole, so a crash leaves the last good one. History is written before the checkpoint it
belongs to; whoever goes on from the checkpoint leaves out the rows after it.
"""

import csv
import io
import json
import os
import platform
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import read_input
from core.files.tensors import TensorFile, open_tensors, write_tensors
from core.network.network import Network
from core.training.optimizers import OPTIMIZERS
from core.training.records import Checkpoint, EpochDone
from core.training.run import Run
from core.version import VERSION

FORMAT = "digitlab-run"
CHECKPOINT_FORMAT = "digitlab-checkpoint"
COLUMNS: tuple[str, ...] = tuple(f.name for f in fields(EpochDone) if f.name != "checkpoint")
MAX_TEXT_BYTES = 50_000_000
_SCALARS = ("step", "epoch", "position", "seconds", "best_loss", "best_epoch", "epoch_metrics")
# Runs on disk have this name.
_TEXT_NAMES = {"epoch_metrics": "epoch_tally"}


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What run.json says. `data` is what to load it from again; `state` is `running` or why the run ended."""

    run: Run
    data: str
    device: str
    network: str
    state: str = "running"

    @property
    def has_ended(self) -> bool:
        """Whether there is nothing to go on with."""
        return self.state not in ("running", "stopped")


class RunFolder:
    """Reads and writes a run's folder at `path`, which is made when first written to."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.model_path = self.path / "model.safetensors"
        self._card_path = self.path / "run.json"
        self._history_path = self.path / "history.csv"
        self._checkpoint_path = self.path / "checkpoint.safetensors"
        self._rows: list[dict[str, float | None]] = []

    @property
    def holds_run(self) -> bool:
        return self._card_path.exists()

    def begin(self, card: RunInfo) -> None:
        """Start a new run here; what an earlier one left is removed."""
        for path in (self._checkpoint_path, self._history_path, self.model_path):
            with suppress(OSError):  # where this fails, writing run.json does too, and says why
                path.unlink(missing_ok=True)
        self._rows = []
        self.write_card(card)

    def write_card(self, card: RunInfo) -> None:
        texts = {
            "format": FORMAT,
            **{**asdict(card), "run": card.run.as_dict()},
            "seed": card.run.seed,
            "versions": {"digitlab": VERSION, "python": platform.python_version(), "numpy": np.__version__},
        }
        write_atomically(self._card_path, (json.dumps(texts, indent=2) + "\n").encode())

    def read_card(self) -> RunInfo:
        """run.json, or an InputError."""
        if not os.path.exists(self._card_path):
            raise InputError("{path} holds no run: there is no run.json in it.", path=self.path)
        try:
            values = json.loads(read_input(self._card_path, MAX_TEXT_BYTES, "another run"))
            if not isinstance(values, dict) or values.get("format") != FORMAT:
                raise ValueError("it does not describe a run")
            names = ("data", "device", "network", "state")
            return RunInfo(Run.from_dict(values["run"]), *(str(values[name]) for name in names))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise InputError(
                "{path} cannot be read as a run ({reason}): choose another folder.",
                path=self._card_path, reason=str(error)[:200],
            ) from None  # fmt: skip

    def add_epoch(self, event: EpochDone) -> None:
        """Write the epoch's row and then its checkpoint."""
        self._rows.append({name: getattr(event, name) for name in COLUMNS})
        text = io.StringIO()
        table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(self._rows)
        write_atomically(self._history_path, text.getvalue().encode())
        self.write_checkpoint(event.checkpoint)

    def read_history(self, until: int) -> list[dict[str, float | None]]:
        """The rows of epochs 1 to `until`; epochs added later follow them. Empty without a history."""
        try:
            table = []
            if os.path.exists(self._history_path):
                text = read_input(self._history_path, MAX_TEXT_BYTES, "another run").decode()
                table = [
                    {name: _number(row[name]) for name in COLUMNS}
                    for row in csv.DictReader(io.StringIO(text))
                ]
        except (ValueError, KeyError, TypeError, csv.Error) as error:
            raise InputError("{path} cannot be read as a table of epochs ({reason}).",
                          path=self._history_path, reason=error) from None  # fmt: skip
        self._rows = [row for row in table if (row["epoch"] or 0) <= until]
        return list(self._rows)

    def write_checkpoint(self, checkpoint: Checkpoint) -> None:
        arrays = {"parameters": checkpoint.parameters}
        arrays |= {f"optimizer.{i}": state for i, state in enumerate(checkpoint.optimizer_state, 1)}
        if checkpoint.best_parameters is not None:
            arrays["best_parameters"] = checkpoint.best_parameters
        # json writes floats by repr, so that they come back to the bit.
        texts = {_TEXT_NAMES.get(name, name): json.dumps(getattr(checkpoint, name)) for name in _SCALARS}
        write_tensors(self._checkpoint_path, arrays, {"format": CHECKPOINT_FORMAT, **texts})

    def read_checkpoint(self, network: Network, run: Run) -> Checkpoint | None:
        """The last checkpoint, checked against the network and the run's optimiser, or an InputError.

        None where the run never got as far as one.
        """
        if not self._checkpoint_path.exists():
            return None
        with open_tensors(self._checkpoint_path) as file:
            if file.text("format") != CHECKPOINT_FORMAT:
                raise InputError("{path} is no checkpoint: choose another run.", path=file.path)
            try:
                return _checkpoint(file, network.parameter_count, OPTIMIZERS[run.optimizer].state_arrays)
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
    )


def _number(text: str) -> float | None:
    return float(text) if text else None
