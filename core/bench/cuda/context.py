"""What the sections of the bench `cuda` share: sizes, data, a clock that ends them, and what was found so far."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from statistics import median
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
    rung_seconds: float = 3.0
    operator_seconds: float = 0.5
    time: float = 1.0


FULL = Scale()
QUICK = Scale(
    sizes=(50, 200, 800, 3200), batches=(50, 100, 500, 1000), epochs=3, rounds=3, rung_seconds=0.5,
    operator_seconds=0.1, time=0.3,
)  # fmt: skip


class OutOfTime(Exception):  # noqa: N818 - no fault: what is left of a section is left out
    """The section's seconds are over."""


@dataclass
class Context:
    """`found`: numbers for the targets, by name. `until`: when the section that runs now is to end.

    `ended`: what the asker's check raised, which is to end the bench and not only a section.
    """

    options: Options
    scale: Scale
    data: Dataset
    found: dict[str, float] = field(default_factory=dict)
    until: float = float("inf")
    ended: Exception | None = None

    @property
    def network(self) -> str:
        """784-512-10, where the data are digits."""
        return self.network_of(self.data)

    def network_of(self, data: Dataset) -> str:
        """One hidden layer between the data's inputs and outputs."""
        return f"{prod(data.input_shape)}-{self.scale.hidden}-{data.outputs}"

    def left(self) -> float:
        """Seconds left to the section."""
        return self.until - perf_counter()

    def check(self) -> None:
        """To be called before what takes long: raises OutOfTime, or what the asker's own check raises."""
        self.go_on()
        if self.left() <= 0:
            raise OutOfTime

    def failed(self, what: str, error: Exception) -> Note:
        """What to say of `error`, so that the rest can go on; raises it again where it is to end more than that."""
        if error is self.ended or isinstance(error, OutOfTime):
            raise error
        lines = str(error).strip().splitlines() or ["no further message"]
        return Note(f"{what}: not measured further ({type(error).__name__}: {lines[0]})")

    def go_on(self) -> None:
        """The asker's check alone."""
        try:
            self.options.check()
        except Exception as error:
            self.ended = error
            raise


def median_seconds(clocked: Callable[[], float], budget: float, most: int = 50) -> float:
    """The median of what `clocked` returns, called while `budget` seconds last; called once before, to be warm."""
    clocked()
    found: list[float] = []
    begun = perf_counter()
    while not found or (perf_counter() - begun < budget and len(found) < most):
        found.append(clocked())
    return median(found)


def open_card() -> Any:
    """The device `cuda` itself, with what no other device has; to be closed."""
    return open_device("cuda")
