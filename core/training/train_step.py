"""One step of training: fetch a batch, forward, loss, backward, update of the parameters."""

from collections.abc import Callable
from math import prod

import numpy as np

from core.data.dataset import Dataset
from core.network.forward_backward import ForwardBackward, TrainingEffects
from core.network.losses import find_loss
from core.network.notation import parse
from core.network.parameters import views
from core.training.optimizers import OPTIMIZERS
from core.training.optimizers.optimizer import UpdateArrays
from core.training.records import Checkpoint, SeenStep
from core.training.run_settings import RunSettings
from kernels.device import Array, Device

# Share of the difference to the batch's mean and variance that each step takes away from the
# running ones.
STATISTICS_RATE = 0.1

# Steps whose metrics the device keeps; the metrics have to be read before so many steps have
# followed.
HISTORY_STEPS = 1024

SEEN_BYTES = 64 << 20
"""Of the outputs and errors of a step that are copied: 100 images of the largest preset."""


def first_checkpoint(settings: RunSettings, parameters: np.ndarray) -> Checkpoint:
    """The checkpoint before the first step from `parameters`, float32 (parameters,): the
    optimizer's state is 0.
    """
    state = np.zeros((OPTIMIZERS[settings.optimizer].state_arrays, parameters.size), np.float32)
    return Checkpoint(parameters, state)


