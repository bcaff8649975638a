"""Epochs of small trainings: against batch size, to 95 %, and of each device against
`sequential`.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from math import prod

from core.bench import published, timing
from core.bench.rows import Bench, Chart, Note, Options, Row, Rows, Table
from core.data.dataset import Dataset
from core.errors import InputError
from core.measure.profile import StepRunner
from core.program import FOLDER, module_name
from core.training.presets import find_preset
from core.training.run_settings import RunSettings
from kernels.installation import FROM_WHEEL, is_frozen
from kernels.registry import device_spec, open_device


def iter_batch_rows(options: Options) -> Rows:
    names = yield from timing.iter_available(options, loops=False)
    data, sentence = timing.load_digits()
    yield Note(sentence)
    yield from _iter_batch_sizes(data, names, options)
    for name in names:
        yield _goal_row(data, name, options)
    if data.name == "mnist":
        for contestant, seconds in published.THESIS_SECONDS_TO_95.items():
            yield Row(
                "goal", {**dict.fromkeys(_GOAL_KEYS), "device": contestant, "published": seconds}
            )


def _iter_batch_sizes(full: Dataset, devices: Sequence[str], options: Options) -> Iterator[Row]:
    """The first epoch of the thesis's network at each batch size and on each device: seconds, test
    accuracy.
    """
    data = full
    if (count := options.sizes.batch_images) is not None:
        # A third as many test images.
        data = replace(full, train=full.train.first(count), test=full.test.first(count // 3))
    part = len(data.train) / len(full.train)
    preset = find_preset("thesis").settings
    for size in options.sizes.batches:
        # The thesis sums gradients, so its steps grow with the batch; above its 100 images that
        # would diverge.
        rate = preset.learning_rate * min(1.0, size / preset.batch_size)
        run = preset.change(
            batch_size=size, learning_rate=rate, schedule="constant", seed=options.seed
        )
        for name in devices:
            with closing(timing.Epochs(run, data, name, options.check)) as epochs:
                seconds = epochs()
                accuracy = epochs.ended.test_score if epochs.ended else None
            reported = published.THESIS_BATCH_ACCURACY.get(size)
            yield Row(
                "epoch",
                {
                    "device": name,
                    "batch_size": size,
                    # The time is scaled to the whole training split; the accuracy cannot be.
                    "seconds": seconds / part,
                    "accuracy": accuracy,
                    "published_seconds": published.THESIS_BATCH_SECONDS.get(size),
                    "published_accuracy": reported if part == 1 and data.name == "mnist" else None,
                },
            )


GOAL = 0.95


def _goal_row(data: Dataset, device: str, options: Options) -> Row:
    """A training until its test accuracy reaches 95 %, for some epochs at most."""
    network = f"{prod(data.input_shape)}-512-{data.outputs}"
    run = RunSettings(network=network, batch_size=100, learning_rate=0.1, seed=options.seed)
    accuracies: list[float] = []
    seconds = None
    with closing(timing.Epochs(run, data, device, options.check)) as training:
        while seconds is None and len(accuracies) < options.sizes.goal_epochs:
            training()
            # A training that diverges never reaches the goal.
            if training.ended is None:
                break
            accuracies.append(training.ended.test_score)
            if accuracies[-1] >= GOAL:
                seconds = training.ended.seconds
    values = (
        device,
        seconds,
        len(accuracies),
        accuracies[0] if accuracies else None,
        accuracies[-1] if accuracies else None,
        None,
    )
    return Row("goal", dict(zip(_GOAL_KEYS, values, strict=True)))


_GOAL_KEYS = ("device", "seconds", "epochs", "first", "last", "published")
_GOAL_HEADINGS = (
    "program",
    "seconds to 95 %",
    "epochs",
    "accuracy after 1",
    "accuracy at the end",
    "seconds, thesis",
)
_BATCH_COLUMNS = {
    "device": "device",
    "batch_size": "images a batch",
    "seconds": "seconds an epoch",
    "accuracy": "test accuracy after it",
    "published_seconds": "seconds, thesis",
    "published_accuracy": "accuracy, thesis",
}
BATCH_SIZE = Bench(
    "batch-size",
    (
        Table(
            "epoch",
            "784-512-10, clipped leaky ReLU, first epoch (thesis, figure 3.3)",
            _BATCH_COLUMNS,
            Chart("batch_size", "seconds", "device", "published_seconds", is_logarithmic=True),
        ),
        Table(
            "goal",
            "Training to a test accuracy of 95 %: 512 hidden units, ReLU, batch 100",
            dict(zip(_GOAL_KEYS, _GOAL_HEADINGS, strict=True)),
        ),
    ),
    iter_batch_rows,
)

UNCOMPILED = "sequential, not compiled"
EPOCH = 60_000

RUNS = {
    "dense": RunSettings(network="784-100-10", activation="sigmoid", batch_size=100),
    "cnn": RunSettings(network="8C5-MP2-16C5-MP2-100N-10N", batch_size=100),
}
_PUBLISHED = {"dense": published.UNICAMP_DENSE, "cnn": published.UNICAMP_CNN}
# Images of one timing of the uncompiled loops: (quick, full); the devices declare theirs.
_UNCOMPILED_IMAGES = {"dense": (10, 50), "cnn": (1, 5)}


def iter_devices(options: Options) -> Rows:
    """Each device against `sequential`, for the dense network and the CNN of the operators course.

    `sequential` is compiled here. The course compared with uncompiled Python loops, so the same
    loops are also timed uncompiled, on a few images, in a process of their own.
    """
    names = yield from timing.iter_available(options)
    # The frozen program has no Python interpreter to run the uncompiled loops.
    uncompiled = "sequential" in names and not is_frozen()
    for table in RUNS:
        seconds: dict[str, float] = {}
        for name in ([UNCOMPILED] if uncompiled else []) + names:
            counts = _UNCOMPILED_IMAGES if name == UNCOMPILED else device_spec(name).bench_images
            images = counts[table][0 if options.sizes.quick else 1]
            images = min(images, options.sizes.images_limit or images)
            if name == UNCOMPILED:
                seconds[name] = uncompiled_seconds(table, images)
            else:
                # A slow device is timed on fewer images than a batch has.
                batch = min(RUNS[table].batch_size, images)
                settings = RUNS[table].change(batch_size=batch, seed=options.seed)
                data = timing.noise_images(images, options.seed)
                with closing(timing.Epochs(settings, data, name, options.check)) as epochs:
                    # The least: other programs can only make an epoch slower.
                    seconds[name] = min(epochs() for _ in range(3)) / images
            yield Row(table, _ratios(name, seconds, _PUBLISHED[table]))


def _ratios(
    name: str, seconds: Mapping[str, float], reported: Mapping[tuple[str, str], float]
) -> dict[str, object]:
    """`seconds`: for each image in the fastest of three epochs, by the devices measured so far."""

    def over(other: str) -> float | None:
        return seconds[other] / seconds[name] if other in seconds and other != name else None

    return {
        "device": name,
        "images_per_second": 1 / seconds[name],
        "epoch_seconds": seconds[name] * EPOCH,
        "over_uncompiled": over(UNCOMPILED),
        "over_sequential": over("sequential"),
        "over_vectorized": over("vectorized"),
        "published_sequential": reported.get(("sequential", name)),
        "published_vectorized": reported.get(("vectorized", name)),
    }


def uncompiled_seconds(table: str, images: int) -> float:
    """Seconds for each image of `sequential` without Numba's compiler, in a process of its own."""
    settings = {"NUMBA_DISABLE_JIT": "1", "OPENBLAS_NUM_THREADS": "1"}
    if not FROM_WHEEL:
        settings["PYTHONPATH"] = str(FOLDER)
    # Numba reads its variable only when it is imported, so that a new process is needed.
    command = [sys.executable, "-P", "-m", module_name("core.bench.epochs"), table, str(images)]
    done = subprocess.run(
        command, env=os.environ | settings, capture_output=True, text=True, check=False
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no reason given"]
        raise InputError("The plain Python loops could not be timed: {reason}.", reason=lines[-1])
    return float(json.loads(done.stdout))


def _time_step(table: str, images: int) -> float:
    """Seconds for each image of one step on `images` images."""
    settings = RUNS[table].change(batch_size=images)
    runner = StepRunner(settings, timing.noise_images(images, test=1), open_device("sequential"))
    return timing.seconds_of(lambda: runner.run(1)) / images


_DEVICE_COLUMNS = {
    "device": "device",
    "images_per_second": "images a second",
    "epoch_seconds": "seconds for 60,000 images",
    "over_uncompiled": "over plain Python",
    "over_sequential": "over sequential",
    "over_vectorized": "over vectorized",
    "published_sequential": "over sequential, Unicamp (plain Python)",
    "published_vectorized": "over vectorized, Unicamp",
}
# The course's sequential loops were plain Python, so its ratios belong beside the uncompiled loops.
DEVICES = Bench(
    "devices",
    (
        Table("dense", "784-100-10, batch 100 (Unicamp, figure 5)", _DEVICE_COLUMNS),
        Table(
            "cnn",
            "8C5-MP2-16C5-MP2-100N-10N, batch 100 (Unicamp, figure 6)",
            _DEVICE_COLUMNS,
        ),
    ),
    iter_devices,
)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_time_step(sys.argv[1], int(sys.argv[2]))))
