"""Reads and writes the folder of a run.

run.json: plan, state and a summary; history.csv: a row for each epoch, at most MAX_ROWS;
batches.safetensors: the mean loss and score of bins of steps, at most MAX_POINTS;
checkpoint.safetensors and best.safetensors: the last checkpoint, and that of the best epoch;
model.safetensors: the result; epochs.safetensors: the parameters at the ends of some epochs, at
most FILE_LIMIT_BYTES; label.json: what the user says of the run.

Each file is replaced as a whole, so a crash leaves the previous one. The history is written before
the checkpoint that it belongs to; a run that continues from the checkpoint drops the rows after it.
"""

import csv
import io
import json
import os
import platform
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import InputError
from core.files.atomic import without_link, write_atomically
from core.files.input_file import read_input
from core.files.json_text import JsonObject, json_object
from core.files.lock import locked
from core.files.reasons import READ_ERRORS, refusing
from core.inference.model_file import Model
from core.runs.checkpoint_file import BatchesFile, CheckpointFile, KeptFile
from core.runs.plan import RunPlan
from core.training import records
from core.training.records import Checkpoint, Epoch, RateChange, best_epoch
from core.version import VERSION
from kernels.host import arithmetic

FORMAT = "digitlab-run"
LABEL_FILE = "label.json"
INFO_FILE = "run.json"
HISTORY_FILE = "history.csv"
MODEL_FILE = "model.safetensors"
CHECKPOINT_FILE = "checkpoint.safetensors"
BEST_FILE = "best.safetensors"
KEPT_FILE = "epochs.safetensors"
BATCHES_FILE = "batches.safetensors"
_OF_A_RUN = CHECKPOINT_FILE, BEST_FILE, HISTORY_FILE, MODEL_FILE, KEPT_FILE, BATCHES_FILE
MAX_TEXT_BYTES = 50_000_000
MAX_ROWS = 100_000
"""Rows of a history. Each save writes all of them; MAX_TEXT_BYTES hold three times as many."""
MAX_NOTE = 10_000  # characters
_MAX_LABEL_BYTES = 1_000_000
_LOCK_SECONDS = 1.0
MAX_TIME = 32_503_680_000.0  # the year 3000: systems convert no later time


@dataclass(frozen=True, slots=True)
class Parent:
    """The run that a branch started from: the name of its folder, and epoch and step of the
    checkpoint.
    """

    run_id: str
    epoch: int
    step: int


