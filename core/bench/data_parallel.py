"""Data-parallel training on the CPU: speed-up against points, against workers and group size; R²
against epochs.

Network, data and method are the coursework's (preset `coursework`). Epochs with several workers
and with one worker are timed alternately, so that a busy moment affects both alike.
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from statistics import median

from core.bench import published
from core.bench.rows import Bench, Chart, Note, Options, Row, Rows, Table
from core.bench.timing import (
    SPREAD_COLUMN,
    Epochs,
    Timed,
    Times,
    alternate,
    speed_ratio,
    spread,
)
from core.data.functions import load_function
from core.progress import Check
from core.training.presets import find_preset
from core.training.run_settings import RunSettings
from kernels.host import processor_count

DEVICE = "vectorized"


def iter_rows(options: Options) -> Rows:
    settings = find_preset("coursework").settings.change(seed=options.seed)
    cores = processor_count()
    # Two at least: without a second worker there is no speed-up to measure.
    workers = max(2, min(cores, settings.group))
    for side in options.sizes.grid_sides:
        times = _epoch_times(settings, side, workers, options)
        yield Row(
            "points",
            {
                "points": side * side,
                "workers": workers,
                "one_seconds": median(times["one"]),
                "many_seconds": median(times["many"]),
                "speed_up": speed_ratio(times["many"], times["one"]),
                "published": published.COURSEWORK_SPEED_UP.get(side * side),
                "spread": spread(times["many"]),
            },
        )
    for processes, group in options.sizes.groups:
        if processes <= cores:
            times = _epoch_times(
                settings.change(group=group), options.sizes.group_side, processes, options
            )
            yield Row(
                "groups",
                {
                    "workers": str(processes),
                    "group": group,
                    "seconds": median(times["many"]),
                    "speed_up": speed_ratio(times["many"], times["one"]),
                    "published": published.COURSEWORK_GROUPS.get((processes, group)),
                    "spread": spread(times["many"]),
                },
            )
    if options.sizes.quick:
        yield Note("R² against epochs and points takes some minutes: run without --quick.")
        return
    yield from _iter_quality(settings, options.check)


def _epoch_times(settings: RunSettings, side: int, workers: int, options: Options) -> Times:
    """Seconds of alternating epochs on a grid of `side` x `side` points: one worker, many."""
    data = load_function(f"rastrigin:{side}")
    # Few points in more rounds: each size is measured for about as long.
    rounds = max(5, min(100, options.sizes.points // len(data.train)))
    with ExitStack() as stack:
        programs: dict[str, Timed] = {}
        for name, count in (("one", 1), ("many", workers)):
            epochs = Epochs(settings.change(workers=count), data, DEVICE, options.check)
            programs[name] = stack.enter_context(closing(epochs))
        return alternate(programs, rounds)


def _iter_quality(settings: RunSettings, check: Check) -> Iterator[Row]:
    """R² after some numbers of epochs, for each number of points: the longest part."""
    epochs = sorted({epochs for epochs, _ in published.COURSEWORK_R2})
    settings = settings.change(epochs=epochs[-1], workers=min(processor_count(), settings.group))
    for side in (200, 300, 400):
        data = load_function(f"rastrigin:{side}")
        with closing(Epochs(settings, data, DEVICE, check)) as training:
            for epoch in range(1, epochs[-1] + 1):
                training()
                if training.ended and epoch in epochs:
                    yield Row(
                        "quality",
                        {
                            "epochs": epoch,
                            "points": str(len(data.train)),
                            "r2": training.ended.test_score,
                            "published": published.COURSEWORK_R2.get((epoch, len(data.train))),
                        },
                    )


_POINTS = {
    "points": "points",
    "workers": "workers",
    "one_seconds": "seconds an epoch, 1 worker",
    "many_seconds": "seconds, workers",
    "speed_up": "speed-up",
    "published": "speed-up, coursework (8 cores)",
    **SPREAD_COLUMN,
}
_GROUPS = {
    "workers": "workers",
    "group": "batches a group",
    "seconds": "seconds an epoch",
    "speed_up": "speed-up",
    "published": "speed-up, coursework",
    **SPREAD_COLUMN,
}
_QUALITY = {
    "epochs": "epochs",
    "points": "points",
    "r2": "R²",
    "published": "R², coursework",
}

BENCH = Bench(
    "data-parallel",
    (
        Table(
            "points",
            "Speed-up against points, 2-128-128-1, group 8, batch 256 (coursework, table 5.2)",
            _POINTS,
            Chart("points", "speed_up", published="published", is_logarithmic=True),
        ),
        Table(
            "groups",
            "Speed-up against workers and group, 40,000 points (coursework, table 5.3)",
            _GROUPS,
            Chart("group", "speed_up", "workers", "published"),
        ),
        Table(
            "quality",
            "R² against epochs and points (coursework, table 2.1)",
            _QUALITY,
            Chart("epochs", "r2", "points", "published"),
        ),
    ),
    iter_rows,
)
