"""What the subcommands share: options with one-line errors, JSON lines, progress bars, a device by name."""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING, Any, NoReturn

from core.errors import InputError

if TYPE_CHECKING:
    from core.progress import Progress
    from kernels.device import Device


REFUSED = 2
BROKEN_OFF = 1
INTERRUPTED = 130  # as shells count Ctrl-C


class Parser(argparse.ArgumentParser):
    """argparse whose errors are refusals, and whose help keeps line breaks."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def error(self, message: str) -> NoReturn:
        raise InputError("{message}; see {prog} --help.", message=message, prog=self.prog)


def join_values(parser: Parser, arguments: Sequence[str]) -> list[str]:
    """`--network -5-3` as `--network=-5-3`: argparse takes a value that begins with a minus for an option."""
    known = parser._option_string_actions
    joined: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        action = known.get(argument)
        takes_value = action is not None and action.nargs is None
        value = next(rest, None) if takes_value else None
        if value is None:
            joined.append(argument)
        elif value.startswith("-") and value.partition("=")[0] not in known:
            joined.append(f"{argument}={value}")
        else:
            joined += [argument, value]
    return joined


def option_of(setting: str) -> str:
    """The option of the setting with this name: `--learning-rate`."""
    return "--" + setting.replace("_", "-")


def complain(prog: str, reason: object) -> None:
    """Print the reason on one line of stderr; an InputError names settings as options."""
    text = reason.format(option_of) if isinstance(reason, InputError) else str(reason)
    print(f"{prog}: {' '.join(text.splitlines())}", file=sys.stderr)


def drop_output() -> None:
    """Throw away what is still printed: its reader is gone, and Python's last flush must not meet the pipe."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def print_json(record: dict[str, Any]) -> None:
    """One object on one line of stdout, at once; numbers that JSON cannot say (NaN, infinity) become null."""
    print(json.dumps({key: _sayable(value) for key, value in record.items()}), flush=True)


def _sayable(value: Any) -> Any:
    return None if isinstance(value, float) and not isfinite(value) else value


@contextmanager
def progress_bar(text: str, unit: str) -> Iterator["Progress"]:
    """A function of (done, total) that draws a bar on stderr while the block runs, where a person sees it."""
    from tqdm import tqdm

    bars: list[tqdm] = []

    def show(done: int, total: int) -> None:
        if not bars:  # what is there at once needs no bar
            bars.append(tqdm(total=total, desc=text, unit=unit, unit_scale=True, leave=False, disable=None))
        bars[0].total = total
        bars[0].update(done - bars[0].n)

    try:
        yield show
    finally:
        for bar in bars:
            bar.close()


def open_device(name: str) -> "Device":
    """The device called `name`, or an InputError with the reason."""
    from kernels.registry import DeviceUnavailable
    from kernels.registry import open_device as open_named

    check_device(name)
    try:
        return open_named(name)
    except DeviceUnavailable as reason:
        raise InputError("--device {name}: {reason}", name=name, reason=reason) from None


def check_device(name: str) -> None:
    """Refuse a name that is no device's, without opening any."""
    from kernels.registry import device_names

    if name not in ("auto", *device_names()):
        raise InputError("--device {name}: unknown; choose one of {names}.",
                      name=name, names=", ".join(("auto", *device_names())))  # fmt: skip
