"""Threads that execute the pieces of instructions, and sleep while they have nothing to do.

The calling thread goes through the instructions in order. It executes an instruction of one piece
alone. The pieces of any other are numbered on from those of the instruction before; every thread
that is awake claims the next number until none is left, and the thread that finishes the last piece
lets the calling thread continue. A thread that has to wait polls for some microseconds and then
sleeps on one of the interpreter's locks: unlike BLAS's threads it takes no processor time from
other programs. All of this is compiled code that needs no interpreter.

Work in Python has threads of its own (`kernels.host`). Called from these, each piece would first
have to get the interpreter's lock: convolutions then took 1.1 times the processor time, and on a
busy machine a multiple of the time.
"""

import ctypes
from threading import Thread
from weakref import finalize

import numpy as np

from kernels.compiled import compiled
from kernels.vectorized import native
from kernels.vectorized.native import ACQUIRE, RELEASE

# Indices in an instruction (see `kernels.vectorized.instructions`): the C function that executes a
# piece of it, and the number of its pieces.
FUNCTION = 0
PIECES = 1

# Indices in the shared state (int64). Those that threads change often lie in different cache lines.
# Pieces with numbers below _LIMIT exist, those below _NEXT are claimed; _DONE is how many are
# finished.
_NEXT = 0
_LIMIT = 8
_DONE = 16
_STOP = 24
# The address of the instruction that is being executed, the number of its first piece, and how
# often threads poll.
_INSTRUCTION = 32
_FIRST = 33
_POLLS = 34
# Of each thread, the caller's first: whether it sleeps or is about to, and the lock that it sleeps
# on.
_THREADS = 40
_PER_THREAD = 8
_SLEEPS = 0
_LOCK = 1

# How often a thread polls before it sleeps. In a step of instructions only for about 0.1 ms: longer
# than what stands between the large products of a step, and a thread that is woken may start late
# or on the processor of its caller. Elsewhere next to none, so that the threads of work in Python
# find a processor.
_MANY_POLLS = 200_000
_FEW_POLLS = 200


@compiled
def _work(state: np.ndarray) -> bool:
    """Execute pieces until none is left to claim; returns whether this thread finished the
    instruction's last one.
    """
    start = state.ctypes.data
    while True:
        number = native.load(start + 8 * _NEXT)
        if number >= native.load(start + 8 * _LIMIT):
            return False
        if native.compare_exchange(start + 8 * _NEXT, number, number + 1) != number:
            continue
        instruction = state[_INSTRUCTION]
        native.call(native.load(instruction + 8 * FUNCTION), (instruction, number - state[_FIRST]))
        if native.add(start + 8 * _DONE, 1) + 1 == native.load(start + 8 * _LIMIT):
            return True


@compiled
def _may_continue(state: np.ndarray, thread: int) -> bool:
    """Whether a wait is over: for the caller (thread 0) its instruction is done, for others there
    is work or a stop.
    """
    start = state.ctypes.data
    limit = native.load(start + 8 * _LIMIT)
    if thread == 0:
        return native.load(start + 8 * _DONE) == limit
    return native.load(start + 8 * _NEXT) < limit or native.load(start + 8 * _STOP) != 0


@compiled
def _wait(state: np.ndarray, thread: int, functions: np.ndarray) -> None:
    """Wait until the thread may continue: poll first, then sleep on the thread's lock."""
    for _ in range(state[_POLLS]):
        if _may_continue(state, thread):
            return
    base = _THREADS + thread * _PER_THREAD
    sleeps = state.ctypes.data + 8 * (base + _SLEEPS)
    native.exchange(sleeps, 1)
    # Poll again: work may have arrived between the last poll and the setting of the flag. If this
    # thread clears the flag, it continues; if another thread did, that thread releases the lock,
    # which has to be acquired.
    if _may_continue(state, thread) and native.exchange(sleeps, 0):
        return
    native.call(functions[ACQUIRE], (state[base + _LOCK], np.int32(1)))


