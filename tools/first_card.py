"""The first ten minutes on a card: tests, sanitizer, step times, fault drill, benchmark. One
command, one folder.

    uv run --extra cuda python tools/first_card.py [--out FOLDER] [--only NAME ...] [--budget
    SECONDS]

Each part runs in a process of its own, with a time limit; a part that fails or hangs does not keep
the others from running. The folder has `summary.json`, and `results.tgz` with the output of each
part; send it along with any question about the card. Without the window's packages `python
tools/first_card.py` does the same.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from math import inf
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

TESTS = [sys.executable, "-m", "pytest", "-m", "gpu", "-q", "-p", "no:cacheprovider"]
CARD_TESTS = "tests/kernels/cuda/test_cuda_card.py"

# They measure the free memory of the card, so they run alone.
_MEMORY_TESTS = "memory_is_back or lack_of_memory"
_DRIVER_TESTS = f"captured or {_MEMORY_TESTS}"
_SANITIZED_TESTS = "real_size and (100x784 or softmax)"

# Side streams and steps in one graph; 0 steps: launch by launch; -1: several steps in one launch.
# Of a small network few blocks add up all losses.
STEP_SETTINGS = (
    (3, -1),
    (3, -1, "784-40-10"),
    (3, 10, "784-40-10"),
    (3, 0),
    (0, 1),
    (1, 1),
    (3, 1),
    (0, 10),
    (1, 10),
    (3, 10),
    (0, 50),
    (1, 50),
    (3, 50),
)


@dataclass(frozen=True, slots=True)
class Part:
    """A command and the seconds that it may take."""

    name: str
    command: list[str]
    seconds: float


def parts(folder: Path) -> list[Part]:
    """All parts, the most valuable first; what is not installed is left out."""
    this_script = [sys.executable, str(Path(__file__).resolve())]
    commands = [
        Part("devices", [sys.executable, "main.py", "devices"], 60),
    ]
    for name, options in (
        ("dense", ["--device", "cuda"]),
        ("cuda", []),
        ("operators", ["--device", "cuda"]),
    ):
        bench = [
            sys.executable,
            "main.py",
            "bench",
            name,
            *options,
            "--quick",
            "--out",
            str(folder / "bench"),
        ]
        commands.append(Part(f"bench-{name}", bench, 120))
    commands += [
        Part("steps", [*this_script, "--steps"], 90),
        Part("tests-driver", [*TESTS, CARD_TESTS, "-k", _DRIVER_TESTS], 120),
        Part("tests", [*TESTS, *_side_by_side(), CARD_TESTS, "-k", f"not ({_MEMORY_TESTS})"], 300),
    ]
    if shutil.which("nvidia-smi"):
        commands.insert(0, Part("nvidia-smi", ["nvidia-smi", "-q"], 20))
    if shutil.which("compute-sanitizer"):
        for tool in ("memcheck", "racecheck", "synccheck"):
            command = [
                "compute-sanitizer",
                "--tool",
                tool,
                *TESTS,
                CARD_TESTS,
                "-k",
                _SANITIZED_TESTS,
            ]
            commands.append(Part(f"sanitizer-{tool}", command, 120))
    return [*commands, Part("fault-drill", [*this_script, "--fault"], 90)]


def _side_by_side() -> list[str]:
    """Compilation is most of the time of the tests, and there are many cores."""
    return ["-n", "8"] if find_spec("xdist") else []


def pack(folder: Path) -> None:
    """Put all files of the folder but the summary into `results.tgz`, so that few files travel."""
    packed = [
        path
        for path in sorted(folder.iterdir())
        if path.name not in ("summary.json", "results.tgz")
    ]
    with tarfile.open(folder / "results.tgz", "w:gz") as archive:
        for path in packed:
            archive.add(path, path.name)
    for path in packed:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def run_parts(chosen: list[Part], folder: Path, budget: float = inf) -> list[dict[str, object]]:
    """Run each part, write its output to the folder, print a line. Returns the rows of
    `summary.json`.

    budget: seconds for all parts; the part in which they end is ended, and those after it do not
    begin.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, object]] = []
    begin = perf_counter()
    for number, part in enumerate(chosen, 1):
        start = perf_counter()
        limit = min(part.seconds, budget - (start - begin))
        if limit <= 0:
            print(f"No time is left for {part.name} and what follows.", flush=True)
            break
        path = folder / f"{number:02}-{part.name}.txt"
        with path.open("w", encoding="utf-8", errors="replace") as output:
            try:
                code = subprocess.run(
                    part.command,
                    cwd=ROOT,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    timeout=limit,
                    check=False,
                ).returncode
                result = "ok" if code == 0 else f"failed, exit code {code}"
            except subprocess.TimeoutExpired:
                result = f"ended after {limit:.0f} s"
            except OSError as error:
                result = f"not started: {error}"
        lines = path.read_text("utf-8", errors="replace").strip().splitlines()
        row = {
            "part": part.name,
            "result": result,
            "seconds": round(perf_counter() - start, 1),
            "last_line": lines[-1][:300] if lines else "",
        }
        rows.append(row)
        print(f"{row['part']}: {row['result']}, {row['seconds']} s. {row['last_line']}", flush=True)
        (folder / "summary.json").write_text(json.dumps(rows, indent=1), "utf-8")
    return rows


