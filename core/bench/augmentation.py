"""What augmentation costs: the same training with each image changed at random and as it is, by turns."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from statistics import median

from core.bench import machine
from core.bench.clock import by_turns, ratio
from core.bench.epochs import Epochs, noise_images
from core.bench.rows import Bench, Chart, Note, Options, Row, Table
from core.training.run import Run
from kernels.augmentation import LIGHT, STRONG, AugmentationParams

NETWORKS = {
    "32C5-MP2-64C5-MP2-512N-10N": (200, 1_000),  # images a turn: quick, in full
    "784-512-10": (5_000, 20_000),
}
QUICK_ROUNDS, ROUNDS = 4, 25
AMOUNTS = {"none": AugmentationParams(), "light": LIGHT, "strong": STRONG}
# Plain loops would take minutes.
DEVICES = ("vectorized", "cuda")


def iter_rows(options: Options) -> Iterator[Row | Note]:
    names, missing = machine.available(tuple(name for name in options.devices if name in DEVICES))
    yield from missing
    for device in names:
        for network, sizes in NETWORKS.items():
            yield from _of(device, network, sizes[0 if options.quick else 1], options)


def _of(device: str, network: str, images: int, options: Options) -> Iterator[Row]:
    data = noise_images(images, options.seed)
    run = Run(network=network, batch_size=100, learning_rate=0.01, seed=options.seed)
    with ExitStack() as stack:
        turns = [
            stack.enter_context(closing(Epochs(run.change(**amounts._asdict()), data, device)))
            for amounts in AMOUNTS.values()
        ]
        for epoch in turns:
            epoch()
        found = by_turns(turns, QUICK_ROUNDS if options.quick else ROUNDS)
    for name, seconds in zip(AMOUNTS, found, strict=True):
        yield Row("epoch", {
            "network": network, "device": device, "augmentation": name, "images": images,
            "seconds": median(seconds), "cost": 100 * (ratio(found[0], seconds) - 1),
        })  # fmt: skip


_COLUMNS = (
    ("network", "network"), ("device", "device"), ("augmentation", "augmentation"), ("images", "images"),
    ("seconds", "seconds"), ("cost", "longer than without, %"),
)  # fmt: skip

_TABLE = Table(
    "epoch", "All six kinds of augmentation, batch 100, SGD", _COLUMNS,
    Chart("augmentation", "cost", ("network", "device")),
)  # fmt: skip

BENCH = Bench("augmentation", "What it costs to change each image at random", (_TABLE,), iter_rows)
