"""Trains a network with a pupil's kernel in place of one of a device's operators (docs/workshop.md,
Use it).

The training is the usual one; only the device differs. It belongs into a process of its own: a
kernel that passed its check may still run for ever on other sizes.
"""

import inspect
import json
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import numpy as np

from core.data.dataset import Dataset
from core.errors import InputError
from core.files.json_text import JsonObject
from core.files.reasons import refusing
from core.runs.plan import RunPlan
from core.runs.training import RunRecord, iter_run
from core.training.records import Finished, TrainingControl
from core.training.run_settings import RunSettings
from core.workshop.checker.compilation import compile_loop, define
from core.workshop.checker.dialect import DialectError
from core.workshop.checker.interpreter import build_kernel, run_kernel
from core.workshop.checker.machine import Machine
from core.workshop.checker.trace import Dims, Sizes
from core.workshop.inputs import Values
from core.workshop.launch import Argument, Launch
from core.workshop.worker import exchange_folder, running_program
from kernels.device import Device
from kernels.registry import probe

NETWORKS = {"convolve": "4C5:s2-10N", "max_pool": "4C5:s2-MP2-10N"}
"""Operators of images and a small network that uses them."""
DENSE_NETWORK = "784-30-10"
OPERATORS = (
    "activate",
    "bias_gradient",
    *NETWORKS,
    "dense",
    "dense_input_gradient",
    "dense_weight_gradient",
    "dot",
    "sgd",
    "softmax_cross_entropy",
)
IMAGES = {"cuda": (20_000, 2_000), "compiled": (5_000, 1_000), "interpreter": (400, 100)}
"""Images to learn from and to test on, by mode."""
_PAUSE = 0.05  # seconds between two looks at what a process has printed
_COVERED = {"activation": "relu", "padding": "same"}
"""What the exercises' kernels compute; calls with other values are left to the device's own
operator.
"""

Run = Callable[[Dims, Dims, Values], None]


@dataclass(slots=True)
class Usage:
    """What the kernel has done so far. `others`: calls that it does not cover, with another
    activation or padding.
    """

    calls: int = 0
    others: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class KernelComparison:
    """The last record: the same training with the device's own operator beside the kernel's.

    `seconds`: of training and tests, with the kernel, of which `usage.seconds` in it;
    `own_seconds`: without it. `difference`: the largest between their parameters; `largest`: the
    largest parameter.
    """

    mode: str
    seconds: float
    own_seconds: float
    accuracy: float
    own_accuracy: float
    difference: float
    largest: float
    usage: Usage

    @property
    def is_same(self) -> bool:
        """Whether the parameters differ by rounding only. A sum in another order changes a float32
        in its last digits, and each step of the training passes that on."""
        return bool(self.difference <= 1e-3 * max(self.largest, 1.0))


def choose_mode(source: str, kernel: str) -> tuple[str, str]:
    """The fastest mode that is possible, one of IMAGES, and why it is no faster one, as a
    sentence.
    """
    reason = "There is no graphics card here."
    if probe("cuda").available:
        from kernels.cuda.installed import has_compiler, missing_kernel

        if has_compiler():
            return "cuda", ""
        reason = missing_kernel()
    try:
        program, function = build_kernel(source, kernel)
        compile_loop(program, function.name)
    except DialectError as refusal:
        return "interpreter", f"{reason} Line {refusal.line}: {refusal.text}"
    return "compiled", reason


def plan_for(operator: str, network: str = "", epochs: int = 0) -> RunPlan:
    """A short training that uses the operator. Raises InputError."""
    if operator not in OPERATORS:
        raise InputError(
            "The kernel stands for no operator of a network: give --operator, one of {known}.",
            known=OPERATORS,
        )
    plain = operator == "sgd"
    settings = RunSettings(
        network=network or NETWORKS.get(operator, DENSE_NETWORK),
        activation="relu",
        batch_size=20,
        epochs=epochs or 1,
        optimizer="sgd" if plain else "adam",
        learning_rate=0.1 if plain else 0.003,
        seed=1,
    )
    return RunPlan(settings, "builtin", "sequential")


