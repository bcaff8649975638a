"""The settings, network, data and device of a training run, and the models that it produces."""

from dataclasses import dataclass

import numpy as np

from core.data.dataset import Dataset
from core.inference.model_file import Model
from core.network.network import Network
from core.training.run import Run


@dataclass(frozen=True, slots=True)
class RunContext:
    """A run that is prepared. `source`: name of the data, as given by the user; `device`: name of the device."""

    run: Run
    network: Network
    source: str
    dataset: Dataset
    device: str

    def model(self, parameters: np.ndarray, score: float | None = None) -> Model:
        """A model with these parameters, float32 (parameters,), and their score on the test split."""
        return Model(
            network=self.network,
            activation=self.run.activation,
            loss=self.run.loss,
            kind=self.dataset.kind,
            classes=self.dataset.classes,
            parameters=parameters,
            data=self.dataset.name,
            run=self.run.as_dict(),
            test_score=score,
        )
