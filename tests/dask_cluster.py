"""A real Dask cluster on this machine: a scheduler and workers with one thread each, in processes of their own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@contextmanager
def dask_cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """The address of the scheduler, and the processes of the workers, which end with the block."""
    import distributed

    file = folder / "scheduler.json"
    programs = [_start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))]
    try:
        options = ("--scheduler-file", str(file), "--nthreads", "1", "--no-nanny")
        programs += [
            _start("worker", *options, "--local-directory", str(folder / str(k))) for k in range(workers)
        ]
        with distributed.Client(scheduler_file=str(file), timeout=60, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=60)
            address = client.scheduler.address
        yield address, programs[1:]
    finally:
        for program in programs:
            program.kill()
            program.wait()


def _start(*arguments: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