def iter_use(
    source: str, launch: Launch, operator: str, mode: str, plan: RunPlan, dataset: Dataset
) -> Generator[RunRecord | KernelComparison]:
    """Train the plan with the kernel, then with the device's own operator.

    Yields the records of the first training, and the comparison. `mode`: one of IMAGES. Raises
    InputError where the kernel stops, with its line.
    """
    train, test = IMAGES[mode]
    dataset = replace(dataset, train=dataset.train.first(train), test=dataset.test.first(test))
    plan = replace(plan, device="cuda" if mode == "cuda" else "sequential")
    # An interpreted step takes long, and Stop is looked at between chunks.
    chunk = 1 if mode == "interpreter" else None
    usage = Usage()

    def prepare(device: Device) -> None:
        put_in_place(device, operator, launch, _runner(source, launch.kernel, mode, device), usage)

    mine = _Training()
    records = iter_run(plan, dataset, control=TrainingControl(chunk=chunk), prepare=prepare)
    yield from mine.iter_records(records)
    own = _Training()
    for _ in own.iter_records(iter_run(plan, dataset, control=TrainingControl(chunk=chunk))):
        pass
    yield _comparison(mode, mine, own, usage)


@dataclass(slots=True)
class _Training:
    """A training: its seconds without the opening of the device, and its last record."""

    seconds: float = 0.0
    end: Finished | None = None

    def iter_records(self, records: Generator[RunRecord]) -> Generator[RunRecord]:
        """The records, while their time is taken."""
        start = perf_counter()
        with closing(records):
            for record in records:
                self.seconds += perf_counter() - start
                if record.context is not None:  # the device was opened
                    # What came before is the opening of the device, which may compile.
                    self.seconds = 0.0
                elif record.reason is not None:
                    self.end = record
                yield record
                start = perf_counter()


def _comparison(mode: str, mine: _Training, own: _Training, usage: Usage) -> KernelComparison:
    assert mine.end is not None
    assert own.end is not None
    parameters = own.end.checkpoint.parameters
    difference = np.abs(mine.end.checkpoint.parameters - parameters)
    return KernelComparison(
        mode,
        mine.seconds,
        own.seconds,
        mine.end.test_score,
        own.end.test_score,
        float(np.max(difference)),
        float(np.max(np.abs(parameters))),
        usage,
    )


def iter_use_apart(
    source: str, exercise: Path, kernel: str, model: Path
) -> Generator[JsonObject | None]:
    """Train with a kernel of the exercise in this folder, in a process of its own, and keep the
    network in `model`.

    Yields what `workshop use --json` prints, and None while there is nothing new. Closing ends the
    process. Raises InputError with the process's reason where it fails.
    """
    with exchange_folder() as folder:
        reason = "The training ended without an answer."
        file = folder / "kernel.py"
        printed = folder / "printed"
        arguments = ["use", str(file), "--exercise", str(exercise), "--kernel", kernel]
        arguments += ["--json", "--model", str(model)]
        with ExitStack() as stack:
            with refusing("The training could not be started ({reason}).", OSError):
                file.write_bytes(source.encode("utf-8", "replace"))
                out = stack.enter_context(printed.open("wb"))
                process = stack.enter_context(running_program(arguments, folder, out))
                lines = stack.enter_context(printed.open(encoding="utf-8", errors="replace"))
            rest = ""
            while True:
                # Asked before reading: what was printed last is then in the file.
                has_ended = process.poll() is not None
                *complete, rest = (rest + lines.read()).split("\n")
                for line in complete:
                    if line.startswith("{"):
                        yield json.loads(line)
                    elif line.strip():
                        reason = line.partition(": ")[2] or line
                if has_ended:
                    break
                yield None
                sleep(_PAUSE)
        if process.returncode:
            raise InputError("{reason}", reason=reason)


