"""A check in processes of its own, its verdict as text, JSON and page, and the limits of what a kernel may cost."""

import json
import os
import shutil
from pathlib import Path

import pytest

from core.commands import run
from core.errors import InputError
from core.workshop.check import iter_check
from core.workshop.checker.trace import Verdict, place
from core.workshop.inputs import make_inputs
from core.workshop.launch import parse_launch
from core.workshop.reference import outputs_of
from kernels.registry import probe
from tests.core.workshop.checking import check

ADD = """
from numba import cuda

@cuda.jit
def add_ten(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i] + 10
"""
OPTIONS = ["--args", "out: float32[n], a: float32[n], n", "--grid", "(n + 7) // 8", "--block", "8"]


def test_the_command_answers_in_one_json_object(tmp_path, capsys):
    path = tmp_path / "kernel.py"
    path.write_text(ADD.replace("i < n", "i <= n"))
    code = run(["workshop", "check", str(path), *OPTIONS, "--sizes", "n=7,9", "--expect", "out = a + 10", "--json",
                "--no-types", "--seed", "3", "--html", str(tmp_path / "page.html")])  # fmt: skip
    out = capsys.readouterr().out
    found = json.loads(out)
    assert code == 1
    assert found["kernel"] == "add_ten"
    assert found["sizes"] == [{"n": 7}, {"n": 9}]
    fault = found["faults"][0]
    assert (fault["kind"], fault["line"], fault["array"], fault["element"]) == (
        "bounds",
        8,
        "a",
        [7],
    )
    assert (
        found["counts"][0]
        | {"line": 8, "access": "read", "space": "global", "sectors_per_request": 1.0}
        == found["counts"][0]
    )
    page = (tmp_path / "page.html").read_text()
    assert "<span class=fault>   8" in page
    assert "bounds" in page


def test_the_command_tells_faults_from_wrong_use(tmp_path, capsys):
    path = tmp_path / "kernel.py"
    path.write_text(ADD)
    assert run(["workshop", "check", str(path), *OPTIONS, "--no-types"]) == 0
    found = capsys.readouterr().out
    assert "No fault on these 7 shapes." in found
    assert "No result was compared" in found
    assert run(["workshop", "check", str(path), *OPTIONS, "--sizes", "m=1"]) == 2
    assert "sizes: m appears neither" in capsys.readouterr().err
    assert run(["workshop", "check", str(path)]) == 2
    assert "--args is missing" in capsys.readouterr().err


def test_a_process_that_takes_too_long_is_ended(monkeypatch):
    monkeypatch.setattr("core.workshop.worker.WALL_SECONDS", 0.0)
    monkeypatch.setattr("core.workshop.worker.CPU_SECONDS", 0)
    verdict = check(ADD, OPTIONS[1], OPTIONS[3], "8", "n=9", types=False)
    assert [fault.kind for fault in verdict.faults] == ["unsupported"]
    assert verdict.summary == "1 fault; the check was not completed."
    assert "does every loop end?" in verdict.faults[0].text


def test_closing_the_generator_leaves_no_process_and_no_folder(home):
    checking = iter_check(ADD, parse_launch("", OPTIONS[1], OPTIONS[3], "8", "n=9"))
    assert next(checking) is None
    folder = home / "cache" / "checks"
    assert len(os.listdir(folder)) == 1
    checking.close()
    assert os.listdir(folder) == []


def test_a_grid_without_blocks_is_not_run():
    launch = (OPTIONS[1], OPTIONS[3], "8")
    verdict = check(ADD, *launch, "n=0", types=False)
    assert [(fault.kind, fault.line) for fault in verdict.faults] == [("unsupported", 0)]
    assert "Nothing was run with n=0" in verdict.faults[0].text
    verdict = check(ADD, *launch, "n=0,9", expect="out = a + 10", types=False, isolated=False)
    assert verdict.summary == "No fault on this shape."
    assert verdict.remarks == (
        "Nothing was run with n=0: the grid has no blocks, and a card refuses such a launch.",
    )


