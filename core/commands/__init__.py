"""The subcommands, one module each. Only the modules of this package print."""

import sys
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from types import ModuleType

from core.commands import console
from core.errors import InputError
from core.program import PROGRAM
from kernels.errors import DeviceError

# The names and descriptions; a module is imported only when its command runs.
COMMANDS: dict[str, str] = {
    "train": "train a network",
    "runs": "list the runs of the library, compare and delete them",
    "study": "train many runs with varied settings and compare them",
    "classify": "read digits in image files",
    "evaluate": "measure a model on a data set's test images",
    "export": "write a model as ONNX, its run as a notebook, or a page to draw on",
    "import": "make a model of an ONNX file or of a PyTorch state dictionary",
    "data": "list the data sets, fetch one",
    "lab": "write, test and print labs: exercises in a Markdown file",
    "workshop": "check kernels for graphics cards, without a card",
    "grade": "mark a folder with a class's answers to a lab",
    "devices": "list what this machine can compute on",
    "race": "train the same run on several devices and compare their speed",
    "profile": "time each operator of a training step",
    "bench": "measure this machine, with the published figures beside ours",
}


def run(arguments: Sequence[str]) -> int:
    """Run the command that `arguments` begin with; return the exit code.

    Errors that the user can correct are printed on one line of stderr.
    """
    name = arguments[0] if arguments[0] in COMMANDS else ""
    program = f"{PROGRAM} {name}".strip()
    try:
        try:
            code = _execute(name, arguments) if name else _overview(arguments)
        except SystemExit as end:  # argparse has printed the help or the version
            code = int(end.code or 0)
        # Here, where an error is still caught: Python's own flush at the exit would print a
        # traceback.
        sys.stdout.flush()
        return code
    except (InputError, DeviceError) as error:
        console.print_error(program, error)
    except MemoryError:
        console.print_error(
            program, "there is not enough memory for this: use a smaller network or batch."
        )
    except OSError as error:
        # Before the error is printed: the flush at the exit of Python must not fail again.
        console.discard_output()
        if not console.is_closed_pipe(error):
            console.print_error(program, error)
    except KeyboardInterrupt:
        console.print_error(program, "interrupted.")
        return console.INTERRUPTED
    return console.INPUT_ERROR


def _execute(name: str, arguments: Sequence[str]) -> int:
    parser = parser_of(name)
    code: int = _module(name).execute(parser.parse_args(console.join_values(parser, arguments[1:])))
    return code


def parser_of(name: str) -> console.Parser:
    """The parser of a command, with its options."""
    module = _module(name)
    parser = console.Parser(prog=f"{PROGRAM} {name}", description=module.__doc__)
    module.add_options(parser)
    return parser


def _module(name: str) -> ModuleType:
    # A keyword cannot be the name of a module that other modules import.
    return import_module(f"{__name__}.{name}{'_' * iskeyword(name)}")


def _overview(arguments: Sequence[str]) -> int:
    from core.version import VERSION

    lines = "\n".join(f"  {name:10}{text}" for name, text in COMMANDS.items())
    parser = console.Parser(
        prog=PROGRAM,
        usage=f"{PROGRAM} [FILE] | {PROGRAM} COMMAND ... | {PROGRAM} COMMAND --help",
        description="Without a command the window opens, with a model, a run, settings or a "
        "picture if FILE is one.",
        epilog=f"commands:\n{lines}",
    )
    parser.add_argument("--version", action="version", version=f"DigitLab {VERSION}")
    parser.parse_args(arguments)
    return 0
