"""StudyRun: one run of a study, with what is known of it."""

from dataclasses import dataclass, field

from core.runs.summary import Row, best_row
from core.studies.space import Value


@dataclass(slots=True)
class StudyRun:
    """A run of the study. `state`: `training`, `stopped`, `complete`, `pruned`, `diverged` or `failed`.

    `values`: of the settings that the study varies. `rows`: the epochs, as far as they are known here. `run`: the run's
    id in the library. `message`: why it failed.
    """

    number: int
    values: dict[str, Value]
    run: str
    state: str = "training"
    rows: list[Row] = field(default_factory=list)
    message: str = ""

    @property
    def best(self) -> Row | None:
        """The row of the epoch with the lowest validation loss; None before the first epoch."""
        return best_row(self.rows) if self.rows else None
