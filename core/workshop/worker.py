"""The process that checks a kernel: it reads a request from a folder, and writes an answer into it.

Interpreting a kernel executes nothing of it. The process limits what remains: loops without end,
memory, and faults of the compiler. Messages are JSON with arrays beside it, never pickles.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import numpy as np

from core.errors import InputError, limited
from core.files.atomic import temporary_folder
from core.files.memory import installed_memory
from core.files.paths import cache_folder
from core.files.reasons import refusing
from core.files.tensors import encode_tensors
from core.program import own_command
from core.text import Sentence
from core.workshop.checker.analysis import MAX_TRACE
from core.workshop.checker.compilation import run_on_card
from core.workshop.checker.dialect import DialectError
from core.workshop.checker.trace import (
    Conflict,
    Count,
    Event,
    Fault,
    Memory,
    Sizes,
    Totals,
    Trace,
    Variable,
    Verdict,
)
from core.workshop.inputs import make_inputs, poisoned_of
from core.workshop.launch import Argument, Launch, Step
from core.workshop.launches import Launched, Launches
from kernels.host import processor_count

CPU_SECONDS = 8
"""Of the processor; on Windows of the clock."""
WALL_SECONDS = 60.0
"""More than the processor needs where other programs compute, too: a kernel cannot wait for
anything.
"""
MEMORY = 4 << 30
FILE_BYTES = 256 << 20
_MAX_ANSWER = 512 << 20
_PAUSE = 0.03
_REQUEST = "request"
_ANSWER = "answer"
_OTHER_ORDERS = (-1, 1, 2, 3)
"""Beside the rising one: the falling one, and three random ones."""
_CLASSES: dict[str, Any] = {
    each.__name__: each
    for each in (
        Argument,
        Conflict,
        Count,
        Event,
        Fault,
        Launch,
        Memory,
        Sentence,
        Step,
        Totals,
        Trace,
        Variable,
        Verdict,
    )
}


Message = dict[str, Any]
"""A request, an answer, or a part of one: numbers, texts, arrays and the classes above, by name."""


def pack(message: Any) -> bytes:
    """A safetensors file with the arrays of the message, and the rest of it as JSON."""
    arrays: dict[str, np.ndarray] = {}

    def plain(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            name = str(len(arrays))
            arrays[name] = value
            return {"$array": name}
        if is_dataclass(value):
            values = {each.name: getattr(value, each.name) for each in fields(value)}
            return {"$class": type(value).__name__, **values}
        # What is left are NumPy's numbers.
        return value.item()

    text = json.dumps(message, default=plain).encode()
    return encode_tensors({**arrays, "message": np.frombuffer(text, np.uint8)})


def unpack(content: bytes) -> Any:
    """The message. Its parts are of the classes above, in which a list becomes a tuple."""
    from safetensors.numpy import load

    arrays = load(content)

    def restore(value: Message) -> Any:
        if "$array" in value:
            return arrays[value["$array"]]
        if "$class" not in value:
            return value
        made = _CLASSES[value.pop("$class")]
        return made(
            **{
                name: tuple(each) if isinstance(each, list) else each
                for name, each in value.items()
            }
        )

    return json.loads(arrays["message"].tobytes(), object_hook=restore)


def checks_at_once() -> int:
    """How many checks may run at a time: all their processes together take no more memory than this
    machine has.
    """
    processes = installed_memory() // MEMORY
    return max(1, min(processor_count(), processes // 2))  # a kernel and its reference


@contextmanager
def exchange_folder() -> Iterator[Path]:
    """A new folder for the files between two processes, in the user's cache: the next one removes
    what a killed program left. Raises OSError."""
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(temporary_folder(cache_folder() / "checks"))
        except OSError:  # the cache cannot be written to
            name = stack.enter_context(
                TemporaryDirectory(prefix="digitlab-", ignore_cleanup_errors=True)
            )
            folder = Path(name)
        yield folder


@contextmanager
def running_program(
    arguments: list[str], folder: Path, out: IO[bytes] | int = subprocess.DEVNULL
) -> Iterator["subprocess.Popen[bytes]"]:
    """`main.py workshop` with the arguments in the folder, which ends with the block; `out`: where
    it prints, errors too."""
    process = subprocess.Popen(
        [*own_command(), "workshop", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=subprocess.STDOUT if out != subprocess.DEVNULL else out,
        cwd=folder,
        # On Windows a console would appear for a moment.
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    try:
        yield process
    finally:
        process.kill()
        # Waited for, so that it no longer holds files in the folder that is removed next.
        process.wait()


def iter_answers(requests: list[Message]) -> Iterator[list[Message | None] | None]:
    """Answer requests in processes at the same time; yields None while they compute, then the last
    answer of each.

    An answer is None where a process took too long. Closing the generator ends them.
    """
    with ExitStack() as stack:
        started = []
        for request in requests:
            with refusing("The check could not be started ({reason}).", OSError):
                folder = stack.enter_context(exchange_folder())
                (folder / _REQUEST).write_bytes(pack(request))
                process = stack.enter_context(running_program(["worker", str(folder)], folder))
            started.append((process, folder / _ANSWER))
        end = time.monotonic() + (WALL_SECONDS if os.name == "posix" else CPU_SECONDS)
        while any(process.poll() is None for process, _ in started):
            if time.monotonic() > end:
                for process, _ in started:
                    process.kill()
            yield None
            time.sleep(_PAUSE)
        yield [_read_answer(path) for _, path in started]


def _read_answer(path: Path) -> Message | None:
    try:
        # By its size first: the process has read a stranger's kernel.
        found = unpack(path.read_bytes()) if path.stat().st_size <= _MAX_ANSWER else None
    except Exception:  # there is none, or it is damaged
        return None
    return found if isinstance(found, dict) else None


def work(folder: Path) -> int:
    """What the process does: answer the request in the folder."""
    request = unpack((folder / _REQUEST).read_bytes())
    # Before anything of the kernel is looked at.
    _limit(request["seconds"], 0 if request["kind"] == "card" else MEMORY)

    def write(answer: Message) -> None:
        temporary = folder / f"{_ANSWER}.tmp"
        temporary.write_bytes(pack(answer))
        # Renamed when complete: the process may be killed meanwhile, and the answer before stays.
        temporary.replace(folder / _ANSWER)

    try:
        for answer in iter_answer(request):
            write(answer)
    except InputError as error:
        write({"error": str(error)})
    except MemoryError:
        write({"error": "The check needs more memory than a check may take: use smaller sizes."})
    except Exception as error:  # a fault of the checker; an answer that is there already is kept
        if not (folder / _ANSWER).exists():
            write(
                {"error": f"The check failed ({limited(repr(error))}): report it, with the kernel."}
            )
    return 0


def _limit(seconds: int, memory: int = MEMORY) -> None:
    """Limit time, memory and files of this process, where the system can. `memory`: 0 for CUDA,
    which reserves much.
    """
    if sys.platform == "win32":
        return
    import resource

    for kind, most in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        # A process that is ended leaves no image of its memory.
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, memory or resource.RLIM_INFINITY),
    ):
        with suppress(ValueError, OSError):  # macOS has no limit of the address space
            _, hard = resource.getrlimit(kind)
            # A limit above the hard one would be refused, and none be set.
            least = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (least, least))


def iter_answer(request: Message) -> Iterator[Message]:
    """The answers to a request, each with more than the one before."""
    launch = request["launch"]
    poisoned = poisoned_of(launch, request["outputs"])
    seed = request["seed"]
    if request["kind"] == "reference":
        from core.workshop.reference import compute

        inputs = [make_inputs(launch, sizes, seed, poisoned) for sizes in launch.shapes]
        sizes = [{name: np.int64(size) for name, size in each.items()} for each in launch.shapes]
        known = [{**of_shape, **values} for of_shape, values in zip(sizes, inputs, strict=True)]
        yield {"expected": [compute(launch.reference, values) for values in known]}
        return
    try:
        launches = Launches(request["source"], launch, seed, poisoned)
    except DialectError as refusal:
        fault = Fault(refusal.kind, refusal.line, refusal.text)
        verdict = Verdict(launch.kernel, launch.shapes, (fault,), seed=seed)
        yield {"verdict": verdict, "line": 0, "launches": []}
        return
    if request["kind"] == "card":
        yield _on_card(launches, launch, request["outputs"])
    else:
        yield from _iter_kernel(request, launches)


def _on_card(launches: Launches, launch: Launch, wanted: Iterable[str]) -> Message:
    from kernels.cuda.card import Card

    answer: Message = {"card": "", "seconds": [], "launches": []}
    try:
        card = Card(0)
        answer["card"] = card.name
        for sizes in launch.shapes:
            values = launches.inputs(sizes)
            answer["seconds"].append(run_on_card(card, launches.on_card(values, sizes)))
            outputs = {
                name: {"values": values[name], "store": launches.first.line} for name in wanted
            }
            answer["launches"].append({"sizes": sizes, "outputs": [outputs]})
    except Exception as error:
        return {"error": f"The kernel could not be run on the card ({limited(str(error))})."}
    return answer


def _iter_kernel(request: Message, launches: Launches) -> Iterator[Message]:
    shapes = request["launch"].shapes
    verdict = Verdict(launches.kernels, shapes, seed=request["seed"], remarks=launches.remarks)
    outputs = []
    for sizes in shapes:
        launched = launches.run(sizes)
        found = [launches.outputs(launched, request["outputs"])]
        faults = launched.faults
        if launched.has_order:
            is_good = all(fault.is_warning for fault in faults)
            for again in _iter_other_orders(launches, sizes, is_good):
                found.append(launches.outputs(again, request["outputs"]))
                faults += again.faults
            verdict = replace(verdict, orders=max(verdict.orders, len(found)))
        outputs.append({"sizes": sizes, "outputs": found})
        if not verdict.counted or launched.accesses > verdict.totals.accesses:
            counts, totals = launched.costs()
            names = [step.kernel or launches.first.name for step in request["launch"].steps]
            occupancy = launched.occupancy(names)
            verdict = replace(
                verdict, counts=counts, totals=totals, counted=sizes, occupancy=occupancy
            )
        verdict = replace(verdict, faults=(*verdict.faults, *faults))
        # The other shapes would end in the same way.
        if any(fault.kind == "unsupported" for fault in faults):
            break
    if request["trace"]:
        trace = launches.trace(_traced_sizes(request["trace"], request["launch"], verdict))
        verdict = replace(verdict, trace=trace)
    answer = {"line": launches.first.line, "launches": outputs}
    if any(fault.kind == "unsupported" for fault in verdict.faults):
        yield answer | {"verdict": replace(verdict, types="The types were not checked.")}
        return
    if not request["types"]:
        yield answer | {"verdict": verdict}
        return
    unknown = "The types were not checked: the compiler did not end."
    # Before the compiler is asked, which may not end.
    yield answer | {"verdict": replace(verdict, types=unknown)}
    types, refused = launches.types()
    if refused is not None:
        verdict = replace(verdict, faults=(*verdict.faults, refused))
    yield answer | {"verdict": replace(verdict, types=types)}


def _iter_other_orders(launches: Launches, sizes: Sizes, is_good: bool) -> Iterator[Launched]:
    """Launches in which values of atomic operations are used, in other orders of the threads.

    Half of the threads run ahead only where there is no fault yet, of which they would show
    consequences.
    """
    for order in _OTHER_ORDERS:
        yield launches.run(sizes, order)
    for upper in (True, False) if is_good else ():
        launched = launches.run_in_halves(sizes, upper)
        if launched is not None:
            yield launched


def _traced_sizes(wanted: bool | Sizes, launch: Launch, verdict: Verdict) -> Sizes:
    """The shape that was asked for, else of the first fault, else that whose accesses were counted.

    Where that is too long, it is the first shape with several blocks.
    """
    if isinstance(wanted, dict):
        return wanted
    faulty = next((fault.sizes for fault in verdict.faults if fault.sizes), None)
    if faulty is not None:
        return faulty
    if verdict.totals.accesses <= MAX_TRACE:
        return verdict.counted
    several = (
        sizes
        for sizes in launch.shapes
        if any(np.prod(step.dimensions(sizes)[0]) > 1 for step in launch.steps)
    )
    return next(several, launch.shapes[0])
