"""Checks a kernel: interprets it in a process of its own, compares with the reference, and states a verdict.

The window calls `iter_check`, notebooks and tests `check`:

>>> from core.workshop.check import check
>>> text = '''
... from numba import cuda
...
... @cuda.jit
... def add_ten(out, a):
...     i = cuda.grid(1)
...     out[i] = a[i] + 10
... '''
>>> verdict = check(text, "out: float32[n], a: float32[n]", "(n + 7) // 8", "8", "n=7", types=False)
>>> verdict.faults[0].kind, verdict.faults[0].line
('bounds', 7)
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from core.workshop.launch import Launch
from kernels.workshop.trace import Count, Fault, Totals, Trace


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a check. `counts`, `totals`: of the largest shape. `trace`: of one launch, if it was asked for.

    `types`: a sentence that says how the types were checked. `seconds`: of the launch on a card, by shape; empty
    where there is none.
    """

    kernel: str
    sizes: tuple[dict[str, int], ...]
    faults: tuple[Fault, ...] = ()
    counts: tuple[Count, ...] = ()
    totals: Totals = field(default_factory=Totals)
    types: str = ""
    seed: int = 0
    checked_seconds: float = 0.0
    trace: Trace | None = None
    card: str = ""
    seconds: tuple[float, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether there is no fault but warnings."""
        return all(fault.is_warning for fault in self.faults)

    @property
    def summary(self) -> str:
        """The verdict in a sentence: “no fault on these 9 shapes”."""
        raise NotImplementedError

    def as_dict(self) -> dict[str, Any]:
        """What `--json` prints."""
        raise NotImplementedError

    def __str__(self) -> str:
        """All for a terminal: faults, counts, summary."""
        raise NotImplementedError


def check(
    kernel: str | Callable[..., Any], args: str, grid: str, block: str, sizes: str = "", *, expect: str = "",
    name: str = "", seed: int | None = None, types: bool = True, trace: bool = False,
) -> Verdict:  # fmt: skip
    """Check a kernel: the text of a Python file, or a function of a notebook.

    The other arguments are the texts of docs/workshop.md, Options. Raises InputError for wrong use.
    """
    raise NotImplementedError


def iter_check(
    source: str, launch: Launch, *, seed: int | None = None, types: bool = True,
    trace: bool | dict[str, int] = False,
) -> Iterator[Verdict | None]:  # fmt: skip
    """Check in processes of their own; yields None about twenty times a second, and the verdict at the end.

    Closing the generator ends the processes. `trace`: True for the trace of the shape of the first fault, else of the
    smallest with several blocks; or the sizes of a shape. Raises InputError for wrong use, never for what is wrong
    with the kernel.
    """
    raise NotImplementedError
