"""What a run under way learns with: its settings, network, data and device, known once it is prepared."""

from dataclasses import dataclass

import numpy as np

from core.data.dataset import Dataset
from core.inference.model_file import Model
from core.network.network import Network
from core.training.run import Run


@dataclass(frozen=True, slots=True)
class RunContext:
    run: Run
    network: Network
    source: str
    dataset: Dataset
    device: str

    def model(self, parameters: np.ndarray, score: float | None = None) -> Model:
        """A snapshot of what was learnt, to read drawings with or to save."""
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
