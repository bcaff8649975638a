"""The settings, network, data and device of a training run, and the models that it produces."""

from dataclasses import dataclass

from core.data.dataset import Dataset
from core.inference.model_file import Model
from core.network.network import Network
from core.training.records import Checkpoint
from core.training.run_settings import RunSettings


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
