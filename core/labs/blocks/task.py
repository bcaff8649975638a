"""The block `task`: a goal for a run of one's own."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from core.errors import InputError
from core.labs.attempt import Attempt, Given
from core.labs.block_reader import BlockReader, Keys, Values
from core.labs.blocks.block import LabFinding
from core.labs.blocks.exercise import EXERCISE_KEYS, Marks, TrainedBlock
from core.labs.forms import PageWriter, plain_list, unit
from core.labs.trial import LabCheck
from core.runs.plan import RunPlan
from core.training.run_settings import BY_NAME

GOALS = {
    "test_accuracy_at_least": (1, "test accuracy of at least {value}"),
    "parameters_at_most": (-1, "at most {value} parameters"),
    "seconds_at_most": (-1, "at most {value} seconds of training"),
    "epochs_at_most": (-1, "at most {value} epochs"),
    "test_loss_at_most": (-1, "test loss of at most {value}"),
}
"""The goals of a task: whether to reach much (1) or little (-1), and the goal in words, which the
window translates.
"""


@dataclass(frozen=True, slots=True)
class TaskBlock(TrainedBlock):
    """A goal for a run of one's own: limits of the quantities GOALS.

    `solution`: settings that meet the goal, which `lab check` trains; never shown to pupils.
    """

    order: ClassVar = 5
    name: ClassVar = "task"
    is_task: ClassVar = True
    keys: ClassVar[Keys] = {
        **EXERCISE_KEYS,
        "on": str,
        "solution": dict,
        **dict.fromkeys(GOALS, (int, float)),
    }

    solution: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, reader: BlockReader, values: Values) -> Self:
        shared = reader.shared_values("task", values)
        goals = {name: float(values[name]) for name in GOALS if name in values}
        if not goals:
            raise reader.error("a task needs a goal: one of {goals}.", goals=[*GOALS])
        on = values.get("on", "")
        if on:
            reader.check_data("on", on)
        solution = reader.changes(values.get("solution", {}))
        # Its result is not needed: it raises where the settings do not go together.
        reader.setup.plan.settings.change(**solution)
        return cls(**shared, goals=goals, on=on, solution=solution)

    def is_done(self, given: Given) -> bool:
        return any(map(self.meets, given.attempts))

    @property
    def is_trained_by_check(self) -> bool:
        return bool(self.solution)

    def reached(self, attempt: Attempt) -> dict[str, tuple[float | None, bool]]:
        """The value that was reached and whether it is enough, for each goal by its name."""
        values = {
            "test_accuracy_at_least": attempt.score * 100,
            "parameters_at_most": float(attempt.parameters),
            "seconds_at_most": attempt.seconds,
            "epochs_at_most": attempt.last.get("epoch"),
            "test_loss_at_most": attempt.last.get("test_loss"),
        }
        found = {}
        for name, limit in self.goals.items():
            value = values[name]
            sign = GOALS[name][0]
            found[name] = value, value is not None and value * sign >= limit * sign
        return found

    def meets(self, attempt: Attempt) -> bool:
        """Whether the attempt reaches all goals. A run that broke off, because it diverged, reaches
        none.
        """
        return all(met for _, met in self.reached(attempt).values()) and attempt.is_complete

    def percentages(self) -> set[str]:
        return {f"{value:.1f}" for value in self.goals.values()}

    def iter_check(self, check: LabCheck) -> Iterator[LabFinding]:
        try:
            # Loaded also without training: a lab must not name data that cannot be read.
            if self.on:
                check.data.of(RunPlan(self.setup.plan.settings, self.on))
            if self.solution and check.trains:
                yield self._solve(check)
        except InputError as error:
            yield LabFinding(f"line {self.line}, {self.id}: {error}", True)

    def _solve(self, check: LabCheck) -> LabFinding:
        """Whether the solution that the lab gives meets the goals."""
        plan = self.setup.plan_of("").change(**self.solution)
        reached = self.reached(self.train(0, plan, check.data))
        said = ", ".join(
            f"{goal} {self.goals[goal]:g}: {value:.5g}"
            for goal, (value, _) in reached.items()
            if value is not None
        )
        is_met = all(met for _, met in reached.values())
        return LabFinding(f"line {self.line}, {self.id}, solution: {said}", not is_met)

    def form_html(self, writer: PageWriter) -> str:
        lines = [
            f"☐ {GOALS[name][1].format(value=f'{value:,.10g}{unit(name)}')}"
            for name, value in self.goals.items()
        ]
        if writer.teacher and self.solution:
            settings = (
                f"{BY_NAME[name].label.lower()} {value}" for name, value in self.solution.items()
            )
            lines.append(f"☑ for example: {', '.join(settings)}")
        return plain_list(lines)

    def judgement(self, attempt: Attempt, is_verified: bool) -> str:
        if not self.meets(attempt):
            return "not met, "
        return "met, " if is_verified else "says met, "

    def is_right(self, given: Given, marks: Marks) -> bool | None:
        if not marks.made:
            return None
        place = self.best_place(given, marks)
        if place is None:
            return False
        # Neither right nor wrong: only the file says that the goal is met.
        return None if marks.here[place] else self.meets(given.attempts[place])
