"""Instructions: a recorded step does what the step does, also where an operator has no
instruction.
"""

import ctypes
import gc
import threading
import time
from contextlib import closing

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from kernels.activations import NAMES
from kernels.registry import open_device
from kernels.sequential.device import Sequential
from kernels.vectorized import instruction_threads, native
from kernels.vectorized.device import Vectorized
from kernels.vectorized.instructions import CompiledStep
from tests.kernels.operator_cases import update_cases
from tests.limits import SECONDS

ROWS, INPUTS, UNITS, OUTPUTS = 7, 6, 5, 3

# Arrays of addresses that steps which were recorded before may still use.
KEPT = []


def arrays(outputs=OUTPUTS, pixels=True):
    """All that a batch of a network with one hidden layer needs, from the same random numbers every
    time.
    """
    rng = np.random.default_rng(6)

    def normal(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    images = rng.integers(0, 256, (20, INPUTS)).astype(np.uint8)
    return {
        "source": images if pixels else normal(20, INPUTS),
        "labels": rng.integers(0, outputs, 20).astype(np.int32),
        "targets": normal(20, outputs),
        "order": rng.permutation(20).astype(np.int32),
        "counters": np.array([3, 1], np.int32),
        "metrics": np.zeros(2),
        "w1": normal(INPUTS, UNITS),
        "b1": normal(UNITS),
        "w2": normal(UNITS, outputs),
        "b2": normal(outputs),
        "x": np.zeros((ROWS, INPUTS), np.float32),
        "h": np.zeros((ROWS, UNITS), np.float32),
        "y": np.zeros((ROWS, outputs), np.float32),
        "dh": np.zeros((ROWS, UNITS), np.float32),
        "dy": np.zeros((ROWS, outputs), np.float32),
        "near": np.zeros(ROWS, np.int32),
        "goal": np.zeros((ROWS, outputs), np.float32),
        "g1": np.zeros((INPUTS, UNITS), np.float32),
        "g2": np.zeros((UNITS, outputs), np.float32),
        "s1": np.zeros(UNITS, np.float32),
        "s2": np.zeros(outputs, np.float32),
    }


def step_of(device, a, activation, loss):
    def step():
        device.gather(a["source"], a["order"], a["counters"], a["x"])
        device.gather(a["labels"], a["order"], a["counters"], a["near"])
        device.gather(a["targets"], a["order"], a["counters"], a["goal"])
        device.dense(a["x"], a["w1"], a["b1"], activation, a["h"])
        device.dense(a["h"], a["w2"], a["b2"], "linear", a["y"])
        if loss == "softmax_cross_entropy":
            device.softmax_cross_entropy(a["y"], a["near"], a["metrics"], a["dy"])
        elif loss == "squared_error_classes":
            device.squared_error_classes(a["y"], a["near"], "linear", a["metrics"], a["dy"])
        else:
            device.squared_error(a["y"], a["goal"], "linear", a["metrics"], a["dy"])
        device.dense_weight_gradient(a["h"], a["dy"], a["g2"])
        device.bias_gradient(a["dy"], a["s2"])
        device.dense_input_gradient(a["dy"], a["w2"], a["h"], activation, a["dh"])
        device.dense_weight_gradient(a["x"], a["dh"], a["g1"])
        device.bias_gradient(a["dh"], a["s1"])
        device.advance(a["counters"], ROWS)

    return step


@pytest.mark.parametrize("pixels", [True, False])
@pytest.mark.parametrize("outputs", [1, OUTPUTS])
@pytest.mark.parametrize(
    "loss", ["softmax_cross_entropy", "squared_error_classes", "squared_error"]
)
@pytest.mark.parametrize("activation", NAMES)
def test_a_recorded_step_equals_the_step(activation, loss, outputs, pixels):
    expected, found = arrays(outputs, pixels), arrays(outputs, pixels)
    step_of(open_device("sequential"), expected, activation, loss)()
    device = open_device("vectorized")
    again = device.record(step_of(device, found, activation, loss))
    assert isinstance(again, CompiledStep)
    assert not found["y"].any()  # recording carries nothing out
    again()
    for name, array in expected.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=2e-6, err_msg=name)


@pytest.mark.parametrize("outputs", [1, OUTPUTS])
@pytest.mark.parametrize("activation", ["sigmoid", "tanh"])
def test_a_recorded_step_of_a_worker_equals_the_step(activation, outputs):
    expected, found = arrays(outputs), arrays(outputs)
    for a in (expected, found):
        a["w1"][:, 0] *= 60  # sums up to 300, where the exponential is limited
    step_of(open_device("sequential"), expected, activation, "squared_error")()
    worker = open_device("vectorized").worker()
    worker.record(step_of(worker, found, activation, "squared_error"))()
    for name, array in expected.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=2e-6, err_msg=name)


