"""The thesis's ladder: one training step in six variants, from naive kernels to the captured graph.

Each variant really trains: before it is timed, its parameters after some steps are compared with
those of the CPU.
"""

from collections.abc import Iterator
from contextlib import closing
from math import prod
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from core.bench import published
from core.bench.rows import Bench, Note, Options, Row, Table
from core.bench.timing import load_digits
from core.data.dataset import Dataset
from core.errors import InputError
from core.measure.profile import StepRunner
from core.progress import Cancelled
from core.training.presets import find_preset
from core.training.run_settings import RunSettings
from kernels.registry import open_device, probe

NUMBA = "numba transposes"
KERNEL = "own transposes"
NEVER = "NT and TN kernels"
PINNED = "pinned, two streams"
LAUNCHES = "the program's kernels"
CAPTURED = "the captured step"

# The variants with the thesis's naive kernels, and how their products get a transposed operand: by
# Numba's `array.T`, which compiles a kernel at each call; by a transpose kernel that is compiled
# once; or never, because the product's kernel reads the operand transposed.
NAIVE = {NUMBA: "numba", KERNEL: "kernel", NEVER: "never", PINNED: "never"}

# Timings of a variant; the row has their median.
_TIMINGS = 3

# Steps before the parameters are compared with those of the CPU.
_CHECKED_STEPS = 3


def iter_rows(options: Options) -> Iterator[Row | Note]:
    """Raises InputError where there is no card."""
    info = probe("cuda")
    if not info.available:
        raise InputError("{reason}", reason=info.reason)
    yield Note(
        f"{info.title}; {', '.join(f'{key}: {text}' for key, text in info.details.items())}."
    )
    data, sentence = load_digits()
    yield Note(sentence)
    yield from iter_ladder(options, data)


def iter_ladder(options: Options, data: Dataset) -> Iterator[Row | Note]:
    yield Note(
        "Naive kernels in square blocks of threads. Numba's transpose compiles a kernel each time "
        "it is called. An epoch of a slow variant is scaled from the steps that were measured."
    )
    blocks = options.sizes.ladder_blocks
    for batch in options.sizes.ladder_batches:
        first: float | None = None
        trained: dict[str, np.ndarray] = {}
        for name in (NUMBA, KERNEL, NEVER, PINNED, LAUNCHES, CAPTURED):
            for block in blocks if name == NEVER else blocks[:1]:
                options.check()
                settings = thesis_run(options, data, batch)
                budget = options.sizes.variant_seconds
                try:
                    row = measure(name, settings, data, block, trained, first, budget)
                except Cancelled:
                    raise
                except Exception as error:  # so that the other measurements go on
                    yield _failed(name, error)
                    continue
                if name == NUMBA:
                    first = row.values["seconds"]
                yield row


def _failed(what: str, error: Exception) -> Note:
    lines = str(error).strip().splitlines() or ["no further message"]
    return Note(f"{what}: not measured further ({type(error).__name__}: {lines[0]})")


def thesis_run(options: Options, data: Dataset, batch: int) -> RunSettings:
    """The thesis's run, as in the preset, with this batch size and a network for the data."""
    network = f"{prod(data.input_shape)}-{options.sizes.ladder_hidden}-{data.outputs}"
    return find_preset("thesis").settings.change(
        network=network, batch_size=batch, schedule="constant", seed=options.seed
    )


def measure(
    name: str,
    settings: RunSettings,
    data: Dataset,
    block: int,
    trained: dict[str, np.ndarray],
    first: float | None,
    budget: float,
) -> Row:
    """Train and time the variant `name` for `budget` seconds. `block`: side of the square blocks of
    naive kernels.

    `trained`: parameters of the CPU before and after the checked steps; filled where it is empty.
    `first`: seconds of an epoch of the first variant.
    """
    from core.bench.cuda.ladder_step import open_variant

    batch = settings.batch_size
    if not trained:
        # The same steps on the CPU, in float32 as well: the results differ by rounding.
        with closing(open_device("vectorized")) as device:
            cpu = StepRunner(settings, data, device)
            trained["start"] = cpu.parameters().astype(float)
            cpu.run(_CHECKED_STEPS)
            trained["after"] = cpu.parameters().astype(float)
    with open_variant(
        settings, data, block, NAIVE.get(name), pinned=name == PINNED, captured=name == CAPTURED
    ) as variant:
        variant.run(_CHECKED_STEPS)
        variant.synchronize()
        # Relative to what the steps changed.
        change = np.linalg.norm(trained["after"] - trained["start"])
        difference = float("nan")
        if change:
            difference = float(np.linalg.norm(variant.parameters() - trained["after"]) / change)
        epoch_steps = -(-len(data.train) // batch)
        seconds, measured = _seconds_per_step(variant, epoch_steps, budget)
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
    """(median seconds per step, number of measured steps), with as many steps as `budget` seconds
    allow.
    """

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
    {
        "variant": "variant",
        "batch_size": "images a batch",
        "block": "block's side",
        "seconds": "seconds an epoch",
        "published": "seconds, thesis",
        "speed_up": "speed-up over the first",
        "measured": "steps measured",
        "of": "of an epoch's",
        "difference": "relative difference from the CPU",
    },
)


BENCH = Bench("cuda", (LADDER,), iter_rows)
