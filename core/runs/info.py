"""RunInfo: what run.json says of a run."""

import platform
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from core.training.planned_rates import format_planned_rates
from core.training.records import RateChange
from core.training.run_settings import RunSettings
from core.version import VERSION


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
