"""The exercises of the kernel workshop: solutions pass, wrong kernels are found, and odd ones raise no false alarm."""

import inspect
import re
import tomllib
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from core.labs.blocks.kernel import KernelBlock
from core.labs.blocks.question import QuestionBlock
from core.labs.package import open_lab
from core.workshop.check import iter_check
from core.workshop.exercise import iter_exercise_check, marked_faults, missed_faults, read_text
from core.workshop.launch import parse_launch
from core.workshop.look import Replay
from core.workshop.reference import reference_of
from kernels.device import Device

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = sorted((ROOT / "resources" / "workshop").iterdir())
ODD = sorted((Path(__file__).parent / "checker" / "odd").glob("*.py"))
assert ODD


EXERCISES = {
    f"{folder.name}-{part.id}": part.exercise
    for folder in FOLDERS
    for part in open_lab(folder).parts
    if isinstance(part, KernelBlock)
}


def verdict_of(source, launch, types=False, **options):
    *_, verdict = iter_check(
        source, launch, **{"seed": 1, "types": types, "isolated": False, **options}
    )
    return verdict


def texts(verdict):
    return "\n".join(f"line {fault.line}: {fault.kind}: {fault.text}" for fault in verdict.faults)


@pytest.mark.parametrize("name", EXERCISES)
def test_an_exercise_tells_right_from_wrong(name):
    exercise = EXERCISES[name]
    solution = verdict_of(read_text(exercise.solution), exercise.launch)
    assert not solution.faults, texts(solution)
    skeleton = verdict_of(exercise.skeleton, exercise.launch)
    assert skeleton.faults, "the skeleton is a solution already"
    assert {name: getattr(skeleton.totals, name) for name in exercise.start} == exercise.start
    assert exercise.wrong
    for path in exercise.wrong:
        source = read_text(path)
        assert marked_faults(source), f"{path.name} has no mark"
        verdict = verdict_of(source, exercise.launch)
        missed = missed_faults(source, verdict)
        assert not missed, f"{path.name}: {missed} is not among\n{texts(verdict)}"


@pytest.mark.parametrize("name", EXERCISES)
def test_a_solution_passes_with_the_same_steps_to_show_after_messages(name, monkeypatch):
    """Its pictures are those of what was never packed into messages.

    In processes of their own, as the window, the commands and the marks check them, run the first
    and the last; tests/doors/test_workshop.py runs all.
    """
    source, launch = read_text(EXERCISES[name].solution), EXERCISES[name].launch
    names = list(EXERCISES)
    isolated = name in (names[0], names[-1])
    packed = verdict_of(source, launch, isolated=isolated, trace=True)
    assert not packed.faults, texts(packed)
    for message in ("pack", "unpack"):
        monkeypatch.setattr(f"core.workshop.check.{message}", lambda value: value)
    here = verdict_of(source, launch, trace=True)
    assert_same(packed.trace, here.trace)
    assert_same(replace(packed, trace=None), replace(here, trace=None))
    assert list(pictures(packed.trace)) == list(pictures(here.trace))


