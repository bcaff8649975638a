"""Training of a dense and of a convolutional network against PyTorch, alternating in one run: on
the cores, and on a graphics card where there is one. Also measured for 784-512-10 in batches of
100: JAX where it is installed.
"""

from contextlib import ExitStack, closing
from functools import partial
from statistics import median

from core.bench.rows import Bench, Note, Options, Row, Rows, Table
from core.bench.timing import (
    SPREAD_COLUMN,
    Epochs,
    Timed,
    Times,
    alternate,
    noise_images,
    speed_ratio,
    spread,
)
from core.bench.torch_process import start_jax, start_torch
from core.training.run_settings import RunSettings
from kernels.registry import probe

RUN = RunSettings(network="784-512-10", batch_size=100, learning_rate=0.1)

# The devices that are compared, and what PyTorch calls them.
_DEVICES = {"vectorized": "cpu", "cuda": "cuda"}
TORCH = "PyTorch"
TORCH_GRAPH = "PyTorch, captured graph"
JAX = "JAX, compiled epoch"


def iter_rows(options: Options) -> Rows:
    sizes = options.sizes
    settings = RUN.change(seed=options.seed)
    yield from _iter_epochs(settings, "dense", sizes.dense_images, sizes.dense_rounds, options)


def _iter_epochs(
    settings: RunSettings, network: str, images: int, rounds: int, options: Options
) -> Rows:
    """Rows of the table `epoch` for each device: this program, PyTorch and JAX.

    They alternate for `rounds` rounds. `network`: as in `torch_script.py`.
    """
    data = noise_images(images, options.seed)
    for device in [name for name in _DEVICES if name in options.devices] or ["vectorized"]:
        is_card = device == "cuda"
        if is_card and not (info := probe(device)).available:
            yield Note(info.reason)
            continue
        with ExitStack() as stack:
            torch, note = start_torch(options, _DEVICES[device], network, images, stack)
            yield note
            ours = stack.enter_context(closing(Epochs(settings, data, device, options.check)))
            # Once beforehand, so that nothing is prepared while it is timed.
            ours()
            programs: dict[str, Timed] = {device: ours}
            if torch:
                programs[TORCH] = partial(torch.ask, f"eager {images}")
            if torch and is_card:
                programs[TORCH_GRAPH] = partial(torch.ask, f"graph {images}")
                programs[TORCH_GRAPH]()  # it is captured now
            if network == "dense" and (jax := start_jax(options, _DEVICES[device], images, stack)):
                programs[JAX] = partial(jax.ask, "scan")
                programs[JAX]()  # it is compiled now
            times = alternate(programs, rounds)
        for name, seconds in times.items():
            yield Row("epoch", _values(name, device, images, seconds, times))


def _values(
    name: str, device: str, images: int, seconds: list[float], times: Times
) -> dict[str, object]:
    is_compared = TORCH in times and name != TORCH
    return {
        "contestant": name if name == device or device == "vectorized" else f"{name}, {device}",
        "images": images,
        "seconds": median(seconds),
        "least_seconds": min(seconds),
        "over_torch": speed_ratio(seconds, times[TORCH]) if is_compared else None,
        "spread": spread(seconds),
    }


_COLUMNS = {
    "contestant": "program",
    "images": "images",
    "seconds": "seconds",
    "least_seconds": "least seconds",
    "over_torch": "times as fast as PyTorch",
    **SPREAD_COLUMN,
}

BENCH = Bench(
    "dense",
    (Table("epoch", "An epoch of 784-512-10, batch 100, ReLU, cross-entropy, SGD", _COLUMNS),),
    iter_rows,
)

CONVOLUTION_RUN = RunSettings(
    network="32C5-MP2-64C5-MP2-512N-10N", batch_size=100, learning_rate=0.01
)


def iter_convolution_rows(options: Options) -> Rows:
    # Parts of an epoch in many rounds: all its steps are equal, and a busy moment affects few of
    # the rounds.
    sizes = options.sizes
    settings = CONVOLUTION_RUN.change(seed=options.seed)
    yield from _iter_epochs(settings, "convolution", sizes.cnn_images, sizes.rounds, options)


CONVOLUTION = Bench(
    "convolution",
    (Table("epoch", f"{CONVOLUTION_RUN.network}, batch 100, ReLU, SGD", _COLUMNS),),
    iter_convolution_rows,
)
