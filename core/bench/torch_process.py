"""PyTorch and JAX, each in a process of its own that answers questions with seconds, so that no
threads are shared with it.
"""

import os
import subprocess
import sys
from contextlib import ExitStack, closing, suppress
from importlib.util import find_spec
from pathlib import Path

from core.bench.rows import Note, Options
from core.errors import InputError
from core.files.reasons import refusing
from kernels.host import processor_count
from kernels.installation import is_frozen


def interpreter(given: Path | None, module: str = "torch") -> Path | None:
    """The Python interpreter to use: `given`, or this one if it has the module, or None."""
    if given is not None:
        return given
    return Path(sys.executable) if find_spec(module) and not is_frozen() else None


def start_torch(
    options: Options, device: str, network: str, images: int, stack: ExitStack
) -> tuple["TorchProcess | None", Note]:
    """PyTorch with this network (see `torch_script.py`), closed with `stack`; and a sentence about
    it.

    Raises InputError where the Python that the user has named cannot start it.
    """
    python = interpreter(options.torch_python)
    if python is None:
        return None, Note(
            "PyTorch is not installed here, so nothing is compared with it: give --torch-python a "
            "Python that has it"
            f"{', with CUDA' if device == 'cuda' else ''}."
        )
    try:
        torch = stack.enter_context(closing(TorchProcess(python, images, device, network)))
    except InputError as error:
        if options.torch_python is not None:
            raise
        return None, Note(str(error))
    return torch, Note(
        f"PyTorch {torch.version}, in its own process, with {processor_count()} threads."
    )


def start_jax(options: Options, device: str, images: int, stack: ExitStack) -> "JaxProcess | None":
    """JAX with the dense network, closed with `stack`; None where it is not installed."""
    python = interpreter(options.torch_python, "jax")
    if python is None:
        return None
    try:
        return stack.enter_context(closing(JaxProcess(python, images, device)))
    except InputError:
        return None


class TorchProcess:
    """Runs `script` with one thread for each core. `version`: its version and device.

    Raises InputError with the reason where it cannot be started.
    """

    program = "PyTorch"
    script = Path(__file__).with_name("torch_script.py")

    def __init__(
        self, python: Path, images: int, device: str = "cpu", network: str = "dense"
    ) -> None:
        threads = str(processor_count())
        environment = os.environ | {
            "OMP_NUM_THREADS": threads,
            "MKL_NUM_THREADS": threads,
            # Otherwise JAX takes most of a card's memory at its start.
            "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
            # Without it the script's folder comes first on the path, and PyTorch imports
            # `core.bench.cuda` instead of NVIDIA's package `cuda`.
            "PYTHONSAFEPATH": "1",
        }
        with refusing("{python} could not be started: {reason}.", OSError, python=python):
            self._process = subprocess.Popen(
                [str(python), str(self.script), str(images), threads, device, network],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=environment,
                # 0 except on Windows, where a program without console would open one.
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        try:
            self.version = self._line()
        except BaseException:
            self.close()
            raise

    def ask(self, question: str) -> float:
        """Seconds, for a question of the script. Raises InputError with the reason where the
        program failed.
        """
        assert self._process.stdin
        # A process that has ended takes no question; `_line` reports its last message.
        with suppress(BrokenPipeError):
            self._process.stdin.write(f"{question}\n")
            self._process.stdin.flush()
        line = self._line()
        try:
            return float(line)
        except ValueError:
            raise InputError(
                "{program} could not: {reason}.",
                program=self.program,
                reason=line.lstrip("! ")[:300],
            ) from None

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _line(self) -> str:
        assert self._process.stdout
        assert self._process.stderr
        line = self._process.stdout.readline().strip()
        if not line:
            reason = self._process.stderr.read().strip().splitlines() or ["it ended"]
            raise InputError(
                "{program} did not answer ({reason}): give --torch-python a Python that has it.",
                program=self.program,
                reason=reason[-1],
            )
        return line


class JaxProcess(TorchProcess):
    """The same with `jax_script.py`."""

    program = "JAX"
    script = Path(__file__).with_name("jax_script.py")
