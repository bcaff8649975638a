"""What the card can do at most, and product and addition against size: the thesis's figures 2.3 and 2.4."""

from collections.abc import Callable, Iterator
from contextlib import closing
from time import perf_counter
from typing import Any

import numpy as np

from core.bench.clock import seconds_of
from core.bench.cuda.context import Context, OutOfTime, median_seconds, open_card
from core.bench.rows import Chart, Note, Row, Table
from kernels.device import Device
from kernels.registry import open_device

CPU, CARD, COPIES, NAIVE = "vectorized", "cuda", "cuda with copies", "cuda, naive kernel"

# Of what the ceilings measure, so many are queued in one go: else the wait for the first launch counted in full.
_TOGETHER = 8

# At larger sizes a contestant is left out where it would take longer than this.
_PATIENCE = 8.0


def iter_ceilings(context: Context) -> Iterator[Row | Note]:
    """Bytes and multiplications a second that nothing here can exceed."""
    from core.bench.cuda.ladder_trace import copy_on_card, seconds_on_card

    scale = context.scale
    together = min(_TOGETHER, scale.repeats)

    def seconds_of_each(device: Any, work: Callable[[], None]) -> float:
        def several() -> None:
            for _ in range(together):
                work()

        return median_seconds(lambda: seconds_on_card(device, several) / together, scale.operator_seconds)

    with closing(open_card()) as device:
        source = device.upload(np.zeros(scale.copied_bytes // 4, np.float32))
        target = device.empty(source.shape)
        seconds = seconds_of_each(device, lambda: copy_on_card(device, source, target))
        copied = 2 * 4 * source.size
        context.found["bytes a second"] = copied / seconds
        yield _ceiling(
            "device copy", f"{copied / 1e6:,.0f} MB read and written", seconds, bytes=copied / seconds
        )
        context.check()
        n = scale.large
        rng = np.random.default_rng(context.options.seed)
        x, y = (device.upload(rng.random((n, n), np.float32)) for _ in range(2))
        out = device.empty((n, n))
        seconds = seconds_of_each(device, lambda: device.dot(x, y, out))
        flops = 2 * n**3 / seconds
        context.found["product"] = context.found["flops a second"] = flops
        yield _ceiling(f"product {n}, this program", "float32", seconds, flops=flops)


def iter_operators(context: Context) -> Iterator[Row | Note]:
    """Seconds of product and addition of square matrices, until the result is there."""
    for table, cost in (("addition", 2), ("product", 3)):
        last: dict[str, tuple[int, float]] = {}
        for size in context.scale.sizes:
            context.check()
            rng = np.random.default_rng(context.options.seed)
            x, y = (rng.random((size, size), np.float32) for _ in range(2))
            found: dict[str, float] = {}
            late = False
            for name in (CPU, CARD, COPIES, NAIVE) if table == "product" else (CPU, CARD, COPIES):
                before, took = last.get(name, (size, 0.0))
                if took * (size / before) ** cost > _PATIENCE:
                    yield Note(
                        f"{name}: left out at size {size}, where it would take over {_PATIENCE:.0f} s."
                    )
                    continue
                if late := context.left() <= 0:
                    break
                context.go_on()
                found[name] = _measure(context, name, table, x, y)
                last[name] = size, found[name]
            for name, seconds in found.items():
                operations = 2 * size**3 if table == "product" else size**2
                yield Row(table, {
                    "device": name, "size": size, "seconds": seconds, "operations": operations / seconds,
                    "speed_up": found[CPU] / seconds if CPU in found else None,
                })  # fmt: skip
            if late:
                raise OutOfTime


def _measure(context: Context, name: str, table: str, x: np.ndarray, y: np.ndarray) -> float:
    """Median seconds of the operator called and waited for."""
    with closing(open_device(CPU if name == CPU else CARD)) as device:
        work = _work(context, device, name, table, x, y)
        with device.limits():
            begun = perf_counter()
            work()
            # What takes seconds is not run a dozen times to be sure of it.
            if name == CPU and perf_counter() - begun > 1:
                return seconds_of(work)
            return median_seconds(lambda: seconds_of(work), context.scale.operator_seconds)


def _work(
    context: Context, device: Device, name: str, table: str, x: np.ndarray, y: np.ndarray
) -> Callable[[], None]:
    operator = device.dot if table == "product" else device.add
    there = [device.share(x), device.share(y), device.empty(x.shape)]
    home = np.empty_like(x)

    def plain() -> None:
        operator(*there)
        device.synchronize()

    def copying() -> None:
        device.write(there[0], x)
        device.write(there[1], y)
        operator(*there)
        device.read(there[2], home)

    def naive() -> None:
        _launch_naive(device, context.options.block, *there)
        device.synchronize()

    return {COPIES: copying, NAIVE: naive}.get(name, plain)


def _launch_naive(device: Any, block: int, x: Any, y: Any, out: Any) -> None:
    from core.bench.cuda.ladder_step import naive_product

    naive_product(device, block, x, y, out)


def _ceiling(
    name: str, what: str, seconds: float, bytes: float | None = None, flops: float | None = None
) -> Row:
    return Row("ceilings", {
        "name": name, "what": what, "seconds": seconds,
        "gigabytes": bytes / 1e9 if bytes else None, "gigaflops": flops / 1e9 if flops else None,
    })  # fmt: skip


_COLUMNS = (
    ("device", "device"), ("size", "size"), ("seconds", "seconds"), ("operations", "operations a second"),
    ("speed_up", "times as fast as the CPU"),
)  # fmt: skip
_CHART = Chart("size", "seconds", ("device",), x_log=True, y_log=True)

CEILINGS = Table(
    "ceilings",
    "What this card can do at most",
    (
        ("name", "measured"), ("what", "of"), ("seconds", "seconds"), ("gigabytes", "GB a second"),
        ("gigaflops", "GFLOP a second"),
    ),
)  # fmt: skip
PRODUCT = Table("product", "Product of two square matrices (thesis, figure 2.3)", _COLUMNS, _CHART)
ADDITION = Table("addition", "Sum of two square matrices (thesis, figure 2.4)", _COLUMNS, _CHART)