def test_an_exercise_with_two_kernels_is_found_by_the_kernel_of_the_file(tmp_path, capsys):
    folder = tmp_path / "two"
    shutil.copytree(
        Path(__file__).resolve().parents[3] / "resources" / "workshop" / "18-gradients", folder
    )
    for name in ("solution", "bias_solution"):
        assert run(["workshop", "check", str(folder / f"{name}.py"), "--no-types"]) == 0
    both = folder / "both.py"
    both.write_text(
        (folder / "solution.py").read_text() + (folder / "bias_solution.py").read_text()
    )
    assert run(["workshop", "check", str(both), "--no-types"]) == 2
    assert (
        "choose one of dense_weight_gradient, bias_gradient with --kernel"
        in capsys.readouterr().err.replace("“", "")
    )
    assert run(["workshop", "check", str(both), "--no-types", "--kernel", "bias_gradient"]) == 0
    both.write_text("x = = 1")
    assert run(["workshop", "check", str(both), "--no-types"]) == 1
    assert "line 1: syntax: This is no Python" in capsys.readouterr().out


def test_the_trace_replays_the_launch():
    verdict = check(ADD, OPTIONS[1], OPTIONS[3], "8", "n=3,20", types=False, trace=True, seed=2)
    trace = verdict.trace
    assert (trace.sizes, trace.grid, trace.block) == ({"n": 20}, (3,), (8,))
    memory = {number: array.start.copy() for number, array in enumerate(trace.arrays)}
    for event in trace.events:
        if event.kind == "write":
            memory[event.array][event.elements] = event.values
    assert list(memory[0]) == list(memory[1] + 10)
    assert [event.kind for event in trace.events] == ["branch", "read", "write"]
    assert (place(19 % trace.threads, trace.block), place(19 // trace.threads, trace.grid)) == (
        (3,),
        (2,),
    )


def test_types_are_checked_by_compiling():
    pytest.importorskip("numba_cuda")
    text = ADD.replace("a[i] + 10", "(a if n > 3 else n)")
    verdict = check(text, OPTIONS[1], OPTIONS[3], "8", "n=3", isolated=False)
    assert [(fault.kind, fault.line) for fault in verdict.faults][:1] == [("type", 8)]
    assert verdict.types == "Numba cannot compile it to PTX."
    assert (
        check(ADD, OPTIONS[1], OPTIONS[3], "8", "n=3", isolated=False).types
        == "Numba compiled it to PTX."
    )


def test_without_numba_cuda_types_are_checked_for_the_cpu(uninstall):
    uninstall("numba_cuda")
    text = ADD.replace("a[i] + 10", "a[i] + cuda.syncthreads_count(1) * cuda.threadIdx.x")
    verdict = check(text, OPTIONS[1], "1", "8", "n=8", isolated=False)
    assert verdict.passed
    assert "for the CPU" in verdict.types
    verdict = check(
        ADD.replace("a[i] + 10", "(a if n > 3 else n)"), OPTIONS[1], "1", "8", "n=8", isolated=False
    )
    assert ("type", 8) in [(fault.kind, fault.line) for fault in verdict.faults]


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (("out: float32[n", "1", "8", "n=3"), "cannot be read"),
        (("out: real[n]", "1", "8", "n=3"), "is no type"),
        (("out: float32[n]", "1", "8", "n=x"), "cannot be read"),
        (("out: float32[n]", "n / 2", "8", "n=3"), "divide with //"),
        (("out: float32[n]", "__import__('os')", "8", "n=3"), "no expression of sizes"),
        (("out: float32[n]", "-" * 1900 + "1", "8", "n=3"), "nested too deeply"),
        (("out: float32[n]", "1", "2048", "n=3"), "from 1 to 1024"),
        (("out: float32[n, n]", "1", "8", "n=100000"), "use smaller sizes"),
        (("out: float32[n]", "2 ** 99", "8", "n=3"), "too large"),
        (("out: float32[n]", "1", "8", "n=1000000000"), "is too large: use at most 9 digits"),
        (("out: float32[n]", "1, 70000", "1", "n=3"), "65,535 blocks along y or z"),
        (("out: float32[n]", "1, 1, 1, 1", "1", "n=3"), "one to three numbers"),
        (("out: float32[n]", "n - 5", "8", "n=3"), "none that a card takes"),
        (("out: float32[n]", "2 ** 31, 0", "8", "n=3"), "none that a card takes"),
        (("out: float32[n]", "2 ** 22", "8", "n=3"), "too large to check"),
        (("out: float32[n]", "1", "8", "n=" + ",".join("1" * 100)), "at most 64"),
    ],
)
def test_wrong_texts_are_refused_in_words(texts, words):
    with pytest.raises(InputError, match=words):
        parse_launch("k", *texts)


