"""A way to train runs into the library."""

import pytest

from core.runs.plan import RunContext, RunPlan
from core.runs.recorder import RunRecorder
from core.runs.training import iter_run
from core.training.run_settings import RunSettings

RUN = RunSettings(network="6-9-4", batch_size=32, epochs=3, learning_rate=0.05)


@pytest.fixture
def train(points):
    """A function that trains a run, into a new folder or as `recorder` says; returns the recorder
    and the records.
    """

    def train(
        run=RUN, recorder=None, until=None, control=None, device_name="vectorized", dataset=points
    ):
        recorder = recorder or RunRecorder()
        done = []
        training = iter_run(RunPlan(run, dataset.name, device_name), dataset, recorder, control)
        for record in training:
            if isinstance(record, RunContext):
                continue
            done.append(record)
            if until is not None and until(record):
                training.close()
        assert recorder.error is None
        return recorder, done

    return train
