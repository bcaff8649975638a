"""The thesis's ladder: one training step in six variants, from naive kernels to the captured graph.

Each variant really trains: before it is timed, its parameters after some steps are compared with those of the CPU.

A step of three of them as a timeline of launches by stream: thesis figures 4.2 to 4.4, and this program's step.
"""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from core.bench import published
from core.bench.cuda.context import Context
from core.bench.rows import Chart, Note, Row, Table
from core.measure.profile import StepRunner
from core.training.presets import find_preset
from core.training.run_settings import RunSettings
from kernels.registry import open_device

NUMBA = "numba transposes"
KERNEL = "own transposes"
NEVER = "NT and TN kernels"
PINNED = "pinned, two streams"
LAUNCHES = "the program's kernels"
CAPTURED = "the captured step"

# The variants with the thesis's naive kernels, and how these get a transposed operand.
NAIVE: dict[str, Any] = {NUMBA: "numba", KERNEL: "kernel", NEVER: "never", PINNED: "never"}

# Timings of a variant; the row has their median.
_TIMINGS = 3


def iter_ladder(context: Context) -> Iterator[Row | Note]:
    yield Note(
        f"Naive kernels in blocks of {context.options.block} x {context.options.block} threads (--block). Numba's "
        "transpose compiles a kernel each time it is called. An epoch of a slow variant is scaled from the steps that "
        "were measured."
    )
    blocks = sorted({*context.scale.blocks, context.options.block})
    for batch in (context.scale.batch, context.scale.large_batch):
        first: float | None = None
        trained: dict[str, np.ndarray] = {}
        for name in (NUMBA, KERNEL, NEVER, PINNED, LAUNCHES, CAPTURED):
            for block in blocks if name == NEVER else [context.options.block]:
                context.check()
                try:
                    row = _measure(context, name, batch, block, trained, first)
                except Exception as error:
                    yield context.failed(name, error)
                    continue
                if name == NUMBA:
                    first = row.values["seconds"]
                yield row


def thesis_run(context: Context, batch: int) -> RunSettings:
    """The thesis's run, as in the preset, with this batch size and the network for the bench's data."""
    return find_preset("thesis").settings.change(
        network=context.network, batch_size=batch, schedule="constant", seed=context.options.seed
    )


def _measure(
    context: Context, name: str, batch: int, block: int, trained: dict[str, np.ndarray], first: float | None
) -> Row:
    """Train and time the variant `name`; `block`: side of the square blocks of naive kernels."""
    from core.bench.cuda.ladder_step import variant_of

    steps = context.scale.checked_steps
    if not trained:
        # The same steps on the CPU, in float32 as well: the results differ by rounding.
        with closing(open_device("vectorized")) as device:
            cpu = StepRunner(thesis_run(context, batch), context.data, device)
            trained["start"] = cpu.parameters().astype(float)
            cpu.run(steps)
            trained["after"] = cpu.parameters().astype(float)
    with variant_of(context, name, batch, block) as variant:
        variant.run(steps)
        variant.synchronize()
        # Relative to what the steps changed.
        change = np.linalg.norm(trained["after"] - trained["start"])
        difference = float("nan")
        if change:
            difference = float(np.linalg.norm(variant.parameters() - trained["after"]) / change)
        epoch_steps = -(-len(context.data.train) // batch)
        seconds, measured = _seconds_per_step(variant, epoch_steps, context.scale.variant_seconds)
    return Row(
        "ladder",
        {
            "variant": name,
            "batch_size": batch,
            "block": block if name in NAIVE else None,
            "seconds": seconds * epoch_steps,
            "measured": measured,
            "of": epoch_steps,
            "speed_up": first / (seconds * epoch_steps) if first else None,
            "published": published.THESIS_LADDER.get((name, batch)),
            "difference": difference,
        },
    )


def _seconds_per_step(variant: Any, epoch_steps: int, budget: float) -> tuple[float, int]:
    """(median seconds per step, number of measured steps), with as many steps as `budget` seconds allow."""

    def timed(steps: int) -> float:
        start = perf_counter()
        variant.run(steps)
        variant.synchronize()
        return (perf_counter() - start) / steps

    estimate = timed(1)
    estimate = min(estimate, timed(max(1, min(epoch_steps, int(budget / 10 / estimate)))))
    steps = max(1, min(epoch_steps, int(budget / _TIMINGS / estimate)))
    return median(timed(steps) for _ in range(_TIMINGS)), steps * _TIMINGS


LADDER = Table(
    "ladder",
    "An epoch of the thesis's network in each variant of its ladder",
    (
        ("variant", "variant"),
        ("batch_size", "images a batch"),
        ("block", "block's side"),
        ("seconds", "seconds an epoch"),
        ("published", "seconds, thesis"),
        ("speed_up", "speed-up over the first"),
        ("measured", "steps measured"),
        ("of", "of an epoch's"),
        ("difference", "relative difference from the CPU"),
    ),
    Chart(
        "batch_size",
        "seconds",
        ("variant", "block"),
        x_log=True,
        y_log=True,
        published={"seconds": "published"},
    ),
)


def iter_timeline(context: Context) -> Iterator[Row | Note]:
    from core.bench.cuda.ladder_step import trace_program, trace_thesis

    yield Note(
        "Each launch is timed by two events, which take about a microsecond each. The program's step starts only when "
        "all of it is queued, so that its launches follow each other as in a captured step."
    )
    for table, trace in (
        ("one-stream", partial(trace_thesis, name=NEVER)),
        ("two-streams", partial(trace_thesis, name=PINNED)),
        ("own-step", trace_program),
    ):
        context.check()
        try:
            launches = trace(context)
        except Exception as error:
            yield context.failed(f"timeline, {table}", error)
            continue
        for launch in launches:
            yield Row(table, launch)


_TIMELINE_COLUMNS = (
    ("kernel", "kernel"),
    ("stream", "stream"),
    ("start", "begins, microseconds"),
    ("end", "ends, microseconds"),
    ("microseconds", "microseconds"),
)

TIMELINES = tuple(
    Table(name, title, _TIMELINE_COLUMNS, Chart("start", "stream", ("kernel",), end="end"))
    for name, title in (
        ("one-stream", "One step: naive kernels, one stream (thesis, figures 4.2, 4.3)"),
        ("two-streams", "Two steps: pinned copies on a second stream (thesis, figure 4.4)"),
        ("own-step", "One step of the program, by the streams of its captured form"),
    )
)