def test_the_device_is_itself_again_after_recording():
    device, a = open_device("vectorized"), arrays()
    device.record(step_of(device, a, "tanh", "squared_error"))
    device.dense(
        a["w1"].T.copy(), a["w1"], a["b1"], "linear", out := np.zeros((UNITS, UNITS), np.float32)
    )
    np.testing.assert_allclose(out, a["w1"].T @ a["w1"] + a["b1"], rtol=1e-5)


def calls_of(recorded):
    """How many operators of a recorded step have no instruction."""
    assert isinstance(recorded, CompiledStep)
    return sum(callable(part) for part in recorded.parts)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_operators_without_an_instruction_are_called_in_their_place(dtype):
    """Softmax has none, and float64 arrays fit none: each is computed between the instructions
    around it.
    """
    device, rng = open_device("vectorized"), np.random.default_rng(4)
    z, given = (
        rng.standard_normal((5, 3)).astype(dtype),
        rng.standard_normal((5, 3)).astype(np.float32),
    )
    p, sums, wide = np.zeros((5, 3), dtype), np.zeros(3, dtype), np.zeros(3, np.float32)

    def step():
        device.bias_gradient(given, wide)
        device.softmax(z, p)
        device.bias_gradient(p, sums)

    recorded = device.record(step)
    assert calls_of(recorded) == (1 if dtype is np.float32 else 2)
    assert not p.any()  # recording carries nothing out
    recorded()
    np.testing.assert_allclose(p, np.exp(z) / np.exp(z).sum(axis=1, keepdims=True), rtol=1e-5)
    np.testing.assert_allclose(sums, p.sum(axis=0), rtol=1e-5)
    np.testing.assert_allclose(wide, given.sum(axis=0), rtol=1e-5)


def test_an_error_in_a_call_ends_the_recorded_step():
    device, p, z = open_device("vectorized"), np.ones(3, np.float32), np.ones((2, 3), np.float32)

    def step():
        device.softmax(z, p)  # p has too few elements
        device.sgd(p, p, np.ones(1, np.float32), 0.0, 0)

    recorded = device.record(step)
    with pytest.raises(Exception, match=r"softmax|signature|array"):
        recorded()
    assert (p == 1).all()


def test_a_step_that_copies_or_allocates_is_refused_with_a_sentence():
    device, a, host = open_device("vectorized"), np.zeros(2, np.float32), np.ones(2, np.float32)
    calls = {
        "write": lambda: device.write(a, host), "read": lambda: device.read(a, host),
        "upload": lambda: device.upload(host), "asarray": lambda: device.asarray(host),
        "download": lambda: device.download(a), "empty": lambda: device.empty((2,)),
    }  # fmt: skip
    for name, call in calls.items():
        with pytest.raises(RuntimeError, match=f"operators only, which `{name}` is not"):
            device.record(call)
    device.write(a, host)  # outside of a recording they work
    assert (a == 1).all()


@pytest.fixture
def functions(monkeypatch):
    """The addresses of the C functions, a copy that a test may change."""
    functions = native.find().copy()
    monkeypatch.setattr(native, "find", lambda: functions)
    return functions


def test_threads_that_need_the_c_functions_at_once_get_one_array():
    # An instruction holds the array's address. The first training may begin while a drawing is read
    # for the first time.
    for _ in range(20):
        KEPT.append(native.find())
        native._find.cache_clear()
        begin = threading.Barrier(4)
        found = []

        def find(begin=begin, found=found):
            begin.wait()
            found.append(native.find())

        threads = [threading.Thread(target=find) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len({id(array) for array in found}) == 1


@pytest.mark.parametrize("activation", ["relu", "tanh", "sigmoid"])
def test_without_blas_the_products_are_numpys(functions, activation):
    functions[native.GEMM] = 0
    expected, found = arrays(), arrays()
    step_of(Sequential(), expected, activation, "squared_error")()
    device = Vectorized()
    recorded = device.record(step_of(device, found, activation, "squared_error"))
    assert calls_of(recorded) == 5
    assert device.details()["steps"] == "operator by operator"
    recorded()
    for name, array in expected.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=2e-6, err_msg=name)


def layout(ufunc, **changes):
    """The first fields of a ufunc as NumPy keeps them, with some of them changed."""
    fields = native._UFunc.from_buffer_copy(
        native._UFunc.from_address(id(ufunc) + object.__basicsize__)
    )
    for name, value in changes.items():
        setattr(fields, name, value)
    return fields


@pytest.mark.parametrize("ufunc", [np.exp, np.tanh], ids=lambda ufunc: ufunc.__name__)
def test_the_loop_of_a_ufunc_is_read_only_from_the_layout_that_is_known(ufunc):
    known = layout(ufunc)
    assert native.float_loop(ufunc, ctypes.addressof(known)) == native.float_loop(ufunc)
    assert native.float_loop(ufunc)[0]
    # Pointers that must not be followed: reading from them would end the process.
    wild = ctypes.cast(ctypes.c_void_p(8), ctypes.POINTER(ctypes.c_void_p))
    for change in ({"inputs": 2}, {"outputs": 0}, {"operands": 3}, {"loops": ufunc.ntypes + 1}):
        changed = layout(ufunc, functions=wild, data=wild, **change)
        assert native.float_loop(ufunc, ctypes.addressof(changed)) == (0, 0)
    nothing = layout(ufunc, functions=ctypes.POINTER(ctypes.c_void_p)())
    assert native.float_loop(ufunc, ctypes.addressof(nothing)) == (0, 0)


