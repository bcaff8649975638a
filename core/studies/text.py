"""Writes the TOML text of a study, which `parse_study` reads."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.studies.space import Value
from core.training.run_settings import SETTINGS, RunSettings

# What to vary, as a TOML file gives it: a list of values, or a range as a table.
Given = Sequence[Value] | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StudyDraft:
    """A study that has not been checked. `run`: the settings of all runs; those in `vary` replace its values."""

    name: str
    settings: RunSettings
    data: str
    device: str
    sampler: str
    runs: int
    prune: bool
    seed: int
    vary: Mapping[str, Given] = field(default_factory=dict)

    def text(self) -> str:
        """The TOML text. Settings that have their defaults are left out."""
        lines = [f"{name} = {_format(getattr(self, name))}" for name in ("name", "data", "device", "sampler")]
        if "data" in self.vary:
            lines = [line for line in lines if not line.startswith("data =")]
        if self.sampler != "grid":
            lines.append(f"runs = {self.runs}")
        lines += [f"prune = {_format(self.prune)}", f"seed = {self.seed}", "", "[settings]"]
        for setting in SETTINGS:
            value = getattr(self.settings, setting.name)
            if value not in (None, setting.default) and setting.name not in self.vary:
                lines.append(f"{setting.name} = {_format(value)}")
        lines += ["", "[vary]", *(f"{name} = {_format(given)}" for name, given in self.vary.items())]
        return "\n".join(lines) + "\n"


def _format(value: Value | Given) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        # The text of a JSON string is one of TOML, but for one control character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_format(part)}" for key, part in value.items()) + " }"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_format, value)) + "]"
    return repr(value)
