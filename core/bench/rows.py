"""A bench yields rows, one a measurement; a table says how rows of one kind are shown, saved and drawn."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kernels.registry import device_names


@dataclass(frozen=True, slots=True)
class Chart:
    """Columns of a table as a picture: a line for each value of `series` (the columns' names), y against x.

    `x_log`, `y_log`: logarithmic axes. Where x is a text, bars take the place of lines. With `until` it is a
    timeline: each row a bar from x to the column `until`, in a lane for each value of y, coloured by `series`.
    """

    x: str
    y: str
    series: tuple[str, ...] = ()
    x_log: bool = False
    y_log: bool = False
    published: str | None = None  # a column with the figures of others, drawn beside ours
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """`columns`: (key of the row's values, heading with its unit), in order."""

    name: str
    title: str
    columns: tuple[tuple[str, str], ...]
    chart: Chart | None = None

    def heading(self, key: str) -> str:
        return dict(self.columns)[key]


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement of the table called `table`. A value that does not apply is None."""

    table: str
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence in place of measurements, such as why some are left out."""

    text: str


def _go_on() -> None:
    """Nobody wants the bench to end."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a person asks of a bench. `quick`: under half a minute on two cores.

    `check` is called within long measurements, several times a second: what it raises ends the bench.
    """

    quick: bool = False
    devices: tuple[str, ...] = field(default_factory=device_names)
    torch_python: Path | None = None
    seed: int = 0
    check: Callable[[], None] = _go_on
    block: int = 16  # threads along each side of a block of the naive kernels


@dataclass(frozen=True, slots=True)
class Bench:
    """`iter_rows` can be closed between two rows; it raises InputError where nothing can be measured."""

    name: str
    title: str
    tables: tuple[Table, ...]
    iter_rows: Callable[[Options], Iterator[Row | Note]]

    def table(self, name: str) -> Table:
        return next(table for table in self.tables if table.name == name)
