"""Benchmarks: measurements that anyone can repeat. A benchmark's module is imported when it is
asked for.
"""

from collections.abc import Generator
from importlib import import_module

from core.bench.rows import Bench, Note, Options, Row
from core.errors import InputError
from core.measure.machine_load import MachineLoad
from kernels.host import arithmetic, blas_variables

NAMES: dict[str, str] = {
    "operators": "matrix product and addition against size, on each device",
    "batch-size": "time of an epoch and accuracy against batch size; time to 95 %",
    "data-parallel": "speed-up of workers against points and groups; R²",
    "devices": "each device against plain loops, dense network and CNN",
    "convolution": "training of the blog's CNN against PyTorch",
    "dense": "an epoch of 784-512-10 against PyTorch",
    "cuda": "the thesis's ladder on a graphics card",
}

# Module and constant of the benchmarks that are not the BENCH of the module with their name.
_ELSEWHERE = {
    "cuda": ("cuda.ladder", "BENCH"),
    "convolution": ("dense", "CONVOLUTION"),
    "batch-size": ("epochs", "BATCH_SIZE"),
    "devices": ("epochs", "DEVICES"),
}


def find_bench(name: str) -> Bench:
    """The benchmark called `name`. Raises InputError with all names where there is none."""
    if name not in NAMES:
        raise InputError(
            "There is no bench “{name}”: choose one of {names}.", name=name, names=", ".join(NAMES)
        )
    module, constant = _ELSEWHERE.get(name, (name.replace("-", "_"), "BENCH"))
    bench: Bench = getattr(import_module(f"{__name__}.{module}"), constant)
    return bench


def iter_bench(bench: Bench, options: Options) -> Generator[Row | Note]:
    """The rows and notes of a benchmark. Notes first say what computes, and last whether other
    programs were busy.

    Raises InputError before any of them where the options are wrong.
    """
    # Before measuring: it compares the load of the processor at both ends.
    load = MachineLoad()
    for number, record in enumerate(bench.iter_rows(options)):
        # After the first row: an error in the options comes before any output.
        if number == 0:
            yield from _notes_of_arithmetic()
        yield record
    if warning := load.warning():
        yield Note(warning)


def _notes_of_arithmetic() -> Generator[Note]:
    yield Note(f"Products on the processor: {arithmetic()}.")
    for name, value in blas_variables().items():
        yield Note(
            f"{name}={value} is set: OpenBLAS does not choose its code by this processor. Without "
            "the variable, times "
            "and ratios may be others."
        )
