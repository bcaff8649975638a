"""The types of a benchmark: options, measurements, and how a table of measurements is shown and
saved.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from core.progress import Check, never_cancel
from kernels.registry import device_names


@dataclass(frozen=True, slots=True)
class Chart:
    """How a table is drawn: the column `y` against `x`, a line for each value of `series`.

    `published`: the column with published values of y. `is_logarithmic`: both axes.
    """

    x: str
    y: str
    series: str = ""
    published: str = ""
    is_logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """`columns`: headings with the unit, by the keys in the row's values, in order."""

    name: str
    title: str
    columns: dict[str, str]
    chart: Chart | None = None

    def heading(self, key: str) -> str:
        return self.columns[key]


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement of the table named `table`. A value that does not apply is None."""

    table: str
    values: dict[str, Any]

    def add_to(self, report: "Report") -> None:
        report.add_row(self)


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence to show between the rows, such as the reason why a measurement is missing."""

    text: str

    def add_to(self, report: "Report") -> None:
        report.add_note(self.text)


Rows = Iterator[Row | Note]
"""What a benchmark yields while it measures."""


class Report(Protocol):
    """Takes what a benchmark yields."""

    def add_row(self, row: Row) -> None: ...
    def add_note(self, text: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much the benchmarks measure. The defaults are the full sizes.

    `budget`: seconds to repeat one operator. `max_seconds_per_call`: an operator is skipped at
    sizes where it would take more seconds than this. `images_limit`: upper limit of the images of
    one timing in the bench `devices`.
    """

    quick: bool = False
    matrices: tuple[int, ...] = (50, 100, 200, 400, 800, 1600, 3200, 8000)
    budget: float = 2.0
    max_seconds_per_call: float = 30.0
    batches: tuple[int, ...] = (10, 20, 50, 100, 200, 500, 1000, 2000)
    batch_images: int | None = None  # None: the whole training split
    grid_sides: tuple[int, ...] = (50, 100, 200, 300, 400, 500, 600)
    group_side: int = 200
    groups: tuple[tuple[int, int], ...] = tuple((p, k * p) for p in (2, 4, 8) for k in (1, 2, 4))
    points: int = 2_000_000  # trained on in one timing, all rounds together
    dense_images: int = 60_000
    dense_rounds: int = 15
    cnn_images: int = 2_000
    rounds: int = 25
    images_limit: int | None = None
    goal_epochs: int = 5
    ladder_batches: tuple[int, ...] = (100, 1000)
    ladder_blocks: tuple[int, ...] = (16, 8, 32)  # the first is that of all variants
    ladder_hidden: int = 512
    variant_seconds: float = 3.0


FULL = Sizes()
QUICK = Sizes(
    quick=True,
    matrices=(50, 100, 200, 400, 800),
    budget=0.1,
    max_seconds_per_call=0.5,
    batches=(50, 100, 200, 500, 1000),
    batch_images=6_000,
    grid_sides=(50, 100, 200),
    groups=((2, 2), (2, 4), (2, 8)),
    points=240_000,
    dense_images=6_000,
    dense_rounds=5,
    cnn_images=500,
    rounds=5,
    variant_seconds=0.5,
)


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asks of a benchmark.

    `check` is called several times a second within long measurements; an exception that it raises
    ends the benchmark. `devices`: names of the devices to measure. `torch_python`: a Python
    interpreter with PyTorch.
    """

    sizes: Sizes = FULL
    devices: tuple[str, ...] = field(default_factory=device_names)
    torch_python: Path | None = None
    seed: int = 0
    check: Check = never_cancel


@dataclass(frozen=True, slots=True)
class Bench:
    """A named benchmark with its tables.

    `iter_rows(options)` is a generator that can be closed between two rows. It raises InputError
    where nothing can be measured.
    """

    name: str
    tables: tuple[Table, ...]
    iter_rows: Callable[[Options], Rows]

    def table(self, name: str) -> Table:
        return next(table for table in self.tables if table.name == name)
