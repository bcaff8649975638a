"""Reads a lab from its Markdown text: headings begin steps, and fences with the name of a kind of
block are parts.
"""

import hashlib
from pathlib import Path

from markdown_it.token import Token

from core.errors import InputError
from core.labs.block_reader import MAX_CHOICE, BlockReader, Keys
from core.labs.blocks import KINDS
from core.labs.blocks.block import Part
from core.labs.blocks.text import Text
from core.labs.lab import VERSION, Lab, LabStep, Parts

MAX_CHARACTERS = 200_000
MAX_PARTS = 500
MAX_LINE = 5000
MAX_STEP = 20_000  # characters
"""The window lays out what it shows of a step in its own thread."""
_HEAD = "lab"  # the block at the beginning, which is no part
_HEAD_KEYS: Keys = {"version": int, "minutes": int, "group": str}
_LANGUAGES = {"", "text", "python", "sh", "toml", "json", "csv"}
_MAX_MINUTES = 1000


def parse_lab(text: str, name: str, folder: Path | None = None) -> Lab:
    """The lab that the Markdown text describes; `name`: of its file, for messages; `folder`: of its
    other files.

    Raises InputError with the line, and the nearest known name, of what is not understood.
    """
    # Before Markdown is parsed, which takes long for a long text.
    if len(text) > MAX_CHARACTERS:
        template = "{path} is too long for a lab: at most {most:,} characters are read."
        raise InputError(template, path=name, most=MAX_CHARACTERS)
    return _TextReader(text, name, folder).read()


class _TextReader:
    """Reads the text of a lab: its headings, the texts between the blocks, and the blocks by a
    `BlockReader`.
    """

    def __init__(self, text: str, name: str, folder: Path | None) -> None:
        # The digest is of this text: the same lab has one digest on each system.
        self._text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._lines = self._text.split("\n")
        self._folder = folder
        self._blocks = BlockReader(name, folder)
        self._title = ""
        self._minutes = 0
        self._group = ""
        self._version = 0
        self._steps: list[tuple[str, list[Part]]] = [("", [])]
        self._end = 0  # of what was read: the lines from here on are text

    def read(self) -> Lab:
        self._check_lines()
        tokens = self._blocks.check_markdown(self._text)
        for index, token in enumerate(tokens):
            if token.map is not None:
                self._blocks.line = token.map[0] + 1
            # Level 0: a heading in a list or a quotation begins no step.
            if token.type == "heading_open" and token.level == 0 and token.tag in ("h1", "h2"):
                self._end_text(token)
                self._add_heading(token.tag, tokens[index + 1].content.strip())
            elif token.type == "fence":
                name = self._block_name(token)
                if name:
                    self._end_text(token)
                    self._add_block(name, token.content)
        # The text after the last block has no token that would end it.
        self._keep_text(len(self._lines))
        self._check_whole()
        steps = tuple(
            LabStep(heading or self._title, Parts(parts)) for heading, parts in self._steps
        )
        digest = hashlib.sha256(self._text.encode(errors="replace")).hexdigest()
        lab = Lab(self._title, self._minutes, steps, digest, self._text, self._folder, self._group)
        # At last: a prediction may name a run that follows it.
        self._check_predictions(lab)
        return lab

    def _check_predictions(self, lab: Lab) -> None:
        """Raise InputError for a prediction after which no run shows what was predicted."""
        for part in lab.parts.predictions:
            self._blocks.line = part.line
            run = lab.predicted_run(part)
            if run is None:
                if part.needs_run or part.run:
                    text = (
                        "no run follows that shows what was predicted: add a block “run” after it."
                    )
                    raise self._blocks.error(text)
                continue
            if not 0 <= part.variant < len(run.variants):
                raise self._blocks.error(
                    "variant: the run has {count} variants.", count=len(run.variants)
                )
            epochs = run.plans("")[part.variant].settings.epochs
            if part.epoch is not None and part.epoch > epochs:
                raise self._blocks.error("epoch: the run has {count} epochs.", count=epochs)

    def _end_text(self, token: Token) -> None:
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
        if len(heading) > MAX_CHOICE:
            raise self._blocks.error("a title has at most {most} characters.", most=MAX_CHOICE)
        if tag == "h2":
            self._steps.append((heading, []))
        elif self._title:
            raise self._blocks.error(
                "a lab has one title: begin a step with “## {text}”.", text=heading
            )
        else:
            self._title = heading

    def _block_name(self, token: Token) -> str:
        """The name of the kind of a fenced block, or empty for ordinary code."""
        name = token.info.strip().split(" ")[0]
        if name in _LANGUAGES:
            return ""
        self._blocks.one_of("block", name, [_HEAD, *KINDS])
        if token.level:
            raise self._blocks.error(
                "a block “{name}” must not stand in a list or a quotation.", name=name
            )
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
        self._group = values.get("group", "")
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
            raise self._blocks.error(
                "the lab has more than {most} parts: divide it.", most=MAX_PARTS
            )

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
