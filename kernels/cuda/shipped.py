"""Kernels that were compiled when the program was built, which need no compiler and are loaded at
once.

`packaging/compile_kernels.py` writes FILE, which is not in the repository: of each kernel machine
code for cards from compute capability 7.5 to 12.0, and PTX, which the driver translates for others.
A kernel is found by what decides its code: its name, launch bounds and closure, and the types of
its arguments. Whatever else decides it is in the sources, whose digest is the file's comment: with
other sources the file is not used. docs/cuda.md says what is compiled where.
"""

import re
import zipfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from ctypes import Structure, addressof, byref, c_char_p, c_size_t, c_void_p, create_string_buffer
from functools import cache, lru_cache
from hashlib import sha256
from inspect import getclosurevars, isfunction
from pathlib import Path
from struct import Struct
from typing import Any

import numpy as np

from kernels.cuda.driver import DriverError, driver, value_of
from kernels.installation import DISTRIBUTION

FILE = Path(__file__).with_name("kernels.zip")

# The compute capabilities for which there is machine code, which runs on cards of the same major
# version, and PTX, from old to new.
MACHINE_CODES = ((7, 5), (8, 0), (9, 0), (10, 0), (12, 0))
PTX = ((5, 0), (7, 5))

LEAST_CARD = PTX[0]
LEAST_DRIVER = (12, 0)
"""The CUDA that a driver has to support: that of the PTX."""

# The types that Numba gives to numbers.
_NUMBERS = {int: "int64", float: "float64", np.float32: "float32"}
_NUMBERS |= {np.int32: "int32", np.uint32: "uint32"}

# Values of NVIDIA's header cuda.h, which names them CU_LAUNCH_PARAM_BUFFER_POINTER and so on.
_BUFFER_POINTER = 1
_BUFFER_SIZE = 2
_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
_ATTRIBUTE_COOPERATIVE = 2

LaunchConfiguration = tuple[tuple[int, ...], tuple[int, ...], Any]
"""Blocks of the grid, threads of a block, stream."""


@cache
def sources_digest() -> bytes:
    """Of all sources that a kernel can reach, which are the same in the repository and in the
    wheel, whose build puts the name of the package before the imports.
    """
    folder = Path(__file__).parents[1]
    files = [*folder.glob("*.py"), *folder.glob("cuda/**/*.py"), *folder.glob("activations/*.py")]
    moved = re.compile(rf"from {DISTRIBUTION} (?=import)|{DISTRIBUTION}\.")
    texts = sorted(moved.sub("", path.read_text("utf-8")) for path in files)
    return sha256("\0".join(texts).encode()).hexdigest().encode()


def identity(value: object) -> str:
    """Describes a value of a kernel's closure, or a function with its own closure.

    >>> identity((1, 2)), identity(sources_digest)
    ('(1, 2)', 'kernels.cuda.shipped.sources_digest()')
    """
    function: Any = getattr(value, "py_func", value)
    if not callable(function):
        return repr(value)
    values = getclosurevars(function).nonlocals if isfunction(function) else {}
    closure = ", ".join(f"{name}={identity(each)}" for name, each in values.items())
    return f"{function.__module__}.{function.__qualname__}({closure})"


def name_of(function: Callable[..., None], options: object, types: tuple[str, ...]) -> str:
    """The kernel's folder in the file: the name of its entry, and a digest."""
    text = f"{identity(function)} {options} {types}".replace(f"{DISTRIBUTION}.", "")
    return f"{function.__name__}-{sha256(text.encode()).hexdigest()[:24]}"


def described(arguments: Iterable[Any]) -> tuple[tuple[str, ...], list[Any]]:
    """The names of the arguments' types, such as "float32[2]" of a matrix, and their values.

    An array is a struct, whose fields Numba's kernels take as arguments of their own
    (numba/cuda/dispatcher.py, `_prepare_args`). Both are found at every launch: hence in one pass.
    """
    names: list[str] = []
    values: list[Any] = []
    for argument in arguments:
        kind = type(argument)
        if kind in _NUMBERS:
            names.append(_NUMBERS[kind])
            values.append(argument)
        elif kind is tuple:
            of_elements, elements = described(argument)
            names.append(f"({','.join(of_elements)})")
            values += elements
        else:
            names.append(argument.kernel_type)
            values += argument.kernel_fields
    return tuple(names), values


