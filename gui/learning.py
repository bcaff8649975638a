"""What a run under way learns with: its settings, network, data and device, known once it is prepared."""

from dataclasses import dataclass

import numpy as np

from core.dataset import Dataset
from core.model import Model
from core.network import Network
from core.run import Run


@dataclass(frozen=True, slots=True)
class Learning:
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
