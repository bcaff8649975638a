"""Checks of a run: network, names, batches, memory; and advice for a run that has learned
nothing.
"""

from math import prod

import numpy as np

from core.data.class_names import is_class_name, is_name
from core.data.dataset import Dataset, Kind, Split
from core.errors import InputError
from core.files.memory import installed_memory
from core.network.layers import Shape
from core.network.losses import find_loss
from core.network.network import Network, activation_bytes, inference_batch, sums_bytes
from core.network.notation import NotationError, parse
from core.text import format_bytes
from core.training.data_parallel import worker_count
from core.training.optimizers import OPTIMIZERS
from core.training.run_settings import RunSettings
from kernels.device import Device
from kernels.errors import DeviceError

DIVERGED = (
    "The loss is no longer a finite number: lower the learning rate, or choose other initial "
    "weights."
)
_LOSS_GREW = "The loss grew, and the network has learned nothing: lower the learning rate."
_NOTHING_LEARNED = (
    "The network has learned nothing yet: a constant answer would be about as good. Train longer, "
    "or change the learning rate, the activation or the initial weights."
)

_LEARNED = 0.1

# Roughly what the driver, the kernels' code and partial sums take beside the arrays.
_RESERVE = 64 << 20

# A card computes thousands of images in about the time of hundreds, and each batch costs it some 15
# launches.
_CARD_BATCH = 2500

_MIN_EVALUATION_BATCH = 16


def check_run(settings: RunSettings, input_shape: Shape, outputs: int, kind: Kind) -> Network:
    """The network of `settings` for data with inputs of `input_shape` and this number of `outputs`.

    Raises InputError, with the name of the setting, where such data cannot be trained on.
    """
    network = parse(settings.network, input_shape, outputs)
    check_settings(settings, network, kind)
    return network


def check_settings(settings: RunSettings, network: Network, kind: Kind) -> None:
    """Raise InputError, with the name of the setting, where `network`, that of `settings`, cannot
    be trained.
    """
    check_output(settings.network, network, settings.activation, settings.loss, kind)
    changes = [name for name, amount in settings.augmentation._asdict().items() if amount]
    if changes and len(network.shapes[0]) != 3:
        raise InputError(
            "{setting} changes images, but these data are points: set it to 0.", setting=changes[0]
        )
    # A batch of one is wrong for all data; other sizes are checked when their number is known.
    if settings.batch_size == 1:
        check_batches(settings, network, 1)
    if settings.group > 1:
        # Each batch of a group has a gradient of its own, whatever the data are.
        check_host_memory(settings, network, 1)


def check_batches(settings: RunSettings, network: Network, images: int) -> None:
    """Raise InputError where batch normalization would get a batch with a single number for each
    channel.

    Their variance is 0, so that all examples would look alike. `images`: to learn from; the last
    batch of an epoch has what is left of them.
    """
    batch = min(settings.batch_size, images)
    left = images % batch or batch
    for layer, shape in zip(network.layers, network.shapes, strict=False):
        if layer.has_statistics and left * prod(shape[:-1]) < 2:
            if left == settings.batch_size or batch == 1:
                raise InputError(
                    "{setting} {batch}: {layer} needs at least two images in a batch, since it "
                    "compares them; use larger batches.",
                    setting="batch_size",
                    batch=batch,
                    layer=layer.text,
                )
            other = next((size for size in range(batch - 1, 1, -1) if images % size != 1), images)
            raise InputError(
                "{setting} {batch}: the last batch of an epoch of {images:,} images has a single "
                "one, and {layer} needs two, since it compares them; choose another size, such as "
                "{other}.",
                setting="batch_size",
                batch=batch,
                images=images,
                layer=layer.text,
                other=other,
            )


def check_names(dataset: Dataset) -> None:
    """Raise InputError unless a model file can hold the data set's names."""
    bad = [name for name in dataset.classes if not is_class_name(name)]
    if dataset.name and not is_name(dataset.name):
        bad.insert(0, dataset.name)
    if bad:
        shown = bad[0].encode(errors="backslashreplace").decode()
        raise InputError(
            "The name “{name}” of the data or of a class is empty, not UTF-8 text, longer than "
            "255 characters, or has line breaks or control characters, which a model file cannot "
            "hold: rename the file or folder.",
            name=shown,
        )


