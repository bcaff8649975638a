"""RunPlan: what to train, on what data, and on which device."""

from dataclasses import dataclass

from core.training.run_settings import RunSettings


@dataclass(frozen=True, slots=True)
class RunPlan:
    """`data`: a name or a path; `device`: a name, or `auto`."""

    settings: RunSettings
    data: str
    device: str
