"""Translated texts of the core, and numbers written in the language of the window."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QCoreApplication, QLocale

from core.data import sources
from core.errors import InputError
from core.inspection.health import Finding
from core.studies.spec import VARIED
from core.text import Sentence, format_probability
from core.training.run_settings import Setting
from kernels.device_spec import DeviceSpec
from kernels.registry import device_spec

_UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
MINUS = "\N{MINUS SIGN}"
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LONGEST_NUMBER = 1e5  # in a column of times, where there is a longer unit


def sentence(error: InputError, **replacements: object) -> str:
    """The translated sentence of an error, with settings named by their labels; `replacements` are
    other values.
    """
    template = QCoreApplication.translate(
        "InputError", error.template, None, _number_in(error.values)
    )
    values = {name: _written(value) for name, value in {**error.values, **replacements}.items()}
    return error.format(lambda name: label(VARIED[name]), template, **values)


def sentence_text(part: Sentence) -> str:
    """The translated sentence."""
    template = QCoreApplication.translate("Sentence", part.template, None, _number_in(part.values))
    return template.format(**{name: _written(value) for name, value in part.values.items()})


def _number_in(values: Mapping[str, object]) -> int:
    """The number that the form of the words follows, or -1."""
    match values.get("count"):
        case int(value):
            return value
    return -1


def _written(value: object) -> object:
    """A number as the window's language writes it, a sentence translated; other values
    unchanged.
    """
    match value:
        case InputError():
            return sentence(value)
        case Sentence():
            return sentence_text(value)
        case bool():
            return value
        case int():
            return count(value)
        case float():
            return number(value)
    return value


def finding_fact(finding: Finding) -> str:
    """What is wrong in a network, as a part of a sentence."""
    return QCoreApplication.translate("Finding", finding.fact).format(**finding.values)


def finding_text(finding: Finding) -> str:
    """What is wrong in a network, and what to do about it."""
    fact = finding_fact(finding)
    advice = QCoreApplication.translate("Finding", finding.advice).format(**finding.values)
    return f"{fact[:1].upper()}{fact[1:]}. {advice}"


def translator(context: str) -> Callable[..., str]:
    """A function that translates a text of `context`, in the form for its number `n` if it has
    one.
    """

    def translate(text: str, n: int = -1) -> str:
        return QCoreApplication.translate(context, text, None, n)

    return translate


def label(setting: Setting) -> str:
    return QCoreApplication.translate("Setting", setting.label)


def help_text(setting: Setting) -> str:
    return QCoreApplication.translate("Setting", setting.help)


def choice_title(setting: Setting, choice: str) -> str:
    """A choice as it is shown: `ReLU` for `relu`."""
    return QCoreApplication.translate("Setting", setting.choices[choice])


def data_title(name_or_path: str) -> str:
    """What people call a data set, see `core.data.sources.data_title`."""
    return " + ".join(
        translated_title(part) for part in sources.data_title(name_or_path).split(" + ")
    )


def translated_title(title: str) -> str:
    """The title of a data set; those of the program's own are translated."""
    is_own = title in (source.title for source in sources.SOURCES)
    return QCoreApplication.translate("Data", title) if is_own else title


def device_title(name: str) -> str:
    """What people call a device; a further card with its index: `NVIDIA graphics card 1`."""
    title = QCoreApplication.translate("Device", device_spec(name).title)
    return " ".join([title, *name.split(":")[1:]])


def device_description(spec: DeviceSpec) -> str:
    return QCoreApplication.translate("Device", spec.description)


def localized(text: str) -> str:
    """A number as Python writes it, as a person does in the window's language: `−1,234.5`,
    `2.5·10⁻⁷`.

    All numbers on the screen pass through here: with a true minus sign, separated thousands, powers
    of ten.
    """
    mantissa, _, power = text.partition("e")
    whole, point, decimals = mantissa.lstrip("-").partition(".")
    if not whole.isdecimal():  # a superscript is a digit
        return text.replace("-", MINUS).replace("inf", "∞")
    locale = QLocale()
    digits = f"{int(whole):,}".replace(",", locale.groupSeparator())
    digits += locale.decimalPoint() + decimals if point else ""
    is_zero = not (whole + decimals).strip("0")
    if power:
        digits += f"·10{str(int(power)).translate(SUPERSCRIPT)}"
    return MINUS + digits if mantissa.startswith("-") and not is_zero else digits


