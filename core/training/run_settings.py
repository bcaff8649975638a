"""The settings of one training run, each declared once: command line, form and checks are derived
from them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from math import cos, isfinite, pi
from operator import attrgetter
from types import NoneType
from typing import Any, Literal, get_args

from core.errors import InputError
from core.network.losses import LOSS_LABELS
from core.text import parse_integer, parse_number
from core.training.optimizers import OPTIMIZERS
from core.training.records import format_rate_changes, parse_rate_changes
from kernels.activations import ACTIVATIONS
from kernels.augmentation import AugmentationParams

SettingKind = Literal["choice", "integer", "number", "text", "flag"]
MAX_COUNT = 100_000_000
# Of settings that declare no others.
_LIMITS: dict[str, dict[str, float]] = {
    "integer": {"minimum": 1, "maximum": MAX_COUNT},
    "number": {"minimum": 0},
}
_KINDS: dict[type, SettingKind] = {bool: "flag", int: "integer", float: "number", str: "text"}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a run.

    `choices` maps each allowed value to its title. `minimum` and `maximum` are inclusive, unless
    `exclusive` says that the value must be greater than `minimum`. An `optional` setting may be
    None.
    """

    name: str
    kind: SettingKind
    default: Any
    label: str
    help: str
    choices: Mapping[str, str] = field(default_factory=dict)
    minimum: float | None = None
    maximum: float | None = None
    exclusive: bool = False
    optional: bool = False
    unit: str = ""

    def check(self, value: object) -> Any:
        """`value` converted to this setting's type; raises InputError if it is not allowed."""
        if value is None and self.optional:
            return None
        if self.kind == "flag":
            return bool(value)
        if self.kind in ("integer", "number"):
            return self._check_number(value)
        text = str(value)
        if self.kind == "choice" and text not in self.choices:
            raise self._error(
                "{setting} {value}: unknown; choose one of {choices}.",
                text,
                choices=[*self.choices],
            )
        return text

    def _check_number(self, value: object) -> int | float:
        text = str(value).strip()
        wanted, parse = (int, parse_integer) if self.kind == "integer" else (float, parse_number)
        try:
            # Not isinstance: True is an int for Python.
            number = value if type(value) is wanted else parse(text)
            if not isfinite(number):
                raise OverflowError
        except ValueError:
            raise self._not_a_number(text) from None
        except OverflowError:
            raise self._error("{setting} {value}: must be a finite number.", text) from None
        too_low = self.minimum is not None and (
            number < self.minimum or (self.exclusive and number == self.minimum)
        )
        if too_low or (self.maximum is not None and number > self.maximum):
            raise self._error("{setting} {value}: must be {limits}.", text, limits=self.limits)
        return number

    def _not_a_number(self, text: str) -> InputError:
        if self.kind == "integer":
            return self._error("{setting} {value}: must be a whole number.", text or "(empty)")
        if text.count(",") == 1 and text.replace(",", "").lstrip("+-").isdigit():
            template = "{setting} {value}: write the decimal point as a point: {better}."
            return self._error(template, text, better=text.replace(",", "."))
        return self._error("{setting} {value}: must be a number.", text or "(empty)")

    def _error(self, template: str, value: str, **values: object) -> InputError:
        return InputError(template, setting=self.name, value=value, **values)

    @property
    def limits(self) -> str:
        """The limits as text: `at least 1 and at most 14`."""
        texts = []
        if self.minimum is not None:
            texts.append(f"{'more than' if self.exclusive else 'at least'} {self.minimum:g}")
        if self.maximum is not None:
            texts.append(f"at most {self.maximum:,.10g}")
        return " and ".join(texts)


def setting(default: object, label: str, help: str, **more: object) -> Any:
    """A dataclass field that declares a setting: name and kind come from the field's name and type.

    `more`: the `choices`, limits and `unit` of the `Setting`, as far as it has them. Without limits
    a whole number is 1 to MAX_COUNT, another number at least 0.
    """
    return field(default=default, metadata={"label": label, "help": help, **more})