@compiled
def _wake(state: np.ndarray, thread: int, functions: np.ndarray) -> None:
    """Wake the thread if it sleeps."""
    base = _THREADS + thread * _PER_THREAD
    if native.exchange(state.ctypes.data + 8 * (base + _SLEEPS), 0):
        native.call(functions[RELEASE], (state[base + _LOCK],))


@compiled
def _serve(state: np.ndarray, thread: int, functions: np.ndarray) -> None:
    """The loop of every thread except the caller's, until the pool is closed."""
    while native.load(state.ctypes.data + 8 * _STOP) == 0:
        if _work(state):
            _wake(state, 0, functions)
        else:
            _wait(state, thread, functions)


@compiled
def _execute(table: np.ndarray, state: np.ndarray, threads: int, functions: np.ndarray) -> None:
    """Execute all instructions of the table, by `threads` threads."""
    for r in range(table.shape[0]):
        function = table[r, FUNCTION]
        pieces = table[r, PIECES]
        instruction = table[r].ctypes.data
        if threads == 1 or pieces == 1:
            for piece in range(pieces):
                native.call(function, (instruction, piece))
            continue
        state[_INSTRUCTION] = instruction
        state[_FIRST] = state[_LIMIT]
        # The limit last: a thread that sees it also sees the instruction and its first number.
        native.exchange(state.ctypes.data + 8 * _LIMIT, state[_FIRST] + pieces)
        # The calling thread takes a piece itself.
        for thread in range(1, min(threads, pieces)):
            _wake(state, thread, functions)
        if not _work(state):
            _wait(state, 0, functions)


@compiled
def _stop(state: np.ndarray, threads: int, functions: np.ndarray) -> None:
    """Let all threads but the caller's end."""
    native.exchange(state.ctypes.data + 8 * _STOP, 1)
    for thread in range(1, threads):
        _wake(state, thread, functions)


class InstructionThreads:
    """`threads` threads, the calling one included; the others are started by the first work that is
    divided.

    `functions` are the addresses that `native.find` returns.
    """

    def __init__(self, threads: int, functions: np.ndarray) -> None:
        self._threads = threads
        self._functions = functions
        self._state = np.zeros(_THREADS + threads * _PER_THREAD, np.int64)
        self._members: list[Thread] = []
        self._stop: finalize | None = None

    def execute(self, table: np.ndarray, divided: bool, whole_step: bool = False) -> None:
        """Execute a table of instructions, int64 (instructions, numbers of one).

        `divided`: one has several pieces. `whole_step`: the next table is likely to follow at once.
        """
        if divided and not self._members and self._threads > 1:
            self._start()
        self._state[_POLLS] = _MANY_POLLS if whole_step else _FEW_POLLS
        _execute(table, self._state, len(self._members) + 1, self._functions)

    def close(self) -> None:
        """End the other threads. The calling thread does all work alone afterwards."""
        if self._stop is not None:
            self._stop()
        for member in self._members:
            member.join()
        self._members = []
        self._threads = 1

    def _start(self) -> None:
        # Compiled here, so that closing need not wait; no thread runs yet.
        _stop(self._state, 1, self._functions)
        self._state[_STOP] = 0
        for thread in range(self._threads):
            self._state[_THREADS + thread * _PER_THREAD + _LOCK] = _new_lock()
        # Daemon threads: a pool that was not closed must not keep the process alive.
        self._members = [
            Thread(
                target=_serve,
                args=(self._state, k, self._functions),
                name="vectorized",
                daemon=True,
            )
            for k in range(1, self._threads)
        ]
        for member in self._members:
            member.start()
        self._stop = finalize(self, _stop, self._state, self._threads, self._functions)


def _new_lock() -> int:
    """The address of a new lock of the interpreter, acquired."""
    allocate = ctypes.pythonapi.PyThread_allocate_lock
    acquire = ctypes.pythonapi.PyThread_acquire_lock
    # Without it ctypes would cut the address to a C int.
    allocate.restype = ctypes.c_void_p
    acquire.argtypes = (ctypes.c_void_p, ctypes.c_int)
    lock = allocate()
    acquire(lock, 1)
    return lock
