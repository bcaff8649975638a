"""A PyTorch in a process of its own, which trains an epoch when asked: ours and theirs never share threads."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from core.refusal import Refusal

DENSE, CONVOLUTION = "torch_epoch.py", "torch_convolution.py"


def interpreter(given: Path | None) -> Path | None:
    """The Python to ask: the one given, our own if it has PyTorch, or None."""
    if given is not None:
        return given
    return Path(sys.executable) if find_spec("torch") and not getattr(sys, "frozen", False) else None


class TorchProcess:
    """Started on `images` images with `threads` threads; warm when made."""

    def __init__(self, python: Path, images: int, threads: int, script: str = DENSE) -> None:
        environment = os.environ | {
            "OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads),
            # Or the script's folder came first, and PyTorch would import our `cuda` for NVIDIA's.
            "PYTHONSAFEPATH": "1",
        }  # fmt: skip
        try:
            self._process = subprocess.Popen(
                [str(python), str(Path(__file__).with_name(script)), str(images), str(threads)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
            )  # fmt: skip
        except OSError as error:
            raise Refusal(
                "{python} could not be started: {reason}.", python=python, reason=error.strerror
            ) from None
        try:
            self.version = self._line()
        except BaseException:
            self.close()
            raise

    def epoch(self, images: int) -> float:
        """Seconds of an epoch of the first so many images."""
        assert self._process.stdin
        self._process.stdin.write(f"{images}\n")
        self._process.stdin.flush()
        return float(self._line())

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
            raise Refusal(
                "PyTorch did not answer ({reason}): give --torch-python a Python that has it.",
                reason=reason[-1],
            )
        return line
