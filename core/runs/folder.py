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
from contextlib import suppress
from dataclasses import asdict, fields, replace
from pathlib import Path

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import read_input
from core.network.network import Network
from core.runs.checkpoint_file import read_checkpoint, write_checkpoint
from core.runs.info import RunInfo, versions
from core.runs.summary import Row, Summary, best_row
from core.training.records import Checkpoint, EpochDone
from core.training.run_settings import RunSettings

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
