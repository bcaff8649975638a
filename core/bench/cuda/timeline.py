"""One training step as a timeline of launches by stream: thesis figures 4.2 to 4.4, and this program's step."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from core.bench.cuda.context import Context, open_card
from core.bench.cuda.ladder import NEVER, PINNED, ProgramStep, make_variant, thesis_run
from core.bench.rows import Chart, Note, Row, Table
from core.measure.profile import InstrumentedDevice, Operator

if TYPE_CHECKING:
    from core.bench.cuda.ladder_step import TracedLaunch

# Steps before the traced one: everything is compiled, and both pinned buffers have been used.
_WARM_UP_STEPS = 3


def iter_timeline(context: Context) -> Iterator[Row | Note]:
    yield Note(
        "Each launch is timed by two events, which take about a microsecond each. The program's step starts only when "
        "all of it is queued, so that its launches follow each other as in a captured step."
    )
    for table, trace in (
        ("one-stream", lambda: _trace_thesis(context, NEVER)),
        ("two-streams", lambda: _trace_thesis(context, PINNED)),
        ("own-step", lambda: _trace_program(context)),
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


def _trace_thesis(context: Context, variant_name: str) -> "list[TracedLaunch]":
    """One step of a variant; two of the pinned variant, so that the copies of the second overlap the first."""
    from core.bench.cuda.ladder_step import Trace

    with ExitStack() as stack:
        variant: Any = make_variant(context, variant_name, context.scale.batch, context.options.block, stack)
        variant.run(_WARM_UP_STEPS)
        variant.synchronize()
        variant.trace = trace = Trace()
        variant.run(2 if variant_name == PINNED else 1)
        variant.trace = None
        return trace.launches()


def _trace_program(context: Context) -> "list[TracedLaunch]":
    """One step of this program."""
    from core.bench.cuda.ladder_step import trace_step

    names = [""]

    def name_launch(name: str, operator: Operator, arguments: tuple[Any, ...]) -> None:
        names[0] = name.replace("_", " ")
        operator(*arguments)

    with closing(open_card()) as device:
        run = thesis_run(context, context.scale.batch)
        with closing(ProgramStep(context, run, device, InstrumentedDevice(device, name_launch))) as variant:
            variant.run(_WARM_UP_STEPS)
            return trace_step(device, lambda: variant.run(1), lambda: names[0])


_COLUMNS = (
    ("kernel", "kernel"), ("stream", "stream"), ("start", "begins, microseconds"), ("end", "ends, microseconds"),
    ("microseconds", "microseconds"),
)  # fmt: skip
_CHART = Chart("start", "stream", ("kernel",), end="end")

TIMELINES = (
    Table("one-stream", "One step: naive kernels, one stream (thesis, figures 4.2, 4.3)", _COLUMNS, _CHART),
    Table(
        "two-streams", "Two steps: pinned copies on a second stream (thesis, figure 4.4)", _COLUMNS, _CHART
    ),
    Table("own-step", "One step of the program, by the streams of its captured form", _COLUMNS, _CHART),
)
