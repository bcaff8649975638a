"""The limits of the card, each operator of a step beside them, and matrix product and sum against size.

Bytes and floating point operations of an operator follow from its shapes: each operand is read once, each result
written once; a product has its multiplications and additions. An operator whose operands are in a cache may exceed the
rate of the copy.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from math import prod
from statistics import median
from typing import Any

import numpy as np

from core.bench.cuda.context import Context, OutOfTime, open_card
from core.bench.operators import NAIVE, WITH_COPIES, iter_operator, operator_tables
from core.bench.rows import Chart, Note, Row, Table
from core.bench.timing import repeat
from core.measure.profile import InstrumentedDevice, Operator, StepRunner
from core.training.optimizers import OPTIMIZERS
from core.training.run_settings import RunSettings

CONTESTANTS = ("vectorized", "cuda", f"cuda{WITH_COPIES}")
NAIVE_CONTESTANT = f"cuda{NAIVE}"

# Operations queued together in one timing, and the seconds that they may take (see CARD_MAX_SECONDS).
_TOGETHER = 8
_TOGETHER_SECONDS = 0.4

# A contestant is left out at sizes where it would take more seconds than this.
_MAX_SECONDS = 8.0


def iter_limits(context: Context) -> Iterator[Row | Note]:
    """Bytes a second of a copy on the card, and floating point operations a second of a matrix product."""
    from core.bench.cuda.ladder_step import seconds_on_card
    from kernels.cuda.errors import translate_errors

    scale = context.scale

    def seconds_each(device: Any, work: Callable[[], None]) -> float:
        work()
        first = max(seconds_on_card(device, work), 1e-9)
        together = max(1, min(_TOGETHER, scale.repeats, int(_TOGETHER_SECONDS / first)))

        def several() -> None:
            for _ in range(together):
                work()

        several()
        return median(repeat(lambda: seconds_on_card(device, several) / together, scale.operator_seconds, 50))

    with closing(open_card()) as device:
        source = device.upload(np.zeros(scale.copied_bytes // 4, np.float32))
        target = device.empty(source.shape)

        def copy() -> None:
            with translate_errors:
                device.card.copy_on_card(source, target, device.stream)

        seconds = seconds_each(device, copy)
        copied = 2 * 4 * source.size
        context.results["bytes a second"] = copied / seconds
        yield limit_row(
            "device copy", f"{copied / 1e6:,.0f} MB read and written", seconds, bytes=copied / seconds
        )
        context.check()
        n = scale.large
        rng = np.random.default_rng(context.options.seed)
        x, y = (device.upload(rng.random((n, n), np.float32)) for _ in range(2))
        out = device.empty((n, n))
        seconds = seconds_each(device, lambda: device.dot(x, y, out))
        flops = 2 * n**3 / seconds
        context.results["product"] = context.results["flops a second"] = flops
        yield limit_row(f"product {n}, this program", "float32", seconds, flops=flops)


def iter_operators(context: Context) -> Iterator[Row | Note]:
    """Seconds of product and sum of square matrices until the result is available."""
    scale = context.scale
    sizes = replace(
        context.options.sizes,
        matrices=scale.sizes,
        budget=scale.operator_seconds,
        max_seconds_per_call=_MAX_SECONDS,
    )
    options = replace(context.options, sizes=sizes, check=context.check)
    yield from iter_operator("addition", CONTESTANTS, options)
    yield from iter_operator("product", (*CONTESTANTS, NAIVE_CONTESTANT), options)


def limit_row(
    name: str, what: str, seconds: float, bytes: float | None = None, flops: float | None = None
) -> Row:
    """A row of the table `ceilings`; `bytes` and `flops` are per second."""
    return Row(
        "ceilings",
        {
            "name": name,
            "what": what,
            "seconds": seconds,
            "gigabytes": bytes / 1e9 if bytes else None,
            "gigaflops": flops / 1e9 if flops else None,
        },
    )


LIMITS = Table(
    "ceilings",
    "Limits of this card",
    (
        ("name", "measured"),
        ("what", "of"),
        ("seconds", "seconds"),
        ("gigabytes", "GB a second"),
        ("gigaflops", "GFLOP a second"),
    ),
)
PRODUCT, ADDITION = operator_tables("the CPU")


# Calls of an operator in one captured graph, so that the time of the host is not included.
_CALLS = 20
_TIMINGS = 5

# Optimizers: how many of their first arguments are arrays as large as the parameters.
_UPDATES = {name: 2 + optimizer.state_arrays for name, optimizer in OPTIMIZERS.items()}

# Convolutions: which of their arrays have the shape of the result, and of the filters.
_CONVOLUTIONS = {"convolve": (-1, 1), "convolve_input_gradient": (0, 1), "convolve_weight_gradient": (1, -1)}

Call = tuple[str, tuple[Any, ...]]


def iter_kernels(context: Context) -> Iterator[Row | Note]:
    for table, network in (("dense-kernels", context.network), ("cnn-kernels", context.scale.cnn)):
        settings = RunSettings(
            network=network, batch_size=context.scale.batch, learning_rate=0.01, seed=context.options.seed
        )
        yield from _iter_step(context, table, settings)


def _iter_step(context: Context, table: str, settings: RunSettings) -> Iterator[Row | Note]:
    """Rows of `table` for each operator call of one step of `run`."""
    calls: list[Call] = []

    def record_call(name: str, operator: Operator, arguments: tuple[Any, ...]) -> None:
        calls.append((name, arguments))
        operator(*arguments)

    with (
        closing(open_card()) as device,
        closing(StepRunner(settings, context.data, InstrumentedDevice(device, record_call))) as variant,
    ):
        # The preparation of the step made calls, too.
        calls.clear()
        variant.run(1)
        times: list[float] = []
        captured = True
        for name, arguments in calls:
            if context.left() <= 0:
                break
            context.options.check()
            seconds, captured = _seconds(
                device, partial(getattr(device, name), *arguments), context.scale.repeats
            )
            times.append(seconds)
            # Some operators advance the position in the order; it must not reach the end.
            variant.train_step.set_position(0, 0)
        if not captured:
            yield Note("The calls were not captured: the following times include the launches by the host.")
        # Shares are of the whole step, so they are left out where not all of it was timed.
        total = sum(times) if len(times) == len(calls) else None
        for (name, arguments), seconds in zip(calls, times, strict=False):
            yield Row(table, _values(context, name, arguments, seconds, total))
        if total is None:
            raise OutOfTime


def _seconds(device: Any, call: Callable[[], None], maximum: int) -> tuple[float, bool]:
    """(median seconds of one call within a graph of up to `maximum` calls, whether the calls were captured)."""
    from core.bench.cuda.ladder_step import seconds_on_card

    calls = min(_CALLS, maximum)

    def many() -> None:
        for _ in range(calls):
            call()

    replay = device.record(many)
    replay()
    return median(seconds_on_card(device, replay) for _ in range(_TIMINGS)) / calls, replay is not many


def _values(
    context: Context, name: str, arguments: tuple[Any, ...], seconds: float, total: float | None
) -> dict[str, Any]:
    bytes, flops = work_of(name, arguments)
    copy = context.results.get("bytes a second")
    product = context.results.get("flops a second")
    shapes = ["x".join(map(str, array.shape)) for array in _arrays(arguments)]  # such as 100x784
    # The result is the last array; of an optimizer, the parameters.
    result = shapes[0 if name in _UPDATES else -1]
    return {
        "operator": f"{name.replace('_', ' ')} {result}",
        "sizes": ", ".join(shapes[:2]),
        "microseconds": seconds * 1e6,
        "share": seconds / total if total else None,
        "gigabytes": bytes / seconds / 1e9,
        "of_copy": bytes / seconds / copy if copy else None,
        "gigaflops": flops / seconds / 1e9 if flops else None,
        "of_product": flops / seconds / product if product and flops else None,
    }


def work_of(name: str, arguments: tuple[Any, ...]) -> tuple[int, int]:
    """(bytes read and written, floating point operations of products) of one call; arguments as in `Device`."""
    arrays = _arrays(arguments)
    first = arrays[0]
    out = arrays[-1]
    if name == "gather":
        return out.size * first.dtype.itemsize + 4 * out.shape[0] + _bytes(out), 0
    if name in _UPDATES:
        # All arrays are read, and all but the gradient are written.
        return (2 * _UPDATES[name] - 1) * _bytes(first), 0
    if name == "advance":
        return 2 * _bytes(first), 0
    if name in ("dense_input_gradient", "convolve_input_gradient") and arguments[-2] == "linear":
        arrays = [array for array in arrays if array is not arguments[-3]]  # the activations are not read
    flops = 0
    if name.startswith(("dense", "dot")):
        flops = 2 * first.size * out.shape[1]
    elif name in _CONVOLUTIONS:
        result, filters = (arrays[index] for index in _CONVOLUTIONS[name])
        flops = 2 * result.size * prod(filters.shape[:3])
    return _bytes(*arrays), flops


def _arrays(arguments: tuple[Any, ...]) -> list[Any]:
    return [argument for argument in arguments if hasattr(argument, "dtype")]


def _bytes(*arrays: Any) -> int:
    return sum(int(array.size) * array.dtype.itemsize for array in arrays)


_COLUMNS = (
    ("operator", "operator and result"), ("sizes", "of"), ("microseconds", "microseconds"),
    ("share", "share of the sum"),
    ("gigabytes", "GB a second"), ("of_copy", "of the copy's"), ("gigaflops", "GFLOP a second"),
    ("of_product", "of the product's"),
)  # fmt: skip
_CHART = Chart("operator", "microseconds")

KERNELS = (
    Table("dense-kernels", "Operators of a step of 784-512-10, batch 100", _COLUMNS, _CHART),
    Table("cnn-kernels", "Operators of a step of 32C5-MP2-64C5-MP2-512N-10N, batch 100", _COLUMNS, _CHART),
)
