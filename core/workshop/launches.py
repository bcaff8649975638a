"""Runs the launches of a check on its shapes, one kernel after the other on the same arrays."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import prod

import numpy as np

from core.text import Sentence
from core.workshop.checker.analysis import count, find_races, make_trace, note_writers, summed
from core.workshop.checker.compilation import CardStep, check_types
from core.workshop.checker.dialect import DialectError
from core.workshop.checker.interpreter import build_kernel, convert_arguments, run_kernel
from core.workshop.checker.machine import Machine
from core.workshop.checker.order import MOST_LANES, Given, TwoGroups, in_other_order
from core.workshop.checker.signatures import remarks_on
from core.workshop.checker.statements import Function
from core.workshop.checker.trace import MAX_SHARED_BYTES, WARP, Count, Fault, Sizes, Totals, Trace
from core.workshop.checker.variables import VariableRecorder
from core.workshop.inputs import Values, make_inputs
from core.workshop.launch import Launch, Step
from core.workshop.sizes import evaluate

# What a multiprocessor has by compute capability: threads, blocks and bytes of shared memory, the
# bytes that each block takes besides its own, and their unit. From the CUDA C++ Programming Guide,
# “Technical Specifications per Compute Capability”; units as Nsight Compute's calculator has them.
_MULTIPROCESSORS = {
    "7.5": (1024, 16, 64 << 10, 0, 256),
    "8.0": (2048, 32, 164 << 10, 1024, 128),
    "8.6": (1536, 16, 100 << 10, 1024, 128),
    "8.9": (1536, 24, 100 << 10, 1024, 128),
    "9.0": (2048, 32, 228 << 10, 1024, 128),
    "12.0": (1536, 24, 100 << 10, 1024, 128),
}


@dataclass(slots=True)
class Launched:
    """One shape after its launches. `values`: the arguments; `written`: which elements of outputs
    were written to.
    """

    sizes: Sizes
    values: Values
    written: dict[str, np.ndarray]
    machines: list[Machine] = field(default_factory=list)

    @property
    def faults(self) -> list[Fault]:
        return [fault for machine in self.machines for fault in machine.faults]

    @property
    def has_order(self) -> bool:
        """Whether values depend on the order of atomic operations."""
        return any(machine.ordered for machine in self.machines)

    @property
    def accesses(self) -> int:
        return sum(machine.totals.accesses for machine in self.machines)

    def given(self, step: Step) -> Given:
        """What the next step gives to its kernel."""
        return _labeled(step, self.values, self.sizes), self.written

    def costs(self) -> tuple[tuple[Count, ...], Totals]:
        """The counts of all launches, of a place in the file those of the first one, and their
        totals.
        """
        first = count(self.machines[0])
        places = {(each.line, each.access, each.array) for each in first}
        for machine in self.machines[1:]:
            for each in count(machine):
                place = (each.line, each.access, each.array)
                if place not in places:
                    places.add(place)
                    first.append(each)
        return tuple(first), summed([machine.totals for machine in self.machines])

    def occupancy(self, kernels: Sequence[str]) -> tuple[Sentence, ...]:
        """Of the first launch of each kernel that a card takes. `kernels`: the names of those that
        are launched.
        """
        found: dict[str, Sentence] = {}
        for name, machine in zip(kernels, self.machines, strict=False):
            shared = machine.static_bytes + machine.shared_bytes
            if name not in found and shared <= MAX_SHARED_BYTES:
                found[name] = occupancy_of(name, machine.threads, shared)
        return tuple(found.values())


class Launches:
    """The kernels of a file, ready to be launched as a launch says. `poisoned`: arrays that they
    have to fill.
    """

    def __init__(self, source: str, launch: Launch, seed: int, poisoned: set[str]) -> None:
        """Raises DialectError where a kernel has something that is not covered."""
        self._source = source
        self._launch = launch
        self._seed = seed
        self._poisoned = poisoned
        names = dict.fromkeys(step.kernel for step in launch.steps)
        self._built = {name: build_kernel(source, name) for name in names}
        self._seconds: dict[str, Function] = {}

    @property
    def first(self) -> Function:
        return self._built[self._launch.kernel][1]

    @property
    def kernels(self) -> str:
        """The names of all kernels."""
        return ", ".join(function.name for _, function in self._built.values())

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences about what of the file is not considered."""
        return tuple(
            dict.fromkeys(
                text for program, _ in self._built.values() for text in remarks_on(program)
            )
        )

    def inputs(self, sizes: Sizes) -> Values:
        """The arguments before the first launch."""
        return make_inputs(self._launch, sizes, self._seed, self._poisoned)

    def run(
        self,
        sizes: Sizes,
        order: int = 0,
        recorder: VariableRecorder | None = None,
        steps: int | None = None,
    ) -> Launched:
        """Launch all steps, or the first ones. `recorder`: keeps the variables of the last one.

        `order`: of atomic operations whose values are used.
        """
        launched = self._begin(sizes)
        chosen = self._launch.steps[:steps]
        for step in chosen:
            machine = Machine(*step.dimensions(sizes), sizes, step.shared_bytes(sizes))
            machine.order = order
            if step is chosen[-1]:
                machine.recorder = recorder
            run_kernel(self._built[step.kernel][1], machine, *launched.given(step))
            # Before the next kernel, which may write the same arrays again.
            find_races(machine)
            launched.machines.append(machine)
            # The next kernel would read what was not computed.
            if not machine.complete:
                break
        return launched

    def run_in_halves(self, sizes: Sizes, upper: bool) -> Launched | None:
        """Launch all steps so that half of the threads run ahead of the others between any two
        barriers.

        `upper`: those with the larger numbers, so that later blocks and warps come first. None for
        a launch with more threads than run together, and for one that does not come to its end in
        this order.
        """
        launched = self._begin(sizes)
        for step in self._launch.steps:
            grid, block = step.dimensions(sizes)
            lanes = prod(grid) * prod(block)
            # A single thread has no other half.
            if not 1 < lanes <= MOST_LANES:
                return None
            functions = self._built[step.kernel][1], self._second(step.kernel)
            machine = TwoGroups(grid, block, sizes, step.shared_bytes(sizes))
            is_upper = np.arange(lanes) >= lanes // 2
            machine.run_groups(functions, *launched.given(step), is_upper if upper else ~is_upper)
            launched.machines.append(machine)
            if not machine.complete:
                return None
        return launched

    def _second(self, kernel: str) -> Function:
        """The kernel built once more: a function keeps the state of its loops while it runs."""
        if kernel not in self._seconds:
            self._seconds[kernel] = build_kernel(self._source, kernel)[1]
        return self._seconds[kernel]

    def _begin(self, sizes: Sizes) -> Launched:
        values = self.inputs(sizes)
        return Launched(
            sizes, values, {name: np.zeros(values[name].size, bool) for name in self._poisoned}
        )

    def outputs(self, launched: Launched, wanted: Iterable[str]) -> Values:
        """Each output after the launches, with who wrote it; nothing where they were not
        completed.
        """
        if len(launched.machines) < len(self._launch.steps) or not launched.machines[-1].complete:
            return {}
        return {name: self._output(name, launched) for name in wanted}

    def _output(self, name: str, launched: Launched) -> Values:
        values = launched.values[name]
        writers = np.full((3, values.size), -1, np.int64)
        store = self.first.line
        for number, (step, machine) in enumerate(
            zip(self._launch.steps, launched.machines, strict=True)
        ):
            if name in step.arguments:
                function = self._built[step.kernel][1]
                parameter = function.parameters[step.arguments.index(name)]
                note_writers(machine, machine.number_of(parameter), writers, number)
                store = function.stores.get(parameter, store)
        return {"values": values, "writers": writers, "store": store}

    def trace(self, sizes: Sizes) -> Trace:
        """The trace of the first launch with a fault, else of that with the most accesses."""
        number = self._traced_step(sizes)
        step = self._launch.steps[number]
        machine = self.run(sizes, recorder=VariableRecorder(), steps=number + 1).machines[-1]
        trace = make_trace(machine, self._built[step.kernel][1].name, self._source)

        def given_again() -> Given:
            return self.run(sizes, steps=number).given(step)

        return replace(
            trace, other_order=in_other_order(trace, step.shared_bytes(sizes), given_again)
        )

    def _traced_step(self, sizes: Sizes) -> int:
        if len(self._launch.steps) == 1:
            return 0
        machines = self.run(sizes).machines
        accesses = [machine.totals.accesses for machine in machines]
        faulty = [number for number, machine in enumerate(machines) if machine.faults]
        return faulty[0] if faulty else accesses.index(max(accesses))

    def types(self) -> tuple[str, Fault | None]:
        """How the types were checked, and what the compiler refuses of the first kernel that it
        cannot compile.
        """
        sizes = self._launch.shapes[0]
        values = self.inputs(sizes)
        said = ""
        for step in {step.kernel: step for step in self._launch.steps}.values():
            program, function = self._built[step.kernel]
            arguments = _labeled(step, values, sizes)
            with suppress(DialectError):  # a fault of the verdict already
                arguments = convert_arguments(function, arguments)
            said, refused = check_types(program, function.name, list(arguments.values()))
            if refused is not None:
                return said, refused
        return said, None

    def on_card(self, values: Values, sizes: Sizes) -> list[CardStep]:
        """The launches for a card."""
        steps = []
        for step in self._launch.steps:
            program, function = self._built[step.kernel]
            given = convert_arguments(function, _labeled(step, values, sizes))
            grid, block = step.dimensions(sizes)
            shared = step.shared_bytes(sizes)
            steps.append(
                CardStep(program, function.name, grid, block, shared, list(given.values()))
            )
        return steps


