"""Compiles a checked kernel, so that Numba's own type inference says what is no CUDA Python.

Only what `dialect` has read and `interpreter` has accepted is compiled: functions without decorators, defaults and
annotations, constants, and the names of numba, math and numpy. Compiling to PTX needs numba-cuda, but no card.
"""

import ast
import math
import re
from importlib.util import find_spec
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import numpy as np

from kernels.workshop.dialect import Program, Typed
from kernels.workshop.trace import Fault

FILE = "kernel.py"
_CAPABILITY = (8, 0)
_TIMINGS = 5
_LINE = re.compile(rf'File "{re.escape(FILE)}", line (\d+)|{re.escape(FILE)} \((\d+)\)')
_COLORS = re.compile(r"\x1b\[[0-9;]*m|\[\d+m")


def check_types(program: Program, kernel: str, arguments: list[Any]) -> tuple[str, Fault | None]:
    """How the types were checked, as a sentence, and the fault that Numba found, or None.

    `arguments`: arrays and NumPy scalars of the launch, for their types.
    """
    if find_spec("numba_cuda") is None:
        return _check_on_cpu(program, kernel, arguments)
    # Imported here: interpreting needs no Numba. See kernels/cuda/toolkit.py for `row_stack`.
    vars(np).setdefault("row_stack", np.vstack)
    from numba import cuda
    from numba.cuda import dispatcher

    function = define(program, kernel, cuda)
    # Device functions are compiled for the card of this machine, which may have none.
    device, dispatcher.get_current_device = dispatcher.get_current_device, _Card
    try:
        cuda.compile(function, argument_types(arguments), cc=_CAPABILITY)
    except Exception as error:
        return "Numba compiled it to PTX.", explain(error, program.functions[kernel].lineno)
    finally:
        dispatcher.get_current_device = device
    return "Numba compiled it to PTX.", None


class _Card:
    compute_capability = _CAPABILITY


_ON_CPU = "Numba checked the types for the CPU, which is not as strict: with numba-cuda they are checked as for a card."


def _check_on_cpu(program: Program, kernel: str, arguments: list[Any]) -> tuple[str, Fault | None]:
    """As `check_types` where numba-cuda is not installed."""
    from numba import njit

    from kernels.workshop.loops import without_cuda

    plain = without_cuda(program, kernel, is_loop=False)
    try:
        njit(define(plain, kernel, SimpleNamespace(jit=lambda device: njit))).compile(
            argument_types(arguments)
        )
    except Exception as error:
        return _ON_CPU, explain(error, program.functions[kernel].lineno)
    return _ON_CPU, None


def run_on_card(
    program: Program, kernel: str, grid: tuple[int, ...], block: tuple[int, ...], arguments: list[Any]
) -> float:
    """Launch a kernel that was found without fault on the card; arrays are changed in place. Returns the seconds of
    the fastest of some launches, without copies."""
    from kernels.cuda.toolkit import cuda

    compiled = cuda.jit(define(program, kernel, cuda))

    def copies() -> list[Any]:
        return [cuda.to_device(each) if isinstance(each, np.ndarray) else each for each in arguments]

    given = copies()
    compiled[grid, block](*given)
    times = []
    for _ in range(_TIMINGS):
        spare = copies()
        cuda.synchronize()
        begin = perf_counter()
        compiled[grid, block](*spare)
        cuda.synchronize()
        times.append(perf_counter() - begin)
    for array, copy in zip(arguments, given, strict=True):
        if isinstance(array, np.ndarray):
            copy.copy_to_host(array)
    return min(times)


