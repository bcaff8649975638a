"""The block `question`: choices of which some are right; a wrong one names the idea behind it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from core.html.page import paragraph
from core.labs.attempt import Given
from core.labs.block_reader import BlockReader, Keys, Values
from core.labs.blocks.exercise import EXERCISE_KEYS, ExerciseBlock, Marks
from core.labs.forms import PageWriter, details, plain_list
from core.text import counted

_CHOICE_KEYS: Keys = {"text": str, "right": bool, "misconception": str, "reply": str}


@dataclass(frozen=True, slots=True)
class Choice:
    """`misconception`: the name of the wrong idea that the choice shows; `reply`: what it is
    answered with.
    """

    text: str
    right: bool = False
    misconception: str = ""
    reply: str = ""


@dataclass(frozen=True, slots=True)
class QuestionBlock(ExerciseBlock):
    order: ClassVar = 4
    name: ClassVar = "question"
    keys: ClassVar[Keys] = {**EXERCISE_KEYS, "choices": list}

    choices: tuple[Choice, ...] = ()

    @classmethod
    def read(cls, reader: BlockReader, values: Values) -> Self:
        shared = reader.shared_values("question", values)
        choices = tuple(_iter_choices(reader, values))
        reader.check_choices([choice.text for choice in choices])
        if not any(choice.right for choice in choices):
            raise reader.error("no choice is right: write “right = true” below one.")
        return cls(**shared, choices=choices)

    def choice(self, text: str) -> Choice:
        return next(choice for choice in self.choices if choice.text == text)

    def is_done(self, given: Given) -> bool:
        # The last one: whoever was wrong at first goes on until it is right.
        return self.choice(given.tries[-1]).right if given.tries else False

    def texts(self) -> list[str]:
        return [
            self.ask,
            *(text for choice in self.choices for text in (choice.text, choice.reply)),
        ]

    def form_html(self, writer: PageWriter) -> str:
        if writer.on_paper:
            return plain_list(self._line(choice, writer) for choice in self.choices)
        html = ""
        for choice in self.choices:
            reply = f"Right. {choice.reply}" if choice.right else choice.reply or "No."
            html += details(choice.text, paragraph(reply))
        return html

    def _line(self, choice: Choice, writer: PageWriter) -> str:
        line = writer.box(choice.right) + choice.text
        if writer.teacher and choice.reply:
            line += f" — {choice.misconception}: {choice.reply}"
        return line

    def outcome(self, given: Given, marks: Marks) -> str:
        tries = len(given.tries)
        if not tries:
            return ""
        return (
            f"right at attempt {tries}"
            if self.is_done(given)
            else f"wrong in {counted(tries, 'attempt')}"
        )

    def is_right(self, given: Given, marks: Marks) -> bool | None:
        return self.is_done(given) if given.tries else None


def _iter_choices(reader: BlockReader, values: Values) -> Iterator[Choice]:
    for given in values.get("choices", ()):
        if not isinstance(given, dict) or not isinstance(given.get("text"), str):
            raise reader.error("choices: write each as [[choices]] with “text”.")
        for key, value in given.items():
            reader.one_of("key of a choice", key, _CHOICE_KEYS)
            if type(value) is not _CHOICE_KEYS[key]:
                kind = "true or false" if key == "right" else "a text in quotes"
                raise reader.error("{key} of a choice: must be {kind}.", key=key, kind=kind)
        # Its result is not needed: it raises for a text that is empty or too long.
        reader.short_text(given["text"])
        reader.check_markdown(given.get("reply", ""))
        choice = Choice(**given)
        if not choice.right and not (choice.misconception and choice.reply):
            text = (
                "the choice “{text}” is wrong: name its “misconception” and answer it in “reply”."
            )
            raise reader.error(text, text=choice.text)
        yield choice
