"""What the parts that a person has to do have in common, and those among them that train."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from core.errors import InputError
from core.labs.attempt import Attempt, Given, Point, Said
from core.labs.block_reader import Keys, Setup
from core.labs.blocks.block import Block
from core.labs.forms import PageWriter
from core.labs.trial import MAX_SECONDS, DataSets, make_attempt
from core.runs.plan import RunPlan
from core.training.records import EpochDone

EXERCISE_KEYS: Keys = {"id": str, "ask": str}


@dataclass(frozen=True, slots=True)
class Marks:
    """What marking knows of a person's attempts at a part beside those that count.

    `made`: how many there are; `faults`: how many of them cannot count. `titles`: of those that
    count. `here`: of each the result that was found here, where only what the file says meets the
    goal; else empty. `is_repeated`: whether attempts were run again.
    """

    made: int = 0
    faults: int = 0
    titles: Sequence[str] = ()
    here: Sequence[str] = ()
    is_repeated: bool = False


@dataclass(frozen=True, slots=True)
class ExerciseBlock(Block):
    """A part that a person has to do. `ask`: Markdown. `setup`: what is set at this place."""

    ask: str = ""
    setup: Setup = field(default_factory=Setup)

    def checked(self, value: object) -> Any:
        """The value, as it is kept for this part. Raises InputError for one of another kind."""
        raise InputError("The lab asks for no answer to {id}.", id=self.id)

    def check_kept(self, value: Any) -> None:
        """Raise InputError for a checked value that a person cannot mean."""

    def texts(self) -> list[str]:
        return [self.ask]

    def html(self, writer: PageWriter) -> str:
        ask = writer.markdown(self.ask) if self.ask else ""
        return ask + self.form_html(writer)

    @abstractmethod
    def form_html(self, writer: PageWriter) -> str:
        """What stands below the question on a sheet or a page: to fill in, to try, or filled in for
        the teacher.
        """

    @abstractmethod
    def outcome(self, given: Given, marks: Marks) -> str:
        """What the person did at this part, in a few words; empty for nothing."""

    def is_right(self, given: Given, marks: Marks) -> bool | None:
        """Whether what the person did is right; None where that is no question, or where nothing
        was done.
        """
        return None

    def class_html(self, said: Said, real: Sequence[Point]) -> str:
        """What the whole class said, for the page of marks; empty where the table says it all.

        `said`: names with what they predicted. `real`: the curve that was to be predicted, where it
        is known.
        """
        return ""


@dataclass(frozen=True, slots=True)
class TrainedBlock(ExerciseBlock):
    """A part whose attempts are trainings. `variants`: changes of the setup's settings, one run
    each; `titles`: their names. `goals`: limits that an attempt has to reach. `on`: data whose
    accuracy counts; "": the setup's. `tolerance`: percentage points by which a result may differ on
    another kind of processor.

    `is_task`: the person chooses the settings, and only what reaches the goals counts.
    """

    is_task: ClassVar[bool] = False

    variants: tuple[Mapping[str, Any], ...] = ({},)
    titles: tuple[str, ...] = ("",)
    tolerance: float = 1.0
    goals: Mapping[str, float] = field(default_factory=dict)
    on: str = ""

    def plans(self, name: str) -> list[RunPlan]:
        """The plan of each variant, for the person with this name or number."""
        plan = self.setup.plan_of(name)
        return [plan.change(**changes) for changes in self.variants]

    @property
    def is_trained_by_check(self) -> bool:
        """Whether `lab check` trains something for it."""
        return True

    def meets(self, attempt: Attempt) -> bool:
        """Whether the attempt reaches all goals; none reaches them where there are none."""
        return False

    def train(
        self,
        variant: int,
        plan: RunPlan,
        data: DataSets,
        seconds: float = MAX_SECONDS,
        kept: list[EpochDone] | None = None,
    ) -> Attempt:
        """Train the plan for the part, in at most `seconds`. `kept` gets the epochs. Raises
        InputError.
        """
        return make_attempt(self.id, variant, plan, data, self.on, seconds, kept)

    def ranked(self, attempts: Sequence[Attempt]) -> list[Attempt]:
        """The attempts, first the one that is shown for the part: of a task those that meet it come
        before others, then a better score decides, then which was first."""

        def rank(attempt: Attempt) -> tuple[bool, float]:
            return self.meets(attempt), attempt.score

        # Python's sorting is stable, also in reverse: of equal attempts the first one stays the
        # first.
        return sorted(attempts, key=rank, reverse=True)

    def best(self, attempts: Sequence[Attempt]) -> Attempt | None:
        """The attempt that is shown for the part."""
        return next(iter(self.ranked(attempts)), None)

    def best_place(self, given: Given, marks: Marks) -> int | None:
        """The place among the attempts that count of the one that is shown: of those that meet the
        goal one that does so here."""

        def rank(place: int) -> tuple[bool, bool, float]:
            attempt = given.attempts[place]
            # A goal that was met here counts more than a better score that only a file says.
            return self.meets(attempt), not marks.here[place], attempt.score

        return max(range(len(given.attempts)), key=rank, default=None)

    def outcome(self, given: Given, marks: Marks) -> str:
        """The best attempt that counts, and which it was."""
        if not marks.made:
            return ""
        place = self.best_place(given, marks)
        if place is None:
            why = "does not count" if marks.faults == marks.made else "not verified"
            return f"{why} ({marks.made})"
        best = given.attempts[place]
        here = marks.here[place]
        which = f" (here {here}), {marks.titles[place]}" if here else f" ({marks.titles[place]})"
        is_verified = marks.is_repeated and not here
        return self.judgement(best, is_verified) + best.result + which

    def judgement(self, attempt: Attempt, is_verified: bool) -> str:
        """What stands before the result of the best attempt. `is_verified`: whether it was found
        here.
        """
        return ""
