"""The process that checks a kernel: it reads a request from a folder, and writes an answer into it.

Interpreting a kernel executes nothing of it. The process limits what remains: loops without end, memory, and faults of
the compiler. Messages are JSON with arrays beside it, never pickles.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

import numpy as np

from core.errors import InputError, limited
from core.program import FOLDER
from core.workshop.launch import Argument, Launch, make_inputs
from kernels.workshop.analysis import MAX_TRACE, count, find_races, last_writers, make_trace
from kernels.workshop.dialect import DialectError
from kernels.workshop.interpreter import Function, build_kernel, run_kernel
from kernels.workshop.machine import Machine
from kernels.workshop.trace import ArrayInfo, Event, Fault, Trace

CPU_SECONDS = 8
"""Of the processor; on Windows of the clock."""
WALL_SECONDS = 60.0
"""More than the processor needs where other programs compute, too: a kernel cannot wait for anything."""
MEMORY = 4 << 30
FILE_BYTES = 256 << 20
_MAX_ANSWER = 512 << 20
_PAUSE = 0.03
_REQUEST, _ANSWER = "request", "answer"


def pack(message: Any) -> bytes:
    """JSON in UTF-8 with its length before it, and the arrays in it as bytes behind it."""
    arrays: list[np.ndarray] = []

    def replace(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            arrays.append(np.ascontiguousarray(value))
            return {"array": len(arrays) - 1, "dtype": value.dtype.str, "shape": list(value.shape)}
        return value.item()

    text = json.dumps(message, default=replace).encode()
    return b"".join([len(text).to_bytes(8, "little"), text, *(array.tobytes() for array in arrays)])


def unpack(content: bytes) -> Any:
    """The message. Raises ValueError where it is damaged."""
    end = 8 + int.from_bytes(content[:8], "little")
    place = end

    def restore(value: dict[str, Any]) -> Any:
        nonlocal place
        if set(value) != {"array", "dtype", "shape"}:
            return value
        dtype = np.dtype(str(value["dtype"]))
        length = int(np.prod(value["shape"], dtype=np.int64))
        if dtype.kind not in "biuf" or length < 0:
            raise ValueError("an array of another type")
        array = np.frombuffer(content, dtype, length, place).reshape(value["shape"])
        place += array.nbytes
        return array

    return json.loads(content[8:end], object_hook=restore)


def start_program(
    arguments: list[str], folder: Path, out: IO[bytes] | int = subprocess.DEVNULL
) -> "subprocess.Popen[bytes]":
    """Start `main.py workshop` with the arguments in the folder; `out`: where it prints, errors too."""
    main = [] if getattr(sys, "frozen", False) else [str(FOLDER / "main.py")]
    return subprocess.Popen(
        [sys.executable, *main, "workshop", *arguments],
        stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT if out != subprocess.DEVNULL else out,
        cwd=folder, creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )  # fmt: skip


class Worker:
    """A process that answers one request. `close` ends it and removes its folder."""

    def __init__(self, request: dict[str, Any]) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="digitlab-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._start = time.monotonic()
        try:
            (self._folder / _REQUEST).write_bytes(pack(request))
            self._process = start_program(["worker", str(self._folder)], self._folder)
        except OSError as error:
            self.close()
            raise InputError("The check could not be started ({reason}).", reason=error) from None

    def is_running(self) -> bool:
        """Whether it still computes; ends it where it takes too long."""
        assert self._process is not None
        if self._process.poll() is not None:
            return False
        if time.monotonic() - self._start > (WALL_SECONDS if os.name == "posix" else CPU_SECONDS):
            self._process.kill()
        return True

    def answer(self) -> dict[str, Any] | None:
        """The last answer of the process, which has ended; None where it was stopped before it had one."""
        path = self._folder / _ANSWER
        try:
            if path.stat().st_size > _MAX_ANSWER:
                return None
            found = unpack(path.read_bytes())
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return found if isinstance(found, dict) else None

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def iter_answers(requests: list[dict[str, Any]]) -> Iterator[list[dict[str, Any] | None] | None]:
    """Answer requests in processes at the same time; yields None while they compute, then all answers."""
    workers: list[Worker] = []
    try:
        for request in requests:
            workers.append(Worker(request))
        while any([worker.is_running() for worker in workers]):
            yield None
            time.sleep(_PAUSE)
        yield [worker.answer() for worker in workers]
    finally:
        for worker in workers:
            worker.close()


def work(folder: Path) -> int:
    """What the process does: answer the request in the folder."""
    request = unpack((folder / _REQUEST).read_bytes())
    _limit(request["seconds"], 0 if request["kind"] == "card" else MEMORY)

    def write(answer: dict[str, Any]) -> None:
        temporary = folder / f"{_ANSWER}.tmp"
        temporary.write_bytes(pack(answer))
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
            write({"error": f"The check failed ({limited(repr(error))}): report it, with the kernel."})
    return 0


def _limit(seconds: int, memory: int = MEMORY) -> None:
    """Limit time, memory and files of this process, where the system can. `memory`: 0 for CUDA, which reserves much."""
    if sys.platform == "win32":
        return
    import resource

    for kind, most in (
        (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_FSIZE, FILE_BYTES), (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, memory or resource.RLIM_INFINITY),
    ):  # fmt: skip
        with suppress(ValueError, OSError):  # macOS has no limit of the address space
            _, hard = resource.getrlimit(kind)
            least = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (least, least))


def iter_answer(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The answers to a request, each with more than the one before."""
    values = request["launch"]
    launch = Launch(**{**values, "arguments": [Argument(**each) for each in values["arguments"]]})
    poisoned = {
        argument.name
        for argument in launch.arguments
        if argument.shape is not None and not argument.kind and request["outputs"].get(argument.name) is False
    }
    if request["kind"] == "reference":
        from core.workshop.reference import compute

        yield {
            "expected": [
                compute(launch.reference, make_inputs(launch, sizes, request["seed"], poisoned))
                for sizes in launch.shapes
            ]
        }
        return
    if request["kind"] == "card":
        yield _on_card(request, launch, poisoned)
    else:
        yield from _iter_kernel(request, launch, poisoned)


