"""A kernel on the emulator: compiled by numba-cuda to PTX, translated to C, compiled by gcc for this processor."""

import ctypes
import hashlib
import secrets
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numba.cuda.compiler import _compile_pyfunc_with_fixup

from tools.card.translate import RUNTIME, translate

CAPABILITY = (9, 0)
MESSAGE_BYTES = 300  # of the buffer for the first fault

# Multiplications and additions are fused where the PTX fuses them, and nowhere else.
FLAGS = ("-O1", "-shared", "-fPIC", "-mfma", "-ffp-contract=off", "-fno-strict-aliasing", "-w")


class WrongKernelError(AssertionError):
    """A kernel raced, left the bounds of an array or missed a barrier; the text has the line of its PTX."""


class CompiledKernel:
    """A kernel compiled for one tuple of argument types."""

    def __init__(self, dispatcher: object, types: tuple[Any, ...], folder: Path) -> None:
        self.name = dispatcher.py_func.__qualname__
        self._ptx = folder / f"{self.name.rsplit('.', 1)[-1]}-{secrets.token_hex(4)}.ptx"
        bounds = dispatcher.targetoptions.get("launch_bounds")
        code, _ = _compile_pyfunc_with_fixup(
            dispatcher.py_func, types, cc=CAPABILITY, device=False, abi="numba", launch_bounds=bounds
        )
        self._ptx.write_text(code.get_asm_str(cc=CAPABILITY))
        translation = translate(self._ptx.read_text())
        self._parameters = translation.parameters
        self._maximum_threads = bounds[0] if isinstance(bounds, tuple) else bounds
        self._run = _compiled(translation.source).run

    def launch(self, grid: tuple[int, ...], block: tuple[int, ...], arguments: list[np.ndarray]) -> None:
        """Run the kernel to its end. `arguments`: arrays; numbers are arrays of dimension 0 of the kernel's types.

        Raises WrongKernelError for the first fault.
        """
        if self._maximum_threads and np.prod(block) > self._maximum_threads:
            raise WrongKernelError(
                f"{self.name}: {block} threads, but compiled for {self._maximum_threads} a block"
            )
        values = [value for argument in arguments for value in _as_parameters(argument)]
        assert len(values) == len(self._parameters), (self.name, len(values), self._parameters)
        pointers = (ctypes.c_void_p * len(values))(*(value.ctypes.data for value in values))
        arrays = [argument for argument in arguments if argument.ndim]
        begins = np.array([array.ctypes.data for array in arrays], np.uint64)
        ends = begins + np.array([array.nbytes for array in arrays], np.uint64)
        message = ctypes.create_string_buffer(MESSAGE_BYTES)
        seed = secrets.randbits(63)
        faults = self._run(
            _three(grid),
            _three(block),
            pointers,
            ctypes.c_void_p(begins.ctypes.data),
            ctypes.c_void_p(ends.ctypes.data),
            len(arrays),
            ctypes.c_uint64(seed),
            message,
        )
        if faults:
            raise WrongKernelError(
                f"{self.name}, grid {grid}, block {block}: {message.value.decode()}; {faults} faults in all. "
                f"Order of threads {seed}, PTX in {self._ptx}"
            )


def _as_parameters(argument: np.ndarray) -> list[np.ndarray]:
    """The parameters of an argument in Numba's ABI: of an array parent, size, item size, address, shape, strides."""
    if not argument.ndim:
        return [argument]
    fields = (
        0,
        0,
        argument.size,
        argument.itemsize,
        argument.ctypes.data,
        *argument.shape,
        *argument.strides,
    )
    return [np.array(field, np.int64) for field in fields]


def _three(numbers: tuple[int, ...]) -> Any:
    return (ctypes.c_uint32 * 3)(*numbers, *(1,) * (3 - len(numbers)))


def _compiled(source: str) -> ctypes.CDLL:
    """The compiled library. Libraries are cached, because gcc takes some tenths of a second."""
    folder = Path(tempfile.gettempdir()) / "digitlab-card"
    folder.mkdir(exist_ok=True)
    name = hashlib.sha256("\n".join([source, RUNTIME.read_text("utf-8"), *FLAGS]).encode()).hexdigest()[:24]
    library = folder / f"{name}.so"
    if not library.exists():
        with tempfile.TemporaryDirectory(dir=folder) as build:
            (Path(build) / "kernel.c").write_text(source)
            command = ["gcc", *FLAGS, "-o", f"{build}/kernel.so", f"{build}/kernel.c", "-lm"]
            subprocess.run(command, check=True)
            (Path(build) / "kernel.so").replace(library)
    return ctypes.CDLL(str(library))
