"""Each device against `sequential`, for the dense network and the CNN of the operators course.

`sequential` is compiled here. The course compared with uncompiled Python loops, so the same loops are also timed
uncompiled, on a few images, in a process of their own.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from core.bench import machine, published
from core.bench.rows import Bench, Chart, Note, Options, Row, Table
from core.bench.timing import Epochs, noise_images
from core.errors import InputError
from core.training.run_settings import RunSettings
from kernels.registry import device_spec

UNCOMPILED = "sequential, not compiled"
EPOCH = 60_000

RUNS = {
    "dense": RunSettings(network="784-100-10", activation="sigmoid", batch_size=100),
    "cnn": RunSettings(network="8C5-MP2-16C5-MP2-100N-10N", batch_size=100),
}
_PUBLISHED = {"dense": published.UNICAMP_DENSE, "cnn": published.UNICAMP_CNN}
# Images of one timing of the uncompiled loops: (quick, full); the devices declare theirs.
_UNCOMPILED_IMAGES = {"dense": (10, 50), "cnn": (1, 5)}


def iter_rows(options: Options) -> Iterator[Row | Note]:
    names, missing = machine.available(options.devices)
    yield from missing
    # The frozen program has no Python interpreter to run the uncompiled loops.
    uncompiled = "sequential" in names and not getattr(sys, "frozen", False)
    for table in RUNS:
        seconds: dict[str, float] = {}
        for name in ([UNCOMPILED] if uncompiled else []) + names:
            counts = _UNCOMPILED_IMAGES if name == UNCOMPILED else device_spec(name).bench_images
            images = counts[table][0 if options.sizes.quick else 1]
            images = min(images, options.sizes.images_limit or images)
            if name == UNCOMPILED:
                seconds[name] = uncompiled_seconds(table, images)
            else:
                settings = RUNS[table].change(
                    batch_size=min(RUNS[table].batch_size, images), seed=options.seed
                )
                data = noise_images(images, options.seed)
                with closing(Epochs(settings, data, name, options.check)) as epochs:
                    seconds[name] = min(epochs() for _ in range(3)) / images
            yield Row(table, _values(name, seconds, _PUBLISHED[table]))


def _values(
    name: str, seconds: Mapping[str, float], reported: Mapping[tuple[str, str], float]
) -> dict[str, object]:
    """`seconds`: for each image in the fastest of three epochs, by the devices measured so far."""

    def over(other: str) -> float | None:
        return seconds[other] / seconds[name] if other in seconds and other != name else None

    return {
        "device": name, "images_per_second": 1 / seconds[name], "epoch_seconds": seconds[name] * EPOCH,
        "over_uncompiled": over(UNCOMPILED), "over_sequential": over("sequential"),
        "over_vectorized": over("vectorized"),
        "published_sequential": reported.get(("sequential", name)),
        "published_vectorized": reported.get(("vectorized", name)),
    }  # fmt: skip


def uncompiled_seconds(table: str, images: int) -> float:
    """Seconds for each image of `sequential` without Numba's compiler, in a process of its own."""
    root = Path(__file__).parents[2]
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": str(root),
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "core.bench.devices", table, str(images)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no reason given"]
        raise InputError("The plain Python loops could not be timed: {reason}.", reason=lines[-1])
    return float(json.loads(done.stdout))


def _time_step(table: str, images: int) -> float:
    """Seconds for each image of one step on `images` images."""
    from core.bench.timing import seconds_of
    from core.measure.profile import StepRunner
    from kernels.registry import open_device

    settings = RUNS[table].change(batch_size=images)
    runner = StepRunner(settings, noise_images(images, test=1), open_device("sequential"))
    return seconds_of(lambda: runner.run(1)) / images


_COLUMNS = (
    ("device", "device"), ("images_per_second", "images a second"), ("epoch_seconds", "seconds for 60,000 images"),
    ("over_uncompiled", "over plain Python"), ("over_sequential", "over sequential"),
    ("over_vectorized", "over vectorized"), ("published_sequential", "over sequential, Unicamp (plain Python)"),
    ("published_vectorized", "over vectorized, Unicamp"),
)  # fmt: skip
# The course's sequential loops were plain Python, so its ratios belong beside the uncompiled loops.
_CHART = Chart(
    "device", "images_per_second", y_log=True,
    published={"over_uncompiled": "published_sequential", "over_vectorized": "published_vectorized"},
)  # fmt: skip

BENCH = Bench(
    "devices",
    "Each device against plain loops",
    (
        Table("dense", "784-100-10, batch 100 (Unicamp, figure 5)", _COLUMNS, _CHART),
        Table("cnn", "8C5-MP2-16C5-MP2-100N-10N, batch 100 (Unicamp, figure 6)", _COLUMNS, _CHART),
    ),
    iter_rows,
)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_time_step(sys.argv[1], int(sys.argv[2]))))
