"""InputError: bad input, reported in one sentence that says what to do instead."""

from collections.abc import Callable, Sequence
from numbers import Real

from core.text import printable

MAX_VALUE_LENGTH = 200
MAX_LIST_LENGTH = 2000
"""Characters of a list, with its commas."""


class InputError(Exception):
    """Raised for input that the program cannot use.

    It holds an English template and its values. `gui` translates the template, the command line
    prints it as it is: `InputError("{path} is empty: choose a folder with IDX files.", path=path)`.

    `setting` names the setting whose value is wrong. In a template `{setting}` stands for that
    setting and `{setting:epochs}` for another one; the caller of `format` decides how settings are
    written, as labels or as options. A value that is a list or tuple is joined by commas. No value
    takes more than MAX_VALUE_LENGTH characters, and no list more than MAX_LIST_LENGTH, so that a
    message never repeats a long input.
    """

    def __init__(self, template: str, *, setting: str = "", **values: object) -> None:
        super().__init__(template, setting, values)
        self.template = template
        self.setting = setting
        self.values = values

    def format(
        self, setting_name: Callable[[str], str], template: str = "", **replacements: object
    ) -> str:
        """The sentence, with settings written by `setting_name`; a translated template and other
        values if given.
        """
        values = {name: limited(value) for name, value in {**self.values, **replacements}.items()}
        return (template or self.template).format(
            setting=_SettingName(self.setting, setting_name), **values
        )

    def __str__(self) -> str:
        return self.format(lambda name: name.replace("_", " "))


class _SettingName:
    """The value of `setting` in a template; the format specification names another setting."""

    def __init__(self, name: str, setting_name: Callable[[str], str]) -> None:
        self._name = name
        self._setting_name = setting_name

    def __format__(self, other: str) -> str:
        return self._setting_name(other or self._name)


def limited(value: object) -> object:
    """`value` unchanged if it is a number of usual size, else as text on one line that is not too
    long.

    The middle of a long text is replaced by an ellipsis, as is the rest of a long list. The text
    ignores a format such as `,`, which only a number of usual size has. Never raises, however deep,
    long or large the value is.
    """
    if isinstance(value, list | tuple):
        return _Text(_joined(value))
    is_usual = isinstance(value, Real) and bool(abs(value) < 1e100)  # type: ignore[operator]
    return value if is_usual else _Text(_shortened(value))


class _Text(str):
    __slots__ = ()

    def __format__(self, specification: str) -> str:
        return str(self)


def _joined(values: Sequence[object]) -> str:
    """The items, separated by commas; after MAX_LIST_LENGTH characters an ellipsis stands for the
    others.
    """
    texts: list[str] = []
    length = 0
    for value in values:
        texts.append(_shortened(value))
        length += len(texts[-1]) + len(", ")
        if length > MAX_LIST_LENGTH:
            texts[-1] = "…"
            break
    return ", ".join(texts)


def _shortened(value: object) -> str:
    try:
        text = printable(str(value))
    except (
        RecursionError,
        ValueError,
    ):  # nested too deeply, or a whole number of thousands of digits
        return "…"
    if len(text) <= MAX_VALUE_LENGTH:
        return text
    head = MAX_VALUE_LENGTH * 2 // 3
    return text[:head] + "…" + text[head + 1 - MAX_VALUE_LENGTH :]
