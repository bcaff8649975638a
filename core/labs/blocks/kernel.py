"""The block `kernel`: a kernel for graphics cards to write or repair."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, ClassVar, Self

from core.labs.blocks.block import Finding, Keys, Values
from core.labs.blocks.exercise import EXERCISE_KEYS, ExerciseBlock
from core.workshop.exercise import KEYS as KERNEL_KEYS
from core.workshop.exercise import Exercise, iter_exercise_check, read_exercise, read_text

if TYPE_CHECKING:
    from core.labs.answers import Answers
    from core.labs.check import LabCheck
    from core.labs.grading import Marked
    from core.labs.reader import BlockReader
    from core.labs.web_page import PageWriter


@dataclass(frozen=True, slots=True)
class KernelBlock(ExerciseBlock):
    order: ClassVar = 6
    name: ClassVar = "kernel"
    keys: ClassVar[Keys] = {**EXERCISE_KEYS, **KERNEL_KEYS}

    exercise: Exercise = field(kw_only=True)

    @classmethod
    def read(cls, reader: "BlockReader", values: Values) -> Self:
        exercise = read_exercise(values, reader.find)
        return cls(**reader.shared_values("kernel", values), exercise=exercise)

    def is_done(self, answers: "Answers") -> bool:
        kept = answers.kernels.get(self.id)
        return kept is not None and kept.is_solved

    def iter_check(self, check: "LabCheck") -> Iterator[Finding]:
        if check.trains:
            for text, is_fault in iter_exercise_check(self.exercise):
                yield Finding(f"line {self.line}, {self.id}, {text}", is_fault)

    def form_html(self, writer: "PageWriter") -> str:
        texts = [self.exercise.skeleton]
        if writer.teacher and self.exercise.solution:
            texts.append(read_text(self.exercise.solution))
        return "".join(f"<pre>{escape(text)}</pre>" for text in texts)

    def outcome(self, marked: "Marked") -> str:
        kept = marked.answers.kernels.get(self.id) if marked.answers is not None else None
        return kept.result if kept is not None else ""

    def is_right(self, marked: "Marked") -> bool | None:
        kept = marked.answers.kernels.get(self.id) if marked.answers is not None else None
        return None if kept is None else kept.points > 0