def setting_of(declared: Any) -> Setting:
    """The setting that a dataclass field made by `setting` declares."""
    types = get_args(declared.type) or (declared.type,)
    kind: SettingKind = "choice" if "choices" in declared.metadata else _KINDS[types[0]]
    values = {**_LIMITS.get(kind, {}), **declared.metadata}
    return Setting(declared.name, kind, declared.default, optional=NoneType in types, **values)


# The validation share where patience needs one and none was chosen.
DEFAULT_VALIDATION = 0.1
_SPAN = re.compile(r"(\d{1,8}) *: *(\d{1,8})", re.ASCII)


def schedule_spans(text: str) -> tuple[tuple[int, int], ...]:
    """(begin, epochs) of each schedule in the setting `schedule_epochs`, ascending. Raises
    InputError.
    """
    spans: dict[int, int] = {}
    for part in filter(str.strip, text.split(",")):
        match = _SPAN.fullmatch(part.strip())
        if match is None or not int(match[2]):
            raise InputError(
                "{setting} {part}: write the epochs before the schedule, a colon and how many "
                "epochs it takes, such as 10:20.",
                setting="schedule_epochs",
                part=part.strip(),
            )
        spans[int(match[1])] = int(match[2])
    return tuple(sorted(spans.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """Immutable and checked: settings that exist can be trained, given data that its network fits.

    Raises InputError for a value that is not allowed, with the name of the setting.

    Each field is a setting, with its default. The options of the command line
    (`core.commands.plan`) and the fields of the form (`gui.settings.panel`) are made from
    `SETTINGS`, so a new setting is a new field here.

    >>> RunSettings(optimizer="adam", learning_rate="0.001").learning_rate
    0.001
    >>> RunSettings(learning_rate=0)
    Traceback (most recent call last):
    core.errors.InputError: ... 0: must be more than 0.
    """

    network: str = setting(
        "784-128-10",
        "Network",
        "The layers in short form: 784-128-10 is 784 inputs, one hidden layer of 128 units, 10 "
        "outputs.",
    )
    activation: str = setting(
        "relu",
        "Activation",
        "The nonlinear function of the hidden units: without one, any number of layers computes "
        "only a linear function.",
        choices={name: activation.label for name, activation in ACTIVATIONS.items()},
    )
    loss: str = setting(
        "cross-entropy",
        "Loss",
        "What training minimizes: cross-entropy punishes confident mistakes most, squared error "
        "all alike.",
        choices=LOSS_LABELS,
    )
    optimizer: str = setting(
        "sgd",
        "Optimizer",
        "How a gradient becomes a step: " + "; ".join(o.help for o in OPTIMIZERS.values()) + ".",
        choices={name: optimizer.label for name, optimizer in OPTIMIZERS.items()},
    )
    momentum: float = setting(
        0.9, "Momentum", "The part of the last step that is kept in the next one.", maximum=0.9999
    )
    nesterov: bool = setting(
        False, "Nesterov", "Take the gradient where the momentum leads, before correcting it."
    )
    learning_rate: float = setting(
        0.1,
        "Learning rate",
        "The length of a step: too small learns slowly, too large makes the loss jump or explode.",
        exclusive=True,
    )
    schedule: str = setting(
        "constant",
        "Schedule",
        "How the learning rate falls from epoch to epoch.",
        choices={
            "constant": "constant",
            "exponential": "exponential",
            "step": "step",
            "cosine": "cosine",
        },
    )
    decay: float = setting(
        0.1,
        "Final share of rate",
        "Exponential and cosine schedule: the learning rate at the end, divided by that at the "
        "start. Step schedule: the factor at each step.",
        maximum=1,
        exclusive=True,
    )
    decay_epochs: int = setting(
        5, "Epochs per step", "Step schedule: the number of epochs between two steps of the rate."
    )
    schedule_epochs: str = setting(
        "",
        "Schedule begins",
        "The epochs after which the schedule begins and how many epochs it takes, such as 0:10, "
        "10:20; after them the rate stays. Empty: once, over all epochs. It is set when a run is "
        "continued.",
    )
    rate_changes: str = setting(
        "",
        "Rate changes",
        "Learning rates from given steps on, such as 300:0.01, 600:schedule. A rate that is typed "
        "during a run is added here when the run is repeated.",
    )
    batch_size: int = setting(
        100,
        "Batch size",
        "How many images one step learns from: small batches step often, large ones compute "
        "faster.",
    )
    epochs: int = setting(10, "Epochs", "How often training goes through all images.")
    initialization: str = setting(
        "he",
        "Initial weights",
        "The distribution of the random weights at the start: it decides whether signals keep "
        "their size from layer to layer.",
        choices={
            "he": "He",
            "glorot": "Glorot",
            "uniform": "uniform",
            "normal": "normal",
            "normal-weights": "normal, biases 0",
        },
    )
    l2: float = setting(
        0.0,
        "L2 regularization",
        "Pulls weights towards zero, so that the network relies on many pixels rather than on a "
        "few.",
    )
    l1: float = setting(
        0.0,
        "L1 regularization",
        "Pulls all weights towards zero by the same amount, so that those that are of little use "
        "stay near zero.",
    )
    target_accuracy: float | None = setting(
        None,
        "Target accuracy",
        "Stop once the test accuracy (or R²) reaches this value, 0.95 for 95 %.",
        maximum=1,
        exclusive=True,
    )
    target_error: float | None = setting(
        None,
        "Target error",
        "Stop once the training loss of an epoch falls to this value.",
        exclusive=True,
    )
    validation: float = setting(
        0.0,
        "Validation share",
        "The share of the training images kept aside to find the best epoch and to decide when to "
        "stop; patience needs it and sets it to 0.1.",
        maximum=0.5,
    )
    patience: int | None = setting(
        None,
        "Patience",
        "Stop after this many epochs without a better validation loss, and keep the best epoch.",
    )
    group: int = setting(
        1,
        "Batches per update",
        "How many batches are averaged for one update; workers divide them among them.",
        maximum=65_536,
    )
    workers: int = setting(
        1,
        "Workers",
        "How many threads compute the batches of one update at once, one core each.",
        maximum=1024,
    )
    shift: float = setting(
        0.0,
        "Shift",
        "Moves each image by up to this many pixels, differently each time.",
        maximum=14,
        unit="pixels",
    )
    rotation: float = setting(
        0.0,
        "Rotation",
        "Turns each image by up to this many degrees, differently each time.",
        maximum=180,
        unit="degrees",
    )
    scale: float = setting(
        0.0,
        "Scale",
        "Stretches each image by up to this share along each axis, 0.1 for 10 %.",
        maximum=0.9,
        unit="of size",
    )
    shear: float = setting(
        0.0,
        "Shear",
        "Leans each image by up to this many pixels per pixel, like the slant of handwriting.",
        maximum=1,
        unit="pixels/pixel",
    )
    elastic: float = setting(
        0.0,
        "Elastic",
        "Distorts each image smoothly by about this many pixels (Simard et al. 2003).",
        maximum=5,
        unit="pixels",
    )
    thickness: float = setting(
        0.0,
        "Stroke thickness",
        "Thickens or thins strokes by up to this share of the difference to a pixel's neighbors.",
        maximum=1,
        unit="of contrast",
    )
    seed: int = setting(
        0,
        "Seed",
        "The seed of all random numbers: the same seed repeats the run exactly.",
        minimum=0,
        maximum=2**31 - 1,
    )

    def __post_init__(self) -> None:
        for descriptor in SETTINGS:
            # The class is frozen; only here may checked values replace those that were given.
            object.__setattr__(
                self, descriptor.name, descriptor.check(getattr(self, descriptor.name))
            )
        if self.patience is not None and not self.validation:
            object.__setattr__(self, "validation", DEFAULT_VALIDATION)
        # In one spelling, so that equal settings compare equal.
        changes = format_rate_changes(parse_rate_changes(self.rate_changes))
        object.__setattr__(self, "rate_changes", changes)
        spans = ", ".join(
            f"{start}:{epochs}" for start, epochs in schedule_spans(self.schedule_epochs)
        )
        object.__setattr__(self, "schedule_epochs", spans)
        if self.workers > self.group:
            raise InputError(
                "{setting} {workers}: the workers divide the batches of one update among them; "
                "set {setting:group} to {workers} or a multiple of it.",
                setting="workers",
                workers=self.workers,
            )

    def rate_of(self, epoch: int) -> float:
        """The learning rate of the epoch with index `epoch`, from 0, by the schedule.

        Constant: rate. Exponential: rate · decay^(epoch / epochs). Step: rate · decay^(epoch //
        decay_epochs). Cosine: rate · (decay + (1 - decay) · (1 + cos(π · epoch / epochs)) / 2)
        (Loshchilov, Hutter 2017).

        With `schedule_epochs`, epochs count from the start of the latest schedule, which takes as
        many as it says.
        """
        start = 0
        epochs = self.epochs
        for span in schedule_spans(self.schedule_epochs):
            start, epochs = span if span[0] <= epoch else (start, epochs)
        epoch -= start
        progress = min(epoch / epochs, 1.0)
        factor = 1.0
        if self.schedule == "exponential":
            factor = self.decay**progress
        elif self.schedule == "step":
            factor = self.decay ** (epoch // self.decay_epochs)
        elif self.schedule == "cosine":
            factor = self.decay + (1 - self.decay) * (1 + cos(pi * progress)) / 2
        return self.learning_rate * factor

    @property
    def augmentation(self) -> AugmentationParams:
        """The greatest random change of each training image; all zeros: images are not changed."""
        return AugmentationParams(*(getattr(self, name) for name in AugmentationParams._fields))

    def change(self, **values: Any) -> "RunSettings":
        """A copy with some values replaced, checked again."""
        return replace(self, **values)

    def changed(self) -> dict[str, Any]:
        """The values by name of the settings that differ from their defaults."""
        return {s.name: value for s in SETTINGS if (value := getattr(self, s.name)) != s.default}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "RunSettings":
        """The run that `as_dict` returned; raises InputError for settings that this version does
        not know.
        """
        unknown = values.keys() - BY_NAME.keys()
        if unknown:
            raise InputError(
                "It was saved with settings that this version does not know ({names}): update the "
                "program.",
                names=", ".join(sorted(map(str, unknown))),
            )
        return cls(**values)

    def as_dict(self) -> dict[str, Any]:
        """All settings by name, as a model file and a run folder store them."""
        # Dataclasses.asdict takes twelve times as long.
        return dict(zip(BY_NAME, _VALUES(self), strict=True))


SETTINGS: tuple[Setting, ...] = tuple(setting_of(field) for field in fields(RunSettings))
BY_NAME: dict[str, Setting] = {descriptor.name: descriptor for descriptor in SETTINGS}
_VALUES = attrgetter(*BY_NAME)


def without_effect(optimizer: str, schedule: str) -> set[str]:
    """The settings that have no effect with this optimizer and this schedule."""
    names = {name for other in OPTIMIZERS.values() for name in other.settings}
    if optimizer in OPTIMIZERS:
        names -= {*OPTIMIZERS[optimizer].settings}
    if schedule == "constant":
        names |= {"decay", "schedule_epochs"}
    if schedule != "step":
        names.add("decay_epochs")
    return names
