"""The subcommands: one file each, and the only place that prints."""

import sys
from collections.abc import Sequence
from types import ModuleType

from core.commands.console import INTERRUPTED, REFUSED, Parser, complain, drop_output, join_values
from core.errors import InputError

NAMES: dict[str, str] = {
    "train": "train a network",
    "classify": "read digits in image files",
    "evaluate": "measure a model on a data set's test images",
    "data": "list the data sets, fetch one",
    "devices": "list what this machine can compute on",
    "bench": "measure this machine, with the published figures beside ours",
}


def run(arguments: Sequence[str]) -> int:
    """Run the subcommand that `arguments` begin with; the exit code. Refusals are one line on stderr."""
    name = arguments[0] if arguments[0] in NAMES else ""
    try:
        if not name:
            return _overview(arguments)
        module = _module(name)
        parser = Parser(prog=f"main.py {name}", description=module.__doc__)
        module.add_options(parser)
        options = parser.parse_args(join_values(parser, arguments[1:]))
        code = module.execute(options)
        sys.stdout.flush()
        return code
    except InputError as input_error:
        complain(f"main.py {name}".strip(), input_error)
    except MemoryError:
        complain(f"main.py {name}", "there is not enough memory for this: use a smaller network or batch.")
    except BrokenPipeError:
        drop_output()
    except OSError as error:
        complain(f"main.py {name}", error)
    except KeyboardInterrupt:
        complain(f"main.py {name}", "interrupted.")
        return INTERRUPTED
    return REFUSED


def _overview(arguments: Sequence[str]) -> int:
    from core.version import VERSION

    lines = "\n".join(f"  {name:10}{text}" for name, text in NAMES.items())
    parser = Parser(
        prog="main.py",
        usage="main.py [FILE] | main.py COMMAND ... | main.py COMMAND --help",
        description="Without a command the window opens, with a model, a run or a picture if FILE is one.",
        epilog=f"commands:\n{lines}",
    )
    parser.add_argument("--version", action="version", version=f"DigitLab {VERSION}")
    parser.parse_args(arguments)
    return 0


def _module(name: str) -> ModuleType:
    """The subcommand's file alone; imported in plain sight, so that a packager finds them all."""
    if name == "train":
        from core.commands import train

        return train
    if name == "classify":
        from core.commands import classify

        return classify
    if name == "evaluate":
        from core.commands import evaluate

        return evaluate
    if name == "data":
        from core.commands import data

        return data
    if name == "bench":
        from core.commands import bench

        return bench
    from core.commands import devices

    return devices
