"""Reads a lab from its Markdown text: headings begin steps, and fences with the name of a kind of block are parts."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.data.sources import is_source, no_such_data
from core.errors import MAX_VALUE_LENGTH, InputError
from core.files.toml_text import parse_toml
from core.labs.blocks import KINDS
from core.labs.blocks.block import Block, Keys, Part, Values
from core.labs.blocks.setup import SetupBlock
from core.labs.blocks.text import Text
from core.labs.lab import VERSION, Lab, Step, inside, markdown
from core.training.run_settings import BY_NAME

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_CHARACTERS = 200_000
MAX_PARTS = 500
MAX_LINE = 5000
MAX_STEP = 20_000  # characters
MAX_NESTING = 10  # of lists and quotations, and of emphasis and links in a line
"""The window lays out what it shows of a step in its own thread."""
_HEAD = "lab"  # the block at the beginning, which is no part
_HEAD_KEYS: Keys = {"version": int, "minutes": int}
_LANGUAGES = {"", "text", "python", "sh", "toml", "json", "csv"}
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
_MAX_CHOICE = 300
_MAX_MINUTES = 1000
_LARGEST = 1e15  # of all numbers
_TYPE_NAMES: dict[type | tuple[type, ...], str] = {
    str: "a text in quotes",
    int: "a whole number",
    list: "a list in brackets",
    dict: "a table",
    (int, float): "a number",
    (str, int): "a text or a whole number",
    (str, list): "a text or a list",
    (str, int, float, bool): "a value",
}


def parse_lab(text: str, name: str, folder: Path | None = None) -> Lab:
    """The lab that the Markdown text describes; `name`: of its file, for messages; `folder`: of its other files.

    Raises InputError with the line, and the nearest known name, of what is not understood.
    """
    if len(text) > MAX_CHARACTERS:
        template = "{path} is too long for a lab: at most {most:,} characters are read."
        raise InputError(template, path=name, most=MAX_CHARACTERS)
    return _TextReader(text, name, folder).read()


class BlockReader:
    """Reads the blocks of a lab one after the other, and checks for the kinds of blocks what stands in them.

    Its methods raise InputError with the line. `line`: where the present block begins, from 1. `setup`: what is set at
    this place of the lab.
    """

    def __init__(self, name: str, folder: Path | None) -> None:
        self.line = 1
        self.setup = SetupBlock(0)
        self.parser = markdown()
        # A picture of any address is found here, and refused.
        self.parser.validateLink = _accept  # type: ignore[method-assign]
        self._name = name
        self._folder = folder
        self._places: dict[str, int] = {}  # the line of each key of the present block
        self._ids: set[str] = set()
        self._counts: Counter[str] = Counter()

    def read_block(self, kind: type[Block], content: str) -> Block:
        """The block of this kind whose TOML is `content`."""
        values = self.read_values(kind.name, kind.keys, content)
        try:
            return kind.read(self, values)
        except InputError as error:
            raise error if "line" in error.values else self.error("{reason}", reason=error) from None

    def read_values(self, name: str, keys: Keys, content: str) -> dict[str, Any]:
        """The TOML values of a block, each of a key and a type that it knows."""
        try:
            values = parse_toml(content)
        except ValueError as error:
            reason, _, position = str(error).partition(" (at line ")
            found = re.match(r"\d+", position)
            if found:
                self.line += int(found[0])
            text = "the block “{kind}” cannot be read ({reason}): write “key = value”, texts in quotes."
            raise self.error(text, kind=name, reason=reason) from None
        lines = content.split("\n")
        begin = self.line
        self._places = {}
        for key, value in values.items():
            place = next((i for i, line in enumerate(lines) if re.match(rf"\W*{re.escape(key)}\W", line)), 0)
            self.line = begin + 1 + place
            self._places[key] = self.line
            self._check_value(name, keys, key, value)
        self.line = begin
        return values

    def _check_value(self, name: str, keys: Keys, key: str, value: Any) -> None:
        self.one_of(f"key of “{name}”", key, keys)
        if not _is_small(value):
            raise self.error("{key}: must be a number up to {most:.0e}.", key=key, most=_LARGEST)
        wanted = keys[key]
        if type(value) not in (wanted if isinstance(wanted, tuple) else (wanted,)):
            raise self.error("{key}: must be {kind}.", key=key, kind=_TYPE_NAMES[wanted])
        if key == "ask":
            self.check_markdown(value)

    def shared_values(self, name: str, values: Values) -> dict[str, Any]:
        """The fields that all exercises have."""
        self._counts[name] += 1
        given = values.get("id", f"{name}-{self._counts[name]}")
        if not _ID.fullmatch(given):
            raise self.error("id “{id}”: write small letters, digits and “-”, at most 40.", id=given)
        if given in self._ids:
            raise self.error("id “{id}” is given twice: give each part its own.", id=given)
        self._ids.add(given)
        return {"line": self.line, "id": given, "ask": values.get("ask", ""), "setup": self.setup}

    # -- errors and checks ----------------------------------------------------------------------------------

    def error(self, template: str, *, at: str = "", **values: object) -> InputError:
        """`at`: the key of the present block that is wrong."""
        shown: dict[str, Any] = {"path": self._name, "line": self._places.get(at, self.line), **values}
        return InputError("{path}, line {line}: " + template, **shown)

    def one_of(self, what: str, given: str, known: Iterable[str], at: str = "") -> str:
        """The given name, which is a known one. Raises InputError with the nearest known one."""
        names = [*known]
        if given in names:
            return given
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
        if type(value) not in (str, int, float) or not 1 <= len(str(value)) <= _MAX_CHOICE:
            text = "each choice and title is a text or number of at most {most} characters."
            raise self.error(text, most=_MAX_CHOICE)
        return str(value)

    def check_settings(self, values: Values) -> None:
        for name in values:
            self.one_of("setting", name, BY_NAME)

    def changes(self, values: Values) -> dict[str, Any]:
        """Settings with values that each of them may have."""
        self.check_settings(values)
        return {name: BY_NAME[name].check(value) for name, value in values.items()}

    def check_choices(self, texts: Sequence[str]) -> None:
        if not 2 <= len(texts) <= _MAX_CHOICES or len(set(texts)) != len(texts):
            raise self.error("choices: give 2 to {most} different ones.", most=_MAX_CHOICES)

    def check_markdown(self, text: str) -> None:
        tokens = self.parser.parse(text)
        line = self.line
        self.check_nesting(tokens)
        self.line = line
        for token in tokens:
            self.check_pictures(token)

    def check_nesting(self, tokens: Sequence["Token"]) -> None:
        """Raise InputError for lists and quotations, or emphasis and links, that lie too deep in each other."""
        depth = 0
        for token in tokens:
            if token.type in _NESTING:
                depth += token.nesting
            if token.map is not None:
                self.line = token.map[0] + 1
            inner = max((child.level for child in token.children or ()), default=0)
            if max(depth, inner) > MAX_NESTING:
                raise self.error("the text is nested more than {most} times.", most=MAX_NESTING)

    def check_pictures(self, token: "Token") -> None:
        """Raise InputError for a picture that is not in the lab's folder."""
        for child in token.children or ():
            if child.type == "image":
                self.check_file("the picture", str(child.attrs.get("src", "")))

    def find(self, name: str) -> Path | None:
        """The file of this name in the lab's folder, or None."""
        return inside(self._folder, name)

    def check_file(self, what: str, name: str) -> None:
        if self.find(name) is None:
            text = "{what} “{name}” is not in the lab's folder: put it there, and name it from there."
            raise self.error(text, what=what, name=name)

    def check_data(self, key: str, name: str) -> None:
        if not is_source(name) and self.find(name) is None:
            reason = no_such_data(name, ["a file in the lab's folder"])
            raise self.error("{key}: {reason}", at=key, key=key, reason=reason)

    def check_device(self, name: str, at: str) -> str:
        # Imported when it is needed: the window reads no lab at its start.
        from kernels.registry import device_names, is_device_name

        if not is_device_name(name):
            self.one_of("device", name, ["auto", *device_names()], at)
        return name