def number(value: float, digits: int = 4) -> str:
    """`value` with this many significant digits, without trailing zeros."""
    return localized(_digits(value, digits))


def editable(value: float) -> str:
    """`value` as it is typed into a field: all its digits, nothing that cannot be typed."""
    return _digits(value, 10).replace(".", QLocale().decimalPoint())


def _digits(value: float, digits: int) -> str:
    """`value` with this many significant digits; a power of ten only for very small and large
    numbers.
    """
    text = f"{value:.{digits}g}"
    if "e" in text and 1e-6 < abs(value) < 1e9:
        # Not `value`: of 108.079 with two digits 110 is shown, not all the digits it has.
        text = f"{float(text):.10f}".rstrip("0").rstrip(".")
    return text


def fixed(value: float, decimals: int) -> str:
    """`value` with this many decimals."""
    return localized(f"{value:.{decimals}f}")


def with_sign(value: float, digits: int = 0) -> str:
    """`value` with its sign: with this many significant digits, or with two decimals."""
    text = number(value, digits) if digits else fixed(value, 2)
    return f"+{text}" if value > 0 else text


def count(value: float) -> str:
    """A whole number with separators between thousands."""
    return localized(f"{value:.0f}")


def about(value: int) -> str:
    """A whole number for a narrow column: exact below 10,000, then three digits and k, M or G."""
    if value < 10_000:
        return count(value)
    for unit, size in (("k", 1e3), ("M", 1e6), ("G", 1e9)):
        if value < 999.5 * size or unit == "G":
            break
    return f"{number(value / size, 3)} {unit}"


def duration(seconds: float) -> str:
    """Three digits and a unit: `1.48 µs`, `249 µs`, `12.3 s`."""
    return in_unit(seconds, unit_of(seconds))


def unit_of(seconds: float) -> tuple[str, float]:
    """The unit of time in which `seconds` is a number from 1 to 1,000, and the length of the unit
    in seconds.
    """
    return next(
        (unit for unit in _UNITS if abs(seconds) >= 0.9995 * unit[1]), _UNITS[-1 if seconds else 0]
    )


def common_unit(times: Sequence[float]) -> tuple[str, float]:
    """The unit for a column of `times` in seconds: that of the shortest, or a longer one if a
    number is too long.
    """
    positive = [time for time in times if time > 0] or [0.0]
    unit = unit_of(min(positive))
    while unit != _UNITS[0] and max(positive) >= _LONGEST_NUMBER * unit[1]:
        unit = next(longer for longer in reversed(_UNITS) if longer[1] > unit[1])
    return unit


def in_unit(seconds: float, unit: tuple[str, float]) -> str:
    """Three digits of `seconds` in a unit as `unit_of` returns it."""
    name, length = unit
    value = seconds / length
    return f"{number(value, 3) if abs(value) < 999.5 else count(value)} {name}"


def percent(fraction: float, decimals: int = 2) -> str:
    """`98.12 %` for 0.9812."""
    return with_percent(fixed(100 * fraction, decimals))


def with_percent(number_text: str) -> str:
    """A number with the percent sign where the language has it."""
    return QCoreApplication.translate("Number", "{number} %").format(number=number_text)


def unbroken(text: str) -> str:
    """The text without line breaks before percent signs."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def probability(value: float, decimals: int = 1) -> str:
    """In percent, never 100: `> 99.9 %` for 0.99997, see `core.text.format_probability`."""
    return with_percent(short_probability(value, decimals))


def short_probability(value: float, decimals: int = 1) -> str:
    """In percent without the sign, for bars and boxes."""
    *limit, shown = format_probability(value, decimals).removesuffix("%").split()
    return " ".join((*limit, localized(shown)))


def clock(seconds: float) -> str:
    """Minutes and seconds, with hours where needed: `0:07`, `1:02:03`."""
    minutes, seconds = divmod(max(round(seconds), 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def seconds_left(seconds: float, fraction: float) -> float | None:
    """Remaining seconds of a task that took `seconds` for this fraction; None if nothing is done
    yet.
    """
    return seconds / fraction * (1 - fraction) if fraction > 0 else None
