"""Reads and writes the folder of a run: run.json, history.csv, model.safetensors and checkpoint.safetensors.

Each file is replaced as a whole, so a crash leaves the previous one. The history is written before the checkpoint
that it belongs to; a run that continues from the checkpoint drops the rows after it.
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
from core.training.records import Checkpoint, EpochDone, RateChange, parse_rate_changes, rate_changes_text
from core.training.run import Run
from core.version import VERSION

FORMAT = "digitlab-run"
CHECKPOINT_FORMAT = "digitlab-checkpoint"
COLUMNS: tuple[str, ...] = tuple(f.name for f in fields(EpochDone) if f.name != "checkpoint")
MAX_TEXT_BYTES = 50_000_000
_SCALARS = ("step", "epoch", "position", "seconds", "best_loss", "best_epoch", "epoch_metrics")
# Names in the file, which earlier versions read too.
_TEXT_NAMES = {"epoch_metrics": "epoch_tally"}


@dataclass(frozen=True, slots=True)
class RunInfo:
    """The contents of run.json. `data`: where to load the data from; `state`: `running`, or why the run ended."""

    run: Run
    data: str
    device: str
    network: str
    state: str = "running"

    @property
    def has_ended(self) -> bool:
        """Whether the run cannot be continued."""
        return self.state not in ("running", "stopped")


class RunFolder:
    """The folder at `path`, which is created at the first write."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.model_path = self.path / "model.safetensors"
        self._info_path = self.path / "run.json"
        self._history_path = self.path / "history.csv"
        self._checkpoint_path = self.path / "checkpoint.safetensors"
        self._rows: list[dict[str, float | None]] = []
        self._rate_changes: tuple[RateChange, ...] = ()
        self._info: RunInfo | None = None

    @property
    def holds_run(self) -> bool:
        return self._info_path.exists()

    @property
    def has_checkpoint(self) -> bool:
        return self._checkpoint_path.exists()

    @property
    def has_epochs(self) -> bool:
        """Whether the run has completed an epoch."""
        return self._history_path.exists()

    @property
    def last_write(self) -> float:
        """Time of the last write to the folder, in seconds since the epoch of `time.time`."""
        paths = (self._info_path, self._checkpoint_path, self.model_path)
        return max(path.stat().st_mtime for path in paths if path.exists())

    def begin(self, info: RunInfo) -> None:
        """Start a new run here. The files of an earlier run are removed."""
        for path in (self._checkpoint_path, self._history_path, self.model_path):
            with suppress(OSError):  # if this fails, writing run.json fails too, with the reason
                path.unlink(missing_ok=True)
        self._rows, self._rate_changes = [], ()
        self.write_info(info)

    def write_info(self, info: RunInfo) -> None:
        """Write run.json, with the changes of the learning rate that the last checkpoint has."""
        self._info = info
        texts = {
            "format": FORMAT,
            **{**asdict(info), "run": info.run.as_dict()},
            "rate_changes": [asdict(change) for change in self._rate_changes],
            "seed": info.run.seed,
            "versions": {"digitlab": VERSION, "python": platform.python_version(), "numpy": np.__version__},
        }
        write_atomically(self._info_path, (json.dumps(texts, indent=2) + "\n").encode())

    def read_info(self) -> RunInfo:
        """The contents of run.json. Raises InputError if there is none or it cannot be read."""
        if not os.path.exists(self._info_path):
            raise InputError("{path} holds no run: there is no run.json in it.", path=self.path)
        try:
            values = json.loads(read_input(self._info_path, MAX_TEXT_BYTES, "another run"))
            if not isinstance(values, dict) or values.get("format") != FORMAT:
                raise ValueError("it does not describe a run")
            names = ("data", "device", "network", "state")
            return RunInfo(Run.from_dict(values["run"]), *(str(values[name]) for name in names))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise InputError(
                "{path} cannot be read as a run ({reason}): choose another folder.",
                path=self._info_path, reason=str(error)[:200],
            ) from None  # fmt: skip

    def add_epochs(self, *records: EpochDone) -> None:
        """Write the rows of the epochs, and then the checkpoint of the last one."""
        self._rows += [{name: getattr(record, name) for name in COLUMNS} for record in records]
        text = io.StringIO()
        table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(self._rows)
        write_atomically(self._history_path, text.getvalue().encode())
        self.write_checkpoint(records[-1].checkpoint)

    def read_history(self, until: int) -> list[dict[str, float | None]]:
        """The rows of epochs 1 to `until`, without which `add_epochs` would begin a new table; empty if there is none.

        Raises InputError if the table cannot be read.
        """
        try:
            table = []
            if os.path.exists(self._history_path):
                text = read_input(self._history_path, MAX_TEXT_BYTES, "another run").decode()
                table = [
                    {name: _number(name, row[name]) for name in COLUMNS}
                    for row in csv.DictReader(io.StringIO(text))
                ]
        except (ValueError, KeyError, TypeError, OverflowError, csv.Error) as error:
            raise InputError("{path} cannot be read as a table of epochs ({reason}).",
                          path=self._history_path, reason=error) from None  # fmt: skip
        self._rows = [row for row in table if (row["epoch"] or 0) <= until]
        return list(self._rows)

    def write_checkpoint(self, checkpoint: Checkpoint) -> None:
        if checkpoint.rate_changes != self._rate_changes:
            self._rate_changes = checkpoint.rate_changes
            if self._info:
                self.write_info(self._info)
        arrays = {"parameters": checkpoint.parameters}
        arrays |= {f"optimizer.{i}": state for i, state in enumerate(checkpoint.optimizer_state, 1)}
        if checkpoint.best_parameters is not None:
            arrays["best_parameters"] = checkpoint.best_parameters
        # json writes floats by repr, so that they are read back exactly.
        texts = {_TEXT_NAMES.get(name, name): json.dumps(getattr(checkpoint, name)) for name in _SCALARS}
        changes = rate_changes_text(checkpoint.rate_changes)
        texts |= {"format": CHECKPOINT_FORMAT, "rate_changes": changes}
        write_tensors(self._checkpoint_path, arrays, texts)

    def read_checkpoint(self, network: Network, run: Run) -> Checkpoint | None:
        """The last checkpoint, or None if the run did not reach one.

        Raises InputError if it cannot be read, or does not fit the network or the run's optimiser.
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
        rate_changes=parse_rate_changes(file.texts.get("rate_changes", "[]")),
    )


def _number(name: str, text: str) -> float | None:
    if not text:
        return None
    # Earlier versions wrote 4.0 for epoch 4 of a run that was continued.
    return int(float(text)) if name in ("epoch", "step") else float(text)
