"""Runs a launch again in another order of its threads, so that a race comes out the other way
round.

The threads run in two groups: one of them alone, and all others. Between any two places where
threads wait for each other, the one thread runs first, or until it is held up at a step: orders
that a card allows.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any

import numpy as np

from core.workshop.checker.analysis import make_trace
from core.workshop.checker.dialect import DialectError
from core.workshop.checker.interpreter import bind_arguments, build_kernel, start_kernel
from core.workshop.checker.lanes import Place
from core.workshop.checker.machine import Machine
from core.workshop.checker.mask import LaunchError, Mask
from core.workshop.checker.numeric import Value, select
from core.workshop.checker.statements import Function
from core.workshop.checker.trace import Conflict, Event, Memory, Trace
from core.workshop.checker.variables import VariableRecorder

Given = tuple[Mapping[str, Any], Mapping[str, np.ndarray]]
"""Arguments, and which elements of some of them were written, as `interpreter.run_kernel` takes
them.
"""
MOST_LANES = 65_536
_Method = Callable[..., Any]
_Waiting = tuple[tuple[Place, str], Mask, Sequence[Value]]
"""Where a group waits, its lanes, and the values that it brings."""


def in_other_order(
    trace: Trace, shared_bytes: int, make_arguments: Callable[[], Given]
) -> Trace | None:
    """The launch of a trace with its first conflict the other way round; `make_arguments`: those of
    the launch, anew.

    The second thread of the conflict runs ahead of all others; if that changes no result, the first
    thread is held up just before its access, or at its start, until all others have gone on. None
    where there is no conflict, or the launch cannot be run to its end in that order.
    """
    conflict = next((each for each in trace.conflicts if each.kind != "same-value"), None)
    lanes = prod(trace.grid) * trace.threads
    if conflict is None or not trace.complete or lanes > MOST_LANES:
        return None
    first, second = conflict.lanes
    before = trace.events[: conflict.events[0]]
    done = sum(event.array >= 0 and bool((event.lanes == first).any()) for event in before)
    found: Trace | None = None
    for alone, held_after in ((second, -1), (first, done), (first, 0)):
        machine = TwoGroups(trace.grid, trace.block, trace.sizes, shared_bytes)
        machine.recorder = VariableRecorder()
        # A function of the file keeps the state of its loops while it runs: each group has its own.
        functions = [build_kernel(trace.source, trace.kernel)[1] for _ in range(2)]
        is_ahead = np.arange(lanes) == alone
        machine.run_groups(functions, *make_arguments(), is_ahead, held_after)
        other = make_trace(machine, trace.kernel, trace.source)
        conflicts = _found_again(trace, conflict, other)
        if not machine.complete or not other.complete or not conflicts:
            continue
        found = replace(other, conflicts=conflicts)
        if _differs(trace, found):
            break
    return found


def _differs(trace: Trace, other: Trace) -> bool:
    """Whether an array of the launch holds something else at its end."""
    pairs = zip(trace.arrays, other.arrays, strict=False)
    return any(
        not np.array_equal(one.data, two.data, equal_nan=one.data.dtype.kind == "f")
        for one, two in pairs
        if one.space == "global"
    )


def _found_again(trace: Trace, conflict: Conflict, other: Trace) -> tuple[Conflict, ...]:
    """The two accesses of the conflict in another run, the second before the first; empty where
    they are not there.
    """
    found = []
    for step, lane in zip(conflict.events, conflict.lanes, strict=True):
        event = trace.events[step]
        times = [*_iter_steps(trace, event, lane, conflict.element)].index(step)
        steps = [*_iter_steps(other, event, lane, conflict.element)]
        if len(steps) <= times:
            return ()
        found.append(steps[times])
    first, second = conflict.lanes
    after, before = found
    if before >= after:
        return ()
    array = other.events[before].array
    return (Conflict(conflict.kind, array, conflict.element, (second, first), (before, after)),)


def _iter_steps(trace: Trace, event: Event, lane: int, element: int) -> Iterator[int]:
    """The events at which the thread does the same to the element, at the same place of the
    file.
    """
    place = event.kind, event.line, event.column
    for step, each in enumerate(trace.events):
        if (each.kind, each.line, each.column) == place:
            does = (each.lanes == lane) & (each.elements == element)
            if does.any():
                yield step


def _for_both(method: _Method) -> _Method:
    """A method by which lanes wait for each other, for the lanes of two groups."""

    def call(machine: "TwoGroups", mask: Mask, at: Place, name: str, *values: Value) -> Any:
        return machine._call_for_both(method, mask, at, name, values)

    return call


class TwoGroups(Machine):
    """A machine whose lanes run in two groups, each in a thread of Python, of which one runs at a
    time.

    Where lanes wait for each other, a group waits until the other one has come to the same place or
    has ended.
    """

    def run_groups(
        self,
        functions: Sequence[Function],
        arguments: Mapping[str, Any],
        written: Mapping[str, np.ndarray],
        is_ahead: np.ndarray,
        held_after: int = -1,
    ) -> None:
        """Run a kernel. `functions`: it, built anew for each group; `is_ahead`: of the first group,
        bool (lanes,).

        `held_after`: after so many accesses the other group goes on; -1: only where the first one
        waits or ends.
        """
        values = bind_arguments(functions[0], self, arguments, written)
        if values is None:
            return
        self.begin(0, self.blocks)
        masks = Mask(is_ahead, self.everyone), Mask(~is_ahead, self.everyone)
        self._turns = threading.Semaphore(0), threading.Semaphore(0)
        self._ended = [False, False]
        self._error: BaseException | None = None
        self._waiting: list[_Waiting | None] = [None, None]
        self._outcomes: list[Any] = [None, None]
        self._running = 0
        self._accesses = 0
        self._held_after = held_after
        threads = []
        for group in range(2):
            work = partial(start_kernel, functions[group], values, self, masks[group])
            threads.append(
                threading.Thread(target=self._run_group, args=(group, work), daemon=True)
            )
            threads[-1].start()
        self._turns[0].release()
        for thread in threads:
            thread.join()
        if self._error is not None:
            self.complete = False
            if not isinstance(self._error, DialectError | LaunchError):
                raise self._error

    def _run_group(self, group: int, work: Callable[[], None]) -> None:
        self._turns[group].acquire()
        self._running = group
        try:
            if self._error is None:
                self._hold()
                with np.errstate(all="ignore"):
                    work()
        except BaseException as error:  # raised again in the thread that waits
            self._error = self._error or error
        finally:
            self._ended[group] = True
            self._turns[1 - group].release()

    def _let_other_run(self) -> None:
        """Go on when it is this group's turn again. Raises LaunchError where the other one has
        failed.
        """
        group = self._running
        if not self._ended[1 - group]:
            self._turns[1 - group].release()
            self._turns[group].acquire()
            self._running = group
        if self._error is not None:
            raise LaunchError

    def _hold(self) -> None:
        """Let the other group go on where the first one is held up."""
        if self._running == 0 and self._accesses == self._held_after:
            self._held_after = -1
            self._let_other_run()

    def _record_access(
        self,
        operation: str,
        at: Place,
        mask: Mask,
        memory: Memory,
        elements: object,
        values: object,
        operands: np.ndarray | None = None,
    ) -> None:
        super()._record_access(operation, at, mask, memory, elements, values, operands)
        if self._running == 0:
            self._accesses += 1
            self._hold()

    def _call_for_both(
        self, method: _Method, mask: Mask, at: Place, name: str, values: Sequence[Value]
    ) -> Any:
        """Call a method of the machine once, with the lanes and values of both groups; both get
        what it returns.
        """
        place = at, name
        group = self._running
        other = self._waiting[1 - group]
        if other is None:
            self._waiting[group] = place, mask, values
            while self._waiting[group] is not None and not self._ended[1 - group]:
                self._let_other_run()
            if self._waiting[group] is None:
                return self._outcomes[group]
            self._waiting[group] = None
            return method(self, mask, at, name, *values)
        other_place, other_mask, other_values = other
        if other_place != place:
            raise LaunchError  # a barrier that some threads miss, which the check names
        both = Mask(mask.array | other_mask.array, self.everyone)
        merged = [
            select(mask.array, mine, its) for mine, its in zip(values, other_values, strict=True)
        ]
        outcome = method(self, both, at, name, *merged)
        self._waiting[1 - group] = None
        self._outcomes[1 - group] = outcome
        # The first group runs ahead again.
        if group == 1:
            self._let_other_run()
        return outcome

    barrier = _for_both(Machine.barrier)
    grid_barrier = _for_both(Machine.grid_barrier)
    warp_barrier = _for_both(Machine.warp_barrier)
    block_sum = _for_both(Machine.block_sum)
    shuffle = _for_both(Machine.shuffle)
    vote = _for_both(Machine.vote)
