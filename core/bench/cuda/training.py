"""Whole trainings on the card: epochs against batch size (the thesis's figure 3.3), and the time to 95 %."""

from collections.abc import Iterator
from contextlib import closing

from core.bench.baselines import published
from core.bench.batch_size import batch_table, iter_batch_sizes
from core.bench.cuda.context import Context
from core.bench.datasets import is_mnist
from core.bench.rows import Chart, Note, Row, Table
from core.training.loop import iter_training
from core.training.records import EpochDone
from core.training.run_settings import RunSettings
from kernels.registry import open_device

GOAL = 0.95


def iter_batches(context: Context) -> Iterator[Row | Note]:
    """The first epoch at each batch size: seconds and test accuracy."""
    accuracies: list[Row] = []
    for values in iter_batch_sizes(
        context.data, ["cuda"], context.scale.batches, context.options.seed, context.check_cancelled,
        network=context.network,
    ):  # fmt: skip
        yield Row("batches", values)
        accuracies.append(
            Row("accuracies", {key: values[key] for key in ("device", "batch_size", "accuracy")})
        )
        if context.left() <= 0:
            break
    yield from accuracies
    if len(accuracies) < len(context.scale.batches):
        context.check()


def iter_goal(context: Context) -> Iterator[Row | Note]:
    """The same training on card and CPU: seconds until the test accuracy reaches 95 %."""
    run = RunSettings(
        network=context.network, batch_size=context.scale.batch, learning_rate=0.1, epochs=context.scale.epochs,
        seed=context.options.seed,
    )  # fmt: skip
    for name in ("cuda", "vectorized"):
        epochs = _train(context, run, name)
        if len(epochs) == run.epochs:
            context.results[f"accuracy {name}"] = epochs[-1].test_score
        reached = next((epoch for epoch in epochs if epoch.test_score >= GOAL), None)
        yield _goal_row(
            name, seconds=reached.seconds if reached else None, epochs=reached.epoch if reached else None,
            first=epochs[0].test_score if epochs else None, last=epochs[-1].test_score if epochs else None,
        )  # fmt: skip
        if reached is None:
            yield Note(f"{name}: {len(epochs)} epochs did not reach {GOAL:.0%}.")
    for contestant, seconds in published.THESIS_SECONDS_TO_95.items() if is_mnist(context.data) else ():
        yield _goal_row(contestant, published=seconds)


def _train(context: Context, settings: RunSettings, device_name: str) -> list[EpochDone]:
    """The epochs that there is time for."""
    epochs: list[EpochDone] = []
    with (
        closing(open_device(device_name)) as device,
        closing(iter_training(settings, context.data, device)) as records,
    ):
        for record in records:
            context.check_cancelled()
            if isinstance(record, EpochDone):
                epochs.append(record)
                if context.left() <= 0:
                    break
    return epochs


def _goal_row(contestant: str, **values: float | None) -> Row:
    keys = ("seconds", "epochs", "first", "last", "published")
    return Row("goal", {"contestant": contestant, **dict.fromkeys(keys), **values})


BATCHES = batch_table("batches", "The network and rate of the thesis, first epoch (figure 3.3)")
ACCURACY = Table(
    "accuracies",
    "Test accuracy after the first epoch (thesis, figure 3.3)",
    (("device", "device"), ("batch_size", "images a batch"), ("accuracy", "test accuracy")),
    Chart("batch_size", "accuracy", ("device",), x_log=True),
)
GOAL_TABLE = Table(
    "goal",
    "Training to a test accuracy of 95 %: 512 hidden units, ReLU, batch 100",
    (
        ("contestant", "program"), ("seconds", "seconds"), ("epochs", "epochs"), ("first", "accuracy after 1"),
        ("last", "accuracy at the end"), ("published", "seconds, thesis"),
    ),
)  # fmt: skip
