"""An epoch of 784-512-10 at batch 100 on the card, ours and PyTorch's by turns in one run."""

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from statistics import median
from threading import Timer

from core.bench.clock import ratio
from core.bench.cuda.context import Context
from core.bench.epochs import Epochs, noise_images
from core.bench.rows import Chart, Note, Row, Table
from core.bench.torch_process import TorchProcess, interpreter
from core.errors import InputError
from core.training.run import Run

OURS = "this program"
EAGER, EAGER_TF32 = "PyTorch eager", "PyTorch eager, TF32"
GRAPH, GRAPH_TF32 = "PyTorch graph", "PyTorch graph, TF32"
_QUESTIONS = {EAGER: "eager 0", EAGER_TF32: "eager 1", GRAPH: "graph 0", GRAPH_TF32: "graph 1"}


def iter_contest(context: Context) -> Iterator[Row | Note]:
    """Ours alone where PyTorch is not here."""
    images, seed = context.scale.images, context.options.seed
    noise = noise_images(images, seed)
    run = Run(network=context.network_of(noise), batch_size=context.scale.batch, learning_rate=0.1, seed=seed)
    with ExitStack() as stack:
        ours = stack.enter_context(closing(Epochs(run, noise, "cuda", context.go_on)))
        ours()
        clocked: dict[str, Callable[[], float]] = {OURS: ours}
        try:
            yield from _torch(context, stack, clocked)
        except InputError as error:
            yield Note(f"PyTorch: not measured. {error}")
        found = yield from _by_turns(context, clocked)
        yield from _rows(context, found, images)


def _torch(
    context: Context, stack: ExitStack, clocked: dict[str, Callable[[], float]]
) -> Iterator[Row | Note]:
    """Its products, and into `clocked` what to clock of it; its process ends with `stack`."""
    images = context.scale.images
    python = interpreter(context.options.torch_python)
    if python is None:
        yield Note(
            "PyTorch is not here to compare with: give --torch-python a Python that has it, with CUDA."
        )
        return
    torch = stack.enter_context(closing(CardTorch(python, images)))
    stack.enter_context(torch.ended_after(context.left() + _GRACE))
    yield Note(f"PyTorch {torch.version}, in a process of its own, on the same card by turns.")
    yield from _products(context, torch)
    for name, question in _QUESTIONS.items():
        work = partial(torch.ask, f"epoch {question} {images}")
        try:
            # The first captures or warms up.
            work()
        except InputError as error:
            yield Note(f"{name}: not measured. {error}")
        else:
            clocked[name] = work


# Seconds past the section's own before a PyTorch that does not answer is ended.
_GRACE = 30


def _by_turns(
    context: Context, clocked: dict[str, Callable[[], float]]
) -> Generator[Note, None, dict[str, list[float]]]:
    """Seconds of each, in whole rounds, as many as there is time for but at least one; without those who give up."""
    found: dict[str, list[float]] = {name: [] for name in clocked}
    for number in range(context.scale.rounds):
        if number and context.left() <= 0:
            break
        for name in list(found):
            context.go_on()
            try:
                found[name].append(clocked[name]())
            except InputError as error:
                del found[name]
                yield Note(f"{name}: left out. {error}")
    return found


def _rows(context: Context, found: dict[str, list[float]], images: int) -> Iterator[Row]:
    for name, seconds in found.items():
        context.found[f"epoch {name}"] = median(seconds)
        if name != OURS:
            context.found[f"ours over {name}"] = 1 / ratio(found[OURS], seconds)
        yield Row("epoch", {
            "contestant": name, "images": images, "seconds": median(seconds), "least_seconds": min(seconds),
            "rounds": len(seconds), "step": median(seconds) / -(-images // context.scale.batch) * 1e6,
            "ours": ratio(found[OURS], seconds) if name != OURS else None,
        })  # fmt: skip


def _products(context: Context, torch: "CardTorch") -> Iterator[Row]:
    size = context.scale.large
    for name, tf32 in (("PyTorch", 0), ("PyTorch, TF32", 1)):
        seconds = torch.ask(f"product {tf32} {size}")
        flops = 2 * size**3 / seconds
        if not tf32:
            context.found["product PyTorch"] = flops
            context.found["flops a second"] = max(flops, context.found.get("flops a second", 0.0))
        yield Row("ceilings", {
            "name": f"product {size}, {name}", "what": "TF32" if tf32 else "float32", "seconds": seconds,
            "gigabytes": None, "gigaflops": flops / 1e9,
        })  # fmt: skip


class CardTorch(TorchProcess):
    """PyTorch on the card; see `torch_contestant.py` for what it can be asked."""

    def __init__(self, python: Path, images: int) -> None:
        super().__init__(python, "torch_contestant.py", images)

    def ended_after(self, seconds: float) -> "closing[_Ending]":
        """Within this the process is killed after so many seconds, if nobody closed it before."""
        return closing(_Ending(self._process.kill, seconds))


class _Ending:
    def __init__(self, kill: Callable[[], None], seconds: float) -> None:
        self._timer = Timer(min(seconds, 3600), kill)
        self._timer.daemon = True
        self._timer.start()

    def close(self) -> None:
        self._timer.cancel()


EPOCH = Table(
    "epoch",
    "An epoch of 784-512-10, batch 100, ReLU, cross-entropy, SGD",
    (
        ("contestant", "program"), ("images", "images"), ("seconds", "seconds an epoch"),
        ("least_seconds", "least seconds"), ("step", "microseconds a step"), ("rounds", "rounds"),
        ("ours", "ours is times as fast"),
    ),
    Chart("contestant", "seconds"),
)  # fmt: skip