class _TextReader:
    """Reads the text of a lab: its headings, the texts between the blocks, and the blocks by a `BlockReader`."""

    def __init__(self, text: str, name: str, folder: Path | None) -> None:
        self._text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._lines = self._text.split("\n")
        self._folder = folder
        self._blocks = BlockReader(name, folder)
        self._title = ""
        self._minutes = 0
        self._version = 0
        self._steps: list[tuple[str, list[Part]]] = [("", [])]
        self._end = 0  # of what was read: the lines from here on are text

    def read(self) -> Lab:
        self._check_lines()
        tokens = self._blocks.parser.parse(self._text)
        self._blocks.check_nesting(tokens)
        for index, token in enumerate(tokens):
            if token.map is not None:
                self._blocks.line = token.map[0] + 1
            if token.type == "inline":
                self._blocks.check_pictures(token)
            elif token.type == "heading_open" and token.level == 0 and token.tag in ("h1", "h2"):
                self._end_text(token)
                self._add_heading(token.tag, tokens[index + 1].content.strip())
            elif token.type == "fence":
                name = self._block_name(token)
                if name:
                    self._end_text(token)
                    self._add_block(name, token.content)
        self._keep_text(len(self._lines))
        self._check_whole()
        steps = tuple(Step(heading or self._title, tuple(parts)) for heading, parts in self._steps)
        digest = hashlib.sha256(self._text.encode(errors="replace")).hexdigest()
        lab = Lab(self._title, self._minutes, steps, digest, self._text, self._folder)
        for part in lab.parts():
            self._blocks.line = part.line
            fault = part.fault_in(lab, self._blocks)
            if fault is not None:
                raise fault
        return lab

    def _end_text(self, token: "Token") -> None:
        """Keep the text before the token as a part."""
        assert token.map is not None
        self._keep_text(token.map[0])
        self._end = token.map[1]

    def _keep_text(self, end: int) -> None:
        found = [index for index in range(self._end, end) if self._lines[index].strip()]
        if found:
            text = "\n".join(self._lines[found[0] : found[-1] + 1])
            self._steps[-1][1].append(Text(found[0] + 1, markdown=text))

    def _add_heading(self, tag: str, heading: str) -> None:
        if len(heading) > _MAX_CHOICE:
            raise self._blocks.error("a title has at most {most} characters.", most=_MAX_CHOICE)
        if tag == "h2":
            self._steps.append((heading, []))
        elif self._title:
            raise self._blocks.error("a lab has one title: begin a step with “## {text}”.", text=heading)
        else:
            self._title = heading

    def _block_name(self, token: "Token") -> str:
        """The name of the kind of a fenced block, or empty for ordinary code."""
        name = token.info.strip().split(" ")[0]
        if name in _LANGUAGES:
            return ""
        self._blocks.one_of("block", name, [_HEAD, *KINDS])
        if token.level:
            raise self._blocks.error("a block “{name}” must not stand in a list or a quotation.", name=name)
        return name

    def _add_block(self, name: str, content: str) -> None:
        if name == _HEAD:
            self._read_head(content)
            return
        self._steps[-1][1].append(KINDS[name].parse(self._blocks, content))

    def _read_head(self, content: str) -> None:
        values = self._blocks.read_values(_HEAD, _HEAD_KEYS, content)
        if self._version:
            raise self._blocks.error("a lab has one block “lab”: remove this one.")
        if "version" not in values:
            raise self._blocks.error(
                "the block “lab” has no version: add “version = {known}”.", known=VERSION
            )
        self._version = values["version"]
        self._minutes = values.get("minutes", 0)
        if self._version != VERSION:
            text = "version {version}: this program reads labs of version {known}."
            raise self._blocks.error(text, version=self._version, known=VERSION)
        if not 0 <= self._minutes <= _MAX_MINUTES:
            raise self._blocks.error("minutes: must be from 0 to {most}.", most=_MAX_MINUTES)

    def _check_whole(self) -> None:
        """Raise InputError for what is missing, or for too many parts."""
        self._blocks.line = 1
        if not self._version:
            text = "it is no lab: a lab has a block “```lab” with “version = {known}”."
            raise self._blocks.error(text, known=VERSION)
        if not self._title:
            raise self._blocks.error("the lab has no title: begin with a line “# Title”.")
        if not self._steps[0][1]:
            del self._steps[0]
        if sum(len(parts) for _, parts in self._steps) > MAX_PARTS:
            raise self._blocks.error("the lab has more than {most} parts: divide it.", most=MAX_PARTS)

    def _check_lines(self) -> None:
        """Raise InputError for a line or a step that is longer than the window can show at once."""
        length = 0
        for number, line in enumerate(self._lines, 1):
            self._blocks.line = number
            length = 0 if line.startswith("## ") else length + len(line) + 1
            if len(line) > MAX_LINE:
                raise self._blocks.error(
                    "the line is too long: divide it after {most:,} characters.", most=MAX_LINE
                )
            if length > MAX_STEP:
                text = "the step is too long: begin another one (“## …”) after {most:,} characters."
                raise self._blocks.error(text, most=MAX_STEP)
        self._blocks.line = 1


def _accept(url: str) -> bool:
    return True


def _is_small(value: object) -> bool:
    """Whether all numbers in the value are finite and can be computed with."""
    if isinstance(value, dict):
        return all(map(_is_small, value.values()))
    if isinstance(value, list):
        return all(map(_is_small, value))
    return abs(value) <= _LARGEST if isinstance(value, int | float) else True