@dataclass(frozen=True, slots=True)
class SettingChange:
    """From `step` on, `setting` (`device`, `epochs`, `schedule_epochs`) was `value` and no longer
    `before`.
    """

    step: int
    setting: str
    before: str
    value: str


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What run.json says of a run. `plan.device`: the device that was opened.

    `state`: `running`, or why the run ended: a `Reason`, or `pruned`. `created`: seconds since the
    epoch of `time.time`, 0 for runs of earlier versions. `kind`: of the data. `study`: the study
    that the run belongs to, if any. `lab`: the title of the lab in which it was started, if any.
    `changes`: made while the run was continued.
    """

    plan: RunPlan
    network: str
    state: str = "running"
    created: float = 0.0
    kind: str = ""
    study: str = ""
    lab: str = ""
    parent: Parent | None = None
    changes: tuple[SettingChange, ...] = ()
    rate_changes: tuple[RateChange, ...] = ()

    @property
    def has_ended(self) -> bool:
        """Whether the run has no epoch left to train."""
        return self.state not in ("running", "stopped", "fault")

    def repeatable_plan(self) -> RunPlan:
        """The plan with the changes of the rate that were made while the run trained, so that it
        repeats them.
        """
        changes = records.format_rate_changes(self.rate_changes) or self.plan.settings.rate_changes
        return self.plan.change(rate_changes=changes)

    def as_dict(self) -> JsonObject:
        """The contents of run.json."""
        parent = self.parent
        names = ("network", "state", "created", "kind", "study")
        return {
            **self.plan.as_dict(),
            **{name: getattr(self, name) for name in names},
            **({"lab": self.lab} if self.lab else {}),
            "parent": {"run": parent.run_id, "epoch": parent.epoch, "step": parent.step}
            if parent
            else None,
            "changes": [asdict(change) for change in self.changes],
            "rate_changes": records.format_rate_changes(self.rate_changes),
        }

    @classmethod
    def from_dict(cls, values: JsonObject) -> "RunInfo":
        """The contents of run.json. Raises ValueError, TypeError, KeyError or InputError for
        others.
        """
        parent = values.get("parent")
        created = float(values.get("created", 0))
        if not 0 <= created < MAX_TIME:
            raise ValueError(f"created is {created}")
        if not isinstance(values["network"], str) or not values["network"].isprintable():
            raise ValueError("the network is no text")
        return cls(
            plan=RunPlan.from_dict(values),
            network=values["network"],
            state=str(values["state"]),
            created=created,
            kind=str(values.get("kind", "")),
            study=str(values.get("study", "")),
            lab=str(values.get("lab", "")),
            parent=Parent(str(parent["run"]), int(parent["epoch"]), int(parent["step"]))
            if parent
            else None,
            changes=tuple(
                SettingChange(int(c["step"]), str(c["setting"]), str(c["before"]), str(c["value"]))
                for c in values.get("changes", ())
            ),
            rate_changes=records.read_rate_changes(values.get("rate_changes", "")),
        )


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list of runs shows of a history: the last and the best epoch.

    `best`: by validation loss, or by test score where there is no validation split.
    """

    last: Epoch
    best: Epoch

    @classmethod
    def of(cls, epochs: Sequence[Epoch]) -> "Summary | None":
        """The summary of a history; None if it has no epoch."""
        best = best_epoch(epochs)
        return None if best is None else cls(epochs[-1], best)

    def as_dict(self) -> JsonObject:
        return {"last": self.last.as_dict(), "best": self.best.as_dict()}

    @classmethod
    def from_dict(cls, values: Any) -> "Summary | None":
        """The summary that `as_dict` returned; None for other values, as earlier versions wrote."""
        try:
            last = Epoch.from_dict(values["last"])
            best = Epoch.from_dict(values["best"])
        except READ_ERRORS:
            return None
        return cls(last, best) if best.epoch <= last.epoch else None


@dataclass(frozen=True, slots=True)
class Label:
    """What the user says of a run, in a file of its own. `starred`: it is kept whatever the
    library's limit is.
    """

    name: str = ""
    note: str = ""
    starred: bool = False


def read_label(path: Path) -> Label:
    """The label of the run in the folder `path`; an empty one if there is none that can be read."""
    try:
        values = json.loads(read_input(path / LABEL_FILE, _MAX_LABEL_BYTES, "another run"))
        # Half of a character of UTF-16, which JSON can hold, cannot be written to a file.
        texts = (str(values[key])[:MAX_NOTE] for key in ("name", "note"))
        name, note = (text.encode(errors="replace").decode() for text in texts)
        return Label(name, note, values["starred"] is True)
    except (InputError, *READ_ERRORS):
        return Label()


def change_label(path: Path, **values: Any) -> None:
    """Change some fields of the label of the run in the folder `path`, and keep what another window
    has changed.

    Raises InputError where that fails.
    """
    with locked(path / "label.lock", _LOCK_SECONDS):
        write_label(path, replace(read_label(path), **values))


def write_label(path: Path, label: Label) -> None:
    """Write the label of the run in the folder `path`. Raises InputError where that fails."""
    write_atomically(
        without_link(path / LABEL_FILE), (json.dumps(asdict(label), indent=2) + "\n").encode()
    )


