"""Checks of a run that do not need its data, and advice for a run that has learned nothing."""

from math import prod

import numpy as np

from core.data.class_names import is_class_name, is_name
from core.data.dataset import Dataset, Kind, Split
from core.errors import InputError
from core.network.layers import Shape
from core.network.losses import find_loss
from core.network.network import Network
from core.network.notation import NotationError, parse
from core.training.memory import check_host_memory
from core.training.run_settings import RunSettings

DIVERGED = "The loss is no longer a finite number: lower the learning rate, or choose other initial weights."
_LOSS_GREW = "The loss grew, and the network has learned nothing: lower the learning rate."
_NOTHING_LEARNED = (
    "The network has learned nothing yet: a constant answer would be as good. Train longer, or change the learning "
    "rate, the activation or the initial weights."
)


def check_run(settings: RunSettings, input_shape: Shape, outputs: int, kind: Kind) -> Network:
    """The network of `settings` for data with inputs of `input_shape` and this number of `outputs`.

    Raises InputError, with the name of the setting, where such data cannot be trained on.
    """
    network = parse(settings.network, input_shape, outputs)
    check_settings(settings, network, kind)
    return network


def check_settings(settings: RunSettings, network: Network, kind: Kind) -> None:
    """Raise InputError, with the name of the setting, where `network`, that of `settings`, cannot be trained."""
    check_output(settings.network, network, settings.activation, settings.loss, kind)
    changes = [name for name, amount in settings.augmentation._asdict().items() if amount]
    if changes and len(network.shapes[0]) != 3:
        raise InputError(
            "{setting} changes images, but these data are points: set it to 0.", setting=changes[0]
        )
    if settings.batch_size == 1:
        check_batches(settings, network, 1)
    if settings.group > 1:
        # Each batch of a group has a gradient of its own, whatever the data are.
        check_host_memory(settings, network, 1)


def check_batches(settings: RunSettings, network: Network, images: int) -> None:
    """Raise InputError where batch normalization would get a batch with a single number for each channel.

    Their variance is 0, so that all examples would look alike. `images`: to learn from; the last batch of an epoch has
    what is left of them.
    """
    batch = min(settings.batch_size, images)
    left = images % batch or batch
    for layer, shape in zip(network.layers, network.shapes, strict=False):
        if layer.has_statistics and left * prod(shape[:-1]) < 2:
            if left == settings.batch_size or batch == 1:
                raise InputError(
                    "{setting} {batch}: {layer} needs at least two images in a batch, since it compares them; use "
                    "larger batches.", setting="batch_size", batch=batch, layer=layer.text,
                )  # fmt: skip
            other = next((size for size in range(batch - 1, 1, -1) if images % size != 1), images)
            raise InputError(
                "{setting} {batch}: the last batch of an epoch of {images:,} images has a single one, and {layer} "
                "needs two, since it compares them; choose another size, such as {other}.",
                setting="batch_size", batch=batch, images=images, layer=layer.text, other=other,
            )  # fmt: skip


def check_names(dataset: Dataset) -> None:
    """Raise InputError unless a model file can hold the data set's names."""
    bad = [name for name in dataset.classes if not is_class_name(name)]
    if dataset.name and not is_name(dataset.name):
        bad.insert(0, dataset.name)
    if bad:
        shown = bad[0].encode(errors="backslashreplace").decode()
        raise InputError(
            "The name “{name}” of the data or of a class is empty, not UTF-8 text, longer than 255 characters, or has "
            "line breaks or control characters, which a model file cannot hold: rename the file or folder.",
            name=shown,
        )  # fmt: skip


def check_output(text: str, network: Network, activation: str, loss: str, kind: Kind) -> None:
    """Raise NotationError where the loss does not allow the last layer's activation; `text` is the network's."""
    try:
        network.activations(activation, find_loss(loss, kind))
    except InputError as error:
        written = "".join(text.split())
        start = max(written.rfind(network.layers[-1].text.split(":")[0].removesuffix("N")), 0)
        raise NotationError(error.template, start, len(written), **error.values) from None


def advice_for(test: Split, kind: Kind, loss_name: str, loss: float, score: float) -> str:
    """What to change, for a run that ended with this loss and score on the split `test`; empty if it has learned.

    A run has learned nothing if its score is not above that of the best constant answer: the share of the most
    frequent class, or R² = 0.
    """
    baseline = 0.0 if kind == "regression" else float(np.bincount(test.targets).max()) / len(test)
    if score > baseline or score == 1:  # of a test split with a single class, no answer can be better
        return ""
    return (
        _LOSS_GREW if loss > 2 * find_loss(loss_name, kind).constant_loss(test.targets) else _NOTHING_LEARNED
    )
