"""Everything that a card is to be judged by, in one run of less than eight minutes.

Sections have seconds of their own: one that runs over is cut short and says so; one that fails leaves its reason
and the rest goes on.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from time import perf_counter

from core.bench.cuda.contest import EPOCH, iter_contest
from core.bench.cuda.context import FULL, QUICK, Context, OutOfTime, Scale
from core.bench.cuda.kernels import KERNELS, iter_kernels
from core.bench.cuda.ladder import LADDER, iter_ladder
from core.bench.cuda.operators import ADDITION, CEILINGS, PRODUCT, iter_ceilings, iter_operators
from core.bench.cuda.targets import TARGETS, iter_targets
from core.bench.cuda.timeline import TIMELINES, iter_timeline
from core.bench.cuda.training import ACCURACY, BATCHES, GOAL_TABLE, iter_batches, iter_goal
from core.bench.rows import Bench, Note, Options, Row
from core.data.dataset import Dataset
from core.data.sources import list_sources, load_dataset
from core.errors import InputError
from kernels.registry import probe

Rows = Iterator[Row | Note]


@dataclass(frozen=True, slots=True)
class Section:
    """`seconds` it may take, compilation of its kernels included."""

    title: str
    seconds: float
    rows: Callable[[Context], Rows]


SECTIONS = (
    Section("ceilings", 25, iter_ceilings),
    Section("epoch against PyTorch", 75, iter_contest),
    Section("time to 95 %", 60, iter_goal),
    Section("ladder", 80, iter_ladder),
    Section("timeline", 25, iter_timeline),
    Section("kernel by kernel", 60, iter_kernels),
    Section("batch size", 45, iter_batches),
    Section("product and addition", 60, iter_operators),
    Section("targets", 1, iter_targets),
)

# No section but the last begins or goes on after so many seconds: what a section may overrun fits before 480.
MOST_SECONDS = 430.0


def iter_rows(options: Options, scale: Scale | None = None, data: Dataset | None = None) -> Rows:
    """`scale` and `data` for tests, which have no card that would bear the usual sizes."""
    info = probe("cuda")
    if not info.available:
        raise InputError("{reason}", reason=info.reason)
    begun = perf_counter()
    yield Note(f"{info.title}; {', '.join(f'{key}: {text}' for key, text in info.details.items())}.")
    if data is None:
        data, remark = _data()
        yield Note(remark)
    context = Context(options, scale or (QUICK if options.quick else FULL), data)
    for section in SECTIONS:
        yield from _measured(section, context, begun)
    yield Note(f"The whole bench took {perf_counter() - begun:.0f} s.")


def _measured(section: Section, context: Context, begun: float) -> Rows:
    now = perf_counter()
    context.until = min(now + section.seconds * context.scale.time, begun + MOST_SECONDS)
    try:
        with closing(section.rows(context)) as rows:  # type: ignore[type-var]  # it is a generator
            yield from rows
    except OutOfTime:
        yield Note(f"{section.title}: cut short after {perf_counter() - now:.0f} s; the rest is left out.")
    except Exception as error:
        yield context.failed(section.title, error)


def _data() -> tuple[Dataset, str]:
    """MNIST where it is at hand, else the built-in digits, and a sentence that says which."""
    reason = "MNIST is not here (main.py data fetch mnist, or DIGITLAB_DATA)"
    try:
        if any(source.name == "mnist" and source.available for source in list_sources()):
            data = load_dataset("mnist")
            return data, f"On MNIST, {len(data.train):,} images to learn from."
    except Exception as error:
        # A machine with a card may lack the package that reads MNIST's files: its digits are not what counts.
        reason = f"MNIST could not be read ({error})"
    data = load_dataset("builtin")
    return data, f"{reason}: on the built-in digits instead, {len(data.train):,} images to learn from."


BENCH = Bench(
    "cuda",
    "A graphics card, from its ceilings to whole trainings",
    (
        CEILINGS, EPOCH, GOAL_TABLE, LADDER, *TIMELINES, *KERNELS, BATCHES, ACCURACY, PRODUCT, ADDITION, TARGETS,
    ),
    iter_rows,
)  # fmt: skip
