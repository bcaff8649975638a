"""A way to train runs into the library."""

import pytest

from core.network.notation import parse
from core.runs.plan import RunContext
from core.runs.recorder import RunRecorder
from core.training.loop import iter_training
from core.training.run_settings import RunSettings
from kernels.registry import open_device

RUN = RunSettings(network="6-9-4", batch_size=32, epochs=3, learning_rate=0.05)


@pytest.fixture
def train(points):
    """A function that trains a run, into a new folder or as `recorder` says; returns the recorder and the records."""

    def train(run=RUN, recorder=None, until=None, control=None, device_name="vectorized", dataset=points):
        recorder = recorder or RunRecorder()
        device = open_device(device_name)
        network = parse(run.network, dataset.input_shape, dataset.outputs)
        context = RunContext(run, network, dataset.name, dataset, device.name)
        start = recorder.read_checkpoint(network, run)
        done = []
        training = recorder.iter_recorded(context, iter_training(run, dataset, device, control, start))
        for record in training:
            done.append(record)
            if until is not None and until(record):
                training.close()
        assert recorder.error is None
        return recorder, done

    return train
