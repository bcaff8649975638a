"""Evaluation: the loss and the score of a network on a split."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.data.dataset import Kind, Split
from core.network.forward_backward import ForwardBackward
from core.network.losses import find_loss
from core.network.network import Network, inference_batch
from core.progress import Check, never_cancel
from core.training.run_settings import RunSettings
from kernels.device import Device


@dataclass(frozen=True, slots=True)
class Evaluation:
    """`loss`: mean over the split. `score`: accuracy, or R² for regression.

    `outputs`: float32 (n, outputs), of the last layer for every example; for cross-entropy before
    the softmax. (0, 0) where they were not kept.
    """

    loss: float
    score: float
    outputs: np.ndarray


class Evaluator:
    """Evaluates the parameters of `computed`, a pass on `device`, on `split`: as many images at a
    time as the pass has room for. Several may share a pass.
    """

    def __init__(self, computed: ForwardBackward, device: Device, split: Split, kind: Kind) -> None:
        self.split = split
        self._device = device
        self._kind = kind
        self._inputs = device.asarray(split.inputs)
        self._targets = device.asarray(split.targets)
        self._order = device.upload(np.arange(len(split), dtype=np.int32))
        self._counters = device.upload(np.zeros(2, np.int32))
        self._metrics = device.upload(np.zeros(2))
        size = min(computed.batch, len(split))
        # One object many times: the batches are computed in the same arrays, one after the other.
        self._batches = [computed.first(size)] * (len(split) // size)
        if remainder := len(split) % size:
            self._batches.append(computed.first(remainder))
        self._batch_targets = device.empty((size, *split.targets.shape[1:]), split.targets.dtype)
        self._variance = variance(split.targets) if kind == "regression" else 0.0
        # Of the batches that a device has recorded, by their size.
        self._recorded: dict[int, Callable[[], None]] = {}

    def run(self, check: Check = never_cancel, keep_outputs: bool = False) -> Evaluation:
        """Loss and score; and, where asked for, the last layer's output for every example.

        `check` is called before each batch; an exception that it raises ends the evaluation.
        """
        device = self._device
        outputs = []
        device.write(self._counters, np.zeros(2, np.int32))
        device.write(self._metrics, np.zeros(2))
        for batch in self._batches:
            check()
            size = batch.batch
            if size in self._recorded:
                self._recorded[size]()
            else:
                compute = self._computation(batch)
                compute()
                # Only where launching takes long: a recording is for runs that follow.
                if device.steps_per_recording > 1:
                    self._recorded[size] = device.record(compute)
            if keep_outputs:
                outputs.append(device.download(batch.outputs[-1]))
            else:
                # Without waiting, all batches would be queued at once and `check` could not end the
                # evaluation.
                device.synchronize()
        total_loss, correct = device.download(self._metrics)
        loss = float(total_loss) / len(self.split)
        score = float(correct) / len(self.split)
        if self._kind == "regression":
            score = r_squared(2 * loss, self._variance)  # the loss is half the squared error
        kept = np.concatenate(outputs) if outputs else np.empty((0, 0), np.float32)
        return Evaluation(loss, score, kept)

    def _computation(self, batch: ForwardBackward) -> Callable[[], None]:
        """Adds the next images, as many as the batch has, to the metrics. It does not refer to this
        object, which keeps it: without a circle its arrays are freed at once.
        """
        device = self._device
        arrays = self._counters, self._metrics, self._order, self._inputs, self._targets
        targets = self._batch_targets[: batch.batch]

        def compute() -> None:
            counters, metrics, order, all_inputs, all_targets = arrays
            device.gather(all_inputs, order, counters, batch.inputs)
            device.gather(all_targets, order, counters, targets)
            batch.forward()
            batch.loss(targets, metrics)
            device.advance(counters, batch.batch)

        return compute


def evaluate(
    network: Network,
    settings: RunSettings,
    parameters: np.ndarray,
    split: Split,
    device: Device,
    kind: Kind,
) -> Evaluation:
    """Evaluate `parameters`, float32 (parameters,) in host memory, on `split`; `settings` names
    activation and loss.

    The loss is not finite where the outputs are not.

    >>> from core.network.notation import parse
    >>> from kernels.registry import open_device
    >>> points, labels = np.zeros((4, 3), np.float32), np.zeros(4, np.int32)
    >>> network, parameters = parse("2N", (3,), 2), np.zeros(8, np.float32)
    >>> device = open_device("sequential")
    >>> split = Split(points, labels)
    >>> evaluate(network, RunSettings(network="2N"), parameters, split, device, "classes").loss
    0.693147...
    """
    with np.errstate(all="ignore"):
        computed = ForwardBackward(
            network,
            settings.activation,
            find_loss(settings.loss, kind),
            device,
            device.asarray(parameters),
            min(inference_batch(network), len(split)),
        )
        return Evaluator(computed, device, split, kind).run(keep_outputs=True)


def variance(targets: np.ndarray) -> float:
    """The mean squared error of the best constant prediction of float32 (n, outputs), summed over
    the outputs.

    R² is measured against it.
    """
    return float(np.var(targets, axis=0).sum())


def r_squared(squared_error: float, variance: float) -> float:
    """R² = 1 - mean squared error / variance of the targets, both summed over the outputs; 0 for
    constant targets.

    >>> r_squared(0.5, 2.0)
    0.75
    """
    return 1 - squared_error / variance if variance else 0.0
