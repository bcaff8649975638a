"""Words: the core's English texts in the language of the window."""

import re

from PySide6.QtCore import QCoreApplication, QLocale

from core.errors import InputError
from core.training.settings import BY_NAME, Setting
from kernels.device_spec import DeviceSpec


def sentence(error: InputError, **instead: object) -> str:
    """The refusal's one sentence, translated; `instead` replaces values.

    The command line's options become the labels that stand in the window.
    """
    template = QCoreApplication.translate("InputError", error.template)
    text = template.format(**{**error.values, **instead})
    return re.sub(r"--([a-z][a-z0-9-]*)", _option_label, text)


def _option_label(option: re.Match[str]) -> str:
    setting = BY_NAME.get(option[1].replace("-", "_"))
    return label(setting) if setting else option[0]


def label(setting: Setting) -> str:
    return QCoreApplication.translate("Setting", setting.label)


def help_text(setting: Setting) -> str:
    return QCoreApplication.translate("Setting", setting.help)


def device_description(spec: DeviceSpec) -> str:
    return QCoreApplication.translate("Device", spec.description)


def number(value: float, digits: int = 4) -> str:
    """`value` as the person's language writes it, without trailing zeros."""
    text = f"{value:.{digits}g}" if digits else str(value)
    if "e" in text and 1e-6 < abs(value) < 1e9:
        text = f"{value:.10f}".rstrip("0").rstrip(".")
    return text.replace(".", QLocale().decimalPoint())


def count(value: float) -> str:
    """A whole number with the language's separators between thousands."""
    locale = QLocale()
    if locale.language() == QLocale.Language.C:
        return f"{value:,.0f}"
    return locale.toString(round(value))


def about(value: int) -> str:
    """A whole number that fits a narrow column: exact below 10,000, then three figures and k, M or G."""
    if value < 10_000:
        return count(value)
    for unit, size in (("k", 1e3), ("M", 1e6), ("G", 1e9)):
        if value < 999.5 * size or unit == "G":
            break
    return f"{number(value / size, 3)} {unit}"


def duration(seconds: float) -> str:
    """Three figures in the unit that suits them: `1.48 µs`, `249 µs`, `12.3 s`."""
    return in_unit(seconds, unit_of(seconds))


def unit_of(seconds: float) -> tuple[str, float]:
    """The unit of time in which this is a number from 1 to 1,000, and its length in seconds."""
    units = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6))
    return next(
        (unit for unit in units if abs(seconds) >= 0.9995 * unit[1]), ("ns", 1e-9) if seconds else units[0]
    )


def in_unit(seconds: float, unit: tuple[str, float]) -> str:
    name, length = unit
    value = seconds / length
    return f"{number(value, 3) if abs(value) < 999.5 else count(value)} {name}"


def percent(share: float) -> str:
    return QLocale().toString(100 * share, "f", 2) + " %"


def clock(seconds: float) -> str:
    """`0:07` and `1:02:03`."""
    minutes, rest = divmod(max(round(seconds), 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
