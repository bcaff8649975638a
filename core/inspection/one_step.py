"""One training step, asked: what the batch was answered, who is to blame, what one weight did.

All numbers are those that the training computed, see `core.training.records.SeenStep`. What the
step did to the answers is computed by an engine with the parameters before and after it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.inference.engine import Engine
from core.inference.model_file import Model
from core.inspection.stage_content import StageContent, gradient_links
from core.network.losses import find_loss
from core.network.parameters import views
from core.training.optimizers import OPTIMIZERS
from core.training.optimizers.optimizer import UpdateTerm, WeightUpdate
from core.training.records import SeenStep
from kernels import noise


@dataclass(frozen=True, slots=True)
class LayerPull:
    """How hard the weights of a layer are pulled: the root mean square of their gradient."""

    layer: int
    size: float


@dataclass(frozen=True, slots=True)
class WeightChange:
    """What a step did to one weight: after = before - rate · terms.

    `pulls`: float32 (n,), the gradient by it of each image's own loss; the mean of the batch and
    what L1 and L2 add is `gradient`.
    """

    layer: int
    weight: tuple[int, ...]
    before: float
    after: float
    rate: float
    gradient: float
    terms: tuple[UpdateTerm, ...]
    pulls: np.ndarray


@dataclass(frozen=True, slots=True)
class BatchAnswers:
    """The answers to n images or points: `answers`, float32 (n, outputs), probabilities or values.

    `losses`: float32 (n,). `right`: bool (n,), whether the label was answered; None for regression.
    """

    answers: np.ndarray
    losses: np.ndarray
    right: np.ndarray | None

    def of_label(self, targets: np.ndarray) -> np.ndarray:
        """float32 (n,): the probability of each label."""
        return self.answers[np.arange(len(targets)), targets]


class OneStep:
    """A step of a run. model: any model of the run; its parameters are not used."""

    def __init__(self, seen: SeenStep, model: Model) -> None:
        self.seen = seen
        self.before = replace(model, parameters=seen.before.parameters)
        self.after = replace(model, parameters=seen.after.parameters)
        self._loss = find_loss(model.loss, model.kind)
        self._settings = model.settings()
        self._gradients = views(model.network, seen.gradient)

    def training_answers(self) -> BatchAnswers:
        """What the training itself was answered, with dropout and the batch's statistics."""
        y = self.seen.outputs[-1]
        answers = np.empty_like(y)
        self._loss.predictions(y, answers)
        return self._scored(answers, self._loss.of_each(y, self.seen.targets))

    def answers(self, engine: Engine, model: Model) -> BatchAnswers:
        """What `model`, `before` or `after`, answers to the images of the step. What the training
        was answered, where the layers compute the same in training.
        """
        layers = model.network.layers
        if model is self.before and not any(layer.differs_in_training for layer in layers):
            return self.training_answers()
        engine.use(model)
        y = np.concatenate([engine.outputs(x[None])[-1] for x in self.seen.inputs])
        return self._scored(engine.probabilities(y), self._loss.of_each(y, self.seen.targets))

    def _scored(self, answers: np.ndarray, losses: np.ndarray) -> BatchAnswers:
        right = None
        if self.before.kind == "classes":
            right = answers.argmax(axis=1) == self.seen.targets
        return BatchAnswers(answers, losses, right)

    def most_mended(self, before: BatchAnswers, after: BatchAnswers) -> int:
        """The image that the step mends most: of those read wrong, with the largest gain of its
        label; of points, with the largest fall of the loss.
        """
        if before.right is None or before.right.all():
            return int((before.losses - after.losses).argmax())
        targets = self.seen.targets
        gain = after.of_label(targets) - before.of_label(targets)
        return int(np.where(before.right, -np.inf, gain).argmax())

    def with_dropped(self, content: StageContent, image: int) -> StageContent:
        """`content`, of the forward pass for the image, with the units that dropout left out."""
        columns = list(content.columns)
        network = self.before.network
        source = 0
        for position, column in enumerate(content.columns):
            shape = network.shapes[column.layer + 1]
            if not column.thin:
                source = position
            elif len(shape) == 1:
                key = noise.stream(self._settings.seed, self.seen.before.step, column.layer)
                dropped = network.layers[column.layer].dropped(shape[0], key, image * shape[0])
                places = (at for at, unit in enumerate(columns[source].shown) if unit in dropped)
                columns[source] = replace(columns[source], dropped=tuple(places))
        return replace(content, columns=tuple(columns))

    def blame(self, content: StageContent, image: int) -> StageContent:
        """`content`, of the forward pass for the image, with errors in place of outputs.

        The pictures are the gradients of the image's own loss, the connections the mean gradient of
        the weights.
        """
        columns = []
        for column in content.columns:
            errors = self.seen.errors[column.layer]
            shown = list(column.shown)
            if column.thin:
                columns.append(column)
                continue
            pictures = np.zeros((len(shown), 1, 1), np.float32)
            if errors is not None:
                height, width = errors.shape[1:3] if errors.ndim == 4 else (1, 1)
                maps = errors[image].reshape(height, width, -1)[..., shown]
                pictures = np.moveaxis(maps, -1, 0)
            columns.append(replace(column, pictures=pictures, values=None))
        errors = self.seen.errors[-1]
        assert errors is not None
        model = replace(self.before, parameters=self.seen.gradient)
        return replace(
            content,
            columns=tuple(columns),
            links=gradient_links(model, content.chosen),
            answers=errors[image],
        )

    def pull_on(self, layer: int) -> tuple[int, np.ndarray]:
        """The unit or map of a layer that is pulled hardest, and the gradient of its weights.

        float32 (..., channels): of a dense layer in the shape of its input.
        """
        each = self._gradients[layer]
        assert each is not None
        size = np.abs(each.weights).reshape(-1, each.weights.shape[-1]).max(axis=0)
        unit = int(size.argmax())
        own = each.weights[..., unit]
        return unit, own if own.ndim > 1 else own.reshape(self.before.network.shapes[layer])

    def layer_pulls(self) -> tuple[LayerPull, ...]:
        """For each layer with weights, from the first on."""
        return tuple(
            LayerPull(layer, float(np.sqrt((each.weights.astype(np.float64) ** 2).mean())))
            for layer, each in enumerate(self._gradients)
            if each is not None
        )

    def strongest_weight(
        self, layer: int, unit: int | None = None, sources: Sequence[int] = ()
    ) -> tuple[int, ...]:
        """The index of the weight of a layer, or of one unit of it, that the step changed most.

        sources: the channels, or the numbers, of the layer's input from which it comes; all by
        default.
        """
        change = views(self.before.network, self.after.parameters - self.before.parameters)[layer]
        assert change is not None
        size = np.abs(change.weights)
        if unit is not None:
            others = np.arange(size.shape[-1]) != unit
            # Below every magnitude: the weights of other units are not chosen.
            size[..., others] = -1
        if sources:
            channels = self.before.network.shapes[layer][-1]
            others = np.isin(np.arange(channels), sources, invert=True)
            size.reshape(-1, channels, size.shape[-1])[:, others] = -1
        return tuple(int(k) for k in np.unravel_index(int(size.argmax()), size.shape))

    def change_of(self, layer: int, weight: tuple[int, ...]) -> WeightChange:
        """What the step did to a weight of a layer with weighted sums."""
        seen = self.seen
        network = self.before.network

        def value(parameters: np.ndarray) -> float:
            found = views(network, parameters)[layer]
            assert found is not None
            return float(found.weights[weight])

        before = value(seen.before.parameters)
        gradient = value(seen.gradient) + self._settings.l2 * before
        kept, states = (
            tuple(value(state) for state in each.optimizer_state)
            for each in (seen.before, seen.after)
        )
        optimizer = OPTIMIZERS[self._settings.optimizer]
        values = {name: getattr(self._settings, name) for name in optimizer.settings}
        update = WeightUpdate(gradient, kept, states, seen.after.step)
        x = seen.inputs if layer == 0 else seen.outputs[layer - 1]
        errors = seen.errors[layer]
        assert errors is not None
        return WeightChange(
            layer,
            weight,
            before,
            value(seen.after.parameters),
            seen.learning_rate,
            gradient,
            optimizer.terms(values, update),
            network.layers[layer].pulls(x, errors, weight),
        )
