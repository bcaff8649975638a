"""How fast kernels are checked: `python -m tools.workshop_speed`, on a machine that does nothing else.

Prints for each exercise the seconds of the check of its solution at its shapes (without the compiler), and the
recorded accesses a second at its largest shape, whose sizes are doubled until there are ACCESSES of them.
"""

import sys
import time
from pathlib import Path
from statistics import median

from core.labs.blocks.kernel import KernelBlock
from core.labs.package import open_lab
from core.workshop.check import iter_check
from core.workshop.checker.analysis import count, find_races
from core.workshop.checker.interpreter import build_kernel, run_kernel
from core.workshop.checker.machine import Machine
from core.workshop.checker.statements import Function
from core.workshop.exercise import read_text
from core.workshop.inputs import make_inputs
from core.workshop.launch import Launch

ACCESSES = 300_000
EXERCISES = Path(__file__).resolve().parents[1] / "resources" / "workshop"


def main() -> int:
    rates = []
    for folder in sorted(EXERCISES.iterdir()):
        for part in open_lab(folder).parts.exercises:
            if isinstance(part, KernelBlock) and part.exercise.solution is not None:
                exercise = part.exercise
                source = read_text(part.exercise.solution)
                begin = time.perf_counter()
                list(iter_check(source, exercise.launch, types=False, isolated=False))
                seconds = time.perf_counter() - begin
                _, function = build_kernel(source, exercise.launch.kernel)
                accesses, rate, sizes = measure(function, exercise.launch)
                rates.append(rate)
                print(
                    f"{folder.name:24} {seconds:6.2f} s   {accesses:>9,} accesses {rate / 1e6:6.2f} M/s   {sizes}",
                    flush=True,
                )
    print(f"median: {median(rates) / 1e6:.2f} million recorded accesses a second")
    return 0


def measure(function: Function, launch: Launch) -> tuple[int, float, dict[str, int]]:
    """Accesses, accesses a second, and the sizes: the best of three."""
    sizes = max(launch.shapes, key=lambda shape: sum(shape.values()))
    largest = sizes
    while True:
        rates = []
        for _ in range(3):
            arguments = make_inputs(launch, sizes, 1, set())
            machine = Machine(*launch.steps[0].dimensions(sizes), sizes)
            begin = time.perf_counter()
            run_kernel(function, machine, arguments)
            find_races(machine)
            count(machine)
            rates.append(machine.totals.accesses / (time.perf_counter() - begin))
        if machine.totals.accesses >= ACCESSES or not largest:
            return machine.totals.accesses, max(rates), sizes
        # The sizes that are already large are those of the data; small ones may be limits of the kernel.
        most = max(sizes.values())
        sizes = {name: value * 2 if value * 4 >= most else value for name, value in sizes.items()}


if __name__ == "__main__":
    sys.exit(main())
