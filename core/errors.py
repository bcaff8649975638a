"""InputError: bad input, reported in one sentence that says what to do instead."""

from collections.abc import Callable

from core.text import printable

MAX_VALUE_LENGTH = 200


class InputError(Exception):
    """Raised for input that the program cannot use.

    It holds an English template and its values. `gui` translates the template, the command line prints it as it is:
    `InputError("{path} is empty: choose a folder with IDX files.", path=path)`.

    `setting` names the setting whose value is wrong. In a template `{setting}` stands for that setting and
    `{setting:epochs}` for another one; the caller of `format` decides how settings are written, as labels or as
    options. A value that is a list or tuple is joined by commas. No value takes more than MAX_VALUE_LENGTH
    characters, so that a message never repeats a long input.
    """

    def __init__(self, template: str, *, setting: str = "", **values: object) -> None:
        super().__init__(template, setting, values)
        self.template = template
        self.setting = setting
        self.values = values

    def format(self, setting_name: Callable[[str], str], template: str = "", **replacements: object) -> str:
        """The sentence, with settings written by `setting_name`; a translated template and other values if given."""
        values = {name: limited(value) for name, value in {**self.values, **replacements}.items()}
        return (template or self.template).format(setting=_SettingName(self.setting, setting_name), **values)

    def __str__(self) -> str:
        return self.format(lambda name: name.replace("_", " "))


class _SettingName:
    """The value of `setting` in a template; the format specification names another setting."""

    def __init__(self, name: str, setting_name: Callable[[str], str]) -> None:
        self._name, self._setting_name = name, setting_name

    def __format__(self, other: str) -> str:
        return self._setting_name(other or self._name)


def limited(value: object) -> object:
    """`value` unchanged if it is a number; else as text on one line, whose middle is replaced by an ellipsis."""
    if isinstance(value, list | tuple):
        return ", ".join(str(limited(item)) for item in value)
    if isinstance(value, int | float) and abs(value) < 1e100:
        return value
    text = printable(str(value))
    if len(text) <= MAX_VALUE_LENGTH:
        return value if text == str(value) else text
    head = MAX_VALUE_LENGTH * 2 // 3
    return text[:head] + "…" + text[head + 1 - MAX_VALUE_LENGTH :]
