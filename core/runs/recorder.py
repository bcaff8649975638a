"""Writes the folder of a run while it trains: the same for the window, the command line and
studies.
"""

import time
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import ParamSpec

import numpy as np

from core.errors import InputError
from core.files.lock import FileLock
from core.network.network import Network
from core.progress import Cancelled
from core.runs.folder import Parent, RunFolder, RunInfo, SettingChange
from core.runs.library import RunLibrary, apply_limit
from core.runs.plan import RunContext
from core.training import records
from core.training.records import Checkpoint, Epoch, Point, Record, StepBins
from core.training.run_settings import RunSettings, schedule_spans
from core.training.train_step import first_checkpoint

# A run is saved after an epoch, but not more often than this,
EPOCH_SECONDS = 1.0
# and between two epochs if the last save is older than this.
STEP_SECONDS = 30.0
# Saving takes at most this fraction of the time.
MAX_SAVE_FRACTION = 0.05
P = ParamSpec("P")
_RATE_SETTINGS = ("learning_rate", "schedule", "decay", "decay_epochs", "rate_changes")


@dataclass(frozen=True, slots=True)
class Start:
    """Where a run starts from: the last or the best checkpoint of the run in `path`.

    `branch`: the run gets a folder of its own, which names the other as its parent; else it goes on
    in `path`.
    """

    path: Path
    best: bool = False
    branch: bool = False