@cache
def shipped_kernels() -> zipfile.ZipFile | None:
    """FILE; None where it is missing, or made of other sources."""
    try:
        archive = zipfile.ZipFile(FILE)
    except (OSError, zipfile.BadZipFile):
        return None
    return archive if archive.comment.startswith(sources_digest()) else None


def layout_of(values: Iterable[Any]) -> Struct:
    """How the values of a kernel's parameters lie in memory, aligned as in C."""
    return Struct("".join(np.dtype(type(value)).char for value in values))


class _Launchable:
    """A kernel that the driver has loaded for one card, for as long as the context lives, and the
    layout of its parameters.
    """

    def __init__(self, code: bytes, entry: str, layout: Struct, together: int) -> None:
        """`code`: machine code or PTX with the kernel `entry`, for the context of this thread."""
        module = value_of(c_void_p, "cuModuleLoadData", code)
        self.function = value_of(c_void_p, "cuModuleGetFunction", module, entry.encode())
        if together:
            # Without it a block has at most 48 kB.
            driver().cuFuncSetAttribute(self.function, _MAX_DYNAMIC_SHARED_SIZE_BYTES, together)
        self.layout = layout
        self.size = c_size_t(layout.size)
        self.together = together


_CONFIGURATION = Struct("3I3IIPPI")
"""CUlaunchConfig of cuda.h: grid, block, bytes of shared memory, stream, attributes, their number.
Writing it takes as long as a launch.
"""

_COOPERATIVE = create_string_buffer(Struct("I4xi60x").pack(_ATTRIBUTE_COOPERATIVE, 1))
"""CUlaunchAttribute: what it sets, and its value in 64 bytes. It must not move."""


@lru_cache(1024)
def _configuration(
    grid: tuple[int, ...], block: tuple[int, ...], stream: int, together: int
) -> bytes:
    attributes = (addressof(_COOPERATIVE), 1) if together else (0, 0)
    sizes = (*grid, 1, 1)[:3] + (*block, 1, 1)[:3]
    return _CONFIGURATION.pack(*sizes, together, stream, *attributes)


class _Parameters(Structure):
    """The last argument of cuLaunchKernelEx: two marks of cuda.h, each with what it announces."""

    _fields_ = (
        ("buffer_follows", c_void_p),
        ("buffer", c_char_p),
        ("size_follows", c_void_p),
        ("size", c_void_p),
        ("end", c_void_p),
    )


def load_kernel(
    name: str, layout: Struct, card: tuple[int, ...], together: int
) -> _Launchable | None:
    """The kernel with this name for a card of this compute capability, whose context is current;
    None if it was not shipped. `together`: see `kernels.cuda.toolkit.kernel`.
    """
    archive = shipped_kernels()
    if archive is None or f"{name}/75.ptx" not in archive.namelist():
        return None
    entry = name.partition("-")[0]
    for major, minor in MACHINE_CODES:
        if major == card[0] and minor <= card[1]:
            # A driver that is too old refuses it, and the software card any machine code.
            with suppress(DriverError):
                return _Launchable(
                    archive.read(f"{name}/{major}{minor}.cubin"), entry, layout, together
                )
    major, minor = [each for each in PTX if each <= card][-1]
    return _Launchable(archive.read(f"{name}/{major}{minor}.ptx"), entry, layout, together)


def launch_kernel(
    kernel: _Launchable, configuration: LaunchConfiguration, values: Sequence[Any]
) -> None:
    """Launch what `load_kernel` returned with the values that `described` found."""
    grid, block, stream = configuration
    parameters = _Parameters(
        _BUFFER_POINTER, kernel.layout.pack(*values), _BUFFER_SIZE, addressof(kernel.size), None
    )
    driver().cuLaunchKernelEx(
        _configuration(grid, block, stream.handle, kernel.together),
        kernel.function,
        None,
        byref(parameters),
    )
