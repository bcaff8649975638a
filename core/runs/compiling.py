"""Compiles what a run needs in a process of its own, which fills the cache of compiled code and
ends.

Compiling takes up to 200 MB, which a process does not give back; loading what is in the cache takes
a tenth of that. Where the process fails, or the cache cannot be written, a run compiles what it
needs itself.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import closing, suppress
from hashlib import sha256

import numpy as np

from core.drawing.ink import SIDE
from core.drawing.rendering import load_loops
from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import read_input
from core.files.paths import cache_folder
from core.inference.engine import FEW, Engine
from core.inference.model_file import bundled_model
from core.program import own_command
from core.progress import never_cancel
from core.runs.plan import RunPlan
from core.version import VERSION
from kernels.installation import sources_state

OPTION = "--compile"
"""With it the program is that process. It reads the plan from its standard input, and ends when
that is closed.
"""

_PAUSE = 0.1
_NICENESS = 10
# The settings that decide which loops are compiled.
_COMPILED = ("network", "activation", "loss", "optimizer", "batch_size")


def iter_compiling(plan: RunPlan) -> Generator[None]:
    """Compile for `plan` in another process, and yield while it computes. Closing the generator
    ends the process.

    Does nothing where the last process of any window did the same. Raises nothing.
    """
    done = cache_folder() / "compiled.txt"
    values = plan.as_dict()
    compiled = [values["run"].get(name) for name in _COMPILED]
    state = [VERSION, sys.version, own_command(), sources_state(), plan.data, plan.device, compiled]
    digest = sha256(json.dumps(state).encode()).hexdigest()
    with suppress(InputError, OSError):
        if read_input(done, len(digest), "a digest") == digest.encode():
            return
    try:
        process = _start(json.dumps(values).encode())
    except OSError:
        return
    try:
        while process.poll() is None:
            yield
            time.sleep(_PAUSE)
    finally:
        process.kill()
        process.wait()
        assert process.stdin is not None
        process.stdin.close()
    if process.returncode == 0:
        with suppress(InputError):
            write_atomically(done, digest.encode())


def _start(plan: bytes) -> "subprocess.Popen[bytes]":
    """The process, which has read nothing yet. Raises OSError."""
    low = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0) | getattr(
        subprocess, "CREATE_NO_WINDOW", 0
    )
    process = subprocess.Popen(
        [*own_command(), OPTION],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=low,
        bufsize=0,
    )
    assert process.stdin is not None
    with suppress(OSError):  # it has ended already
        process.stdin.write(plan + b"\n")
    return process


def compile_plan() -> int:
    """What the process does: train the plan on a few examples, and compute what the tabs
    compute.
    """
    # These import Numba.
    from core.data.sources import load_dataset
    from core.training.trainer import warm_up
    from kernels.registry import open_device

    plan = RunPlan.from_dict(json.loads(sys.stdin.buffer.readline()))
    threading.Thread(target=_end_with_window, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    dataset = load_dataset(plan.data)
    with closing(open_device(plan.device)) as device:
        # First: somebody may press Train.
        warm_up(plan.settings, dataset, device, never_cancel)
    load_loops()
    with closing(Engine(bundled_model())) as engine:
        images = np.zeros((FEW + 1, SIDE, SIDE), np.uint8)
        answers = engine.predict(images)
        engine.input_gradient(images[:1], len(engine.model.network.layers) - 1, answers[:1])
    return 0


def _end_with_window() -> None:
    """The other end is closed when the window ends, in whichever way."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)
