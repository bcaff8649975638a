"""The settings of a run: one tuple of descriptors, from which command line, window and checks are derived."""

from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from core.errors import InputError
from kernels.activations import NAMES as ACTIVATIONS

SettingKind = Literal["choice", "integer", "number", "text", "flag"]


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing a user sets. `least` and `most` are inclusive unless `above` says that `least` is not."""

    name: str
    kind: SettingKind
    default: Any
    label: str
    help: str
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    above: bool = False
    optional: bool = False

    @property
    def option(self) -> str:
        """The command line's word for it."""
        return "--" + self.name.replace("_", "-")

    def check(self, value: Any) -> Any:
        """`value` in this setting's type, or an InputError. Texts are converted; None passes where optional."""
        if value is None and self.optional:
            return None
        if self.kind == "flag":
            return bool(value)
        if self.kind in ("integer", "number"):
            return self._number(value)
        text = str(value)
        if self.kind == "choice" and text not in self.choices:
            raise InputError(
                "{option} {value}: unknown; choose one of {choices}.",
                option=self.option, value=text, choices=", ".join(self.choices),
            )  # fmt: skip
        return text

    def _number(self, value: Any) -> int | float:
        text = str(value).strip()
        whole = self.kind == "integer"
        try:
            number = int(text) if whole else float(text)
            finite = isfinite(number)
        except ValueError:
            raise self._no_number(text, whole) from None
        except OverflowError:
            finite = False
        if not finite:
            raise InputError("{option} {value}: must be a finite number.", option=self.option, value=text)
        low = self.least is not None and (number <= self.least if self.above else number < self.least)
        if low or (self.most is not None and number > self.most):
            raise InputError(
                "{option} {value}: must be {limits}.", option=self.option, value=text, limits=self.limits
            )
        return number

    def _no_number(self, text: str, whole: bool) -> InputError:
        if not whole and text.count(",") == 1 and text.replace(",", "").lstrip("+-").isdigit():
            return InputError(
                "{option} {value}: write the decimal point as a point: {better}.",
                option=self.option, value=text, better=text.replace(",", "."),
            )  # fmt: skip
        return InputError(
            "{option} {value}: must be {what}.",
            option=self.option, value=text or "(empty)", what="a whole number" if whole else "a number",
        )  # fmt: skip

    @property
    def limits(self) -> str:
        """The limits in words, for a refusal and a tooltip."""
        words = []
        if self.least is not None:
            words.append(f"more than {self.least:g}" if self.above else f"at least {self.least:g}")
        if self.most is not None:
            words.append(f"at most {self.most:,.10g}")
        return " and ".join(words)


SETTINGS: tuple[Setting, ...] = (
    Setting("network", "text", "784-128-10", "Network",
            "The layers in short form: 784-128-10 is 784 inputs, one hidden layer of 128 units, 10 outputs."),
    Setting("activation", "choice", "relu", "Activation",
            "The bend in every hidden unit: without it any number of layers is only one straight line.",
            choices=ACTIVATIONS),
    Setting("loss", "choice", "cross-entropy", "Loss",
            "What training makes small: cross-entropy punishes confident mistakes, squared error all alike.",
            choices=("cross-entropy", "squared-error")),
    Setting("optimizer", "choice", "sgd", "Optimiser",
            "How a gradient becomes a step: SGD follows it, momentum keeps its pace, Adam scales each "
            "parameter's step.", choices=("sgd", "momentum", "adam")),
    Setting("momentum", "number", 0.9, "Momentum",
            "How much of the last step is kept in the next one.", least=0, most=0.9999),
    Setting("nesterov", "flag", False, "Nesterov",
            "Look ahead along the momentum before correcting it."),
    Setting("learning_rate", "number", 0.1, "Learning rate",
            "The length of a step: too small learns slowly, too large makes the loss jump or explode.",
            least=0, above=True),
    Setting("schedule", "choice", "constant", "Schedule",
            "How the learning rate falls from epoch to epoch.",
            choices=("constant", "exponential", "step", "cosine")),
    Setting("decay", "number", 0.1, "Decay",
            "Exponential and cosine: the rate at the end as a share of the first. Step: the factor at each step.",
            least=0, most=1, above=True),
    Setting("decay_epochs", "integer", 5, "Epochs a step",
            "Step schedule: after how many epochs the rate is multiplied by the decay.", least=1),
    Setting("batch_size", "integer", 100, "Batch size",
            "How many images one step learns from: small batches step often, large ones compute faster.",
            least=1),
    Setting("epochs", "integer", 10, "Epochs",
            "How often training goes through all images.", least=1),
    Setting("initialization", "choice", "he", "First weights",
            "The spread of the random weights at the start: it decides whether signals survive the layers.",
            choices=("he", "glorot", "uniform", "normal", "normal-weights")),
    Setting("l2", "number", 0.0, "L2",
            "Pulls weights towards zero, so that the network leans on many pixels rather than a few.",
            least=0),
    Setting("target_accuracy", "number", None, "Target accuracy",
            "Stop once the test accuracy (or R²) reaches this share, 0.95 for 95 %.",
            least=0, most=1, above=True, optional=True),
    Setting("target_error", "number", None, "Target error",
            "Stop once the training loss of an epoch falls to this.", least=0, above=True, optional=True),
    Setting("validation", "number", 0.0, "Validation share",
            "The share of the training images kept aside to decide when to stop.", least=0, most=0.5),
    Setting("patience", "integer", None, "Patience",
            "Stop after so many epochs without a better validation loss, and keep the best epoch.",
            least=1, optional=True),
    Setting("group", "integer", 1, "Group",
            "How many batches are averaged for one update; workers share them out.", least=1, most=65_536),
    Setting("workers", "integer", 1, "Workers",
            "How many threads compute the batches of a group at once, one core each.", least=1),
    Setting("shift", "number", 0.0, "Shift",
            "Moves each image by up to so many pixels, differently each time: place no longer matters.",
            least=0, most=14),
    Setting("rotation", "number", 0.0, "Rotation",
            "Turns each image by up to so many degrees, differently each time.", least=0, most=180),
    Setting("scale", "number", 0.0, "Scale",
            "Stretches each image by up to this share along each axis, 0.1 for 10 %.", least=0, most=0.9),
    Setting("shear", "number", 0.0, "Shear",
            "Leans each image by up to so many pixels a pixel, like handwriting's slant.", least=0, most=1),
    Setting("elastic", "number", 0.0, "Elastic",
            "Bends each image smoothly by about so many pixels, as a hand trembles (Simard 2003).",
            least=0, most=5),
    Setting("thickness", "number", 0.0, "Stroke thickness",
            "Thickens or thins strokes by up to this share of a pixel's neighbours.", least=0, most=1),
    Setting("seed", "integer", 0, "Seed",
            "The number that all chance comes from: the same seed repeats the run exactly.",
            least=0, most=2**31 - 1),
)  # fmt: skip

BY_NAME: dict[str, Setting] = {setting.name: setting for setting in SETTINGS}