def _labeled(step: Step, values: Values, sizes: Sizes) -> Values:
    """What a step gives to its kernel, in order, by names that are all different."""
    found: Values = {}
    for text in step.arguments:
        label = text
        number = 1
        # An array may be given twice, and the names are keys.
        while label in found:
            number += 1
            label = f"{text} ({number})"
        if text in values:
            found[label] = values[text]
            continue
        value = evaluate(text, sizes, whole=False)
        found[label] = np.float64(value) if type(value) is float else np.int64(value)
    return found


def occupancy_of(kernel: str, threads: int, shared_bytes: int) -> Sentence:
    """How many blocks with so many threads and bytes of shared memory a multiprocessor holds at
    once, and what limits it.

    >>> "8.9, 12.0: 24, 100 % (T, B)" in str(occupancy_of("k", 33, 0))
    True
    """
    warps = -(-threads // WARP)
    cards: dict[str, list[str]] = {}
    for capability, (all_threads, blocks, shared, reserved, unit) in _MULTIPROCESSORS.items():
        most = {"T": all_threads // WARP // warps, "B": blocks}
        if shared_bytes:
            taken = -(-(shared_bytes + reserved) // unit) * unit
            most["S"] = shared // taken
        held = min(most.values())
        share = 100 * held * warps * WARP / all_threads
        limits = ", ".join(name for name, limit in most.items() if limit == held)
        cards.setdefault(f"{held}, {share:.0f} % ({limits})", []).append(capability)
    said = "; ".join(f"{', '.join(names)}: {text}" for text, names in cards.items())
    return Sentence(
        "Blocks of {kernel} on a multiprocessor at once ({threads} threads and {bytes} bytes of "
        "shared memory each), and their share of its warps, by its compute capability: {cards}. "
        "In brackets what limits them: T the threads, B the number of blocks, S the shared memory; "
        "registers, which only the compiler knows, may allow fewer.",
        {"kernel": kernel, "threads": threads, "bytes": shared_bytes, "cards": said},
    )
