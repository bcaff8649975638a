"""Words: the core's English texts in the language of the window."""

import re

from PySide6.QtCore import QCoreApplication, QLocale

from core.refusal import Refusal
from core.settings import BY_NAME, Setting


def sentence(refusal: Refusal, **instead: object) -> str:
    """The refusal's one sentence, translated; `instead` replaces values.

    The command line's options become the labels that stand in the window.
    """
    template = QCoreApplication.translate("Refusal", refusal.template)
    text = template.format(**{**refusal.values, **instead})
    return re.sub(r"--([a-z][a-z0-9-]*)", _option_label, text)


def _option_label(option: re.Match[str]) -> str:
    setting = BY_NAME.get(option[1].replace("-", "_"))
    return label(setting) if setting else option[0]


def label(setting: Setting) -> str:
    return QCoreApplication.translate("Setting", setting.label)


def help_text(setting: Setting) -> str:
    return QCoreApplication.translate("Setting", setting.help)


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


def percent(share: float) -> str:
    return QLocale().toString(100 * share, "f", 2) + " %"


def clock(seconds: float) -> str:
    """`0:07` and `1:02:03`."""
    minutes, rest = divmod(max(round(seconds), 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
