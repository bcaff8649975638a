"""Measures a study on a Dask cluster of this machine: two workers with one thread each, against one worker.

`python -m tools.cluster_speed [--runs N] [--epochs N]` trains 24 runs of 784-32-10 on the built-in digits, 12 epochs
each, first on one worker and then on two, in processes and folders of their own. It prints the seconds of each from the
first epoch to the last and with the start of the command, and the ratios. Run it on a quiet machine.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

ROOT = Path(__file__).resolve().parents[1]
STUDY = """
data = "{data}"
device = "vectorized"
[settings]
network = "{network}"
epochs = {epochs}
[vary]
seed = {seeds}
"""


def measure(workers: int, text: str, folder: Path) -> tuple[float, float]:
    """(seconds from the first epoch to the last, seconds of the whole command) of the study on `workers` workers."""
    file = folder / "scheduler.json"
    study = folder / "study.toml"
    study.write_text(text, "utf-8")
    dask = [sys.executable, "-m", "dask"]
    here = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
    programs = [
        subprocess.Popen([*dask, "scheduler", "--port", "0", *here], cwd=ROOT, stderr=subprocess.DEVNULL)
    ]
    try:
        while not file.exists():
            sleep(0.1)
        options = [*here[2:], "--nthreads", "1", "--nworkers", str(workers), "--local-directory", str(folder)]
        programs.append(subprocess.Popen([*dask, "worker", *options], cwd=ROOT, stderr=subprocess.DEVNULL))
        address = json.loads(file.read_text("utf-8"))["address"]
        command = [sys.executable, "main.py", "study", str(study), "--dask", address, "--json"]
        environment = os.environ | {"DIGITLAB_HOME": str(folder / "home")}
        start = perf_counter()
        times = []
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        ) as program:
            assert program.stdout
            for line in program.stdout:
                if json.loads(line)["event"] == "epoch":
                    times.append(perf_counter())
        return times[-1] - times[0], perf_counter() - start
    finally:
        for each in reversed(programs):
            each.terminate()
            each.wait()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=24)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--data", default="builtin")
    parser.add_argument("--network", default="784-32-10")
    options = parser.parse_args()
    text = STUDY.format(
        data=options.data, network=options.network, epochs=options.epochs, seeds=[*range(options.runs)]
    )
    found = []
    for workers in (1, 2):
        with TemporaryDirectory(prefix="digitlab-") as folder:
            found.append(measure(workers, text, Path(folder)))
        print(
            f"{workers} workers: {found[-1][0]:.1f} s of training, {found[-1][1]:.1f} s with the start",
            flush=True,
        )
    training, whole = (two / one for one, two in zip(*found, strict=True))
    print(f"two workers against one: {training:.2f}; with the start of the program {whole:.2f}")


if __name__ == "__main__":
    main()
