"""Time of an epoch and accuracy after it against batch size, with the thesis's network."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from core.bench import machine, published
from core.bench.rows import Bench, Chart, Note, Options, Row, Table
from core.bench.timing import Epochs, is_mnist, load_digits
from core.data.dataset import Dataset
from core.progress import Check
from core.training.presets import find_preset
from kernels.registry import device_spec


def iter_rows(options: Options) -> Iterator[Row | Note]:
    # Plain loops would take minutes for each batch size, so they are measured only when asked for alone.
    devices = [
        name for name in options.devices if not device_spec(name).is_reference or len(options.devices) == 1
    ]
    names, missing = machine.available(tuple(devices))
    yield from missing
    data, sentence = load_digits()
    yield Note(sentence)
    part = 1.0
    if options.sizes.batch_images is not None:
        full, count = data, options.sizes.batch_images
        # A third as many test images.
        data = replace(full, train=full.train.first(count), test=full.test.first(count // 3))
        part = len(data.train) / len(full.train)
    for values in iter_batch_sizes(data, names, options.sizes.batches, options.seed, options.check):
        if part < 1:
            # The time is scaled to the whole training split; the accuracy cannot be.
            values |= {"seconds": values["seconds"] / part, "published_accuracy": None}
        yield Row("epoch", values)


def iter_batch_sizes(
    data: Dataset,
    devices: Sequence[str],
    batches: Sequence[int],
    seed: int,
    check: Check,
    **changes: Any,
) -> Iterator[dict[str, Any]]:
    """The first epoch of the thesis's network at each batch size and on each device: seconds, test accuracy.

    `changes`: settings that replace the preset's.
    """
    preset = find_preset("thesis").settings
    for size in batches:
        # The thesis sums gradients, so its steps grow with the batch; above its 100 images that would diverge.
        rate = preset.learning_rate * min(1.0, size / preset.batch_size)
        run = preset.change(batch_size=size, learning_rate=rate, schedule="constant", seed=seed, **changes)
        for name in devices:
            with closing(Epochs(run, data, name, check)) as epochs:
                seconds = epochs()
                accuracy = epochs.ended.test_score if epochs.ended else None
            yield {
                "device": name, "batch_size": size, "seconds": seconds, "accuracy": accuracy,
                "published_seconds": published.THESIS_BATCH_SECONDS.get(size),
                "published_accuracy": published.THESIS_BATCH_ACCURACY.get(size) if is_mnist(data) else None,
            }  # fmt: skip


def batch_table(name: str, title: str) -> Table:
    columns = (
        ("device", "device"), ("batch_size", "images a batch"), ("seconds", "seconds an epoch"),
        ("accuracy", "test accuracy after it"), ("published_seconds", "seconds, thesis"),
        ("published_accuracy", "accuracy, thesis"),
    )  # fmt: skip
    published_columns = {"seconds": "published_seconds", "accuracy": "published_accuracy"}
    chart = Chart("batch_size", "seconds", ("device",), x_log=True, y_log=True, published=published_columns)
    return Table(name, title, columns, chart)


BENCH = Bench(
    "batch-size",
    "Time of an epoch and accuracy against batch size",
    (batch_table("epoch", "784-512-10, clipped leaky ReLU, first epoch (thesis, figure 3.3)"),),
    iter_rows,
)
