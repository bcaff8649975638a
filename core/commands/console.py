"""Functions that the commands share: option parsing, error messages, JSON lines, progress bars,
devices.
"""

import argparse
import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from core.errors import InputError, limited
from core.files.json_text import JsonObject, without_nan
from core.files.reasons import reason_of
from core.text import parse_integer, printable

if TYPE_CHECKING:
    from core.progress import Progress
    from kernels.device import Device


# Exit codes.
FAILED = 1
INPUT_ERROR = 2
INTERRUPTED = 130  # the convention of shells for Ctrl-C


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises InputError, and whose help keeps line breaks."""

    def __init__(self, **options: Any) -> None:
        # Abbreviations would change their meaning when an option is added.
        super().__init__(
            allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options
        )

    def add_flag(self, name: str, meaning: str) -> None:
        """Add an option without a value."""
        self.add_argument(name, action="store_true", help=meaning)

    def error(self, message: str) -> NoReturn:
        raise InputError("{message}; see {prog} --help.", message=message, prog=self.prog)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """The value of an option or argument. Python 3.11 makes an empty list of `--device=--`."""
        if action.option_strings and arg_strings == ["--"]:
            raise argparse.ArgumentError(action, "expected one argument")
        return super()._get_values(action, arg_strings)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print the help. Unlike argparse, raise OSError where it cannot be written."""
        print(message, end="", file=file, flush=True)


def join_values(parser: Parser, arguments: Sequence[str]) -> list[str]:
    """Join options and values that begin with a minus, which argparse would take for options.

    `--network -5-3` becomes `--network=-5-3`.
    """
    known = parser._option_string_actions
    joined: list[str] = []
    takes_value = False
    for argument in arguments:
        # What is an option stays one: then its value is missing, and argparse says so.
        if takes_value and argument.startswith("-") and argument.partition("=")[0] not in known:
            joined[-1] += f"={argument}"
            takes_value = False
        else:
            joined.append(argument)
            # Only options with exactly one value; of `--resume` the value may be left out.
            takes_value = not takes_value and argument in known and known[argument].nargs is None
    return joined


MODEL_HELP = "a model file, an ONNX file, or a run: its folder, its name in the library, or `last`"
"""What `core.runs.library.model_path` takes."""


def integer(text: str) -> int:
    """The type of an option; argparse writes its name when it raises ValueError."""
    return parse_integer(text)


def path(text: str) -> Path:
    """The type of an option that names a file or folder. Raises InputError for an empty text."""
    if not text:
        raise InputError("A path is empty: name a file or a folder, or leave the option out.")
    return Path(text)


def option_of(setting: str) -> str:
    """The option of the setting with this name: `--learning-rate`."""
    return "--" + setting.replace("_", "-")


def add_device(parser: Parser) -> None:
    """Add the option `--device` of a command that uses one device."""
    from kernels.registry import device_names

    names = ", ".join(("auto", *device_names()))
    parser.add_argument("--device", metavar="NAME", help=f"{names} (default: auto)")


def print_error(program: str, reason: object) -> None:
    """Print the reason on one line of stderr; an InputError names settings as options."""
    match reason:
        case OSError():
            text = _output_error(reason).format(option_of)
        case InputError():
            text = reason.format(option_of)
        case _:
            text = str(limited(str(reason)))
    with suppress(OSError):  # stderr may be closed or on a full disk
        print(f"{program}: {printable(text)}", file=sys.stderr)


def _output_error(error: OSError) -> InputError:
    """What to say of an error of the system for which no function has words: mostly the
    output's.
    """
    if error.filename is not None:
        template = "{path} cannot be used ({reason}): choose another file or folder."
        return InputError(template, path=os.fsdecode(error.filename), reason=reason_of(error))
    template = "The output cannot be written ({reason}): free some space, or write it elsewhere."
    return InputError(template, reason=reason_of(error))


def print_line(text: object = "", *, flush: bool = False) -> None:
    """Print one line for people. Unlike `print`, it lets no control character of a text from a file
    through.
    """
    print(printable(str(text)), flush=flush)


def print_row(cells: Iterable[object], widths: Iterable[int], left: int | None = None) -> None:
    """Print a row of a table as soon as it is known, in columns of at least these widths.

    left: how many of the first columns are aligned to the left, the others to the right; None: all.
    """
    texts = [
        text.ljust(width) if left is None or column < left else text.rjust(width)
        for column, (text, width) in enumerate(zip(map(_cell, cells), widths, strict=True))
    ]
    print("  ".join(texts).rstrip(), flush=True)


def print_table(rows: Sequence[Sequence[object]], left: int | None = None) -> None:
    """Print a table, whose first row are its headings, in columns as wide as their longest cell.
    See `print_row`.
    """
    texts = [[_cell(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for row in texts:
        print_row(row, widths, left)


def _cell(value: object) -> str:
    """Five digits of a number that is not whole, or all before its point; a dash for None."""
    match value:
        case None:
            return "-"
        case float():
            return f"{value:,.0f}" if 1e4 <= abs(value) < 1e15 else f"{value:.5g}"
        case _:
            return printable(str(value))


def is_closed_pipe(error: OSError) -> bool:
    """Whether the reader of the output has gone. Windows reports that as EINVAL."""
    return isinstance(error, BrokenPipeError) or (
        sys.platform == "win32" and error.errno == errno.EINVAL
    )


def discard_output() -> None:
    """Redirect stdout to the null device, because its pipe is closed or its disk full.

    Otherwise the last flush, at the exit of Python, would fail again.
    """
    null = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):  # a stdout that is no file has no descriptor
        os.dup2(null, sys.stdout.fileno())
    os.close(null)


def print_json(record: JsonObject) -> None:
    """Print `record` as one line of JSON and flush. NaN and infinity, which JSON has not, become
    null.
    """
    print(json.dumps(without_nan(record), allow_nan=False), flush=True)


@contextmanager
def progress_bar(text: str, unit: str) -> Iterator["Progress"]:
    """Context manager that yields a function of (done, total), which shows a bar on stderr if that
    is a terminal.
    """
    from tqdm import tqdm

    bars: list[tqdm] = []

    def show(done: int, total: int) -> None:
        if not bars:  # data that are loaded at once need no bar
            bars.append(
                tqdm(total=total, desc=text, unit=unit, unit_scale=True, leave=False, disable=None)
            )
        # The total may become known only while the data are loaded.
        bars[0].total = total
        bars[0].update(done - bars[0].n)

    try:
        yield show
    finally:
        for bar in bars:
            bar.close()


def open_device(name: str) -> "Device":
    """Open the device called `name`. Raises InputError with the reason where that fails."""
    from kernels.registry import DeviceUnavailable
    from kernels.registry import open_device as open_named

    # Before it is opened: an unknown name is a mistake in typing, and all names are shown.
    check_device(name)
    try:
        return open_named(name)
    except DeviceUnavailable as reason:
        # The reason starts with the device's name.
        raise InputError("--device {reason}", reason=reason) from None


def check_device(name: str) -> None:
    """Raise InputError unless a device is called `name`; none is opened."""
    from kernels.registry import device_names, is_device_name

    if not is_device_name(name):
        raise InputError(
            "--device {name}: unknown; choose one of {names}.",
            name=name,
            names=", ".join(("auto", *device_names())),
        )
