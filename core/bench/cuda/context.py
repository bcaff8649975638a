"""What the sections of the bench `cuda` share: sizes, data, a deadline, and the results so far."""

from dataclasses import dataclass, field
from math import prod
from time import perf_counter
from typing import Any

from core.bench.rows import Note, Options
from core.data.dataset import Dataset
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
    sizes=(50, 200, 800, 3200), batches=(50, 100, 500, 1000), epochs=3, rounds=3, variant_seconds=0.5,
    operator_seconds=0.1, time=0.3,
)  # fmt: skip


class OutOfTime(Exception):  # noqa: N818 - not an error: the remainder of a section is left out
    """The time of the section is used up."""


@dataclass
class Context:
    """`results`: numbers for the targets, by name. `deadline`: when the current section must end (perf_counter).

    `cancellation`: the exception that the caller's check raised, which ends the bench and not only a section.
    """

    options: Options
    scale: Scale
    data: Dataset
    results: dict[str, float] = field(default_factory=dict)
    deadline: float = float("inf")
    cancellation: Exception | None = None

    @property
    def network(self) -> str:
        """784-512-10 if the data are digits."""
        return self.network_of(self.data)

    def network_of(self, data: Dataset) -> str:
        """One hidden layer between the data's inputs and outputs."""
        return f"{prod(data.input_shape)}-{self.scale.hidden}-{data.outputs}"

    def left(self) -> float:
        """Seconds until the deadline."""
        return self.deadline - perf_counter()

    def check(self) -> None:
        """Called before a long measurement. Raises OutOfTime, or what the caller's own check raises."""
        self.check_cancelled()
        if self.left() <= 0:
            raise OutOfTime

    def check_cancelled(self) -> None:
        """Calls the caller's check alone."""
        try:
            self.options.check()
        except Exception as error:
            self.cancellation = error
            raise

    def failed(self, what: str, error: Exception) -> Note:
        """A note about `error`, so that the other measurements go on. Raises it if it ends the section or bench."""
        if error is self.cancellation or isinstance(error, OutOfTime):
            raise error
        lines = str(error).strip().splitlines() or ["no further message"]
        return Note(f"{what}: not measured further ({type(error).__name__}: {lines[0]})")


def open_card() -> Any:
    """The device `cuda`, typed as Any because it has more than other devices; the caller closes it."""
    return open_device("cuda")