def step_times(
    side_streams: int,
    steps: int,
    network: str = "784-512-10",
    batch: int = 100,
    images: int = 60_000,
    epochs: int = 10,
) -> dict[str, object]:
    """Microseconds of a step of the network, and of its launch by the host, with these streams and
    graphs.
    """

    import kernels.cuda.launcher as launcher
    from core.bench.timing import noise_images
    from core.network.initialization import initial_parameters
    from core.network.notation import parse
    from core.training.run_settings import RunSettings
    from core.training.train_step import TrainStep, first_checkpoint
    from kernels.cuda.device import Cuda

    launcher.SIDE_STREAMS = side_streams
    Cuda.steps_per_recording = max(1, steps)
    data = noise_images(images)
    settings = RunSettings(network=network, batch_size=batch, learning_rate=0.01)
    layers = parse(settings.network, data.input_shape, data.outputs)
    flat = initial_parameters(layers, settings.initialization, settings.seed)
    start = perf_counter()
    device = Cuda()
    if not steps:
        device.record = _not_recorded  # type: ignore[method-assign]
    if steps >= 0:
        device.hidden_layer_steps = lambda *arrays: None  # type: ignore[method-assign]
    train_step = TrainStep(settings, data, device, first_checkpoint(settings, flat))
    device.synchronize()
    ready = perf_counter() - start
    count = len(data.train) // batch

    def epoch() -> tuple[float, float]:
        train_step.set_position(0, 0)
        device.synchronize()
        start = perf_counter()
        train_step.run(0, count)
        queued = perf_counter() - start
        device.synchronize()
        return (perf_counter() - start) / count * 1e6, queued / count * 1e6

    at_once = train_step._at_once[1] if train_step._several_steps else 1
    epoch()
    times = [epoch() for _ in range(epochs)]
    train_step.close()
    device.close()
    return {
        "network": network,
        "side_streams": side_streams,
        "steps_a_graph": steps,
        "steps_at_once": at_once,
        "notice": device.notice,
        "microseconds": round(median(t for t, _ in times), 2),
        "host_microseconds": round(median(q for _, q in times), 2),
        "seconds_until_ready": round(ready, 1),
    }


def fault_drill() -> str:
    """Write far beyond an array on the card, and check what the program makes of it. Raises
    AssertionError.
    """
    import numpy as np

    from kernels.cuda.device import Cuda
    from kernels.cuda.toolkit import cuda, kernel
    from kernels.errors import DeviceError
    from kernels.registry import open_device, probe

    @kernel()
    def write_far_beyond(array):  # noqa: ANN001, ANN202 - compiled
        array[cuda.grid(1) + (1 << 40)] = 1

    device = Cuda()
    array = device.upload(np.zeros(8, np.float32))
    write_far_beyond[1, 8, device.stream](array)
    try:
        device.synchronize()
    except DeviceError as error:
        sentence = str(error)
    else:
        raise AssertionError("the faulty kernel was not reported")
    device.close()
    info = probe("cuda")
    assert not info.available, "the card is offered again"
    with_cpu = open_device("auto")
    assert with_cpu.name == "vectorized", with_cpu.name
    return f"{sentence} | {info.reason}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--out", type=Path, default=Path("first-card"), help="the folder (default: first-card)"
    )
    parser.add_argument(
        "--only", nargs="+", metavar="NAME", help="the parts whose names begin like this"
    )
    parser.add_argument(
        "--budget", type=float, default=inf, metavar="SECONDS", help="for all parts together"
    )
    parser.add_argument("--steps", action="store_true", help="the step times only, as JSON")
    parser.add_argument("--fault", action="store_true", help="the fault drill only")
    options = parser.parse_args()
    if options.steps:
        for setting in STEP_SETTINGS:
            print(json.dumps(step_times(*setting)), flush=True)
    elif options.fault:
        print(fault_drill())
    else:
        folder = options.out.resolve()
        chosen = [
            part
            for part in parts(folder)
            if not options.only or part.name.startswith(tuple(options.only))
        ]
        rows = run_parts(chosen, folder, options.budget)
        pack(folder)
        print(f"The results are in {folder}.")
        return 0 if all(row["result"] == "ok" for row in rows) else 1
    return 0


def _not_recorded(step: Callable[[], None]) -> Callable[[], None]:
    """In place of `Device.record`: every kernel of the step is launched by itself."""
    return step


if __name__ == "__main__":
    sys.exit(main())
