"""DigitLab in a notebook: `from digitlab import check, classify, train`.

Each function starts a command of the program in another process and reads what it prints. Nothing
of the program is imported into the notebook's process, so its modules, its threads and its memory
stay apart from those of the notebook.
"""

import ast
import inspect
import json
import re
import subprocess
import sys
import tempfile
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

# -P: modules in the working folder, such as one called `core`, are not found by the program.
_PROGRAM = (sys.executable, "-P", "-m", "digitlab")
_FRAME = '<iframe srcdoc="{page}" style="width: 100%; height: {height}px; border: 0"></iframe>'
_NUMBERS = (bool, int, float)


@dataclass(frozen=True, repr=False)
class Training:
    """What `train` returns; a notebook shows it as the program's report, with the curves.

    `epochs`: for each epoch its loss, accuracy, seconds and images a second. `model`: what
    `classify` takes; the window lists it under Compare.
    """

    epochs: list[dict[str, Any]]
    model: str
    reason: str

    @property
    def accuracy(self) -> float:
        """The share of test digits that are read right after the last epoch, from 0 to 1."""
        if not self.epochs:
            raise ValueError("No epoch was completed, so there is no accuracy: train longer.")
        return float(self.epochs[-1]["test_accuracy"])

    def __repr__(self) -> str:
        return (
            f"{self.model}: {_line(self.epochs[-1])}"
            if self.epochs
            else f"{self.model}: {self.reason}"
        )

    def _repr_html_(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "report.html"
            _run("runs", "compare", self.model, "--out", page)
            return _frame(page, height=640)


@dataclass(frozen=True, repr=False)
class Verdict:
    """What `check` returns; a notebook shows it as a page on which the kernel's run can be stepped
    through.

    `faults`: for each fault its kind, line and message. `counts`: what the accesses of each line
    cost.
    """

    passed: bool
    faults: list[dict[str, Any]]
    counts: list[dict[str, Any]]
    text: str
    page: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return _FRAME.format(page=escape(self.page), height=640)


def train(
    network: str = "", *, data: str = "builtin", show: bool = True, **settings: object
) -> Training:
    """Train a network and print a line for each epoch.

    `network`: the layers in short form, such as "784-128-10"; without it, that of the preset.
    `data`: "builtin", "mnist" or what else the option --data takes. `settings`: the other options
    of `digitlab train`, with underscores: `epochs=3, learning_rate=0.1, optimizer="adam"`. Raises
    ValueError for settings that cannot be used, with a sentence that says what to do.

    >>> run = train("784-128-10", epochs=3)  # doctest: +SKIP
    >>> run.accuracy  # doctest: +SKIP
    0.9389
    """
    options = {"network": network, **settings} if network else settings
    arguments = ["train", "--json", *_iter_options(options)]
    if "resume" not in options:  # a run goes on with its own data
        arguments.append(f"--data={data}")
    epochs = []
    done: dict[str, Any] = {}
    for record in _iter_records(*arguments):
        if record["event"] == "epoch":
            epochs.append(record)
            if show:
                print(_line(record), flush=True)
        else:
            done = record
    return Training(epochs, done["run"], done["reason"])


def classify(image: object, model: str = "") -> dict[str, Any]:
    """What a network reads in a picture.

    `image`: a file, a picture of Pillow, or an array (height, width) of grey values. `model`: a
    file, a run, or `Training.model`; without it, the network that comes with the program. Returns
    the digit, its confidence and the probabilities. Raises ValueError for what is no picture.

    >>> classify("three.png")["digit"]  # doctest: +SKIP
    3
    """
    with tempfile.TemporaryDirectory() as folder:
        file = (
            image
            if isinstance(image, str | Path)
            else _picture(image, Path(folder) / "picture.png")
        )
        options = [f"--model={model}"] if model else []
        (record,) = _iter_records("classify", "--json", *options, "--", file)
        return record


def check(
    kernel: object,
    *,
    args: str,
    grid: object = "",
    block: object = "",
    sizes: str | Mapping[str, object] = "",
    reference: str | Callable[..., object] = "",
    **options: object,
) -> Verdict:
    """Check a kernel for graphics cards without a card: races, wrong indices, missing barriers,
    results and costs.

    `kernel`: a function, with or without `@cuda.jit`, a text of Python, or a file. `args`: "out:
    float32[n], a: float32[n], n". `grid`, `block`: numbers or expressions of the sizes, "(n + 7) //
    8". `sizes`: "n=1,7,8" or {"n": [1, 7, 8]}. `reference`: "out = a + 10", or a function called
    like the array that it computes. `options`: `shared`, `launches` and `inputs` ({"a": numbers}).
    docs/workshop.md describes them. Raises ValueError for what cannot be used.

    >>> types = "out: float32[n], a: float32[n], n"
    >>> check(add_ten, args=types, grid="(n + 7) // 8", block=8)  # doctest: +SKIP
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        inputs = options.pop("inputs", None)
        if inputs is not None:
            options["inputs"] = _write_inputs(inputs, folder / "inputs.json")
        texts = [*_iter_options({"args": args, "grid": grid, "block": block, **options})]
        if sizes:
            texts.append(f"--sizes={sizes if isinstance(sizes, str) else _sizes_text(sizes)}")
        if callable(reference):
            path = folder / "reference.py"
            path.write_text(_source(reference), "utf-8")
            texts += ["--reference", str(path)]
        elif reference:
            texts.append(f"--expect={reference}")
        function = getattr(kernel, "py_func", kernel)
        if inspect.isfunction(function) and "launches" not in options:
            texts += ["--kernel", function.__name__]
        return _verdict(_file_of(kernel, folder), texts, folder)


def load_ipython_extension(ipython: Any) -> None:
    """`%load_ext digitlab`: the cell magic `%%check`, with the options of `digitlab workshop
    check`.
    """

    def check_cell(line: str, cell: str) -> Verdict:
        import shlex

        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "cell.py"
            file.write_text(cell, "utf-8")
            return _verdict(file, shlex.split(line), Path(folder))

    ipython.register_magic_function(check_cell, "cell", "check")


def _verdict(file: Path, options: list[str], folder: Path) -> Verdict:
    page = folder / "look.html"
    (record,) = _iter_records(
        "workshop", "check", file, *options, "--json", "--html", page, accepted=(0, 1)
    )
    warnings = ("same-value", "par")
    passed = all(fault["kind"] in warnings for fault in record["faults"])
    return Verdict(
        passed, record["faults"], record["counts"], record["text"], page.read_text("utf-8")
    )


def _iter_records(*arguments: object, accepted: tuple[int, ...] = (0,)) -> Iterator[dict[str, Any]]:
    """Yields the JSON objects that a command prints, one a line, while it runs."""
    command = [*_PROGRAM, *map(str, arguments)]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
        )
        try:
            assert process.stdout is not None
            for line in process.stdout:
                yield json.loads(line)
            code = process.wait()
        finally:
            # A cell that is interrupted ends the command, which saves what it has.
            process.terminate()
            process.wait()
            process.stdout.close()
        errors.seek(0)
        said = errors.read().strip()
    if code not in accepted:
        raise ValueError(said or f"“{' '.join(command)}” ended with {code}")
    if said:
        warnings.warn(said, stacklevel=3)


def _run(*arguments: object) -> None:
    done = subprocess.run(
        [*_PROGRAM, *map(str, arguments)], capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode:
        raise ValueError(done.stderr.strip())


def _iter_options(settings: Mapping[str, object]) -> Iterator[str]:
    """The options of the command line: `learning_rate=0.1` is `--learning-rate=0.1`,
    `nesterov=True` `--nesterov`.
    """
    for name, value in settings.items():
        option = name.replace("_", "-")
        if value is True:
            yield f"--{option}"
        elif value is False:
            yield f"--no-{option}"
        else:
            yield f"--{option}={value}"


def _line(record: Mapping[str, Any]) -> str:
    if "test_accuracy" in record:
        score = f"{100 * record['test_accuracy']:.2f} % right"
    else:
        score = f"R² {record['test_r2']:.4f}"
    return (
        f"Epoch {record['epoch']}: {score}, loss {record['train_loss']:.3f}, "
        f"{record['seconds']:.2f} s"
    )


def _picture(image: Any, path: Path) -> Path:
    """Write a picture of Pillow, or an array of grey values from 0 to 255 or from 0 to 1, as a
    file.
    """
    if not hasattr(image, "save"):
        import numpy as np
        from PIL import Image

        values = np.asarray(image)
        if values.ndim != 2:
            raise ValueError(
                f"The picture has the shape {values.shape}: give one picture, (height, width)."
            )
        if values.dtype.kind not in "biuf" or not np.isfinite(values).all():
            raise ValueError(
                "The picture has something else than finite numbers: give grey values."
            )
        if values.dtype.kind == "f" and values.size and values.max() <= 1:
            values = values * 255
        image = Image.fromarray(values.astype(np.uint8))
    image.save(path)
    return path


def _write_inputs(inputs: Any, path: Path) -> Path:
    """Arrays by the names of arguments, as a file of JSON."""
    try:
        numbers = {
            name: values.tolist() if hasattr(values, "tolist") else values
            for name, values in inputs.items()
        }
        path.write_text(json.dumps(numbers), "utf-8")
    except (AttributeError, TypeError, ValueError):
        raise ValueError(
            'inputs: give arrays of numbers by the names of arguments, {"a": [1, 2, 3]}.'
        ) from None
    return path


def _sizes_text(sizes: Mapping[str, object]) -> str:
    parts = []
    for name, values in sizes.items():
        several = values if isinstance(values, list | tuple | range) else [values]
        parts.append(f"{name}={','.join(map(str, several))}")
    return " ".join(parts)


def _file_of(kernel: object, folder: Path) -> Path:
    """The file that holds the kernel: the given one, or one that is written."""
    if isinstance(kernel, Path) or (
        isinstance(kernel, str) and not re.search(r"\n|\bdef\b", kernel)
    ):
        return Path(kernel).absolute()  # no option of the command, whatever it is called
    file = folder / "kernel.py"
    file.write_text(kernel if isinstance(kernel, str) else _with_names(kernel), "utf-8")
    return file


def _source(function: Callable[..., object]) -> str:
    try:
        return textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        text = (
            "The text of {!r} is not known: give a function that is written in Python, or a text."
        )
        raise ValueError(text.format(function)) from None


def _with_names(kernel: object) -> str:
    """The text of a kernel, with the imports, constants and device functions of the notebook that
    it uses.

    The kernel stands at the line at which it stands in its cell, so that a verdict names the
    reader's own lines; at the second line where its cell begins with it, since imports stand above
    it.
    """
    function = getattr(kernel, "py_func", kernel)
    if not inspect.isfunction(function):
        raise ValueError(f"{kernel!r} is no kernel: give a function, a text of Python, or a file.")
    statements: dict[str, str] = {}
    functions: dict[str, str] = {}
    _collect(function, statements, functions)
    source = functions.pop(function.__name__)
    above = "; ".join(statements.values()) + "\n" * max(1, function.__code__.co_firstlineno - 1)
    return "\n\n".join([above + source, *functions.values()])


def _collect(function: Any, statements: dict[str, str], functions: dict[str, str]) -> None:
    """Add the source of a function, and what it uses of its notebook."""
    functions[function.__name__] = source = _source(function)
    names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    for name in sorted(names - {*function.__code__.co_varnames}):
        value = function.__globals__.get(name)
        device_function = getattr(value, "py_func", value)
        if isinstance(value, ModuleType):
            is_cuda = value.__name__.endswith("numba.cuda")
            statements[name] = (
                f"from numba import cuda as {name}"
                if is_cuda
                else f"import {value.__name__} as {name}"
            )
        elif isinstance(value, _NUMBERS):
            statements[name] = f"{name} = {value!r}"
        elif type(value).__module__.startswith("numba") and not hasattr(value, "py_func"):
            statements[name] = f"from numba import {value} as {name}"
        elif inspect.isfunction(device_function) and name not in functions:
            _collect(device_function, statements, functions)


def _frame(page: Path, height: int) -> str:
    return _FRAME.format(page=escape(page.read_text("utf-8")), height=height)
