"""The shapes that find the wrong kernels of the exercises: `python -m tools.workshop_shapes` prints
the table of docs/workshop.md; with names, such as `12 13`, the rows of these.

For each exercise: the smallest set of its shapes on which the solution passes and each marked fault
of each wrong kernel is found, with each of SEEDS; and how many of the wrong kernels the shapes find
that the check chooses where none are given. All sets of one shape are tried, then all of two, and
so on.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from core.errors import InputError
from core.labs.blocks.kernel import KernelBlock
from core.labs.package import open_lab
from core.workshop.check import iter_check
from core.workshop.checker.trace import Verdict, shape_text
from core.workshop.exercise import Exercise, marked_faults, missed_faults, read_text
from core.workshop.launch import check_array_bytes, default_shapes

EXERCISES = Path(__file__).resolve().parents[1] / "resources" / "workshop"
SEEDS = (1, 2, 3)
Shape = dict[str, int]
Mark = tuple[str, str, int]
"""A wrong kernel, and the kind and the line of a fault that is marked there."""


def iter_exercises() -> Iterator[tuple[str, Exercise]]:
    """Each with the name of its folder, and that of its kernel where the folder has several."""
    for folder in sorted(EXERCISES.iterdir()):
        parts = [part for part in open_lab(folder).parts if isinstance(part, KernelBlock)]
        for part in parts:
            yield folder.name if len(parts) == 1 else f"{folder.name} {part.id}", part.exercise


def verdict_on(exercise: Exercise, source: str, shapes: Iterable[Shape], seed: int) -> Verdict:
    launch = replace(exercise.launch, shapes=tuple(shapes))
    *_, verdict = iter_check(source, launch, seed=seed, types=False, isolated=False)
    assert verdict is not None
    return verdict


def all_marks(exercise: Exercise) -> set[Mark]:
    return {
        (path.name, *mark) for path in exercise.wrong for mark in marked_faults(read_text(path))
    }


def found_on(exercise: Exercise, shapes: Iterable[Shape], seed: int) -> set[Mark]:
    """The marked faults that a check on these shapes names."""
    shapes = tuple(shapes)
    found = set[Mark]()
    for path in exercise.wrong:
        source = read_text(path)
        missed = missed_faults(source, verdict_on(exercise, source, shapes, seed))
        found |= {(path.name, *mark) for mark in marked_faults(source) if mark not in missed}
    return found


def tells_apart(exercise: Exercise, shapes: Iterable[Shape], seed: int) -> bool:
    """Whether on these shapes the solution passes without a warning and all marked faults are
    found.
    """
    shapes = tuple(shapes)
    assert exercise.solution is not None
    if verdict_on(exercise, read_text(exercise.solution), shapes, seed).faults:
        return False
    return found_on(exercise, shapes, seed) == all_marks(exercise)


def smallest_set(exercise: Exercise, found: list[set[Mark]]) -> tuple[Shape, ...]:
    """The first of the smallest sets that tell right from wrong. `found`: what each shape finds
    alone.
    """
    shapes = exercise.launch.shapes
    wanted = all_marks(exercise)
    for count in range(1, len(shapes) + 1):
        for chosen in combinations(range(len(shapes)), count):
            if set[Mark]().union(*(found[index] for index in chosen)) != wanted:
                continue
            candidates = tuple(shapes[index] for index in chosen)
            if all(tells_apart(exercise, candidates, seed) for seed in SEEDS):
                return candidates
    return ()


def on_default_shapes(exercise: Exercise) -> str:
    """How many wrong kernels the check's own shapes find; a dash where the exercise does not allow
    these.
    """
    launch = exercise.launch
    assert exercise.solution is not None
    shapes = default_shapes(sorted(launch.shapes[0]), launch.steps[0])
    try:
        for sizes in shapes:
            check_array_bytes(launch, sizes)
            launch.has_no_blocks(sizes)
        verdict = verdict_on(exercise, read_text(exercise.solution), shapes, SEEDS[0])
        found = found_on(exercise, shapes, SEEDS[0])
    except InputError:
        return "–"
    if not verdict.passed:
        return "–"
    missed = {name for name, _, _ in all_marks(exercise) - found}
    return f"{len(exercise.wrong) - len(missed)} of {len(exercise.wrong)}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "names", nargs="*", help="how the names of the exercises begin (default: all)"
    )
    chosen = tuple(parser.parse_args().names) or ("",)
    print("| exercise | smallest set | found on the check's own shapes |\n|---|---|---:|")
    for name, exercise in iter_exercises():
        if not name.startswith(chosen):
            continue
        found = [found_on(exercise, (sizes,), SEEDS[0]) for sizes in exercise.launch.shapes]
        smallest = smallest_set(exercise, found)
        texts = "; ".join(shape_text(sizes).strip(" ()") for sizes in smallest) or "none"
        own = on_default_shapes(exercise)
        print(f"| {name} | {texts} | {own} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
