"""Reads the values of a lab's blocks one after the other: keys, types, names, files; each error
with its line.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from markdown_it.token import Token

from core.data.sources import is_source, no_such_data
from core.errors import MAX_VALUE_LENGTH, InputError
from core.files.toml_text import TomlTable, parse_toml
from core.labs.forms import inside, markdown
from core.runs.plan import RunPlan
from core.training.run_settings import BY_NAME, RunSettings
from kernels.registry import device_names, is_device_name

Values = Mapping[str, Any]
"""The keys of a block with the values that TOML gives them."""
Keys = Mapping[str, type | tuple[type, ...]]
"""The keys that a block knows, with the types that each may have."""
MAX_NESTING = 10  # of lists and quotations, and of emphasis and links in a line
MAX_CHOICE = 300
"""Characters of a choice or a title."""
_NESTING = {
    "bullet_list_open",
    "bullet_list_close",
    "ordered_list_open",
    "ordered_list_close",
    "blockquote_open",
    "blockquote_close",
}
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_MAX_CHOICES = 12
_LARGEST = 1e15  # of all numbers
_TYPE_NAMES: dict[type | tuple[type, ...], str] = {
    str: "a text in quotes",
    int: "a whole number",
    list: "a list in brackets",
    dict: "a table",
    (int, float): "a number",
    (str, int): "a text or a whole number",
    (str, int, float, bool): "a value",
}


@dataclass(frozen=True, slots=True)
class Setup:
    """What is set at a place of a lab. `controls`: names of the settings that the step shows.
    `vary`: values of settings of which each person gets one, by the settings' names; no values: any
    number."""

    plan: RunPlan = field(default_factory=lambda: RunPlan(RunSettings()))
    controls: tuple[str, ...] = ()
    vary: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def plan_of(self, name: str) -> RunPlan:
        """The plan of the person with this name or number: seed and constants follow from it."""
        changes: TomlTable = {}
        for setting, values in self.vary.items():
            # The same person may write the name with capitals, or with accents as characters of
            # their own.
            person = unicodedata.normalize("NFKC", name).strip().casefold()
            # By a digest: Python's `hash` of a text differs from start to start.
            digest = hashlib.sha256(f"{setting}|{person}".encode(errors="replace")).digest()
            number = int.from_bytes(digest[:4], "big")
            changes[setting] = values[number % len(values)] if values else number % 1_000_000
        return self.plan.change(**changes)


class BlockReader:
    """Reads the blocks of a lab one after the other, and checks for the kinds of blocks what stands
    in them.

    Its methods raise InputError with the line. `line`: where the present block begins, from 1.
    `setup`: what is set at this place of the lab.
    """

    def __init__(self, name: str, folder: Path | None) -> None:
        self.line = 1
        self.setup = Setup()
        self.parser = markdown()
        # A picture of any address is found here, and refused.
        self.parser.validateLink = _accept  # type: ignore[method-assign]
        self._name = name
        self._folder = folder
        self._places: dict[str, int] = {}  # the line of each key of the present block
        self._ids: set[str] = set()
        self._counts: Counter[str] = Counter()

    def read_values(self, name: str, keys: Keys, content: str) -> TomlTable:
        """The TOML values of a block, each of a key and a type that it knows."""
        try:
            values = parse_toml(content)
        except ValueError as error:
            reason, _, position = str(error).partition(" (at line ")
            found = re.match(r"\d+", position)
            if found:
                self.line += int(found[0])
            text = (
                "the block “{kind}” cannot be read ({reason}): write “key = value”, texts in "
                "quotes."
            )
            raise self.error(text, kind=name, reason=reason) from None
        lines = content.split("\n")
        begin = self.line
        self._places = {}
        for key, value in values.items():
            # A key may stand in quotes; TOML gives no lines of its keys.
            place = next(
                (i for i, line in enumerate(lines) if re.match(rf"\W*{re.escape(key)}\W", line)), 0
            )
            self.line = begin + 1 + place
            self._places[key] = self.line
            self._check_value(name, keys, key, value)
        self.line = begin
        return values

    def _check_value(self, name: str, keys: Keys, key: str, value: Any) -> None:
        self.one_of(f"key of “{name}”", key, keys)
        # Before the type: a list may hold such a number at any depth.
        if not _is_small(value):
            raise self.error("{key}: must be a number up to {most:.0e}.", key=key, most=_LARGEST)
        wanted = keys[key]
        # By the exact type: `isinstance` takes true and false for whole numbers.
        if type(value) not in (wanted if isinstance(wanted, tuple) else (wanted,)):
            raise self.error("{key}: must be {kind}.", key=key, kind=_TYPE_NAMES[wanted])
        if key == "ask":
            self.check_markdown(value)

    def shared_values(self, name: str, values: Values) -> TomlTable:
        """The fields that all exercises have."""
        self._counts[name] += 1
        given = values.get("id", f"{name}-{self._counts[name]}")
        if not _ID.fullmatch(given):
            raise self.error(
                "id “{id}”: write small letters, digits and “-”, at most 40.", id=given
            )
        if given in self._ids:
            raise self.error("id “{id}” is given twice: give each part its own.", id=given)
        self._ids.add(given)
        return {"line": self.line, "id": given, "ask": values.get("ask", ""), "setup": self.setup}

    # -- errors and checks -------------------------------------------------------------------------

    def error(self, template: str, *, at: str = "", **values: object) -> InputError:
        """`at`: the key of the present block that is wrong."""
        shown: TomlTable = {
            "path": self._name,
            "line": self._places.get(at, self.line),
            **values,
        }
        return InputError("{path}, line {line}: " + template, **shown)

    def one_of(self, what: str, given: str, known: Iterable[str], at: str = "") -> str:
        """The given name, which is a known one. Raises InputError with the nearest known one."""
        names = [*known]
        if given in names:
            return given
        # Its time grows with the square of the length, which a stranger chooses.
        near = get_close_matches(given[:MAX_VALUE_LENGTH], names, 1, 0.5)
        advice = "did you mean “{near}”?" if near else "choose one of {known}."
        values = {"given": given, "what": what, "near": near, "known": names}
        raise self.error("“{given}” is no {what}: " + advice, at=at, **values)

    def at_least(self, least: float, values: Values, key: str) -> Any:
        """The value of a key, or None. Raises InputError where it is less than `least`."""
        if key in values and values[key] < least:
            raise self.error("{key}: must be at least {least}.", key=key, least=least)
        return values.get(key)

    def short_text(self, value: object) -> str:
        if type(value) not in (str, int, float) or not 1 <= len(str(value)) <= MAX_CHOICE:
            text = "each choice and title is a text or number of at most {most} characters."
            raise self.error(text, most=MAX_CHOICE)
        return str(value)

    def changes(self, values: Values) -> TomlTable:
        """Settings with values that each of them may have."""
        names = [self.one_of("setting", name, BY_NAME) for name in values]
        return {name: BY_NAME[name].check(values[name]) for name in names}

    def check_choices(self, texts: Sequence[str]) -> None:
        if not 2 <= len(texts) <= _MAX_CHOICES or len(set(texts)) != len(texts):
            raise self.error("choices: give 2 to {most} different ones.", most=_MAX_CHOICES)

    def check_markdown(self, text: str) -> Sequence[Token]:
        """The tokens of a text that begins at this line. Raises InputError for lists and
        quotations, or emphasis and links, that lie too deep in each other, and for a picture that
        is not in the lab's folder.
        """
        tokens = self.parser.parse(text)
        first = self.line
        depth = 0
        for token in tokens:
            children = token.children or ()
            if token.type in _NESTING:
                depth += token.nesting
            if token.map is not None:
                self.line = first + token.map[0]
            if max([depth, *(child.level for child in children)]) > MAX_NESTING:
                raise self.error("the text is nested more than {most} times.", most=MAX_NESTING)
            for child in children:
                if child.type == "image":
                    self.check_file("the picture", str(child.attrs.get("src", "")))
        self.line = first
        return tokens

    def find(self, name: str) -> Path | None:
        """The file of this name in the lab's folder, or None."""
        return inside(self._folder, name)

    def check_file(self, what: str, name: str) -> None:
        if self.find(name) is None:
            text = (
                "{what} “{name}” is not in the lab's folder: put it there, and name it from there."
            )
            raise self.error(text, what=what, name=name)

    def check_data(self, key: str, name: str) -> None:
        if not is_source(name) and self.find(name) is None:
            reason = no_such_data(name, ["a file in the lab's folder"])
            raise self.error("{key}: {reason}", at=key, key=key, reason=reason)

    def check_device(self, name: str, at: str) -> str:
        if not is_device_name(name):
            self.one_of("device", name, ["auto", *device_names()], at)
        return name


def _accept(url: str) -> bool:
    return True


def _is_small(value: object) -> bool:
    """Whether all numbers in the value are finite and can be computed with."""
    if isinstance(value, dict):
        return all(map(_is_small, value.values()))
    if isinstance(value, list):
        return all(map(_is_small, value))
    # NaN compares as False with any number, so that it is refused as well.
    return abs(value) <= _LARGEST if isinstance(value, int | float) else True
