"""The exercises of the kernel workshop: solutions pass, wrong kernels are found, and odd ones raise no false alarm."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from core.workshop.check import iter_check
from core.workshop.launch import parse_launch
from core.workshop.reference import reference_of

ROOT = Path(__file__).resolve().parents[3]
EXERCISES = sorted((ROOT / "resources" / "workshop").iterdir())
ODD = sorted((ROOT / "tests" / "kernels" / "workshop" / "odd").glob("*.py"))


def launch_of(exercise):
    """The launch of an exercise's kernel block."""
    text = (exercise / "lab.md").read_text("utf-8")
    block = tomllib.loads(re.search(r"^```kernel\n(.*?)^```", text, re.DOTALL | re.MULTILINE)[1])
    return parse_launch(
        block["kernel"], block["args"], block["grid"], block["block"], block["sizes"],
        (exercise / "reference.py").read_text("utf-8"), block.get("par"),
    )  # fmt: skip


def verdict_of(path, launch, types=False):
    *_, verdict = iter_check(path.read_text("utf-8"), launch, seed=1, types=types, isolated=False)
    return verdict


def found_in(verdict):
    """(kind, line) of each fault, and of the other access of a race."""
    pairs = {(fault.kind, fault.line) for fault in verdict.faults}
    return pairs | {(fault.kind, fault.other_line) for fault in verdict.faults}


def marked_in(path):
    lines = path.read_text("utf-8").splitlines()
    return {
        (kind, number) for number, line in enumerate(lines, 1) for kind in re.findall(r"# fault: (\S+)", line)
    }


def texts(verdict):
    return "\n".join(f"line {fault.line}: {fault.kind}: {fault.text}" for fault in verdict.faults)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda path: path.name)
def test_an_exercise_tells_right_from_wrong(exercise):
    launch = launch_of(exercise)
    solution = verdict_of(exercise / "solution.py", launch)
    assert not solution.faults, texts(solution)
    assert verdict_of(exercise / "skeleton.py", launch).faults, "the skeleton already passes"
    wrong = sorted((exercise / "wrong").glob("*.py"))
    assert len(wrong) >= 6
    for path in wrong:
        marks = marked_in(path)
        assert marks, f"{path.name} has no mark"
        verdict = verdict_of(path, launch)
        assert marks <= found_in(verdict), f"{path.name}: {marks} not in\n{texts(verdict)}"


@pytest.mark.parametrize("path", ODD, ids=lambda path: path.stem)
def test_a_right_but_odd_kernel_raises_no_false_alarm(path):
    text = path.read_text("utf-8")
    head = tomllib.loads("\n".join(re.findall(r"^# (\w+ = .*)$", text, re.MULTILINE)))
    names = [part.split(":")[0].strip() for part in re.sub(r"\[.*?\]", "", head["args"]).split(",")]
    reference = reference_of(head["expect"], names) if "expect" in head else ""
    launch = parse_launch(
        head.get("kernel", ""), head["args"], head["grid"], head["block"], head["sizes"], reference
    )
    verdict = verdict_of(path, launch)
    warnings = {head["warns"]} if "warns" in head else set()
    assert {fault.kind for fault in verdict.faults} == warnings, texts(verdict)


@pytest.mark.slow
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda path: path.name)
def test_all_but_the_marked_kernels_compile(exercise):
    """Numba takes each kernel whose fault is no matter of types."""
    launch = launch_of(exercise)
    for path in (exercise / "solution.py", exercise / "skeleton.py", *(exercise / "wrong").glob("*.py")):
        kinds = {fault.kind for fault in verdict_of(path, launch, types=True).faults}
        refused = any(kind in ("type", "unsupported") for kind, _ in marked_in(path))
        assert bool(kinds & {"type", "unsupported"}) == refused, path.name


def test_every_kernel_names_its_steps():
    """The same words everywhere: load, wait, compute, store."""
    for exercise in EXERCISES:
        comments = re.findall(r"# (\w+)", (exercise / "solution.py").read_text("utf-8"))
        assert {"load", "store"} <= {*comments}, exercise.name
        tree = ast.parse((exercise / "solution.py").read_text("utf-8"))
        assert len(ast.get_docstring(tree).splitlines()) >= 3, (
            f"{exercise.name}: the solution is not explained"
        )
