"""The smoke test: the frozen program's self-test, twice, and its commands, where there is nothing
but the program.

Its home and working folder are empty, no Python is on its path, and there is neither screen nor
network where the system can take it away. The second start must find the loops that the first one
compiled.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from smoke_commands import CommandFailedError, try_commands

# On macOS Qt serves two kinds of processors.
LIMIT_MEGABYTES = 440 if sys.platform == "darwin" else 350
LIMIT_SECONDS = 300  # of one start; a machine that is busy needs two minutes to compile the loops


def main(program: Path) -> int:
    packed = program.suffix == ".AppImage"
    # What is tested by its output: on Windows, the program for double clicks has no console.
    console = program.with_name("digitlab-cli.exe") if sys.platform == "win32" else program
    size = program.stat().st_size / 1e6 if packed else megabytes(program.parent)
    print(f"{program if packed else program.parent}: {size:.0f} MB{'' if packed else ' unpacked'}")
    if size > LIMIT_MEGABYTES:
        return _fail(f"it is larger than {LIMIT_MEGABYTES} MB")
    with tempfile.TemporaryDirectory(prefix="digitlab-smoke-") as folder:
        home = Path(folder)
        for start in ("first", "second"):
            before = _compiled(home)
            began = time.perf_counter()
            done = subprocess.run(
                [*_without_network(), str(console.absolute()), "--self-test"],
                env=_environment(home), cwd=home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, timeout=LIMIT_SECONDS, check=False,
            )  # fmt: skip
            print(
                f"{start} start: {time.perf_counter() - began:.1f} s in all\n{done.stdout.rstrip()}"
            )
            if done.returncode != 0 or "self-test passed" not in done.stdout:
                _print_logs(home)
                return _fail(f"the {start} start ended with {done.returncode}")
            if not _compiled(home):
                return _fail("no compiled loop was kept")
        if _compiled(home) != before:
            return _fail("the second start compiled again")
        try:
            try_commands([str(console.absolute())], home / "commands", _environment(home))
        except CommandFailedError as error:
            return _fail(str(error))
        print(
            "a picture was read, a killed training resumed, its model saved and exported, charts "
            "drawn, a study run"
        )
        seconds = sorted(start_seconds(program, home / str(number)) for number in range(3))
        print(f"from start to a window that can be drawn on: {seconds[1]:.2f} s (middle of three)")
    print("smoke test passed")
    return 0


def megabytes(folder: Path) -> float:
    """What a copy would take: files once, links not at all."""
    return (
        sum(
            path.lstat().st_size
            for path in folder.rglob("*")
            if path.is_file() and not path.is_symlink()
        )
        / 1e6
    )


def start_seconds(program: Path, home: Path) -> float:
    """From starting the process until its log says that the main loop runs, the window shown before
    that.
    """
    environment = {**_environment(home), "QT_QPA_PLATFORM": "offscreen", "DIGITLAB_HOME": str(home)}
    log = home / "data" / "digitlab.log"
    began = time.perf_counter()
    process = subprocess.Popen([str(program.absolute())], env=environment, stdin=subprocess.DEVNULL)
    try:
        while not (log.exists() and "main loop reached" in log.read_text("utf-8")):
            if process.poll() is not None or time.perf_counter() - began > LIMIT_SECONDS:
                raise SystemExit("smoke test failed: the program opened no window")
            time.sleep(0.005)
        return time.perf_counter() - began
    finally:
        process.terminate()
        process.wait()


def _environment(home: Path) -> dict[str, str]:
    if sys.platform == "win32":
        # Windows is asked for the profile's folders, not the environment: only this moves the
        # caches.
        return {**os.environ, "PATH": "", "DIGITLAB_HOME": str(home)}
    return {"HOME": str(home), "TMPDIR": str(home), "PATH": "/nonexistent", "LC_ALL": "C.UTF-8"}


def _print_logs(home: Path) -> None:
    """Print the logs of programs that were killed: they name the functions in which each thread
    was.
    """
    for log in home.rglob("digitlab.log"):
        print(log.read_text("utf-8", errors="replace"))


def _compiled(home: Path) -> dict[str, int]:
    """Each kept loop, with when it was written."""
    return {str(path): path.stat().st_mtime_ns for path in home.rglob("*.nbc")}


def _without_network() -> list[str]:
    unshare = shutil.which("unshare") or "unshare"
    # A user becomes root of a namespace of his own, in which FUSE cannot mount an AppImage; root
    # does not need that.
    prefix = (
        [unshare, "--net"]
        if hasattr(os, "geteuid") and os.geteuid() == 0
        else [unshare, "--map-root-user", "--net"]
    )
    try:
        subprocess.run([*prefix, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        print("the network could not be taken away here")
        return []
    return prefix


def _fail(why: str) -> int:
    print(f"smoke test failed: {why}")
    return 1


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