class TrainStep:
    """The arrays of a training run on a device, and the step that computes on them, from the
    training split of the data set.

    `start` has the parameters and the optimizer's state to start from. On the device there are:

    * `parameters`, and `state`, a list of the optimizer's arrays;
    * `order`: int32 (images,), the order of the images in the epoch;
    * `counters`, `rate`, `metrics`: what changes from step to step, see `kernels.device`;
    * `history`: float64 (HISTORY_STEPS, 2), the metrics of the latest steps; that of step s,
      counted from 0, is in
      row s % HISTORY_STEPS.

    `examples` is the number of images of a full step; the last step of an epoch may have fewer.
    """

    def __init__(
        self,
        settings: RunSettings,
        dataset: Dataset,
        device: Device,
        start: Checkpoint,
    ) -> None:
        split = dataset.train
        self._settings = settings
        self._device = device
        self._network = parse(settings.network, dataset.input_shape, dataset.outputs)
        self._images = len(split)
        self._loss = find_loss(settings.loss, dataset.kind)
        self._optimizer = OPTIMIZERS[settings.optimizer]
        names = ("l2", *self._optimizer.settings)
        self._update_settings = {name: getattr(settings, name) for name in names}
        self._inputs = device.asarray(split.inputs)
        self._targets = device.asarray(split.targets)
        before = [start.parameters, *start.optimizer_state]
        self.parameters, *self.state = map(device.upload, before)
        # Any valid order, for the steps that `_prepare` runs; each epoch writes its own.
        self.order = device.upload(np.arange(self._images, dtype=np.int32))
        self.counters = device.upload(np.zeros(2, np.int32))
        self.rate = device.upload(np.zeros(1, np.float32))
        # Rate and l2 where the layers update themselves.
        self._sgd: tuple[Array, float] | None = None
        self._statistics_rate = device.upload(np.array([STATISTICS_RATE], np.float32))
        self.metrics = device.upload(np.zeros(2))
        self.history = device.upload(np.zeros((HISTORY_STEPS, 2)))
        self._several_steps: Callable[[int], None] | None = None
        self.batch = min(settings.batch_size, self._images)
        self.examples = self._allocate()
        # A recorded step has a fixed number of images: the last one of an epoch may be a second
        # step.
        sizes = {min(self.examples, self._images), self._images % self.examples or self.examples}
        steps = {size: self._prepare(size) for size in sizes}
        self._steps = {size: self._record(step) for size, step in steps.items()}
        self._at_once = 1, HISTORY_STEPS
        # An epoch may be shorter than a recording.
        recorded = min(device.steps_per_recording, self._images // self.examples)
        # A step of several batches is long.
        if self._several_steps is None and recorded > 1 and settings.group == 1:
            self._at_once = recorded, recorded
            several = self._record(self._several(recorded))
            self._several_steps = lambda count: several()
        # `_prepare` ran each step once, which changed the parameters.
        for array, host in zip([self.parameters, *self.state], before, strict=True):
            device.write(array, host)

    def run(self, position: int, steps: int, look: bool = False) -> int:
        """Do up to `steps` steps from image `position` of the epoch, not beyond its end; the new
        position. `look`: so that `seen` can tell of the last one.
        """
        least, most = self._at_once
        while steps and position < self._images:
            count = min(steps, (self._images - position) // self.examples, most)
            if self._several_steps is not None and count >= least and not look:
                self._several_steps(count)
                position += count * self.examples
                steps -= count
            else:
                size = min(self.examples, self._images - position)
                self._steps[size]()
                position += size
                steps -= 1
        return position

    def set_position(self, position: int, steps: int) -> None:
        """Continue at image `position` of the epoch, with `steps` steps done since the start of the
        run.
        """
        self._device.write(self.counters, np.array([position, steps], np.int32))

    def seen(
        self, position: int, size: int, before: Checkpoint, after: Checkpoint
    ) -> SeenStep | None:
        """What the last step, of `size` images from `position` of the epoch, has left on the
        device.

        `before`, `after`: the states around it. None where no single batch has all of it.
        """
        batch = self._full_batch
        if self._sgd is not None:
            batch.first(size).updated_gradient()
        download = self._device.download
        # Outputs and errors, four bytes each.
        bytes_of_image = 8 * sum(map(prod, self._network.shapes))
        # One image at the least, however large the network is.
        count = min(size, max(1, SEEN_BYTES // bytes_of_image))
        # The device has the gradient of the batch's mean loss; times the size it is that of one
        # image.
        errors = [
            None if array is None else download(array[:count]) * np.float32(size)
            for array in batch.grad_zs
        ]
        return SeenStep(
            before,
            after,
            float(download(self.rate)[0]),
            download(self.order)[position : position + count],
            download(batch.inputs_seen[:count]),
            download(self._batch_targets[:count]),
            tuple(download(array[:count]) for array in batch.outputs),
            tuple(errors),
            download(self._gradient),
        )

    def close(self) -> None:
        """Stop the threads that the step started, and release the recorded steps.

        They refer to this object; without the reference cycle its arrays are freed at once, in the
        thread that owns the device, and not by the garbage collector in any thread.
        """
        self._steps.clear()
        self._several_steps = None

    def _allocate(self) -> int:
        """Allocate what the step needs; returns the number of examples of a full step."""
        settings = self._settings
        plain = settings.optimizer == "sgd" and not settings.l1
        layers = zip(self._network.layers, self._network.parameters, strict=True)
        updates = all(layer.op_class.has_update for layer, count in layers if count)
        if plain and updates and self._device.fuses_updates:
            self._sgd = self.rate, settings.l2
        self._gradient = self._device.empty((self._network.parameter_count,))
        self._batch_targets = self._empty_targets(self.batch)
        self._full_batch = self._forward_backward(self._device, self._gradient)
        self._several_steps = self._steps_of_hidden_layer()
        return self.batch

    def _steps_of_hidden_layer(self) -> Callable[[int], None] | None:
        """Several steps in one launch, where the device has that for the network and settings."""
        settings = self._settings
        layers = self._network.layers
        if (
            len(layers) != 2
            or not all(layer.is_plain for layer in layers)
            or not self._loss.joins_layer
            or self._sgd is None
            or settings.l2
            or any(settings.augmentation)
        ):
            return None
        return self._device.hidden_layer_steps(
            self.batch,
            settings.activation,
            *(self._inputs, self._targets, self.order, self.rate),
            *(
                array
                for own in views(self._network, self.parameters)
                if own
                for array in (own.weights, own.biases)
            ),
            *(self.counters, self.history),
        )

    def _prepare(self, size: int) -> Callable[[], None]:
        """The step for `size` examples. It is run once, so that all it needs is compiled when it is
        recorded.
        """
        batch = self._full_batch if size == self.batch else self._full_batch.first(size)
        targets = self._batch_targets[:size]

        def step() -> None:
            self._fetch(self._device, batch, targets, self.order, self.counters)
            self._learn(batch, targets)

        # Each step moves the counters: that of another size may have run before.
        self.set_position(0, 0)
        step()
        return step

    def _several(self, count: int) -> Callable[[], None]:
        """`count` steps. Each batch is fetched while the one before is learned from, so
        they take turns with two arrays of inputs.
        """
        turns = (
            (self._full_batch, self._batch_targets),
            (self._full_batch.beside(), self._empty_targets(self.batch)),
        )
        following = self.order[self.examples :]

        def several() -> None:
            self._fetch(self._device, *turns[0], self.order, self.counters)
            for k in range(count):
                if k < count - 1:
                    self._fetch(self._device, *turns[1 - k % 2], following, self.counters)
                self._learn(*turns[k % 2])

        return several

    def _record(self, step: Callable[[], None]) -> Callable[[], None]:
        """The step in a form that runs again at little cost."""
        return self._device.record(step)

    # -- parts of a step ---------------------------------------------------------------------------

    def _forward_backward(self, device: Device, gradient: Array) -> ForwardBackward:
        settings = self._settings
        return ForwardBackward(
            self._network,
            settings.activation,
            self._loss,
            device,
            self.parameters,
            self.batch,
            gradient=gradient,
            effects=TrainingEffects(settings.seed, settings.augmentation),
        )

    def _empty_targets(self, batch: int) -> Array:
        return self._device.empty((batch, *self._targets.shape[1:]), self._targets.dtype)

    def _fetch(
        self,
        device: Device,
        batch: ForwardBackward,
        targets: Array,
        order: Array,
        counters: Array,
    ) -> None:
        """Gather the batch that starts at position `counters[0]` of `order`."""
        device.gather(self._inputs, order, counters, batch.inputs)
        device.gather(self._targets, order, counters, targets)

    def _learn(self, batch: ForwardBackward, targets: Array) -> None:
        """Learn from a batch that has been fetched, and count it."""
        batch.learn(targets, self.metrics, self.counters, self._sgd)
        if self._sgd is None:
            self._update(self._gradient)
        self._device.advance(self.counters, batch.batch, self.metrics, self.history)

    def _update(self, gradient: Array) -> None:
        """Let the optimizer change the trained parameters by `gradient`, (parameters,).

        Running statistics r follow those of the batches, s, by r -= STATISTICS_RATE · (r - s): a
        step of SGD, whose gradient, the difference, the layers have written. So a group of batches
        counts by its mean difference.
        """
        if self._settings.l1:
            self._device.add_l1_gradient(
                self.parameters, gradient, self._settings.l1, self._network.weight_count
            )
        # The running statistics come after the trained parameters.
        trained = slice(0, self._network.trained_count)
        arrays = UpdateArrays(
            self.parameters[trained],
            gradient[trained],
            [array[trained] for array in self.state],
            self.rate,
            self.counters,
            self._network.weight_count,
        )
        self._optimizer.update(self._device, self._update_settings, arrays)
        if trained.stop < self._network.parameter_count:
            statistics = slice(trained.stop, self._network.parameter_count)
            self._device.sgd(
                self.parameters[statistics], gradient[statistics], self._statistics_rate, 0.0, 0
            )
