"""Matrix product and addition against size, on every device; on a card also with the copies there and back."""

from collections.abc import Iterator

import numpy as np

from core.bench import machine
from core.bench.clock import least, seconds_of
from core.bench.rows import Bench, Chart, Note, Options, Row, Table
from kernels.device import Device
from kernels.host import HostDevice
from kernels.registry import device_spec, open_device

QUICK_SIZES = (50, 100, 200, 400, 800)
SIZES = (50, 100, 200, 400, 800, 1600, 3200, 8000)
COPIES = " with copies"

_COLUMNS = (
    ("device", "device"), ("size", "size"), ("seconds", "seconds"), ("operations", "operations a second"),
    ("speed_up", "times as fast as vectorized"),
)  # fmt: skip
_CHART = Chart("size", "seconds", ("device",), x_log=True, y_log=True)


def iter_rows(options: Options) -> Iterator[Row | Note]:
    names, missing = machine.available(options.devices)
    yield from missing
    # Past this a device is left out at larger sizes.
    patience = 0.5 if options.quick else 30.0
    budget = 0.1 if options.quick else 2.0
    for table, cost in (("product", 3), ("addition", 2)):
        last: dict[str, tuple[int, float]] = {}
        for size in QUICK_SIZES if options.quick else SIZES:
            seconds: dict[str, float] = {}
            for name in names:
                for kind in ("",) if device_spec(name).on_host else ("", COPIES):
                    before, took = last.get(name + kind, (size, 0.0))
                    if took * (size / before) ** cost > patience:
                        continue
                    took = _measure(name, table, size, bool(kind), budget, options.seed)
                    last[name + kind], seconds[name + kind] = (size, took), took
            for device, took in seconds.items():
                against = seconds.get("vectorized")
                operations = 2 * size**3 if table == "product" else size**2
                yield Row(table, {
                    "device": device, "size": size, "seconds": took, "operations": operations / took,
                    "speed_up": against / took if against else None,
                })  # fmt: skip


def _measure(name: str, table: str, size: int, copies: bool, budget: float, seed: int) -> float:
    """Least seconds of the operator on matrices of size x size."""
    rng = np.random.default_rng(seed)
    x, y = (rng.standard_normal((size, size), np.float32) for _ in range(2))
    device = open_device(name)
    try:
        return _of_device(device, table, x, y, copies, budget)
    finally:
        device.close()


def _of_device(
    device: Device, table: str, x: np.ndarray, y: np.ndarray, copies: bool, budget: float
) -> float:
    operator = device.dot if table == "product" else device.add
    there = [device.share(x), device.share(y), device.empty(x.shape)]
    home = np.empty_like(x)

    def work() -> None:
        if copies:
            device.write(there[0], x)
            device.write(there[1], y)
        operator(*there)
        if copies:
            device.read(there[2], home)
        device.synchronize()

    if isinstance(device, HostDevice) and table == "product" and x.size > 1_000_000:
        # Warm by a corner: a whole product may take long on plain loops. A sum has to be warm all over, since
        # memory that is touched for the first time costs more than adding.
        corner = [np.ascontiguousarray(array[:64, :64]) for array in there]
        operator(*corner)
        return seconds_of(work)
    return least(work, budget)


BENCH = Bench(
    "operators",
    "Matrix product and addition against size",
    (
        Table("product", "Product of two square matrices (thesis, figure 2.3)", _COLUMNS, _CHART),
        Table("addition", "Sum of two square matrices (thesis, figure 2.4)", _COLUMNS, _CHART),
    ),
    iter_rows,
)
