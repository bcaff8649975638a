"""What the parts that a person has to do have in common, and those among them that train."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from core.errors import InputError
from core.labs.blocks.block import Block, Keys
from core.labs.blocks.setup import SetupBlock
from core.runs.plan import RunPlan

if TYPE_CHECKING:
    from core.labs.answers import Answers
    from core.labs.attempt import Attempt
    from core.labs.grading import Grades, Marked
    from core.labs.web_page import PageWriter

EXERCISE_KEYS: Keys = {"id": str, "ask": str}


@dataclass(frozen=True, slots=True)
class ExerciseBlock(Block):
    """A part that a person has to do. `ask`: Markdown. `setup`: what is set at this place."""

    ask: str = ""
    setup: SetupBlock = field(default_factory=lambda: SetupBlock(0))

    def checked(self, value: object) -> Any:
        """The value, as `Answers.predictions` keeps it for this part. Raises InputError for one of another kind."""
        raise InputError("The lab asks for no answer to {id}.", id=self.id)

    def check_kept(self, value: Any) -> None:
        """Raise InputError for a checked value that a person cannot mean."""

    def may_change(self, answers: "Answers") -> bool:
        """Whether the person may still say something else."""
        return True

    def texts(self) -> list[str]:
        return [self.ask]

    def html(self, writer: "PageWriter") -> str:
        ask = writer.markdown(self.ask) if self.ask else ""
        return ask + self.form_html(writer)

    @abstractmethod
    def form_html(self, writer: "PageWriter") -> str:
        """What stands below the question on a sheet or a page: to fill in, to try, or filled in for the teacher."""

    @abstractmethod
    def outcome(self, marked: "Marked") -> str:
        """What the person did at this part, in a few words; empty for nothing."""

    def is_right(self, marked: "Marked") -> bool | None:
        """Whether what the person did is right; None where that is no question, or where nothing was done."""
        return None

    def class_html(self, grades: "Grades") -> str:
        """What the whole class did, for the page of marks; empty where the table says it all."""
        return ""


@dataclass(frozen=True, slots=True)
class TrainedBlock(ExerciseBlock):
    """A part whose attempts are trainings. `variants`: changes of the setup's settings, one run each; `titles`: their
    names. `goals`: limits that an attempt has to reach. `on`: data whose accuracy counts; "": the setup's.
    `tolerance`: percentage points by which a result may differ on another kind of processor.

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

    def meets(self, attempt: "Attempt") -> bool:
        """Whether the attempt reaches all goals; none reaches them where there are none."""
        return False

    def outcome(self, marked: "Marked") -> str:
        """The best attempt that counts, and which it was."""
        places = marked.places(self.id)
        if not places:
            return ""
        place = marked.best_place(self)
        if place is None:
            if all(place in marked.faults for place in places):
                return f"does not count ({len(places)})"
            return f"not verified ({len(places)})"
        best = marked.counted()[place]
        here = marked.here(place)
        said = (
            f" (here {here}), {marked.place_in_part(place)}" if here else f" ({marked.place_in_part(place)})"
        )
        is_verified = marked.is_repeated and not here
        return self.judgement(best, is_verified) + best.result + said

    def judgement(self, attempt: "Attempt", is_verified: bool) -> str:
        """What stands before the result of the best attempt. `is_verified`: whether it was found here."""
        return ""

    def variants_done(self, answers: "Answers") -> set[int]:
        return {attempt.variant for attempt in answers.attempts_of(self)}
