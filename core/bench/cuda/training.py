"""Whole trainings on the card: epochs against the size of batches (the thesis's figure 3.3), and the time to 95 %."""

from collections.abc import Iterator
from contextlib import closing

from core.bench import published
from core.bench.cuda.context import Context, OutOfTime
from core.bench.epochs import Epochs
from core.bench.rows import Chart, Note, Row, Table
from core.training.loop import iter_training
from core.training.presets import find_preset
from core.training.records import EpochDone
from core.training.run import Run
from kernels.registry import open_device

GOAL = 0.95


def iter_batches(context: Context) -> Iterator[Row | Note]:
    """The first epoch at each size of batch: its seconds, and what it learnt."""
    preset = find_preset("thesis").run
    accuracies: list[Row] = []
    for size in context.scale.batches:
        if context.left() <= 0:
            break
        # Of T's summed gradients small batches make small steps; above 100 the rate stays, or it would diverge.
        rate = preset.learning_rate * min(1.0, size / preset.batch_size)
        run = preset.change(
            network=context.network, batch_size=size, learning_rate=rate, schedule="constant",
            seed=context.options.seed,
        )  # fmt: skip
        with closing(Epochs(run, context.data, "cuda", context.go_on)) as epochs:
            seconds = epochs()
            accuracy = epochs.ended.test_score if epochs.ended else None
        yield Row("batches", {
            "device": "cuda", "batch_size": size, "seconds": seconds, "accuracy": accuracy,
            "published_seconds": published.THESIS_BATCH_SECONDS.get(size),
            "published_accuracy": published.THESIS_BATCH_ACCURACY.get(size),
        })  # fmt: skip
        accuracies.append(Row("accuracies", {"device": "cuda", "batch_size": size, "accuracy": accuracy}))
    yield from accuracies
    if len(accuracies) < len(context.scale.batches):
        raise OutOfTime


def iter_goal(context: Context) -> Iterator[Row | Note]:
    """The same training on card and CPU: seconds of training until 95 % of the test images are right."""
    run = Run(
        network=context.network, batch_size=context.scale.batch, learning_rate=0.1, epochs=context.scale.epochs,
        seed=context.options.seed,
    )  # fmt: skip
    for name in ("cuda", "vectorized"):
        with (
            closing(open_device(name)) as device,
            closing(iter_training(run, context.data, device)) as events,
        ):
            done = []
            for event in events:
                context.go_on()
                if isinstance(event, EpochDone):
                    done.append(event)
                    if context.left() <= 0:
                        break
        if len(done) == run.epochs:
            context.found[f"accuracy {name}"] = done[-1].test_score
        reached = next((epoch for epoch in done if epoch.test_score >= GOAL), None)
        yield Row("goal", {
            "contestant": name, "seconds": reached.seconds if reached else None,
            "epochs": reached.epoch if reached else None, "first": done[0].test_score if done else None,
            "last": done[-1].test_score if done else None, "published": None,
        })  # fmt: skip
        if reached is None:
            yield Note(f"{name}: {len(done)} epochs did not reach {GOAL:.0%}.")
    for contestant, seconds in published.THESIS_SECONDS_TO_95.items():
        yield Row("goal", {
            "contestant": contestant, "seconds": None, "epochs": None, "first": None, "last": None,
            "published": seconds,
        })  # fmt: skip


BATCHES = Table(
    "batches",
    "The network and rate of the thesis, first epoch (figure 3.3)",
    (
        ("device", "device"), ("batch_size", "images a batch"), ("seconds", "seconds an epoch"),
        ("accuracy", "test accuracy after it"), ("published_seconds", "seconds, thesis"),
        ("published_accuracy", "accuracy, thesis"),
    ),
    Chart("batch_size", "seconds", ("device",), x_log=True, y_log=True, published="published_seconds"),
)  # fmt: skip
ACCURACY = Table(
    "accuracies",
    "Test accuracy after the first epoch (thesis, figure 3.3)",
    (("device", "device"), ("batch_size", "images a batch"), ("accuracy", "test accuracy")),
    Chart("batch_size", "accuracy", ("device",), x_log=True),
)
GOAL_TABLE = Table(
    "goal",
    "Training until 95 % of the test images are right: 512 hidden, ReLU, batch 100",
    (
        ("contestant", "program"), ("seconds", "seconds"), ("epochs", "epochs"), ("first", "accuracy after 1"),
        ("last", "accuracy at the end"), ("published", "seconds, thesis"),
    ),
)  # fmt: skip
