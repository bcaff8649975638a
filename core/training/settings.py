"""Descriptions of settings, from which the command line, the form and the checks are derived."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from types import NoneType
from typing import Any, Literal, get_args

from core.errors import InputError
from core.text import parse_integer, parse_number

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

    `choices` maps each allowed value to its title. `minimum` and `maximum` are inclusive, unless `exclusive` says
    that the value must be greater than `minimum`. An `optional` setting may be None.
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

    def check(self, value: Any) -> Any:
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
                "{setting} {value}: unknown; choose one of {choices}.", text, choices=[*self.choices]
            )
        return text

    def _check_number(self, value: Any) -> int | float:
        text = str(value).strip()
        wanted, parse = (int, parse_integer) if self.kind == "integer" else (float, parse_number)
        try:
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


def setting(default: Any, label: str, help: str, **more: Any) -> Any:
    """A dataclass field that declares a setting: name and kind come from the field's name and type.

    `more`: the `choices`, limits and `unit` of the `Setting`, as far as it has them. Without limits a whole number is 1
    to MAX_COUNT, another number at least 0.
    """
    return field(default=default, metadata={"label": label, "help": help, **more})


def setting_of(declared: Any) -> Setting:
    """The setting that a dataclass field made by `setting` declares."""
    types = get_args(declared.type) or (declared.type,)
    kind: SettingKind = "choice" if "choices" in declared.metadata else _KINDS[types[0]]
    values = {**_LIMITS.get(kind, {}), **declared.metadata}
    return Setting(declared.name, kind, declared.default, optional=NoneType in types, **values)