def test_sizes_that_are_not_given_lie_around_the_block_and_several_blocks():
    launch = parse_launch("add_ten", OPTIONS[1], OPTIONS[3], "8")
    assert [shape["n"] for shape in launch.shapes] == [1, 7, 8, 9, 29, 32, 39]


def test_drawn_numbers_keep_the_limit_of_their_argument():
    launch = parse_launch("k", "a: float32[1000] < 0.5", "1", "8")
    values = make_inputs(launch, {}, 0, set())["a"]
    assert 0 <= values.min() < 0.01
    assert 0.49 < values.max() <= 0.5


@pytest.mark.parametrize(
    "expect",
    [
        "out = open('x')",
        "out = a.__class__",
        "out = np.load('x')",
        "out = (lambda: 1)()",
        "out = np.lib",
        "x",
        "out = __a",
    ],
)
def test_a_reference_uses_numbers_only(expect):
    with pytest.raises(InputError):
        check(ADD, OPTIONS[1], OPTIONS[3], "8", "n=3", expect=expect, isolated=False, types=False)


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("np = a\n    return np", "the name “np” is not allowed"),
        ("__x = a\n    return __x", "the name “__x” is not allowed"),
        ("return np.qqqq", "“np.qqqq” is not allowed: docs/workshop.md lists what it may use."),
        ("return np.summ(a)", "“np.summ” is not allowed: perhaps you mean “np.sum”?"),
    ],
)
def test_what_a_reference_may_not_use_is_named(body, words):
    with pytest.raises(InputError) as caught:
        outputs_of(f"def out(a):\n    {body}\n", ["out", "a"])
    assert words in str(caught.value)


def test_a_kernel_without_fault_runs_on_the_card():
    card = probe("cuda")
    if not card.available:
        pytest.skip(card.reason)
    assert_runs_on_a_card()


def test_the_simulator_stands_in_for_a_card(monkeypatch, tmp_path, capsys):
    pytest.importorskip("numba_cuda")
    monkeypatch.setenv("NUMBA_ENABLE_CUDASIM", "1")
    assert_runs_on_a_card()
    path = tmp_path / "kernel.py"
    path.write_text(ADD)
    assert run(["workshop", "check", str(path), *OPTIONS, "--no-types", "--card"]) == 0
    assert "On the card (simulator): " in capsys.readouterr().out


def assert_runs_on_a_card():
    launch = parse_launch(
        "", OPTIONS[1], OPTIONS[3], "8", "n=3,9", "def out(a):\n    return a + 10"
    )
    *_, verdict = iter_check(ADD, launch, types=False, card=True)
    assert verdict.passed, verdict
    assert len(verdict.seconds) == 2, verdict.card


def test_the_times_on_the_card_are_microseconds():
    verdict = Verdict("k", ({"n": 5}, {"n": 9}), card="A card", seconds=(1.5e-6, 2.25e-4))
    assert "On the card (A card): 1.5 µs (n=5), 225 µs (n=9)" in str(verdict)