def _on_card(request: dict[str, Any], launch: Launch, poisoned: set[str]) -> dict[str, Any]:
    from kernels.cuda.toolkit import SIMULATED, cuda
    from kernels.workshop.compilation import run_on_card

    program, function = build_kernel(request["source"], launch.kernel)
    answer: dict[str, Any] = {"card": "simulator", "seconds": [], "launches": []}
    try:
        if not SIMULATED:
            answer["card"] = str(cuda.get_current_device().name, "utf-8", "replace")
        for sizes in launch.shapes:
            arguments = make_inputs(launch, sizes, request["seed"], poisoned)
            grid, block = launch.dimensions(sizes)
            answer["seconds"].append(
                run_on_card(program, function.name, grid, block, list(arguments.values()))
            )
            outputs = {
                name: {"values": arguments[name], "store": function.line} for name in request["outputs"]
            }
            answer["launches"].append({"sizes": sizes, "complete": True, "outputs": outputs})
    except Exception as error:
        return {"error": f"The kernel could not be run on the card ({limited(str(error))})."}
    return answer


def _iter_kernel(request: dict[str, Any], launch: Launch, poisoned: set[str]) -> Iterator[dict[str, Any]]:
    source, seed = request["source"], request["seed"]
    try:
        program, function = build_kernel(source, launch.kernel)
    except DialectError as refusal:
        yield {"kernel": launch.kernel, "line": 0, "launches": [], "types": "",
               "faults": [asdict(Fault(refusal.kind, refusal.line, refusal.text))]}  # fmt: skip
        return
    answer: dict[str, Any] = {
        "kernel": function.name,
        "line": function.line,
        "faults": [],
        "launches": [],
        "types": "",
    }
    most = -1
    for sizes in launch.shapes:
        machine, arguments, _ = _launched(function, launch, sizes, seed, poisoned)
        found: dict[str, Any] = {"sizes": sizes, "complete": machine.complete}
        if machine.complete:
            names = dict(zip(arguments, function.parameters, strict=True))
            first = {name: function.stores.get(names[name], function.line) for name in request["outputs"]}
            writers = last_writers(machine, [names[name] for name in request["outputs"]])
            found["outputs"] = {
                name: {"values": arguments[name], "lanes": writers[names[name]][0], "lines": writers[names[name]][1],
                       "store": first[name]}
                for name in request["outputs"]
            }  # fmt: skip
        counts = count(machine)
        if machine.totals.accesses > most:
            most = machine.totals.accesses
            answer |= {
                "counts": [asdict(each) for each in counts],
                "totals": machine.totals.as_dict(),
                "counted": sizes,
            }
        answer["faults"] += [asdict(fault) for fault in machine.faults]
        answer["launches"].append(found)
        if any(fault.kind == "unsupported" for fault in machine.faults):
            break
    if request["trace"]:
        counted = answer["counted"] if 0 <= most <= MAX_TRACE else None
        traced = _traced(request, launch, function, source, answer["faults"], poisoned, counted)
        answer["trace"] = _pack_trace(traced)
    if request["types"]:
        answer["types"] = "The types were not checked: the compiler did not end."
    yield answer
    if request["types"]:
        from kernels.workshop.compilation import check_types

        arguments = make_inputs(launch, launch.shapes[0], seed, poisoned)
        types, fault = check_types(program, function.name, list(arguments.values()))
        answer["types"] = types
        if fault is not None:
            answer["faults"].append(asdict(fault))
        yield answer