def define(program: Program, kernel: str, cuda: Any) -> Any:
    """The kernel as a Python function that `cuda.jit` takes; its device functions are compiled by `cuda.jit`."""
    builtins = (abs, bool, divmod, float, int, len, max, min, pow, range, round)
    space: dict[str, Any] = {"__builtins__": {each.__name__: each for each in builtins}}
    import numba

    roots = {"numba": numba, "math": math, "numpy": np, "numba_cuda": numba, "numba_cuda_mlir": numba}
    for name, meaning in program.names.items():
        parts = meaning.split(".")
        value: Any = roots[parts[0]]
        for part in parts[1:]:
            value = cuda if part == "cuda" else getattr(value, part, None)
        space[name] = value
    for name, constant in program.constants.items():
        space[name] = _constant(constant)
    for name in program.functions:
        function = _function(program, name, space)
        space[name] = function if name in program.kernels else cuda.jit(device=True)(function)
    return space[kernel]


def _constant(value: Any) -> Any:
    if isinstance(value, Typed):
        return np.dtype(value.type.rstrip("_")).type(value.value)
    return getattr(np, value) if isinstance(value, str) else value


def _function(program: Program, name: str, space: dict[str, Any]) -> Any:
    node = program.functions[name]
    parameters = [ast.copy_location(ast.arg(each.arg), each) for each in node.args.args]
    arguments = ast.arguments(posonlyargs=[], args=parameters, kwonlyargs=[], kw_defaults=[], defaults=[])
    plain = ast.FunctionDef(name=node.name, args=arguments, body=node.body, decorator_list=[], returns=None)
    ast.copy_location(plain, node)
    module = ast.fix_missing_locations(ast.Module([plain], []))
    exec(compile(module, FILE, "exec"), space)
    return space[name]


def argument_types(arguments: list[Any]) -> tuple[Any, ...]:
    """Numba's types: arrays are contiguous."""
    import numba
    from numba.np import numpy_support

    return tuple(
        numba.types.Array(numpy_support.from_dtype(value.dtype), value.ndim, "C")
        if isinstance(value, np.ndarray)
        else numpy_support.from_dtype(value.dtype)
        for value in arguments
    )


def explain(error: Exception, line: int) -> Fault:
    """The fault that an error of Numba's compiler describes, in a sentence; `line`: where it names none."""
    text = _COLORS.sub("", str(error))
    line = _line_of(error, line)
    if found := _LINE.search(text):
        line = int(found[1] or found[2])
    sentence = "Numba cannot compile this: "
    if found := re.search(r"Unsupported array index type (\w+)", text):
        sentence += (
            f"an index must be a whole number, not {found[1]}. Divide with //, or convert with int(...)."
        )
    elif found := re.search(r"cannot index array\(\w+, (\d)d, \w\) with (\d) indices", text):
        sentence += f"an array with {found[1]} dimension(s) is indexed with {found[2]}."
    elif found := re.search(r"Cannot unify (.+?) and (.+?) for '([\w.]+)'", text):
        name = found[3].partition(".")[0]
        sentence += (
            f"{name} is {_type(found[1])} on one way and {_type(found[2])} on another. Give it one type."
        )
    elif found := re.search(
        r"No implementation of function Function\(<.*?(\w+)(?: at \w+)?>\).*?>>> \w+\((.*?)\)\n", text, re.S
    ):
        sentence += f"there is no “{found[1]}” for {_type(found[2])}."
    else:
        lines = [
            each.strip() for each in text.splitlines() if each.strip() and not each.startswith("Failed in")
        ]
        sentence += (lines or ["the compiler gave no reason"])[0][:300].rstrip(".") + "."
    return Fault("type", line, sentence)


def _line_of(error: Exception, line: int) -> int:
    """The line of the statement that the compiler was at: its message does not always have it."""
    trace = error.__traceback__
    while trace is not None:
        for value in list(trace.tb_frame.f_locals.values()):
            place = getattr(value, "loc", None)
            if getattr(place, "filename", "") == FILE:
                line = int(getattr(place, "line", line))
        trace = trace.tb_next
    return line


def _type(text: str) -> str:
    """A type as a beginner reads it."""
    text = re.sub(r"Literal\[(\w+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"array\((\w+), (\d)d, \w\)", r"an array of \1 with \2 dimension(s)", text)
    return text.replace("unicode_type", "a text")
