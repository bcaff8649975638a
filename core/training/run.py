"""A run is one training from a seed: the validated values of all settings."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from core.errors import InputError
from core.training.settings import BY_NAME
from kernels.augmentation import AugmentationParams


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Frozen and checked: a Run that exists can be trained, given data that its network fits."""

    network: str = "784-128-10"
    activation: str = "relu"
    loss: str = "cross-entropy"
    optimizer: str = "sgd"
    momentum: float = 0.9
    nesterov: bool = False
    learning_rate: float = 0.1
    schedule: str = "constant"
    decay: float = 0.1
    decay_epochs: int = 5
    batch_size: int = 100
    epochs: int = 10
    initialization: str = "he"
    l2: float = 0.0
    target_accuracy: float | None = None
    target_error: float | None = None
    validation: float = 0.0
    patience: int | None = None
    group: int = 1
    workers: int = 1
    shift: float = 0.0
    rotation: float = 0.0
    scale: float = 0.0
    shear: float = 0.0
    elastic: float = 0.0
    thickness: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = BY_NAME[field.name].check(getattr(self, field.name))
            object.__setattr__(self, field.name, value)
        if self.patience is not None and not self.validation:
            raise InputError(
                "--patience {patience} needs images to judge by: give --validation a share such as 0.1.",
                patience=self.patience,
            )
        if self.workers > self.group:
            raise InputError(
                "--workers {workers}: only the batches of a group can be shared out; give --group {workers} "
                "or a multiple of it.",
                workers=self.workers,
            )

    @property
    def augmentation(self) -> AugmentationParams:
        """How much each image is changed each time it is learnt from; all zeros: not at all."""
        return AugmentationParams(
            self.shift, self.rotation, self.scale, self.shear, self.elastic, self.thickness
        )

    def change(self, **values: Any) -> "Run":
        """The same run with some values replaced, checked again."""
        return replace(self, **values)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Run":
        """The run that `as_dict` gave; settings that this version does not know are refused."""
        unknown = values.keys() - BY_NAME.keys()
        if unknown:
            raise InputError(
                "It was saved with settings that this version does not know ({names}): update the program.",
                names=", ".join(sorted(map(str, unknown))),
            )
        return cls(**values)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)
