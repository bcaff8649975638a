"""A schedule is how the learning rate falls from epoch to epoch."""

from math import cos, pi

from core.training.run import Run


def learning_rate(run: Run, epoch: int) -> float:
    """The rate of the epoch with this index, from 0.

    Exponential: rate · decay^(epoch/epochs). Step: rate · decay^(epoch // decay_epochs). Cosine: half a cosine
    from the rate down to rate · decay (Loshchilov, Hutter 2017, without restarts).
    """
    share = epoch / run.epochs
    if run.schedule == "exponential":
        return run.learning_rate * run.decay**share
    if run.schedule == "step":
        return run.learning_rate * run.decay ** (epoch // run.decay_epochs)
    if run.schedule == "cosine":
        return run.learning_rate * (run.decay + (1 - run.decay) * (1 + cos(pi * share)) / 2)
    return run.learning_rate
