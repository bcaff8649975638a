"""Trainings on the card: an epoch by turns with PyTorch, epochs against batch size, and the time to 95 %."""

from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from functools import partial
from statistics import median

from core.bench import published
from core.bench.cuda.context import Context
from core.bench.cuda.operators import limit_row
from core.bench.epochs import batch_table, iter_batch_sizes
from core.bench.rows import Chart, Note, Row, Table
from core.bench.timing import SPREAD_COLUMN, Epochs, Timed, noise_images, speed_ratio, spread
from core.bench.torch_process import TorchProcess, start_torch
from core.errors import InputError
from core.text import format_percent
from core.training.records import EpochDone
from core.training.run_settings import RunSettings

OURS = "this program"
EAGER = "PyTorch eager"
EAGER_TF32 = "PyTorch eager, TF32"
GRAPH = "PyTorch graph"
GRAPH_TF32 = "PyTorch graph, TF32"
_QUESTIONS = {EAGER: "eager 0", EAGER_TF32: "eager 1", GRAPH: "graph 0", GRAPH_TF32: "graph 1"}

# Seconds after the section's own time until a PyTorch that does not answer is ended.
_GRACE = 30


def iter_contest(context: Context) -> Iterator[Row | Note]:
    """Rows of the table `epoch`; only this program's where PyTorch is not installed."""
    images = context.scale.images
    seed = context.options.seed
    noise = noise_images(images, seed)
    settings = RunSettings(
        network=context.network, batch_size=context.scale.batch, learning_rate=0.1, seed=seed
    )
    with ExitStack() as stack:
        ours = stack.enter_context(closing(Epochs(settings, noise, "cuda", context.options.check)))
        ours()
        programs: dict[str, Timed] = {OURS: ours}
        try:
            torch, note = start_torch(context.options, "cuda", "dense", images, stack)
            yield note
            if torch:
                stack.enter_context(torch.ended_after(context.left() + _GRACE))
                yield from _iter_products(context, torch)
                for name, question in _QUESTIONS.items():
                    epoch = partial(torch.ask, f"epoch {question} {images}")
                    try:
                        epoch()  # it captures or warms up
                        programs[name] = epoch
                    except InputError as error:
                        yield Note(f"{name}: not measured. {error}")
        except InputError as error:
            yield Note(f"PyTorch: not measured. {error}")
        times = yield from _alternate(context, programs)
        yield from _iter_rows(context, times, images)


def _alternate(context: Context, programs: dict[str, Timed]) -> Generator[Note, None, dict[str, list[float]]]:
    """Seconds of each program, in whole rounds as long as there is time, at least one; without those that fail."""
    times: dict[str, list[float]] = {name: [] for name in programs}
    for number in range(context.scale.rounds):
        if number and context.left() <= 0:
            break
        for name in list(times):
            context.options.check()
            try:
                times[name].append(programs[name]())
            except InputError as error:
                del times[name]
                yield Note(f"{name}: left out. {error}")
    return times


def _iter_rows(context: Context, times: dict[str, list[float]], images: int) -> Iterator[Row]:
    for name, seconds in times.items():
        ours_faster = speed_ratio(times[OURS], seconds) if name != OURS else None
        context.results[f"epoch {name}"] = median(seconds)
        if ours_faster is not None:
            context.results[f"ours over {name}"] = 1 / ours_faster
        yield Row(
            "epoch",
            {
                "contestant": name,
                "images": images,
                "seconds": median(seconds),
                "least_seconds": min(seconds),
                "rounds": len(seconds),
                "step": median(seconds) / -(-images // context.scale.batch) * 1e6,
                "ours": ours_faster,
                "spread": spread(seconds),
            },
        )


def _iter_products(context: Context, torch: TorchProcess) -> Iterator[Row]:
    size = context.scale.large
    results = context.results
    for name, tf32 in (("PyTorch", 0), ("PyTorch, TF32", 1)):
        seconds = torch.ask(f"product {tf32} {size}")
        flops = 2 * size**3 / seconds
        if not tf32:
            results["product PyTorch"] = flops
            results["flops a second"] = max(flops, results.get("flops a second", 0.0))
        yield limit_row(f"product {size}, {name}", "TF32" if tf32 else "float32", seconds, flops=flops)


EPOCH = Table(
    "epoch",
    "An epoch of 784-512-10, batch 100, ReLU, cross-entropy, SGD",
    (
        ("contestant", "program"),
        ("images", "images"),
        ("seconds", "seconds an epoch"),
        ("least_seconds", "least seconds"),
        ("step", "microseconds a step"),
        ("rounds", "rounds"),
        ("ours", "ours is times as fast"),
        SPREAD_COLUMN,
    ),
    Chart("contestant", "seconds"),
)


GOAL = 0.95


def iter_batches(context: Context) -> Iterator[Row | Note]:
    """The first epoch at each batch size: seconds and test accuracy."""
    accuracies: list[Row] = []
    for values in iter_batch_sizes(
        context.data,
        ["cuda"],
        context.scale.batches,
        context.options.seed,
        context.options.check,
        network=context.network,
    ):
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
    settings = RunSettings(
        network=context.network,
        batch_size=context.scale.batch,
        learning_rate=0.1,
        epochs=context.scale.epochs,
        seed=context.options.seed,
    )
    for name in ("cuda", "vectorized"):
        epochs: list[EpochDone] = []
        with closing(Epochs(settings, context.data, name, context.options.check)) as training:
            while len(epochs) < settings.epochs and (not epochs or context.left() > 0):
                training()
                if training.ended is None:
                    break
                epochs.append(training.ended)
        if len(epochs) == settings.epochs:
            context.results[f"accuracy {name}"] = epochs[-1].test_score
        reached = next((epoch for epoch in epochs if epoch.test_score >= GOAL), None)
        yield _goal_row(
            name,
            seconds=reached.seconds if reached else None,
            epochs=reached.epoch if reached else None,
            first=epochs[0].test_score if epochs else None,
            last=epochs[-1].test_score if epochs else None,
        )
        if reached is None:
            yield Note(f"{name}: {len(epochs)} epochs did not reach {format_percent(GOAL, 0)}.")
    for contestant, seconds in published.THESIS_SECONDS_TO_95.items() if context.data.name == "mnist" else ():
        yield _goal_row(contestant, published=seconds)


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
        ("contestant", "program"),
        ("seconds", "seconds"),
        ("epochs", "epochs"),
        ("first", "accuracy after 1"),
        ("last", "accuracy at the end"),
        ("published", "seconds, thesis"),
    ),
)
