"""One step by stream, launch by launch: the thesis's figures 4.2 to 4.4, and the program's own step beside them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from core.bench.cuda.context import Context
from core.bench.cuda.ladder import NEVER, PINNED, ProgramRung, Setting, make_rung, thesis_run
from core.bench.rows import Chart, Note, Row, Table
from core.measure.instrumented_device import InstrumentedDevice, Operator

if TYPE_CHECKING:
    from core.bench.cuda.ladder_trace import Span

# Steps before the one that is traced: all is compiled, and both of the pinned buffers have been used.
_BEFORE = 3


def iter_timeline(context: Context) -> Iterator[Row | Note]:
    yield Note(
        "Events before and after each launch; they cost about a microsecond each. The program's step is held back "
        "until all of it is queued, so that its launches follow each other as those of a captured step do."
    )
    for table, trace in (
        ("one-stream", lambda: _thesis(context, NEVER)),
        ("two-streams", lambda: _thesis(context, PINNED)),
        ("own-step", lambda: _own(context)),
    ):
        context.check()
        try:
            spans = trace()
        except Exception as error:
            yield context.failed(f"timeline, {table}", error)
            continue
        for span in spans:
            yield Row(table, {
                "kernel": span.name, "stream": span.stream, "start": span.start, "end": span.end,
                "microseconds": span.end - span.start,
            })  # fmt: skip


def _thesis(context: Context, rung_name: str) -> "list[Span]":
    """Two steps for the pinned rung, where the copies of the second meet the computing of the first."""
    from core.bench.cuda.ladder_trace import Trace

    with ExitStack() as stack:
        rung: Any = make_rung(context, Setting(rung_name, context.scale.batch, context.options.block), stack)
        rung.run(_BEFORE)
        rung.synchronize()
        rung.step.trace = trace = Trace()
        rung.run(2 if rung_name == PINNED else 1)
        rung.step.trace = None
        return trace.spans()


def _own(context: Context) -> "list[Span]":
    from core.bench.cuda.ladder_trace import TracedCuda

    with closing(TracedCuda()) as device:

        def named(name: str, operator: Operator, arguments: tuple[Any, ...]) -> None:
            device.name_next(name.replace("_", " "))
            operator(*arguments)

        run = thesis_run(context, context.scale.batch)
        rung = ProgramRung(context, run, device, InstrumentedDevice(device, named))
        with closing(rung):
            rung.run(_BEFORE)
            step: Callable[[], None] = lambda: rung.run(1)  # noqa: E731 - named for the type checker
            return device.trace(step)


_COLUMNS = (
    ("kernel", "kernel"), ("stream", "stream"), ("start", "begins, microseconds"), ("end", "ends, microseconds"),
    ("microseconds", "microseconds"),
)  # fmt: skip
_CHART = Chart("start", "stream", ("kernel",), until="end")

TIMELINES = (
    Table("one-stream", "One step: naive kernels, one stream (thesis, figures 4.2, 4.3)", _COLUMNS, _CHART),
    Table(
        "two-streams", "Two steps: pinned copies on a second stream (thesis, figure 4.4)", _COLUMNS, _CHART
    ),
    Table("own-step", "One step of the program, by the streams of its captured form", _COLUMNS, _CHART),
)
