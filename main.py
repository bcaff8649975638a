"""The door: without arguments, or with a file, the window opens; a subcommand runs without one."""

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from core.errors import InputError

# Read when numba-cuda is first imported: small grids are usual here and no news to anyone.
os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments (without the program's name) ask for; the exit code."""
    from core import commands

    _mend_streams()
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments == ["--self-test"]:
        return _self_test()
    if arguments and (arguments[0] in commands.NAMES or arguments[0].startswith("-")):
        return commands.run(arguments)
    try:
        if arguments and not Path(arguments[0]).exists():
            raise InputError(
                "There is no command and no file “{name}”: choose one of {commands}, or a model, run or "
                "picture.",
                name=arguments[0], commands=", ".join(commands.NAMES),
            )  # fmt: skip
        from gui.window.display_check import check_display

        check_display()
    except InputError as error:
        print(f"main.py: {error}", file=sys.stderr)
        return 2
    from gui.window.app import run_window

    return run_window([sys.argv[0], *arguments])


def _self_test() -> int:
    """Say what the program reached in a window without a screen; 0 when all of it worked."""
    from gui.window.self_test import run_self_test

    report = run_self_test()
    for stage, seconds in report.stages:
        print(f"{seconds:7.2f} s  {stage}")
    print(f"self-test failed: {report.fault}" if report.fault else "self-test passed")
    return 1 if report.fault else 0


def _mend_streams() -> None:
    """A program without a console has no streams, and an old console lacks letters: neither may end it."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open as long as the program
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    raise SystemExit(main())
