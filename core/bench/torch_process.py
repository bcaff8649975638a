"""A PyTorch in a process of its own, which is asked for seconds: ours and theirs never share threads."""

import os
import subprocess
import sys
from contextlib import ExitStack, closing, suppress
from importlib.util import find_spec
from pathlib import Path

from core.bench import machine
from core.bench.rows import Note, Options
from core.errors import InputError


def interpreter(given: Path | None) -> Path | None:
    """The Python to ask: the one given, our own if it has PyTorch, or None."""
    if given is not None:
        return given
    return Path(sys.executable) if find_spec("torch") and not getattr(sys, "frozen", False) else None


def start_epochs(
    options: Options, network: str, images: int, stack: ExitStack
) -> tuple["TorchProcess | None", Note]:
    """PyTorch with the `network` of `torch_epoch.py` on our cores, closed with `stack`; and what to say of it."""
    python = interpreter(options.torch_python)
    if python is None:
        return None, Note("PyTorch is not here to compare with: give --torch-python a Python that has it.")
    torch = stack.enter_context(closing(TorchProcess(python, "torch_epoch.py", images, network)))
    return torch, Note(f"PyTorch {torch.version} with {machine.cores()} threads, as many as here.")


class TorchProcess:
    """Runs `script IMAGES THREADS MORE...`, a file beside this one, with a thread a core; warm when made."""

    def __init__(self, python: Path, script: str, images: int, *more: str) -> None:
        threads = str(machine.cores())
        environment = os.environ | {
            "OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads,
            # Or the script's folder came first, and PyTorch would import our `cuda` for NVIDIA's.
            "PYTHONSAFEPATH": "1",
        }  # fmt: skip
        try:
            self._process = subprocess.Popen(
                [str(python), str(Path(__file__).with_name(script)), str(images), threads, *more],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
            )  # fmt: skip
        except OSError as error:
            raise InputError(
                "{python} could not be started: {reason}.", python=python, reason=error.strerror
            ) from None
        try:
            self.version = self._line()
        except BaseException:
            self.close()
            raise

    def ask(self, question: str) -> float:
        """Seconds, see the script for its questions; an InputError with the reason where PyTorch could not."""
        assert self._process.stdin
        # One that has ended takes no question: its last words say why.
        with suppress(BrokenPipeError):
            self._process.stdin.write(f"{question}\n")
            self._process.stdin.flush()
        line = self._line()
        if line.startswith("!"):
            raise InputError("PyTorch could not: {reason}.", reason=line[1:].strip())
        return float(line)

    def close(self) -> None:
        """End the process and wait for it."""
        self._process.kill()
        self._process.communicate()

    def _line(self) -> str:
        assert self._process.stdout
        assert self._process.stderr
        line = self._process.stdout.readline().strip()
        if not line:
            reason = self._process.stderr.read().strip().splitlines() or ["it ended"]
            raise InputError(
                "PyTorch did not answer ({reason}): give --torch-python a Python that has it.",
                reason=reason[-1],
            )
        return line