def _launched(
    function: Function, launch: Launch, sizes: dict[str, int], seed: int, poisoned: set[str]
) -> tuple[Machine, dict[str, Any], dict[str, np.ndarray]]:
    """Run one shape; returns the machine, the arguments after the launch, and the arrays before it by own names."""
    grid, block = launch.dimensions(sizes)
    arguments = make_inputs(launch, sizes, seed, poisoned)
    start = {
        own: value.copy()
        for own, value in zip(function.parameters, arguments.values(), strict=False)
        if isinstance(value, np.ndarray)
    }
    machine = Machine(grid, block, sizes)
    run_kernel(function, machine, arguments, poisoned)
    find_races(machine)
    return machine, arguments, start


def _traced(
    request: dict[str, Any], launch: Launch, function: Function, source: str, faults: list[dict[str, Any]],
    poisoned: set[str], counted: dict[str, int] | None,
) -> Trace:  # fmt: skip
    """The trace of the shape that was asked for, else of the first fault, else of that whose accesses were counted.

    `counted`: None where that is too long; then the smallest shape with several blocks.
    """
    wanted = request["trace"]
    several = [sizes for sizes in launch.shapes if np.prod(launch.dimensions(sizes)[0]) > 1] or [
        *launch.shapes
    ]
    sizes = (
        wanted if isinstance(wanted, dict)
        else next((fault["sizes"] for fault in faults if fault["sizes"]), counted or several[0])
    )  # fmt: skip
    machine, _, start = _launched(function, launch, sizes, request["seed"], poisoned)
    return make_trace(machine, function.name, source, start)


def _pack_trace(trace: Trace) -> dict[str, Any]:
    """As a message; `unpack_trace` reads it."""
    values = {name: getattr(trace, name) for name in trace.__slots__}
    lists = {
        name: [[getattr(each, key) for key in each.__slots__] for each in values[name]]
        for name in ("arrays", "events")
    }
    return {**values, **lists}


def unpack_trace(message: dict[str, Any]) -> Trace:
    """The trace of `_pack_trace`."""
    arrays = tuple(
        ArrayInfo(name, space, dtype, tuple(shape), start)
        for name, space, dtype, shape, start in message["arrays"]
    )
    events = tuple(Event(*each) for each in message["events"])
    grid, block = tuple(message["grid"]), tuple(message["block"])
    return Trace(**{**message, "grid": grid, "block": block, "arrays": arrays, "events": events})
