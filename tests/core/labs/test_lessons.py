"""The lessons that come with the program: all are good labs, and what they promise comes out."""

import subprocess

import pytest

from core.labs.blocks.question import QuestionBlock
from core.labs.blocks.text import Text
from core.labs.check import iter_check
from core.labs.package import lessons, open_lab
from core.program import own_command
from kernels.host import runnable_families

LESSONS = [path for _, path in lessons()]
LONG = [path for _, path in lessons("90-minutes")]


def test_there_are_eleven_and_each_begins_with_its_title():
    assert [title for title, _ in lessons()] == [open_lab(path).title for path in LESSONS]
    assert [path.name[:3] for path in LESSONS] == [f"{number:02}-" for number in range(1, 12)]


@pytest.mark.parametrize("path", LESSONS + LONG, ids=lambda path: path.stem)
def test_a_lesson_predicts_runs_explains_and_has_notes_for_teachers(path, few_digits):
    lab = open_lab(path)
    assert [finding.text for finding in iter_check(lab, train=False) if finding.fault] == []
    kinds = [part.name for part in lab.parts.exercises]
    assert kinds[0] == "predict"
    assert {"predict", "run", "question"} <= {*kinds}
    hidden = [part.hidden for part in lab.parts if isinstance(part, Text)]
    assert {"teacher", "reveal"} <= {*hidden}
    assert lab.minutes == 90 if path in LONG else 10 <= lab.minutes <= 30


def test_the_lessons_meet_the_ideas_that_pupils_bring_along():
    labs = [open_lab(path) for path in LESSONS]
    choices = [
        choice
        for lab in labs
        for part in lab.parts.exercises
        if isinstance(part, QuestionBlock)
        for choice in part.choices
    ]
    assert {
        "it goes on learning while it is used", "it stores the pictures", "somebody programmed it",
        "computers are exact", "more layers are better", "a lower loss is always better",
        "accuracy on the training data is what counts",
    } <= {choice.misconception for choice in choices}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, 7))
def test_the_figures_of_a_lesson_come_out_with_the_code_of_two_families(number, drawn_digits):
    """Lessons whose runs are short. `python -m tools.lessons families` trains all, with all
    families.
    """
    command = [*own_command(), "lab", "check", str(LESSONS[number - 1])]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("FAULT")] == []
    if len(runnable_families()) > 1:
        assert any("Again with OpenBLAS" in line for line in lines)
