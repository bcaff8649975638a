"""Each device against `sequential`, for the dense network and the CNN of the operators course.

`sequential` is compiled here. What the same loops take as plain Python is measured too, on a few images, in a
process of its own: that is what the course compared with.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from core.bench import machine, published
from core.bench.epochs import Epochs, noise_images
from core.bench.rows import Bench, Chart, Note, Options, Row, Table
from core.errors import InputError
from core.training.run import Run
from kernels.registry import device_spec

UNCOMPILED = "sequential, not compiled"
EPOCH = 60_000

_DENSE = Run(network="784-100-10", activation="sigmoid", batch_size=100)
_CNN = Run(network="8C5-MP2-16C5-MP2-100N-10N", batch_size=100)

# Images of one timing of the uncompiled loops, by network: (quick, full); the devices declare theirs.
_UNCOMPILED_IMAGES = {"dense": (10, 50), "cnn": (1, 5)}


def iter_rows(options: Options) -> Iterator[Row | Note]:
    names, missing = machine.available(options.devices)
    yield from missing
    uncompiled = "sequential" in names and not getattr(sys, "frozen", False)
    for table, run, reported in (
        ("dense", _DENSE, published.UNICAMP_DENSE),
        ("cnn", _CNN, published.UNICAMP_CNN),
    ):
        slowest: dict[str, float] = {}
        for name in ([UNCOMPILED] if uncompiled else []) + names:
            images = _images(table, name, options.quick)
            seconds = (
                _uncompiled(table, images) if name == UNCOMPILED else _seconds(run, name, images, options)
            )
            slowest[name] = seconds
            yield Row(table, _values(name, seconds, slowest, reported))


def _images(table: str, name: str, quick: bool) -> int:
    """Images of one timed epoch."""
    counts = _UNCOMPILED_IMAGES if name == UNCOMPILED else device_spec(name).bench_images
    return counts[table][0 if quick else 1]


def _values(
    name: str, seconds: float, found: dict[str, float], reported: dict[tuple[str, str], float]
) -> dict[str, object]:
    def over(other: str) -> float | None:
        return found[other] / seconds if other in found and other != name else None

    return {
        "device": name, "images_per_second": 1 / seconds, "epoch_seconds": seconds * EPOCH,
        "over_uncompiled": over(UNCOMPILED), "over_sequential": over("sequential"),
        "over_vectorized": over("vectorized"),
        "published_sequential": reported.get(("sequential", name)),
        "published_vectorized": reported.get(("vectorized", name)),
    }  # fmt: skip


def _seconds(run: Run, device: str, images: int, options: Options) -> float:
    """Least seconds an image, of three epochs."""
    run = run.change(batch_size=min(run.batch_size, images), seed=options.seed)
    epochs = Epochs(run, noise_images(images, options.seed), device, options.check)
    try:
        return min(epochs() for _ in range(3)) / images
    finally:
        epochs.close()


def _uncompiled(table: str, images: int) -> float:
    """Seconds an image of `sequential` without Numba's compiler, in a process of its own."""
    root = Path(__file__).parents[2]
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": str(root),
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "core.bench.devices", table, str(images)]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if found.returncode:
        lines = found.stderr.strip().splitlines() or ["no reason given"]
        raise InputError("The plain Python loops could not be timed: {reason}.", reason=lines[-1])
    return float(json.loads(found.stdout))


def _time_here(table: str, images: int) -> float:
    """Seconds an image of one step of so many images, nothing before it: there is nothing to compile."""
    from time import perf_counter

    import numpy as np

    from core.network.forward_backward import ForwardBackward
    from core.network.initialization import initial_parameters
    from core.network.losses import find_loss
    from core.network.notation import parse
    from kernels.registry import open_device

    run = _DENSE if table == "dense" else _CNN
    network = parse(run.network, (28, 28, 1), 10)
    split = noise_images(images, test=1).train
    device = open_device("sequential")
    parameters = initial_parameters(network, run.initialization, run.seed)
    gradient = np.empty_like(parameters)
    one = ForwardBackward(
        network,
        run.activation,
        find_loss("cross-entropy", "classes"),
        device,
        parameters,
        images,
        gradient=gradient,
    )
    counters, order = np.zeros(2, np.int32), np.arange(images, dtype=np.int32)
    begun = perf_counter()
    device.gather(split.inputs, order, counters, one.inputs)
    one.forward()
    one.loss(split.answers, np.zeros(2))
    one.backward()
    device.sgd(parameters, gradient, np.zeros(1, np.float32), 0.0, network.weight_count)
    return (perf_counter() - begun) / images


_COLUMNS = (
    ("device", "device"), ("images_per_second", "images a second"), ("epoch_seconds", "seconds for 60,000 images"),
    ("over_uncompiled", "over plain Python"), ("over_sequential", "over sequential"),
    ("over_vectorized", "over vectorized"), ("published_sequential", "over sequential, Unicamp (plain Python)"),
    ("published_vectorized", "over vectorized, Unicamp"),
)  # fmt: skip
_CHART = Chart("device", "images_per_second", y_log=True)

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
    sys.stdout.write(json.dumps(_time_here(sys.argv[1], int(sys.argv[2]))))
