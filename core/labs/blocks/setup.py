"""The block `setup`: what is trained from here on, and what the window shows."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from core.errors import InputError
from core.labs.block_reader import BlockReader, Keys, Setup, Values
from core.labs.blocks.block import Block, LabFinding
from core.labs.trial import LabCheck
from core.runs.plan import RunPlan
from core.training.presets import find_preset
from core.training.run_settings import BY_NAME, SETTINGS

TABS = ("training", "results", "runs", "studies", "devices", "workshop")
_EARLIER = "inside"  # a tab of earlier versions; the band below the picture shows what it had
SETTING_KEYS: Keys = {setting.name: (str, int, float, bool) for setting in SETTINGS}
_OWN_KEYS: Keys = {
    "data": str,
    "preset": str,
    "device": str,
    "controls": list,
    "vary": dict,
    "tab": str,
    "model": str,
}
_MAX_CONSTANTS = 1000


@dataclass(frozen=True, slots=True)
class SetupBlock(Block):
    """What is set from here on. `tab`, `model`: to open."""

    order: ClassVar = 1
    name: ClassVar = "setup"
    is_shown: ClassVar = False
    keys: ClassVar[Keys] = {**_OWN_KEYS, **SETTING_KEYS}

    setup: Setup = field(default_factory=Setup)
    tab: str = ""
    model: str = ""

    @classmethod
    def read(cls, reader: BlockReader, values: Values) -> Self:
        before = reader.setup
        plan = before.plan
        if "preset" in values:
            preset = find_preset(values["preset"])
            plan = RunPlan(preset.settings, preset.data or "builtin")
        settings = reader.changes(
            {name: value for name, value in values.items() if name not in _OWN_KEYS}
        )
        data = values.get("data", plan.data)
        reader.check_data("data", data)
        model = values.get("model", "")
        if model:
            reader.check_file("model", model)
        device = reader.check_device(values.get("device", plan.device), "device")
        controls = [str(name) for name in values.get("controls", ())]
        for name in controls:
            reader.one_of("control", name, [*BY_NAME, "data"])
        reader.setup = Setup(
            replace(plan.change(**settings), data=data, device=device),
            tuple(controls),
            # A later setup keeps what varies, so that a person has one seed in the whole lab.
            _vary(reader, values["vary"]) if "vary" in values else before.vary,
        )
        tab = ""
        if "tab" in values:
            given = "training" if values["tab"] == _EARLIER else values["tab"]
            tab = reader.one_of("tab", given, TABS)
        return cls(reader.line, setup=reader.setup, tab=tab, model=model)

    @property
    def varies(self) -> bool:
        return bool(self.setup.vary)

    def iter_check(self, check: LabCheck) -> Iterator[LabFinding]:
        try:
            check.data.context(self.setup.plan)
        except InputError as error:
            yield LabFinding(f"line {self.line}: {error}", True)


def _vary(reader: BlockReader, given: Values) -> dict[str, tuple[Any, ...]]:
    found: dict[str, tuple[Any, ...]] = {}
    for name, values in given.items():
        reader.one_of("setting", name, BY_NAME)
        # Of other settings not every number is allowed.
        if name == "seed" and values is True:
            found[name] = ()
        elif isinstance(values, list) and 1 <= len(values) <= _MAX_CONSTANTS:
            found[name] = tuple(BY_NAME[name].check(value) for value in values)
        else:
            raise reader.error(
                "vary.{name}: give a list of values; for the seed also “true”.", name=name
            )
    return found
