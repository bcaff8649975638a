"""Learning rate schedules: how the rate falls from epoch to epoch."""

from math import cos, pi

from core.training.run_settings import RunSettings


def learning_rate(settings: RunSettings, epoch: int) -> float:
    """The learning rate of the epoch with index `epoch`, from 0. `Trainer` writes it to the device before each epoch.

    Constant: rate. Exponential: rate · decay^(epoch / epochs). Step: rate · decay^(epoch // decay_epochs). Cosine:
    rate · (decay + (1 - decay) · (1 + cos(π · epoch / epochs)) / 2) (Loshchilov, Hutter 2017, without restarts).
    """
    progress = epoch / settings.epochs
    if settings.schedule == "exponential":
        return settings.learning_rate * settings.decay**progress
    if settings.schedule == "step":
        return settings.learning_rate * settings.decay ** (epoch // settings.decay_epochs)
    if settings.schedule == "cosine":
        return settings.learning_rate * (settings.decay + (1 - settings.decay) * (1 + cos(pi * progress)) / 2)
    return settings.learning_rate
