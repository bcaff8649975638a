"""A lab: steps of texts and blocks that say what to set, predict, run, ask and check (docs/writing-labs.md).

`core.labs.reader` reads it from Markdown, and `core.labs.blocks` has the kinds of blocks. A lab without predictions,
runs, questions and tasks is an experiment: its settings are all that it gives.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from core.data.sources import is_source
from core.labs.blocks.block import Part, of_kind
from core.labs.blocks.exercise import ExerciseBlock, TrainedBlock
from core.labs.blocks.predict import PredictBlock
from core.labs.blocks.run import RunBlock
from core.runs.plan import RunPlan

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

VERSION = 1


@dataclass(frozen=True, slots=True)
class Step:
    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Lab:
    """`folder`: of its pictures and data; None for a text alone. `digest`: SHA-256 of the text, hexadecimal."""

    title: str
    minutes: int
    steps: tuple[Step, ...]
    digest: str
    text: str
    folder: Path | None = None

    def parts(self) -> Iterator[Part]:
        return (part for step in self.steps for part in step.parts)

    def exercises(self) -> list[ExerciseBlock]:
        return of_kind(self.parts(), ExerciseBlock)

    @property
    def is_experiment(self) -> bool:
        """Whether it asks nothing: opening it sets what it holds."""
        return not self.exercises()

    @property
    def varies(self) -> bool:
        """Whether seed or constants follow from a person's name."""
        return any(part.varies for part in self.parts())

    def part(self, part_id: str) -> ExerciseBlock | None:
        return next((part for part in self.exercises() if part.id == part_id), None)

    def trained_part(self, part_id: str) -> TrainedBlock:
        """The part of this name that trains."""
        return next(part for part in of_kind(self.parts(), TrainedBlock) if part.id == part_id)

    def step_of(self, part: Part) -> Step:
        return next(step for step in self.steps if part in step.parts)

    def predicted_run(self, prediction: PredictBlock) -> RunBlock | None:
        """The run that shows what was predicted: the one that the prediction names, else the next one."""
        exercises = self.exercises()
        runs = of_kind(exercises[exercises.index(prediction) + 1 :], RunBlock)
        return next((run for run in runs if prediction.run in ("", run.id)), None)

    def predictions_of(self, run: ExerciseBlock) -> list[PredictBlock]:
        """What the lab asks to predict about the run."""
        return [part for part in of_kind(self.parts(), PredictBlock) if self.predicted_run(part) == run]

    def expected_before(self, run: RunBlock) -> list[PredictBlock]:
        """What is to be predicted of the run in the steps before its own."""
        here = self.step_of(run).parts
        return [part for part in self.predictions_of(run) if part not in here]

    def data_of(self, plan: RunPlan) -> str:
        """The name or path of a plan's data, for `load_dataset`."""
        if self.folder is None or is_source(plan.data):
            return plan.data
        return str(self.folder / plan.data)

    def located(self, plan: RunPlan) -> RunPlan:
        return RunPlan(plan.settings, self.data_of(plan), plan.device)


def inside(folder: Path | None, name: str) -> Path | None:
    """The file or folder `name` below `folder`, or None where it is not there or would leave it."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if folder is None or not parts or ".." in parts or name.startswith(("/", "~")) or ":" in name:
        return None
    path = folder.joinpath(*parts)
    try:
        root = folder.resolve()
        return path if path.exists() and root in path.resolve().parents else None
    except (OSError, RuntimeError, ValueError):
        return None


def markdown() -> "MarkdownIt":
    """A parser of CommonMark that takes HTML for text."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False})
