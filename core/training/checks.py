"""Checks of a run that do not need its data, and advice for a run that has learnt nothing."""

import numpy as np

from core.data.dataset import Kind, Split
from core.errors import InputError
from core.network.layers import Shape
from core.network.losses import find_loss
from core.network.network import Network
from core.network.notation import NotationError, parse
from core.training.run import Run

DIVERGED = "The loss is no longer a finite number: lower the learning rate, or choose other initial weights."
_LOSS_GREW = "The loss grew, and the network has learnt nothing: lower the learning rate."
_NOTHING_LEARNT = (
    "The network has learnt nothing yet: a constant answer would be as good. Train longer, or change the learning "
    "rate, the activation or the initial weights."
)


def check_run(run: Run, input_shape: Shape, outputs: int, kind: Kind) -> Network:
    """The network of `run` for data with inputs of `input_shape` and this number of `outputs`.

    Raises InputError, with the name of the setting, where such data cannot be trained on.
    """
    network = parse(run.network, input_shape, outputs)
    check_output(run.network, network, run.activation, run.loss, kind)
    changes = [name for name, amount in run.augmentation._asdict().items() if amount]
    if changes and len(input_shape) != 3:
        raise InputError(
            "{setting} changes images, but these data are points: set it to 0.", setting=changes[0]
        )
    return network


def check_output(text: str, network: Network, activation: str, loss: str, kind: Kind) -> None:
    """Raise NotationError where the loss does not allow the last layer's activation; `text` is the network's."""
    try:
        network.activations(activation, find_loss(loss, kind))
    except InputError as error:
        written = "".join(text.split())
        start = max(written.rfind(network.layers[-1].text.split(":")[0].removesuffix("N")), 0)
        raise NotationError(error.template, start, len(written), **error.values) from None


def advice_for(test: Split, kind: Kind, loss_name: str, loss: float, score: float) -> str:
    """What to change, for a run that ended with this loss and score on the split `test`; empty if it has learnt.

    A run has learnt nothing if its score is not above that of the best constant answer: the share of the most
    frequent class, or R² = 0.
    """
    baseline = 0.0 if kind == "regression" else float(np.bincount(test.answers).max()) / len(test)
    if score > baseline:
        return ""
    return (
        _LOSS_GREW if loss > 2 * find_loss(loss_name, kind).constant_loss(test.answers) else _NOTHING_LEARNT
    )
