"""RunPlan: what to train, in one type for the form, the command line, studies, run folders and
files of settings.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar

from core.data.dataset import Dataset, Kind
from core.data.sources import is_source
from core.files.atomic import write_atomically
from core.files.input_file import read_input
from core.files.json_text import JsonObject, json_object
from core.files.reasons import refusing
from core.inference.model_file import Model
from core.network.layers import Shape
from core.network.network import Network
from core.network.notation import parse
from core.training.checks import check_settings
from core.training.presets import fit_preset
from core.training.records import Checkpoint, Epoch, Point
from core.training.run_settings import RunSettings
from core.version import VERSION

FORMAT = "digitlab-settings"
MAX_BYTES = 1_000_000
_KIND = "a file of settings that was saved by this program"


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What to train: the settings, the name or path of the data, and the name of the device.

    `parsed`: the network of the settings, where it has been parsed already, as in the form;
    `network` keeps it.

    >>> plan = RunPlan(RunSettings(network="784-128-10"), "mnist")
    >>> plan.network((28, 28, 1), 10, "classes").parameter_count
    101770
    """

    settings: RunSettings
    data: str = "builtin"
    device: str = "auto"
    parsed: Network | None = field(default=None, compare=False, repr=False)

    def network(self, input_shape: Shape, outputs: int, kind: Kind) -> Network:
        """The network for data with inputs of `input_shape` and this number of `outputs`; it is
        parsed once.

        Raises InputError, with the name of the setting, where such data cannot be trained on.
        """
        network = self.parsed
        if network is None or (network.input_shape, network.outputs) != (
            tuple(input_shape),
            outputs,
        ):
            network = parse(self.settings.network, input_shape, outputs)
            object.__setattr__(self, "parsed", network)
        check_settings(self.settings, network, kind)
        return network

    def change(self, **settings: object) -> "RunPlan":
        """The plan with other values of these settings."""
        return RunPlan(self.settings.change(**settings), self.data, self.device)

    def within(self, folder: Path | None) -> "RunPlan":
        """The plan with the path of its data, where these are named relative to the folder of a
        lab.
        """
        if folder is None or is_source(self.data):
            return self
        return RunPlan(self.settings, str(folder / self.data), self.device)

    def fitted(self, dataset: Dataset) -> "RunPlan":
        """The plan with the network of a preset for data of this kind fitted to other inputs or
        outputs.
        """
        settings = fit_preset(self.settings, dataset.kind, dataset.input_shape, dataset.outputs)
        return RunPlan(settings, self.data, self.device)

    def as_dict(self) -> JsonObject:
        """The plan as JSON values: `run` (the settings by name), `data` and `device`."""
        return {"run": self.settings.as_dict(), "data": self.data, "device": self.device}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "RunPlan":
        """The plan that `as_dict` returned. Settings that are missing have their defaults.

        Raises InputError for settings that are not allowed, ValueError, TypeError or KeyError for
        other contents.
        """
        settings = values["run"]
        data = values.get("data", "")
        device = values.get("device", "auto")
        if (
            not isinstance(settings, dict)
            or not isinstance(data, str)
            or not isinstance(device, str)
        ):
            raise ValueError("it does not hold settings")
        return cls(RunSettings.from_dict(settings), data, device)


@dataclass(frozen=True, slots=True)
class RunContext:
    """A run that is prepared: its plan, with the name of the device that was opened, its data and
    its network.

    `history`, `batches`: the epochs before the checkpoint from which it continues, and the bins of
    `StepBins`. run_id: in the library; empty where it is not saved.
    """

    plan: RunPlan
    dataset: Dataset
    network: Network
    history: tuple[Epoch, ...] = ()
    run_id: str = ""
    batches: tuple[Point, ...] = ()

    steps: ClassVar[None] = None  # no step was done
    numbers: ClassVar[None] = None  # no epoch has ended
    reason: ClassVar[None] = None  # the run begins

    @property
    def context(self) -> "RunContext":
        """The record itself, which others have not."""
        return self

    def model(self, checkpoint: Checkpoint, score: float | None = None) -> Model:
        """The model of a checkpoint. `score`: of its parameters on the test split, if known.

        It has no score where that is infinite: so is R² near divergence, while the parameters are
        still finite.
        """
        settings = self.plan.settings
        return Model(
            network=self.network,
            activation=settings.activation,
            loss=settings.loss,
            kind=self.dataset.kind,
            classes=self.dataset.classes,
            parameters=checkpoint.parameters,
            data=self.dataset.name,
            run_settings=settings.as_dict(),
            test_score=score if score is not None and isfinite(score) else None,
            rate_changes=checkpoint.rate_changes,
            temperature=checkpoint.temperature,
        )


def write_settings(path: Path, plan: RunPlan) -> None:
    """Write a file of settings, to keep or to send: JSON. Raises InputError where that fails."""
    values = {"format": FORMAT, "version": VERSION, **plan.as_dict()}
    write_atomically(
        path, (json.dumps(values, indent=2, ensure_ascii=False) + "\n").encode(errors="replace")
    )


def read_settings(path: Path) -> RunPlan:
    """The plan in the file of settings at `path`; its data may be missing on this machine.

    Settings that are not in the file have their defaults. Raises InputError where it cannot be read
    as settings.
    """
    with refusing(
        "{path} cannot be read as settings ({reason}): choose {kind}.", path=path, kind=_KIND
    ):
        content = read_input(path, MAX_BYTES, _KIND)
        return RunPlan.from_dict(json_object(content, FORMAT, "hold settings"))
