"""Kernels that were compiled when the program was built, which need no compiler and are loaded at
once.

`packaging/compile_kernels.py` writes FILE, which is not in the repository: of each kernel machine
code for cards from compute capability 7.5 to 12.0, and PTX, which the driver translates for others.
A kernel is found by what decides its code: its name, launch bounds and closure, and the types of
its arguments. Whatever else decides it is in the sources, whose digest is the file's comment: with
other sources the file is not used. docs/cuda.md says what is compiled where.
"""

import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from inspect import getclosurevars, isfunction
from pathlib import Path
from typing import Any

import numpy as np

from kernels.installation import DISTRIBUTION

FILE = Path(__file__).with_name("kernels.zip")

# The compute capabilities for which there is machine code, which runs on cards of the same major
# version, and PTX, from old to new.
MACHINE_CODES = ((7, 5), (8, 0), (9, 0), (10, 0), (12, 0))
PTX = ((5, 0), (7, 5))

LEAST_CARD = PTX[0]
LEAST_DRIVER = (12, 0)
"""The CUDA that a driver has to support: that of the PTX, and of the bindings."""

# The types that Numba gives to numbers.
_NUMBERS = {int: "int64", float: "float64", np.float32: "float32"}
_NUMBERS |= {np.int32: "int32", np.uint32: "uint32"}

LaunchConfiguration = tuple[tuple[int, ...], tuple[int, ...], Any]
"""Blocks of the grid, threads of a block, stream."""


@cache
def sources_digest() -> bytes:
    """Of all sources that a kernel can reach, which are the same in the repository and in the
    wheel, whose build puts the name of the package before the imports.
    """
    folder = Path(__file__).parents[1]
    files = [*folder.glob("*.py"), *folder.glob("cuda/**/*.py"), *folder.glob("activations/*.py")]
    texts = sorted(path.read_text("utf-8").replace(f"{DISTRIBUTION}.", "") for path in files)
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


def type_of(argument: Any) -> str:
    """The name of an argument's type: "float32[2]" of a matrix, "int64" of an integer."""
    if type(argument) is tuple:
        return f"({','.join(map(type_of, argument))})"
    return _NUMBERS.get(type(argument)) or argument.kernel_type


@cache
def shipped_kernels() -> zipfile.ZipFile | None:
    """FILE; None where it is missing, or made of other sources."""
    try:
        archive = zipfile.ZipFile(FILE)
    except (OSError, zipfile.BadZipFile):
        return None
    return archive if archive.comment.startswith(sources_digest()) else None


def load_kernel(name: str, card: tuple[int, ...]) -> Any:
    """The kernel with this name for a card of this compute capability, as `cuda.core.launch` takes
    it; None if it was not shipped.
    """
    from cuda.core import ObjectCode

    archive = shipped_kernels()
    if archive is None or f"{name}/75.ptx" not in archive.namelist():
        return None
    entry = name.partition("-")[0]
    for major, minor in MACHINE_CODES:
        if major == card[0] and minor <= card[1]:
            code = ObjectCode.from_cubin(archive.read(f"{name}/{major}{minor}.cubin"))
            # A driver that is too old refuses it, and the software card any machine code.
            with suppress(Exception):
                return code.get_kernel(entry)
    major, minor = [each for each in PTX if each <= card][-1]
    return ObjectCode.from_ptx(archive.read(f"{name}/{major}{minor}.ptx")).get_kernel(entry)


def launch_kernel(
    kernel: Any, configuration: LaunchConfiguration, arguments: tuple[Any, ...], together: int = 0
) -> None:
    """Launch what `load_kernel` returned; `together`: see `kernels.cuda.toolkit.kernel`."""
    from cuda.bindings import driver
    from cuda.core import LaunchConfig, launch

    grid, block, stream = configuration
    if together:
        # Without it a block has at most 48 kB.
        limit = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        driver.cuKernelSetAttribute(limit, together, kernel.handle, stream.device.device_id)
    config = LaunchConfig(grid=grid, block=block, shmem_size=together, is_cooperative=together > 0)
    launch(stream, config, kernel, *_flat(arguments))


def _flat(arguments: tuple[Any, ...]) -> Iterator[object]:
    """An array is a struct, whose fields Numba's kernels take as arguments of their own
    (numba/cuda/dispatcher.py, `_prepare_args`).
    """
    for argument in arguments:
        if type(argument) is tuple:
            yield from _flat(argument)
        elif type(argument) in _NUMBERS:
            yield argument
        else:
            yield from argument.kernel_fields
