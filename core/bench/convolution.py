"""Training of 32C5-MP2-64C5-MP2-512N-10N in batches of 100 against PyTorch on the same cores, alternating."""

from collections.abc import Iterator
from contextlib import ExitStack

from core.bench.baselines.torch_process import start_torch
from core.bench.clock import SPREAD_COLUMN
from core.bench.dense import EPOCH_COLUMNS, iter_epochs
from core.bench.rows import Bench, Chart, Note, Options, Row, Table
from core.training.run_settings import RunSettings

RUN = RunSettings(network="32C5-MP2-64C5-MP2-512N-10N", batch_size=100, learning_rate=0.01)


def iter_rows(options: Options) -> Iterator[Row | Note]:
    # Parts of an epoch in many rounds: all its steps are equal, and a busy moment affects few of the rounds.
    images, rounds = options.sizes.cnn_images, options.sizes.rounds
    with ExitStack() as stack:
        torch, note = start_torch(options, "cpu", "convolution", images, stack)
        yield note
        yield from iter_epochs(RUN.change(seed=options.seed), images, rounds, torch, options)


_COLUMNS = (*((key, heading.removesuffix(" an epoch")) for key, heading in EPOCH_COLUMNS), SPREAD_COLUMN)

BENCH = Bench(
    "convolution",
    "A convolutional network's training against PyTorch",
    (Table("epoch", f"{RUN.network}, batch 100, ReLU, SGD", _COLUMNS, Chart("contestant", "seconds")),),
    iter_rows,
)
