"""The entry point: a command runs without a window; without arguments, or with a file, the window
opens.
"""

import gc
import io
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from core.errors import InputError
from core.files.atomic import remove_stale_temporaries
from core.files.memory import check_address_space
from core.files.paths import cache_folder, check_home, data_folder
from kernels.installation import DISTRIBUTION, FROM_WHEEL

# numba-cuda reads this when it is imported. Its warning about small grids is of no use here, where
# they are usual.
os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")
# Apple's BLAS reads this when it is loaded. The device `vectorized` divides products among its own
# threads.
os.environ.setdefault("VECLIB_MAXIMUM_THREADS", "1")
# With another value than a number from 1 on, Numba's import ends in an error.
_threads = os.environ.get("NUMBA_NUM_THREADS", "1")
if not _threads.isdecimal() or int(_threads) == 0:
    del os.environ["NUMBA_NUM_THREADS"]

# Models of AMD's family 25, without the last four bits, that are Zen 4; and how Linux and Windows
# write family and model.
_ZEN4 = (0x10, 0x60, 0x70, 0xA0)
_MODEL = re.compile(r"family\s*:?\s*25\s+model\s*:?\s*(\d+)", re.IGNORECASE)


def _load_numpy() -> None:
    """On Zen 4, let NumPy's OpenBLAS compute by its code for AVX2 unless the user has chosen one.

    It takes that for AVX-512, which is slower there: vectors of 512 bits pass units of 256 bits.
    OpenBLAS reads the variable when it is loaded.
    """
    try:
        processor = Path("/proc/cpuinfo").read_text()
    except OSError:
        processor = os.environ.get("PROCESSOR_IDENTIFIER", "")
    model = _MODEL.search(processor)
    variable = "OPENBLAS_CORETYPE"
    if variable not in os.environ and model and int(model[1]) & 0xF0 in _ZEN4:
        os.environ[variable] = "Haswell"
        import_module("numpy")
        # Processes that this one starts choose for themselves.
        del os.environ[variable]


_load_numpy()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program with `arguments` (without its name; those of the process if None); return the
    exit code.
    """
    from core import commands

    _repair_streams()
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    try:
        check_home()
        check_address_space()
        for folder in (data_folder(), cache_folder()):
            remove_stale_temporaries(folder)
        if arguments == ["--self-test"]:
            return _self_test()
        if arguments == ["--compile"]:
            from core.runs.compiling import compile_plan

            return compile_plan()
        if arguments and (arguments[0] in commands.COMMANDS or arguments[0].startswith("-")):
            return commands.run(arguments)
        if arguments and not os.path.exists(arguments[0]):
            raise InputError(
                "There is no command and no file “{name}”: choose one of {commands}, or a model, "
                "run, settings, study or picture.",
                name=arguments[0],
                commands=", ".join(commands.COMMANDS),
            )
        from gui.window.display_check import check_display

        check_display()
    except InputError as error:
        from core.commands.console import INPUT_ERROR, print_error
        from core.program import PROGRAM

        print_error(PROGRAM, error)
        return INPUT_ERROR
    # The imports make many objects and hardly any garbage. `run_window` collects in its own way.
    gc.disable()
    from gui.window.application import run_window

    return run_window([sys.argv[0], *arguments])


def _self_test() -> int:
    """Use the program like a person, in a window without a screen. In the repository the test lies
    in `packaging`.
    """
    if FROM_WHEEL:
        module = import_module(f"{DISTRIBUTION}.self_test")
    else:
        sys.path.append(str(Path(__file__).resolve().parent / "packaging"))
        module = import_module("self_test")
    return int(module.main())


def _repair_streams() -> None:
    """Replace missing streams, and let stdout escape characters that its encoding lacks.

    A program without a console has no streams. An old console cannot print all characters.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - open as long as the program
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    raise SystemExit(main())