def put_in_place(device: Device, operator: str, launch: Launch, run: Run, usage: Usage) -> None:
    """Let the device compute an operator by `run`, where the kernel covers the call.

    A network has `dot` and `activate` inside of its dense layers: there these compute the product,
    or the ReLU, and the device the rest.
    """
    if len(launch.steps) > 1 or launch.steps[0].shared:
        raise InputError("One kernel without dynamic shared memory can stand for an operator.")
    builtin = getattr(device, operator)
    names = [*inspect.signature(getattr(Device, operator)).parameters][1:]

    def operate(*given: object) -> None:
        values = dict(zip(names, given, strict=True))
        if any(values.get(name, value) != value for name, value in _COVERED.items()):
            usage.others += 1
            builtin(*given)
            return
        arguments = arguments_for(launch, values)
        sizes = sizes_of(launch, arguments)
        start = perf_counter()
        run(*launch.steps[0].dimensions(sizes), arguments)
        # A card only queues the launch: without waiting its time would not be counted.
        device.synchronize()
        usage.seconds += perf_counter() - start
        usage.calls += 1

    # Of this device alone: other devices keep the method of their class.
    setattr(device, operator, operate)
    # Not by operators that may compute it as a part.
    device.fuses_updates = False
    device.joined_outputs = 0
    # The kernel is launched anew each time: a recorded step would not call it.
    device.record = lambda step: step  # type: ignore[method-assign]
    if operator not in ("dot", "activate"):
        return
    dense = device.dense

    def composed(x: Any, w: Any, b: Any, activation: str, out: Any) -> None:
        z = device.empty(out.shape)
        if operator == "dot":
            operate(x, w, z)
            device.add(z, b, z)
            device.activate(z, activation, out)
        elif activation == "relu":
            dense(x, w, b, "linear", z)
            operate(z, activation, out)
        else:
            dense(x, w, b, activation, out)

    device.dense = composed  # type: ignore[method-assign]


def arguments_for(launch: Launch, values: Values) -> Values:
    """The launch's arguments from the operator's, by name. Raises InputError where one is
    missing.
    """
    found: Values = {}
    for argument in launch.arguments:
        if argument.name not in values:
            raise InputError(
                "The operator has no “{name}”: it has {known}.", name=argument.name, known=[*values]
            )
        value = values[argument.name]
        if argument.shape is None:
            found[argument.name] = np.dtype(argument.type or "int64").type(value)
        else:
            found[argument.name] = _shaped(value, argument)
    return found


def _shaped(array: Any, argument: Argument) -> Any:
    """With the kernel's dimensions: images count as rows where it takes a matrix."""
    assert argument.shape is not None
    if len(array.shape) <= len(argument.shape):
        return array
    if len(argument.shape) == 1:
        return array.reshape(-1)
    return array.reshape(-1, *array.shape[len(array.shape) - len(argument.shape) + 1 :])


def sizes_of(launch: Launch, arguments: Values) -> Sizes:
    """The sizes that the arrays' shapes and numbers give."""
    sizes: dict[str, int] = {}
    for argument in launch.arguments:
        value = arguments[argument.name]
        if argument.shape is None:
            if not argument.type:
                sizes[argument.name] = int(value)
            continue
        for text, length in zip(argument.shape, value.shape, strict=True):
            if text.isidentifier() and sizes.setdefault(text, length) != length:
                raise InputError(
                    "{name} would have {length} for {size}, which is {known} elsewhere: the "
                    "kernel's arguments are not those of the operator.",
                    name=argument.name,
                    length=length,
                    size=text,
                    known=sizes[text],
                )
    return sizes


def _runner(source: str, kernel: str, mode: str, device: Any) -> Run:
    try:
        program, function = build_kernel(source, kernel)
    except DialectError as refusal:
        raise InputError("Line {line}: {reason}", line=refusal.line, reason=refusal.text) from None
    if mode == "cuda":
        from kernels.cuda.toolkit import cuda, types

        compiled = cuda.jit(define(program, function.name, cuda, cuda.jit, types))
        return lambda grid, block, arguments: compiled[grid, block, device.stream.of_compiler](
            *arguments.values()
        )
    if mode == "compiled":
        loop = compile_loop(program, function.name)

        def run_compiled(grid: Dims, block: Dims, arguments: Values) -> None:
            try:
                loop(grid, block, *arguments.values())
            except IndexError as error:
                text = "The kernel left an array ({reason}): check it with these sizes."
                raise InputError(text, reason=error) from None

        return run_compiled

    def interpret(grid: Dims, block: Dims, arguments: Values) -> None:
        machine = Machine(grid, block, {})
        contiguous = {
            name: np.ascontiguousarray(value) if isinstance(value, np.ndarray) else value
            for name, value in arguments.items()
        }
        run_kernel(function, machine, contiguous)
        for name, value in contiguous.items():
            # The kernel has computed on a copy.
            if value is not arguments[name]:
                arguments[name][...] = value
        if machine.faults:
            fault = machine.faults[0]
            raise InputError("Line {line}: {text}", line=fault.line, text=fault.text)

    return interpret
