"""Matrix product and sum against matrix size, on every device; on a card also with copies to and
from it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from core.bench.rows import Bench, Chart, Note, Options, Row, Rows, Table
from core.bench.timing import SPREAD_COLUMN, Times, iter_available, repeat, seconds_of, spread
from kernels.registry import device_spec, open_device

WITH_COPIES = " with copies"
NAIVE = ", naive kernel"  # the one-thread-per-element CUDA kernel of `core.bench.cuda.ladder_step`
BASELINE = "vectorized"
# Windows resets a card when its screen waits two seconds, so no launch on a card may come near
# that.
CARD_MAX_SECONDS = 0.5
# Side of the square blocks of threads of the naive kernel.
_NAIVE_BLOCK = 16

# Exponent of the running time against matrix size.
_GROWTH = {"product": 3, "addition": 2}


def iter_rows(options: Options) -> Rows:
    names = yield from iter_available(options)
    for table in ("product", "addition"):
        contestants = []
        for name in names:
            contestants.append(name)
            if not device_spec(name).on_host:
                # On the host nothing has to be copied.
                contestants.append(name + WITH_COPIES)
            if name == "cuda" and table == "product":
                contestants.append(name + NAIVE)
        yield from iter_operator(table, contestants, options)


def iter_operator(table: str, contestants: Sequence[str], options: Options) -> Rows:
    """Rows of `product` or `addition`: all contestants at one size, then the next size.

    `contestants`: device names, optionally with WITH_COPIES or NAIVE appended. A contestant is
    skipped once it would take more seconds than `options.sizes` allow, on a card at most
    CARD_MAX_SECONDS. `options.check` is called before each measurement; when it raises, the rows of
    the unfinished size are yielded first.
    """
    sizes = options.sizes
    last: dict[str, tuple[int, float]] = {}  # size and seconds of the previous measurement
    for size in sizes.matrices:
        rng = np.random.default_rng(options.seed)
        x, y = (rng.standard_normal((size, size), np.float32) for _ in range(2))
        times: Times = {}
        try:
            for name in contestants:
                last_size, last_seconds = last.get(name, (size, 0.0))
                limit = sizes.max_seconds_per_call
                if not device_spec(_device_name(name)).on_host:
                    limit = min(limit, CARD_MAX_SECONDS)
                if last_seconds * (size / last_size) ** _GROWTH[table] > limit:
                    yield Note(
                        f"{name}: left out at size {size}, where it would take more than "
                        f"{limit:g} s."
                    )
                    continue
                options.check()
                times[name] = measure(name, table, x, y, sizes.budget)
                last[name] = size, median(times[name])
        except Exception:
            yield from _rows(table, size, times)
            raise
        yield from _rows(table, size, times)


def _device_name(contestant: str) -> str:
    return contestant.removesuffix(WITH_COPIES).removesuffix(NAIVE)


def _rows(table: str, size: int, times: Times) -> Iterator[Row]:
    # A product has a multiplication and an addition for each pair.
    operations = 2 * size**3 if table == "product" else size**2
    for name, values in times.items():
        seconds = median(values)
        yield Row(
            table,
            {
                "device": name,
                "size": size,
                "seconds": seconds,
                "gigaflops": operations / seconds / 1e9,
                "speed_up": median(times[BASELINE]) / seconds if BASELINE in times else None,
                "spread": spread(values),
            },
        )


def measure(name: str, table: str, x: np.ndarray, y: np.ndarray, budget: float) -> list[float]:
    """Repeated times in seconds until the result of the operator on the matrices `x` and `y` is
    available.
    """
    with closing(open_device(_device_name(name))) as device:
        arrays = [device.asarray(x), device.asarray(y), device.empty(x.shape)]
        operator: Callable[..., None] = device.dot if table == "product" else device.add
        if name.endswith(NAIVE):
            from core.bench.cuda.ladder_step import naive_product

            card: Any = device
            operator = partial(naive_product, card, _NAIVE_BLOCK)
        result = np.empty_like(x)

        def plain() -> None:
            operator(*arrays)
            device.synchronize()

        def with_copies() -> None:
            device.write(arrays[0], x)
            device.write(arrays[1], y)
            operator(*arrays)
            device.read(arrays[2], result)
            device.synchronize()

        work = with_copies if name.endswith(WITH_COPIES) else plain
        if device_spec(device.name).on_host and table == "product":
            # A corner is enough to compile: a whole product may take long on plain loops. A sum
            # needs a whole warm-up, since the first access to memory costs more than the addition.
            operator(*(np.ascontiguousarray(array[:64, :64]) for array in arrays))
        else:
            work()
        return repeat(lambda: seconds_of(work), budget)


_COLUMNS = {
    "device": "device",
    "size": "size",
    "seconds": "seconds",
    "gigaflops": "GFLOP a second",
    "speed_up": "times as fast as vectorized",
    **SPREAD_COLUMN,
}

_CHART = Chart("size", "seconds", "device", is_logarithmic=True)

BENCH = Bench(
    "operators",
    (
        Table("product", "Product of two square matrices (thesis, figure 2.3)", _COLUMNS, _CHART),
        Table("addition", "Sum of two square matrices (thesis, figure 2.4)", _COLUMNS, _CHART),
    ),
    iter_rows,
)
