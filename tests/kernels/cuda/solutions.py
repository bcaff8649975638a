"""The Workshop's solutions and odd kernels with the compiler that is used; run by
test_successor.py.

    python -m tests.kernels.cuda.solutions compile   each to PTX; prints a line for each kernel that cannot be compiled
    python -m tests.kernels.cuda.solutions run       each on a card, compared with its reference
    python -m tests.kernels.cuda.solutions wrong     the wrong answers to the exercises, in the same way

The checker interprets what a file computes; here the file itself is compiled, with `numba` replaced
by the compiler.
"""

import os
import re
import signal
import sys
from contextlib import ExitStack
from unittest.mock import patch

import numpy as np

from core.workshop.exercise import read_text
from core.workshop.launches import Launches
from core.workshop.reference import compute
from kernels.cuda import toolkit
from kernels.cuda.card import Card
from kernels.cuda.errors import code_of
from kernels.cuda.toolkit import USES_SUCCESSOR, cuda, types
from tests.core.workshop.test_exercises import EXERCISES, ODD, odd_case

CAPABILITY = (8, 0)
SECONDS = 20  # ends a kernel that hangs


def cases():
    """(name, source, launch) of each kernel."""
    for name, exercise in EXERCISES.items():
        yield name, read_text(exercise.solution), exercise.launch
    for path in ODD:
        source, launch, _ = odd_case(path)
        yield f"odd/{path.stem}", source, launch


def wrong_cases():
    for name, exercise in EXERCISES.items():
        for path in exercise.wrong:
            yield f"{name}/{path.stem}", read_text(path), exercise.launch


def load(source):
    """What the file defines, with the compiler's own types of numbers."""
    names = {"cuda": cuda}
    for line in re.findall(r"^from numba import (.*)$", source, re.MULTILINE):
        names |= {
            name: getattr(types, name, cuda)
            for name in map(str.strip, line.split(","))
            if name != "types"
        }
    if renamed := re.search(r"^import numba\.cuda as (\w+)$", source, re.MULTILINE):
        names[renamed[1]] = cuda
    text = re.sub(r"^(from numba import|import numba\b).*$", "", source, flags=re.MULTILINE)
    names["types"] = types
    exec(compile(text, "<kernel>", "exec"), names)
    return names


def type_of(value):
    number = getattr(types, str(value.dtype).replace("bool", "boolean"))
    return types.Array(number, value.ndim, "C") if isinstance(value, np.ndarray) else number


def compile_one(source, launch):
    launches = Launches(source, launch, 1, set())
    sizes = launch.shapes[0]
    names = load(source)
    for step in launches.on_card(launches.inputs(sizes), sizes):
        signature = tuple(map(type_of, step.arguments))
        cuda.compile_ptx(names[step.kernel].py_func, signature, cc=CAPABILITY)


def run_one(source, launch):
    """The arrays that are not what the reference computes."""
    launches = Launches(source, launch, 1, set())
    wrong = set()
    for sizes in launch.shapes[:2]:
        if launch.has_no_blocks(sizes):
            continue
        values = launches.inputs(sizes)
        expected = compute(launch.reference, values)
        names = load(source)
        steps = launches.on_card(values, sizes)
        arrays = {
            id(each): each
            for step in steps
            for each in step.arguments
            if isinstance(each, np.ndarray)
        }
        card = Card(0)
        stream = card.new_stream()
        copies = {key: card.upload(array, stream) for key, array in arrays.items()}
        for step in steps:
            given = [copies.get(id(each), each) for each in step.arguments]
            names[step.kernel][step.grid, step.block, stream.of_compiler, step.shared](*given)
        for key, array in arrays.items():
            card.copy_to_host(copies[key], array, stream)
        card.synchronize(stream)
        for name, value in expected.items():
            if not np.allclose(values[name], value, rtol=1e-4, atol=1e-5, equal_nan=True):
                wrong.add(name)
    return wrong


def outcome(what, source, launch):
    """`right`, what is wrong, or why the kernel could not be compiled or run."""
    try:
        wrong = compile_one(source, launch) if what == "compile" else run_one(source, launch)
    except Exception as error:
        code = code_of(error)
        # The software card translates the instructions that the engine uses, and few others.
        if code == "INVALID_PTX":
            return "not translated"
        return f"fails: {code}" if code else f"is refused: {type(error).__name__}"
    return f"wrong: {sorted(wrong)}" if wrong else "right"


def main(what):
    with ExitStack() as stack:
        if what == "compile":
            place = (
                "numba_cuda_mlir.tools._cached_cc"
                if USES_SUCCESSOR
                else "numba.cuda.dispatcher.get_current_device"
            )
            card = type("Card", (), {"compute_capability": CAPABILITY})
            stack.enter_context(patch(place, CAPABILITY if USES_SUCCESSOR else card))
        for name, source, launch in cases():
            # A barrier of the grid needs NVIDIA's library for kernels.
            if what == "compile" or (launch.reference and "this_grid" not in source):
                print(name, outcome(what, source, launch), flush=True)


def run_wrong():
    """Each in a process of its own: after a fault no call of a process succeeds."""
    for name, source, launch in wrong_cases():
        if (child := os.fork()) == 0:
            signal.alarm(SECONDS)
            print(name, outcome("run", source, launch), flush=True)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            print(name, "does not end", flush=True)


if __name__ == "__main__":
    assert not toolkit.SIMULATED
    if sys.argv[1] == "wrong":
        run_wrong()
    else:
        main(sys.argv[1])
