"""The limits of the card, and matrix product and sum against size: the thesis's figures 2.3 and 2.4."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np

from core.bench.cuda.context import Context, open_card
from core.bench.operators import NAIVE, WITH_COPIES, iter_operator, operator_tables
from core.bench.rows import Note, Row, Table
from core.bench.timing import repeat

CONTESTANTS = ("vectorized", "cuda", f"cuda{WITH_COPIES}")
NAIVE_CONTESTANT = f"cuda{NAIVE}"

# Operations queued together in one timing, and the seconds that they may take (see CARD_MAX_SECONDS).
_TOGETHER = 8
_TOGETHER_SECONDS = 0.4

# A contestant is left out at sizes where it would take more seconds than this.
_MAX_SECONDS = 8.0


def iter_limits(context: Context) -> Iterator[Row | Note]:
    """Bytes a second of a copy on the card, and floating point operations a second of a matrix product."""
    from core.bench.cuda.ladder_step import copy_on_card, seconds_on_card

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
        seconds = seconds_each(device, lambda: copy_on_card(device, source, target))
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
        context.options.sizes, matrices=scale.sizes, budget=scale.operator_seconds, max_seconds_per_call=_MAX_SECONDS
    )  # fmt: skip
    options = replace(context.options, sizes=sizes, check=context.check)
    yield from iter_operator("addition", CONTESTANTS, options)
    yield from iter_operator("product", (*CONTESTANTS, NAIVE_CONTESTANT), options)


def limit_row(
    name: str, what: str, seconds: float, bytes: float | None = None, flops: float | None = None
) -> Row:
    """A row of the table `ceilings`; `bytes` and `flops` are per second."""
    return Row("ceilings", {
        "name": name, "what": what, "seconds": seconds,
        "gigabytes": bytes / 1e9 if bytes else None, "gigaflops": flops / 1e9 if flops else None,
    })  # fmt: skip


LIMITS = Table(
    "ceilings",
    "Limits of this card",
    (
        ("name", "measured"), ("what", "of"), ("seconds", "seconds"), ("gigabytes", "GB a second"),
        ("gigaflops", "GFLOP a second"),
    ),
)  # fmt: skip
PRODUCT, ADDITION = operator_tables("the CPU")
