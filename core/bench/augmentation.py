"""The cost of augmentation: the same training with and without random changes of the images, alternating."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from statistics import median

from core.bench import machine
from core.bench.rows import Bench, Chart, Note, Options, Row, Table
from core.bench.timing import SPREAD_COLUMN, Epochs, Timed, alternate, noise_images, speed_ratio, spread
from core.training.run_settings import RunSettings
from kernels.augmentation import LIGHT, STRONG, AugmentationParams
from kernels.registry import device_spec

AMOUNTS = {"none": AugmentationParams(), "light": LIGHT, "strong": STRONG}


def iter_rows(options: Options) -> Iterator[Row | Note]:
    # Plain loops would take minutes.
    devices = tuple(name for name in options.devices if not device_spec(name).is_reference)
    names, missing = machine.available(devices)
    yield from missing
    networks = {
        "32C5-MP2-64C5-MP2-512N-10N": options.sizes.augmented_cnn_images,
        "784-512-10": options.sizes.augmented_dense_images,
    }
    for device in names:
        for network, images in networks.items():
            yield from _iter_amounts(device, network, images, options)


def _iter_amounts(device: str, network: str, images: int, options: Options) -> Iterator[Row]:
    data = noise_images(images, options.seed)
    run = RunSettings(network=network, batch_size=100, learning_rate=0.01, seed=options.seed)
    with ExitStack() as stack:
        trainings: dict[str, Timed] = {}
        for name, amounts in AMOUNTS.items():
            epochs = Epochs(run.change(**amounts._asdict()), data, device, options.check)
            trainings[name] = stack.enter_context(closing(epochs))
        for train in trainings.values():
            train()
        times = alternate(trainings, options.sizes.rounds)
    for name, seconds in times.items():
        yield Row("epoch", {
            "network": network, "device": device, "augmentation": name, "images": images,
            "seconds": median(seconds), "cost": 100 * (speed_ratio(times["none"], seconds) - 1),
            "spread": spread(seconds),
        })  # fmt: skip


_COLUMNS = (
    ("network", "network"), ("device", "device"), ("augmentation", "augmentation"), ("images", "images"),
    ("seconds", "seconds"), ("cost", "longer than without, %"), SPREAD_COLUMN,
)  # fmt: skip

_TABLE = Table(
    "epoch", "All six kinds of augmentation, batch 100, SGD", _COLUMNS,
    Chart("augmentation", "cost", ("network", "device")),
)  # fmt: skip

BENCH = Bench("augmentation", "The cost of changing each image at random", (_TABLE,), iter_rows)