def assert_same(one, other):
    """The same values in the same types, down to the arrays."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert one.tobytes() == other.tobytes()
    elif is_dataclass(one):
        for each in fields(one):
            assert_same(getattr(one, each.name), getattr(other, each.name))
    elif isinstance(one, tuple | list):
        assert len(one) == len(other)
        for mine, theirs in zip(one, other, strict=True):
            assert_same(mine, theirs)
    else:
        assert one == other


def pictures(trace):
    """What Look shows and says at each step of the first and the last block: sentence, elements, values, costs."""
    replay = Replay(trace)
    for block in {0, replay.blocks - 1}:
        for index in replay.steps(block).tolist():
            event = trace.events[index]
            elements = replay.accesses(index, block)[1]
            if event.array >= 0:
                info = trace.arrays[event.array]
                assert ((elements >= 0) & (elements < info.size)).all()
                values, written = replay.memory(index, event.array, block)
                yield values.tobytes(), written.tobytes(), elements.tobytes()
            heat = replay.heat(index, block, 0)
            yield str(replay.notice(index, block, 0)), heat and (heat.cost, heat.hits.tobytes())


def wrong_kernel_of_each_kind():
    """By the kind of their first fault, the first wrong kernel with it, and the exercise that it is of."""
    cases = {}
    for exercise in EXERCISES.values():
        for path in exercise.wrong:
            kind = marked_faults(read_text(path))[0][0]
            cases.setdefault(kind, (exercise, path))
    return cases


@pytest.mark.slow
@pytest.mark.parametrize("kind", wrong_kernel_of_each_kind())
def test_each_kind_of_fault_is_found_in_processes_of_their_own(kind):
    """All wrong kernels are checked in this process above; this is what the processes send each other."""
    exercise, path = wrong_kernel_of_each_kind()[kind]
    source = read_text(path)
    verdict = verdict_of(source, exercise.launch, isolated=True)
    assert not missed_faults(source, verdict), texts(verdict)


@pytest.mark.slow
def test_the_check_of_an_exercise_names_its_solution_and_each_wrong_kernel():
    exercise = next(iter(EXERCISES.values()))
    said = list(iter_exercise_check(exercise))
    assert len(said) == 1 + len(exercise.wrong)
    assert not [text for text, is_fault in said if is_fault]


def test_an_exercise_needs_neither_a_solution_nor_wrong_kernels(tmp_path):
    (tmp_path / "skeleton.py").write_text("from numba import cuda\n")
    (tmp_path / "lab.md").write_text(
        "# Add\n\n```lab\nversion = 1\n```\n\n```kernel\nid = 'add'\nask = 'Add.'\nkernel = 'add'\n"
        "args = 'out: float32[n]'\ngrid = '1'\nblock = '8'\n```\n"
    )
    (part,) = open_lab(tmp_path).parts
    assert (part.exercise.solution, part.exercise.wrong) == (None, ())


def odd_case(path):
    """Source, launch and warning of an odd kernel; its head says how it is launched."""
    source = read_text(path)
    head = tomllib.loads("\n".join(re.findall(r"^# (\w+ = .*)$", source, re.MULTILINE)))
    names = [part.split(":")[0].strip() for part in re.sub(r"\[.*?\]", "", head["args"]).split(",")]
    reference = reference_of(head["expect"], names) if "expect" in head else ""
    launch = parse_launch(
        head.get("kernel", ""), head["args"], head["grid"], head["block"], head["sizes"], reference
    )
    return source, launch, {head["warns"]} if "warns" in head else set()


@pytest.mark.parametrize("path", ODD, ids=lambda path: path.stem)
def test_a_right_but_odd_kernel_raises_no_false_alarm(path):
    source, launch, warnings = odd_case(path)
    verdict = verdict_of(source, launch)
    assert {fault.kind for fault in verdict.faults} == warnings, texts(verdict)


@pytest.mark.slow
@pytest.mark.parametrize("path", ODD, ids=lambda path: path.stem)
def test_odd_kernels_compile(path):
    source, launch, warnings = odd_case(path)
    verdict = verdict_of(source, launch, types=True)
    assert {fault.kind for fault in verdict.faults} == warnings, texts(verdict)


@pytest.mark.slow
@pytest.mark.parametrize("name", EXERCISES)
def test_all_but_the_marked_kernels_compile(name):
    """Numba takes each kernel whose fault is no matter of types."""
    exercise = EXERCISES[name]
    for source in (exercise.skeleton, *map(read_text, (exercise.solution, *exercise.wrong))):
        kinds = {fault.kind for fault in verdict_of(source, exercise.launch, types=True).faults}
        refused = any(kind in ("type", "unsupported") for kind, _ in marked_faults(source))
        assert bool(kinds & {"type", "unsupported"}) == refused, source


def test_a_kernel_that_stands_for_an_operator_has_its_arguments():
    """Its parameters are those of the device's method, in order; the activation and the padding are its own."""
    operators = set()
    for name, exercise in EXERCISES.items():
        if exercise.operator:
            names = list(inspect.signature(getattr(Device, exercise.operator)).parameters)[1:]
            own = [argument.name for argument in exercise.launch.arguments]
            assert own == [each for each in names if each in own], name
            assert {*names} - {*own} <= {"activation", "padding"}, name
            operators.add(exercise.operator)
    assert operators >= {
        "dense", "dense_input_gradient", "dense_weight_gradient", "bias_gradient", "activate", "sgd",
        "softmax_cross_entropy", "max_pool", "convolve",
    }  # fmt: skip


def test_solutions_name_their_steps():
    """The same words everywhere: load, wait, compute, store."""
    for name, exercise in EXERCISES.items():
        source = read_text(exercise.solution)
        assert {"load", "store"} <= {*re.findall(r"# (\w+)", source)}, name


def test_the_first_four_exercises_say_that_they_take_a_quarter_of_an_hour():
    assert sum(open_lab(folder).minutes for folder in FOLDERS[:4]) <= 15


def test_choices_are_plain_text():
    """The window shows choices and replies as they are written: no Markdown."""
    for folder in FOLDERS:
        for part in open_lab(folder).parts:
            for choice in part.choices if isinstance(part, QuestionBlock) else ():
                assert "`" not in choice.text + choice.reply, folder.name
