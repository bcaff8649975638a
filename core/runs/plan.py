"""The settings, network, data and device of a training run, and the models that it produces."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.data.dataset import Dataset
from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import read_input
from core.inference.model_file import Model
from core.network.network import Network
from core.training.records import Checkpoint
from core.training.run_settings import RunSettings
from core.version import VERSION


@dataclass(frozen=True, slots=True)
class RunContext:
    """A run that is prepared. `source`: name of the data, as given by the user; `device`: name of the device."""

    settings: RunSettings
    network: Network
    source: str
    dataset: Dataset
    device: str

    def model(self, checkpoint: Checkpoint, score: float | None = None) -> Model:
        """The model of a checkpoint. `score`: of its parameters on the test split, if known."""
        return Model(
            network=self.network,
            activation=self.settings.activation,
            loss=self.settings.loss,
            kind=self.dataset.kind,
            classes=self.dataset.classes,
            parameters=checkpoint.parameters,
            data=self.dataset.name,
            run=self.settings.as_dict(),
            test_score=score,
            rate_changes=checkpoint.rate_changes,
            temperature=checkpoint.temperature,
        )


FORMAT = "digitlab-settings"
MAX_BYTES = 1_000_000
_KIND = "a file of settings that was saved by this program"


def write_settings(path: Path, settings: RunSettings, data: str) -> None:
    """Write the settings, and the name or path of the data. Raises InputError where that fails."""
    values: dict[str, Any] = {"format": FORMAT, "version": VERSION, "data": data, "run": settings.as_dict()}
    write_atomically(path, (json.dumps(values, indent=2, ensure_ascii=False) + "\n").encode(errors="replace"))


def read_settings(path: Path) -> tuple[RunSettings, str]:
    """The settings in the file at `path`, and the data, which may be missing on this machine.

    Settings that are not in the file have their defaults. Raises InputError where it cannot be read as settings.
    """
    try:
        values = json.loads(read_input(path, MAX_BYTES, _KIND))
        if not isinstance(values, dict) or values.get("format") != FORMAT:
            raise ValueError("it does not hold settings")
        run, data = values["run"], values.get("data", "")
        if not isinstance(run, dict) or not isinstance(data, str):
            raise ValueError("it does not hold settings")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(
            "{path} cannot be read as settings ({reason}): choose {kind}.",
            path=path,
            reason=str(error)[:200],
            kind=_KIND,
        ) from None
    return RunSettings.from_dict(run), data