class RunRecorder:
    """Writes the folder of one run, in the thread that trains. A run that has trained no step is
    not saved.

    `path`: the folder of a new run; None: a new one in the user's library. `start`: the run to
    continue, if any. `study`: the study that the run belongs to. `lab`: the title of the lab in
    which it is started.

    A failure to write ends no training: the first one is kept in `error`.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        start: Start | None = None,
        study: str = "",
        lab: str = "",
    ) -> None:
        self._start_from = start
        self._continues = start is not None and not start.branch
        self.path = start.path if start and self._continues else path or RunLibrary().new_path()
        self.folder = RunFolder(self.path)
        self.error: Exception | None = None
        # That the run continues from, and the epochs and bins of steps before it.
        self.start_checkpoint: Checkpoint | None = None
        self.history: list[Epoch] = []
        self.batches: list[Point] = []
        self._bins = StepBins()
        self._until_newest = 0  # how many batches belong to the newest checkpoint
        self._study = study
        self._lab = lab
        self._info: RunInfo | None = None
        self._parent: Parent | None = None
        self._lock: FileLock | None = None
        self._best_so_far: Epoch | None = None
        self._unsaved: list[Epoch] = []
        self._newest: Checkpoint | None = None
        self._result: tuple[Checkpoint, float | None] | None = None  # with its test score, if known
        self._best: Checkpoint | None = None
        self._kept = records.KeptParameters(records.FILE_LIMIT_BYTES)
        self._kept_at = 0.0  # when they were written
        self._start_step = 0
        self._has_saved = False
        self._last_save = time.monotonic()
        self._pause = 0.0  # until the next save, so that saving takes a small fraction of the time

    def read_checkpoint(self, network: Network, settings: RunSettings) -> Checkpoint | None:
        """The checkpoint to start from; None for a new run. Raises InputError if it cannot be
        read.
        """
        if (start := self._start_from) is None:
            return None
        source = RunFolder(start.path)
        info = source.read_info()
        file = source.best if start.best else source.checkpoint
        checkpoint = file.read(network, info.plan.settings)
        if checkpoint is None:
            return None
        self._start_step = checkpoint.step
        self.history = source.read_history(checkpoint.epoch)
        self._best_so_far = records.best_epoch(self.history)
        until = inf if checkpoint.position else checkpoint.epoch
        self.batches = [point for point in source.batches.read() if point[0] <= until]
        for epoch, parameters in source.kept.read(network):
            # The best checkpoint is older than the last epochs, which the branch trains anew.
            if epoch <= checkpoint.epoch:
                self._kept.add(epoch, parameters)
        if info.state == "patience":  # its patience starts anew, or the run would end at once
            checkpoint = replace(checkpoint, best_epoch=checkpoint.epoch)
        spans = schedule_spans(settings.schedule_epochs)
        is_other = settings.schedule_epochs != info.plan.settings.schedule_epochs
        # The schedule begins anew.
        if checkpoint.rate_changes and is_other and spans and spans[-1][0] > 0:
            changes = (*checkpoint.rate_changes, records.RateChange(checkpoint.step, None))
            checkpoint = replace(checkpoint, rate_changes=changes)
        if not start.branch:
            self.folder = source
            self._info = info
            self.start_checkpoint = checkpoint
            return checkpoint
        self._parent = Parent(start.path.name, checkpoint.epoch, checkpoint.step)
        self._unsaved = list(self.history)
        if start.best:
            self._best = checkpoint
        elif source.best.exists:
            with suppress(InputError):
                self._best = source.best.read(network, info.plan.settings)
        self.start_checkpoint = _adapt(checkpoint, info.plan.settings, settings)
        return self.start_checkpoint

    def iter_recorded(self, context: RunContext, records: Generator[Record]) -> Generator[Record]:
        """Yields `records`, and saves the run meanwhile and at the end, also if the caller closes
        the generator.
        """
        state = "stopped"
        try:
            with closing(records):
                for record in records:
                    self._note(record)
                    # A run whose caller closes the generator has no record with a reason: it was
                    # stopped.
                    state = record.reason or state
                    # Before the caller reports it: what has been reported survives a kill.
                    self._save_if_due(context, record)
                    yield record
        # No fault of the run: the state stays, and its newest checkpoint is saved.
        except Cancelled:
            raise
        except Exception:
            state = "fault"
            raise
        finally:
            self._end(context, state)

    def _note(self, record: Record) -> None:
        """Take over what is to be saved of a record."""
        if record.steps is not None:
            self.batches += self._bins.add(record)
        if record.numbers is not None:
            epoch = record.numbers
            self._unsaved.append(epoch)
            self._kept.add(epoch.epoch, record.checkpoint.parameters)
            if self._best_so_far is None or epoch.is_better(self._best_so_far):
                self._best_so_far = epoch
                self._best = record.checkpoint
        state = record.checkpoint
        # From numbers that are not finite no run can go on: the checkpoint before stays the newest.
        if state is None or not all(
            np.isfinite(x).all() for x in (state.parameters, state.optimizer_state)
        ):
            return
        self._result = state, record.test_score
        # At the end of a run with patience `parameters` are those of the best epoch: that is no
        # state to go on from.
        if record.reason != "patience":
            self._newest = state
            self._until_newest = len(self.batches)

    def _save_if_due(self, context: RunContext, record: Record) -> None:
        """Save the run if it is time; `record` is the newest one. The end of a run is saved by
        `_end`.
        """
        if record.checkpoint is None or record.reason is not None:
            return
        ended_epoch = record.numbers is not None
        due = max(EPOCH_SECONDS if ended_epoch else STEP_SECONDS, self._pause)
        if (ended_epoch and not self._has_saved) or time.monotonic() - self._last_save >= due:
            self._try(self._save, context, "running")

    def begin(self, context: RunContext) -> None:
        """Write run.json before the first step; else the first save does so."""
        self._try(self._begin, context)

    def _end(self, context: RunContext, state: str) -> None:
        """Save the end of the run; `state`: why it ended, as in run.json."""
        # A run without a step leaves no folder, unless one was begun.
        if self._newest is not None and (self._newest.step > 0 or self._lock):
            self._try(self._save, context, state)
            # Where it goes on, if it is continued after its end.
            self._start_step = self._newest.step
        if self._lock:
            self._lock.release()
            self._lock = None
            library = RunLibrary()
            if self.path.parent == library.path:
                self._try(apply_limit, library, self.path.name)

    def _save(self, context: RunContext, state: str) -> None:
        if self._newest is None or self._result is None:
            return
        started = time.monotonic()
        info = self._begin(context)
        if self._best is not None:
            self.folder.best.write(self._best)
            # Written once: it stays the best until another epoch is better.
            self._best = None
        # Another program may hold the table open; the other files are written all the same.
        self._try(self._add_to_history)
        self.folder.write_checkpoint(self._newest)
        # Without those after the checkpoint: a run that continues would draw them twice.
        self._try(self.folder.batches.write, self.batches[: self._until_newest])
        self.folder.write_model(context.model(*self._result))
        if state != "running" or started - self._kept_at >= STEP_SECONDS:
            self.folder.kept.write(self._kept)
            self._kept_at = started
        self._info = replace(info, state=state, rate_changes=self._newest.rate_changes)
        self.folder.write_info(self._info)
        self._has_saved = True
        self._last_save = time.monotonic()
        self._pause = (self._last_save - started) / MAX_SAVE_FRACTION

    def _add_to_history(self) -> None:
        if self._unsaved:
            self.folder.add_to_history(self._unsaved)
            self._unsaved = []

    def _begin(self, context: RunContext) -> RunInfo:
        """Lock the folder and write run.json, unless that has been done."""
        if self._lock and self._info:
            return self._info
        self.path.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(self.folder.lock_path)
        self._lock.acquire()
        before = self._info
        plan = replace(context.plan, data=_absolute(context.plan.data))
        info = RunInfo(
            plan,
            context.network.text,
            created=time.time(),
            kind=context.dataset.kind,
            study=self._study,
            lab=self._lab,
            parent=self._parent,
        )
        if self._continues and before is not None:
            old, new = (
                {"device": each.device, **each.settings.as_dict()} for each in (before.plan, plan)
            )
            names = (
                name for name in ("device", "epochs", "schedule_epochs") if old[name] != new[name]
            )
            changed = (
                SettingChange(self._start_step, each, str(old[each]), str(new[each]))
                for each in names
            )
            changes = (*before.changes, *changed)
            plan = replace(before.plan, settings=plan.settings, device=plan.device)
            info = replace(before, plan=plan, state="running", kind=info.kind, changes=changes)
            self.folder.write_info(info)
        else:
            self.folder.begin(info)
            self._continues = True  # if it is continued after its end, as on another device
        self._info = info
        return info

    def _try(self, write: Callable[P, object], *arguments: P.args, **options: P.kwargs) -> None:
        """Call `write` with these arguments; `error` keeps the first failure."""
        try:
            write(*arguments, **options)
        except Exception as error:
            self.error = self.error or error
            self._last_save = time.monotonic()


def _adapt(checkpoint: Checkpoint, before: RunSettings, settings: RunSettings) -> Checkpoint:
    """The checkpoint for a branch with other settings: the optimizer starts anew, a changed rate
    counts at once.
    """
    if settings.optimizer != before.optimizer:
        first = first_checkpoint(settings, checkpoint.parameters)
        checkpoint = replace(checkpoint, optimizer_state=first.optimizer_state)
    if any(getattr(settings, name) != getattr(before, name) for name in _RATE_SETTINGS):
        checkpoint = replace(checkpoint, rate_changes=())
    return checkpoint


def _absolute(source: str) -> str:
    """The data's name, or its path from the root: the run may be continued from another folder."""
    with suppress(OSError, ValueError):
        return str(Path(source).absolute()) if Path(source).exists() else source
    return source
