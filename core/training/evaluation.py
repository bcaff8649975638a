"""Evaluation is a network's loss and score on a split it does not learn from."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.data.dataset import Kind, Split
from core.network.forward_backward import ForwardBackward, LossName, loss_name
from core.network.network import Network
from core.training.run import Run
from kernels.device import Array, Device

# Large enough for BLAS at its best, small enough that the activations stay in cache.
BATCH = 500


@dataclass(frozen=True, slots=True)
class Evaluation:
    """`loss`: mean over the split. `score`: accuracy, or R² for regression.

    `answers`: int32 (n,) most probable classes, or float32 (n, outputs) predictions.
    """

    loss: float
    score: float
    answers: np.ndarray


class Evaluator:
    """Evaluates the parameters in a device's array again and again; allocates once."""

    def __init__(
        self,
        network: Network,
        activation: str,
        loss: LossName,
        device: Device,
        parameters: Array,
        split: Split,
        kind: Kind,
        batch: int = BATCH,
    ) -> None:
        self._device, self._split, self._kind = device, split, kind
        self._inputs, self._answers = device.share(split.inputs), device.share(split.answers)
        self._order = device.upload(np.arange(len(split), dtype=np.int32))
        self._counters = device.upload(np.zeros(2, np.int32))
        self._metrics = device.upload(np.zeros(2))
        size = min(batch, len(split))
        whole = ForwardBackward(network, activation, loss, device, parameters, size)
        self._passes = [whole] * (len(split) // size)
        if rest := len(split) % size:
            self._passes.append(
                ForwardBackward(network, activation, loss, device, parameters, rest, within=whole)
            )
        self._batch_answers = device.empty((size, *split.answers.shape[1:]), split.answers.dtype)
        # What the best constant answer leaves unexplained: R² measures against it.
        self._spread = float(np.var(split.answers, axis=0).sum()) if kind == "regression" else 0.0

    def run(self, check: Callable[[], None]) -> tuple[float, float]:
        """(mean loss, score). `check` is called before each batch; what it raises ends the evaluation."""
        self._start()
        for one in self._passes:
            check()
            self._forward(one)
        return self._totals()

    def answer(self) -> Evaluation:
        """Loss and score with every single answer."""
        self._start()
        found = []
        for one in self._passes:
            output = self._device.download(self._forward(one))
            found.append(output.argmax(axis=1).astype(np.int32) if self._kind == "classes" else output)
        return Evaluation(*self._totals(), np.concatenate(found))

    def _start(self) -> None:
        self._device.write(self._counters, np.zeros(2, np.int32))
        self._device.write(self._metrics, np.zeros(2))

    def _forward(self, one: ForwardBackward) -> Array:
        answers = self._batch_answers[: one.batch]
        self._device.gather(self._inputs, self._order, self._counters, one.inputs)
        self._device.gather(self._answers, self._order, self._counters, answers)
        output = one.forward()
        one.loss(answers, self._metrics)
        self._device.advance(self._counters, one.batch)
        return output

    def _totals(self) -> tuple[float, float]:
        summed, right = self._device.download(self._metrics)
        loss = float(summed) / len(self._split)
        if self._kind == "classes":
            return loss, float(right) / len(self._split)
        # The loss is half the squared error.
        return loss, 1 - 2 * loss / self._spread if self._spread else 0.0


def evaluate(
    network: Network, run: Run, parameters: np.ndarray, split: Split, device: Device, kind: Kind
) -> Evaluation:
    """Evaluate `parameters`, float32 (parameters,) in host memory, on `split`."""
    with np.errstate(all="ignore"), device.limits():
        evaluator = Evaluator(
            network, run.activation, loss_name(run.loss, kind), device, device.share(parameters), split, kind
        )
        return evaluator.answer()
