"""The names of runs and of their values, as people call them: `SGD 0.5, 784-32-10`, `rate 0.1`."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.data.sources import data_title
from core.errors import InputError
from core.training.records import SCHEDULE, parse_rate_changes
from core.training.run_settings import BY_NAME, RunSettings, without_effect

_STATES = {
    "epochs": "done",
    "target-accuracy": "target reached",
    "target-error": "target reached",
    "patience": "no improvement",
    "pruned": "ended early",
    "fault": "failed",
}


def state_title(state: str, is_training: bool | None = None) -> str:
    """The state of a run, as in `RunInfo`, in words. `is_training`: whether a program trains it
    now; None: unknown.
    """
    if state != "running":
        return _STATES.get(state, state)
    if is_training is None:
        return "training, or interrupted"
    return "training" if is_training else "interrupted"


def plain_value(value: object) -> str:
    """A value as text: `0.00001`, `off`, `yes`."""
    match value:
        case None:
            return "off"
        case bool():
            return "yes" if value else "no"
        case float():
            return _plain_number(value)
        case _:
            return str(value)


def _plain_number(value: float) -> str:
    text = f"{value:.6g}"
    is_small = 1e-9 < abs(value) < 1 and "e" in text  # 0.00001 rather than 1e-05
    return np.format_float_positional(value, 6, fractional=False, trim="-") if is_small else text


def shown_value(name: str, value: object, unit: str = "") -> str:
    """A value of a setting, or of `data` or `device`, as people call it: `SGD`, `Built-in digits`,
    `0.1`, `off`.
    """
    if name == "data" and value is not None:
        return data_title(str(value))
    if name == "state":
        return state_title(str(value))
    text = plain_value(value)
    if name in BY_NAME:
        text = BY_NAME[name].choices.get(str(value), text)
    return f"{text} {unit}" if unit and value is not None else text


# Values that need no label, and labels that are shorter than those of the form.
_SAY_WHAT_THEY_ARE = ("data", "device", "network", "activation", "optimizer", "loss")
_MOST_VALUES = 3  # in a name
_SHORT_LABELS = {
    "learning_rate": "rate",
    "batch_size": "batch",
    "hidden_units": "units",
    "nesterov": "Nesterov",
}


def short_value(name: str, value: object) -> str:
    """A value in the name of a run: `rate 0.1`, `Adam`, `seed 3`; `then 3` for a change of the
    rate.
    """
    if name == "rate_changes":
        return _rates_after(str(value or ""))
    if name in _SAY_WHAT_THEY_ARE:
        return shown_value(name, value)
    default = BY_NAME[name].label.lower() if name in BY_NAME else name.replace("_", " ")
    short = _short(value) if isinstance(value, float) else shown_value(name, value)
    return f"{_SHORT_LABELS.get(name, default)} {short}"


def _short(value: float) -> str:
    """A number with the digits that tell runs apart: 0.004984 of a rate that a study has drawn."""
    return plain_value(float(f"{value:.4g}"))


def short_names(sources: Sequence[Mapping[str, object]]) -> list[str]:
    """For each run the values in which it differs from the others, empty without any.

    Of more than a few values the first are named, and how many others there are, as long as the
    names differ then.

    sources: of each run `data`, `device` and the settings by name, as far as they are to be
    compared.
    """
    every = sources[0] if sources else ()
    names = [name for name in every if len({source.get(name) for source in sources}) > 1]
    long = [_differences(source, names) for source in sources]
    short = [_shortened(values) for values in long]
    ambiguous = {name for name in short if short.count(name) > 1}
    return [
        ", ".join(values) if name in ambiguous else name
        for values, name in zip(long, short, strict=True)
    ]


def _differences(source: Mapping[str, object], names: Sequence[str]) -> list[str]:
    """The values of a run that have a name, without those that have no effect in it."""
    unused = without_effect(str(source.get("optimizer")), str(source.get("schedule", "")))
    # It follows from how a run was continued.
    unused.add("schedule_epochs")
    texts = (short_value(name, source.get(name)) for name in names if name not in unused)
    return [text for text in texts if text]


def _shortened(values: Sequence[str]) -> str:
    more = len(values) - _MOST_VALUES
    return ", ".join(values if more < 2 else [*values[:_MOST_VALUES], f"{more} more"])


def run_name(settings: RunSettings, network: str = "") -> str:
    """The name of a run that the user gave none: `SGD 0.5, seed 2, 784-32-10`.

    It follows from the run alone, so it is the same everywhere and stays when other runs are
    deleted. network: its complete text, where the settings have a shorter one.
    """
    default = RunSettings()
    special = (
        name for name in ("batch_size", "seed") if getattr(settings, name) != getattr(default, name)
    )
    optimizer = BY_NAME["optimizer"].choices[settings.optimizer]
    parts = [f"{optimizer} {_short(settings.learning_rate)}", _rates_after(settings.rate_changes)]
    parts += [short_value(name, getattr(settings, name)) for name in special]
    return ", ".join(filter(None, (*parts, network or settings.network)))


def _rates_after(changes: str) -> str:
    """The rates that replaced that of the settings while the run trained: `then 3`."""
    try:
        rates = [change.learning_rate for change in parse_rate_changes(changes)]
    except InputError:  # of a file
        return ""
    texts = [f"then {SCHEDULE if rate is None else _short(rate)}" for rate in rates]
    return ", ".join(texts if len(texts) < 3 else [texts[0], "…", texts[-1]])


def numbered(names: Sequence[str]) -> list[str]:
    """The names, with a number behind each of those that are equal: `SGD 0.1 (1)`, `SGD 0.1
    (2)`.
    """
    counted: dict[str, int] = {}
    result = []
    for name in names:
        counted[name] = counted.get(name, 0) + 1
        result.append(f"{name} ({counted[name]})" if names.count(name) > 1 else name)
    return result
