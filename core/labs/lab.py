"""A lab: steps of texts and blocks that say what to set, predict, run, ask and check
(docs/writing-labs.md).

`core.labs.reader` reads it from Markdown, and `core.labs.blocks` has the kinds of blocks. A lab
without predictions, runs, questions and tasks is an experiment: its settings are all that it gives.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from core.labs.blocks.block import Part
from core.labs.blocks.exercise import ExerciseBlock, TrainedBlock
from core.labs.blocks.kernel import KernelBlock
from core.labs.blocks.predict import CurvePrediction, PredictBlock
from core.labs.blocks.question import QuestionBlock
from core.labs.blocks.run import RunBlock
from core.labs.blocks.setup import SetupBlock
from core.runs.plan import RunPlan

VERSION = 1
P = TypeVar("P", bound=Part)


class Parts(tuple[Part, ...]):
    """Parts of a lab in their order, and those of a kind among them."""

    __slots__ = ()

    def _of(self, kind: type[P]) -> list[P]:
        return [part for part in self if isinstance(part, kind)]

    @property
    def setups(self) -> list[SetupBlock]:
        return self._of(SetupBlock)

    @property
    def exercises(self) -> list[ExerciseBlock]:
        return self._of(ExerciseBlock)

    @property
    def predictions(self) -> list[PredictBlock]:
        return self._of(PredictBlock)

    @property
    def curves(self) -> list[CurvePrediction]:
        return self._of(CurvePrediction)

    @property
    def questions(self) -> list[QuestionBlock]:
        return self._of(QuestionBlock)

    @property
    def trained(self) -> list[TrainedBlock]:
        return self._of(TrainedBlock)

    @property
    def runs(self) -> list[RunBlock]:
        return self._of(RunBlock)

    @property
    def kernels(self) -> list[KernelBlock]:
        return self._of(KernelBlock)


@dataclass(frozen=True, slots=True)
class LabStep:
    title: str
    parts: Parts


@dataclass(frozen=True, slots=True)
class Lab:
    """`folder`: of its pictures and data; None for a text alone. `digest`: SHA-256 of the text,
    hexadecimal. `group`: the heading under which a list of labs has it.
    """

    title: str
    minutes: int
    steps: tuple[LabStep, ...]
    digest: str
    text: str
    folder: Path | None = None
    group: str = ""

    @property
    def parts(self) -> Parts:
        return Parts(part for step in self.steps for part in step.parts)

    @property
    def is_experiment(self) -> bool:
        """Whether it asks nothing: opening it sets what it holds."""
        return not self.parts.exercises

    @property
    def varies(self) -> bool:
        """Whether seed or constants follow from a person's name."""
        return any(part.varies for part in self.parts)

    def part(self, part_id: str) -> ExerciseBlock | None:
        return next((part for part in self.parts.exercises if part.id == part_id), None)

    def trained_part(self, part_id: str) -> TrainedBlock:
        """The part of this name that trains."""
        return next(part for part in self.parts.trained if part.id == part_id)

    def step_of(self, part: Part) -> LabStep:
        return next(step for step in self.steps if part in step.parts)

    def predicted_run(self, prediction: PredictBlock) -> RunBlock | None:
        """The run that shows what was predicted: the one that the prediction names, else the next
        one.
        """
        parts = self.parts
        later = Parts(parts[parts.index(prediction) + 1 :])
        # Only later runs: what an earlier one has shown is no prediction.
        return next((run for run in later.runs if prediction.run in ("", run.id)), None)

    def predictions_of(self, run: ExerciseBlock) -> list[PredictBlock]:
        """What the lab asks to predict about the run."""
        return [part for part in self.parts.predictions if self.predicted_run(part) == run]

    def predicted_epochs(self) -> Mapping[str, int]:
        """How many epochs the runs have that show what was predicted, by the ids of the
        predictions.
        """
        shown = [(part, self.predicted_run(part)) for part in self.parts.predictions]
        return {
            part.id: run.plans("")[part.variant].settings.epochs
            for part, run in shown
            if run is not None
        }

    def expected_before(self, run: RunBlock) -> list[PredictBlock]:
        """What is to be predicted of the run in the steps before its own."""
        here = self.step_of(run).parts
        return [part for part in self.predictions_of(run) if part not in here]

    def located(self, plan: RunPlan) -> RunPlan:
        """The plan with the path of its data, for `load_dataset`."""
        return plan.within(self.folder)
