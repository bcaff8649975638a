"""Writes a script that launches a kernel, compares it with its reference and takes the time,
without this program.

Only what the checker has read and accepted of a file comes into the script, so a stranger's file
adds no code of its own to it.
"""

import ast
import re
import textwrap

import numpy as np

from core.errors import InputError
from core.workshop.checker.dialect import DialectError, Program, Typed, functions_of
from core.workshop.checker.interpreter import build_kernel
from core.workshop.checker.signatures import read_signatures
from core.workshop.launch import Argument, Launch, Step
from core.workshop.reference import free_parts, outputs_of

_MOST_NUMBERS = 20_000

_HEAD = '''"""Checks a kernel on a graphics card: python {name}.py (pip install "numba-cuda[cu12]" numpy).

Without a card: NUMBA_ENABLE_CUDASIM=1 python {name}.py, which is slow and finds no races.
Nsight Systems: nsys profile --trace=cuda,nvtx python {name}.py (pip install nvtx names the launches).
Nsight Compute: ncu --set full --kernel-name regex:{name} python {name}.py
"""

import math
from contextlib import nullcontext
from time import perf_counter

import numpy as np

try:
    from nvtx import annotate
except ImportError:
    annotate = nullcontext

vars(np).setdefault("row_stack", np.vstack)  # numba-cuda asks for a name that NumPy 2.5 has not
import numba
from numba import cuda
'''

_REFERENCE = '''

def _references():
    """What the kernel must compute, by the array's name, from the arguments before the launch."""

{functions}

    return locals()
'''

_MAIN = '''

_SHAPES = {shapes!r}
_FREE = {free!r}  # arrays whose elements may have any order
_GENERATOR = np.random.default_rng()


def _random(dtype, shape, low, high):
    """Random values from low to high; of whole numbers without high."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return (high - (high - low) * _GENERATOR.random(shape)).astype(dtype)
    return _GENERATOR.integers(int(low), max(int(high), int(low) + 1), shape).astype(dtype)


def _rows(count, end):
    """Where each row of a sparse matrix begins, and where the last ends: from 0 to end."""
    found = np.sort(_GENERATOR.integers(0, end + 1, count))
    found[-1] = end
    found[0] = 0
    return found


def _arguments_of({sizes}):
    """The arguments by name, for these sizes."""
    return {{
{arguments}
    }}


def _expected_of(before):
    """What the references compute, by name."""
    types = {{"f": np.float64, "b": np.bool_}}
    expected = {{}}
    for name, reference in _references().items():
        if name in before:
            names = reference.__code__.co_varnames[: reference.__code__.co_argcount]
            wide = {{each: before[each].astype(types.get(before[each].dtype.kind, np.int64)) for each in names}}
            wanted = np.asarray(reference(**wide))
            if name in _FREE and len(wanted) < len(before[name]):
                wanted = np.pad(wanted, (0, len(before[name]) - len(wanted)))
            expected[name] = np.broadcast_to(wanted, before[name].shape)
    return expected


def _lengths_of(expected, {sizes}):
    """How many elements count of arrays whose elements may have any order."""
    return {{{lengths}}}


def _launch(given, {sizes}):
    """Launch the kernels. given: the arguments by name, arrays on the card."""
{launches}
    cuda.synchronize()


def _main():
    for sizes in _SHAPES:
        arguments = _arguments_of(**sizes)
        before = {{name: np.copy(value) for name, value in {{**sizes, **arguments}}.items()}}

        def copies():
            return {{
                name: cuda.to_device(value) if isinstance(value, np.ndarray) else value
                for name, value in arguments.items()
            }}

        given = copies()
        with annotate(f"first launch {{sizes}}"):
            _launch(given, **sizes)
        spare = copies()
        start = perf_counter()
        with annotate(f"launch {{sizes}}"):
            _launch(spare, **sizes)
        seconds = perf_counter() - start
        verdict = "done"
        expected = _expected_of(before)
        lengths = _lengths_of(expected, **sizes)
        for name, wanted in expected.items():
            found = given[name].copy_to_host()
            if name in lengths:
                # The order of these elements is free.
                found = np.sort(found[: lengths[name]])
                wanted = np.sort(wanted[: lengths[name]])
            limit = 1e-5 * max(1.0, float(np.max(np.abs(wanted), initial=0)))
            is_right = np.allclose(found, wanted, rtol=1e-4, atol=limit)
            verdict = "right" if is_right and verdict != "WRONG" else "WRONG"
        print(f"{{sizes}}: {{verdict}}, {{seconds * 1e6:.0f}} microseconds")


_main()
'''


def script(source: str, launch: Launch) -> str:
    """The text of the script. Raises InputError where the checker does not accept the file."""
    functions: dict[str, str] = {}
    names: dict[str, str] = {}
    try:
        built = {step.kernel: build_kernel(source, step.kernel) for step in launch.steps}
        for program, _ in built.values():
            functions |= {name: _function(program, name) for name in program.functions}
            names |= dict.fromkeys(_names(program), "")
    except DialectError as refusal:
        raise InputError("Line {line}: {reason}", line=refusal.line, reason=refusal.text) from None
    outputs: dict[str, bool] = {}
    reference = "    pass"
    lengths: dict[str, str] = {}
    if launch.reference:
        known = [argument.name for argument in launch.arguments]
        outputs = outputs_of(launch.reference, known, launch.shapes[0])
        parts_of_reference = map(ast.unparse, functions_of(ast.parse(launch.reference)).values())
        reference = textwrap.indent("\n\n".join(parts_of_reference), "    ")
        lengths = free_parts(launch.reference)
    arguments = [
        _given_argument(each, launch.inputs[each.name])
        if each.name in launch.inputs
        else _argument(each, outputs.get(each.name) is False)
        for each in launch.arguments
    ]
    first = built[launch.kernel][1].name
    return (
        "\n".join([_HEAD.format(name=first), *names, "", *functions.values()])
        + _REFERENCE.format(functions=reference)
        + _MAIN.format(
            shapes=list(launch.shapes),
            sizes=", ".join(launch.shapes[0]),
            arguments="\n".join(arguments),
            launches="\n".join(
                _launch_line(step, built[step.kernel][1].name, launch) for step in launch.steps
            ),
            free=list(lengths),
            lengths=", ".join(
                f'"{name}": {_length_text(name, text)}' for name, text in lengths.items()
            ),
        )
    )


