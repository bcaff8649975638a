"""A real Dask cluster on this machine: a scheduler and workers with one thread each, in processes
of their own.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.limits import SECONDS

ROOT = Path(__file__).resolve().parents[1]


@contextmanager
def dask_cluster(
    folder: Path, workers: int, outside: tuple[str, ...] = ()
) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """The address of the scheduler, and the processes of the workers, which end with the block.

    outside: which of `scheduler` and `worker` are started as `dask` starts them, without the
    program's modules.
    """
    import distributed

    file = folder / "scheduler.json"
    options = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
    programs = [_start("scheduler", *options, outside="scheduler" in outside)]
    try:
        options = ("--scheduler-file", str(file), "--nthreads", "1", "--no-nanny")
        programs += [
            _start(
                "worker",
                *options,
                "--local-directory",
                str(folder / str(k)),
                outside="worker" in outside,
            )
            for k in range(workers)
        ]
        with distributed.Client(
            scheduler_file=str(file), timeout=SECONDS, set_as_default=False
        ) as client:
            if workers:
                client.wait_for_workers(workers, timeout=SECONDS)
            address = client.scheduler.address
        yield address, programs[1:]
    finally:
        for program in programs:
            program.kill()
            program.wait()


def _start(*arguments: str, outside: bool) -> subprocess.Popen:
    program = "from dask.__main__ import main; main()"
    command = [
        sys.executable,
        *(("-P", "-c", program) if outside else ("-m", "dask")),
        *arguments,
        "--no-dashboard",
    ]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
