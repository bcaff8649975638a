"""Time of an epoch and accuracy after it against the size of batches, with the thesis's network."""

from collections.abc import Iterator

from core.bench import machine, published
from core.bench.epochs import Epochs
from core.bench.rows import Bench, Chart, Note, Options, Row, Table
from core.data.dataset import Dataset
from core.data.sources import list_sources, load_dataset
from core.training.presets import find_preset
from kernels.registry import device_spec

SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000)
QUICK_SIZES = (50, 100, 200, 500, 1000)
QUICK_IMAGES = 6000


def iter_rows(options: Options) -> Iterator[Row | Note]:
    devices = [
        name for name in options.devices if not device_spec(name).is_reference or len(options.devices) == 1
    ]
    names, missing = machine.available(tuple(devices))
    yield from missing
    data, share = _data(options.quick)
    yield Note(f"On {data.title}, {len(data.train):,} images to learn from.")
    preset = find_preset("thesis").run
    for size in QUICK_SIZES if options.quick else SIZES:
        # The thesis adds gradients up, so that small batches make small steps; above 100 that would diverge.
        rate = preset.learning_rate * min(1.0, size / preset.batch_size)
        run = preset.change(batch_size=size, learning_rate=rate, schedule="constant", seed=options.seed)
        for name in names:
            epochs = Epochs(run, data, name, options.check)
            try:
                seconds = epochs()
                accuracy = epochs.ended.test_score if epochs.ended else None
            finally:
                epochs.close()
            yield Row("epoch", {
                "device": name, "batch_size": size, "seconds": seconds / share, "accuracy": accuracy,
                "published_seconds": published.THESIS_BATCH_SECONDS.get(size),
                # A share of the images gives no accuracy to compare.
                "published_accuracy": published.THESIS_BATCH_ACCURACY.get(size) if share == 1 else None,
            })  # fmt: skip


def _data(quick: bool) -> tuple[Dataset, float]:
    """MNIST where it is at hand, else the built-in digits; and the share of its images that is taken."""
    here = any(source.name == "mnist" and source.available for source in list_sources())
    data = load_dataset("mnist" if here else "builtin")
    if not quick:
        return data, 1.0
    train = data.train.first(QUICK_IMAGES)
    small = Dataset(data.name, data.title, data.kind, data.classes, train, data.test.first(QUICK_IMAGES // 3))
    return small, len(train) / len(data.train)


_COLUMNS = (
    ("device", "device"), ("batch_size", "images a batch"), ("seconds", "seconds an epoch"),
    ("accuracy", "test accuracy after it"), ("published_seconds", "seconds, thesis"),
    ("published_accuracy", "accuracy, thesis"),
)  # fmt: skip

BENCH = Bench(
    "batch-size",
    "Time of an epoch and accuracy against the size of batches",
    (
        Table(
            "epoch", "784-512-10, clipped leaky ReLU, first epoch (thesis, figure 3.3)", _COLUMNS,
            Chart("batch_size", "seconds", ("device",), x_log=True, y_log=True, published="published_seconds"),
        ),
    ),
    iter_rows,
)  # fmt: skip
