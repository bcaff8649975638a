"""Compiles what a run needs in a process of its own, which fills the cache of compiled code and
ends.

Compiling takes up to 200 MB, which a process does not give back; loading what is in the cache takes
a tenth of that. Where the process fails, or the cache cannot be written, a run compiles what it
needs itself.
"""

import json
import os
import re
import subprocess
import sys
import threading
from collections import defaultdict
from contextlib import closing, suppress
from hashlib import sha256

from core.drawing.rendering import load_loops
from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import read_input
from core.files.paths import cache_folder
from core.inference.engine import load_compiled
from core.inference.model_file import bundled_model
from core.program import own_command
from core.progress import Check, never_cancel
from core.runs.plan import RunPlan
from core.version import VERSION
from kernels.installation import sources_state

OPTION = "--compile"
"""With it the program is that process. It reads the plan from its standard input, and ends when
that is closed.
"""

_PAUSE = 0.1
_NICENESS = 5  # as that of a training
_MAX_BYTES = 10_000
_DONE = "compiled.txt"  # in the folder of caches: the digests of what was compiled
_KEPT = 100

_turns: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
"""By the digest: a run waits for what is being compiled for it already."""

_ended: set[str] = set()  # digests of what was compiled, or failed, in this session


def compile_elsewhere(plan: RunPlan | None, check: Check) -> None:
    """Have another process compile for `plan`, and wait for its end. An exception that `check`
    raises ends it. None: what the tabs compute of any network.

    Does nothing where that was tried before, or done by any window. Raises nothing else.
    """
    digest = _digest(plan)
    turn = _turns[digest]
    # In short waits, so that what waits can be cancelled.
    while not turn.acquire(timeout=_PAUSE):
        check()
    try:
        if digest in _ended or digest in _done():
            return
        values = None if plan is None else plan.as_dict()
        with suppress(OSError), _start(json.dumps(values).encode()) as process:
            try:
                while process.poll() is None:
                    check()
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(_PAUSE)
            finally:
                # Also after an exception of `check`; a process that has ended ignores it.
                process.kill()
            if process.returncode == 0:
                with suppress(InputError):
                    # Read again: another window may have added to the file meanwhile.
                    lines = [*_done(), digest][-_KEPT:]
                    write_atomically(cache_folder() / _DONE, "\n".join(lines).encode())
        # Also after a failure, which would only be repeated.
        _ended.add(digest)
    finally:
        turn.release()


def _digest(plan: RunPlan | None) -> str:
    """Of all that decides what is compiled. The sizes of layers and batches make no difference."""
    decisive: list[object] = [VERSION, sys.version, own_command(), sources_state()]
    if plan is not None:
        run = plan.settings
        layers = {re.sub(r"\d+", "", layer) for layer in run.network.split("-")}
        decisive += [
            plan.data,
            plan.device,
            sorted(layers),
            run.activation,
            run.loss,
            run.optimizer,
        ]
    return sha256(json.dumps(decisive).encode()).hexdigest()


def _done() -> list[str]:
    """The digests of what processes of all windows have compiled."""
    with suppress(InputError, OSError, ValueError):
        return read_input(cache_folder() / _DONE, _MAX_BYTES, "a list").decode("ascii").split()
    return []


def _start(plan: bytes) -> "subprocess.Popen[bytes]":
    """The process, which has got the plan. Raises OSError."""
    low = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
    hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    process = subprocess.Popen(
        [*own_command(), OPTION],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=low | hidden,
        # Without a buffer: the plan is sent at once, while the pipe stays open.
        bufsize=0,
    )
    assert process.stdin is not None
    with suppress(OSError):  # it has ended already
        process.stdin.write(plan + b"\n")
    return process


def compile_plan() -> int:
    """What the process does: train the plan on a few examples, or compute what the tabs compute.

    For a card it only reads the data: compiled kernels are not kept.
    """
    # These import Numba.
    from core.data.sources import load_dataset
    from core.drawing.loops import draw
    from core.training.trainer import warm_up
    from kernels.compiled import is_kept
    from kernels.registry import open_device

    if not is_kept(draw):
        return 1
    try:
        with open(0, "rb", closefd=False) as stdin:  # sys.stdin is None without a console
            values = json.loads(stdin.readline())
        threading.Thread(target=_end_with_window, daemon=True).start()
        if hasattr(os, "nice"):
            os.nice(_NICENESS)
        if values is not None:
            plan = RunPlan.from_dict(values)
            dataset = load_dataset(plan.data)
            with closing(open_device(plan.device)) as device:
                if device.memory_info() is None:
                    warm_up(plan.settings, dataset, device, never_cancel)
            return 0
        load_for_reading()
    except Exception:  # the run itself will report it
        return 1
    return 0


def load_for_reading() -> None:
    """Load the compiled functions that read a drawing, or compile them."""
    load_loops()
    load_compiled(bundled_model())


def _end_with_window() -> None:
    """The other end is closed when the window ends, in whichever way."""
    os.read(0, 1)
    # Not sys.exit, which would end this thread alone.
    os._exit(1)