def check_output(text: str, network: Network, activation: str, loss: str, kind: Kind) -> None:
    """Raise NotationError where the loss does not allow the last layer's activation; `text` is the
    network's.
    """
    try:
        network.activations(activation, find_loss(loss, kind))
    except InputError as error:
        # A NotationError counts characters without spaces.
        written = "".join(text.split())
        start = max(written.rfind(network.layers[-1].text.split(":")[0].removesuffix("N")), 0)
        raise NotationError(error.template, start, len(written), **error.values) from None


def has_learned(score: float, test: Split, kind: Kind) -> bool:
    """Whether a score on the split `test` is clearly above that of the best constant answer.

    That answer has the share of the most frequent class, or R² = 0. A network that has learned is
    better by _LEARNED of what is missing there to 1.

    >>> labels = Split(np.zeros((4, 1), np.float32), np.array([0, 0, 1, 1], np.int32))
    >>> has_learned(0.5, labels, "classes"), has_learned(0.75, labels, "classes")
    (False, True)
    """
    baseline = 0.0 if kind == "regression" else float(np.bincount(test.targets).max()) / len(test)
    # Of a test split with a single class, no answer can be better.
    return score == 1 or score > baseline + _LEARNED * (1 - baseline)


def advice_for(test: Split, kind: Kind, loss_name: str, loss: float, score: float) -> str:
    """What to change, for a run that ended with this loss and score on the split `test`; empty if
    it has learned.
    """
    if has_learned(score, test, kind):
        return ""
    has_grown = loss > 2 * find_loss(loss_name, kind).constant_loss(test.targets)
    return _LOSS_GREW if has_grown else _NOTHING_LEARNED


def training_bytes(settings: RunSettings, network: Network, images: int) -> int:
    """Bytes that training on `images` images takes, without the data.

    These are the parameters, gradients and optimizer state, and for each worker the input and all
    outputs of a batch with their gradients, and the sums that some activations keep.
    """
    # Parameters and gradient, the optimizer's arrays, and the gradient of each batch of a group.
    copies = (
        2
        + OPTIMIZERS[settings.optimizer].state_arrays
        + (settings.group if settings.group > 1 else 0)
    )
    batch = min(settings.batch_size, images)
    example = 2 * activation_bytes(network) + sums_bytes(network, settings.activation)
    return 4 * copies * network.parameter_count + worker_count(settings) * example * batch


def check_host_memory(settings: RunSettings, network: Network, images: int) -> None:
    """Raise InputError where training on `images` images takes more than half of this machine's
    memory.
    """
    need = training_bytes(settings, network, images)
    available = installed_memory()
    if need > available // 2:
        by_group = settings.group > 1 and 4 * settings.group * network.parameter_count > need // 2
        setting, value = (
            ("group", settings.group) if by_group else ("batch_size", settings.batch_size)
        )
        raise InputError(
            "{setting} {value}: training would need {need}, more than half of this machine's "
            "{have} of memory. Use a smaller batch, fewer batches per update or a smaller network.",
            setting=setting,
            value=value,
            need=format_bytes(need),
            have=format_bytes(available),
        )


def check_memory(settings: RunSettings, network: Network, dataset: Dataset, device: Device) -> int:
    """Check that the run fits into the device's memory; returns how many images to evaluate at
    once.

    On a card these are _CARD_BATCH, or fewer where its memory holds no more. Where the training
    itself does not fit, raises DeviceError for a card, with the bytes needed and free, and
    InputError for a device that computes in the machine's own memory.
    """
    memory = device.memory_info()
    if memory is None:
        check_host_memory(settings, network, len(dataset.train))
        return inference_batch(network)
    free = memory[0]
    batch = _CARD_BATCH
    splits = (dataset.train, dataset.test)
    # With the order of each split, int32.
    data = sum(split.inputs.nbytes + split.targets.nbytes + 4 * len(split) for split in splits)
    training = _RESERVE + data + training_bytes(settings, network, len(dataset.train))
    # A second batch of inputs, as they are and augmented.
    training += 8 * prod(network.input_shape) * settings.batch_size
    # The test set and the images kept for validation are evaluated with arrays of their own.
    evaluation = activation_bytes(network) * (2 if settings.validation else 1)
    while batch > _MIN_EVALUATION_BATCH and training + evaluation * batch > free:
        batch //= 2
    need = training + evaluation * batch
    if need > free:
        raise DeviceError(
            "memory",
            f"This run needs about {format_bytes(need)} on the graphics card, and "
            f"{format_bytes(free)} are free: "
            "use a smaller batch or network, or the CPU.",
        )
    return batch
