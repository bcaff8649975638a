"""StudySpec: the description of a study, as a TOML file gives it.

name = "hidden units"        # optional: the file's name
preset = "dense"             # optional: settings to start from
data = "builtin"             # optional: the preset's
device = "auto"

[settings]                   # of all runs
epochs = 5

[vary]
network = ["784-256-10", "784-512-10"]
learning_rate = { from = 0.001, to = 0.1, log = true, count = 3 }
hidden_units = [32, 128]     # of each hidden dense layer of the network
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import InputError
from core.files.input_file import read_input
from core.files.toml_text import TomlTable, parse_toml, toml_lines
from core.network.notation import with_hidden_units
from core.runs.plan import RunPlan
from core.training.presets import Preset, find_preset
from core.training.run_settings import BY_NAME, DEFAULT_VALIDATION, RunSettings, Setting

Value = str | int | float | bool
Values = tuple[Value, ...]
# No setting of its own, but the units of each hidden dense layer of the network.
HIDDEN_UNITS = Setting(
    "hidden_units",
    "integer",
    128,
    "Hidden units",
    "The number of units of each hidden dense layer of the network.",
    minimum=1,
    maximum=100_000,
)
VARIED = {**BY_NAME, HIDDEN_UNITS.name: HIDDEN_UNITS}
"""What a study can vary beside `data`, by name."""
MAX_VALUES = 1000
MAX_LIMIT = 1e15
_RANGE_KEYS = {"from", "to", "log", "count"}


def parse_variation(name: str, given: object) -> Values:
    """The values of the setting `name` (or of `data`), as a TOML file gives them.

    A list; or a table with `from`, `to` and `count`, which is so many evenly spaced values, or with
    `log = true` values at equal factors. Raises InputError for anything else.
    """
    if isinstance(given, list) and 1 <= len(given) <= MAX_VALUES:
        return _checked(name, given)
    if isinstance(given, dict) and {"from", "to"} <= given.keys() <= _RANGE_KEYS:
        return _parse_range(name, given)
    raise InputError(
        "vary.{name}: give a list of 1 to {most} values, or a range such as {{ from = 0.001, to = "
        "0.1, log = true, count = 3 }}.",
        name=name,
        most=MAX_VALUES,
    )


def _parse_range(name: str, given: TomlTable) -> Values:
    kind = VARIED[name].kind if name in VARIED else "text"
    low = given["from"]
    high = given["to"]
    count = given.get("count")
    logarithmic = given.get("log", False)
    numbers = all(
        type(number) in (int, float) and abs(number) <= MAX_LIMIT for number in (low, high)
    )
    if kind not in ("integer", "number") or not numbers or type(logarithmic) is not bool:
        template = (
            "vary.{name}: a range needs a setting that is a number, and limits of at most {most:g}."
        )
        raise InputError(template, name=name, most=MAX_LIMIT)
    if not low < high or (logarithmic and low <= 0):
        raise InputError(
            "vary.{name}: from {low} to {high} is no range: `from` must be less than `to`, and "
            "more than 0 with `log`.",
            name=name,
            low=low,
            high=high,
        )
    whole = kind == "integer"
    # Before the values between are computed: a limit may be none that the setting allows.
    _checked(name, [low, high])
    if type(count) is not int or not 2 <= count <= MAX_VALUES:
        raise InputError("vary.{name}: count must be 2 to {most}.", name=name, most=MAX_VALUES)
    values = (np.geomspace if logarithmic else np.linspace)(low, high, count).tolist()
    # Six digits: the names of runs and the axes show the values.
    rounded = [round(value) if whole else float(f"{value:.6g}") for value in values]
    # Whole numbers of a narrow range may be equal after rounding.
    return _checked(name, list(dict.fromkeys(rounded)))


def _checked(name: str, values: list[Any]) -> Values:
    """The values as the setting converts them. Raises InputError for one that it does not allow."""
    if name == "data":
        return tuple(str(value) for value in values)
    setting = VARIED[name]
    checked = [setting.check(value) for value in values]
    if None in checked:
        raise InputError(
            "vary.{name}: leave the setting out instead of giving no value.", name=name
        )
    # Twice the same value would be the same run twice.
    return tuple(dict.fromkeys(checked))


MAX_BYTES = 100_000
MAX_RUNS = 10_000
_KEYS = {
    "name": str,
    "preset": str,
    "data": str,
    "device": str,
    "settings": dict,
    "vary": dict,
    # Of earlier versions, which could also choose runs at random.
    "sampler": str,
    "runs": int,
    "prune": bool,
    "seed": int,
}
_NAME = re.compile(r"\w[\w .()+-]{0,59}")


@dataclass(frozen=True, slots=True)
class StudySpec:
    """`plan`: of all runs. `vary`: the settings that differ; `data` is one of them if data sets
    differ.

    `preset`: the settings that the file does not give come from it. `own_network`: the file gives
    networks; otherwise the preset's is fitted to the data. `text`: the file's contents.
    """

    name: str
    plan: RunPlan
    vary: dict[str, Values]
    preset: Preset | None
    own_network: bool
    text: str

    def plan_of(self, values: Mapping[str, Value]) -> RunPlan:
        """The plan of the run with these values. Raises InputError if they do not go together."""
        return plan_with(self.plan, values)

    @property
    def runs(self) -> int:
        return prod(len(values) for values in self.vary.values())

    def combinations(self) -> list[dict[str, Value]]:
        """All combinations of the values, the last setting changing fastest."""
        return [
            dict(zip(self.vary, values, strict=True)) for values in product(*self.vary.values())
        ]

    def data_names(self) -> list[str]:
        return [str(value) for value in self.vary.get("data", [self.plan.data])]


def plan_with(plan: RunPlan, values: Mapping[str, Value]) -> RunPlan:
    """The plan with these values of settings, of `data` or of the hidden units. Raises
    InputError.
    """
    settings = {name: value for name, value in values.items() if name in BY_NAME}
    if HIDDEN_UNITS.name in values:
        network = str(settings.get("network", plan.settings.network))
        settings["network"] = with_hidden_units(network, int(values[HIDDEN_UNITS.name]))
    return RunPlan(
        plan.settings.change(**settings), str(values.get("data", plan.data)), plan.device
    )


def has_values(plan: RunPlan, values: Mapping[str, Value]) -> bool:
    """Whether the plan has these values already, as `plan_with` takes them."""
    try:
        changed = plan_with(plan, values)
    except InputError:
        return False
    return (changed.settings, changed.data) == (plan.settings, plan.data)


def read_study(path: Path) -> StudySpec:
    """The study that the file describes. Raises InputError where it does not describe one."""
    try:
        text = read_input(path, MAX_BYTES, "a study's TOML file").decode()
    except UnicodeDecodeError:
        raise InputError(
            "{path} is not UTF-8 text: choose a study's TOML file.", path=path
        ) from None
    return parse_study(text, path.stem)


def parse_study(text: str, name: str) -> StudySpec:
    """The study that the TOML text describes; `name`: its name if the text has none. Raises
    InputError.
    """
    values = _parse(text)
    _check_keys(values)
    settings = values.get("settings", {})
    given = values.get("vary", {})
    _check_names(settings, given)
    vary = {name: parse_variation(name, value) for name, value in given.items()}
    preset = find_preset(values["preset"]) if "preset" in values else None
    # Runs are compared by their validation loss, so that there must be one.
    settings.setdefault("validation", DEFAULT_VALIDATION)
    run_settings = preset.settings.change(**settings) if preset else RunSettings(**settings)
    if not run_settings.validation:
        raise InputError(
            "settings.validation: a study compares runs by their validation loss; set it to more "
            "than 0."
        )
    data = values.get("data") or (preset.data if preset else None) or "builtin"
    name = values.get("name", name)
    if not _NAME.fullmatch(name):
        raise InputError(
            "The study's name “{name}” cannot be a file's name: use up to 60 letters, digits, "
            "spaces and -_.()+.",
            name=name[:80],
        )
    spec = StudySpec(
        name=name,
        plan=RunPlan(run_settings, data, values.get("device", "auto")),
        vary=vary,
        preset=preset,
        own_network=preset is None or "network" in settings or "network" in vary,
        text=text,
    )
    # Before the combinations are made, which take memory.
    if spec.runs > MAX_RUNS:
        template = "The grid has {runs:,} runs; at most {most:,} can be made."
        raise InputError(template, runs=spec.runs, most=MAX_RUNS)
    # Values may be good each and not go together: that is found before the first run.
    for combination in spec.combinations():
        spec.plan_of(combination)
    return spec


def _check_keys(values: TomlTable) -> None:
    for key, value in values.items():
        if key not in _KEYS:
            raise InputError(
                "{key}: unknown in a study; choose one of {keys}.", key=key[:50], keys=[*_KEYS]
            )
        if type(value) is not _KEYS[key]:
            kinds = {
                str: "a text in quotes",
                int: "a whole number",
                bool: "true or false",
                dict: "a table",
            }
            raise InputError("{key}: must be {kind}.", key=key, kind=kinds[_KEYS[key]])
    if values.get("sampler", "grid") != "grid":
        raise InputError(
            "sampler: a study trains all combinations of its values; leave the sampler out, and "
            "give each range a `count`."
        )


def _check_names(settings: TomlTable, vary: TomlTable) -> None:
    if not vary:
        raise InputError("The study varies nothing: give [vary] with at least one setting.")
    for table, given, known in (
        ("vary", vary, [*VARIED, "data"]),
        ("settings", settings, [*BY_NAME]),
    ):
        if unknown := next((name for name in given if name not in known), ""):
            template = "{table}.{name}: no such setting; choose one of {names}."
            raise InputError(template, table=table, name=unknown[:50], names=known)
    if name := next((name for name in settings if name in vary), ""):
        raise InputError("{name} is in [settings] and in [vary]: leave it out of one.", name=name)


def same_study(first: str, second: str) -> bool:
    """Whether two texts describe the same study, whatever their layout and comments are. Raises
    InputError.
    """
    # TOML may hold dates, which JSON has not.
    plain = (json.dumps(_parse(text), sort_keys=True, default=str) for text in (first, second))
    return next(plain) == next(plain)


def _parse(text: str) -> TomlTable:
    try:
        if len(text) > MAX_BYTES:  # that of a database
            raise ValueError("it is too long")
        return parse_toml(text)
    except ValueError as error:
        raise InputError(
            "The study is no TOML file ({reason}): correct it.", reason=error
        ) from None


# What to vary, as a TOML file gives it: a list of values, or a range as a table.
Given = Sequence[Value] | Mapping[str, Any]


def study_text(name: str, plan: RunPlan, vary: Mapping[str, Given]) -> str:
    """The TOML text of a study, which `parse_study` reads; nothing is checked.

    `plan`: of all runs; what is in `vary` replaces its values. Settings that have their defaults
    are left out.
    """
    data = None if "data" in vary else plan.data
    head = {"name": name, "data": data, "device": plan.device}
    settings = {name: value for name, value in plan.settings.changed().items() if name not in vary}
    lines = [
        *toml_lines(head),
        "",
        "[settings]",
        *toml_lines(settings),
        "",
        "[vary]",
        *toml_lines(vary),
    ]
    return "\n".join(lines) + "\n"
