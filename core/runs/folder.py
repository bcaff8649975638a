"""Reads and writes the folder of a run.

run.json: settings and summary; history.csv: a row for each epoch, at most MAX_ROWS; checkpoint.safetensors and
best.safetensors: the last checkpoint, and that of the best epoch; model.safetensors: the result.

Each file is replaced as a whole, so a crash leaves the previous one. The history is written before the checkpoint
that it belongs to; a run that continues from the checkpoint drops the rows after it.
"""

import csv
import io
import json
import os
import platform
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import read_input
from core.files.tensors import TensorFile, open_tensors, write_tensors
from core.network.network import Network
from core.training.optimizers import OPTIMIZERS
from core.training.records import (
    Checkpoint,
    EpochDone,
    RateChange,
    format_planned_rates,
    parse_rate_changes,
    rate_changes_text,
)
from core.training.run_settings import RunSettings
from core.version import VERSION

Row = dict[str, float | None]
CURVE_POINTS = 24


@dataclass(frozen=True, slots=True)
class Summary:
    """`best_epoch`: by validation loss, or by test score where there is no validation split; scores of the test split.

    `curve`: losses of at most CURVE_POINTS epochs, evenly spaced: validation, or test where there is no validation.
    """

    epoch: int
    step: int
    seconds: float
    train_loss: float
    test_loss: float
    test_score: float
    validation_loss: float | None
    best_epoch: int
    best_score: float
    curve: tuple[float, ...]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "Summary | None":
        """The summary of a history; None if it has no epoch."""
        if not rows:
            return None
        best, last = best_row(rows), rows[-1]
        name = "test_loss" if last["validation_loss"] is None else "validation_loss"
        every = max(1, -(-len(rows) // CURVE_POINTS))
        points = [*rows[:-1:every], last]
        return cls(
            epoch=int(last["epoch"] or 0),
            step=int(last["step"] or 0),
            seconds=last["seconds"] or 0.0,
            train_loss=_known_score(last["train_loss"]),
            test_loss=_known_score(last["test_loss"]),
            test_score=_known_score(last["test_score"]),
            validation_loss=last["validation_loss"],
            best_epoch=int(best["epoch"] or 0),
            best_score=_known_score(best["test_score"]),
            curve=tuple(float(f"{row[name]:.5g}") for row in points if row[name] is not None),
        )

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Any) -> "Summary | None":
        """The summary that `as_dict` returned; None for other values."""
        try:
            made = cls(**{**values, "curve": tuple(float(y) for y in values["curve"])})
            numbers = [getattr(made, field.name) for field in fields(cls) if field.name != "curve"]
            valid = all(number is None or isfinite(number) for number in numbers)
        except (TypeError, KeyError, ValueError, OverflowError):
            return None
        return made if valid else None


def best_row(rows: Sequence[Row]) -> Row:
    """The row of the best epoch: lowest validation loss, or highest test score without one; the first of equals."""
    best = rows[0]
    for row in rows[1:]:
        if is_better(row, best):
            best = row
    return best


def is_better(row: Row, best: Row) -> bool:
    """Whether the epoch of `row` is better than that of `best`."""
    new, old = row["validation_loss"], best["validation_loss"]
    if new is not None and old is not None:
        return new < old
    return _known_score(row["test_score"]) > _known_score(best["test_score"])


def _known_score(value: float | None) -> float:
    return float("-inf") if value is None else value


@dataclass(frozen=True, slots=True)
class Parent:
    """The run that a branch started from: the name of its folder, and epoch and step of the checkpoint."""

    run: str
    epoch: int
    step: int


@dataclass(frozen=True, slots=True)
class SettingChange:
    """From `step` on, `setting` (`device` or `epochs`) was `value` and no longer `before`."""

    step: int
    setting: str
    before: str
    value: str


@dataclass(frozen=True, slots=True)
class RunInfo:
    """The contents of run.json. `data`: where to load the data from; `state`: `running`, or why the run ended.

    `created`: seconds since the epoch of `time.time`, 0 for runs of earlier versions. `kind`: of the data. `study`:
    the study that the run belongs to, if any. `changes`: made while the run was continued.
    """

    settings: RunSettings
    data: str
    device: str
    network: str
    state: str = "running"
    created: float = 0.0
    kind: str = ""
    study: str = ""
    parent: Parent | None = None
    changes: tuple[SettingChange, ...] = ()
    rate_changes: tuple[RateChange, ...] = ()

    @property
    def has_ended(self) -> bool:
        """Whether the run has no epoch left to train."""
        return self.state not in ("running", "stopped", "fault")

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "RunInfo":
        """The contents of run.json. Raises ValueError, TypeError, KeyError or InputError for others."""
        parent = values.get("parent")
        texts = {name: str(values[name]) for name in ("data", "device", "network", "state")}
        return cls(
            settings=RunSettings.from_dict(values["run"]),
            **texts,
            created=float(values.get("created", 0)),
            kind=str(values.get("kind", "")),
            study=str(values.get("study", "")),
            parent=Parent(str(parent["run"]), int(parent["epoch"]), int(parent["step"])) if parent else None,
            changes=tuple(
                SettingChange(int(c["step"]), str(c["setting"]), str(c["before"]), str(c["value"]))
                for c in values.get("changes", ())
            ),
            rate_changes=tuple(
                RateChange(int(c["step"]), None if c["learning_rate"] is None else float(c["learning_rate"]))
                for c in values.get("rate_changes", ())
            ),
        )

    def repeatable_run(self) -> RunSettings:
        """The settings with the changes of the rate that were made while the run trained, so that it repeats them."""
        return self.settings.change(
            rate_changes=format_planned_rates(self.rate_changes or ()) or self.settings.rate_changes
        )


@cache
def versions() -> dict[str, str]:
    """The versions of the program and of the packages that compute."""
    versions = {"digitlab": VERSION, "python": platform.python_version(), "numpy": np.__version__}
    with suppress(PackageNotFoundError):  # a frozen program has no metadata
        versions["numba"] = version("numba")
    return versions


LABEL_FILE = "label.json"
MAX_TEXT = 10_000  # characters of a note
_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Label:
    """`starred`: the run is kept whatever the limit of the library is."""

    name: str = ""
    note: str = ""
    starred: bool = False


def read_label(path: Path) -> Label:
    """The label of the run in the folder `path`; an empty one if there is none that can be read."""
    try:
        values = json.loads(read_input(path / LABEL_FILE, _MAX_BYTES, "another run"))
        name, note = (str(values[key])[:MAX_TEXT] for key in ("name", "note"))
        return Label(name, note, values["starred"] is True)
    except (InputError, ValueError, KeyError, TypeError, RecursionError):
        return Label()


def write_label(path: Path, label: Label) -> None:
    """Write the label of the run in the folder `path`. Raises InputError where that fails."""
    write_atomically(path / LABEL_FILE, (json.dumps(asdict(label), indent=2) + "\n").encode())


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


FORMAT = "digitlab-run"
COLUMNS: tuple[str, ...] = tuple(f.name for f in fields(EpochDone) if f.name != "checkpoint")
MAX_TEXT_BYTES = 50_000_000
MAX_ROWS = 100_000
"""Rows of a history. Each save writes all of them; MAX_TEXT_BYTES hold three times as many."""


class RunFolder:
    """The folder at `path`, which is created at the first write."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._rows: list[Row] = []
        self._info: RunInfo | None = None

    # Computed when they are asked for: listing 1,000 runs needs only one of them.

    @property
    def model_path(self) -> Path:
        return self.path / "model.safetensors"

    @property
    def lock_path(self) -> Path:
        return self.path / "run.lock"

    @property
    def _info_path(self) -> Path:
        return self.path / "run.json"

    @property
    def _history_path(self) -> Path:
        return self.path / "history.csv"

    @property
    def _checkpoint_path(self) -> Path:
        return self.path / "checkpoint.safetensors"

    @property
    def _best_path(self) -> Path:
        return self.path / "best.safetensors"

    @property
    def holds_run(self) -> bool:
        return os.path.exists(self._info_path)  # False for a name that is too long

    @property
    def has_checkpoint(self) -> bool:
        return self._checkpoint_path.exists()

    @property
    def has_best(self) -> bool:
        """Whether there is a checkpoint of the best epoch."""
        return self._best_path.exists()

    @property
    def rows(self) -> list[Row]:
        """The rows of the history that have been read or added."""
        return list(self._rows)

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
        for path in (self._checkpoint_path, self._best_path, self._history_path, self.model_path):
            with suppress(OSError):  # if this fails, writing run.json fails too, with the reason
                path.unlink(missing_ok=True)
        self._rows = []
        self.write_info(info)

    def write_info(self, info: RunInfo) -> None:
        """Write run.json, with a summary of the history that has been read or added."""
        self._info = info
        summary = Summary.of(self._rows)
        values = asdict(info)
        del values["settings"]
        texts = {
            "format": FORMAT,
            "run": info.settings.as_dict(),
            **values,
            "seed": info.settings.seed,
            "versions": versions(),
            "summary": summary.as_dict() if summary else None,
        }
        write_atomically(self._info_path, (json.dumps(texts, indent=2) + "\n").encode())

    def read_info(self) -> RunInfo:
        """The contents of run.json. Raises InputError if there is none or it cannot be read."""
        return self.read_info_and_summary()[0]

    def read_info_and_summary(self) -> tuple[RunInfo, Summary | None]:
        """The contents of run.json; no summary for a run of an earlier version or without an epoch."""
        if not self.holds_run:
            raise InputError("{path} holds no run: there is no run.json in it.", path=self.path)
        try:
            values = json.loads(read_input(self._info_path, MAX_TEXT_BYTES, "another run"))
            if not isinstance(values, dict) or values.get("format") != FORMAT:
                raise ValueError("it does not describe a run")
            return RunInfo.from_dict(values), Summary.from_dict(values.get("summary"))
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
            raise InputError(
                "{path} cannot be read as a run ({reason}): choose another folder.",
                path=self._info_path, reason=str(error)[:200],
            ) from None  # fmt: skip

    def add_epochs(self, *records: EpochDone) -> None:
        """Write the rows of the epochs, and then the checkpoint of the last one."""
        self.add_rows([row_of(record) for record in records])
        self.write_checkpoint(records[-1].checkpoint)

    def add_rows(self, rows: list[Row]) -> None:
        """Write the history with these rows added; of too many, only every second, the best and the last are kept."""
        rows = self._rows + rows
        while len(rows) > MAX_ROWS:
            best = best_row(rows)
            rows = [
                row for number, row in enumerate(rows, 1) if number % 2 or row is best or number == len(rows)
            ]
        text = io.StringIO()
        table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
        write_atomically(self._history_path, text.getvalue().encode())
        self._rows = rows

    def read_history(self, until: int) -> list[Row]:
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
        if self._info and checkpoint.rate_changes != self._info.rate_changes:
            self.write_info(replace(self._info, rate_changes=checkpoint.rate_changes))
        write_checkpoint(self._checkpoint_path, checkpoint)

    def write_best(self, checkpoint: Checkpoint) -> None:
        """Write the checkpoint of the best epoch."""
        write_checkpoint(self._best_path, checkpoint)

    def read_checkpoint(
        self, network: Network, settings: RunSettings, *, best: bool = False
    ) -> Checkpoint | None:
        """The last checkpoint, or that of the best epoch; None if the run did not reach one.

        Raises InputError if it cannot be read, or does not fit the network or the run's optimizer.
        """
        path = self._best_path if best else self._checkpoint_path
        return read_checkpoint(path, network, settings) if path.exists() else None


def row_of(record: EpochDone) -> Row:
    """The row of the history for an epoch."""
    return {name: getattr(record, name) for name in COLUMNS}


def _number(name: str, text: str) -> float | None:
    if not text:
        if name not in ("train_score", "validation_loss"):
            raise ValueError(f"{name} is empty")
        return None
    # Earlier versions wrote 4.0 for epoch 4 of a run that was continued.
    return int(float(text)) if name in ("epoch", "step") else float(text)
