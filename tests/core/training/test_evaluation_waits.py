"""An evaluation can be ended between batches, also on a device that queues its work."""

import numpy as np

from core.data.dataset import Split
from core.network.forward_backward import ForwardBackward
from core.network.losses import find_loss
from core.network.notation import parse
from core.training.evaluation import Evaluator
from kernels.vectorized.device import Vectorized


class Queueing(Vectorized):
    """Notes the operators that were queued and the waits for them."""

    def __init__(self):
        super().__init__()
        self.log = []

    def advance(self, *arguments):
        self.log.append("batch")
        super().advance(*arguments)

    def synchronize(self):
        self.log.append("wait")


def test_every_batch_is_finished_before_the_next_check():
    device = Queueing()
    split = Split(np.zeros((10, 2, 2, 1), np.uint8), np.zeros(10, np.int32))
    network = parse("4-3", (2, 2, 1), 3)
    parameters = device.upload(np.zeros(network.parameter_count, np.float32))
    loss = find_loss("cross-entropy", "classes")
    computed = ForwardBackward(network, "relu", loss, device, parameters, 4)
    evaluator = Evaluator(computed, device, split, "classes")
    evaluator.run(lambda: device.log.append("check"))
    assert device.log == ["check", "batch", "wait"] * 3
