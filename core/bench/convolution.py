"""Training of 32C5-MP2-64C5-MP2-512N-10N in batches of 100 against PyTorch on the same cores, by turns."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from statistics import median

from core.bench.clock import by_turns, ratio
from core.bench.epochs import Epochs, noise_images
from core.bench.rows import Bench, Chart, Note, Options, Row, Table
from core.bench.torch_process import start_epochs
from core.training.run import Run

RUN = Run(network="32C5-MP2-64C5-MP2-512N-10N", batch_size=100, learning_rate=0.01)
OURS, TORCH = "vectorized", "PyTorch"


def iter_rows(options: Options) -> Iterator[Row | Note]:
    # Parts of an epoch, many times in turn: an epoch is 600 equal steps, and a busy moment spoils few of them.
    images, rounds = (500, 5) if options.quick else (2_000, 25)
    with ExitStack() as stack:
        torch, remark = start_epochs(options, "convolution", images, stack)
        yield remark
        ours = Epochs(RUN.change(seed=options.seed), noise_images(images, options.seed), OURS)
        clocked: dict[str, Callable[[], float]] = {OURS: stack.enter_context(closing(ours))}
        ours()
        if torch is not None:
            clocked[TORCH] = partial(torch.ask, str(images))
        found = dict(zip(clocked, by_turns(list(clocked.values()), rounds), strict=True))
    for name, seconds in found.items():
        yield Row("epoch", {
            "contestant": name, "images": images, "seconds": median(seconds), "least_seconds": min(seconds),
            "over_torch": ratio(seconds, found[TORCH]) if TORCH in found and name != TORCH else None,
        })  # fmt: skip


_EPOCH = (
    ("contestant", "program"), ("images", "images"), ("seconds", "seconds"), ("least_seconds", "least seconds"),
    ("over_torch", "times as fast as PyTorch"),
)  # fmt: skip

BENCH = Bench(
    "convolution",
    "A convolutional network's training against PyTorch",
    (Table("epoch", f"{RUN.network}, batch 100, ReLU, SGD", _EPOCH, Chart("contestant", "seconds")),),
    iter_rows,
)