def test_a_field_more_in_the_struct_is_noticed():
    """As if NumPy had inserted eight bytes before the pointers: they would be read one place too
    early.
    """
    known = layout(np.exp)
    shifted = (ctypes.c_char * (ctypes.sizeof(known) + 8))()
    ctypes.memmove(shifted, ctypes.addressof(known), 16)
    ctypes.memmove(
        ctypes.addressof(shifted) + 24, ctypes.addressof(known) + 16, ctypes.sizeof(known) - 16
    )
    assert native.float_loop(np.exp, ctypes.addressof(shifted)) == (0, 0)


@pytest.mark.parametrize("case", update_cases(50), ids=lambda case: case.name)
def test_updates_are_recorded(case):
    """Every optimizer, and L1, as a part of a recorded step: with the numbers of plain loops."""
    drawn = case.draw(np.random.default_rng(2), np.float32)
    found = []
    for name in ("sequential", "vectorized"):
        arrays = {key: array.copy() for key, array in drawn.items()}
        device = open_device(name)
        device.record(lambda device=device, arrays=arrays: case.run(device, arrays))()
        found.append([arrays[key] for key in case.outputs + case.changed])
    for expected, actual in zip(*found, strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)


def dense_step(device, rng):
    """One step of 784-512-10 in batches of 100; returns the parameters and the gradient after
    it.
    """
    x, w = rng.random((100, 784), np.float32), rng.standard_normal((784, 512)).astype(np.float32)
    b, h, rate = (
        np.zeros(512, np.float32),
        np.empty((100, 512), np.float32),
        np.full(1, 0.1, np.float32),
    )
    gradient, dx = np.empty_like(w), np.empty_like(x)

    def step():
        device.dense(x, w, b, "tanh", h)
        device.dense_weight_gradient(x, h, gradient)
        device.dense_input_gradient(h, w, x, "sigmoid", dx)
        device.sgd(w.reshape(-1), gradient.reshape(-1), rate, 0.01, w.size)

    device.record(step)()
    return w, gradient, dx


@pytest.mark.parametrize("recorded", [True, False])
def test_results_do_not_depend_on_the_number_of_threads(recorded, monkeypatch):
    if not recorded:
        monkeypatch.setattr(Vectorized, "record", lambda self, step: step)
    results = []
    for threads in (1, 2, 5):
        with closing(Vectorized(threads)) as device:
            results.append(dense_step(device, np.random.default_rng(0)))
    for arrays_of in zip(*results, strict=True):
        for other in arrays_of[1:]:
            np.testing.assert_array_equal(other, arrays_of[0])


def test_threads_sleep_while_there_is_nothing_to_do():
    with closing(Vectorized(3)) as device:
        dense_step(device, np.random.default_rng(0))
        sleeps = device.instruction_threads._state[
            instruction_threads._THREADS
            + instruction_threads._SLEEPS :: instruction_threads._PER_THREAD
        ][1:]
        end = time.monotonic() + SECONDS
        while not sleeps.all() and time.monotonic() < end:
            time.sleep(0.001)
        assert sleeps.tolist() == [1, 1]
        # BLAS's own threads would wait in busy loops. SciPy's, which Numba loads where it is
        # installed, is not used.
        libraries = [library for library in threadpool_info() if library["user_api"] == "blas"]
        used = [library for library in libraries if "scipy.libs" not in library["filepath"]]
        assert {library["num_threads"] for library in used} <= {1}


def test_threads_of_a_step_end_with_the_device_or_when_it_is_forgotten():
    before = set(threading.enumerate())
    for close in (Vectorized.close, lambda device: None):
        device = Vectorized(3)
        dense_step(device, np.random.default_rng(0))
        members = set(threading.enumerate()) - before
        assert len(members) == 2
        close(device)
        del device
        gc.collect()
        for member in members:
            member.join(10)
        assert not set(threading.enumerate()) - before


def test_many_short_steps_with_more_threads_than_processors():
    """Each row wakes threads that may just be going to sleep: a lost wake-up would hang."""
    with closing(Vectorized(6)) as device:
        p, g, rate = (
            np.zeros(1 << 17, np.float32),
            np.ones(1 << 17, np.float32),
            np.ones(1, np.float32),
        )
        step = device.record(lambda: device.sgd(p, g, rate, 0.0, 0))
        for _ in range(3000):
            step()
        assert (p == -3000).all()
