"""Learning rate schedules: how the rate falls from epoch to epoch."""

from math import cos, pi

from core.training.run_settings import RunSettings


def learning_rate(run: RunSettings, epoch: int) -> float:
    """The learning rate of the epoch with index `epoch`, from 0. `Trainer` writes it to the device before each epoch.

    Constant: rate. Exponential: rate · decay^(epoch / epochs). Step: rate · decay^(epoch // decay_epochs). Cosine:
    rate · (decay + (1 - decay) · (1 + cos(π · epoch / epochs)) / 2) (Loshchilov, Hutter 2017, without restarts).
    """
    progress = epoch / run.epochs
    if run.schedule == "exponential":
        return run.learning_rate * run.decay**progress
    if run.schedule == "step":
        return run.learning_rate * run.decay ** (epoch // run.decay_epochs)
    if run.schedule == "cosine":
        return run.learning_rate * (run.decay + (1 - run.decay) * (1 + cos(pi * progress)) / 2)
    return run.learning_rate
