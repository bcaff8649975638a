"""The ten statements about the program: the score of one person, and the mean of a class."""

import pytest

from core.errors import InputError
from core.labs.answers import Answers
from core.labs.blocks.usability import score
from core.labs.grading import read_folder
from core.labs.reader import parse_lab

LAB = """# Afterwards

```lab
version = 1
minutes = 2
```

## The program

```usability
id = "program"
```
"""


@pytest.mark.parametrize(
    ("choices", "expected"),
    [([5, 1] * 5, 100), ([1, 5] * 5, 0), ([3] * 10, 50), ([5] * 10, 50), ([4, 1] * 5, 87.5)],
)
def test_the_score_follows_brookes_rule(choices, expected):
    assert score(choices) == expected


def test_marks_have_each_score_and_the_mean_of_those_who_answered(tmp_path):
    lab = parse_lab(LAB, "lab.md")
    (part,) = lab.parts.exercises
    given = {"Ada": [5, 1] * 5, "Bo": [3] * 10, "Cy": [3] * 9 + [0], "Di": None}
    for name, choices in given.items():
        answers = Answers(lab, name)
        if choices is not None:
            answers.keep(part, choices)
        answers.save(tmp_path / f"{name}.json")
    grades = read_folder(tmp_path, lab)
    assert [(row[0], row[1], row[3]) for row in grades.rows()[1:]] == [
        ("Ada", 1, "100"), ("Bo", 1, "50"), ("Cy", 0, ""), ("Di", 0, ""),
    ]  # fmt: skip
    assert "Usability: 75.0 of 100 in the mean, answered by 2." in grades.summary()
    assert grades.summary() in grades.html()


@pytest.mark.parametrize("value", ["5", [5] * 9, [6] * 10, [True] * 10, [2.0] * 10])
def test_other_values_are_no_answer(value):
    lab = parse_lab(LAB, "lab.md")
    with pytest.raises(InputError, match="10 whole numbers"):
        Answers(lab).keep(lab.parts.exercises[0], value)
