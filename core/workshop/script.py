"""Writes a script that launches a kernel, compares it with its reference and takes the time, without this program.

Only what the checker has read and accepted of a file comes into the script, so a stranger's file adds no code of its
own to it.
"""

import ast
import textwrap

from core.errors import InputError
from core.workshop.checker.dialect import DialectError, Program, Typed, functions_of
from core.workshop.checker.interpreter import build_kernel
from core.workshop.checker.signatures import read_signatures
from core.workshop.launch import Argument, Launch
from core.workshop.reference import outputs_of

_HEAD = '''"""Checks a kernel on a graphics card: python {name}.py (pip install "numba-cuda[cu12]" numpy).

Without a card: NUMBA_ENABLE_CUDASIM=1 python {name}.py, which is slow and finds no races.
"""

import math
from time import perf_counter

import numpy as np

vars(np).setdefault("row_stack", np.vstack)  # numba-cuda asks for a name that NumPy 2.5 has not
import numba
from numba import cuda
'''

_REFERENCE = '''

def references():
    """What the kernel must compute, by the array's name, from the arguments before the launch."""

{functions}

    return locals()
'''

_MAIN = '''

SHAPES = {shapes!r}
generator = np.random.default_rng()


def random(dtype, shape, low, high):
    """Random values from low to high; of whole numbers without high."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return (high - (high - low) * generator.random(shape)).astype(dtype)
    return generator.integers(int(low), max(int(high), int(low) + 1), shape).astype(dtype)


def arguments_of({sizes}):
    """The arguments by name, the grid and the block, for these sizes."""
    arguments = {{
{arguments}
    }}
    return arguments, ({grid},), ({block},)


for sizes in SHAPES:
    arguments, grid, block = arguments_of(**sizes)
    before = {{name: np.copy(value) for name, value in arguments.items()}}

    def copies():
        return [cuda.to_device(each) if isinstance(each, np.ndarray) else each for each in arguments.values()]

    given, spare = copies(), copies()
    {kernel}[grid, block](*given)
    cuda.synchronize()
    start = perf_counter()
    {kernel}[grid, block](*spare)
    cuda.synchronize()
    seconds = perf_counter() - start
    verdict = "done"
    for name, reference in references().items():
        if name not in arguments:
            continue
        types = {{"f": np.float64, "b": np.bool_}}
        names = reference.__code__.co_varnames[: reference.__code__.co_argcount]
        wide = {{each: before[each].astype(types.get(before[each].dtype.kind, np.int64)) for each in names}}
        expected = np.broadcast_to(reference(**wide), arguments[name].shape)
        found = given[list(arguments).index(name)].copy_to_host()
        limit = 1e-5 * max(1.0, float(np.max(np.abs(expected), initial=0)))
        is_right = np.allclose(found, expected, rtol=1e-4, atol=limit)
        verdict = "right" if is_right and verdict != "WRONG" else "WRONG"
    print(f"{{sizes}}: {{verdict}}, {{seconds * 1e6:.0f}} microseconds")
'''


def script(source: str, launch: Launch) -> str:
    """The text of the script. Raises InputError where the checker does not accept the file."""
    try:
        program, function = build_kernel(source, launch.kernel)
        functions = [_function(program, name) for name in program.functions]
    except DialectError as refusal:
        raise InputError("Line {line}: {reason}", line=refusal.line, reason=refusal.text) from None
    parts = [_HEAD.format(name=function.name), *_names(program), "", *functions]
    outputs: dict[str, bool] = {}
    reference = "    pass"
    if launch.reference:
        outputs = outputs_of(launch.reference, [argument.name for argument in launch.arguments])
        parts_of_reference = map(ast.unparse, functions_of(ast.parse(launch.reference)).values())
        reference = textwrap.indent("\n\n".join(parts_of_reference), "    ")
    arguments = [_argument(each, outputs.get(each.name) is False) for each in launch.arguments]
    return (
        "\n".join(parts)
        + _REFERENCE.format(functions=reference)
        + _MAIN.format(
            shapes=list(launch.shapes),
            sizes=", ".join(launch.shapes[0]),
            arguments="\n".join(arguments),
            grid=", ".join(launch.grid),
            block=", ".join(launch.block),
            kernel=function.name,
        )
    )


def _names(program: Program) -> list[str]:
    """The file's imports under its own names, and its constants."""
    lines = []
    for name, meaning in program.names.items():
        module, _, last = meaning.rpartition(".")
        module = module.replace("numba_cuda_mlir", "numba").replace("numba_cuda", "numba")
        if name not in ("cuda", "math", "np", "numba"):
            lines.append(f"from {module} import {last} as {name}" if module else f"import {last} as {name}")
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
    """A function with the comments of its body, and without decorators, defaults and annotations of its own."""
    node = program.functions[name]
    decorator = _decorator(program, name)
    head = f"def {name}({', '.join(each.arg for each in node.args.args)}):"
    first = node.body[0].lineno
    if first == node.lineno:
        body = textwrap.indent(ast.unparse(node.body), "    ")  # type: ignore[arg-type]
    else:
        lines = program.source.splitlines()[first - 1 : node.end_lineno]
        body = textwrap.indent(textwrap.dedent("\n".join(lines)), "    ")
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
        value = argument.value if argument.kind == "=" else f"random(np.{dtype}, (), -1, 1)"
        return f'        "{name}": np.{dtype}({value}),'
    shape = f"({', '.join(argument.shape)},)"
    if argument.kind == "=":
        return f'        "{name}": np.full({shape}, {argument.value}, np.{dtype}),'
    if is_output:
        return f'        "{name}": np.full({shape}, {_empty(dtype)}, np.{dtype}),'
    low, high = _limits(dtype)
    if argument.kind:  # “<”
        low = "0"
        high = argument.value
    return f'        "{name}": random(np.{dtype}, {shape}, {low}, {high}),'


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
