"""The table of docs/workshop.md: on the smallest set of shapes of each exercise the check tells
right from wrong.
"""

import re
from pathlib import Path

import pytest

from tools import workshop_shapes

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "workshop.md"
EXERCISES = dict(workshop_shapes.iter_exercises())


def stated():
    """The smallest set of each exercise, by the name of its row."""
    found = {}
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        row = re.fullmatch(r"\| (\d\d-[^|]+) \| ([^|]+) \| [^|]+ \|", line)
        if row:
            shapes = [dict(re.findall(r"(\w+)=(\d+)", text)) for text in row[2].split(";")]
            found[row[1]] = [{name: int(size) for name, size in shape.items()} for shape in shapes]
    return found


STATED = stated()


def test_each_exercise_has_a_row():
    assert STATED.keys() == EXERCISES.keys()


@pytest.mark.parametrize("name", STATED)
def test_the_stated_shapes_find_all_wrong_kernels(name):
    shapes = STATED[name]
    assert all(shape in EXERCISES[name].launch.shapes for shape in shapes)
    assert workshop_shapes.tells_apart(EXERCISES[name], shapes, workshop_shapes.SEEDS[0])


def test_the_search_finds_the_stated_set_of_a_small_exercise():
    name = "02-guard"
    exercise = EXERCISES[name]
    found = [workshop_shapes.found_on(exercise, (sizes,), 1) for sizes in exercise.launch.shapes]
    assert list(workshop_shapes.smallest_set(exercise, found)) == STATED[name]