class RunFolder:
    """The folder at `path`, which is created at the first write."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.checkpoint = CheckpointFile(self.path / CHECKPOINT_FILE)
        self.best = CheckpointFile(self.path / BEST_FILE)  # of the best epoch
        self.kept = KeptFile(self.path / KEPT_FILE)
        self.batches = BatchesFile(self.path / BATCHES_FILE)
        self._epochs: list[Epoch] = []
        self._info: RunInfo | None = None

    @property
    def model_path(self) -> Path:
        return self.path / MODEL_FILE

    @property
    def lock_path(self) -> Path:
        return self.path / "run.lock"

    @property
    def holds_run(self) -> bool:
        return os.path.exists(self.path / INFO_FILE)  # False for a name that is too long

    @property
    def has_epochs(self) -> bool:
        """Whether the run has completed an epoch."""
        return (self.path / HISTORY_FILE).exists()

    @property
    def is_of_lab(self) -> bool:
        """Whether the run was started in a lab; False where that cannot be read."""
        try:
            return bool(self.read_info().lab)
        except InputError:
            return False

    def begin(self, info: RunInfo) -> None:
        """Start a new run here. The files of an earlier run are removed."""
        for name in _OF_A_RUN:
            with suppress(OSError):  # if this fails, writing run.json fails too, with the reason
                (self.path / name).unlink(missing_ok=True)
        self._epochs = []
        self.write_info(info)

    def write_info(self, info: RunInfo) -> None:
        """Write run.json, with a summary of the history that has been read or added."""
        self._info = info
        summary = Summary.of(self._epochs)
        texts = {
            "format": FORMAT,
            **info.as_dict(),
            "seed": info.plan.settings.seed,
            "versions": versions(),
            "arithmetic": arithmetic(),
        }
        texts["summary"] = summary.as_dict() if summary else None
        write_atomically(
            without_link(self.path / INFO_FILE), (json.dumps(texts, indent=2) + "\n").encode()
        )

    def read_info(self) -> RunInfo:
        """The contents of run.json. Raises InputError if there is none or it cannot be read."""
        return self.read_info_and_summary()[0]

    def read_info_and_summary(self) -> tuple[RunInfo, Summary | None]:
        """The contents of run.json; no summary for a run of an earlier version or without an
        epoch.
        """
        if not self.holds_run:
            raise InputError("{path} holds no run: there is no run.json in it.", path=self.path)
        with refusing(
            "{path} cannot be read as a run ({reason}): choose another folder.",
            path=self.path / INFO_FILE,
        ):
            content = read_input(self.path / INFO_FILE, MAX_TEXT_BYTES, "another run")
            values = json_object(content, FORMAT, "describe a run")
            return RunInfo.from_dict(values), Summary.from_dict(values.get("summary"))

    def add_to_history(self, added: list[Epoch]) -> None:
        """Write the history with more epochs; of too many, only every second, the best and the last
        are kept.
        """
        epochs = self._epochs + added
        while len(epochs) > MAX_ROWS:
            kept = (best_epoch(epochs), epochs[-1])
            epochs = [
                epoch for number, epoch in enumerate(epochs, 1) if number % 2 or epoch in kept
            ]
        text = io.StringIO()
        table = csv.DictWriter(text, records.EPOCH_COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(epoch.as_dict() for epoch in epochs)
        write_atomically(without_link(self.path / HISTORY_FILE), text.getvalue().encode())
        self._epochs = epochs

    def read_history(self, until: int = 1 << 31) -> list[Epoch]:
        """Epochs 1 to `until`, without which `add_to_history` would begin a new table; empty if
        there is none.

        Raises InputError if the table cannot be read.
        """
        with refusing(
            "{path} cannot be read as a table of epochs ({reason}).", path=self.path / HISTORY_FILE
        ):
            table = []
            if os.path.exists(self.path / HISTORY_FILE):
                text = read_input(self.path / HISTORY_FILE, MAX_TEXT_BYTES, "another run").decode()
                table = [Epoch.from_dict(row) for row in csv.DictReader(io.StringIO(text))]
        self._epochs = [epoch for epoch in table if epoch.epoch <= until]
        return list(self._epochs)

    def write_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Write the last checkpoint, and the rates that were typed before it. The old file stays if
        that fails.
        """
        if self._info and checkpoint.rate_changes != self._info.rate_changes:
            self.write_info(replace(self._info, rate_changes=checkpoint.rate_changes))
        self.checkpoint.write(checkpoint)

    def write_model(self, model: Model) -> None:
        model.save(without_link(self.model_path))


def kept_of(model: Model) -> tuple[tuple[int, np.ndarray], ...]:
    """(epoch, float32 (parameters,)), ascending: what the folder of the model's run keeps; empty
    without a run.
    """
    if model.path is None or model.path.name != MODEL_FILE:
        return ()
    return RunFolder(model.path.parent).kept.read(model.network)


@cache
def versions() -> dict[str, str]:
    """The versions of the program and of the packages that compute."""
    # Imported when it is needed, so that the window starts sooner.
    from importlib.metadata import PackageNotFoundError, version

    versions = {"digitlab": VERSION, "python": platform.python_version(), "numpy": np.__version__}
    with suppress(PackageNotFoundError):  # a frozen program has no metadata
        versions["numba"] = version("numba")
    return versions