def _launch_line(step: Step, kernel: str, launch: Launch) -> str:
    known = {argument.name for argument in launch.arguments}
    given = ", ".join(f'given["{text}"]' if text in known else text for text in step.arguments)
    options = f"({', '.join(step.grid)},), ({', '.join(step.block)},)"
    if step.shared:
        options += f", 0, {step.shared}"
    return f"    {kernel}[{options}]({given})"


def _length_text(name: str, text: str) -> str:
    """An expression of sizes and of expected elements in the script."""
    if not text:
        return f'len(expected["{name}"])'
    return re.sub(r"([A-Za-z_]\w*)\[(\d+)\]", r'int(expected["\1"][\2])', text)


def _given_argument(argument: Argument, values: np.ndarray) -> str:
    """A line with numbers that the launch gives."""
    if values.size > _MOST_NUMBERS:
        raise InputError(
            "{name} has {count:,} given numbers: a script holds up to {most:,}.",
            name=argument.name,
            count=values.size,
            most=_MOST_NUMBERS,
        )
    dtype = argument.type.replace("bool", "bool_")
    return f'        "{argument.name}": np.array({values.tolist()!r}, np.{dtype}),'


def _names(program: Program) -> list[str]:
    """The file's imports under its own names, and its constants."""
    lines = []
    for name, meaning in program.names.items():
        module, _, last = meaning.rpartition(".")
        module = module.replace("numba_cuda_mlir", "numba").replace("numba_cuda", "numba")
        if name not in ("cuda", "math", "np", "numba"):
            lines.append(
                f"from {module} import {last} as {name}" if module else f"import {last} as {name}"
            )
    for name, value in program.constants.items():
        match value:
            case Typed():
                text = f"np.{value.type}({value.value!r})"
            case str():
                text = f"np.{value}"
            case _:
                text = repr(value)
        lines.append(f"{name} = {text}")
    return lines


def _function(program: Program, name: str) -> str:
    """A function as it was read: without comments, and without decorators, defaults and annotations
    of its own.
    """
    node = program.functions[name]
    decorator = _decorator(program, name)
    head = f"def {name}({', '.join(each.arg for each in node.args.args)}):"
    # From the syntax tree: what is not read as code, such as a comment, cannot become code.
    body = textwrap.indent(ast.unparse(node.body), "    ")  # type: ignore[arg-type]
    return f"\n{decorator}\n{head}\n{body}\n"


def _decorator(program: Program, name: str) -> str:
    """`@cuda.jit` with the signatures that the file gives, written anew."""
    signatures = read_signatures(program, program.functions[name])
    options = [] if name in program.kernels else ["device=True"]
    if signatures:
        options.insert(0, repr([each.typed for each in signatures]))
    return f"@cuda.jit({', '.join(options)})" if options else "@cuda.jit"


def _argument(argument: Argument, is_output: bool) -> str:
    """A line of the dictionary of arguments."""
    name = argument.name
    dtype = argument.type.replace("bool", "bool_") or "int64"
    if not argument.type:
        return f'        "{name}": {name},'
    if argument.shape is None:
        value = argument.value if argument.kind == "=" else f"_random(np.{dtype}, (), -1, 1)"
        return f'        "{name}": np.{dtype}({value}),'
    shape = f"({', '.join(argument.shape)},)"
    if argument.kind == "=":
        return f'        "{name}": np.full({shape}, {argument.value}, np.{dtype}),'
    if is_output:
        return f'        "{name}": np.full({shape}, {_empty(dtype)}, np.{dtype}),'
    return f'        "{name}": {_random_text(argument, dtype, shape)},'


def _random_text(argument: Argument, dtype: str, shape: str) -> str:
    """The expression that makes random numbers of the argument's form."""
    low, high = _limits(dtype)
    if argument.kind:  # “<”
        low = "0"
        high = argument.value
    found = f"_random(np.{dtype}, {shape}, {low}, {high})"
    match argument.form:
        case "sorted":
            return f"np.sort({found})"
        case "permutation":
            return f"_GENERATOR.permutation({shape[1:-2]}).astype(np.{dtype})"
        case "distinct" if "int" in dtype:
            most = argument.value if argument.kind else f"2 * ({shape[1:-2]})"
            return f"_GENERATOR.choice({most}, {shape}, replace=False).astype(np.{dtype})"
        case "rows":
            return f"_rows({shape[1:-2]}, {argument.limit}).astype(np.{dtype})"
    return found


def _empty(dtype: str) -> str:
    """What an output holds before the launch."""
    if dtype.startswith("float"):
        return "np.nan"
    return "1" if dtype == "bool_" else "99"


def _limits(dtype: str) -> tuple[str, str]:
    """The least random number of a type, and the limit above."""
    if dtype.startswith("float"):
        return "-1", "1"
    if dtype == "bool_":
        return "0", "2"
    return ("0", "101") if dtype.startswith("u") else ("-50", "51")
