"""Labs with kernels: the block is read, the lab is tested, kernels are handed in and checked
again.
"""

import json

import pytest

from core.commands import run
from core.errors import InputError
from core.labs.answers import Answers
from core.labs.answers_file import ProgressFile, read_answers
from core.labs.check import iter_check as iter_lab_check
from core.labs.grading import iter_kernels, read_folder
from core.labs.package import open_lab
from core.labs.web_page import sheet_html
from core.workshop.check import iter_check

LAB = """# A guard

```lab
version = 1
```

## Write

```kernel
id = "guard"
ask = "Add 10."
kernel = "add_ten"
args = "out: float32[n], a: float32[n]"
grid = "(n + 31) // 32"
block = 32
sizes = "n=7,64"
par = { sectors_per_request = 4 }
```
"""
RIGHT = """from numba import cuda


@cuda.jit
def add_ten(out, a):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + 10
"""
WRONG = RIGHT.replace("i < out.size", "i <= out.size").replace("+ 10", "+ 10  # fault: bounds")
COSTLY = (
    RIGHT.replace("cuda.grid(1)", "out.size - 1 - cuda.grid(1)")
    .replace("i < out.size", "0 <= i")
    .replace("a[i]", "a[i * 5 % out.size] + a[i] - a[i * 5 % out.size]")
)


@pytest.fixture
def lab(tmp_path):
    folder = tmp_path / "guard"
    (folder / "wrong").mkdir(parents=True)
    (folder / "lab.md").write_text(LAB)
    (folder / "skeleton.py").write_text(RIGHT.replace(" + 10", ""))
    (folder / "solution.py").write_text(RIGHT)
    (folder / "reference.py").write_text("def out(a):\n    return a + 10\n")
    (folder / "wrong" / "late.py").write_text(WRONG)
    return open_lab(folder)


def checked(lab, source):
    *_, verdict = iter_check(source, lab.part("guard").exercise.launch, isolated=False, types=False)
    return verdict


@pytest.mark.slow
def test_lab_check_tests_the_solution_and_the_wrong_kernels(lab):
    assert [finding.fault for finding in iter_lab_check(lab)] == [False, False]
    (lab.folder / "wrong" / "late.py").write_text(WRONG.replace("bounds", "race"))
    (fault,) = [finding.text for finding in iter_lab_check(lab) if finding.fault]
    assert fault.startswith(
        "line 9, guard, late.py: not found: race at line 8; found: line 8: bounds: Thread 7"
    )


def test_the_command_takes_the_exercise_of_the_file(lab, capsys):
    assert (
        run(["workshop", "check", str(lab.folder / "wrong" / "late.py"), "--json", "--no-types"])
        == 1
    )
    assert json.loads(capsys.readouterr().out)["sizes"] == [{"n": 7}, {"n": 64}]


def test_a_par_is_a_warning_at_the_worst_access(lab):
    verdict = checked(lab, COSTLY)
    assert [(fault.kind, fault.line) for fault in verdict.faults] == [("par", 8)]
    assert verdict.passed


@pytest.mark.slow
def test_kernels_are_handed_in_and_checked_again(lab, tmp_path):
    part, folder = lab.part("guard"), tmp_path / "class"
    folder.mkdir()
    for name, source in (("Ada", RIGHT), ("Bo", COSTLY), ("Cy", WRONG)):
        answers = Answers(lab, name)
        assert not answers.is_done(part)
        answers.keep_kernel(part, source, checked(lab, source))
        assert answers.is_done(part) == (name == "Ada")
        answers.save(folder / f"{name}.json")
    values = json.loads((folder / "Cy.json").read_text())
    values["kernels"]["guard"]["faults"] = []
    (folder / "Cy.json").write_text(json.dumps(values))
    assert read_answers(folder / "Cy.json", lab).kernels["guard"].result == "right"
    grades = read_folder(folder, lab)
    assert len(list(iter_kernels(grades))) == 3
    assert [
        part.outcome(marked.answers.given(part), marked.marks(part)) for marked in grades.marked
    ] == [
        "right",
        "right, par missed",
        "wrong: bounds",
    ]
    assert grades.marked[2].kernels == {"guard": "wrong: bounds; the file says right"}


def test_the_best_kernel_is_kept_whatever_is_tried(lab):
    part, answers = lab.part("guard"), Answers(lab, "Ada")
    for source, kept in (
        (WRONG, WRONG), (COSTLY, COSTLY), (WRONG, COSTLY), (RIGHT, RIGHT), (COSTLY, RIGHT), (WRONG, RIGHT),
    ):  # fmt: skip
        answers.keep_kernel(part, source, checked(lab, source))
        assert answers.kernels["guard"].source == kept
    again = RIGHT.replace("+ 10", "+ 10.0")
    answers.keep_kernel(part, again, checked(lab, again))
    assert answers.kernels["guard"].source == again  # of equally good ones the last


def test_the_best_kernel_of_two_windows_is_kept(lab, home):
    part = lab.part("guard")
    files = ProgressFile(lab), ProgressFile(lab)
    windows = [(file, file.read()) for file in files]
    for (file, answers), source in zip(windows, (RIGHT, WRONG), strict=True):
        answers.keep_kernel(part, source, checked(lab, source))
        file.write(answers)
    assert ProgressFile(lab).read().kernels["guard"].source == RIGHT


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('kernel = "add_ten"\n', "", "a kernel needs “kernel”"),
        ("par = { sectors_per_request", "par = { sectors", "par.sectors: give numbers of"),
        ("block = 32", "block = 3200", "from 1 to 1024"),
        ('id = "guard"', 'file = "other.py"', "is not in the lab's folder"),
        ('id = "guard"', 'solution = "../x.py"', "is not in the lab's folder"),
    ],
)
def test_wrong_blocks_are_refused_at_their_line(lab, old, new, words):
    (lab.folder / "lab.md").write_text(LAB.replace(old, new))
    with pytest.raises(InputError, match=r"lab\.md, line") as error:
        open_lab(lab.folder)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "kernel", [{"source": 1, "faults": []}, {"source": "", "faults": ["x"]}, {"source": ""}, 3]
)
def test_damaged_kernels_are_refused(lab, tmp_path, kernel):
    path = tmp_path / "damaged.json"
    answers = Answers(lab, "Ada")
    path.write_text(json.dumps({**answers.as_dict(), "kernels": {"guard": kernel}}))
    with pytest.raises(InputError, match="cannot be read as answers"):
        read_answers(path, lab)


def test_the_sheet_shows_the_skeleton_and_to_teachers_the_solution(lab):
    assert "a[i] + 10" not in sheet_html(lab)
    assert "out[i] = a[i]" in sheet_html(lab)
    assert "a[i] + 10" in sheet_html(lab, teacher=True)
