"""The block `kernel`: a kernel for graphics cards to write or repair."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import ClassVar, Self

from core.labs.attempt import Given
from core.labs.block_reader import BlockReader, Keys, Values
from core.labs.blocks.block import LabFinding
from core.labs.blocks.exercise import EXERCISE_KEYS, ExerciseBlock, Marks
from core.labs.forms import PageWriter
from core.labs.trial import LabCheck
from core.workshop.exercise import KEYS as KERNEL_KEYS
from core.workshop.exercise import Exercise, iter_exercise_check, read_exercise, read_text


@dataclass(frozen=True, slots=True)
class KernelBlock(ExerciseBlock):
    order: ClassVar = 6
    name: ClassVar = "kernel"
    keys: ClassVar[Keys] = {**EXERCISE_KEYS, **KERNEL_KEYS}

    exercise: Exercise = field(kw_only=True)

    @classmethod
    def read(cls, reader: BlockReader, values: Values) -> Self:
        exercise = read_exercise(values, reader.find)
        return cls(**reader.shared_values("kernel", values), exercise=exercise)

    def is_done(self, given: Given) -> bool:
        return given.kernel is not None and given.kernel.is_solved

    def iter_check(self, check: LabCheck) -> Iterator[LabFinding]:
        if check.trains:
            for text, is_fault in iter_exercise_check(self.exercise):
                yield LabFinding(f"line {self.line}, {self.id}, {text}", is_fault)

    def form_html(self, writer: PageWriter) -> str:
        texts = [self.exercise.skeleton]
        if writer.teacher and self.exercise.solution:
            texts.append(read_text(self.exercise.solution))
        return "".join(f"<pre>{escape(text)}</pre>" for text in texts)

    def outcome(self, given: Given, marks: Marks) -> str:
        return given.kernel.result if given.kernel is not None else ""

    def is_right(self, given: Given, marks: Marks) -> bool | None:
        # A kernel that only misses the par is right all the same.
        return None if given.kernel is None else given.kernel.points > 0
