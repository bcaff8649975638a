"""What the sections of the bench `cuda` share: sizes, data, a deadline, and the results so far."""

from dataclasses import dataclass, field
from math import prod
from time import perf_counter
from typing import Any

from core.bench.rows import Note, Options
from core.data.dataset import Dataset
from core.progress import Cancelled
from kernels.registry import open_device


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured. `time` multiplies the seconds that each section may take."""

    sizes: tuple[int, ...] = (50, 100, 200, 400, 800, 1600, 3200, 8000)
    large: int = 4096
    copied_bytes: int = 256 << 20
    hidden: int = 512
    batch: int = 100
    large_batch: int = 1000
    batches: tuple[int, ...] = (10, 20, 50, 100, 200, 500, 1000, 2000)
    cnn: str = "32C5-MP2-64C5-MP2-512N-10N"
    epochs: int = 5
    rounds: int = 9
    images: int = 60_000
    repeats: int = 50
    checked_steps: int = 3
    blocks: tuple[int, ...] = (8, 32)
    variant_seconds: float = 3.0
    operator_seconds: float = 0.5
    time: float = 1.0


FULL = Scale()
QUICK = Scale(
    sizes=(50, 200, 800, 3200),
    batches=(50, 100, 500, 1000),
    epochs=3,
    rounds=3,
    variant_seconds=0.5,
    operator_seconds=0.1,
    time=0.3,
)


class OutOfTime(Cancelled):
    """The time of the section is used up: the remainder of it is left out."""


@dataclass
class Context:
    """`results`: numbers for the targets, by name. `deadline`: when the current section must end (perf_counter)."""

    options: Options
    scale: Scale
    data: Dataset
    results: dict[str, float] = field(default_factory=dict)
    deadline: float = float("inf")

    @property
    def network(self) -> str:
        """One hidden layer between the data's inputs and outputs: 784-512-10 if they are digits."""
        return f"{prod(self.data.input_shape)}-{self.scale.hidden}-{self.data.outputs}"

    def left(self) -> float:
        return self.deadline - perf_counter()

    def check(self) -> None:
        """Called before a long measurement. Raises OutOfTime, or Cancelled as the caller's own check does."""
        self.options.check()
        if self.left() <= 0:
            raise OutOfTime

    def failed(self, what: str, error: Exception) -> Note:
        """A note about `error`, so that the other measurements go on. Raises it where that is `Cancelled`."""
        if isinstance(error, Cancelled):
            raise error
        lines = str(error).strip().splitlines() or ["no further message"]
        return Note(f"{what}: not measured further ({type(error).__name__}: {lines[0]})")


def open_card() -> Any:
    """The device `cuda`, typed as Any because it has more than other devices; the caller closes it."""
    return open_device("cuda")
