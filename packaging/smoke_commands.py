"""What the smoke test does on the command line: read a picture, train, resume, save, evaluate,
export, a study.

They need the package onnx, which the frozen program contains.
"""

import json
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path

LIMIT_SECONDS = 300

# A regression on 2,500 points: an epoch takes milliseconds, and needs no download.
RUN = ("--preset", "coursework", "--data", "rastrigin:50", "--network", "2-8-1", "--epochs", "300")
STUDY = """
preset = "coursework"
data = "rastrigin:20"
[settings]
epochs = 2
[vary]
network = ["2-4-1", "2-8-1"]
"""


KERNEL = """\
from numba import cuda


@cuda.jit
def add_ten(out, a):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + 10
"""


class CommandFailedError(Exception):
    """The text says which command failed and what it printed."""


def try_commands(program: Sequence[str], folder: Path, environment: dict[str, str]) -> None:
    """Run the commands with `program` in front, in `folder`. Raises CommandFailedError."""
    folder.mkdir(parents=True, exist_ok=True)

    def run(*arguments: str, produces: Sequence[str] = ()) -> str:
        done = subprocess.run(
            [*program, *arguments],
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )
        missing = [name for name in produces if not (folder / name).exists()]
        if done.returncode != 0 or missing:
            raise CommandFailedError(
                f"{' '.join(arguments)} ended with {done.returncode}, without "
                f"{missing}:\n{done.stdout}{done.stderr}"
            )
        return done.stdout

    (folder / "one.bmp").write_bytes(bitmap_of_one())
    digit = json.loads(run("classify", "one.bmp", "--json"))["digit"]
    if digit != 1:
        raise CommandFailedError(f"the picture of a one was read as {digit}")
    # A notebook has no code for several batches an update.
    alone = ("--group", "1", "--workers", "1")
    _train_until_first_epoch(
        [*program, "train", *RUN, *alone, "--run", "run", "--json"], folder, environment
    )
    run("train", "--resume", "run", "--save", "model.safetensors", produces=["model.safetensors"])
    for name in ("model.onnx", "run.ipynb", "report.html"):
        run("export", "model.safetensors" if name == "model.onnx" else "run", name, produces=[name])
    run("import", "model.onnx", "imported.safetensors", produces=["imported.safetensors"])
    # The second call reads the file that the first one wrote.
    (folder / "study.toml").write_text(STUDY, "utf-8")
    if run("study", "study.toml").splitlines()[-3:] != run("study", "study.toml").splitlines()[-3:]:
        raise CommandFailedError("a study that is complete gave another table")
    run("evaluate", "--model", "model.safetensors", "--out", "results", produces=["results"])
    run("bench", "operators", "--quick", "--device", "vectorized", "--out", "bench",
        produces=["bench/operators-product.csv"])  # fmt: skip
    run("race", *RUN[:-1], "2", "--device", "sequential", "--device", "vectorized", "--out", "race",
        produces=["race/race-results.csv"])  # fmt: skip
    # The check starts the program again, as the process that interprets the kernel.
    (folder / "kernel.py").write_text(KERNEL, "utf-8")
    said = run(
        "workshop",
        "check",
        "kernel.py",
        "--args",
        "out: float32[n], a: float32[n]",
        "--grid",
        "(n + 7) // 8",
        "--block",
        "8",
        "--expect",
        "out = a + 10",
        "--html",
        "check.html",
        produces=["check.html"],
    )
    if "No fault" not in said or "Numba" not in said:
        raise CommandFailedError(f"the check of a kernel says: {said}")


def _train_until_first_epoch(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    """Start a training and kill it as soon as it reports an epoch."""
    process = subprocess.Popen(
        command,
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        for line in process.stdout:
            if '"epoch"' in line:
                return
        raise CommandFailedError(
            f"{' '.join(command[1:])} ended with {process.wait()} before an epoch"
        )
    finally:
        process.kill()
        process.communicate()


def bitmap_of_one() -> bytes:
    """A BMP file of 28 x 28 pixels: a dark vertical stroke on white."""
    size, header = 28, 54
    row = b"".join(b"\x10\x10\x10" if 12 <= x < 16 else b"\xff\xff\xff" for x in range(size))
    blank = b"\xff\xff\xff" * size
    pixels = b"".join(row if 4 <= y < 24 else blank for y in range(size))
    file_header = struct.pack("<2sIHHI", b"BM", header + len(pixels), 0, 0, header)
    return (
        file_header
        + struct.pack("<IiiHHIIiiII", 40, size, size, 1, 24, 0, len(pixels), 0, 0, 0, 0)
        + pixels
    )
