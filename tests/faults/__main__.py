"""Runs the campaigns and reports the faults: `python -m tests.faults [--full | --seconds N]`."""

import argparse
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.faults.case import seconds_without_processor

ROOT = Path(__file__).resolve().parents[2]
FULL = {
    "readers": 30_000,
    "commands": 500,
    "class": 5000,
    "window": 10_000,
    "kills": 200,
}
WINDOW_SEEDS = 4
MAX_CASE_SECONDS = 5.0  # of processor time: others may use the machine
MAX_WAIT_SECONDS = 30.0  # of no progress at all
MAX_START_SECONDS = 600.0
PROGRESS_CASES = 50


class Budget:
    """The time that a campaign may take, from its first case on; None: as long as it takes."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._started: float | None = None

    def start(self) -> None:
        self._started = self._started or time.monotonic()

    @property
    def is_spent(self) -> bool:
        if self._seconds is None or self._started is None:
            return False
        return time.monotonic() > self._started + self._seconds


@dataclass
class Result:
    """What became of one campaign."""

    name: str
    cases: int = 0
    faults: list[str] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--full", action="store_true", help="all cases; takes an hour or more")
    parser.add_argument(
        "--seconds", type=float, default=50.0, help="time for a short form (default: 50)"
    )
    parser.add_argument("--only", default=",".join(FULL), help=f"campaigns, of {','.join(FULL)}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out", type=Path, default=ROOT / "build" / "faults", help="folder of the reports"
    )
    options = parser.parse_args()
    names = [name for name in options.only.split(",") if name]
    results = []
    with tempfile.TemporaryDirectory(prefix="digitlab-faults-") as folder:
        os.environ |= {"DIGITLAB_HOME": f"{folder}/home", "QT_QPA_PLATFORM": "offscreen"}
        for name in names:
            budget = Budget(None if options.full else options.seconds / len(names))
            result = Result(name)
            for number, fault in _cases(name, options.seed, Path(folder), budget):
                result.cases = number
                if fault:
                    result.faults.append(fault)
                    _report(options.out, name, len(result.faults), fault)
                if number % PROGRESS_CASES == 0:
                    print(f"{name}: {number} tried, {len(result.faults)} faults so far", flush=True)
            results.append(result)
            print(f"{name}: {result.cases} tried, {len(result.faults)} faults", flush=True)
    faults = sum(len(result.faults) for result in results)
    print(f"{faults} faults; see {options.out}" if faults else "no faults")
    return 1 if faults or not all(result.cases for result in results) else 0


def _cases(name: str, seed: int, folder: Path, budget: Budget) -> Iterator[tuple[int, str | None]]:
    """For each case of a campaign: how many have been tried, and the fault."""
    if name == "kills":
        from tests.faults.kills import Kills

        kills = Kills(folder / "kills")
        budget.start()
        for number in range(FULL[name]):
            yield number + 1, kills.kill_once(Random(f"{seed}/{number}"))
            if budget.is_spent:
                return
        return
    seeds = WINDOW_SEEDS if name == "window" else 1
    count = FULL[name] // seeds
    for part in range(seeds):
        for number, fault in _supervise(
            name, seed + part, count, folder / f"{name}-{part}", budget
        ):
            yield part * count + number, fault
        if budget.is_spent:
            return


def _supervise(
    name: str, seed: int, count: int, folder: Path, budget: Budget
) -> Iterator[tuple[int, str | None]]:
    """Run the cases in worker processes; start another one after a case that hangs or ends its
    process.
    """
    first = 0
    starts = 0
    while first < count and not budget.is_spent:
        starts += 1
        command = [
            sys.executable,
            "-m",
            "tests.faults.worker",
            name,
            str(seed),
            str(first),
            str(count - first),
            str(folder / str(starts)),
        ]
        worker = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        try:
            running = None
            fault = None
            for report in _reports(worker, budget):
                if "name" in report:
                    running = report
                elif "number" in report:
                    assert running
                    first = report["number"] + 1
                    running_name = running["name"]
                    running = None
                    yield (
                        first,
                        f"case {seed}/{first - 1}, {running_name}\n{report['fault']}"
                        if report["fault"]
                        else None,
                    )
                else:
                    fault = report["fault"]
            if budget.is_spent or (first >= count and not running):
                return
            what = (
                f"case {seed}/{running['number']}, {running['name']}"
                if running
                else "start of a worker"
            )
            first = running["number"] + 1 if running else first
            yield first, f"{what}\n{fault}"
            if running is None and starts > 3:
                return
        finally:
            worker.kill()
            worker.wait()
            worker.stdout.close()  # type: ignore[union-attr]
            worker.stderr.close()  # type: ignore[union-attr]


def _reports(worker: "subprocess.Popen[bytes]", budget: Budget) -> Iterator[dict]:
    """The reports of a worker; {"fault": ...} at last if it hangs or dies."""
    assert worker.stdout
    assert worker.stderr
    rest = b""
    errors = b""
    since = _clock(worker.pid)
    spent = _processor_seconds(worker.pid)
    started = False
    while True:
        ready, _, _ = select.select([worker.stdout, worker.stderr], [], [], 0.5)
        if worker.stderr in ready:
            errors = (errors + os.read(worker.stderr.fileno(), 1 << 16))[-20_000:]
        if worker.stdout in ready:
            block = os.read(worker.stdout.fileno(), 1 << 16)
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                yield json.loads(line)
            if lines:
                budget.start()
                since = _clock(worker.pid)
                spent = _processor_seconds(worker.pid)
                started = True
            if not block:
                code = worker.wait()
                yield {
                    "fault": "the process ended with code "
                    f"{code}\n{errors.decode(errors='replace')}"
                }
                return
        waited = _clock(worker.pid) - since
        if budget.is_spent:
            return
        busy = _processor_seconds(worker.pid) - spent
        if started and (busy > MAX_CASE_SECONDS or waited > MAX_WAIT_SECONDS):
            yield {"fault": f"no end after {waited:.0f} s, {busy:.0f} s of them computing"}
            return
        if not started and waited > MAX_START_SECONDS:
            yield {"fault": "the worker does not start"}
            return


def _clock(process: int) -> float:
    """Seconds that pass while a process waits or computes, not while others keep it from the
    processors.
    """
    return time.monotonic() - seconds_without_processor(process)


def _processor_seconds(process: int) -> float:
    """The processor time that a process has used, in seconds."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _report(folder: Path, name: str, number: int, fault: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}-{number:03}.txt").write_text(
        fault, encoding="utf-8", errors="backslashreplace"
    )


if __name__ == "__main__":
    raise SystemExit(main())
