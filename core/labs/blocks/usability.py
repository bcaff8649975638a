"""The block `usability`: ten statements about the program, after the System Usability Scale.

Source: J. Brooke, "SUS: a 'quick and dirty' usability scale", in P. W. Jordan et al. (ed.),
Usability Evaluation in Industry, Taylor & Francis 1996, pages 189-194. The statements are worded
anew here; the score is his.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, ClassVar, Self

from core.errors import InputError
from core.labs.attempt import Given, Said
from core.labs.block_reader import BlockReader, Keys, Values
from core.labs.blocks.exercise import EXERCISE_KEYS, ExerciseBlock, Marks
from core.labs.forms import PageWriter, plain_list
from core.text import Sentence

STATEMENTS = (
    "I would like to use this program often.",
    "The program is more complicated than it has to be.",
    "The program is easy to use.",
    "I would need the help of somebody who knows the program.",
    "The parts of the program work well together.",
    "Too many things in the program do not fit each other.",
    "Most people would learn quickly to use the program.",
    "It is tiresome to use the program.",
    "I felt sure while I used the program.",
    "I had to learn a lot before I could begin.",
)
"""In turn for and against the program."""
MOST = 5
"""Of the choices for each: 1 for no agreement at all, 5 for full agreement."""


def score(choices: Sequence[int]) -> float:
    """The score of ten choices from 1 to 5: from 0 to 100. It is no percentage.

    >>> score([5, 1] * 5), score([3] * 10), score([4, 2, 5, 1, 4, 2, 4, 2, 3, 3])
    (100.0, 50.0, 75.0)
    """
    odd, even = choices[::2], choices[1::2]
    return 2.5 * (sum(each - 1 for each in odd) + sum(5 - each for each in even))


@dataclass(frozen=True, slots=True)
class UsabilityBlock(ExerciseBlock):
    """What is kept is a list of ten choices; 0 for a statement that has none yet."""

    order: ClassVar = 9
    name: ClassVar = "usability"
    keys: ClassVar[Keys] = EXERCISE_KEYS

    @classmethod
    def read(cls, reader: BlockReader, values: Values) -> Self:
        return cls(**reader.shared_values("usability", values))

    def checked(self, value: Any) -> list[int]:
        is_list = isinstance(value, list) and len(value) == len(STATEMENTS)
        # By the exact type: `isinstance` takes true and false for whole numbers.
        if is_list and all(type(each) is int and 0 <= each <= MOST for each in value):
            return [*value]
        raise InputError(
            "The answer to {id} must be {n} whole numbers from 0 to {most}.",
            id=self.id,
            n=len(STATEMENTS),
            most=MOST,
        )

    def is_done(self, given: Given) -> bool:
        return _is_complete(given.prediction)

    def texts(self) -> list[str]:
        return [self.ask, *STATEMENTS]

    def form_html(self, writer: PageWriter) -> str:
        boxes = " ".join(f"{writer.box(False)}{choice}" for choice in range(1, MOST + 1))
        return plain_list(f"{statement} {boxes}" for statement in STATEMENTS)

    def outcome(self, given: Given, marks: Marks) -> str:
        choices: Any = given.prediction
        return f"{score(choices):g}" if _is_complete(choices) else ""

    def class_sentence(self, said: Said) -> Sentence | None:
        scores = [score(choices) for _, choices in said if _is_complete(choices)]
        if not scores:
            return None
        template = "Usability: {mean} of 100 in the mean, answered by {count}."
        return Sentence(template, {"mean": f"{fmean(scores):.1f}", "count": len(scores)})


def _is_complete(choices: object) -> bool:
    return isinstance(choices, list) and 0 not in choices
