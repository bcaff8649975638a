"""What all runs of a new study have in common."""

from dataclasses import dataclass

from core.training.run_settings import RunSettings


@dataclass(frozen=True, slots=True)
class Base:
    """The settings, the data set and the device that the window shows."""

    settings: RunSettings
    data: str
    device: str
