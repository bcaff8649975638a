"""Reads the kernel of a file and runs it: its syntax tree becomes functions of (frame, mask) that
work on vectors of threads (`statements`, `expressions`)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from core.workshop.checker.dialect import DialectError, Program, choose_kernel, read_program
from core.workshop.checker.frame import Frame, whole_array
from core.workshop.checker.machine import Machine
from core.workshop.checker.mask import Mask
from core.workshop.checker.statements import Builder, Function
from core.workshop.checker.trace import MAX_SHARED_BYTES, Fault, Memory


def build_kernel(source: str, name: str) -> tuple[Program, Function]:
    """The kernel of a file, ready to run, and of the file the functions that it uses: only these
    were checked.

    Raises DialectError with the line of what is not covered.
    """
    try:
        program = read_program(source)
        builder = Builder(program)
        function = builder.function(choose_kernel(program, name))
        used = {each: node for each, node in program.functions.items() if each in builder.functions}
        return replace(program, functions=used, kernels=[function.name]), function
    except RecursionError:
        raise DialectError(0, "The file is nested too deeply.") from None


def convert_arguments(function: Function, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a launch, with numbers in the types of the kernel's signature.

    Raises DialectError where there are more or fewer than parameters, or a signature does not fit.
    """
    if len(arguments) != len(function.parameters):
        raise DialectError(
            function.line,
            f"{function.name} has {len(function.parameters)} parameters "
            f"({', '.join(function.parameters)}), but the launch gives {len(arguments)} "
            f"({', '.join(arguments)}).",
            "type",
        )
    values = [
        whole_array(Memory(name, "global", value.reshape(-1), value.shape, 0))
        if isinstance(value, np.ndarray)
        else value
        for name, value in arguments.items()
    ]
    pairs = zip(arguments.items(), function.converted(values), strict=True)
    return {
        name: value if isinstance(value, np.ndarray) else converted
        for (name, value), converted in pairs
    }


def run_kernel(
    function: Function,
    machine: Machine,
    arguments: Mapping[str, Any],
    written: Mapping[str, np.ndarray] | None = None,
) -> None:
    """Run a kernel. `arguments`: in order, by the names that the launch gives them; contiguous
    arrays, which are changed in place, and NumPy scalars. `written`: of arrays whose elements must
    be written before they are read, which ones are, bool and flat; changed in place.

    Faults are in `machine.faults`.
    """
    values = bind_arguments(function, machine, arguments, written or {})
    if values is not None:
        machine.run(partial(start_kernel, function, values))


def bind_arguments(
    function: Function,
    machine: Machine,
    arguments: Mapping[str, Any],
    written: Mapping[str, np.ndarray],
) -> list[Any] | None:
    """The values of the kernel's parameters, with the arrays in the machine; None after a fault.

    An array that is given for several parameters is one array, with the names of all of them.
    """
    try:
        given = convert_arguments(function, arguments)
    except DialectError as error:
        machine.report(Fault(error.kind, error.line, error.text))
        machine.complete = False
        return None
    machine.static_bytes = function.shared_bytes
    if machine.static_bytes + machine.shared_bytes > MAX_SHARED_BYTES:
        text = (
            f"The arrays of {function.name} take {function.shared_bytes:,} bytes of shared "
            f"memory, and the launch gives {machine.shared_bytes:,} more: a block has "
            f"{MAX_SHARED_BYTES:,} at most, so a card refuses the "
            "launch."
        )
        machine.report(Fault("unsupported", function.line, text, sizes=machine.sizes))
        machine.complete = False
        return None
    machine.has_grid_barrier = function.has_grid_barrier
    values: list[Any] = []
    arrays: dict[int, Memory] = {}
    for (name, value), own in zip(given.items(), function.parameters, strict=True):
        if not isinstance(value, np.ndarray):
            values.append(value)
            continue
        memory = arrays.get(id(value))
        if memory is None:
            memory = machine.add_global(own, value, written.get(name))
            arrays[id(value)] = memory
        else:
            memory.name += f", {own}"
        values.append(whole_array(memory))
    return values


def start_kernel(function: Function, values: Sequence[Any], machine: Machine, mask: Mask) -> None:
    """Run the kernel in the lanes of the mask, with these values of its parameters."""
    frame = Frame(machine)
    for name, value in zip(function.parameters, values, strict=True):
        frame.assign(name, value, mask, function.line)
    function.body(frame, mask)
